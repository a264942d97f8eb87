/* cross.c -- where curves cross, and who wins where: models, or strategies, along one input */
#include "cli/show/cross.h"
#include "cli/inputs/inputs.h"
#include "study/curves.h"

#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    {"over", 0, "NAME=LO:HI", "s=1B:1MiB", "the input to vary, and its range"},
    {"of", 0, "NAME", NULL, "the output that is compared; the smallest wins [time, or the last]"},
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine"},
    NS_OPTION_SET,
    NS_OPTION_PLOT,
    {NULL},
};

static ns_status read_end(const ns_args *args, ns_course *c, const char *text, const char *unit, double *value,
                          ns_error *err)
{
    char part[64];
    const char *over = ns_args_get(args, "over");
    ns_error inner = {0};
    const size_t length = strcspn(text, ":");
    if (length >= sizeof part)
        return ns_fail(err, NS_ERR_SYNTAX, "\"%.40s...\" is no end of a range", text);
    snprintf(part, sizeof part, "%.*s", (int)length, text);
    if (ns_quantity_parse_as(part, c->over, unit, value, &inner) != NS_OK) {
        inner.column = inner.column > 0 ? inner.column : 1;
        return ns_axis_refuse(over, text, &inner, err);
    }
    return NS_OK;
}

/* "NAME=LO:HI" in the unit of the input. */
static ns_status read_over(const ns_args *args, const ns_curves *curves, ns_course *c, ns_error *err)
{
    const char *over = ns_args_get(args, "over"), *equals = over != NULL ? strchr(over, '=') : NULL;
    const char *colon = equals != NULL ? strchr(equals, ':') : NULL;
    double factor;
    if (colon == NULL || (size_t)(equals - over) >= sizeof c->over)
        return ns_fail(err, NS_ERR_USAGE, "cross wants --over NAME=LO:HI, for example --over s=1B:1MiB");
    if (strchr(colon + 1, ':') != NULL)
        return ns_fail(err, NS_ERR_SYNTAX, "cross looks between two ends: \"%s\" has more (column %d)", over,
                       (int)(strchr(colon + 1, ':') - over) + 1);
    snprintf(c->over, sizeof c->over, "%.*s", (int)(equals - over), over);
    const ns_field *field = ns_curves_input(curves, c->over);
    if (field == NULL || field->kind != NS_FIELD_NUMBER)
        return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary", ns_curves_at(curves, 0)->label, c->over);
    NS_TRY(ns_unit_parse(field->unit, &factor, &c->dim, err));
    NS_TRY(read_end(args, c, equals + 1, field->unit, &c->lo, err));
    NS_TRY(read_end(args, c, colon + 1, field->unit, &c->hi, err));
    return c->lo < c->hi ? NS_OK : ns_fail(err, NS_ERR_RANGE, "the range of %s has to rise", c->over);
}

static ns_status read_words(const ns_args *args, ns_curves *curves, ns_course *course, ns_error *err)
{
    NS_TRY(ns_curves_read(args, curves, err));
    if (curves->count < 2)
        return ns_fail(err, NS_ERR_USAGE,
                       "cross wants at least two curves: MODEL MODEL, MODEL:WORD=A MODEL:WORD=B, or strategies");
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_assign(curves, args->word[i], err));
    NS_TRY(read_over(args, curves, course, err));
    return ns_curves_ready(curves, err);
}

