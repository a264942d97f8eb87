/* validate.c -- the cost model against measured exchanges */
#include "cli/show/validate.h"
#include "cli/front/own.h"
#include "cli/inputs/cases.h"
#include "cli/inputs/rankings.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>


/* ---- the probability of the published winners, also with what was learnt without their matrix: the ratios of ways
 * where the machine's file has such ratios, else kappa */

enum { SUMS = 7 };

static ns_status machine_of(void *context, const ns_records *records, size_t row, const ns_machine **machine,
                            ns_error *err)
{
    return ns_row_machine_get(context, records, row, machine, err);
}

/* Score each winner with the values learnt from the winners of the other matrices. */
static ns_status hold_out(const ns_ranked *list, size_t count, const ns_ranked *r, double *p, int *best, ns_error *err)
{
    ns_ranked other = *r;
    ns_ranked_ratios ratios;
    double kappa = r->kappa;
    ns_ranked_ratios_of(r->machine, &ratios);
    if (ratios.count > 0) {
        ns_ranked_learn(list, count, r->matrix, kappa, &ratios);
        ns_ranked_with(&other, &ratios);
        return ns_ranked_p(&other, kappa, r->lambda, p, best, err);
    }
    NS_TRY(ns_ranked_kappa(list, count, r->matrix, &kappa, err));
    return ns_ranked_p(r, kappa, 1, p, best, err);
}

static ns_status add(const ns_ranked *list, size_t count, const ns_ranked *r, ns_value *rows, double sums[SUMS],
                     ns_error *err)
{
    double p, held_out;
    int best, other;
    NS_TRY(ns_ranked_p(r, r->kappa, r->lambda, &p, &best, err));
    NS_TRY(hold_out(list, count, r, &held_out, &other, err));
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "matrix", r->matrix);
    ns_value_count(row, "parts", r->parts);
    ns_value_text(row, "winner", r->name[r->winner]);
    ns_value_text(row, "predicted", r->name[best]);
    ns_value_number(row, "ratio", r->way[r->winner].seconds / r->way[best].seconds, NS_DIMENSIONLESS);
    ns_value_number(row, "p_winner", p, NS_DIMENSIONLESS);
    ns_value_text(row, "predicted_without_matrix", r->name[other]);
    ns_value_number(row, "p_without_matrix", held_out, NS_DIMENSIONLESS);
    const double of[SUMS] = {
        1, best == r->winner, p, held_out, -log(fmax(p, 1e-300)), other == r->winner, -log(fmax(held_out, 1e-300))};
    for (int i = 0; i < SUMS; i++)
        sums[i] += r->weight * of[i];
    return NS_OK;
}

/* Everything about rankings: records with a winner and no times. */
static ns_status ns_validate_rankings(ns_validation *v, ns_value *result, ns_error *err)
{
    NS_OWN(ns_free) ns_ranked *list = NULL;
    size_t count;
    double sums[SUMS] = {0}, guess = 0, kappa;
    NS_TRY(ns_row_where_check(v->args, v->records, err));
    NS_TRY(ns_row_machines_try(&v->machines, v->records, err));
    NS_TRY(ns_ranked_make(v->records, v->args, machine_of, &v->machines, &list, &count, err));
    ns_row_machines_describe(&v->machines, result);
    ns_value *summary = ns_put_rows(result, "rankings", NS_NOT_IN_CSV);
    ns_value *rows = ns_put_rows(result, "winners", NS_EVERYWHERE);
    NS_TRY(ns_ranked_kappa(list, count, NULL, &kappa, err));
    for (size_t i = 0; i < count; i++) {
        NS_TRY(add(list, count, &list[i], rows, sums, err));
        guess += list[i].weight * log(list[i].ways);
    }
    ns_value *row = ns_value_object(summary, NULL);
    ns_value_number(row, "cases", sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "right", sums[1] / sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "p_mean", sums[2] / sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "log_loss", sums[4] / sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "log_loss_uniform", guess / sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "kappa", list[0].kappa, NS_DIMENSIONLESS);
    ns_value_number(row, "kappa_of_winners", kappa, NS_DIMENSIONLESS);
    ns_value_number(row, "p_mean_without_matrix", sums[3] / sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "right_without_matrix", sums[5] / sums[0], NS_DIMENSIONLESS);
    ns_value_number(row, "log_loss_without_matrix", sums[6] / sums[0], NS_DIMENSIONLESS);
    return NS_OK;
}

