/* schedule.c -- the RIG units of one node: which indices become requests, and how these share packets
 *
 * Batch k goes to unit k mod Uc; a unit takes one index every tau.  A repeated column is dropped if its property has
 * arrived (first issue + rtt is past), or if the same unit waits for it; a wait of another unit does not count.
 * Requests of one step are sent in the order of the units.  A queue per owner is opened by a request and sent when
 * `delay` is over or it is full.
 *
 * Times are compared in whole steps: d tau >= rtt where d is at least the smallest such number, so a schedule depends
 * only on integers, and rules with the same integers have the same schedule.
 */
#include "core/memory.h"
#include "netsparse/trace.h"

#include <string.h>

enum { WINDOW = 64 };

typedef struct pass {
    const ns_stream *stream;
    ns_trace_scratch *scratch;
    uint64_t limit; /* the filter passes requests below this */
    int64_t waited;
    int64_t most[2];
    int64_t packets[2];
    int64_t issued, owners;
} pass;

/* ---- one request ------------------------------------------------------------------------------------------------- */

static inline void enqueue(pass *run, ns_gather_queue *q, int64_t step)
{
    for (int i = 0; i < 2; i++) {
        const bool joins = q->held[i] > 0 && q->held[i] < run->most[i] && step - q->opened[i] < run->waited;
        if (!joins) {
            run->packets[i]++;
            q->opened[i] = step;
            q->held[i] = 0;
        }
        q->held[i]++;
    }
}

static inline void issue(pass *run, uint32_t id, int64_t step, bool waits)
{
    ns_gather_queue *q = &run->scratch->queue[ns_stream_route(run->stream, id)];
    const int64_t serial = (int64_t)((uint64_t)run->issued / WINDOW) + 1;
    run->owners += q->seen != serial;
    q->seen = serial;
    run->issued++;
    q->sent++;
    if (waits)
        enqueue(run, q, step);
}

/* ---- one node ---------------------------------------------------------------------------------------------------- */

/* Without a filter every request is issued, in order, and none waits: the loop goes window by window.  Routes are
 * looked up one by one for this many columns: whether a run of them has a single owner is hard for the processor to
 * predict. */
static void issue_all(pass *run)
{
    const ns_stream *s = run->stream;
    ns_gather_queue *queue = run->scratch->queue;
    for (int64_t e = 0, serial = 1; e < s->requests; serial++)
        for (const int64_t end = e + WINDOW < s->requests ? e + WINDOW : s->requests; e < end; e++) {
            ns_gather_queue *q = &queue[s->route[ns_stream_number(s, s->id[e])]];
            run->owners += q->seen != serial;
            q->seen = serial;
            q->sent++;
        }
    run->issued = s->requests;
    memset(s->issued, 0xff, (size_t)(s->requests / 64) * sizeof *s->issued);
    s->issued[s->requests / 64] = (UINT64_C(1) << s->requests % 64) - 1;
}

