/* work.c -- how much is read and made, against a limit that the caller sets */
#include "core/work.h"

#include "core/context.h"

#include <stddef.h>

ns_status ns_work_check(const ns_work *work, ns_error *err)
{
    const int64_t most = ns_context_work(work->limit);
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
