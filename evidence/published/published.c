/* published.c -- published tables compared with what the library computes
 *
 * A table is a file of rows, each with a published value, or null for an empty cell, and a description of what to
 * compute:
 *     {"label", "published": "2.44e-06 s", "machine": "lassen", "parameter": "host.off-node.eager.alpha"}
 *     {"label", "published": "3.3082 us", "model": "on-node", "inputs": {"s": "1000 B"}, "output": "time",
 *      "machine": "lassen"}
 * or, in a table with "exchanges": {"machine": "lassen", "matrices": [...], "gpus": [...]}, a claim about them:
 *     {"label", "published": 1, "claim": {"before": "split-md/host", "after": "split-dd/host"}, "quote": "..."}
 * with the least share of cases in which it has to hold, or with "above": true a share above which it has to hold;
 * "known_miss": why it does not hold here, which is then not a fault of the table; or, for NetSparse on a whole matrix,
 * the gain over a run with something left out:
 *     {"label", "published": 0.4, "machine": "netsparse", "netsparse": {"matrix", "nodes", "k", "without": {...}}}
 * "kind" is what a cell proves (published.h), for the table, and for a row where it differs; "error_most" is the
 * largest error that a known miss may have.  A table that takes minutes has "long": true.  A null agrees with a
 * parameter that the machine lacks, or with an evaluation that is refused.
 */
#include "published/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/memory.h"
#include "core/own.h"
#include "core/refuse.h"
#include "core/value.h"
#include "machine/machine.h"
#include "model/binding.h"
#include "netsparse/netsparse.h"
#include "price/choice.h"

NS_FREED_BY(ns_machine_free, ns_machine)
NS_FREED_BY(ns_matrix_free, ns_matrix)
NS_FREED_BY(ns_netsparse_free, ns_netsparse_result)
NS_FREED_BY(ns_reproduced_free, ns_reproduced)
NS_FREED_BY(ns_trace_free, ns_trace)

typedef struct way {
    const ns_strategy *strategy;
    ns_transport transport;
    double seconds;
} way;

typedef struct a_case {
    const char *matrix; /* in the text of the table */
    int32_t gpus;
    double messages;
    int ways;
    way of[NS_CHOICES];
} a_case;

typedef struct priced {
    size_t cases;
    a_case *of;
} priced;

typedef struct table_file {
    const char *text, *origin;
    ns_machine *machine; /* the machine of the rows so far, reused from row to row */
    priced exchanges;    /* those of its claims, priced at the first claim */
} table_file;

/* A number, or an empty cell. */
typedef struct cell {
    bool given;
    double value;
    ns_dim dim;
} cell;

/* ---- the shape of a file: its keys, and what they hold ----------------------------------------------------------- */

static const double tolerance_most = 0.15;

const char *const ns_published_words[] = {"prediction", "in-sample", "identity", "input", NULL};

/* Report a failure at a path of the file; details found below that path are in `text`. */
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

