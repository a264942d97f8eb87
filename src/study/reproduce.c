/* reproduce.c -- published tables against what the library computes
 *
 * A table is a file of rows, each with a published value, or null for a cell that is not there, and what to compute:
 *     {"label", "published": "2.44e-06 s", "machine": "lassen", "parameter": "host.off-node.eager.alpha"}
 *     {"label", "published": "3.3082 us", "model": "on-node", "inputs": {"s": "1000 B"}, "output": "time",
 *      "machine": "lassen"}
 * or, of a table with "exchanges": {"machine": "lassen", "matrices": [...], "gpus": [...]}, what is said of them:
 *     {"label", "published": 1, "claim": {"before": "split-md/host", "after": "split-dd/host"}, "quote": "..."}
 * with the least share of cases in which it has to hold, or with "above": true more than that; "known_miss": why it
 * does not hold here, which is then no fault of the table.
 * A null agrees with a parameter that the machine lacks, or an evaluation that is refused.
 */
#include <nsmodel/study.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/embedded.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "study/claims.h"

static const double tolerance_most = 0.15;

typedef struct table {
    const char *text, *origin;
    ns_machine *machine; /* of the rows so far, kept from row to row */
    ns_claims *claims;   /* the exchanges, priced */
} table;

typedef struct store {
    ns_reproduced seen; /* first: what callers have */
    ns_value *root;     /* owns the texts */
    ns_reproduced_row *row;
} store;

/* A number, or nothing. */
typedef struct cell {
    bool given;
    double value;
    ns_dim dim;
} cell;

/* A failure at a path of the file; what was found deeper down is in `text`. */
static ns_status refuse(const table *t, ns_status code, const char *path, const char *text, ns_error *err)
{
    long line, column;
    ns_json_locate(t->text, path, &line, &column);
    return ns_fail_at(err, code, t->origin, line, column, "%s", text);
}

/* ---- the shape of the file --------------------------------------------------------------------------------------- */

typedef struct key {
    const char *name;
    ns_value_kind kind;
    bool required;
} key;

static const key table_keys[] = {{"schema", NS_TEXT, true}, {"id", NS_TEXT, true},           {"title", NS_TEXT, true},
                                 {"source", NS_TEXT, true}, {"tolerance", NS_NUMBER, true},  {"rows", NS_LIST, true},
                                 {"note", NS_TEXT, false},  {"exchanges", NS_OBJECT, false}, {NULL, NS_NULL, false}};
static const key row_keys[] = {
    {"label", NS_TEXT, true},     {"machine", NS_TEXT, false},  {"parameter", NS_TEXT, false},
    {"model", NS_TEXT, false},    {"inputs", NS_OBJECT, false}, {"output", NS_TEXT, false},
    {"published", NS_NULL, true}, {"note", NS_TEXT, false},     {"claim", NS_OBJECT, false},
    {"quote", NS_TEXT, false},    {"above", NS_BOOL, false},    {"known_miss", NS_TEXT, false},
    {NULL, NS_NULL, false}};
static const char *const kind_words[] = {"null", "true or false", "a number", "a text", "a list", "an object"};

static const key *find_key(const key *keys, const char *name)
{
    while (keys->name != NULL && strcmp(keys->name, name) != 0)
        keys++;
    return keys->name != NULL ? keys : NULL;
}

static ns_status unknown_key(const table *t, const key *keys, const char *name, const char *path, ns_error *err)
{
    const char *names[16];
    size_t count = 0;
    char text[300];
    for (; keys[count].name != NULL; count++)
        names[count] = keys[count].name;
    const char *near = ns_closest(name, names, count);
    snprintf(text, sizeof text, "unknown key \"%.80s\"%s%s%s", name, near != NULL ? "; did you mean \"" : "",
             near != NULL ? near : "", near != NULL ? "\"?" : "");
    return refuse(t, NS_ERR_NAME, path, text, err);
}

