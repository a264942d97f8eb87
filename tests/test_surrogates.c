/* test_surrogates.c -- the surrogates of ten matrices: every statistic against the catalogue's, and their generators
 *
 * Catalogue: the SuiteSparse index (rows, stored entries, diagonal, bandwidths) and the lengths of rows and columns that
 * ginkgo-data publishes.  Under sanitizers only the smaller ones are scanned; the generators are tested small anyway.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/block.h"
#include "matrix/fields.h"
#include "matrix/plane.h"
#include "matrix/road.h"
#include "matrix/source.h"
#include "matrix/web.h"

extern const ns_surrogate ns_surrogate_serena, ns_surrogate_geo_1438, ns_surrogate_ldoor, ns_surrogate_bone010,
    ns_surrogate_thermal2, ns_surrogate_queen_4147, ns_surrogate_europe_osm, ns_surrogate_uk_2002, ns_surrogate_arabic_2005,
    ns_surrogate_stokes;

/* ---- what is counted -------------------------------------------------------------------------------------------- */

enum { ROWS, ENTRIES, DIAGONAL, LOWER, UPPER, ROW_MIN, ROW_Q1, ROW_MEDIAN, ROW_Q3, ROW_MAX, COL_MIN, COL_Q1, COL_MEDIAN,
       COL_Q3, COL_MAX, STATISTICS };
static const char *const names[STATISTICS] = {"rows", "entries", "diagonal", "lower bandwidth", "upper bandwidth",
    "shortest row", "first quartile of rows", "median row", "third quartile of rows", "longest row", "shortest column",
    "first quartile of columns", "median column", "third quartile of columns", "longest column"};

enum { LONG = 600000 }; /* beyond every length */

static struct tally {
    int64_t size, entries, diagonal, lower, upper, disorder, outside, last_row, last_col, length;
    uint64_t hash, sum, mirrored;
    bool mirror;
    uint32_t *column;               /* lengths */
    int64_t rows[LONG], cols[LONG]; /* how many have this length */
} tally;

static uint64_t scatter(uint64_t row, uint64_t col)
{
    uint64_t v = (row << 32 | col) * UINT64_C(0x9E3779B97F4A7C15);
    v ^= v >> 29;
    return v * UINT64_C(0xBF58476D1CE4E5B9);
}

static void end_rows(struct tally *t, int64_t next)
{
    t->rows[t->length] += t->last_row >= 0;
    t->rows[0] += next - t->last_row - 1;
    t->length = 0;
    t->last_row = next;
    t->last_col = -1;
}

static void count(struct tally *t, ns_entry e)
{
    if (e.row < t->last_row || e.row >= t->size || e.col < 0 || e.col >= t->size) {
        t->outside++;
        return;
    }
    if (e.row != t->last_row)
        end_rows(t, e.row);
    const int64_t reach = e.col - e.row;
    t->disorder += e.col <= t->last_col;
    t->last_col = e.col;
    t->length++;
    t->column[e.col]++;
    t->diagonal += reach == 0;
    t->upper = reach > t->upper ? reach : t->upper;
    t->lower = -reach > t->lower ? -reach : t->lower;
    t->hash = (t->hash ^ (uint64_t)(e.row << 32 | e.col)) * UINT64_C(0x100000001B3);
    if (t->mirror) {
        t->sum += scatter((uint64_t)e.row, (uint64_t)e.col);
        t->mirrored += scatter((uint64_t)e.col, (uint64_t)e.row);
    }
}

static ns_status receive(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    struct tally *t = context;
    (void)err;
    for (size_t i = 0; i < number; i++)
        count(t, entries[i]);
    t->entries += (int64_t)number;
    return NS_OK;
}

static struct tally *start(int64_t size, bool mirror)
{
    memset(&tally, 0, sizeof tally);
    tally.size = size;
    tally.last_row = -1;
    tally.mirror = mirror;
    tally.hash = UINT64_C(0xCBF29CE484222325);
    tally.column = calloc((size_t)size, sizeof *tally.column);
    ck_assert_ptr_nonnull(tally.column);
    return &tally;
}

static void finish(struct tally *t)
{
    end_rows(t, t->size);
    for (int64_t i = 0; i < t->size; i++)
        t->cols[t->column[i]]++;
    free(t->column);
}

