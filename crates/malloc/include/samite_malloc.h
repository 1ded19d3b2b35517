/* samite_malloc.h: the lock-free allocator of Samite for C and C++ programs.
 *
 * Linking with libsamite_malloc.so, or preloading it, replaces malloc, calloc, realloc, reallocarray, free, free_sized,
 * free_aligned_sized, aligned_alloc, posix_memalign, memalign, valloc, pvalloc, cfree and malloc_usable_size; include
 * <stdlib.h> and <malloc.h> for these. C++'s new and delete call them. This header has what there is beyond.
 *
 * Options are environment variables, read once at the first allocation; sizes may end in K, M, G or T:
 *   SAMITE_MALLOC_STATS            1, text or json: statistics on standard error at exit
 *   SAMITE_MALLOC_ON_FAULT         abort (default), report or ignore misuse of the heap
 *   SAMITE_MALLOC_HARDENED         1: check every block on every operation
 *   SAMITE_MALLOC_PAGE_MULTIPLIER  0 to 3: pageblocks of 2^n times the basic size
 *   SAMITE_MALLOC_THREAD_CACHE     bytes of free memory that a thread keeps
 *   SAMITE_MALLOC_RETAIN_MIN, _IDLE, _MAX  bounds on the free memory that the process keeps
 *   SAMITE_MALLOC_PURGE_DELAY      milliseconds after which that shrinks
 *   SAMITE_MALLOC_HUGE_PAGES       bytes in use from which on huge pages are asked for; 0: never
 *   SAMITE_MALLOC_REGION           bytes of address space to reserve
 */
#ifndef SAMITE_MALLOC_H
#define SAMITE_MALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a fault hook is called with. */
enum samite_malloc_fault {
    SAMITE_MALLOC_DOUBLE_FREE = 1,
    SAMITE_MALLOC_INVALID_POINTER = 2,
    SAMITE_MALLOC_CORRUPTION = 3,
    SAMITE_MALLOC_WRONG_SIZE = 4
};

/* Returns true if the fault has been dealt with and the process may go on. Must not allocate. */
typedef bool (*samite_malloc_fault_hook)(int fault, const void *address);

/* Sets the hook; NULL removes it. */
void samite_malloc_set_fault_hook(samite_malloc_fault_hook hook);

/* Writes statistics to a file descriptor: text, or JSON if json is not 0. */
void samite_malloc_stats(int fd, int json);

/* Checks the calling thread's heap and those without owner: pageblocks checked, or -1 if something is wrong. */
int samite_malloc_verify(void);

/* In a library built with the feature `count`: atomic read-modify-writes and writes to shared cache lines so far, and
 * returns 1. Otherwise returns 0. */
int samite_malloc_traffic(uint64_t *rmw, uint64_t *writes);

/* Gives free memory back to the system; 1 if there was any. Beyond small bounds that happens by itself. */
int samite_malloc_trim(void);

#ifdef __cplusplus
}
#endif

#endif
