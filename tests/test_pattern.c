/* test_pattern.c -- the pattern of a matrix by hand, so that oracle and library cannot be wrong together, and of random
 * ones against the oracle
 */

#include <nsmodel/matrix.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "pattern/blocks.h"
#include "pattern/exchange.h"
#include "support/test.h"

/* 4 parts of one row, 2 per node; . = nothing:
 *      . 1 2 .      need(0) = {1, 2}, column 2 stored twice
 *      . . 1 1      need(1) = {2, 3}
 *      1 . 1 .      need(2) = {0}
 *      1 . 1 .      need(3) = {0, 2}
 * Messages 1>0, 2>3 on node, 2>0, 2>1, 3>1, 0>2, 0>3 off node.  Once per node: 2 and 3 to node 0, 0 to node 1. */
static const int64_t hand_start[] = {0, 3, 5, 7, 9};
static const int64_t hand_col[] = {1, 2, 2, 2, 3, 0, 2, 0, 2};
static const ns_pattern hand_pattern = {.messages_total = 7,
                                        .messages_off_node = 5,
                                        .bytes_total = 56,
                                        .bytes_off_node = 40,
                                        .s_proc = 16,
                                        .s_node = 24,
                                        .s_node_node = 24,
                                        .s_recv = 16,
                                        .m_proc = 2,
                                        .m_proc_node = 1,
                                        .m_node_node = 3,
                                        .recv_nodes = 1,
                                        .send_nodes = 1,
                                        .unique_bytes_off_node = 24,
                                        .unique_s_proc = 8,
                                        .unique_s_node = 16,
                                        .unique_s_node_node = 16,
                                        .duplicate_fraction = 0.4};
static const ns_netsparse_view hand_view = {.nonzeros = 9,
                                            .requests = 8,
                                            .unique = 7,
                                            .unique_max = 2,
                                            .su_transfers = 12,
                                            .su_redundant_per_useful = 5.0 / 7,
                                            .sa_redundant_per_useful = 1.0 / 7,
                                            .destinations_per_window = -1,
                                            .rack_shared_fraction = 5.0 / 7,
                                            .unique_mean = 1.75};

/* Also with far more parts than rows, and without a walk over the parts. */
TEST(owners)
{
    static const int64_t n[] = {1, 2, 3, 7, 24, 1000, INT64_C(1) << 40, INT64_MAX};
    static const int32_t parts[] = {1, 2, 3, 7, 24, 25, 1000, 1000003, INT32_MAX};
    for (size_t k = 0; k < sizeof n / sizeof *n; k++)
        for (size_t l = 0; l < sizeof parts / sizeof *parts; l++)
            for (int64_t j = 0; j < 24; j++) {
                const int64_t i = j < 12 ? j % n[k] : n[k] - 1 - j % n[k];
                const int64_t p = ns_block_owner(i, n[k], parts[l]);
                ck_assert(p >= 0 && p < parts[l]);
                ck_assert(ns_block_first(p, n[k], parts[l]) <= i);
                ck_assert(ns_block_first(p + 1, n[k], parts[l]) > i);
            }
}

TEST(by_hand)
{
    static const int64_t row[] = {0, 0, 0, 1, 1, 2, 2, 3, 3};
    ns_error err = {0};
    ns_netsparse_view view = {.size = sizeof view};
    ns_exchange_options options = {.view = &view};
    ns_exchange *exchange = NULL;
    char why[256] = "";
    ck_assert_msg(ns_exchange_from_csr(4, 4, hand_start, hand_col, (ns_layout){4, 2}, &options, &exchange, &err) ==
                      NS_OK,
                  "%s", err.text);
    ck_assert_msg(oracle_same_pattern(&hand_pattern, &exchange->pattern, why), "library: %s", why);
    ck_assert_msg(oracle_same_view(&hand_view, &view, why), "library: %s", why);

    oracle_matrix matrix;
    oracle_need need;
    ns_pattern pattern;
    ns_netsparse_view seen = {.size = sizeof seen};
    oracle_from_entries(4, 4, 9, row, hand_col, &matrix);
    oracle_need_of(&matrix, 4, NULL, &need);
    oracle_pattern(&need, 2, 8, &pattern);
    oracle_netsparse(&matrix, &need, NULL, 16, &seen);
    ck_assert_msg(oracle_same_pattern(&hand_pattern, &pattern, why), "oracle: %s", why);
    ck_assert_msg(oracle_same_view(&hand_view, &seen, why), "oracle: %s", why);
    ck_assert_msg(oracle_same_exchange(&need, exchange, why), "%s", why);
    oracle_need_free(&need);
    oracle_matrix_free(&matrix);
    ns_exchange_free(exchange);
}

