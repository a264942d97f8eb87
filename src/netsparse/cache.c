/* cache.c -- the property cache of one rack on the requests that its nodes really issue, merged by time
 *
 * An LRU stack by reuse distance: the columns asked for last are marked at the position of their last request in a
 * Fenwick tree, so the marks between two requests for a column count the distinct columns in between (Olken's
 * algorithm).  Fully associative: a hit when d < entries.  w ways of S = entries/w sets: P(Poisson(d/S) <= w - 1), the
 * other columns falling into the set at random.  A property is there `fill` after the request that fetched it; until
 * then requests go on to its home. Racks with many requests are sampled by column (a hash of its number), distances
 * scaled up.
 */
#include "core/memory.h"
#include "netsparse/trace.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE = 1 << 24 };

/* The issued requests of one node, in order. */
typedef struct stream {
    const ns_gather_rule *rule;
    int64_t begin, Z, steps;
    uint64_t *issued; /* bit e: index e became a request */
    int64_t step;     /* of the next request; steps at the end */
    int32_t unit;
} stream;

typedef struct cache_run {
    ns_trace *trace;
    const ns_cache_rule *cache;
    ns_cache_counts *counts;
    int32_t first, count;     /* nodes of the rack */
    stream *stream;           /* [count] */
    uint32_t *marks;          /* Fenwick tree over positions 1 .. size */
    int64_t size, base, used; /* positions of this rack are base + 1 ... */
    uint64_t mask;            /* a column is looked at when its hash has none of these bits */
    double sets;
    double *by_node, *by_owner;
} cache_run;

/* ---- Fenwick tree ------------------------------------------------------------------------------------------------ */

static void mark(cache_run *r, int64_t position, int32_t change)
{
    for (; position <= r->size; position += position & -position)
        r->marks[position - 1] += (uint32_t)change;
}

static int64_t marked_up_to(const cache_run *r, int64_t position)
{
    int64_t sum = 0;
    for (; position > 0; position -= position & -position)
        sum += r->marks[position - 1];
    return sum;
}

/* ---- streams ----------------------------------------------------------------------------------------------------- */

static int64_t index_of(const stream *s)
{
    return ns_schedule_index(s->step, s->unit, s->rule->clients, s->rule->batch);
}

/* Move on to the next issued request, from (step, unit) included. */
static void settle(stream *s)
{
    while (s->step < s->steps) {
        const int64_t e = index_of(s);
        if (s->unit < s->rule->clients && e < s->Z) {
            if ((s->issued[e >> 6] >> (e & 63) & 1) != 0)
                return;
            s->unit++;
        } else {
            s->unit = 0;
            s->step++;
        }
    }
}

static double time_of(const stream *s)
{
    return s->step < s->steps ? (double)s->step * s->rule->tau : INFINITY;
}

static ns_budget *budget_of(const cache_run *r)
{
    return &r->trace->store->scan.budget;
}

