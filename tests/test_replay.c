/* test_replay.c -- every strategy's schedule carried out with real items, on random and real patterns */

#include <nsmodel/matrix.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "support/replayed.h"
#include "support/shared.h"
#include "support/test.h"

static const struct {
    int sockets, gpus, host_processes;
    double cap;
} machines[] = {
    {2, 4, 40, 16384}, /* as Lassen */
    {2, 6, 13, 96},    /* low cap: many chunks, the cap is raised */
    {1, 8, 64, 1000},  /* a cap that is no multiple of 8 B */
    {2, 0, 8, 256},    /* no GPUs: nothing to copy */
    {2, 4, 16, 0},     /* no rendezvous: nothing is cut */
    {1, 4, 3, 128},    /* fewer host processes than parts a node: split's parts share them */
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static void check_machines(const oracle_need *need, const ns_exchange *exchange, const char *label)
{
    for (int m = 0; m < MACHINES; m++) {
        ns_machine machine =
            replayed_machine(machines[m].sockets, machines[m].gpus, machines[m].host_processes, machines[m].cap);
        char longer[512];
        snprintf(longer, sizeof longer, "%s, machine %d", label, m);
        int checked = replayed_strategies(need, exchange, &machine, (int64_t)machines[m].cap, longer);
        ck_assert_int_ge(checked, machines[m].gpus > 0 ? 8 : 3);
    }
}

/* ---- random matrices --------------------------------------------------------------------------------------------- */

static int32_t *partition_of(oracle_random *random, int64_t rows, int32_t parts)
{
    int32_t *part = oracle_alloc(rows, sizeof *part), used = 1 + (int32_t)oracle_below(random, parts);
    for (int64_t row = 0; row < rows; row++)
        part[row] = (int32_t)oracle_below(random, used);
    return part;
}

static void check_matrix(const oracle_matrix *matrix, ns_layout layout, const ns_site *site, const int32_t *partition,
                         int64_t width, const char *label)
{
    ns_error err = {0};
    ns_exchange_options options = {
        .size = sizeof options, .width = width, .part = partition, .site = site, .groups = true};
    ns_exchange *exchange = NULL;
    oracle_need need;
    ns_pattern pattern;
    char why[256] = "";
    ck_assert_msg(ns_exchange_from_csr(matrix->rows, matrix->cols, matrix->row_start, matrix->col_of, layout, &options,
                                       &exchange, &err) == NS_OK,
                  "%s: %s", label, err.text);
    oracle_need_of(matrix, layout.parts, partition, &need);
    if (site != NULL)
        oracle_pattern_on(&need, site->node_of, site->nodes, width, &pattern);
    else
        oracle_pattern(&need, layout.per_node, width, &pattern);
    ck_assert_msg(oracle_same_site(exchange->site, site != NULL ? site->node_of : NULL, why), "%s: %s", label, why);
    ck_assert_int_eq(exchange->per_node, layout.per_node);
    ck_assert_msg(oracle_same_exchange(&need, exchange, why) && oracle_same_pattern(&pattern, &exchange->pattern, why),
                  "%s: %s", label, why);
    check_machines(&need, exchange, label);
    oracle_need_free(&need);
    ns_exchange_free(exchange);
}

/* Shapes by number: square, tall, wide, fewer rows than parts, empty; one node, one part, a short last node; blocks or
 * any part for any row, some parts empty; sparse, dense rows. */
TEST_EACH(random_matrices, 60)
{
    static const int64_t widths[] = {8, 8, 1, 24, 4096};
    oracle_random random = {(uint64_t)_i * 7919};
    char label[128];
    int64_t rows = oracle_below(&random, 300), cols = _i % 3 == 0 ? oracle_below(&random, 300) : rows;
    int32_t parts = 1 + (int32_t)oracle_below(&random, _i % 5 == 0 ? 7 : 40);
    int32_t per_node = 1 + (int32_t)oracle_below(&random, _i % 7 == 0 ? parts + 3 : 6);
    int64_t width = widths[oracle_below(&random, 5)];
    int dense = (int)oracle_below(&random, 3);
    oracle_matrix matrix;
    if (per_node > 8)
        per_node = 8;
    oracle_random_matrix(&random, rows, cols, oracle_below(&random, 1500), dense, &matrix);
    int32_t *partition = rows == cols && _i % 2 == 0 ? partition_of(&random, rows, parts) : NULL;
    snprintf(label, sizeof label, "random %d: %lld x %lld, %lld entries, %d parts, %d per node, %lld B, %s", _i,
             (long long)rows, (long long)cols, (long long)matrix.entries, parts, per_node, (long long)width,
             partition != NULL ? "any rows" : "blocks");
    check_matrix(&matrix, (ns_layout){parts, per_node}, NULL, partition, width, label);
    ns_free(partition);
    oracle_matrix_free(&matrix);
}

/* Layouts that go wrong easily, all on one matrix where every part needs something of every other. */
TEST(corner_layouts)
{
    static const ns_layout layouts[] = {{1, 1}, {1, 4},  {4, 4},  {3, 4}, {5, 4},   {8, 4},
                                        {9, 4}, {13, 6}, {12, 1}, {7, 2}, {120, 4}, {61, 6}};
    oracle_random random = {31};
    oracle_matrix matrix;
    oracle_random_matrix(&random, 100, 100, 3000, 2, &matrix);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        char label[64];
        snprintf(label, sizeof label, "%d parts, %d per node", layouts[i].parts, layouts[i].per_node);
        check_matrix(&matrix, layouts[i], NULL, NULL, 8, label);
    }
    oracle_matrix_free(&matrix);
}

