/* netsparse.c -- the effect of in-network gather, filtering, concatenation and caching on a matrix */
#include "cli/front/progress.h"
#include "cli/front/own.h"
#include "cli/inputs/inputs.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

NS_FREED_BY(ns_trace_free, ns_trace)
NS_FREED_BY(ns_netsparse_free, ns_netsparse_result)

enum {
    NODES_MOST = 1 << 14,
    SHARES_MOST = 1 << 20
}; /* every node has queues to all others: time grows with the square */

typedef struct request {
    int32_t nodes, rack, ranks;
    ns_whole_numbers k;
    ns_topology topology;
    const char *batch_text, *plot;
    int64_t batch; /* 0: the best */
    bool ablation;
    int sweep; /* index into sweep_words, or -1 */
    const char *width;
    const ns_machine *machine;
    ns_progress *progress; /* or NULL */
} request;

static const char *const sweep_words[] = {"batch", "units", "delay", "cache", "topology", NULL};

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"nodes", 'n', "N", NULL, "number of nodes, each a part of the matrix", NS_OPT(request, nodes), .least = 1,
     .most = NODES_MOST},
    {"k", 'k', "LIST", "16", "values per property, of 4 bytes: 1,16,128", NS_OPT(request, k), .least = 1,
     .most = 1 << 20},
    {"machine", 0, "NAME|FILE", "netsparse", "machine with a section \"models\" like netsparse's"},
    NS_OPTION_SET,
    {"topology", 0, "NAME", "leaf-spine", "leaf-spine, hyperx or dragonfly", NS_OPT(request, topology),
     .words = ns_topology_words},
    {"batch", 0, "B", "auto", "indices of a RIG command; auto: the best for the busiest node",
     NS_OPT(request, batch_text)},
    {"ablation", 0, NULL, NULL, "what bounds each step: tail node, packets, time, limits", NS_OPT(request, ablation)},
    {"sweep", 0, "WHAT", NULL, "batch, units, delay, cache or topology: the whole NetSparse over that parameter",
     NS_OPT(request, sweep), .words = sweep_words},
    NS_OPTION_PLOT_OF(request),
    {"rack", 0, "N", "16", "nodes of a rack; the last may be partial", NS_OPT(request, rack), .least = 1,
     .most = SHARES_MOST},
    {"ranks", 0, "N", "64", "software ranks per node (SAOpt)", NS_OPT(request, ranks), .least = 1, .most = SHARES_MOST},
    NS_OPTION_PARTITION,
    {"width", 0, "SIZE", "4B", "bytes of one value", NS_OPT(request, width)},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

/* ---- the head: section 3 of [NS], counts of the mean and of the busiest node ------------------------------------- */

