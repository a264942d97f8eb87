/* published.c -- published tables against what the library computes
 *
 * A table is a file of rows, each with a published value, or null for a cell that is not there, and what to compute:
 *     {"label", "published": "2.44e-06 s", "machine": "lassen", "parameter": "host.off-node.eager.alpha"}
 *     {"label", "published": "3.3082 us", "model": "on-node", "inputs": {"s": "1000 B"}, "output": "time",
 *      "machine": "lassen"}
 * or, of a table with "exchanges": {"machine": "lassen", "matrices": [...], "gpus": [...]}, what is said of them:
 *     {"label", "published": 1, "claim": {"before": "split-md/host", "after": "split-dd/host"}, "quote": "..."}
 * with the least share of cases in which it has to hold, or with "above": true more than that; "known_miss": why it
 * does not hold here, which is then no fault of the table.
 * or, of NetSparse on a whole matrix, what is gained over something that is left out:
 *     {"label", "published": 0.4, "machine": "netsparse", "netsparse": {"matrix", "nodes", "k", "without": {...}}}
 * "kind" says what a cell proves (published.h), of the table, and of a row where it differs; "error_most" is the
 * largest error that a known miss may have.  A table that takes minutes says "long": true.
 * A null agrees with a parameter that the machine lacks, or an evaluation that is refused.
 */
#include "published/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/memory.h"
#include "core/refuse.h"
#include "core/value.h"
#include "machine/machine.h"
#include "model/binding.h"
#include "netsparse/netsparse.h"
#include "published/claims.h"

typedef struct table_file {
    const char *text, *origin;
    ns_machine *machine; /* of the rows so far, kept from row to row */
    ns_claims *claims;   /* the exchanges, priced */
} table_file;

/* A number, or nothing. */
typedef struct cell {
    bool given;
    double value;
    ns_dim dim;
} cell;

/* ---- the shape of a file: its keys, and what they hold ----------------------------------------------------------- */

static const double tolerance_most = 0.15;

const char *const ns_published_words[] = {"prediction", "in-sample", "identity", "input", NULL};

/* A failure at a path of the file; what was found deeper down is in `text`. */
static ns_status refuse(const table_file *t, ns_status code, const char *path, const char *text, ns_error *err)
{
    long line, column;
    ns_json_locate(t->text, path, &line, &column);
    return ns_fail_at(err, code, t->origin, line, column, "%s", text);
}

/* A text of an object, or NULL. */
static const char *text_of(const ns_value *object, const char *name)
{
    const ns_value *value = ns_value_get(object, name);
    return value != NULL ? value->text : NULL;
}

typedef struct key {
    const char *name;
    ns_value_kind kind;
    bool required;
} key;

static const key table_keys[] = {
    {"schema", NS_TEXT, true},       {"id", NS_TEXT, true},          {"title", NS_TEXT, true},
    {"source", NS_TEXT, true},       {"tolerance", NS_NUMBER, true}, {"rows", NS_LIST, true},
    {"kind", NS_TEXT, true},         {"long", NS_BOOL, false},       {"note", NS_TEXT, false},
    {"exchanges", NS_OBJECT, false}, {NULL, NS_NULL, false}};
static const key row_keys[] = {
    {"label", NS_TEXT, true},     {"machine", NS_TEXT, false},      {"parameter", NS_TEXT, false},
    {"model", NS_TEXT, false},    {"inputs", NS_OBJECT, false},     {"output", NS_TEXT, false},
    {"published", NS_NULL, true}, {"note", NS_TEXT, false},         {"claim", NS_OBJECT, false},
    {"quote", NS_TEXT, false},    {"above", NS_BOOL, false},        {"known_miss", NS_TEXT, false},
    {"kind", NS_TEXT, false},     {"error_most", NS_NUMBER, false}, {"netsparse", NS_OBJECT, false},
    {NULL, NS_NULL, false}};
static const char *const kind_words[] = {"null", "true or false", "a number", "a text", "a list", "an object"};

