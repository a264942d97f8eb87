/* route.h -- gather, exchange, scatter: node-aware strategies differ only in how they cut L(M,N) into chunks
 *
 * What a part sends is a stream: its on-node routes by receiver, then its entries of each L by receiving node.  What it
 * receives is another: on-node routes by sender, then its entries of each L by sending node.  Where a part has several
 * holders, holder t has the t-th equal share of both streams; with one holder every cut below is the whole.
 *
 * The rule stands here once, for any sink, and is compiled for each: a call for each slice would take longer than
 * adding it up.  So the functions are inline, and what puts a slice is a constant, as one holder is.
 */
#ifndef NS_SCHEDULE_ROUTE_H
#define NS_SCHEDULE_ROUTE_H

#include "core/context.h"
#include "schedule/schedule.h"

#define NS_COMPILED static inline __attribute__((always_inline))

/* What takes a slice, from != to and bytes > 0, between processes that there are; and what is told of one to come. */
typedef ns_status ns_put_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                               ns_error *err);
typedef void ns_expect_slice(const ns_sink *sink, int step, int32_t from, int32_t to);

/* What a part sends or receives, while it is dealt to the part's holders. */
typedef struct ns_stream {
    int64_t total, at, end; /* its length, how much is dealt, where the share of the holder ends */
    int32_t holder;
} ns_stream;

/* What a holder of a part of the receiving node needs of a chunk: entries within [first, end). */
typedef struct ns_wanted {
    int64_t first, end, entries;
    int32_t part, holder;
} ns_wanted;

typedef struct ns_router {
    ns_sink *sink;
    const ns_task *task;
    const ns_exchange *exchange;
    int gather, exchange_step, scatter; /* gather: -1 where there is none */
    ns_stream *sent, *received;         /* [parts] */
    ns_wanted *open;                    /* [parts of a node * holders] of this chunk, by local index and holder */
    ns_wanted **touched;                /* those of them that want any */
    int32_t touches;
    /* Constants of a compiled router. */
    int32_t holders;
    ns_put_slice *put;
    ns_expect_slice *expect; /* NULL: nobody is told */
} ns_router;

/* Where the share of holder t of a stream ends. */
static inline int64_t ns_share_end(int64_t total, int32_t holders, int32_t t)
{
    return total / holders * (t + 1) + total % holders * (t + 1) / holders;
}

/* The next entries of a stream, at most `most`, that fall to one holder. */
NS_COMPILED int64_t ns_stream_deal(const ns_router *r, ns_stream *s, int64_t most, int32_t *holder)
{
    if (r->holders == 1) {
        *holder = 0;
        return most;
    }
    while (s->end <= s->at)
        s->end = ns_share_end(s->total, r->holders, ++s->holder);
    *holder = s->holder;
    return most < s->end - s->at ? most : s->end - s->at;
}

/* Processes are known to be some: those of a chunk were checked. */
NS_COMPILED ns_status ns_route_put(ns_router *r, int step, int32_t from, int32_t to, int64_t entries,
                                   const ns_slice *slice, ns_error *err)
{
    return from == to || entries == 0 ? NS_OK
                                      : r->put(r->sink, step, from, to, entries * r->exchange->width, slice, err);
}

/* On-node routes, cut where either end changes its holder. */
NS_COMPILED ns_status ns_route_inside(ns_router *r, const ns_route *route, ns_error *err)
{
    const int32_t *home = r->task->home;
    ns_stream *sent = &r->sent[route->from], *received = &r->received[route->to];
    for (int64_t done = 0, part; done < route->entries; done += part) {
        int32_t from, to;
        part = ns_stream_deal(r, received, ns_stream_deal(r, sent, route->entries - done, &from), &to);
        const ns_slice slice = {
            .pair = -1, .first = done, .entries = part, .from = route->from, .to = route->to, .only = -1};
        NS_TRY(ns_route_put(r, 0, home[route->from] + from, home[route->to] + to, part, &slice, err));
        sent->at += part;
        received->at += part;
    }
    return NS_OK;
}

