/* plot_script.c -- charts as gnuplot scripts
 *
 * The palette is Okabe and Ito's, which colour-blind readers can distinguish; host and device also differ by dash,
 * points by shape.  The legend is outside the data area.
 */
#include "report/plot.h"

#include <nsmodel/quantity.h>

#include <math.h>
#include <string.h>

#include "core/utf8.h"

static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof palette / sizeof *palette };

/* In double quotes gnuplot executes `commands`, and in single ones a quote at the beginning ends the text: so only
 * characters without a special meaning in any version are written literally, and all others as \ooo.  "]]>" would end
 * more than the text in an SVG. */
void ns_plot_quote(FILE *out, const char *text, bool is_format)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.:;()/+-=*<>[]_%?";
    putc('"', out);
    for (const char *c = text; *c != '\0';) {
        const size_t length = ns_utf8_length(c);
        if (length > 0 && ns_utf8_is_hidden(ns_utf8_code(c, length)))
            putc(' ', out);
        else if (length == 0)
            fputs("\xef\xbf\xbd", out); /* U+FFFD for a malformed byte */
        else if (is_format && *c == '%')
            fputs("%%", out);
        else if (*c == '>' && c - text >= 2 && c[-1] == ']' && c[-2] == ']')
            fputs(" >", out);
        else if (length > 1 || strchr(harmless, *c) != NULL)
            fwrite(c, 1, length, out);
        else
            fprintf(out, "\\%03o", (unsigned)*c);
        c += length > 0 ? length : 1;
    }
    putc('"', out);
}

/* The names are not in gnuplot's enhanced-text markup either, which some terminals interpret by default. */
static void put_setting(FILE *out, const char *what, const char *text)
{
    fprintf(out, "set %s ", what);
    ns_plot_quote(out, text, false);
    fputs(" noenhanced\n", out);
}

static void put_number(FILE *out, const char *before, double value)
{
    char text[40];
    fprintf(out, "%s%s", before, ns_double_format(value, text, sizeof text));
}

/* Points with their range where they are finite; elsewhere a blank line, which interrupts the line. */
static void put_data(FILE *out, const ns_chart *chart, const char *prefix)
{
    for (size_t s = 0; s < chart->series; s++) {
        const ns_series *of = &chart->of[s];
        fprintf(out, "$%s%zu << EOD\n", prefix, s);
        for (size_t i = 0; i < of->points; i++) {
            const bool drawn = isfinite(of->x[i]) && isfinite(of->y[i]);
            if (drawn) {
                put_number(out, "", of->x[i]);
                put_number(out, " ", of->y[i]);
            }
            if (drawn && of->low != NULL) {
                put_number(out, " ", of->low[i]);
                put_number(out, " ", of->high[i]);
            }
            putc('\n', out);
        }
        fputs("EOD\n", out);
    }
}

/* ---- axes ------------------------------------------------------------------------------------------------------- */

/* Tick marks, or where ticks is NULL the chart's names at 1, 2, ... */
static void put_ticks(FILE *out, char axis, const ns_chart *chart, const ns_ticks *ticks)
{
    fprintf(out, "set %ctics (", axis);
    for (size_t i = 0; i < (ticks != NULL ? ticks->count : chart->ticks); i++) {
        fputs(i > 0 ? ", " : "", out);
        ns_plot_quote(out, ticks != NULL ? ticks->text[i] : chart->tick[i], true);
        put_number(out, " ", ticks != NULL ? ticks->at[i] : (double)i + 1);
    }
    fputs(") noenhanced\n", out);
}

