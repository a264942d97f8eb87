/* memory.c -- calls for memory */
#define _GNU_SOURCE

#include "shim.h"

#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

void *malloc(size_t size)
{
    if (shim_fails(SHIM_MEMORY, "malloc", ENOMEM))
        return NULL;
    void *block = __libc_malloc(size);
    shim_hold_if_own(block, __builtin_return_address(0));
    return block;
}

void *calloc(size_t count, size_t size)
{
    if (shim_fails(SHIM_MEMORY, "calloc", ENOMEM))
        return NULL;
    void *block = __libc_calloc(count, size);
    shim_hold_if_own(block, __builtin_return_address(0));
    return block;
}

void *realloc(void *block, size_t size)
{
    if (shim_fails(SHIM_MEMORY, "realloc", ENOMEM))
        return NULL;
    const bool was_held = block != NULL && shim_let_go(block);
    void *grown = __libc_realloc(block, size);
    if (grown == NULL && was_held && size > 0)
        shim_hold(block);
    if (was_held && grown != NULL)
        shim_hold(grown);
    else if (block == NULL)
        shim_hold_if_own(grown, __builtin_return_address(0));
    return grown;
}

void free(void *block)
{
    if (block != NULL)
        (void)shim_let_go(block);
    __libc_free(block);
}
