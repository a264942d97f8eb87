/* partners.c -- other nodes that processes meet in a step whose messages come in any order
 *
 * The ends of the step's messages are listed and sorted by one of them, by counting; then each process' other ends are
 * stamped.
 */
#include "price/partners.h"
#include "core/context.h"

#include "core/memory.h"

#include <string.h>

typedef struct ns_ends {
    int32_t from, to;
} ends;

/* The ends of messages by one of them: process p has other[first[p]] to other[first[p + 1] - 1]. */
typedef struct sorted_ends {
    int64_t *first;
    int32_t *other;
} sorted_ends;

static ns_status list_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                            ns_error *err)
{
    ns_tally *t = (ns_tally *)sink;
    const bool off_node = t->site->node_of[from] != t->site->node_of[to];
    (void)bytes, (void)slice;
    if (step != t->listed || (!off_node && t->joining[step] != NS_ONCE))
        return NS_OK;
    ns_budget budget = {0};
    void *memory = t->ends;
    NS_TRY(ns_grow(&memory, &t->end_capacity, t->end_count + 1, sizeof *t->ends, &budget, err));
    t->ends = memory;
    t->ends[t->end_count++] = (ends){from, to};
    return NS_OK;
}

static ns_status pass_copy(ns_sink *sink, ns_direction direction, int32_t part, int32_t process, int64_t bytes,
                           ns_error *err)
{
    (void)sink, (void)direction, (void)part, (void)process, (void)bytes, (void)err;
    return NS_OK;
}

static ns_status sort_ends(ns_tally *t, bool receiving, sorted_ends *sorted, ns_error *err)
{
    const size_t processes = (size_t)t->site->parts;
    void *room;
    NS_TRY(ns_arena_zeroed(&t->memory, processes + 2, sizeof *sorted->first, &room, err));
    sorted->first = room; /* while it counts one further on, as in order.c */
    NS_TRY(ns_arena_take(&t->memory, (size_t)t->end_count, sizeof *sorted->other, &room, err));
    sorted->other = room;
    for (int64_t i = 0; i < t->end_count; i++) {
        NS_TRY(ns_context_turn(i, err));
        sorted->first[(receiving ? t->ends[i].to : t->ends[i].from) + 2]++;
    }
    for (size_t p = 2; p < processes + 2; p++)
        sorted->first[p] += sorted->first[p - 1];
    for (int64_t i = 0; i < t->end_count; i++) {
        const ends *one = &t->ends[i];
        NS_TRY(ns_context_turn(i, err));
        sorted->other[sorted->first[(receiving ? one->to : one->from) + 1]++] = receiving ? one->from : one->to;
    }
    return NS_OK;
}

static void count_nodes(ns_tally *t, const sorted_ends *sorted, bool receiving, int32_t *met)
{
    const ns_book *book = &t->book[t->listed][NS_OFF_NODE];
    const int32_t *node_of = t->site->node_of;
    memset(met, 0, (size_t)t->site->nodes * sizeof *met);
    for (int32_t p = 0; book->rows > 0 && p < t->site->parts; p++) {
        int32_t count = 0;
        for (int64_t i = sorted->first[p]; i < sorted->first[p + 1]; i++) {
            const int32_t node = node_of[sorted->other[i]];
            count += node != node_of[p] && met[node] != p + 1;
            met[node] = p + 1;
        }
        if (t->seat[p].row > 0 && t->seat[p].row < book->rows)
            ((ns_head *)(void *)ns_book_row(t, book, receiving, p))->partners = count;
    }
}

/* A process sends at most once to another. */
static ns_status check_once(const ns_tally *t, const sorted_ends *sorted, int32_t *met, ns_error *err)
{
    memset(met, 0, (size_t)t->site->parts * sizeof *met);
    for (int32_t p = 0; p < t->site->parts; p++) {
        int32_t twice = INT32_MAX;
        for (int64_t i = sorted->first[p]; i < sorted->first[p + 1]; i++) {
            const int32_t other = sorted->other[i];
            twice = other < twice && met[other] == p + 1 ? other : twice;
            met[other] = p + 1;
        }
        if (twice < INT32_MAX)
            return ns_refuse_twice(t->sink.strategy, t->listed, p, twice, err);
    }
    return NS_OK;
}

ns_status ns_partners_count(ns_tally *t, int step, ns_error *err)
{
    const int32_t most = t->site->parts > t->site->nodes ? t->site->parts : t->site->nodes;
    sorted_ends sorted;
    void *met;
    t->listed = step;
    t->end_count = 0;
    t->sink.send = list_slice;
    t->sink.copy = pass_copy;
    t->sink.routes = NULL;
    NS_TRY(ns_sink_run(&t->sink, t->sink.strategy, t->sink.task, err));
    NS_TRY(ns_arena_take(&t->memory, (size_t)most, sizeof(int32_t), &met, err));
    for (int receiving = 0; receiving < 2; receiving++) {
        NS_TRY(sort_ends(t, receiving != 0, &sorted, err));
        if (receiving == 0 && t->joining[step] == NS_ONCE)
            NS_TRY(check_once(t, &sorted, met, err));
        count_nodes(t, &sorted, receiving != 0, met);
    }
    return NS_OK;
}
