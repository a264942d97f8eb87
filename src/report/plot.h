/* plot.h -- charts: through gnuplot (.svg, .png and .pdf are rendered, .gp is the script itself), or as text in a
 * terminal */
#ifndef NS_REPORT_PLOT_H
#define NS_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <nsmodel/status.h>

/* A line through points; a value that is not finite leaves a gap. */
typedef struct ns_series {
    const char *label;
    int colour;  /* index into the palette: the same index, the same colour */
    bool dashed; /* dashed line, open points */
    bool rings;  /* circles around points, no line: for minima */
    bool dots;   /* points, no line: for measurements */
    bool bare;   /* line, no points: for fits */
    size_t points;
    const double *x, *y;
    const double *low, *high; /* of y: drawn as a band in pictures; or NULL */
} ns_series;

typedef struct ns_chart {
    const char *title, *x_label, *y_label; /* labels include their units */
    bool log_x, log_y;
    size_t series;
    const ns_series *of;
    const char *const *tick; /* labels of x = 1, 2, ...; NULL for plain numbers */
    size_t ticks;
    const struct ns_chart *below; /* a second panel with the same x, or NULL: residuals */
    const char *x_unit, *y_unit;  /* "B", "s": the unit of tick labels, with a prefix; NULL for plain numbers */
    bool bars;                    /* one horizontal bar per series, from x = x[0] to x[1] at y = y[0]: a tornado */
    double centre;                /* of the bars */
} ns_chart;

/* Tick marks at round values: 1, 2, 5 times powers of ten, or powers of two for sizes in ratios. */
enum { NS_TICKS = 24, NS_TICK_TEXT = 32 };
typedef struct ns_ticks {
    size_t count;
    double at[NS_TICKS];
    char text[NS_TICKS][NS_TICK_TEXT];
} ns_ticks;
/* At most `most` marks within [lo, hi]. */
void ns_ticks_make(double lo, double hi, bool in_ratios, const char *unit, size_t most, ns_ticks *ticks);

/* Every x of a short first series as a tick mark: 8, 16, 32, ... rather than powers of ten.  False where they do not
 * fit. */
bool ns_ticks_every_x(const ns_chart *chart, ns_ticks *ticks);

/* Smallest and largest finite value over all series, false when there is none; in_ratios considers positive ones
 * only. */
bool ns_chart_range(const ns_chart *chart, bool of_y, bool in_ratios, double *lo, double *hi);

/* Write the chart to path, in the format of its extension.  A failure leaves no file.  A missing gnuplot is NS_ERR_FILE
 * with the advice to use .gp. */
ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err);

/* Several charts in a grid, row by row; the legend of the first one applies to all. */
ns_status ns_plot_panels(const ns_chart *panel, size_t panels, size_t columns, const char *path, ns_error *err);

/* The gnuplot script for the same, which draws on standard output; ending is the picture's extension. */
void ns_plot_script(FILE *out, const ns_chart *panel, size_t panels, size_t columns, const char *ending);

/* A text as a gnuplot string, in which nothing is interpreted; control characters become blanks.  In a format each % is
 * doubled, since tick labels are formats. */
void ns_plot_quote(FILE *out, const char *text, bool is_format);

/* The chart as lines of text, each passed to emit: braille dots where allowed, else ASCII.  Letters identify the
 * series, O marks minima.  width and height are in characters, height without title, axis and legend. */
typedef void ns_plot_emit(void *context, const char *line);
ns_status ns_plot_text(const ns_chart *chart, int width, int height, bool braille, ns_plot_emit *emit, void *context,
                       ns_error *err);

#endif
