/* schedule.c -- the RIG units of one node at work: which indices become requests, and how these share packets
 *
 * Batch k goes to unit k mod Uc; a unit takes one index every tau.  A column's repeat is dropped if its property has
 * arrived (first issue + rtt is past), or if the same unit waits for it; another unit's does not help.  Requests of one
 * step leave in the order of the units.  A queue per owner opens with a request and leaves when `delay` is over or it
 * is full.
 */
#include "core/memory.h"
#include "netsparse/trace.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64 };

/* The delay queue of one destination, once with the cap of requests and once with that of responses. */
typedef struct queue {
    int64_t opened[2], held[2]; /* held 0: empty */
    int64_t seen;               /* serial number of the window that last saw this owner */
} queue;

typedef struct node_run {
    const ns_gather_rule *rule;
    ns_gather_counts *counts;
    queue *queue; /* [nodes] */
} node_run;

int64_t ns_schedule_steps(int64_t Z, int32_t clients, int64_t b)
{
    if (Z == 0)
        return 0;
    const int64_t whole = (Z - 1) / b / clients, rest = (Z - 1) - whole * b * clients; /* the last round of batches */
    return whole * b + (rest < b ? rest + 1 : b);
}

static void enqueue(const node_run *run, queue *q, int64_t step)
{
    const int64_t most[2] = {run->rule->most_request, run->rule->most_response};
    int64_t *packets[2] = {&run->counts->request_packets, &run->counts->response_packets};
    for (int i = 0; i < 2; i++) {
        const bool joins =
            q->held[i] > 0 && q->held[i] < most[i] && (double)(step - q->opened[i]) * run->rule->tau < run->rule->delay;
        if (!joins) {
            ++*packets[i];
            q->opened[i] = step;
            q->held[i] = 0;
        }
        q->held[i]++;
    }
}

static void issue(const node_run *run, int32_t owner, int64_t step)
{
    ns_gather_counts *c = run->counts;
    queue *q = &run->queue[owner];
    const int64_t serial = c->issued / WINDOW + 1;
    c->owners += q->seen != serial;
    q->seen = serial;
    c->issued++;
    enqueue(run, q, step);
}

static bool passes(ns_trace_store *s, const ns_gather_rule *rule, int64_t col, int32_t unit, int64_t step)
{
    if (!rule->filter)
        return true;
    const uint64_t bit = UINT64_C(1) << unit;
    if (s->first[col] == 0) {
        s->first[col] = (uint32_t)(step + 1);
        s->units[col] = bit;
        return true;
    }
    if ((double)(step - (int64_t)(s->first[col] - 1)) * rule->tau >= rule->rtt)
        return false;
    if (rule->coalesce && (s->units[col] & bit) != 0)
        return false;
    s->units[col] |= bit;
    return true;
}

static void work(ns_trace *t, int32_t node, const node_run *run, int64_t *from, uint64_t *issued)
{
    const ns_rows *rows = ns_trace_rows(t);
    const ns_gather_rule *rule = run->rule;
    const int64_t begin = ns_rows_first(rows, node), Z = ns_rows_first(rows, node + 1) - begin;
    const int64_t steps = ns_schedule_steps(Z, rule->clients, rule->batch);
    for (int64_t s = 0; s < steps; s++) {
        int64_t e = ns_schedule_index(s, 0, rule->clients, rule->batch);
        for (int32_t u = 0; u < rule->clients && e < Z; u++, e += rule->batch) {
            const int64_t col = ns_rows_col(rows, begin + e);
            if (!passes(t->store, rule, col, u, s))
                continue;
            const int32_t owner = ns_trace_owner(t, col);
            issue(run, owner, s);
            if (from != NULL)
                from[owner]++;
            if (issued != NULL)
                issued[e >> 6] |= UINT64_C(1) << (e & 63);
        }
    }
    for (int64_t e = begin; rule->filter && e < begin + Z; e++)
        t->store->first[ns_rows_col(rows, e)] = 0;
}

/* The last window counts only when it is full: its owners have to be taken back. */
static void close_windows(const node_run *run, int32_t nodes)
{
    ns_gather_counts *c = run->counts;
    c->windows = c->issued / WINDOW;
    if (c->issued % WINDOW != 0)
        for (int32_t p = 0; p < nodes; p++)
            c->owners -= run->queue[p].seen == c->windows + 1;
}

static ns_status check(const ns_trace *t, int32_t node, const ns_gather_rule *rule, ns_error *err)
{
    if (node < 0 || node >= t->nodes)
        return ns_fail(err, NS_ERR_RANGE, "there is no node %d, they go from 0 to %d", (int)node, (int)t->nodes - 1);
    if (rule->clients < 1 || rule->clients > NS_CLIENTS_MOST || rule->batch < 1 || rule->batch > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE,
                       "a schedule wants 1 to %d client units and a batch of at least 1, got %d and %lld",
                       (int)NS_CLIENTS_MOST, (int)rule->clients, (long long)rule->batch);
    if (!(rule->tau >= 0 && rule->rtt >= 0 && rule->delay >= 0) || rule->most_request < 1 || rule->most_response < 1)
        return ns_fail(err, NS_ERR_RANGE, "a schedule wants times of at least 0 and packets of at least 1 request");
    if (ns_schedule_steps(t->node[node].requests, rule->clients, rule->batch) >= UINT32_MAX)
        return ns_fail(err, NS_ERR_LIMIT, "node %d has too many indices for one schedule", (int)node);
    return NS_OK;
}

ns_status ns_trace_schedule(ns_trace *trace, int32_t node, const ns_gather_rule *rule, ns_gather_counts *counts,
                            int64_t *from, uint64_t *issued, ns_error *err)
{
    NS_TRY(check(trace, node, rule, err));
    queue *queues = calloc((size_t)trace->nodes, sizeof *queues);
    if (queues == NULL)
        return ns_no_memory(err);
    *counts = (ns_gather_counts){0};
    node_run run = {rule, counts, queues};
    work(trace, node, &run, from, issued);
    close_windows(&run, trace->nodes);
    free(queues);
    return NS_OK;
}

ns_status ns_trace_gather(ns_trace *trace, int32_t node, const ns_gather_rule *rule, ns_gather_counts *counts,
                          int64_t *from, ns_error *err)
{
    return ns_trace_schedule(trace, node, rule, counts, from, NULL, err);
}
