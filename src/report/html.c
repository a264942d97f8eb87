/* html.c -- the parts of a page: escaped text, data, embedded files; figures with their legend, and the data for the
 * script */
#include "report/html.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/embedded.h"
#include "core/memory.h"
#include "core/own.h"
#include "core/utf8.h"
#include "report/cell.h"
#include "report/columns.h"

NS_FREED_BY(ns_value_free, ns_value)

extern const ns_embedded ns_page_files[];

/* Text for people between tags or in a quoted attribute.  Malformed UTF-8, control characters and those that change the
 * writing direction become U+FFFD, so that no name can hide the text around it. */
static void put_text(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    while (*text != '\0') {
        const size_t length = ns_utf8_length(text);
        const char *named = strchr(special, *text);
        if (named != NULL)
            fputs(entity[named - special], out);
        else if (*text == '\n' || *text == '\t')
            putc(' ', out);
        else if (length == 0 || ns_utf8_is_hidden(ns_utf8_code(text, length)))
            fputs("\xef\xbf\xbd", out);
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
}

void ns_html_put(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%')
            putc(*c, out);
        else if (*++c == 's')
            put_text(out, va_arg(arguments, const char *));
        else if (*c == 'd')
            fprintf(out, "%d", va_arg(arguments, int));
        else if (*c == 'f') {
            double value = va_arg(arguments, double);
            char buffer[40];
            fputs(ns_double_format(round(10 * value) / 10, buffer, sizeof buffer), out);
        } else
            putc(*c, out);
    }
    va_end(arguments);
}

void ns_html_value(FILE *out, const ns_value *value)
{
    char buffer[NS_CELL_SIZE];
    const char *text = value != NULL ? ns_cell_text(value, buffer, sizeof buffer) : "-";
    if (strcmp(text, "-") == 0) {
        fputs("\xe2\x80\x93", out);
        return;
    }
    const bool number = ns_cell_kind_of(value) >= NS_CELL_NUMBERS;
    if (!number)
        put_text(out, text);
    for (const char *c = text; *c != '\0' && number; c++)
        if (c > text && strncmp(c - 1, " us", 3) == 0 && (c[2] == '\0' || c[2] == ' '))
            fputs("\xc2\xb5", out);
        else
            putc(*c, out);
}

const char *ns_page_file(const char *name)
{
    for (const ns_embedded *file = ns_page_files; file->path != NULL; file++) {
        const char *slash = strrchr(file->path, '/');
        if (strcmp(slash != NULL ? slash + 1 : file->path, name) == 0)
            return (const char *)file->data;
    }
    return "";
}

/* ---- ranges and tick marks of a page's charts -------------------------------------------------------------------- */

enum { X_TICKS = 12, TICKS = 32 };
typedef struct page_axis {
    double lo, hi;
    size_t ticks;
    double tick[TICKS];
} page_axis;

static bool drawable(double value, bool logarithmic)
{
    return isfinite(value) && (!logarithmic || value > 0);
}

/* Does the series have a point that can be drawn? */
static bool is_point(const ns_chart *chart, const ns_series *of, size_t i)
{
    return drawable(of->x[i], chart->log_x) && drawable(of->y[i], chart->log_y);
}

static void add_tick(page_axis *axis, double at)
{
    if (at >= axis->lo && at <= axis->hi && axis->ticks < TICKS)
        axis->tick[axis->ticks++] = at;
}

/* The range of the values with its tick marks; false when there is nothing to draw.  A logarithmic axis leaves out
 * values that are not above zero. */
