/* cross.c -- where curves cross, and who wins where: models, or strategies, along one input */
#include "cli/front/own.h"
#include "cli/inputs/curves.h"
#include "cli/inputs/inputs.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "report/columns.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *over, *of, *machine, *plot;
    char input[64]; /* the input along which curves are compared */
    double lo, hi;
    ns_dim dim;
} request;

static const ns_option options[] = {
    {"over", 0, "NAME=LO:HI", "s=1B:1MiB", "the input to vary, and its range", NS_OPT(request, over)},
    {"of", 0, "NAME", NULL, "the output that is compared; the smallest wins [time, or the last]", NS_OPT(request, of)},
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine", NS_OPT(request, machine)},
    NS_OPTION_SET,
    NS_OPTION_PLOT_OF(request),
    {NULL},
};

static ns_status read_end(const request *r, const char *text, const char *unit, double *value, ns_error *err)
{
    char part[64];
    ns_error inner = {0};
    const size_t length = strcspn(text, ":");
    if (length >= sizeof part)
        return ns_fail(err, NS_ERR_SYNTAX, "\"%.40s...\" is no end of a range", text);
    snprintf(part, sizeof part, "%.*s", (int)length, text);
    if (ns_quantity_parse_as(part, r->input, unit, value, &inner) == NS_OK)
        return NS_OK;
    inner.column = inner.column > 0 ? inner.column : 1;
    return ns_axis_refuse(r->over, text, &inner, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct reign {
    double from, to, at_from, at_to;
    const char *winner;
    ns_dim over, of;
} reign;

static const ns_table_column of_reign[] = {{"from", NS_COL(reign, from), NS_COL_DIM(reign, over)},
                                           {"to", NS_COL(reign, to), NS_COL_DIM(reign, over)},
                                           {"winner", NS_COL(reign, winner)},
                                           {"at_from", NS_COL(reign, at_from), NS_COL_DIM(reign, of)},
                                           {"at_to", NS_COL(reign, at_to), NS_COL_DIM(reign, of)},
                                           {NULL}};

typedef struct crossover {
    double at, value;
    const char *a, *b, *meeting, *below_after;
    bool changes_winner;
    ns_dim over, of;
} crossover;

static const ns_table_column of_crossover[] = {
    {"at", NS_COL(crossover, at), NS_COL_DIM(crossover, over)},
    {"a", NS_COL(crossover, a)},
    {"b", NS_COL(crossover, b)},
    {"value", NS_COL(crossover, value), NS_COL_DIM(crossover, of)},
    {"meeting", NS_COL(crossover, meeting)},
    {"below_after", NS_COL(crossover, below_after)},
    {"changes_winner", NS_COL(crossover, changes_winner), .shows = NS_IN_DATA},
    {NULL}};

static const char *label(const ns_crossings *c, int curve)
{
    return curve >= 0 ? c->curves->curve[curve].label : NULL;
}

static void show(const ns_crossings *c, const request *asked, ns_value *result)
{
    ns_value_text(result, "over", asked->input);
    ns_value *list = ns_put_rows(result, "reigns", NS_EVERYWHERE);
    for (int i = 0; i < c->reigns; i++) {
        const ns_reign *r = &c->reign[i];
        ns_put_row(list, of_reign,
                   &(reign){r->from, r->to, r->value, c->at_to[i], label(c, r->winner), asked->dim, c->curves->dim});
    }
    list = ns_put_rows(result, "crossovers", NS_EVERYWHERE);
    for (int i = 0; i < c->crossings; i++) {
        const ns_crossing *x = &c->crossing[i];
        const crossover row = {.at = x->x,
                               .value = x->value,
                               .a = label(c, x->a),
                               .b = label(c, x->b),
                               .meeting = ns_meeting_words[x->meeting],
                               .below_after = label(c, x->below),
                               .changes_winner = x->changes_winner,
                               .over = asked->dim,
                               .of = c->curves->dim};
        ns_row_mark(ns_put_row(list, of_crossover, &row), x->changes_winner);
    }
}

/* ---- --plot: every curve, the borders between reigns ringed ------------------------------------------------------ */

enum { POINTS = 121 };

static ns_status draw(const ns_crossings *c, const request *r, ns_value *result, ns_error *err)
{
    const ns_curves *set = c->curves;
    const size_t curves = (size_t)set->count, borders = (size_t)c->reigns;
    const bool log_x = c->lo > 0 && c->hi > 10 * c->lo;
    bool positive = true;
    NS_OWN(ns_free) double *x = ns_malloc(((curves + 1) * POINTS + 2 * borders) * sizeof *x);
    NS_OWN(ns_free) ns_series *series = ns_calloc(ns_size_add(curves, 1), sizeof *series);
    if (x == NULL || series == NULL)
        return ns_no_memory(err);
    for (int i = 0; i < POINTS; i++) {
        const double t = (double)i / (POINTS - 1);
        x[i] = i == POINTS - 1 ? c->hi : log_x ? c->lo * pow(c->hi / c->lo, t) : c->lo + (c->hi - c->lo) * t;
    }
    for (int k = 0; k < set->count; k++) {
        const ns_curve_info *curve = &set->curve[k];
        double *y = x + (k + 1) * POINTS;
        for (int i = 0; i < POINTS; i++) {
            const ns_setting setting = {.name = r->input, .number = x[i]};
            NS_TRY(ns_curves_value(set, k, &setting, 1, &y[i], err));
            positive = positive && y[i] > 0;
        }
        series[k] = (ns_series){.label = curve->label,
                                .bare = true,
                                .points = POINTS,
                                .x = x,
                                .y = y,
                                .colour = curve->strategy != NULL ? curve->strategy->rank : k,
                                .dashed = curve->strategy != NULL ? curve->transport == NS_VIA_DEVICE : k >= 7};
    }
    double *at = x + (curves + 1) * POINTS, *value = at + borders;
    for (int i = 1; i < c->reigns; i++) {
        at[i - 1] = c->reign[i].from;
        value[i - 1] = c->reign[i].value;
    }
    series[curves] =
        (ns_series){.label = "the winner changes", .rings = true, .points = borders - 1, .x = at, .y = value};
    char x_label[120], title[160], x_unit[24], y_unit[24];
    snprintf(title, sizeof title, "%s along %s%s%s", set->output, r->input, set->machine != NULL ? " on " : "",
             set->machine != NULL ? set->machine->name : "");
    const ns_chart chart = {.title = title,
                            .x_label = ns_axis_title(set, r->input, x_label, sizeof x_label),
                            .y_label = set->output,
                            .log_x = log_x,
                            .log_y = positive,
                            .series = curves + (borders > 1),
                            .of = series,
                            .x_unit = ns_dim_unit(r->dim, x_unit, sizeof x_unit),
                            .y_unit = ns_dim_unit(set->dim, y_unit, sizeof y_unit)};
    return ns_draw(r->plot, &chart, 1, 1, result, err);
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* The model that a word names, or NULL. */
static const ns_model *model_of(const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    return ns_model_find(name);
}

/* Machines with the numbers of a paper.  The numbers of network interfaces are borrowed for any machine. */
static const struct home {
    const char *paper, *model; /* of the paper; prefix of model names */
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

/* Borrow the parameters of network interfaces that the curves need and the machine lacks, trying one lender after
 * another. */
static ns_status lend(const ns_args *args, ns_machine **machine, ns_command_context *context, ns_error *err)
{
    for (int i = 0; i < args->words; i++) {
        const struct home *home = home_of(args->word[i]);
        NS_OWN(ns_machine_free) ns_machine *lender = NULL;
        ns_machine *lent;
        if (home == NULL || home->lender == NULL || strcmp(home->lender, (*machine)->name) == 0)
            continue;
        NS_TRY(ns_machine_load(home->lender, &lender, err));
        NS_TRY(ns_machine_lend(*machine, lender, &lent, err));
        ns_machine_free(*machine);
        *machine = lent;
        fprintf(context->err, "nsmodel: note: what %s lacks of the interfaces of %s comes from %s\n", lent->name,
                model_of(args->word[i])->name, home->lender);
    }
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_free) ns_curves *curves = NULL;
    NS_OWN(ns_free) ns_crossings *found = NULL;
    const struct home *home = NULL; /* the machine for the first curve that has one, where none is named */
    NS_TRY(ns_args_read(args, &r, err));
    for (int i = 0; i < args->words && home == NULL && r.machine == NULL && !ns_args_has(args, "set"); i++)
        home = home_of(args->word[i]);
    if (r.machine != NULL)
        NS_TRY(ns_machine_only(args, &machine, err));
    else if (home != NULL)
        NS_TRY(ns_machine_load(home->machine, &machine, err));
    if (machine != NULL)
        NS_TRY(lend(args, &machine, context, err));
    NS_TRY(ns_curves_open(machine, r.of, &curves, err));
    NS_TRY(ns_curves_read(args, curves, err));
    if (curves->count < 2)
        return ns_fail(err, NS_ERR_USAGE,
                       "cross wants at least two curves: MODEL MODEL, MODEL:WORD=A MODEL:WORD=B, or strategies");
    for (int i = 0; i < args->words; i++)
        if (ns_is_assignment(args->word[i]))
            NS_TRY(ns_curves_assign(curves, args->word[i], err));
    /* "NAME=LO:HI" in the unit of the input */
    const char *equals = strchr(r.over, '='), *colon = equals != NULL ? strchr(equals, ':') : NULL;
    double factor;
    if (colon == NULL || (size_t)(equals - r.over) >= sizeof r.input)
        return ns_fail(err, NS_ERR_USAGE, "cross wants --over NAME=LO:HI, for example --over s=1B:1MiB");
    if (strchr(colon + 1, ':') != NULL)
        return ns_fail(err, NS_ERR_SYNTAX, "cross looks between two ends: \"%s\" has more (column %d)", r.over,
                       (int)(strchr(colon + 1, ':') - r.over) + 1);
    snprintf(r.input, sizeof r.input, "%.*s", (int)(equals - r.over), r.over);
    const ns_field *field = ns_curves_input(curves, r.input);
    if (field == NULL || field->kind != NS_FIELD_NUMBER)
        return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary", curves->curve[0].label, r.input);
    NS_TRY(ns_unit_parse(field->unit, &factor, &r.dim, err));
    NS_TRY(read_end(&r, equals + 1, field->unit, &r.lo, err));
    NS_TRY(read_end(&r, colon + 1, field->unit, &r.hi, err));
    if (!(r.lo < r.hi))
        return ns_fail(err, NS_ERR_RANGE, "the range of %s has to rise", r.input);
    NS_TRY(ns_curves_ready(curves, err));
    NS_TRY(ns_crossings_find(curves, r.input, r.lo, r.hi, &found, err));
    show(found, &r, result);
    if (r.plot != NULL)
        NS_TRY(draw(found, &r, result, err));
    if (home != NULL)
        fprintf(context->err, "nsmodel: note: inputs that are not given come from --machine %s\n", home->machine);
    return NS_OK;
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
