/* tally.c -- the sink that only adds up
 *
 * One pass over what a strategy names.  Sums are whole numbers, so that they do not depend on its order.  What does is
 * the number of nodes that a process meets, and that a step whose messages are sent once has no two between the same
 * processes: where each sender's receivers come by rising place, and each receiver's senders by rising node, both
 * follow from the one before; strategies that go over an exchange's routes or pairs name them so.  Steps in another
 * order are listed in a second pass (partners.c).
 */
#include "price/tally.h"

#include "core/context.h"
#include "core/memory.h"
#include "price/joins.h"
#include "price/partners.h"
#include "schedule/route.h"

#include <string.h>

enum { MOST_SEATED = 1 << 19, SMALL_LINK = 3, LARGE_LINK = 5, FEW_SEATED = 1 << 11, MANY_SEATED = 1 << 15 };
#define FEWEST_LEFT (INT64_C(1) << 15) /* messages that wait for their senders' rows, and of each node */
#define EACH_LEFT   INT64_C(32)

/* ---- books ------------------------------------------------------------------------------------------------------- */

/* Rows whose order tells something have a head. */
ns_status ns_tally_widen(ns_tally *t, int step, ns_locality locality, ns_error *err)
{
    ns_book *book = &t->book[step][locality];
    const int32_t most = t->site->parts + 1, parts = t->sink.task->exchange->parts;
    int64_t rows = book->rows > 0 ? 2 * (int64_t)book->rows : parts + 1;
    rows = rows > t->rows ? rows : t->rows + 1;
    rows = rows < most ? rows : most;
    book->head = locality == NS_OFF_NODE || t->joining[step] == NS_ONCE ? NS_HEAD_WORDS : 0;
    book->stride = book->head + NS_SUM_WORDS * t->sizes->count[locality];
    const int64_t old = 2 * book->rows * book->stride, words = 2 * rows * book->stride;
    if (words > book->room) {
        int64_t *grown = ns_realloc(book->word, ns_size_mul((size_t)words, sizeof *grown));
        if (grown == NULL)
            return ns_no_memory(err);
        book->word = grown;
        book->room = words;
    }
    memset(book->word + old, 0, (size_t)(words - old) * sizeof *book->word);
    book->rows = (int32_t)rows;
    return NS_OK;
}

/* What the order of the messages proves, kept with their rows. */
static inline void note_sent(ns_tally *t, int step, bool off_node, int32_t to, int64_t *row)
{
    ns_head *out = (ns_head *)(void *)row;
    const int32_t node = t->site->node_of[to] + 1, place = t->seat[to].place + 1;
    if (t->joining[step] == NS_ONCE ? place <= out->place : node < out->node)
        t->disorder |= 1u << step;
    out->partners += off_node && node != out->node;
    out->place = place;
    out->node = node;
}

static inline void note_received(ns_tally *t, int step, bool off_node, int32_t from, int64_t *row)
{
    ns_head *in = (ns_head *)(void *)row;
    const int32_t node = t->site->node_of[from] + 1;
    if (off_node && node < in->node)
        t->disorder |= 1u << step;
    in->partners += off_node && node != in->node;
    in->node = node;
}

/* ---- the sink ---------------------------------------------------------------------------------------------------- */

static inline ns_status take_sent(ns_tally *t, int step, const ns_loose *one, ns_error *err)
{
    int64_t *out;
    NS_TRY(ns_tally_row(t, step, NS_OFF_NODE, false, one->from, &out, err));
    note_sent(t, step, true, one->to, out);
    const int at = ns_tally_at(t, step, NS_OFF_NODE, one->bytes);
    out[at]++;
    out[at + 1] += one->bytes;
    return NS_OK;
}

static ns_status take_all_sent(ns_tally *t, int step, ns_error *err)
{
    for (int32_t node = 0; t->leaving[step] != NULL && node < t->site->nodes; node++) {
        ns_chain *chain = &t->leaving[step][node];
        ns_chain_expect(t, t->leaving[step], node + 2);
        for (int64_t link = chain->first; link != 0; link = t->after[link]) {
            const int64_t end = ns_link_end(t, chain, link);
            ns_link_expect(t, link);
            NS_TRY(ns_context_tick(end - (link << t->link_bits), err));
            for (int64_t i = link << t->link_bits; i < end; i++)
                NS_TRY(take_sent(t, step, &t->loose[i], err));
        }
        ns_joins_give_back(t, chain);
    }
    return NS_OK;
}

static ns_status empty_leaving(ns_tally *t, ns_error *err)
{
    t->left = 0;
    for (int i = 0; i < t->sink.steps; i++)
        NS_TRY(take_all_sent(t, i, err));
    return NS_OK;
}

/* A message between nodes in its receiver's row.  Senders come from anywhere: their rows are reached node by node, when
 * there are many messages of each. */