static void shuffle(oracle_random *random, int64_t *values, int64_t count)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = oracle_below(random, i + 1), kept = values[i];
        values[i] = values[j];
        values[j] = kept;
    }
}

static void shuffle_rows(oracle_random *random, const oracle_matrix *matrix, int64_t *col)
{
    for (int64_t row = 0; row < matrix->rows; row++)
        shuffle(random, col + matrix->row_start[row], matrix->row_start[row + 1] - matrix->row_start[row]);
}

/* Rows that ask so many owners that their entries are filed in a second pass instead. */
TEST_EACH(many_owners, 4)
{
    oracle_random random = {(uint64_t)_i + 90};
    oracle_matrix matrix;
    oracle_need need;
    ns_error err = {0};
    ns_netsparse_view view = {.size = sizeof view}, seen = view;
    ns_exchange_options options = {.view = &view};
    ns_exchange *exchange = NULL;
    char why[256] = "";
    const ns_layout layout = {_i % 2 == 0 ? 300 : 4000, 4}; /* also more parts than rows */
    oracle_random_matrix(&random, 3000, 3000, 200000, 2, &matrix);
    ck_assert_msg(
        ns_exchange_from_csr(3000, 3000, matrix.row_start, matrix.col_of, layout, &options, &exchange, &err) == NS_OK,
        "%s", err.text);
    oracle_need_of(&matrix, layout.parts, NULL, &need);
    oracle_netsparse(&matrix, &need, NULL, 16, &seen);
    ck_assert_msg(oracle_same_view(&seen, &view, why), "%d parts: %s", layout.parts, why);
    oracle_need_free(&need);
    ns_exchange_free(exchange);
    oracle_matrix_free(&matrix);
}

/* Entries of a row in any order, many repeats: windows take them with ascending columns all the same. */
TEST_EACH(any_order, 5)
{
    oracle_random random = {(uint64_t)_i + 60};
    oracle_matrix matrix;
    oracle_random_matrix(&random, 90, 90, 20000, 2, &matrix);
    int64_t *col = oracle_alloc(matrix.entries, sizeof *col);
    int32_t *part = oracle_alloc(matrix.rows, sizeof *part);
    memcpy(col, matrix.col_of, (size_t)matrix.entries * sizeof *col);
    shuffle_rows(&random, &matrix, col);
    for (int32_t parts = 2; parts <= 40; parts += 7)
        for (int blocks = 0; blocks < 2; blocks++) {
            ns_error err = {0};
            ns_netsparse_view view = {.size = sizeof view}, seen = view;
            for (int64_t row = 0; row < matrix.rows; row++)
                part[row] = (int32_t)oracle_below(&random, parts);
            const int32_t *partition = blocks ? NULL : part;
            ns_exchange_options options = {.view = &view, .part = partition};
            ns_exchange *exchange = NULL;
            oracle_need need;
            char why[256] = "";
            ck_assert_msg(ns_exchange_from_csr(90, 90, matrix.row_start, col, (ns_layout){parts, 4}, &options,
                                               &exchange, &err) == NS_OK,
                          "%s", err.text);
            oracle_need_of(&matrix, parts, partition, &need);
            oracle_netsparse(&matrix, &need, partition, 16, &seen);
            ck_assert(seen.destinations_per_window > 0);
            ck_assert_msg(oracle_same_exchange(&need, exchange, why) && oracle_same_view(&seen, &view, why),
                          "%d parts: %s", parts, why);
            oracle_need_free(&need);
            ns_exchange_free(exchange);
        }
    ns_free(col);
    ns_free(part);
    oracle_matrix_free(&matrix);
}

/* Columns past 32 bits: column c of 64 becomes c 2^27 of 2^33, its owner stays, so every count but one stays.  Once
 * with so many entries in any order that they are filed by row. */
