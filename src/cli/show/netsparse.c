/* netsparse.c -- the answer of `nsmodel netsparse` as a value tree */
#include "cli/show/netsparse.h"

/* A negative value stands for nothing to divide by. */
static ns_value *ratio(ns_value *object, const char *name, double value)
{
    return value < 0 ? ns_value_null(object, name) : ns_value_count(object, name, value);
}

static double share(double a, double b)
{
    return b > 0 ? a / b : -1;
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static void add_node(const ns_trace *t, int32_t p, ns_value *object)
{
    const ns_node_counts *n = &t->node[p];
    ns_value_count(object, "node", p);
    ns_value_count(object, "nonzeros", (double)n->nonzeros);
    ns_value_count(object, "requests", (double)n->requests);
    ns_value_count(object, "unique", (double)n->unique);
    ns_value_count(object, "rank_unique", (double)n->rank_unique);
    ns_value_count(object, "served", (double)n->served);
    ratio(object, "filter_most", share((double)(n->requests - n->unique), (double)n->requests));
}

static int32_t busiest(const ns_trace *t)
{
    int32_t most = 0;
    for (int32_t p = 1; p < t->nodes; p++)
        if (t->node[p].unique > t->node[most].unique)
            most = p;
    return most;
}

static void add_shares(const ns_trace *t, ns_value *result)
{
    double ranks = 0, columns = 0, pairs = 0;
    for (int32_t p = 0; p < t->nodes; p++)
        ranks += (double)t->node[p].rank_unique;
    for (int32_t r = 0; r < t->racks; r++) {
        columns += (double)t->rack_counts[r].columns;
        pairs += (double)t->rack_counts[r].pairs;
    }
    ratio(result, "sa_requests_per_unique", share(ranks, (double)t->view.unique));
    ratio(result, "cache_hit_most", share(pairs - columns, pairs));
    ratio(result, "imbalance", share((double)t->view.unique_max, t->view.unique_mean));
}

static void compare(ns_value *rows, const char *quantity, double published, double computed)
{
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "quantity", quantity);
    ns_value_count(row, "published", published);
    ratio(row, "computed", computed);
    ns_value_count(row, "deviation", ns_relative_deviation(computed, published));
}

/* Beside [NS] Tables 1 and 4, for its own matrices: of the real file or, marked so, of a surrogate. */
static void add_published(const ns_trace *t, const ns_matrix_info *info, ns_value *result)
{
    const ns_published_view *p = ns_trace_published(t, info->name);
    if (p == NULL)
        return;
    ns_value *rows = ns_value_flag(ns_value_list(result, "published_tables"), NS_V_ROWS | NS_V_NO_CSV);
    compare(rows, "Table 1 SU", p->su_redundant_per_useful, t->view.su_redundant_per_useful);
    compare(rows, "Table 1 SA", p->sa_redundant_per_useful, t->view.sa_redundant_per_useful);
    compare(rows, "Table 4", p->destinations_per_window, t->view.destinations_per_window);
}

