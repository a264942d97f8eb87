/* test_reader_lines.c -- lines of every make across the bounds of pieces, any number of threads, the inner loops
 *
 * Texts are generated together with the entries they stand for.
 */

#include "bytes/token.h"
#include "core/memory.h"
#include "matrix/market/market.h"
#include "support/good_matrix.h"
#include "support/shared.h"
#include "support/test.h"

enum { MANY = 60000 }; /* lines, or some 2.5 pieces of text */

typedef struct text {
    char *at;
    size_t size;
    ns_entry *wanted;
    size_t count;
} text;

static uint32_t dice(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Entries of a 1234567 x 76543 matrix; style 0 is plain, 1 mixes blanks, comments, signs and line ends. */
static text make_text(const char *line_end, int style, uint32_t seed)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"}, *const blanks[] = {" ", "  ", "\t", " \t "};
    static const char *const values[] = {"1",        "-2.718281828459045e+00", "+.5", "NaN", "3.D-10", "-inf", "0",
                                         "12345.678"};
    text t = {.at = ns_malloc(MANY * 64 + 256), .wanted = ns_malloc(MANY * sizeof *t.wanted), .count = MANY};
    ck_assert(t.at != NULL && t.wanted != NULL);
    char *to = t.at + sprintf(t.at, "%%%%MatrixMarket matrix coordinate real general%s", line_end);
    for (uint32_t i = seed % 7; i > 0; i--) /* moves the bounds of the pieces */
        to += sprintf(to, "%%%.*s%s", (int)i, "123456", line_end);
    to += sprintf(to, "1234567 76543 %d%s", MANY, line_end);
    for (size_t i = 0; i < MANY; i++) {
        t.wanted[i] = (ns_entry){dice(&seed) * 17 % 1234567, dice(&seed) % 76543};
        const char *end = style == 0 ? line_end : ends[dice(&seed) % 3];
        bool odd = style != 0 && dice(&seed) % 8 == 0;
        to += sprintf(to, "%s%lld%s%lld%s%s%s%s", odd ? blanks[dice(&seed) % 4] : "", (long long)t.wanted[i].row + 1,
                      odd ? blanks[dice(&seed) % 4] : " ", (long long)t.wanted[i].col + 1, odd ? "\t" : " ",
                      values[dice(&seed) % 8], odd ? " " : "", end);
        if (odd && dice(&seed) % 4 == 0)
            to += sprintf(to, "%% between%s%s", end, end);
    }
    t.size = (size_t)(to - t.at) - (seed % 2 != 0 && style == 0 ? strlen(line_end) : 0);
    return t;
}

static void free_text(text *t)
{
    ns_free(t->at);
    ns_free(t->wanted);
}

TEST_EACH(line_ends_and_blanks_change_nothing, 12)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    const char *end = ends[_i % 3];
    text t = make_text(end, _i / 3 % 2, (uint32_t)_i * 77 + 1);
    const char *path = _i % 5 == 4 ? scratch_gzip("many.mtx.gz", t.at, t.size) : scratch_file("many.mtx", t.at, t.size);
    ns_matrix *matrix = open_good(path);
    entry_list list = scan_good(matrix);
    same_entries(&list, t.wanted, t.count, path);
    entry_list_free(&list);
    ns_matrix_free(matrix);
    free_text(&t);
}

/* A comment as long as a line may be, and one byte more, right before the entries. */
TEST(longest_line)
{
    static const char head[] = "%%MatrixMarket matrix coordinate pattern general\n";
    static const char tail[] = "\n2 2 1\n2 1\n";
    for (int beyond = 0; beyond < 2; beyond++) {
        size_t size = sizeof head - 1 + NS_PIECE - 1 + (size_t)beyond + sizeof tail - 1;
        char *bytes = ns_malloc(size);
        ck_assert_ptr_nonnull(bytes);
        memset(bytes, '%', size);
        memcpy(bytes, head, sizeof head - 1);
        memcpy(bytes + size - (sizeof tail - 1), tail, sizeof tail - 1);
        const char *path = scratch_file("long.mtx", bytes, size);
        ns_matrix *matrix = NULL;
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(ns_matrix_open(path, &matrix, &err), beyond == 0 ? NS_OK : NS_ERR_SYNTAX);
        ck_assert(beyond == 0 || strstr(err.text, "a line longer than") != NULL);
        ns_matrix_free(beyond == 0 ? matrix : NULL);
        ns_free(bytes);
    }
}