/* ---- validate --plot: predicted against measured, a dot an exchange, a colour a class, and the line of
 * equals */

enum { GUIDES = 3 };

/* Predicted against measured, log-log, by class. */
static ns_status plot(const ns_validation *v, const char *path, ns_value *result, ns_error *err)
{
    static const char *const label[GUIDES] = {"equal", "twice", "half"};
    static const double factor[GUIDES] = {1, 2, 0.5};
    NS_OWN(ns_free) const char **name = NULL;
    size_t names, used = 0;
    double edge[2] = {INFINITY, 0}, guide[GUIDES][2];
    NS_TRY(ns_validate_values(v, "class", &name, &names, err));
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *x));
    NS_OWN(ns_free) double *y = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *y));
    NS_OWN(ns_free) ns_series *series = ns_calloc(ns_size_add(names, GUIDES), sizeof *series);
    if (x == NULL || y == NULL || series == NULL)
        return ns_no_memory(err);
    for (size_t k = 0; k < names; k++) {
        const ns_of_value of = {v->records, "class", name[k]};
        const size_t from = used;
        for (size_t i = 0; i < v->count; i++)
            if (ns_is_of_value(&v->scored[i], &of)) {
                x[used] = v->scored[i].measured_s;
                y[used++] = v->scored[i].price.estimate_s;
            }
        series[k] = (ns_series){.label = *name[k] != '\0' ? name[k] : "exchanges",
                                .colour = (int)k,
                                .dots = true,
                                .points = used - from,
                                .x = x + from,
                                .y = y + from};
    }
    for (size_t i = 0; i < v->count; i++) {
        edge[0] = fmin(edge[0], v->scored[i].measured_s);
        edge[1] = fmax(edge[1], v->scored[i].measured_s);
    }
    for (int g = 0; g < GUIDES; g++) {
        guide[g][0] = factor[g] * edge[0];
        guide[g][1] = factor[g] * edge[1];
        series[names + (size_t)g] = (ns_series){
            .label = label[g], .colour = 4, .dashed = g > 0, .bare = true, .points = 2, .x = edge, .y = guide[g]};
    }
    const ns_chart chart = {.title = "exchanges, predicted against measured",
                            .x_label = "measured",
                            .x_unit = "s",
                            .y_label = "predicted",
                            .y_unit = "s",
                            .log_x = true,
                            .log_y = true,
                            .series = names + GUIDES,
                            .of = series};
    return ns_draw(path, &chart, 1, 1, result, err);
}

typedef struct request {
    const char *records, *plot;
    int worst;
    bool forms;
} request;

static const ns_option options[] = {
    {"records", 0, "FILE.csv", NULL,
     "measured exchanges, one a row, with column measured_s; or dense ones, with bytes_per_pair or doubles_per_pair",
     NS_OPT(request, records)},
    {"machine", 0, "NAME|COLUMN=NAME,...", "lassen=lassen-spectrum",
     "machine of every row, or of the rows whose column machine says so"},
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    NS_OPTION_INCUMBENT,
    {"where", 0, "COLUMN=VALUE", NULL, "only these rows, VALUE may be a range like 512: or 2:8; may be repeated",
     .repeats = true},
    {"by", 0, "COLUMN", NULL, "scores for every value of a column as well; may be repeated", .repeats = true},
    {"forms", 0, NULL, NULL, "every model, and the full one without each of its terms", NS_OPT(request, forms)},
    {"leave-out", 0, "COLUMN", NULL,
     "model error and kappa calibrated without each value of a column: file, processes; may be repeated",
     .repeats = true},
    {"worst", 0, "N", "5", "how many of the rows furthest off to show; 0 for none", NS_OPT(request, worst),
     .most = 1 << 20},
    NS_OPTION_MEMORY,
    {"max-work", 0, "N", "4e6",
     "leave out dense exchanges of more than N messages: 16 nodes of 112 processes have 3.2e6"},
    NS_OPTION_PLOT_OF(request),
    {NULL},
};

