/* route.c -- chunks and routes on their way to a sink */
#include "schedule/route.h"
#include "core/context.h"

static ns_status put(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                     ns_error *err)
{
    return sink->send(sink, step, from, to, bytes, slice, err);
}

ns_status ns_refuse_gathered(const ns_run *run, const ns_chunk *chunk, ns_error *err)
{
    return ns_fail(err, NS_ERR_DATA,
                   "a chunk of part %d leaves process %d, which does not hold it, and nothing is gathered",
                   (int)run->origin, (int)chunk->sender);
}

/* Shares are of whole streams; with one holder their lengths are known when all is dealt. */
static ns_status measure_streams(ns_router *r, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (ns_route_is_inside(x, &x->route[i]))
            r->sent[x->route[i].from].total += x->route[i].entries;
    }
    for (int64_t i = 0; i < x->runs; i++) {
        NS_TRY(ns_context_turn(i, err));
        r->sent[x->run[i].origin].total += x->run[i].entries;
    }
    for (int32_t p = 0; p < x->parts; p++) {
        r->received[p].total = x->need[p];
        r->sent[p].end = ns_share_end(r->sent[p].total, r->holders, 0);
        r->received[p].end = ns_share_end(x->need[p], r->holders, 0);
    }
    return NS_OK;
}

static ns_status router_open(ns_router *r, ns_sink *sink, const ns_task *task, bool gathers, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const size_t parts = (size_t)x->parts, node = (size_t)(x->per_node < x->parts ? x->per_node : x->parts),
                 slots = node * (size_t)task->holders; /* a node may have more places than there are parts */
    void *room;
    *r = (ns_router){.sink = sink, .task = task, .exchange = x, .gather = gathers ? 0 : -1, .holders = task->holders};
    r->exchange_step = r->gather + 1;
    r->scatter = r->gather + 2;
    NS_TRY(ns_arena_zeroed(&sink->room, 2 * parts, sizeof *r->sent, &room, err));
    r->sent = room;
    r->received = r->sent + parts;
    NS_TRY(ns_arena_zeroed(&sink->room, slots, sizeof *r->open, &room, err));
    r->open = room;
    NS_TRY(ns_sink_room(sink, slots, sizeof *r->touched, &room, err));
    r->touched = room;
    return r->holders > 1 ? measure_streams(r, err) : NS_OK;
}

static int64_t share(int64_t total, int32_t holders, int32_t t)
{
    return ns_share_end(total, holders, t) - (t > 0 ? ns_share_end(total, holders, t - 1) : 0);
}

/* All is dealt: what a part sent is its stream's length. */
static ns_status add_copies(const ns_router *r, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    const int32_t holders = r->holders;
    for (int32_t p = 0; p < x->parts; p++)
        for (int32_t t = 0; t < holders; t++) {
            const int32_t process = r->task->home[p] + t;
            NS_TRY(ns_sink_copy(r->sink, NS_D2H, p, process, share(r->sent[p].at, holders, t) * x->width, err));
            NS_TRY(ns_sink_copy(r->sink, NS_H2D, p, process, share(x->need[p], holders, t) * x->width, err));
        }
    return NS_OK;
}

static bool is_process(const ns_task *task, int32_t process)
{
    return process >= 0 && process < task->processes->parts;
}

/* Do the chunks cover every pair, in order, between processes that there are? */
static ns_status check_chunks(const ns_sink *sink, const ns_task *task, const ns_chunk *chunk, int64_t chunks,
                              bool gathers, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const int steps = gathers ? 3 : 2;
    int64_t pair = 0, at = 0;
    for (int64_t i = 0; i < chunks; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (pair == x->pairs || chunk[i].pair != pair || chunk[i].first != at || chunk[i].entries < 1 ||
            chunk[i].entries > x->pair[pair].entries - at)
            return ns_fail(err, NS_ERR_DATA, "chunk %lld is not the next of pair %lld of nodes", (long long)i,
                           (long long)pair);
        if (!is_process(task, chunk[i].sender) || !is_process(task, chunk[i].receiver))
            return ns_fail(err, NS_ERR_RANGE, "chunk %lld goes from process %d to process %d; there are %d processes",
                           (long long)i, (int)chunk[i].sender, (int)chunk[i].receiver, (int)task->processes->parts);
        at += chunk[i].entries;
        if (at == x->pair[pair].entries)
            pair++, at = 0;
    }
    if (pair < x->pairs)
        return ns_fail(err, NS_ERR_DATA, "pair %lld of nodes is not cut into chunks", (long long)pair);
    return sink->steps >= steps ? NS_OK
                                : ns_fail(err, NS_ERR_RANGE, "%s has %d steps; its chunks want %d",
                                          sink->strategy->name, sink->steps, steps);
}

ns_status ns_sink_chunks(ns_sink *sink, const ns_task *task, const ns_chunk *chunk, int64_t chunks, bool gathers,
                         ns_error *err)
{
    ns_router r;
    NS_TRY(check_chunks(sink, task, chunk, chunks, gathers, err));
    NS_TRY(router_open(&r, sink, task, gathers, err));
    if (sink->chunks != NULL)
        NS_TRY(sink->chunks(&r, chunk, chunks, err));
    else {
        r.put = put;
        NS_TRY(ns_route_chunks(&r, chunk, chunks, err));
    }
    return add_copies(&r, err);
}

ns_status ns_sink_routes(ns_sink *sink, const ns_task *task, int step, ns_error *err)
{
    if (step < 0 || step >= sink->steps)
        return ns_fail(err, NS_ERR_RANGE, "%s sends its routes in step %d; it has %d steps", sink->strategy->name, step,
                       sink->steps);
    return sink->routes != NULL ? sink->routes(sink, task, step, err) : ns_route_all(sink, task, step, put, NULL, err);
}