/* path: of the object, "" for the root.  A key of kind NS_NULL takes anything. */
static ns_status check_keys(const table_file *t, const key *keys, const ns_value *object, const char *path,
                            ns_error *err)
{
    enum { MOST = 20 };
    char at[200], text[300];
    const char *names[MOST];
    size_t count = 0;
    if (object->kind != NS_OBJECT)
        return refuse(t, NS_ERR_SYNTAX, path, "an object is wanted here", err);
    for (; keys[count].name != NULL; count++)
        names[count] = keys[count].name;
    for (const ns_value *v = object->first; v != NULL; v = v->next) {
        size_t k = 0;
        while (k < count && strcmp(names[k], v->name) != 0)
            k++;
        snprintf(at, sizeof at, "%s%s%.100s", path, *path != '\0' ? "." : "", v->name);
        if (k == count) {
            const char *near = ns_closest(v->name, names, count);
            snprintf(text, sizeof text, "unknown key \"%.80s\"%s%s%s", v->name, near != NULL ? "; did you mean \"" : "",
                     near != NULL ? near : "", near != NULL ? "\"?" : "");
            return refuse(t, NS_ERR_NAME, at, text, err);
        }
        snprintf(text, sizeof text, "\"%s\" wants %s", names[k], kind_words[keys[k].kind]);
        if (keys[k].kind != NS_NULL && keys[k].kind != v->kind)
            return refuse(t, NS_ERR_SYNTAX, at, text, err);
    }
    for (const key *k = keys; k->name != NULL; k++) {
        snprintf(text, sizeof text, "the key \"%s\" is missing", k->name);
        if (k->required && ns_value_get(object, k->name) == NULL)
            return refuse(t, NS_ERR_DATA, path, text, err);
    }
    return NS_OK;
}

/* The kind that a row or a table says, as a number of ns_published_kind, or `otherwise` where it says none. */
static ns_status kind_of(const table_file *t, const ns_value *object, const char *path, int otherwise, int *kind,
                         ns_error *err)
{
    char at[80];
    ns_error inner = {0};
    const char *word = text_of(object, "kind");
    *kind = otherwise;
    if (word == NULL || ns_choose_word("kind", ns_published_words, word, kind, &inner) == NS_OK)
        return NS_OK;
    snprintf(at, sizeof at, "%.60s%skind", path, *path != '\0' ? "." : "");
    return refuse(t, inner.code, at, inner.text, err);
}

/* ---- how much faster NetSparse is on a whole matrix than with something of it changed ---------------------------- */

typedef struct variant {
    const char *set; /* "PATH=VALUE" of the machine, or NULL */
    int topology;
} variant;

/* What an object says of "set" and "topology". */
static ns_status read_variant(const ns_value *object, variant *v, ns_error *err)
{
    const char *topology = text_of(object, "topology");
    v->set = text_of(object, "set");
    v->topology = NS_LEAF_SPINE;
    return topology != NULL ? ns_choose_word("topology", ns_topology_words, topology, &v->topology, err) : NS_OK;
}

/* Speedup over SUOpt after the last step; -1 where nothing is sent. */
static ns_status speedup_of(ns_trace *trace, const variant *v, int32_t k, const ns_machine *machine, double *speedup,
                            ns_error *err)
{
    ns_machine *changed = NULL;
    ns_netsparse_result *result;
    if (v->set != NULL)
        NS_TRY(ns_machine_with(machine, v->set, &changed, err));
    const ns_netsparse_options options = {.machine = changed != NULL ? changed : machine,
                                          .k = k,
                                          .topology = (ns_topology)v->topology,
                                          .last_only = true};
    const ns_status status = ns_netsparse_run(trace, &options, &result, err);
    if (status == NS_OK) {
        *speedup = result->step[NS_SWITCH].speedup;
        ns_netsparse_free(result);
    }
    ns_machine_free(changed);
    return status;
}