static void validation_free(ns_validation *v)
{
    ns_row_machines_close(&v->machines);
    ns_free(v->scored);
    ns_free(v->tried);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_OWN(ns_records_free) ns_records *records = NULL;
    NS_CLOSE(validation_free) ns_validation v = {.args = args, .machines = {.args = args}};
    request r;
    NS_TRY(ns_args_read(args, &r, err));
    NS_TRY(ns_price_options_read(args, &v.options, err));
    NS_TRY(ns_limits_read(args, &v.limits, err));
    NS_TRY(ns_row_machines_check(args, err));
    if (r.records == NULL)
        return ns_fail(err, NS_ERR_USAGE, "validate wants --records FILE.csv");
    NS_TRY(ns_records_read(r.records, &records, err));
    v.records = records;
    if (ns_records_are_ranked(records))
        return ns_validate_rankings(&v, result, err);
    static const char *const named[] = {"by", "leave-out"};
    if (ns_records_column(v.records, "measured_s") < 0 &&
        !(ns_records_are_dense(v.records) && ns_records_column(v.records, "median_s") >= 0))
        return ns_fail_at(err, NS_ERR_DATA, v.records->file, 1, 0,
                          "has no column measured_s; predict --exchange takes planned exchanges");
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        const char *text;
        for (int i = 0; (text = ns_args_at(v.args, named[k], i)) != NULL; i++)
            NS_TRY(ns_row_column_check(v.records, text, err));
    }
    NS_TRY(ns_row_where_check(v.args, v.records, err));
    NS_TRY(ns_row_machines_try(&v.machines, v.records, err));
    NS_TRY(ns_scored_make(v.records, ns_row_is_wanted, v.args, &v.scored, &v.count, err));
    if (v.count == 0)
        return ns_fail_at(err, NS_ERR_DATA, v.records->file, 0, 0, "no row has a measured time above 0%s",
                          ns_args_at(v.args, "where", 0) != NULL ? " and passes --where" : "");
    ns_put_schema(result, "nsmodel/validate/1");
    ns_value *left_out = ns_put_list(result, "left_out", NS_IN_JSON);
    /* Rows without a time to compare with. */
    for (size_t row = 0; row < records->rows; row++) {
        ns_error problem = {0};
        double measured;
        const char *text = records->row[row].problem;
        if (text != NULL)
            ns_fail_at(&problem, NS_ERR_SYNTAX, records->file, records->row[row].line, 0, "%s", text);
        else if (!ns_row_is_wanted(records, row, v.args) || ns_record_measured(records, row, &measured))
            continue;
        else if (*(text = ns_record_text(records, row, "measured_s")) == '\0')
            ns_fail_at(&problem, NS_ERR_DATA, records->file, records->row[row].line, 0, "lacks measured_s");
        else
            ns_fail_at(&problem, NS_ERR_RANGE, records->file, records->row[row].line, 0,
                       "measured_s wants seconds above 0, got \"%.40s\"", text);
        ns_row_left_out(records, row, &problem, left_out, context->err);
    }
    if (ns_records_are_dense(v.records))
        ns_validate_leave_ways(&v, left_out);
    NS_TRY(ns_validate_price(&v, &v.options, left_out, context->err, err));
    ns_row_machines_describe(&v.machines, result);
    if (ns_records_are_dense(v.records))
        ns_validate_leave_notes(left_out, result);
    NS_TRY(ns_validate_try(&v, err));
    /* The value of `class` alone does not identify an exchange; machine and class are always shown. */
    const char *column;
    char name[100];
    ns_value *list = ns_put_rows(result, "scores", NS_EVERYWHERE);
    NS_TRY(ns_validate_by(&v, "machine", list, err));
    if (!ns_records_are_dense(v.records)) /* these have none */
        NS_TRY(ns_validate_by(&v, "class", list, err));
    for (int i = 0; (column = ns_args_at(v.args, "by", i)) != NULL; i++)
        NS_TRY(ns_validate_by(&v, column, list, err));
    /* Compare the advice with its alternatives, and evaluate its probabilities. */
    ns_selection selection = {.strategies = 0};
    const ns_strategy *in_use[NS_CHOICES];
    NS_TRY(ns_incumbent_read(v.args, in_use, NULL, &selection, err));
    const int incumbent = selection.incumbents > 0 ? ns_way_number(in_use[0], selection.incumbent_transport) : -1;
    NS_TRY(ns_validate_advice(&v, ns_put_rows(result, "advice", NS_NOT_IN_CSV), err));
    NS_TRY(ns_validate_rules(&v, incumbent, ns_put_rows(result, "rules", NS_NOT_IN_CSV), err));
    ns_value *calibration = ns_put_rows(result, "calibration", NS_NOT_IN_CSV),
             *bins = ns_put_rows(result, "reliability", NS_NOT_IN_CSV);
    NS_TRY(ns_validate_calibration(&v, calibration, bins, err));
    for (int i = 0; (column = ns_args_at(v.args, "leave-out", i)) != NULL; i++) {
        snprintf(name, sizeof name, "choice_without_%.80s", column);
        NS_TRY(ns_validate_choice(&v, column, ns_put_rows(result, name, NS_NOT_IN_CSV), calibration, bins, err));
    }
    for (int i = 0; (column = ns_args_at(v.args, "leave-out", i)) != NULL; i++) {
        snprintf(name, sizeof name, "without_%.80s", column);
        NS_TRY(ns_validate_leave_out(&v, column, ns_put_rows(result, name, NS_NOT_IN_CSV), err));
    }
    if (r.worst > 0)
        NS_TRY(ns_validate_worst(&v, r.worst, ns_put_rows(result, "worst", NS_NOT_IN_CSV), err));
    if (r.forms)
        NS_TRY(ns_validate_forms(&v, ns_put_rows(result, "forms", NS_NOT_IN_CSV), err));
    return r.plot != NULL ? plot(&v, r.plot, result, err) : NS_OK;
}

