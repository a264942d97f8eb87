/* test_surrogates.c -- the surrogates of ten matrices: every statistic against the catalogue's, and their generators
 *
 * Catalogue: the SuiteSparse index (rows, stored entries, diagonal, bandwidths) and the lengths of rows and columns
 * that ginkgo-data publishes.  Under sanitizers only the smaller ones are scanned; the generators are tested small
 * anyway.
 */

#include "core/memory.h"
#include "matrix/batch.h"
#include "matrix/open.h"
#include "surrogate/block.h"
#include "surrogate/fields.h"
#include "surrogate/plane.h"
#include "surrogate/road.h"
#include "surrogate/web.h"

#include "collection/catalogue.h"
#include "pages/likeness_counts.h"
#include "support/needs.h"
#include "support/test.h"

extern const ns_surrogate ns_surrogate_serena, ns_surrogate_geo_1438, ns_surrogate_ldoor, ns_surrogate_bone010,
    ns_surrogate_thermal2, ns_surrogate_queen_4147, ns_surrogate_europe_osm, ns_surrogate_uk_2002,
    ns_surrogate_arabic_2005, ns_surrogate_stokes;

static const char *const record = "evidence/pages/likeness.tsv";

static const ns_surrogate *const ten[] = {
    &ns_surrogate_serena,      &ns_surrogate_geo_1438,   &ns_surrogate_ldoor,      &ns_surrogate_bone010,
    &ns_surrogate_thermal2,    &ns_surrogate_queen_4147, &ns_surrogate_europe_osm, &ns_surrogate_uk_2002,
    &ns_surrogate_arabic_2005, &ns_surrogate_stokes,
};
enum { TEN = sizeof ten / sizeof *ten };

static void read_record(const ns_surrogate *s, likeness_record *line)
{
    char name[64];
    snprintf(name, sizeof name, "%s/%s", s->group, s->name);
    ck_assert_msg(likeness_read(record, name, line), "%s has no line in %s", name, record);
}

static likeness_tally tally;

static likeness_tally *start(int64_t size)
{
    likeness_close(&tally);
    likeness_open(&tally, size);
    return &tally;
}

static int64_t row_at(int64_t place)
{
    return likeness_length_at(tally.row, tally.size, place);
}

static int64_t col_at(int64_t place)
{
    return likeness_length_at(tally.column, tally.size, place);
}

/* ---- the ten ---------------------------------------------------------------------------------------------------- */

/* Counting a large one takes ten seconds: only where they are asked for, as by make surrogates-report. */
static bool too_long(const ns_surrogate *s)
{
    if (s->catalogue_entries < (getenv("NS_TEST_SLOWDOWN") == NULL ? 100000000 : 50000000) ||
        getenv("NS_TEST_HEAVY") != NULL)
        return false;
    skipped(s->name, "in whole only with NS_TEST_HEAVY=1");
    return true;
}

