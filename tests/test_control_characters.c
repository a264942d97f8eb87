/* test_control_characters.c -- names that would drive a terminal come out of every command as plain text */
#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shell.h"
#include "support/test.h"

/* ESC, BEL, delete, CSI as a character and as a byte, a carriage return. */
#define HOSTILE "x\033[31m\007\177\302\233z\233\rq"

static char home[4096];

static void setup(void)
{
    ck_assert(getcwd(home, sizeof home) != NULL);
    const char *folder = scratch_open();
    static const char *const copies[][2] = {{"examples/osu_latency.log", "log"},
                                            {"params/lassen.json", "json"},
                                            {"tests/golden/messages.csv", "messages"},
                                            {"tests/golden/exchanges.csv", "records"}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        shell_ok("cp '%s' '%s/" HOSTILE ".%s'", copies[i][0], folder, copies[i][1]);
    ck_assert_int_eq(chdir(folder), 0);
    FILE *matrix = fopen(HOSTILE ".mtx", "wb"), *damaged = fopen(HOSTILE ".bad", "wb");
    fputs("%%MatrixMarket matrix coordinate pattern general\n8 8 9\n", matrix);
    for (int i = 1; i <= 8; i++)
        fprintf(matrix, "%d %d\n", i, i);
    fputs("1 8\n", matrix);
    fputs("%%MatrixMarket matrix coordinate pattern general\n8 8 1\n9 9\n", damaged);
    ck_assert_int_eq(fclose(matrix) | fclose(damaged), 0);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir(home), 0);
    scratch_close();
}

static void expect_plain(const char *text, const char *line)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        const bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        ck_assert_msg((*c >= 0x20 || *c == '\n' || *c == '\t') && *c != 0x7f && !c1, "%s: byte %02x after \"%.*s\"",
                      line, *c, (int)((const char *)c - text < 40 ? (const char *)c - text : 40),
                      (const char *)c - text < 40 ? text : (const char *)c - 40);
        if (*c == 0x9b) /* the byte alone; in UTF-8 it follows another */
            ck_assert_msg(c > (const unsigned char *)text && c[-1] >= 0x80, "%s: a raw CSI byte", line);
    }
}

static const char *const lines[] = {
    "predict --matrix " HOSTILE ".mtx --gpus 4 --machine ./" HOSTILE ".json",
    "predict --matrix " HOSTILE ".mtx --gpus 4 --explain",
    "predict --messages " HOSTILE ".messages --gpus 8",
    "predict --exchange " HOSTILE ".records --machine bluewaters",
    "pattern --matrix " HOSTILE ".mtx --parts 4",
    "matrix info " HOSTILE ".mtx",
    "matrix where " HOSTILE ".mtx",
    "netsparse --matrix " HOSTILE ".mtx --nodes 2 --k 1",
    "advise --matrix " HOSTILE ".mtx --gpus 4",
    "sensitivity --matrix " HOSTILE ".mtx --gpus 4",
    "validate --records " HOSTILE ".records --machine bluewaters",
    "machines ./" HOSTILE ".json",
    "place --matrix " HOSTILE ".mtx --nodes 2 --parts 4",
    "report --matrix " HOSTILE ".mtx --gpus 4 -o " HOSTILE ".html",
};
enum { LINES = sizeof lines / sizeof *lines };

TEST_EACH(in_every_format, LINES)
{
    static const char *const formats[] = {"table", "csv", "json"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char line[512];
        snprintf(line, sizeof line, "%s --format %s", lines[_i], formats[f]);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
        expect_plain(r.out, line);
        expect_plain(r.err, line);
        cli_free(&r);
    }
}

/* Pictures, explanations, and files that commands write. */
TEST_EACH(in_files_and_pictures, 7)
{
    static const struct {
        const char *line, *file;
    } written[] = {
        {"predict --matrix " HOSTILE ".mtx --gpus 4 --explain", NULL},
        {"predict --matrix " HOSTILE ".mtx --gpus 4,8 --plot", NULL},
        {"predict --matrix " HOSTILE ".mtx --gpus 4,8 --plot p.gp", "p.gp"},
        {"predict --matrix " HOSTILE ".mtx --gpus 4 -o p.json", "p.json"},
        {"report --matrix " HOSTILE ".mtx --gpus 4 -o page.html", "page.html"},
        {"export --machine ./" HOSTILE ".json --to simgrid-xml -o platform.xml", "platform.xml"},
        {"export --machine ./" HOSTILE ".json --to simgrid -o platform.cpp", "platform.cpp"},
    };
    cli_result r = cli(written[_i].line);
    ck_assert_msg(r.code == 0, "%s: %s", written[_i].line, r.err);
    expect_plain(r.out, written[_i].line);
    expect_plain(r.err, written[_i].line);
    if (written[_i].file != NULL) {
        char *text = read_whole(written[_i].file);
        expect_plain(text, written[_i].file);
        ns_free(text);
    }
    cli_free(&r);
}

/* In what is refused: a name that is not there, and the name of a file with a fault in it. */
TEST_EACH(in_refusals, 7)
{
    static const char *const refused[] = {
        "predict --gpus 4 --matrix no" HOSTILE,
        "predict --gpus 4 --matrix " HOSTILE ".bad",
        "predict --gpus 4 --matrix rajat01 --machine no" HOSTILE,
        "predict --gpus " HOSTILE " --matrix rajat01",
        "predict --" HOSTILE,
        "repl -e " HOSTILE,
        HOSTILE,
    };
    cli_result r = cli(refused[_i]);
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strstr(r.err, "x?[31m???z??q") != NULL || strstr(r.err, "x?[31m????z??q") != NULL, "%s", r.err);
    expect_plain(r.out, refused[_i]);
    expect_plain(r.err, refused[_i]);
    cli_free(&r);
}

TEST_FIXTURE(setup, teardown)
