/* strategy.h -- how an exchange is done, and what that costs
 *
 * A schedule is steps of messages and copies: data that price can price and a program can execute.
 */
#ifndef NSMODEL_STRATEGY_H
#define NSMODEL_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/decision.h>
#include <nsmodel/exchange.h>
#include <nsmodel/form.h>
#include <nsmodel/machine.h>
#include <nsmodel/sink.h>
#include <nsmodel/site.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_message {
    int32_t from, to; /* processes, never equal */
    int64_t bytes;
    int64_t slice, slices;
} ns_message;

typedef struct ns_step {
    const char *name;   /* "gather", "exchange", "scatter" */
    ns_joining joining; /* of the strategy's rule */
    int64_t messages;
    ns_message *message;  /* by sender, then receiver; at most one per pair of processes unless NS_APART */
    int64_t *sent;        /* [processes + 1]: process p sends message[sent[p] .. sent[p+1]) */
    int64_t *received;    /* [processes + 1] */
    int64_t *by_receiver; /* [messages] indices into message */
    int64_t *node_sent, *node_received; /* [nodes] off-node bytes */
    int32_t *partners;                  /* [processes] other nodes that a process sends to or receives from, the more */
} ns_step;

/* A copy between a part's device memory and the host process `process`. */
typedef struct ns_copy {
    int32_t part, process;
    int64_t bytes;
} ns_copy;

typedef struct ns_schedule {
    const struct ns_strategy *strategy;
    ns_transport transport;
    int32_t parts, per_node, nodes;
    ns_site *site; /* where the processes stand; its "parts" are processes */
    int32_t ppn;   /* most processes of a node */
    int32_t processes;
    int32_t sockets;
    int32_t *home;     /* [parts] the first of the processes that hold part p's data: home .. home + holders */
    int32_t holders;   /* 1, or for split-dd up to 4: each holds an equal share of what p sends and receives */
    bool staged;       /* host transport on a machine with GPUs: the copies below are paid */
    int64_t copies[2]; /* by ns_direction */
    ns_copy *copy[2];
    int steps;
    ns_step step[NS_STEPS];
    int64_t slices;
    ns_slice *slice;
} ns_schedule;

/* What a strategy sends, where one of these rules says all of it: many placements are priced faster then (placer.h).
 * It has to be what emit names. */
typedef enum ns_shape {
    NS_SHAPE_OTHER,
    NS_SHAPE_DIRECT, /* one step: a message for each route */
    NS_SHAPE_PAIRED, /* exchange: routes inside a node; what a part has for a node to the process there that has its
                        local index, modulo the node's size.  scatter */
    NS_SHAPE_DEALT /* gather, with routes inside a node; exchange: what a node has for a node, dealt on both; scatter */
} ns_shape;

typedef struct ns_strategy {
    const char *name;  /* "three-step" */
    const char *alias; /* another word for it, or NULL; one that several share stands for all of them */
    const char *title;
    const char *source;
    int rank;                  /* order in which people read them: standard is 0 */
    unsigned transports;       /* bit 1 << ns_transport */
    bool node_aware;           /* a column crosses the network once per receiving node, not once per needing part */
    const char *nest;          /* strategies of one nest err alike, so do both transports of one; NULL: its own */
    bool same_messages;        /* what it sends does not depend on the transport */
    bool all_processes;        /* all host processes of a node take part, not one for each part */
    int32_t holders;           /* of all processes, how many may share a part's data; 0 is 1 */
    const ns_step_rule *steps; /* closed by a name of NULL; at most NS_STEPS */
    ns_status (*emit)(const ns_task *task, ns_sink *sink, ns_error *err); /* name all messages and copies */
    const char *model;              /* its published closed form, or NULL: there is none */
    const char *const *words;       /* "NAME=VALUE" fixed for the closed form, closed by NULL, or NULL */
    const char *const *record_most; /* columns of records with the most messages of a process in each of the measured
                                     * code's steps, closed by NULL; or NULL: records by class are not known of it */
    ns_shape shape;                 /* of what it sends */
} ns_strategy;

/* Every strategy, sorted by file name; closed by NULL. */
NS_API const ns_strategy *const *ns_strategies(void);
/* The same in the order people read them, standard first, into list; returns how many were written, at most most. */
NS_API size_t ns_strategies_by_rank(const ns_strategy **list, size_t most);
/* The same of any strategies, each once. */
NS_API size_t ns_strategies_sort(const ns_strategy *const *of, size_t given, const ns_strategy **list, size_t most);
NS_API ns_status ns_strategy_get(const char *name, const ns_strategy **strategy, ns_error *err);
/* All that a name or an alias stands for, by rank, into list: at most `most`, which is an error beyond that. */
NS_API ns_status ns_strategies_named(const char *name, const ns_strategy **list, size_t most, size_t *count,
                                     ns_error *err);
/* Does this machine run the strategy this way?  Device needs GPUs and device tables. */
NS_API bool ns_strategy_runs(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine);

/* Build the schedule of a strategy; *schedule is allocated, free with ns_schedule_free.  It depends on the machine only
 * through sockets, host processes and the first rendezvous size, and may be priced on any machine that shares these. */
