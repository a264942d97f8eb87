/* paper_scenario.c -- a scenario of a paper: each way's model evaluated along one input, and the gain */
#include "cli/show/paper_scenario.h"

#include "core/memory.h"
#include "core/refuse.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

typedef struct course {
    const ns_paper_scenario *scenario;
    const ns_args *args;
    const ns_scenario_request *asked;
    const ns_machine *machine;
    int first; /* index of the first argument word that is an assignment */
    char over[64], unit[24];
    const char *doc; /* of the varied input */
    ns_dim dim;      /* of the varied input */
    ns_dim of;       /* of the outputs */
    size_t ways, points;
    double *at;    /* [points] */
    double *value; /* [ways * points], NaN where the model refuses the value */
    char beyond[200];
    ns_machine *of_way[NS_SCENARIO_WAYS]; /* with the constants borrowed from a fallback, or NULL: the machine itself */
    char assumed[NS_SCENARIO_WAYS][200];  /* of each way's first value, or "" */
} course;

/* Does a word that varies or assigns an input, "NAME=...", have this name? */
static bool is_name(const char *word, const char *name)
{
    const size_t length = strcspn(word, "=");
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

/* ---- one value --------------------------------------------------------------------------------------------------- */

/* The next blank-separated word of *rest; false at the end. */
static bool next_word(const char **rest, char *word, size_t size)
{
    const char *text = *rest != NULL ? *rest + strspn(*rest, " ") : "";
    const size_t length = strcspn(text, " ");
    snprintf(word, size, "%.*s", (int)length, text);
    *rest = text + length;
    return length > 0;
}

/* Inputs that the way itself gives define the way and are not replaced. */
static ns_status give_if_known(ns_binding *binding, const char *word, bool *known, ns_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field == NULL)
        return NS_OK;
    if (binding->given[field - binding->model->inputs] == NS_GIVEN_USER)
        return NS_OK;
    *known = true;
    return ns_bind_text(binding, word, err);
}

static ns_status evaluate(course *c, const ns_scenario_way *way, double at, double *value, bool *known, bool *varied,
                          ns_error *err)
{
    const ns_model *model;
    ns_binding binding;
    ns_model_buffer out;
    double factor;
    NS_TRY(ns_model_get(way->model, &model, err));
    const ns_field *output = ns_field_find(model->outputs, way->output);
    if (output == NULL)
        return ns_fail(err, NS_ERR_NAME, "%s has no output \"%s\"", model->name, way->output);
    NS_TRY(ns_unit_parse(output->unit, &factor, &c->of, err));
    const size_t at_way = (size_t)(way - c->scenario->way);
    ns_bind_open(&binding, model, c->of_way[at_way] != NULL ? c->of_way[at_way] : c->machine);
    /* the way's own inputs, then the user's, then the defaults of the scenario and of the way */
    char word[200];
    bool any = false;
    for (const char *rest = way->given; next_word(&rest, word, sizeof word);)
        NS_TRY(ns_bind_text(&binding, word, err));
    for (int i = c->first; i < c->args->words; i++) {
        known[i] = known[i] || is_name(c->args->word[i], c->over);
        if (!is_name(c->args->word[i], c->over))
            NS_TRY(give_if_known(&binding, c->args->word[i], &known[i], err));
    }
    const char *const defaults[] = {c->scenario->defaults, way->defaults};
    for (size_t k = 0; k < sizeof defaults / sizeof *defaults; k++)
        for (const char *rest = defaults[k]; next_word(&rest, word, sizeof word);) {
            bool given = is_name(word, c->over);
            for (int i = c->first; i < c->args->words; i++)
                given = given || strncmp(c->args->word[i], word, strcspn(word, "=") + 1) == 0;
            if (!given)
                NS_TRY(give_if_known(&binding, word, &any, err));
        }
    char point[200], number[64];
    snprintf(point, sizeof point, "%s=%s %s", c->over, ns_double_format(at, number, sizeof number),
             strcmp(c->unit, "1") == 0 ? "" : c->unit);
    NS_TRY(give_if_known(&binding, point, varied, err));
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_model_eval(&binding, &out, err));
    *value = ns_field_number(output, out.bytes);
    if (*c->beyond == '\0')
        (void)ns_bind_beyond(&binding, c->beyond, sizeof c->beyond);
    (void)ns_bind_assumed(&binding, c->assumed[at_way], sizeof c->assumed[at_way]);
    return NS_OK;
}

