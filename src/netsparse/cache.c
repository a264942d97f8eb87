/* cache.c -- the property cache of one rack on the requests that its nodes actually issue, merged by time
 *
 * An LRU stack by reuse distance: each column is marked at the position of its last request, so that the marks after a
 * column's last request count the distinct columns requested since.  Marks are bits, 64 to a word, with the sums of the
 * words in a Fenwick tree (Olken's algorithm).  Fully associative: a hit when d < entries.  w ways of S = entries/w
 * sets: P(Poisson(d/S) <= w - 1), the other columns falling into the set at random.  A property is available `fill`
 * after the request that fetched it; until then requests are forwarded to its home.  Racks with many requests are
 * sampled by column (a hash of its number), distances scaled up.
 */
#include "core/memory.h"
#include "netsparse/trace.h"

#include <math.h>
#include <string.h>

enum { SAMPLE = 1 << 24, AHEAD = 4, FAR_AHEAD = 16, BLOCK = 64 };

/* The requests of one node that leave the rack. */
typedef struct flow {
    const ns_cache_request *next, *end;
    int64_t first_route;
    double tau, time; /* time: of the next request */
} flow;

/* A request that has not been answered yet. */
typedef struct asked {
    uint32_t col;
    int32_t node;
    int64_t route;
    double time;
    int64_t between; /* columns requested since the last request for this one; -1: there was none */
} asked;

typedef struct cache_run {
    ns_trace *trace;
    const ns_cache_rule *cache;
    ns_cache_counts *counts;
    ns_trace_scratch *scratch;
    const ns_rack_columns *columns;
    int32_t first, count; /* nodes of the rack */
    flow *flow;           /* [count] */
    int32_t *heap;        /* [count] flows with requests left, the next one first */
    int32_t waiting;
    int64_t words, used; /* of marks; positions used, from 1 */
    int64_t distinct;    /* distinct columns so far */
    uint64_t mask;       /* a column is sampled when its hash has none of these bits */
    double sets;
    double *by_node;
    int64_t requests;
    int asked;
    asked block[BLOCK];
} cache_run;

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* The word in use is not in the tree yet: its sum is added when the word is full. */
static void add_to_tree(cache_run *r, int64_t word, uint32_t change)
{
    for (int64_t i = word + 1; i <= r->words; i += i & -i)
        r->scratch->tree[i - 1] += change;
}

static int64_t marked_behind(const cache_run *r, int64_t position)
{
    const int64_t word = (position - 1) >> 6, present = (r->used - 1) >> 6;
    const uint64_t from = ~UINT64_C(0) << ((position - 1) & 63) << 1; /* of 64 positions, hence two shifts */
    const uint64_t bits = r->scratch->marks[word];
    if (word == present)
        return ns_bits_count(bits & from);
    int64_t before = ns_bits_count(bits & ~from);
    for (int64_t i = word; i > 0; i -= i & -i)
        before += r->scratch->tree[i - 1];
    return r->distinct - before;
}

static void unmark(cache_run *r, int64_t position)
{
    const int64_t word = (position - 1) >> 6;
    r->scratch->marks[word] &= ~(UINT64_C(1) << ((position - 1) & 63));
    if (word != (r->used - 1) >> 6)
        add_to_tree(r, word, UINT32_MAX); /* subtracts one */
}

static int64_t mark_next(cache_run *r)
{
    const int64_t word = r->used >> 6;
    if (r->used > 0 && (r->used & 63) == 0)
        add_to_tree(r, word - 1, (uint32_t)ns_bits_count(r->scratch->marks[word - 1]));
    r->scratch->marks[word] |= UINT64_C(1) << (r->used & 63);
    return ++r->used;
}

/* ---- flows ------------------------------------------------------------------------------------------------------- */

