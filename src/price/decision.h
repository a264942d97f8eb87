/* decision.h -- how sure the best choice is, and what a wrong choice costs
 *
 * The times T_i of the ways to do one thing are predicted with errors.  The part that all ways share cancels; the rest
 * is
 *
 *     measured_i = T_i E_i^(1/kappa),    E_i exponential with mean 1,
 *
 * so that ln(T/measured) is a Gumbel variable of scale 1/kappa.  Ways of one nest share a part of their error: their
 * correlation is 1 - lambda^2, 0 < lambda <= 1 (a generalised extreme value model, McFadden 1978).  Every quantity
 * computed from such an error has a closed form.  With probability `doubt` the predictions of a machine are entirely
 * wrong: then kappa is NS_KAPPA_WRONG, and the ways of a nest share no error.  Losses and gains are ratios of times:
 * 1.6 is 60 % slower.
 */
#ifndef NS_PRICE_DECISION_H
#define NS_PRICE_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

enum { NS_WAYS = 64 };

/* The kappa and lambda of a single law, used where there are no measurements from which to learn them. */
#define NS_KAPPA_DEFAULT  1.5
#define NS_LAMBDA_DEFAULT 1.0
/* On machines whose exchanges were not measured, predictions are entirely wrong with probability NS_DOUBT_DEFAULT: ln
 * of a time then has a standard deviation of 1.3, NS_KAPPA_WRONG.  Otherwise their accuracy is NS_KAPPA_RIGHT, as on
 * the machines that were understood.  docs/evidence/accuracy.md explains how these values were found. */
#define NS_KAPPA_RIGHT   3.0
#define NS_KAPPA_WRONG   0.987 /* pi / sqrt 6 / 1.3 */
#define NS_DOUBT_DEFAULT 0.2
/* The doubt of a way whose price was scored on no machine, and the number of machines of its kind that this prior
 * weighs as much as. */
#define NS_DOUBT_UNSCORED        0.9
#define NS_DOUBT_UNSCORED_WEIGHT 0.25

/* A way to do the thing: its predicted time (s, above 0) and its nest (any number; equal numbers are one nest).  A way
 * that does the very same as an earlier way under another name does not count as a separate way: the earlier one
 * represents both. */
typedef struct ns_way {
    double seconds;
    int nest;
    int same; /* 1 + the index of the first way that does the very same; 0: there is none */
} ns_way;

typedef struct ns_decision {
    int ways;
    int distinct;           /* of these, how many are distinct */
    uint64_t same;          /* bit i: way i does the very same as an earlier one; its p_best is 0 */
    int best;               /* index of the smallest time, the way to choose: least expected ln loss; -1: no decision */
    double p_best[NS_WAYS]; /* the probability that each way is the fastest; they sum to 1 */
    double loss_q50, loss_q90; /* the loss of the chosen way is at most this with 50 % and 90 % probability */
    double expected_ln_loss;   /* mean of ln(measured chosen / measured fastest) */
    int shortlist[NS_WAYS];    /* ways by falling p_best until they sum up to 0.9 */
    int shortlisted;
    double shortlist_p; /* their sum */
    uint64_t ruled_out; /* bit i: way i beats the chosen one with a probability below 5 % */
    double kappa, lambda, doubt;
} ns_decision;

/* Decide among ways[0 .. count).  With fewer than two ways, or a time of 0, there is no decision: best is -1.
 * NS_ERR_RANGE: more than NS_WAYS, a time that is negative or not finite, kappa not above 0, lambda not in (0, 1],
 * doubt not in [0, 1).  O(count^2); allocates nothing. */
ns_status ns_decide(const ns_way *ways, size_t count, double kappa, double lambda, double doubt, ns_decision *decision,
                    ns_error *err);

/* The incumbent (the way that is in use today) compared with the chosen one. */
typedef struct ns_gain {
    double p_better;      /* probability that the chosen way is faster than the incumbent; 0 when it is the incumbent */
    double q10, q50, q90; /* measured incumbent / measured chosen, quantiles */
} ns_gain;
ns_status ns_decision_gain(const ns_decision *decision, const ns_way *ways, int incumbent, ns_gain *gain,
                           ns_error *err);

/* Quantile p, above 1/2, of the error of ln(T_i / T_k) for two ways of one nest or of two: with probability 2 p - 1 the
 * measured ratio is within a factor of the quantile's exponential. */
double ns_decision_ratio(const ns_decision *decision, bool one_nest, double p);

/* The expected ln loss that remains after the ways of a set (bit i: way i) were measured and the fastest of them was
 * taken; the chosen way counts as measured. */
double ns_decision_left(const ns_decision *decision, const ns_way *ways, uint64_t measured);

/* The probability that way i loses at most `loss`, a ratio of at least 1, against the fastest; i is the first of its
 * kind. */
double ns_decision_within(const ns_decision *decision, const ns_way *ways, int i, double loss);

/* Quantile q, 0 < q < 1, of the loss of the chosen way. */
double ns_decision_loss(const ns_decision *decision, const ns_way *ways, double q);

#endif
