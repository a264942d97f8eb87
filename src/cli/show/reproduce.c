/* reproduce.c -- a recomputed table as a value tree */
#include "cli/show/reproduce.h"

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

/* A share of how many cases, and where it is missed, why. */
static void put_claim(const ns_reproduced_row *r, ns_value *rows)
{
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "label", r->label);
    ns_value_count(row, "published", r->published);
    ns_value_text(row, "relation", r->above ? "more than" : "at least");
    ns_value_count(row, "computed", r->computed);
    ns_value_count(row, "cases", (double)r->cases);
    ns_value_bool(row, "ok", r->ok);
    ns_value_bool(row, "known_miss", r->known_miss != NULL);
    put_words(row, "reason", r->known_miss, 0);
    put_words(row, "quote", r->quote, NS_V_NO_TABLE);
}

static void put_row(const ns_reproduced_row *r, ns_value *rows)
{
    if (r->cases > 0) {
        put_claim(r, rows);
        return;
    }
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "label", r->label);
    put_cell(row, "published", r->has_published, r->published, r->dim);
    put_cell(row, "computed", r->has_computed, r->computed, r->dim);
    put_cell(row, "rel_error", r->error >= 0, r->error, NS_DIMENSIONLESS);
}

void ns_show_reproduced(const ns_reproduced *table, ns_value *tables)
{
    ns_value *out = ns_value_object(tables, NULL);
    ns_value_text(out, "id", table->id);
    ns_value *title = ns_value_text(out, "title", table->title);
    ns_value *source = ns_value_text(out, "source", table->source);
    ns_value *rows = ns_value_list(out, "rows");
    if (title != NULL && source != NULL && rows != NULL) {
        title->flags |= NS_V_NO_TABLE;
        source->flags |= NS_V_NO_TABLE;
        rows->flags |= NS_V_ROWS;
    }
    for (size_t i = 0; i < table->rows; i++)
        put_row(ns_reproduced_at(table, i), rows);
    ns_value_count(out, "max_rel_error", table->worst);
    ns_value_count(out, "tolerance", table->tolerance);
    ns_value_bool(out, "ok", table->ok);
}
