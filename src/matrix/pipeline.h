/* pipeline.h -- entries made on one thread and received on another */
#ifndef NS_MATRIX_PIPELINE_H
#define NS_MATRIX_PIPELINE_H

#include "matrix/source.h"

/* Run a matrix' scan on a thread of its own; `receive` is called by the caller's, with the same entries in the same
 * order.  Where no thread can be had the caller does both. */
ns_status ns_pipeline_scan(ns_matrix *matrix, ns_scan_fn *scan, ns_entry_fn *receive, void *context, ns_error *err);

#endif
