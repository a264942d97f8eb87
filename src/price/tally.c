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
#include "price/partners.h"

#include <stdlib.h>
#include <string.h>

enum { SUM_WORDS = sizeof(ns_class_sum) / sizeof(int64_t) };

static inline ns_locality locality_of(const ns_site *site, int32_t a, int32_t b)
{
    if (site->node_of[a] != site->node_of[b])
        return NS_OFF_NODE;
    return site->socket_of[a] == site->socket_of[b] ? NS_ON_SOCKET : NS_ON_NODE;
}

/* ---- books -------------------------------------------------------------------------------------------------------- */

/* Rows whose order tells something have a head. */
static ns_status open_book(ns_tally *t, int step, ns_locality locality, ns_error *err)
{
    ns_book *book = &t->book[step][locality];
    const size_t processes = (size_t)t->site->parts;
    void *room;
    book->head = locality == NS_OFF_NODE || t->joining[step] == NS_ONCE ? NS_HEAD_WORDS : 0;
    book->stride = book->head + SUM_WORDS * t->sizes->count[locality];
    NS_TRY(
        ns_arena_zeroed(&t->memory, ns_size_mul(2 * processes, (size_t)book->stride), sizeof *book->out, &room, err));
    book->out = room;
    book->in = book->out + (int64_t)processes * book->stride;
    return NS_OK;
}

static inline void add_to(int64_t *row, int head, int size, int64_t bytes)
{
    int64_t *sum = row + head + SUM_WORDS * size;
    sum[0]++;
    sum[1] += bytes;
}

static inline void add_message(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to, int64_t bytes)
{
    const ns_book *book = &t->book[step][locality];
    const double *first = t->sizes->from[locality];
    int size = 0;
    for (int i = 1; i < t->sizes->count[locality]; i++)
        size += (double)bytes >= first[i];
    add_to(book->out + from * book->stride, book->head, size, bytes);
    add_to(book->in + to * book->stride, book->head, size, bytes);
    if (t->side > 0 && locality == NS_OFF_NODE)
        ns_far_add(&t->far[step], t->side, t->site->node_of[from], t->site->node_of[to], bytes);
}

/* What the order of the messages proves, kept with their rows. */
static inline void note_order(ns_tally *t, int step, ns_locality locality, int32_t from, int32_t to)
{
    const ns_book *book = &t->book[step][locality];
    const ns_site *site = t->site;
    ns_head *out = (ns_head *)(void *)(book->out + from * book->stride),
            *in = (ns_head *)(void *)(book->in + to * book->stride);
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

/* ---- joining ------------------------------------------------------------------------------------------------------ */

typedef struct ns_joined_entry {
    int32_t from, to;
    int64_t bytes; /* 0: free */
} joined_entry;

enum { FIRST_BITS = 8, LINE = 4 }; /* entries of a line of cache */

/* Where to look first: receivers of neighbouring numbers lie side by side. */
static inline uint64_t home_of(int32_t from, int32_t to, int bits)
{
    const uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)to / LINE;
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return (hash >> (64 - bits) & ~(uint64_t)(LINE - 1)) | (uint32_t)to % LINE;
}

static inline joined_entry *find_entry(const ns_joined *j, int32_t from, int32_t to)
{
    const uint64_t mask = (UINT64_C(1) << j->bits) - 1;
    uint64_t at = home_of(from, to, j->bits);
    while (j->entry[at].bytes != 0 && (j->entry[at].from != from || j->entry[at].to != to))
        at = (at + 1) & mask;
    return &j->entry[at];
}

static ns_status widen(ns_tally *t, ns_joined *j, ns_error *err)
{
    ns_joined wide = {.bits = j->bits > 0 ? j->bits + 2 : FIRST_BITS, .count = j->count};
    void *room;
    NS_TRY(ns_arena_zeroed(&t->memory, (size_t)1 << wide.bits, sizeof *wide.entry, &room, err));
    wide.entry = room;
    for (int64_t i = 0; j->bits > 0 && i < INT64_C(1) << j->bits; i++)
        if (j->entry[i].bytes != 0)
            *find_entry(&wide, j->entry[i].from, j->entry[i].to) = j->entry[i];
    *j = wide;
    return NS_OK;
}

static inline ns_status join(ns_tally *t, int step, int32_t from, int32_t to, int64_t bytes, ns_error *err)
{
    ns_joined *j = &t->joined[step];
    if (j->bits == 0 || 2 * j->count >= INT64_C(1) << j->bits)
        NS_TRY(widen(t, j, err));
    joined_entry *entry = find_entry(j, from, to);
    j->count += entry->bytes == 0;
    entry->from = from;
    entry->to = to;
    entry->bytes += bytes;
    return NS_OK;
}

static ns_status close_joined(ns_tally *t, int step, ns_error *err)
{
    const ns_joined *j = &t->joined[step];
    for (int64_t i = 0; j->bits > 0 && i < INT64_C(1) << j->bits; i++) {
        const joined_entry *one = &j->entry[i];
        if (one->bytes == 0)
            continue;
        const ns_locality locality = locality_of(t->site, one->from, one->to);
        if (t->book[step][locality].out == NULL)
            NS_TRY(open_book(t, step, locality, err));
        add_message(t, step, locality, one->from, one->to, one->bytes);
    }
    return NS_OK;
}

/* ---- the sink ----------------------------------------------------------------------------------------------------- */

static ns_status take_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                            ns_error *err)
{
    ns_tally *t = (ns_tally *)sink;
    (void)slice;
    const bool joins = t->joining[step] == NS_JOINED;
    const ns_locality locality = locality_of(t->site, from, to);
    const bool ordered = locality == NS_OFF_NODE || t->joining[step] == NS_ONCE;
    if ((ordered || !joins) && t->book[step][locality].out == NULL)
        NS_TRY(open_book(t, step, locality, err));
    if (ordered)
        note_order(t, step, locality, from, to);
    if (joins)
        return join(t, step, from, to, bytes, err);
    add_message(t, step, locality, from, to, bytes);
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

static void tally_open(ns_tally *t, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes, bool links)
{
    ns_arena_reset(&t->memory);
    memset(t->book, 0, sizeof t->book);
    memset(t->joined, 0, sizeof t->joined);
    memset(t->far, 0, sizeof t->far);
    t->sink.send = take_slice;
    t->sink.copy = take_copy;
    t->sizes = sizes;
    t->site = task->processes;
    t->disorder = 0;
    t->side = links ? ns_cube_side(task->exchange->nodes) : 0;
    for (int d = 0; d < NS_DIRECTIONS; d++)
        t->copies[d] = t->copy_bytes[d] = 0;
    for (int i = 0; i < NS_STEPS && strategy->steps != NULL && strategy->steps[i].name != NULL; i++)
        t->joining[i] = strategy->steps[i].joining;
}

ns_status ns_tally_run(ns_tally *tally, const ns_strategy *strategy, const ns_task *task, const ns_sizes *sizes,
                       bool links, ns_error *err)
{
    tally_open(tally, strategy, task, sizes, links);
    NS_TRY(ns_sink_run(&tally->sink, strategy, task, err));
    for (int i = 0; i < tally->sink.steps; i++)
        NS_TRY(close_joined(tally, i, err));
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
