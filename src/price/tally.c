/* tally.c -- the sink that only adds up
 *
 * One pass over what a strategy names.  Sums are whole numbers, so that they do not depend on its order.  What does is
 * the number of nodes that a process meets, and that a step whose messages are sent once has no two between the same
 * processes: where each sender's receivers come by rising place, and each receiver's senders by rising node, both
 * follow from the one before; strategies that go over an exchange's routes or pairs name them so.  Steps in another
 * order are listed in a second pass (partners.c).
 */
#include "price/tally.h"

#include "core/memory.h"
#include "price/joins.h"
#include "price/partners.h"

#include <stdlib.h>
#include <string.h>

enum { SUM_WORDS = sizeof(ns_class_sum) / sizeof(int64_t), MOST_SEATED = 1 << 19 };

/* ---- books ------------------------------------------------------------------------------------------------------- */

/* Room for the rows given out, and more.  Rows whose order tells something have a head. */
static ns_status widen(ns_tally *t, int step, ns_locality locality, ns_error *err)
{
    ns_book *book = &t->book[step][locality];
    const int32_t most = t->site->parts + 1, parts = t->sink.task->exchange->parts;
    int64_t rows = book->rows > 0 ? 2 * (int64_t)book->rows : parts + 1;
    rows = rows > t->rows ? rows : t->rows + 1;
    rows = rows < most ? rows : most;
    book->head = locality == NS_OFF_NODE || t->joining[step] == NS_ONCE ? NS_HEAD_WORDS : 0;
    book->stride = book->head + SUM_WORDS * t->sizes->count[locality];
    const int64_t old = 2 * book->rows * book->stride, words = 2 * rows * book->stride;
    if (words > book->room) {
        int64_t *grown = realloc(book->word, ns_size_mul((size_t)words, sizeof *grown));
        if (grown == NULL)
            return ns_no_memory(err);
        book->word = grown;
        book->room = words;
    }
    memset(book->word + old, 0, (size_t)(words - old) * sizeof *book->word);
    book->rows = (int32_t)rows;
    return NS_OK;
}

/* The rows of two processes in a book: sender's and receiver's. */
static inline ns_status rows_of(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t **out,
                                int64_t **in, ns_error *err)
{
    const ns_book *book = &t->book[step][locality];
    ns_seat *a = &t->seat[from], *b = &t->seat[to];
    if (a->row == 0)
        a->row = ++t->rows;
    if (b->row == 0)
        b->row = ++t->rows;
    if (a->row >= book->rows || b->row >= book->rows)
        NS_TRY(widen(t, step, locality, err));
    *out = book->word + 2 * (int64_t)a->row * book->stride;
    *in = book->word + (2 * (int64_t)b->row + 1) * book->stride;
    return NS_OK;
}

static inline void add_up(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t bytes,
                          int64_t *out, int64_t *in)
{
    const double *first = t->sizes->from[locality];
    int at = t->book[step][locality].head;
    for (int i = 1; i < t->sizes->count[locality]; i++)
        at += SUM_WORDS * ((double)bytes >= first[i]);
    out[at]++;
    out[at + 1] += bytes;
    in[at]++;
    in[at + 1] += bytes;
    if (t->side > 0 && locality == NS_OFF_NODE)
        ns_far_add(&t->far[step], t->side, t->seat[from].node, t->seat[to].node, bytes);
}

ns_status ns_tally_message(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    const ns_locality locality = ns_locality_of(&t->seat[from], &t->seat[to]);
    int64_t *out, *in;
    NS_TRY(rows_of(t, step, locality, from, to, &out, &in, err));
    add_up(t, step, locality, from, to, bytes, out, in);
    return NS_OK;
}

/* What the order of the messages proves, kept with their rows. */
static inline void note_order(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t *out_row,
                              int64_t *in_row)
{
    ns_head *out = (ns_head *)(void *)out_row, *in = (ns_head *)(void *)in_row;
    const int32_t to_node = t->seat[to].node, from_node = t->seat[from].node, place = t->seat[to].place + 1;
    bool rising = t->joining[step] == NS_ONCE ? place > out->place : to_node + 1 >= out->node;
    if (locality == NS_OFF_NODE) {
        rising = rising && from_node + 1 >= in->node;
        out->partners += to_node + 1 != out->node;
        in->partners += from_node + 1 != in->node;
    }
    out->place = place;
    out->node = to_node + 1;
    in->node = from_node + 1;
    if (!rising)
        t->disorder |= 1u << step;
}

/* ---- the sink ---------------------------------------------------------------------------------------------------- */

