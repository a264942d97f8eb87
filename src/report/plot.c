/* plot.c -- line charts through gnuplot
 *
 * The palette is Okabe and Ito's, which colour-blind readers can tell apart; host and device differ by dash as well, points
 * by shape.  The legend stands outside the data.
 */
#include "report/plot.h"

#include <nsmodel/quantity.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof palette / sizeof *palette };

/* gnuplot's double-quoted strings take backslash escapes; enhanced mode is off. */
static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
    }
    putc('"', out);
}

static void put_setting(FILE *out, const char *what, const char *text)
{
    fprintf(out, "set %s ", what);
    put_string(out, text);
    putc('\n', out);
}

static void put_terminal(FILE *out, const char *ending, const char *path)
{
    if (strcmp(ending, "svg") == 0)
        fputs("set terminal svg noenhanced size 900,520 font 'sans,14' background 'white'\n", out);
    else if (strcmp(ending, "png") == 0)
        fputs("set terminal pngcairo noenhanced size 1350,780 font 'sans,14'\n", out);
    else if (strcmp(ending, "pdf") == 0)
        fputs("set terminal pdfcairo noenhanced size 18cm,10.4cm font 'sans,11'\n", out);
    if (strcmp(ending, "gp") != 0)
        put_setting(out, "output", path);
}

static void put_data(FILE *out, const ns_chart *chart, const char *prefix)
{
    for (size_t s = 0; s < chart->series; s++) {
        fprintf(out, "$%s%zu << EOD\n", prefix, s);
        for (size_t i = 0; i < chart->of[s].points; i++) {
            char x[40], y[40];
            if (isfinite(chart->of[s].x[i]) && isfinite(chart->of[s].y[i]))
                fprintf(out, "%s %s\n", ns_double_format(chart->of[s].x[i], x, sizeof x),
                        ns_double_format(chart->of[s].y[i], y, sizeof y));
            else
                fputs("\n", out); /* a blank line breaks the line */
        }
        fputs("EOD\n", out);
    }
}

static void put_labels(FILE *out, const ns_chart *chart)
{
    fputs("set xtics (", out);
    for (size_t i = 0; i < chart->ticks; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_string(out, chart->tick[i]);
        fprintf(out, " %zu", i + 1);
    }
    fputs(")\n", out);
}

/* Every x that occurs, as tick marks: 8, 16, 32, ... rather than powers of ten. */
static void put_x_ticks(FILE *out, const ns_chart *chart)
{
    if (chart->tick != NULL)
        put_labels(out, chart);
    if (!chart->log_x || chart->series == 0 || chart->of[0].points > 12)
        return;
    const char *before = "set xtics (";
    for (size_t i = 0; i < chart->of[0].points; i++) {
        if (!isfinite(chart->of[0].x[i]))
            continue;
        fprintf(out, "%s%.10g", before, chart->of[0].x[i]);
        before = ", ";
    }
    fputs(*before == ',' ? ")\n" : "", out);
}

static void put_style(FILE *out, const ns_series *of)
{
    const char *colour = palette[of->colour % COLOURS];
    const int point = of->dashed ? 2 * (of->colour % 5) + 4 : 2 * (of->colour % 5) + 5, dash = of->dashed ? 2 : 1;
    if (of->rings)
        fputs("points pt 6 ps 2.4 lw 2 lc rgb '#444444'", out);
    else if (of->dots)
        fprintf(out, "points lc rgb '%s' pt %d ps 0.8", colour, point);
    else if (of->bare)
        fprintf(out, "lines lc rgb '%s' lw 2 dt %d", colour, dash);
    else
        fprintf(out, "linespoints lc rgb '%s' lw 2 dt %d pt %d ps 0.8", colour, dash, point);
}

static bool has_points(const ns_series *of)
{
    for (size_t i = 0; i < of->points; i++)
        if (isfinite(of->x[i]) && isfinite(of->y[i]))
            return true;
    return false;
}

static void put_panel(FILE *out, const ns_chart *chart, const char *prefix)
{
    const char *before = "";
    put_setting(out, "title", chart->title);
    put_setting(out, "xlabel", chart->x_label);
    put_setting(out, "ylabel", chart->y_label);
    fprintf(out, "%s%s", chart->log_x ? "set logscale x 2\n" : "", chart->log_y ? "set logscale y 10\n" : "unset logscale y\n");
    put_x_ticks(out, chart);
    fputs("set key outside right top Left reverse samplen 3\nset grid\nset border 3\nset tics nomirror\nset offsets graph 0.02, graph 0.02\nplot", out);
    for (size_t s = 0; s < chart->series; s++) {
        if (!has_points(&chart->of[s]))
            continue;
        fprintf(out, "%s $%s%zu using 1:2 with ", before, prefix, s);
        put_style(out, &chart->of[s]);
        fputs(" title ", out);
        put_string(out, chart->of[s].label);
        before = ", \\\n ";
    }
    fputs("\n", out);
}

static void put_script(FILE *out, const ns_chart *chart, const char *ending, const char *path)
{
    put_data(out, chart, "series");
    if (chart->below != NULL)
        put_data(out, chart->below, "below");
    put_terminal(out, ending, path);
    if (chart->below != NULL)
        fputs("set multiplot\nset lmargin at screen 0.10\nset rmargin at screen 0.66\nset tmargin at screen 0.92\nset bmargin at screen 0.42\n", out);
    put_panel(out, chart, "series");
    if (chart->below == NULL)
        return;
    fputs("set tmargin at screen 0.28\nset bmargin at screen 0.12\n", out);
    put_panel(out, chart->below, "below");
    fputs("unset multiplot\n", out);
}

static const char *ending_of(const char *path)
{
    static const char *const endings[] = {"svg", "png", "pdf", "gp"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return endings[i];
    return NULL;
}

/* Feed gnuplot; true when it rendered. */
static bool render(const ns_chart *chart, const char *ending, const char *path, bool *found)
{
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a gnuplot that dies early must not take us along */
    FILE *pipe = popen("gnuplot 2>/dev/null", "w");
    int status = -1;
    if (pipe != NULL) {
        put_script(pipe, chart, ending, path);
        status = pclose(pipe);
    }
    signal(SIGPIPE, before);
    *found = status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
    return status == 0;
}

ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err)
{
    const char *ending = ending_of(path);
    char beside[4096];
    bool found = true, whole = false;
    if (ending == NULL)
        return ns_fail_at(err, NS_ERR_NAME, path, 0, 0, "a plot ends in .svg, .png, .pdf or .gp (the gnuplot script)");
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the name is too long");
    FILE *file = fopen(beside, "wb");
    if (file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be created");
    if (strcmp(ending, "gp") == 0)
        put_script(file, chart, ending, path);
    const bool failed = ferror(file) != 0;
    whole = fclose(file) == 0 && !failed;
    if (whole && strcmp(ending, "gp") != 0)
        whole = render(chart, ending, beside, &found);
    if (whole && rename(beside, path) == 0)
        return NS_OK;
    remove(beside);
    return found ? ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the plot could not be written")
                 : ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "gnuplot is not installed; a plot ending in .gp needs none");
}
