/* context.c -- the calling thread's context: all that the library keeps between calls, one for each thread */
#include "core/context.h"

#include "core/memory.h"
#include "core/sized.h"

#include <stdlib.h>

struct ns_context {
    ns_context_options options;
};

static _Thread_local ns_context *current;
static _Thread_local int64_t ticks; /* since it was asked last */

ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err)
{
    NS_TRY(ns_sized_check(options, sizeof *options, err));
    if (options != NULL && (options->max_memory < 0 || options->max_work < 0))
        return ns_fail(err, NS_ERR_RANGE, "limits of a context are not negative");
    ns_context *made = calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    if (options != NULL)
        made->options = *options;
    *context = made;
    return NS_OK;
}

void ns_context_free(ns_context *context)
{
    free(context);
}

ns_context *ns_context_use(ns_context *context)
{
    ns_context *before = current;
    current = context;
    ticks = 0;
    return before;
}

ns_context *ns_context_now(void)
{
    return current;
}

bool ns_context_watches(void)
{
    return current != NULL && (current->options.stop != NULL || current->options.max_work > 0);
}

ns_status ns_context_ask(ns_error *err)
{
    ticks = 0;
    if (current == NULL || current->options.stop == NULL || current->options.stop(current->options.user) == 0)
        return NS_OK;
    return ns_fail(err, NS_ERR_CANCELLED, "cancelled");
}

ns_status ns_context_tick(int64_t units, ns_error *err)
{
    if (current == NULL)
        return NS_OK;
    ticks += units;
    return ticks < NS_TICKS ? NS_OK : ns_context_ask(err);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

int64_t ns_context_memory(int64_t limit)
{
    return current != NULL ? smaller(limit, current->options.max_memory) : limit;
}

int64_t ns_context_work(int64_t limit)
{
    return current != NULL ? smaller(limit, current->options.max_work) : limit;
}

/* Out of line: abidw overlooks the type of a function that the compiler may inline in its own file. */
__attribute__((noinline)) void ns_free(void *memory)
{
    free(memory);
}
