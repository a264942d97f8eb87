/* validate.c -- the cost function against measured exchanges */
#include "cli/show/validate.h"
#include "cli/inputs/cases.h"
#include "cli/inputs/rankings.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "report/columns.h"

#include <string.h>

static const ns_option options[] = {
    {"records", 0, "FILE.csv", NULL,
     "measured exchanges, one a row, with column measured_s; or dense ones, with bytes_per_pair or doubles_per_pair"},
    {"machine", 0, "NAME|COLUMN=NAME,...", "lassen=lassen-spectrum",
     "machine of every row, or of the rows whose column machine says so"},
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    NS_OPTION_INCUMBENT,
    {"where", 0, "COLUMN=VALUE", NULL, "only these rows, VALUE may be a range like 512: or 2:8; may be repeated",
     .repeats = true},
    {"by", 0, "COLUMN", NULL, "scores for every value of a column as well; may be repeated", .repeats = true},
    {"forms", 0, NULL, NULL, "every model, and the full one without each of its terms"},
    {"leave-out", 0, "COLUMN", NULL,
     "model error and kappa calibrated without each value of a column: file, processes; may be repeated",
     .repeats = true},
    {"worst", 0, "N", "5", "how many of the rows furthest off to show; 0 for none"},
    NS_OPTION_MEMORY,
    {"max-work", 0, "N", "4e6",
     "leave out dense exchanges of more than N messages: 16 nodes of 112 processes have 3.2e6"},
    NS_OPTION_PLOT,
    {NULL},
};

static ns_status scores(const ns_validation *v, ns_value *result, ns_error *err)
{
    const char *column;
    ns_value *list = ns_put_rows(result, "scores", NS_EVERYWHERE);
    NS_TRY(ns_validate_by(v, "machine", list, err));
    if (!ns_records_are_dense(v->records)) /* these have none */
        NS_TRY(ns_validate_by(v, "class", list, err));
    for (int i = 0; (column = ns_args_at(v->args, "by", i)) != NULL; i++)
        NS_TRY(ns_validate_by(v, column, list, err));
    return NS_OK;
}

/* Beside the advice what else one could do, and what its probabilities are worth. */
static ns_status advice(const ns_validation *v, ns_value *result, ns_error *err)
{
    ns_selection selection = {.strategies = 0};
    const char *column;
    char name[100];
    const ns_strategy *in_use[NS_CHOICES];
    NS_TRY(ns_incumbent_read(v->args, in_use, NULL, &selection, err));
    const int incumbent = selection.incumbents > 0 ? ns_way_number(in_use[0], selection.incumbent_transport) : -1;
    NS_TRY(ns_validate_advice(v, ns_put_rows(result, "advice", NS_NOT_IN_CSV), err));
    NS_TRY(ns_validate_rules(v, incumbent, ns_put_rows(result, "rules", NS_NOT_IN_CSV), err));
    ns_value *calibration = ns_put_rows(result, "calibration", NS_NOT_IN_CSV),
             *bins = ns_put_rows(result, "reliability", NS_NOT_IN_CSV);
    NS_TRY(ns_validate_calibration(v, calibration, err));
    NS_TRY(ns_validate_reliability(v, bins, err));
    for (int i = 0; (column = ns_args_at(v->args, "leave-out", i)) != NULL; i++) {
        snprintf(name, sizeof name, "choice_without_%.80s", column);
        NS_TRY(ns_validate_choice(v, column, ns_put_rows(result, name, NS_NOT_IN_CSV), calibration, bins, err));
    }
    return NS_OK;
}

/* A value of `class` alone says little of what was done; machine and class are always shown. */
static ns_status tables(ns_validation *v, ns_value *result, ns_error *err)
{
    const char *column;
    int32_t worst;
    NS_TRY(ns_args_count(v->args, "worst", 0, 1 << 20, &worst, err));
    NS_TRY(scores(v, result, err));
    NS_TRY(advice(v, result, err));
    for (int i = 0; (column = ns_args_at(v->args, "leave-out", i)) != NULL; i++) {
        char name[100];
        snprintf(name, sizeof name, "without_%.80s", column);
        NS_TRY(ns_validate_leave_out(v, column, ns_put_rows(result, name, NS_NOT_IN_CSV), err));
    }
    if (worst > 0)
        NS_TRY(ns_validate_worst(v, worst, ns_put_rows(result, "worst", NS_NOT_IN_CSV), err));
    return ns_args_has(v->args, "forms") ? ns_validate_forms(v, ns_put_rows(result, "forms", NS_NOT_IN_CSV), err)
                                         : NS_OK;
}

/* Rows without a time to compare with. */
static void name_unmeasured(const ns_validation *v, ns_value *left_out, FILE *words)
{
    const ns_records *records = v->records;
    for (size_t row = 0; row < records->rows; row++) {
        ns_error problem = {0};
        double measured;
        const char *text = records->row[row].problem;
        if (text != NULL)
            ns_fail_at(&problem, NS_ERR_SYNTAX, records->file, records->row[row].line, 0, "%s", text);
        else if (!ns_row_is_wanted(records, row, v->args) || ns_record_measured(records, row, &measured))
            continue;
        else if (*(text = ns_record_text(records, row, "measured_s")) == '\0')
            ns_fail_at(&problem, NS_ERR_DATA, records->file, records->row[row].line, 0, "lacks measured_s");
        else
            ns_fail_at(&problem, NS_ERR_RANGE, records->file, records->row[row].line, 0,
                       "measured_s wants seconds above 0, got \"%.40s\"", text);
        ns_row_left_out(records, row, &problem, left_out, words);
    }
}

