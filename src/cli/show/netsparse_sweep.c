/* netsparse_sweep.c -- the whole of NetSparse over one parameter: [NS] Figures 15 to 18 and 22
 *
 * Each point is the machine with one number changed.  Speedups are over SUOpt, as those of the steps.
 */
#include "cli/show/netsparse.h"

#include <stdio.h>

const char *const ns_sweep_words[] = {"batch", "units", "delay", "cache", "topology", NULL};

enum { BATCH, UNITS, DELAY, CACHE, TOPOLOGY, POINTS = 12 };

typedef struct point {
    const char *label;
    const char *set[2]; /* assignments to the machine; NULL for none */
    int64_t batch;      /* 0: as requested */
    int topology;       /* -1: as requested */
} point;

#define SET(label_, ...)                                                                                               \
    {                                                                                                                  \
        .label = label_, .set = {__VA_ARGS__}, .topology = -1                                                          \
    }
#define DELAYS(nic, switch_) SET(#nic, "models.concat.cycles=" #nic, "models.concat.switch_cycles=" switch_)

static const point sweeps[][POINTS] = {
    [BATCH] = {{"64", .batch = 64, .topology = -1},
               {"256", .batch = 256, .topology = -1},
               {"1024", .batch = 1024, .topology = -1},
               {"4096", .batch = 4096, .topology = -1},
               {"8192", .batch = 8192, .topology = -1},
               {"16384", .batch = 16384, .topology = -1},
               {"32768", .batch = 32768, .topology = -1},
               {"65536", .batch = 65536, .topology = -1},
               {"262144", .batch = 262144, .topology = -1},
               {"1048576", .batch = 1048576, .topology = -1}},
    [UNITS] = {SET("2", "models.rig-batch.units=2"), SET("4", "models.rig-batch.units=4"),
               SET("8", "models.rig-batch.units=8"), SET("16", "models.rig-batch.units=16"),
               SET("32", "models.rig-batch.units=32"), SET("64", "models.rig-batch.units=64"),
               SET("128", "models.rig-batch.units=128")},
    [DELAY] = {DELAYS(0, "0"), DELAYS(50, "12.5"), DELAYS(125, "31.25"), DELAYS(250, "62.5"), DELAYS(500, "125"),
               DELAYS(1000, "250"), DELAYS(2000, "500"), DELAYS(4000, "1000"), DELAYS(8000, "2000"),
               DELAYS(16000, "4000"), DELAYS(50000, "12500")},
    [CACHE] = {SET("none", "models.property-cache.capacity=0B"), SET("64 KiB", "models.property-cache.capacity=64KiB"),
               SET("256 KiB", "models.property-cache.capacity=256KiB"),
               SET("1 MiB", "models.property-cache.capacity=1MiB"), SET("4 MiB", "models.property-cache.capacity=4MiB"),
               SET("16 MiB", "models.property-cache.capacity=16MiB"),
               SET("32 MiB", "models.property-cache.capacity=32MiB"),
               SET("128 MiB", "models.property-cache.capacity=128MiB"),
               SET("infinite", "models.property-cache.capacity=1EiB")},
    [TOPOLOGY] = {{"leaf-spine", .topology = NS_LEAF_SPINE},
                  {"hyperx", .topology = NS_HYPERX},
                  {"dragonfly", .topology = NS_DRAGONFLY}},
};

/* The machine with the point's numbers. */
static ns_status change(const ns_machine *machine, const point *p, ns_machine **changed, ns_error *err)
{
    *changed = NULL;
    for (int i = 0; i < 2 && p->set[i] != NULL; i++) {
        ns_machine *next;
        ns_status status = ns_machine_with(*changed != NULL ? *changed : machine, p->set[i], &next, err);
        ns_machine_free(*changed);
        *changed = status == NS_OK ? next : NULL;
        NS_TRY(status);
    }
    return NS_OK;
}

static void add_point(const point *p, const ns_netsparse_result *r, ns_value *rows)
{
    const ns_dim second = {1, 0, 0};
    const ns_step_result *s = &r->step[NS_SWITCH];
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "point", p->label);
    ns_value_number(row, "time_s", s->time, second);
    ns_value_number(row, "time_best_s", s->best, second);
    if (s->speedup < 0)
        ns_value_null(row, "speedup");
    else
        ns_value_count(row, "speedup", s->speedup);
    ns_value_count(row, "prs_per_packet", s->tail.per_packet);
    if (s->cache_requests > 0)
        ns_value_count(row, "hit_rate", s->hits / s->cache_requests);
    else
        ns_value_null(row, "hit_rate");
    ns_value_text(row, "limit", ns_limit_words[s->limit]);
}

static ns_status evaluate(ns_trace *trace, const ns_gather_request *request, double k, const point *p, ns_value *rows,
                          ns_error *err)
{
    ns_machine *changed;
    ns_netsparse_result *r;
    NS_TRY(change(request->machine, p, &changed, err));
    const ns_netsparse_options options = {.machine = changed != NULL ? changed : request->machine,
                                          .k = k,
                                          .batch = p->batch > 0 ? p->batch : request->batch,
                                          .topology = p->topology >= 0 ? (ns_topology)p->topology : request->topology,
                                          .last_only = true};
    ns_status status = ns_netsparse_run(trace, &options, &r, err);
    ns_machine_free(changed);
    NS_TRY(status);
    add_point(p, r, rows);
    ns_netsparse_free(r);
    return NS_OK;
}

ns_status ns_netsparse_sweep(ns_trace *trace, const ns_gather_request *request, double k, ns_value *rows, ns_error *err)
{
    int points = 0;
    while (points < POINTS && sweeps[request->sweep][points].label != NULL)
        points++;
    for (int i = 0; i < points; i++) {
        ns_progress_show(request->progress, "sweeping", " points", i, points);
        NS_TRY(evaluate(trace, request, k, &sweeps[request->sweep][i], rows, err));
    }
    return NS_OK;
}
