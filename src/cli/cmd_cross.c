/* cmd_cross.c -- who wins where: models, or one model with different words, along one input */
#include "cli/inputs.h"

#include <nsmodel/cross.h>

#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    {"over", 0, "NAME=LO:HI", NULL, "the input to vary, and its range: s=1B:1MiB", false},
    {"output", 0, "NAME", "time", "the output that is compared; the smallest wins", false},
    {"machine", 0, "NAME|FILE", NULL, "take what is not given from this machine", false},
    NS_OPTION_SET,
    {NULL, 0, NULL, NULL, NULL, false},
};

typedef struct crossing {
    ns_binding *curve;             /* [NS_CURVES] */
    const char *label[NS_CURVES];
    int curves;
    char over[64];
    double lo, hi;
    ns_dim dim;
} crossing;

/* Length of the first assignment of a list: to the comma that another NAME= follows ("B=1GB/s,2GB/s,s=1B" has two). */
static size_t first_assignment(const char *list)
{
    size_t length = strcspn(list, ",");
    while (list[length] == ',' && strcspn(list + length + 1, "=") >= strcspn(list + length + 1, ","))
        length += 1 + strcspn(list + length + 1, ",");
    return length;
}

/* "MODEL" or "MODEL:NAME=VALUE,NAME=VALUE". */
static ns_status add_curve(crossing *c, const char *word, const ns_machine *machine, ns_error *err)
{
    char name[64], assignment[200];
    const ns_model *model;
    const char *rest = word + strcspn(word, ":");
    if (c->curves == NS_CURVES)
        return ns_fail(err, NS_ERR_LIMIT, "at most %d curves", (int)NS_CURVES);
    snprintf(name, sizeof name, "%.*s", (int)(rest - word), word);
    NS_TRY(ns_model_get(name, &model, err));
    c->label[c->curves] = word;
    ns_bind_open(&c->curve[c->curves], model, machine);
    while (*rest != '\0') {
        size_t length = first_assignment(++rest);
        snprintf(assignment, sizeof assignment, "%.*s", (int)length, rest);
        NS_TRY(ns_bind_text(&c->curve[c->curves], assignment, err));
        rest += length;
    }
    c->curves++;
    return NS_OK;
}

static bool is_assignment(const char *word)
{
    return strcspn(word, "=") < strcspn(word, ":");
}

/* The range in the unit of the first curve's input. */
static ns_status read_over(const ns_args *args, crossing *c, ns_error *err)
{
    const char *over = ns_args_get(args, "over"), *equals = over != NULL ? strchr(over, '=') : NULL;
    const char *colon = equals != NULL ? strchr(equals, ':') : NULL;
    char lo[64];
    double factor;
    if (colon == NULL)
        return ns_fail(err, NS_ERR_USAGE, "cross wants --over NAME=LO:HI, for example --over s=1B:1MiB");
    snprintf(c->over, sizeof c->over, "%.*s", (int)(equals - over), over);
    snprintf(lo, sizeof lo, "%.*s", (int)(colon - equals - 1), equals + 1);
    const ns_field *field = ns_field_find(c->curve[0].model->inputs, c->over);
    if (field == NULL || field->kind != NS_FIELD_NUMBER)
        return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary", c->curve[0].model->name, c->over);
    NS_TRY(ns_unit_parse(field->unit, &factor, &c->dim, err));
    NS_TRY(ns_quantity_parse_as(lo, c->over, field->unit, &c->lo, err));
    NS_TRY(ns_quantity_parse_as(colon + 1, c->over, field->unit, &c->hi, err));
    return c->lo < c->hi ? NS_OK : ns_fail(err, NS_ERR_RANGE, "the range of %s has to rise", c->over);
}

static ns_status read_words(const ns_args *args, crossing *c, const ns_machine *machine, ns_error *err)
{
    for (int i = 0; i < args->words; i++)
        if (!is_assignment(args->word[i]))
            NS_TRY(add_curve(c, args->word[i], machine, err));
    if (c->curves < 2)
        return ns_fail(err, NS_ERR_USAGE, "cross wants at least two curves: MODEL MODEL, or MODEL:WORD=A MODEL:WORD=B");
    for (int i = 0; i < args->words; i++)
        for (int k = 0; k < c->curves && is_assignment(args->word[i]); k++)
            NS_TRY(ns_bind_text(&c->curve[k], args->word[i], err));
    return read_over(args, c, err);
}

static ns_status answer(const ns_args *args, const crossing *c, ns_value *result, ns_error *err)
{
    ns_reign *reign = malloc(NS_REIGNS * sizeof *reign);
    int reigns = 0;
    if (reign == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    ns_status status =
        ns_cross(c->curve, c->curves, c->over, ns_args_get(args, "output"), c->lo, c->hi, reign, &reigns, err);
    ns_value_text(result, "over", c->over);
    ns_value *list = ns_value_list(result, "reigns");
    if (list != NULL)
        list->flags |= NS_V_ROWS;
    for (int i = 0; i < reigns && status == NS_OK; i++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_number(row, "from", reign[i].from, c->dim);
        ns_value_number(row, "to", reign[i].to, c->dim);
        ns_value_text(row, "winner", c->label[reign[i].winner]);
    }
    free(reign);
    return status;
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    ns_machine **machine = NULL;
    size_t machines = 0;
    (void)context;
    if (ns_args_get(args, "machine") != NULL)
        NS_TRY(ns_machines_open(args, &machine, &machines, err));
    crossing *c = calloc(1, sizeof *c);
    ns_binding *curve = calloc(NS_CURVES, sizeof *curve);
    ns_status status = c != NULL && curve != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    if (status == NS_OK && machines > 1)
        status = ns_fail(err, NS_ERR_USAGE, "cross takes one machine");
    if (status == NS_OK) {
        c->curve = curve;
        status = read_words(args, c, machines == 1 ? machine[0] : NULL, err);
    }
    if (status == NS_OK)
        status = answer(args, c, result, err);
    free(curve);
    free(c);
    ns_machines_close(machine, machines);
    return status;
}

const ns_command ns_command_cross = {
    .name = "cross",
    .summary = "who wins where: models along one input",
    .usage = "MODEL... NAME=VALUE... --over NAME=LO:HI",
    .options = options,
    .example = "nsmodel cross rendezvous:protocol=eager rendezvous:protocol=rendezvous --machine bxi n_c=2 --over s=1B:1MiB",
    .about = "Every crossing of two models along the input is bracketed and refined; between crossings the table says who is the fastest.",
    .least = 1,
    .most = NS_ARGS_MAX,
    .rank = 6,
    .run = run,
};