/* Speedup over SUOpt by speedup with what "without" says of "set" and "topology" - 1. */
static ns_status gain_of(const ns_value *netsparse, const ns_machine *machine, double *gain, ns_error *err)
{
    static const char *const counts[] = {"nodes", "k"};
    const char *name = text_of(netsparse, "matrix");
    const ns_value *other = ns_value_get(netsparse, "without");
    const ns_trace_options options = {.rack = 0};
    variant with, without;
    int32_t count[2];
    double fast = 0, slow = 0;
    ns_matrix *matrix;
    ns_trace *trace;
    if (name == NULL || other == NULL)
        return ns_fail(err, NS_ERR_DATA, "\"netsparse\" wants a \"matrix\" and what it is \"without\"");
    for (int i = 0; i < 2; i++) {
        const ns_value *v = ns_value_get(netsparse, counts[i]);
        if (v == NULL || v->kind != NS_NUMBER || v->number < 1 || v->number > 16384 || v->number != floor(v->number))
            return ns_fail(err, NS_ERR_DATA, "\"netsparse\" wants \"%s\", a whole number from 1 to 16384", counts[i]);
        count[i] = (int32_t)v->number;
    }
    NS_TRY(read_variant(netsparse, &with, err));
    NS_TRY(read_variant(other, &without, err));
    NS_TRY(ns_matrix_open(name, &matrix, err));
    ns_status status = ns_trace_open(matrix, count[0], &options, &trace, err);
    ns_matrix_free(matrix);
    NS_TRY(status);
    status = speedup_of(trace, &with, count[1], machine, &fast, err);
    if (status == NS_OK)
        status = speedup_of(trace, &without, count[1], machine, &slow, err);
    ns_trace_free(trace);
    if (status == NS_OK && !(fast > 0 && slow > 0))
        status = ns_fail(err, NS_ERR_DATA, "%s sends nothing on %d nodes", name, (int)count[0]);
    if (status == NS_OK)
        *gain = fast / slow - 1;
    return status;
}

/* ---- one computed value: a parameter of a machine, a model's output, or a gain ----------------------------------- */

/* Make t->machine the shipped machine of that name, whatever files of that name lie about. */
static ns_status use_machine(table_file *t, const char *name, const char *path, ns_error *err)
{
    char file[100], text[200], at[80];
    if (t->machine != NULL && strcmp(t->machine->name, name) == 0)
        return NS_OK;
    snprintf(file, sizeof file, "params/%.60s.json", name);
    snprintf(text, sizeof text, "no shipped machine \"%.60s\"", name);
    snprintf(at, sizeof at, "%.60s.machine", path);
    const ns_embedded *data = ns_embedded_files;
    while (data->path != NULL && strcmp(data->path, file) != 0)
        data++;
    if (data->path == NULL)
        return refuse(t, NS_ERR_NAME, at, text, err);
    ns_machine_free(t->machine);
    t->machine = NULL;
    return ns_machine_parse((const char *)data->data, file, &t->machine, err);
}

static ns_status compute_model(const ns_value *row, const ns_machine *machine, cell *result, ns_error *err)
{
    const char *name = text_of(row, "output");
    const ns_value *inputs = ns_value_get(row, "inputs");
    const ns_model *model;
    ns_binding binding;
    ns_model_buffer out;
    ns_error inner = {0};
    double factor;
    NS_TRY(ns_model_get(text_of(row, "model"), &model, err));
    const ns_field *output = name != NULL ? ns_field_find(model->outputs, name) : NULL;
    if (output == NULL)
        return ns_fail(err, NS_ERR_NAME, "%s has no output \"%s\"", model->name, name != NULL ? name : "");
    ns_bind_open(&binding, model, machine);
    for (const ns_value *v = inputs != NULL ? inputs->first : NULL; v != NULL; v = v->next) {
        char assignment[300], number[64]; /* as a person types them: a bare number has no dimension */
        if (v->kind != NS_TEXT && v->kind != NS_NUMBER)
            return ns_fail(err, NS_ERR_SYNTAX, "%s wants a text or a number", v->name);
        snprintf(assignment, sizeof assignment, "%.80s=%.200s", v->name,
                 v->kind == NS_TEXT ? v->text : ns_double_format(v->number, number, sizeof number));
        NS_TRY(ns_bind_text(&binding, assignment, err));
    }
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_unit_parse(output->unit, &factor, &result->dim, err));
    result->given = ns_model_eval(&binding, &out, &inner) == NS_OK;
    if (!result->given && ns_value_get(row, "published")->kind != NS_NULL)
        return ns_fail(err, inner.code, "%s", inner.text);
    result->value = result->given ? ns_field_number(output, &out) : 0;
    return NS_OK;
}

