/* sensitivity.c -- which number moves the answer most, and what to measure next */
#include "cli/inputs/inputs.h"
#include "cli/show/sensitivity.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    {"machine", 0, "NAME|FILE", NULL, "the machine whose numbers are turned [for a matrix: lassen]", false},
    {"gpus", 'n', "N", "64", "GPUs (parts) of a matrix", false},
    NS_OPTION_PER_NODE,
    {"strategy", 0, "NAME/TRANSPORT", NULL, "of a matrix: this strategy instead of the best", false},
    {"of", 0, "NAME", NULL, "the output of a model [time, or the last]", false},
    {"by", 0, "SHARE", "10%", "how far each number is turned down and up", false},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_MODEL,
    NS_OPTION_SET,
    NS_OPTION_PLOT,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL, 0, NULL, NULL, NULL, false},
};

/* ---- a model or a strategy as the subject ----------------------------------------------------------------------- */

static ns_status curve_answer(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                              const char **winner, ns_error *err)
{
    ns_curve_set *set = context;
    if (winner != NULL)
        *winner = "";
    set->machine = machine;
    set->curve[0].binding.machine = machine;
    return ns_curve_value(set, 0, input, input != NULL, value, err);
}

static ns_status open_curve(const ns_args *args, const ns_machine *machine, ns_curve_set *set, ns_subject *subject,
                            ns_error *err)
{
    set->machine = machine;
    set->output = ns_args_get(args, "of");
    for (int i = 0; i < args->words; i++)
        if (!ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_add(set, args->word[i], err));
    if (set->count != 1)
        return ns_fail(err, NS_ERR_USAGE, "sensitivity wants one model, one STRATEGY/TRANSPORT, or --matrix M");
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_assign(set, args->word[i], err));
    ns_dim dim;
    NS_TRY(ns_curves_dim(set, &dim, err));
    *subject = (ns_subject){.machine = machine,
                            .title = set->curve[0].label,
                            .output = set->output,
                            .dim = dim,
                            .context = set,
                            .progress = args->progress,
                            .answer = curve_answer};
    return NS_OK;
}

static ns_status add_input(const ns_field *field, const void *record, const char *source, ns_knob *knob, size_t *knobs,
                           ns_error *err)
{
    double factor;
    ns_knob one = {.name = field->name, .value = ns_field_number(field, record), .source = source};
    NS_TRY(ns_unit_parse(field->unit, &factor, &one.dim, err));
    knob[(*knobs)++] = one;
    return NS_OK;
}

/* Inputs that were given, and defaults; what the machine gives is turned there. */
static ns_status input_knobs(const ns_curve_set *set, ns_knob *knob, size_t *knobs, ns_error *err)
{
    ns_binding closed;
    ns_model_buffer out;
    if (set->strategies > 0) {
        for (const ns_field *f = ns_scenario_fields; f->kind != NS_FIELD_END; f++)
            NS_TRY(add_input(f, &set->scenario, "the scenario", knob, knobs, err));
        return NS_OK;
    }
    NS_TRY(ns_curve_eval(set, 0, NULL, 0, &closed, &out, err));
    for (int i = 0; closed.model->inputs[i].kind != NS_FIELD_END; i++)
        if (closed.model->inputs[i].kind == NS_FIELD_NUMBER &&
            (closed.given[i] == NS_GIVEN_USER || closed.given[i] == NS_GIVEN_DEFAULT))
            NS_TRY(add_input(&closed.model->inputs[i], closed.in.bytes,
                             closed.given[i] == NS_GIVEN_USER ? "given" : "default", knob, knobs, err));
    return NS_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static ns_status read_by(const ns_args *args, double *by, ns_error *err)
{
    NS_TRY(ns_quantity_parse_as(ns_args_get(args, "by"), "--by", "1", by, err));
    return *by > 0 && *by < 1
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "--by wants a share above 0 and below 1, like 10%%; got %g", *by);
}

