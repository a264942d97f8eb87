/* test_nsp_damage.c -- .nsp files with damage of every kind: refused, by the section that failed */
#include <zlib.h>

#include "api/library.h"
#include "matrix/nsp/nsp.h"
#include "matrix/open.h"
#include "support/cli.h"
#include "support/good_matrix.h"
#include "support/shared.h"
#include "support/slow_matrix.h"
#include "support/test.h"

static void save_or_die(ns_matrix *matrix, const char *path)
{
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_matrix_save(matrix, path, 0, &err) == NS_OK, "%s: %s", path, err.text);
}

/* Open and scan; the error's text, or NULL when all went well. */
static const char *read_bytes(const unsigned char *bytes, size_t size, entry_list *list)
{
    static ns_error err;
    ns_matrix *matrix = ns_calloc(1, sizeof *matrix);
    ck_assert_ptr_nonnull(matrix);
    err = (ns_error){.code = NS_OK};
    list->count = 0;
    ns_status status = ns_nsp_open("bytes.nsp", bytes, size, matrix, &err);
    if (status == NS_OK)
        status = ns_matrix_scan(matrix, entry_list_receive, list, &err);
    ns_matrix_free(matrix);
    ck_assert((status == NS_OK) == (err.code == NS_OK));
    return status == NS_OK ? NULL : err.text;
}

/* A small file of three blocks' worth of everything: repeats, gaps, a name. */
static unsigned char *small_file(size_t *size)
{
    static const char text[] =
        "%%MatrixMarket matrix coordinate integer general\n3 3 6\n2 2 1\n2 2 1\n1 3 1\n2 2 0\n3 1 5\n1 3 0\n";
    const char *saved = scratch_file("small.nsp", "", 0);
    ns_matrix *matrix = open_good(scratch_file("small.mtx", text, strlen(text)));
    save_or_die(matrix, saved);
    ns_matrix_free(matrix);
    return (unsigned char *)slow_bytes(saved, size);
}

