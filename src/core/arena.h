/* arena.h -- memory that is released all at once, and kept for the next use */
#ifndef NS_CORE_ARENA_H
#define NS_CORE_ARENA_H

#include <stddef.h>

#include <nsmodel/status.h>

/* Initialise to {0}. */
typedef struct ns_arena {
    struct ns_arena_block *block; /* the newest first; only the newest has free space */
    size_t kept;                  /* B of all blocks */
} ns_arena;

/* count elements of `size` bytes, uninitialised, valid until the arena is reset or freed; at least one. */
ns_status ns_arena_take(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err);
/* The same, zeroed. */
ns_status ns_arena_zeroed(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err);

/* Release everything that was taken.  If that took several blocks of memory, the next use takes a single larger one,
 * and later uses allocate nothing. */
void ns_arena_reset(ns_arena *arena);
void ns_arena_free(ns_arena *arena);

#endif
