/* test_netsparse_counts.c -- the exact counts of a trace against a slow oracle, on real matrices of different kinds */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "netsparse/netsparse.h"
#include "oracle/oracle.h"

#include "support/shared.h"

static const struct {
    const char *file;
    const char *kind;
} matrices[] = {
    {"ship_001.mtx.gz", "structural"},
    {"cnr-2000.mtx.gz", "web crawl"},
    {"wave.mtx.gz", "3-D mesh"},
    {"xenon1.mtx.gz", "unsymmetric"},
    {"soc-Slashdot0902.mtx.gz", "power law"},
    {"fast0507.mtx.gz", "very wide"},
    {"BOYD2_A.mtx.gz", "tall, dense rows"},
    {"luxembourg_osm.mtx.gz", "road network"},
    {"mult_dcop_01.mtx.gz", "circuit"},
    {"c-62.mtx.gz", "KKT"},
};
enum { MATRICES = sizeof matrices / sizeof matrices[0], COUNTS = 3, RACK = 16, RANKS = 64 };
static const int32_t nodes_of[COUNTS] = {2, 16, 128};

static int64_t first_of(int64_t p, int64_t n, int64_t parts)
{
    return p * n / parts;
}

/* Distinct remote columns of each rank of node p, added up: every rank looks through all of its own entries.  *most: of
 * one of them. */
static int64_t rank_unique(const oracle_matrix *a, const oracle_need *need, int32_t p, int64_t *most)
{
    int64_t total = 0, from = first_of(p, a->rows, need->parts), count = first_of(p + 1, a->rows, need->parts) - from;
    char *seen = oracle_alloc(a->cols, 1);
    for (int rank = 0; rank < RANKS; rank++) {
        int64_t begin = a->row_start[from + first_of(rank, count, RANKS)],
                end = a->row_start[from + first_of(rank + 1, count, RANKS)];
        const int64_t before = total;
        for (int64_t e = begin; e < end; e++)
            if (need->owner[a->col_of[e]] != p && !seen[a->col_of[e]]) {
                seen[a->col_of[e]] = 1;
                total++;
            }
        for (int64_t e = begin; e < end; e++)
            seen[a->col_of[e]] = 0;
        *most = total - before > *most ? total - before : *most;
    }
    ns_free(seen);
    return total;
}

static void check_node(const oracle_matrix *a, const oracle_need *need, const ns_trace *t, int32_t p, const char *name)
{
    int64_t requests = 0, unique = 0, owned = 0, served = 0, most = 0;
    const int64_t count = first_of(p + 1, a->rows, need->parts) - first_of(p, a->rows, need->parts);
    int64_t begin = a->row_start[first_of(p, a->rows, need->parts)],
            end = a->row_start[first_of(p + 1, a->rows, need->parts)];
    for (int64_t e = begin; e < end; e++)
        requests += need->owner[a->col_of[e]] != p;
    for (int64_t c = 0; c < need->items; c++) {
        owned += need->owner[c] == p;
        served += need->owner[c] == p ? need->start[c + 1] - need->start[c] : 0;
        for (int64_t i = need->start[c]; i < need->start[c + 1]; i++)
            unique += need->part[i] == p;
    }
    const ns_node_counts *n = &t->node[p];
    ck_assert_msg(n->nonzeros == end - begin && n->requests == requests && n->unique == unique && n->owned == owned &&
                      n->served == served && n->rank_unique == rank_unique(a, need, p, &most) &&
                      n->rank_most == most * (count < RANKS ? count : RANKS),
                  "%s, node %d of %d: %lld nonzeros, %lld requests, %lld unique, %lld owned, %lld served, %lld by rank",
                  name, p, need->parts, (long long)n->nonzeros, (long long)n->requests, (long long)n->unique,
                  (long long)n->owned, (long long)n->served, (long long)n->rank_unique);
}

static void check_racks(const oracle_need *need, const ns_trace *t, const char *name)
{
    for (int32_t r = 0; r < t->racks; r++) {
        int64_t columns = 0, pairs = 0;
        for (int64_t c = 0; c < need->items; c++) {
            int64_t here = 0;
            for (int64_t i = need->start[c]; i < need->start[c + 1]; i++)
                here += need->part[i] / RACK == r;
            if (need->owner[c] / RACK == r)
                here = 0;
            columns += here > 0;
            pairs += here;
        }
        ck_assert_msg(t->rack_counts[r].columns == columns && t->rack_counts[r].pairs == pairs, "%s, rack %d", name, r);
    }
}