static ns_status answer(const ns_args *args, ns_curves *curves, ns_value *result, ns_error *err)
{
    ns_course course;
    ns_crossings *found;
    NS_TRY(read_words(args, curves, &course, err));
    NS_TRY(ns_crossings_find(curves, course.over, course.lo, course.hi, &found, err));
    ns_cross_show(found, &course, result);
    ns_status status = ns_args_has(args, "plot") ? ns_cross_plot(found, &course, args, result, err) : NS_OK;
    ns_crossings_free(found);
    return status;
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* The model that a word names, or NULL. */
static const ns_model *model_of(const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    return ns_model_find(name);
}

/* Machines that have a paper's own numbers; those of network interfaces stand in on any machine. */
static const struct home {
    const char *paper, *model; /* of the paper, names that begin so */
    const char *machine, *lender;
} homes[] = {
    {"[SH]", "", "sharp-switchib2", NULL}, {"[NS]", "", "netsparse", NULL},
    {"[NC]", "", "netcrafter", NULL},      {"[RS]", "triggered", "sharp-switchib2", "bxi"},
    {"[RS]", "spin", "fpspin", "fpspin"},  {"[RS]", "", "bxi", NULL},
};

static const struct home *home_of(const char *word)
{
    const ns_model *model = model_of(word);
    for (size_t i = 0; model != NULL && i < sizeof homes / sizeof *homes; i++)
        if (strncmp(model->source, homes[i].paper, strlen(homes[i].paper)) == 0 &&
            strncmp(model->name, homes[i].model, strlen(homes[i].model)) == 0)
            return &homes[i];
    return NULL;
}

/* The home of the first curve that has one, where no machine is named; else NULL. */
static const char *home_machine(const ns_args *args)
{
    if (ns_args_get(args, "machine") != NULL || ns_args_has(args, "set"))
        return NULL;
    const struct home *home = NULL;
    for (int i = 0; i < args->words && home == NULL; i++)
        home = home_of(args->word[i]);
    return home != NULL ? home->machine : NULL;
}

/* The machine by --machine, or the curves' own; NULL for none. */
static ns_status open_machine(const ns_args *args, const char *home, ns_machine **machine, ns_error *err)
{
    ns_machine **all = NULL;
    size_t machines = 0;
    if (ns_args_get(args, "machine") == NULL)
        return home != NULL ? ns_machine_load(home, machine, err) : NS_OK;
    NS_TRY(ns_machines_open(args, &all, &machines, err));
    if (machines == 1) {
        *machine = all[0];
        all[0] = NULL;
    }
    ns_machines_close(all, machines);
    return machines == 1 ? NS_OK : ns_fail(err, NS_ERR_USAGE, "cross takes one machine");
}

/* What the machine lacks of the network interfaces that the curves are about, one lender after another. */
static ns_status lend(const ns_args *args, ns_machine **machine, ns_command_context *context, ns_error *err)
{
    for (int i = 0; i < args->words; i++) {
        const struct home *home = home_of(args->word[i]);
        ns_machine *lender, *lent = NULL;
        if (home == NULL || home->lender == NULL || strcmp(home->lender, (*machine)->name) == 0)
            continue;
        NS_TRY(ns_machine_load(home->lender, &lender, err));
        const ns_status status = ns_machine_lend(*machine, lender, &lent, err);
        ns_machine_free(lender);
        NS_TRY(status);
        ns_machine_free(*machine);
        *machine = lent;
        fprintf(context->err, "nsmodel: note: what %s lacks of the interfaces of %s comes from %s\n", lent->name,
                model_of(args->word[i])->name, home->lender);
    }
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_machine *machine = NULL;
    ns_curves *curves = NULL;
    const char *home = home_machine(args);
    NS_TRY(open_machine(args, home, &machine, err));
    ns_status status = machine != NULL ? lend(args, &machine, context, err) : NS_OK;
    if (status == NS_OK)
        status = ns_curves_open(machine, ns_args_get(args, "of"), &curves, err);
    if (status == NS_OK)
        status = answer(args, curves, result, err);
    if (status == NS_OK && home != NULL)
        fprintf(context->err, "nsmodel: note: inputs that are not given come from --machine %s\n", home);
    ns_curves_free(curves);
    ns_machine_free(machine);
    return status;
}

const ns_command ns_command_cross = {
    .name = "cross",
    .summary = "who wins where: models or strategies along one input",
    .usage = "MODEL... | STRATEGY/TRANSPORT... | strategies NAME=VALUE... --over NAME=LO:HI",
    .options = options,
    .example =
        "nsmodel cross rendezvous:protocol=eager rendezvous:protocol=rendezvous --machine bxi n_c=2 --over s=1B:1MiB",
    .about = "A curve is MODEL, MODEL:NAME=VALUE,NAME=VALUE, STRATEGY/TRANSPORT, or strategies for all that the "
             "machine runs.\n"
             "Reigns say who is the smallest where. Crossovers are all places where two curves cross, jump over one "
             "another (a protocol's\n"
             "first size), join or part; those marked change the winner.",
    .least = 1,
    .most = NS_ARGS_MAX,
    .rank = 6,
    .run = run,
};
