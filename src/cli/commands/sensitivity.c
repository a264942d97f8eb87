/* sensitivity.c -- which number changes the answer most, and what to measure next: a table and a tornado */
#include "cli/front/places.h"
#include "cli/front/progress.h"
#include "cli/inputs/cases.h"
#include "cli/inputs/curves.h"
#include "cli/front/own.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "core/number.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

NS_FREED_BY(ns_sensitivity_free, ns_sensitivity)

enum { BARS = 16 };

typedef struct request {
    const char *strategy, *of, *model, *plot;
    double by;
} request;

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    {"machine", 0, "NAME|FILE", NULL, "the machine whose numbers are perturbed [for a matrix: " NS_MACHINE_DEFAULT "]"},
    {"gpus", 'n', "N", "64", "GPUs (parts) of a matrix"},
    {"parts", 'p', "N", NULL, "the same, for machines without GPUs"},
    {"nodes", 0, "N", NULL, "nodes, each full: --per-node parts on it"},
    NS_OPTION_PER_NODE,
    {"strategy", 0, "NAME/TRANSPORT", NULL, "of a matrix: this strategy instead of the best",
     NS_OPT(request, strategy)},
    {"of", 0, "NAME", NULL, "the output of a model [time, or the last]", NS_OPT(request, of)},
    {"by", 0, "SHARE", "10%", "how far each number is moved down and up", NS_OPT(request, by)},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_MODEL,
    NS_OPTION_SET,
    NS_OPTION_PLOT_OF(request),
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct moved {
    const char *name, *kind, *remark, *source, *low_winner, *high_winner;
    double value, slope, low, high, se, share;
    ns_dim dim, of;
    bool kink, jump;
} moved;

static const ns_table_column columns[] = {{"parameter", NS_COL(moved, name)},
                                          {"kind", NS_COL(moved, kind), .shows = NS_IN_DATA},
                                          {"value", NS_COL(moved, value), NS_COL_DIM(moved, dim)},
                                          {"elasticity", NS_COL(moved, slope)},
                                          {"kink", NS_COL(moved, kink), .shows = NS_IN_DATA},
                                          {"jump", NS_COL(moved, jump), .shows = NS_IN_DATA},
                                          {"", NS_COL(moved, remark), .shows = NS_IN_TABLE},
                                          {"if_lower", NS_COL(moved, low), NS_COL_DIM(moved, of)},
                                          {"if_higher", NS_COL(moved, high), NS_COL_DIM(moved, of)},
                                          {"winner_if_lower", NS_COL(moved, low_winner), .shows = NS_IF_ANY},
                                          {"winner_if_higher", NS_COL(moved, high_winner), .shows = NS_WITH_LAST},
                                          {"se", NS_COL(moved, se), NS_COL_DIM(moved, dim), .shows = NS_IF_ANY},
                                          {"share_of_variance", NS_COL(moved, share), .shows = NS_WITH_LAST},
                                          {"source", NS_COL(moved, source)},
                                          {NULL}};

/* ---- the tornado ------------------------------------------------------------------------------------------------ */

static ns_status draw(const ns_sensitivity *s, const char *path, ns_value *result, ns_error *err)
{
    double x[BARS][2], y[BARS][2];
    ns_series series[BARS];
    const char *name[BARS];
    char title[200], unit[24];
    size_t bars = 0;
    for (; bars < s->moves && bars < BARS; bars++) {
        const ns_move *m = &s->move[bars];
        x[bars][0] = m->has_low ? m->low : s->base;
        x[bars][1] = m->has_high ? m->high : s->base;
        y[bars][0] = y[bars][1] = (double)bars + 1;
        name[bars] = m->name;
        series[bars] = (ns_series){.label = name[bars], .points = 2, .x = x[bars], .y = y[bars]};
    }
    if (bars == 0)
        return ns_fail(err, NS_ERR_DATA, "nothing moves %s: there is no tornado to draw", s->output);
    snprintf(title, sizeof title, "%.120s: each %.3g %% lower and higher", s->title, 100 * s->by);
    const ns_chart chart = {.title = title,
                            .x_label = s->output,
                            .y_label = "",
                            .series = bars,
                            .of = series,
                            .tick = name,
                            .ticks = bars,
                            .x_unit = ns_dim_unit(s->dim, unit, sizeof unit),
                            .bars = true,
                            .centre = s->base};
    return ns_draw(path, &chart, 1, 1, result, err);
}

