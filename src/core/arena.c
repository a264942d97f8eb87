/* arena.c -- memory that is given back all at once, and kept for the next time */
#include "core/arena.h"

#include "core/memory.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct ns_arena_block {
    struct ns_arena_block *next;
    size_t size, used; /* B of data */
    alignas(max_align_t) unsigned char data[];
} block;

enum { SMALLEST = 1 << 14, GRAIN = alignof(max_align_t) };

/* The newest blocks, down to one. */
static void free_blocks(ns_arena *arena, const block *last)
{
    while (arena->block != last) {
        block *next = arena->block->next;
        ns_free(arena->block);
        arena->block = next;
    }
}

ns_status ns_arena_take(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err)
{
    const size_t wanted = ns_size_add(ns_size_mul(count > 0 ? count : 1, size), GRAIN - 1);
    const size_t bytes = wanted / GRAIN * GRAIN;
    block *b = arena->block;
    if (wanted == SIZE_MAX)
        return ns_no_memory(err);
    if (b == NULL || b->size - b->used < bytes) {
        size_t more = b == NULL ? arena->kept : 0;
        more = more > bytes ? more : bytes;
        more = more > SMALLEST ? more : SMALLEST;
        block *fresh = ns_malloc(ns_size_add(sizeof *fresh, more));
        if (fresh == NULL)
            return ns_no_memory(err);
        arena->kept = b == NULL ? more : arena->kept + more;
        fresh->next = b;
        fresh->size = more;
        fresh->used = 0;
        arena->block = b = fresh;
    }
    *room = b->data + b->used;
    b->used += bytes;
    return NS_OK;
}

ns_status ns_arena_zeroed(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err)
{
    NS_TRY(ns_arena_take(arena, count, size, room, err));
    memset(*room, 0, (count > 0 ? count : 1) * size);
    return NS_OK;
}

ns_arena_place ns_arena_mark(const ns_arena *arena)
{
    return (ns_arena_place){arena->block, arena->block != NULL ? arena->block->used : 0};
}

void ns_arena_release(ns_arena *arena, ns_arena_place mark)
{
    if (mark.block == NULL)
        return; /* nothing was taken before: the first block is kept as it is */
    free_blocks(arena, mark.block);
    mark.block->used = mark.used;
}

void ns_arena_reset(ns_arena *arena)
{
    if (arena->block != NULL && arena->block->next != NULL)
        free_blocks(arena, NULL);
    else if (arena->block != NULL)
        arena->block->used = 0;
}

void ns_arena_free(ns_arena *arena)
{
    free_blocks(arena, NULL);
    arena->kept = 0;
}