START_TEST(counts)
{
    char path[4096], why[256];
    ns_error err = {0};
    ns_matrix *matrix;
    oracle_matrix a;
    snprintf(path, sizeof path, "%s/data/matrices/%s", shared_dir(), matrices[_i].file);
    ck_assert_msg(oracle_read(path, &a), "the oracle cannot read %s", path);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    for (int i = 0; i < COUNTS; i++) {
        ns_trace *t;
        oracle_need need;
        ns_netsparse_view view = {.size = sizeof view};
        ck_assert_msg(ns_trace_open(matrix, nodes_of[i], NULL, &t, &err) == NS_OK, "%s", err.text);
        oracle_need_of(&a, nodes_of[i], NULL, &need);
        oracle_netsparse(&a, &need, NULL, RACK, &view);
        ck_assert_msg(oracle_same_view(&view, &t->view, why), "%s, %d nodes: %s", matrices[_i].file, nodes_of[i], why);
        for (int32_t p = 0; p < nodes_of[i]; p += 1 + nodes_of[i] / 32)
            check_node(&a, &need, t, p, matrices[_i].file);
        check_racks(&need, t, matrices[_i].file);
        oracle_need_free(&need);
        ns_trace_free(t);
    }
    ns_matrix_free(matrix);
    oracle_matrix_free(&a);
}
END_TEST

/* Shapes of [NS] Sections 3 and 9: transfers per useful one, filtering, destination locality. */
static void open_shape(const char *file, ns_trace **t)
{
    char path[4096];
    ns_error err = {0};
    ns_matrix *matrix;
    snprintf(path, sizeof path, "%s/data/matrices/%s", shared_dir(), file);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_trace_open(matrix, 128, NULL, t, &err) == NS_OK, "%s", err.text);
    ns_matrix_free(matrix);
}

static void open_stencil(const char *spec, ns_trace **t)
{
    ns_error err = {0};
    ns_matrix *matrix;
    ck_assert_msg(ns_matrix_open(spec, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_trace_open(matrix, 128, NULL, t, &err) == NS_OK, "%s", err.text);
    ns_matrix_free(matrix);
}

static double filtered(const ns_trace *t)
{
    return 1 - (double)t->view.unique / (double)t->view.requests;
}

START_TEST(shapes)
{
    ns_trace *fem, *web, *road, *mesh, *banded;
    open_stencil("stencil27:64x64x64", &banded);
    open_shape("ship_001.mtx.gz", &fem);
    open_shape("cnr-2000.mtx.gz", &web);
    open_shape("luxembourg_osm.mtx.gz", &road);
    open_shape("wave.mtx.gz", &mesh);
    const ns_trace *all[] = {fem, web, road, mesh};
    for (int i = 0; i < 4; i++) { /* SU > SA > 1 transfers per useful one */
        ck_assert(all[i]->view.su_redundant_per_useful > all[i]->view.sa_redundant_per_useful);
        ck_assert(all[i]->view.sa_redundant_per_useful > 0);
    }
    ck_assert(fem->view.su_redundant_per_useful < 100 && web->view.su_redundant_per_useful > 500 &&
              road->view.su_redundant_per_useful > 500);
    ck_assert(filtered(fem) > 0.9 && filtered(web) > 0.9 && filtered(road) < 0.1);
    ck_assert(banded->view.destinations_per_window < web->view.destinations_per_window &&
              web->view.destinations_per_window < road->view.destinations_per_window);
    ck_assert(fem->view.destinations_per_window < road->view.destinations_per_window / 4);
    ck_assert(mesh->view.destinations_per_window < road->view.destinations_per_window / 4);
    ns_trace_free(banded);
    for (int i = 0; i < 4; i++)
        ns_trace_free((ns_trace *)all[i]);
}
END_TEST

/* Destinations of 64 requests: next to none but one where a node's rows are more than the band, whatever the kind of
 * problem; most for roads in the file's order. */
static double destinations(const char *file, int32_t nodes)
{
    char path[4096];
    ns_error err = {0};
    ns_matrix *matrix;
    ns_exchange *exchange;
    ns_netsparse_view view = {.size = sizeof view};
    const ns_exchange_options options = {.view = &view};
    const ns_layout layout = {nodes, 1};
    snprintf(path, sizeof path, "%s/data/matrices/%s.mtx.gz", shared_dir(), file);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, &layout, 1, &options, &exchange, NULL, &err) == NS_OK, "%s",
                  err.text);
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
    return view.destinations_per_window;
}

