/* sums.h -- messages and bytes of a process in one step, added up by class: locality, and range of sizes
 *
 * Sizes are kept apart where any memory that is asked for changes its protocol, so that one pass over what a strategy
 * sends serves its price by every transport.  The sums of a side of a process are a row: the bits of its first element
 * tell which of the others are set, so that a row is empty once these bits are 0.
 */
#ifndef NS_PRICE_SUMS_H
#define NS_PRICE_SUMS_H

#include "price/cost.h"
#include "schedule/node.h"

enum { NS_SIZES = NS_MEMORIES * NS_PROTOCOLS + 1 };

/* Whole numbers: the same in any order of the messages. */
typedef struct ns_class_sum {
    int64_t messages, bytes;
} ns_class_sum;

/* Classes of messages of a machine, for some memories. */
typedef struct ns_classes {
    int count[NS_LOCALITIES];
    int64_t from[NS_LOCALITIES]
                [NS_SIZES];       /* B, first size of each class; of the first 1, behind the last the largest */
    int base[NS_LOCALITIES], all; /* where a locality's classes begin in a row, and how many there are */
    int16_t slot[NS_MEMORIES][NS_LOCALITIES * NS_SIZES]; /* NS_PROTOCOLS locality + protocol; -1: no table */
} ns_classes;

/* memories: bits 1 << ns_memory. */
void ns_classes_of(const ns_machine *machine, const ns_form *form, unsigned memories, ns_classes *classes);

/* The class of a message's size, among those of its locality. */
static inline int ns_size_class(const ns_classes *classes, ns_locality locality, int64_t bytes)
{
    enum { FEW = 4 };
    const int64_t *from = classes->from[locality];
    int at = (bytes >= from[1]) + (bytes >= from[2]) + (bytes >= from[3]);
    for (int i = FEW; i < classes->count[locality]; i++)
        at += bytes >= from[i];
    return at;
}

/* Elements of a row. */
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
static inline void ns_row_raise_class(ns_class_sum *most, const ns_class_sum *row, int class)
{
    ns_class_sum *sum = &most[1 + class];
    const ns_class_sum *other = &row[1 + class];
    sum->messages = other->messages > sum->messages ? other->messages : sum->messages;
    sum->bytes = other->bytes > sum->bytes ? other->bytes : sum->bytes;
    most->messages |= row->messages;
}

/* The larger of each sum. */
static inline void ns_row_raise(ns_class_sum *most, const ns_class_sum *row)
{
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1)
        ns_row_raise_class(most, row, __builtin_ctzll(bits));
}

/* A load that is filled for one process after the other. */
typedef struct ns_row_load {
    ns_load load;
    uint32_t filled[NS_SIDES]; /* bits of slots that are not 0 */
} ns_row_load;

/* Messages and bytes by protocol, over those of another process; classes of one protocol stand together and are added
 * up as whole numbers.  False where a class has no table. */
static inline bool ns_row_load_side(const ns_classes *classes, ns_memory memory, const ns_class_sum *row, int side,
                                    ns_row_load *of, int64_t *messages)
{
    ns_class_load *load = side == NS_OUT ? of->load.out[0] : of->load.in[0]; /* by slot */
    int64_t count = 0, bytes = 0;
    uint32_t filled = 0;
    int last = -1;
    for (uint32_t bits = of->filled[side]; bits != 0; bits &= bits - 1)
        load[__builtin_ctz(bits)] = (ns_class_load){0, 0};
    of->filled[side] = 0;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctzll(bits), slot = classes->slot[memory][class];
        const ns_class_sum *sum = &row[1 + class];
        if (slot < 0)
            return false;
        count = sum->messages + (slot == last ? count : 0);
        bytes = sum->bytes + (slot == last ? bytes : 0);
        last = slot;
        filled |= 1u << slot;
        of->filled[side] = filled;
        load[slot] = (ns_class_load){(double)count, (double)bytes};
        *messages += sum->messages;
    }
    return true;
}

/* Both sides of a process; the node's part of the load is filled already. */
static inline bool ns_row_load_both(const ns_classes *classes, ns_memory memory, const ns_strategy *strategy,
                                    const ns_class_sum *out, const ns_class_sum *in, ns_row_load *of)
{
    int64_t sent = 0, received = 0;
    if (!ns_row_load_side(classes, memory, out, NS_OUT, of, &sent) ||
        !ns_row_load_side(classes, memory, in, NS_IN, of, &received))
        return false;
    of->load.out_squares = (double)sent * (double)sent;
    of->load.in_squares = (double)received * (double)received;
    of->load.idle = ~(of->filled[NS_OUT] | of->filled[NS_IN]);
    ns_load_complete(ns_strategy_packs(strategy), &of->load);
    return true;
}

/* Bytes that move inside a node, by protocol, from those by class: inside[classes->all]. */
void ns_row_load_inside(const ns_classes *classes, ns_memory memory, const int64_t *inside, ns_load *load);

/* Do the largest sums of a node bound its processes?  The cost model is rising on parameters that are no less than
 * 0. */
bool ns_rows_bound(const ns_form_values *values);

#endif