/* ---- all values -------------------------------------------------------------------------------------------------- */

/* The varied input, in the unit of the first model that has it. */
static ns_status read_over(course *c, ns_error *err)
{
    const char *given = c->asked->over, *text = given != NULL ? given : c->scenario->over;
    /* or the single value that a word gives instead of the scenario's range */
    for (int i = c->args->words - 1; i >= c->first && given == NULL; i--)
        if (strncmp(c->args->word[i], c->scenario->over, strcspn(c->scenario->over, "=") + 1) == 0)
            text = c->args->word[i];
    const char *what = given != NULL ? "--over" : c->over;
    const char *equals = strchr(text, '=');
    const ns_field *field = NULL;
    double factor;
    if (equals == NULL || (size_t)(equals - text) >= sizeof c->over)
        return ns_fail(err, NS_ERR_USAGE, "--over wants NAME=LIST, for example --over %s", c->scenario->over);
    snprintf(c->over, sizeof c->over, "%.*s", (int)(equals - text), text);
    for (const ns_scenario_way *way = c->scenario->way; way->name != NULL && field == NULL; way++) {
        const ns_model *model;
        NS_TRY(ns_model_get(way->model, &model, err));
        field = ns_field_find(model->inputs, c->over);
    }
    if (field == NULL || field->kind != NS_FIELD_NUMBER)
        return ns_fail(err, NS_ERR_NAME, "%s has no number \"%s\" to vary", c->scenario->name, c->over);
    c->doc = field->doc;
    NS_TRY(ns_unit_parse(field->unit, &factor, &c->dim, err));
    ns_dim_unit(c->dim, c->unit, sizeof c->unit);
    return ns_list_parse(equals + 1, what, field->unit, &c->at, &c->points, err);
}

