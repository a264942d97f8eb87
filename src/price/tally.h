/* tally.h -- the sink that only adds up: messages and bytes of each process by step, side, locality and size
 *
 * Sizes are kept apart where any memory that is asked for changes its protocol, so that one pass over what a strategy
 * sends serves its price by every transport.
 */
#ifndef NS_PRICE_TALLY_H
#define NS_PRICE_TALLY_H

#include "price/source.h"
#include "schedule/schedule.h"

enum { NS_SUM_WORDS = sizeof(ns_class_sum) / sizeof(int64_t), NS_SIZES = NS_MEMORIES * NS_PROTOCOLS + 1 };

/* Classes of message sizes of a machine, for some memories. */
typedef struct ns_sizes {
    int count[NS_LOCALITIES];
    int64_t from[NS_LOCALITIES]
                [NS_SIZES]; /* B, first size of each class; of the first 1, behind the last the largest */
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

/* A slice that stays inside a node, until it is joined to a message; and the slices of a node, in links of the tally's
 * list. */
typedef struct ns_loose {
    int32_t from, to;
    int64_t bytes;
} ns_loose;
typedef struct ns_chain {
    int64_t first, next; /* its first link, 0: none; where its next slice goes */
} ns_chain;

/* What a process sends or receives inside its node, by protocol; of none first. */
typedef struct ns_page_row {
    int64_t messages; /* 0: the sums are not set */
    ns_class_sum sum[NS_OFF_NODE][NS_PROTOCOLS + 1];
} ns_page_row;

typedef struct ns_tally {
    ns_sink sink;    /* first: its functions are given it.  Its room is kept */
    ns_arena memory; /* of what is joined; kept */
    const ns_sizes *sizes;
    const ns_site *site;
    ns_seat *seat; /* [processes] */
    int32_t rows;  /* given out */
    ns_joining joining[NS_STEPS];
    ns_book book[NS_STEPS][NS_LOCALITIES];
    struct ns_joins *join[NS_STEPS]; /* messages between nodes that slices are joined to; NULL: none yet */
    ns_chain *chain[NS_STEPS];       /* [nodes] slices inside nodes that are to be joined; NULL: none yet */
    ns_chain *leaving[NS_STEPS]; /* [nodes] messages between nodes whose senders' rows want them still; NULL: none */
    bool leave;                  /* such are kept: the books are too large to go to and fro in */
    int64_t left, most_left;     /* how many are kept; and when they have to go */
    ns_loose *loose;             /* [links << link_bits]; kept */
    int64_t *after;              /* [links] the next link of a chain; kept */
    int64_t links, loose_room, after_room;
    int64_t spare;         /* the first of a chain of links that are free again, 0: none */
    int link_bits;         /* a link has 1 << link_bits slices */
    ns_page_row *page;     /* of one node, two rows a process; NULL: no room yet */
    ns_memory page_memory; /* whose protocols it is by */
    int64_t page_bytes[NS_OFF_NODE][NS_PROTOCOLS + 1];
    int64_t *cell; /* bytes of a node's messages by sender and receiver, 0 but while slices are joined */
    struct ns_touched *touched;
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

/* The class of a message's size. */
static inline int ns_size_class(const ns_sizes *sizes, ns_locality locality, int64_t bytes)
{
    enum { FEW = 4 };
    const int64_t *from = sizes->from[locality];
    int at = (bytes >= from[1]) + (bytes >= from[2]) + (bytes >= from[3]);
    for (int i = FEW; i < sizes->count[locality]; i++)
        at += bytes >= from[i];
    return at;
}

/* Room for the rows given out, and more. */
ns_status ns_tally_widen(ns_tally *tally, int step, ns_locality locality, ns_error *err);

/* A process' row in a book, made where there is none. */
static inline ns_status ns_tally_row(ns_tally *t, int step, ns_locality locality, bool receiving, int32_t process,
                                     int64_t **row, ns_error *err)
{
    const ns_book *book = &t->book[step][locality];
    ns_seat *seat = &t->seat[process];
    if (seat->row == 0)
        seat->row = ++t->rows;
    if (seat->row >= book->rows)
        NS_TRY(ns_tally_widen(t, step, locality, err));
    *row = book->word + (2 * (int64_t)seat->row + receiving) * book->stride;
    return NS_OK;
}

/* The rows of two processes in a book: sender's and receiver's. */
static inline ns_status ns_tally_rows(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to,
                                      int64_t **out, int64_t **in, ns_error *err)
{
    const ns_book *book = &t->book[step][locality];
    ns_seat *a = &t->seat[from], *b = &t->seat[to];
    if (a->row == 0)
        a->row = ++t->rows;
    if (b->row == 0)
        b->row = ++t->rows;
    if (a->row >= book->rows || b->row >= book->rows)
        NS_TRY(ns_tally_widen(t, step, locality, err));
    *out = book->word + 2 * (int64_t)a->row * book->stride;
    *in = book->word + (2 * (int64_t)b->row + 1) * book->stride;
    return NS_OK;
}

/* Where a message's class stands in the rows of a book. */
static inline int ns_tally_at(const ns_tally *t, int step, ns_locality locality, int64_t bytes)
{
    return t->book[step][locality].head + NS_SUM_WORDS * ns_size_class(t->sizes, locality, bytes);
}

/* A message, whole, in its rows. */
static inline void ns_tally_add(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t bytes,
                                int64_t *out, int64_t *in)
{
    const int at = ns_tally_at(t, step, locality, bytes);
    out[at]++;
    out[at + 1] += bytes;
    in[at]++;
    in[at + 1] += bytes;
    if (t->side > 0 && locality == NS_OFF_NODE)
        ns_far_add(&t->far[step], t->side, t->seat[from].node, t->seat[to].node, bytes);
}

/* The loads of a tally on a machine, for one memory of those that its sizes were made for. */
typedef struct ns_tally_source {
    ns_load_source source; /* first: its functions are given it */
    ns_tally *tally;       /* its page is turned */
} ns_tally_source;
ns_tally_source ns_tally_loads(ns_tally *tally, const ns_machine *machine, const ns_form *form, ns_memory memory);

/* The most off-node messages that one process sends, over all steps. */
int64_t ns_tally_messages_off_node_max(const ns_tally *tally);

#endif
