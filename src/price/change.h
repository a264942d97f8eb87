/* change.h -- advice: whether to leave the way in use, how sure that is, and how good such advice has been */
#ifndef NS_PRICE_CHANGE_H
#define NS_PRICE_CHANGE_H

#include "price/choice.h"

typedef enum ns_action { NS_DO_SWITCH, NS_DO_KEEP, NS_DO_MEASURE } ns_action;
extern const char *const ns_action_words[]; /* "switch", "keep", "measure"; closed by NULL */

/* The thresholds for a switch, and for keeping what is in use.  0 selects the defaults .9 and .05. */
typedef struct ns_thresholds {
    double sure;  /* switch: the best has to be faster than what is in use with this probability, */
    double worth; /* and to save more than this part of its time; keep: it is expected to lose less than this */
} ns_thresholds;

typedef struct ns_change {
    int incumbent; /* the way in use; where none was named, standard/host or its substitute */
    bool same;     /* the best way is what is in use, or sends the same */
    ns_action action;
    int advised;       /* the way that is advised: the best, unless the advice is to keep what is in use */
    int second;        /* another way than the best that takes at most 10 % longer; -1: none */
    ns_gain gain;      /* of the best over what is in use; p_better .5 and a factor of 1 where they are the same */
    double loss, kept; /* expected loss against the fastest way, of the best and of the way in use */
    double p_loss_10;  /* P that the advised way loses at most 10 % */
} ns_change;
/* NS_ERR_DATA: there is no decision to make. */
ns_status ns_change_advise(const ns_comparison *comparison, const ns_thresholds *thresholds, ns_change *change,
                           ns_error *err);

/* How good such advice was on the exchanges that were measured on a machine. */
typedef struct ns_trust {
    const char *machine;
    double cases, right, loss; /* exchanges whose ways differ; share that was right; mean loss */
    const char *rule;          /* the best constant rule: "standard/host"; NULL: none was tried in all */
    double rule_loss;
    bool held_out;
} ns_trust;
/* False: no exchange was measured in several ways, or the form is not the one with which the exchanges were judged. */
bool ns_trust_of(const ns_machine *machine, const ns_form *form, ns_trust *trust);

#endif