/* Each of the eight bits of each byte turned over: always refused, by the section that the byte is in. */
TEST(test_every_bit)
{
    size_t size;
    entry_list list = {.at = NULL};
    unsigned char *bytes = small_file(&size);
    ck_assert_ptr_null(read_bytes(bytes, size, &list));
    const size_t name = ns_get_le(bytes + 64, 4), index = ns_get_le(bytes + 48, 8);
    ck_assert_uint_eq(name, 5);
    for (size_t at = 8; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            const char *section = at < NS_NSP_HEADER          ? "header"
                                  : at < NS_NSP_HEADER + name ? "index"
                                  : at < index                ? "block 1"
                                                              : "index";
            bytes[at] ^= (unsigned char)(1 << bit);
            const char *text = read_bytes(bytes, size, &list);
            ck_assert_msg(text != NULL && strstr(text, section) != NULL, "byte %zu, bit %d: %s, wanted %s", at, bit,
                          text != NULL ? text : "accepted", section);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    entry_list_free(&list);
    ns_free(bytes);
}

/* Without the magic it is no .nsp at all. */
TEST(test_magic)
{
    size_t size;
    unsigned char *bytes = small_file(&size);
    for (int at = 0; at < 8; at++) {
        ns_matrix *matrix;
        ns_error err = {.code = NS_OK};
        bytes[at] ^= 1;
        ck_assert_int_ne(ns_matrix_open(scratch_file("m.nsp", bytes, size), &matrix, &err), NS_OK);
        ck_assert_str_ne(err.text, "");
        bytes[at] ^= 1;
    }
    ns_free(bytes);
}

TEST(test_truncated)
{
    size_t size;
    entry_list list = {.at = NULL};
    unsigned char *bytes = small_file(&size), *longer = ns_calloc(1, size + 50);
    ck_assert_ptr_nonnull(longer);
    for (size_t cut = 0; cut < size; cut++)
        ck_assert_ptr_nonnull(read_bytes(bytes, cut, &list));
    for (size_t cut = 8; cut < size; cut += 7) { /* from a file */
        ns_matrix *matrix;
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(ns_matrix_open(scratch_file("cut.nsp", bytes, cut), &matrix, &err), NS_ERR_DATA);
        ck_assert_msg(strstr(err.text, "damaged .nsp file") != NULL, "%s", err.text);
    }
    memcpy(longer, bytes, size);
    const char *text = read_bytes(longer, size + 40, &list);
    ck_assert(text != NULL && strstr(text, "its header says") != NULL);
    entry_list_free(&list);
    ns_free(longer);
    ns_free(bytes);
}

/* Cut short by another program between two passes, at any place: a mapped file would end this one by a signal. */
TEST(test_shortened_meanwhile)
{
    size_t size;
    unsigned char *bytes = small_file(&size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 50) {
        ns_matrix *matrix;
        entry_list list = {.at = NULL};
        ns_error err = {.code = NS_OK};
        const char *path = scratch_file("shortened.nsp", bytes, size);
        ck_assert_int_eq(ns_matrix_open(path, &matrix, &err), NS_OK);
        ck_assert_int_eq(ns_matrix_scan(matrix, entry_list_receive, &list, &err), NS_OK);
        ck_assert_int_eq(truncate(path, (off_t)cut), 0);
        const ns_status status = ns_matrix_scan(matrix, entry_list_receive, &list, &err);
        ck_assert(status == NS_OK || status == NS_ERR_FILE); /* the blocks before the cut may be all there are */
        ck_assert_msg(status == NS_OK || strstr(err.text, "has become shorter") != NULL, "%s", err.text);
        ck_assert(status != NS_OK || cut > 96);
        entry_list_free(&list);
        ns_matrix_free(matrix);
    }
    ns_free(bytes);
}

/* A field of the header changed and its sum made right again. */
static const struct {
    int at, bytes;
    uint64_t value;
    const char *words;
} forged[] = {
    {8, 4, 2, ".nsp version 2; this program reads version 1"},
    {8, 4, 0, ".nsp version 0; this program reads version 1"},
    {12, 4, 16, "header"},         /* a flag of the future */
    {12, 4, 4, NULL},              /* a triangle of a square matrix: other entries, still sound or refused */
    {16, 8, UINT64_MAX, "header"}, /* rows */
    {16, 8, 1, "block 1"},         /* fewer rows than the entries use */
    {24, 8, UINT64_MAX, "header"}, /* cols */
    {24, 8, 2, "block 1"},
    {32, 8, 5, "index"}, /* entries */
    {32, 8, 7, "index"},
    {32, 8, UINT64_MAX, "header"},
    {32, 8, INT64_MAX, "header"},
    {40, 8, 0, "header"}, /* blocks */
    {40, 8, 2, "header"},
    {40, 8, UINT64_MAX / 40, "header"},
    {48, 8, 0, "header"}, /* offset of the index */
    {48, 8, UINT64_MAX, "header"},
    {56, 8, 1, "its header says 1"}, /* size */
    {64, 4, 0xffffffff, "header"},   /* length of the name */
    {64, 4, 4096, "header"},
    {64, 4, 0, "index"},
};

TEST_EACH(test_forged_header, sizeof forged / sizeof *forged)
{
    size_t size;
    entry_list list = {.at = NULL};
    unsigned char *bytes = small_file(&size);
    ns_put_le(bytes + forged[_i].at, forged[_i].value, forged[_i].bytes);
    ns_put_le(bytes + 92, crc32(0, bytes, 92), 4);
    const char *text = read_bytes(bytes, size, &list);
    if (forged[_i].words != NULL)
        ck_assert_msg(text != NULL && strstr(text, forged[_i].words) != NULL, "%s", text != NULL ? text : "accepted");
    entry_list_free(&list);
    ns_free(bytes);
}

/* The block's line of the index changed, and every sum made right again. */
static const struct {
    int at, bytes;
    uint64_t value;
    const char *section;
} forged_index[] = {
    {0, 8, 0, "index"}, /* offset */
    {0, 8, UINT64_MAX, "index"},
    {8, 8, 3, "block 1"}, /* row before */
    {8, 8, INT64_MAX, "block 1"},
    {8, 8, (uint64_t)INT64_MIN, "block 1"},
    {16, 8, 7, "index"}, /* entries */
    {16, 8, UINT64_MAX, "index"},
    {24, 4, 0, "index"}, /* packed bytes */
    {24, 4, 0xffffffff, "index"},
    {28, 4, 0, "block 1"}, /* raw bytes */
    {28, 4, 9, "block 1"},
    {28, 4, 0xffffffff, "index"}, /* would be 4 GB from some bytes: more than deflate can */
};

TEST_EACH(test_forged_index, sizeof forged_index / sizeof *forged_index)
{
    size_t size;
    entry_list list = {.at = NULL};
    unsigned char *bytes = small_file(&size);
    const size_t name = ns_get_le(bytes + 64, 4), index = ns_get_le(bytes + 48, 8);
    ck_assert_uint_eq(size - index, NS_NSP_INDEX); /* one block */
    ns_put_le(bytes + index + forged_index[_i].at, forged_index[_i].value, forged_index[_i].bytes);
    ns_put_le(bytes + 68, crc32(crc32(0, bytes + NS_NSP_HEADER, (uInt)name), bytes + index, NS_NSP_INDEX), 4);
    ns_put_le(bytes + 92, crc32(0, bytes, 92), 4);
    const char *text = read_bytes(bytes, size, &list);
    ck_assert_msg(text != NULL && strstr(text, forged_index[_i].section) != NULL, "%s",
                  text != NULL ? text : "accepted");
    entry_list_free(&list);
    ns_free(bytes);
}

/* A block with these raw bytes in a 3 x 3 matrix, every sum right: only what the bytes say is wrong. */
static const struct {
    const char *raw;
    size_t size;
    uint64_t entries;
    bool sound;
} blocks[] = {
    {"\1\0\0", 3, 1, true},     /* row 0, one entry, column 0 */
    {"\3\2\0\1\1", 5, 3, true}, /* row 2: 0, 1, 2 */
    {"\0\0\0", 3, 1, false},    /* the row before again */
    {"\4\0\0", 3, 1, false},    /* row 3 */
    {"\1\0\6", 3, 1, false},    /* column 3 */
    {"\1\0\1", 3, 1, false},    /* column -1 */
    {"\1\1\4\1", 4, 2, false},  /* columns 2, 3 */
    {"\1\1\0", 3, 2, false},    /* the second column is missing */
    {"\1\0", 2, 1, false},
    {"\1", 1, 1, false},
    {"\1\0\0", 3, 2, false},                                          /* fewer entries than promised */
    {"\1\1\0\1", 4, 1, false},                                        /* more */
    {"\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0", 12, 1, false},     /* 2^64 entries */
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0", 12, 1, false},     /* row 2^64 */
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0", 13, 1, false}, /* a number of more than 64 bits */
    {"\1\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 12, 1, false},
    {"\1\1\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 13, 2, false},
};

TEST_EACH(test_forged_block, sizeof blocks / sizeof *blocks)
{
    unsigned char file[400] = {0}, *packed = file + NS_NSP_HEADER;
    entry_list list = {.at = NULL};
    uLongf size = 200;
    ck_assert_int_eq(compress2(packed, &size, (const unsigned char *)blocks[_i].raw, blocks[_i].size, 9), Z_OK);
    unsigned char *index = packed + size;
    ns_put_le(index, NS_NSP_HEADER, 8);
    ns_put_le(index + 8, UINT64_MAX, 8); /* -1 */
    ns_put_le(index + 16, blocks[_i].entries, 8);
    ns_put_le(index + 24, size, 4);
    ns_put_le(index + 28, blocks[_i].size, 4);
    ns_put_le(index + 32, crc32(0, packed, (uInt)size), 4);
    memcpy(file, ns_nsp_magic, 8);
    ns_put_le(file + 8, NS_NSP_VERSION, 4);
    ns_put_le(file + 16, 3, 8);
    ns_put_le(file + 24, 3, 8);
    ns_put_le(file + 32, blocks[_i].entries, 8);
    ns_put_le(file + 40, 1, 8);
    ns_put_le(file + 48, NS_NSP_HEADER + size, 8);
    ns_put_le(file + 56, NS_NSP_HEADER + size + NS_NSP_INDEX, 8);
    ns_put_le(file + 68, crc32(0, index, NS_NSP_INDEX), 4);
    ns_put_le(file + 92, crc32(0, file, 92), 4);
    const char *text = read_bytes(file, NS_NSP_HEADER + size + NS_NSP_INDEX, &list);
    ck_assert_msg((text == NULL) == blocks[_i].sound, "%s", text != NULL ? text : "accepted");
    ck_assert(text == NULL ? list.count == blocks[_i].entries : strstr(text, "block 1") != NULL);
    entry_list_free(&list);
}

static ns_status stop(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)context;
    (void)entries;
    return count > 0 ? ns_fail(err, NS_ERR_LIMIT, "enough") : NS_OK;
}

TEST(test_receiver_stops)
{
    ns_error err = {.code = NS_OK};
    ns_matrix *matrix = open_good("xenon1");
    ck_assert_int_eq(ns_matrix_scan(matrix, stop, NULL, &err), NS_ERR_LIMIT);
    ck_assert_str_eq(err.text, "enough");
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
