/* fuzz_netsparse.c -- NetSparse's view of matrices of any dimensions with few entries, under limits on work and memory:
 * traces, schedules and times are finite, counts agree
 *
 * Input: options | nodes | rack | ranks | a matrix (take.h).  In memory.
 *
 * About 130 executions a second of processor time, not 1,000: each goes through five mechanisms, three rounds of
 * counts and models each.
 */
#include "take.h"

#include "netsparse/netsparse.h"

static const ns_machine *netsparse_machine(void)
{
    static ns_machine *machine;
    if (machine == NULL)
        REQUIRE(ns_machine_load("netsparse", &machine, NULL) == NS_OK);
    return machine;
}

static void netsparse_counts(const ns_trace *trace, int64_t entries)
{
    int64_t nonzeros = 0, requests = 0, unique = 0, served = 0;
    for (int32_t p = 0; p < trace->nodes; p++) {
        const ns_node_counts *n = &trace->node[p];
        REQUIRE(n->unique >= 0 && n->unique <= n->rank_unique && n->rank_unique <= n->requests);
        REQUIRE(n->requests <= n->nonzeros);
        nonzeros += n->nonzeros;
        requests += n->requests;
        unique += n->unique;
        served += n->served;
    }
    REQUIRE(nonzeros == entries && nonzeros == trace->view.nonzeros && requests == trace->view.requests);
    REQUIRE(unique == trace->view.unique && served == unique);
    for (int32_t r = 0; r < trace->racks; r++)
        REQUIRE(trace->rack_counts[r].columns <= trace->rack_counts[r].pairs);
}

static void netsparse_result(const ns_netsparse_result *r)
{
    REQUIRE(isfinite(r->su_time) && r->su_time >= 0 && isfinite(r->su_traffic) && isfinite(r->sa_time));
    for (int s = 0; s < NS_MECHANISMS; s++) {
        const ns_step_result *step = &r->step[s];
        REQUIRE(isfinite(step->time) && step->time >= 0 && step->best <= step->time * (1 + 1e-12));
        REQUIRE(isfinite(step->issued) && isfinite(step->traffic) && isfinite(step->speedup));
        REQUIRE(step->hits >= 0 && step->hits <= step->cache_requests * (1 + 1e-12) && step->limit < NS_LIMITS);
    }
    for (int i = 0; i < NS_PROFILE; i++)
        REQUIRE(r->active[i] >= 0 && r->active[i] <= r->nodes);
}

static void netsparse_run(ns_trace *trace, unsigned flags)
{
    static const double k[] = {1, 16, 0.5, 128};
    const ns_netsparse_options options = {.machine = netsparse_machine(),
                                          .k = k[flags & 3],
                                          .batch = flags & 4 ? 3 : 0,
                                          .topology = (ns_topology)(flags >> 3 & 3) % NS_TOPOLOGIES,
                                          .last_only = flags >> 5 & 1};
    ns_netsparse_result *result = NULL;
    ns_error err = {0};
    ns_status status = ns_netsparse_run(trace, &options, &result, &err);
    fuzz_check_error(status, &err);
    REQUIRE((status == NS_OK) == (result != NULL));
    if (result != NULL && !options.last_only)
        netsparse_result(result);
    ns_netsparse_free(result);
}

FUZZ(netsparse)
{
    static fuzz_given m;
    fuzz_bytes in = {data, data + size};
    const unsigned flags = fuzz_take(&in);
    const int32_t nodes = (int32_t)(fuzz_count(&in) & INT32_MAX);
    const ns_trace_options options = {.rack = (int32_t)(fuzz_count(&in) & INT32_MAX),
                                      .ranks = (int32_t)(fuzz_count(&in) & INT32_MAX),
                                      .max_memory = FUZZ_MEMORY};
    ns_trace *trace = NULL;
    ns_error err = {0};
    fuzz_given_take(&in, &m);
    ns_status status = ns_trace_open(&m.matrix, nodes, &options, &trace, &err);
    fuzz_check_error(status, &err);
    REQUIRE((status == NS_OK) == (trace != NULL));
    if (trace == NULL)
        return;
    netsparse_counts(trace, (int64_t)m.entries);
    if (trace->nodes <= 64) /* a run makes several rounds over all nodes */
        netsparse_run(trace, flags);
    ns_trace_free(trace);
}