/* path: of the object, "" for the root.  A key of kind NS_NULL accepts anything. */
static ns_status check_keys(const table_file *t, const key *keys, const ns_value *object, const char *path,
                            ns_error *err)
{
    enum { MOST = 20 };
    char at[200], text[NS_UNKNOWN_MOST];
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
        if (k == count)
            return refuse(t, NS_ERR_NAME, at,
                          ns_unknown_name(text, sizeof text, "unknown key", v->name, names, count, ""), err);
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

/* The kind of a row or a table, as an ns_published_kind, or `otherwise` where none is given. */
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

/* The speedup over SUOpt after the last step, with an object's topology and its "set", "PATH=VALUE" of the machine; -1
 * where nothing is sent. */
static ns_status speedup_of(ns_trace *trace, const ns_value *object, int32_t k, const ns_machine *machine,
                            double *speedup, ns_error *err)
{
    NS_OWN(ns_machine_free) ns_machine *changed = NULL;
    NS_OWN(ns_netsparse_free) ns_netsparse_result *result = NULL;
    const char *word = text_of(object, "topology"), *set = text_of(object, "set");
    int topology = NS_LEAF_SPINE;
    if (word != NULL)
        NS_TRY(ns_choose_word("topology", ns_topology_words, word, &topology, err));
    if (set != NULL)
        NS_TRY(ns_machine_with(machine, set, &changed, err));
    const ns_netsparse_options options = {.machine = changed != NULL ? changed : machine,
                                          .k = k,
                                          .topology = (ns_topology)topology,
                                          .last_only = true};
    NS_TRY(ns_netsparse_run(trace, &options, &result, err));
    *speedup = result->step[NS_SWITCH].speedup;
    return NS_OK;
}

/* The speedup over SUOpt, divided by the speedup with the "set" and "topology" of "without", - 1. */
static ns_status gain_of(const ns_value *netsparse, const ns_machine *machine, double *gain, ns_error *err)
{
    static const char *const counts[] = {"nodes", "k"};
    const char *name = text_of(netsparse, "matrix");
    const ns_value *other = ns_value_get(netsparse, "without");
    const ns_trace_options options = {.rack = 0};
    int32_t count[2];
    double fast, slow;
    NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
    NS_OWN(ns_trace_free) ns_trace *trace = NULL;
    if (name == NULL || other == NULL)
        return ns_fail(err, NS_ERR_DATA, "\"netsparse\" wants a \"matrix\" and what it is \"without\"");
    for (int i = 0; i < 2; i++) {
        const ns_value *v = ns_value_get(netsparse, counts[i]);
        if (v == NULL || v->kind != NS_NUMBER || v->number < 1 || v->number > 16384 || v->number != floor(v->number))
            return ns_fail(err, NS_ERR_DATA, "\"netsparse\" wants \"%s\", a whole number from 1 to 16384", counts[i]);
        count[i] = (int32_t)v->number;
    }
    NS_TRY(ns_matrix_open(name, &matrix, err));
    NS_TRY(ns_trace_open(matrix, count[0], &options, &trace, err));
    NS_TRY(speedup_of(trace, netsparse, count[1], machine, &fast, err));
    NS_TRY(speedup_of(trace, other, count[1], machine, &slow, err));
    *gain = fast / slow - 1;
    return fast > 0 && slow > 0
               ? NS_OK
               : ns_fail(err, NS_ERR_DATA, "%s sends nothing on %d nodes", name, (int)count[0]);
}

/* ---- claims of a paper about many exchanges, as shares of cases ------------------------------------------------- */

static size_t length_of(const ns_value *list)
{
    size_t count = 0;
    for (const ns_value *v = list != NULL ? list->first : NULL; v != NULL; v = v->next)
        count++;
    return count;
}

/* Check that a list has at least one element, and only elements of one kind. */
static ns_status check_list(const ns_value *object, const char *name, ns_value_kind kind, ns_error *err)
{
    const ns_value *list = ns_value_get(object, name);
    bool good = list != NULL && list->kind == NS_LIST && list->first != NULL;
    for (const ns_value *v = good ? list->first : NULL; v != NULL; v = v->next)
        good = good && v->kind == kind &&
               (kind != NS_NUMBER || (v->number >= 1 && v->number <= 1e6 && v->number == floor(v->number)));
    return good ? NS_OK
                : ns_fail(err, NS_ERR_DATA, "\"%s\" wants a list of %s", name,
                          kind == NS_NUMBER ? "whole numbers from 1 to 1000000" : "texts");
}

/* Prices all numbers of GPUs in one pass over the matrix. */
static ns_status price_matrix(const char *name, const ns_value *gpus, const ns_machine *machine, a_case *c,
                              ns_error *err)
{
    const ns_exchange_options options = {.width = 0};
    const size_t layouts = length_of(gpus);
    size_t at = 0;
    NS_OWN(ns_matrix_free) ns_matrix *matrix = NULL;
    NS_OWN(ns_free) ns_layout *layout = ns_malloc(ns_size_mul(layouts, sizeof *layout));
    NS_OWN(ns_free) ns_exchange **exchange = ns_calloc(layouts, sizeof *exchange);
    NS_OWN(ns_free) ns_comparison *comparison = ns_malloc(sizeof *comparison);
    if (layout == NULL || exchange == NULL || comparison == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_matrix_open(name, &matrix, err));
    for (const ns_value *v = gpus->first; v != NULL; v = v->next)
        layout[at++] = (ns_layout){(int32_t)v->number, machine->gpus};
    ns_status status = ns_exchange_from_matrix(matrix, layout, layouts, &options, exchange, NULL, err);
    for (size_t i = 0; status == NS_OK && i < layouts; i++) {
        status = ns_compare_into(exchange[i], machine, NULL, comparison, err);
        c[i].matrix = name;
        c[i].messages = (double)exchange[i]->pattern.m_proc;
        c[i].gpus = exchange[i]->parts;
        c[i].ways = status == NS_OK ? comparison->choices : 0;
        for (int k = 0; k < c[i].ways; k++) {
            const ns_choice *choice = &comparison->choice[k];
            c[i].of[k] = (way){choice->strategy, choice->transport, choice->price.estimate_s};
        }
    }
    for (size_t i = 0; i < layouts; i++)
        ns_exchange_free(exchange[i]);
    return status;
}

/* Price every strategy for {"matrices": [...], "gpus": [...]} on a machine: a case for each matrix and number of
 * GPUs. */
static ns_status price_exchanges(const ns_value *exchanges, const ns_machine *machine, priced *p, ns_error *err)
{
    NS_TRY(check_list(exchanges, "matrices", NS_TEXT, err));
    NS_TRY(check_list(exchanges, "gpus", NS_NUMBER, err));
    if (machine->gpus < 1)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no GPUs", machine->name);
    const ns_value *matrices = ns_value_get(exchanges, "matrices"), *gpus = ns_value_get(exchanges, "gpus");
    p->of = ns_calloc(ns_size_mul(length_of(matrices), length_of(gpus)), sizeof *p->of);
    if (p->of == NULL)
        return ns_no_memory(err);
    for (const ns_value *v = matrices->first; v != NULL; v = v->next) {
        NS_TRY(price_matrix(v->text, gpus, machine, &p->of[p->cases], err));
        p->cases += length_of(gpus);
    }
    return NS_OK;
}

static bool matches(const char *word, size_t length, const char *name)
{
    return (length == 1 && *word == '*') || (strlen(name) == length && strncmp(word, name, length) == 0);
}

/* The fastest of the ways that match a pattern "STRATEGY/TRANSPORT". */
static double fastest_of(const a_case *c, const char *pattern)
{
    const size_t length = strcspn(pattern, "/");
    const char *transport = pattern[length] == '/' ? pattern + length + 1 : "*";
    double least = INFINITY;
    for (int i = 0; i < c->ways; i++)
        if (matches(pattern, length, c->of[i].strategy->name) &&
            matches(transport, strlen(transport), ns_transport_words[c->of[i].transport]))
            least = fmin(least, c->of[i].seconds);
    return least;
}

static bool is_listed(const ns_value *list, const char *text, double number)
{
    for (const ns_value *v = list != NULL ? list->first : NULL; v != NULL; v = v->next)
        if (v->kind == NS_TEXT ? strcmp(v->text, text) == 0 : v->number == number)
            return true;
    return list == NULL;
}

/* Refuse a pattern that no way matches. */
static ns_status check_pattern(const priced *p, const ns_value *pattern, ns_error *err)
{
    return pattern->kind == NS_TEXT && isfinite(fastest_of(&p->of[0], pattern->text))
               ? NS_OK
               : ns_fail(err, NS_ERR_NAME, "no strategy and transport \"%.60s\"",
                         pattern->kind == NS_TEXT ? pattern->text : "");
}

static ns_status check_claim(const priced *p, const ns_value *claim, ns_error *err)
{
    static const char *const known[] = {"fastest", "before",        "after",         "matrices",
                                        "gpus",    "messages_from", "messages_below"};
    const ns_value *before = ns_value_get(claim, "before"), *after = ns_value_get(claim, "after");
    for (const ns_value *v = claim->first; v != NULL; v = v->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(v->name, known[k]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            return ns_fail(err, NS_ERR_NAME, "a claim has no \"%.60s\"", v->name);
        if (strncmp(v->name, "messages_", 9) == 0 && v->kind != NS_NUMBER)
            return ns_fail(err, NS_ERR_SYNTAX, "\"%s\" wants a number", v->name);
    }
    if ((before != NULL) != (after != NULL) || (before != NULL) == (ns_value_get(claim, "fastest") != NULL))
        return ns_fail(err, NS_ERR_DATA, "a claim wants \"fastest\", or \"before\" and \"after\"");
    if (ns_value_get(claim, "matrices") != NULL)
        NS_TRY(check_list(claim, "matrices", NS_TEXT, err));
    if (ns_value_get(claim, "gpus") != NULL)
        NS_TRY(check_list(claim, "gpus", NS_NUMBER, err));
    if (before != NULL) {
        NS_TRY(check_pattern(p, before, err));
        return check_pattern(p, after, err);
    }
    NS_TRY(check_list(claim, "fastest", NS_TEXT, err));
    for (const ns_value *v = ns_value_get(claim, "fastest")->first; v != NULL; v = v->next)
        NS_TRY(check_pattern(p, v, err));
    return NS_OK;
}

/* The share of cases of a claim in which it holds:
 *     {"fastest": ["STRATEGY/TRANSPORT", ...]}            one of these is the fastest; * matches any
 *     {"before": "...", "after": "..."}                   the fastest of "before" is faster than that of "after"
 * among the cases that {"matrices", "gpus", "messages_from", "messages_below"} select; the messages are those off node
 * of the process with most of them, under standard. */
static ns_status share_of(const priced *p, const ns_value *claim, double *share, size_t *cases, ns_error *err)
{
    size_t among = 0, held = 0;
    NS_TRY(check_claim(p, claim, err));
    const ns_value *from = ns_value_get(claim, "messages_from"), *below = ns_value_get(claim, "messages_below"),
                   *fastest = ns_value_get(claim, "fastest");
    for (const a_case *c = p->of; c < p->of + p->cases; c++) {
        if (!is_listed(ns_value_get(claim, "matrices"), c->matrix, 0) ||
            !is_listed(ns_value_get(claim, "gpus"), "", (double)c->gpus) ||
            (from != NULL && c->messages < from->number) || (below != NULL && c->messages >= below->number))
            continue;
        bool holds = fastest == NULL && fastest_of(c, ns_value_get(claim, "before")->text) <
                                            fastest_of(c, ns_value_get(claim, "after")->text);
        for (const ns_value *v = fastest != NULL ? fastest->first : NULL; v != NULL; v = v->next)
            holds = holds || fastest_of(c, v->text) <= fastest_of(c, "*");
        among++;
        held += holds;
    }
    if (among == 0)
        return ns_fail(err, NS_ERR_DATA, "no case is among those of the claim");
    *share = (double)held / (double)among;
    *cases = among;
    return NS_OK;
}

/* ---- one computed value: a parameter of a machine, a model's output, or a gain ----------------------------------- */

/* Make t->machine the shipped machine of that name, even if there is a file of that name. */
static ns_status use_machine(table_file *t, const char *name, const char *path, ns_error *err)
{
    char file[100], text[200], at[80];
    if (t->machine != NULL && strcmp(t->machine->name, name) == 0)
        return NS_OK;
    snprintf(file, sizeof file, "params/%.60s.json", name);
    snprintf(text, sizeof text, "no shipped machine \"%.60s\"", name);
    snprintf(at, sizeof at, "%.60s.machine", path);
    const ns_embedded *data = ns_embedded_find(file);
    if (data == NULL)
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
        char assignment[300], number[64]; /* in the syntax of the command line: a bare number has no dimension */
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

/* ---- a table ----------------------------------------------------------------------------------------------------- */

static double relative(double computed, double published)
{
    if (computed == published)
        return 0;
    return published != 0 ? fabs(computed - published) / fabs(published) : 1;
}

/* Compare how often a claim holds with how often it should: the error is the shortfall, or zero.  The table's exchanges
 * are priced once. */
static ns_status compute_claim(table_file *t, const ns_value *row, const char *path, ns_reproduced *s,
                               ns_reproduced_row *out, ns_error *err)
{
    ns_error inner = {0};
    const ns_value *published = ns_value_get(row, "published"), *above = ns_value_get(row, "above"),
                   *exchanges = ns_value_get(s->root, "exchanges");
    const char *machine = exchanges != NULL ? text_of(exchanges, "machine") : NULL;
    double share = 0;
    size_t cases = 0;
    if (t->exchanges.of == NULL) {
        if (machine == NULL)
            return refuse(t, NS_ERR_DATA, exchanges != NULL ? "exchanges" : "",
                          "a claim wants \"exchanges\" of a \"machine\" in its table", err);
        NS_TRY(use_machine(t, machine, "exchanges", err));
        if (price_exchanges(exchanges, t->machine, &t->exchanges, &inner) != NS_OK)
            return refuse(t, inner.code, "exchanges", inner.text, err);
    }
    if (published->kind != NS_NUMBER || !(published->number > 0 && published->number <= 1))
        return refuse(t, NS_ERR_RANGE, path, "published of a claim wants a share above 0, up to 1", err);
    if (share_of(&t->exchanges, ns_value_get(row, "claim"), &share, &cases, &inner) != NS_OK)
        return refuse(t, inner.code, path, inner.text, err);
    const bool more = above != NULL && above->truth;
    const bool ok = more ? share > published->number : share >= published->number;
    s->claims = true;
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

/* A number where the cell is empty is outside any tolerance. */
static ns_status compute_cell(table_file *t, const ns_value *row, const char *path, double tolerance,
                              ns_reproduced_row *out, ns_error *err)
{
    const ns_value *published = ns_value_get(row, "published");
    char unit[32], at[80];
    ns_error inner = {0};
    cell computed = {0};
    double value = 0;
    /* what the row specifies for the computation */
    const char *machine = text_of(row, "machine"), *parameter = text_of(row, "parameter");
    if (machine != NULL)
        NS_TRY(use_machine(t, machine, path, err));
    const ns_value *netsparse = ns_value_get(row, "netsparse");
    const bool model = text_of(row, "model") != NULL;
    if ((parameter != NULL) + model + (netsparse != NULL) != 1 || (!model && machine == NULL))
        return refuse(t, NS_ERR_DATA, path, "a row wants a model, or a machine and a parameter or \"netsparse\"", err);
    if (netsparse != NULL) {
        computed.given = gain_of(netsparse, t->machine, &computed.value, &inner) == NS_OK;
    } else if (parameter == NULL) {
        (void)compute_model(row, machine != NULL ? t->machine : NULL, &computed, &inner);
    } else {
        computed.given = ns_machine_number(t->machine, parameter, &computed.value, &computed.dim, NULL);
        if (!computed.given && published->kind != NS_NULL)
            (void)ns_fail(&inner, NS_ERR_NAME, "machine %s has no parameter \"%.160s\"", machine, parameter);
    }
    if (inner.code != NS_OK)
        return refuse(t, inner.code, path, inner.text, err);
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
                               .ok = given == computed.given && error <= tolerance};
    return NS_OK;
}

/* Compute a row, judge it and store it: a miss is a fault of the table unless it is known, and no larger than the known
 * error.  usual: the kind of rows that specify none. */
static ns_status put_row(table_file *t, const ns_value *row, const char *path, int usual, ns_reproduced *s,
                         ns_error *err)
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
        NS_TRY(compute_cell(t, row, path, s->tolerance, &out, err));
    NS_TRY(kind_of(t, row, path, usual, &kind, err));
    out.label = text_of(row, "label");
    out.kind = (ns_published_kind)kind;
    out.known_miss = text_of(row, "known_miss");
    out.error_most = most != NULL ? most->number : -1;
    if (!out.ok && (out.known_miss == NULL || (out.error_most >= 0 && out.error > out.error_most)))
        s->ok = false;
    if (out.known_miss == NULL)
        s->worst = fmax(s->worst, out.error);
    s->row[s->rows++] = out;
    return NS_OK;
}

static void table_file_close(table_file *t)
{
    ns_machine_free(t->machine);
    ns_free(t->exchanges.of);
}

ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **made, ns_error *err)
{
    ns_error_clear(err);
    NS_CLOSE(table_file_close) table_file t = {.text = text, .origin = origin};
    NS_OWN(ns_reproduced_free) ns_reproduced *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    int kind;
    NS_TRY(ns_json_parse(t.text, t.origin, &s->root, err));
    NS_TRY(check_keys(&t, table_keys, s->root, "", err));
    if (strcmp(text_of(s->root, "schema"), "nsmodel/published/1") != 0)
        return refuse(&t, NS_ERR_DATA, "schema", "schema wants \"nsmodel/published/1\"", err);
    const double tolerance = ns_value_get(s->root, "tolerance")->number;
    if (!(tolerance >= 0 && tolerance <= tolerance_most))
        return refuse(&t, NS_ERR_RANGE, "tolerance", "tolerance is relative, from 0 to 0.15", err);
    const ns_value *rows = ns_value_get(s->root, "rows");
    if (rows->first == NULL)
        return refuse(&t, NS_ERR_DATA, "rows", "a table wants at least one row", err);
    s->id = text_of(s->root, "id");
    s->title = text_of(s->root, "title");
    s->source = text_of(s->root, "source");
    s->note = text_of(s->root, "note");
    s->tolerance = tolerance;
    s->ok = true;
    NS_TRY(kind_of(&t, s->root, "", NS_PREDICTION, &kind, err));
    s->row = ns_malloc(length_of(rows) * sizeof *s->row);
    if (s->row == NULL)
        return ns_no_memory(err);
    for (const ns_value *row = rows->first; row != NULL; row = row->next) {
        char path[40];
        snprintf(path, sizeof path, "rows.%zu", s->rows);
        NS_TRY(put_row(&t, row, path, kind, s, err));
    }
    *made = s;
    s = NULL;
    return NS_OK;
}

void ns_reproduced_add(const ns_reproduced *made, ns_reproduced_total total[NS_PUBLISHED_KINDS])
{
    for (size_t i = 0; i < made->rows; i++) {
        const ns_reproduced_row *row = &made->row[i];
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

void ns_reproduced_free(ns_reproduced *made)
{
    if (made == NULL)
        return;
    ns_value_free(made->root);
    ns_free(made->row);
    ns_free(made);
}

/* ---- the tables that the program carries, by their ids ----------------------------------------------------------- */

enum { IDS_MOST = 256, ID_SIZE = 80 };
static const char folder[] = "evidence/tables/";

/* The id of a table is the stem of its file.  False for a file that is not a table. */
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

/* NULL: there is no such table. */
static const ns_embedded *find_table(const char *id)
{
    char own[ID_SIZE];
    const ns_embedded *file = ns_evidence_files;
    while (file->path != NULL && !(id_of(file, own, sizeof own) && strcmp(id, own) == 0))
        file++;
    return file->path != NULL ? file : NULL;
}

ns_status ns_reproduce_shipped(const char *id, ns_reproduced **made, ns_error *err)
{
    ns_error_clear(err);
    char own[IDS_MOST][ID_SIZE];
    const char *name[IDS_MOST];
    size_t count = 0;
    const ns_embedded *file = find_table(id);
    if (file != NULL)
        return ns_reproduce_text((const char *)file->data, file->path, made, err);
    while (count < IDS_MOST && (name[count] = ns_reproduce_id(count, own[count], ID_SIZE)) != NULL)
        count++;
    return ns_refuse_name_or(err, "no table", id, name, count, "");
}

bool ns_reproduce_is_long(const char *id)
{
    ns_value *root;
    const ns_embedded *file = find_table(id);
    if (file == NULL || ns_json_parse((const char *)file->data, file->path, &root, NULL) != NS_OK)
        return false;
    const ns_value *is = ns_value_get(root, "long");
    const bool found = is != NULL && is->truth;
    ns_value_free(root);
    return found;
}
