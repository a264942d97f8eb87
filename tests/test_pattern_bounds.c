/* test_pattern_bounds.c -- exchanges at the bounds of what numbers and limits hold, and of matrices that are odd
 */

#include "collection/catalogue.h"
#include "matrix/source.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "pattern/owners.h"
#include "support/cli.h"
#include "support/test.h"

/* At both ends of many blocks, where an estimate in doubles is off by one either way. */
TEST(owners_at_bounds)
{
    static const int64_t n[] = {1000, INT64_C(1) << 53, INT64_C(123456789012345678), INT64_MAX};
    static const int32_t parts[] = {7, 1000003, INT32_MAX};
    oracle_random random = {3};
    bool good = true;
    for (size_t k = 0; k < sizeof n / sizeof *n; k++)
        for (size_t l = 0; l < sizeof parts / sizeof *parts; l++)
            for (int i = 0; i < 3000; i++) {
                const int64_t p = oracle_below(&random, parts[l]);
                const int64_t first = ns_block_first(p, n[k], parts[l]), end = ns_block_first(p + 1, n[k], parts[l]);
                good = good && (first == end || (ns_block_owner(first, n[k], parts[l]) == p &&
                                                 ns_block_owner(end - 1, n[k], parts[l]) == p));
            }
    ck_assert(good);
}

/* Shares are counted in 32 bits. */
TEST(too_many_shares)
{
    static const ns_layout layout = {2, 1};
    ns_budget budget = {0};
    ns_blocks blocks;
    ns_owners of;
    ns_error err = {0};
    ck_assert_int_eq(ns_blocks_open(&blocks, 4, 4, &layout, 1, NULL, &budget, NULL), NS_OK);
    ck_assert_int_eq(ns_owners_open(&of, &blocks, &budget, NULL), NS_OK);
    ck_assert(!ns_owners_too_many(&of));
    of.shares = UINT32_MAX;
    ck_assert(ns_owners_too_many(&of));
    ck_assert_int_eq(ns_owners_new_share(&of, 0, 1, &err), NS_ERR_LIMIT);
    ck_assert_str_eq(err.text, "more than 2^32 rows and owners of their columns");
    ck_assert_uint_eq(of.head[0], 0);
    ns_owners_free(&of);
    ns_blocks_free(&blocks);
}

/* A limit that is reached in the middle of many entries. */
TEST(full_while_reading)
{
    enum { ROWS = 8, ENTRIES = 60000 };
    oracle_random random = {17};
    oracle_matrix small;
    ns_exchange_options options = {.max_memory = 1 << 21};
    ns_exchange *exchange = NULL;
    ns_error err = {0};
    oracle_random_matrix(&random, ROWS, 1 << 20, ENTRIES, 0, &small);
    for (int64_t i = 0; i < ENTRIES; i++)
        small.col_of[i] <<= 10;
    ck_assert_int_eq(ns_exchange_from_csr(ROWS, INT64_C(1) << 30, small.row_start, small.col_of, (ns_layout){8, 1},
                                          &options, &exchange, &err),
                     NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_MEMORY);
    ck_assert_ptr_null(exchange);
    oracle_matrix_free(&small);
}

/* ---- what any matrix may do -------------------------------------------------------------------------------------- */

static int scans;

/* Rows do not ascend, so they are read again; then another entry comes, in a row that had none. */
static ns_status fickle_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    static const ns_entry first[] = {{3, 0}, {0, 3}}, second[] = {{0, 3}, {1, 3}};
    (void)matrix;
    return receive(context, scans++ == 0 ? first : second, 2, err);
}

