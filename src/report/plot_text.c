/* plot_text.c -- charts as lines of text for a terminal
 *
 * Lines are drawn in dots, two by four to a character in braille (U+2800 + bits), where a letter on the line identifies
 * the series, so that no colour is needed; in ASCII in letters, where there are several series.  O is a minimum.
 */
#include "core/memory.h"
#include "core/own.h"
#include "report/plot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SERIES = 26, LETTER_EVERY = 9, LEGEND_MOST = 120 };

typedef struct canvas {
    int width, height;             /* characters */
    int across, up;                /* dots of a character */
    unsigned char *dots;           /* [height * width] braille bits, or the ASCII character */
    char ink;                      /* of the current series, in ASCII */
    int series, turn;              /* number of series on the canvas, index of the current one */
    char *mark;                    /* [height * width] a letter, or 0 */
    double x_lo, x_hi, y_lo, y_hi; /* after taking the logarithm */
    bool log_x, log_y;
} canvas;

static double place(double value, bool in_ratios, double lo, double hi)
{
    const double v = in_ratios ? log(value) : value;
    return hi != lo ? (v - lo) / (hi - lo) : 0.5;
}

/* Position in dots from the left and from the top; false outside the axes. */
static bool locate(const canvas *c, double x, double y, double *column, double *row)
{
    if (!isfinite(x) || !isfinite(y) || (c->log_x && !(x > 0)) || (c->log_y && !(y > 0)))
        return false;
    *column = place(x, c->log_x, c->x_lo, c->x_hi) * (c->width * c->across - 1);
    *row = (1 - place(y, c->log_y, c->y_lo, c->y_hi)) * (c->height * c->up - 1);
    return true;
}

static void set_dot(canvas *c, double column, double row)
{
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const int x = (int)lround(column), y = (int)lround(row);
    if (x < 0 || y < 0 || x >= c->width * c->across || y >= c->height * c->up)
        return;
    unsigned char *cell = &c->dots[y / c->up * c->width + x / c->across];
    if (c->up == 4)
        *cell |= bit[y % 4][x % 2];
    else if (*cell == 0 || x % c->series == c->turn) /* curves that coincide alternate */
        *cell = (unsigned char)c->ink;
}

static void set_mark(canvas *c, double column, double row, char letter, bool over)
{
    const int x = (int)lround(column) / c->across, y = (int)lround(row) / c->up;
    if (x < 0 || y < 0 || x >= c->width || y >= c->height)
        return;
    char *mark = &c->mark[y * c->width + x];
    if (over || *mark == 0)
        *mark = letter;
}

/* Letters are a few columns apart, shifted from series to series, so that close lines can be distinguished. */
static void draw_series(canvas *c, const ns_series *of, size_t index)
{
    double last[2], now[2], next_letter = (double)(2 * (index % 5) * (size_t)c->across);
    const bool named = *of->label != '\0';
    bool drawn = false, lettered = false;
    c->turn = (int)index;
    c->ink = (char)(named && c->up == 1 && c->series > 2 ? 'a' + index % SERIES : '.');
    for (size_t i = 0; i < of->points; i++) {
        if (!locate(c, of->x[i], of->y[i], &now[0], &now[1])) {
            drawn = false;
            continue;
        }
        const bool line = drawn && !of->dots && !of->rings;
        const int steps = line ? 1 + (int)ceil(fmax(fabs(now[0] - last[0]), fabs(now[1] - last[1]))) : 0;
        for (int k = 0; k <= steps && line; k++) {
            const double t = (double)k / steps;
            set_dot(c, last[0] + t * (now[0] - last[0]), last[1] + t * (now[1] - last[1]));
        }
        if (!line)
            set_dot(c, now[0], now[1]);
        if (of->rings)
            set_mark(c, now[0], now[1], 'O', true);
        else if (of->dots ||
                 (named && c->ink == '.' && (now[0] >= next_letter || (i + 1 == of->points && !lettered)))) {
            set_mark(c, now[0], now[1], (char)('a' + index % SERIES), false);
            next_letter = now[0] + LETTER_EVERY * c->across;
            lettered = true;
        }
        last[0] = now[0], last[1] = now[1];
        drawn = true;
    }
}

