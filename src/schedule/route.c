/* route.c -- gather, exchange, scatter: node-aware strategies differ only in how they cut L(M,N) into chunks
 *
 * What a part sends is a stream: its on-node routes by receiver, then its entries of each L by receiving node.  What it
 * receives is another: on-node routes by sender, then its entries of each L by sending node.  Where a part has several
 * holders, holder t has the t-th equal share of both streams; with one holder every cut below is the whole.
 */
#include "core/memory.h"
#include "schedule/schedule.h"

#include <stdlib.h>

typedef struct router {
    ns_sink *sink;
    const ns_task *task;
    const ns_exchange *exchange;
    int gather, exchange_step, scatter; /* gather: -1 where there is none */
    int64_t *send_total, *send_at;      /* [parts] length of the sending stream, and how much of it is dealt */
    int64_t *recv_at;                   /* [parts] the same for the receiving stream, whose length is need[p] */
    int64_t *open;                      /* [per_node * holders * 3] scatter's open slices: first, end, entries */
} router;

/* The holder of position `at` of a stream of `total`, and where its share ends. */
static int32_t holder_of(int64_t at, int64_t total, int32_t holders, int64_t *end)
{
    int32_t t = 0;
    while ((*end = total / holders * (t + 1) + total % holders * (t + 1) / holders) <= at)
        t++;
    return t;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_on_node(const ns_exchange *x, const ns_route *route)
{
    return x->site->node_of[route->from] == x->site->node_of[route->to];
}

static ns_status router_open(router *r, ns_sink *sink, const ns_task *task, bool gathers, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    size_t parts = (size_t)x->parts, slots = (size_t)x->per_node * (size_t)task->holders;
    *r = (router){.sink = sink, .task = task, .exchange = x, .gather = gathers ? 0 : -1};
    r->exchange_step = r->gather + 1;
    r->scatter = r->gather + 2;
    r->send_total = calloc(3 * parts, sizeof *r->send_total);
    r->open = calloc(3 * slots, sizeof *r->open);
    if (r->send_total == NULL || r->open == NULL)
        return ns_no_memory(err);
    r->send_at = r->send_total + parts;
    r->recv_at = r->send_at + parts;
    for (int64_t i = 0; i < x->routes; i++)
        if (is_on_node(x, &x->route[i]))
            r->send_total[x->route[i].from] += x->route[i].entries;
    for (int64_t i = 0; i < x->runs; i++)
        r->send_total[x->run[i].origin] += x->run[i].entries;
    return NS_OK;
}

static void router_free(router *r)
{
    free(r->send_total);
    free(r->open);
}

/* On-node routes, cut where either end changes its holder. */
static ns_status route_on_node(router *r, const ns_route *route, ns_error *err)
{
    const ns_task *task = r->task;
    for (int64_t done = 0, part; done < route->entries; done += part) {
        int64_t send_end, recv_end;
        int32_t from = holder_of(r->send_at[route->from], r->send_total[route->from], task->holders, &send_end);
        int32_t to = holder_of(r->recv_at[route->to], r->exchange->need[route->to], task->holders, &recv_end);
        part =
            least(route->entries - done, least(send_end - r->send_at[route->from], recv_end - r->recv_at[route->to]));
        ns_slice slice = {.pair = -1, .first = done, .entries = part, .from = route->from, .to = route->to, .only = -1};
        NS_TRY(ns_sink_send(r->sink, 0, task->home[route->from] + from, task->home[route->to] + to,
                            part * r->exchange->width, &slice, err));
        r->send_at[route->from] += part;
        r->recv_at[route->to] += part;
    }
    return NS_OK;
}

/* Entries [first, end) of a run go from its origin's holders to the chunk's sender. */
static ns_status gather_run(router *r, const ns_chunk *chunk, const ns_run *run, int64_t first, int64_t end,
                            ns_error *err)
{
    const ns_task *task = r->task;
    while (first < end) {
        int64_t share_end;
        int64_t *at = &r->send_at[run->origin];
        int32_t holder = holder_of(*at, r->send_total[run->origin], task->holders, &share_end);
        int64_t part = least(end - first, share_end - *at);
        ns_slice slice = {.pair = chunk->pair, .first = first, .entries = part, .from = -1, .to = -1, .only = -1};
        const int32_t from = task->home[run->origin] + holder;
        if (r->gather >= 0)
            NS_TRY(ns_sink_send(r->sink, r->gather, from, chunk->sender, part * r->exchange->width, &slice, err));
        else if (from != chunk->sender)
            return ns_fail(err, NS_ERR_DATA,
                           "a chunk of part %d leaves process %d, which does not hold it, and nothing "
                           "is gathered",
                           (int)run->origin, (int)chunk->sender);
        *at += part;
        first += part;
    }
    return NS_OK;
}

/* Entries [first, end) of a run are needed by part p: note them in p's holders' open slices. */
static void note_needed(router *r, int32_t p, int64_t first, int64_t end)
{
    const ns_task *task = r->task;
    while (first < end) {
        int64_t share_end;
        int32_t holder = holder_of(r->recv_at[p], r->exchange->need[p], task->holders, &share_end);
        int64_t part = least(end - first, share_end - r->recv_at[p]);
        int64_t *open = r->open + 3 * ((int64_t)r->exchange->site->local_of[p] * task->holders + holder);
        if (open[2] == 0)
            open[0] = first;
        open[1] = first + part;
        open[2] += part;
        r->recv_at[p] += part;
        first += part;
    }
}

/* Send each part what it needs of the chunk, in one slice per holder. */
static ns_status scatter_chunk(router *r, const ns_chunk *chunk, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    int32_t node = x->pair[chunk->pair].to, size = ns_site_node_size(x->site, node), holders = r->task->holders;
    for (int32_t local = 0; local < size; local++)
        for (int32_t t = 0; t < holders; t++) {
            int64_t *open = r->open + 3 * ((int64_t)local * holders + t);
            if (open[2] == 0)
                continue;
            int32_t part = ns_site_at(x->site, node, local);
            ns_slice slice = {.pair = chunk->pair,
                              .first = open[0],
                              .entries = open[1] - open[0],
                              .from = -1,
                              .to = -1,
                              .only = part};
            NS_TRY(ns_sink_send(r->sink, r->scatter, chunk->receiver, r->task->home[part] + t, open[2] * x->width,
                                &slice, err));
            open[2] = 0;
        }
    return NS_OK;
}

/* One chunk; *run is the pair's first run that is not wholly dealt yet. */
static ns_status route_chunk(router *r, const ns_chunk *chunk, int64_t *run, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    int64_t end = chunk->first + chunk->entries;
    for (int64_t at = chunk->first; at < end;) {
        const ns_run *now = &x->run[*run];
        int64_t until = least(end, now->first + now->entries);
        NS_TRY(gather_run(r, chunk, now, at, until, err));
        for (int32_t i = 0; i < now->needers; i++)
            note_needed(r, x->needer[now->needer + i], at, until);
        *run += until == now->first + now->entries;
        at = until;
    }
    ns_slice slice = {
        .pair = chunk->pair, .first = chunk->first, .entries = chunk->entries, .from = -1, .to = -1, .only = -1};
    NS_TRY(ns_sink_send(r->sink, r->exchange_step, chunk->sender, chunk->receiver, chunk->entries * x->width, &slice,
                        err));
    return scatter_chunk(r, chunk, err);
}

static int64_t share(int64_t total, int32_t holders, int32_t t)
{
    int64_t from = total / holders * t + total % holders * t / holders;
    return total / holders * (t + 1) + total % holders * (t + 1) / holders - from;
}

static ns_status add_copies(router *r, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    const ns_task *task = r->task;
    for (int32_t p = 0; p < x->parts; p++)
        for (int32_t t = 0; t < task->holders; t++) {
            NS_TRY(ns_sink_copy(r->sink, NS_D2H, p, task->home[p] + t,
                                share(r->send_total[p], task->holders, t) * x->width, err));
            NS_TRY(ns_sink_copy(r->sink, NS_H2D, p, task->home[p] + t, share(x->need[p], task->holders, t) * x->width,
                                err));
        }
    return NS_OK;
}

static ns_status route(router *r, const ns_chunk *chunk, int64_t chunks, ns_error *err)
{
    const ns_exchange *x = r->exchange;
    for (int64_t i = 0; i < x->routes; i++)
        if (is_on_node(x, &x->route[i]))
            NS_TRY(route_on_node(r, &x->route[i], err));
    for (int64_t i = 0, run = 0; i < chunks; i++) {
        if (i == 0 || chunk[i].pair != chunk[i - 1].pair)
            run = x->pair[chunk[i].pair].run;
        NS_TRY(route_chunk(r, &chunk[i], &run, err));
    }
    return add_copies(r, err);
}

/* Do the chunks cover every pair, in order? */
static ns_status check_chunks(const ns_exchange *x, const ns_chunk *chunk, int64_t chunks, ns_error *err)
{
    int64_t pair = 0, at = 0;
    for (int64_t i = 0; i < chunks; i++) {
        if (pair == x->pairs || chunk[i].pair != pair || chunk[i].first != at || chunk[i].entries < 1 ||
            chunk[i].entries > x->pair[pair].entries - at)
            return ns_fail(err, NS_ERR_DATA, "chunk %lld is not the next of pair %lld of nodes", (long long)i,
                           (long long)pair);
        at += chunk[i].entries;
        if (at == x->pair[pair].entries)
            pair++, at = 0;
    }
    return pair == x->pairs ? NS_OK
                            : ns_fail(err, NS_ERR_DATA, "pair %lld of nodes is not cut into chunks", (long long)pair);
}

ns_status ns_sink_chunks(ns_sink *sink, const ns_task *task, const ns_chunk *chunk, int64_t chunks, bool gathers,
                         ns_error *err)
{
    router r;
    NS_TRY(check_chunks(task->exchange, chunk, chunks, err));
    ns_status status = router_open(&r, sink, task, gathers, err);
    if (status == NS_OK)
        status = route(&r, chunk, chunks, err);
    router_free(&r);
    return status;
}
