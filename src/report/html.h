/* html.h -- the pieces of a page: escaped text, tables, charts, the files that every page holds */
#ifndef NS_REPORT_HTML_H
#define NS_REPORT_HTML_H

#include <stdio.h>

#include "core/value.h"
#include "report/plot.h"

/* Markup as it stands, with %s an escaped text, %d an int, %f a coordinate with at most one decimal. */
void ns_html_put(FILE *out, const char *format, ...) NS_PRINTF(2, 3);

/* A tree as the content of a script element that holds data. */
ns_status ns_html_data(FILE *out, const ns_value *root, ns_error *err);

/* A value for people: as in tables of text, "us" written with its Greek letter. */
void ns_html_value(FILE *out, const ns_value *value);

/* The file of that name in every page: "page.js". */
const char *ns_page_file(const char *name);

/* ---- tables --------------------------------------------------------------------------------------- */

typedef struct ns_html_column {
    const char *path; /* keys from a row down: "terms.copy_s"; the first column heads its rows */
    const char *heading;
    bool number; /* set to the right */
} ns_html_column;

typedef struct ns_html_look {
    const ns_html_column *columns; /* closed by a NULL path */
    const char *caption;
    const char *shares; /* an object of times, drawn as a bar at the end of each row, or NULL */
    const char *badge;  /* for marked rows, or NULL */
} ns_html_look;

/* Colours of shares in page.css: the bars' and the key's. */
enum { NS_HTML_SHARES = 8 };

/* ---- charts (html_figure.c) ------------------------------------------------------------------------------------- */

typedef struct ns_html_figure {
    ns_chart chart;
    ns_dim dim;            /* of y */
    const char *x_name;    /* "GPUs": what the x of a point counts, or "" when ticks have names */
    const double *lo, *hi; /* [series x points], intervals of the values; or NULL */
    const char *best;      /* what the smallest value is called, ringed; or NULL */
    const char *values;    /* where all values stand: "the table below" */
    int number;            /* on this page, from 0 */
} ns_html_figure;

enum { NS_HTML_TICKS = 32 };
typedef struct ns_html_axis {
    double lo, hi;
    size_t ticks;
    double tick[NS_HTML_TICKS];
} ns_html_axis;

/* Picture, legend, switches, data: all that the script needs. */
ns_status ns_html_figure_write(FILE *out, const ns_html_figure *figure, ns_error *err);

#endif