static void draw_bars(canvas *c, const ns_chart *chart)
{
    for (size_t s = 0; s < chart->series; s++) {
        const ns_series *of = &chart->of[s];
        double low[2], high[2], centre[2];
        if (of->points != 2 || !locate(c, of->x[0], of->y[0], &low[0], &low[1]) ||
            !locate(c, of->x[1], of->y[1], &high[0], &high[1]) ||
            !locate(c, chart->centre, of->y[0], &centre[0], &centre[1]))
            continue;
        const double left = fmin(low[0], fmin(high[0], centre[0])), right = fmax(low[0], fmax(high[0], centre[0]));
        for (double x = left; x <= right; x += c->across)
            set_mark(c, x, low[1], '=', true);
        set_mark(c, low[0], low[1], '-', true);
        set_mark(c, high[0], high[1], '+', true);
        set_mark(c, centre[0], centre[1], '|', true);
    }
}

/* ---- lines of text ---------------------------------------------------------------------------------------------- */

typedef struct page {
    ns_plot_emit *emit;
    void *context;
    char *line;
    size_t size;
} page;

static void trim_and_emit(const page *p)
{
    size_t length = strlen(p->line);
    while (length > 0 && p->line[length - 1] == ' ')
        p->line[--length] = '\0';
    p->emit(p->context, p->line);
}

static void put_legend(const ns_chart *chart, int width, const page *p)
{
    size_t used = 0;
    p->line[0] = '\0';
    for (size_t s = 0; s < chart->series && !chart->bars; s++) {
        char entry[LEGEND_MOST + 8];
        if (*chart->of[s].label == '\0')
            continue; /* a series without a label has no legend entry */
        snprintf(entry, sizeof entry, "%c %.*s", chart->of[s].rings ? 'O' : (char)('a' + s % SERIES), (int)LEGEND_MOST,
                 chart->of[s].label);
        if (used > 0 && used + strlen(entry) + 3 > (size_t)width) {
            trim_and_emit(p);
            used = 0;
        }
        used += (size_t)snprintf(p->line + used, p->size - used, "%s%s", used > 0 ? "   " : "", entry);
    }
    if (chart->bars)
        used = (size_t)snprintf(p->line, p->size, "- a lower parameter   + a higher one   | as it is");
    if (used > 0)
        trim_and_emit(p);
}

/* ---- the chart --------------------------------------------------------------------------------------------------- */