static inline ns_status take_received(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    const int32_t *node_of = t->site->node_of;
    int64_t *in;
    NS_TRY(ns_tally_row(t, step, NS_OFF_NODE, true, to, &in, err));
    note_received(t, step, true, from, in);
    const int at = ns_tally_at(t, step, NS_OFF_NODE, bytes);
    in[at]++;
    in[at + 1] += bytes;
    if (t->side > 0)
        ns_far_add(&t->far[step], t->side, node_of[from], node_of[to], bytes);
    if (t->left == t->most_left)
        NS_TRY(empty_leaving(t, err));
    t->left++;
    return ns_joins_keep(t, &t->leaving[step], node_of[from], from, to, bytes, err);
}

NS_COMPILED ns_status take(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                           ns_error *err)
{
    ns_tally *t = (ns_tally *)sink;
    const int32_t *node_of = t->site->node_of;
    const bool joins = t->joining[step] == NS_JOINED, off_node = node_of[from] != node_of[to];
    int64_t *out, *in;
    (void)slice;
    if (joins && !off_node)
        return ns_joins_keep(t, &t->chain[step], node_of[from], from, to, bytes, err);
    if (t->leave && off_node && !joins)
        return take_received(t, step, from, to, bytes, err);
    const ns_locality locality = off_node ? NS_OFF_NODE : ns_locality_of(&t->seat[from], &t->seat[to]);
    NS_TRY(ns_tally_rows(t, step, locality, from, to, &out, &in, err));
    if (off_node || t->joining[step] == NS_ONCE) {
        note_sent(t, step, off_node, to, out);
        note_received(t, step, off_node, from, in);
    }
    if (joins)
        return ns_joins_between(t, step, from, to, bytes, err);
    ns_tally_add(t, step, locality, from, to, bytes, out, in);
    return NS_OK;
}

/* What a message to come will change, on its way into the cache. */
NS_COMPILED void expect(const ns_sink *sink, int step, int32_t from, int32_t to)
{
    const ns_tally *t = (const ns_tally *)sink;
    const int32_t *node_of = t->site->node_of;
    const bool off_node = node_of[from] != node_of[to];
    const ns_book *book = &t->book[step][NS_OFF_NODE];
    if (off_node && !t->leave && book->rows > 0) {
        __builtin_prefetch(ns_book_row(t, book, false, from), 1);
        __builtin_prefetch(ns_book_row(t, book, true, to), 1);
    } else
        ns_joins_expect(t, off_node ? t->leaving[step] : t->chain[step], node_of[from]);
}

static ns_status take_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                            ns_error *err)
{
    return take(sink, step, from, to, bytes, slice, err);
}

/* Books of so few processes stay in the cache. */
static bool is_small(const ns_tally *t)
{
    return t->site->parts <= FEW_SEATED;
}

static ns_status take_routes(ns_sink *sink, const ns_task *task, int step, ns_error *err)
{
    return is_small((const ns_tally *)sink) ? ns_route_all(sink, task, step, take, NULL, err)
                                            : ns_route_all(sink, task, step, take, expect, err);
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
    memset(t->chain, 0, sizeof t->chain);
    memset(t->leaving, 0, sizeof t->leaving);
    t->page = NULL;
    t->links = t->spare = 0;
    t->link_bits = task->exchange->routes >> LARGE_LINK > task->exchange->nodes ? LARGE_LINK : SMALL_LINK;
    memset(t->far, 0, sizeof t->far);
    t->sink.send = take_slice;
    t->sink.routes = take_routes;
    t->sink.copy = take_copy;
    t->sizes = sizes;
    t->site = task->processes;
    t->leave = t->site->parts > MANY_SEATED;
    t->left = 0;
    t->most_left = FEWEST_LEFT > t->site->nodes * EACH_LEFT ? FEWEST_LEFT : t->site->nodes * EACH_LEFT;
    t->disorder = 0;
    t->side = links ? ns_cube_side(task->exchange->nodes) : 0;
    for (int d = 0; d < NS_DIRECTIONS; d++)
        t->copies[d] = t->copy_bytes[d] = 0;
    for (int i = 0; i < NS_STEPS && strategy->steps != NULL && strategy->steps[i].name != NULL; i++)
        t->joining[i] = strategy->steps[i].joining;
    return seat_all(t, task->exchange, err);
}

ns_status ns_tally_run(ns_tally *tally, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                       bool links, ns_error *err)
{
    NS_TRY(tally_open(tally, strategy, task, sizes, links, err));
    NS_TRY(ns_sink_run(&tally->sink, strategy, task, err));
    NS_TRY(empty_leaving(tally, err));
    for (int i = 0; i < tally->sink.steps; i++)
        NS_TRY(ns_joins_close(tally, i, err));
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
            ns_free(tally->book[i][l].word);
    ns_free(tally->loose);
    ns_free(tally->after);
    ns_free(tally->ends);
}