ns_status ns_refuse_gathered(const ns_run *run, const ns_chunk *chunk, ns_error *err);

/* Entries [first, end) of a run go from its origin's holders to the chunk's sender. */
NS_COMPILED ns_status ns_route_gather(ns_router *r, const ns_chunk *chunk, const ns_run *run, int64_t first,
                                      int64_t end, ns_error *err)
{
    while (first < end) {
        ns_stream *sent = &r->sent[run->origin];
        int32_t holder;
        const int64_t part = ns_stream_deal(r, sent, end - first, &holder);
        const int32_t from = r->task->home[run->origin] + holder;
        const ns_slice slice = {.pair = chunk->pair, .first = first, .entries = part, .from = -1, .to = -1, .only = -1};
        if (r->gather >= 0)
            NS_TRY(ns_route_put(r, r->gather, from, chunk->sender, part, &slice, err));
        else if (from != chunk->sender)
            return ns_refuse_gathered(run, chunk, err);
        sent->at += part;
        first += part;
    }
    return NS_OK;
}

/* Entries [first, end) of a run are needed by part p: note them of its holders. */
NS_COMPILED void ns_route_note(ns_router *r, int32_t p, int64_t first, int64_t end)
{
    ns_stream *received = &r->received[p];
    ns_wanted *of = r->open + (int64_t)r->exchange->site->local_of[p] * r->holders;
    while (first < end) {
        int32_t holder;
        const int64_t part = ns_stream_deal(r, received, end - first, &holder);
        ns_wanted *open = &of[holder];
        if (open->entries == 0) {
            *open = (ns_wanted){.first = first, .part = p, .holder = holder};
            r->touched[r->touches++] = open;
        }
        open->end = first + part;
        open->entries += part;
        received->at += part;
        first += part;
    }
}

/* Send a holder what it needs of the chunk, in one slice. */
NS_COMPILED ns_status ns_route_scatter(ns_router *r, const ns_chunk *chunk, const ns_wanted *open, ns_error *err)
{
    const ns_slice slice = {.pair = chunk->pair,
                            .first = open->first,
                            .entries = open->end - open->first,
                            .from = -1,
                            .to = -1,
                            .only = open->part};
    return ns_route_put(r, r->scatter, chunk->receiver, r->task->home[open->part] + open->holder, open->entries, &slice,
                        err);
}

/* A chunk within one run, of parts with one holder: each of these needs all of it. */
NS_COMPILED ns_status ns_route_whole(ns_router *r, const ns_chunk *chunk, const ns_run *run, ns_error *err)
{
    const int32_t *needer = r->exchange->needer + run->needer;
    for (int32_t i = 0; i < run->needers; i++) {
        const ns_wanted all = {chunk->first, chunk->first + chunk->entries, chunk->entries, needer[i], 0};
        NS_TRY(ns_route_scatter(r, chunk, &all, err));
    }
    return NS_OK;
}

NS_COMPILED ns_status ns_route_cut(ns_router *r, const ns_chunk *chunk, int64_t *run, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    const int64_t end = chunk->first + chunk->entries;
    for (int64_t at = chunk->first; at < end;) {
        const ns_run *now = &x->run[*run];
        const int64_t until = end < now->first + now->entries ? end : now->first + now->entries;
        NS_TRY(ns_route_gather(r, chunk, now, at, until, err));
        for (int32_t i = 0; i < now->needers; i++)
            ns_route_note(r, x->needer[now->needer + i], at, until);
        *run += until == now->first + now->entries;
        at = until;
    }
    for (int32_t i = 0; i < r->touches; i++) {
        NS_TRY(ns_route_scatter(r, chunk, r->touched[i], err));
        r->touched[i]->entries = 0;
    }
    r->touches = 0;
    return NS_OK;
}