static void put_axis(FILE *out, const ns_chart *chart, bool of_y, size_t most)
{
    double lo = 0, hi = 0;
    ns_ticks ticks;
    const bool in_ratios = of_y ? chart->log_y : chart->log_x;
    const char axis = of_y ? 'y' : 'x';
    fprintf(out, "unset logscale %c\nset %crange [*:*]\n", axis, axis);
    if (in_ratios)
        fprintf(out, "set logscale %c %d\n", axis, of_y ? 10 : 2);
    if (!of_y && chart->tick != NULL && !chart->bars) {
        put_ticks(out, axis, chart, NULL);
        return;
    }
    if (!of_y && ns_ticks_every_x(chart, &ticks)) {
        put_ticks(out, axis, chart, &ticks);
        return;
    }
    const bool any = ns_chart_range(chart, of_y, in_ratios, &lo, &hi);
    for (size_t s = 0; s < chart->series && of_y; s++) /* include the part of the bands beyond the lines */
        for (size_t i = 0; i < chart->of[s].points && chart->of[s].low != NULL; i++) {
            lo = fmin(lo, chart->of[s].low[i]);
            hi = fmax(hi, chart->of[s].high[i]);
        }
    if (!any || !(hi > lo)) {
        fprintf(out, "set %ctics auto\n", axis);
        return;
    }
    const double margin = in_ratios ? pow(hi / lo, 0.04) : 0.05 * (hi - lo);
    /* A difference of this size is rounding, not a result. */
    if (of_y && (hi - lo <= 1e-6 * fmax(fabs(lo), fabs(hi)))) {
        fprintf(out, "set label 1 \"no effect\" at graph 0.5, graph 0.6 center\n");
        put_number(out, "set yrange [", lo - fabs(lo) / 10);
        put_number(out, ":", hi + fabs(hi) / 10);
        fprintf(out, "]\nset %ctics auto\n", axis);
        return;
    }
    if (of_y || chart->bars) {
        put_number(out, of_y ? "set yrange [" : "set xrange [", in_ratios ? lo / margin : lo - margin);
        put_number(out, ":", in_ratios ? hi * margin : hi + margin);
        fputs("]\n", out);
    }
    ns_ticks_make(lo, hi, in_ratios, of_y ? chart->y_unit : chart->x_unit, most, &ticks);
    put_ticks(out, axis, chart, &ticks);
}

/* ---- series ----------------------------------------------------------------------------------------------------- */

static bool has_points(const ns_series *of)
{
    for (size_t i = 0; i < of->points; i++)
        if (isfinite(of->x[i]) && isfinite(of->y[i]))
            return true;
    return false;
}

static void put_series(FILE *out, const ns_chart *chart, const char *prefix, bool key)
{
    const char *before = "plot";
    for (size_t s = 0; s < chart->series; s++) { /* bands are drawn below all lines */
        if (chart->of[s].low == NULL || !has_points(&chart->of[s]))
            continue;
        fprintf(out, "%s $%s%zu using 1:3:4 with filledcurves fs solid 0.12 noborder lc rgb '#444444' %s", before,
                prefix, s, key ? "title \"range of the fastest, 90 %\"" : "notitle");
        before = ", \\\n ";
    }
    for (size_t s = 0; s < chart->series; s++) {
        if (!has_points(&chart->of[s]))
            continue;
        fprintf(out, "%s $%s%zu using 1:2 with ", before, prefix, s);
        const ns_series *of = &chart->of[s];
        const char *colour = palette[of->colour % COLOURS];
        const int point = of->dashed ? 2 * (of->colour % 5) + 4 : 2 * (of->colour % 5) + 5, dash = of->dashed ? 2 : 1;
        if (of->rings)
            fputs("points pt 6 ps 2.4*dot lw 2 lc rgb '#444444'", out);
        else if (of->dots)
            fprintf(out, "points lc rgb '%s' pt %d ps 0.8*dot", colour, point);
        else if (of->bare)
            fprintf(out, "lines lc rgb '%s' lw 2 dt %d", colour, dash);
        else
            fprintf(out, "linespoints lc rgb '%s' lw 2 dt %d pt %d ps 0.8*dot", colour, dash, point);
        fputs(key ? " title " : " notitle", out);
        if (key)
            ns_plot_quote(out, chart->of[s].label, false);
        before = ", \\\n ";
    }
    fputs(*before == 'p' ? "plot [0:1][0:1] NaN notitle\n" : "\n", out);
}

static void put_panel(FILE *out, const ns_chart *chart, const char *prefix, bool key, size_t x_ticks)
{
    put_setting(out, "title", chart->title);
    put_setting(out, "xlabel", chart->x_label);
    put_setting(out, "ylabel", chart->y_label);
    fputs("unset label\n", out);
    put_axis(out, chart, false, chart->bars ? 5 : x_ticks);
    fputs(
        "set grid lt 1 lw 0.5 lc rgb '#d0d0d0'\nset border 3\nset tics nomirror\nset offsets graph 0.02, graph 0.02\n",
        out);
    if (!chart->bars) {
        put_axis(out, chart, true, 9);
        put_series(out, chart, prefix, key);
        return;
    }
    /* Bars as boxes around y = 1, 2, ... from the top down, their names along the y axis. */
    for (size_t s = 0; s < chart->series; s++)
        for (int side = 0; side < 2 && chart->of[s].points == 2; side++) {
            put_number(out, "set object rectangle from ", chart->centre);
            fprintf(out, ",%zu.7 to ", s);
            put_number(out, "", chart->of[s].x[side]);
            fprintf(out, ",%zu.3 fc rgb '%s' fs solid 0.85 noborder\n", s + 1, palette[side]);
        }
    put_number(out, "set arrow from ", chart->centre);
    put_number(out, ",graph 0 to ", chart->centre);
    fprintf(out, ",graph 1 nohead lc rgb '#444444'\n");
    put_ticks(out, 'y', chart, NULL);
    fprintf(out, "set yrange [%zu.5:0.5]\nset key outside right top Left reverse noenhanced samplen 1\n",
            chart->series);
    fprintf(out,
            "plot NaN with boxes fs solid 0.85 lc rgb '%s' title \"a lower parameter\", \\\n"
            " NaN with boxes fs solid 0.85 lc rgb '%s' title \"a higher parameter\"\n",
            palette[0], palette[1]);
}

