/* test_pattern_oracle.c -- the pattern of large real matrices against the oracle, and of stencils against measured
 * runs */

#include <nsmodel/matrix.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"

#include "support/shared.h"
#include "support/test.h"

enum { PARTS = 7, SIZES = 3, LAYOUTS = PARTS * SIZES };
static const int32_t parts_of[PARTS] = {1, 2, 3, 7, 16, 64, 1000};
static const int32_t per_node_of[SIZES] = {1, 4, 6};

/* Different kinds, so that different things go wrong. */
static const struct {
    const char *file;
    const char *kind;
    int64_t rows, cols, entries; /* MANIFEST.csv of the data directory */
} large[] = {
    {"ship_001.mtx.gz", "structural, 133 entries a row", 34920, 34920, 4644230},
    {"cnr-2000.mtx.gz", "web crawl, empty rows", 325557, 325557, 3216152},
    {"wave.mtx.gz", "3-D mesh without a diagonal", 156317, 156317, 2118662},
    {"xenon1.mtx.gz", "unsymmetric, real values", 48600, 48600, 1181120},
    {"soc-Slashdot0902.mtx.gz", "power law", 82168, 82168, 948464},
    {"NotreDame_www.mtx.gz", "web crawl, half the rows empty", 325729, 325729, 929849},
    {"fast0507.mtx.gz", "very wide", 507, 63009, 409349},
    {"BOYD2_A.mtx.gz", "tall, a few dense rows", 279794, 93263, 517047},
    {"luxembourg_osm.mtx.gz", "road network", 114599, 114599, 239332},
    {"mult_dcop_01.mtx.gz", "circuit, nearly full rows", 25187, 25187, 193276},
    {"bundle1.mtx.gz", "arrow with dense rows", 10581, 10581, 770901},
    {"c-62.mtx.gz", "KKT, dense rows both ways", 41731, 41731, 559343},
};
enum { LARGE = sizeof large / sizeof large[0] };

static void open_large(int which, ns_matrix **matrix, oracle_matrix *expected)
{
    char path[4096];
    ns_error err = {0};
    snprintf(path, sizeof path, "%s/data/matrices/%s", shared_dir(), large[which].file);
    ck_assert_msg(oracle_read(path, expected), "the oracle cannot read %s", path);
    ck_assert_int_eq(expected->rows, large[which].rows);
    ck_assert_int_eq(expected->cols, large[which].cols);
    ck_assert_int_eq(expected->entries, large[which].entries);
    ck_assert_msg(ns_matrix_open(path, matrix, &err) == NS_OK, "%s: %s", path, err.text);
}

static void check_exchange(const oracle_matrix *matrix, const oracle_need *need, const int32_t *partition,
                           const ns_exchange *exchange, const ns_netsparse_view *view, bool whole, const char *name)
{
    ns_pattern pattern;
    ns_netsparse_view seen = {.size = sizeof seen};
    char why[256] = "";
    oracle_pattern(need, exchange->per_node, exchange->width, &pattern);
    ck_assert_msg(oracle_same_pattern(&pattern, &exchange->pattern, why), "%s, %d parts, %d per node: %s", name,
                  need->parts, exchange->per_node, why);
    ck_assert_msg(!whole || oracle_same_exchange(need, exchange, why), "%s, %d parts, %d per node: %s", name,
                  need->parts, exchange->per_node, why);
    if (view == NULL)
        return;
    oracle_netsparse(matrix, need, partition, 16, &seen);
    ck_assert_msg(oracle_same_view(&seen, view, why), "%s, %d parts: %s", name, need->parts, why);
}

/* The same from rows in memory, with NetSparse's view. */
static void check_csr(const oracle_matrix *matrix, const oracle_need *need, const int32_t *partition, const char *name)
{
    ns_error err = {0};
    ns_netsparse_view view = {.size = sizeof view};
    ns_exchange_options options = {.view = &view, .part = partition};
    ns_exchange *exchange = NULL;
    ck_assert_msg(ns_exchange_from_csr(matrix->rows, matrix->cols, matrix->row_start, matrix->col_of,
                                       (ns_layout){need->parts, 4}, &options, &exchange, &err) == NS_OK,
                  "%s: %s", name, err.text);
    check_exchange(matrix, need, partition, exchange, &view, need->parts <= 64, name);
    ns_exchange_free(exchange);
}