START_TEST(locality)
{
    static const char *const banded[] = {"bcsstk17", "bcsstk25", "bcsstk29", "s2rmq4m1"}; /* structures */
    static const char *const meshes[] = {"ship_001", "bcsstk29", "wave", "copter2"};
    const double web = destinations("cnr-2000", 8), other = destinations("NotreDame_www", 8),
                 road = destinations("luxembourg_osm", 8);
    ck_assert(web < other && other < road);
    for (int i = 0; i < 4; i++) {
        const double d = destinations(banded[i], 8);
        ck_assert_msg(d < 1.05 && d < 0.9 * web, "%s: %g destinations", banded[i], d);
    }
    for (int i = 0; i < 4; i++) { /* 128 nodes: the band is wider than a node's rows, or there is none */
        const double d = destinations(meshes[i], 128);
        ck_assert_msg(d > 3 && d < destinations("luxembourg_osm", 128) / 3, "%s: %g destinations", meshes[i], d);
    }
}
END_TEST

/* Beyond one rank for each row nothing changes, and it takes no longer. */
START_TEST(ranks)
{
    static const int32_t of[] = {1, 1000, INT32_MAX};
    int64_t unique[3];
    for (int i = 0; i < 3; i++) {
        ns_matrix *matrix;
        ns_trace *trace;
        const ns_trace_options options = {.ranks = of[i]};
        ck_assert_int_eq(ns_matrix_open("stencil9:40x40", &matrix, NULL), NS_OK);
        ck_assert_int_eq(ns_trace_open(matrix, 2, &options, &trace, NULL), NS_OK);
        unique[i] = trace->node[0].rank_unique;
        ns_trace_free(trace);
        ns_matrix_free(matrix);
    }
    ck_assert_int_eq(unique[0], 40);             /* one line of the grid is next to the other node */
    ck_assert_int_eq(unique[1], 38 * 3 + 2 * 2); /* each of its 40 rows of the matrix by itself */
    ck_assert_int_eq(unique[2], unique[1]);
}
END_TEST

/* One row whose columns, of parts 1 to 3, come in two runs; the reader hands over 8192 entries at a time. */
enum { TURN = 8192, SQUARE = 20000, LOW = 6000, LOWS = 3010, HIGH = 10000, QUARTERS = 4 };

/* Owners in windows of 64 where the high columns come before the low ones, or after. */
static double windows_of(bool high_first, const int32_t *part)
{
    const char *path = "netsparse_counts_turn.mtx";
    ns_matrix *matrix;
    ns_trace *trace;
    const ns_trace_options options = {.part = part};
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", SQUARE, SQUARE, TURN + LOWS);
    for (int i = 0; i < TURN + LOWS; i++) {
        const int high = high_first ? i : i - LOWS, low = high_first ? i - TURN : i;
        fprintf(file, "1 %d\n", 1 + (high >= 0 && high < TURN ? HIGH + high : LOW + low));
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(ns_matrix_open(path, &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_trace_open(matrix, QUARTERS, &options, &trace, NULL), NS_OK);
    const double windows = trace->view.destinations_per_window;
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    remove(path);
    return windows;
}

/* A row in two batches has its columns in order all the same, in blocks and in a partition that says the same. */
START_TEST(batches)
{
    static int32_t part[SQUARE];
    for (int i = 0; i < SQUARE; i++)
        part[i] = i / (SQUARE / QUARTERS);
    /* 3010 of part 1, 5000 of part 2, 3192 of part 3: both changes of owner are inside windows, of which 175 fill */
    const double expected = (175 + 2) / 175.0;
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(windows_of(i % 2 != 0, i < 2 ? NULL : part), expected);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *s = suite_create("counts of NetSparse traces");
    TCase *tc = tcase_create("oracle");
    tcase_set_timeout(tc, 300);
    if (shared_matrices("counts, shapes, locality")) {
        tcase_add_loop_test(tc, counts, 0, MATRICES);
        tcase_add_test(tc, shapes);
        tcase_add_test(tc, locality);
    }
    suite_add_tcase(s, tc);
    TCase *few = tcase_create("few entries"); /* with the timeout that all have: ranks were walked over once */
    tcase_add_test(few, ranks);
    tcase_add_test(few, batches);
    suite_add_tcase(s, few);
    return s;
}