/* A quotient; NAN where the divisor is 0. */
static double share(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static double filter_most(const void *node)
{
    const ns_node_counts *n = node;
    return share((double)(n->requests - n->unique), (double)n->requests);
}

static const ns_table_column of_node[] = {{"nonzeros", NS_COL(ns_node_counts, nonzeros)},
                                          {"requests", NS_COL(ns_node_counts, requests)},
                                          {"unique", NS_COL(ns_node_counts, unique)},
                                          {"rank_unique", NS_COL(ns_node_counts, rank_unique)},
                                          {"served", NS_COL(ns_node_counts, served)},
                                          {"filter_most", .number = filter_most},
                                          {NULL}};

static void add_head(const ns_trace *t, const ns_matrix_info *info, const request *r, ns_value *result)
{
    ns_put_schema(result, "nsmodel/netsparse/1");
    ns_put_text(result, "matrix", NS_IN_DATA, info->name);
    ns_put_text(result, "source", NS_IN_DATA, ns_matrix_source_words[info->source]);
    ns_put_text(result, "machine", NS_IN_DATA, r->machine->name);
    ns_value_text(result, "topology", ns_topology_words[r->topology]);
    ns_value_count(result, "nodes", t->nodes);
    ns_put_count(result, "rack", NS_IN_DATA, t->rack);
    ns_view_value(&t->view, false, result);

    double ranks = 0, columns = 0, pairs = 0;
    int32_t busiest = 0;
    for (int32_t p = 0; p < t->nodes; p++) {
        ranks += (double)t->node[p].rank_unique;
        busiest = t->node[p].unique > t->node[busiest].unique ? p : busiest;
    }
    for (int32_t i = 0; i < t->racks; i++) {
        columns += (double)t->rack_counts[i].columns;
        pairs += (double)t->rack_counts[i].pairs;
    }
    ns_put_count(result, "sa_requests_per_unique", NS_EVERYWHERE, share(ranks, (double)t->view.unique));
    ns_put_count(result, "cache_hit_most", NS_EVERYWHERE, share(pairs - columns, pairs));
    ns_put_count(result, "imbalance", NS_EVERYWHERE, share((double)t->view.unique_max, t->view.unique_mean));

    /* compared with [NS] Tables 1 and 4, for its own matrices: of the real file or, marked as such, of a surrogate */
    typedef struct beside {
        const char *quantity;
        double published, computed, deviation;
    } beside;
    static const ns_table_column of_beside[] = {{"quantity", NS_COL(beside, quantity)},
                                                {"published", NS_COL(beside, published)},
                                                {"computed", NS_COL(beside, computed), .shows = NS_NEGATIVE_NULL},
                                                {"deviation", NS_COL(beside, deviation)},
                                                {NULL}};
    const ns_published_view *p = ns_trace_published(t, info->name);
    if (p != NULL) {
        beside row[] = {{"Table 1 SU", p->su_redundant_per_useful, t->view.su_redundant_per_useful, 0},
                        {"Table 1 SA", p->sa_redundant_per_useful, t->view.sa_redundant_per_useful, 0},
                        {"Table 4", p->destinations_per_window, t->view.destinations_per_window, 0}};
        ns_value *rows = ns_put_rows(result, "published_tables", NS_NOT_IN_CSV);
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            row[i].deviation = ns_relative_deviation(row[i].computed, row[i].published);
            ns_put_row(rows, of_beside, &row[i]);
        }
    }
    ns_value *node = ns_value_object(result, "busiest_node");
    ns_value_count(node, "node", busiest);
    ns_put_columns(node, of_node, &t->node[busiest]);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static double hit_rate(const void *step)
{
    return share(((const ns_step_result *)step)->hits, ((const ns_step_result *)step)->cache_requests);
}

static double destinations(const void *step)
{
    return share(((const ns_step_result *)step)->owners, ((const ns_step_result *)step)->windows);
}

/* Narrow tables keep the time and the speedup. */
static const ns_table_column of_step[] = {
    {"traffic_reduction", NS_COL(ns_step_result, reduction), .shows = NS_MINOR | NS_NEGATIVE_NULL},
    {"goodput", NS_COL(ns_step_result, goodput), .shows = NS_MINOR | NS_NEGATIVE_NULL},
    {"speedup", NS_COL(ns_step_result, speedup), .shows = NS_NEGATIVE_NULL},
    {"speedup_best", NS_COL(ns_step_result, speedup_best), .shows = NS_LEAST | NS_NEGATIVE_NULL},
    {NULL}};

static const ns_table_column of_ablation[] = {
    {"prs", NS_COL(ns_step_result, tail.issued), .shows = NS_LEAST},
    {"prs_per_packet", NS_COL(ns_step_result, tail.per_packet), .shows = NS_LEAST},
    {"hit_rate", .number = hit_rate, .shows = NS_LEAST},
    {"destinations_per_window", .number = destinations, .shows = NS_LEAST},
    {"line_utilisation", NS_COL(ns_step_result, utilisation), .shows = NS_LEAST | NS_NEGATIVE_NULL},
    {"time_s", NS_COL(ns_step_result, time), .unit = "s"},
    {"time_best_s", NS_COL(ns_step_result, best), .unit = "s", .shows = NS_LEAST},
    {"time_mean_s", NS_COL(ns_step_result, mean), .unit = "s", .shows = NS_LEAST},
    {"limit", NS_COL(ns_step_result, limit), .words = ns_limit_words, .shows = NS_MINOR},
    {NULL}};

typedef ns_netsparse_result whole;
static const ns_table_column of_last[] = {{"limit", NS_COL(ns_step_result, limit), .words = ns_limit_words},
                                          {"line_s", NS_COL(ns_step_result, tail.line), .unit = "s"},
                                          {"generate_s", NS_COL(ns_step_result, tail.generate), .unit = "s"},
                                          {"pending_s", NS_COL(ns_step_result, tail.pending), .unit = "s"},
                                          {"tail_s", NS_COL(ns_step_result, tail.tail), .unit = "s"},
                                          {"network_s", NS_COL(ns_step_result, network), .unit = "s"},
                                          {NULL}};
static const ns_table_column of_bounds[] = {{"su_s", NS_COL(whole, su_time), .unit = "s"},
                                            {"sa_s", NS_COL(whole, sa_time), .unit = "s"},
                                            {"computation_s", NS_COL(whole, computation[0]), .unit = "s"},
                                            {"computation_most_s", NS_COL(whole, computation[1]), .unit = "s"},
                                            {"ideal_speedup", NS_COL(whole, ideal)},
                                            {"end_to_end_su", NS_COL(whole, end_to_end[0])},
                                            {"end_to_end_sa", NS_COL(whole, end_to_end[1])},
                                            {"end_to_end_netsparse", NS_COL(whole, end_to_end[2])},
                                            {"filter_most", NS_COL(whole, filter_most), .shows = NS_NEGATIVE_NULL},
                                            {"prs_per_packet_most", NS_COL(whole, per_packet_most)},
                                            {"speedup_most", NS_COL(whole, speedup_most), .shows = NS_NEGATIVE_NULL},
                                            {"idx_filter_bytes", NS_COL(whole, filter_bytes), .unit = "B"},
                                            {"concat_queue_bytes", NS_COL(whole, queue_bytes), .unit = "B"},
                                            {"concat_queues_fit", NS_COL(whole, queues_fit)},
                                            {NULL}};
static const ns_table_column of_traffic[] = {
    {"su", NS_COL(whole, su_traffic), .unit = "B", .shows = NS_LEAST},
    {"sa", NS_COL(whole, sa_traffic), .unit = "B", .shows = NS_LEAST},
    {"netsparse", NS_COL(whole, step[NS_SWITCH].traffic), .unit = "B", .shows = NS_LEAST},
    {NULL}};

/* Where only one kind of rows can be shown, it is the sweep's. */
static void add_result(const whole *r, const ns_trace *t, double k, bool alone, const request *of, ns_value *object)
{
    const unsigned wide = alone ? NS_EVERYWHERE : NS_IN_DATA; /* too wide for rows */
    const double time = r->step[NS_SWITCH].time;
    ns_value_count(object, "k", k);
    ns_put_count(object, "batch", NS_LEAST, (double)r->batch);
    if (time > 0) { /* the time of the whole NetSparse, compared with the two software implementations */
        static const char *const who[] = {"NetSparse", "SUOpt", "SAOpt"};
        const double seconds[] = {time, r->su_time, r->sa_time};
        int best = 0;
        char text[3][32];
        for (int i = 0; i < 3; i++) {
            ns_quantity_format(seconds[i], NS_SECOND, 3, text[i], sizeof text[i]);
            best = seconds[i] < seconds[best] ? i : best;
        }
        ns_sentence(object, "sentence", NS_EVERYWHERE,
                    "K = %.10g: %s takes the least time: NetSparse takes %s, %.3g times as fast as SUOpt (%s) and "
                    "%.3g times as fast as SAOpt (%s)",
                    k, who[best], text[0], r->su_time / time, text[1], r->sa_time / time, text[2]);
        ns_put_number(object, "time_s", wide, time, NS_SECOND);
        ns_put_count(object, "over_su", wide, r->su_time / time);
        ns_put_count(object, "over_sa", wide, r->sa_time / time);
    }
    ns_put_columns(ns_value_object(object, "traffic_bytes"), of_traffic, r);
    ns_value *payload = ns_put_object(object, "payload_bytes", NS_IN_DATA);
    ns_value_number(payload, "su", r->su_traffic, NS_BYTE);
    ns_value_number(payload, "sa", (double)t->view.requests * r->payload, NS_BYTE);
    ns_value_number(payload, "netsparse", r->step[NS_SWITCH].issued * r->payload, NS_BYTE);
    ns_value_number(payload, "useful", (double)t->view.unique * r->payload, NS_BYTE);
    ns_value *limits = ns_put_object(object, "bounds", wide);
    ns_put_columns(limits, of_last, &r->step[NS_SWITCH]);
    ns_put_columns(limits, of_bounds, r);
    ns_value *active = ns_value_list(limits, "active_nodes");
    for (int i = 0; i < NS_PROFILE; i++)
        ns_value_count(active, NULL, r->active[i]);
    ns_value *steps = ns_put_rows(object, "steps",
                                  of->sweep < 0 ? NS_EVERYWHERE
                                  : alone       ? NS_NOT_IN_CSV
                                                : NS_NOT_IN_CSV | NS_IN_DATA);
    for (int i = 0; i < NS_MECHANISMS; i++) {
        const ns_step_result *s = &r->step[i];
        ns_value *row = ns_value_object(steps, NULL);
        ns_value_text(row, "step", ns_mechanism_words[i]);
        ns_put_columns(row, of_step, s);
        if (!of->ablation)
            continue;
        ns_put_count(row, "tail_node", NS_LEAST, s->node);
        ns_put_count(row, "requests", NS_LEAST, (double)t->node[s->node].requests);
        ns_put_count(row, "rank_unique", NS_LEAST, (double)t->node[s->node].rank_unique);
        ns_put_columns(row, of_ablation, s);
    }
}

/* ---- sweeps: the whole of NetSparse over one parameter, [NS] Figures 15 to 18 and 22 ----------------------------- */

/* Each point is the machine with one number changed.  Speedups are over SUOpt, as those of the steps. */
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

static const ns_table_column of_point[] = {{"time_s", NS_COL(ns_step_result, time), .unit = "s"},
                                           {"time_best_s", NS_COL(ns_step_result, best), .unit = "s"},
                                           {"speedup", NS_COL(ns_step_result, speedup), .shows = NS_NEGATIVE_NULL},
                                           {"prs_per_packet", NS_COL(ns_step_result, tail.per_packet)},
                                           {"hit_rate", .number = hit_rate},
                                           {"limit", NS_COL(ns_step_result, limit), .words = ns_limit_words},
                                           {NULL}};

/* --plot: speedup over SUOpt by step, or along a sweep, one line per K. */
enum { LINES = 16 };
typedef struct drawing {
    double y[LINES][POINTS];
    char label[LINES][32];
    size_t lines, points;
} drawing;

static double drawn(const ns_step_result *step)
{
    return step->speedup >= 0 ? step->speedup : (double)NAN;
}

static ns_status evaluate(ns_trace *trace, const request *of, double k, const point *p, double *speedup, ns_value *rows,
                          ns_error *err)
{
    NS_OWN(ns_machine_free) ns_machine *changed = NULL;
    NS_OWN(ns_netsparse_free) ns_netsparse_result *r = NULL;
    for (int i = 0; i < 2 && p->set[i] != NULL; i++)
        NS_TRY(changed != NULL ? ns_machine_set(&changed, p->set[i], err)
                               : ns_machine_with(of->machine, p->set[i], &changed, err));
    const ns_netsparse_options how = {.machine = changed != NULL ? changed : of->machine,
                                      .k = k,
                                      .batch = p->batch > 0 ? p->batch : of->batch,
                                      .topology = p->topology >= 0 ? (ns_topology)p->topology : of->topology,
                                      .last_only = true};
    NS_TRY(ns_netsparse_run(trace, &how, &r, err));
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "point", p->label);
    ns_put_columns(row, of_point, &r->step[NS_SWITCH]);
    *speedup = drawn(&r->step[NS_SWITCH]);
    return NS_OK;
}

