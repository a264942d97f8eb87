/* visit.h -- strategies of one rule, added up node by node
 *
 * What a node's processes send and receive follows from the rule, the node, and what it has for others and they for
 * it (schedule/node.h).  Strategies of one rule on the same processes differ in who holds a part's data: their chunks
 * are dealt once.
 */
#ifndef NS_PRICE_VISIT_H
#define NS_PRICE_VISIT_H

#include "price/sums.h"

enum { NS_VISITS = 6, NS_VARIANTS = 4, NS_RULE_STEPS = 3, NS_TIMES = NS_RULE_STEPS * NS_SLOWEST };

/* A strategy of the rule. */
typedef struct ns_variant {
    const ns_strategy *strategy;
    ns_task task;
    ns_slowest slowest[NS_TIMES]; /* ns_slowest_at */
} ns_variant;

typedef struct ns_visit {
    /* What is asked: the first members of both. */
    ns_statement says; /* by_node and rule */
    ns_sums sums;
    int variants;
    ns_variant variant[NS_VARIANTS];
    /* What follows from it. */
    bool by_run;  /* the order of entries counts: pairs may be cut, or a part has several holders */
    int32_t cube; /* side of the cube of nodes; 0: links are not asked for */
    ns_hop_bytes hop_bytes;
    /* What was found. */
    int64_t messages_off_node_max;
    /* The node. */
    int32_t *taker; /* [parts] the process that takes what another node's part has for it */
    int64_t slots;  /* most holders of its parts */
    /* Its cells: by process, then holder, entries from the one to the other; 0 between uses. */
    int64_t *cell;
    uint64_t *spot;                               /* those that are not 0: holder << 32 | process */
    ns_row_load at[NS_RULE_STEPS][NS_TRANSPORTS]; /* of the process that is looked at */
} ns_visit;

/* Can the strategy be added up so?  Not where its messages depend on the transport, nor on nodes of so many processes
 * that their cells would take far more memory than what is sent. */
bool ns_visit_may(const ns_strategy *strategy, const ns_task *task);

/* Open a visit of which is set what is asked. */
ns_status ns_visit_open(ns_visit *visit, ns_arena *arena, ns_error *err);
/* Scratch memory of an open visit, or of another thread's copy of one, for nodes of at most so many chunks. */
ns_status ns_visit_scratch(ns_visit *visit, const int64_t chunks[NS_SIDES], ns_arena *arena, ns_error *err);

/* Add what a node sends to the visit's hop_bytes: hops are a step's, over all of its messages, and known before it is
 * priced. */
void ns_visit_hops(ns_visit *visit, const ns_node *node);
/* Ready for the first node, when hop_bytes are known. */
void ns_visit_start(ns_visit *visit);
/* Compare the processes of a node with the slowest so far. */
void ns_visit_node(ns_visit *visit, const ns_node *node);

/* What a variant copies. */
ns_copying ns_visit_copying(const ns_visit *visit, const ns_variant *variant, ns_transport transport);

/* The price of a variant by a transport, when all nodes were visited.  A price is large, and made where it will be:
 * after a failure *price is of any content. */
ns_status ns_visit_price(const ns_visit *visit, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err);

#endif
