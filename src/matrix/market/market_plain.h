/* market_plain.h -- plain lines in two stages, on processors that can */
#ifndef NS_MATRIX_MARKET_PLAIN_H
#define NS_MATRIX_MARKET_PLAIN_H

#include "matrix/market/market.h"

/* Where a reader of lines stands: it takes whole lines, each of which is an entry. */
typedef struct ns_market_run {
    const unsigned char *at, *limit;
    uint64_t rows, cols;
    ns_entry *to;
    int64_t lines;
} ns_market_run;

/* Has this processor what ns_market_plain wants? */
bool ns_market_has_plain(void);

/* Take lines as ns_plain_line does, up to one that it would not take or whose indices are too large.  values: numbers
 * behind the indices, 0 to 2; padded: they may have two blanks before them. */
void ns_market_plain(ns_market_run *run, int values, bool mirror, bool padded);

#endif
