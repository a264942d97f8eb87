/* arena.h -- memory that is given back all at once, and kept for the next time */
#ifndef NS_CORE_ARENA_H
#define NS_CORE_ARENA_H

#include <stddef.h>

#include <nsmodel/status.h>

/* {0} is an empty one. */
typedef struct ns_arena {
    struct ns_arena_block *block; /* the newest first; only that has room left */
    size_t kept;                  /* B of all blocks */
} ns_arena;

/* count elements of `size` bytes, of any content, until the arena is reset or freed; at least one. */
ns_status ns_arena_take(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err);
/* The same, zeroed. */
ns_status ns_arena_zeroed(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err);

/* All that was taken is given back.  What took several blocks of memory takes one the next time, and then none. */
void ns_arena_reset(ns_arena *arena);
void ns_arena_free(ns_arena *arena);

#endif
