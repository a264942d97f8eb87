/* test_plot_names.c -- plots of things with hostile names: nothing is run, everything is drawn
 *
 * Whoever gives away a matrix or a machine chooses its name.  Each name here runs `touch executed` when a shell or
 * gnuplot reads it as anything but letters, or breaks the script.
 */
#define _XOPEN_SOURCE 700

#include "report/plot.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/shell.h"

#include "support/test.h"
#include <fcntl.h>
#include <sys/stat.h>

static const char *const hostile[] = {
    "a`touch executed`",
    "`touch executed`b",
    "a``touch executed``b",
    "\\`touch executed\\`",
    "'`touch executed`'",
    "'.system('touch executed').'",
    "\\'.system('touch executed').\\'",
    "''.system('touch executed').''",
    "\".system(\"touch executed\").\"",
    "\\\".system(\"touch executed\").\\\"",
    "'; system 'touch executed' #",
    "\"; system 'touch executed' #",
    "'\n!touch executed\n'",
    "\"\nsystem 'touch executed'\n\"",
    "a\n!touch executed",
    "a\r!touch executed\r",
    "\\\n!touch executed",
    "!touch executed",
    "$(touch executed)",
    "a'$(touch executed)'",
    ";touch executed;",
    "|touch executed",
    "<touch executed",
    "'|touch executed'",
    "&touch executed&",
    "@x {`touch executed`}",
    "@{touch executed}",
    "${touch executed}",
    "EOD\n!touch executed",
    "# touch executed",
    "touch executed \\",
    "touch executed \\\\",
    "touch executed '",
    "touch executed \"",
    "touch executed `",
    "{touch executed",
    "}touch executed",
    "touch_executed^2_{i}&{x}~{a}",
    "%s%n touch executed %d%%%h",
    "touch executed \001\002\007\010\033[2J\177\x7f",
    "touch executed \xff\xfe\x80\xc3",
    "touch executed \xc2\x85\xc2\x9b\xef\xbf\xbe",
    "touch executed \xed\xa0\x80\xf5\x80\x80\x80",
    "<b>touch executed</b>&amp;]]>",
    "-e 'touch executed'",
    "--touch executed",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static char machine[1 << 16]; /* the text of one, to be given other names */

static void setup(void)
{
    FILE *file = fopen("params/bluewaters.json", "rb");
    ck_assert(file != NULL && fread(machine, 1, sizeof machine - 1, file) < sizeof machine - 1);
    fclose(file);
    ck_assert_int_eq(chdir(scratch_open()), 0);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

static char *read_file(const char *path, size_t *size)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s is not there", path);
    *size = fread(text, 1, sizeof text - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s", path);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Drawn whole, and nothing was run; what the reader sees of the name is in it. */
static void expect_picture(const char *path, const char *name, int shown)
{
    size_t size;
    const char *text = read_file(path, &size);
    int found = 0;
    ck_assert_msg(access("executed", F_OK) != 0, "run: %s", name);
    ck_assert_msg(size > 1000 && strstr(text, "</svg>") != NULL && strlen(text) == size, "%s: %zu B", name, size);
    for (const char *c = text; (c = strstr(c, "executed")) != NULL; c++)
        found++;
    ck_assert_msg(found >= shown, "%s: shown %d times, wanted %d", name, found, shown);
    if (strcmp(path, "picture.svg") == 0 && !lacks(__func__, "xmllint"))
        ck_assert_msg(shell(NULL, 0, "xmllint --noout - < picture.svg") == 0, "%s: not well-formed", name);
}

/* ---- the strings of a chart -------------------------------------------------------------------------------------- */

TEST_EACH(test_chart, HOSTILE)
{
    static const double x[] = {1, 2, 3}, y[] = {1, 4, 9};
    const char *name = hostile[_i], *const tick[] = {name, "b", name};
    const ns_series series[] = {{.label = name, .points = 3, .x = x, .y = y},
                                {.label = name, .points = 2, .x = x, .y = y}};
    const ns_chart below = {.title = name, .x_label = name, .y_label = name, .series = 1, .of = series};
    const ns_chart one = {.title = name,
                          .x_label = name,
                          .y_label = name,
                          .series = 2,
                          .of = series,
                          .tick = tick,
                          .ticks = 3,
                          .below = &below};
    const ns_chart bars = {.title = name,
                           .x_label = name,
                           .y_label = name,
                           .series = 2,
                           .of = series,
                           .tick = tick,
                           .ticks = 2,
                           .bars = true,
                           .centre = 1};
    const ns_chart panels[] = {one, below, below};
    ns_error err = {0};
    if (lacks(__func__, "gnuplot"))
        return;
    ck_assert_msg(ns_plot_write(&one, "picture.svg", &err) == NS_OK, "%s: %s", name, err.text);
    expect_picture("picture.svg", name, 3 + 2 + 2 + 3);
    ck_assert_msg(ns_plot_panels(panels, 3, 2, "picture.svg", &err) == NS_OK, "%s: %s", name, err.text);
    expect_picture("picture.svg", name, 3 * 3 + 2 + 2);
    ck_assert_msg(ns_plot_write(&bars, "picture.svg", &err) == NS_OK, "%s: %s", name, err.text);
    expect_picture("picture.svg", name, 3 + 1);
    ck_assert_msg(ns_plot_write(&one, "picture.gp", &err) == NS_OK, "%s: %s", name, err.text);
    shell_ok("(echo set terminal svg enhanced; cat picture.gp) | gnuplot > picture.svg"); /* as a reader might */
    expect_picture("picture.svg", name, 3 + 2 + 2 + 3);
}

/* Every kind of picture, once. */
TEST(test_endings)
{
    static const struct {
        const char *path, *magic;
    } rows[] = {{"`touch executed`.png", "\x89PNG"},
                {"'\"$(touch executed).pdf", "%PDF"},
                {"\\\n!touch executed.svg", "<?xml"}};
    static const double x[] = {1, 2, 3};
    const ns_series series = {.label = hostile[0], .points = 3, .x = x, .y = x};
    const ns_chart chart = {.title = hostile[0], .x_label = "x", .y_label = "y", .series = 1, .of = &series};
    size_t size;
    if (lacks(__func__, "gnuplot"))
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(ns_plot_write(&chart, rows[i].path, NULL), NS_OK);
        ck_assert_int_eq(strncmp(read_file(rows[i].path, &size), rows[i].magic, strlen(rows[i].magic)), 0);
        ck_assert(size > 1000 && access("executed", F_OK) != 0);
    }
}

/* ---- where names come from --------------------------------------------------------------------------------------- */

static void run(int words, const char *const *word, const char *name)
{
    cli_result r = cli_words(words, word);
    ck_assert_msg(r.code == 0, "%s: %s", name, r.err);
}

/* A name without what a file's name cannot hold. */
static const char *file_name(const char *name, const char *ending)
{
    static char path[2][200];
    static int next;
    char *chosen = path[next++ % 2];
    snprintf(chosen, sizeof path[0], "./%s%s", name, ending);
    for (char *c = chosen + 2; *c != '\0'; c++)
        *c = *c == '/' ? '\\' : *c;
    return chosen;
}

/* The matrix's file, its name within a .nsp that goes by another one, and the picture's own. */
TEST_EACH(test_files, HOSTILE)
{
    const char *name = hostile[_i], *matrix = file_name(name, ".mtx"), *picture = file_name(name, ".svg");
    const char *const pack[] = {"pattern", "--matrix", matrix, "--parts", "2", "-o", "innocent.nsp"};
    const char *const named[] = {"predict", "--matrix", matrix, "--gpus", "2,4", "--plot", picture};
    const char *const inside[] = {"predict", "--matrix", "innocent.nsp", "--gpus", "2,4", "--plot", "picture.svg"};
    const char *const netsparse[] = {"netsparse", "--matrix", "innocent.nsp", "--nodes",    "2",
                                     "--k",       "1",        "--plot",       "picture.svg"};
    if (lacks(__func__, "gnuplot"))
        return;
    put_file(matrix, "%%MatrixMarket matrix coordinate pattern general\n4 4 5\n1 2\n2 3\n3 4\n4 1\n1 4\n");
    run(7, pack, name);
    run(7, named, name);
    expect_picture(picture, name, 1);
    run(7, inside, name);
    expect_picture("picture.svg", name, 1);
    run(9, netsparse, name);
    expect_picture("picture.svg", name, 1);
}

/* As a JSON string. */
static void put_json_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            putc(*text, out);
    putc('"', out);
}

TEST_EACH(test_machine, HOSTILE)
{
    const char *name = hostile[_i];
    const char *const draw[] = {"predict", "--matrix", "stencil9:20x20", "--machine",  "machine.json",
                                "--gpus",  "4,8",      "--plot",         "picture.svg"};
    const char *old = strstr(machine, "\"bluewaters\"");
    FILE *file = fopen("machine.json", "wb");
    ck_assert(file != NULL && old != NULL);
    fwrite(machine, 1, (size_t)(old - machine), file);
    put_json_string(file, name);
    fputs(strchr(old, ','), file);
    ck_assert_int_eq(fclose(file), 0);
    if (lacks(__func__, "gnuplot"))
        return;
    cli_result r = cli_words(9, draw);
    ck_assert_msg(access("executed", F_OK) != 0, "run: %s", name);
    bool plain = true;
    for (const char *c = name; *c != '\0'; c++)
        plain = plain && (unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f;
    ck_assert_msg(r.code == 0 || !plain, "%s: %s", name, r.err);
    if (r.code == 0) /* a name with control characters is refused, and one that is no UTF-8 may be */
        expect_picture("picture.svg", name, 1);
    else
        ck_assert_msg(strstr(r.err, "machine.json") != NULL && access("picture.svg", F_OK) != 0, "%s: %s", name, r.err);
}

/* ---- the quoting ------------------------------------------------------------------------------------------------- */

/* What the quoting should be, said anew: for one byte between two letters. */
static void expected(unsigned char byte, bool is_format, char out[16])
{
    const bool letter = (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
    if (byte < 0x20 || byte == 0x7f)
        strcpy(out, "\"x y\"");
    else if (byte >= 0x80)
        strcpy(out, "\"x\xef\xbf\xbdy\"");
    else if (byte == '%' && is_format)
        strcpy(out, "\"x%%y\"");
    else if (letter || strchr(" ,.:;()/+-=*<>[]_%?", byte) != NULL)
        snprintf(out, 16, "\"x%cy\"", byte);
    else
        snprintf(out, 16, "\"x\\%c%c%cy\"", '0' + byte / 64, '0' + byte / 8 % 8, '0' + byte % 8);
}

static void quote(const char *text, bool is_format, char *out, size_t size)
{
    FILE *file = fmemopen(out, size, "wb");
    ck_assert_ptr_nonnull(file);
    ns_plot_quote(file, text, is_format);
    ck_assert_int_eq(fclose(file), 0);
}

TEST(test_bytes)
{
    char quoted[64], wanted[16], text[4] = "x_y";
    for (int byte = 1; byte < 256; byte++)
        for (int is_format = 0; is_format < 2; is_format++) {
            text[1] = (char)byte;
            quote(text, is_format == 1, quoted, sizeof quoted);
            expected((unsigned char)byte, is_format == 1, wanted);
            ck_assert_msg(strcmp(quoted, wanted) == 0, "byte %d: %s, wanted %s", byte, quoted, wanted);
        }
    quote("", false, quoted, sizeof quoted);
    ck_assert_str_eq(quoted, "\"\"");
    quote("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc2\x9b\xef\xbf\xbf\xef\xbf\xbd", false, quoted, sizeof quoted);
    ck_assert_str_eq(quoted, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80   \xef\xbf\xbd\"");
}

/* What gnuplot has of a byte. */
static size_t read_back(char byte, char *out)
{
    const unsigned char c = (unsigned char)byte;
    strcpy(out, "\xef\xbf\xbd");
    if (c < 0x80) {
        out[0] = c < 0x20 || c == 0x7f ? ' ' : byte;
        out[1] = '\0';
    }
    return strlen(out);
}

/* gnuplot reads back what was meant: every byte, and every two of those that mean something to it or to a shell. */
TEST(test_read_back)
{
    static const char marks[] = "`'\"\\@{}^_%!$()#;|<>&~*?[]\n\t\r =,.:-";
    static char said[1 << 16];
    char text[4] = "", quoted[32], plain[32];
    size_t size;
    if (lacks(__func__, "gnuplot"))
        return;
    FILE *script = fopen("script", "wb"), *wanted = fopen("wanted", "wb");
    fputs("set print '-'\n", script);
    for (size_t i = 1; i < 256 + sizeof marks * sizeof marks; i++) {
        const size_t pair = i < 256 ? 0 : i - 256;
        text[0] = i < 256 ? (char)i : marks[pair / sizeof marks];
        text[1] = i < 256 ? 'y' : marks[pair % sizeof marks];
        text[2] = pair % 3 == 0 ? text[0] : '\0';
        quote(text, false, quoted, sizeof quoted);
        fprintf(script, "print %s\n", quoted);
        quote(text, true, quoted, sizeof quoted);
        fprintf(script, "print gprintf(%s, 7)\n", quoted);
        size = 0;
        plain[0] = '\0';
        for (const char *c = text; *c != '\0'; c++)
            size += read_back(*c, plain + size);
        fprintf(wanted, "%s\n%s\n", plain, plain);
    }
    ck_assert_int_eq(fclose(script) | fclose(wanted), 0);
    const int code = shell(said, sizeof said, "gnuplot -d < script > said; diff said wanted | head -20");
    ck_assert_msg(code == 0 && said[0] == '\0', "%.2000s", said);
    ck_assert_int_eq(shell(NULL, 0, "test $(wc -l < said) -gt 2000"), 0);
}

/* ---- a gnuplot that fails ---------------------------------------------------------------------------------------- */

static const char *const failing[] = {"exit 1", "exit 0", "echo half; exit 3", "echo half; kill -9 $$",
                                      "cat >&2; exit 0"};

TEST_EACH(test_failing, sizeof failing / sizeof *failing)
{
    char program[200], path[1024], out[200];
    mkdir("bin", 0777);
    snprintf(program, sizeof program, "#!/bin/sh\n%s\n", failing[_i]);
    ck_assert_int_eq(unsetenv("NSMODEL_WITHOUT"), 0); /* this gnuplot is there, whatever is hidden */
    put_file("bin/gnuplot", program);
    put_file("old.svg", "old");
    ck_assert_int_eq(chmod("bin/gnuplot", 0755), 0);
    snprintf(path, sizeof path, "bin:%s", getenv("PATH"));
    ck_assert_int_eq(setenv("PATH", path, 1), 0);
    cli_result r = cli("sweep postal --machine lassen s=1B,9B --plot old.svg");
    ck_assert_int_eq(r.code, 1);
    ck_assert_str_eq(r.err, "nsmodel: old.svg: the plot could not be written\n");
    ck_assert_str_eq(r.out, "");
    ck_assert_int_eq(shell(out, sizeof out, "cat old.svg; ls -A"), 0);
    ck_assert_str_eq(out, "oldbin\nold.svg\n");
}

TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(120)
