/* test_nsp.c -- .nsp files: the same entries after a round trip, sizes, and damage of every kind refused */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <nsmodel/nsmodel.h>

#include "matrix/nsp.h"
#include "matrix/open.h"
#include "support/cli.h"
#include "support/shared.h"
#include "support/slow_matrix.h"

static ns_matrix *open_or_die(const char *path)
{
    ns_matrix *matrix;
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s: %s", path, err.text);
    return matrix;
}

/* A multiset of entries: their number and two sums of scrambled positions, since an .nsp delivers them in another
 * order. */
typedef struct tally {
    uint64_t count, sum[2];
} tally;

static uint64_t scramble(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static ns_status add_entries(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    tally *t = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        const uint64_t row = scramble((uint64_t)entries[i].row + 1), position = row + (uint64_t)entries[i].col;
        t->sum[0] += scramble(position);
        t->sum[1] += scramble(position ^ 0x9e3779b97f4a7c15u);
    }
    t->count += count;
    return NS_OK;
}

static tally tally_of(ns_matrix *matrix)
{
    tally t = {.count = 0};
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_matrix_scan(matrix, add_entries, &t, &err) == NS_OK, "%s", err.text);
    return t;
}

static void same_entries(ns_matrix *a, ns_matrix *b, const char *what)
{
    const tally x = tally_of(a), y = tally_of(b);
    ck_assert_msg(x.count == y.count, "%s: %llu and %llu entries", what, (unsigned long long)x.count,
                  (unsigned long long)y.count);
    ck_assert_msg(x.sum[0] == y.sum[0] && x.sum[1] == y.sum[1], "%s: entries differ", what);
}

static void save_or_die(ns_matrix *matrix, const char *path)
{
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_matrix_save(matrix, path, 0, &err) == NS_OK, "%s: %s", path, err.text);
}

static long size_of(const char *path)
{
    struct stat facts;
    ck_assert_int_eq(stat(path, &facts), 0);
    return (long)facts.st_size;
}

/* ---- round trips
 * ---------------------------------------------------------------------------------------------------------- */

/* Counts of both, as `nsmodel pattern` gives them, and the entries themselves. */
static void same_pattern(ns_matrix *a, ns_matrix *b, const char *what)
{
    static const ns_layout layout = {7, 2};
    ns_exchange *x[2];
    ns_netsparse_view view[2];
    int64_t nonzeros[2];
    ns_matrix *matrix[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        ns_exchange_options options = {.width = 8, .view = &view[i], .rack = 3};
        ns_error err = {.code = NS_OK};
        ck_assert_msg(ns_exchange_from_matrix(matrix[i], &layout, 1, &options, &x[i], &nonzeros[i], &err) == NS_OK,
                      "%s: %s", what, err.text);
    }
    ck_assert_msg(nonzeros[0] == nonzeros[1] && memcmp(&x[0]->pattern, &x[1]->pattern, sizeof x[0]->pattern) == 0,
                  "%s: patterns", what);
    ck_assert_msg(view[0].requests == view[1].requests && view[0].unique == view[1].unique &&
                      view[0].destinations_per_window == view[1].destinations_per_window,
                  "%s: NetSparse's view", what);
    ns_exchange_free(x[0]);
    ns_exchange_free(x[1]);
}

static int round_trips, refused_sources;
static long nsp_bytes, packed_bytes;
static int over_a_third;

static void round_trip(const char *path)
{
    ns_matrix *matrix, *again;
    if (strstr(path, "/malformed/") != NULL || ns_matrix_open(path, &matrix, NULL) != NS_OK) {
        refused_sources++; /* a .csv, a .md, a file that is no matrix */
        return;
    }
    const char *saved = scratch_file("round.nsp", "", 0);
    const ns_matrix_info *a = ns_matrix_describe(matrix);
    save_or_die(matrix, saved);
    again = open_or_die(saved);
    const ns_matrix_info *b = ns_matrix_describe(again);
    ck_assert_msg(a->rows == b->rows && a->cols == b->cols && a->symmetry == b->symmetry, "%s", path);
    ck_assert_msg(a->stored < 0 || a->stored == b->stored, "%s: stored %lld and %lld", path, (long long)a->stored,
                  (long long)b->stored);
    ck_assert_str_eq(a->name, b->name);
    ck_assert_int_eq(b->source, NS_FROM_BINARY);
    same_entries(matrix, again, path);
    if (a->rows > 0 && a->cols > 0 && size_of(path) < 1500000)
        same_pattern(matrix, again, path);
    if (strstr(path, ".gz") != NULL && strstr(path, "/small/") == NULL) {
        nsp_bytes += size_of(saved);
        packed_bytes += size_of(path);
        over_a_third += 3 * size_of(saved) > size_of(path);
    }
    round_trips++;
    ns_matrix_free(matrix);
    ns_matrix_free(again);
}

