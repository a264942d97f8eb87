/* nsp_order.h -- the rows of a matrix one after the other, in whatever order its entries come */
#ifndef NS_MATRIX_NSP_ORDER_H
#define NS_MATRIX_NSP_ORDER_H

#include "core/memory.h"
#include "matrix/source.h"

/* Receives rows that have entries by rising number; the columns, in any order, may be sorted in place. */
typedef ns_status ns_row_fn(void *context, int64_t row, int64_t *col, int64_t count, ns_error *err);

/* All rows that came before are to be forgotten: they come again. */
typedef ns_status ns_again_fn(void *context, ns_error *err);

/* Of the entries with column <= row when triangle is set, else of all.  One scan; another one from the beginning when
 * rows turn out not to ascend. */
ns_status ns_rows_in_order(ns_matrix *matrix, bool triangle, ns_budget *budget, ns_row_fn *receive, ns_again_fn *again,
                           void *context, ns_error *err);

#endif
