/* test_netsparse_cache.c -- the racks' property caches against real LRU lists on small matrices
 *
 * All times are multiples of 1/8 s, so that both sides compare them exactly.
 */

#include "core/memory.h"
#include "support/gather.h"
#include "support/test.h"

typedef struct line {
    int64_t col;
    double ready;
} line;

/* LRU lists, one per set, the last used first; the set of a column by its number. */
static int64_t replay_cache(const gather_subject *s, const gather_event *events, int64_t count, int32_t rack,
                            int32_t size, int64_t sets, int64_t ways, double fill, int64_t *requests)
{
    line *lines = oracle_alloc(sets * ways, sizeof *lines);
    int64_t *used = oracle_alloc(sets, sizeof *used), hits = 0;
    *requests = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!events[i].issued || s->need.owner[events[i].col] / size == rack)
            continue;
        const int64_t set = (events[i].col * 7919 >> 3) % sets;
        line *list = &lines[set * ways], found = {events[i].col, events[i].time + fill};
        int64_t at = 0;
        while (at < used[set] && list[at].col != events[i].col)
            at++;
        if (at < used[set])
            found = list[at];
        hits += at < used[set] && found.ready <= events[i].time;
        if (at == used[set])
            at = used[set] < ways ? used[set]++ : ways - 1;
        memmove(list + 1, list, (size_t)at * sizeof *list);
        list[0] = found;
        ++*requests;
    }
    ns_free(lines);
    ns_free(used);
    return hits;
}

/* Every node at its own pace. */
static gather_event *rack_events(const gather_subject *s, int32_t rack, int32_t size, ns_gather_rule *rules,
                                 int64_t *count)
{
    gather_event *all = oracle_alloc(s->a.entries + 1, sizeof *all);
    *count = 0;
    for (int32_t i = 0; i < size && rack * size + i < s->nodes; i++) {
        int64_t n;
        rules[i].tau = 0.125 * (1 + (i * 5 + rack) % 7);
        gather_event *events = gather_events(s, rack * size + i, &rules[i], &n);
        gather_filter_events(s, &rules[i], events, n);
        memcpy(all + *count, events, (size_t)n * sizeof *events);
        *count += n;
        ns_free(events);
    }
    qsort(all, (size_t)*count, sizeof *all, gather_by_time);
    return all;
}

enum { SIZE = 4 };

static void check_cache(const gather_subject *s, int32_t rack, double entries, double fill)
{
    ns_gather_rule rules[SIZE];
    ns_cache_counts got;
    ns_error err = {0};
    int64_t count, requests;
    double by_node[SIZE] = {0}, *by_owner = oracle_alloc(s->nodes, sizeof *by_owner), nodes = 0, owners = 0;
    for (int i = 0; i < SIZE; i++)
        rules[i] = (ns_gather_rule){.clients = 3,
                                    .batch = 5,
                                    .rtt = 4,
                                    .filter = true,
                                    .coalesce = true,
                                    .most_request = 1,
                                    .most_response = 1};
    gather_event *events = rack_events(s, rack, SIZE, rules, &count);
    const ns_cache_rule cache = {.entries = entries, .ways = 0, .fill = fill};
    const int64_t hits = replay_cache(s, events, count, rack, SIZE, 1, (int64_t)entries, fill, &requests);
    ck_assert_msg(ns_trace_cache(s->trace, rack, rules, &cache, &got, by_node, by_owner, &err) == NS_OK, "%s",
                  err.text);
    ck_assert_msg(got.requests == (double)requests && got.hits == (double)hits,
                  "rack %d, %g entries, fill %g: %g of %g hit, the replay has %lld of %lld", rack, entries, fill,
                  got.hits, got.requests, (long long)hits, (long long)requests);
    for (int i = 0; i < SIZE; i++)
        nodes += by_node[i];
    for (int32_t q = 0; q < s->nodes; q++)
        owners += by_owner[q];
    ck_assert(nodes == got.hits && owners == got.hits && got.sampled == 1);
    ns_free(by_owner);
    ns_free(events);
}

TEST_EACH(caches, 4)
{
    static const double entries[] = {1, 5, 20, 60, 1000}, fills[] = {0, 2.5, 30};
    gather_subject s;
    gather_open(&s, 900 + (uint64_t)_i, 300, 250, 6000, 0, 11, SIZE); /* racks of 4, 4 and 3 */
    for (int32_t rack = 0; rack < s.trace->racks; rack++)
        for (int e = 0; e < 5; e++)
            for (int f = 0; f < 3; f++)
                check_cache(&s, rack, entries[e], fills[f]);
    gather_close(&s);
}

/* Sets and ways: the Poisson form against real sets; and sampled columns against all. */
TEST(sets_and_samples)
{
    gather_subject s;
    ns_gather_rule rules[SIZE];
    ns_cache_counts got, all;
    ns_error err = {0};
    int64_t count, requests;
    gather_open(&s, 31, 2000, 4000, 60000, 0, 8, SIZE);
    for (int i = 0; i < SIZE; i++)
        rules[i] = (ns_gather_rule){.clients = 4,
                                    .batch = 50,
                                    .rtt = 4,
                                    .filter = true,
                                    .coalesce = true,
                                    .most_request = 1,
                                    .most_response = 1};
    gather_event *events = rack_events(&s, 0, SIZE, rules, &count);
    const int64_t sets[] = {64, 128, 256}, ways = 4;
    static const double fills[] = {1, 400}; /* 400 s: many repeats come while the property is on its way */
    for (int i = 0; i < 6; i++) {
        const double fill = fills[i / 3];
        ns_cache_rule cache = {.entries = (double)(sets[i % 3] * ways), .ways = (int32_t)ways, .fill = fill};
        const double hits = (double)replay_cache(&s, events, count, 0, SIZE, sets[i % 3], ways, fill, &requests);
        ck_assert_int_eq(ns_trace_cache(s.trace, 0, rules, &cache, &all, NULL, NULL, &err), NS_OK);
        ck_assert_msg(fabs(all.hits - hits) < 0.02 * all.requests, "%lld sets: %g hits, the replay has %g of %g",
                      (long long)sets[i % 3], all.hits, hits, all.requests);
        cache.most = 10000;
        ck_assert_int_eq(ns_trace_cache(s.trace, 0, rules, &cache, &got, NULL, NULL, &err), NS_OK);
        ck_assert(got.sampled < 1 && got.requests == all.requests);
        ck_assert_msg(fabs(got.hits - all.hits) < 0.05 * all.requests, "sampled %g, all %g", got.hits, all.hits);
    }
    ns_free(events);
    gather_close(&s);
}

TEST_TIMEOUT(300)