/* path: of the object, "" for the root.  A key of kind NS_NULL takes anything. */
static ns_status check_keys(const table *t, const key *keys, const ns_value *object, const char *path, ns_error *err)
{
    char at[200], text[200];
    if (object->kind != NS_OBJECT)
        return refuse(t, NS_ERR_SYNTAX, path, "an object is wanted here", err);
    for (const ns_value *v = object->first; v != NULL; v = v->next) {
        const key *k = find_key(keys, v->name);
        snprintf(at, sizeof at, "%s%s%.100s", path, *path != '\0' ? "." : "", v->name);
        if (k == NULL)
            return unknown_key(t, keys, v->name, at, err);
        snprintf(text, sizeof text, "\"%s\" wants %s", k->name, kind_words[k->kind]);
        if (k->kind != NS_NULL && k->kind != v->kind)
            return refuse(t, NS_ERR_SYNTAX, at, text, err);
    }
    for (const key *k = keys; k->name != NULL; k++) {
        snprintf(text, sizeof text, "the key \"%s\" is missing", k->name);
        if (k->required && ns_value_get(object, k->name) == NULL)
            return refuse(t, NS_ERR_DATA, path, text, err);
    }
    return NS_OK;
}

static ns_status check_table(const table *t, const ns_value *root, ns_error *err)
{
    NS_TRY(check_keys(t, table_keys, root, "", err));
    if (strcmp(ns_value_get(root, "schema")->text, "nsmodel/published/1") != 0)
        return refuse(t, NS_ERR_DATA, "schema", "schema wants \"nsmodel/published/1\"", err);
    const double tolerance = ns_value_get(root, "tolerance")->number;
    if (!(tolerance >= 0 && tolerance <= tolerance_most))
        return refuse(t, NS_ERR_RANGE, "tolerance", "tolerance is relative, from 0 to 0.15", err);
    if (ns_value_get(root, "rows")->first == NULL)
        return refuse(t, NS_ERR_DATA, "rows", "a table wants at least one row", err);
    return NS_OK;
}

/* ---- computing a row --------------------------------------------------------------------------------------------- */

static const char *text_of(const ns_value *row, const char *name)
{
    const ns_value *value = ns_value_get(row, name);
    return value != NULL ? value->text : NULL;
}

static const ns_embedded *embedded(const char *path)
{
    const ns_embedded *file = ns_embedded_files;
    while (file->path != NULL && strcmp(file->path, path) != 0)
        file++;
    return file->path != NULL ? file : NULL;
}

/* The shipped machine, whatever files of that name lie about. */
static ns_status open_machine(table *t, const char *name, const char *path, ns_error *err)
{
    char file[100], text[200], at[80];
    if (t->machine != NULL && strcmp(t->machine->name, name) == 0)
        return NS_OK;
    snprintf(file, sizeof file, "params/%.60s.json", name);
    snprintf(text, sizeof text, "no shipped machine \"%.60s\"", name);
    snprintf(at, sizeof at, "%.60s.machine", path);
    const ns_embedded *data = embedded(file);
    if (data == NULL)
        return refuse(t, NS_ERR_NAME, at, text, err);
    ns_machine_free(t->machine);
    t->machine = NULL;
    return ns_machine_parse((const char *)data->data, file, &t->machine, err);
}

/* Inputs are given as a person types them: a bare number has no dimension. */
static ns_status bind_inputs(ns_binding *binding, const ns_value *inputs, ns_error *err)
{
    char assignment[300], number[64];
    for (const ns_value *v = inputs != NULL ? inputs->first : NULL; v != NULL; v = v->next) {
        if (v->kind != NS_TEXT && v->kind != NS_NUMBER)
            return ns_fail(err, NS_ERR_SYNTAX, "%s wants a text or a number", v->name);
        snprintf(assignment, sizeof assignment, "%.80s=%.200s", v->name,
                 v->kind == NS_TEXT ? v->text : ns_double_format(v->number, number, sizeof number));
        NS_TRY(ns_bind_text(binding, assignment, err));
    }
    return ns_bind_close(binding, err);
}

