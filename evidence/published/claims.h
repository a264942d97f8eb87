/* claims.h -- what a paper says of many exchanges in words, as shares of cases that can be counted */
#ifndef NS_PUBLISHED_CLAIMS_H
#define NS_PUBLISHED_CLAIMS_H

#include "core/value.h"
#include "machine/machine.h"

typedef struct ns_claims ns_claims;

/* Price every strategy for {"matrices": [...], "gpus": [...]} on a machine: a case for each matrix and number of GPUs.
 * *made: free it with ns_claims_free. */
ns_status ns_claims_price(const ns_value *exchanges, const ns_machine *machine, ns_claims **made, ns_error *err);
void ns_claims_free(ns_claims *claims);

/* The share of cases of a claim in which it holds:
 *     {"fastest": ["STRATEGY/TRANSPORT", ...]}            one of these is the fastest; * stands for any
 *     {"before": "...", "after": "..."}                   the fastest of the one is faster than that of the other
 * among those that {"matrices", "gpus", "messages_from", "messages_below"} leave: messages off node of the process with
 * most of them, by standard. */
ns_status ns_claims_share(const ns_claims *claims, const ns_value *claim, double *share, size_t *cases, ns_error *err);

#endif
