/* joins.h -- messages that slices are joined to, while a strategy names these */
#ifndef NS_PRICE_JOINS_H
#define NS_PRICE_JOINS_H

#include "price/tally.h"

/* Add a slice to the message of its two processes. */
ns_status ns_joins_add(ns_tally *tally, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err);

/* A slice to come inside a node: its message on its way into the cache. */
void ns_joins_expect(const ns_tally *tally, int step, int32_t from, int32_t to);

/* All of them are whole: add them up. */
ns_status ns_joins_close(ns_tally *tally, int step, ns_error *err);

#endif
