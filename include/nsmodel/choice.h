/* choice.h -- which way to do an exchange, how sure that is, and what a change gains
 *
 * A way is a strategy by a transport.  Times T_i of the ways are predicted with errors.  What is common to all ways
 * cancels; of the rest, measured_i = T_i E_i^(1/kappa), E_i exponential with mean 1.  Ways of one nest share a part of
 * their error: their correlation is 1 - lambda^2.  Losses and gains are ratios of times: 1.6 is 60 % slower.
 */
#ifndef NSMODEL_CHOICE_H
#define NSMODEL_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/exchange.h>
#include <nsmodel/machine.h>
#include <nsmodel/price.h>
#include <nsmodel/status.h>
#include <nsmodel/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what to compare --------------------------------------------------------------------------------------------- */

/* Which ways to compare, how to price them, and which one is in use today.  Empty: all ways that the machine runs. */
typedef struct ns_selection ns_selection;
NS_API ns_status ns_selection_open(ns_selection **selection, ns_error *err);
NS_API void ns_selection_free(ns_selection *selection);
/* Add every strategy that has this name or alias, or a way with groups or a grid: "two-step:8", by groups of 8 ranks
 * within a node; "three-step:socket"; "staged:4x4x4", "staged:router".  The selection owns such a way: quotes and
 * comparisons made with it are valid until the selection is freed. */
NS_API ns_status ns_selection_add(ns_selection *selection, const char *name, ns_error *err);
/* Transports to compare: bits 1 << ns_transport; 0 for all. */
NS_API ns_status ns_selection_transports(ns_selection *selection, unsigned transports, ns_error *err);
NS_API ns_status ns_selection_price(ns_selection *selection, const ns_price_options *options, ns_error *err);
/* Set the way in use today; if the name is an alias of several strategies, the fastest of them. */
NS_API ns_status ns_selection_incumbent(ns_selection *selection, const char *name, ns_transport transport,
                                        ns_error *err);

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct ns_comparison ns_comparison;

/* Price every selected way (NULL: all) that the machine runs; an error when there is none.  Free with
 * ns_comparison_free.  Exchange and selection may be freed before it; machine and strategies are borrowed. */
NS_API ns_status ns_compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                            ns_comparison **comparison, ns_error *err);
NS_API void ns_comparison_free(ns_comparison *comparison);

/* How many ways were priced, and the index of the one with the smallest estimate. */
NS_API int ns_comparison_choices(const ns_comparison *comparison);
NS_API int ns_comparison_best(const ns_comparison *comparison);

/* One way. */
typedef struct ns_choice_info {
    size_t size; /* of this struct, set by the caller */
    const ns_strategy *strategy;
    const char *name; /* of the strategy */
    ns_transport transport;
    const ns_form *form;
    double estimate_s, lo_s, hi_s;   /* at the confidence asked for */
    double term_s[NS_TERMS], copy_s; /* by the form's terms, ns_form_term_name */
    double published_s, corrected_s; /* the paper's closed form, as printed and corrected; negative: none */
    int64_t messages_off_node_max;   /* most off-node messages that one process sends, over all steps */
    double p_best;                   /* probability of being the fastest; negative: no decision.  Of ways that send
                                        the same messages, as when none leaves its node, the first has all of it */
    bool best, incumbent;
    bool shortlisted;  /* among the likeliest ways, whose p_best add up to 0.9 */
    bool ruled_out;    /* it is faster than the best with less than 5 % probability */
    bool extrapolated; /* messages larger than any that their line was fitted to */
} ns_choice_info;
/* Way i, 0 to ns_comparison_choices - 1, by strategy, then transport. */
NS_API ns_status ns_comparison_choice(const ns_comparison *comparison, int i, ns_choice_info *info, ns_error *err);

/* NS_UNDECIDED: nothing to choose from. */
typedef enum ns_verdict { NS_CLEAR, NS_TIE, NS_EXTRAPOLATED, NS_UNDECIDED } ns_verdict;

/* How sure the choice is. */
typedef struct ns_decision_info {
    size_t size;               /* of this struct, set by the caller */
    ns_verdict verdict;        /* clear: p_best reaches the confidence asked for; else a tie; or extrapolated */
    int best;                  /* -1: nothing to decide */
    double p_best;             /* probability that it is the fastest */
    double loss_q50, loss_q90; /* its loss is at most this with 50 % and 90 % probability */
    double expected_ln_loss;   /* mean of ln(measured best / measured fastest) */
    int shortlisted;           /* how many ways are on the shortlist */
    double shortlist_p;        /* the sum of their p_best */
    double kappa, lambda;
} ns_decision_info;
NS_API ns_status ns_comparison_decision(const ns_comparison *comparison, ns_decision_info *info, ns_error *err);
/* Index of the way at this rank of the shortlist, the likeliest first; -1 past the last. */
NS_API int ns_comparison_shortlisted(const ns_comparison *comparison, int rank);

/* What changing from the way in use today gains. */
typedef struct ns_gain_info {
    size_t size;          /* of this struct, set by the caller */
    int incumbent;        /* index */
    double p_better;      /* probability that the best is faster than the incumbent; 0 when it is the incumbent */
    double q10, q50, q90; /* measured incumbent / measured best, quantiles */
    double regret;        /* of keeping the incumbent: mean of ln(measured incumbent / measured fastest) */
} ns_gain_info;
/* NS_ERR_DATA when no incumbent was named, or nothing was decided. */
NS_API ns_status ns_comparison_gain(const ns_comparison *comparison, ns_gain_info *info, ns_error *err);

/* Write the answer in words, as the program prints it: the row of the best way, whether to switch, keep or measure
 * (against the way in use, or standard/host when none was named), and how often such advice was right on the machine's
 * own measured exchanges.  Lines end in \n and have at most 80 characters.  NS_ERR_RANGE: size is too small; 4000 is
 * always enough. */
NS_API ns_status ns_comparison_say(const ns_comparison *comparison, const ns_machine *machine,
                                   const ns_exchange *exchange, char *text, size_t size, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
