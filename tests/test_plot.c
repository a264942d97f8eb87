/* test_plot.c -- plots: what the scripts say, that gnuplot takes them, and the same as text for a terminal */
#include "core/memory.h"
#include "report/plot.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

static const struct {
    const char *line;
    const char *words[5]; /* what the script has to say */
} plots[] = {
    {"predict --matrix stencil9:60x60 --gpus 4,8,16",
     {"set logscale x 2", "\"16\" 16", "set ylabel \"time of one exchange\"", "points pt 6",
      "title \"split-dd, host\""}},
    {"netsparse --matrix stencil9:40x40 --nodes 4 --k 1,16",
     {"\"coalesce\" 3", "speedup over SUOpt", "K = 16", "set logscale y 10", ""}},
    {"sweep max-rate --machine lassen m=1 s=1KiB:1MiB:x4 ppn=1,40",
     {"\"1 MiB\" 1048576", "\"1 ms\" 0.001", "ppn = 40", "most bytes sent by one process of the node [B]",
      "outside right"}},
    {"sweep postal --machine lassen --over protocol=short,eager --over s=1kB,9kB",
     {"\"eager\" 2", "s = 9 kB", "points pt 6", "", ""}},
    {"sweep --over strategy",
     {"set multiplot layout 2,2", "256 messages to 16 nodes, lassen", "\"32 KiB\" 32768", "points pt 6", "dt 2"}},
    {"cross strategies --machine lassen --over s=16B:1MiB",
     {"the winner changes", "s, size of a message [B]", "\"100 us\"", "dt 2", ""}},
    {"cross postal postal:alpha=8.8us --machine lassen --over s=1kB:9kB",
     {"title \"postal:alpha=8.8us\"", "unset logscale x", "", "", ""}},
    {"sensitivity max-rate --machine lassen m=10 s=1MiB ppn=40",
     {"set object rectangle", "\"host.injection.inverse_R_N\" 1", "each 10 % lower and higher", "a higher parameter",
      ""}},
};
enum { PLOTS = sizeof plots / sizeof *plots };

/* Eight curves in ASCII: each is drawn in its own letter, which shows also where another curve lies over it. */
TEST(test_curves_apart)
{
    size_t seen[8] = {0};
    char *out = cli_output("predict --matrix rajat01 --gpus 8,64 --plot");
    for (const char *line = out; *line != '\0'; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        const char *bar = memchr(line, '|', 10), *end = line + strcspn(line, "\n");
        for (const char *at = bar != NULL && bar < end ? bar + 1 : end; at < end; at++) {
            ck_assert_msg(*at == ' ' || *at == 'O' || (*at >= 'a' && *at <= 'h'), "%.*s", (int)(end - line), line);
            if (*at >= 'a' && *at <= 'h')
                seen[*at - 'a']++;
        }
    }
    for (int i = 0; i < 8; i++)
        ck_assert_msg(seen[i] >= 7, "%c is drawn %zu times:\n%s", 'a' + i, seen[i], out);
    ns_free(out);
}

/* The script needs no gnuplot; where there is one, it takes the script without a word. */
TEST_EACH(test_scripts, PLOTS)
{
    char line[400], said[2000], path[64];
    snprintf(path, sizeof path, "%splot-%d.gp", cli_path(""), _i);
    snprintf(line, sizeof line, "%s --plot %s", plots[_i].line, path);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
    char *script = read_whole(path);
    for (int k = 0; k < 5 && plots[_i].words[k] != NULL; k++)
        ck_assert_msg(strstr(script, plots[_i].words[k]) != NULL, "%s lacks %s", line, plots[_i].words[k]);
    ck_assert_ptr_null(strstr(script, "nan"));
    ns_free(script);
    cli_free(&r);
    if (lacks(__func__, "gnuplot"))
        return;
    int code = shell(
        said, sizeof said,
        "echo 'set terminal dumb' | cat - %s | sed '/^set output/d' | LC_ALL=C.UTF-8 gnuplot 2>&1 >/dev/null", path);
    ck_assert_msg(code == 0 && said[0] == '\0', "%s: %s", line, said);
}