ns_status ns_plot_text(const ns_chart *chart, int width, int height, bool braille, ns_plot_emit *emit, void *context,
                       ns_error *err)
{
    canvas c = {.across = braille ? 2 : 1,
                .up = braille ? 4 : 1,
                .series = (int)chart->series,
                .log_x = chart->log_x,
                .log_y = chart->log_y,
                .height = chart->bars ? (int)chart->series : height};
    ns_ticks x = {0}, y = {0};
    if (!ns_chart_range(chart, false, chart->log_x, &c.x_lo, &c.x_hi) ||
        !ns_chart_range(chart, true, chart->log_y, &c.y_lo, &c.y_hi))
        return ns_fail(err, NS_ERR_DATA, "nothing to draw: no value is finite%s",
                       chart->log_x || chart->log_y ? " and positive" : "");
    if (chart->tick != NULL && !chart->bars)
        for (; x.count < chart->ticks && x.count < NS_TICKS; x.count++) {
            x.at[x.count] = (double)x.count + 1;
            snprintf(x.text[x.count], NS_TICK_TEXT, "%.20s", chart->tick[x.count]);
        }
    else if (!ns_ticks_every_x(chart, &x))
        ns_ticks_make(c.x_lo, c.x_hi, chart->log_x, chart->x_unit, (size_t)(width / 12 + 2), &x);
    if (!chart->bars)
        ns_ticks_make(c.y_lo, c.y_hi, chart->log_y, chart->y_unit, (size_t)(c.height / 3 + 1), &y);
    for (; chart->bars && y.count < chart->series && y.count < NS_TICKS; y.count++)
        y.at[y.count] = (double)y.count + 1;
    int margin = 1; /* wide labels reduce the space for the data */
    for (size_t i = 0; i < y.count; i++)
        margin = (int)strlen(y.text[i]) > margin ? (int)strlen(y.text[i]) : margin;
    assert(!chart->bars || chart->tick != NULL);
    for (size_t i = 0; chart->bars && i < chart->ticks; i++)
        margin = (int)strlen(chart->tick[i]) > margin ? (int)strlen(chart->tick[i]) : margin;
    margin = margin > width / 2 ? width / 2 : margin;
    c.width = width - margin - 2 > 10 ? width - margin - 2 : 10;
    /* limits become logarithms once the ticks are known; bars are numbered from the top */
    if (c.log_x)
        c.x_lo = log(c.x_lo), c.x_hi = log(c.x_hi);
    if (c.log_y)
        c.y_lo = log(c.y_lo), c.y_hi = log(c.y_hi);
    if (chart->bars)
        c.y_lo = (double)chart->series, c.y_hi = 1;
    page p = {.emit = emit, .context = context, .size = 4 * (size_t)(width + 200)};
    NS_OWN(ns_free) unsigned char *dots = ns_calloc((size_t)c.width, (size_t)c.height);
    NS_OWN(ns_free) char *mark = ns_calloc((size_t)c.width, (size_t)c.height);
    NS_OWN(ns_free) char *line = ns_malloc(p.size);
    if (dots == NULL || mark == NULL || line == NULL)
        return ns_no_memory(err);
    c.dots = dots;
    c.mark = mark;
    p.line = line;
    if (chart->bars)
        draw_bars(&c, chart);
    for (size_t s = 0; s < chart->series && !chart->bars; s++)
        draw_series(&c, &chart->of[s], s);
    snprintf(p.line, p.size, "%.*s", width, chart->title);
    trim_and_emit(&p);
    snprintf(p.line, p.size, "%.*s", width, chart->y_label);
    trim_and_emit(&p);
    const char *bar = c.up == 4 ? "\u2502" : "|";
    for (int row = 0; row < c.height; row++) {
        const char *label = NULL;
        for (size_t i = 0; i < y.count && label == NULL; i++) {
            double column, at;
            if (locate(&c, c.log_x ? exp(c.x_lo) : c.x_lo, y.at[i], &column, &at) && (int)lround(at) / c.up == row)
                label = chart->bars ? chart->tick[(int)lround(y.at[i]) - 1] : y.text[i];
        }
        size_t used = (size_t)snprintf(p.line, p.size, "%*.*s %s", margin, margin, label != NULL ? label : "", bar);
        for (int at = row * c.width; at < (row + 1) * c.width; at++) {
            const unsigned bits = c.dots[at];
            if (c.mark[at] == 0 && bits != 0 && c.up == 4) { /* U+2800 + bits */
                p.line[used++] = (char)0xE2;
                p.line[used++] = (char)(0xA0 | bits >> 6);
                p.line[used++] = (char)(0x80 | (bits & 0x3F));
            } else
                p.line[used++] = c.mark[at] != 0 ? c.mark[at] : bits != 0 ? (char)bits : ' ';
        }
        p.line[used] = '\0';
        trim_and_emit(&p);
    }
    size_t used = (size_t)snprintf(p.line, p.size, "%*s %s", margin, "", c.up == 4 ? "\u2514" : "+");
    for (int i = 0; i < c.width; i++)
        used += (size_t)snprintf(p.line + used, p.size - used, "%s", c.up == 4 ? "\u2500" : "-");
    trim_and_emit(&p);
    memset(p.line, ' ', (size_t)(margin + 2 + c.width));
    p.line[margin + 2 + c.width] = '\0';
    int free_from = 0;
    for (size_t i = 0; i < x.count; i++) {
        double column, row;
        const int length = (int)strlen(x.text[i]);
        if (!locate(&c, x.at[i], c.log_y ? exp(c.y_lo) : c.y_lo, &column, &row))
            continue;
        int at = margin + 2 + (int)lround(column) / c.across - length / 2;
        at = at + length > margin + 2 + c.width ? margin + 2 + c.width - length : at;
        if (at < free_from)
            continue;
        memcpy(p.line + at, x.text[i], (size_t)length);
        free_from = at + length + 1;
    }
    trim_and_emit(&p);
    snprintf(p.line, p.size, "%*s%s", margin + 2, "", chart->x_label);
    trim_and_emit(&p);
    put_legend(chart, width, &p);
    return NS_OK;
}
