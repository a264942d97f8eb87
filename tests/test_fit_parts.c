/* test_fit_parts.c -- parts of a fit by hand: cells of samples, and the numbers of LogGP with their errors */
#include "core/memory.h"
#include "fit/cells.h"
#include "fit/fit.h"

#include "oracle/oracle.h"
#include "support/test.h"

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static bool is_streaming(const ns_sample *s, const void *context)
{
    (void)context;
    return s->kind == NS_STREAMING;
}

/* 3 numbers of pairs, 4 of messages, 5 sizes, of each 1 to 3 times, in any order and with others between them: a cell
 * each, ascending, of the median time of one message. */
TEST(cells)
{
    enum { PAIRS = 3, MESSAGES = 4, SIZES = 5, CELLS = PAIRS * MESSAGES * SIZES, MOST = 3 * CELLS + CELLS };
    static const double factor[3][3] = {{1}, {0.5, 2}, {3, 1, 0.25}}, middle[] = {1, 1.25, 1};
    static ns_sample sample[MOST];
    oracle_random random = {8};
    size_t used = 0, kept = 0, count = 0, samples = 0;
    ns_cell *list;
    for (int i = 0; i < CELLS; i++) {
        const int pairs = 1 << i % PAIRS, messages = 1 + i / PAIRS % MESSAGES, size = i / PAIRS / MESSAGES;
        for (int k = 0; k <= i % 3; k++, kept++)
            sample[used++] = (ns_sample){.kind = NS_STREAMING,
                                         .pairs = pairs,
                                         .messages = messages,
                                         .bytes = 100 << size,
                                         .seconds = factor[i % 3][k] * messages * (1 + i)};
        sample[used++] = (ns_sample){.kind = NS_PING_PONG, .pairs = 1, .messages = 1, .bytes = 1, .seconds = 1};
    }
    for (size_t i = used - 1; i > 0; i--) {
        const size_t k = (size_t)oracle_below(&random, (int64_t)i + 1);
        const ns_sample moved = sample[i];
        sample[i] = sample[k];
        sample[k] = moved;
    }
    const ns_log log = {.sample = sample, .samples = used};
    ck_assert_int_eq(ns_cells_collect(&log, is_streaming, NULL, &list, &count, &samples, NULL), NS_OK);
    ck_assert_uint_eq(samples, kept);
    ck_assert_uint_eq(count, CELLS);
    ck_assert_uint_eq(ns_cells_sizes(list, count), SIZES);
    ck_assert_uint_eq(ns_cells_sizes(list, 2), 2);
    ck_assert_uint_eq(ns_cells_sizes(list, 0), 0);
    for (int at = 0; at < CELLS; at++) {
        const int size = at % SIZES, messages = at / SIZES % MESSAGES, pairs = at / SIZES / MESSAGES;
        const int i = pairs + PAIRS * (messages + MESSAGES * size);
        ck_assert_int_eq(list[at].pairs, 1 << pairs);
        ck_assert_int_eq(list[at].messages, 1 + messages);
        ck_assert_double_eq(list[at].bytes, 100 << size);
        ck_assert_double_eq_tol(list[at].seconds, middle[i % 3] * (1 + i), 1e-12 * (1 + i));
    }
    ns_free(list);
}

/* 3 us + 2 ns/B wants three sizes at least. */
TEST(line_of_cells)
{
    static const ns_cell list[] = {{1, 1, 0, 3e-6}, {1, 1, 1000, 5e-6}, {2, 1, 1000, 5e-6}, {2, 1, 9000, 21e-6}};
    ns_line_estimate line = {0};
    ns_error err = {0};
    ck_assert_int_eq(ns_cells_line(list, 3, &line, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "fewer than three sizes");
    ck_assert_int_eq(ns_cells_line(list, 4, &line, NULL), NS_OK);
    ck_assert_double_eq_tol(line.alpha, 3e-6, 1e-12);
    ck_assert_double_eq_tol(line.beta, 2e-9, 1e-15);
}

/* ---- LogGP ------------------------------------------------------------------------------------------------------- */

/* L: 1, 2, 4, 8, 100 us: median 4, deviations 0, 2, 3, 4, 96, so 3 in the middle; o: two of the smallest messages, one
 * of a longer one that does not count; g: one. */
TEST(loggp)
{
    static const struct {
        const char *name;
        double bytes, us;
    } rows[] = {{"L", 0, 8},     {"L", 1, 1},        {"L", 2, 4}, {"L", 4, 100},     {"L", 8, 2},
                {"o_s", 1, 0.5}, {"o_r", 1024, 1.5}, {"g", 1, 7}, {"o_s", 1025, 90}, {"x", 1, 5}};
    enum { ROWS = sizeof rows / sizeof *rows };
    ns_sample sample[ROWS + 1] = {{0}};
    ns_fit fit = {0};
    for (int i = 0; i < ROWS; i++)
        sample[i] = (ns_sample){.kind = NS_LOGGP,
                                .name = rows[i].name,
                                .bytes = rows[i].bytes,
                                .seconds = rows[i].us * 1e-6,
                                .messages = 1};
    sample[ROWS] = (ns_sample){.kind = NS_PING_PONG, .name = "L", .bytes = 1, .seconds = 1, .messages = 1};
    const ns_log log = {.sample = sample, .samples = ROWS + 1};
    ck_assert_int_eq(ns_fit_loggp(&fit, &log, NULL), NS_OK);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_L].value, 4e-6, 1e-15);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_L].se, 1.4826 * 3e-6 * sqrt(acos(-1) / 2 / 5), 1e-15);
    ck_assert_uint_eq(fit.loggp[NS_LOGGP_L].samples, 5);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_O].value, 1e-6, 1e-15);
    ck_assert_double_eq(fit.loggp[NS_LOGGP_O].se, 0); /* of two samples no error is known */
    ck_assert_uint_eq(fit.loggp[NS_LOGGP_O].samples, 2);
    ck_assert_double_eq_tol(fit.loggp[NS_LOGGP_G_MESSAGE].value, 7e-6, 1e-15);
    ck_assert(fit.loggp[NS_LOGGP_L].given && !fit.loggp[NS_LOGGP_G_BYTE].given && !fit.loggp_derived);
}
