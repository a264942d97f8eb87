/* decision.h -- how sure is the best, and what does a wrong choice cost
 *
 * Times T_i of the ways to do one thing are predicted with errors.  What is common to all ways cancels; of the rest,
 *
 *     measured_i = T_i E_i^(1/kappa),    E_i exponential with mean 1,
 *
 * so that ln(T/measured) is a Gumbel variable of scale 1/kappa.  Ways of one nest share a part of their error: their
 * correlation is 1 - lambda^2, 0 < lambda <= 1 (a generalised extreme value model, McFadden 1978).  All that is asked
 * of such an error has a closed form.  With probability `doubt` the predictions of a machine are wrong altogether: then
 * kappa is NS_KAPPA_WRONG, and nests share nothing.  Losses and gains are ratios of times: 1.6 is 60 % slower.
 */
#ifndef NS_PRICE_DECISION_H
#define NS_PRICE_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

enum { NS_WAYS = 64 };

/* kappa and lambda of one law alone, where nothing was measured that they could be learnt from. */
#define NS_KAPPA_DEFAULT  1.5
#define NS_LAMBDA_DEFAULT 1.0
/* Machines whose exchanges were not measured: with probability NS_DOUBT_DEFAULT predictions are wrong altogether, ln of
 * a time having a standard deviation of 1.3, NS_KAPPA_WRONG; else they are good to NS_KAPPA_RIGHT, as on the machines
 * that were understood.  docs/evidence/accuracy.md says how these were found. */
#define NS_KAPPA_RIGHT   3.0
#define NS_KAPPA_WRONG   0.987 /* pi / sqrt 6 / 1.3 */
#define NS_DOUBT_DEFAULT 0.2
/* The same of a way whose price was scored on no machine, and how many machines of its kind that weighs against. */
#define NS_DOUBT_UNSCORED        0.9
#define NS_DOUBT_UNSCORED_WEIGHT 0.25

/* A way to do the thing: its predicted time, s, more than 0, and its nest, any number; equal numbers are one nest.  One
 * that does the very same as an earlier way, by another name, is no other way: the earlier one stands for both. */
typedef struct ns_way {
    double seconds;
    int nest;
    int same; /* 1 + the index of the first way that does the very same; 0: none does */
} ns_way;

typedef struct ns_decision {
    int ways;
    int distinct;           /* of them */
    uint64_t same;          /* bit i: way i does the very same as an earlier one; its p_best is 0 */
    int best;               /* index of the smallest time, the one to choose: least expected ln loss; -1: no decision */
    double p_best[NS_WAYS]; /* probability of each to be the fastest; they sum to 1 */
    double loss_q50, loss_q90; /* the loss of the chosen way is at most this with 50 % and 90 % */
    double expected_ln_loss;   /* mean of ln(measured chosen / measured fastest) */
    int shortlist[NS_WAYS];    /* ways by falling p_best until they sum up to 0.9 */
    int shortlisted;
    double shortlist_p; /* their sum */
    uint64_t ruled_out; /* bit i: way i beats the chosen one with less than 5 % */
    double kappa, lambda, doubt;
} ns_decision;

/* Decide among ways[0 .. count).  With fewer than two ways, or a time of 0, there is no decision: best is -1.
 * NS_ERR_RANGE: more than NS_WAYS, a time that is negative or not finite, kappa not above 0, lambda not in (0, 1],
 * doubt not in [0, 1).  O(count^2); allocates nothing. */
ns_status ns_decide(const ns_way *ways, size_t count, double kappa, double lambda, double doubt, ns_decision *decision,
                    ns_error *err);

/* The way that is in use today against the chosen one. */
typedef struct ns_gain {
    double p_better;      /* probability that the chosen way is faster than the incumbent; 0 when it is the incumbent */
    double q10, q50, q90; /* measured incumbent / measured chosen, quantiles */
} ns_gain;
ns_status ns_decision_gain(const ns_decision *decision, const ns_way *ways, int incumbent, ns_gain *gain,
                           ns_error *err);

/* Quantile p, above 1/2, of the error of ln(T_i / T_k) for two ways of one nest or of two: with 2 p - 1 the measured
 * ratio is within a factor of its exponential. */
double ns_decision_ratio(const ns_decision *decision, bool one_nest, double p);

/* Expected ln loss that is left after the ways of a set (bit i: way i) were measured and the fastest of them was taken;
 * the chosen way counts as measured. */
double ns_decision_left(const ns_decision *decision, const ns_way *ways, uint64_t measured);

/* P that way i loses at most `loss`, a ratio of 1 or more, against the fastest; i is the first of its kind. */
double ns_decision_within(const ns_decision *decision, const ns_way *ways, int i, double loss);

/* Quantile q, 0 < q < 1, of the loss of the chosen way. */
double ns_decision_loss(const ns_decision *decision, const ns_way *ways, double q);

#endif