TEST_EACH(wide_columns, 2)
{
    enum { SIDE = 64, GROWN = 27 };
    oracle_random random = {4};
    oracle_matrix small;
    oracle_random_matrix(&random, SIDE, SIDE, _i == 0 ? 9000 : 200000, 1, &small);
    int64_t *col = oracle_alloc(small.entries, sizeof *col);
    for (int64_t i = 0; i < small.entries; i++)
        col[i] = small.col_of[i] << GROWN;
    shuffle_rows(&random, &small, col);
    for (int32_t parts = 1; parts <= SIDE; parts *= 2) {
        ns_error err = {0};
        ns_netsparse_view view = {.size = sizeof view}, seen = view;
        ns_exchange_options options = {.view = &view};
        ns_exchange *exchange = NULL;
        oracle_need need;
        ns_pattern pattern;
        char why[256] = "";
        ck_assert_msg(ns_exchange_from_csr(SIDE, (int64_t)SIDE << GROWN, small.row_start, col, (ns_layout){parts, 4},
                                           &options, &exchange, &err) == NS_OK,
                      "%s", err.text);
        oracle_need_of(&small, parts, NULL, &need);
        oracle_pattern(&need, 4, 8, &pattern);
        oracle_netsparse(&small, &need, NULL, 16, &seen);
        seen.su_transfers = (parts - 1) * (double)((int64_t)SIDE << GROWN);
        if (seen.unique > 0)
            seen.su_redundant_per_useful = (seen.su_transfers - (double)seen.unique) / (double)seen.unique;
        ck_assert_msg(oracle_same_pattern(&pattern, &exchange->pattern, why) &&
                          oracle_same_exchange(&need, exchange, why) && oracle_same_view(&seen, &view, why),
                      "%d parts: %s", parts, why);
        oracle_need_free(&need);
        ns_exchange_free(exchange);
    }
    ns_free(col);
    oracle_matrix_free(&small);
}

/* Racks other than 16: here of 2, so that the hand example has two of them: {0, 1} share column 2, {2, 3} column 0. */
TEST(racks_of_two)
{
    ns_netsparse_view view = {.size = sizeof view};
    ns_exchange_options options = {.view = &view, .rack = 2};
    ns_exchange *exchange = NULL;
    ck_assert(ns_exchange_from_csr(4, 4, hand_start, hand_col, (ns_layout){4, 1}, &options, &exchange, NULL) == NS_OK);
    ck_assert_double_eq_tol(view.rack_shared_fraction, 4.0 / 7, 1e-15); /* column 2 of part 3 is alone in its rack */
    ns_exchange_free(exchange);
}

