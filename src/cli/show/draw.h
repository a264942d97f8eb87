/* draw.h -- --plot: a chart to a file, or as text above the table */
#ifndef NS_CLI_DRAW_H
#define NS_CLI_DRAW_H

#include "cli/front/command.h"
#include "report/plot.h"

/* Into the field `plot` of a request. */
#define NS_OPTION_PLOT_OF(request_)                                                                                    \
    {"plot", 0, "[FILE]", NULL, "draw it: FILE.svg, .png, .pdf (gnuplot) or .gp (its script); without FILE as text",   \
     NS_OPT(request_, plot)}

/* To path, as text where it is ""; does nothing where it is NULL.  Panels are filled row by row, `columns` in a row. */
ns_status ns_draw(const char *path, const ns_chart *panel, size_t panels, size_t columns, ns_value *result,
                  ns_error *err);

#endif
