/* test_archive.c -- matrices inside tar archives: which file is taken, and what is said of the rest
 *
 * The archives are written here, from the header layout of POSIX.1-1988 (ustar), GNU tar and pax.
 */

#include <nsmodel/matrix.h>

#include "support/shared.h"
#include "support/slow_matrix.h"
#include "support/test.h"

enum { BLOCK = 512, ROOM = 1 << 16 };

typedef struct archive {
    unsigned char bytes[ROOM];
    size_t size;
} archive;

/* Each member holds an n x n matrix with one entry, so that n says which was read. */
static size_t matrix_text(char *text, size_t size, int n)
{
    return (size_t)snprintf(text, size, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d 1\n%d 1\n", n, n, n);
}

static void header(archive *a, const char *name, size_t size, char kind, const char *magic)
{
    unsigned char *h = a->bytes + a->size;
    unsigned sum = 0;
    memset(h, 0, BLOCK);
    snprintf((char *)h, 100, "%s", name);
    snprintf((char *)h + 100, 8, "0000644");
    snprintf((char *)h + 124, 12, "%011zo", size);
    memset(h + 148, ' ', 8);
    h[156] = (unsigned char)kind;
    memcpy(h + 257, magic, 8);
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    a->size += BLOCK;
}

static void add(archive *a, const char *name, const char *data, size_t size, char kind)
{
    header(a, name, size, kind, kind == 'L' ? "ustar  " : "ustar\00000");
    memset(a->bytes + a->size, 0, (size + BLOCK - 1) / BLOCK * BLOCK);
    memcpy(a->bytes + a->size, data, size);
    a->size += (size + BLOCK - 1) / BLOCK * BLOCK;
}

static void add_matrix(archive *a, const char *name, int n)
{
    char text[128];
    add(a, name, text, matrix_text(text, sizeof text, n), '0');
}

static void finish(archive *a)
{
    memset(a->bytes + a->size, 0, 2 * BLOCK);
    a->size += 2 * BLOCK;
}

static ns_status read_rows(const char *path, int64_t *rows, ns_error *err)
{
    ns_matrix *matrix;
    entry_list list = {.at = NULL};
    *err = (ns_error){.code = NS_OK};
    ns_status status = ns_matrix_open(path, &matrix, err);
    if (status != NS_OK)
        return status;
    *rows = ns_matrix_describe(matrix)->rows;
    for (int pass = 0; pass < 2 && status == NS_OK; pass++) {
        list.count = 0;
        status = ns_matrix_scan(matrix, entry_list_receive, &list, err);
        ck_assert(status != NS_OK || (list.count == 1 && list.at[0].row == *rows - 1));
    }
    entry_list_free(&list);
    ns_matrix_free(matrix);
    return status;
}

/* Members get 1, 2, 3, ... rows in their order. */
static const struct {
    const char *archive, *member[4];
    int taken;         /* from 1; 0: refused */
    const char *words; /* of the refusal */
} choices[] = {
    {"audikw_1.tar.gz", {"audikw_1/audikw_1.mtx"}, 1, NULL},
    {"audikw_1.tar.gz", {"audikw_1/audikw_1_b.mtx", "audikw_1/audikw_1.mtx", "audikw_1/notes.txt"}, 2, NULL},
    {"audikw_1.tar", {"audikw_1/audikw_1_x.mtx", "audikw_1/audikw_1.mtx"}, 2, NULL},
    {"renamed.tgz", {"a/a_b.mtx", "a/a_nodename.txt", "a/a.mtx"}, 3, NULL},
    {"renamed.tar.gz", {"./deep/a/a_b.mtx", "./deep/a/a.mtx"}, 2, NULL},
    {"one.tar.gz", {"x.mtx", "one.mtx"}, 2, NULL},
    {"any.tar.gz", {"readme.txt", "only.mtx"}, 2, NULL},
    {"any.tar.gz", {"a/a.mtx", "b/b.mtx"}, 0, "2 matrices in the archive, wanted one: \"a/a.mtx\", \"b/b.mtx\""},
    {"any.tar.gz",
     {"p.mtx", "q.mtx", "r.mtx"},
     0,
     "3 matrices in the archive, wanted one: \"p.mtx\", \"q.mtx\", \"r.mtx\""},
    {"any.tar.gz", {"readme.txt", "a/a.rb"}, 0, "no .mtx file in the archive"},
    {"b.tar.gz", {"a/a.mtx", "b/b.mtx"}, 2, NULL},
};

TEST_EACH(the_right_member, (int)(sizeof choices / sizeof *choices))
{
    static archive a;
    ns_error err;
    int64_t rows = 0;
    a.size = 0;
    for (int i = 0; i < 4 && choices[_i].member[i] != NULL; i++)
        add_matrix(&a, choices[_i].member[i], i + 1);
    finish(&a);
    bool packed = strstr(choices[_i].archive, "gz") != NULL;
    const char *path = packed ? scratch_gzip(choices[_i].archive, a.bytes, a.size)
                              : scratch_file(choices[_i].archive, a.bytes, a.size);
    ns_status status = read_rows(path, &rows, &err);
    if (choices[_i].taken > 0) {
        ck_assert_msg(status == NS_OK, "%s", err.text);
        ck_assert_int_eq(rows, choices[_i].taken);
    } else {
        ck_assert_int_ne(status, NS_OK);
        ck_assert_str_eq(err.text, choices[_i].words);
        ck_assert_str_eq(err.file, path);
    }
}

TEST(long_names)
{
    static archive a;
    char folder[160], name[400], record[512], text[128];
    size_t size = matrix_text(text, sizeof text, 7);
    ns_error err;
    int64_t rows;
    memset(folder, 'm', sizeof folder - 1);
    folder[sizeof folder - 1] = '\0';
    snprintf(name, sizeof name, "%s/%s.mtx", folder, folder);
    a.size = 0;
    add(&a, "folder/", "", 0, '5');
    add_matrix(&a, "x_b.mtx", 1);
    add(&a, "././@LongLink", name, strlen(name) + 1, 'L');
    add(&a, folder, text, size, '0');
    finish(&a);
    ck_assert_msg(read_rows(scratch_gzip("gnu.tar.gz", a.bytes, a.size), &rows, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(rows, 7);
    a.size = 0;
    int length = snprintf(record, sizeof record, "%zu path=%s\n", strlen(name) + 10, name);
    length += snprintf(record + length, sizeof record - (size_t)length, "12 size=%03zu\n", size);
    add_matrix(&a, "x_b.mtx", 1);
    add(&a, "PaxHeaders/x", record, (size_t)length, 'x');
    add(&a, "short.txt", text, size, '0');
    finish(&a);
    ck_assert_msg(read_rows(scratch_gzip("pax.tar.gz", a.bytes, a.size), &rows, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(rows, 7);
}

static void expect(const char *path, const char *words)
{
    int64_t rows;
    ns_error err;
    ck_assert_int_ne(read_rows(path, &rows, &err), NS_OK);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s, wanted %s", err.text, words);
    ck_assert_str_eq(err.file, path);
}

TEST(damaged_archives)
{
    static archive a;
    a.size = 0;
    add_matrix(&a, "x/x_b.mtx", 1);
    add_matrix(&a, "x/x.mtx", 2);
    add_matrix(&a, "x/x_c.mtx", 3);
    finish(&a);
    expect(scratch_file("x.tar", a.bytes, 2 * BLOCK + 200), "truncated tar archive");
    expect(scratch_file("x.tar", a.bytes, 3 * BLOCK + 20), "the matrix inside is cut off");
    expect(scratch_file("x.tar", a.bytes, BLOCK + 20), "truncated tar archive");
    a.bytes[2 * BLOCK + 3] ^= 1;
    expect(scratch_file("x.tar", a.bytes, a.size), "damaged tar archive");
    a.bytes[2 * BLOCK + 3] ^= 1;
    const char *packed = scratch_gzip("x.tar.gz", a.bytes, a.size);
    static unsigned char bytes[ROOM];
    FILE *file = fopen(packed, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    bytes[size - 6] ^= 4; /* the sum of the whole archive, behind the matrix */
    expect(scratch_file("x.tar.gz", bytes, size), "incorrect data check");
    bytes[size - 6] ^= 4;
    expect(scratch_file("x.tar.gz", bytes, size - 1), "truncated gzip data");
}

TEST_TIMEOUT(300)
