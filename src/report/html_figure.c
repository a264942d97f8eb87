/* html_figure.c -- a figure: the picture, its legend, and what the script makes it live with */
#include "core/memory.h"
#include "report/html.h"

#include <math.h>

static void put_switch(FILE *out, int number, const char *axis, const char *name, bool logarithmic)
{
    static const char *const kinds[] = {"log", "linear"};
    ns_html_put(out, "<fieldset><legend>%s</legend>", name);
    for (int i = 0; i < 2; i++) {
        ns_html_put(out, "<label><input type=\"radio\" name=\"%s%d\" data-axis=\"%s\" value=\"%s\"", axis, number, axis,
                    kinds[i]);
        ns_html_put(out, "%s>%s</label>", (i == 0) == logarithmic ? " checked" : "", kinds[i]);
    }
    fputs("</fieldset>\n", out);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static void add_number(ns_value *list, double value)
{
    if (isfinite(value))
        ns_value_count(list, NULL, value);
    else
        ns_value_null(list, NULL);
}

/* "7.27 .. 71.1 us" */
static void add_interval(const ns_html_figure *figure, size_t at, ns_value *list)
{
    char lo[80], hi[80];
    if (figure->lo[at] < figure->hi[at])
        ns_value_textf(list, NULL, "%s .. %s", ns_html_y_text(figure, figure->lo[at], 3, lo, sizeof lo),
                       ns_html_y_text(figure, figure->hi[at], 3, hi, sizeof hi));
    else
        ns_value_text(list, NULL, "");
}

static void add_series(const ns_html_figure *figure, size_t number, ns_value *list)
{
    char text[80];
    const ns_series *of = &figure->chart.of[number];
    ns_value *object = ns_value_object(list, NULL);
    ns_value_text(object, "label", of->label);
    ns_value_bool(object, "dashed", of->dashed);
    ns_value *y = ns_value_list(object, "y"), *texts = ns_value_list(object, "text");
    for (size_t i = 0; i < of->points; i++) {
        add_number(y, of->y[i]);
        ns_value_text(texts, NULL,
                      isfinite(of->y[i]) ? ns_html_y_text(figure, of->y[i], 4, text, sizeof text) : "\xe2\x80\x93");
    }
    ns_value *intervals = figure->lo != NULL ? ns_value_list(object, "interval") : NULL;
    for (size_t i = 0; figure->lo != NULL && i < of->points; i++)
        add_interval(figure, number * of->points + i, intervals);
}

static void add_axis(const ns_html_figure *figure, bool of_y, ns_value *data)
{
    ns_html_axis axis;
    char text[80];
    const ns_chart *chart = &figure->chart;
    if (!ns_html_axis_fit(chart, of_y, &axis))
        return;
    ns_value *object = ns_value_object(data, of_y ? "y" : "x");
    ns_value_text(object, "label", of_y ? chart->y_label : chart->x_label);
    ns_value_bool(object, "log", of_y ? chart->log_y : chart->log_x);
    ns_value_count(object, "lo", axis.lo);
    ns_value_count(object, "hi", axis.hi);
    ns_value *ticks = ns_value_list(object, "ticks"), *texts = ns_value_list(object, "text");
    for (size_t i = 0; i < axis.ticks; i++) {
        add_number(ticks, axis.tick[i]);
        ns_value_text(texts, NULL,
                      of_y ? ns_html_y_text(figure, axis.tick[i], 3, text, sizeof text)
                           : ns_html_x_text(chart, axis.tick[i], text, sizeof text));
    }
}

static ns_value *figure_data(const ns_html_figure *figure)
{
    const ns_chart *chart = &figure->chart;
    char text[40];
    ns_value *data = ns_value_new(), *points = ns_value_list(data, "points"), *names = ns_value_list(data, "names");
    add_axis(figure, false, data);
    add_axis(figure, true, data);
    for (size_t i = 0; i < chart->of[0].points; i++) {
        add_number(points, chart->of[0].x[i]);
        ns_value_textf(names, NULL, "%s%s%s", ns_html_x_text(chart, chart->of[0].x[i], text, sizeof text),
                       *figure->x_name != '\0' ? " " : "", figure->x_name);
    }
    ns_value_text(data, "unit", figure->dim.second == 1 ? "s" : "");
    ns_value_bool(data, "rings", figure->best != NULL);
    ns_value *series = ns_value_list(data, "series");
    for (size_t s = 0; s < chart->series; s++)
        add_series(figure, s, series);
    return data;
}

ns_status ns_html_figure_write(FILE *out, const ns_html_figure *figure, ns_error *err)
{
    ns_html_axis axis;
    if (!ns_html_axis_fit(&figure->chart, true, &axis)) {
        ns_html_put(out, "<p>%s: there is nothing to draw; no value lies above zero.</p>\n", figure->chart.title);
        return NS_OK;
    }
    ns_html_put(out, "<figure id=\"figure%d\">\n<figcaption>%s</figcaption>\n", figure->number, figure->chart.title);
    fputs("<div class=\"switches\" hidden>\n", out);
    put_switch(out, figure->number, "y", figure->dim.second == 1 ? "time axis" : "vertical axis", figure->chart.log_y);
    if (figure->chart.tick == NULL)
        put_switch(out, figure->number, "x", "horizontal axis", figure->chart.log_x);
    fputs("<button type=\"button\" data-show=\"all\">show all</button> "
          "<button type=\"button\" data-show=\"none\">hide all</button>\n</div>\n",
          out);
    ns_html_put(out, "<div class=\"scroll picture\" tabindex=\"0\" role=\"region\" aria-label=\"Picture: %s\">\n",
                figure->chart.title);
    ns_html_chart(out, figure);
    ns_html_put(out,
                "</div>\n<div class=\"live\" tabindex=\"0\" role=\"group\" hidden aria-label=\"Chart: %s. The arrow "
                "keys read it "
                "point by point; all values stand in %s.\"></div>\n",
                figure->chart.title, figure->values);
    fputs("<p class=\"hint\" hidden>Point at the chart, or focus it and press the arrow keys, to read values.</p>\n"
          "<p class=\"readout\" aria-live=\"polite\"></p>\n",
          out);
    fputs("<ul class=\"legend\">\n", out);
    for (size_t s = 0; s < figure->chart.series; s++) {
        const ns_series *of = &figure->chart.of[s];
        ns_html_put(out, "<li><label class=\"c%d\"><input type=\"checkbox\" checked hidden>", of->colour);
        ns_html_put(out, "<svg viewBox=\"-16 -7 32 14\" aria-hidden=\"true\"><path class=\"line%s\" d=\"M-16,0H16\"/>",
                    of->dashed ? " dashed" : "");
        ns_html_put(out, "<path class=\"point%s\" d=\"%s\"/></svg> <span>%s</span></label></li>\n",
                    of->dashed ? " open" : "", ns_html_shape(of->colour), of->label);
    }
    if (figure->best != NULL)
        ns_html_put(
            out,
            "<li><svg viewBox=\"-16 -10 32 20\" aria-hidden=\"true\"><circle class=\"ring\" r=\"8\"/></svg> %s</li>\n",
            figure->best);
    fputs("</ul>\n", out);
    ns_value *data = figure_data(figure);
    ns_status status = ns_value_complete(data) ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        fputs("<script type=\"application/json\" class=\"data\">", out);
        status = ns_html_data(out, data, err);
        fputs("</script>\n", out);
    }
    ns_value_free(data);
    fputs("</figure>\n", out);
    return status;
}
