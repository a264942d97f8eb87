/* route.c -- gather, exchange, scatter: chunks and routes on their way to a sink
 *
 * What a part sends is a stream: its on-node routes by receiver, then its entries of each L by receiving node.  What it
 * receives is another: on-node routes by sender, then its entries of each L by sending node.  Where a part has several
 * holders, holder t has the t-th equal share of both streams; with one holder every cut below is the whole.
 */
#include "core/context.h"
#include "schedule/rule.h"

/* What a part sends or receives, while it is dealt to the part's holders. */
typedef struct stream {
    int64_t total, at, end; /* its length, how much is dealt, where the share of the holder ends */
    int32_t holder;
} stream;

/* The next entries of a stream, at most `most`, that fall to one holder. */
static inline int64_t stream_deal(int32_t holders, stream *s, int64_t most, int32_t *holder)
{
    if (holders == 1) {
        *holder = 0;
        return most;
    }
    while (s->end <= s->at)
        s->end = ns_share_end(s->total, holders, ++s->holder);
    *holder = s->holder;
    return most < s->end - s->at ? most : s->end - s->at;
}

/* What a holder of a part of the receiving node needs of a chunk: entries within [first, end). */
typedef struct wanted {
    int64_t first, end, entries;
    int32_t part, holder;
} wanted;

typedef struct router {
    ns_sink *sink;
    const ns_task *task;
    const ns_exchange *exchange;
    int gather, exchange_step, scatter; /* gather: -1 where there is none */
    stream *sent, *received;            /* [parts] */
    wanted *open;                       /* [parts of a node * holders] of this chunk, by local index and holder */
    wanted **touched;                   /* those of them that want any */
    int32_t touches;
    int32_t holders;
} router;

static ns_status refuse_gathered(const ns_run *run, const ns_chunk *chunk, ns_error *err)
{
    return ns_fail(err, NS_ERR_DATA,
                   "a chunk of part %d leaves process %d, which does not hold it, and nothing is gathered",
                   (int)run->origin, (int)chunk->sender);
}

static bool is_inside(const ns_exchange *x, const ns_route *route)
{
    return x->site->node_of[route->from] == x->site->node_of[route->to];
}

/* Processes are known to be some: those of a chunk were checked. */
static ns_status route_put(router *r, int step, int32_t from, int32_t to, int64_t entries, const ns_slice *slice,
                           ns_error *err)
{
    return from == to || entries == 0
               ? NS_OK
               : r->sink->send(r->sink, step, from, to, entries * r->exchange->width, slice, err);
}

/* On-node routes, cut where either end changes its holder. */
static ns_status route_inside(router *r, const ns_route *route, ns_error *err)
{
    const int32_t *home = r->task->home;
    stream *sent = &r->sent[route->from], *received = &r->received[route->to];
    for (int64_t done = 0, part; done < route->entries; done += part) {
        int32_t from, to;
        part = stream_deal(r->holders, received, stream_deal(r->holders, sent, route->entries - done, &from), &to);
        const ns_slice slice = {
            .pair = -1, .first = done, .entries = part, .from = route->from, .to = route->to, .only = -1};
        NS_TRY(route_put(r, 0, home[route->from] + from, home[route->to] + to, part, &slice, err));
        sent->at += part;
        received->at += part;
    }
    return NS_OK;
}

/* Entries [first, end) of a run go from its origin's holders to the chunk's sender. */
static ns_status route_gather(router *r, const ns_chunk *chunk, const ns_run *run, int64_t first, int64_t end,
                              ns_error *err)
{
    while (first < end) {
        stream *sent = &r->sent[run->origin];
        int32_t holder;
        const int64_t part = stream_deal(r->holders, sent, end - first, &holder);
        const int32_t from = r->task->home[run->origin] + holder;
        const ns_slice slice = {.pair = chunk->pair, .first = first, .entries = part, .from = -1, .to = -1, .only = -1};
        if (r->gather >= 0)
            NS_TRY(route_put(r, r->gather, from, chunk->sender, part, &slice, err));
        else if (from != chunk->sender)
            return refuse_gathered(run, chunk, err);
        sent->at += part;
        first += part;
    }
    return NS_OK;
}

/* Entries [first, end) of a run are needed by part p: note them of its holders. */
static void route_note(router *r, int32_t p, int64_t first, int64_t end)
{
    stream *received = &r->received[p];
    wanted *of = r->open + (int64_t)r->exchange->site->local_of[p] * r->holders;
    while (first < end) {
        int32_t holder;
        const int64_t part = stream_deal(r->holders, received, end - first, &holder);
        wanted *open = &of[holder];
        if (open->entries == 0) {
            *open = (wanted){.first = first, .part = p, .holder = holder};
            r->touched[r->touches++] = open;
        }
        open->end = first + part;
        open->entries += part;
        received->at += part;
        first += part;
    }
}