/* What a row says is to be computed. */
static ns_status compute(table_file *t, const ns_value *row, const char *path, cell *result, ns_error *err)
{
    const char *machine = text_of(row, "machine"), *parameter = text_of(row, "parameter");
    ns_error inner = {0};
    if (machine != NULL)
        NS_TRY(use_machine(t, machine, path, err));
    const ns_value *netsparse = ns_value_get(row, "netsparse");
    const bool given[] = {parameter != NULL, text_of(row, "model") != NULL, netsparse != NULL};
    if (given[0] + given[1] + given[2] != 1 || (!given[1] && machine == NULL))
        return refuse(t, NS_ERR_DATA, path, "a row wants a model, or a machine and a parameter or \"netsparse\"", err);
    *result = (cell){0};
    if (netsparse != NULL) {
        result->given = gain_of(netsparse, t->machine, &result->value, &inner) == NS_OK;
    } else if (parameter == NULL) {
        (void)compute_model(row, machine != NULL ? t->machine : NULL, result, &inner);
    } else {
        result->given = ns_machine_number(t->machine, parameter, &result->value, &result->dim, NULL);
        if (!result->given && ns_value_get(row, "published")->kind != NS_NULL)
            (void)ns_fail(&inner, NS_ERR_NAME, "machine %s has no parameter \"%.160s\"", machine, parameter);
    }
    return inner.code == NS_OK ? NS_OK : refuse(t, inner.code, path, inner.text, err);
}

/* ---- a table ----------------------------------------------------------------------------------------------------- */

typedef struct store {
    ns_reproduced seen; /* first: what callers have */
    ns_value *root;     /* owns the texts */
    ns_reproduced_row *row;
    int kind; /* of rows that say none */
} store;

static double relative(double computed, double published)
{
    if (computed == published)
        return 0;
    return published != 0 ? fabs(computed - published) / fabs(published) : 1;
}

/* How often a claim holds against how often it should: less than that, by how much of it, or nothing.  The table's
 * exchanges are priced once. */
static ns_status compute_claim(table_file *t, const ns_value *row, const char *path, store *s, ns_reproduced_row *out,
                               ns_error *err)
{
    ns_error inner = {0};
    const ns_value *published = ns_value_get(row, "published"), *above = ns_value_get(row, "above"),
                   *exchanges = ns_value_get(s->root, "exchanges");
    const char *machine = exchanges != NULL ? text_of(exchanges, "machine") : NULL;
    double share;
    size_t cases;
    if (t->claims == NULL) {
        if (machine == NULL)
            return refuse(t, NS_ERR_DATA, exchanges != NULL ? "exchanges" : "",
                          "a claim wants \"exchanges\" of a \"machine\" in its table", err);
        NS_TRY(use_machine(t, machine, "exchanges", err));
        if (ns_claims_price(exchanges, t->machine, &t->claims, &inner) != NS_OK)
            return refuse(t, inner.code, "exchanges", inner.text, err);
    }
    if (published->kind != NS_NUMBER || !(published->number > 0 && published->number <= 1))
        return refuse(t, NS_ERR_RANGE, path, "published of a claim wants a share above 0, up to 1", err);
    if (ns_claims_share(t->claims, ns_value_get(row, "claim"), &share, &cases, &inner) != NS_OK)
        return refuse(t, inner.code, path, inner.text, err);
    const bool more = above != NULL && above->truth;
    const bool ok = more ? share > published->number : share >= published->number;
    s->seen.claims = true;
    *out = (ns_reproduced_row){.has_published = true,
                               .has_computed = true,
                               .published = published->number,
                               .computed = share,
                               .dim = NS_DIMENSIONLESS,
                               .error = ok ? 0 : relative(share, published->number),
                               .cases = cases,
                               .above = more,
                               .ok = ok,
                               .quote = text_of(row, "quote")};
    return NS_OK;
}