NS_API ns_status ns_schedule_build(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                   const ns_machine *machine, ns_schedule **schedule, ns_error *err);
NS_API void ns_schedule_free(ns_schedule *schedule);
/* The most off-node messages that one process sends, over all steps. */
NS_API int64_t ns_schedule_messages_off_node_max(const ns_schedule *schedule);

/* The steps that a strategy declares. */
NS_API int ns_strategy_steps(const ns_strategy *strategy);

/* Locality of two processes of a schedule. */
NS_API ns_locality ns_schedule_locality(const ns_schedule *schedule, int32_t a, int32_t b);

/* ---- the cost function: form.h has its forms --------------------------------------------------------------------- */

typedef struct ns_price_options {
    const ns_form *form; /* NULL: the machine's own, ns_form_of */
    double confidence;   /* of the interval, above 0 and below 1; 0: NS_CONFIDENCE */
    unsigned without;    /* bits of the form's parts */
} ns_price_options;
#define NS_CONFIDENCE 0.9

typedef struct ns_price {
    const ns_form *form;
    double estimate_s;                    /* = the sum of term_s and copy_s */
    double lo_s, hi_s;                    /* at the confidence asked for: parameters' errors and the form's own */
    double log2_error;                    /* standard deviation of log2(estimate / true) that the interval stands on */
    double log2_parameters;               /* the part of it that the parameters' errors make */
    bool extrapolated;                    /* messages larger than any that their line was fitted to */
    double term_s[NS_FORM_TERMS], copy_s; /* by the form's terms */
    double copy_bytes[2];                 /* at the deciding part, by ns_direction */
    int copy_processes;                   /* per GPU */
    int steps;
    ns_step_price step[NS_STEPS];
} ns_price;

/* A term by name, s; 0 where the form has none of that name. */
NS_API double ns_price_term(const ns_price *price, const char *name);

/* Price a schedule.  Allocates nothing; O(messages); safe from several threads. */
NS_API ns_status ns_schedule_price_as(const ns_schedule *schedule, const ns_machine *machine,
                                      const ns_price_options *options, ns_price *price, ns_error *err);
/* The same in the machine's own form, at the default confidence. */
NS_API ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price,
                                   ns_error *err);

/* The interval of a price with another model error in place of its own; the parameters' errors stay. */
NS_API void ns_price_widen(ns_price *price, double error, double confidence);

/* The paper's closed form, corrected, fed with those of the counts that it asks for by name; an error without a
 * form. */
typedef struct ns_count {
    const char *name;
    double value;
} ns_count;
NS_API ns_status ns_strategy_closed(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                                    const ns_count *count, size_t counts, double *seconds, ns_error *err);

/* The paper's closed form as printed, fed with the pattern's maxima.  NS_OK with *seconds < 0 when nodes = 1 or the
 * strategy has no published form (nothing to publish). */
NS_API ns_status ns_strategy_published(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                       const ns_machine *machine, double *seconds, ns_error *err);
/* The same with what the printed form leaves out or gets wrong mended: the model's word form=corrected. */
NS_API ns_status ns_strategy_corrected(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                       const ns_machine *machine, double *seconds, ns_error *err);

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

typedef struct ns_choice {
    const ns_strategy *strategy;
    ns_transport transport;
    ns_price price;
    double published_s, corrected_s; /* the closed form, as printed and corrected; negative: none */
    int64_t messages_off_node_max;
} ns_choice;

/* NS_UNDECIDED: nothing to choose from. */
typedef enum ns_verdict { NS_CLEAR, NS_TIE, NS_EXTRAPOLATED, NS_UNDECIDED } ns_verdict;
NS_API extern const char *const ns_verdict_words[]; /* "clear", "tie", "extrapolated"; closed by NULL */

/* How far the choices of a form can be trusted on a machine, and where that was learnt. */
typedef struct ns_belief {
    double kappa, lambda; /* decision.h */
    double cases, groups; /* measured; 0: none */
    const char *source;   /* "default", or the machine's */
} ns_belief;

enum { NS_CHOICES = 32 };
typedef struct ns_comparison {
    int choices;
    ns_choice choice[NS_CHOICES]; /* by strategy, then transport */
    int best;                     /* index of the smallest estimate */
    ns_verdict verdict;           /* clear: the best is so with the confidence asked for; else a tie; or extrapolated */
    ns_decision decision;         /* among the choices, by index; its best is -1 with one of them */
    ns_belief belief;
    int incumbent; /* index of what is in use, or -1 */
    ns_gain gain;  /* of the best over it */
} ns_comparison;

/* Which strategies and transports to look at. */
typedef struct ns_selection {
    const ns_strategy *const *strategy; /* any, registered or not; or NULL for all that are */
    size_t strategies;
    unsigned transports; /* bits 1 << ns_transport; 0 for all */
    ns_price_options price;
    const ns_strategy *const *incumbent; /* what is in use today, or NULL; of several the fastest */
    size_t incumbents;
    ns_transport incumbent_transport;
} ns_selection;

/* What a machine knows of the choices of its own form; the least of both memories. */
NS_API ns_belief ns_belief_of(const ns_machine *machine, const ns_form *form);

/* The ways of a comparison, for the functions of decision.h; returns how many. */
NS_API size_t ns_comparison_ways(const ns_comparison *comparison, ns_way ways[NS_CHOICES]);

/* Price every selected strategy that the machine runs; an error when there is none. */
NS_API ns_status ns_compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                            ns_comparison *comparison, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
