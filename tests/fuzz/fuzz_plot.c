/* fuzz_plot.c -- any texts and numbers in a chart: of a text, nothing that gnuplot could read leaves its string
 *
 * Input: flags | a byte for each of eight numbers | texts, ended by 0.  Each chart is drawn twice, the second time with
 * every text made of x alone, in which nothing can mean anything: outside of strings both scripts are the same.  In
 * memory.
 */
#include "take.h"

#include <report/plot.h>

enum { PLOT_TEXTS = 12, PLOT_POINTS = 4 };

typedef struct plot_texts {
    char text[PLOT_TEXTS][64];
} plot_texts;

static const char *const plot_ending[] = {"svg", "png", "pdf", "gp"};

static void plot_take(fuzz_bytes *in, plot_texts *hostile, plot_texts *harmless)
{
    memset(hostile, 0, sizeof *hostile);
    for (int t = 0; t < PLOT_TEXTS; t++)
        for (size_t i = 0; i < sizeof hostile->text[t] - 1 && (hostile->text[t][i] = (char)fuzz_take(in)) != '\0'; i++)
            continue;
    *harmless = *hostile;
    for (int t = 0; t < PLOT_TEXTS; t++)
        memset(harmless->text[t], 'x', strlen(hostile->text[t]));
}

static char *plot_script(const plot_texts *t, const double *number, unsigned flags)
{
    const char *const tick[] = {t->text[3], t->text[4], t->text[5], t->text[6]};
    const ns_series of[] = {{.label = t->text[7], .points = PLOT_POINTS, .x = number, .y = number + PLOT_POINTS},
                            {.label = t->text[8],
                             .points = 2,
                             .x = number + 1,
                             .y = number,
                             .colour = 1,
                             .dashed = flags & 1,
                             .rings = flags >> 1 & 1,
                             .dots = flags >> 2 & 1}};
    const ns_chart below = {.title = t->text[9], .x_label = t->text[10], .y_label = t->text[11], .series = 1, .of = of};
    ns_chart chart = {.title = t->text[0],
                      .x_label = t->text[1],
                      .y_label = t->text[2],
                      .log_x = flags >> 3 & 1,
                      .log_y = flags >> 4 & 1,
                      .series = 2,
                      .of = of};
    if (flags & 32 || flags & 128) {
        chart.tick = tick;
        chart.ticks = 4;
    }
    chart.below = flags & 64 ? &below : NULL;
    chart.bars = flags & 128;
    const ns_chart panel[] = {chart, below};
    char *script;
    size_t length;
    FILE *out = open_memstream(&script, &length);
    REQUIRE(out != NULL);
    ns_plot_script(out, panel, flags & 64 || flags & 2 ? 1 : 2, 2, plot_ending[flags & 3]);
    REQUIRE(fclose(out) == 0 && strlen(script) == length);
    return script;
}

/* Past a string in double quotes; what stands in it is harmless or \ooo.  gnuplot runs `commands` in it, and turns \
 * into what follows. */
static const char *plot_string(const char *c)
{
    static const char may_stand[] = " ,.:;()/+-=*<>[]_%?";
    for (c++; *c != '"'; c++) {
        REQUIRE(*c != '\0' && (unsigned char)*c >= 0x20 && (unsigned char)*c != 0x7f);
        const bool is_word = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (*c == '\\') {
            REQUIRE(c[1] >= '0' && c[1] <= '3' && c[2] >= '0' && c[2] <= '7' && c[3] >= '0' && c[3] <= '7');
            c += 3;
        } else {
            REQUIRE(is_word || (unsigned char)*c >= 0x80 || strchr(may_stand, *c) != NULL);
            REQUIRE(strncmp(c, "]]>", 3) != 0);
        }
    }
    return c + 1;
}

/* The script without its strings, in place. */
static void plot_skeleton(char *script)
{
    char *kept = script;
    for (const char *c = script; *c != '\0';) {
        REQUIRE(*c != '`' && *c != '!');
        if (*c == '"') {
            c = plot_string(c);
            *kept++ = '"';
        } else
            *kept++ = *c++;
    }
    *kept = '\0';
}

FUZZ(plot)
{
    fuzz_bytes in = {data, data + size};
    plot_texts hostile, harmless;
    double number[2 * PLOT_POINTS];
    const unsigned flags = fuzz_take(&in);
    for (int i = 0; i < 2 * PLOT_POINTS; i++) {
        const unsigned b = fuzz_take(&in);
        number[i] = b == 255 ? INFINITY : b == 254 ? NAN : ldexp(1 + (b & 3), (int)(b >> 2) - 30);
    }
    plot_take(&in, &hostile, &harmless);
    char *one = plot_script(&hostile, number, flags), *other = plot_script(&harmless, number, flags);
    plot_skeleton(one);
    plot_skeleton(other);
    REQUIRE(strcmp(one, other) == 0);
    free(one);
    free(other);
}
