/* memory.h -- growing arrays under a limit that the caller sets */
#ifndef NS_CORE_MEMORY_H
#define NS_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

/* Bytes in use against a limit; limit 0 means none. */
typedef struct ns_budget {
    int64_t used, limit;
} ns_budget;

/* Make room for `count` elements of `size` bytes in *array, of which *capacity fit now; doubles.  Counts in the budget.
 */
ns_status ns_grow(void **array, int64_t *capacity, int64_t count, size_t size, ns_budget *budget, ns_error *err);

/* Allocate `count` zeroed elements (at least one), counted in the budget. */
ns_status ns_take(void **array, int64_t count, size_t size, ns_budget *budget, ns_error *err);

/* Free, and count back `count` elements. */
void ns_give_back(void *array, int64_t count, size_t size, ns_budget *budget);

/* Would `bytes` more fit? */
ns_status ns_budget_check(const ns_budget *budget, double bytes, ns_error *err);

#endif