/* A number against an empty cell is out of any tolerance. */
static ns_status compute_cell(table_file *t, const ns_value *row, const char *path, const store *s,
                              ns_reproduced_row *out, ns_error *err)
{
    const ns_value *published = ns_value_get(row, "published");
    char unit[32], at[80];
    ns_error inner = {0};
    cell computed;
    double value = 0;
    NS_TRY(compute(t, row, path, &computed, err));
    snprintf(at, sizeof at, "%.60s.published", path);
    ns_dim_unit(computed.dim, unit, sizeof unit);
    if (published->kind == NS_TEXT)
        (void)ns_quantity_parse_as(published->text, "published", unit, &value, &inner);
    else if (published->kind == NS_NUMBER && ns_dim_equal(computed.dim, NS_DIMENSIONLESS))
        value = published->number;
    else if (published->kind != NS_NULL)
        (void)ns_fail(&inner, NS_ERR_UNIT, "published wants a text with a unit like \"1 %s\", or null", unit);
    if (inner.code != NS_OK)
        return refuse(t, inner.code, at, inner.text, err);
    const bool given = published->kind != NS_NULL;
    const double error = given && computed.given ? relative(computed.value, value) : -1;
    *out = (ns_reproduced_row){.has_published = given,
                               .has_computed = computed.given,
                               .published = value,
                               .computed = computed.value,
                               .dim = computed.dim,
                               .error = error,
                               .ok = given == computed.given && error <= s->seen.tolerance};
    return NS_OK;
}

/* Compute a row, judge and keep it: a miss is a fault of the table unless it is known, and no larger than is known. */
static ns_status put_row(table_file *t, const ns_value *row, const char *path, store *s, ns_error *err)
{
    const ns_value *most = ns_value_get(row, "error_most");
    ns_reproduced_row out = {0};
    int kind;
    NS_TRY(check_keys(t, row_keys, row, path, err));
    if (most != NULL && ns_value_get(row, "known_miss") == NULL)
        return refuse(t, NS_ERR_DATA, path, "\"error_most\" is of a known miss", err);
    if (ns_value_get(row, "claim") != NULL)
        NS_TRY(compute_claim(t, row, path, s, &out, err));
    else
        NS_TRY(compute_cell(t, row, path, s, &out, err));
    NS_TRY(kind_of(t, row, path, s->kind, &kind, err));
    out.size = sizeof out;
    out.label = text_of(row, "label");
    out.kind = (ns_published_kind)kind;
    out.known_miss = text_of(row, "known_miss");
    out.error_most = most != NULL ? most->number : -1;
    if (!out.ok && (out.known_miss == NULL || (out.error_most >= 0 && out.error > out.error_most)))
        s->seen.ok = false;
    if (out.known_miss == NULL)
        s->seen.worst = fmax(s->seen.worst, out.error);
    s->row[s->seen.rows++] = out;
    return NS_OK;
}