static bool fit_axis(const ns_chart *chart, bool of_y, page_axis *axis)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t s = 0; s < chart->series; s++)
        for (size_t i = 0; i < chart->of[s].points; i++)
            if (is_point(chart, &chart->of[s], i)) {
                const double value = of_y ? chart->of[s].y[i] : chart->of[s].x[i];
                lo = fmin(lo, value);
                hi = fmax(hi, value);
            }
    if (!(lo <= hi))
        return false;
    if (!of_y) {
        /* Every x that occurs: 8, 16, 32, ... rather than powers of ten; if there are many, only some. */
        const double pad = chart->tick != NULL || hi == lo ? 0.5 : 0.04 * (hi - lo);
        *axis =
            chart->log_x ? (page_axis){.lo = lo / 1.25, .hi = hi * 1.25} : (page_axis){.lo = lo - pad, .hi = hi + pad};
        const ns_series *of = &chart->of[0];
        const size_t stride = (of->points + X_TICKS - 1) / X_TICKS;
        for (size_t i = 0; i < of->points; i += stride)
            if (drawable(of->x[i], chart->log_x))
                add_tick(axis, of->x[i]);
    } else if (chart->log_y) {
        const double more = fmax(1.3, sqrt(7 * lo / hi)); /* at least a factor of seven, so that two ticks fit */
        *axis = (page_axis){.lo = lo / more, .hi = hi * more};
        /* 1, 2, 5 of each decade; only powers of ten where there are many */
        const double first = floor(log10(axis->lo)), last = ceil(log10(axis->hi));
        const double stride = fmax(1, ceil((last - first) / (TICKS / 2.0)));
        for (double decade = first; decade <= last; decade += stride) {
            add_tick(axis, pow(10, decade));
            if (last - first > 3)
                continue;
            add_tick(axis, 2 * pow(10, decade));
            add_tick(axis, 5 * pow(10, decade));
        }
    } else {
        *axis = (page_axis){.lo = fmin(0, lo), .hi = hi > 0 ? 1.08 * hi : 1};
        const double rough = (axis->hi - axis->lo) / 6, decade = pow(10, floor(log10(rough)));
        const double step = decade * (rough > 5 * decade ? 10 : rough > 2 * decade ? 5 : rough > decade ? 2 : 1);
        for (double n = ceil(axis->lo / step); n * step <= axis->hi; n++)
            add_tick(axis, n * step);
    }
    return true;
}

/* ---- a chart as a picture in the page: for readers without scripts, and for print
 *
 * Colours are classes of page.css, so that light, dark and paper each have their own; lines also differ by dash, points
 * by shape. */

enum { WIDTH = 720, HEIGHT = 360, LEFT = 76, RIGHT = 14, TOP = 14, BOTTOM = 50 };

typedef struct frame {
    const ns_html_figure *figure;
    page_axis x, y;
} frame;

static double place(const page_axis *axis, bool logarithmic, double value, double from, double to)
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

/* The outline of the points of a colour, around (0, 0). */
static const char *shape_of(int colour)
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

/* The text of a tick or value of y. */
static const char *y_text(const ns_html_figure *figure, double y, int digits, char *buffer, size_t size)
{
    ns_quantity_format(y, figure->dim, digits, buffer, size);
    char *end = buffer + strlen(buffer);
    if (end - buffer > 3 && strcmp(end - 3, " us") == 0 && (size_t)(end - buffer) + 1 < size)
        strcpy(end - 2, "\xc2\xb5s");
    return buffer;
}

/* The text of a tick or point of x: its name, its value with the axis unit, or the plain number. */
static const char *x_text(const ns_chart *chart, double x, char *buffer, size_t size)
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