static ns_status compute_model(const table *t, const ns_value *row, const ns_machine *machine, const char *path,
                               cell *result, ns_error *err)
{
    const ns_model *model;
    ns_binding binding;
    ns_model_buffer out;
    ns_error inner = {0};
    double factor;
    if (ns_model_get(text_of(row, "model"), &model, &inner) != NS_OK)
        return refuse(t, inner.code, path, inner.text, err);
    const char *name = text_of(row, "output");
    const ns_field *output = name != NULL ? ns_field_find(model->outputs, name) : NULL;
    if (output == NULL) {
        (void)ns_fail(&inner, NS_ERR_NAME, "%s has no output \"%s\"", model->name, name != NULL ? name : "");
        return refuse(t, inner.code, path, inner.text, err);
    }
    ns_bind_open(&binding, model, machine);
    if (bind_inputs(&binding, ns_value_get(row, "inputs"), &inner) != NS_OK)
        return refuse(t, inner.code, path, inner.text, err);
    NS_TRY(ns_unit_parse(output->unit, &factor, &result->dim, err));
    result->given = ns_model_eval(&binding, &out, &inner) == NS_OK;
    if (!result->given && ns_value_get(row, "published")->kind != NS_NULL)
        return refuse(t, inner.code, path, inner.text, err);
    result->value = result->given ? ns_field_number(output, &out) : 0;
    return NS_OK;
}

static ns_status compute(table *t, const ns_value *row, const char *path, cell *result, ns_error *err)
{
    const char *machine = text_of(row, "machine"), *parameter = text_of(row, "parameter");
    char text[300];
    if (machine != NULL)
        NS_TRY(open_machine(t, machine, path, err));
    if ((parameter != NULL) == (text_of(row, "model") != NULL) || (parameter != NULL && machine == NULL))
        return refuse(t, NS_ERR_DATA, path, "a row wants a model, or a machine and a parameter", err);
    *result = (cell){0};
    if (parameter == NULL)
        return compute_model(t, row, machine != NULL ? t->machine : NULL, path, result, err);
    result->given = ns_machine_number(t->machine, parameter, &result->value, &result->dim, NULL);
    if (result->given || ns_value_get(row, "published")->kind == NS_NULL)
        return NS_OK;
    snprintf(text, sizeof text, "machine %s has no parameter \"%.160s\"", machine, parameter);
    return refuse(t, NS_ERR_NAME, path, text, err);
}

