/* test_reader.c -- good matrix files: every file of the data folder, every format by hand, every kind of line
 *
 * Counts come from the data folder's manifest, entries from a second reader (support/slow_matrix.c) or from the rows
 * below, worked out by hand from the format's definition.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix/market.h"
#include "matrix/token.h"
#include "support/shared.h"
#include "support/slow_matrix.h"

static void must(ns_status status, const ns_error *err)
{
    char text[1024];
    ck_assert_msg(status == NS_OK, "%s", ns_error_format(err, text, sizeof text));
}

static ns_matrix *open_good(const char *path)
{
    ns_matrix *matrix = NULL;
    ns_error err = {.code = NS_OK};
    must(ns_matrix_open(path, &matrix, &err), &err);
    return matrix;
}

static entry_list scan_good(ns_matrix *matrix)
{
    entry_list list = {.at = NULL};
    ns_error err = {.code = NS_OK};
    must(ns_matrix_scan(matrix, entry_list_receive, &list, &err), &err);
    return list;
}

static void same_entries(const entry_list *found, const ns_entry *wanted, size_t count, const char *what)
{
    ck_assert_msg(found->count == count, "%s: %zu entries, wanted %zu", what, found->count, count);
    for (size_t i = 0; i < count; i++) /* an assertion that holds is not free: it tells the parent so */
        if (found->at[i].row != wanted[i].row || found->at[i].col != wanted[i].col)
            ck_abort_msg("%s: entry %zu is (%lld, %lld), wanted (%lld, %lld)", what, i, (long long)found->at[i].row,
                         (long long)found->at[i].col, (long long)wanted[i].row, (long long)wanted[i].col);
}

/* Twice through the library, once through the slow reader. */
static void compare_with_slow_reader(const char *path)
{
    slow_matrix slow;
    slow_matrix_read(path, &slow);
    ns_matrix *matrix = open_good(path);
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ck_assert_msg(info->rows == slow.rows && info->cols == slow.cols && info->stored == slow.stored, "%s", path);
    for (int pass = 0; pass < 2; pass++) {
        entry_list list = scan_good(matrix);
        same_entries(&list, slow.entries.at, slow.entries.count, path);
        entry_list_free(&list);
    }
    entry_list_free(&slow.entries);
    ns_matrix_free(matrix);
}

/* ---- the manifest ------------------------------------------------------------------------------------------------ */

/* Field `number` of a CSV line, quotes respected. */
static const char *csv_field(const char *line, int number, char *field, size_t size)
{
    bool quoted = false;
    size_t used = 0;
    for (; *line != '\0' && (quoted || *line != '\n'); line++) {
        if (*line == '"')
            quoted = !quoted;
        else if (*line == ',' && !quoted) {
            if (number-- == 0)
                break;
        } else if (number == 0 && used + 1 < size)
            field[used++] = *line;
    }
    field[used] = '\0';
    return field;
}

static int64_t csv_number(const char *line, int number)
{
    char field[64];
    return strtoll(csv_field(line, number, field, sizeof field), NULL, 10);
}

static ns_status count_receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)entries, (void)err;
    *(int64_t *)context += (int64_t)count;
    return NS_OK;
}

static void check_manifest_line(const char *line)
{
    enum { FILE_NAME = 0, ROWS = 3, COLS = 4, STORED = 5, EXPANDED = 6, RAW_BYTES = 14 };
    char name[128], relative[256], path[512];
    csv_field(line, FILE_NAME, name, sizeof name);
    snprintf(relative, sizeof relative, "data/matrices/%s", name);
    ck_assert(shared_path("manifest", relative, path, sizeof path));
    ns_matrix *matrix = open_good(path);
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ck_assert_msg(info->rows == csv_number(line, ROWS) && info->cols == csv_number(line, COLS), "%s", name);
    ck_assert_msg(info->stored == csv_number(line, STORED), "%s", name);
    ck_assert_int_eq(info->source, NS_FROM_FILE);
    ck_assert_msg(strncmp(name, info->name, strlen(info->name)) == 0 && strpbrk(info->name, "./") == NULL, "%s", info->name);
    ns_error err = {.code = NS_OK};
    int64_t count = 0;
    must(ns_matrix_scan(matrix, count_receive, &count, &err), &err);
    ck_assert_msg(count == csv_number(line, EXPANDED), "%s", name);
    ns_matrix_free(matrix);
    if (csv_number(line, RAW_BYTES) < 3000000)
        compare_with_slow_reader(path);
}

START_TEST(every_file_of_the_manifest)
{
    char path[512], line[4096];
    int files = 0;
    if (!shared_path("every_file_of_the_manifest", "data/matrices/MANIFEST.csv", path, sizeof path))
        return;
    FILE *manifest = fopen(path, "r");
    ck_assert_ptr_nonnull(manifest);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, manifest));
    for (; fgets(line, sizeof line, manifest) != NULL; files++)
        check_manifest_line(line);
    fclose(manifest);
    ck_assert_int_ge(files, 40);
}
END_TEST

