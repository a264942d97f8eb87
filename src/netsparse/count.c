/* count.c -- one round of a step: every node's schedule at its present pace, then the racks' caches
 *
 * Nodes and racks are counted in parallel; their contributions to each other are added afterwards, in order.
 */
#include "core/parallel.h"
#include "netsparse/run.h"

#include <math.h>
#include <string.h>

static void add_node(ns_ablation *run, int32_t p)
{
    const ns_trace_store *store = run->trace->store;
    const ns_gather_counts *counts = &store->stream[p].counts;
    ns_node_traffic *t = &run->traffic[p];
    t->Q = (double)counts->issued;
    t->request_n = counts->request_packets > 0 ? t->Q / (double)counts->request_packets : 1;
    t->response_n = counts->response_packets > 0 ? t->Q / (double)counts->response_packets : 1;
    run->result->windows += (double)counts->windows;
    run->result->owners += (double)counts->owners;
    for (int64_t i = store->route_first[p]; i < store->route_first[p + 1]; i++) {
        int32_t hops[NS_LINK_CLASSES];
        const int32_t owner = store->exchange->route[i].from;
        const double count = (double)store->sent[i];
        const double rtt = run->parameters.rtt[ns_network_path(&run->network, p, owner, hops)];
        t->rtt_sum += count * rtt;
        run->traffic[owner].S += count;
        for (int k = 0; k < NS_LINK_CLASSES; k++)
            t->class_hops[k] += count * hops[k];
        if (p / run->trace->rack != owner / run->trace->rack) {
            t->outside += count;
            t->outside_rtt_sum += count * rtt;
        }
    }
}

/* Report the number of nodes that are counted; called by the thread of the caller. */
static void tell(ns_ablation *run, int64_t counted)
{
    for (; run->told < counted; run->told++)
        if (run->options->watch != NULL)
            run->options->watch(run->options->watcher, (double)(run->told + 1), run->to_count);
}

static ns_status count_node(void *context, int64_t item, int worker, ns_error *err)
{
    ns_ablation *run = context;
    const int32_t p = (int32_t)item;
    const ns_netsparse_parameters *parameters = &run->parameters;
    /* Indices of a unit arrive at one per cycle, or as fast as the node drains them. */
    const double Z = (double)run->trace->node[p].requests;
    const double active = fmin(parameters->clients, ceil(Z / (double)run->batch));
    const double pace = Z > 0 ? active * run->time[p].exposed / parameters->tiles / Z : 0;
    run->rule[p] = (ns_gather_rule){.clients = parameters->clients,
                                    .batch = run->batch,
                                    .tau = fmax(1 / parameters->f, pace),
                                    .rtt = run->time[p].rtt,
                                    .filter = run->step >= NS_FILTER,
                                    .coalesce = run->step >= NS_COALESCE,
                                    .delay = run->step >= NS_CONCAT ? parameters->delay : 0,
                                    .most_request = parameters->most_request,
                                    .most_response = parameters->most_response};
    NS_TRY(ns_trace_schedule(run->trace, p, &run->rule[p], worker, err));
    const int64_t counted = atomic_fetch_add(&run->counted, 1) + 1;
    if (worker == 0)
        tell(run, counted);
    return NS_OK;
}

/* ---- the switch -------------------------------------------------------------------------------------------------- */

static ns_status cache_rack(void *context, int64_t item, int worker, ns_error *err)
{
    ns_ablation *run = context;
    const int32_t rack = (int32_t)item, first = ns_trace_first_of_rack(run->trace, rack),
                  count = ns_trace_nodes_of_rack(run->trace, rack);
    double outside = 0, rtt = 0;
    run->cached[rack] = (ns_cache_counts){0};
    for (int32_t i = first; i < first + count; i++) {
        outside += run->traffic[i].outside;
        rtt += run->traffic[i].outside_rtt_sum;
        run->by_node[i] = 0;
    }
    if (!(outside > 0))
        return NS_OK;
    const ns_cache_rule rule = {.entries = run->parameters.entries,
                                .ways = run->parameters.ways,
                                .fill = rtt / outside + run->parameters.waits};
    return ns_trace_cache_rack(run->trace, rack, &run->rule[first], &rule, worker, &run->cached[rack],
                               &run->by_node[first], err);
}