static const struct {
    const char *ending, *magic;
} endings[] = {{"svg", "<?xml"}, {"png", "\x89PNG"}, {"pdf", "%PDF"}};

TEST_EACH(test_rendered, 3)
{
    char line[400], path[64];
    if (lacks(__func__, "gnuplot"))
        return;
    for (int i = 0; i < PLOTS; i++) {
        snprintf(path, sizeof path, "%spicture-%d.%s", cli_path(""), i, endings[_i].ending);
        snprintf(line, sizeof line, "%s --plot %s", plots[i].line, path);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
        cli_free(&r);
        char *picture = read_whole(path);
        ck_assert_msg(strncmp(picture, endings[_i].magic, strlen(endings[_i].magic)) == 0, "%s", path);
        ns_free(picture);
    }
}

/* No gnuplot: a message that says what works without, and nothing left behind. */
TEST_EACH(test_no_gnuplot, PLOTS)
{
    char line[400];
    ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
    snprintf(line, sizeof line, "%s --plot TMP/none.pdf", plots[_i].line);
    cli_refused((cli_refusal){line, 1, "TMP/none.pdf: gnuplot is not installed; a plot ending in .gp needs none"});
    ck_assert_ptr_null(fopen(cli_path("none.pdf"), "rb"));
}

/* A picture's script as a text; the caller's. */
static char *script_of(const ns_chart *chart)
{
    static char *text; /* the stream keeps its address */
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    ns_plot_script(out, chart, 1, 1, "svg");
    fclose(out);
    return library_text(text);
}

/* The range of the fastest lies below the lines, and the axis reaches around it. */
TEST(test_band)
{
    const double x[] = {1, 2}, y[] = {3, 4}, low[] = {2, 2.5}, high[] = {5, 80};
    ns_series series = {.label = "a", .points = 2, .x = x, .y = y};
    const ns_chart chart = {.title = "t", .x_label = "x", .y_label = "y", .series = 1, .of = &series};
    char *without = script_of(&chart);
    ck_assert_ptr_null(strstr(without, "filledcurves"));
    series.low = low;
    series.high = high;
    char *with = script_of(&chart);
    ck_assert_ptr_nonnull(strstr(with, "\n1 3 2 5\n2 4 2.5 80\n"));
    const char *band = strstr(with, "filledcurves"), *line = strstr(with, "linespoints");
    ck_assert(band != NULL && line != NULL && band < line);
    double from = 0, to = 0;
    ck_assert_ptr_nonnull(strstr(with, "set yrange [-"));
    ck_assert_int_eq(sscanf(strstr(with, "set yrange [-"), "set yrange [%lf:%lf]", &from, &to), 2);
    ck_assert(from < 2 && to > 80);
    ns_free(without);
    ns_free(with);
}

/* Rounding is not drawn as if it were an answer. */
TEST(test_noise)
{
    const double x[] = {1, 2}, flat[] = {3, 3 + 1e-6}, real[] = {3, 3 + 1e-5};
    ns_series series = {.label = "a", .points = 2, .x = x, .y = flat};
    const ns_chart chart = {.title = "t", .x_label = "x", .y_label = "y", .series = 1, .of = &series};
    char *text = script_of(&chart);
    ck_assert_ptr_nonnull(strstr(text, "\"no effect\""));
    ns_free(text);
    series.y = real;
    text = script_of(&chart);
    ck_assert_ptr_null(strstr(text, "no effect"));
    ns_free(text);
}

TEST_EACH(test_bad_names, 5)
{
    static const cli_refusal bad[] = {
        {"sweep postal --machine lassen s=1B,9B --plot x.jpeg", 1, "x.jpeg: a plot ends in .svg, .png, .pdf or .gp"},
        {"sweep postal --machine lassen s=1B,9B --plot nowhere/x.gp", 1, "nowhere/x.gp: cannot be created"},
        {"sweep postal --machine lassen s=1B,9B --plot a.gp --plot b.gp", 2, "--plot is given twice"},
        {"sweep --over strategy nodes=1:13:+1 --plot x.gp", 1, "26 panels are too many for one plot; at most 12"},
        {"sensitivity sharp-crossover --plot x.gp", 1, "sharp-crossover"}};
    cli_refused(bad[_i]);
}

