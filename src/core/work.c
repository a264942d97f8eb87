/* work.c -- how much is read and made, against a limit that the caller sets */
#include "core/work.h"

#include <stddef.h>

ns_status ns_work_check(const ns_work *work, ns_error *err)
{
    if (work->limit == 0 || work->entries + work->rows + work->routes <= (double)work->limit)
        return NS_OK;
    const bool first = err != NULL && err->code == NS_OK;
    ns_status status = ns_fail(err, NS_ERR_LIMIT,
                               "this is work of at least %.10g entries, %.10g rows and %.10g routes, more than the "
                               "limit of %lld together",
                               work->entries, work->rows, work->routes, (long long)work->limit);
    if (first)
        err->limit = NS_LIMIT_WORK;
    return status;
}
