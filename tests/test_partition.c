/* test_partition.c -- part files as METIS writes them: one number a row */

#include <nsmodel/matrix.h>

#include "core/memory.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/shared.h"
#include "support/shell.h"
#include "support/test.h"

static const struct {
    const char *text;
    int64_t rows;
    int32_t parts, part[4];
} good[] = {
    {"0\n1\n0\n2\n", 4, 3, {0, 1, 0, 2}},
    {"3\r\n3\r\n", 2, 4, {3, 3}},
    {"% graph.part.2\n# by hand\n 1\t\n0", 2, 2, {1, 0}},
    {"0\r1\r", 2, 2, {0, 1}},
    {"00\n2147483646\n", 2, 2147483647, {0, 2147483646}},
    {"# no rows\n", 0, 0, {0}},
};

TEST_EACH(good_parts, (int)(sizeof good / sizeof *good))
{
    for (int packed = 0; packed < 2; packed++) {
        size_t size = strlen(good[_i].text);
        const char *path =
            packed ? scratch_gzip("good.part.gz", good[_i].text, size) : scratch_file("good.part", good[_i].text, size);
        int32_t *part = NULL, parts = -1;
        ns_error err = {.code = NS_OK};
        ck_assert_msg(ns_partition_read(path, good[_i].rows, &part, &parts, &err) == NS_OK, "%s", err.text);
        ck_assert_int_eq(parts, good[_i].parts);
        ck_assert_mem_eq(part, good[_i].part, (size_t)good[_i].rows * sizeof *part);
        ns_free(part);
    }
}

static const struct {
    const char *text;
    int64_t rows;
    long line, column;
    ns_status status;
    const char *words;
} bad[] = {
    {"0\n\n1\n", 2, 2, 0, NS_ERR_SYNTAX, "a blank line"},
    {"0\n1\n \n", 2, 3, 0, NS_ERR_SYNTAX, "a blank line"},
    {"0\n1\n0\n", 2, 3, 0, NS_ERR_DATA, "more than 2 part numbers"},
    {"0\n1\n", 3, 2, 0, NS_ERR_DATA, "ends after 2 part numbers"},
    {"0\n -1\n", 2, 2, 2, NS_ERR_SYNTAX, "\"-1\", wanted one part number from 0"},
    {"0\nx\n", 2, 2, 1, NS_ERR_SYNTAX, "\"x\""},
    {"0 1\n", 2, 1, 1, NS_ERR_SYNTAX, "\"0 1\""},
    {"1.5\n", 1, 1, 1, NS_ERR_SYNTAX, "\"1.5\""},
    {"2147483647\n", 1, 1, 1, NS_ERR_RANGE, "too large"},
    {"99999999999999999999999\n", 1, 1, 1, NS_ERR_RANGE, "too large"},
    {"", 1, 0, 0, NS_ERR_DATA, "an empty file"},
    {"0\n", -1, 0, 0, NS_ERR_RANGE, "-1 rows"},
    {"0\n", INT64_MAX, 0, 0, NS_ERR_RANGE, "rows"},
};

TEST_EACH(bad_parts, (int)(sizeof bad / sizeof *bad))
{
    const char *path = scratch_file("bad.part", bad[_i].text, strlen(bad[_i].text));
    int32_t *part = NULL, parts = -1;
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(ns_partition_read(path, bad[_i].rows, &part, &parts, &err), bad[_i].status);
    ck_assert_msg(strstr(err.text, bad[_i].words) != NULL, "%s", err.text);
    ck_assert_int_eq(err.line, bad[_i].line);
    ck_assert_int_eq(err.column, bad[_i].column);
    ck_assert_str_eq(err.file, path);
    ck_assert(part == NULL && parts == -1);
}

TEST(no_file)
{
    int32_t *part, parts;
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(ns_partition_read("no/such/file.part", 3, &part, &parts, &err), NS_ERR_FILE);
    ck_assert_msg(strstr(err.text, "No such file or directory") != NULL, "%s", err.text);
}

/* Longer than any piece of text that is read at once. */
TEST(many_rows)
{
    enum { ROWS = 600000 };
    char *text = ns_malloc(ROWS * 8), *to = text;
    int32_t *part, parts;
    ns_error err = {.code = NS_OK};
    ck_assert_ptr_nonnull(text);
    for (int i = 0; i < ROWS; i++)
        to += sprintf(to, "%d\n", i * 7 % 1023);
    ck_assert_int_eq(ns_partition_read(scratch_file("many.part", text, (size_t)(to - text)), ROWS, &part, &parts, &err),
                     NS_OK);
    ck_assert_int_eq(parts, 1023);
    for (int i = 0; i < ROWS; i++)
        if (part[i] != i * 7 % 1023)
            ck_abort_msg("row %d", i);
    ns_free(part);
    ns_free(text);
}

/* ---- as METIS itself writes it: a square of cells, each beside eight --------------------------------------------- */

enum { SIDE = 40, CELLS = SIDE * SIDE, PARTS = 8 };

static bool beside(int a, int b)
{
    return a != b && abs(a / SIDE - b / SIDE) <= 1 && abs(a % SIDE - b % SIDE) <= 1;
}

static void write_graph(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%d %d\n", CELLS, 2 * SIDE * (SIDE - 1) + 2 * (SIDE - 1) * (SIDE - 1));
    for (int i = 0; i < CELLS; i++) {
        for (int k = 0; k < CELLS; k++)
            if (beside(i, k))
                fprintf(file, "%d ", k + 1);
        fputc('\n', file);
    }
    fclose(file);
}

/* A value is sent once to each part that has a cell beside its own. */
static double values_sent(const int32_t *part)
{
    int sent = 0;
    for (int i = 0; i < CELLS; i++)
        for (int p = 0; p < PARTS; p++) {
            bool needed = false;
            for (int k = 0; k < CELLS && p != part[i] && !needed; k++)
                needed = part[k] == p && beside(i, k);
            sent += needed;
        }
    return sent;
}

TEST(of_metis)
{
    char graph[300], file[320];
    int32_t *part, parts;
    ns_error err = {.code = NS_OK};
    if (lacks(__func__, "gpmetis"))
        return;
    snprintf(graph, sizeof graph, "%s", scratch_file("cells.graph", "", 0));
    snprintf(file, sizeof file, "%s.part.%d", graph, PARTS);
    write_graph(graph);
    shell_ok("gpmetis %s %d", graph, PARTS);
    ck_assert_msg(ns_partition_read(file, CELLS, &part, &parts, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(parts, PARTS);
    ns_value *pattern =
        cli_json_with("pattern --matrix stencil9:%dx%d --parts %d --partition %s", SIDE, SIDE, PARTS, file);
    ck_assert_double_eq(ns_value_get(pattern, "bytes_total")->number, 8 * values_sent(part));
    ck_assert_double_gt(values_sent(part), 0);
    ns_free(part);
    remove(file);
}

TEST_TIMEOUT(300)
