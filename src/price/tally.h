/* tally.h -- the sink that only adds up: messages and bytes of each process by step, side, locality and size
 *
 * Sizes are kept apart where any memory that is asked for changes its protocol, so that one pass over what a strategy
 * sends serves its price by every transport.
 */
#ifndef NS_PRICE_TALLY_H
#define NS_PRICE_TALLY_H

#include "price/source.h"
#include "schedule/schedule.h"

enum { NS_SIZES = NS_MEMORIES * NS_PROTOCOLS + 1 };

/* Classes of message sizes of a machine, for some memories. */
typedef struct ns_sizes {
    int count[NS_LOCALITIES];
    double from[NS_LOCALITIES][NS_SIZES];                       /* B, first size of each class; of the first 1 */
    signed char protocol[NS_MEMORIES][NS_LOCALITIES][NS_SIZES]; /* -1: no table */
} ns_sizes;

/* memories: bits 1 << ns_memory. */
void ns_sizes_of(const ns_machine *machine, const ns_form *form, unsigned memories, ns_sizes *sizes);

/* Sums of one locality in one step: a row for each process on each side, made when the first message comes. */
typedef struct ns_book {
    int64_t *out, *in; /* [processes * stride] */
    int64_t stride;
    int head; /* words before a row's sums */
} ns_book;

/* Messages that slices are joined to, by sender and receiver: a hash table with open addressing. */
typedef struct ns_joined {
    struct ns_joined_entry *entry;
    int64_t count;
    int bits; /* the table has 1 << bits entries; 0: none yet */
} ns_joined;

typedef struct ns_tally {
    ns_sink sink;    /* first: its functions are given it.  Its room is kept */
    ns_arena memory; /* of the books; kept */
    const ns_sizes *sizes;
    const ns_site *site;
    ns_joining joining[NS_STEPS];
    ns_book book[NS_STEPS][NS_LOCALITIES];
    ns_joined joined[NS_STEPS];
    unsigned disorder; /* bits of steps whose messages came in an order that proves nothing about their partners */
    int32_t side;      /* of the cube of nodes; 0: links are not asked for */
    ns_far far[NS_STEPS];
    int64_t copies[NS_DIRECTIONS], copy_bytes[NS_DIRECTIONS]; /* how many; the most of one */
    struct ns_ends *ends;                                     /* of one step in disorder; kept */
    int64_t end_count, end_capacity;
    int listed;
} ns_tally;

/* Add up all that a strategy sends.  The tally is {0} or was used before. */
ns_status ns_tally_run(ns_tally *tally, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                       bool links, ns_error *err);
void ns_tally_free(ns_tally *tally);

/* The loads of a tally on a machine, for one memory of those that its sizes were made for. */
typedef struct ns_tally_source {
    ns_load_source source; /* first: its functions are given it */
    const ns_tally *tally;
} ns_tally_source;
ns_tally_source ns_tally_loads(const ns_tally *tally, const ns_machine *machine, const ns_form *form, ns_memory memory);

/* The most off-node messages that one process sends, over all steps. */
int64_t ns_tally_messages_off_node_max(const ns_tally *tally);

#endif