static void find_real(const ns_catalogue *catalogue, const ns_surrogate *s, const ns_catalogue_entry **entry,
                      double real[LIKENESS_STATISTICS])
{
    char name[64];
    ns_error err = {0};
    ns_catalogue_detail d;
    snprintf(name, sizeof name, "%s/%s", s->group, s->name);
    ck_assert_msg(ns_catalogue_find(catalogue, name, entry, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_catalogue_details(catalogue, *entry, &d, &err) == NS_OK, "%s", err.text);
    const double all[LIKENESS_STATISTICS] = {(double)(*entry)->rows,
                                             (double)(*entry)->stored,
                                             (double)(*entry)->diagonal,
                                             (double)(*entry)->lower_bandwidth,
                                             (double)(*entry)->upper_bandwidth,
                                             d.row.min,
                                             d.row.q1,
                                             d.row.median,
                                             d.row.q3,
                                             d.row.max,
                                             d.col.min,
                                             d.col.q1,
                                             d.col.median,
                                             d.col.q3,
                                             d.col.max,
                                             d.row.variance,
                                             d.row.skewness,
                                             d.col.variance,
                                             d.col.skewness,
                                             d.pattern_symmetry};
    memcpy(real, all, sizeof all);
}

/* The contract: rows exact, entries within 2 %; here within 0.4 %.  By how much the others miss is in
 * docs/evidence/surrogates.md; more must not, nor by more. */
static const struct {
    const char *name;
    int misses;                /* whole numbers that differ from the catalogue's */
    double variance, symmetry; /* most relative deviation: variance of the rows' lengths, share of mirrored entries */
} allowed[TEN] = {
    {"Serena", 0, 0.14, 0},         {"Geo_1438", 0, 0.14, 0},   {"ldoor", 0, 0.02, 0},      {"bone010", 2, 0.19, 0},
    {"thermal2", 0, 0.08, 0},       {"Queen_4147", 0, 0.01, 0}, {"europe_osm", 1, 0.03, 0}, {"uk-2002", 5, 0.03, 0.08},
    {"arabic-2005", 7, 0.03, 0.24}, {"stokes", 2, 0.05, 0.06},
};

TEST_EACH(likeness_to_the_catalogue, TEN)
{
    const ns_surrogate *s = ten[_i];
    ns_catalogue *catalogue;
    const ns_catalogue_entry *entry;
    likeness_record made;
    double real[LIKENESS_STATISTICS];
    int misses = 0;
    ck_assert_int_eq(ns_catalogue_open(&catalogue, NULL), NS_OK);
    find_real(catalogue, s, &entry, real);
    read_record(s, &made);
    ck_assert_str_eq(allowed[_i].name, s->name);
    ck_assert_int_eq(s->rows, entry->rows);
    ck_assert_int_eq(s->rows, entry->cols);
    ck_assert_int_eq(s->catalogue_entries, entry->stored);
    ck_assert_int_eq(s->symmetry == NS_SYMMETRIC, strcmp(entry->structure, "symmetric") == 0);
    for (int i = 0; i < LIKENESS_EXACT; i++)
        misses += made.statistic[i] != real[i];
    ck_assert_int_eq(misses, allowed[_i].misses);
    ck_assert(made.statistic[LIKENESS_ROWS] == real[LIKENESS_ROWS]);
    ck_assert_double_eq_tol(made.statistic[LIKENESS_ENTRIES] / real[LIKENESS_ENTRIES], 1, 0.004);
    ck_assert(made.statistic[LIKENESS_ROW_MAX] == real[LIKENESS_ROW_MAX]);
    ck_assert(made.statistic[LIKENESS_COL_MAX] == real[LIKENESS_COL_MAX]);
    ck_assert_double_eq_tol(made.statistic[LIKENESS_ROW_VARIANCE] / real[LIKENESS_ROW_VARIANCE], 1,
                            allowed[_i].variance);
    ck_assert_double_eq_tol(made.statistic[LIKENESS_SYMMETRY] / real[LIKENESS_SYMMETRY], 1,
                            allowed[_i].symmetry + 1e-9);
    ns_catalogue_free(catalogue);
}

TEST_EACH(statistics, TEN)
{
    const ns_surrogate *s = ten[_i];
    likeness_record made;
    double found[LIKENESS_STATISTICS];
    if (too_long(s))
        return;
    read_record(s, &made);
    likeness_tally *t = start(s->rows);
    ck_assert_int_eq(ns_surrogate_scan(s, likeness_receive, t, NULL), NS_OK);
    ck_assert_int_eq(t->outside, 0);
    ck_assert_int_eq(t->disorder, 0); /* strictly ascending columns: no entry twice */
    ck_assert(s->symmetry == NS_GENERAL || t->balance == 0);
    likeness_measure(t, found);
    for (int i = 0; i < LIKENESS_STATISTICS; i++)
        ck_assert_msg(fabs(found[i] - made.statistic[i]) <= (i < LIKENESS_EXACT ? 0 : 1e-8 * fabs(found[i])),
                      "%s of %s: %.10g, recorded %.10g", likeness_names[i], s->name, found[i], made.statistic[i]);
    ck_assert_msg(t->hash == made.hash, "hash of %s: %llu", s->name, (unsigned long long)t->hash);
}

static ns_status receive_beginning(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    likeness_tally *t = context;
    NS_TRY(likeness_receive(t, entries, number, err));
    return t->entries < LIKENESS_BEGIN ? NS_OK : NS_ERR_LIMIT;
}

TEST_EACH(beginnings, TEN)
{
    const ns_surrogate *s = ten[_i];
    likeness_record made;
    read_record(s, &made);
    likeness_tally *t = start(s->rows);
    ck_assert_int_eq(ns_surrogate_scan(s, receive_beginning, t, NULL),
                     t->entries < LIKENESS_BEGIN ? NS_OK : NS_ERR_LIMIT);
    ck_assert_int_eq(t->outside + t->disorder, 0);
    ck_assert_msg(t->begin == made.begin, "%s begins with %llu", s->name, (unsigned long long)t->begin);
}

static ns_status refuse_second(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    int *calls = context;
    (void)entries;
    ck_assert_uint_le(number, 16384);
    return ++*calls < 2 ? NS_OK : ns_fail(err, NS_ERR_LIMIT, "second batch, wanted one");
}

TEST_EACH(a_refusal_ends_the_scan, TEN)
{
    ns_error err = {.code = NS_OK};
    int calls = 0;
    ck_assert_int_eq(ns_surrogate_scan(ten[_i], refuse_second, &calls, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(calls, 2);
    ck_assert_str_eq(err.text, "second batch, wanted one");
}

/* ---- generators, small ------------------------------------------------------------------------------------------ */

static ns_status scan_grid(ns_grid *grid, likeness_tally *t)
{
    ns_batch *batch = ns_batch_new(grid->name, likeness_receive, t, NULL);
    ck_assert_ptr_nonnull(batch);
    ns_status status = ns_grid_scan(grid, ns_batch_patches, batch, NULL);
    if (status == NS_OK)
        status = ns_batch_flush(batch);
    ns_free(batch);
    return status;
}

static int32_t everywhere(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid, (void)x, (void)y, (void)z;
    return 0;
}

/* Inner rows of a 6 x 6 x 6 lattice: 27 for bricks, 15 for Kuhn's tetrahedra; all links by formula: pairs of places
 * whose difference is one of the 26, or 14, steps. */
static const struct {
    ns_cells cells;
    uint32_t turned;
    int64_t longest, entries;
} blocks[] = {
    {NS_BRICKS, 0, 27, 16 * 16 * 16},
    {NS_TETRAHEDRA, 0, 15, 216 + 2 * (3 * 5 * 36 + 3 * 25 * 6 + 125)},
    {NS_TETRAHEDRA, 30000, 0, 216 + 2 * (3 * 5 * 36 + 3 * 25 * 6 + 125)}, /* turning keeps the number of links */
};

TEST_EACH(small_blocks, (int)(sizeof blocks / sizeof *blocks))
{
    ns_block block = {.cells = blocks[_i].cells, .seed = 3, .turned = blocks[_i].turned};
    ns_grid grid = {.name = "small", .nx = 6, .ny = 6, .nz = 6, .nodes = 216, .unknowns = 1, .key = everywhere};
    likeness_tally *t = start(216);
    ck_assert_int_eq(ns_block_open(&block, &grid, NULL), NS_OK);
    ck_assert_int_eq(ns_grid_open(&grid, NULL), NS_OK);
    ck_assert_int_eq(scan_grid(&grid, t), NS_OK);
    ns_grid_close(&grid);
    ns_block_close(&block);
    ck_assert_int_eq(t->disorder + t->outside, 0);
    ck_assert(t->balance == 0);
    ck_assert_int_eq(t->diagonal, 216);
    ck_assert_int_eq(t->entries, blocks[_i].entries);
    if (blocks[_i].longest > 0)
        ck_assert_int_eq(row_at(215), blocks[_i].longest);
}

/* A triangulated 9 x 7 sheet: by Euler E = 3 N - 3 - h, h = 28 nodes on its outline; each of 7 x 7 entries, one block
 * with 10 left out both ways. */
TEST(small_sheet)
{
    const ns_plane plane = {.alternate = true, .turned = 9000, .seed = 2};
    ns_grid grid = {.name = "small",
                    .nx = 9,
                    .ny = 7,
                    .nz = 1,
                    .nodes = 63,
                    .unknowns = 7,
                    .links = 3,
                    .hole = 10,
                    .key = everywhere,
                    .row = ns_plane_row,
                    .shape = &plane};
    likeness_tally *t = start(7 * 63);
    ck_assert_int_eq(ns_grid_open(&grid, NULL), NS_OK);
    ck_assert(ns_grid_link(&grid, 0, 62));
    ck_assert(ns_grid_hub(&grid, 4, 3, 0, 10) || grid.used == 6);
    ck_assert(!ns_grid_link(&grid, 1, 61));
    ck_assert_int_eq(scan_grid(&grid, t), NS_OK);
    ns_grid_close(&grid);
    const int64_t links = 63 + 2 * (3 * 63 - 3 - 28 + 3);
    ck_assert_int_eq(t->entries, 49 * links - 20);
    ck_assert(t->balance == 0);
    ck_assert_int_eq(t->disorder + t->outside, 0);
    ck_assert_int_eq(t->upper, 7 * 62 + 6); /* the hole is not in the far corner */
}

TEST_EACH(small_road, 3)
{
    const ns_road road = {.name = "small",
                          .rows = 30011,
                          .broken = 7000,
                          .bits = {7, 11},
                          .joined = {11400, 7200, 41540},
                          .forked = 3000,
                          .tile = 43,
                          .bandwidth = 29950,
                          .longest = 13,
                          .seed = (uint64_t)_i};
    uint64_t hash[2];
    for (int pass = 0; pass < 2; pass++) {
        likeness_tally *t = start(road.rows);
        ck_assert_int_eq(ns_road_scan(&road, likeness_receive, t, NULL), NS_OK);
        hash[pass] = t->hash;
    }
    ck_assert(tally.balance == 0);
    ck_assert_int_eq(tally.disorder + tally.outside + tally.diagonal, 0);
    ck_assert_int_gt(row_at(0), 0); /* no node stands alone */
    ck_assert_int_eq(tally.upper, 29950);
    ck_assert_uint_eq(hash[0], hash[1]);
    ck_assert_double_eq_tol((double)tally.entries / road.rows, 2.12, 0.02);
    ck_assert_int_ge(row_at(road.rows - 1), 13);
}

TEST_EACH(small_web, 3)
{
    const ns_web web = {
        .name = "small",
        .rows = 200003,
        .knot = {{0.15, 0}, {0.25, 2}, {0.5, 9}, {0.75, 22}, {0.95, 42}, {0.995, 150}, {0.9999, 300}, {1, 450}},
        .self = 25539,
        .biggest = 20000,
        .popular = 19000,
        .smallest = 20,
        .largest = 9000,
        .folder = 90,
        .heads = 3277,
        .kin = 28,
        .top = 20000,
        .linking = 19200,
        .lean = 0.24,
        .abroad = 58000,
        .near = 14000,
        .fame = 4,
        .seed = (uint64_t)_i};
    uint64_t hash[2];
    for (int pass = 0; pass < 2; pass++) {
        likeness_tally *t = start(web.rows);
        ck_assert_int_eq(ns_web_scan(&web, likeness_receive, t, NULL), NS_OK);
        hash[pass] = t->hash;
    }
    ck_assert_uint_eq(hash[0], hash[1]);
    ck_assert_int_eq(tally.disorder + tally.outside, 0);
    ck_assert_int_eq(col_at(web.rows - 1), 19000);
    ck_assert_int_eq(row_at(web.rows - 1), 450);
    ck_assert_int_eq(row_at(web.rows / 4), 2);
    ck_assert_int_eq(row_at(web.rows / 2), 9);
    ck_assert_int_eq(row_at(web.rows / 4 * 3), 22);
}

/* Fields of 4 x 3 x 2 cells, each linked to itself and the next along x: entries by hand. */
TEST(small_fields)
{
    const struct ns_stencil pair = {2, {{1, 0, 0}, {0, 0, 0}}}, self = {1, {{0, 0, 0}}}, none = {0, {{0, 0, 0}}};
    const ns_fields fields = {.name = "small",
                              .nx = 4,
                              .ny = 3,
                              .nz = 2,
                              .cells = 26,
                              .stencil = {{pair, self, none}, {none, self, none}, {self, none, self}},
                              .group = 6,
                              .knot = {{0.2, 1}, {0.4, 1}, {0.6, 1}, {0.8, 1}, {0.9, 1}, {1, 1}},
                              .upper = 70,
                              .lower = 60};
    likeness_tally *t = start(78);
    ck_assert_int_eq(ns_fields_scan(&fields, likeness_receive, t, NULL), NS_OK);
    /* 3 x 2 diagonals of the cells beyond the box; first field 24 + 18 and 24, second 24, third 24 and 24 + 20 (the
     * first cell of a group is its own); and the two that set the bandwidths */
    ck_assert_int_eq(t->entries, 6 + 42 + 24 + 24 + 24 + 44 + 2);
    ck_assert_int_eq(t->diagonal, 78);
    ck_assert_int_eq(t->upper, 70);
    ck_assert_int_eq(t->lower, 60);
    ck_assert_int_eq(t->disorder + t->outside, 0);
}

TEST_TIMEOUT(300)
