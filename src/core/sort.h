/* sort.h -- sorting that a host can stop */
#ifndef NS_CORE_SORT_H
#define NS_CORE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

/* Like qsort, but checks the context meanwhile.  Needs the same amount of extra memory for more than some thousand
 * items. */
ns_status ns_sort_items(void *array, int64_t count, size_t size, int (*compare)(const void *, const void *),
                        ns_error *err);

#endif