static ns_status scan_with(const char *path, int workers, entry_list *list, ns_error *err)
{
    ns_lines lines;
    ns_market market;
    ns_market_start start;
    long member = -1;
    unsigned char *bytes = ns_malloc(NS_PIECE_ROOM);
    ck_assert_ptr_nonnull(bytes);
    must(ns_lines_open(path, &member, &lines, err), err);
    must(ns_market_header(&lines, bytes, &market, &start, err), err);
    ns_lines_close(&lines);
    ns_free(bytes);
    return ns_market_scan(path, &member, &market, workers, entry_list_receive, list, err);
}

/* Entries, and what is said of a bad line far into the file, are the same with any number of threads. */
TEST(threads_change_nothing)
{
    text t = make_text("\n", 0, 12);
    size_t bad = t.size * 9 / 10;
    for (int workers = 0; workers <= NS_MOST_WORKERS; workers++) {
        entry_list list = {.at = NULL};
        ns_error err = {.code = NS_OK};
        must(scan_with(scratch_file("threads.mtx", t.at, t.size), workers, &list, &err), &err);
        same_entries(&list, t.wanted, t.count, "threads");
        entry_list_free(&list);
    }
    while (t.at[bad] != '\n')
        bad++;
    t.at[bad + 1] = '!';
    ns_error first = {.code = NS_OK};
    for (int workers = 0; workers <= NS_MOST_WORKERS; workers++) {
        entry_list list = {.at = NULL};
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(scan_with(scratch_file("threads.mtx", t.at, t.size), workers, &list, &err), NS_ERR_SYNTAX);
        if (workers == 0)
            first = err;
        ck_assert_int_eq(err.line, first.line);
        ck_assert_str_eq(err.text, first.text);
        entry_list_free(&list);
    }
    long line = 1;
    for (size_t i = 0; i <= bad; i++)
        line += t.at[i] == '\n';
    ck_assert_int_eq(first.line, line);
    ck_assert_int_eq(first.column, 1);
    free_text(&t);
}

/* ---- the receiver, the inner loops ----------------------------------------------------------------------------- */

static ns_status stop_at_second(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)entries, (void)count;
    return ++*(int *)context < 2 ? NS_OK : ns_fail(err, NS_ERR_LIMIT, "enough");
}

TEST(receiver_ends_the_scan)
{
    text t = make_text("\n", 0, 3);
    ns_matrix *matrix = open_good(scratch_file("stop.mtx", t.at, t.size));
    ns_error err = {.code = NS_OK};
    int calls = 0;
    ck_assert_int_eq(ns_matrix_scan(matrix, stop_at_second, &calls, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(calls, 2);
    ck_assert_str_eq(err.text, "enough");
    entry_list list = scan_good(matrix); /* and may be repeated */
    same_entries(&list, t.wanted, t.count, "after a stop");
    entry_list_free(&list);
    ns_matrix_free(matrix);
    free_text(&t);
}

/* Runs of digits and number characters against one byte at a time, for every byte value at every place. */
TEST(inner_loops)
{
    unsigned char bytes[160];
    for (size_t length = 0; length < 40; length++)
        for (int stop = 0; stop < 256; stop++) {
            memset(bytes, '7', sizeof bytes);
            bytes[length] = (unsigned char)stop;
            memset(bytes + length + 1, length % 2 != 0 ? 0xff : 0, 60);
            uint64_t value = 0, wanted = 0;
            size_t digits = length + ns_is_digit((unsigned char)stop), run = 0;
            for (size_t i = 0; i < digits && i < 18; i++)
                wanted = 10 * wanted + (uint64_t)(bytes[i] - '0');
            size_t found = ns_digits(bytes, &value);
            while (strchr("0123456789+-.eEdD", bytes[run]) != NULL && bytes[run] != '\0')
                run++;
            if (found != (digits < 19 ? digits : 19) || (found > 0 && found < 19 && value != wanted) ||
                ns_number_run(bytes) != run)
                ck_abort_msg("byte %d after %zu digits", stop, length);
        }
}

TEST_TIMEOUT(300)
