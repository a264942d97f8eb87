/* needs.h -- an exchange from what each process of a running program knows: its own columns, and those that it needs
 *
 * A solver does not hold the matrix in one place.  Process p owns columns [first, last) and has a list of columns that
 * it needs (PETSc: garray; hypre: col_map_offd).  The result is the exchange that ns_exchange_from_csr makes of the
 * whole matrix, to the bit, if the processes own the same blocks.
 */
#ifndef NSMODEL_NEEDS_H
#define NSMODEL_NEEDS_H

#include <nsmodel/exchange.h>
#include <nsmodel/site.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_needs ns_needs;

/* Begin to collect.  The processes are the parts of the site, under any mapping; the site is copied.  width: bytes of
 * an entry, 8 when 0.  limits, or NULL, apply to all that is kept and to the routes that are made. */
NS_API ns_status ns_needs_begin(const ns_site *site, int64_t width, const ns_limits *limits, ns_needs **needs,
                                ns_error *err);

/* Columns [first, first + count). */
typedef struct ns_column_range {
    int64_t first, count;
} ns_column_range;

/* Add a process: it owns columns [first, last), none where both are equal, and needs those of a list.  The list may be
 * in any order, name a column twice, and name own columns, which are ignored; it is not kept.  Every process is
 * added once, in any order.  After a failure nothing of the process is added. */
NS_API ns_status ns_needs_add_32(ns_needs *needs, int32_t process, int64_t first, int64_t last, const int32_t *column,
                                 int64_t count, ns_error *err);
NS_API ns_status ns_needs_add_64(ns_needs *needs, int32_t process, int64_t first, int64_t last, const int64_t *column,
                                 int64_t count, ns_error *err);
NS_API ns_status ns_needs_add_ranges(ns_needs *needs, int32_t process, int64_t first, int64_t last,
                                     const ns_column_range *columns, int64_t count, ns_error *err);

/* Make the exchange, once all processes are added.  No two may own the same column, and each column needed must have an
 * owner.  Free it with
 * ns_exchange_free.  O(n log n) of n columns needed; ranges count once. */
NS_API ns_status ns_needs_finish(const ns_needs *needs, ns_exchange **exchange, ns_error *err);

NS_API void ns_needs_free(ns_needs *needs);

/* What one process owns and needs, for the call below: one of the two lists, or neither if count is 0. */
typedef struct ns_process_needs {
    int64_t first, last; /* own columns */
    int64_t count;
    const int32_t *column_32;
    const int64_t *column_64;
} ns_process_needs;

/* All of it at once: process[p] for each part p of the site. */
NS_API ns_status ns_exchange_from_needs(const ns_process_needs *process, const ns_site *site, int64_t width,
                                        const ns_limits *limits, ns_exchange **exchange, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
