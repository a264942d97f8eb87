/* sweep.c -- models over one or two inputs, or the best strategy over sizes, messages and nodes */
#include "cli/show/sweep.h"
#include "cli/front/places.h"
#include "cli/inputs/cases.h"
#include "core/memory.h"

#include <string.h>

static const ns_option options[] = {
    {"over", 0, "NAME=RANGE", NULL, "what to vary, once or twice: s=1B:1MiB:x2, ppn=1,8,40; or strategy",
     .repeats = true},
    {"of", 0, "NAME", NULL, "the output that is tabled and compared; the smallest wins [time, or the last]",
     NS_OPT(ns_sweep_request, of)},
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine [strategy: " NS_MACHINE_DEFAULT "]",
     NS_OPT(ns_sweep_request, machine)},
    {"price", 0, "WHAT", "schedule",
     "of --over strategy: schedule prices what each really sends, published takes its closed form as printed, "
     "corrected "
     "the same without its mistakes",
     NS_OPT(ns_sweep_request, price), .words = ns_sweep_prices},
    NS_OPTION_SET,
    NS_OPTION_PLOT_OF(ns_sweep_request),
    {NULL},
};

enum { AXES_MOST = 2 };

static ns_status add_axis(ns_sweep_question *q, const char *assignment, ns_error *err)
{
    if (q->axes == AXES_MOST)
        return ns_fail(err, NS_ERR_USAGE, "sweep varies at most two inputs; \"%s\" would be the third", assignment);
    NS_TRY(ns_axis_open(q->curves, assignment, &q->axis[q->axes], err));
    q->axes++;
    return q->axes < 2 || strcmp(q->axis[0]->name, q->axis[1]->name) != 0
               ? NS_OK
               : ns_fail(err, NS_ERR_USAGE, "%s is varied twice", q->axis[0]->name);
}

/* Into the result, or with `out` as CSV, if *done. */
typedef struct ns_sweep_answer {
    ns_value *result;
    FILE *out;
    bool *done;
    FILE *words; /* for notes */
} ns_sweep_answer;

static ns_status answer(const ns_sweep_request *r, ns_sweep_question *q, const ns_sweep_answer *to, ns_error *err)
{
    ns_sweep *sweep;
    const ns_args *args = r->args;
    const char *over;
    NS_TRY(ns_curves_read(args, q->curves, err));
    if (q->curves->count == 0)
        return ns_fail(err, NS_ERR_USAGE, "sweep wants a model, or --over strategy");
    for (int i = 0; (over = ns_args_at(args, "over", i)) != NULL; i++)
        NS_TRY(add_axis(q, over, err));
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_is_range(q->curves, args->word[i]) ? add_axis(q, args->word[i], err)
                                                                : ns_curves_assign(q->curves, args->word[i], err));
    if (q->axes == 0)
        return ns_fail(err, NS_ERR_USAGE,
                       "sweep wants something to vary: --over NAME=RANGE, for example --over s=1B:1MiB:x2");
    NS_TRY(ns_curves_ready(q->curves, err));
    if (to->out != NULL)
        return ns_sweep_csv(args->progress, q, to->out, to->done, err);
    NS_TRY(ns_sweep_watched(args->progress, q, false, NULL, NULL, &sweep, err));
    ns_status status = ns_sweep_show(sweep, to->result, err);
    if (status == NS_OK && r->plot != NULL)
        status = ns_sweep_plot(sweep, r->plot, to->result, err);
    ns_sweep_free(sweep);
    return status;
}

static ns_status sweep_curves(const ns_sweep_request *r, const ns_machine *machine, const ns_sweep_answer *to,
                              ns_error *err)
{
    ns_sweep_question q = {.curves = NULL};
    NS_TRY(ns_curves_open(machine, r->of, &q.curves, err));
    ns_status status = answer(r, &q, to, err);
    for (int i = 0; i < AXES_MOST; i++)
        ns_axis_free(q.axis[i]);
    ns_curves_free(q.curves);
    return status;
}

static ns_status open_default(ns_machine ***machine, size_t *machines, ns_error *err)
{
    ns_machine **opened = ns_calloc(1, sizeof *opened);
    if (opened == NULL)
        return ns_no_memory(err);
    ns_status status = ns_machine_find(ns_machine_usual(), opened, err);
    if (status == NS_OK) {
        *machine = opened;
        *machines = 1;
    } else {
        ns_free(opened);
    }
    return status;
}

static ns_status read_request(const ns_args *args, ns_sweep_request *r, ns_error *err)
{
    const char *over = ns_args_at(args, "over", 0);
    r->args = args;
    r->over_strategy = over != NULL && strcmp(over, "strategy") == 0;
    r->priced = ns_args_has(args, "price");
    if (!r->over_strategy && r->priced)
        return ns_fail(err, NS_ERR_USAGE, "--price is for --over strategy; other curves are closed forms");
    return ns_args_read(args, r, err);
}

static ns_status sweep(const ns_sweep_request *r, const ns_sweep_answer *to, ns_error *err)
{
    ns_machine **machine = NULL;
    size_t machines = 0;
    if (r->machine != NULL)
        NS_TRY(ns_machines_open(r->args, &machine, &machines, err));
    else if (ns_args_has(r->args, "set"))
        return ns_fail(err, NS_ERR_USAGE, "--set changes a machine: give --machine as well");
    else if (r->over_strategy)
        NS_TRY(open_default(&machine, &machines, err));
    ns_status status = NS_OK;
    if (machines > 1)
        status = ns_fail(err, NS_ERR_USAGE, "sweep takes one machine");
    else if (r->over_strategy) {
        status = ns_sweep_strategies(r, machine[0], to->result, err);
        if (status == NS_OK)
            ns_warn_inside(machine[0], "node-aware strategies", to->words);
    } else
        status = sweep_curves(r, machines == 1 ? machine[0] : NULL, to, err);
    ns_machines_close(machine, machines);
    return status;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_sweep_request r;
    NS_TRY(read_request(args, &r, err));
    return sweep(&r, &(ns_sweep_answer){.result = result, .words = context->err}, err);
}

static ns_status stream(const ns_args *args, FILE *out, bool *done, ns_error *err)
{
    ns_sweep_request r;
    *done = false;
    NS_TRY(read_request(args, &r, err));
    return r.over_strategy || r.plot != NULL ? NS_OK : sweep(&r, &(ns_sweep_answer){.out = out, .done = done}, err);
}

const ns_command ns_command_sweep = {
    .name = "sweep",
    .summary = "models over one or two inputs, or the best strategy over sizes, messages and nodes",
    .usage = "MODEL... NAME=VALUE... --over NAME=RANGE | --over strategy",
    .options = options,
    .example = "nsmodel sweep max-rate --machine lassen m=1 --over s=1KiB:1MiB:x4 --over ppn=1,40",
    .about =
        "A range is a list (1B,4KiB), first:last:xF (each F times the last), first:last:+D (each D more), "
        "first:last:N (N values, in\n"
        "equal ratios over two decades or more, else in equal steps; Nlog and Nlin say which), or first:last (25 "
        "values).\n"
        "A curve is MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT, or strategies for all that the "
        "machine runs.\n"
        "Strategies take s, messages (of one node), nodes (that it sends to), per_node and duplicates.\n"
        "--over strategy tables the best of them by size, messages and nodes: by their schedules for such an "
        "exchange, or with\n"
        "--price published by the closed forms as the paper prints them, --price corrected (and where duplicates are "
        "given) by these without their mistakes.",
    .most = NS_ARGS_MAX,
    .rank = 5,
    .run = run,
    .stream = stream,
};