/* ---- the small files --------------------------------------------------------------------------------------------- */

/* Files there that are no Matrix Market, and what is said. */
static const struct {
    const char *ending, *words;
} refused[] = {
    {".bz2", "bzip2"}, {".rsa", "Harwell-Boeing"}, {".rua", "Harwell-Boeing"},
    {"WeightedMtxExample.mtx", "unknown object \"weightedmatrix\""},
};

static bool ends_with(const char *text, const char *ending)
{
    size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcmp(text + a - b, ending) == 0;
}

static void check_small_file(const char *path)
{
    if (ends_with(path, ".csv") || ends_with(path, ".md"))
        return;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (ends_with(path, refused[i].ending)) {
            ns_matrix *matrix;
            ns_error err = {.code = NS_OK};
            ck_assert_msg(ns_matrix_open(path, &matrix, &err) != NS_OK, "%s", path);
            ck_assert_msg(strstr(err.text, refused[i].words) != NULL, "%s: %s", path, err.text);
            return;
        }
    compare_with_slow_reader(path);
}

START_TEST(every_small_file)
{
    char path[512];
    if (!shared_path("every_small_file", "data/matrices/small", path, sizeof path))
        return;
    ck_assert_int_ge(shared_walk(path, check_small_file), 200);
}
END_TEST

/* ---- every format by hand ---------------------------------------------------------------------------------------- */

static const struct {
    const char *banner, *rest, *entries; /* entries: zero-based, in the order of delivery */
} by_hand[] = {
    {"coordinate real general", "2 3 3\n2 1 1.5\n1 3 -2e-3\n2 1 0\n", "1,0 0,2 1,0"},
    {"coordinate integer general", "1 1 2\n1 1 7\n1 1 7\n", "0,0 0,0"},
    {"coordinate complex general", "2 2 1\n2 2 1 -1\n", "1,1"},
    {"coordinate pattern general", "3 2 2\n3 1\n1 2\n", "2,0 0,1"},
    {"coordinate real symmetric", "3 3 3\n1 1 1\n3 1 2\n2 3 4\n", "0,0 2,0 0,2 1,2 2,1"},
    {"coordinate pattern symmetric", "2 2 2\n2 1\n2 2\n", "1,0 0,1 1,1"},
    {"coordinate complex symmetric", "2 2 1\n2 1 1 2\n", "1,0 0,1"},
    {"coordinate integer skew-symmetric", "3 3 2\n3 2 5\n2 2 0\n", "2,1 1,2 1,1"},
    {"coordinate complex hermitian", "2 2 2\n1 1 3 0\n2 1 1 2\n", "0,0 1,0 0,1"},
    {"coordinate real hermitian", "2 2 1\n2 1 1\n", "1,0 0,1"},
    {"array real general", "2 2\n1\n0\n3\n4\n", "0,0 1,0 0,1 1,1"},
    {"array complex general", "1 2\n1 2\n3 4\n", "0,0 0,1"},
    {"array integer symmetric", "3 3\n1\n2\n3\n4\n5\n6\n", "0,0 1,0 0,1 2,0 0,2 1,1 2,1 1,2 2,2"},
    {"array real skew-symmetric", "3 3\n1\n2\n3\n", "1,0 0,1 2,0 0,2 2,1 1,2"},
    {"array real skew-symmetric", "1 1\n", ""},
    {"array complex hermitian", "2 2\n1 0\n2 1\n3 0\n", "0,0 1,0 0,1 1,1"},
    {"array real general", "0 3\n", ""},
    {"coordinate real general", "0 0 0\n", ""},
    /* beyond the letter of the format */
    {"coordinate DOUBLE General", "1 1 1\n1 1 1.D+00\n", "0,0"},
    {"coordinate unsigned-integer general", "1 1 1\n1 1 18446744073709551615\n", "0,0"},
    {"coordinate real general and more words", "1 1 1\n+1 01 +.5\n", "0,0"},
    {"coordinate real general", "1 4 4\n1 1 inf\n1 2 -Infinity\n1 3 NaN\n1 4 -.5E-310\n", "0,0 0,1 0,2 0,3"},
    {"coordinate real general", "  \t 2 2  1\t\n%\n\n   2 \t 1  \t 3.0  \n   \n%end", "1,0"},
    {"coordinate pattern general", "2 2 2\n1 1 1\n2 2\n", "0,0 1,1"},
    {"coordinate real general", "1234567890 1 2\n1234567890 1 1\n123456789 1 1", "1234567889,0 123456788,0"},
    {"coordinate real general", "9223372036854775807 1 1\n9223372036854775807 1 1", "9223372036854775806,0"},
};

