/* judge.h -- is advice worth following?  Times of the ways to do one thing, predicted and measured, case by case
 *
 * Loss of a choice: its measured time / the fastest measured one of its case, - 1.
 */
#ifndef NS_RECORDS_JUDGE_H
#define NS_RECORDS_JUDGE_H

#include "price/decision.h"
#include "records/record.h"

/* A way that was tried.  Those of one case follow each other, at least two of them; no way stands twice in a case. */
typedef struct ns_tried {
    size_t at;                      /* number of its case */
    int way, nest;                  /* any numbers: equal ones are the same way, the same nest (decision.h) */
    int group;                      /* of the case: what is left out together */
    double predicted_s, measured_s; /* above 0 */
    double kappa, lambda;           /* of the case: what its decision is made with */
    size_t of;                      /* the caller's */
    double doubt;                   /* with kappa and lambda */
} ns_tried;

/* The cases of scored rows: ways that did one exchange, each once.  way is ns_way_number of its strategy and transport;
 * kappa and lambda are not filled; of is the index in the list.  *tried: free it. */
ns_status ns_tried_make(const ns_records *records, const ns_scored *list, size_t count, ns_tried **tried, size_t *made,
                        ns_error *err);
/* A number for a strategy by a transport, and back: "three-step/device" into text, which is returned. */
int ns_way_number(const ns_strategy *strategy, ns_transport transport);
const char *ns_way_name(int way, char *text, size_t size);

/* One case of what was tried. */
typedef struct ns_trial {
    const ns_tried *tried;
    size_t ways, fastest, chosen; /* chosen: predicted to be the fastest */
    double second_s;              /* measured */
} ns_trial;

/* The case that begins at tried[from]. */
ns_trial ns_trial_at(const ns_tried *tried, size_t count, size_t from);

/* What decision.h says of it, with the case's kappa and lambda. */
ns_status ns_trial_decide(const ns_trial *trial, ns_decision *decision, ns_error *err);

/* Cases whose two fastest measured times differ by more than 10 %, or all. */
typedef enum ns_which { NS_WHICH_APART, NS_WHICH_ALL } ns_which;

/* How a rule of choice does on the cases in which it can be followed. */
typedef struct ns_rule_score {
    size_t cases;
    double right;                           /* share: it takes the fastest measured way */
    double lost_mean, lost_q90, lost_worst; /* loss */
    double advice_lost_mean;                /* of the advice in the same cases */
} ns_rule_score;
#define NS_RULE_ADVICE (-1)
/* rule: a way, always that one; or the advice, the way that is predicted to be fastest. */
ns_status ns_judge_rule(const ns_tried *tried, size_t count, ns_which which, int rule, ns_rule_score *score,
                        ns_error *err);

/* How far the probabilities of decision.h hold. */
typedef struct ns_judged_calibration {
    size_t cases;
    double kappa, lambda;              /* the smallest of the cases', and its lambda */
    double brier, brier_uniform;       /* mean over cases of the sum of (P - 1 if it was fastest)^2: 0 to 2 */
    double log_loss, log_loss_uniform; /* mean of -ln P of the way that was fastest; of 1 / ways */
    double q90_covers, q90_should;     /* share of losses at most loss_q90; the mean of max(0.9, P of the choice) */
    size_t ratios;
    double ratio_covers; /* share of measured ratios of two ways inside their 90 % interval */
} ns_judged_calibration;
ns_status ns_judge_calibration(const ns_tried *tried, size_t count, ns_which which, ns_judged_calibration *calibration,
                               ns_error *err);

/* Of the ways with a P from .. to: how many, their mean P, the share that was fastest; of these the chosen ones. */
typedef struct ns_reliability {
    double from, to;
    size_t ways, choices;
    double p_mean, fastest;
    double choice_p_mean, choice_fastest;
} ns_reliability;
enum { NS_RELIABILITY_BINS = 6 };
ns_status ns_judge_reliability(const ns_tried *tried, size_t count, ns_which which,
                               ns_reliability bin[NS_RELIABILITY_BINS], ns_error *err);

/* P that a way is the fastest of its case, for each of the tried. */
ns_status ns_judge_p_best(const ns_tried *tried, size_t count, double *p_best, ns_error *err);

/* kappa and lambda from the cases that are not of a group (-1: from all of them):
 *     e = ln(predicted / measured),   s_b^2, s_w^2 = means of (e_i - e_j)^2 / 2 over pairs across and inside nests,
 *     kappa = (pi / sqrt 6) / s_b,    lambda = min(1, s_w / s_b).
 * Without nests every pair is one across, and lambda is 1.  kappa is 0 where there is no pair. */
typedef struct ns_choice_scale {
    double kappa, lambda;
    size_t cases, groups;
} ns_choice_scale;
void ns_choice_calibration(const ns_tried *tried, size_t count, int without_group, bool nests, ns_choice_scale *scale);

/* Give each case the kappa and lambda of the other groups; lambda is below 1 only where that makes the fastest ways of
 * what was left out more probable, by more than twice the error of that.  NS_ERR_DATA: fewer than two groups. */
ns_status ns_choice_leave_out(ns_tried *tried, size_t count, ns_error *err);

#endif
