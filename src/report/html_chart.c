/* html_chart.c -- a chart as a picture in the page: for readers without scripts, and for print
 *
 * Colours are classes of page.css, so that light, dark and paper each have their own; lines also differ by dash, points
 * by shape.
 */
#include "report/html.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 360, LEFT = 76, RIGHT = 14, TOP = 14, BOTTOM = 50 };

typedef struct frame {
    FILE *out;
    const ns_html_figure *figure;
    ns_html_axis x, y;
} frame;

static double place(const ns_html_axis *axis, bool logarithmic, double value, double from, double to)
{
    const double share =
        logarithmic ? log(value / axis->lo) / log(axis->hi / axis->lo) : (value - axis->lo) / (axis->hi - axis->lo);
    return from + share * (to - from);
}

static double place_x(const frame *f, double x)
{
    return place(&f->x, f->figure->chart.log_x, x, LEFT, WIDTH - RIGHT);
}

static double place_y(const frame *f, double y)
{
    return place(&f->y, f->figure->chart.log_y, y, HEIGHT - BOTTOM, TOP);
}

const char *ns_html_shape(int colour)
{
    static const char *const shapes[] = {
        "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
        "M-3.6,-3.6h7.2v7.2h-7.2z",
        "M0,-4.8L4.6,3.4H-4.6z",
        "M0,-5L5,0L0,5L-5,0z",
        "M0,4.8L4.6,-3.4H-4.6z",
        "M-5,-1.4h3.6v-3.6h2.8v3.6h3.6v2.8h-3.6v3.6h-2.8v-3.6h-3.6z",
    };
    return shapes[colour % (int)(sizeof shapes / sizeof *shapes)];
}

const char *ns_html_y_text(const ns_html_figure *figure, double y, int digits, char *buffer, size_t size)
{
    ns_quantity_format(y, figure->dim, digits, buffer, size);
    char *end = buffer + strlen(buffer);
    if (end - buffer > 3 && strcmp(end - 3, " us") == 0 && (size_t)(end - buffer) + 1 < size)
        strcpy(end - 2, "\xc2\xb5s");
    return buffer;
}

const char *ns_html_x_text(const ns_chart *chart, double x, char *buffer, size_t size)
{
    ns_ticks one;
    if (chart->tick != NULL)
        return chart->tick[(size_t)x - 1];
    if (chart->x_unit == NULL)
        return ns_double_format(x, buffer, size);
    ns_ticks_make(x, x, false, chart->x_unit, 1, &one);
    snprintf(buffer, size, "%s", one.text[0]);
    return buffer;
}

static void put_axes(const frame *f)
{
    char text[80];
    const ns_chart *chart = &f->figure->chart;
    for (size_t i = 0; i < f->y.ticks; i++) {
        const double y = place_y(f, f->y.tick[i]);
        ns_html_put(f->out, "<path class=\"grid\" d=\"M%d,%fH%d\"/>", LEFT, y, WIDTH - RIGHT);
        ns_html_put(f->out, "<text x=\"%d\" y=\"%f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4,
                    ns_html_y_text(f->figure, f->y.tick[i], 3, text, sizeof text));
    }
    for (size_t i = 0; i < f->x.ticks; i++) {
        const double x = place_x(f, f->x.tick[i]);
        ns_html_put(f->out, "<path class=\"grid\" d=\"M%f,%dV%d\"/>", x, TOP, HEIGHT - BOTTOM);
        ns_html_put(f->out, "<text x=\"%f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, HEIGHT - BOTTOM + 18,
                    ns_html_x_text(chart, f->x.tick[i], text, sizeof text));
    }
    ns_html_put(f->out, "<path class=\"axis\" d=\"M%d,%dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    ns_html_put(f->out, "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, chart->x_label);
    ns_html_put(f->out,
                "<text class=\"name\" transform=\"translate(14,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                (TOP + HEIGHT - BOTTOM) / 2, chart->y_label);
}

/* A ring around the smallest value at each x. */
static void put_rings(const frame *f)
{
    const ns_chart *chart = &f->figure->chart;
    for (size_t i = 0; i < chart->of[0].points; i++) {
        double least = INFINITY;
        for (size_t s = 0; s < chart->series; s++)
            if (ns_html_point(chart, &chart->of[s], i))
                least = fmin(least, chart->of[s].y[i]);
        if (isfinite(least))
            ns_html_put(f->out, "<circle class=\"ring\" cx=\"%f\" cy=\"%f\" r=\"9\"/>\n", place_x(f, chart->of[0].x[i]),
                        place_y(f, least));
    }
}

void ns_html_chart(FILE *out, const ns_html_figure *figure)
{
    frame f = {.out = out, .figure = figure};
    if (!ns_html_axis_fit(&figure->chart, false, &f.x) || !ns_html_axis_fit(&figure->chart, true, &f.y))
        return;
    ns_html_put(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t%d d%d\">\n", WIDTH,
                HEIGHT, figure->number, figure->number);
    ns_html_put(out, "<title id=\"t%d\">%s</title>\n", figure->number, figure->chart.title);
    ns_html_put(out, "<desc id=\"d%d\">%s against %s, %d lines. All values stand in %s.</desc>\n", figure->number,
                figure->chart.y_label, figure->chart.x_label, (int)figure->chart.series, figure->values);
    put_axes(&f);
    for (size_t s = 0; s < figure->chart.series; s++) {
        ns_html_put(out, "<g class=\"c%d\">\n", figure->chart.of[s].colour);
        const ns_series *of = &figure->chart.of[s];
        bool open = false, some = false;
        for (size_t i = 0; i < of->points; i++) {
            const bool drawn = ns_html_point(&f.figure->chart, of, i);
            if (drawn && !some)
                ns_html_put(f.out, of->dashed ? "<path class=\"line dashed\" d=\"" : "<path class=\"line\" d=\"");
            if (drawn)
                ns_html_put(f.out, open ? "L%f,%f" : "M%f,%f", place_x(&f, of->x[i]), place_y(&f, of->y[i]));
            some = some || drawn;
            open = drawn;
        }
        fputs(some ? "\"/>\n" : "", f.out);
        for (size_t i = 0; i < of->points; i++)
            if (ns_html_point(&f.figure->chart, of, i))
                ns_html_put(f.out, "<path class=\"%s\" transform=\"translate(%f,%f)\" d=\"%s\"/>\n",
                            of->dashed ? "point open" : "point", place_x(&f, of->x[i]), place_y(&f, of->y[i]),
                            ns_html_shape(of->colour));
        fputs("</g>\n", out);
    }
    if (figure->best != NULL)
        put_rings(&f);
    fputs("</svg>\n", out);
}
