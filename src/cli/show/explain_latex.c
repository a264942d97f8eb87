/* explain_latex.c -- an explanation as a LaTeX document: the sum written out, then where each number is from */
#include "cli/show/terms.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a letter that every LaTeX sets, À to ž; 0 for anything else. */
static size_t letter(const char *c)
{
    const unsigned char a = (unsigned char)c[0], b = (unsigned char)c[1];
    return a >= 0xC3 && a <= 0xC5 && (b & 0xC0) == 0x80 ? 2 : 0;
}

/* text with LaTeX's own characters made harmless; paths may break after a point. */
static const char *escape(const char *text, char *out, size_t size)
{
    static const struct {
        char from;
        const char *to;
    } special[] = {{'\\', "\\textbackslash{}"},
                   {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"},
                   {'_', "\\_"},
                   {'%', "\\%"},
                   {'&', "\\&"},
                   {'#', "\\#"},
                   {'$', "\\$"},
                   {'{', "\\{"},
                   {'}', "\\}"}};
    size_t used = 0;
    for (const char *c = text; *c != '\0' && used + 24 < size;) {
        const char *to = NULL;
        const size_t pair = letter(c);
        for (size_t i = 0; i < sizeof special / sizeof *special; i++)
            if (special[i].from == *c)
                to = special[i].to;
        if (c[0] == '.' && c[1] >= 'a' && c[1] <= 'z')
            to = ".\\allowbreak{}";
        if (to != NULL)
            used += (size_t)snprintf(out + used, size - used, "%s", to);
        else if (pair > 0 || ((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f)) {
            memcpy(out + used, c, pair > 0 ? pair : 1);
            used += pair > 0 ? pair : 1;
        } else if (((unsigned char)*c & 0xC0) != 0x80)
            out[used++] = '?';
        c += pair > 0 ? pair : 1;
    }
    out[used] = '\0';
    return out;
}

/* "7.76\,\text{us}" */
static const char *quantity(double value, ns_dim dim, char *out, size_t size)
{
    char text[64], unit[96];
    ns_quantity_format(value, dim, 4, text, sizeof text);
    char *blank = strchr(text, ' ');
    if (blank == NULL) {
        snprintf(out, size, "%s", text);
        return out;
    }
    *blank = '\0';
    snprintf(out, size, "%s\\,\\text{%s}", text, escape(blank + 1, unit, sizeof unit));
    return out;
}

static void put_sum_line(const ns_terms_writer *w, const ns_explanation *terms, size_t i)
{
    const ns_term *t = ns_explanation_term(terms, i);
    char name[300], value[160], amount[160], parameter[160], product[400] = "";
    quantity(t->value, t->dim, value, sizeof value);
    if (t->has_parameter && t->has_amount)
        snprintf(product, sizeof product, "%s \\times %s = ", quantity(t->amount, t->amount_dim, amount, sizeof amount),
                 quantity(t->parameter, t->parameter_dim, parameter, sizeof parameter));
    escape(t->name, name, sizeof name);
    if (ns_explanation_share(terms, i) >= 0)
        ns_terms_put(w, "%s\\text{%s} &= %s%s && (%.1f\\,\\%%)\\\\", t->depth > 1 ? "\\quad " : "", name, product,
                     value, 100 * ns_explanation_share(terms, i));
    else
        ns_terms_put(w, "%s\\text{%s} &= %s%s\\\\", t->depth > 1 ? "\\quad " : "", name, product, value);
}

static void put_origin(const ns_terms_writer *w, const ns_term *t)
{
    char name[300], place[200], path[400], source[900], value[160] = "", warning[300];
    if (*ns_term_place(t, place, sizeof place) == '\0' && t->source[0] == '\0' && t->warning[0] == '\0')
        return;
    if (t->has_parameter)
        quantity(t->parameter, t->parameter_dim, value, sizeof value);
    const char *dollar = t->has_parameter ? "$" : "";
    ns_terms_put(w, "%s & \\texttt{%s} & %s%s%s & %s%s\\emph{%s}\\\\", escape(t->name, name, sizeof name),
                 escape(place, path, sizeof path), dollar, value, dollar, escape(t->source, source, sizeof source),
                 t->warning[0] != '\0' ? " Warning: " : "", escape(t->warning, warning, sizeof warning));
}

/* One whole: from a term of depth 0 to the next. */
static void put_tree(const ns_terms_writer *w, const ns_explanation *terms, size_t from, size_t to)
{
    char name[300];
    ns_terms_put(w, "\\section*{%s}", escape(ns_explanation_term(terms, from)->name, name, sizeof name));
    ns_terms_put(w, "\\begin{align*}");
    for (size_t i = from; i < to; i++)
        if (ns_explanation_term(terms, i)->has_value)
            put_sum_line(w, terms, i);
    ns_terms_put(w, "\\end{align*}");
    ns_terms_put(w, "\\begin{longtable}{@{}p{0.24\\textwidth}p{0.28\\textwidth}p{0.12\\textwidth}"
                    "p{0.30\\textwidth}@{}}");
    ns_terms_put(w, "term & parameter & value & source\\\\ \\hline \\endhead");
    for (size_t i = from; i < to; i++)
        put_origin(w, ns_explanation_term(terms, i));
    ns_terms_put(w, "\\end{longtable}");
}

void ns_terms_latex(const ns_explanation *terms, const char *title, ns_terms_emit *emit, void *context)
{
    const ns_terms_writer w = {emit, context};
    char text[600];
    ns_terms_put(&w, "\\documentclass[a4paper,10pt]{article}");
    ns_terms_put(&w, "\\usepackage[utf8]{inputenc}");
    ns_terms_put(&w, "\\usepackage{amsmath,longtable}");
    ns_terms_put(&w, "\\allowdisplaybreaks \\raggedright \\setlength{\\parindent}{0pt} \\setlength{\\textwidth}{165mm} "
                     "\\setlength{\\oddsidemargin}{0mm}");
    ns_terms_put(&w, "\\begin{document}");
    ns_terms_put(&w, "\\textbf{%s}", escape(title, text, sizeof text));
    for (size_t from = 0, to; from < terms->terms; from = to) {
        for (to = from + 1; to < terms->terms && ns_explanation_term(terms, to)->depth > 0; to++)
            ;
        put_tree(&w, terms, from, to);
    }
    ns_terms_put(&w, "\\end{document}");
}
