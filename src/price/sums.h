/* sums.h -- what the processes of one node send and receive in a step, by class, and which of them is the slowest
 *
 * Who knows messages adds them: a visit those that follow from a rule (visit.h), the price of a schedule those that it
 * keeps.  The sums of a node live until they are priced, and what is kept is the slowest process of each step so far.
 */
#ifndef NS_PRICE_SUMS_H
#define NS_PRICE_SUMS_H

#include "core/arena.h"
#include "price/price.h"
#include "schedule/node.h"

/* ---- classes of messages: locality, and range of sizes ------------------------------------------------------------ *
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

/* A load that is filled for one process after the other. */
typedef struct ns_row_load {
    ns_load load;
    uint32_t filled[NS_SIDES]; /* bits of slots that are not 0 */
} ns_row_load;

/* ------------------------------------------------------------------------------------------------------------------ */

typedef struct ns_sums {
    /* What is asked. */
    const ns_machine *machine;
    const ns_form *form;
    const ns_form_values *values[NS_TRANSPORTS]; /* NULL: not asked for */
    /* What follows from it. */
    ns_classes classes;
    bool bounded[NS_TRANSPORTS]; /* the largest sums of a node bound its processes */
    int terms;
    /* What was found. */
    uint8_t lacks[NS_TRANSPORTS]; /* bits of localities without a table that a message wants */
    /* The node. */
    int32_t size;           /* its processes */
    const int32_t *process; /* [size] */
    int32_t *socket;        /* [size] */
    /* Sums of its processes in one step; none between steps. */
    ns_class_sum *row; /* [size][NS_SIDES][1 + classes] */
    struct ns_partners {
        int32_t last, count; /* node that was met last, plus 1; other nodes met */
    } * partners;            /* [size][NS_SIDES] */
    int64_t *met, stamp;     /* [nodes] when a process last met a node, and the last time */
    int64_t node_bytes[NS_SIDES], *inside;
    ns_class_sum *most[NS_SIDES]; /* the largest of each sum */
    int32_t fewest_partners;      /* of processes that have any; 0: none has */
} ns_sums;