/* One chunk; *run is the pair's first run that is not wholly dealt yet. */
NS_COMPILED ns_status ns_route_chunk(ns_router *r, const ns_chunk *chunk, int64_t *run, ns_error *err)
{
    const ns_run *now = &r->exchange->run[*run];
    const int64_t end = chunk->first + chunk->entries, run_end = now->first + now->entries;
    const ns_slice slice = {
        .pair = chunk->pair, .first = chunk->first, .entries = chunk->entries, .from = -1, .to = -1, .only = -1};
    NS_TRY(ns_route_put(r, r->exchange_step, chunk->sender, chunk->receiver, chunk->entries, &slice, err));
    if (r->holders > 1 || end > run_end)
        return ns_route_cut(r, chunk, run, err);
    NS_TRY(ns_route_gather(r, chunk, now, chunk->first, end, err));
    *run += end == run_end;
    return ns_route_whole(r, chunk, now, err);
}

/* What is near in the lists; where chunks have several runs the gathering is only guessed.  What a slice changes is
 * found by way of its sender's node, which comes into the cache still earlier. */
NS_COMPILED void ns_route_expect(const ns_router *r, int64_t run, const ns_chunk *soon, const ns_chunk *later)
{
    const ns_exchange *x = r->exchange;
    if (r->expect == NULL)
        return;
    __builtin_prefetch(&r->task->processes->node_of[later->sender]);
    if (soon->sender != soon->receiver)
        r->expect(r->sink, r->exchange_step, soon->sender, soon->receiver);
    if (run + 2 * NS_AHEAD >= x->runs)
        return;
    __builtin_prefetch(&r->sent[x->run[run + NS_AHEAD].origin], 1);
    if (r->gather < 0)
        return;
    const int32_t home = r->task->home[x->run[run + NS_AHEAD].origin];
    __builtin_prefetch(&r->task->processes->node_of[r->task->home[x->run[run + 2 * NS_AHEAD].origin]]);
    if (home != soon->sender)
        r->expect(r->sink, r->gather, home, soon->sender);
}

static inline bool ns_route_is_inside(const ns_exchange *x, const ns_route *route)
{
    return x->site->node_of[route->from] == x->site->node_of[route->to];
}

/* How many chunks or routes go by between two looks at the context. */
enum { NS_ASKED = 256 };

/* All slices of sorted chunks that cover every pair. */
NS_COMPILED ns_status ns_route_chunks(ns_router *r, const ns_chunk *chunk, int64_t chunks, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    for (int64_t i = 0; i < x->routes; i++) {
        NS_TRY(ns_context_turn(i, err));
        if (ns_route_is_inside(x, &x->route[i]))
            NS_TRY(ns_route_inside(r, &x->route[i], err));
    }
    for (int64_t i = 0, run = 0; i < chunks; i++) {
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(4 * NS_ASKED, err)); /* a chunk has a few slices */
        if (i == 0 || chunk[i].pair != chunk[i - 1].pair)
            run = x->pair[chunk[i].pair].run;
        if (i + 2 * NS_AHEAD < chunks)
            ns_route_expect(r, run, &chunk[i + NS_AHEAD], &chunk[i + 2 * NS_AHEAD]);
        NS_TRY(ns_route_chunk(r, &chunk[i], &run, err));
    }
    return NS_OK;
}

/* Every route as one slice of a step, from the home of the one part to that of the other. */
NS_COMPILED ns_status ns_route_all(ns_sink *sink, const ns_task *task, int step, ns_put_slice *put,
                                   ns_expect_slice *expect, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const int32_t *home = task->home;
    for (int64_t i = 0; i < x->routes; i++) {
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(NS_ASKED, err));
        const ns_route *route = &x->route[i], *soon = &x->route[i + NS_AHEAD < x->routes ? i + NS_AHEAD : i];
        const int32_t from = home[route->from], to = home[route->to];
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        if (expect != NULL && home[soon->from] != home[soon->to])
            expect(sink, step, home[soon->from], home[soon->to]);
        if (from != to)
            NS_TRY(put(sink, step, from, to, route->entries * x->width, &slice, err));
    }
    return NS_OK;
}

#endif
