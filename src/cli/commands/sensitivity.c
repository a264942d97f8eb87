/* sensitivity.c -- which number moves the answer most, and what to measure next */
#include "cli/show/sensitivity.h"
#include "cli/front/places.h"
#include "cli/front/progress.h"
#include "cli/inputs/curves.h"
#include "cli/inputs/inputs.h"

#include <assert.h>
#include <string.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    {"machine", 0, "NAME|FILE", NULL, "the machine whose numbers are perturbed [for a matrix: " NS_MACHINE_DEFAULT "]",
     false},
    {"gpus", 'n', "N", "64", "GPUs (parts) of a matrix", false},
    {"parts", 'p', "N", NULL, "the same, for machines without GPUs", false},
    {"nodes", 0, "N", NULL, "nodes, each full: --per-node parts on it", false},
    NS_OPTION_PER_NODE,
    {"strategy", 0, "NAME/TRANSPORT", NULL, "of a matrix: this strategy instead of the best", false},
    {"of", 0, "NAME", NULL, "the output of a model [time, or the last]", false},
    {"by", 0, "SHARE", "10%", "how far each number is moved down and up", false},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_MODEL,
    NS_OPTION_SET,
    NS_OPTION_PLOT,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL, 0, NULL, NULL, NULL, false},
};

static ns_status read_by(const ns_args *args, double *by, ns_error *err)
{
    NS_TRY(ns_quantity_parse_as(ns_args_get(args, "by"), "--by", "1", by, err));
    return *by > 0 && *by < 1
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "--by wants a share above 0 and below 1, like 10%%; got %g", *by);
}

static ns_status show(const ns_args *args, ns_sensitivity *found, ns_value *result, ns_error *err)
{
    ns_sensitivity_show(found, result);
    ns_status status = ns_args_has(args, "plot") ? ns_sensitivity_plot(found, args, result, err) : NS_OK;
    ns_sensitivity_free(found);
    return status;
}

/* ---- a model or a strategy -------------------------------------------------------------------------------------- */

static ns_status read_curve(const ns_args *args, ns_curves *curves, ns_error *err)
{
    NS_TRY(ns_curves_read(args, curves, err));
    if (curves->count != 1)
        return ns_fail(err, NS_ERR_USAGE, "sensitivity wants one model, one STRATEGY/TRANSPORT, or --matrix M");
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_assign(curves, args->word[i], err));
    return ns_curves_ready(curves, err);
}

static ns_status ask_curve(const ns_args *args, ns_curves *curves, ns_value *result, ns_error *err)
{
    ns_progress_job job = {args->progress, "perturbing", "parameters"};
    ns_sensitivity_options how = {.size = sizeof how, .watch = ns_progress_tell, .watcher = &job};
    ns_sensitivity *found;
    NS_TRY(read_curve(args, curves, err));
    NS_TRY(read_by(args, &how.by, err));
    NS_TRY(ns_sensitivity_of_curve(curves, 0, &how, &found, err));
    return show(args, found, result, err);
}

static ns_status run_curve(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err)
{
    ns_curves *curves;
    ns_error own = {0};
    ns_matrix *matrix = NULL;
    NS_TRY(ns_curves_open(machine, ns_args_get(args, "of"), &curves, err));
    ns_status status = ask_curve(args, curves, result, &own);
    ns_curves_free(curves);
    if (status == NS_ERR_NAME && args->words == 1 && ns_places_matrix(args->word[0], &matrix, NULL) == NS_OK) {
        ns_matrix_free(matrix);
        return ns_fail(err, NS_ERR_NAME, "no model \"%.200s\"; it is a matrix: nsmodel sensitivity --matrix %.200s",
                       args->word[0], args->word[0]);
    }
    if (status != NS_OK && err != NULL)
        *err = own;
    return status;
}

/* ---- an exchange ------------------------------------------------------------------------------------------------ */

