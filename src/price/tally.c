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

enum { SUM_WORDS = sizeof(ns_class_sum) / sizeof(int64_t) };

/* ---- books -------------------------------------------------------------------------------------------------------- */

/* Room for the rows given out, and more.  Rows whose order tells something have a head. */
static ns_status widen(ns_tally *t, int step, ns_locality locality, ns_error *err)
{
    ns_book *book = &t->book[step][locality];
    const int32_t processes = t->site->parts, parts = t->sink.task->exchange->parts;
    int32_t rows = book->rows > 0 ? 2 * book->rows : (parts < processes ? parts : processes) + 1;
    rows = rows > t->rows ? rows : t->rows + 1;
    book->head = locality == NS_OFF_NODE || t->joining[step] == NS_ONCE ? NS_HEAD_WORDS : 0;
    book->stride = book->head + SUM_WORDS * t->sizes->count[locality];
    const size_t old = (size_t)book->rows * (size_t)book->stride, words = (size_t)rows * (size_t)book->stride;
    void *room;
    NS_TRY(ns_arena_zeroed(&t->memory, ns_size_mul(2, words), sizeof *book->out, &room, err));
    int64_t *out = room, *in = out + words;
    if (old > 0) {
        memcpy(out, book->out, old * sizeof *out);
        memcpy(in, book->in, old * sizeof *in);
    }
    book->out = out;
    book->in = in;
    book->rows = rows;
    return NS_OK;
}

/* The rows of two processes in a book: sender's and receiver's. */
static inline ns_status rows_of(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t **out,
                                int64_t **in, ns_error *err)
{
    const ns_book *book = &t->book[step][locality];
    if (t->row[from] == 0)
        t->row[from] = ++t->rows;
    if (t->row[to] == 0)
        t->row[to] = ++t->rows;
    if (t->row[from] >= book->rows || t->row[to] >= book->rows)
        NS_TRY(widen(t, step, locality, err));
    *out = book->out + t->row[from] * book->stride;
    *in = book->in + t->row[to] * book->stride;
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
        ns_far_add(&t->far[step], t->side, t->site->node_of[from], t->site->node_of[to], bytes);
}

ns_status ns_tally_message(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    const ns_locality locality = ns_locality_of(t->site, from, to);
    int64_t *out, *in;
    NS_TRY(rows_of(t, step, locality, from, to, &out, &in, err));
    add_up(t, step, locality, from, to, bytes, out, in);
    return NS_OK;
}

/* What the order of the messages proves, kept with their rows. */
static inline void note_order(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t *out_row,
                              int64_t *in_row)
{
    const ns_site *site = t->site;
    ns_head *out = (ns_head *)(void *)out_row, *in = (ns_head *)(void *)in_row;
    const int32_t to_node = site->node_of[to], from_node = site->node_of[from];
    const int32_t place = site->first[to_node] + site->local_of[to] + 1;
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

/* ---- the sink ----------------------------------------------------------------------------------------------------- */

static ns_status take_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                            ns_error *err)
{
    ns_tally *t = (ns_tally *)sink;
    const ns_locality locality = ns_locality_of(t->site, from, to);
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

static ns_status tally_open(ns_tally *t, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                            bool links, ns_error *err)
{
    void *room;
    ns_arena_reset(&t->memory);
    memset(t->book, 0, sizeof t->book);
    memset(t->join, 0, sizeof t->join);
    memset(t->far, 0, sizeof t->far);
    t->sink.send = take_slice;
    t->sink.copy = take_copy;
    t->sizes = sizes;
    t->site = task->processes;
    t->rows = 0;
    t->astray = t->disorder = 0;
    t->side = links ? ns_cube_side(task->exchange->nodes) : 0;
    for (int d = 0; d < NS_DIRECTIONS; d++)
        t->copies[d] = t->copy_bytes[d] = 0;
    for (int i = 0; i < NS_STEPS && strategy->steps != NULL && strategy->steps[i].name != NULL; i++)
        t->joining[i] = strategy->steps[i].joining;
    NS_TRY(ns_arena_zeroed(&t->memory, (size_t)t->site->parts, sizeof *t->row, &room, err));
    t->row = room;
    return NS_OK;
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
    free(tally->ends);
}