/* Every matrix of the data folder, the odd ones of small/ too.  Sizes: docs/nsp.md names the eight over a third and
 * why. */
START_TEST(test_real_matrices)
{
    char path[600];
    if (!shared_path("test_real_matrices", "data/matrices", path, sizeof path))
        return;
    shared_walk(path, round_trip);
    printf("%d round trips; %ld bytes of .nsp for %ld of .gz; %d over a third\n", round_trips, nsp_bytes, packed_bytes,
           over_a_third);
    ck_assert_int_ge(round_trips, 140);
    ck_assert(7 * nsp_bytes < packed_bytes);
    ck_assert_int_le(over_a_third, 8);
}
END_TEST

/* The matrices in the library are the collection's, entry by entry. */
START_TEST(test_embedded)
{
    static const char *const names[] = {"xenon1", "rajat01", "NotreDame_www"};
    for (size_t i = 0; i < 3; i++) {
        char path[600], relative[80];
        ns_matrix *inside = open_or_die(names[i]);
        ck_assert_int_eq(ns_matrix_describe(inside)->source, NS_FROM_BINARY);
        ck_assert_str_eq(ns_matrix_describe(inside)->name, names[i]);
        snprintf(relative, sizeof relative, "data/matrices/%s.mtx.gz", names[i]);
        if (shared_path("test_embedded", relative, path, sizeof path)) {
            ns_matrix *real = open_or_die(path);
            same_entries(inside, real, names[i]);
            ns_matrix_free(real);
        }
        ns_matrix_free(inside);
    }
}
END_TEST

