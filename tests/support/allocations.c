/* allocations.c -- malloc, calloc and realloc of a test program, counted on their way to those of the C library */
#include "support/allocations.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_long asked;

long allocations(void)
{
    return asked;
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    asked++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    asked++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    asked++;
    return __libc_realloc(old, size);
}

#endif
