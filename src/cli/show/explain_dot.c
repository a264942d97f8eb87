/* explain_dot.c -- an explanation as a Graphviz graph: boxes shaded by their share, edges as wide as it */
#include "cli/show/terms.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH = 16 };

/* Inside a quoted string: quotes and backslashes are escaped, control characters become blanks. */
static const char *escape(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (const char *c = text; *c != '\0' && used + 3 < size; c++) {
        if (*c == '"' || *c == '\\')
            out[used++] = '\\';
        out[used++] = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    }
    out[used] = '\0';
    return out;
}

/* A line of a label, when there is something to say. */
static size_t add_line(char *label, size_t used, size_t size, const char *before, const char *text)
{
    char escaped[560];
    if (*text == '\0' || used + strlen(text) + 16 > size)
        return used;
    return used + (size_t)snprintf(label + used, size - used, "%s%s%s", used > 0 ? "\\n" : "", before,
                                   escape(text, escaped, sizeof escaped));
}

static void put_node(const ns_terms_writer *w, const ns_explanation *terms, size_t i)
{
    const ns_term *t = ns_explanation_term(terms, i);
    char label[1200] = "", value[64] = "", shown[96], product[160], place[200], source[560];
    const double part = ns_explanation_share(terms, i);
    size_t used = add_line(label, 0, sizeof label, "", t->name);
    if (t->has_value)
        ns_quantity_format(t->value, t->dim, 4, value, sizeof value);
    if (part >= 0)
        snprintf(shown, sizeof shown, "%s (%.1f %%)", value, 100 * part);
    else
        snprintf(shown, sizeof shown, "%s", value);
    used = add_line(label, used, sizeof label, "", shown);
    used = add_line(label, used, sizeof label, "", ns_term_product(t, product, sizeof product));
    used = add_line(label, used, sizeof label, "", ns_term_place(t, place, sizeof place));
    add_line(label, used, sizeof label, "warning: ", t->warning);
    ns_terms_put(w, "  t%zu [label=\"%s\", tooltip=\"%s\", fillcolor=\"0.58 %.3f 1.0\"%s];", i, label,
                 escape(t->source, source, sizeof source), part > 0 ? 0.55 * part : 0.0,
                 t->warning[0] != '\0' ? ", color=\"#D55E00\", penwidth=2" : "");
}

void ns_terms_dot(const ns_explanation *terms, const char *title, ns_terms_emit *emit, void *context)
{
    const ns_terms_writer w = {emit, context};
    char text[600];
    size_t above[DEPTH] = {0};
    ns_terms_put(&w, "digraph explanation {");
    ns_terms_put(&w, "  label=\"%s\"; labelloc=t; rankdir=LR; nodesep=0.12; ranksep=0.6;",
                 escape(title, text, sizeof text));
    ns_terms_put(&w, "  node [shape=box, style=\"filled,rounded\", fillcolor=white, fontname=\"sans-serif\", "
                     "fontsize=10];");
    ns_terms_put(&w, "  edge [arrowhead=none, color=\"#444444\"];");
    for (size_t i = 0; i < terms->terms; i++) {
        const int own = ns_explanation_term(terms, i)->depth, depth = own < DEPTH ? own : DEPTH - 1;
        const double part = ns_explanation_share(terms, i);
        put_node(&w, terms, i);
        above[depth] = i;
        if (depth > 0)
            ns_terms_put(&w, "  t%zu -> t%zu [penwidth=%.2f];", above[depth - 1], i, part > 0 ? 0.6 + 6 * part : 0.6);
    }
    ns_terms_put(&w, "}");
}