/* What cannot be is refused with a code and words, and nothing is handed out. */
TEST(refusals)
{
    static const int32_t high[] = {0, 1, 2, 0}, low[] = {0, -1, 0, 0}, right[] = {0, 1, 1, 0};
    static const struct {
        const char *what;
        int64_t cols;
        ns_layout layout;
        ns_exchange_options options;
        ns_status expected;
    } rows[] = {
        {"no parts", 4, {0, 1}, {0}, NS_ERR_RANGE},
        {"parts below zero", 4, {-1, 1}, {0}, NS_ERR_RANGE},
        {"no parts on a node", 4, {2, 0}, {0}, NS_ERR_RANGE},
        {"column 3 of 3", 3, {2, 1}, {0}, NS_ERR_RANGE},
        {"part 2 of 2", 4, {2, 1}, {.part = high}, NS_ERR_RANGE},
        {"part -1", 4, {2, 1}, {.part = low}, NS_ERR_RANGE},
        {"partition of a rectangle", 5, {2, 1}, {.part = right}, NS_ERR_DATA},
        {"width below zero", 4, {2, 1}, {.width = -1}, NS_ERR_RANGE},
        {"too little memory", 4, {2, 1}, {.max_memory = 10}, NS_ERR_LIMIT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ns_exchange *exchange = NULL;
        ns_error err = {0};
        ns_status status = ns_exchange_from_csr(4, rows[i].cols, hand_start, hand_col, rows[i].layout, &rows[i].options,
                                                &exchange, &err);
        ck_assert_msg(status == rows[i].expected, "%s: %s (%s)", rows[i].what, ns_status_name(status), err.text);
        ck_assert_msg(exchange == NULL && err.code == status && err.text[0] != '\0', "%s: no words", rows[i].what);
    }
}

/* The same of arrays that are none; what stands before them is not looked at. */
TEST(bad_arrays)
{
    static const int64_t start[] = {0, 0, 2, 1, 3}, one[] = {1, 2, 3, 4, 5}, col[] = {0, 1, 2}, below[] = {0, -1, 2};
    static const struct {
        int64_t rows, cols;
        const int64_t *start, *col;
        const char *words;
    } rows[] = {
        {-1, 4, start + 1, col, "CSR arrays want rows, cols >= 0 and row_start[0] = 0"},
        {1, -1, start + 1, col, "CSR arrays want rows, cols >= 0 and row_start[0] = 0"},
        {4, 4, one, col, "CSR arrays want rows, cols >= 0 and row_start[0] = 0"},
        {3, 4, start + 1, col, "row_start[2] is smaller than the one before it"},
        {2, 4, start, below, "col[1] = -1 is not in 0 to 3"},
        {2, 1, start, col, "col[1] = 1 is not in 0 to 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ns_exchange *exchange = NULL;
        ns_error err = {0};
        ck_assert_int_eq(ns_exchange_from_csr(rows[i].rows, rows[i].cols, rows[i].start, rows[i].col, (ns_layout){1, 1},
                                              NULL, &exchange, &err),
                         NS_ERR_RANGE);
        ck_assert_str_eq(err.text, rows[i].words);
        ck_assert_ptr_null(exchange);
    }
}

/* Several layouts where only one can be, or layouts that do not fit what is given with them. */
TEST(bad_requests)
{
    static const int32_t part[] = {0, 1, 0, 1}, high[] = {0, 1, 2, 0}, low[] = {0, -1, 0, 0};
    static const ns_layout two[] = {{2, 1}, {3, 1}}, alike[] = {{2, 1}, {2, 2}};
    ns_netsparse_view view = {.size = sizeof view};
    ns_site *site;
    ck_assert_int_eq(ns_site_blocks(3, 1, 0, &site, NULL), NS_OK);
    const struct {
        const ns_layout *layout;
        size_t layouts;
        ns_exchange_options options;
        ns_status expected;
        const char *words;
    } rows[] = {
        {two, 2, {.part = part}, NS_ERR_DATA, "a partition fixes the number of parts"},
        {alike, 2, {.part = part}, NS_OK, ""},
        {two, 1, {.part = high}, NS_ERR_RANGE, "row 3 is in part 2, but there are 2 parts"},
        {two, 1, {.part = low}, NS_ERR_RANGE, "row 2 is in part -1, but there are 2 parts"},
        {alike, 2, {.view = &view}, NS_ERR_RANGE, "the NetSparse view is of one layout at a time"},
        {two, 2, {.site = site}, NS_ERR_RANGE, "a site of 3 parts is for one layout, of as many parts"},
        {two, 1, {.site = site}, NS_ERR_RANGE, "a site of 3 parts is for one layout, of as many parts"},
        {two + 1, 1, {.site = site}, NS_OK, ""},
        {two, 1, {.width = INT64_C(1) << 31}, NS_ERR_RANGE, "the width of an entry has to be 1 B to 2 GB"},
        {two, 1, {.width = INT32_MAX}, NS_OK, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ns_exchange *exchange[2] = {NULL, NULL};
        ns_matrix *matrix;
        ns_error err = {0};
        ck_assert_int_eq(ns_matrix_open("stencil5:2x2", &matrix, &err), NS_OK);
        const ns_status status =
            ns_exchange_from_matrix(matrix, rows[i].layout, rows[i].layouts, &rows[i].options, exchange, NULL, &err);
        ck_assert_msg(status == rows[i].expected, "%d: %s", (int)i, err.text);
        ck_assert_str_eq(err.text, rows[i].words);
        for (size_t k = 0; k < 2; k++) {
            ck_assert((exchange[k] != NULL) == (status == NS_OK && k < rows[i].layouts));
            ns_exchange_free(exchange[k]);
        }
        ns_matrix_free(matrix);
    }
    ns_site_free(site);
}

TEST_TIMEOUT(120)
