/* test_reader_loops.c -- every inner loop of the reader of Matrix Market files with every make of line: three kinds of
 * values, mirrored or not, and arrays
 *
 * Lines that the quick way does not read are read by the careful one; an entry is the same by either.
 */

#include "support/good_matrix.h"
#include "support/shared.h"
#include "support/test.h"

static const struct {
    const char *field;
    int values;
    bool mirror;
} loops[] = {
    {"pattern", 0, false}, {"pattern", 0, true},  {"integer", 1, false},
    {"real", 1, true},     {"complex", 2, false}, {"complex", 2, true},
};
enum { LOOPS = sizeof loops / sizeof *loops };

/* %1: row, %2: column, %3: values, each with a blank before it. */
static const char *const makes[] = {
    "%1 %2%3\n",
    " %1 %2%3\n",
    "%1  %2%3\n",
    "%1\t%2%3\n",
    "%1 %2%3 \n",
    "%1 %2%3\t\r\n",
    "%1 %2%3\r\n",
    "%1 %2%3\r",
    "%1 %2 %3\n",
    "%1 %2%3\n% between\n\n",
    "00000%1 000%2%3\n",
    "000000000%1 0000000000%2%3\n",
    "00000000000000000000000%1 %2%3\n",
    "%1 00000000000000000000000%2%3\n",
};
enum { MAKES = sizeof makes / sizeof *makes };

static const char *const numbers[] = {
    " 1", " -2.5", " +.5e-3", "  7", "\t1D+02", " nan", " 123456789012345678901234567890"};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* One line of that make; returns its length. */
static int put_line(char *to, const char *make, int row, int col, const char *values)
{
    char *at = to;
    for (; *make != '\0'; make++)
        if (make[0] == '%' && make[1] >= '1' && make[1] <= '3') {
            make++;
            at += *make == '3' ? sprintf(at, "%s", values) : sprintf(at, "%d", *make == '1' ? row : col);
        } else
            *at++ = *make;
    *at = '\0';
    return (int)(at - to);
}

static int put_head(char *to, int loop, int stored)
{
    return sprintf(to, "%%%%MatrixMarket matrix coordinate %s %s\n9 9 %d\n", loops[loop].field,
                   loops[loop].mirror ? "symmetric" : "general", stored);
}

/* Lower half and diagonal, and some above it, so that both ways of mirroring are met. */
static const ns_entry entries[] = {{1, 1}, {3, 1}, {9, 9}, {9, 1}, {2, 5}, {4, 4}, {7, 6}};
enum { ENTRIES = sizeof entries / sizeof *entries };

TEST_EACH(good_lines, LOOPS)
{
    const int loop = _i;
    for (int make = 0; make < MAKES; make++)
        for (int number = 0; number < (loops[loop].values > 0 ? NUMBERS : 1); number++) {
            char text[8000], values[100] = "";
            ns_entry wanted[2 * ENTRIES];
            size_t count = 0;
            int used = put_head(text, loop, ENTRIES);
            for (int v = 0; v < loops[loop].values; v++)
                strcat(values, numbers[(number + v) % NUMBERS]);
            for (int i = 0; i < ENTRIES; i++) {
                const int row = (int)entries[i].row, col = (int)entries[i].col;
                used += put_line(text + used, makes[make], row, col, values);
                wanted[count++] = (ns_entry){row - 1, col - 1};
                if (loops[loop].mirror && row != col)
                    wanted[count++] = (ns_entry){col - 1, row - 1};
            }
            ns_matrix *matrix = open_good(scratch_file("loop.mtx", text, (size_t)used));
            entry_list list = scan_good(matrix);
            same_entries(&list, wanted, count, makes[make]);
            entry_list_free(&list);
            ns_matrix_free(matrix);
        }
}

/* After two good lines. */
static const struct {
    const char *make;
    int least_values;
} bad[] = {
    {"%1", 0},
    {"%1\n", 0},
    {"%1 \n", 0},
    {"%1x %2%3\n", 0},
    {"%1 %2x%3\n", 0},
    {"x %2%3\n", 0},
    {"%1 x%3\n", 0},
    {"10 %2%3\n", 0},
    {"%1 10%3\n", 0},
    {"0 %2%3\n", 0},
    {"%1 0%3\n", 0},
    {"-1 %2%3\n", 0},
    {"%1 -%3\n", 0},
    {"- %2%3\n", 0},
    {"99999999999999999999 %2%3\n", 0},
    {"%1 99999999999999999999%3\n", 0},
    {"99999999999999999999999999999999999999999999999999 %2%3\n", 0},
    {"%1 %2\n", 1},
    {"%1 %2 \n", 1},
    {"%1 %2 q\n", 1},
    {"%1 %2 1q\n", 1},
    {"%1 %2 1 q\n", 2},
    {"%1 %2 1\n", 2},
    {"%1 %2 1 \n", 2},
    {"%1 %2 1 2q\n", 2},
    {"%1 %2%3 4 5 6\n", 0},
};
enum { BAD = sizeof bad / sizeof *bad };

