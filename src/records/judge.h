/* judge.h -- scores of advice from predicted and measured times of alternative ways, case by case
 *
 * Loss of a choice: its measured time / the fastest measured time of its case, - 1.
 */
#ifndef NS_RECORDS_JUDGE_H
#define NS_RECORDS_JUDGE_H

#include "price/decision.h"
#include "records/record.h"

/* A way that was tried.  Those of one case are adjacent, at least two; no way occurs twice in a case. */
typedef struct ns_tried {
    size_t at;                      /* number of its case */
    int way, nest;                  /* any numbers: equal ones mean the same way, the same nest (decision.h) */
    int group;                      /* of the case: the unit of cross-validation */
    double predicted_s, measured_s; /* above 0 */
    double kappa, lambda;           /* of the case: parameters of its decision */
    size_t of;                      /* for the caller's use */
    double doubt;                   /* used with kappa and lambda */
} ns_tried;

/* The cases of scored rows: ways to do one exchange, each once.  way is ns_way_number of its strategy and transport;
 * kappa and lambda are not filled; of is the index in the list.  Free *tried. */
ns_status ns_tried_make(const ns_records *records, const ns_scored *list, size_t count, ns_tried **tried, size_t *made,
                        ns_error *err);
/* A number for a strategy with a transport, and the reverse: "three-step/device" is written to text, which is
 * returned. */
int ns_way_number(const ns_strategy *strategy, ns_transport transport);
const char *ns_way_name(int way, char *text, size_t size);

/* One case of the tried ways. */
typedef struct ns_trial {
    const ns_tried *tried;
    size_t ways, fastest, chosen; /* chosen: the way predicted to be the fastest */
    double second_s;              /* measured */
} ns_trial;

/* The case that begins at tried[from]. */
ns_trial ns_trial_at(const ns_tried *tried, size_t count, size_t from);

/* The decision by decision.h, with the case's kappa and lambda. */
ns_status ns_trial_decide(const ns_trial *trial, ns_decision *decision, ns_error *err);

/* Cases whose two fastest measured times differ by more than 10 %, or all. */
typedef enum ns_which { NS_WHICH_APART, NS_WHICH_ALL } ns_which;

/* The score of a rule of choice on the cases in which it can be followed. */
typedef struct ns_rule_score {
    size_t cases;
    double right;                           /* share of cases in which it takes the fastest measured way */
    double lost_mean, lost_q90, lost_worst; /* loss */
    double advice_lost_mean;                /* of the advice, on the same cases */
} ns_rule_score;
#define NS_RULE_ADVICE (-1)
/* rule: a constant way; or the advice, the way that is predicted to be fastest. */
ns_status ns_judge_rule(const ns_tried *tried, size_t count, ns_which which, int rule, ns_rule_score *score,
                        ns_error *err);

/* Calibration of the probabilities of decision.h. */
typedef struct ns_judged_calibration {
    size_t cases;
    double kappa, lambda;              /* the smallest kappa of the cases, and its lambda */
    double brier, brier_uniform;       /* mean over cases of the sum of (P - 1 if it was fastest)^2: 0 to 2 */
    double log_loss, log_loss_uniform; /* mean of -ln P of the fastest way; the same for P = 1 / ways */
    double q90_covers, q90_should;     /* share of losses up to loss_q90; the mean of max(0.9, P of the choice) */
    size_t ratios;
    double ratio_covers; /* share of measured ratios of two ways inside their 90 % interval */
} ns_judged_calibration;
ns_status ns_judge_calibration(const ns_tried *tried, size_t count, ns_which which, ns_judged_calibration *calibration,
                               ns_error *err);

/* The ways with a P from .. to: their number, their mean P, the share that was fastest; and the same for the chosen
 * ones. */
typedef struct ns_reliability {
    double from, to;
    size_t ways, choices;
    double p_mean, fastest;
    double choice_p_mean, choice_fastest;
} ns_reliability;
enum { NS_RELIABILITY_BINS = 6 };
ns_status ns_judge_reliability(const ns_tried *tried, size_t count, ns_which which,
                               ns_reliability bin[NS_RELIABILITY_BINS], ns_error *err);

/* P of being the fastest of its case, for each tried way. */
ns_status ns_judge_p_best(const ns_tried *tried, size_t count, double *p_best, ns_error *err);

/* kappa and lambda from the cases outside a group (-1: from all of them):
 *     e = ln(predicted / measured),   s_b^2, s_w^2 = means of (e_i - e_j)^2 / 2 over pairs across and inside nests,
 *     kappa = (pi / sqrt 6) / s_b,    lambda = min(1, s_w / s_b).
 * Without nests every pair counts as across, and lambda is 1.  kappa is 0 if there is no pair. */
typedef struct ns_choice_scale {
    double kappa, lambda;
    size_t cases, groups;
} ns_choice_scale;
void ns_choice_calibration(const ns_tried *tried, size_t count, int without_group, bool nests, ns_choice_scale *scale);

/* Give each case the kappa and lambda of the other groups; lambda is below 1 only if that makes the fastest ways of
 * held-out cases more probable, by more than twice the error of the gain.  NS_ERR_DATA: fewer than two groups. */
ns_status ns_choice_leave_out(ns_tried *tried, size_t count, ns_error *err);

#endif
