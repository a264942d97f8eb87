/* rows.h -- sums of a process in one row, by class of all localities, and the load that they are by one memory's
 * protocols
 *
 * Bits of a row's first sum tell which of the others are set, so that a row is empty once these bits are 0.
 */
#ifndef NS_PRICE_ROWS_H
#define NS_PRICE_ROWS_H

#include "price/source.h"
#include "price/tally.h"

enum { NS_OUT, NS_IN, NS_SIDES };

/* Where classes stand in a row. */
typedef struct ns_rows {
    int base[NS_LOCALITIES], classes;                    /* where a locality's begin, and all of them */
    int16_t slot[NS_MEMORIES][NS_LOCALITIES * NS_SIZES]; /* NS_PROTOCOLS locality + protocol; -1: no table */
} ns_rows;

void ns_rows_of(const ns_sizes *sizes, ns_rows *rows);

/* The locality of a class. */
static inline ns_locality ns_rows_locality(const ns_rows *rows, int class)
{
    int locality = NS_LOCALITIES - 1;
    while (class < rows->base[locality])
        locality--;
    return (ns_locality)locality;
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
 * up as whole numbers.  The first class that has no table, or -1. */
static inline int ns_row_load_side(const ns_rows *rows, ns_memory memory, const ns_class_sum *row, int side,
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
        const int class = __builtin_ctzll(bits), slot = rows->slot[memory][class];
        const ns_class_sum *sum = &row[1 + class];
        if (slot < 0)
            return class;
        count = sum->messages + (slot == last ? count : 0);
        bytes = sum->bytes + (slot == last ? bytes : 0);
        last = slot;
        filled |= 1u << slot;
        of->filled[side] = filled;
        load[slot] = (ns_class_load){(double)count, (double)bytes};
        *messages += sum->messages;
    }
    return -1;
}

/* Both sides; what is left is the node's. */
static inline int ns_row_load_both(const ns_rows *rows, ns_memory memory, const ns_strategy *strategy,
                                   const ns_class_sum *out_row, const ns_class_sum *in_row, ns_row_load *of,
                                   int64_t messages[NS_SIDES])
{
    messages[NS_OUT] = messages[NS_IN] = 0;
    const int out = ns_row_load_side(rows, memory, out_row, NS_OUT, of, &messages[NS_OUT]),
              in = out < 0 ? ns_row_load_side(rows, memory, in_row, NS_IN, of, &messages[NS_IN]) : out;
    of->load.out_squares = (double)messages[NS_OUT] * (double)messages[NS_OUT];
    of->load.in_squares = (double)messages[NS_IN] * (double)messages[NS_IN];
    of->load.idle = ~(of->filled[NS_OUT] | of->filled[NS_IN]);
    ns_load_complete(strategy, &of->load);
    return in;
}

/* Bytes that move inside a node, by protocol, from those by class: inside[NS_OFF_NODE][NS_SIZES]. */
void ns_row_load_inside(const ns_sizes *sizes, ns_memory memory, const int64_t *inside, ns_load *load);

/* A node's largest sums bound its processes: the form is rising on parameters that are no less than 0. */
bool ns_rows_bound(const ns_form_values *values);

#endif
