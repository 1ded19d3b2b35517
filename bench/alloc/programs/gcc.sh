# The C compiler, and a C program that uses what the C library allocates itself.
# needs: gcc
cat > a.c <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <malloc.h>
#include <netdb.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static void *work(void *arg) {
    long sum = 0;
    for (int i = 0; i < 20000; i++) {
        char *s, *d;
        if (asprintf(&s, "%ld-%d", (long)arg, i) < 0) abort();
        d = strdup(s);
        sum += strlen(d);
        d = realloc(d, 100 + i % 1000);
        free(s);
        free(d);
    }
    return (void *)sum;
}
int main(void) {
    pthread_t t[4];
    long sum = 0;
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++) { void *r; pthread_join(t[i], &r); sum += (long)r; }
    printf("%ld\n", sum);
    char *line = NULL; size_t cap = 0; int lines = 0;
    FILE *f = fopen("a.c", "r");
    while (getline(&line, &cap, f) > 0) lines++;
    free(line); fclose(f);
    char *p = realpath(".", NULL); printf("%d %d\n", lines, p != NULL); free(p);
    struct dirent **names; int n = scandir(".", &names, NULL, alphasort);
    for (int i = 0; i < n; i++) { printf("%s ", names[i]->d_name); free(names[i]); }
    free(names);
    char *buf; size_t len; FILE *m = open_memstream(&buf, &len);
    for (int i = 0; i < 10000; i++) fprintf(m, "%d,", i);
    fclose(m); printf("\n%zu\n", len); free(buf);
    setlocale(LC_ALL, ""); tzset();
    for (int i = 1; i < 100; i++) {
        void *q = NULL;
        if (posix_memalign(&q, 64, i * 100) || (size_t)q % 64) return 1;
        if (malloc_usable_size(q) < (size_t)i * 100) return 2;
        free(q);
    }
    struct addrinfo *ai = NULL;
    if (getaddrinfo("127.0.0.1", "80", NULL, &ai) == 0) { puts("address"); freeaddrinfo(ai); }
    puts("c done");
    return 0;
}
C
gcc -O2 -Wall -o a a.c -pthread && ./a
for i in $(seq 1 400); do echo "int f$i(int x) { return x * $i + (x << $((i % 7))); }"; done > b.c
gcc -O2 -c b.c && ls -l b.o | wc -l