static void add_rack(ns_ablation *run, int32_t rack, int32_t first, int32_t count)
{
    const ns_trace_store *store = run->trace->store;
    if (!(run->cached[rack].requests > 0))
        return;
    run->result->hits += run->cached[rack].hits;
    run->result->cache_requests += run->cached[rack].requests;
    for (int32_t i = first; i < first + count; i++) {
        /* A hit ends at the first switch. */
        ns_node_traffic *t = &run->traffic[i];
        if (!(t->outside > 0))
            continue;
        t->hits = fmin(run->by_node[i], t->outside);
        t->rtt_sum -= t->hits * (t->outside_rtt_sum / t->outside - run->parameters.rtt[1]);
        for (int k = 0; k < NS_LINK_CLASSES; k++)
            t->class_hops[k] *= 1 - t->hits / (run->network.topology == NS_LEAF_SPINE ? t->outside : t->Q);
    }
    for (int64_t i = store->route_first[first]; i < store->route_first[first + count]; i++)
        run->by_owner[store->exchange->route[i].from] += store->hits[i];
}

/* Requests that leave the rack are concatenated once more, with those of its other nodes. */
static ns_status concatenate_rack(ns_ablation *run, int32_t first, int32_t count, ns_error *err)
{
    double rate = 0, outside = 0;
    ns_evaluated concat;
    for (int32_t i = first; i < first + count; i++)
        if (run->time[i].exposed > 0) {
            const double pass = run->time[i].exposed / run->parameters.tiles;
            rate += run->traffic[i].Q / pass;
            outside += (run->traffic[i].outside - run->traffic[i].hits) / pass;
        }
    if (!(rate > 0) || run->trace->nodes <= run->trace->rack)
        return NS_OK;
    NS_TRY(NS_NETSPARSE_EVAL(run->parameters.machine, "concat", &concat, err, {"lambda", rate / run->trace->rack},
                             {"d64", 1}, {"k", run->parameters.k}, {"nodes", run->trace->nodes},
                             {"rack", run->trace->rack}, {"rack_share", fmin(1, outside / rate)}));
    const double gain = ns_netsparse_output(&concat, "switch_gain");
    for (int32_t i = first; i < first + count; i++) {
        ns_node_traffic *t = &run->traffic[i];
        const double more = t->Q > 0 ? gain * (t->outside - t->hits) / t->Q : 0;
        t->request_n = fmin(fmax(t->request_n, (double)run->parameters.most_request), t->request_n + more);
        t->response_n = fmin(fmax(t->response_n, (double)run->parameters.most_response), t->response_n + more);
    }
    return NS_OK;
}

ns_status ns_run_count(ns_ablation *run, ns_error *err)
{
    const ns_trace *t = run->trace;
    run->result->windows = run->result->owners = run->result->hits = run->result->cache_requests = 0;
    memset(run->traffic, 0, (size_t)t->nodes * sizeof *run->traffic);
    NS_TRY(ns_parallel(t->nodes, t->store->threads, count_node, run, err));
    tell(run, atomic_load(&run->counted));
    for (int32_t p = 0; p < t->nodes; p++)
        add_node(run, p);
    if (run->step < NS_SWITCH)
        return NS_OK;
    memset(run->by_owner, 0, (size_t)t->nodes * sizeof *run->by_owner);
    if (run->parameters.entries > 0) {
        int threads;
        NS_TRY(ns_trace_cache_room(run->trace, 0, t->racks, &threads, err));
        NS_TRY(ns_parallel(t->racks, threads, cache_rack, run, err));
    }
    for (int32_t k = 0; k < t->racks; k++) {
        const int32_t first = ns_trace_first_of_rack(t, k), count = ns_trace_nodes_of_rack(t, k);
        if (run->parameters.entries > 0)
            add_rack(run, k, first, count);
        NS_TRY(concatenate_rack(run, first, count, err));
    }
    for (int32_t p = 0; p < t->nodes; p++)
        run->traffic[p].S = fmax(0, run->traffic[p].S - run->by_owner[p]);
    return NS_OK;
}
