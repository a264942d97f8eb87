/* strategy.h -- what a strategy is, and the steps of messages that a schedule holds */
#ifndef NS_SCHEDULE_STRATEGY_H
#define NS_SCHEDULE_STRATEGY_H

#include "schedule/sink.h"

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

struct ns_schedule {
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
    ns_exchange *grouped; /* what its slices name, where a strategy is of groups; else NULL: the exchange itself */
};

/* The exchange whose lists the slices name. */
static inline const ns_exchange *ns_schedule_names(const ns_schedule *schedule, const ns_exchange *exchange)
{
    return schedule->grouped != NULL ? schedule->grouped : exchange;
}

struct ns_strategy {
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
    /* What it sends, stated once: by a rule (rule.h), or message by message, all of them and the copies. */
    const struct ns_rule *rule;
    ns_status (*emit)(const ns_task *task, ns_sink *sink, ns_error *err);
    const char *model;        /* its published closed form, or NULL: there is none */
    const char *const *words; /* "NAME=VALUE" fixed for the closed form, closed by NULL, or NULL */
    /* Not offered unless it is named, or the exchange is dense: a way that keeps few messages on their way.  Names of
     * the forms that it is priced in, closed by NULL, of which the fastest counts; "": that of the other strategies. */
    const char *const *forms;
    int32_t group;       /* ranks of a group, which stands for a node; NS_GROUP_SOCKET: those of a socket; 0: none */
    const int32_t *grid; /* of staged: processes along each dimension, closed by 0 */
    const char *const
        *scored_on; /* of a way by groups or along a grid: machines where it was measured, closed by NULL */
    const char *const *record_most; /* columns of records with the most messages of a process in each of the measured
                                     * code's steps, closed by NULL; or NULL: records by class are not known of it */
};

enum { NS_GROUP_SOCKET = -1 };

/* Any strategies in the order people read them, each once; returns how many were written, at most most. */
size_t ns_strategies_sort(const ns_strategy *const *of, size_t given, const ns_strategy **list, size_t most);

/* Does it gather what it sends off node into messages, and take it out of them?  Else each message is sent as it stands
 * in its sender's buffer. */
static inline bool ns_strategy_packs(const ns_strategy *strategy)
{
    return strategy->node_aware || strategy->grid != NULL;
}

/* The steps that a strategy declares. */
int ns_strategy_steps(const ns_strategy *strategy);

#endif