static ns_status show(const request *r, const ns_sensitivity *s, ns_value *result, ns_error *err)
{
    char error[64];
    NS_OWN(ns_free) moved *row = ns_calloc(s->moves + 1, sizeof *row);
    if (row == NULL)
        return ns_no_memory(err);
    ns_value_text(result, "subject", s->title);
    if (s->machine != NULL)
        ns_value_text(result, "machine", s->machine->name);
    ns_value_text(result, "of", s->output);
    if (s->moves > 0)
        ns_value_number(result, "base", s->base, s->dim);
    ns_value_count(result, "by", s->by);
    if (s->least_certain >= 0) {
        const ns_move *next = &s->move[s->least_certain];
        ns_value_textf(
            result, "measure_next",
            "%s: its standard error makes %.0f %% of the variance of %s (one standard error of the whole: %s)",
            next->name, 100 * next->error * next->error / s->variance, s->output,
            ns_quantity_format(s->error, s->dim, 3, error, sizeof error));
    } else if (s->steepest >= 0 && s->machine != NULL) { /* the machine that the parameter belongs to */
        const ns_move *steep = &s->move[s->steepest];
        ns_value_textf(result, "measure_next",
                       "%s: 1 %% of it moves %s by %.3g %%; machine %s gives no standard errors for these parameters",
                       steep->name, s->output, fabs(steep->slope), s->machine->name);
    } else {
        ns_value_null(result, "measure_next");
    }
    if (s->of_exchange) /* an error of the answer does not imply that another strategy should be taken */
        ns_note(result, "what would change the choice of a strategy, and the benchmark for it: nsmodel advise");
    for (size_t i = 0; i < s->moves; i++) {
        const ns_move *m = &s->move[i];
        row[i] = (moved){.name = m->name,
                         .kind = m->parameter != NULL ? "machine" : "input",
                         .remark = m->jump   ? "jump"
                                   : m->kink ? "kink"
                                             : "",
                         .source = m->source,
                         .low_winner = m->low_winner,
                         .high_winner = m->high_winner,
                         .value = m->value,
                         .slope = m->sloped ? ns_round_digits(m->slope, 9) : (double)NAN,
                         .low = m->has_low ? m->low : (double)NAN,
                         .high = m->has_high ? m->high : (double)NAN,
                         .se = m->se > 0 ? m->se : (double)NAN,
                         .share = m->se > 0 ? s->variance > 0 ? m->error * m->error / s->variance : 0 : (double)NAN,
                         .dim = m->dim,
                         .of = s->dim,
                         .kink = m->kink,
                         .jump = m->jump};
    }
    ns_put_table(result, "moves", columns, row, s->moves, sizeof *row);
    return r->plot != NULL ? draw(s, r->plot, result, err) : NS_OK;
}

/* ---- a model or a strategy -------------------------------------------------------------------------------------- */

static ns_status ask_curve(const ns_args *args, const request *r, const ns_machine *machine, ns_value *result,
                           ns_error *err)
{
    ns_progress_job job = {args->progress, "perturbing", "parameters"};
    const ns_sensitivity_options how = {.watch = ns_progress_tell, .watcher = &job, .by = r->by};
    NS_OWN(ns_free) ns_curves *curves = NULL;
    NS_OWN(ns_sensitivity_free) ns_sensitivity *found = NULL;
    NS_TRY(ns_curves_open(machine, r->of, &curves, err));
    NS_TRY(ns_curves_read(args, curves, err));
    if (curves->count != 1)
        return ns_fail(err, NS_ERR_USAGE, "sensitivity wants one model, one STRATEGY/TRANSPORT, or --matrix M");
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_assign(curves, args->word[i], err));
    NS_TRY(ns_curves_ready(curves, err));
    NS_TRY(ns_sensitivity_of_curve(curves, 0, &how, &found, err));
    return show(r, found, result, err);
}

static ns_status run_curve(const ns_args *args, const request *r, const ns_machine *machine, ns_value *result,
                           ns_error *err)
{
    ns_error own = {0};
    NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
    const ns_status status = ask_curve(args, r, machine, result, &own);
    if (status == NS_ERR_NAME && args->words == 1 && ns_places_matrix(args->word[0], &matrix, NULL) == NS_OK)
        return ns_fail(err, NS_ERR_NAME, "no model \"%.200s\"; it is a matrix: nsmodel sensitivity --matrix %.200s",
                       args->word[0], args->word[0]);
    if (status != NS_OK && err != NULL)
        *err = own;
    return status;
}

/* ---- an exchange ------------------------------------------------------------------------------------------------ */

