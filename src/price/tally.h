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
    int16_t protocol[NS_MEMORIES][NS_LOCALITIES][NS_SIZES]; /* -1: no table */
} ns_sizes;

/* memories: bits 1 << ns_memory. */
void ns_sizes_of(const ns_machine *machine, const ns_form *form, unsigned memories, ns_sizes *sizes);

/* Sums of one locality in one step: for each process that takes part a row of what it sends, then one of what it
 * receives. Rows 0 are those of processes which do not.  Made when its first message comes. */
typedef struct ns_book {
    int64_t *word; /* [rows * 2 * stride], in memory that is kept */
    int64_t stride;
    int32_t rows; /* 0: no message yet */
    int head;     /* words before a row's sums */
    int64_t room; /* words of that memory */
} ns_book;

/* A process: where it stands, and its row in the books; 0: it takes no part yet. */
typedef struct ns_seat {
    int32_t node, socket, place; /* place: index into the site's part */
    int32_t row;
} ns_seat;

typedef struct ns_tally {
    ns_sink sink;    /* first: its functions are given it.  Its room is kept */
    ns_arena memory; /* of what is joined; kept */
    const ns_sizes *sizes;
    const ns_site *site;
    ns_seat *seat; /* [processes] */
    int32_t rows;  /* given out */
    ns_joining joining[NS_STEPS];
    ns_book book[NS_STEPS][NS_LOCALITIES];
    struct ns_joins *join[NS_STEPS]; /* what is joined there; NULL: nothing yet */
    int64_t *cell[NS_STEPS];         /* of its messages, and how many of them there is memory for; kept */
    int64_t cell_room[NS_STEPS];
    unsigned astray;                 /* bits of steps that did not go node by node, as was said */
    unsigned disorder; /* bits of steps whose messages came in an order that proves nothing about their partners */
    int32_t side;      /* of the cube of nodes; 0: links are not asked for */
    ns_far far[NS_STEPS];
    int64_t copies[NS_DIRECTIONS], copy_bytes[NS_DIRECTIONS]; /* how many; the most of one */
    struct ns_ends *ends;                                     /* of one step in disorder; kept */
    int64_t end_count, end_capacity;
    int listed;
} ns_tally;

/* A message, whole, of a step; its classes and sums. */
ns_status ns_tally_message(ns_tally *tally, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err);

/* Add up all that a strategy sends.  The tally is {0} or was used before. */
ns_status ns_tally_run(ns_tally *tally, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                       bool links, ns_error *err);
void ns_tally_free(ns_tally *tally);

static inline ns_locality ns_locality_of(const ns_seat *a, const ns_seat *b)
{
    if (a->node != b->node)
        return NS_OFF_NODE;
    return a->socket == b->socket ? NS_ON_SOCKET : NS_ON_NODE;
}

/* A process' row in a book. */
static inline int64_t *ns_book_row(const ns_tally *tally, const ns_book *book, bool receiving, int32_t process)
{
    const int32_t row = tally->seat[process].row < book->rows ? tally->seat[process].row : 0;
    return book->word + (2 * (int64_t)row + receiving) * book->stride;
}

/* The loads of a tally on a machine, for one memory of those that its sizes were made for. */
typedef struct ns_tally_source {
    ns_load_source source; /* first: its functions are given it */
    const ns_tally *tally;
} ns_tally_source;
ns_tally_source ns_tally_loads(const ns_tally *tally, const ns_machine *machine, const ns_form *form, ns_memory memory);

/* The most off-node messages that one process sends, over all steps. */
int64_t ns_tally_messages_off_node_max(const ns_tally *tally);

#endif