/* Length at place `share` of the ascending list. */
static int64_t length_at(const int64_t *number, int64_t place)
{
    int64_t length = 0;
    while (place >= number[length])
        place -= number[length++];
    return length;
}

static void measure(const struct tally *t, int64_t found[STATISTICS])
{
    const int64_t last = t->size - 1;
    const int64_t place[5] = {0, last / 4, last / 2, last / 4 * 3, last};
    found[ROWS] = t->size;
    found[ENTRIES] = t->entries;
    found[DIAGONAL] = t->diagonal;
    found[LOWER] = t->lower;
    found[UPPER] = t->upper;
    for (int i = 0; i < 5; i++) {
        found[ROW_MIN + i] = length_at(t->rows, place[i]);
        found[COL_MIN + i] = length_at(t->cols, place[i]);
    }
}

/* ---- the ten ---------------------------------------------------------------------------------------------------- */

typedef struct likeness {
    const ns_surrogate *surrogate;
    const char *group, *name;
    ns_symmetry symmetry;
    int misses;    /* statistics that differ from the catalogue's */
    uint64_t hash; /* recorded from the first version: predictions rest on this very pattern */
    int64_t real[STATISTICS], made[STATISTICS];
} likeness;

static const likeness likenesses[] = {
    {&ns_surrogate_serena, "Janna", "Serena", NS_SYMMETRIC, 0, UINT64_C(12353600838437457541),
     {1391349, 64531701, 1391349, 81578, 81578, 15, 42, 45, 51, 249, 15, 42, 45, 51, 249},
     {1391349, 64531701, 1391349, 81578, 81578, 15, 42, 45, 51, 249, 15, 42, 45, 51, 249}},
    {&ns_surrogate_geo_1438, "Janna", "Geo_1438", NS_SYMMETRIC, 0, UINT64_C(7651843203596657176),
     {1437960, 63156690, 1437960, 26018, 26018, 15, 45, 45, 45, 57, 15, 45, 45, 45, 57},
     {1437960, 63156690, 1437960, 26018, 26018, 15, 45, 45, 45, 57, 15, 45, 45, 45, 57}},
    {&ns_surrogate_ldoor, "GHS_psdef", "ldoor", NS_SYMMETRIC, 0, UINT64_C(10199646597317410719),
     {952203, 46522475, 952203, 686979, 686979, 28, 35, 49, 63, 77, 28, 35, 49, 63, 77},
     {952203, 46522475, 952203, 686979, 686979, 28, 35, 49, 63, 77, 28, 35, 49, 63, 77}},
    {&ns_surrogate_bone010, "Oberwolfach", "bone010", NS_SYMMETRIC, 2, UINT64_C(116094081329368134),
     {986703, 71666325, 986703, 13016, 13016, 12, 72, 81, 81, 81, 12, 72, 81, 81, 81},
     {986703, 71666325, 986703, 13016, 13016, 12, 66, 81, 81, 81, 12, 66, 81, 81, 81}},
    {&ns_surrogate_thermal2, "Schmid", "thermal2", NS_SYMMETRIC, 0, UINT64_C(2544030447122733806),
     {1228045, 8580313, 1228045, 1226000, 1226000, 1, 6, 7, 7, 11, 1, 6, 7, 7, 11},
     {1228045, 8580313, 1228045, 1226000, 1226000, 1, 6, 7, 7, 11, 1, 6, 7, 7, 11}},
    {&ns_surrogate_queen_4147, "Janna", "Queen_4147", NS_SYMMETRIC, 0, UINT64_C(3117442703726249364),
     {4147110, 329499284, 4147110, 47084, 47084, 24, 81, 81, 81, 81, 24, 81, 81, 81, 81},
     {4147110, 329499284, 4147110, 47084, 47084, 24, 81, 81, 81, 81, 24, 81, 81, 81, 81}},
    {&ns_surrogate_europe_osm, "DIMACS10", "europe_osm", NS_SYMMETRIC, 1, UINT64_C(5910243095570515361),
     {50912018, 108109320, 0, 50886340, 50886340, 1, 2, 2, 2, 13, 1, 2, 2, 2, 13},
     {50912018, 108114046, 0, 50886340, 50886340, 1, 2, 2, 2, 13, 1, 2, 2, 2, 13}},
    {&ns_surrogate_uk_2002, "LAW", "uk-2002", NS_GENERAL, 5, UINT64_C(13821234737433366499),
     {18520486, 298113762, 5870099, 18458794, 18458562, 0, 2, 9, 22, 2450, 0, 1, 2, 5, 194942},
     {18520486, 298369081, 5870860, 18476138, 18493620, 0, 2, 9, 22, 2450, 0, 1, 2, 4, 194942}},
    {&ns_surrogate_arabic_2005, "LAW", "arabic-2005", NS_GENERAL, 7, UINT64_C(10242091221964291240),
     {22744080, 639999458, 8845789, 22615481, 22592547, 0, 2, 15, 33, 9905, 0, 1, 2, 6, 575618},
     {22744080, 641627608, 8843008, 22713835, 22372181, 0, 2, 15, 33, 9905, 0, 2, 3, 8, 575618}},
    {&ns_surrogate_stokes, "VLSI", "stokes", NS_GENERAL, 2, UINT64_C(8366211747371125032),
     {11449533, 349321980, 11449533, 10713043, 11274772, 1, 17, 17, 38, 720, 1, 14, 27, 27, 1705},
     {11449533, 349705294, 11449533, 10713043, 11274772, 1, 17, 17, 38, 720, 1, 20, 27, 27, 1705}},
};

