/* ablation.c -- NetSparse's mechanisms one after another on a trace, against SUOpt and SAOpt ([NS] Sections 8, 9)
 *
 * A schedule's pace depends on the time that results from it: three rounds of counting and timing per step, starting
 * from the previous step.
 */
#include "core/memory.h"
#include "core/sized.h"
#include "netsparse/run.h"

#include <math.h>

enum { ROUNDS = 3 };

/* ---- baselines --------------------------------------------------------------------------------------------------- */

static ns_status baselines(const ns_ablation *run, double k, ns_netsparse_result *result, ns_error *err)
{
    ns_evaluated su, sa;
    const ns_trace *t = run->trace;
    double transfers = 0;
    int32_t tail = 0; /* for SAOpt: the node whose busiest rank has most requests */
    for (int32_t p = 0; p < t->nodes; p++) {
        transfers = fmax(transfers, (double)(t->cols - t->node[p].owned));
        tail = t->node[p].rank_most > t->node[tail].rank_most ? p : tail;
    }
    const double requests = (double)t->node[tail].rank_unique;
    const double imbalance = requests > 0 ? (double)t->node[tail].rank_most / requests : 1;
    NS_TRY(NS_NETSPARSE_EVAL(run->parameters.machine, "su-opt", &su, err, {"transfers", transfers}, {"k", k}));
    NS_TRY(NS_NETSPARSE_EVAL(run->parameters.machine, "sa-opt", &sa, err, {"requests", requests},
                             {"imbalance", imbalance}, {"k", k}));
    result->su_time = ns_netsparse_output(&su, "time");
    result->su_traffic = t->view.su_transfers * result->payload;
    result->sa_time = ns_netsparse_output(&sa, "time");
    result->sa_traffic = (double)t->view.requests * (result->payload + result->header);
    return NS_OK;
}

/* Entries (a value and a 4-byte index, as large as a value) and rows of the result are read once from memory, and each
 * row of the operand once, or once for every entry. */
static ns_status end_to_end(const ns_ablation *run, double k, ns_netsparse_result *result, ns_error *err)
{
    const ns_trace *t = run->trace;
    const double nodes = t->nodes, entries = (double)t->view.nonzeros / nodes;
    double most = 0;
    for (int32_t p = 0; p < t->nodes; p++)
        most = fmax(most, (double)t->node[p].nonzeros);
    const double bytes = 2 * run->parameters.value * entries + (double)t->rows / nodes * result->payload;
    const double once = (double)t->cols / nodes, rows[2] = {once, fmax(once, entries)};
    const double communication[3] = {result->su_time, result->sa_time, result->step[NS_SWITCH].time};
    for (int i = 0; i < 6 && bytes + once > 0; i++) {
        ns_evaluated bound;
        NS_TRY(NS_NETSPARSE_EVAL(run->parameters.machine, "netsparse-end-to-end", &bound, err,
                                 {"flop", 2 * entries * k}, {"bytes", bytes + rows[i % 2] * result->payload},
                                 {"imbalance", entries > 0 ? most / entries : 1}, {"nodes", nodes},
                                 {"communication", communication[i / 2]}));
        result->computation[i % 2] = ns_netsparse_output(&bound, "computation");
        result->ideal = ns_netsparse_output(&bound, "ideal");
        result->end_to_end[i / 2][i % 2] = ns_netsparse_output(&bound, i % 2 == 0 ? "speedup_worst" : "speedup_best");
    }
    return NS_OK;
}

/* Bounds that no schedule can exceed, -1 where nothing is sent; and the size of the hardware. */
static ns_status bounds(const ns_ablation *run, ns_netsparse_result *result, ns_error *err)
{
    const ns_trace *t = run->trace;
    const ns_netsparse_parameters *parameters = &run->parameters;
    int32_t most = 0;
    for (int32_t p = 0; p < t->nodes; p++)
        if (t->node[p].unique > t->node[most].unique)
            most = p;
    const ns_node_counts *n = &t->node[most];
    const double bytes = (double)n->unique * parameters->tiles * (parameters->P + 2 * parameters->r);
    result->filter_most = n->requests > 0 ? 1 - (double)n->unique / (double)n->requests : -1;
    result->per_packet_most = 2 / (1 / (double)parameters->most_request + 1 / (double)parameters->most_response);
    result->speedup_most = bytes > 0 ? result->su_time * parameters->rate / bytes : -1;
    ns_evaluated filter, cost;
    NS_TRY(NS_NETSPARSE_EVAL(parameters->machine, "filter", &filter, err, {"Z", 0}, {"unique", 0}, {"rtt_eff", 0},
                             {"T", 1}, {"columns", (double)t->cols}));
    NS_TRY(NS_NETSPARSE_EVAL(parameters->machine, "netsparse-cost", &cost, err, {"nodes", t->nodes}));
    result->filter_bytes = ns_netsparse_output(&filter, "filter_bytes");
    result->queue_bytes = ns_netsparse_output(&cost, "queues");
    result->queues_fit = ns_netsparse_output(&cost, "queues_fit") > 0;
    return NS_OK;
}

/* ---- the batch --------------------------------------------------------------------------------------------------- */