/* ---- nodes of any size ------------------------------------------------------------------------------------------- */

/* Slurm's way of giving out 9 ranks, the same ranks dealt round, and ranks in no order with an empty node. */
static const int32_t slurm[] = {0, 0, 0, 0, 1, 1, 1, 2, 3}, cyclic[] = {0, 1, 2, 3, 0, 1, 0, 1, 0},
                     any[] = {4, 0, 2, 2, 0, 4, 2, 2, 3}, sockets[] = {1, 0, 1, 1, 0, 0, 1, 0, 0};

/* Any map of the parts to nodes, some crowded, some empty; on every third the sockets are given too. */
static ns_site *random_site(oracle_random *random, int32_t parts, bool with_sockets)
{
    int32_t nodes = 1 + (int32_t)oracle_below(random, parts), *node_of = oracle_alloc(parts, sizeof *node_of),
            *socket_of = oracle_alloc(parts, sizeof *socket_of);
    ns_site *site = NULL;
    ns_error err = {0};
    for (int32_t p = 0; p < parts; p++) {
        int64_t drawn = oracle_below(random, 2 * nodes);
        node_of[p] = (int32_t)(drawn < nodes ? drawn : drawn % (1 + nodes / 3));
        socket_of[p] = (int32_t)oracle_below(random, 2);
    }
    ck_assert_msg(ns_site_from_map(parts, nodes, node_of, with_sockets ? 2 : 0, with_sockets ? socket_of : NULL, &site,
                                   &err) == NS_OK,
                  "%s", err.text);
    ns_free(node_of);
    ns_free(socket_of);
    return site;
}

TEST(uneven_nodes)
{
    const struct {
        const int32_t *node_of;
        int32_t nodes;
        const int32_t *socket_of;
    } rows[] = {{slurm, 4, NULL}, {cyclic, 4, NULL}, {any, 6, NULL}, {slurm, 4, sockets}, {any, 6, sockets}};
    oracle_random random = {97};
    oracle_matrix matrix;
    oracle_random_matrix(&random, 120, 120, 900, 1, &matrix);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ns_site *site = NULL;
        char label[64];
        ck_assert(ns_site_from_map(9, rows[i].nodes, rows[i].node_of, rows[i].socket_of != NULL ? 2 : 0,
                                   rows[i].socket_of, &site, NULL) == NS_OK);
        ck_assert_int_eq(site->per_node, 4);
        snprintf(label, sizeof label, "site %d of 9 parts", (int)i);
        check_matrix(&matrix, (ns_layout){9, 4}, site, NULL, 8, label);
        ns_site_free(site);
    }
    oracle_matrix_free(&matrix);
}

TEST_EACH(random_sites, 40)
{
    oracle_random random = {(uint64_t)_i * 6151 + 11};
    char label[96];
    int64_t rows = 1 + oracle_below(&random, 200);
    int32_t parts = 1 + (int32_t)oracle_below(&random, 24);
    oracle_matrix matrix;
    oracle_random_matrix(&random, rows, rows, oracle_below(&random, 1200), (int)oracle_below(&random, 3), &matrix);
    int32_t *partition = _i % 2 == 0 ? partition_of(&random, rows, parts) : NULL;
    ns_site *site = random_site(&random, parts, _i % 3 == 0);
    snprintf(label, sizeof label, "random site %d: %lld rows, %d parts on %d nodes", _i, (long long)rows, parts,
             site->nodes);
    check_matrix(&matrix, (ns_layout){parts, site->per_node}, site, partition, 8, label);
    ns_site_free(site);
    ns_free(partition);
    oracle_matrix_free(&matrix);
}

/* ---- planned messages -------------------------------------------------------------------------------------------- */