static bool too_long(const likeness *l)
{
    if (getenv("NS_TEST_SLOWDOWN") == NULL || l->real[ENTRIES] < 50000000)
        return false;
    printf("%s: not scanned under a sanitizer\n", l->name);
    return true;
}

START_TEST(descriptors)
{
    const likeness *l = &likenesses[_i];
    ck_assert_str_eq(l->surrogate->group, l->group);
    ck_assert_str_eq(l->surrogate->name, l->name);
    ck_assert_int_eq(l->surrogate->rows, l->real[ROWS]);
    ck_assert_int_eq(l->surrogate->cols, l->real[ROWS]);
    ck_assert_int_eq(l->surrogate->catalogue_entries, l->real[ENTRIES]);
    ck_assert_int_eq(l->surrogate->symmetry, l->symmetry);
}
END_TEST

/* The contract: rows exact, entries within 2 %; here within 0.4 %.  Lists of misses in docs/surrogates.md. */
START_TEST(likeness_to_the_catalogue)
{
    const likeness *l = &likenesses[_i];
    int misses = 0;
    for (int i = 0; i < STATISTICS; i++)
        misses += l->made[i] != l->real[i];
    ck_assert_int_eq(misses, l->misses);
    ck_assert_int_eq(l->made[ROWS], l->real[ROWS]);
    ck_assert_double_eq_tol((double)l->made[ENTRIES] / (double)l->real[ENTRIES], 1, 0.004);
    ck_assert_int_eq(l->made[ROW_MAX], l->real[ROW_MAX]);
    ck_assert_int_eq(l->made[COL_MAX], l->real[COL_MAX]);
}
END_TEST

START_TEST(statistics)
{
    const likeness *l = &likenesses[_i];
    if (too_long(l))
        return;
    struct tally *t = start(l->made[ROWS], l->symmetry == NS_SYMMETRIC);
    int64_t found[STATISTICS];
    ck_assert_int_eq(l->surrogate->scan(receive, t, NULL), NS_OK);
    finish(t);
    ck_assert_int_eq(t->outside, 0);
    ck_assert_int_eq(t->disorder, 0); /* strictly ascending columns: no entry twice */
    ck_assert(t->sum == t->mirrored);
    measure(t, found);
    for (int i = 0; i < STATISTICS; i++)
        ck_assert_msg(found[i] == l->made[i], "%s of %s: %lld, wanted %lld", names[i], l->name, (long long)found[i],
                      (long long)l->made[i]);
    ck_assert_msg(t->hash == l->hash, "hash of %s: UINT64_C(%llu)", l->name, (unsigned long long)t->hash);
}
END_TEST

static ns_status refuse_second(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    int *calls = context;
    (void)entries;
    ck_assert_uint_le(number, 16384);
    return ++*calls < 2 ? NS_OK : ns_fail(err, NS_ERR_LIMIT, "second batch, wanted one");
}