static ns_status analyse(const ns_args *args, const ns_subject *subject, const ns_curve_set *set, ns_value *result,
                         ns_error *err)
{
    enum { INPUTS_MOST = 64 };
    double by;
    size_t knobs = 0, moves = 0;
    ns_move *move;
    NS_TRY(read_by(args, &by, err));
    ns_knob *knob =
        malloc((INPUTS_MOST + (subject->machine != NULL ? subject->machine->parameters : 0)) * sizeof *knob);
    if (knob == NULL)
        return ns_no_memory(err);
    ns_status status = set != NULL ? input_knobs(set, knob, &knobs, err) : NS_OK;
    if (status == NS_OK && subject->machine != NULL)
        knobs += ns_machine_knobs(subject->machine, knob + knobs);
    if (status == NS_OK)
        status = ns_sensitivity_run(subject, knob, knobs, by, &move, &moves, err);
    free(knob);
    NS_TRY(status);
    ns_sensitivity_report(subject, move, moves, by, result);
    if (ns_args_has(args, "plot"))
        status = ns_sensitivity_plot(subject, move, moves, by, args, result, err);
    free(move);
    return status;
}

static ns_status run_curve(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err)
{
    ns_subject subject;
    ns_curve_set *set = calloc(1, sizeof *set);
    if (set == NULL)
        return ns_no_memory(err);
    ns_status status = open_curve(args, machine, set, &subject, err);
    if (status == NS_OK)
        status = analyse(args, &subject, set, result, err);
    free(set);
    return status;
}

static ns_status run_exchange(const ns_args *args, const ns_machine *machine, ns_value *result, ns_error *err)
{
    ns_exchange_subject *exchange;
    ns_subject subject;
    if (args->words > 0)
        return ns_fail(err, NS_ERR_USAGE, "sensitivity takes a model or a matrix, not both");
    NS_TRY(ns_exchange_subject_open(args, machine, result, &exchange, &subject, err));
    ns_status status = analyse(args, &subject, NULL, result, err);
    ns_exchange_subject_close(exchange);
    return status;
}

/* Options that say nothing about the subject are a mistake, not a wish to ignore. */
static ns_status check_options(const ns_args *args, bool exchange, ns_error *err)
{
    static const char *const of_exchange[] = {"gpus",  "per-node", "strategy",  "partition",
                                              "width", "model",    "max-memory", "max-work"};
    for (size_t i = 0; !exchange && i < sizeof of_exchange / sizeof *of_exchange; i++)
        if (ns_args_has(args, of_exchange[i]))
            return ns_fail(err, NS_ERR_USAGE, "--%s is for --matrix and --messages", of_exchange[i]);
    return exchange && ns_args_has(args, "of")
               ? ns_fail(err, NS_ERR_USAGE, "--of names an output of a model; of a matrix it is the estimate")
               : NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    ns_machine **machine = NULL, *lassen = NULL;
    size_t machines = 0;
    (void)context;
    const bool exchange = ns_args_has(args, "matrix") || ns_args_has(args, "messages");
    NS_TRY(check_options(args, exchange, err));
    if (ns_args_get(args, "machine") != NULL)
        NS_TRY(ns_machines_open(args, &machine, &machines, err));
    else if (ns_args_has(args, "set"))
        return ns_fail(err, NS_ERR_USAGE, "--set changes a machine: give --machine as well");
    else if (exchange)
        NS_TRY(ns_machine_load("lassen", &lassen, err));
    const ns_machine *chosen = machines > 0 ? machine[0] : lassen;
    ns_status status = machines > 1 ? ns_fail(err, NS_ERR_USAGE, "sensitivity takes one machine")
                       : exchange   ? run_exchange(args, chosen, result, err)
                                    : run_curve(args, chosen, result, err);
    if (lassen != NULL)
        ns_machine_free(lassen);
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
             "states no standard error, the one with the largest elasticity.",
    .most = NS_ARGS_MAX,
    .rank = 7,
    .run = run,
};