static size_t longest_label(const ns_chart *chart)
{
    size_t longest = 0;
    for (size_t s = 0; s < chart->series; s++)
        longest = strlen(chart->of[s].label) > longest ? strlen(chart->of[s].label) : longest;
    return longest;
}

static void name_panel(size_t i, char *prefix, size_t size)
{
    if (i == 0)
        snprintf(prefix, size, "series");
    else
        snprintf(prefix, size, "panel%zu_", i);
}

void ns_plot_script(FILE *out, const ns_chart *panel, size_t panels, size_t columns, const char *ending)
{
    char prefix[32];
    const size_t rows = (panels + columns - 1) / columns;
    for (size_t i = 0; i < panels; i++) {
        name_panel(i, prefix, sizeof prefix);
        put_data(out, &panel[i], prefix);
    }
    if (panel[0].below != NULL)
        put_data(out, panel[0].below, "below");
    /* More panels need a larger page.  The picture goes to standard output: gnuplot never reads the name of a file. */
    const double wide = columns > 1 ? 1.45 : 1, high = rows > 2 ? 2.1 : rows > 1 ? 1.6 : 1;
    /* a point of size 1 is larger on the vector terminals */
    const char *dot = strcmp(ending, "svg") == 0 ? "0.6" : strcmp(ending, "pdf") == 0 ? "0.5" : "1";
    fprintf(out, "set encoding utf8\ndot = %s\n", dot);
    if (strcmp(ending, "svg") == 0)
        fprintf(out, "set terminal svg noenhanced size %.0f,%.0f font 'sans,14' background 'white'\n", 900 * wide,
                520 * high);
    else if (strcmp(ending, "png") == 0)
        fprintf(out, "set terminal pngcairo noenhanced size %.0f,%.0f font 'sans,14'\n", 1350 * wide, 780 * high);
    else if (strcmp(ending, "pdf") == 0)
        fprintf(out, "set terminal pdfcairo noenhanced size %.1fcm,%.1fcm font 'sans,11'\n", 18 * wide, 10.4 * high);
    if (panels == 1) {
        fputs("set key outside right top Left reverse noenhanced samplen 3\n", out);
        if (panel[0].below != NULL) {
            /* The right edges of panels with fixed margins, as a share of the whole: the longest label determines the
             * space left. */
            put_number(out, "set multiplot\nset lmargin at screen 0.12\nset rmargin at screen ",
                       fmax(0.6, 0.90 - 0.0075 * (double)longest_label(&panel[0])));
            fputs("\nset tmargin at screen 0.92\nset bmargin at screen 0.42\n", out);
        }
        put_panel(out, &panel[0], "series", true, longest_label(&panel[0]) > 20 ? 7 : 11);
        if (panel[0].below != NULL) {
            fputs("unset key\nset tmargin at screen 0.28\nset bmargin at screen 0.12\n", out);
            put_panel(out, panel[0].below, "below", false, 11);
            fputs("unset multiplot\n", out);
        }
        return;
    }
    fprintf(out,
            "set multiplot layout %zu,%zu margins screen 0.085, screen 0.80, screen 0.08, screen 0.95 spacing screen "
            "0.09, screen %s\n",
            rows, columns, rows > 1 ? "0.15" : "0.05");
    for (size_t i = 0; i < panels; i++) {
        name_panel(i, prefix, sizeof prefix);
        fputs(i == 0 ? "set key at screen 0.995, screen 0.95 right top Left reverse noenhanced samplen 3\n"
                     : "unset key\n",
              out);
        put_panel(out, &panel[i], prefix, i == 0, 6);
    }
    fputs("unset multiplot\n", out);
}