static ns_status compute_table(table_file *t, store *s, ns_error *err)
{
    size_t count = 0;
    NS_TRY(check_keys(t, table_keys, s->root, "", err));
    if (strcmp(text_of(s->root, "schema"), "nsmodel/published/1") != 0)
        return refuse(t, NS_ERR_DATA, "schema", "schema wants \"nsmodel/published/1\"", err);
    const double tolerance = ns_value_get(s->root, "tolerance")->number;
    if (!(tolerance >= 0 && tolerance <= tolerance_most))
        return refuse(t, NS_ERR_RANGE, "tolerance", "tolerance is relative, from 0 to 0.15", err);
    const ns_value *rows = ns_value_get(s->root, "rows");
    if (rows->first == NULL)
        return refuse(t, NS_ERR_DATA, "rows", "a table wants at least one row", err);
    s->seen = (ns_reproduced){.size = sizeof s->seen,
                              .id = text_of(s->root, "id"),
                              .title = text_of(s->root, "title"),
                              .source = text_of(s->root, "source"),
                              .note = text_of(s->root, "note"),
                              .tolerance = tolerance,
                              .ok = true};
    NS_TRY(kind_of(t, s->root, "", NS_PREDICTION, &s->kind, err));
    for (const ns_value *row = rows->first; row != NULL; row = row->next)
        count++;
    s->row = ns_malloc(count * sizeof *s->row);
    if (s->row == NULL)
        return ns_no_memory(err);
    for (const ns_value *row = rows->first; row != NULL; row = row->next) {
        char path[40];
        snprintf(path, sizeof path, "rows.%zu", s->seen.rows);
        NS_TRY(put_row(t, row, path, s, err));
    }
    return NS_OK;
}

ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **made, ns_error *err)
{
    ns_error_clear(err);
    table_file t = {.text = text, .origin = origin};
    store *s = ns_calloc(1, sizeof *s);
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

void ns_reproduced_add(const ns_reproduced *made, ns_reproduced_total total[NS_PUBLISHED_KINDS])
{
    for (size_t i = 0; i < made->rows; i++) {
        const ns_reproduced_row *row = &((const store *)(const void *)made)->row[i];
        ns_reproduced_total *of = &total[row->kind];
        of->cells++;
        of->ok += row->ok;
        of->known_miss += !row->ok && row->known_miss != NULL;
        if (row->error > of->worst) {
            of->worst = row->error;
            snprintf(of->where, sizeof of->where, "%s, %s", made->id, row->label);
        }
    }
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
    ns_free(s->row);
    ns_free(s);
}

/* ---- the tables that the program carries, by their ids ----------------------------------------------------------- */

enum { IDS_MOST = 256, ID_SIZE = 80 };
static const char folder[] = "evidence/tables/";

/* The table's id is the stem of its file.  False for a file that is no table. */
static bool id_of(const ns_embedded *file, char *id, size_t size)
{
    const size_t length = strlen(folder);
    if (strncmp(file->path, folder, length) != 0)
        return false;
    snprintf(id, size, "%.*s", (int)strlen(file->path + length) - 5, file->path + length); /* without ".json" */
    return true;
}

const char *ns_reproduce_id(size_t index, char *buffer, size_t size)
{
    for (const ns_embedded *file = ns_evidence_files; file->path != NULL; file++)
        if (id_of(file, buffer, size) && index-- == 0)
            return buffer;
    return NULL;
}

ns_status ns_reproduce_shipped(const char *id, ns_reproduced **made, ns_error *err)
{
    ns_error_clear(err);
    char own[IDS_MOST][ID_SIZE];
    const char *name[IDS_MOST];
    size_t count = 0;
    for (const ns_embedded *file = ns_evidence_files; file->path != NULL && count < IDS_MOST; file++) {
        if (!id_of(file, own[count], ID_SIZE))
            continue;
        if (strcmp(id, own[count]) == 0)
            return ns_reproduce_text((const char *)file->data, file->path, made, err);
        name[count] = own[count];
        count++;
    }
    return ns_refuse_name_or(err, "no table", id, name, count, "");
}

bool ns_reproduce_is_long(const char *id)
{
    char own[ID_SIZE];
    bool found = false;
    for (const ns_embedded *file = ns_evidence_files; file->path != NULL; file++) {
        ns_value *root;
        if (!id_of(file, own, sizeof own) || strcmp(id, own) != 0 ||
            ns_json_parse((const char *)file->data, file->path, &root, NULL) != NS_OK)
            continue;
        const ns_value *is = ns_value_get(root, "long");
        found = is != NULL && is->truth;
        ns_value_free(root);
    }
    return found;
}