static ns_status take_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                            ns_error *err)
{
    ns_tally *t = (ns_tally *)sink;
    const ns_locality locality = ns_locality_of(&t->seat[from], &t->seat[to]);
    const bool joins = t->joining[step] == NS_JOINED;
    int64_t *out, *in;
    (void)slice;
    if (joins && locality != NS_OFF_NODE)
        return ns_joins_add(t, step, from, to, bytes, err);
    NS_TRY(rows_of(t, step, locality, from, to, &out, &in, err));
    if (locality == NS_OFF_NODE || t->joining[step] == NS_ONCE)
        note_order(t, step, locality, from, to, out, in);
    if (joins)
        return ns_joins_add(t, step, from, to, bytes, err);
    add_up(t, step, locality, from, to, bytes, out, in);
    return NS_OK;
}

/* The rows of a message to come, on their way into the cache. */
static void expect_slice(const ns_sink *sink, int step, int32_t from, int32_t to)
{
    const ns_tally *t = (const ns_tally *)sink;
    const ns_locality locality = ns_locality_of(&t->seat[from], &t->seat[to]);
    const ns_book *book = &t->book[step][locality];
    if (t->joining[step] == NS_JOINED && locality != NS_OFF_NODE)
        ns_joins_expect(t, step, from, to);
    else if (book->rows > 0) {
        __builtin_prefetch(ns_book_row(t, book, false, from), 1);
        __builtin_prefetch(ns_book_row(t, book, true, to), 1);
    }
}

static ns_status take_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                           ns_error *err)
{
    ns_tally *t = (ns_tally *)sink;
    (void)part, (void)process, (void)err;
    t->copies[direction]++;
    if (bytes > t->copy_bytes[direction])
        t->copy_bytes[direction] = bytes;
    return NS_OK;
}

/* Rows stand in the order of the processes where most of them take part; else each is given one when it first does. */
static ns_status seat_all(ns_tally *t, const ns_exchange *x, ns_error *err)
{
    const ns_site *site = t->site;
    const bool most = site->parts <= MOST_SEATED && site->parts <= x->routes + x->parts;
    void *room;
    NS_TRY(ns_arena_take(&t->memory, (size_t)site->parts, sizeof *t->seat, &room, err));
    t->seat = room;
    t->rows = most ? site->parts : 0;
    for (int32_t i = 0; i < site->parts; i++) {
        const int32_t p = site->part[i];
        t->seat[p] = (ns_seat){site->node_of[p], site->socket_of[p], i, most ? i + 1 : 0};
    }
    return NS_OK;
}

static ns_status tally_open(ns_tally *t, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                            bool links, ns_error *err)
{
    ns_arena_reset(&t->memory);
    for (int i = 0; i < NS_STEPS; i++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            t->book[i][l].rows = 0;
    memset(t->join, 0, sizeof t->join);
    memset(t->far, 0, sizeof t->far);
    t->sink.send = take_slice;
    t->sink.expect = expect_slice;
    t->sink.copy = take_copy;
    t->sizes = sizes;
    t->site = task->processes;
    t->astray = t->disorder = 0;
    t->side = links ? ns_cube_side(task->exchange->nodes) : 0;
    for (int d = 0; d < NS_DIRECTIONS; d++)
        t->copies[d] = t->copy_bytes[d] = 0;
    for (int i = 0; i < NS_STEPS && strategy->steps != NULL && strategy->steps[i].name != NULL; i++)
        t->joining[i] = strategy->steps[i].joining;
    return seat_all(t, task->exchange, err);
}

static ns_status run(ns_tally *t, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes, bool links,
                     ns_error *err)
{
    NS_TRY(tally_open(t, strategy, task, sizes, links, err));
    NS_TRY(ns_sink_run(&t->sink, strategy, task, err));
    for (int i = 0; i < t->sink.steps; i++)
        NS_TRY(ns_joins_close(t, i, err));
    return NS_OK;
}

ns_status ns_tally_run(ns_tally *tally, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                       bool links, ns_error *err)
{
    tally->sink.mixed = 0;
    NS_TRY(run(tally, strategy, task, sizes, links, err));
    if (tally->astray != 0) {
        tally->sink.mixed = tally->astray;
        NS_TRY(run(tally, strategy, task, sizes, links, err));
    }
    for (int i = 0; i < tally->sink.steps; i++)
        if ((tally->disorder >> i & 1) != 0)
            NS_TRY(ns_partners_count(tally, i, err));
    return NS_OK;
}

void ns_tally_free(ns_tally *tally)
{
    ns_arena_free(&tally->sink.room);
    ns_arena_free(&tally->memory);
    for (int i = 0; i < NS_STEPS; i++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            free(tally->book[i][l].word);
    for (int i = 0; i < NS_STEPS; i++)
        free(tally->cell[i]);
    free(tally->ends);
}
