/* terms.c -- a tree of terms as a table */
#include "cli/show/terms.h"
#include "cli/front/words.h"
#include "report/columns.h"

#include <stdio.h>
#include <string.h>

bool ns_term_has_children(const ns_explanation *terms, size_t i)
{
    const ns_term *next = ns_explanation_term(terms, i + 1);
    return next != NULL && next->depth > ns_explanation_term(terms, i)->depth;
}

const char *ns_term_place(const ns_term *term, char *text, size_t size)
{
    if (term->model != NULL)
        snprintf(text, size, "nsmodel models %s", term->model->name);
    else
        snprintf(text, size, "%s", term->path);
    return text;
}

static int depth_of(const ns_explanation *terms, size_t i)
{
    return ns_explanation_term(terms, i)->depth;
}

/* Is this the last of its parent's terms? */
static bool is_last(const ns_explanation *terms, size_t i)
{
    for (size_t k = i + 1; k < terms->terms && depth_of(terms, k) >= depth_of(terms, i); k++)
        if (depth_of(terms, k) == depth_of(terms, i))
            return false;
    return true;
}

/* The term of this level that i stands below: in depth-first order the last one before it. */
static size_t ancestor(const ns_explanation *terms, size_t i, int level)
{
    while (i > 0 && depth_of(terms, i) != level)
        i--;
    return i;
}

/* "|  |- name": a bar for each ancestor that goes on below. */
static void draw_branch(const ns_explanation *terms, size_t i, char *text, size_t size)
{
    const int depth = depth_of(terms, i);
    size_t used = 0;
    for (int level = 1; level < depth; level++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s", is_last(terms, ancestor(terms, i, level)) ? "   " : "|  ");
    snprintf(text + used, size - used, "%s%s", depth > 0 ? is_last(terms, i) ? "`- " : "|- " : "",
             ns_explanation_term(terms, i)->name);
}

enum { SOURCE_ROOM = 100 }; /* letters; JSON has the whole */

/* Columns that say anything at all. */
typedef struct columns {
    bool share, formula, numbers, parameter, warning;
} columns;

static void add_text(ns_value *row, bool used, const char *name, const char *text)
{
    if (used)
        ns_value_text(row, name, text);
}

void ns_terms_show(const ns_explanation *terms, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "explain", NS_IN_TABLE);
    columns used = {false};
    for (size_t i = 0; i < terms->terms; i++) {
        const ns_term *term = ns_explanation_term(terms, i);
        used.share = used.share || ns_explanation_share(terms, i) >= 0;
        used.formula = used.formula || term->formula[0] != '\0';
        used.numbers = used.numbers || term->has_parameter;
        used.parameter = used.parameter || term->path[0] != '\0' || term->model != NULL;
        used.warning = used.warning || term->warning[0] != '\0';
    }
    for (size_t i = 0; i < terms->terms; i++) {
        const ns_term *term = ns_explanation_term(terms, i);
        char text[256], share[24] = "";
        ns_value *row = ns_value_object(list, NULL);
        draw_branch(terms, i, text, sizeof text);
        ns_value_text(row, "term", text);
        if (term->has_value)
            ns_value_number(row, "time", term->value, term->dim);
        else
            ns_value_text(row, "time", "");
        if (ns_explanation_share(terms, i) >= 0)
            snprintf(share, sizeof share, "%5.1f %%", 100 * ns_explanation_share(terms, i));
        add_text(row, used.share, "share", share);
        add_text(row, used.formula, "formula", term->formula);
        /* "8 x 7.76 us", or "" */
        size_t size = sizeof text;
        char amount[48], value[48];
        text[0] = '\0';
        if (term->has_parameter && term->has_amount)
            snprintf(text, size, "%s x %s",
                     ns_quantity_format(term->amount, term->amount_dim, 4, amount, sizeof amount),
                     ns_quantity_format(term->parameter, term->parameter_dim, 4, value, sizeof value));
        else if (term->has_parameter)
            ns_quantity_format(term->parameter, term->parameter_dim, 4, text, size);
        add_text(row, used.numbers, "numbers", text);
        add_text(row, used.parameter, "parameter", ns_term_place(term, text, sizeof text));
        ns_value_text(row, "source", ns_first_clause(term->source, SOURCE_ROOM, text, sizeof text));
        add_text(row, used.warning, "warning", term->warning);
    }
}
