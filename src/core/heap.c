/* heap.c -- memory of the calling thread's context, or of the C library; each block knows whose it is
 *
 * A handle may be freed after its context, by another thread, or while another context is in use: what stands in front
 * of a block says who gave it, and the context stays until the last of its blocks is back.
 */
#include "core/context.h"
#include "core/memory.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

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