static inline ns_memory ns_transport_memory(ns_transport transport)
{
    return transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

/* Open sums whose first members are set; then take scratch memory, or another thread's, for so many nodes of at most
 * `size` processes. */
void ns_sums_open(ns_sums *sums);
ns_status ns_sums_scratch(ns_sums *sums, int32_t nodes, int32_t size, ns_arena *arena, ns_error *err);
/* Go to a node of a site of processes. */
void ns_sums_at(ns_sums *sums, const ns_site *processes, int32_t node);
/* Forget the slowest processes of `steps` steps. */
void ns_slowest_forget(ns_slowest *slowest, int steps);
/* Compare the node's processes with the slowest of a step so far, by each transport, and reset the sums to zero.  at: a
 * load for each transport whose members that are no sums are set.  packs: see ns_load_complete. */
void ns_sums_price(ns_sums *sums, bool packs, ns_row_load at[NS_TRANSPORTS], ns_slowest slowest[NS_SLOWEST]);
/* The largest sums, when all that is between nodes stands; returns the most messages that a process sends. */
int64_t ns_sums_note_between(ns_sums *sums);
/* Refuse a message that a transport has no table for. */
ns_status ns_sums_lack(const ns_sums *sums, ns_transport transport, ns_error *err);
/* The price by a transport of the slowest processes of `steps` steps, of each where ns_slowest_at(0, 0, 0) is.  A price
 * is large, and made where it will be: after a failure *price is of any content. */
ns_status ns_sums_close(const ns_sums *sums, ns_transport transport, int steps, const ns_slowest *const *slowest,
                        const ns_copying *copying, double confidence, ns_price *price, ns_error *err);

/* ---- adding messages --------------------------------------------------------------------------------------------- */

/* The class of a message's size, among those of its locality. */
static inline int ns_class_of(const ns_classes *classes, ns_locality locality, int64_t bytes)
{
    enum { FEW = 4 };
    const int64_t *from = classes->from[locality];
    int at = (bytes >= from[1]) + (bytes >= from[2]) + (bytes >= from[3]);
    for (int i = FEW; i < classes->count[locality]; i++)
        at += bytes >= from[i];
    return classes->base[locality] + at;
}

static inline int64_t ns_row_length(const ns_classes *classes)
{
    return 1 + (int64_t)classes->all;
}

static inline void ns_row_add(ns_class_sum *row, int class, int64_t bytes)
{
    const int64_t bit = INT64_C(1) << class, set = (row->messages & bit) != 0 ? -1 : 0;
    ns_class_sum *sum = &row[1 + class];
    sum->messages = (sum->messages & set) + 1;
    sum->bytes = (sum->bytes & set) + bytes;
    row->messages |= bit;
}

/* The larger of one sum: sums only grow, so that the largest of all rows may be kept while they do.  Sums of `most`
 * that are not set are 0. */
static inline void ns_row_raise(ns_class_sum *most, const ns_class_sum *row, int class)
{
    ns_class_sum *sum = &most[1 + class];
    const ns_class_sum *other = &row[1 + class];
    sum->messages = other->messages > sum->messages ? other->messages : sum->messages;
    sum->bytes = other->bytes > sum->bytes ? other->bytes : sum->bytes;
    most->messages |= row->messages;
}

/* What one side's messages between nodes are added to, at hand. */
typedef struct ns_between {
    const ns_classes *classes;
    ns_class_sum *row;
    struct ns_partners *partners;
    int64_t stride, bytes;
} ns_between;

static inline ns_between ns_between_of(const ns_sums *sums, int side)
{
    const int64_t row = ns_row_length(&sums->classes);
    return (ns_between){&sums->classes, sums->row + side * row, sums->partners + side, NS_SIDES * row, 0};
}

/* A message of a process and another node, the first of these two or not. */
NS_COMPILED void ns_between_add(ns_between *b, int32_t local, int64_t bytes, bool first)
{
    ns_row_add(b->row + local * b->stride, ns_class_of(b->classes, NS_OFF_NODE, bytes), bytes);
    b->partners[NS_SIDES * (int64_t)local].count += first;
    b->bytes += bytes;
}

/* A process, one for each stamp, and a node: is it the first time that they meet? */
static inline bool ns_sums_meet(const ns_sums *sums, int64_t stamp, int32_t node)
{
    const bool first = sums->met[node] != stamp;
    sums->met[node] = stamp;
    return first;
}

/* What messages inside the node are added to, at hand. */
typedef struct ns_within {
    ns_class_sum *row, *most[NS_SIDES];
    int64_t stride, *inside;
    const ns_classes *classes;
    const int32_t *socket;
} ns_within;

static inline ns_within ns_within_of(const ns_sums *sums)
{
    return (ns_within){sums->row,
                       {sums->most[NS_OUT], sums->most[NS_IN]},
                       ns_row_length(&sums->classes),
                       sums->inside,
                       &sums->classes,
                       sums->socket};
}

NS_COMPILED void ns_within_add(const ns_within *w, int32_t from, int32_t to, int64_t bytes)
{
    const int class = ns_class_of(w->classes, w->socket[from] == w->socket[to] ? NS_ON_SOCKET : NS_ON_NODE, bytes);
    ns_class_sum *out = w->row + NS_SIDES * (int64_t)from * w->stride,
                 *in = w->row + (NS_SIDES * (int64_t)to + NS_IN) * w->stride;
    ns_row_add(out, class, bytes);
    ns_row_raise(w->most[NS_OUT], out, class);
    ns_row_add(in, class, bytes);
    ns_row_raise(w->most[NS_IN], in, class);
    w->inside[class] += bytes;
}

#endif