/* An invalid value leaves a gap; where no value is valid, the first error is reported. */
static ns_status run_way(course *c, size_t way, bool *known, bool *varied, ns_error *err)
{
    ns_error first = {.code = NS_OK};
    size_t answered = 0;
    for (size_t p = 0; p < c->points; p++) {
        double *value = &c->value[way * c->points + p];
        ns_error inner = {.code = NS_OK};
        *value = NAN;
        const ns_status status = evaluate(c, &c->scenario->way[way], c->at[p], value, known, varied, &inner);
        answered += status == NS_OK;
        if (status != NS_OK && (first.code == NS_OK || status != NS_ERR_RANGE))
            first = inner;
        if (status != NS_OK && status != NS_ERR_RANGE)
            break;
    }
    return first.code == NS_OK || (first.code == NS_ERR_RANGE && answered > 0)
               ? NS_OK
               : ns_fail_at(err, first.code, first.file, first.line, first.column, "%s", first.text);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* The best way of a point, or -1. */
static int best_at(const course *c, size_t point)
{
    int best = -1;
    for (size_t w = 0; w < c->ways; w++) {
        const double value = c->value[w * c->points + point];
        const double so_far = best >= 0 ? c->value[(size_t)best * c->points + point] : NAN;
        if (isfinite(value) && (best < 0 || (c->scenario->more ? value > so_far : value < so_far)))
            best = (int)w;
    }
    return best;
}

/* How many times better a way is than the hosts' own; NaN where either has no value. */
static double gain_at(const course *c, size_t way, size_t point)
{
    const double own = c->value[point], other = c->value[way * c->points + point];
    return c->scenario->more ? other / own : own / other;
}

static ns_status draw(const course *c, ns_value *result, ns_error *err)
{
    ns_series series[NS_SCENARIO_WAYS] = {0};
    char title[200], x_label[160], x_unit[24], y_unit[24];
    snprintf(x_label, sizeof x_label, "%s, %s", c->over, c->doc);
    bool positive = c->points > 1 && c->at[0] > 0 && c->at[c->points - 1] > 10 * c->at[0];
    for (size_t w = 0; w < c->ways; w++)
        series[w] = (ns_series){.label = c->scenario->way[w].name,
                                .points = c->points,
                                .x = c->at,
                                .y = c->value + w * c->points,
                                .colour = (int)w,
                                .dashed = w == 0};
    snprintf(title, sizeof title, "%s on %s", c->scenario->title, c->machine->name);
    const ns_chart chart = {.title = title,
                            .x_label = x_label,
                            .y_label = c->scenario->more ? "speedup" : "time",
                            .log_x = positive,
                            .log_y = !c->scenario->more,
                            .series = c->ways,
                            .of = series,
                            .x_unit = ns_dim_unit(c->dim, x_unit, sizeof x_unit),
                            .y_unit = ns_dim_unit(c->of, y_unit, sizeof y_unit)};
    return ns_draw(c->asked->plot, &chart, 1, 1, result, err);
}

static ns_status answer(course *c, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_TRY(read_over(c, err));
    while (c->ways < NS_SCENARIO_WAYS && c->scenario->way[c->ways].name != NULL)
        c->ways++;
    c->value = ns_malloc(ns_size_mul(ns_size_mul(c->ways, c->points), sizeof *c->value));
    if (c->value == NULL)
        return ns_no_memory(err);
    /* Each way borrows the constants that its machine lacks from its fallback machine. */
    for (size_t w = 0; w < c->ways; w++) {
        const char *name = c->scenario->way[w].fallback;
        ns_machine *fallback;
        if (name == NULL || strcmp(name, c->machine->name) == 0)
            continue;
        NS_TRY(ns_machine_load(name, &fallback, err));
        const ns_status status = ns_machine_lend(c->machine, fallback, &c->of_way[w], err);
        ns_machine_free(fallback);
        NS_TRY(status);
    }
    bool *known = ns_calloc((size_t)c->args->words + 1, sizeof *known), varied = false;
    ns_status status = known != NULL ? NS_OK : ns_no_memory(err);
    for (size_t way = 0; way < c->ways && status == NS_OK; way++)
        status = run_way(c, way, known, &varied, err);
    for (int i = c->first; i < c->args->words && status == NS_OK; i++) {
        const char *word = c->args->word[i];
        if (!ns_is_assignment(word))
            status = ns_fail(err, NS_ERR_SYNTAX, "\"%s\" is not NAME=VALUE", word);
        else if (!known[i])
            status = ns_fail(err, NS_ERR_NAME, "%s takes no input \"%.*s\"; `nsmodel models %s` lists them",
                             c->scenario->name, (int)strcspn(word, "="), word, c->scenario->way[0].model);
    }
    if (status == NS_OK && !varied)
        status = ns_fail(err, NS_ERR_NAME, "nothing depends on %s", c->over);
    ns_free(known);
    NS_TRY(status);
    for (size_t w = 0; w < c->ways; w++) { /* each note once */
        bool told = *c->assumed[w] == '\0';
        for (size_t before = 0; before < w && !told; before++)
            told = strcmp(c->assumed[before], c->assumed[w]) == 0;
        if (!told)
            fprintf(context->err, "nsmodel: note: %s\n", c->assumed[w]);
        if (c->of_way[w] != NULL)
            fprintf(context->err, "nsmodel: note: %s: what %s lacks comes from %s\n", c->scenario->way[w].name,
                    c->of_way[w]->name, c->scenario->way[w].fallback);
    }
    if (*c->beyond != '\0')
        fprintf(context->err, "nsmodel: note: %s\n", c->beyond);
    ns_put_text(result, "scenario", NS_IN_JSON, c->scenario->name);
    ns_put_text(result, "machine", NS_IN_JSON, c->machine->name);
    /* "allreduce: faster than by-hosts at 10 of 10 values of s; in-switches by up to 2.49 times, at s = 1 KiB" */
    size_t wins = 0, where = 0;
    double most = 1;
    int way = -1;
    char at[48];
    for (size_t p = 0; p < c->points; p++) {
        const int best = best_at(c, p);
        const double gain = best > 0 ? gain_at(c, (size_t)best, p) : 1;
        wins += best > 0 && gain > 1;
        if (gain > most) {
            most = gain;
            where = p;
            way = best;
        }
    }
    const char *better = c->scenario->more ? "higher" : "faster", *own = c->scenario->way[0].name;
    if (way < 0)
        ns_sentence(result, "sentence", NS_EVERYWHERE, "%s: nothing is %s than %s at any of %zu values of %s",
                    c->scenario->title, better, own, c->points, c->over);
    else
        ns_sentence(result, "sentence", NS_EVERYWHERE,
                    "%s: %s than %s at %zu of %zu values of %s; %s by up to %.3g times, at %s = %s", c->scenario->title,
                    better, own, wins, c->points, c->over, c->scenario->way[way].name, most, c->over,
                    ns_quantity_format(c->at[where], c->dim, 4, at, sizeof at));
    ns_value *ways = ns_put_list(result, "ways", NS_IN_JSON); /* for users who want to vary them */
    for (const ns_scenario_way *w = c->scenario->way; w < c->scenario->way + c->ways; w++) {
        ns_value *object = ns_value_object(ways, NULL);
        ns_value_text(object, "way", w->name);
        ns_value_text(object, "model", w->model);
        ns_value_text(object, "given", w->given != NULL ? w->given : "");
        ns_value_text(object, "output", w->output);
    }
    ns_value *rows = ns_put_rows(result, "rows", NS_EVERYWHERE);
    for (size_t p = 0; p < c->points; p++) {
        const int best = best_at(c, p);
        ns_value *row = ns_value_object(rows, NULL);
        ns_value_number(row, c->over, c->at[p], c->dim);
        for (size_t w = 0; w < c->ways; w++)
            ns_put_number(row, c->scenario->way[w].name, NS_EVERYWHERE, c->value[w * c->points + p], c->of);
        ns_value_text(row, "best", best >= 0 ? c->scenario->way[best].name : NULL);
        ns_put_count(row, "gain", NS_EVERYWHERE, best >= 0 ? gain_at(c, (size_t)best, p) : (double)NAN);
    }
    return c->asked->plot != NULL ? draw(c, result, err) : NS_OK;
}

ns_status ns_paper_scenario_answer(const ns_paper_scenario *scenarios, const ns_args *args,
                                   const ns_scenario_request *request, ns_value *result, ns_command_context *context,
                                   ns_error *err)
{
    course c = {.args = args, .asked = request, .scenario = scenarios};
    if (args->words > 0 && !ns_is_assignment(args->word[0])) {
        const char *names[16];
        char among[200] = "it is one of ";
        size_t count = 0;
        c.first = 1;
        c.scenario = NULL;
        for (const ns_paper_scenario *s = scenarios; s->name != NULL && c.scenario == NULL; s++) {
            c.scenario = strcmp(s->name, args->word[0]) == 0 ? s : NULL;
            snprintf(among + strlen(among), sizeof among - strlen(among), "%s%s", count > 0 ? ", " : "", s->name);
            names[count++] = s->name;
        }
        if (c.scenario == NULL)
            return ns_refuse_name_or(err, "no scenario", args->word[0], names, count, among);
    }
    /* The only machine named, or the scenario's own. */
    ns_machine *machine = NULL;
    NS_TRY(c.scenario->machine != NULL && args->usual_machine
               ? ns_machine_open(args, c.scenario->machine, &machine, err)
               : ns_machine_only(args, &machine, err));
    c.machine = machine;
    const ns_status status = answer(&c, result, context, err);
    ns_free(c.value);
    ns_list_free(c.at);
    for (size_t w = 0; w < NS_SCENARIO_WAYS; w++)
        ns_machine_free(c.of_way[w]);
    ns_machine_free(machine);
    return status;
}