/* Compiled for each combination of options, so that all numbers of the pass stay in registers. */
static inline __attribute__((always_inline)) void work(pass *of, bool splits, bool waits)
{
    pass run = *of;
    const ns_stream s = *run.stream;
    const uint32_t *id = s.id;
    ns_clock clock = ns_clock_open(&s);
    run.stream = &s;
    for (int64_t at = 0; at < s.requests; at += 64) {
        const int64_t count = s.requests - at < 64 ? s.requests - at : 64;
        uint64_t issued = splits ? s.kept[at >> 6] : ns_ids_below(s.id + at, count, run.limit);
        for (uint64_t left = issued; left != 0; left &= left - 1) {
            const int64_t e = at + __builtin_ctzll(left);
            const uint32_t one = splits ? *id++ : s.id[e];
            if (splits && one >= run.limit)
                issued &= ~(left & -left);
            else
                issue(&run, ns_stream_number(&s, one), waits ? ns_clock_step(&clock, e) : 0, waits);
        }
        s.issued[at >> 6] = issued;
    }
    run.stream = of->stream;
    *of = run;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

/* The smallest d with d tau >= time, at most 2^32: no schedule has that many steps. */
static int64_t steps_of(double time, double tau)
{
    const int64_t most = INT64_C(1) << 32;
    if (!(time > 0))
        return 0;
    if (!((double)most * tau >= time))
        return most;
    int64_t d = (int64_t)(time / tau); /* within rounding of it */
    while (d > 0 && (double)(d - 1) * tau >= time)
        d--;
    while ((double)d * tau < time)
        d++;
    return d;
}

ns_status ns_trace_schedule(ns_trace *trace, int32_t node, const ns_gather_rule *rule, int worker, ns_error *err)
{
    if (node < 0 || node >= trace->nodes)
        return ns_fail(err, NS_ERR_RANGE, "there is no node %d, they go from 0 to %d", (int)node,
                       (int)trace->nodes - 1);
    if (rule->clients < 1 || rule->clients > NS_CLIENTS_MOST || rule->batch < 1 || rule->batch > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE,
                       "a schedule wants 1 to %d client units and a batch of at least 1, got %d and %lld",
                       (int)NS_CLIENTS_MOST, (int)rule->clients, (long long)rule->batch);
    if (!(rule->tau >= 0 && rule->rtt >= 0 && rule->delay >= 0) || rule->most_request < 1 || rule->most_response < 1)
        return ns_fail(err, NS_ERR_RANGE, "a schedule wants times of at least 0 and packets of at least 1 request");
    /* Steps of the busiest unit: those of whole rounds of batches, and of the last round. */
    const int64_t Z = trace->node[node].requests, b = rule->batch;
    const int64_t whole = Z > 0 ? (Z - 1) / b / rule->clients : 0, rest = Z - whole * b * rule->clients;
    if (whole * b + (rest < b ? rest : b) >= UINT32_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "node %d has too many indices for one schedule", (int)node);
    ns_trace_store *store = trace->store;
    ns_stream *s = &store->stream[node];
    const int64_t routes = store->route_first[node + 1] - store->route_first[node];
    const ns_schedule_key key = {.clients = rule->clients,
                                 .batch = rule->batch,
                                 .filter = rule->filter,
                                 .coalesce = rule->filter && rule->coalesce,
                                 .arrived = rule->filter ? steps_of(rule->rtt, rule->tau) : 0,
                                 .waited = steps_of(rule->delay, rule->tau),
                                 .most = {rule->most_request, rule->most_response}};
    if (memcmp(&key, &s->key, sizeof key) == 0)
        return NS_OK;
    s->key = key;
    pass run = {.stream = s,
                .scratch = &store->scratch[worker],
                .limit = UINT64_MAX,
                .waited = key.waited,
                .most = {key.most[0], key.most[1]}};
    ns_stream_order(s, rule->clients, rule->batch, run.scratch);
    if (rule->filter) {
        ns_stream_age(s, key.arrived, key.coalesce != 0, run.scratch);
        run.limit = ns_stream_limit(s, key.arrived);
    } else
        ns_stream_unite(s, run.scratch);
    memset(run.scratch->queue, 0, (size_t)routes * sizeof *run.scratch->queue);
    if (run.limit > UINT32_MAX && run.waited == 0)
        issue_all(&run);
    else if (run.waited == 0 && s->split)
        work(&run, true, false);
    else if (run.waited == 0)
        work(&run, false, false);
    else if (s->split)
        work(&run, true, true);
    else
        work(&run, false, true);
    /* The last window counts only when it is full: otherwise its owners have to be subtracted. */
    const int64_t windows = run.issued / WINDOW;
    const bool part = run.issued % WINDOW != 0;
    for (int64_t i = 0; i < routes; i++) {
        store->sent[store->route_first[node] + i] = run.scratch->queue[i].sent;
        run.owners -= part && run.scratch->queue[i].seen == windows + 1;
    }
    s->counts = (ns_gather_counts){.issued = run.issued,
                                   .request_packets = run.waited > 0 ? run.packets[0] : run.issued,
                                   .response_packets = run.waited > 0 ? run.packets[1] : run.issued,
                                   .windows = windows,
                                   .owners = run.owners};
    return NS_OK;
}

ns_status ns_trace_gather(ns_trace *trace, int32_t node, const ns_gather_rule *rule, ns_gather_counts *counts,
                          int64_t *from, ns_error *err)
{
    const ns_trace_store *store = trace->store;
    NS_TRY(ns_trace_schedule(trace, node, rule, 0, err));
    *counts = store->stream[node].counts;
    for (int64_t i = store->route_first[node]; from != NULL && i < store->route_first[node + 1]; i++)
        from[store->exchange->route[i].from] += store->sent[i];
    return NS_OK;
}
