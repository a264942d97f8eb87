/* context.c -- the calling thread's context: all state that the library keeps between calls, one per thread
 *
 * This file contains only functions of the public header: libnsmodel-fit includes the rest of src/core, and must use
 * the single variable of libnsmodel.
 */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/work.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the library's use of the calling thread's context: cancellation, limits, log -------------------------------- */

static _Thread_local int64_t ticks; /* since the host was last called */

ns_status ns_end_call(const ns_error *inner, ns_error *err)
{
    return ns_fail(err, inner->code, "%s", inner->text);
}

bool ns_context_watches(void)
{
    const ns_context *context = ns_context_current();
    return context != NULL && (context->options.stop != NULL || context->options.max_work > 0);
}

ns_status ns_context_ask(ns_error *err)
{
    const ns_context *context = ns_context_current();
    ticks = 0;
    if (context == NULL || context->options.stop == NULL || context->options.stop(context->options.user) == 0)
        return NS_OK;
    return ns_fail(err, NS_ERR_CANCELLED, "cancelled");
}

ns_status ns_context_tick(int64_t units, ns_error *err)
{
    const ns_context *context = ns_context_current();
    if (context == NULL)
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
    const ns_context *context = ns_context_current();
    return context != NULL ? smaller(limit, context->options.max_memory) : limit;
}

ns_status ns_work_check(const ns_work *work, ns_error *err)
{
    const ns_context *context = ns_context_current();
    const int64_t most = context != NULL ? smaller(work->limit, context->options.max_work) : work->limit;
    if (most == 0 || work->entries + work->rows + work->routes <= (double)most)
        return NS_OK;
    const bool first = err != NULL && err->code == NS_OK;
    ns_status status = ns_fail(err, NS_ERR_LIMIT,
                               "this is work of at least %.10g entries, %.10g rows and %.10g routes, more than the "
                               "limit of %lld together",
                               work->entries, work->rows, work->routes, (long long)most);
    if (first)
        err->limit = NS_LIMIT_WORK;
    return status;
}

void ns_tell_host(ns_log_level level, const char *format, ...)
{
    const ns_context *context = ns_context_current();
    char line[512];
    va_list list;
    if (context == NULL || context->options.log == NULL)
        return;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    context->options.log(context->options.user, level, line);
}

static _Thread_local ns_context *current;

ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err)
{
    ns_error_clear(err);
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

void ns_context_free(ns_context *context)
{
    if (context != NULL)
        ns_context_let_go(context);
}

ns_context *ns_context_use(ns_context *context)
{
    ns_context *before = current;
    current = context;
    /* Set the context and restart its tick count. */
    ticks = 0; /* so that the same call makes the same number of callbacks */
    return before;
}

/* Out of line: abidw overlooks the type of a function that the compiler may inline in its own file. */
__attribute__((noinline)) ns_context *ns_context_current(void)
{
    return current;
}
