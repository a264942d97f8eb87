/* visit.h -- strategies of one rule, added up node by node
 *
 * What a node's processes send and receive follows from the rule, the node, and what it has for others and they for
 * it (schedule/node.h).  So its sums live only while it is visited, and what is kept is the slowest process of each
 * step so far.  Strategies of one rule on the same processes differ in who holds a part's data: their chunks are dealt
 * once.
 */
#ifndef NS_PRICE_VISIT_H
#define NS_PRICE_VISIT_H

#include "price/price.h"
#include "schedule/node.h"

enum { NS_VISITS = 6, NS_VARIANTS = 4, NS_RULE_STEPS = 3, NS_TIMES = NS_MAXIMA * NS_TRANSPORTS * NS_RULE_STEPS };

/* Where a maximum over the processes of a step, by a transport, stands among all that are kept. */
static inline int ns_time_at(int maximum, int transport, int step)
{
    return (maximum * NS_TRANSPORTS + transport) * NS_RULE_STEPS + step;
}

/* ---- sums of messages by class: locality, and range of sizes ------------------------------------------------------ *
 *
 * Sizes are kept apart where any memory that is asked for changes its protocol, so that one pass over what a strategy
 * sends serves its price by every transport.
 */

enum { NS_SIZES = NS_MEMORIES * NS_PROTOCOLS + 1 };

typedef struct ns_classes {
    int count[NS_LOCALITIES];
    int64_t from[NS_LOCALITIES]
                [NS_SIZES];       /* B, first size of each class; of the first 1, behind the last the largest */
    int base[NS_LOCALITIES], all; /* where a locality's classes begin in a row, and how many there are */
    int16_t slot[NS_MEMORIES][NS_LOCALITIES * NS_SIZES]; /* NS_PROTOCOLS locality + protocol; -1: no table */
} ns_classes;

/* The sums of a side of a process are a row, of whole numbers: the same in any order of the messages.  The bits of its
 * first `messages` tell which of the others are set, so that a row is empty once these bits are 0. */
typedef struct ns_class_sum {
    int64_t messages, bytes;
} ns_class_sum;

/* A load that is filled for one process after the other. */
typedef struct ns_row_load {
    ns_load load;
    uint32_t filled[NS_SIDES]; /* bits of slots that are not 0 */
} ns_row_load;

/* ------------------------------------------------------------------------------------------------------------------ */

/* The slowest process of a step so far. */
typedef struct ns_slowest {
    ns_load load;
    int32_t process;
    bool leaves;
    double seconds, bytes_s, waits_s, term[NS_FORM_TERMS]; /* seconds: what is compared */
    double enough; /* s: a node none of whose processes exceeds this is not looked at any closer */
    double bound;  /* s: what no process of the last node exceeds; -1: not known */
} ns_slowest;

/* A strategy of the rule. */
typedef struct ns_variant {
    const ns_strategy *strategy;
    ns_task task;
    ns_slowest slowest[NS_TIMES]; /* ns_time_at */
} ns_variant;

typedef struct ns_visit {
    /* What is asked. */
    ns_statement says; /* by_node and rule */
    const ns_machine *machine;
    const ns_form *form;
    const ns_form_values *values[NS_TRANSPORTS]; /* NULL: not asked for */
    int variants;
    ns_variant variant[NS_VARIANTS];
    /* What follows from it. */
    ns_classes classes;
    bool bounded[NS_TRANSPORTS]; /* the largest sums of a node bound its processes */
    bool by_run;                 /* the order of entries counts: pairs may be cut, or a part has several holders */
    int terms;
    int32_t cube; /* side of the cube of nodes; 0: links are not asked for */
    ns_hop_bytes hop_bytes;
    /* What was found. */
    int64_t messages_off_node_max;
    bool priced; /* every message has a table so far */
    /* The node. */
    int32_t *socket; /* [size] */
    int32_t *taker;  /* [parts] the process that takes what another node's part has for it */
    int64_t *met;    /* [nodes] when a route from there was last met */
    int64_t stamps;  /* the last time */
    int64_t slots;   /* most holders of its parts */
    /* Its cells: by process, then holder, entries from the one to the other; 0 between uses. */
    int64_t *cell;
    uint64_t *spot; /* those that are not 0: holder << 32 | process */
    /* Sums of its processes in one step; none between steps. */
    ns_class_sum *row; /* [size][NS_SIDES][1 + classes] */
    struct ns_partners {
        int32_t last, count; /* node that was met last, plus 1; other nodes met */
    } * partners;            /* [size][NS_SIDES] */
    int64_t node_bytes[NS_SIDES], *inside;
    ns_class_sum *most[NS_SIDES];                 /* the largest of each sum */
    int32_t fewest_partners;                      /* of processes that have any; 0: none has */
    ns_row_load at[NS_TRANSPORTS][NS_RULE_STEPS]; /* of the process that is looked at */
} ns_visit;

static inline ns_memory ns_transport_memory(ns_transport transport)
{
    return transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

/* Can the strategy be added up so?  Not where its messages depend on the transport, nor on nodes of so many processes
 * that their cells would take far more memory than what is sent. */
bool ns_visit_may(const ns_strategy *strategy, const ns_task *task);

/* Open a visit whose first members, up to its variants, are set. */
ns_status ns_visit_open(ns_visit *visit, ns_arena *arena, ns_error *err);
/* Scratch memory of an open visit, or of another thread's copy of one, for nodes of at most so many chunks. */
ns_status ns_visit_scratch(ns_visit *visit, const int64_t chunks[NS_SIDES], ns_arena *arena, ns_error *err);

/* Add what a node sends to the visit's hop_bytes: hops are a step's, over all of its messages, and known before it is
 * priced. */
void ns_visit_hops(ns_visit *visit, const ns_node *node);
/* Ready for the first node, when hop_bytes are known; and forget the slowest processes. */
void ns_visit_start(ns_visit *visit);
void ns_visit_forget(ns_visit *visit);
/* Compare the processes of a node with the slowest so far.  False where a message has no table. */
bool ns_visit_node(ns_visit *visit, const ns_node *node);

/* What a variant copies. */
ns_copying ns_visit_copying(const ns_visit *visit, const ns_variant *variant, ns_transport transport);

/* The price of a variant by a transport, when all nodes were visited.  A price is large, and made where it will be:
 * after a failure *price is of any content. */
ns_status ns_visit_price(const ns_visit *visit, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err);

#endif
