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
 * or, of NetSparse on a whole matrix, what is gained over something that is left out (reproduce.h):
 *     {"label", "published": 0.4, "machine": "netsparse", "netsparse": {"matrix", "nodes", "k", "without": {...}}}
 * "kind" says what a cell proves (published.h), of the table, and of a row where it differs; "error_most" is the
 * largest error that a known miss may have.  A table that takes minutes says "long": true.
 * A null agrees with a parameter that the machine lacks, or an evaluation that is refused.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/memory.h"
#include "study/reproduce.h"
#include "study/study.h"

typedef struct store {
    ns_reproduced seen; /* first: what callers have */
    ns_value *root;     /* owns the texts */
    ns_reproduced_row *row;
    int kind; /* of rows that say none */
} store;

static ns_status read_published(const ns_published *t, const ns_value *value, const ns_published_cell *computed,
                                const char *path, ns_published_cell *result, ns_error *err)
{
    char unit[32], at[80];
    ns_error inner = {0};
    *result = (ns_published_cell){.given = value->kind != NS_NULL, .dim = computed->dim};
    snprintf(at, sizeof at, "%.60s.published", path);
    ns_dim_unit(computed->dim, unit, sizeof unit);
    if (value->kind == NS_TEXT)
        (void)ns_quantity_parse_as(value->text, "published", unit, &result->value, &inner);
    else if (value->kind == NS_NUMBER && ns_dim_equal(computed->dim, NS_DIMENSIONLESS))
        result->value = value->number;
    else if (value->kind != NS_NULL)
        (void)ns_fail(&inner, NS_ERR_UNIT, "published wants a text with a unit like \"1 %s\", or null", unit);
    return inner.code == NS_OK ? NS_OK : ns_published_refuse(t, inner.code, at, inner.text, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static double relative(double computed, double published)
{
    if (computed == published)
        return 0;
    return published != 0 ? fabs(computed - published) / fabs(published) : 1;
}

/* Price the table's exchanges, once. */
static ns_status open_claims(ns_published *t, const ns_value *root, ns_error *err)
{
    const ns_value *exchanges = ns_value_get(root, "exchanges");
    ns_error inner = {0};
    if (t->claims != NULL)
        return NS_OK;
    const char *machine = exchanges != NULL ? ns_published_text(exchanges, "machine") : NULL;
    if (machine == NULL)
        return ns_published_refuse(t, NS_ERR_DATA, exchanges != NULL ? "exchanges" : "",
                                   "a claim wants \"exchanges\" of a \"machine\" in its table", err);
    NS_TRY(ns_published_machine(t, machine, "exchanges", err));
    return ns_claims_price(exchanges, t->machine, &t->claims, &inner) == NS_OK
               ? NS_OK
               : ns_published_refuse(t, inner.code, "exchanges", inner.text, err);
}

/* Judge a row and keep it: a miss is a fault of the table unless it is known, and no larger than is known. */
static ns_status put_row(const ns_published *t, const ns_value *row, const char *path, ns_reproduced_row *out, store *s,
                         ns_error *err)
{
    const ns_value *most = ns_value_get(row, "error_most");
    int kind;
    NS_TRY(ns_published_kind_of(t, row, path, s->kind, &kind, err));
    out->size = sizeof *out;
    out->label = ns_published_text(row, "label");
    out->kind = (ns_published_kind)kind;
    out->known_miss = ns_published_text(row, "known_miss");
    out->error_most = most != NULL ? most->number : -1;
    if (!out->ok && (out->known_miss == NULL || (out->error_most >= 0 && out->error > out->error_most)))
        s->seen.ok = false;
    if (out->known_miss == NULL)
        s->seen.worst = fmax(s->seen.worst, out->error);
    s->row[s->seen.rows++] = *out;
    return NS_OK;
}

/* How often the claim holds against how often it should: less than that, by how much of it, or nothing. */
static ns_status compute_claim(ns_published *t, const ns_value *row, const char *path, store *s, ns_error *err)
{
    ns_error inner = {0};
    const ns_value *published = ns_value_get(row, "published"), *above = ns_value_get(row, "above");
    double share;
    size_t cases;
    NS_TRY(open_claims(t, s->root, err));
    if (published->kind != NS_NUMBER || !(published->number > 0 && published->number <= 1))
        return ns_published_refuse(t, NS_ERR_RANGE, path, "published of a claim wants a share above 0, up to 1", err);
    if (ns_claims_share(t->claims, ns_value_get(row, "claim"), &share, &cases, &inner) != NS_OK)
        return ns_published_refuse(t, inner.code, path, inner.text, err);
    const bool more = above != NULL && above->truth;
    const bool ok = more ? share > published->number : share >= published->number;
    s->seen.claims = true;
    return put_row(t, row, path,
                   &(ns_reproduced_row){.has_published = true,
                                        .has_computed = true,
                                        .published = published->number,
                                        .computed = share,
                                        .dim = NS_DIMENSIONLESS,
                                        .error = ok ? 0 : relative(share, published->number),
                                        .cases = cases,
                                        .above = more,
                                        .ok = ok,
                                        .quote = ns_published_text(row, "quote")},
                   s, err);
}

/* A number against an empty cell is out of any tolerance. */
static ns_status compute_row(ns_published *t, const ns_value *row, const char *path, store *s, ns_error *err)
{
    ns_published_cell computed, published;
    NS_TRY(ns_published_check_row(t, row, path, err));
    if (ns_value_get(row, "claim") != NULL)
        return compute_claim(t, row, path, s, err);
    NS_TRY(ns_published_compute(t, row, path, &computed, err));
    NS_TRY(read_published(t, ns_value_get(row, "published"), &computed, path, &published, err));
    const bool both = published.given && computed.given;
    const double error = both ? relative(computed.value, published.value) : -1;
    return put_row(t, row, path,
                   &(ns_reproduced_row){.has_published = published.given,
                                        .has_computed = computed.given,
                                        .published = published.value,
                                        .computed = computed.value,
                                        .dim = computed.dim,
                                        .error = error,
                                        .ok = published.given == computed.given && error <= s->seen.tolerance},
                   s, err);
}

static ns_status compute_rows(ns_published *t, store *s, ns_error *err)
{
    char path[40];
    const ns_value *rows = ns_value_get(s->root, "rows");
    size_t count = 0;
    for (const ns_value *row = rows->first; row != NULL; row = row->next)
        count++;
    s->row = ns_malloc(count * sizeof *s->row);
    if (s->row == NULL)
        return ns_no_memory(err);
    for (const ns_value *row = rows->first; row != NULL; row = row->next) {
        snprintf(path, sizeof path, "rows.%zu", s->seen.rows);
        NS_TRY(compute_row(t, row, path, s, err));
    }
    return NS_OK;
}

static ns_status compute_table(ns_published *t, store *s, ns_error *err)
{
    NS_TRY(ns_published_check(t, s->root, err));
    s->seen = (ns_reproduced){.size = sizeof s->seen,
                              .id = ns_published_text(s->root, "id"),
                              .title = ns_published_text(s->root, "title"),
                              .source = ns_published_text(s->root, "source"),
                              .note = ns_published_text(s->root, "note"),
                              .tolerance = ns_value_get(s->root, "tolerance")->number,
                              .ok = true};
    NS_TRY(ns_published_kind_of(t, s->root, "", NS_PREDICTION, &s->kind, err));
    return compute_rows(t, s, err);
}

ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **made, ns_error *err)
{
    ns_error_clear(err);
    ns_published t = {.text = text, .origin = origin};
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
