/* test_reader.c -- good matrix files: every file of the data folder, every format by hand
 *
 * Counts come from the data folder's manifest, entries from a second reader (support/slow_matrix.c) or from the rows
 * below, worked out by hand from the format's definition.
 */
#include <inttypes.h>

#include "support/good_matrix.h"
#include "support/shared.h"
#include "support/test.h"

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

/* ---- the manifest ---------------------------------------------------------------------------------------------- */

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
    ck_assert_msg(strncmp(name, info->name, strlen(info->name)) == 0 && strpbrk(info->name, "./") == NULL, "%s",
                  info->name);
    ns_error err = {.code = NS_OK};
    int64_t count = 0;
    must(ns_matrix_scan(matrix, count_entries, &count, &err), &err);
    ck_assert_msg(count == csv_number(line, EXPANDED), "%s", name);
    ns_matrix_free(matrix);
    if (csv_number(line, RAW_BYTES) < 3000000)
        compare_with_slow_reader(path);
}

TEST(every_file_of_the_manifest)
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

/* ---- the small files ------------------------------------------------------------------------------------------- */

/* Files there that are no Matrix Market, and what is said. */
static const struct {
    const char *ending, *words;
} refused[] = {
    {".bz2", "bzip2"},
    {".rsa", "Harwell-Boeing"},
    {".rua", "Harwell-Boeing"},
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

TEST(every_small_file)
{
    char path[512];
    if (!shared_path("every_small_file", "data/matrices/small", path, sizeof path))
        return;
    ck_assert_int_ge(shared_walk(path, check_small_file), 200);
}

/* ---- every format by hand -------------------------------------------------------------------------------------- */

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
    for (int used; sscanf(text, "%" SCNd64 ",%" SCNd64 "%n", &entries[count].row, &entries[count].col, &used) == 2;
         count++)
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

TEST_EACH(each_format_by_hand, (int)(sizeof by_hand / sizeof *by_hand))
{
    ns_entry wanted[16];
    char text[512];
    size_t count = parse_entries(by_hand[_i].entries, wanted);
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix %s\n%% comment\n%s", by_hand[_i].banner, by_hand[_i].rest);
    check_text(text, wanted, count);
}

TEST(banners_beyond_the_letter)
{
    static const char *const banners[] = {
        "%MatrixMarket matrix coordinate real general\n",
        " \t%%MatrixMarket matrix coordinate real general\n",
        "\n\r\n\n%%MATRIXMARKET   MATRIX\tCoordinate Real GENERAL \n",
        "\xef\xbb\xbf%%matrixmarket matrix coordinate real general\n",
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

TEST_TIMEOUT(300)
