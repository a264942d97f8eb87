/* pairwise.c -- every process exchanges with nearly every other, one partner at a time, in rounds that end together
 *
 *     off node   max(a (1 - h + h n), f S / R, sum b s)
 *
 * and all else as in dense.h, with h = 1.25, since a round ends with its last pair, and f = 1.5, since in a round few
 * links of the network are used.  Nothing stalls.
 */
#include "price/forms/dense.h"

static const ns_form_row rows[] = {
    NS_DENSE_ROWS("<memory>.exchange.pairwise.slowing", 1.5),
    [NS_DENSE_HIDING] = {.path = {{"<memory>.exchange.pairwise.share", 0}},
                         .unit = "1",
                         .doc = "what each round after the first costs, in start-ups",
                         .fallback = {1.25, 1.25},
                         .amount = "start-ups of rounds after the first",
                         .times = "start-ups"},
    NS_DENSE_LONG_ROWS,
    {.doc = NULL},
};

static const char *const terms[] = {NS_DENSE_TERMS, NULL};

const ns_form ns_form_pairwise = {
    .name = "pairwise",
    .title = "every process with nearly every other, one partner at a time",
    .source = "docs/evidence/accuracy.md",
    .rows = rows,
    .terms = terms,
    .uncalibrated = 0.8,
    .rank = 7,
    .derive = ns_dense_derive,
    .price = ns_dense_price,
};
