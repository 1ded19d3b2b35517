# A library that is loaded late, with thread-local data of its own: the preloaded library must leave room for it.
# needs: gcc
cat > l.c <<'C'
#include <stdlib.h>
#include <string.h>
static __thread char room[512];
char *fill(int c) { memset(room, c, sizeof room); char *p = malloc(600); memcpy(p, room, sizeof room); return p; }
C
cat > m.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static char *(*fill)(int);
static void *work(void *a) { char *p = fill((int)(long)a); long c = p[511]; free(p); return (void *)c; }
int main(void) {
    for (int i = 0; i < 50; i++) {
        void *l = dlopen("./l.so", RTLD_NOW);
        if (!l) { puts(dlerror()); return 1; }
        fill = (char *(*)(int))dlsym(l, "fill");
        pthread_t t[4]; long sum = 0;
        for (long k = 0; k < 4; k++) pthread_create(&t[k], 0, work, (void *)k);
        for (int k = 0; k < 4; k++) { void *r; pthread_join(t[k], &r); sum += (long)r; }
        if (sum != 6) return 2;
        free(fill(1));
        dlclose(l);
    }
    puts("load done");
}
C
gcc -O1 -shared -fPIC -ftls-model=initial-exec -o l.so l.c && gcc -O1 -o m m.c -pthread -ldl && ./m