static int32_t *shuffled(oracle_random *random, int32_t parts)
{
    int32_t *place = oracle_alloc(parts, sizeof *place);
    for (int32_t i = 0; i < parts; i++) {
        int32_t j = (int32_t)oracle_below(random, i + 1);
        place[i] = place[j];
        place[j] = i;
    }
    return place;
}

TEST_EACH(planned_messages, 30)
{
    oracle_random random = {(uint64_t)_i + 1000};
    int32_t parts = 2 + (int32_t)oracle_below(&random, 30), per_node = 1 + (int32_t)oracle_below(&random, 6);
    size_t messages = (size_t)oracle_below(&random, 120);
    int32_t *place = _i % 2 == 0 ? shuffled(&random, parts) : NULL;
    ns_planned *planned = oracle_alloc((int64_t)messages, sizeof *planned);
    ns_error err = {0};
    ns_exchange *exchange = NULL;
    oracle_need need;
    ns_pattern pattern;
    char why[256] = "", label[64];
    ns_site *site = _i % 4 == 3 ? random_site(&random, parts, false) : NULL; /* place is NULL then */
    for (size_t i = 0; i < messages; i++) {
        int32_t from = (int32_t)oracle_below(&random, parts), step = 1 + (int32_t)oracle_below(&random, parts - 1);
        planned[i] = (ns_planned){from, (from + step) % parts, 1 + oracle_below(&random, i % 9 == 0 ? 2000 : 50)};
    }
    snprintf(label, sizeof label, "planned %d: %d parts, %d per node", _i, parts, per_node);
    ns_status status = site != NULL ? ns_exchange_from_messages_on(planned, messages, site, &exchange, &err)
                                    : ns_exchange_from_messages(planned, messages, (ns_layout){parts, per_node}, place,
                                                                &exchange, &err);
    ck_assert_msg(status == NS_OK, "%s: %s", label, err.text);
    ck_assert_int_eq(exchange->width, 1);
    oracle_need_planned(planned, messages, parts, place, &need);
    if (site != NULL)
        oracle_pattern_on(&need, site->node_of, site->nodes, 1, &pattern);
    else
        oracle_pattern(&need, per_node, 1, &pattern);
    ck_assert_msg(oracle_same_site(exchange->site, site != NULL ? site->node_of : NULL, why), "%s: %s", label, why);
    ck_assert_msg(oracle_same_pattern(&pattern, &exchange->pattern, why) && oracle_same_exchange(&need, exchange, why),
                  "%s: %s", label, why);
    check_machines(&need, exchange, label);
    oracle_need_free(&need);
    ns_exchange_free(exchange);
    ns_free(planned);
    ns_free(place);
    ns_site_free(site);
}

/* ---- real matrices ----------------------------------------------------------------------------------------------- */

static const char *const real[] = {
    "bcsstk17.mtx.gz",       "cage10.mtx.gz",   "can_1072.mtx.gz", "bundle1.mtx.gz", "mult_dcop_01.mtx.gz",
    "luxembourg_osm.mtx.gz", "well1033.tar.gz", "lp_woodw.mtx.gz", "D_10.mtx.gz",    "zenios.mtx.gz",
};
enum { REAL = sizeof real / sizeof real[0] };

TEST_EACH(real_matrix, shared_matrices("real_matrix") ? REAL : 0)
{
    static const ns_layout layouts[] = {{7, 4}, {16, 4}, {16, 6}, {64, 4}};
    enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };
    ns_machine machine = replayed_machine(2, 4, 40, 16384);
    ns_exchange *exchange[LAYOUTS];
    const ns_exchange_options options = {.size = sizeof options, .groups = true};
    ns_matrix *matrix = NULL;
    ns_error err = {0};
    oracle_matrix expected;
    char path[4096];
    snprintf(path, sizeof path, "%s/data/matrices/%s", shared_dir(), real[_i]);
    ck_assert_msg(oracle_read(path, &expected), "the oracle cannot read %s", path);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, layouts, LAYOUTS, &options, exchange, NULL, &err) == NS_OK, "%s",
                  err.text);
    for (int i = 0; i < LAYOUTS; i++) {
        oracle_need need;
        char label[128], why[256] = "";
        snprintf(label, sizeof label, "%s, %d parts, %d per node", real[_i], layouts[i].parts, layouts[i].per_node);
        oracle_need_of(&expected, layouts[i].parts, NULL, &need);
        ck_assert_msg(oracle_same_exchange(&need, exchange[i], why), "%s: %s", label, why);
        int checked = replayed_strategies(&need, exchange[i], &machine, 16384, label);
        ck_assert_int_ge(checked, 8);
        oracle_need_free(&need);
        ns_exchange_free(exchange[i]);
    }
    ns_matrix_free(matrix);
    oracle_matrix_free(&expected);
}

TEST_TIMEOUT(300)
