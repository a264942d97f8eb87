/* reproduce.c -- recomputed tables as a value tree */
#include "cli/show/reproduce.h"
#include "report/columns.h"

#include <stdio.h>

static void put_cell(ns_value *row, const char *name, bool given, double value, ns_dim dim)
{
    if (given)
        ns_value_number(row, name, value, dim);
    else
        ns_value_null(row, name);
}

static void put_words(ns_value *row, const char *name, const char *text, unsigned flags)
{
    ns_value *value = text != NULL ? ns_value_text(row, name, text) : ns_value_null(row, name);
    if (value != NULL)
        value->flags |= flags;
}

/* Where it does not hold: whether that is known, and why. */
static void put_miss(const ns_reproduced_row *r, ns_value *row)
{
    ns_value_text(row, "kind", ns_published_words[r->kind]);
    ns_value_bool(row, "ok", r->ok);
    ns_value_bool(row, "known_miss", r->known_miss != NULL);
    put_words(row, "reason", r->known_miss, NS_V_WIDE);
}

/* A share of how many cases. */
static void put_claim(const ns_reproduced_row *r, ns_value *row)
{
    ns_value_count(row, "published", r->published);
    ns_value_text(row, "relation", r->above ? "more than" : "at least");
    ns_value_count(row, "computed", r->computed);
    ns_value_count(row, "cases", (double)r->cases);
    put_miss(r, row);
    put_words(row, "quote", r->quote, NS_V_NO_TABLE);
}

static void put_row(const ns_reproduced_row *r, ns_value *rows)
{
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "label", r->label);
    if (r->cases > 0) {
        put_claim(r, row);
        return;
    }
    put_cell(row, "published", r->has_published, r->published, r->dim);
    put_cell(row, "computed", r->has_computed, r->computed, r->dim);
    put_cell(row, "rel_error", r->error >= 0, r->error, NS_DIMENSIONLESS);
    put_miss(r, row);
}

/* Counts in place of the cells. */
static void put_counts(const ns_reproduced *table, ns_value *out)
{
    size_t predictions = 0, misses = 0;
    for (size_t i = 0; i < table->rows; i++) {
        const ns_reproduced_row *row = ns_reproduced_at(table, i);
        predictions += row->kind == NS_PREDICTION;
        misses += !row->ok && row->known_miss != NULL;
    }
    ns_put_count(out, "cells", NS_IN_NARROW, (double)table->rows);
    ns_put_count(out, "predictions", NS_IN_NARROW, (double)predictions);
    ns_put_count(out, "known_misses", NS_IN_NARROW, (double)misses);
}

/* What a screen of the cells has above them: what the table is, and why cells miss. */
static void put_head(const ns_reproduced *table, ns_value *out)
{
    ns_put_textf(out, "heading", NS_HEADING | NS_IN_NARROW, "%s: %s, %s", table->id, table->title, table->source);
    for (size_t i = 0; i < table->rows; i++) {
        const ns_reproduced_row *row = ns_reproduced_at(table, i);
        if (!row->ok && row->known_miss != NULL)
            ns_sentence(out, "known", NS_IN_NARROW, "%s misses: %s", row->label, row->known_miss);
    }
}

void ns_show_reproduced(const ns_reproduced *table, bool summary, ns_value *tables)
{
    ns_value *out = ns_value_object(tables, NULL);
    const unsigned head = summary ? 0u : NS_V_WIDE;
    if (!summary)
        put_head(table, out);
    ns_put_text(out, "id", head, table->id);
    ns_put_text(out, "title", NS_IN_DATA, table->title);
    ns_put_text(out, "source", NS_IN_DATA, table->source);
    if (table->note != NULL)
        ns_put_text(out, "note", NS_IN_DATA | NS_NOT_IN_CSV, table->note);
    ns_value *rows = ns_put_rows(out, "rows", summary ? NS_IN_WIDE : NS_EVERYWHERE);
    for (size_t i = 0; i < table->rows; i++)
        put_row(ns_reproduced_at(table, i), rows);
    if (summary)
        put_counts(table, out);
    ns_put_count(out, "max_rel_error", head, table->worst);
    ns_put_count(out, "tolerance", head, table->tolerance);
    ns_put_bool(out, "ok", head, table->ok);
}

/* ---- totals ------------------------------------------------------------------------------------------------------ */

static void put_total(const ns_reproduced_total *total, const char *kind, ns_value *totals)
{
    ns_value *out = ns_value_object(totals, kind);
    ns_value_count(out, "cells", (double)total->cells);
    ns_value_count(out, "ok", (double)total->ok);
    ns_value_count(out, "known_miss", (double)total->known_miss);
    put_cell(out, "worst", total->worst >= 0, total->worst, NS_DIMENSIONLESS);
    put_words(out, "where", *total->where != '\0' ? total->where : NULL, 0);
}

/* "88 in-sample, 77 identities": what is no prediction. */
static void count_others(const ns_reproduced_total total[NS_PUBLISHED_KINDS], char *text, size_t size)
{
    static const char *const one[] = {NULL, "in-sample", "identity", "input"};
    static const char *const more[] = {NULL, "in-sample", "identities", "inputs"};
    size_t used = 0;
    *text = '\0';
    for (int kind = NS_PREDICTION + 1; kind < NS_PUBLISHED_KINDS; kind++)
        if (total[kind].cells > 0)
            used += (size_t)snprintf(text + used, size - used, "%s%zu %s", used > 0 ? ", " : "", total[kind].cells,
                                     (total[kind].cells == 1 ? one : more)[kind]);
}

static void count_predictions(const ns_reproduced_total *p, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%zu prediction%s: %zu within tolerance", p->cells,
                                   p->cells == 1 ? "" : "s", p->ok);
    if (p->known_miss > 0)
        used += (size_t)snprintf(text + used, size - used, ", %zu known to miss", p->known_miss);
    if (p->worst > 0)
        snprintf(text + used, size - used, ", the worst %.2g %% off (%s)", 100 * p->worst, p->where);
}

void ns_show_reproduced_totals(const ns_reproduced_total total[NS_PUBLISHED_KINDS], ns_value *result)
{
    char predictions[400] = "no predictions", others[160];
    if (total[NS_PREDICTION].cells > 0)
        count_predictions(&total[NS_PREDICTION], predictions, sizeof predictions);
    count_others(total, others, sizeof others);
    const char *between = *others == '\0'                   ? ""
                          : total[NS_PREDICTION].cells == 0 ? "; "
                                                            : ". The other cells prove less: ";
    ns_sentence(result, "summary", NS_NOT_IN_JSON, "%s%s%s", predictions, between, others);
    ns_value *totals = ns_put_object(result, "totals", NS_IN_JSON);
    for (int kind = 0; kind < NS_PUBLISHED_KINDS; kind++)
        put_total(&total[kind], ns_published_words[kind], totals);
}
