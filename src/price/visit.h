/* visit.h -- what the processes of one node send and receive in a step, by class, and which of them is the slowest
 *
 * Who knows messages adds them: those that follow from a rule (schedule/node.h), and those that a schedule keeps.  The
 * sums of a node are kept until they are priced, and what stays is the slowest process of each step so far.  Strategies
 * of one rule on the same processes differ in who holds a part's data: their chunks are dealt once.
 */
#ifndef NS_PRICE_VISIT_H
#define NS_PRICE_VISIT_H

#include "core/arena.h"
#include "price/price.h"
#include "schedule/node.h"

/* ---- classes of messages: locality, and range of sizes ------------------------------------------------------------ *
 *
 * Sizes are kept apart where any memory that is asked for changes its protocol, so that one pass over what a strategy
 * sends serves its price by every transport.  A class is NS_SIZES locality + range.
 */

enum { NS_SIZES = NS_MEMORIES * NS_PROTOCOLS + 1, NS_CLASSES = NS_LOCALITIES * NS_SIZES };

typedef struct ns_classes {
    int ranges[NS_LOCALITIES];
    int64_t from[NS_LOCALITIES]
                [NS_SIZES];               /* B, first size of each range; of the first 1, behind the last the largest */
    int8_t slot[NS_MEMORIES][NS_CLASSES]; /* NS_PROTOCOLS locality + protocol; -1: no table */
} ns_classes;

/* What a process sends or receives in a step, as whole numbers: the same in any order of the messages. */
typedef struct ns_row {
    uint32_t set;     /* bits of classes with messages; sums of the others are of any content */
    int32_t partners; /* other nodes that it exchanges with */
    int32_t last;     /* of these the last, plus 1 */
    struct {
        int64_t messages, bytes;
    } sum[NS_CLASSES];
} ns_row;

/* ---- the slowest process of a step ------------------------------------------------------------------------------- */

typedef struct ns_slowest {
    ns_load load;
    int32_t process; /* -1: none does anything */
    bool leaves;
    double seconds, bytes_s, waits_s, term[NS_FORM_TERMS]; /* seconds: what is compared */
    double enough; /* s: a node none of whose processes exceeds this is not looked at any closer */
    double bound;  /* s: what no process of the last node exceeds; -1: not known */
} ns_slowest;

enum { NS_SLOWEST = NS_TRANSPORTS * NS_MAXIMA };

/* Where a maximum over the processes of a step, by a transport, stands among those of all steps. */
static inline int ns_slowest_at(int step, int transport, int maximum)
{
    return (step * NS_TRANSPORTS + transport) * NS_MAXIMA + maximum;
}

/* ------------------------------------------------------------------------------------------------------------------ */

typedef struct ns_sums {
    /* What is asked. */
    const ns_machine *machine;
    const ns_form *form;
    const ns_form_values *values[NS_TRANSPORTS]; /* NULL: not asked for */
    /* What follows from it. */
    ns_classes classes;
    bool bounded[NS_TRANSPORTS]; /* the largest sums of a node bound its processes */
    /* What was found. */
    uint8_t lacks[NS_TRANSPORTS];  /* bits of localities without a table that a message wants */
    int64_t messages_off_node_max; /* that one process sends in a step */
    /* The node, and what its processes do in one step; nothing between steps. */
    int32_t size;                       /* its processes */
    const int32_t *process, *socket_of; /* [size]; of every process */
    ns_row (*row)[NS_SIDES];            /* [size] */
    int64_t *met, stamp;                /* [nodes] when a process last met a node, and the last time */
} ns_sums;

static inline ns_memory ns_transport_memory(ns_transport transport)
{
    return transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

/* Forget the slowest processes of `steps` steps. */
void ns_slowest_forget(ns_slowest *slowest, int steps);
/* Refuse a message that a transport has no table for. */
ns_status ns_sums_lack(const ns_sums *sums, ns_transport transport, ns_error *err);

/* ---- strategies of one rule -------------------------------------------------------------------------------------- */

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
    double link_bytes; /* of these, when they are known */
    /* The node. */
    int32_t *taker; /* [parts] the process that takes what another node's part has for it */
    /* Its cells: by process, then holder, entries from the one to the other; 0 between uses. */
    struct ns_cells {
        int64_t *entries;
        uint64_t *used; /* those that are not 0: holder << 32 | process */
        int64_t count;  /* of these */
        int64_t slots;  /* most holders of a node's parts */
    } cells;
} ns_visit;

/* Can the strategy be added up so?  Not where its messages depend on the transport, nor on nodes of so many processes
 * that their cells would take far more memory than what is sent. */
bool ns_visit_may(const ns_strategy *strategy, const ns_task *task);

/* Open a visit of which is set what is asked. */
ns_status ns_visit_open(ns_visit *visit, ns_arena *arena, ns_error *err);
/* Scratch memory of an open visit, or of another thread's copy of one: ready for the first node, when hop_bytes are
 * known. */
ns_status ns_visit_scratch(ns_visit *visit, ns_arena *arena, ns_error *err);

/* Add what a node sends to the visit's hop_bytes: hops are a step's, over all of its messages, and known before it is
 * priced. */
void ns_visit_hops(ns_visit *visit, const ns_node *node);
/* Compare the processes of a node with the slowest so far. */
void ns_visit_node(ns_visit *visit, const ns_node *node);

/* What a variant copies. */
ns_copying ns_visit_copying(const ns_visit *visit, const ns_variant *variant, ns_transport transport);

/* The price of a variant by a transport, when all nodes were visited.  A price is large, and made where it will be:
 * after a failure *price is of any content. */
ns_status ns_visit_price(const ns_visit *visit, const ns_variant *variant, ns_transport transport, double confidence,
                         ns_price *price, ns_error *err);

#endif
