/* test_work.c -- work has a bound: entries, rows and routes, text that says nothing, memory while reading messages */
#include "core/memory.h"
#include "support/cli.h"
#include "support/good_matrix.h"
#include "support/shell.h"
#include "support/test.h"

#include <sys/resource.h>

#include <zlib.h>

enum { PLENTY = 80 << 20 }; /* bytes of blank lines */

static const char *folder;

static void setup(void)
{
    folder = scratch_open();
}

/* stencil5:100x100 has 10,000 rows and 49,600 entries. */
static const struct {
    const char *line, *work;
} refused[] = {
    {"pattern --matrix stencil5:100x100 --parts 4 --max-work 59599", "49600 entries, 10000 rows and 0 routes"},
    {"pattern --matrix stencil5:100x100 --parts 4 --max-work 59603", "49600 entries, 10000 rows and 4 routes"},
    {"predict --matrix stencil5:100x100 --gpus 4,8 --max-work 5e4", "49600 entries, 10000 rows"},
    {"netsparse --matrix stencil5:100x100 --nodes 4 --max-work 5e4", "49600 entries, 10000 rows"},
    {"sensitivity --matrix stencil5:100x100 --gpus 4 --max-work 1000", "49600 entries, 10000 rows"},
    {"matrix info stencil5:100x100 --max-work 10", "49600 entries, 10000 rows"},
    {"report --matrix stencil5:100x100 --gpus 4 --max-work 10 -o work.html", "49600 entries, 10000 rows"},
    {"predict --matrix stencil27:1000000x1000000x1000 --gpus 8",
     "1e+15 rows and 0 routes, more than the limit of 200000000000"},
};

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    cli_result r = cli(refused[_i].line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_str_eq(r.out, "");
    ck_assert_msg(strstr(r.err, refused[_i].work) != NULL && strstr(r.err, "together (--max-work)\n") != NULL,
                  "%s\nsays %s", refused[_i].line, r.err);
}

TEST(test_enough)
{
    cli_result r = cli("predict --matrix stencil5:100x100 --gpus 4 --max-work 59606");
    ck_assert_msg(r.code == 0, "%s", r.err);
    r = cli("pattern --matrix stencil5:10x10 --parts 2 --max-work 0");
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "--max-work wants a number from 1 to 2^53") != NULL, "%s", r.err);
}

/* The library says which limit was met, not which option sets it; a limit holds for all scans together. */
TEST(test_library)
{
    ns_matrix *matrix;
    ns_error err = {0};
    int64_t entries = 0;
    ck_assert_int_eq(ns_matrix_open("stencil5:100x100", &matrix, &err), NS_OK);
    ns_matrix_limit(matrix, 59600);
    ck_assert_int_eq(ns_matrix_scan(matrix, count_entries, &entries, &err), NS_OK);
    ck_assert_int_eq(entries, 49600);
    ck_assert_int_eq(ns_matrix_scan(matrix, count_entries, &entries, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(entries, 49600);
    ck_assert_int_eq(err.limit, NS_LIMIT_WORK);
    ck_assert_ptr_null(strstr(err.text, "--"));
    ns_matrix_limit(matrix, 0);
    ck_assert_int_eq(ns_matrix_scan(matrix, count_entries, &entries, NULL), NS_OK);
    err = (ns_error){0};
    ns_spread row, col;
    ck_assert_int_eq(ns_matrix_lengths(matrix, 1000, &row, &col, &entries, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_MEMORY);
    ck_assert_ptr_null(strstr(err.text, "--"));
    ns_matrix_free(matrix);
}

/* Far more rows than memory: refused before any of it is touched. */
TEST(test_rows)
{
    char line[400];
    struct rusage before, after;
    const char *path = cli_file("work_rows.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                                 "100000000 100000000 2\n1 100000000\n100000000 1\n");
    snprintf(line, sizeof line, "pattern --matrix %s --parts 8 --max-memory 350MB", path);
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &before), 0);
    cli_result r = cli(line);
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &after), 0);
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "(--max-memory)\n") != NULL, "%s", r.err);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 100 << 10); /* KiB; the rows of a view take 400 MB */
}

