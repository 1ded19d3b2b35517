/* samite_malloc.h: the lock-free allocator of Samite for C programs.
 *
 * Linking with libsamite_malloc.so (or preloading it) replaces malloc and its family.
 */
#ifndef SAMITE_MALLOC_H
#define SAMITE_MALLOC_H
#endif