static ns_status validate(ns_validation *v, ns_value *result, FILE *words, ns_error *err)
{
    static const char *const named[] = {"by", "leave-out"};
    if (ns_records_column(v->records, "measured_s") < 0 &&
        !(ns_records_are_dense(v->records) && ns_records_column(v->records, "median_s") >= 0))
        return ns_fail_at(err, NS_ERR_DATA, v->records->file, 1, 0,
                          "has no column measured_s; predict --exchange takes planned exchanges");
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        const char *text;
        for (int i = 0; (text = ns_args_at(v->args, named[k], i)) != NULL; i++)
            NS_TRY(ns_row_column_check(v->records, text, err));
    }
    NS_TRY(ns_row_where_check(v->args, v->records, err));
    NS_TRY(ns_row_machines_try(&v->machines, v->records, err));
    NS_TRY(ns_scored_make(v->records, ns_row_is_wanted, v->args, &v->scored, &v->count, err));
    if (v->count == 0)
        return ns_fail_at(err, NS_ERR_DATA, v->records->file, 0, 0, "no row has a measured time above 0%s",
                          ns_args_has(v->args, "where") ? " and passes --where" : "");
    ns_put_schema(result, "nsmodel/validate/1");
    ns_value *left_out = ns_put_list(result, "left_out", NS_IN_JSON);
    name_unmeasured(v, left_out, words);
    if (ns_records_are_dense(v->records))
        ns_validate_leave_ways(v, left_out);
    NS_TRY(ns_validate_price(v, &v->options, left_out, words, err));
    ns_row_machines_describe(&v->machines, result);
    if (ns_records_are_dense(v->records))
        ns_validate_leave_notes(left_out, result);
    NS_TRY(ns_validate_try(v, err));
    NS_TRY(tables(v, result, err));
    return ns_args_has(v->args, "plot") ? ns_validate_plot(v, result, err) : NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_validation v = {.args = args};
    ns_records *records;
    NS_TRY(ns_price_options_read(args, &v.options, err));
    NS_TRY(ns_limits_read(args, &v.limits, err));
    NS_TRY(ns_row_machines_check(args, err));
    if (ns_args_get(args, "records") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "validate wants --records FILE.csv");
    NS_TRY(ns_records_read(ns_args_get(args, "records"), &records, err));
    v.records = records;
    ns_row_machines_open(args, &v.machines);
    ns_status status = ns_records_are_ranked(records) ? ns_validate_rankings(&v, result, err)
                                                      : validate(&v, result, context->err, err);
    ns_row_machines_close(&v.machines);
    ns_free(v.scored);
    ns_free(v.tried);
    ns_records_free(records);
    return status;
}

const ns_command ns_command_validate = {
    .name = "validate",
    .summary = "the cost function against measured exchanges: how far off, how often right, and how sure",
    .usage = "--records FILE.csv",
    .options = options,
    .example = "nsmodel validate --records exchanges.csv --by level",
    .about =
        "Every row is priced as predict --exchange does and compared with its column measured_s. Rows that share "
        "the text in column\n"
        "group are repeats and count once, by their median. Scores: log2_error is the median of |log2(predicted / "
        "measured)|, ratio_10\n"
        "to ratio_90 are quantiles of predicted / measured, within_2x and within_25 are shares within a factor of "
        "2 and of 1.25,\n"
        "covered is the share of measured times inside the interval. Advice: of exchanges that were done in "
        "several ways, the share\n"
        "where the way predicted fastest is the fastest, and the time lost by following it, measured / fastest "
        "measured - 1; rules are\n"
        "what one could do instead: always the same way. They count exchanges whose two fastest ways differ by "
        "more than 10 %, all_ those\n"
        "that do not, too. Calibration: how far the probabilities hold with the machine's kappa, and with --leave-out "
        "with one learnt from\n"
        "the others: brier and log_loss beside those of knowing nothing, q90_covers the share of losses inside "
        "the bound of 90 %,\n"
        "which should be q90_should, ratio_covers the share of ratios of two ways inside their interval of 90 "
        "%. Reliability: of the\n"
        "ways with such a probability to be the fastest, the share that was.\n"
        "Dense exchanges, each process with each other, are told by columns bytes_per_pair or doubles_per_pair "
        "(beside processes,\n"
        "nodes, ppn or gpus_per_node): they are priced by the schedules that they really have. A column "
        "algorithm keeps\n"
        "nonblocking (standard), pairwise (standard/pairwise) and mpi (library) apart; what is none of our ways is "
        "left out and said.\n"
        "Rankings, rows with columns matrix, parts and winner instead of a time (and among, weight), are scored by P "
        "of "
        "their winners, also\n"
        "with kappa learnt from the other matrices' winners.\n",
    .rank = 9,
    .run = run,
};