/* The picture alone, for readers without scripts, and for print. */
static void put_picture(FILE *out, const frame *f)
{
    const ns_html_figure *figure = f->figure;
    const ns_chart *chart = &figure->chart;
    char text[80];
    ns_html_put(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t%d d%d\">\n", WIDTH,
                HEIGHT, figure->number, figure->number);
    ns_html_put(out, "<title id=\"t%d\">%s</title>\n", figure->number, chart->title);
    ns_html_put(out, "<desc id=\"d%d\">%s against %s, %d lines. All values stand in %s.</desc>\n", figure->number,
                chart->y_label, chart->x_label, (int)chart->series, figure->values);
    for (size_t i = 0; i < f->y.ticks; i++) {
        const double y = place_y(f, f->y.tick[i]);
        ns_html_put(out, "<path class=\"grid\" d=\"M%d,%fH%d\"/>", LEFT, y, WIDTH - RIGHT);
        ns_html_put(out, "<text x=\"%d\" y=\"%f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4,
                    y_text(figure, f->y.tick[i], 3, text, sizeof text));
    }
    for (size_t i = 0; i < f->x.ticks; i++) {
        const double x = place_x(f, f->x.tick[i]);
        ns_html_put(out, "<path class=\"grid\" d=\"M%f,%dV%d\"/>", x, TOP, HEIGHT - BOTTOM);
        ns_html_put(out, "<text x=\"%f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, HEIGHT - BOTTOM + 18,
                    x_text(chart, f->x.tick[i], text, sizeof text));
    }
    ns_html_put(out, "<path class=\"axis\" d=\"M%d,%dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    ns_html_put(out, "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, chart->x_label);
    ns_html_put(out,
                "<text class=\"name\" transform=\"translate(14,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                (TOP + HEIGHT - BOTTOM) / 2, chart->y_label);
    for (size_t s = 0; s < chart->series; s++) {
        const ns_series *of = &chart->of[s];
        ns_html_put(out, "<g class=\"c%d\">\n", of->colour);
        bool open = false, some = false;
        for (size_t i = 0; i < of->points; i++) {
            const bool drawn = is_point(chart, of, i);
            if (drawn && !some)
                ns_html_put(out, of->dashed ? "<path class=\"line dashed\" d=\"" : "<path class=\"line\" d=\"");
            if (drawn)
                ns_html_put(out, open ? "L%f,%f" : "M%f,%f", place_x(f, of->x[i]), place_y(f, of->y[i]));
            some = some || drawn;
            open = drawn;
        }
        fputs(some ? "\"/>\n" : "", out);
        for (size_t i = 0; i < of->points; i++)
            if (is_point(chart, of, i))
                ns_html_put(out, "<path class=\"%s\" transform=\"translate(%f,%f)\" d=\"%s\"/>\n",
                            of->dashed ? "point open" : "point", place_x(f, of->x[i]), place_y(f, of->y[i]),
                            shape_of(of->colour));
        fputs("</g>\n", out);
    }
    for (size_t i = 0; figure->best != NULL && i < chart->of[0].points; i++) {
        double least = INFINITY; /* ringed at each x */
        for (size_t s = 0; s < chart->series; s++)
            if (is_point(chart, &chart->of[s], i))
                least = fmin(least, chart->of[s].y[i]);
        if (isfinite(least))
            ns_html_put(out, "<circle class=\"ring\" cx=\"%f\" cy=\"%f\" r=\"9\"/>\n", place_x(f, chart->of[0].x[i]),
                        place_y(f, least));
    }
    fputs("</svg>\n", out);
}

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

static void add_series(const ns_html_figure *figure, size_t number, ns_value *list)
{
    char text[80];
    const ns_series *of = &figure->chart.of[number];
    ns_value *object = ns_value_object(list, NULL);
    ns_value_text(object, "label", of->label);
    ns_value_bool(object, "dashed", of->dashed);
    ns_value *y = ns_value_list(object, "y"), *texts = ns_value_list(object, "text");
    for (size_t i = 0; i < of->points; i++) {
        ns_put_count(y, NULL, NS_EVERYWHERE, of->y[i]);
        ns_value_text(texts, NULL,
                      isfinite(of->y[i]) ? y_text(figure, of->y[i], 3, text, sizeof text) : "\xe2\x80\x93");
    }
    ns_value *intervals = figure->lo != NULL ? ns_value_list(object, "interval") : NULL;
    for (size_t i = 0; figure->lo != NULL && i < of->points; i++) {
        /* "7.27 .. 71.1 us" */
        size_t at = number * of->points + i;
        char lo[80], hi[80];
        if (figure->lo[at] < figure->hi[at])
            ns_value_textf(intervals, NULL, "%s .. %s", y_text(figure, figure->lo[at], 3, lo, sizeof lo),
                           y_text(figure, figure->hi[at], 3, hi, sizeof hi));
        else
            ns_value_text(intervals, NULL, "");
    }
}

static void add_axis(const frame *f, bool of_y, ns_value *data)
{
    char text[80];
    const ns_chart *chart = &f->figure->chart;
    const page_axis *axis = of_y ? &f->y : &f->x;
    ns_value *object = ns_value_object(data, of_y ? "y" : "x");
    ns_value_text(object, "label", of_y ? chart->y_label : chart->x_label);
    ns_value_bool(object, "log", of_y ? chart->log_y : chart->log_x);
    ns_value_count(object, "lo", axis->lo);
    ns_value_count(object, "hi", axis->hi);
    ns_value *ticks = ns_value_list(object, "ticks"), *texts = ns_value_list(object, "text");
    for (size_t i = 0; i < axis->ticks; i++) {
        ns_put_count(ticks, NULL, NS_EVERYWHERE, axis->tick[i]);
        ns_value_text(texts, NULL,
                      of_y ? y_text(f->figure, axis->tick[i], 3, text, sizeof text)
                           : x_text(chart, axis->tick[i], text, sizeof text));
    }
}

ns_status ns_html_figure_write(FILE *out, const ns_html_figure *figure, ns_error *err)
{
    const ns_chart *chart = &figure->chart;
    frame f = {.figure = figure};
    if (!fit_axis(chart, false, &f.x) || !fit_axis(chart, true, &f.y)) {
        ns_html_put(out, "<p>%s: there is nothing to draw; no value lies above zero.</p>\n", chart->title);
        return NS_OK;
    }
    ns_html_put(out, "<figure id=\"figure%d\">\n<figcaption>%s</figcaption>\n", figure->number, chart->title);
    fputs("<div class=\"switches\" hidden>\n", out);
    put_switch(out, figure->number, "y", figure->dim.second == 1 ? "time axis" : "vertical axis", chart->log_y);
    if (chart->tick == NULL)
        put_switch(out, figure->number, "x", "horizontal axis", chart->log_x);
    fputs("<button type=\"button\" data-show=\"all\">show all</button> "
          "<button type=\"button\" data-show=\"none\">hide all</button>\n</div>\n",
          out);
    ns_html_put(out, "<div class=\"scroll picture\" tabindex=\"0\" role=\"region\" aria-label=\"Picture: %s\">\n",
                chart->title);
    put_picture(out, &f);
    ns_html_put(out,
                "</div>\n<div class=\"live\" tabindex=\"0\" role=\"group\" hidden aria-label=\"Chart: %s. The arrow "
                "keys read it "
                "point by point; all values stand in %s.\"></div>\n",
                chart->title, figure->values);
    fputs("<p class=\"hint\" hidden>Point at the chart, or focus it and press the arrow keys, to read values.</p>\n"
          "<p class=\"readout\" aria-live=\"polite\"></p>\n",
          out);
    fputs("<ul class=\"legend\">\n", out);
    for (size_t s = 0; s < chart->series; s++) {
        const ns_series *of = &chart->of[s];
        ns_html_put(out, "<li><label class=\"c%d\"><input type=\"checkbox\" checked hidden>", of->colour);
        ns_html_put(out, "<svg viewBox=\"-16 -7 32 14\" aria-hidden=\"true\"><path class=\"line%s\" d=\"M-16,0H16\"/>",
                    of->dashed ? " dashed" : "");
        ns_html_put(out, "<path class=\"point%s\" d=\"%s\"/></svg> <span>%s</span></label></li>\n",
                    of->dashed ? " open" : "", shape_of(of->colour), of->label);
    }
    if (figure->best != NULL)
        ns_html_put(
            out,
            "<li><svg viewBox=\"-16 -10 32 20\" aria-hidden=\"true\"><circle class=\"ring\" r=\"8\"/></svg> %s</li>\n",
            figure->best);
    fputs("</ul>\n", out);
    char text[40];
    NS_OWN(ns_value_free) ns_value *data = ns_value_new();
    ns_value *points = ns_value_list(data, "points"), *names = ns_value_list(data, "names");
    add_axis(&f, false, data);
    add_axis(&f, true, data);
    for (size_t i = 0; i < chart->of[0].points; i++) {
        ns_put_count(points, NULL, NS_EVERYWHERE, chart->of[0].x[i]);
        ns_value_textf(names, NULL, "%s%s%s", x_text(chart, chart->of[0].x[i], text, sizeof text),
                       *figure->x_name != '\0' ? " " : "", figure->x_name);
    }
    ns_value_text(data, "unit", figure->dim.second == 1 ? "s" : "");
    ns_value_bool(data, "rings", figure->best != NULL);
    ns_value *series = ns_value_list(data, "series");
    for (size_t s = 0; s < chart->series; s++)
        add_series(figure, s, series);
    if (!ns_value_complete(data))
        return ns_no_memory(err);
    NS_OWN(ns_free) char *json = NULL;
    size_t size;
    NS_TRY(ns_json_write(data, &json, &size, err));
    fputs("<script type=\"application/json\" class=\"data\">", out);
    for (const char *c = json; *c != '\0'; c++)
        if (*c == '<' || *c == '>' || *c == '&') /* "<" could end the element; in JSON it occurs only in strings */
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            putc(*c, out);
    fputs("</script>\n</figure>\n", out);
    return NS_OK;
}