static ns_status add_k(ns_trace *trace, const request *of, double k, bool alone, drawing *d, ns_value *object,
                       ns_error *err)
{
    NS_OWN(ns_netsparse_free) ns_netsparse_result *r = NULL;
    ns_progress_job job = {.progress = of->progress, .unit = " nodes"};
    const ns_netsparse_options how = {.machine = of->machine,
                                      .k = k,
                                      .batch = of->batch,
                                      .topology = of->topology,
                                      .watch = ns_progress_tell,
                                      .watcher = &job};
    double *y = d->y[d->lines < LINES ? d->lines : LINES - 1];
    snprintf(job.what, sizeof job.what, "counting for K = %.10g", k);
    NS_TRY(ns_netsparse_run(trace, &how, &r, err));
    add_result(r, trace, k, alone, of, object);
    for (int i = 0; i < NS_MECHANISMS && of->sweep < 0; i++)
        y[i] = drawn(&r->step[i]);
    d->points = NS_MECHANISMS;
    if (of->sweep >= 0) {
        const point *points = sweeps[of->sweep];
        ns_value_text(object, "sweep", sweep_words[of->sweep]);
        ns_value *rows = ns_put_rows(object, "points", NS_EVERYWHERE);
        for (d->points = 0; d->points < POINTS && points[d->points].label != NULL;)
            d->points++;
        for (size_t i = 0; i < d->points; i++) {
            ns_progress_show(of->progress, "sweeping", " points", (double)i, (double)d->points);
            NS_TRY(evaluate(trace, of, k, &points[i], &y[i], rows, err));
        }
    }
    if (d->lines < LINES)
        snprintf(d->label[d->lines++], sizeof *d->label, "K = %.0f", k);
    return NS_OK;
}