TEST_EACH(large_matrix, shared_matrices("large_matrix, view_from_file, random_partitions") ? LARGE : 0)
{
    ns_error err = {0};
    ns_matrix *matrix;
    oracle_matrix expected;
    ns_layout layout[LAYOUTS];
    ns_exchange *exchange[LAYOUTS];
    int64_t nonzeros = -1;
    open_large(_i, &matrix, &expected);
    for (int i = 0; i < LAYOUTS; i++)
        layout[i] = (ns_layout){parts_of[i / SIZES], per_node_of[i % SIZES]};
    ck_assert_msg(ns_exchange_from_matrix(matrix, layout, LAYOUTS, NULL, exchange, &nonzeros, &err) == NS_OK, "%s: %s",
                  large[_i].file, err.text);
    ck_assert_int_eq(nonzeros, expected.entries);
    for (int p = 0; p < PARTS; p++) {
        oracle_need need;
        oracle_need_of(&expected, parts_of[p], NULL, &need);
        for (int i = p * SIZES; i < (p + 1) * SIZES; i++) {
            bool whole = parts_of[p] <= 64 || per_node_of[i % SIZES] == 4;
            check_exchange(&expected, &need, NULL, exchange[i], NULL, whole, large[_i].file);
            ns_exchange_free(exchange[i]);
        }
        check_csr(&expected, &need, NULL, large[_i].file);
        oracle_need_free(&need);
    }
    ns_matrix_free(matrix);
    oracle_matrix_free(&expected);
}

/* From the file with a view: the windows take a second pass. */
TEST_EACH(view_from_file, shared_dir() != NULL ? LARGE - 6 : 0)
{
    ns_error err = {0};
    ns_matrix *matrix;
    oracle_matrix expected;
    ns_netsparse_view view = {.size = sizeof view};
    ns_exchange_options options = {.view = &view};
    open_large(6 + _i, &matrix, &expected);
    for (int p = 4; p < PARTS; p++) {
        ns_layout layout = {parts_of[p], 1};
        ns_exchange *exchange = NULL;
        oracle_need need;
        ck_assert_msg(ns_exchange_from_matrix(matrix, &layout, 1, &options, &exchange, NULL, &err) == NS_OK, "%s",
                      err.text);
        oracle_need_of(&expected, parts_of[p], NULL, &need);
        check_exchange(&expected, &need, NULL, exchange, &view, false, large[6 + _i].file);
        oracle_need_free(&need);
        ns_exchange_free(exchange);
    }
    ns_matrix_free(matrix);
    oracle_matrix_free(&expected);
}

/* Any part for any row, a part left empty; then strips of rows in shuffled order. */
static int32_t *random_partition(int64_t rows, int32_t parts, bool strips)
{
    oracle_random random = {20260731};
    int32_t *part = oracle_alloc(rows, sizeof *part), current = 0;
    for (int64_t row = 0; row < rows; row++) {
        if (!strips || oracle_below(&random, 50) == 0)
            current = (int32_t)oracle_below(&random, parts);
        part[row] = parts > 2 && current == 1 ? 0 : current;
    }
    return part;
}

static void check_partition(ns_matrix *matrix, const oracle_matrix *expected, int32_t parts, bool strips,
                            const char *name)
{
    ns_error err = {0};
    int32_t *part = random_partition(expected->rows, parts, strips);
    ns_exchange_options options = {.part = part};
    ns_layout layout[2] = {{parts, 4}, {parts, 6}};
    ns_exchange *exchange[2];
    oracle_need need;
    oracle_need_of(expected, parts, part, &need);
    ck_assert_msg(ns_exchange_from_matrix(matrix, layout, 2, &options, exchange, NULL, &err) == NS_OK, "%s: %s", name,
                  err.text);
    for (int i = 0; i < 2; i++) {
        check_exchange(expected, &need, part, exchange[i], NULL, true, name);
        ns_exchange_free(exchange[i]);
    }
    check_csr(expected, &need, part, name);
    oracle_need_free(&need);
    ns_free(part);
}

