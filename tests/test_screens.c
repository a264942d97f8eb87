/* test_screens.c -- what a person sees: no line is wider than the terminal, no word is lost, the answer comes first */

#include "core/utf8.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/terminal.h"
#include "support/test.h"

static const char *const lines[] = {
    "doctor",
    "predict --matrix stencil9:300x300 --gpus 8,64",
    "predict --matrix stencil9:300x300 --gpus 64 --machine lassen,summit --incumbent standard/host",
    "predict --matrix stencil9:300x300 --gpus 64 --network netsparse",
    "predict --matrix stencil9:300x300 --gpus 64 --network bxi-multirail --incumbent standard/host",
    "predict --network help",
    "predict --collective allreduce:64KiB --nodes 16,128 --machine lassen",
    "advise --matrix stencil9:300x300 --gpus 64",
    "place --matrix stencil9:300x300 --nodes 4 --tries 100",
    "machines",
    "machines lassen",
    "models",
    "models three-step",
    "netsparse --matrix stencil9:300x300 --nodes 8",
    "sensitivity --matrix stencil9:300x300 --gpus 64",
    "sweep max-rate --machine lassen m=1 --over s=1KiB:1MiB:x4 --over ppn=1,40",
    "sweep --over strategy --machine lassen",
    "pattern --matrix stencil9:300x300 --parts 16",
    "matrix list --limit 5",
    "reproduce node-aware-table3",
};
static const int widths[] = {80, 100, 140};
enum { LINES = sizeof lines / sizeof *lines, WIDTHS = sizeof widths / sizeof *widths };

static void open_at(terminal *t, int columns, const char *line)
{
    char command[600];
    snprintf(command, sizeof command, "stty cols %d; env -u COLUMNS NO_COLOR=1 %s %s 2> /dev/null; echo end-of-answer",
             columns, getenv("NSMODEL_BIN"), line);
    terminal_open(t, command);
}

TEST_EACH(no_line_is_wider, LINES *WIDTHS)
{
    static char shown[200000];
    const int columns = widths[_i % WIDTHS];
    terminal t;
    open_at(&t, columns, lines[_i / WIDTHS]);
    terminal_between(&t, "end-of-answer", shown, sizeof shown);
    ck_assert_int_eq(terminal_close(&t), 0);
    size_t count = 0;
    for (char *line = strtok(shown, "\n"); line != NULL; line = strtok(NULL, "\n"), count++)
        ck_assert_msg(ns_utf8_count(line) <= (size_t)columns, "%s at %d columns: %zu: %s", lines[_i / WIDTHS], columns,
                      ns_utf8_count(line), line);
    ck_assert_msg(count > 2, "%s says nothing", lines[_i / WIDTHS]);
}

/* What a narrow screen has no room for is named, and --wide has it. */
TEST(wide_has_all)
{
    static char shown[200000];
    terminal t;
    open_at(&t, 80, "predict --matrix stencil9:300x300 --gpus 8,64");
    terminal_between(&t, "end-of-answer", shown, sizeof shown);
    ck_assert_int_eq(terminal_close(&t), 0);
    ck_assert(strstr(shown, "fastest way") != NULL && strstr(shown, "\nNext: nsmodel ") != NULL);
    ck_assert(strstr(shown, "off_node") == NULL && strstr(shown, "no room") == NULL);
    open_at(&t, 80, "predict --matrix stencil9:300x300 --gpus 8,64 --wide");
    terminal_between(&t, "end-of-answer", shown, sizeof shown);
    ck_assert_int_eq(terminal_close(&t), 0);
    static const char *const columns[] = {"estimate", "published", "off_node", "copy", "verdict"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ck_assert_msg(strstr(shown, columns[i]) != NULL, "%s", columns[i]);
    open_at(&t, 80, "machines");
    terminal_between(&t, "end-of-answer", shown, sizeof shown);
    ck_assert_int_eq(terminal_close(&t), 0);
    ck_assert(strstr(shown, "no room for ") != NULL && strstr(shown, "--wide shows all") != NULL);
}

/* Through a pipe nothing is cut; the rows of the cases, the advice, trust and what is next come first, and only with
 * --all every way. */
TEST(answer_first)
{
    static const char ten[] = "predict --matrix stencil9:300x300 --gpus 8,12,16,24,32,48,64,96,128,256";
    cli_result r = cli(ten);
    ck_assert_int_eq(r.code, 0);
    ck_assert_uint_le(times_in(r.out, "\n"), 20);
    ck_assert_ptr_nonnull(strstr(r.out, "\nagainst standard/host, as most programs exchange\n"));
    ck_assert_ptr_nonnull(strstr(r.out, "measured exchanges of lassen-spectrum such advice was right in "));
    ck_assert_ptr_nonnull(strstr(r.out, "\nNext: nsmodel "));
    ck_assert_ptr_null(strstr(r.out, "x best"));
    for (const char *line = r.out; line != NULL; line = strchr(line, '\n'), line += line != NULL)
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    cli_free(&r);
    r = cli("predict --matrix stencil9:300x300 --gpus 8,64 --all");
    const char *first = strstr(r.out, "\n8 GPUs\n"), *second = strstr(r.out, "\n64 GPUs\n");
    ck_assert(first != NULL && second != NULL && first < second);
    ck_assert(strstr(first, "\n  way ") != NULL && strstr(first, "\n  way ") < second);
    ck_assert_uint_eq(times_in(r.out, "\n* "), 2);
    ck_assert_uint_eq(times_in(r.out, "no room"), 0);
    cli_free(&r);
    r = cli("machines");
    ck_assert_uint_eq(times_in(r.out, "no room"), 0);
    cli_free(&r);
}

/* P(best) of all ways is 100 % together, no way is called anything that the printed numbers do not say, and one that
 * stands for another says so. */
TEST(ways_in_numbers)
{
    double sum = 0;
    cli_result r = cli("predict --matrix audikw_1 --gpus 256");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "x best  P(best)"));
    for (const char *p = strstr(r.out, "x best  P(best)"); (p = strstr(p, " %\n")) != NULL; p++) {
        const char *number = p;
        while (number[-1] != ' ')
            number--;
        sum += atof(number);
    }
    ck_assert_double_eq_tol(sum, 100, 1);
    ck_assert_uint_eq(times_in(r.out, "\n* "), 1);
    ck_assert_uint_eq(times_in(r.out, "ruled out") + times_in(r.out, "within reach") + times_in(r.out, "standing"), 0);
    cli_free(&r);
    r = cli("predict --matrix audikw_1 --gpus 4");
    ck_assert_ptr_nonnull(strstr(r.out, "  remark\n"));
    ck_assert_ptr_nonnull(strstr(r.out, "  same as standard/device\n"));
    cli_free(&r);
}

TEST(colour)
{
    cli_result r = cli("predict --matrix stencil9:300x300 --gpus 8 --color always");
    ck_assert_ptr_nonnull(strstr(r.out, "\033[1m* "));
    cli_free(&r);
    r = cli("predict --matrix stencil9:300x300 --gpus 8 --color auto");
    ck_assert_ptr_null(strstr(r.out, "\033["));
    cli_free(&r);
    r = cli("predict --matrix stencil9:300x300 --gpus 8 --color red");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "--color has no choice \"red\"; it is one of auto, always, never"));
    cli_free(&r);
}

TEST_TIMEOUT(120)
