/* strategy.h -- what a strategy is, and how it defines what it sends
 *
 * A strategy defines once which process sends what to which, and in which step: by a rule for one node at a time (from
 * which node.h derives all that is sent) or, where no rule expresses it, by its own loop that calls the functions of a
 * sink below.  A schedule stores these messages, a price only sums them.
 */
#ifndef NS_SCHEDULE_STRATEGY_H
#define NS_SCHEDULE_STRATEGY_H

#include "machine/machine.h"
#include "pattern/exchange.h"

#include <nsmodel/schedule.h>

extern const char *const ns_transport_words[]; /* "host", "device"; index NS_TRANSPORTS: "nic" */

typedef struct ns_step_rule {
    const char *name; /* "gather", "exchange", "scatter" */
    ns_joining joining;
} ns_step_rule;

enum { NS_STEPS = 16 }; /* most steps of a strategy */

/* Input of a strategy: which parts need what, which processes take part, and what it may know about the machine. */
typedef struct ns_task {
    size_t size; /* of this struct, B: more may be added at its end */
    const ns_exchange *exchange;
    ns_transport transport;
    ns_site *processes;     /* where they run.  Process p is part p; or, where all of a node's host processes take part,
                             * node k has processes k host_processes to (k + 1) host_processes - 1 */
    int32_t *home;          /* [parts] the first of the processes that hold part p's data: home .. home + holders */
    int32_t holders;        /* each of them holds an equal share of what p sends and receives */
    int32_t host_processes; /* of a node of the machine */
    int64_t message_cap;    /* B, of ns_machine_message_cap; 0: there is none */
} ns_task;

/* ---- by a rule ----------------------------------------------------------------------------------------------------
 *
 * A rule defines how L(M,N), the data that node M has for node N, is cut into chunks, and which processes of M and N
 * send and take them.  Everything else follows: what is gathered before and scattered after.
 */

/* A process of a node by local index, with the entries that have been dealt to it. */
typedef struct ns_hand {
    int64_t entries;
    int32_t rank;
} ns_hand;

/* The chunks of a node, at one of its ends, in the order of the other node and of their first entry. */
typedef struct ns_chunk_list {
    int64_t count;
    const int64_t *entries; /* [count] */
    const int32_t *order;   /* [count] their indices, largest first (ties: in list order) */
    int32_t size;           /* processes of the node */
    bool receiving;
} ns_chunk_list;

/* With neither deal nor takes, each route is a message between the processes of its parts, in one step.  Data that stay
 * on a node go directly, in the first step. */
typedef struct ns_rule {
    /* Dealt: any process of the node may send a chunk, after gathering it; steps: gather, exchange, scatter.  Sets the
     * local index of each chunk's process at this end; hand has `size` elements. */
    void (*deal)(const ns_chunk_list *list, ns_hand *hand, int32_t *local);
    /* The most entries of a chunk, for the pairs of one receiving node; NULL: a pair is one chunk. */
    int64_t (*cap)(const ns_task *task, const ns_pair *pair, int64_t pairs);
    /* Not dealt: a pair has one chunk per origin, which sends it; returns the local index of the process that takes it.
     * Steps: exchange, scatter. */
    int32_t (*takes)(const ns_site *processes, int32_t origin, int32_t node);
} ns_rule;

/* Indices by descending size, ties in list order; key needs 2 count elements. */
void ns_order_by_size(const int64_t *entries, int64_t count, uint64_t *room, int32_t *order);

/* The rule of one message per route. */
extern const ns_rule ns_route_rule;
extern const ns_step_rule ns_route_steps[];
/* Algorithm 1 of [NA], for both variants of split: cut at the receiving node's cap, deal receives from local rank 0 up
 * and sends from the last one down. */
extern const ns_rule ns_split_rule;
extern const ns_step_rule ns_split_steps[];
/* Columns of records: messages that stay on a node, gather, go between nodes, scatter. */
extern const char *const ns_node_aware_most[];

