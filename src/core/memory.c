/* memory.c -- memory of the calling thread's context, or of the C library; sizes that cannot overflow, and growing arrays
 * under a limit that the caller sets
 *
 * A handle may be freed after its context, by another thread, or while another context is in use: what stands in front
 * of a block says who gave it, and the context stays until the last of its blocks is back.
 */
#include "core/memory.h"

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
    size_t size;                           /* of the block with its front */
} front;

void ns_context_hold(ns_context *context)
{
    atomic_fetch_add_explicit(&context->holders, 1, memory_order_relaxed);
}

void ns_context_let_go(ns_context *context)
{
    if (atomic_fetch_sub_explicit(&context->holders, 1, memory_order_acq_rel) != 1)
        return;
    if (context->options.release != NULL)
        context->options.release(context->options.user, context, sizeof *context);
    else
        free(context);
}

/* The context that gives memory now, or NULL. */
static ns_context *giver(void)
{
    ns_context *context = ns_context_current();
    return context != NULL && context->options.allocate != NULL ? context : NULL;
}

/* No object is larger than half the address space. */
static size_t whole_size(size_t size)
{
    const size_t whole = ns_size_add(size, sizeof(front));
    return whole <= PTRDIFF_MAX ? whole : 0;
}

static void *opened(front *block, ns_context *from, size_t whole)
{
    if (block == NULL)
        return NULL;
    block->from = from;
    block->size = whole;
    if (from != NULL)
        ns_context_hold(from);
    return block + 1;
}

void *ns_malloc(size_t size)
{
    const size_t whole = whole_size(size);
    ns_context *from = giver();
    if (whole == 0)
        return NULL;
    return opened(from == NULL ? malloc(whole) : from->options.allocate(from->options.user, whole), from, whole);
}

void *ns_calloc(size_t count, size_t size)
{
    const size_t whole = whole_size(ns_size_mul(count, size));
    ns_context *from = giver();
    if (whole == 0)
        return NULL;
    if (from == NULL)
        return opened(calloc(1, whole), NULL, whole);
    void *taken = from->options.allocate(from->options.user, whole);
    return opened(taken != NULL ? memset(taken, 0, whole) : NULL, from, whole);
}

void *ns_realloc(void *memory, size_t size)
{
    const size_t whole = whole_size(size);
    if (memory == NULL)
        return ns_malloc(size);
    if (whole == 0)
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

/* Nine tenths of a limit: the next call of this kind may end with NS_ERR_LIMIT.  Said once. */
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

ns_status ns_take(void **array, int64_t count, size_t size, ns_budget *budget, ns_error *err)
{
    if (count < 0)
        return ns_fail(err, NS_ERR_RANGE, "an array of %lld elements, wanted 0 or more", (long long)count);
    if (count == 0)
        count = 1;
    NS_TRY(ns_budget_check(budget, (double)count * (double)size, err));
    void *taken = ns_calloc((size_t)count, size);
    if (taken == NULL)
        return ns_no_memory(err);
    *array = taken;
    count_in(budget, count * (int64_t)size);
    return NS_OK;
}

ns_status ns_grow(void **array, int64_t *capacity, int64_t count, size_t size, ns_budget *budget, ns_error *err)
{
    if (count < 0)
        return ns_fail(err, NS_ERR_RANGE, "an array of %lld elements, wanted 0 or more", (long long)count);
    if (count <= *capacity)
        return NS_OK;
    int64_t wanted = *capacity < 32 ? 64 : ns_count_mul(2, *capacity);
    if (wanted < count)
        wanted = count;
    NS_TRY(ns_budget_check(budget, (double)(wanted - *capacity) * (double)size, err));
    void *grown = ns_realloc(*array, ns_size_mul((size_t)wanted, size));
    if (grown == NULL)
        return ns_no_memory(err);
    count_in(budget, (wanted - *capacity) * (int64_t)size);
    *array = grown;
    *capacity = wanted;
    return NS_OK;
}

void ns_give_back(void *array, int64_t count, size_t size, ns_budget *budget)
{
    if (array != NULL)
        budget->used -= (count < 1 ? 1 : count) * (int64_t)size;
    ns_free(array);
}