TEST_EACH(random_partitions, shared_dir() != NULL ? 3 : 0)
{
    static const int which[] = {9, 11, 8}; /* mult_dcop_01, c-62, luxembourg_osm */
    ns_matrix *matrix;
    oracle_matrix expected;
    open_large(which[_i], &matrix, &expected);
    check_partition(matrix, &expected, 7, false, large[which[_i]].file);
    check_partition(matrix, &expected, 64, false, large[which[_i]].file);
    check_partition(matrix, &expected, 64, true, large[which[_i]].file);
    ns_matrix_free(matrix);
    oracle_matrix_free(&expected);
}

/* Level 0 of the rotated anisotropic diffusion runs (a nine-point stencil on 3200 x 3200, rows in equal contiguous
 * blocks, 16 processes a node): what the exchange programs printed as "Max Num Msgs", "Total Bytes" of "A Vector
 * Communication" and of "A Vector TAP"; messages in total and bytes of one node were computed beside them. */
static const struct {
    int32_t processes;
    int64_t most_messages, bytes_off_node, unique, messages, s_node;
} aniso[] = {
    {128, 2, 358400, 358400, 254, 51200},        {512, 2, 1587200, 1587200, 1022, 51200},
    {1024, 2, 3225600, 3225600, 2046, 51200},    {4096, 4, 13068256, 13058048, 16378, 51248},
    {8192, 6, 26208192, 26169344, 48886, 51296},
};
enum { ANISO = sizeof aniso / sizeof aniso[0] };

static int64_t most_messages_sent(const ns_exchange *exchange)
{
    int64_t *sent = oracle_alloc(exchange->parts, sizeof *sent), most = 0;
    for (int64_t r = 0; r < exchange->routes; r++)
        if (++sent[exchange->route[r].from] > most)
            most = sent[exchange->route[r].from];
    ns_free(sent);
    return most;
}

TEST(aniso_level_0)
{
    ns_error err = {0};
    ns_matrix *matrix = NULL;
    ns_layout layout[ANISO];
    ns_exchange *exchange[ANISO];
    int64_t nonzeros = 0;
    for (int i = 0; i < ANISO; i++)
        layout[i] = (ns_layout){aniso[i].processes, 16};
    ck_assert_msg(ns_matrix_open("stencil9:3200x3200", &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, layout, ANISO, NULL, exchange, &nonzeros, &err) == NS_OK, "%s",
                  err.text);
    ck_assert_int_eq(nonzeros, INT64_C(9598) * 9598); /* (3 n - 2)^2 */
    for (int i = 0; i < ANISO; i++) {
        const ns_pattern *pattern = &exchange[i]->pattern;
        ck_assert_int_eq(most_messages_sent(exchange[i]), aniso[i].most_messages);
        ck_assert_int_eq(pattern->bytes_off_node, aniso[i].bytes_off_node);
        ck_assert_int_eq(pattern->unique_bytes_off_node, aniso[i].unique);
        ck_assert_int_eq(pattern->messages_total, aniso[i].messages);
        ck_assert_int_eq(pattern->s_node, aniso[i].s_node);
        ns_exchange_free(exchange[i]);
    }
    ns_matrix_free(matrix);
}

/* 2000 x 2000 points on 128 parts of 31250, 4 a node: a part sends 2001 columns over a border inside a row of points,
 * 2000 over one between two rows.  31 of the 127 borders are off node, 15 of these (every 8 parts) between two rows: 2
 * x (31 x 2001 - 15) x 8 B = 992256 B. */
TEST(stencil_2000)
{
    ns_error err = {0};
    ns_matrix *matrix = NULL;
    ns_layout layout = {128, 4};
    ns_exchange *exchange = NULL;
    ck_assert_msg(ns_matrix_open("stencil9:2000x2000", &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, &err) == NS_OK, "%s", err.text);
    int64_t sent[128] = {0}, most = 0;
    for (int64_t r = 0; r < exchange->routes; r++) {
        sent[exchange->route[r].from] += exchange->route[r].entries * exchange->width;
        most = sent[exchange->route[r].from] > most ? sent[exchange->route[r].from] : most;
    }
    ck_assert_int_eq(exchange->pattern.messages_total, 254);
    ck_assert_int_eq(most, 4002 * 8);
    ck_assert_int_eq(exchange->pattern.s_recv, 4002 * 8);
    ck_assert_int_eq(exchange->pattern.bytes_off_node, 992256);
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(600)