static ns_status run_exchange(const ns_args *args, const request *r, const ns_machine *machine, ns_value *result,
                              ns_error *err)
{
    NS_CLOSE(ns_inputs_close) ns_inputs inputs = {0};
    NS_OWN(ns_exchange_free) ns_exchange *exchange = NULL;
    NS_OWN(ns_sensitivity_free) ns_sensitivity *found = NULL;
    const char *option;
    int32_t per_node;
    if (args->words > 0)
        return ns_fail(err, NS_ERR_USAGE, "sensitivity takes a model or a matrix, not both");
    NS_TRY(ns_inputs_open(args, &inputs, err));
    inputs.groups = r->strategy != NULL && strchr(r->strategy, ':') != NULL;
    ns_price_options price = {0};
    ns_progress_job job = {args->progress, "perturbing", "parameters"};
    const ns_sensitivity_options how = {.watch = ns_progress_tell,
                                        .watcher = &job,
                                        .by = r->by,
                                        .name =
                                            inputs.matrix != NULL ? ns_matrix_describe(inputs.matrix)->name : NULL};
    NS_TRY(ns_form_get(r->model, &price.form, err));
    NS_TRY(ns_args_count(args, "per-node", 1, NS_PARTS_MOST, &per_node, err));
    ns_layout layout = {inputs.parts, per_node > 0 ? per_node : ns_machine_parts(machine)};
    NS_TRY(ns_parts_option(args, &option, err));
    if (inputs.parts == 0 || option != NULL) {
        const char *counted = option != NULL ? option : "gpus";
        int32_t number;
        NS_TRY(ns_args_count(args, counted, 1, NS_PARTS_MOST, &number, err));
        NS_TRY(ns_parts_of(option, number, layout.per_node, &layout.parts, err));
        NS_TRY(ns_inputs_check_rows(&inputs, counted, number, layout.parts, err));
    }
    if (layout.parts < inputs.parts || (inputs.part != NULL && layout.parts != inputs.parts))
        return ns_fail(err, NS_ERR_DATA, "the input has %d parts, --%s says %d", (int)inputs.parts,
                       option != NULL ? option : "gpus", (int)layout.parts);
    NS_TRY(ns_inputs_exchanges(&inputs, &layout, 1, NULL, 0, &exchange, err));
    NS_TRY(ns_sensitivity_of_exchange(exchange, machine, r->strategy, &price, &how, &found, err));
    ns_inputs_describe(&inputs, result);
    return show(r, found, result, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    (void)context;
    const bool exchange = args->matrix != NULL || args->messages != NULL;
    /* An option that does not apply to the subject is an error rather than ignored. */
    static const char *const of_exchange[] = {"gpus",      "parts", "nodes", "per-node",   "strategy",
                                              "partition", "width", "model", "max-memory", "max-work"};
    for (size_t i = 0; !exchange && i < sizeof of_exchange / sizeof *of_exchange; i++)
        if (ns_args_has(args, of_exchange[i]))
            return args->words > 0 ? ns_fail(err, NS_ERR_USAGE,
                                             "--%s is for --matrix and --messages; \"%.60s\" is taken for a model",
                                             of_exchange[i], args->word[0])
                                   : ns_fail(err, NS_ERR_USAGE, "--%s is for --matrix and --messages", of_exchange[i]);
    NS_TRY(ns_args_read(args, &r, err));
    r.model = ns_args_get(args, "model");
    if (exchange && r.of != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--of names an output of a model; of a matrix it is the estimate");
    if (!(r.by > 0 && r.by < 1))
        return ns_fail(err, NS_ERR_RANGE, "--by wants a share above 0 and below 1, like 10%%; got %g", r.by);
    NS_TRY(ns_machine_if_named(args, exchange, &machine, err));
    return (exchange ? run_exchange : run_curve)(args, &r, machine, result, err);
}

const ns_command ns_command_sensitivity = {
    .name = "sensitivity",
    .summary = "which number moves the answer most, and what to measure next",
    .usage = "MODEL NAME=VALUE... | STRATEGY/TRANSPORT NAME=VALUE... | --matrix M",
    .options = options,
    .example = "nsmodel sensitivity max-rate --machine lassen m=10 s=1MiB ppn=40",
    .about = "Turns every number of the machine, and every input that was given, down and up by itself.\n"
             "Elasticity: per cent more of the answer for one per cent more of the number; kink where it differs to "
             "the left and to the\n"
             "right, jump where the answer leaps. Counts go by one.\n"
             "What to measure next is the parameter whose standard error makes most of the variance of the answer; "
             "where the machine\n"
             "gives no standard errors, the one with the largest elasticity.\n" NS_ABOUT_MESSAGES,
    .most = NS_ARGS_MAX,
    .rank = 7,
    .run = run,
};