static ns_status draw(const request *r, const ns_trace *trace, const char *matrix, const drawing *d, ns_value *result,
                      ns_error *err)
{
    char title[200];
    double x[POINTS];
    const char *tick[POINTS];
    ns_series series[LINES];
    for (size_t i = 0; i < d->points; i++) {
        x[i] = (double)i + 1;
        tick[i] = r->sweep >= 0 ? sweeps[r->sweep][i].label : ns_mechanism_words[i];
    }
    for (size_t k = 0; k < d->lines; k++)
        series[k] = (ns_series){.label = d->label[k], .colour = (int)k, .points = d->points, .x = x, .y = d->y[k]};
    snprintf(title, sizeof title, "NetSparse on %.80s, %d nodes, %s", matrix, (int)trace->nodes,
             ns_topology_words[r->topology]);
    const ns_chart chart = {.title = title,
                            .x_label = r->sweep >= 0 ? sweep_words[r->sweep] : "mechanisms, cumulative",
                            .y_label = "speedup over SUOpt, tail node",
                            .log_y = true,
                            .series = d->lines,
                            .of = series,
                            .tick = tick,
                            .ticks = d->points};
    return ns_draw(r->plot, &chart, 1, 1, result, err);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static void request_free(request *r)
{
    ns_free(r->k.at);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_CLOSE(request_free) request r = {.progress = args->progress};
    NS_CLOSE(ns_inputs_close) ns_inputs inputs = {0};
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_trace_free) ns_trace *trace = NULL;
    drawing d = {.lines = 0};
    (void)context;
    NS_TRY(ns_args_read(args, &r, err));
    if (strcmp(r.batch_text, "auto") != 0) {
        int32_t batch;
        NS_TRY(ns_args_count(args, "batch", 1, INT32_MAX, &batch, err));
        r.batch = batch;
    }
    NS_TRY(ns_machine_only(args, &machine, err));
    if (ns_args_has(args, "width")) { /* one more parameter of the machine */
        char assignment[128];
        int64_t bytes;
        NS_TRY(ns_args_bytes(args, "width", &bytes, err)); /* its error names the option */
        snprintf(assignment, sizeof assignment, "models.header-share.value=%.64s", r.width);
        NS_TRY(ns_machine_set(&machine, assignment, err));
    }
    r.machine = machine;
    NS_TRY(ns_inputs_open(args, &inputs, err));
    const int32_t nodes = r.nodes > 0 ? r.nodes : inputs.parts;
    const ns_trace_options wanted = {
        .part = inputs.part, .max_memory = inputs.limits.max_memory, .rack = r.rack, .ranks = r.ranks};
    if (nodes == 0)
        return ns_fail(err, NS_ERR_USAGE, "netsparse wants --nodes N (or a --partition FILE)");
    if (nodes < inputs.parts)
        return ns_fail(err, NS_ERR_DATA, "the partition has %d parts, --nodes says %d", (int)inputs.parts, (int)nodes);
    NS_TRY(ns_trace_open(inputs.matrix, nodes, &wanted, &trace, err));
    inputs.nonzeros = trace->view.nonzeros;
    ns_inputs_describe(&inputs, result);
    add_head(trace, ns_matrix_describe(inputs.matrix), &r, result);
    const bool alone = r.k.count == 1; /* then its keys are at the top level */
    ns_value *cases = alone ? NULL : ns_put_rows(result, "cases", NS_EVERYWHERE);
    for (size_t i = 0; i < r.k.count; i++)
        NS_TRY(add_k(trace, &r, r.k.at[i], alone, &d, alone ? result : ns_value_object(cases, NULL), err));
    return r.plot != NULL ? draw(&r, trace, ns_matrix_describe(inputs.matrix)->name, &d, result, err) : NS_OK;
}

const ns_command ns_command_netsparse = {
    .name = "netsparse",
    .summary = "what in-network gather, filter, concatenation and caching would do",
    .usage = "MATRIX --nodes N",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel netsparse --matrix NotreDame_www --nodes 32 --ablation",
    .about = "Each node owns a block of rows and gathers the properties that its nonzeros need. The steps are "
             "cumulative: remote gather,\n"
             "filtering, coalescing, concatenation, caching in the switch.",
    .rank = 4,
    .run = run,
};
