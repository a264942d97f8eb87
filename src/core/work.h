/* work.h -- the amount of work done, against a limit that the caller sets */
#ifndef NS_CORE_WORK_H
#define NS_CORE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include <nsmodel/status.h>

/* Work is entries read + rows scanned + routes made; limit 0 means none.  Counts are exact up to 2^53. */
typedef struct ns_work {
    double entries, rows, routes;
    int64_t limit;
} ns_work;

/* NS_ERR_LIMIT when there is more than the limit. */
ns_status ns_work_check(const ns_work *work, ns_error *err);

#endif
