/* asking.c -- what the library asks and tells the calling thread's context: to stop, its limits, its log */
#include "core/context.h"

#include "core/work.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local int64_t ticks; /* since the host was asked last */

ns_status ns_end_call(const ns_error *inner, ns_error *err)
{
    return ns_fail(err, inner->code, "%s", inner->text);
}

void ns_context_restart(void)
{
    ticks = 0;
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
