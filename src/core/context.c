/* context.c -- the calling thread's context: all that the library keeps between calls, one for each thread */
#include "core/context.h"

#include "core/memory.h"
#include "core/sized.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local ns_context *current;
static _Thread_local int64_t ticks; /* since it was asked last */

ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err)
{
    ns_context_options given;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_context_options, max_work, &given, err));
    if (given.max_memory < 0 || given.max_work < 0)
        return ns_fail(err, NS_ERR_RANGE, "limits of a context are not negative");
    if ((given.allocate == NULL) != (given.release == NULL) || (given.reallocate != NULL && given.allocate == NULL))
        return ns_fail(err, NS_ERR_RANGE, "an allocator wants allocate and release both");
    ns_context *made = given.allocate != NULL ? given.allocate(given.user, sizeof *made) : malloc(sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    made->options = given;
    atomic_init(&made->holders, 1);
    *context = made;
    return NS_OK;
}

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

void ns_context_free(ns_context *context)
{
    if (context != NULL)
        ns_context_let_go(context);
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

void ns_log(ns_log_level level, const char *format, ...)
{
    char line[512];
    va_list list;
    if (current == NULL || current->options.log == NULL)
        return;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    current->options.log(current->options.user, level, line);
}