/* The best power of two, since one batch serves all nodes; the smallest of equal ones: by the time of the slowest node
 * if filtering leaves only its unique columns. */
static ns_status choose_batch(ns_ablation *run, ns_error *err)
{
    const ns_trace *t = run->trace;
    int64_t most = 0;
    double best = INFINITY, share;
    for (int32_t p = 0; p < t->nodes; p++)
        most = t->node[p].requests > most ? t->node[p].requests : most;
    run->batch = 1;
    NS_TRY(ns_run_share(run, run->parameters.P + run->parameters.lone_header / 2, &share, err));
    for (int64_t b = 1; b <= most && b <= INT64_C(1) << 30; b *= 2) {
        double time = 0;
        for (int32_t p = 0; p < t->nodes; p++) {
            ns_evaluated rig;
            NS_TRY(NS_NETSPARSE_EVAL(run->parameters.machine, "rig-batch", &rig, err,
                                     {"Z", (double)t->node[p].requests}, {"Q", (double)t->node[p].unique},
                                     {"k", run->parameters.k}, {"h", run->parameters.lone_header}, {"b", (double)b},
                                     {"share", share}));
            time = fmax(time, ns_netsparse_output(&rig, "exposed"));
        }
        if (time < best) {
            best = time;
            run->batch = b;
        }
    }
    return NS_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static ns_status perform(ns_ablation *run, const ns_netsparse_options *options, ns_netsparse_result *result,
                         ns_error *err)
{
    NS_TRY(ns_netsparse_read(options->machine, options->k, run->trace->nodes, &run->parameters, err));
    result->payload = run->parameters.P * run->parameters.tiles;
    result->header = run->parameters.lone_header * run->parameters.tiles;
    if (run->batch == 0)
        NS_TRY(choose_batch(run, err));
    result->batch = run->batch;
    NS_TRY(baselines(run, options->k, result, err));
    NS_TRY(bounds(run, result, err));
    const double su_bytes = result->su_time * run->parameters.rate;
    for (int step = NS_RIG; step < NS_MECHANISMS; step++) {
        if (options->last_only && step != NS_RIG && step != NS_SWITCH)
            continue;
        run->step = (ns_mechanism)step;
        run->result = &result->step[step];
        for (int round = 0; round < (step == NS_RIG ? 1 : ROUNDS); round++) {
            NS_TRY(ns_run_count(run, err));
            NS_TRY(ns_run_time(run, err));
        }
        ns_run_summary(run, result->su_time, su_bytes);
    }
    const double end = result->step[NS_SWITCH].time;
    for (int i = 0; i < NS_PROFILE; i++)
        for (int32_t p = 0; p < result->nodes; p++)
            result->active[i] += result->node[p].exposed > end * i / (NS_PROFILE - 1);
    return end_to_end(run, options->k, result, err);
}

ns_status ns_netsparse_run(ns_trace *trace, const ns_netsparse_options *wanted, ns_netsparse_result **result,
                           ns_error *err)
{
    ns_error_clear(err);
    ns_netsparse_options options;
    NS_TRY(NS_TAKE_OPTIONS(wanted, ns_netsparse_options, watcher, &options, err));
    if (!(options.k > 0 && options.k <= 1e9))
        return ns_fail(err, NS_ERR_RANGE, "k has to be more than 0 and at most 1e9 values, got %g", options.k);
    if (options.batch < 0 || options.batch > INT32_MAX)
        return ns_fail(err, NS_ERR_RANGE, "batch has to be 1 to 2147483647, or 0 for the best, got %lld",
                       (long long)options.batch);
    const size_t n = (size_t)trace->nodes;
    ns_netsparse_result *r = ns_calloc(1, sizeof *r);
    ns_ablation run = {.trace = trace,
                       .batch = options.batch,
                       .network = {options.topology, trace->nodes, trace->rack},
                       .time = ns_calloc(n, sizeof *run.time),
                       .traffic = ns_calloc(n, sizeof *run.traffic),
                       .rule = ns_calloc(n, sizeof *run.rule),
                       .by_owner = ns_calloc(n, sizeof *run.by_owner),
                       .by_node = ns_calloc(n, sizeof *run.by_node),
                       .cached = ns_calloc((size_t)trace->racks, sizeof *run.cached),
                       .options = &options,
                       .to_count = (double)trace->nodes * (1 + (options.last_only ? 1 : NS_MECHANISMS - 1) * ROUNDS)};
    ns_status status = NS_OK;
    if (r == NULL || run.time == NULL || run.traffic == NULL || run.rule == NULL || run.by_owner == NULL ||
        run.by_node == NULL || run.cached == NULL) {
        ns_free(run.time);
        status = ns_no_memory(err);
    } else {
        r->nodes = trace->nodes;
        r->node = run.time;
        status = perform(&run, &options, r, err);
    }
    ns_free(run.traffic);
    ns_free(run.rule);
    ns_free(run.by_owner);
    ns_free(run.by_node);
    ns_free(run.cached);
    if (status == NS_OK)
        *result = r;
    else
        ns_netsparse_free(r);
    return status;
}

void ns_netsparse_free(ns_netsparse_result *result)
{
    if (result == NULL)
        return;
    ns_free(result->node);
    ns_free(result);
}
