/* nodes.h -- the price of strategies that say their rule (schedule/rule.h) or send their routes, added up node by node
 *
 * What a node's processes send and receive follows from the rule, the node, and what it has for others and they for
 * it.  So its sums live only while it is visited, and what is kept is the slowest process of each step so far.
 * Strategies of one rule on the same processes differ in who holds a part's data: their chunks are dealt once.
 */
#ifndef NS_PRICE_NODES_H
#define NS_PRICE_NODES_H

#include "price/ends.h"
#include "schedule/route.h"

enum { NS_VISITS = 6, NS_VARIANTS = 4, NS_RULE_STEPS = 3 };

/* The slowest process of a step so far. */
typedef struct ns_slowest {
    ns_row_load at; /* of the process that is looked at */
    ns_load load;   /* of the slowest */
    int32_t process;
    bool leaves;
    double seconds;
    ns_class_sum *row[NS_SIDES]; /* its sums */
} ns_slowest;

/* A strategy of the rule. */
typedef struct ns_variant {
    const ns_strategy *strategy;
    ns_task task;
    ns_slowest slowest[NS_RACES][NS_TRANSPORTS][NS_RULE_STEPS];
    int64_t copies[NS_DIRECTIONS], copy_bytes[NS_DIRECTIONS]; /* how many; the most of one */
} ns_variant;

/* What one end of a node's chunks has: a chunk each. */
typedef struct ns_chunk_end {
    const int64_t *entries;
    const int32_t *other; /* node */
    int32_t *local;       /* process */
    const int32_t *order; /* of those that are dealt, by size, the largest first */
    int64_t count;
    bool cut; /* some pair is more than one */
} ns_chunk_end;

/* Room for chunks that are not pairs. */
typedef struct ns_chunk_room {
    int64_t *entries;
    int32_t *other, *sorted;
    uint64_t *key;
} ns_chunk_room;

/* Of a process and a side: other nodes met. */
typedef struct ns_meeting {
    int32_t last, partners; /* last: plus 1 */
} ns_meeting;

/* What is left of a holder's share of what a part sends or receives. */
typedef struct ns_share_left {
    int64_t total, left; /* of all shares; of this */
    int32_t first, slot; /* of the part's holders; this one */
} ns_share_left;

typedef struct ns_visit {
    const ns_ends *ends;
    const ns_rule *rule; /* NULL: routes are sent as they are, in one step */
    const ns_machine *machine;
    const ns_form *form;
    ns_sizes sizes;
    const ns_form_values *values[NS_TRANSPORTS]; /* NULL: not asked for */
    bool bounded[NS_TRANSPORTS];
    ns_rows rows;
    int terms, steps, exchange_step;
    int variants;
    ns_variant variant[NS_VARIANTS];
    int64_t most_chunks[NS_SIDES]; /* of a node */
    int64_t *cap;                  /* [nodes] most entries of a chunk to each; NULL: a pair is one */
    int32_t cube;                  /* side of the cube of nodes; 0: links are not asked for */
    ns_far far;
    /* The node. */
    int32_t node, size;     /* its processes */
    const int32_t *process; /* [size] */
    int32_t *socket;        /* [size] */
    ns_chunk_end end[NS_SIDES];
    ns_chunk_room room[NS_SIDES];
    ns_hand *hand;
    int32_t *met; /* [nodes] the process, plus 1, that a route from there was last for */
    int64_t slots;
    int32_t *slot; /* [slots] process of a holder */
    ns_share_left *sent, *received;
    /* Its cells: by process, then holder, entries from the one to the other; 0 between uses. */
    int64_t *cell;
    uint64_t *spot; /* those that are not 0: holder << 32 | process */
    /* Sums of its processes in one step; none between steps. */
    ns_class_sum *row;   /* [size][NS_SIDES][1 + classes] */
    ns_meeting *meeting; /* [size][NS_SIDES] */
    int64_t node_bytes[NS_SIDES], inside[NS_OFF_NODE * NS_SIZES];
    ns_class_sum *most[NS_SIDES]; /* the largest of each sum */
    int32_t most_partners;        /* and the fewest partners of those that have any */
    int64_t messages_off_node_max;
    bool priced; /* every message has a table so far */
} ns_visit;

/* Can the rule's strategy be added up so?  Steps of another kind, and nodes of very many processes, can not. */
bool ns_nodes_may(const ns_strategy *strategy, const ns_task *task);

/* Visit all nodes for several rules, by so many threads; 0: as many as pay.  Their first members, up to bounded, and
 * their variants are set.  A visit is not priced where a message has no table, for then another way says which. */
ns_status ns_nodes_run(ns_visit *visit, int visits, int threads, ns_arena *arena, ns_error *err);

/* What comes of it, for a variant by a transport.  A price is large, and made where it will be: after a failure *price
 * is of any content. */
ns_status ns_nodes_price(const ns_visit *visit, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err);

/* Room for a node. */
ns_status ns_visit_open(ns_visit *visit, ns_arena *arena, ns_error *err);

/* ---- visits.c ---------------------------------------------------------------------------------------------------- */

ns_status ns_visit_all(ns_visit *visit, int visits, int threads, ns_arena *arena, ns_error *err);

/* ---- node_alike.c ------------------------------------------------------------------------------------------------ */

/* Do nodes a and b send and receive alike, so that what is found of one holds for the other?  Some that do are not
 * recognized. */
bool ns_nodes_are_alike(const ns_visit *visit, int visits, int32_t a, int32_t b);

/* Nodes that are alike have the same. */
uint64_t ns_node_key(const ns_ends *ends, int32_t node);

/* ---- node_sums.c: sums of a node --------------------------------------------------------------------------------- */

/* Deal the chunks of both ends of the node, if there are any. */
void ns_node_deal(ns_visit *visit);
/* Only the bytes that it sends, with their hops. */
void ns_node_far(ns_visit *visit);
/* Its sums in the step that exchanges. */
void ns_node_exchange(ns_visit *visit);
/* Back to none. */
void ns_node_clean(ns_visit *visit);

/* ---- node_joined.c: sums inside a node --------------------------------------------------------------------------- */

/* Routes as they are. */
void ns_node_add_stay(ns_visit *visit);
void ns_node_hold(ns_visit *visit, const ns_variant *variant);
void ns_node_gather(ns_visit *visit, const ns_variant *variant);
void ns_node_scatter(ns_visit *visit, const ns_variant *variant);

static inline ns_class_sum *ns_node_row(const ns_visit *v, int32_t local, int side)
{
    return v->row + (NS_SIDES * (int64_t)local + side) * (1 + v->rows.classes);
}

static inline int32_t ns_node_partners(const ns_visit *v, int32_t local)
{
    const ns_meeting *met = &v->meeting[NS_SIDES * (int64_t)local];
    return met[NS_OUT].partners > met[NS_IN].partners ? met[NS_OUT].partners : met[NS_IN].partners;
}

/* ---- node_race.c ------------------------------------------------------------------------------------------------- */

static inline ns_memory ns_node_memory(ns_transport transport)
{
    return transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

/* Price the sums that stand: has any process of the node become the slowest of the step?  False: a table is missing. */
bool ns_node_race(ns_visit *visit, ns_variant *variant, int step);

#endif