/* ---- message by message ------------------------------------------------------------------------------------------ */

typedef struct ns_sink ns_sink;

/* Send one slice of `bytes` from process to process in a step.  Slices from a process to itself, or without bytes, are
 * dropped. */
ns_status ns_sink_send(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                       ns_error *err);
/* A process copies `bytes` of a part out of the device before the first step, or into it after the last. */
ns_status ns_sink_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                       ns_error *err);
/* The copies where every route is sent as it is: all that a part sends, once for each part that needs it, and all that
 * it needs. */
ns_status ns_sink_route_copies(ns_sink *sink, const ns_task *task, ns_error *err);
/* Memory for a strategy's own lists while it emits messages: count elements of `size` bytes, uninitialized.  The sink
 * owns it and frees it when all messages are emitted. */
ns_status ns_sink_room(ns_sink *sink, size_t count, size_t size, void **room, ns_error *err);

/* Steps of ways along a grid of processes; the grid is the strategy's.  There are as many as possible, followed by one
 * whose name is NULL: a grid of n dimensions has the last n. */
extern const ns_step_rule ns_staged_steps[NS_STEPS + 1];
ns_status ns_staged_emit(const ns_task *task, ns_sink *sink, ns_error *err);

/* ------------------------------------------------------------------------------------------------------------------ */

struct ns_strategy {
    const char *name;  /* "three-step" */
    const char *alias; /* another word for it, or NULL; a word that several strategies share selects all of them */
    const char *title;
    const char *source;
    int rank;                  /* order in which strategies are listed: standard is 0 */
    unsigned transports;       /* bit 1 << ns_transport */
    bool node_aware;           /* a column crosses the network once per receiving node, not once per needing part */
    const char *nest;          /* strategies of one nest err alike, as do both transports of one; NULL: its own */
    bool same_messages;        /* what it sends does not depend on the transport */
    bool all_processes;        /* all host processes of a node take part, rather than one for each part */
    int32_t holders;           /* among all processes, how many may share a part's data; 0 means 1 */
    const ns_step_rule *steps; /* closed by a name of NULL; at most NS_STEPS */
    const ns_rule *rule;       /* what it sends; NULL: emit emits all messages and copies */
    ns_status (*emit)(const ns_task *task, ns_sink *sink, ns_error *err);
    const char *model;        /* its published closed form, or NULL: there is none */
    const char *const *words; /* "NAME=VALUE" fixed for the closed form, closed by NULL, or NULL */
    /* Not offered unless it is named, or the exchange is dense: a way that keeps few messages in flight.  Names of the
     * forms in which it is priced, closed by NULL, of which the fastest is used; "": the form of the other
     * strategies. */
    const char *const *forms;
    int32_t group;       /* ranks of a group, which replaces a node; NS_GROUP_SOCKET: those of a socket; 0: none */
    const int32_t *grid; /* for staged: processes along each dimension, closed by 0 */
    const char *const *record_most; /* columns of records with the most messages of a process in each of the measured
                                     * code's steps, closed by NULL; or NULL: there are no records by class */
};

enum { NS_GROUP_SOCKET = -1 };

/* Sort strategies in the order in which they are listed, each once; returns how many were written, at most `most`. */
size_t ns_strategies_sort(const ns_strategy *const *of, size_t given, const ns_strategy **list, size_t most);

/* The steps that a strategy declares. */
int ns_strategy_steps(const ns_strategy *strategy);

static inline int32_t ns_site_node_size(const ns_site *site, int32_t node)
{
    return site->first[node + 1] - site->first[node];
}

/* The largest number that any node has. */
static inline int32_t ns_site_node_most(const ns_site *site)
{
    return site->per_node < site->parts ? site->per_node : site->parts;
}

/* The memory that messages of a transport are sent from. */
static inline ns_memory ns_transport_memory(ns_transport transport)
{
    return transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

#endif