TEST_EACH(bad_lines, LOOPS)
{
    const int loop = _i;
    for (int i = 0; i < BAD; i++) {
        char text[2000], values[100] = "";
        ns_matrix *matrix;
        entry_list list = {.at = NULL};
        ns_error err = {0};
        if (bad[i].least_values > loops[loop].values)
            continue;
        int used = put_head(text, loop, 4);
        for (int v = 0; v < loops[loop].values; v++)
            strcat(values, " 1");
        used += put_line(text + used, makes[0], 2, 1, values);
        used += put_line(text + used, makes[0], 3, 1, values);
        used += put_line(text + used, bad[i].make, 4, 2, values);
        used += put_line(text + used, makes[0], 5, 1, values);
        ck_assert_int_eq(ns_matrix_open(scratch_file("bad.mtx", text, (size_t)used), &matrix, &err), NS_OK);
        const ns_status status = ns_matrix_scan(matrix, entry_list_receive, &list, &err);
        ck_assert_msg(status == NS_ERR_SYNTAX || status == NS_ERR_RANGE, "%s, %s: %s", loops[loop].field, bad[i].make,
                      ns_status_name(status));
        ck_assert_msg(err.line == 5 && err.text[0] != '\0', "%s, %s: line %ld: %s", loops[loop].field, bad[i].make,
                      err.line, err.text);
        entry_list_free(&list);
        ns_matrix_free(matrix);
    }
}

/* ---- arrays: every position has a value, column by column -------------------------------------------------------- */

TEST_EACH(arrays, 2)
{
    static const char *const ends[] = {"\n", " \n", "\r\n", "\r", "\n% between\n\n"};
    const int values = _i + 1;
    for (size_t end = 0; end < sizeof ends / sizeof *ends; end++)
        for (int number = 0; number < NUMBERS; number++)
            for (int blank = 0; blank < 2; blank++) {
                char text[4000];
                ns_entry wanted[6];
                int used =
                    sprintf(text, "%%%%MatrixMarket matrix array %s general\n2 3\n", values == 1 ? "real" : "complex");
                for (int i = 0; i < 6; i++) {
                    used += sprintf(text + used, "%s", blank ? " " : "");
                    for (int v = 0; v < values; v++) {
                        const char *one = numbers[(number + v) % NUMBERS];
                        used += sprintf(text + used, "%s", v == 0 ? one + strspn(one, " \t") : one);
                    }
                    used += sprintf(text + used, "%s", ends[end]);
                    wanted[i] = (ns_entry){i % 2, i / 2};
                }
                ns_matrix *matrix = open_good(scratch_file("array.mtx", text, (size_t)used));
                entry_list list = scan_good(matrix);
                same_entries(&list, wanted, 6, ends[end]);
                entry_list_free(&list);
                ns_matrix_free(matrix);
            }
}

TEST_EACH(bad_arrays, 2)
{
    static const char *const lines[] = {"q\n", "1q\n", "1 2 3\n", "-\n", "1 q\n"};
    const int values = _i + 1;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[400];
        ns_matrix *matrix;
        entry_list list = {.at = NULL};
        ns_error err = {0};
        const char *good = values == 1 ? "1\n" : "1 1\n";
        const int used = sprintf(text, "%%%%MatrixMarket matrix array %s general\n3 1\n%s%s%s",
                                 values == 1 ? "real" : "complex", good, lines[i], good);
        ck_assert_int_eq(ns_matrix_open(scratch_file("array.mtx", text, (size_t)used), &matrix, &err), NS_OK);
        ck_assert_int_eq(ns_matrix_scan(matrix, entry_list_receive, &list, &err), NS_ERR_SYNTAX);
        ck_assert_int_eq(err.line, 4);
        entry_list_free(&list);
        ns_matrix_free(matrix);
    }
}