const ns_command ns_command_validate = {
    .name = "validate",
    .summary = "the cost function against measured exchanges: how far off, how often right, and how sure",
    .usage = "--records FILE.csv",
    .options = options,
    .example = "nsmodel validate --records exchanges.csv --by level",
    .about =
        "Every row is priced as predict --exchange does and compared with its column measured_s. Rows that share the "
        "text in column\n"
        "group are repeats and count once, by their median. Scores: log2_error is the median of |log2(predicted / "
        "measured)|, ratio_10\n"
        "to ratio_90 are quantiles of predicted / measured, within_2x and within_25 are shares within a factor of 2 "
        "and of 1.25,\n"
        "covered is the share of measured times inside the interval. Advice: of exchanges that were done in several "
        "ways, the share\n"
        "where the way predicted fastest is the fastest, and the time lost by following it, measured / fastest "
        "measured - 1; rules are\n"
        "what one could do instead: always the same way. They count exchanges whose two fastest ways differ by more "
        "than 10 %, all_ those\n"
        "that do not, too. Calibration: how far the probabilities hold with the machine's kappa, and with --leave-out "
        "with one learnt from\n"
        "the others: brier and log_loss beside those of knowing nothing, q90_covers the share of losses inside the "
        "bound of 90 %,\n"
        "which should be q90_should, ratio_covers the share of ratios of two ways inside their interval of 90 %. "
        "Reliability: of the\n"
        "ways with such a probability to be the fastest, the share that was.\n"
        "Dense exchanges, each process with each other, are told by columns bytes_per_pair or doubles_per_pair (beside "
        "processes,\n"
        "nodes, ppn or gpus_per_node): they are priced by the schedules that they really have. A column algorithm "
        "keeps\n"
        "nonblocking (standard), pairwise (standard/pairwise) and mpi (library) apart; what is none of our ways is "
        "left out and said.\n"
        "Rankings, rows with columns matrix, parts and winner instead of a time (and among, weight), are scored by P "
        "of their winners, also\n"
        "with kappa learnt from the other matrices' winners.\n",
    .rank = 9,
    .run = run,
};
