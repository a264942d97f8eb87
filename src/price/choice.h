/* choice.h -- ways to do an exchange side by side, each with its whole price */
#ifndef NS_PRICE_CHOICE_H
#define NS_PRICE_CHOICE_H

#include "price/decision.h"
#include "price/price.h"

#include <nsmodel/choice.h>

typedef struct ns_choice {
    const ns_strategy *strategy;
    ns_transport transport;
    ns_price price;
    int64_t messages_off_node_max; /* most off-node messages that one process sends, over all steps */
    /* Set only in a comparison. */
    double published_s, corrected_s; /* the closed form, as printed and corrected; negative: none */
    int same; /* 1 + the index of the first choice that sends the very same messages; 0: none does */
} ns_choice;

extern const char *const ns_verdict_words[]; /* "clear", "tie", "extrapolated"; closed by NULL */

/* How far the choices of a form can be trusted on a machine, and where that was learnt. */
typedef struct ns_belief {
    double kappa, lambda, doubt; /* decision.h */
    double cases, groups;        /* measured; 0: there are none */
    const char *source;          /* "default", or the machine's */
} ns_belief;

enum { NS_CHOICES = 32 };
struct ns_comparison {
    int choices;
    ns_choice choice[NS_CHOICES]; /* by strategy, then transport */
    int best;                     /* index of the smallest estimate */
    ns_verdict verdict;           /* clear: the best has the confidence asked for; otherwise a tie, or extrapolated */
    ns_decision decision;         /* among the choices, by index; its best is -1 with a single choice */
    ns_belief belief;
    int incumbent; /* index of the way in use, or -1 */
    ns_gain gain;  /* of the best over it */
};

/* Which strategies and transports to compare. */
struct ns_selection {
    const ns_strategy *const *strategy; /* any, registered or not; or NULL for all that are */
    size_t strategies;
    unsigned transports; /* bits 1 << ns_transport; 0 for all */
    ns_price_options price;
    const ns_strategy *const *incumbent; /* what is in use today, or NULL; of several the fastest */
    size_t incumbents;
    ns_transport incumbent_transport;
};

/* How far a machine's choices of its own form can be trusted; the smaller trust of the two memories. */
ns_belief ns_belief_of(const ns_machine *machine, const ns_form *form);

/* A way of a decision: what it is, and what carries it. */
typedef struct ns_way_of {
    const ns_strategy *strategy;
    ns_transport transport;
} ns_way_of;

/* Do a machine's own exchanges, or published winners, include a way?  Its file may have neither, or may not name the
 * ways in which its exchanges were done, which is taken to mean all ways. */
bool ns_way_is_told(const ns_machine *machine, ns_way_of way);
/* How likely the prediction of a way is entirely wrong on a machine: 0 where the machine's own exchanges or published
 * winners include the way; otherwise derived from the machines on which the way was scored, with most weight on
 * machines of the same kind (scored.c).  A way whose algorithm is not known has at least NS_DOUBT_DEFAULT. */
double ns_way_doubt(const ns_belief *belief, const ns_machine *machine, ns_way_of way);
/* The doubt of a decision among ways of[0 .. count): the doubt of each way, weighted by the probability that it is the
 * fastest where predictions are right. */
double ns_belief_doubt(const ns_belief *belief, const ns_machine *machine, const ns_way *ways, const ns_way_of *of,
                       size_t count);
/* The machines on which a way was scored, by index; NULL past the last. */
const char *ns_scored_on(ns_way_of way, size_t index);

/* The ways of a comparison, for the functions of decision.h; returns how many. */
size_t ns_comparison_ways(const ns_comparison *comparison, ns_way ways[NS_CHOICES]);

/* Bits of the transports of a selection (NULL: all).  Between nodes a transport needs its memory's table: a transport
 * without one is left out where the other transport has one; otherwise the price reports what is missing. */
unsigned ns_transports_of(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection);

/* The group with which a strategy shares its errors: its nest, or its own name. */
const char *ns_strategy_nest(const ns_strategy *strategy);

/* Price every selected strategy that the machine can run, into the caller's memory; an error when there is none. */
ns_status ns_compare_into(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_comparison *comparison, ns_error *err);

/* Set `same` of the choices of an exchange that send the very same messages as an earlier one. */
void ns_comparison_find_same(const ns_exchange *exchange, const ns_machine *machine, ns_comparison *comparison);
/* From prices to the best choice, how sure it is, and what it gains over the incumbent; of the selection (NULL: none)
 * the incumbent and the confidence count.  The belief NULL means the machine's own. */
ns_status ns_comparison_choose(const ns_machine *machine, const ns_belief *belief, const ns_selection *selection,
                               ns_comparison *comparison, ns_error *err);

#endif
