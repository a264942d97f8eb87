/* html_table.c -- tables that a screen reader can walk: captions, headings with their scope, groups of rows */
#include "report/html.h"

#include <math.h>
#include <string.h>

static size_t count_columns(const ns_html_look *look)
{
    size_t count = look->shares != NULL;
    for (const ns_html_column *c = look->columns; c->path != NULL; c++)
        count++;
    return count;
}

void ns_html_table_begin(FILE *out, const ns_html_look *look)
{
    ns_html_put(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table>\n",
                look->caption);
    ns_html_put(out, "<caption>%s</caption>\n<thead><tr>", look->caption);
    for (const ns_html_column *c = look->columns; c->path != NULL; c++)
        ns_html_put(out, c->number ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>", c->heading);
    fputs(look->shares != NULL ? "<th scope=\"col\">shares</th>" : "", out);
    fputs("</tr></thead>\n", out);
}

static double time_of(const ns_value *value)
{
    return value != NULL && value->kind == NS_NUMBER && value->number > 0 ? value->number : 0;
}

static double longest(const ns_value *rows, const char *shares)
{
    double most = 0;
    for (const ns_value *row = rows->first; row != NULL; row = row->next) {
        double sum = 0;
        const ns_value *terms = ns_value_at(row, shares);
        for (const ns_value *term = terms != NULL ? terms->first : NULL; term != NULL; term = term->next)
            sum += time_of(term);
        most = fmax(most, sum);
    }
    return most;
}

/* One hundred units are the longest row of the group.  The numbers stand in the columns, so that readers of screens
 * skip it. */
static void put_shares(FILE *out, const ns_value *terms, double most)
{
    double at = 0;
    int part = 0;
    fputs("<td><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", out);
    for (const ns_value *term = terms != NULL ? terms->first : NULL; term != NULL && most > 0;
         term = term->next, part++) {
        const double width = 100 * time_of(term) / most;
        ns_html_put(out, "<rect class=\"share%d\" x=\"%f\" y=\"0\" width=\"%f\" height=\"10\"/>", part % NS_HTML_SHARES,
                    at, width);
        at += width;
    }
    fputs("</svg></td>", out);
}

static void put_row(FILE *out, const ns_html_look *look, const ns_value *row, double most)
{
    const bool marked = (row->flags & NS_V_MARK) != 0;
    fputs(marked ? "<tr class=\"best\">" : "<tr>", out);
    for (const ns_html_column *c = look->columns; c->path != NULL; c++) {
        const bool heads = c == look->columns;
        fputs(heads ? "<th scope=\"row\"" : "<td", out);
        fputs(c->number ? " class=\"n\">" : ">", out);
        ns_html_value(out, ns_value_at(row, c->path));
        if (heads && marked && look->badge != NULL)
            ns_html_put(out, " <span class=\"badge\">%s</span>", look->badge);
        fputs(heads ? "</th>" : "</td>", out);
    }
    if (look->shares != NULL)
        put_shares(out, ns_value_at(row, look->shares), most);
    fputs("</tr>\n", out);
}

void ns_html_table_rows(FILE *out, const ns_html_look *look, const char *heading, const ns_value *rows)
{
    const double most = look->shares != NULL ? longest(rows, look->shares) : 0;
    fputs("<tbody>\n", out);
    if (heading != NULL)
        ns_html_put(out, "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"%d\">%s</th></tr>\n",
                    (int)count_columns(look), heading);
    for (const ns_value *row = rows->first; row != NULL; row = row->next)
        put_row(out, look, row, most);
    fputs("</tbody>\n", out);
}

void ns_html_table_end(FILE *out)
{
    fputs("</table>\n</div>\n", out);
}