static ns_status read_published(const table *t, const ns_value *value, const cell *computed, const char *path,
                                cell *result, ns_error *err)
{
    char unit[32], at[80];
    ns_error inner = {0};
    *result = (cell){.given = value->kind != NS_NULL, .dim = computed->dim};
    snprintf(at, sizeof at, "%.60s.published", path);
    ns_dim_unit(computed->dim, unit, sizeof unit);
    if (value->kind == NS_TEXT)
        (void)ns_quantity_parse_as(value->text, "published", unit, &result->value, &inner);
    else if (value->kind == NS_NUMBER && ns_dim_equal(computed->dim, NS_DIMENSIONLESS))
        result->value = value->number;
    else if (value->kind != NS_NULL)
        (void)ns_fail(&inner, NS_ERR_UNIT, "published wants a text with a unit like \"1 %s\", or null", unit);
    return inner.code == NS_OK ? NS_OK : refuse(t, inner.code, at, inner.text, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static double relative(double computed, double published)
{
    if (computed == published)
        return 0;
    return published != 0 ? fabs(computed - published) / fabs(published) : 1;
}

/* Price the table's exchanges, once. */
static ns_status open_claims(table *t, const ns_value *root, ns_error *err)
{
    const ns_value *exchanges = ns_value_get(root, "exchanges");
    ns_error inner = {0};
    if (t->claims != NULL)
        return NS_OK;
    const char *machine = exchanges != NULL ? text_of(exchanges, "machine") : NULL;
    if (machine == NULL)
        return refuse(t, NS_ERR_DATA, exchanges != NULL ? "exchanges" : "",
                      "a claim wants \"exchanges\" of a \"machine\" in its table", err);
    NS_TRY(open_machine(t, machine, "exchanges", err));
    return ns_claims_price(exchanges, t->machine, &t->claims, &inner) == NS_OK
               ? NS_OK
               : refuse(t, inner.code, "exchanges", inner.text, err);
}

/* How often the claim holds against how often it should: less than that, by how much of it, or nothing. */
static ns_status compute_claim(table *t, const ns_value *row, const char *path, store *s, ns_error *err)
{
    ns_error inner = {0};
    const ns_value *published = ns_value_get(row, "published"), *above = ns_value_get(row, "above");
    double share;
    size_t cases;
    NS_TRY(open_claims(t, s->root, err));
    if (published->kind != NS_NUMBER || !(published->number > 0 && published->number <= 1))
        return refuse(t, NS_ERR_RANGE, path, "published of a claim wants a share above 0, up to 1", err);
    if (ns_claims_share(t->claims, ns_value_get(row, "claim"), &share, &cases, &inner) != NS_OK)
        return refuse(t, inner.code, path, inner.text, err);
    const bool more = above != NULL && above->truth;
    const bool ok = more ? share > published->number : share >= published->number;
    const double error = ok ? 0 : relative(share, published->number);
    const char *why = text_of(row, "known_miss");
    s->row[s->seen.rows++] = (ns_reproduced_row){.size = sizeof *s->row,
                                                 .label = text_of(row, "label"),
                                                 .has_published = true,
                                                 .has_computed = true,
                                                 .published = published->number,
                                                 .computed = share,
                                                 .dim = NS_DIMENSIONLESS,
                                                 .error = error,
                                                 .cases = cases,
                                                 .above = more,
                                                 .ok = ok,
                                                 .quote = text_of(row, "quote"),
                                                 .known_miss = why};
    if (!ok && why == NULL)
        s->seen.ok = false;
    s->seen.claims = true;
    return NS_OK;
}

/* A number against an empty cell is out of any tolerance. */
static ns_status compute_row(table *t, const ns_value *row, const char *path, store *s, ns_error *err)
{
    cell computed, published;
    NS_TRY(check_keys(t, row_keys, row, path, err));
    if (ns_value_get(row, "claim") != NULL)
        return compute_claim(t, row, path, s, err);
    NS_TRY(compute(t, row, path, &computed, err));
    NS_TRY(read_published(t, ns_value_get(row, "published"), &computed, path, &published, err));
    const bool both = published.given && computed.given;
    const double error = both ? relative(computed.value, published.value) : -1;
    ns_reproduced_row *out = &s->row[s->seen.rows++];
    *out = (ns_reproduced_row){.size = sizeof *out,
                               .label = text_of(row, "label"),
                               .has_published = published.given,
                               .has_computed = computed.given,
                               .published = published.value,
                               .computed = computed.value,
                               .dim = computed.dim,
                               .error = error,
                               .ok = published.given == computed.given && error <= s->seen.tolerance};
    s->seen.worst = fmax(s->seen.worst, error);
    s->seen.ok = s->seen.ok && published.given == computed.given;
    return NS_OK;
}

static ns_status compute_rows(table *t, store *s, ns_error *err)
{
    char path[40];
    const ns_value *rows = ns_value_get(s->root, "rows");
    size_t count = 0;
    for (const ns_value *row = rows->first; row != NULL; row = row->next)
        count++;
    s->row = malloc(count * sizeof *s->row);
    if (s->row == NULL)
        return ns_no_memory(err);
    for (const ns_value *row = rows->first; row != NULL; row = row->next) {
        snprintf(path, sizeof path, "rows.%zu", s->seen.rows);
        NS_TRY(compute_row(t, row, path, s, err));
    }
    return NS_OK;
}

static ns_status compute_table(table *t, store *s, ns_error *err)
{
    NS_TRY(check_table(t, s->root, err));
    s->seen = (ns_reproduced){.size = sizeof s->seen,
                              .id = text_of(s->root, "id"),
                              .title = text_of(s->root, "title"),
                              .source = text_of(s->root, "source"),
                              .tolerance = ns_value_get(s->root, "tolerance")->number,
                              .ok = true};
    NS_TRY(compute_rows(t, s, err));
    s->seen.ok = s->seen.ok && s->seen.worst <= s->seen.tolerance;
    return NS_OK;
}

ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **made, ns_error *err)
{
    table t = {.text = text, .origin = origin};
    store *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    ns_status status = ns_json_parse(text, origin, &s->root, err);
    if (status == NS_OK)
        status = compute_table(&t, s, err);
    ns_machine_free(t.machine);
    ns_claims_free(t.claims);
    if (status == NS_OK)
        *made = &s->seen;
    else
        ns_reproduced_free(&s->seen);
    return status;
}

const ns_reproduced_row *ns_reproduced_at(const ns_reproduced *made, size_t index)
{
    return index < made->rows ? &((const store *)(const void *)made)->row[index] : NULL;
}

void ns_reproduced_free(ns_reproduced *made)
{
    store *s = (store *)(void *)made;
    if (s == NULL)
        return;
    ns_value_free(s->root);
    free(s->row);
    free(s);
}
