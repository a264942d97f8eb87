/* allocations.c -- malloc, calloc and realloc of a test program, counted on their way to those of the C library */
#include "support/allocations.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_long asked, live, left = -1;

long allocations(void)
{
    return asked;
}

long allocations_live(void)
{
    return live;
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
void __libc_free(void *memory);

static bool may_allocate(void)
{
    asked++;
    if (left > 0)
        left--;
    return left != 0;
}

static void *counted(void *made)
{
    live += made != NULL;
    return made;
}

void *malloc(size_t size)
{
    return may_allocate() ? counted(__libc_malloc(size)) : NULL;
}

void *calloc(size_t count, size_t size)
{
    return may_allocate() ? counted(__libc_calloc(count, size)) : NULL;
}

void *realloc(void *old, size_t size)
{
    if (!may_allocate())
        return NULL;
    void *made = __libc_realloc(old, size);
    live += old == NULL && made != NULL;
    live -= old != NULL && made == NULL && size == 0;
    return made;
}

void free(void *memory)
{
    live -= memory != NULL;
    __libc_free(memory);
}

#pragma GCC visibility pop

#endif
