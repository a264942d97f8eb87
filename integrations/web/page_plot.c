/* page_plot.c -- --plot FILE.html: charts as figures of a page, interactive with page.js; gnuplot is not available
 * here */
#include "report/html.h"

#include "core/memory.h"
#include "io/whole_file.h"

#include <stdlib.h>
#include <string.h>

enum { COLOURS = 7, /* of page.css */ FIRST = 100 /* figures of a report in the same page come before */ };

static const char ending[] = ".html";

static ns_status write_figure(const ns_chart *chart, int number, FILE *out, ns_error *err)
{
    if (chart->bars)
        return ns_fail(err, NS_ERR_USAGE, "bars are drawn as text here: --plot without a file");
    ns_series *lines = ns_malloc(ns_size_mul(chart->series, sizeof *lines));
    bool rings = false;
    if (lines == NULL)
        return ns_no_memory(err);
    ns_html_figure figure = {.chart = *chart, .x_name = "", .number = number};
    figure.chart.series = 0;
    for (size_t i = 0; i < chart->series; i++) { /* lines only: page.js adds the circles around the smallest */
        rings = rings || chart->of[i].rings;
        if (chart->of[i].rings)
            continue;
        lines[figure.chart.series] = chart->of[i];
        lines[figure.chart.series++].colour = chart->of[i].colour % COLOURS;
    }
    figure.chart.of = lines;
    figure.dim = chart->y_unit != NULL && strcmp(chart->y_unit, "s") == 0 ? NS_SECOND : NS_DIMENSIONLESS;
    figure.best = rings ? "smallest" : NULL;
    figure.values = "the table below";
    const ns_status status = figure.chart.series > 0 ? ns_html_figure_write(out, &figure, err) : NS_OK;
    ns_free(lines);
    return status;
}

ns_status ns_plot_panels(const ns_chart *panel, size_t count, size_t columns, const char *path, ns_error *err)
{
    ns_whole_file whole;
    ns_status status = NS_OK;
    const size_t length = strlen(path), tail = sizeof ending - 1;
    (void)columns;
    if (length < tail || strcmp(path + length - tail, ending) != 0)
        return ns_fail_at(err, NS_ERR_NAME, path, 0, 0,
                          "a page draws as text, --plot without a file, or into FILE.html");
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    for (size_t i = 0; i < count && status == NS_OK; i++)
        status = write_figure(&panel[i], FIRST + (int)i, whole.file, err);
    return ns_whole_file_end(&whole, status, err);
}

ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err)
{
    return ns_plot_panels(chart, 1, 1, path, err);
}