static size_t parse_entries(const char *text, ns_entry *entries)
{
    size_t count = 0;
    for (int used; sscanf(text, "%" SCNd64 ",%" SCNd64 "%n", &entries[count].row, &entries[count].col, &used) == 2; count++)
        text += used;
    return count;
}

static void check_text(const char *text, const ns_entry *wanted, size_t count)
{
    const char *path = scratch_file("by-hand.mtx", text, strlen(text));
    ns_matrix *matrix = open_good(path);
    ck_assert_str_eq(ns_matrix_describe(matrix)->name, "by-hand");
    entry_list list = scan_good(matrix);
    same_entries(&list, wanted, count, text);
    entry_list_free(&list);
    ns_matrix_free(matrix);
}

START_TEST(each_format_by_hand)
{
    ns_entry wanted[16];
    char text[512];
    size_t count = parse_entries(by_hand[_i].entries, wanted);
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix %s\n%% comment\n%s", by_hand[_i].banner, by_hand[_i].rest);
    check_text(text, wanted, count);
}
END_TEST

START_TEST(banners_beyond_the_letter)
{
    static const char *const banners[] = {
        "%MatrixMarket matrix coordinate real general\n", " \t%%MatrixMarket matrix coordinate real general\n",
        "\n\r\n\n%%MATRIXMARKET   MATRIX\tCoordinate Real GENERAL \n", "\xef\xbb\xbf%%matrixmarket matrix coordinate real general\n",
        "%%MatrixMarket matrix coordinate real general\r%%GraphBLAS type double\r",
    };
    const ns_entry wanted[] = {{1, 2}};
    char text[256];
    for (size_t i = 0; i < sizeof banners / sizeof *banners; i++) {
        snprintf(text, sizeof text, "%s3 3 1\n2 3 1.0\n", banners[i]);
        check_text(text, wanted, 1);
    }
    check_text("%%MatrixMarket vector coordinate real general\n4 1\n3 1.0", &(ns_entry){2, 0}, 1);
    check_text("%%MatrixMarket vector array complex general\n1\n3 1.0", &(ns_entry){0, 0}, 1);
}
END_TEST

/* ---- many lines of every make: pieces, line ends, threads -------------------------------------------------------- */

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
    static const char *const values[] = {"1", "-2.718281828459045e+00", "+.5", "NaN", "3.D-10", "-inf", "0", "12345.678"};
    text t = {.at = malloc(MANY * 64 + 256), .wanted = malloc(MANY * sizeof *t.wanted), .count = MANY};
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
    free(t->at);
    free(t->wanted);
}

START_TEST(line_ends_and_blanks_change_nothing)
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
END_TEST

/* A comment as long as a line may be, and one byte more, right before the entries. */
START_TEST(longest_line)
{
    static const char head[] = "%%MatrixMarket matrix coordinate pattern general\n";
    static const char tail[] = "\n2 2 1\n2 1\n";
    for (int beyond = 0; beyond < 2; beyond++) {
        size_t size = sizeof head - 1 + NS_PIECE - 1 + (size_t)beyond + sizeof tail - 1;
        char *bytes = malloc(size);
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
        free(bytes);
    }
}
END_TEST

static ns_status scan_with(const char *path, int workers, entry_list *list, ns_error *err)
{
    ns_lines lines;
    ns_market market;
    ns_market_start start;
    long member = -1;
    unsigned char *bytes = malloc(NS_PIECE_ROOM);
    ck_assert_ptr_nonnull(bytes);
    must(ns_lines_open(path, &member, &lines, err), err);
    must(ns_market_header(&lines, bytes, &market, &start, err), err);
    ns_lines_close(&lines);
    free(bytes);
    return ns_market_scan(path, &member, &market, workers, entry_list_receive, list, err);
}

/* Entries, and what is said of a bad line far into the file, are the same with any number of threads. */
START_TEST(threads_change_nothing)
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
END_TEST

/* ---- the receiver, the inner loops ------------------------------------------------------------------------------- */

static ns_status stop_at_second(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)entries, (void)count;
    return ++*(int *)context < 2 ? NS_OK : ns_fail(err, NS_ERR_LIMIT, "enough");
}

START_TEST(receiver_ends_the_scan)
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
END_TEST

/* Runs of digits and number characters against one byte at a time, for every byte value at every place. */
START_TEST(inner_loops)
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
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("reader");
    TCase *t = tcase_create("files");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, every_file_of_the_manifest);
    tcase_add_test(t, every_small_file);
    tcase_add_loop_test(t, each_format_by_hand, 0, (int)(sizeof by_hand / sizeof *by_hand));
    tcase_add_test(t, banners_beyond_the_letter);
    tcase_add_loop_test(t, line_ends_and_blanks_change_nothing, 0, 12);
    tcase_add_test(t, longest_line);
    tcase_add_test(t, threads_change_nothing);
    tcase_add_test(t, receiver_ends_the_scan);
    tcase_add_test(t, inner_loops);
    suite_add_tcase(s, t);
    return s;
}
