/* direct.c -- every process exchanges with nearly every other at once: start-ups hide behind bytes
 *
 *     off node   max(a (1 - h + h n) + w B, S / R, sum b s)
 *
 * and all else as in dense.h, with h = .5 and f = 1.  B: short messages of all processes of a node beyond the 128 that
 * each has in flight; one of them waits for w.  For a process with few partners, or where each message pays its own
 * start-up in addition to the bytes, the full form is better.
 */
#include "price/forms/dense.h"

static const ns_form_row rows[] = {
    NS_DENSE_ROWS("<memory>.exchange.direct.slowing", 1),
    [NS_DENSE_HIDING] = {.path = {{"<memory>.exchange.direct.share", 0}},
                         .unit = "1",
                         .doc = "share of a start-up that each message after the first costs",
                         .fallback = {0.5, 0.5},
                         .amount = "start-ups of messages after the first",
                         .times = "start-ups"},
    NS_DENSE_LONG_ROWS,
    [NS_DENSE_STALL] = {NS_ROW_STALL(0, 0.25e-6)},
    [NS_DENSE_FLIGHT] = {NS_ROW_IN_FLIGHT},
    {.doc = NULL},
};

static const char *const terms[] = {NS_DENSE_TERMS, NULL};

static const ns_form_part parts[] = {{"stall", "any number of messages on their way"}, {NULL, NULL}};

const ns_form ns_form_direct = {
    .name = "direct",
    .title = "every process with nearly every other at once: start-ups hide behind bytes",
    .source = "docs/evidence/accuracy.md",
    .rows = rows,
    .terms = terms,
    .parts = parts,
    .uncalibrated = 0.8,
    .rank = 6,
    .derive = ns_dense_derive,
    .price = ns_dense_price,
};
