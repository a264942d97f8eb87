/* memory.c -- memory of the calling thread's context, or of the C library; sizes that cannot overflow, growing arrays
 * under a limit that the caller sets, and arenas
 *
 * A handle may be freed after its context, by another thread, or while another context is in use: a header before each
 * block names the context that allocated it, and the context exists until the last of its blocks is freed.
 */
#include "core/memory.h"
#include "core/arena.h"

#include "core/context.h"

#include <nsmodel/quantity.h>

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

size_t ns_size_add(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

size_t ns_size_mul(size_t a, size_t b)
{
    return b == 0 || a <= SIZE_MAX / b ? a * b : SIZE_MAX;
}

int64_t ns_count_add(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return -1;
    return a <= INT64_MAX - b ? a + b : INT64_MAX;
}

int64_t ns_count_mul(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return -1;
    return b == 0 || a <= INT64_MAX / b ? a * b : INT64_MAX;
}

ns_status(ns_no_memory)(ns_error *err)
{
    return ns_fail(err, NS_ERR_MEMORY, "out of memory");
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

typedef struct front {
    alignas(max_align_t) ns_context *from; /* NULL: the C library */
    size_t size;                           /* of the block with its header */
} front;

void ns_context_let_go(ns_context *context)
{
    if (atomic_fetch_sub_explicit(&context->holders, 1, memory_order_acq_rel) != 1)
        return;
    if (context->options.release != NULL)
        context->options.release(context->options.user, context, sizeof *context);
    else
        free(context);
}

/* No object is larger than half of the address space. */
static void *take(size_t size, bool zeroed)
{
    const size_t whole = ns_size_add(size, sizeof(front));
    ns_context *context = ns_context_current();
    front *block;
    if (whole > PTRDIFF_MAX)
        return NULL;
    if (context == NULL || context->options.allocate == NULL) {
        context = NULL;
        block = zeroed ? calloc(1, whole) : malloc(whole);
    } else {
        block = context->options.allocate(context->options.user, whole);
        if (zeroed && block != NULL)
            memset(block, 0, whole);
    }
    if (block == NULL)
        return NULL;
    block->from = context;
    block->size = whole;
    if (context != NULL)
        atomic_fetch_add_explicit(&context->holders, 1, memory_order_relaxed);
    return block + 1;
}

void *ns_malloc(size_t size)
{
    return take(size, false);
}

void *ns_calloc(size_t count, size_t size)
{
    return take(ns_size_mul(count, size), true);
}

void *ns_realloc(void *memory, size_t size)
{
    const size_t whole = ns_size_add(size, sizeof(front));
    if (memory == NULL)
        return ns_malloc(size);
    if (whole > PTRDIFF_MAX)
        return NULL;
    front *block = (front *)memory - 1, *made;
    const ns_context *from = block->from;
    if (from == NULL)
        made = realloc(block, whole);
    else if (from->options.reallocate != NULL)
        made = from->options.reallocate(from->options.user, block, block->size, whole);
    else if ((made = from->options.allocate(from->options.user, whole)) != NULL) {
        memcpy(made, block, block->size < whole ? block->size : whole);
        from->options.release(from->options.user, block, block->size);
    }
    if (made == NULL)
        return NULL;
    made->size = whole;
    return made + 1;
}

/* Out of line: abidw overlooks the type of a function that the compiler may inline in its own file. */
__attribute__((noinline)) void ns_free(void *memory)
{
    if (memory == NULL)
        return;
    front *block = (front *)memory - 1;
    ns_context *from = block->from;
    if (from == NULL) {
        free(block);
        return;
    }
    from->options.release(from->options.user, block, block->size);
    ns_context_let_go(from);
}

/* ---- arrays under a limit ---------------------------------------------------------------------------------------- */

ns_status ns_budget_check(const ns_budget *budget, double bytes, ns_error *err)
{
    const double wanted = (double)budget->used + bytes;
    const int64_t most = ns_context_memory(budget->limit);
    if (wanted < 9e18 && (most == 0 || wanted <= (double)most))
        return NS_OK;
    char need[40], limit[40];
    const ns_dim byte = {0, 1, 0};
    ns_quantity_format(wanted, byte, 3, need, sizeof need);
    ns_quantity_format((double)most, byte, 3, limit, sizeof limit);
    const bool first = err != NULL && err->code == NS_OK;
    ns_status status = ns_fail(err, NS_ERR_LIMIT, "this needs at least %s of memory, more than the limit of %s", need,
                               most == 0 ? "the address space" : limit);
    if (first && most > 0)
        err->limit = NS_LIMIT_MEMORY;
    return status;
}

/* At nine tenths of a limit, warn that the next call of this kind may end with NS_ERR_LIMIT.  Warn only once. */
static void count_in(ns_budget *budget, int64_t bytes)
{
    const int64_t most = ns_context_memory(budget->limit);
    budget->used += bytes;
    if (most == 0 || budget->told || (double)budget->used <= 0.9 * (double)most)
        return;
    budget->told = true;
    ns_tell_host(NS_LOG_WARNING, "memory is near its limit: %lld B of %lld B are in use", (long long)budget->used,
                 (long long)most);
}

ns_status ns_take(void *array, int64_t count, size_t size, ns_budget *budget, ns_error *err)
{
    if (count < 0)
        return ns_fail(err, NS_ERR_RANGE, "an array of %lld elements, wanted 0 or more", (long long)count);
    if (count == 0)
        count = 1;
    NS_TRY(ns_budget_check(budget, (double)count * (double)size, err));
    void *taken = ns_calloc((size_t)count, size);
    if (taken == NULL)
        return ns_no_memory(err);
    memcpy(array, &taken, sizeof taken);
    count_in(budget, count * (int64_t)size);
    return NS_OK;
}

ns_status ns_grow(void *array, int64_t *capacity, int64_t count, size_t size, ns_budget *budget, ns_error *err)
{
    if (count < 0)
        return ns_fail(err, NS_ERR_RANGE, "an array of %lld elements, wanted 0 or more", (long long)count);
    if (count <= *capacity)
        return NS_OK;
    int64_t wanted = *capacity < 32 ? 64 : ns_count_mul(2, *capacity);
    if (wanted < count)
        wanted = count;
    if (budget != NULL)
        NS_TRY(ns_budget_check(budget, (double)(wanted - *capacity) * (double)size, err));
    void *grown;
    memcpy(&grown, array, sizeof grown);
    grown = ns_realloc(grown, ns_size_mul((size_t)wanted, size));
    if (grown == NULL)
        return ns_no_memory(err);
    if (budget != NULL)
        count_in(budget, (wanted - *capacity) * (int64_t)size);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return NS_OK;
}

void ns_give_back(void *array, int64_t count, size_t size, ns_budget *budget)
{
    if (array != NULL)
        budget->used -= (count < 1 ? 1 : count) * (int64_t)size;
    ns_free(array);
}

/* ---- arenas: memory that is released all at once, and kept for the next use -------------------------------------- */

typedef struct ns_arena_block {
    struct ns_arena_block *next;
    size_t size, used; /* B of data */
    alignas(max_align_t) unsigned char data[];
} block;

enum { SMALLEST = 1 << 14, DOUBLED_TO = 1 << 20, GRAIN = alignof(max_align_t) };

ns_status ns_arena_take(ns_arena *arena, size_t count, size_t size, void **room, ns_error *err)
{
    const size_t wanted = ns_size_add(ns_size_mul(count > 0 ? count : 1, size), GRAIN - 1);
    const size_t bytes = wanted / GRAIN * GRAIN;
    block *b = arena->block;
    if (wanted == SIZE_MAX)
        return ns_no_memory(err);
    if (b == NULL || b->size - b->used < bytes) {
        size_t more = b == NULL || arena->kept < DOUBLED_TO ? arena->kept : DOUBLED_TO;
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

void ns_arena_reset(ns_arena *arena)
{
    const size_t kept = arena->kept;
    if (arena->block != NULL && arena->block->next != NULL) {
        ns_arena_free(arena);
        arena->kept = kept; /* the size of the next block */
    } else if (arena->block != NULL)
        arena->block->used = 0;
}

void ns_arena_free(ns_arena *arena)
{
    while (arena->block != NULL) {
        block *next = arena->block->next;
        ns_free(arena->block);
        arena->block = next;
    }
    arena->kept = 0;
}