/* ---- as text ---------------------------------------------------------------------------------------------------- */

static int columns(const char *line, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)line[i] & 0xC0) != 0x80;
    return count;
}

/* The drawing's lines: the table below it may be wider. */
static void check_drawing(const char *out, int width, bool ascii)
{
    bool braille = false;
    int lines = 0;
    for (const char *line = out; *line != '\0' && !(line[0] == '\n' && lines > 15); lines++) {
        const size_t length = strcspn(line, "\n");
        ck_assert_msg(columns(line, length) <= width, "wider than %d: %.*s", width, (int)length, line);
        for (size_t i = 0; i < length; i++) {
            ck_assert_msg(!ascii || (unsigned char)line[i] < 0x80, "not ASCII: %.*s", (int)length, line);
            braille = braille || ((unsigned char)line[i] == 0xE2 && (unsigned char)line[i + 1] >= 0xA0 &&
                                  (unsigned char)line[i + 1] <= 0xA3);
        }
        line += length + (line[length] == '\n');
    }
    ck_assert_int_gt(lines, 15);
    ck_assert(braille != ascii);
}

TEST(test_terminal)
{
    static const int widths[] = {40, 80, 133};
    char number[8];
    for (size_t i = 0; i < 3; i++) {
        snprintf(number, sizeof number, "%d", widths[i]);
        ck_assert_int_eq(setenv("COLUMNS", number, 1) | setenv("LC_ALL", "C", 1), 0);
        cli_result r = cli("cross strategies --machine lassen --over s=16B:1MiB --plot");
        ck_assert_int_eq(r.code, 0);
        check_drawing(r.out, widths[i], true);
        cli_free(&r);
    }
}

/* Where a terminal says how wide it is, that counts; its braille needs a UTF-8 locale. */
TEST(test_window)
{
    static char out[65536];
    if (lacks(__func__, "script"))
        return;
    for (int ascii = 0; ascii < 2; ascii++) {
        int code = shell(out, sizeof out,
                         "unset COLUMNS; LC_ALL=%s script -qec \"stty cols 57; '%s' cross strategies --machine lassen "
                         "--over s=16B:1MiB --plot\" /dev/null | tr -d '\\r'",
                         ascii ? "C" : "C.UTF-8", shell_program());
        ck_assert_int_eq(code, 0);
        check_drawing(out, 57, ascii);
    }
}

typedef struct lines {
    char text[64][400];
    int count;
} lines;

static void collect(void *context, const char *line)
{
    lines *all = context;
    ck_assert_int_lt(all->count, 64);
    snprintf(all->text[all->count++], sizeof all->text[0], "%s", line);
}

/* A rising and a falling line, where they should stand. */
TEST(test_places)
{
    static const double x[] = {1, 10, 100}, up[] = {1, 2, 3}, down[] = {3, 2, 1};
    const ns_series series[] = {{.label = "up", .points = 3, .x = x, .y = up},
                                {.label = "down", .points = 3, .x = x, .y = down},
                                {.label = "least", .rings = true, .points = 1, .x = x, .y = up}};
    const ns_chart chart = {.title = "title", .x_label = "x", .y_label = "y", .log_x = true, .series = 3, .of = series};
    lines *all = ns_calloc(1, sizeof *all);
    ck_assert_int_eq(ns_plot_text(&chart, 64, 11, false, collect, all, NULL), NS_OK);
    ck_assert_str_eq(all->text[0], "title");
    ck_assert_int_eq(all->text[2][strlen(all->text[2]) - 1], 'a'); /* up ends at the top right */
    ck_assert_ptr_nonnull(strstr(all->text[12], "|O"));            /* and begins at the bottom left, ringed */
    ck_assert_int_eq(all->text[12][strlen(all->text[12]) - 1], 'b');
    ck_assert_ptr_nonnull(strstr(all->text[2], "3 |b"));
    ck_assert_ptr_nonnull(strstr(all->text[14], "100"));
    ck_assert_str_eq(all->text[16], "a up   b down   O least");
    ns_free(all);
}