/* Send a holder what it needs of the chunk, in one slice. */
static ns_status route_scatter(router *r, const ns_chunk *chunk, const wanted *open, ns_error *err)
{
    const ns_slice slice = {.pair = chunk->pair,
                            .first = open->first,
                            .entries = open->end - open->first,
                            .from = -1,
                            .to = -1,
                            .only = open->part};
    return route_put(r, r->scatter, chunk->receiver, r->task->home[open->part] + open->holder, open->entries, &slice,
                     err);
}

/* A chunk within one run, of parts with one holder: each of these needs all of it. */
static ns_status route_whole(router *r, const ns_chunk *chunk, const ns_run *run, ns_error *err)
{
    const int32_t *needer = r->exchange->needer + run->needer;
    for (int32_t i = 0; i < run->needers; i++) {
        const wanted all = {chunk->first, chunk->first + chunk->entries, chunk->entries, needer[i], 0};
        NS_TRY(route_scatter(r, chunk, &all, err));
    }
    return NS_OK;
}

static ns_status route_cut(router *r, const ns_chunk *chunk, int64_t *run, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    const int64_t end = chunk->first + chunk->entries;
    for (int64_t at = chunk->first; at < end;) {
        const ns_run *now = &x->run[*run];
        const int64_t until = end < now->first + now->entries ? end : now->first + now->entries;
        NS_TRY(route_gather(r, chunk, now, at, until, err));
        for (int32_t i = 0; i < now->needers; i++)
            route_note(r, x->needer[now->needer + i], at, until);
        *run += until == now->first + now->entries;
        at = until;
    }
    for (int32_t i = 0; i < r->touches; i++) {
        NS_TRY(route_scatter(r, chunk, r->touched[i], err));
        r->touched[i]->entries = 0;
    }
    r->touches = 0;
    return NS_OK;
}

/* One chunk; *run is the pair's first run that is not wholly dealt yet. */
static ns_status route_chunk(router *r, const ns_chunk *chunk, int64_t *run, ns_error *err)
{
    const ns_run *now = &r->exchange->run[*run];
    const int64_t end = chunk->first + chunk->entries, run_end = now->first + now->entries;
    const ns_slice slice = {
        .pair = chunk->pair, .first = chunk->first, .entries = chunk->entries, .from = -1, .to = -1, .only = -1};
    NS_TRY(route_put(r, r->exchange_step, chunk->sender, chunk->receiver, chunk->entries, &slice, err));
    if (r->holders > 1 || end > run_end)
        return route_cut(r, chunk, run, err);
    NS_TRY(route_gather(r, chunk, now, chunk->first, end, err));
    *run += end == run_end;
    return route_whole(r, chunk, now, err);
}

/* All slices of sorted chunks that cover every pair. */
static ns_status route_chunks(router *r, const ns_chunk *chunk, int64_t chunks, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (is_inside(x, &x->route[i]))
            NS_TRY(route_inside(r, &x->route[i], err));
    }
    for (int64_t i = 0, run = 0; i < chunks; i++) {
        NS_TRY(ns_context_tick(4, err)); /* a chunk has a few slices */
        if (i == 0 || chunk[i].pair != chunk[i - 1].pair)
            run = x->pair[chunk[i].pair].run;
        NS_TRY(route_chunk(r, &chunk[i], &run, err));
    }
    return NS_OK;
}

/* Shares are of whole streams; with one holder their lengths are known when all is dealt. */
static ns_status measure_streams(router *r, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (is_inside(x, &x->route[i]))
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

static ns_status router_open(router *r, ns_sink *sink, const ns_task *task, bool gathers, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const size_t parts = (size_t)x->parts, node = (size_t)(x->per_node < x->parts ? x->per_node : x->parts),
                 slots = node * (size_t)task->holders; /* a node may have more places than there are parts */
    void *room;
    *r = (router){.sink = sink, .task = task, .exchange = x, .gather = gathers ? 0 : -1, .holders = task->holders};
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

/* All is dealt: what a part sent is its stream's length. */
static ns_status add_copies(const router *r, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    const int32_t holders = r->holders;
    for (int32_t p = 0; p < x->parts; p++)
        for (int32_t t = 0; t < holders; t++) {
            const int32_t process = r->task->home[p] + t;
            NS_TRY(ns_sink_copy(r->sink, NS_D2H, p, process, ns_share(r->sent[p].at, holders, t) * x->width, err));
            NS_TRY(ns_sink_copy(r->sink, NS_H2D, p, process, ns_share(x->need[p], holders, t) * x->width, err));
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
    router r;
    NS_TRY(check_chunks(sink, task, chunk, chunks, gathers, err));
    NS_TRY(router_open(&r, sink, task, gathers, err));
    NS_TRY(route_chunks(&r, chunk, chunks, err));
    return add_copies(&r, err);
}

ns_status ns_sink_routes(ns_sink *sink, const ns_task *task, int step, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    if (step < 0 || step >= sink->steps)
        return ns_fail(err, NS_ERR_RANGE, "%s sends its routes in step %d; it has %d steps", sink->strategy->name, step,
                       sink->steps);
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        NS_TRY(ns_context_turn(i, err));
        NS_TRY(ns_sink_send(sink, step, task->home[route->from], task->home[route->to], route->entries * x->width,
                            &slice, err));
    }
    return NS_OK;
}
