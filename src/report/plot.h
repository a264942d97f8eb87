/* plot.h -- line charts through gnuplot: .svg, .png and .pdf are rendered, .gp is the script itself */
#ifndef NS_REPORT_PLOT_H
#define NS_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/status.h>

/* A line through points; what is not finite leaves a gap. */
typedef struct ns_series {
    const char *label;
    int colour;         /* index into the palette: the same index, the same colour */
    bool dashed;        /* dashed line, open points */
    bool rings;         /* circles around points, no line: the minima */
    bool dots;          /* points, no line: what was measured */
    bool bare;          /* line, no points: what was fitted */
    size_t points;
    const double *x, *y;
} ns_series;

typedef struct ns_chart {
    const char *title, *x_label, *y_label; /* labels carry their units */
    bool log_x, log_y;
    size_t series;
    const ns_series *of;
    const char *const *tick; /* labels of x = 1, 2, ...; NULL for plain numbers */
    size_t ticks;
    const struct ns_chart *below; /* a second panel with the same x, or NULL: residuals */
} ns_chart;

/* Write the chart to path; the ending decides.  Rendered beside path and renamed, so that a failure leaves nothing behind.  A
 * missing gnuplot is NS_ERR_FILE with the advice to use .gp. */
ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err);

#endif