static const struct {
    const char *name, *text;
    int64_t kept; /* entries in the file */
} odd[] = {
    {"empty", "%%MatrixMarket matrix coordinate pattern general\n4 5 0\n", 0},
    {"no-rows", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", 0},
    {"one", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -7\n", 1},
    {"unsorted", "%%MatrixMarket matrix coordinate pattern general\n4 9 5\n4 9\n1 2\n4 1\n1 1\n2 5\n", 5},
    {"repeats", "%%MatrixMarket matrix coordinate integer general\n3 3 6\n2 2 1\n2 2 1\n1 3 1\n2 2 0\n3 1 5\n1 3 0\n",
     6},
    {"both-halves", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 4\n3 1\n1 2\n2 2\n3 3\n", 4},
    {"skew", "%%MatrixMarket matrix array real skew-symmetric\n4 4\n1\n2\n3\n4\n5\n6\n", 6},
    {"hermitian", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 1 0\n3 1 2 1\n3 2 0 1\n", 3},
    {"array", "%%MatrixMarket matrix array real general\n3 2\n1\n0\n3\n4\n5\n6\n", 6},
    {"hypersparse",
     "%%MatrixMarket matrix coordinate pattern general\n4000000000000 9000000000000 4\n3999999999999 8999999999999\n"
     "7 1\n3999999999999 1\n1 9000000000000\n",
     4},
    {"hypersparse-symmetric",
     "%%MatrixMarket matrix coordinate pattern symmetric\n4000000000000 4000000000000 3\n"
     "4000000000000 1\n2 1\n4000000000000 4000000000000\n",
     3},
    {"widest",
     "%%MatrixMarket matrix coordinate pattern general\n2 9223372036854775807 3\n2 9223372036854775807\n1 1\n"
     "2 1\n",
     3},
};

START_TEST(test_odd)
{
    char name[80];
    snprintf(name, sizeof name, "%s.mtx", odd[_i].name);
    ns_matrix *matrix = open_or_die(scratch_file(name, odd[_i].text, strlen(odd[_i].text)));
    const char *saved = scratch_file("odd.nsp", "", 0);
    save_or_die(matrix, saved);
    ns_matrix *again = open_or_die(saved);
    ck_assert_str_eq(ns_matrix_describe(again)->name, odd[_i].name);
    ck_assert_int_eq(ns_matrix_describe(again)->stored, odd[_i].kept);
    ck_assert_int_eq(ns_matrix_describe(again)->symmetry, ns_matrix_describe(matrix)->symmetry);
    same_entries(matrix, again, odd[_i].name);
    const char *twice = scratch_file("odd2.nsp", "", 0); /* an .nsp of an .nsp: the same bytes */
    size_t sizes[2];
    save_or_die(again, twice);
    char *bytes[2] = {slow_bytes(saved, &sizes[0]), slow_bytes(twice, &sizes[1])};
    ck_assert(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
    ns_matrix_free(matrix);
    ns_matrix_free(again);
}
END_TEST

/* More than one block, rows that straddle none, a stencil's rows from the generator. */
START_TEST(test_blocks)
{
    ns_matrix *matrix = open_or_die("stencil9:700x700");
    const char *saved = scratch_file("blocks.nsp", "", 0);
    save_or_die(matrix, saved);
    ns_matrix *again = open_or_die(saved);
    size_t size;
    char *bytes = slow_bytes(saved, &size);
    ck_assert_uint_gt(ns_get_le((unsigned char *)bytes + 40, 8), 10); /* blocks */
    same_entries(matrix, again, "stencil");
    free(bytes);
    ns_matrix_free(matrix);
    ns_matrix_free(again);
}
END_TEST

/* What was saved from a surrogate says so for ever. */
START_TEST(test_surrogate_stays_one)
{
    ns_matrix *matrix = open_or_die(scratch_file("Serena.mtx", odd[3].text, strlen(odd[3].text)));
    matrix->info.source = NS_SURROGATE; /* a small one, for speed */
    for (int generation = 0; generation < 3; generation++) {
        char line[400], name[40];
        snprintf(name, sizeof name, "generation%d.nsp", generation);
        const char *saved = scratch_file(name, "", 0);
        save_or_die(matrix, saved);
        ns_matrix_free(matrix);
        matrix = open_or_die(saved);
        ck_assert_int_eq(ns_matrix_describe(matrix)->source, NS_SURROGATE);
        ck_assert_str_eq(ns_matrix_describe(matrix)->note,
                         "surrogate: saved from a generated stand-in for Serena; the real matrix: "
                         "nsmodel matrix get Serena");
        snprintf(line, sizeof line, "pattern --matrix %s --parts 2", saved);
        cli_result r = cli(line);
        ck_assert_int_eq(strncmp(r.out, "surrogate: ", 11), 0); /* the first line of all */
        cli_free(&r);
    }
    ns_matrix_free(matrix);
}
END_TEST

/* ---- writing
 * --------------------------------------------------------------------------------------------------------------- */

START_TEST(test_refused_writes)
{
    ns_matrix *matrix = open_or_die(scratch_file("u.mtx", odd[3].text, strlen(odd[3].text)));
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(ns_matrix_save(matrix, "no/such/folder/x.nsp", 0, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "cannot be created");
    const char *kept = scratch_file("kept.nsp", "before", 6);
    err.code = NS_OK;
    ck_assert_int_eq(ns_matrix_save(matrix, kept, 100, &err), NS_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "more than the limit of 100 B"));
    ck_assert_int_eq(size_of(kept), 6); /* whole or not at all: what was there stays */
    char beside[300];
    snprintf(beside, sizeof beside, "%s.new", kept);
    ck_assert_int_ne(access(beside, F_OK), 0);
    ns_matrix_free(matrix);
    matrix = open_or_die("stencil9:40x40");
    if (access("/dev/full", W_OK) == 0) {
        err.code = NS_OK;
        snprintf(beside, sizeof beside, "%s", scratch_file("full.nsp.new", "", 0));
        ck_assert_int_eq(unlink(beside), 0);
        ck_assert_int_eq(symlink("/dev/full", beside), 0);
        beside[strlen(beside) - 4] = '\0';
        ck_assert_int_eq(ns_matrix_save(matrix, beside, 0, &err), NS_ERR_FILE);
        ck_assert_ptr_nonnull(strstr(err.text, "is the disk full?"));
    }
    ns_matrix_free(matrix);
}
END_TEST

/* ---- damage
 * ---------------------------------------------------------------------------------------------------------------- */

/* Open and scan; the error's text, or NULL when all went well. */
static const char *read_bytes(const unsigned char *bytes, size_t size, entry_list *list)
{
    static ns_error err;
    ns_matrix *matrix = calloc(1, sizeof *matrix);
    ck_assert_ptr_nonnull(matrix);
    err = (ns_error){.code = NS_OK};
    list->count = 0;
    ns_status status = ns_nsp_open_memory(bytes, size, "bytes.nsp", matrix, &err);
    if (status == NS_OK)
        status = ns_matrix_scan(matrix, entry_list_receive, list, &err);
    ns_matrix_free(matrix);
    ck_assert((status == NS_OK) == (err.code == NS_OK));
    return status == NS_OK ? NULL : err.text;
}

/* A small file of three blocks' worth of everything: repeats, gaps, a name. */
static unsigned char *small_file(size_t *size)
{
    const char *saved = scratch_file("small.nsp", "", 0);
    ns_matrix *matrix = open_or_die(scratch_file("small.mtx", odd[4].text, strlen(odd[4].text)));
    save_or_die(matrix, saved);
    ns_matrix_free(matrix);
    return (unsigned char *)slow_bytes(saved, size);
}

/* Each of the eight bits of each byte turned over: always refused, by the section that the byte is in. */
START_TEST(test_every_bit)
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
    free(bytes);
}
END_TEST

/* Without the magic it is no .nsp at all. */
START_TEST(test_magic)
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
    free(bytes);
}
END_TEST

START_TEST(test_truncated)
{
    size_t size;
    entry_list list = {.at = NULL};
    unsigned char *bytes = small_file(&size), *longer = calloc(1, size + 50);
    ck_assert_ptr_nonnull(longer);
    for (size_t cut = 0; cut < size; cut++)
        ck_assert_ptr_nonnull(read_bytes(bytes, cut, &list));
    for (size_t cut = 8; cut < size; cut += 7) { /* from a file, by mmap */
        ns_matrix *matrix;
        ns_error err = {.code = NS_OK};
        ck_assert_int_eq(ns_matrix_open(scratch_file("cut.nsp", bytes, cut), &matrix, &err), NS_ERR_DATA);
        ck_assert_msg(strstr(err.text, "damaged .nsp file") != NULL, "%s", err.text);
    }
    memcpy(longer, bytes, size);
    const char *text = read_bytes(longer, size + 40, &list);
    ck_assert(text != NULL && strstr(text, "its header says") != NULL);
    entry_list_free(&list);
    free(longer);
    free(bytes);
}
END_TEST

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

START_TEST(test_forged_header)
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
    free(bytes);
}
END_TEST

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

START_TEST(test_forged_index)
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
    free(bytes);
}
END_TEST

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

START_TEST(test_forged_block)
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
END_TEST

static ns_status stop(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)context;
    (void)entries;
    return count > 0 ? ns_fail(err, NS_ERR_LIMIT, "enough") : NS_OK;
}

START_TEST(test_receiver_stops)
{
    ns_error err = {.code = NS_OK};
    ns_matrix *matrix = open_or_die("xenon1");
    ck_assert_int_eq(ns_matrix_scan(matrix, stop, NULL, &err), NS_ERR_LIMIT);
    ck_assert_str_eq(err.text, "enough");
    ns_matrix_free(matrix);
}
END_TEST

#define LOOP(t, test, rows) tcase_add_loop_test(t, test, 0, (int)(sizeof rows / sizeof *rows))

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("nsp");
    TCase *t = tcase_create("structure files");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, test_real_matrices);
    tcase_add_test(t, test_embedded);
    LOOP(t, test_odd, odd);
    tcase_add_test(t, test_blocks);
    tcase_add_test(t, test_surrogate_stays_one);
    tcase_add_test(t, test_refused_writes);
    tcase_add_test(t, test_every_bit);
    tcase_add_test(t, test_magic);
    tcase_add_test(t, test_truncated);
    LOOP(t, test_forged_header, forged);
    LOOP(t, test_forged_index, forged_index);
    LOOP(t, test_forged_block, blocks);
    tcase_add_test(t, test_receiver_stops);
    suite_add_tcase(s, t);
    return s;
}
