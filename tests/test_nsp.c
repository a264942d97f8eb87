/* test_nsp.c -- .nsp files: the same entries after a round trip, sizes, refused writes */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "api/library.h"
#include "matrix/nsp/nsp.h"
#include "matrix/open.h"
#include "support/cli.h"
#include "support/good_matrix.h"
#include "support/shared.h"
#include "support/slow_matrix.h"
#include "support/test.h"

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

static void equal_entries(ns_matrix *a, ns_matrix *b, const char *what)
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

/* ---- round trips ------------------------------------------------------------------------------------------------- */

/* Counts of both, as `nsmodel pattern` gives them, and the entries themselves. */
static void same_pattern(ns_matrix *a, ns_matrix *b, const char *what)
{
    static const ns_layout layout = {7, 2};
    ns_exchange *x[2];
    ns_netsparse_view view[2] = {{.size = sizeof view[0]}, {.size = sizeof view[0]}};
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
    again = open_good(saved);
    const ns_matrix_info *b = ns_matrix_describe(again);
    ck_assert_msg(a->rows == b->rows && a->cols == b->cols && a->symmetry == b->symmetry, "%s", path);
    ck_assert_msg(a->stored < 0 || a->stored == b->stored, "%s: stored %lld and %lld", path, (long long)a->stored,
                  (long long)b->stored);
    ck_assert_str_eq(a->name, b->name);
    ck_assert_int_eq(b->source, NS_FROM_BINARY);
    equal_entries(matrix, again, path);
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
TEST(test_real_matrices)
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

/* The matrices in the library are the collection's, entry by entry. */
TEST(test_embedded)
{
    static const char *const names[] = {"xenon1", "rajat01", "NotreDame_www"};
    for (size_t i = 0; i < 3; i++) {
        char path[600], relative[80];
        ns_matrix *inside = open_good(names[i]);
        ck_assert_int_eq(ns_matrix_describe(inside)->source, NS_FROM_BINARY);
        ck_assert_str_eq(ns_matrix_describe(inside)->name, names[i]);
        snprintf(relative, sizeof relative, "data/matrices/%s.mtx.gz", names[i]);
        if (shared_path("test_embedded", relative, path, sizeof path)) {
            ns_matrix *real = open_good(path);
            equal_entries(inside, real, names[i]);
            ns_matrix_free(real);
        }
        ns_matrix_free(inside);
    }
}

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

TEST_EACH(test_odd, sizeof odd / sizeof *odd)
{
    char name[80];
    snprintf(name, sizeof name, "%s.mtx", odd[_i].name);
    ns_matrix *matrix = open_good(scratch_file(name, odd[_i].text, strlen(odd[_i].text)));
    const char *saved = scratch_file("odd.nsp", "", 0);
    save_or_die(matrix, saved);
    ns_matrix *again = open_good(saved);
    ck_assert_str_eq(ns_matrix_describe(again)->name, odd[_i].name);
    ck_assert_int_eq(ns_matrix_describe(again)->stored, odd[_i].kept);
    ck_assert_int_eq(ns_matrix_describe(again)->symmetry, ns_matrix_describe(matrix)->symmetry);
    equal_entries(matrix, again, odd[_i].name);
    const char *twice = scratch_file("odd2.nsp", "", 0); /* an .nsp of an .nsp: the same bytes */
    size_t sizes[2];
    save_or_die(again, twice);
    char *bytes[2] = {slow_bytes(saved, &sizes[0]), slow_bytes(twice, &sizes[1])};
    ck_assert(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    ns_free(bytes[0]);
    ns_free(bytes[1]);
    ns_matrix_free(matrix);
    ns_matrix_free(again);
}

/* More than one block, rows that straddle none, a stencil's rows from the generator. */
TEST(test_blocks)
{
    ns_matrix *matrix = open_good("stencil9:700x700");
    const char *saved = scratch_file("blocks.nsp", "", 0);
    save_or_die(matrix, saved);
    ns_matrix *again = open_good(saved);
    size_t size;
    char *bytes = slow_bytes(saved, &size);
    ck_assert_uint_gt(ns_get_le((unsigned char *)bytes + 40, 8), 10); /* blocks */
    equal_entries(matrix, again, "stencil");
    ns_free(bytes);
    ns_matrix_free(matrix);
    ns_matrix_free(again);
}

/* What was saved from a surrogate says so for ever. */
TEST(test_surrogate_stays_one)
{
    ns_matrix *matrix = open_good(scratch_file("Serena.mtx", odd[3].text, strlen(odd[3].text)));
    matrix->info.source = NS_SURROGATE; /* a small one, for speed */
    for (int generation = 0; generation < 3; generation++) {
        char line[400], name[40];
        snprintf(name, sizeof name, "generation%d.nsp", generation);
        const char *saved = scratch_file(name, "", 0);
        save_or_die(matrix, saved);
        ns_matrix_free(matrix);
        matrix = open_good(saved);
        ck_assert_int_eq(ns_matrix_describe(matrix)->source, NS_SURROGATE);
        ck_assert_str_eq(ns_matrix_describe(matrix)->note, "surrogate: saved from a generated stand-in for Serena");
        ck_assert_str_eq(ns_matrix_describe(matrix)->stands_for, "Serena");
        snprintf(line, sizeof line, "pattern --matrix %s --parts 2", saved);
        cli_result r = cli(line);
        ck_assert_int_eq(strncmp(r.out, "surrogate: ", 11), 0); /* the first line of all */
        ck_assert_ptr_nonnull(strstr(r.out, " for Serena; the real matrix: nsmodel matrix get Serena\n"));
    }
    ns_matrix_free(matrix);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

TEST(test_refused_writes)
{
    ns_matrix *matrix = open_good(scratch_file("u.mtx", odd[3].text, strlen(odd[3].text)));
    ns_error err = {.code = NS_OK};
    ck_assert_int_eq(ns_matrix_save(matrix, "no/such/folder/x.nsp", 0, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "cannot be created");
    const char *kept = scratch_file("kept.nsp", "before", 6);
    err.code = NS_OK;
    ck_assert_int_eq(ns_matrix_save(matrix, kept, 100, &err), NS_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "more than the limit of 100 B"));
    ck_assert_int_eq(size_of(kept), 6); /* whole or not at all: what was there stays */
    ns_matrix_free(matrix);
    matrix = open_good("rajat01");
    const struct rlimit most = {500, RLIM_INFINITY}, any = {RLIM_INFINITY, RLIM_INFINITY};
    err.code = NS_OK;
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &most) == 0);
    const ns_status status = ns_matrix_save(matrix, kept, 0, &err);
    ck_assert(setrlimit(RLIMIT_FSIZE, &any) == 0 && status == NS_ERR_FILE);
    ck_assert_ptr_nonnull(strstr(err.text, "could not be written"));
    ck_assert_int_eq(size_of(kept), 6);
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
