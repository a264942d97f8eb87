/* allocations.c -- malloc, calloc and realloc of a test program, counted on their way to those of the C library */
#include "support/allocations.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_long asked, left = -1;

long allocations(void)
{
    return asked;
}

void allocations_limit(long limit)
{
    left = limit;
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* Shared libraries, zlib among them, are to come this way, too. */
#pragma GCC visibility push(default)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool may_allocate(void)
{
    asked++;
    if (left > 0)
        left--;
    return left != 0;
}

void *malloc(size_t size)
{
    return may_allocate() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
    return may_allocate() ? __libc_calloc(count, size) : NULL;
}

void *realloc(void *old, size_t size)
{
    return may_allocate() ? __libc_realloc(old, size) : NULL;
}

#pragma GCC visibility pop

#endif
