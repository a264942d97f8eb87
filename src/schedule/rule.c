/* rule.c -- the chunks of all nodes by a strategy's rule */
#include "schedule/rule.h"

/* Chunks of at most the cap of their receiving node; counted where there is no room for them. */
static int64_t cut_by_cap(const ns_task *task, const ns_rule *rule, ns_chunk *chunk)
{
    const ns_exchange *x = task->exchange;
    int64_t count = 0;
    for (int64_t first = 0, end; first < x->pairs; first = end) {
        for (end = first; end < x->pairs && x->pair[end].to == x->pair[first].to; end++)
            ;
        const int64_t cap = rule->cap != NULL ? rule->cap(task, &x->pair[first], end - first) : INT64_MAX;
        for (int64_t i = first; i < end; i++)
            for (int64_t at = 0, part; at < x->pair[i].entries; at += part, count++) {
                part = x->pair[i].entries - at < cap ? x->pair[i].entries - at : cap;
                if (chunk != NULL)
                    chunk[count] = (ns_chunk){.pair = i, .first = at, .entries = part};
            }
    }
    return count;
}

/* A chunk per origin of each L: its runs lie together. */
static int64_t cut_by_origin(const ns_task *task, const ns_rule *rule, ns_chunk *chunk)
{
    const ns_exchange *x = task->exchange;
    int64_t count = 0;
    for (int64_t i = 0; i < x->pairs; i++) {
        const ns_pair *pair = &x->pair[i];
        int32_t last = -1;
        for (int64_t r = pair->run; r < pair->run + pair->runs; r++) {
            const ns_run *run = &x->run[r];
            if (run->origin != last)
                chunk[count++] =
                    (ns_chunk){.pair = i,
                               .first = run->first,
                               .sender = run->origin,
                               .receiver = ns_site_at(task->processes, pair->to,
                                                      rule->takes(task->processes, run->origin, pair->to))};
            chunk[count - 1].entries += run->entries;
            last = run->origin;
        }
    }
    return count;
}

/* Room for what is dealt at one node. */
typedef struct table {
    int64_t *entries;
    uint64_t *key;
    int32_t *order, *local;
    ns_hand *hand;
} table;

static ns_status open_table(ns_sink *sink, const int64_t *first, const ns_task *task, table *t, ns_error *err)
{
    int64_t most = 0;
    for (int32_t node = 0; node < task->exchange->nodes; node++)
        most = first[node + 1] - first[node] > most ? first[node + 1] - first[node] : most;
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)most, sizeof *t->entries, &room, err));
    t->entries = room;
    NS_TRY(ns_sink_room(sink, (size_t)most, 2 * sizeof *t->key, &room, err));
    t->key = room;
    NS_TRY(ns_sink_room(sink, (size_t)most, 2 * sizeof *t->order, &room, err));
    t->order = room;
    t->local = t->order + most;
    const int32_t processes = task->processes->parts, size = task->processes->per_node;
    NS_TRY(ns_sink_room(sink, (size_t)(size < processes ? size : processes), sizeof *t->hand, &room, err));
    t->hand = room;
    return NS_OK;
}

/* Choose the sender (or receiver) of every chunk. */
static ns_status deal(const ns_task *task, ns_sink *sink, const ns_rule *rule, ns_chunk *chunk, int64_t chunks,
                      bool receiving, ns_error *err)
{
    const ns_arena_place mark = ns_arena_mark(&sink->room);
    int64_t *of, *first;
    table t;
    NS_TRY(ns_chunks_by_node(sink, task->exchange, chunk, chunks, receiving, &of, &first, err));
    NS_TRY(open_table(sink, first, task, &t, err));
    for (int32_t node = 0; node < task->exchange->nodes; node++) {
        const ns_chunk_list list = {first[node + 1] - first[node], t.entries, t.order,
                                    ns_site_node_size(task->processes, node), receiving};
        for (int64_t i = 0; i < list.count; i++)
            t.entries[i] = chunk[of[first[node] + i]].entries;
        ns_order_by_size(t.entries, list.count, t.key, t.order);
        rule->deal(&list, t.hand, t.local);
        for (int64_t i = 0; i < list.count; i++) {
            ns_chunk *one = &chunk[of[first[node] + i]];
            *(receiving ? &one->receiver : &one->sender) = ns_site_at(task->processes, node, t.local[i]);
        }
    }
    ns_arena_release(&sink->room, mark);
    return NS_OK;
}

ns_status ns_sink_route_copies(ns_sink *sink, const ns_task *task, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    void *room;
    NS_TRY(ns_arena_zeroed(&sink->room, (size_t)x->parts, sizeof(int64_t), &room, err));
    int64_t *sent = room;
    for (int64_t i = 0; i < x->routes; i++)
        sent[x->route[i].from] += x->route[i].entries * x->width;
    for (int32_t p = 0; p < x->parts; p++) {
        NS_TRY(ns_sink_copy(sink, NS_D2H, p, task->home[p], sent[p], err));
        NS_TRY(ns_sink_copy(sink, NS_H2D, p, task->home[p], x->need[p] * x->width, err));
    }
    return NS_OK;
}

ns_status ns_rule_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_rule *rule = sink->strategy->rule;
    const bool dealt = rule->deal != NULL;
    if (!dealt && rule->takes == NULL) {
        NS_TRY(ns_sink_routes(sink, task, 0, err));
        return ns_sink_route_copies(sink, task, err);
    }
    const int64_t most = dealt ? cut_by_cap(task, rule, NULL) : task->exchange->runs;
    void *room;
    NS_TRY(ns_sink_room(sink, (size_t)most, sizeof(ns_chunk), &room, err));
    const int64_t chunks = dealt ? cut_by_cap(task, rule, room) : cut_by_origin(task, rule, room);
    if (dealt) {
        NS_TRY(deal(task, sink, rule, room, chunks, true, err));
        NS_TRY(deal(task, sink, rule, room, chunks, false, err));
    }
    return ns_sink_chunks(sink, task, room, chunks, dealt, err);
}

ns_status ns_rule_check(const ns_strategy *strategy, ns_error *err)
{
    const ns_rule *rule = strategy->rule;
    const int steps = ns_strategy_steps(strategy), gathers = rule->deal != NULL,
              wanted = gathers || rule->takes != NULL ? gathers + 2 : 1;
    if (steps != wanted)
        return ns_fail(err, NS_ERR_DATA, "%s has %d steps; its rule has %d", strategy->name, steps, wanted);
    for (int i = 0; i < steps; i++) {
        const ns_joining joining = strategy->steps[i].joining;
        const bool fits = i != gathers        ? joining == NS_JOINED
                          : rule->cap != NULL ? joining == NS_APART
                                              : joining == NS_ONCE || (wanted > 1 && joining == NS_APART);
        if (!fits)
            return ns_fail(err, NS_ERR_DATA, "%s: slices of its step \"%s\" do not become messages as its rule says",
                           strategy->name, strategy->steps[i].name);
    }
    return NS_OK;
}

bool ns_strategy_is_local(const ns_strategy *strategy)
{
    return strategy->rule != NULL && strategy->rule->cap == NULL && strategy->same_messages &&
           !strategy->all_processes && strategy->holders <= 1;
}