void ns_netsparse_head(const ns_trace *trace, const ns_inputs *inputs, const ns_gather_request *request,
                       ns_value *result)
{
    const ns_netsparse_view *v = &trace->view;
    const ns_matrix_info *info = ns_matrix_describe(inputs->matrix);
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/netsparse/1"), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(result, "matrix", info->name), NS_V_NO_TABLE);
    ns_value_flag(ns_value_text(result, "source", ns_matrix_source_words[info->source]), NS_V_NO_TABLE);
    ns_value_flag(ns_value_text(result, "machine", request->machine->name), NS_V_NO_TABLE);
    ns_value_text(result, "topology", ns_topology_words[request->topology]);
    ns_value_count(result, "nodes", trace->nodes);
    ns_value_flag(ns_value_count(result, "rack", trace->rack), NS_V_NO_TABLE);
    ns_value_count(result, "nonzeros", (double)v->nonzeros);
    ns_value_count(result, "requests", (double)v->requests);
    ns_value_count(result, "unique", (double)v->unique);
    ns_value_count(result, "su_transfers", v->su_transfers);
    ratio(result, "su_redundant_per_useful", v->su_redundant_per_useful);
    ratio(result, "sa_redundant_per_useful", v->sa_redundant_per_useful);
    ratio(result, "destinations_per_window", v->destinations_per_window);
    ratio(result, "rack_shared_fraction", v->rack_shared_fraction);
    add_shares(trace, result);
    add_published(trace, info, result);
    add_node(trace, busiest(trace), ns_value_object(result, "busiest_node"));
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* How long it takes and how much faster it is stay in a narrow table. */
static void add_detail(const ns_step_result *s, const ns_trace *t, ns_value *row)
{
    ns_value_flag(ns_value_count(row, "tail_node", s->node), NS_V_LEAST);
    ns_value_flag(ns_value_count(row, "requests", (double)t->node[s->node].requests), NS_V_LEAST);
    ns_value_flag(ns_value_count(row, "rank_unique", (double)t->node[s->node].rank_unique), NS_V_LEAST);
    ns_value_flag(ns_value_count(row, "prs", s->tail.issued), NS_V_LEAST);
    ns_value_flag(ns_value_count(row, "prs_per_packet", s->tail.per_packet), NS_V_LEAST);
    ns_value_flag(ratio(row, "hit_rate", share(s->hits, s->cache_requests)), NS_V_LEAST);
    ns_value_flag(ratio(row, "destinations_per_window", share(s->owners, s->windows)), NS_V_LEAST);
    ns_value_flag(ratio(row, "line_utilisation", s->utilisation), NS_V_LEAST);
    ns_value_number(row, "time_s", s->time, NS_SECOND);
    ns_value_flag(ns_value_number(row, "time_best_s", s->best, NS_SECOND), NS_V_LEAST);
    ns_value_flag(ns_value_number(row, "time_mean_s", s->mean, NS_SECOND), NS_V_LEAST);
    ns_value_flag(ns_value_text(row, "limit", ns_limit_words[s->limit]), NS_V_MINOR);
}

static void add_step(const ns_netsparse_result *r, int i, const ns_trace *detail, ns_value *steps)
{
    const ns_step_result *s = &r->step[i];
    ns_value *row = ns_value_object(steps, NULL);
    ns_value_text(row, "step", ns_mechanism_words[i]);
    ns_value_flag(ratio(row, "traffic_reduction", s->reduction), NS_V_MINOR);
    ns_value_flag(ratio(row, "goodput", s->goodput), NS_V_MINOR);
    ratio(row, "speedup", s->speedup);
    ns_value_flag(ratio(row, "speedup_best", s->speedup_best), NS_V_LEAST);
    if (detail != NULL)
        add_detail(s, detail, row);
}

static void add_traffic(const ns_netsparse_result *r, const ns_trace *t, ns_value *object)
{
    ns_value *traffic = ns_value_object(object, "traffic_bytes");
    ns_value_flag(ns_value_number(traffic, "su", r->su_traffic, NS_BYTE), NS_V_LEAST);
    ns_value_flag(ns_value_number(traffic, "sa", r->sa_traffic, NS_BYTE), NS_V_LEAST);
    ns_value_flag(ns_value_number(traffic, "netsparse", r->step[NS_SWITCH].traffic, NS_BYTE), NS_V_LEAST);
    ns_value *payload = ns_value_flag(ns_value_object(object, "payload_bytes"), NS_V_NO_TABLE);
    ns_value_number(payload, "su", r->su_traffic, NS_BYTE);
    ns_value_number(payload, "sa", (double)t->view.requests * r->payload, NS_BYTE);
    ns_value_number(payload, "netsparse", r->step[NS_SWITCH].issued * r->payload, NS_BYTE);
    ns_value_number(payload, "useful", (double)t->view.unique * r->payload, NS_BYTE);
}

static void add_bounds(const ns_netsparse_result *r, bool alone, ns_value *object)
{
    const ns_step_result *s = &r->step[NS_SWITCH];
    ns_value *bounds =
        ns_value_flag(ns_value_object(object, "bounds"), alone ? 0 : NS_V_NO_TABLE); /* too wide for rows */
    ns_value_text(bounds, "limit", ns_limit_words[s->limit]);
    ns_value_number(bounds, "line_s", s->tail.line, NS_SECOND);
    ns_value_number(bounds, "generate_s", s->tail.generate, NS_SECOND);
    ns_value_number(bounds, "pending_s", s->tail.pending, NS_SECOND);
    ns_value_number(bounds, "tail_s", s->tail.tail, NS_SECOND);
    ns_value_number(bounds, "network_s", s->network, NS_SECOND);
    ns_value_number(bounds, "su_s", r->su_time, NS_SECOND);
    ns_value_number(bounds, "sa_s", r->sa_time, NS_SECOND);
    ns_value_number(bounds, "computation_s", r->computation[0], NS_SECOND);
    ns_value_number(bounds, "computation_most_s", r->computation[1], NS_SECOND);
    ns_value_count(bounds, "ideal_speedup", r->ideal);
    static const char *const who[] = {"end_to_end_su", "end_to_end_sa", "end_to_end_netsparse"};
    for (int i = 0; i < 3; i++) {
        ns_value *range = ns_value_list(bounds, who[i]);
        ns_value_count(range, NULL, r->end_to_end[i][0]);
        ns_value_count(range, NULL, r->end_to_end[i][1]);
    }
    ratio(bounds, "filter_most", r->filter_most);
    ns_value_count(bounds, "prs_per_packet_most", r->per_packet_most);
    ratio(bounds, "speedup_most", r->speedup_most);
    ns_value_number(bounds, "idx_filter_bytes", r->filter_bytes, NS_BYTE);
    ns_value_number(bounds, "concat_queue_bytes", r->queue_bytes, NS_BYTE);
    ns_value_bool(bounds, "concat_queues_fit", r->queues_fit);
    ns_value *active = ns_value_list(bounds, "active_nodes");
    for (int i = 0; i < NS_PROFILE; i++)
        ns_value_count(active, NULL, r->active[i]);
}

/* How long the whole NetSparse takes, beside the two ways by software. */
static void add_verdict(const ns_netsparse_result *r, double k, bool alone, ns_value *object)
{
    const double time = r->step[NS_SWITCH].time;
    if (!(time > 0))
        return;
    static const char *const who[] = {"NetSparse", "SUOpt", "SAOpt"};
    const double seconds[] = {time, r->su_time, r->sa_time};
    int best = 0;
    char text[3][32];
    for (int i = 0; i < 3; i++) {
        ns_quantity_format(seconds[i], NS_SECOND, 3, text[i], sizeof text[i]);
        best = seconds[i] < seconds[best] ? i : best;
    }
    ns_value_flag(
        ns_value_textf(object, "sentence",
                       "K = %.10g: %s takes the least time: NetSparse takes %s, %.3g times as fast as SUOpt (%s) and "
                       "%.3g times as fast as SAOpt (%s)",
                       k, who[best], text[0], r->su_time / time, text[1], r->sa_time / time, text[2]),
        NS_V_NOTE);
    const unsigned flags = alone ? 0 : NS_V_NO_TABLE;
    ns_value_flag(ns_value_number(object, "time_s", time, NS_SECOND), flags);
    ns_value_flag(ns_value_count(object, "over_su", r->su_time / time), flags);
    ns_value_flag(ns_value_count(object, "over_sa", r->sa_time / time), flags);
}

/* Where there is room for one kind of rows only, they are the sweep's. */
static void add_result(const ns_netsparse_result *r, const ns_trace *t, double k, bool alone,
                       const ns_gather_request *request, ns_value *object)
{
    const unsigned gives_way = request->sweep < 0 ? 0 : alone ? NS_V_NO_CSV : NS_V_NO_CSV | NS_V_NO_TABLE;
    ns_value_count(object, "k", k);
    ns_value_flag(ns_value_count(object, "batch", (double)r->batch), NS_V_LEAST);
    add_verdict(r, k, alone, object);
    add_traffic(r, t, object);
    add_bounds(r, alone, object);
    ns_value *steps = ns_value_flag(ns_value_list(object, "steps"), NS_V_ROWS | gives_way);
    for (int i = 0; i < NS_MECHANISMS; i++)
        add_step(r, i, request->ablation ? t : NULL, steps);
}

static ns_status add_k(ns_trace *trace, const ns_gather_request *request, double k, bool alone, ns_value *object,
                       ns_error *err)
{
    ns_netsparse_result *r;
    ns_progress_job job = {.progress = request->progress, .unit = " nodes"};
    const ns_netsparse_options options = {.machine = request->machine,
                                          .k = k,
                                          .batch = request->batch,
                                          .topology = request->topology,
                                          .watch = ns_progress_tell,
                                          .watcher = &job};
    snprintf(job.what, sizeof job.what, "counting for K = %.10g", k);
    NS_TRY(ns_netsparse_run(trace, &options, &r, err));
    add_result(r, trace, k, alone, request, object);
    ns_netsparse_free(r);
    if (request->sweep < 0)
        return NS_OK;
    ns_value_text(object, "sweep", ns_sweep_words[request->sweep]);
    return ns_netsparse_sweep(trace, request, k, ns_value_flag(ns_value_list(object, "points"), NS_V_ROWS), err);
}

ns_status ns_netsparse_answer(ns_trace *trace, const ns_gather_request *request, const int32_t *k, size_t ks,
                              ns_value *result, ns_error *err)
{
    if (ks == 1)
        return add_k(trace, request, k[0], true, result, err);
    ns_value *list = ns_value_flag(ns_value_list(result, "cases"), NS_V_ROWS);
    for (size_t i = 0; i < ks; i++)
        NS_TRY(add_k(trace, request, k[i], false, ns_value_object(list, NULL), err));
    return NS_OK;
}