TEST(fickle)
{
    static const int32_t part[] = {0, 0, 1, 1};
    ns_matrix matrix = {.info = {.name = "fickle", .rows = 4, .cols = 4, .stored = 2, .source = NS_GENERATED},
                        .scan = fickle_scan};
    ns_netsparse_view view = {.size = sizeof view};
    const ns_exchange_options options = {.part = part, .view = &view};
    ns_exchange *exchange = NULL;
    ns_error err = {0};
    scans = 0;
    ck_assert_int_eq(ns_exchange_from_matrix(&matrix, &(ns_layout){2, 1}, 1, &options, &exchange, NULL, &err),
                     NS_ERR_DATA);
    ck_assert_str_eq(err.text, "the matrix changed between two reads");
    ck_assert_ptr_null(exchange);
}

/* Both rows use all columns of 2^33: what a part needs is more than a range counts, and a message all the same. */
static int all_columns(const ns_matrix *matrix, int64_t row, int64_t rows, ns_column_span span[NS_SPANS])
{
    (void)row, (void)rows;
    span[0] = (ns_column_span){0, matrix->info.cols};
    return 1;
}

TEST(more_than_32_bits)
{
    const int64_t half = INT64_C(1) << 32;
    ns_matrix matrix = {.info = {.name = "wide", .rows = 2, .cols = 2 * half, .stored = 4, .source = NS_GENERATED},
                        .columns = all_columns};
    ns_exchange *exchange = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_exchange_from_matrix(&matrix, &(ns_layout){2, 1}, 1, NULL, &exchange, NULL, &err) == NS_OK, "%s",
                  err.text);
    ck_assert_int_eq(exchange->routes, 2);
    for (int r = 0; r < 2; r++)
        ck_assert_int_eq(exchange->route[r].entries, half);
    ck_assert_int_eq(exchange->need[0], half);
    ck_assert_int_eq(exchange->pairs, 2);
    ck_assert_int_eq(exchange->pair[0].entries, half);
    ck_assert_int_eq(exchange->pattern.bytes_off_node, 16 * half);
    ns_exchange_free(exchange);
}

/* A list of messages counts with its sorted copies, three times what is given, and little else where parts are few. */
TEST(memory_of_messages)
{
    enum { MESSAGES = 20000 };
    static ns_planned message[MESSAGES];
    const double given = sizeof message;
    for (int i = 0; i < MESSAGES; i++)
        message[i] = (ns_planned){i % 4, (i + 1 + i / 4 % 3) % 4, 8};
    for (int enough = 0; enough < 2; enough++) {
        const ns_limits limits = {.max_memory = (int64_t)((enough ? 3.5 : 2.9) * given)};
        ns_exchange *x = NULL;
        ck_assert_int_eq(
            ns_exchange_from_messages_within(message, MESSAGES, (ns_layout){4, 2}, NULL, &limits, &x, NULL),
            enough ? NS_OK : NS_ERR_LIMIT);
        ck_assert_int_eq(x != NULL, enough);
        ns_exchange_free(x);
    }
}

TEST(nothing_asked_for)
{
    ns_matrix *matrix;
    ns_exchange *exchange = NULL;
    int64_t nonzeros = -7;
    ck_assert_int_eq(ns_matrix_open("stencil5:2x2", &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_from_matrix(matrix, NULL, 0, NULL, &exchange, &nonzeros, NULL), NS_OK);
    ck_assert_int_eq(nonzeros, -7);
    ns_matrix_free(matrix);
}

static const char *const flat[] = {"0 3 0\n", "3 0 0\n", "0 0 0\n"};

TEST_EACH(no_lengths, 3)
{
    char text[100];
    ns_matrix *matrix;
    ns_spread row, col;
    ns_error err = {0};
    int64_t entries = -7;
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate pattern general\n%s", flat[_i]);
    ck_assert_int_eq(ns_matrix_open(cli_file("flat.mtx", text), &matrix, &err), NS_OK);
    ck_assert_int_eq(ns_matrix_lengths(matrix, 0, &row, &col, &entries, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "flat has no rows or no columns");
    ck_assert_int_eq(entries, -7);
    ns_matrix_free(matrix);
}