/* Store them consecutively at `to`; returns how many. */
static int64_t collect(const cache_run *r, int32_t node, ns_cache_request *to)
{
    const ns_trace_store *store = r->trace->store;
    const ns_stream *s = &store->stream[node];
    const ns_route *route = &store->exchange->route[store->route_first[node]];
    ns_clock clock = ns_clock_open(s);
    const uint32_t *front = s->id;
    int64_t count = 0;
    for (int64_t at = 0; at < s->requests; at += 64)
        for (uint64_t left = s->split ? s->kept[at >> 6] : s->issued[at >> 6]; left != 0; left &= left - 1) {
            const int64_t e = at + __builtin_ctzll(left);
            const uint32_t one = ns_stream_number(s, s->split ? *front++ : s->id[e]), by = ns_stream_route(s, one);
            const int32_t owner = route[by].from;
            if ((s->issued[at >> 6] & left & -left) != 0 && (owner < r->first || owner >= r->first + r->count))
                to[count++] = (ns_cache_request){ns_clock_step(&clock, e), by, s->rack_col[one]};
        }
    return count;
}

/* By time; ties by node. */
static bool before(const cache_run *r, int32_t a, int32_t b)
{
    const double x = r->flow[a].time, y = r->flow[b].time;
    return x < y || (x == y && a < b);
}

static void sift(cache_run *r, int32_t i)
{
    const int32_t moving = r->heap[i];
    for (int32_t child; (child = 2 * i + 1) < r->waiting; i = child) {
        if (child + 1 < r->waiting && before(r, r->heap[child + 1], r->heap[child]))
            child++;
        if (!before(r, r->heap[child], moving))
            break;
        r->heap[i] = r->heap[child];
    }
    r->heap[i] = moving;
}