static ns_status make_exchange(const ns_args *args, const ns_machine *machine, ns_inputs *inputs,
                               ns_exchange **exchange, ns_error *err)
{
    ns_layout layout = {inputs->parts, machine->gpus > 0 ? machine->gpus : machine->host_processes};
    const char *option;
    int32_t number;
    NS_TRY(ns_parts_option(args, &option, err));
    if (ns_args_get(args, "per-node") != NULL)
        NS_TRY(ns_args_count(args, "per-node", 1, NS_PARTS_MOST, &layout.per_node, err));
    if (inputs->parts == 0 || option != NULL) {
        NS_TRY(ns_args_count(args, option != NULL ? option : "gpus", 1, NS_PARTS_MOST, &number, err));
        NS_TRY(ns_parts_of(option, number, layout.per_node, &layout.parts, err));
        NS_TRY(ns_inputs_check_rows(inputs, option != NULL ? option : "gpus", number, layout.parts, err));
    }
    if (layout.parts < inputs->parts || (inputs->part != NULL && layout.parts != inputs->parts))
        return ns_fail(err, NS_ERR_DATA, "the input has %d parts, --%s says %d", (int)inputs->parts,
                       option != NULL ? option : "gpus", (int)layout.parts);
    return ns_inputs_exchanges(inputs, &layout, 1, NULL, 0, exchange, err);
}

static ns_status ask_exchange(const ns_args *args, const ns_machine *machine, const ns_price_options *price,
                              ns_inputs *inputs, const ns_exchange *exchange, ns_value *result, ns_error *err)
{
    ns_progress_job job = {args->progress, "perturbing", "parameters"};
    ns_sensitivity_options how = {.size = sizeof how, .watch = ns_progress_tell, .watcher = &job};
    ns_sensitivity *found;
    NS_TRY(read_by(args, &how.by, err));
    how.name = inputs->matrix != NULL ? ns_matrix_describe(inputs->matrix)->name : NULL;
    NS_TRY(ns_sensitivity_of_exchange(exchange, machine, ns_args_get(args, "strategy"), price, &how, &found, err));
    ns_inputs_describe(inputs, result);
    return show(args, found, result, err);
}

static ns_status run_exchange(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err)
{
    ns_price_options price = {0};
    ns_inputs inputs;
    ns_exchange *exchange = NULL;
    if (args->words > 0)
        return ns_fail(err, NS_ERR_USAGE, "sensitivity takes a model or a matrix, not both");
    NS_TRY(ns_form_get(ns_args_get(args, "model"), &price.form, err));
    ns_status status = ns_inputs_open(args, &inputs, err);
    const char *strategy = ns_args_get(args, "strategy");
    inputs.groups = strategy != NULL && strchr(strategy, ':') != NULL;
    if (status == NS_OK)
        status = make_exchange(args, machine, &inputs, &exchange, err);
    if (status == NS_OK)
        status = ask_exchange(args, machine, &price, &inputs, exchange, result, err);
    ns_exchange_free(exchange);
    ns_inputs_close(&inputs);
    return status;
}

/* Options that say nothing about the subject are a mistake, not a wish to ignore. */
static ns_status check_options(const ns_args *args, bool exchange, ns_error *err)
{
    static const char *const of_exchange[] = {"gpus",      "parts", "nodes", "per-node",   "strategy",
                                              "partition", "width", "model", "max-memory", "max-work"};
    for (size_t i = 0; !exchange && i < sizeof of_exchange / sizeof *of_exchange; i++)
        if (ns_args_has(args, of_exchange[i]))
            return args->words > 0 ? ns_fail(err, NS_ERR_USAGE,
                                             "--%s is for --matrix and --messages; \"%.60s\" is taken for a model",
                                             of_exchange[i], args->word[0])
                                   : ns_fail(err, NS_ERR_USAGE, "--%s is for --matrix and --messages", of_exchange[i]);
    return exchange && ns_args_has(args, "of")
               ? ns_fail(err, NS_ERR_USAGE, "--of names an output of a model; of a matrix it is the estimate")
               : NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_machine **machine = NULL, *usual = NULL;
    size_t machines = 0;
    (void)context;
    const bool exchange = ns_args_has(args, "matrix") || ns_args_has(args, "messages");
    NS_TRY(check_options(args, exchange, err));
    if (ns_args_get(args, "machine") != NULL)
        NS_TRY(ns_machines_open(args, &machine, &machines, err));
    else if (ns_args_has(args, "set"))
        return ns_fail(err, NS_ERR_USAGE, "--set changes a machine: give --machine as well");
    else if (exchange)
        NS_TRY(ns_machine_find(ns_machine_usual(), &usual, err));
    const ns_machine *chosen = machine != NULL ? machine[0] : usual;
    assert(chosen != NULL || !exchange);
    ns_status status = machines > 1 ? ns_fail(err, NS_ERR_USAGE, "sensitivity takes one machine")
                       : exchange   ? run_exchange(args, chosen, result, err)
                                    : run_curve(args, chosen, result, err);
    if (usual != NULL)
        ns_machine_free(usual);
    ns_machines_close(machine, machines);
    return status;
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