START_TEST(a_refusal_ends_the_scan)
{
    ns_error err = {.code = NS_OK};
    int calls = 0;
    ck_assert_int_eq(likenesses[_i].surrogate->scan(refuse_second, &calls, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(calls, 2);
    ck_assert_str_eq(err.text, "second batch, wanted one");
}
END_TEST

/* ---- generators, small ------------------------------------------------------------------------------------------ */

static int32_t everywhere(const ns_grid *grid, int32_t x, int32_t y, int32_t z)
{
    (void)grid, (void)x, (void)y, (void)z;
    return 0;
}

/* Inner rows of a 6 x 6 x 6 lattice: 27 for bricks, 15 for Kuhn's tetrahedra; all links by formula: pairs of places whose
 * difference is one of the 26, or 14, steps. */
static const struct {
    ns_cells cells;
    uint32_t turned;
    int64_t longest, entries;
} blocks[] = {
    {NS_BRICKS, 0, 27, 16 * 16 * 16},
    {NS_TETRAHEDRA, 0, 15, 216 + 2 * (3 * 5 * 36 + 3 * 25 * 6 + 125)},
    {NS_TETRAHEDRA, 30000, 0, 216 + 2 * (3 * 5 * 36 + 3 * 25 * 6 + 125)}, /* turning keeps the number of links */
};

START_TEST(small_blocks)
{
    ns_block block = {.cells = blocks[_i].cells, .seed = 3, .turned = blocks[_i].turned};
    ns_grid grid = {.name = "small", .nx = 6, .ny = 6, .nz = 6, .nodes = 216, .unknowns = 1, .key = everywhere};
    struct tally *t = start(216, true);
    ck_assert_int_eq(ns_block_open(&block, &grid, NULL), NS_OK);
    ck_assert_int_eq(ns_grid_open(&grid, NULL), NS_OK);
    ck_assert_int_eq(ns_grid_scan(&grid, receive, t, NULL), NS_OK);
    finish(t);
    ns_grid_close(&grid);
    ns_block_close(&block);
    ck_assert_int_eq(t->disorder + t->outside, 0);
    ck_assert(t->sum == t->mirrored);
    ck_assert_int_eq(t->diagonal, 216);
    ck_assert_int_eq(t->entries, blocks[_i].entries);
    if (blocks[_i].longest > 0)
        ck_assert_int_eq(length_at(t->rows, 215), blocks[_i].longest);
}
END_TEST

/* A triangulated 9 x 7 sheet: by Euler E = 3 N - 3 - h, h = 28 nodes on its outline; each of 7 x 7 entries, one block with
 * 10 left out both ways. */
START_TEST(small_sheet)
{
    const ns_plane plane = {.alternate = true, .turned = 9000, .seed = 2};
    ns_grid grid = {.name = "small", .nx = 9, .ny = 7, .nz = 1, .nodes = 63, .unknowns = 7, .links = 3, .hole = 10,
                    .key = everywhere, .row = ns_plane_row, .shape = &plane};
    struct tally *t = start(7 * 63, true);
    ck_assert_int_eq(ns_grid_open(&grid, NULL), NS_OK);
    ck_assert(ns_grid_link(&grid, 0, 62));
    ck_assert(ns_grid_hub(&grid, 4, 3, 0, 10) || grid.used == 6);
    ck_assert(!ns_grid_link(&grid, 1, 61));
    ck_assert_int_eq(ns_grid_scan(&grid, receive, t, NULL), NS_OK);
    finish(t);
    ns_grid_close(&grid);
    const int64_t links = 63 + 2 * (3 * 63 - 3 - 28 + 3);
    ck_assert_int_eq(t->entries, 49 * links - 20);
    ck_assert(t->sum == t->mirrored);
    ck_assert_int_eq(t->disorder + t->outside, 0);
    ck_assert_int_eq(t->upper, 7 * 62 + 6); /* the hole is not in the far corner */
}
END_TEST

START_TEST(small_road)
{
    const ns_road road = {.name = "small", .rows = 30011, .broken = 7000, .bits = {7, 11}, .joined = {11400, 7200, 41540},
                          .tile = 43, .bandwidth = 29950, .longest = 13, .seed = (uint64_t)_i};
    uint64_t hash[2];
    for (int pass = 0; pass < 2; pass++) {
        struct tally *t = start(road.rows, true);
        ck_assert_int_eq(ns_road_scan(&road, receive, t, NULL), NS_OK);
        finish(t);
        hash[pass] = t->hash;
    }
    ck_assert(tally.sum == tally.mirrored);
    ck_assert_int_eq(tally.disorder + tally.outside + tally.diagonal, 0);
    ck_assert_int_eq(tally.rows[0], 0); /* no node stands alone */
    ck_assert_int_eq(tally.upper, 29950);
    ck_assert_uint_eq(hash[0], hash[1]);
    ck_assert_double_eq_tol((double)tally.entries / road.rows, 2.12, 0.02);
    ck_assert_int_ge(length_at(tally.rows, road.rows - 1), 13);
}
END_TEST

START_TEST(small_web)
{
    const ns_web web = {.name = "small", .rows = 200003,
                        .knot = {{0.15, 0}, {0.25, 2}, {0.5, 9}, {0.75, 22}, {0.95, 42}, {0.995, 150}, {0.9999, 300}, {1, 450}},
                        .self = 25539, .biggest = 20000, .popular = 19000, .smallest = 20, .largest = 9000, .folder = 90,
                        .kin = 28, .top = 20000, .abroad = 18500, .near = 14000, .fame = 4, .seed = (uint64_t)_i};
    uint64_t hash[2];
    for (int pass = 0; pass < 2; pass++) {
        struct tally *t = start(web.rows, false);
        ck_assert_int_eq(ns_web_scan(&web, receive, t, NULL), NS_OK);
        finish(t);
        hash[pass] = t->hash;
    }
    ck_assert_uint_eq(hash[0], hash[1]);
    ck_assert_int_eq(tally.disorder + tally.outside, 0);
    ck_assert_int_eq(length_at(tally.cols, web.rows - 1), 19000);
    ck_assert_int_eq(length_at(tally.rows, web.rows - 1), 450);
    ck_assert_int_eq(length_at(tally.rows, web.rows / 4), 2);
    ck_assert_int_eq(length_at(tally.rows, web.rows / 2), 9);
    ck_assert_int_eq(length_at(tally.rows, web.rows / 4 * 3), 22);
}
END_TEST

/* Fields of 4 x 3 x 2 cells, each linked to itself and the next along x: entries by hand. */
START_TEST(small_fields)
{
    const struct ns_stencil pair = {2, {{1, 0, 0}, {0, 0, 0}}}, self = {1, {{0, 0, 0}}}, none = {0, {{0, 0, 0}}};
    const ns_fields fields = {.name = "small", .nx = 4, .ny = 3, .nz = 2, .cells = 26,
                              .stencil = {{pair, self, none}, {none, self, none}, {self, none, self}}, .group = 6,
                              .knot = {{0.2, 1}, {0.4, 1}, {0.6, 1}, {0.8, 1}, {0.9, 1}, {1, 1}}, .upper = 70, .lower = 60};
    struct tally *t = start(78, false);
    ck_assert_int_eq(ns_fields_scan(&fields, receive, t, NULL), NS_OK);
    finish(t);
    /* 3 x 2 diagonals of the cells beyond the box; first field 24 + 18 and 24, second 24, third 24 and 24 + 20 (the first cell
     * of a group is its own); and the two that set the bandwidths */
    ck_assert_int_eq(t->entries, 6 + 42 + 24 + 24 + 24 + 44 + 2);
    ck_assert_int_eq(t->diagonal, 78);
    ck_assert_int_eq(t->upper, 70);
    ck_assert_int_eq(t->lower, 60);
    ck_assert_int_eq(t->disorder + t->outside, 0);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("surrogates");
    const int ten = (int)(sizeof likenesses / sizeof *likenesses);
    TCase *small = tcase_create("generators");
    tcase_set_timeout(small, 300);
    tcase_add_loop_test(small, small_blocks, 0, (int)(sizeof blocks / sizeof *blocks));
    tcase_add_test(small, small_sheet);
    tcase_add_loop_test(small, small_road, 0, 3);
    tcase_add_loop_test(small, small_web, 0, 3);
    tcase_add_test(small, small_fields);
    suite_add_tcase(s, small);
    TCase *all = tcase_create("matrices");
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, descriptors, 0, ten);
    tcase_add_loop_test(all, likeness_to_the_catalogue, 0, ten);
    tcase_add_loop_test(all, a_refusal_ends_the_scan, 0, ten);
    tcase_add_loop_test(all, statistics, 0, ten);
    suite_add_tcase(s, all);
    return s;
}