static void open_flows(cache_run *r, const ns_gather_rule *rule)
{
    ns_cache_request *at = r->scratch->request;
    r->waiting = 0;
    for (int32_t i = 0; i < r->count; i++) {
        flow *f = &r->flow[i];
        *f = (flow){.next = at, .tau = rule[i].tau, .first_route = r->trace->store->route_first[r->first + i]};
        at += collect(r, r->first + i, at);
        f->end = at;
        if (f->next == f->end)
            continue;
        f->time = (double)f->next->step * f->tau;
        r->heap[r->waiting++] = i;
    }
    for (int32_t i = r->waiting / 2 - 1; i >= 0; i--)
        sift(r, i);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* splitmix64's finisher: columns that are neighbours are sampled apart. */
static uint64_t hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static bool in_sample(const cache_run *r, uint32_t rack_col)
{
    return r->mask == 0 || (hash((uint64_t)r->columns->col[rack_col]) & r->mask) == 0;
}

/* The probability of a hit after requests for `between` columns of the sample: P(Poisson(distance / sets) < ways). */
static double hit_chance(const cache_run *r, int64_t between)
{
    const double distance = (double)(r->mask + 1) * (double)between;
    if (r->cache->ways == 0)
        return distance < r->cache->entries;
    double *chance = &r->scratch->chance[between];
    if (*chance >= 0)
        return *chance;
    if (r->sets < 1)
        return *chance = 0;
    const double mu = distance / r->sets;
    double term = exp(-mu), sum = term;
    for (int32_t i = 1; i < r->cache->ways; i++) {
        term *= mu / i;
        sum += term;
    }
    return *chance = fmin(1, sum);
}

/* Distances do not depend on what hits: those of a block are found first, so that its chances are already being
 * loaded. */
static void look_up(cache_run *r, int32_t node, const ns_cache_request *q)
{
    const flow *f = &r->flow[node];
    const int64_t last = r->scratch->column[q->col].last;
    asked *a = &r->block[r->asked++];
    *a = (asked){q->col, node, f->first_route + q->route, f->time, -1};
    if (last > 0) {
        a->between = marked_behind(r, last);
        __builtin_prefetch(&r->scratch->chance[a->between], 1);
        unmark(r, last);
    } else
        r->distinct++;
    r->scratch->column[q->col].last = mark_next(r);
}

static void settle(cache_run *r)
{
    const double scale = (double)(r->mask + 1);
    for (const asked *a = r->block; a < r->block + r->asked; a++) {
        ns_cache_column *column = &r->scratch->column[a->col];
        const double chance = a->between >= 0 ? hit_chance(r, a->between) : 0;
        const bool on_its_way = a->between >= 0 && a->time - column->fetch < r->cache->fill;
        const double hits = on_its_way ? 0 : chance * scale;
        if (chance < 0.5)
            column->fetch = a->time;
        r->counts->hits += hits;
        r->trace->store->hits[a->route] += hits;
        if (r->by_node != NULL)
            r->by_node[a->node] += hits;
    }
    r->asked = 0;
}

/* Merge all flows by time: the requests of one step are consecutive. */
static void merge(cache_run *r)
{
    while (r->waiting > 0) {
        const int32_t node = r->heap[0];
        flow *f = &r->flow[node];
        const uint32_t step = f->next->step;
        for (; f->next < f->end && f->next->step == step; f->next++) {
            if (f->end - f->next > FAR_AHEAD) {
                __builtin_prefetch(f->next + FAR_AHEAD);
                __builtin_prefetch(&r->scratch->column[f->next[AHEAD].col]);
            }
            r->requests++;
            if (in_sample(r, f->next->col))
                look_up(r, node, f->next);
            if (r->asked == BLOCK)
                settle(r);
        }
        if (f->next < f->end)
            f->time = (double)f->next->step * f->tau;
        else
            r->heap[0] = r->heap[--r->waiting];
        if (r->waiting > 0)
            sift(r, 0);
    }
    settle(r);
}

/* ---- one rack ---------------------------------------------------------------------------------------------------- */

/* Issued requests whose column is in the sample. */
static int64_t count_sampled(const cache_run *r)
{
    const ns_stream *first = &r->trace->store->stream[r->first];
    int64_t count = 0;
    for (const ns_stream *s = first; s < first + r->count; s++) {
        const uint32_t *front = s->id;
        for (int64_t at = 0; at < s->requests; at += 64)
            for (uint64_t left = s->split ? s->kept[at >> 6] : s->issued[at >> 6]; left != 0; left &= left - 1) {
                const uint32_t id = s->split ? *front++ : s->id[at + __builtin_ctzll(left)];
                if ((s->issued[at >> 6] & left & -left) != 0)
                    count += in_sample(r, s->rack_col[ns_stream_number(s, id)]);
            }
    }
    return count;
}

static void replay(cache_run *r, const ns_gather_rule *rule)
{
    ns_trace_scratch *s = r->scratch;
    const int64_t most = r->cache->most > 0 ? r->cache->most : SAMPLE;
    int64_t requests = 0;
    for (int32_t i = 0; i < r->count; i++)
        requests += r->trace->store->stream[r->first + i].counts.issued;
    for (int64_t sampled = requests; requests > most && sampled > most; sampled = count_sampled(r))
        r->mask = 2 * r->mask + 1;
    r->words = requests / 64 + 1;
    memset(s->marks, 0, (size_t)r->words * sizeof *s->marks);
    memset(s->tree, 0, (size_t)r->words * sizeof *s->tree);
    memset(s->column, 0, (size_t)r->columns->count * sizeof *s->column);
    r->sets = r->cache->ways > 0 ? floor(r->cache->entries / r->cache->ways) : 0;
    const double scale = (double)(r->mask + 1);
    if (s->scale != scale || s->entries != r->cache->entries || s->ways != r->cache->ways) {
        /* The chances hold for all racks with the same cache. */
        s->scale = scale;
        s->entries = r->cache->entries;
        s->ways = r->cache->ways;
        for (int64_t i = 0; i < s->columns; i++)
            s->chance[i] = -1;
    }
    open_flows(r, rule);
    merge(r);
    r->counts->requests = (double)r->requests;
    r->counts->sampled = 1 / scale;
    r->counts->hits = fmin(r->counts->hits, r->counts->requests);
}

ns_status ns_trace_cache_rack(ns_trace *trace, int32_t rack, const ns_gather_rule *rule, const ns_cache_rule *cache,
                              int worker, ns_cache_counts *counts, double *by_node, ns_error *err)
{
    ns_trace_store *store = trace->store;
    ns_cache_counts counted = {.sampled = 1};
    cache_run r = {.trace = trace,
                   .cache = cache,
                   .counts = &counted,
                   .scratch = &store->scratch[worker],
                   .columns = &store->rack[rack],
                   .first = ns_trace_first_of_rack(trace, rack),
                   .count = ns_trace_nodes_of_rack(trace, rack),
                   .by_node = by_node};
    const int64_t routes = store->route_first[r.first], end = store->route_first[r.first + r.count];
    memset(store->hits + routes, 0, (size_t)(end - routes) * sizeof *store->hits);
    r.flow = ns_calloc((size_t)r.count, sizeof *r.flow);
    r.heap = ns_calloc((size_t)r.count, sizeof *r.heap);
    const bool whole = r.flow != NULL && r.heap != NULL;
    if (whole)
        replay(&r, rule);
    ns_free(r.flow);
    ns_free(r.heap);
    if (!whole)
        return ns_no_memory(err);
    *counts = counted;
    return NS_OK;
}

/* ---- memory for the caches of several racks, thread by thread ---------------------------------------------------- */

static ns_status take_room(const ns_trace *t, ns_trace_scratch *s, int64_t requests, ns_error *err)
{
    ns_trace_store *store = t->store;
    ns_budget *budget = &store->scan.budget;
    const int64_t words = requests / 64 + 1, had = s->positions / 64 + 1;
    for (int32_t k = 0; s->chance == NULL && k < t->racks; k++)
        s->columns = store->rack[k].count > s->columns ? store->rack[k].count : s->columns;
    if (s->column == NULL)
        NS_TRY(ns_take(&s->column, s->columns, sizeof *s->column, budget, err));
    if (s->chance == NULL)
        NS_TRY(ns_take(&s->chance, s->columns, sizeof *s->chance, budget, err));
    if (s->tree != NULL && s->positions >= requests)
        return NS_OK;
    ns_give_back(s->request, s->positions, sizeof *s->request, budget);
    ns_give_back(s->marks, had, sizeof *s->marks, budget);
    ns_give_back(s->tree, had, sizeof *s->tree, budget);
    s->request = NULL;
    s->marks = NULL;
    s->tree = NULL;
    s->positions = requests;
    NS_TRY(ns_take(&s->request, requests, sizeof *s->request, budget, err));
    NS_TRY(ns_take(&s->marks, words, sizeof *s->marks, budget, err));
    return ns_take(&s->tree, words, sizeof *s->tree, budget, err);
}

ns_status ns_trace_cache_room(ns_trace *trace, int32_t first, int32_t count, int *threads, ns_error *err)
{
    int64_t most = 0;
    const int wanted = count < trace->store->threads ? (int)count : trace->store->threads;
    for (int32_t k = first; k < first + count; k++) {
        int64_t requests = 0;
        for (int32_t i = 0; i < ns_trace_nodes_of_rack(trace, k); i++)
            requests += trace->store->stream[ns_trace_first_of_rack(trace, k) + i].counts.issued;
        most = requests > most ? requests : most;
    }
    ns_trace_scratch *scratch = trace->store->scratch;
    NS_TRY(take_room(trace, scratch, most, err));
    for (*threads = 1; *threads < wanted && take_room(trace, &scratch[*threads], most, NULL) == NS_OK;)
        ++*threads;
    return NS_OK;
}

/* ---- on its own -------------------------------------------------------------------------------------------------- */

ns_status ns_trace_cache(ns_trace *trace, int32_t rack, const ns_gather_rule *rule, const ns_cache_rule *cache,
                         ns_cache_counts *counts, double *by_node, double *by_owner, ns_error *err)
{
    if (rack < 0 || rack >= trace->racks)
        return ns_fail(err, NS_ERR_RANGE, "there is no rack %d, they go from 0 to %d", (int)rack,
                       (int)trace->racks - 1);
    if (!(cache->entries >= 0 && cache->fill >= 0) || cache->ways < 0)
        return ns_fail(err, NS_ERR_RANGE, "a cache wants entries, ways and a fill time of at least 0");
    const int32_t first = ns_trace_first_of_rack(trace, rack), count = ns_trace_nodes_of_rack(trace, rack);
    const ns_trace_store *store = trace->store;
    int threads;
    for (int32_t i = 0; i < count; i++)
        NS_TRY(ns_trace_schedule(trace, first + i, &rule[i], 0, err));
    NS_TRY(ns_trace_cache_room(trace, rack, 1, &threads, err));
    NS_TRY(ns_trace_cache_rack(trace, rack, rule, cache, 0, counts, by_node, err));
    for (int64_t i = store->route_first[first]; by_owner != NULL && i < store->route_first[first + count]; i++)
        by_owner[store->exchange->route[i].from] += store->hits[i];
    return NS_OK;
}