/* Per cent signs, quotes and backslashes in labels are not gnuplot's. */
TEST(test_labels)
{
    static const double x[] = {1, 2, 3}, y[] = {-10, 0, 20};
    static const char *const tick[] = {"50 %d", "a\"b", "c\\n"};
    const ns_series series = {.label = "%s \"q\" \\", .points = 3, .x = x, .y = y};
    const ns_chart below = {.title = "", .x_label = "x", .y_label = "y", .y_unit = "%", .series = 1, .of = &series};
    const ns_chart chart = {.title = "100 % \"of\" it",
                            .x_label = "x",
                            .y_label = "y",
                            .y_unit = "%",
                            .series = 1,
                            .of = &series,
                            .tick = tick,
                            .ticks = 3,
                            .below = &below};
    char said[2000];
    ck_assert_int_eq(ns_plot_write(&chart, cli_path("labels.gp"), NULL), NS_OK);
    if (lacks(__func__, "gnuplot"))
        return;
    ck_assert_int_eq(
        shell(said, sizeof said, "(echo set terminal dumb; cat '%s') | LC_ALL=C.UTF-8 gnuplot", cli_path("labels.gp")),
        0);
    ck_assert_msg(strstr(said, "Bad") == NULL && strstr(said, "line ") == NULL, "%s", said);
    ck_assert_msg(strstr(said, "50 %d") != NULL && strstr(said, "20 %") != NULL && strstr(said, "a\"b") != NULL, "%s",
                  said);
}

TEST(test_nothing)
{
    static const double x[] = {1, 2}, y[] = {NAN, -1};
    const ns_series series = {.label = "a", .points = 2, .x = x, .y = y};
    const ns_chart chart = {.title = "", .x_label = "", .y_label = "", .log_y = true, .series = 1, .of = &series};
    lines all = {.count = 0};
    ns_error err = {0};
    ck_assert_int_eq(ns_plot_text(&chart, 64, 11, false, collect, &all, &err), NS_ERR_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "nothing to draw"));
}

/* ---- ticks ------------------------------------------------------------------------------------------------------ */

static const struct {
    double lo, hi;
    bool in_ratios;
    const char *unit;
    size_t most;
    const char *text; /* joined by blanks and bars */
} marks[] = {
    {16, 1048576, true, "B", 10, "16 B|64 B|256 B|1 KiB|4 KiB|16 KiB|64 KiB|256 KiB|1 MiB"},
    {2e-5, 3e-3, true, "s", 9, "20 us|50 us|100 us|200 us|500 us|1 ms|2 ms"},
    {1e-6, 1, true, "s", 5, "1 us|100 us|10 ms|1 s"},
    {0, 9, false, NULL, 5, "0|5"},
    {0, 100, false, NULL, 6, "0|20|40|60|80|100"},
    {-12, 9, false, "%", 6, "-10 %|-5 %|0 %|5 %"},
    {4.1e-5, 9e-5, true, "s", 6, "50 us|60 us|70 us|80 us|90 us"},
    {5, 5, false, NULL, 6, "5"},
};

TEST_EACH(test_ticks, sizeof marks / sizeof *marks)
{
    ns_ticks ticks;
    char joined[1000] = "";
    ns_ticks_make(marks[_i].lo, marks[_i].hi, marks[_i].in_ratios, marks[_i].unit, marks[_i].most, &ticks);
    for (size_t i = 0; i < ticks.count; i++) {
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? "|" : "", ticks.text[i]);
        ck_assert(ticks.at[i] >= marks[_i].lo - 1e-9 * fabs(marks[_i].lo) && ticks.at[i] <= marks[_i].hi * (1 + 1e-9));
    }
    ck_assert_str_eq(joined, marks[_i].text);
}

TEST_TIMEOUT(300)
