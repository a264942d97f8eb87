/* needs.h of the first 1.0: its declarations */
#ifndef NSMODEL_NEEDS_H
#define NSMODEL_NEEDS_H

#include <nsmodel/exchange.h>
#include <nsmodel/site.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_needs ns_needs;

NS_API ns_status ns_needs_begin(const ns_site *site, int64_t width, const ns_limits *limits, ns_needs **needs,
                                ns_error *err);

typedef struct ns_column_range {
    int64_t first, count;
} ns_column_range;

NS_API ns_status ns_needs_add_32(ns_needs *needs, int32_t process, int64_t first, int64_t last, const int32_t *column,
                                 int64_t count, ns_error *err);
NS_API ns_status ns_needs_add_64(ns_needs *needs, int32_t process, int64_t first, int64_t last, const int64_t *column,
                                 int64_t count, ns_error *err);
NS_API ns_status ns_needs_add_ranges(ns_needs *needs, int32_t process, int64_t first, int64_t last,
                                     const ns_column_range *columns, int64_t count, ns_error *err);

NS_API ns_status ns_needs_finish(const ns_needs *needs, ns_exchange **exchange, ns_error *err);

NS_API void ns_needs_free(ns_needs *needs);

typedef struct ns_process_needs {
    int64_t first, last;
    int64_t count;
    const int32_t *column_32;
    const int64_t *column_64;
} ns_process_needs;

NS_API ns_status ns_exchange_from_needs(const ns_process_needs *process, const ns_site *site, int64_t width,
                                        const ns_limits *limits, ns_exchange **exchange, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
