/* html.h -- the parts of a page: escaped text, charts, the files embedded in every page */
#ifndef NS_REPORT_HTML_H
#define NS_REPORT_HTML_H

#include <stdio.h>

#include "core/value.h"
#include "report/plot.h"

/* Write markup, with %s for an escaped text, %d for an int, %f for a coordinate with at most one decimal. */
void ns_html_put(FILE *out, const char *format, ...) NS_PRINTF(2, 3);

/* A value for people: as in tables of text, "us" written with its Greek letter. */
void ns_html_value(FILE *out, const ns_value *value);

/* The file of that name that is embedded in every page: "page.js". */
const char *ns_page_file(const char *name);

/* ---- charts ----------------------------------------------------------------------------------------------------- */

typedef struct ns_html_figure {
    ns_chart chart;
    ns_dim dim;            /* of y */
    const char *x_name;    /* "GPUs": the unit that x counts, or "" when ticks have names */
    const double *lo, *hi; /* [series x points], intervals of the values; or NULL */
    const char *best;      /* name of the smallest value, which is ringed; or NULL */
    const char *values;    /* where all values are listed: "the table below" */
    int number;            /* on this page, from 0 */
} ns_html_figure;

/* Write picture, legend, switches and data: everything that the script needs. */
ns_status ns_html_figure_write(FILE *out, const ns_html_figure *figure, ns_error *err);

#endif
