/* visit.h -- what the processes of one node send and receive in a step, by class, and which process is the slowest
 *
 * Messages are added from two sources: those that follow from a rule (schedule/node.h), and those that a schedule
 * keeps.  The sums of a node are kept until they are priced; after that only the slowest process of each step so far is
 * kept.  Strategies of one rule on the same processes differ only in who holds a part's data, so that their chunks are
 * dealt once.
 */
#ifndef NS_PRICE_VISIT_H
#define NS_PRICE_VISIT_H

#include "core/arena.h"
#include "price/price.h"
#include "schedule/node.h"

/* ---- classes of messages: locality, and range of sizes ------------------------------------------------------------ *
 *
 * Size ranges are split wherever one of the wanted memories changes its protocol, so that one pass over what a
 * strategy sends is enough for its prices by all transports.  A class is NS_SIZES locality + range.
 */

enum { NS_SIZES = NS_MEMORIES * NS_PROTOCOLS + 1, NS_CLASSES = NS_LOCALITIES * NS_SIZES };

typedef struct ns_classes {
    int ranges[NS_LOCALITIES];
    /* B, first size of each range; 1 in the first, the largest size at the end */
    int64_t from[NS_LOCALITIES][NS_SIZES];
    int16_t slot[NS_MEMORIES][NS_CLASSES]; /* NS_PROTOCOLS locality + protocol; -1: no table */
} ns_classes;

/* What a process sends or receives in a step. */
typedef struct ns_row {
    uint32_t set;     /* bits of classes with messages */
    int32_t partners; /* other nodes with which it exchanges */
    int32_t last;     /* the last of these nodes, plus 1 */
} ns_row;

/* Messages of a class, as integers, so that the sums do not depend on the order of the messages. */
typedef struct ns_sum {
    int64_t messages, bytes;
} ns_sum;

/* ---- the slowest process of a step ------------------------------------------------------------------------------- */

typedef struct ns_slowest {
    ns_load load;
    int32_t process; /* -1: no process does anything */
    bool leaves;
    double seconds, bytes_s, waits_s, term[NS_FORM_TERMS]; /* seconds: what is compared */
    double enough; /* s: a node none of whose processes exceeds this is not examined further */
    double bound;  /* s: an upper bound on all processes of the last node; -1: not known */
} ns_slowest;

enum { NS_SLOWEST = NS_TRANSPORTS * NS_MAXIMA };

/* The index of a maximum over the processes of a step, by a transport, among those of all steps. */
static inline int ns_slowest_at(int step, int transport, int maximum)
{
    return (step * NS_TRANSPORTS + transport) * NS_MAXIMA + maximum;
}

/* ------------------------------------------------------------------------------------------------------------------ */

typedef struct ns_sums {
    /* Input: what is to be priced. */
    const ns_machine *machine;
    const ns_form *form;
    const ns_form_values *values[NS_TRANSPORTS]; /* NULL: not wanted */
    /* Derived from the input. */
    ns_classes classes;
    bool bounded[NS_TRANSPORTS]; /* the largest sums of a node bound the times of its processes */
    /* Results. */
    uint8_t lacks[NS_TRANSPORTS];  /* bits of localities that a message needs but that have no table */
    int64_t messages_off_node_max; /* most messages that one process sends in a step */
    /* The current node, and what its processes do in one step; empty between steps. */
    int32_t size;                       /* its processes */
    const int32_t *process, *socket_of; /* [size]; of every process */
    int64_t places;          /* most processes of a node, and two for the largest sums, of all and of a few */
    ns_row (*row)[NS_SIDES]; /* [places] */
    ns_sum *sum[NS_SIDES];   /* [NS_CLASSES][places] */
    int32_t *busy;           /* [places] scratch: processes with messages */
    int64_t *met, stamp;     /* [nodes] stamp of a process' last message to a node, and the latest stamp */
    ns_load load;            /* of the process that is priced; classes that are idle are empty */
} ns_sums;

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
    /* Input: the first members of both. */
    ns_statement says; /* by_node and rule */
    ns_sums sums;
    int variants;
    ns_variant variant[NS_VARIANTS];
    /* Derived from the input. */
    int32_t cube; /* side of the cube of nodes; 0: links are not needed */
    ns_hop_bytes hop_bytes;
    double link_bytes; /* bytes of the busiest link, once known */
    /* The current node. */
    int32_t *taker; /* [nodes] the process that takes a pair of another node */
    /* Its cells: by process, then holder, the entries that go from one to the other; 0 between uses. */
    struct ns_cells {
        int64_t *entries;
        uint64_t *used; /* cells that are not 0: holder << 32 process */
        int64_t count;  /* of these */
        int64_t slots;  /* largest number of holders of a node's parts */
    } cells;
} ns_visit;

/* Can the strategy be priced by a visit?  False where its messages depend on the transport, or where nodes have so many
 * processes that their cells would take far more memory than what is sent. */
bool ns_visit_may(const ns_strategy *strategy, const ns_task *task);

/* Open a visit whose input members are set. */
ns_status ns_visit_open(ns_visit *visit, ns_arena *arena, ns_error *err);
/* Allocate the scratch memory of an open visit, or of another thread's copy of one.  The visit is then ready for its
 * first node, provided that hop_bytes are known. */
ns_status ns_visit_scratch(ns_visit *visit, ns_arena *arena, ns_error *err);

/* Add what a node sends to the visit's hop_bytes: the hops of a step are summed over all of its messages, and must be
 * known before the step is priced. */
void ns_visit_hops(ns_visit *visit, const ns_node *node);
/* Compare the processes of a node with the slowest so far. */
void ns_visit_node(ns_visit *visit, const ns_node *node);

/* What a variant copies before and after its steps. */
ns_copying ns_visit_copying(const ns_visit *visit, const ns_variant *variant, ns_transport transport);

/* The price of a variant by a transport, after all nodes were visited.  A price is large, and is written in place:
 * after a failure the content of *price is undefined. */
ns_status ns_visit_price(const ns_visit *visit, const ns_variant *variant, ns_transport transport, double width,
                         ns_price *price, ns_error *err);

#endif