/* Rows that do not ascend are read twice, and both count. */
TEST(test_second_pass)
{
    const char *path =
        cli_file("late.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n4 1\n1 4\n2 3\n3 2\n");
    cli_result r = cli_with("netsparse --matrix %s --nodes 4 --max-work 15", path);
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "8 entries, 8 rows and 4 routes") != NULL, "%s", r.err);
}

/* ---- planned messages -------------------------------------------------------------------------------------------- */

enum { MESSAGES = 200000 };

static const char *write_messages(void)
{
    static char path[1200];
    snprintf(path, sizeof path, "%s/plan.csv", folder);
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL);
    for (int i = 0; i < MESSAGES; i++)
        fprintf(file, "%d,%d,8\n", i % 1000, 1000 + i / 1000);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

TEST(test_messages)
{
    ns_planned *message;
    size_t messages;
    int32_t parts;
    ns_exchange *exchange;
    ns_error err = {0};
    const char *path = write_messages();
    const ns_limits memory = {.max_memory = 1 << 20}, work = {.max_work = MESSAGES - 1},
                    just = {.max_memory = 16 << 20, .max_work = MESSAGES};
    ck_assert_int_eq(ns_messages_read_within(path, &memory, &message, &messages, &parts, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_MEMORY);
    err = (ns_error){0};
    ck_assert_int_eq(ns_messages_read_within(path, &work, &message, &messages, &parts, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_WORK);
    err = (ns_error){0};
    ck_assert_msg(ns_messages_read_within(path, &just, &message, &messages, &parts, &err) == NS_OK, "%s", err.text);
    ck_assert_uint_eq(messages, MESSAGES);
    const ns_layout layout = {parts, 4};
    ck_assert_int_eq(ns_exchange_from_messages_within(message, messages, layout, NULL, &memory, &exchange, &err),
                     NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_MEMORY);
    err = (ns_error){0};
    ck_assert_int_eq(ns_exchange_from_messages_within(message, messages, layout, NULL, &work, &exchange, &err),
                     NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_WORK);
    ns_free(message);
}

TEST_EACH(test_messages_of_program, 2)
{
    static const char *const options[] = {"--max-memory", "--max-work"}, *const values[] = {"2MB", "100000"};
    char line[1400], wanted[40];
    snprintf(line, sizeof line, "predict --messages %s %s %s", write_messages(), options[_i], values[_i]);
    snprintf(wanted, sizeof wanted, " (%s)\n", options[_i]);
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, wanted) != NULL, "%s", r.err);
}

/* ---- text that says nothing -------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *head, *fill, *line;
} padded[] = {
    {"a.mtx.gz", "\n", "\n", "matrix info %s"},
    {"b.mtx.gz", "%%MatrixMarket matrix coordinate pattern general\n", "% nothing\n", "matrix info %s"},
    {"c.mtx.gz", "%%MatrixMarket matrix coordinate pattern general\n9 9 2\n1 1\n", "\n", "matrix info %s"},
    {"d.part.gz", "0\n", "# nothing\n", "pattern --matrix stencil5:4x4 --partition %s"},
};

/* Some 80 KB of gzip that hold 80 MiB. */
TEST_EACH(test_padding, sizeof padded / sizeof *padded)
{
    char path[1200], line[1400];
    static char block[1 << 16];
    size_t each = strlen(padded[_i].fill), used = 0;
    for (; used + each <= sizeof block; used += each)
        memcpy(block + used, padded[_i].fill, each);
    snprintf(path, sizeof path, "%s/%s", folder, padded[_i].name);
    gzFile file = gzopen(path, "wb1");
    ck_assert(file != NULL);
    ck_assert_int_gt(gzputs(file, padded[_i].head), 0);
    for (size_t done = 0; done < PLENTY; done += used)
        ck_assert_int_eq(gzwrite(file, block, (unsigned)used), (int)used);
    ck_assert_int_eq(gzclose(file), Z_OK);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(line, sizeof line, padded[_i].line, path);
#pragma GCC diagnostic pop
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "more than 67108864 B of blank lines and comments are not read on\n") != NULL, "%s",
                  r.err);
}

TEST_FIXTURE(setup, scratch_close)