static ns_status open_streams(cache_run *r, const ns_gather_rule *rule, int64_t *requests, ns_error *err)
{
    void *memory;
    const ns_rows *rows = ns_trace_rows(r->trace);
    *requests = 0;
    for (int32_t i = 0; i < r->count; i++) {
        stream *s = &r->stream[i];
        ns_gather_counts counts;
        s->rule = &rule[i];
        s->begin = ns_rows_first(rows, r->first + i);
        s->Z = ns_rows_first(rows, r->first + i + 1) - s->begin;
        NS_TRY(ns_take(&memory, s->Z / 64 + 1, sizeof *s->issued, budget_of(r), err));
        s->issued = memory;
        NS_TRY(ns_trace_schedule(r->trace, r->first + i, &rule[i], &counts, NULL, s->issued, err));
        s->steps = ns_schedule_steps(s->Z, s->rule->clients, s->rule->batch);
        *requests += counts.issued;
        settle(s);
    }
    return NS_OK;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* splitmix64's finisher: columns that are neighbours are sampled apart. */
static uint64_t hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double hit_chance(const cache_run *r, double distance)
{
    if (r->cache->ways == 0)
        return distance < r->cache->entries;
    if (r->sets < 1)
        return 0;
    const double mu = distance / r->sets;
    double term = exp(-mu), sum = term;
    for (int32_t i = 1; i < r->cache->ways; i++) {
        term *= mu / i;
        sum += term;
    }
    return fmin(1, sum);
}

static double look_up(cache_run *r, int64_t col, double time)
{
    ns_trace_store *s = r->trace->store;
    const int64_t now = ++r->used, before = s->last[col] - r->base; /* not positive: not asked for by this rack yet */
    double chance = 0;
    if (before > 0) {
        const double scale = (double)(r->mask + 1);
        const double distance = scale * (double)(marked_up_to(r, now - 1) - marked_up_to(r, before));
        chance = hit_chance(r, distance);
        mark(r, before, -1);
    }
    mark(r, now, 1);
    s->last[col] = r->base + now;
    const bool on_its_way = before > 0 && time - s->fetch[col] < r->cache->fill;
    if (chance < 0.5)
        s->fetch[col] = time;
    return on_its_way ? 0 : chance;
}

static void request(cache_run *r, int32_t node, const stream *s)
{
    const int64_t col = ns_rows_col(ns_trace_rows(r->trace), s->begin + index_of(s));
    const int32_t owner = ns_trace_owner(r->trace, col);
    if (owner >= r->first && owner < r->first + r->count)
        return;
    r->counts->requests++;
    if ((hash((uint64_t)col) & r->mask) != 0)
        return;
    const double hits = look_up(r, col, time_of(s)) * (double)(r->mask + 1);
    r->counts->hits += hits;
    if (r->by_node != NULL)
        r->by_node[node] += hits;
    if (r->by_owner != NULL)
        r->by_owner[owner] += hits;
}

/* All streams by time; ties by node. */
static void merge(cache_run *r)
{
    for (;;) {
        int32_t next = 0;
        for (int32_t i = 1; i < r->count; i++)
            if (time_of(&r->stream[i]) < time_of(&r->stream[next]))
                next = i;
        stream *s = &r->stream[next];
        if (s->step >= s->steps)
            return;
        request(r, next, s);
        s->unit++;
        settle(s);
    }
}

/* ---- one rack ---------------------------------------------------------------------------------------------------- */

static ns_status take_columns(ns_trace *t, ns_error *err)
{
    ns_trace_store *s = t->store;
    void *memory;
    if (s->last == NULL) {
        NS_TRY(ns_take(&memory, t->cols, sizeof *s->last, &s->scan.budget, err));
        s->last = memory;
    }
    if (s->fetch == NULL) {
        NS_TRY(ns_take(&memory, t->cols, sizeof *s->fetch, &s->scan.budget, err));
        s->fetch = memory;
    }
    return NS_OK;
}

/* Issued requests whose column is in the sample. */
static int64_t count_sampled(const cache_run *r)
{
    int64_t count = 0;
    for (int32_t i = 0; i < r->count; i++)
        for (int64_t e = 0; e < r->stream[i].Z; e++)
            count += (r->stream[i].issued[e >> 6] >> (e & 63) & 1) != 0 &&
                     (hash((uint64_t)ns_rows_col(ns_trace_rows(r->trace), r->stream[i].begin + e)) & r->mask) == 0;
    return count;
}

static ns_status replay(cache_run *r, const ns_gather_rule *rule, ns_error *err)
{
    void *memory;
    int64_t requests;
    const int64_t most = r->cache->most > 0 ? r->cache->most : SAMPLE;
    NS_TRY(open_streams(r, rule, &requests, err));
    for (r->size = requests; requests > most && (r->size = count_sampled(r)) > most;)
        r->mask = 2 * r->mask + 1;
    NS_TRY(ns_take(&memory, r->size, sizeof *r->marks, budget_of(r), err));
    r->marks = memory;
    r->sets = r->cache->ways > 0 ? floor(r->cache->entries / r->cache->ways) : 0;
    merge(r);
    r->trace->store->positions += r->used;
    r->counts->sampled = 1 / (double)(r->mask + 1);
    r->counts->hits = fmin(r->counts->hits, r->counts->requests);
    return NS_OK;
}

ns_status ns_trace_cache(ns_trace *trace, int32_t rack, const ns_gather_rule *rule, const ns_cache_rule *cache,
                         ns_cache_counts *counts, double *by_node, double *by_owner, ns_error *err)
{
    if (rack < 0 || rack >= trace->racks)
        return ns_fail(err, NS_ERR_RANGE, "there is no rack %d, they go from 0 to %d", (int)rack,
                       (int)trace->racks - 1);
    if (!(cache->entries >= 0 && cache->fill >= 0) || cache->ways < 0)
        return ns_fail(err, NS_ERR_RANGE, "a cache wants entries, ways and a fill time of at least 0");
    NS_TRY(take_columns(trace, err));
    ns_cache_counts counted = {.sampled = 1};
    cache_run r = {.trace = trace, .cache = cache, .counts = &counted, .by_node = by_node, .by_owner = by_owner};
    r.first = rack * trace->rack;
    r.count = trace->nodes - r.first < trace->rack ? trace->nodes - r.first : trace->rack;
    r.base = trace->store->positions;
    r.stream = calloc((size_t)r.count, sizeof *r.stream);
    ns_status status = r.stream != NULL ? replay(&r, rule, err) : ns_no_memory(err);
    for (int32_t i = 0; r.stream != NULL && i < r.count; i++)
        ns_give_back(r.stream[i].issued, r.stream[i].Z / 64 + 1, sizeof *r.stream[i].issued, budget_of(&r));
    free(r.stream);
    ns_give_back(r.marks, r.size, sizeof *r.marks, budget_of(&r));
    if (status == NS_OK)
        *counts = counted;
    return status;
}
