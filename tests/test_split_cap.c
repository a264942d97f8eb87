/* test_split_cap.c -- split's chunks where the cap is less than an entry, exactly one, or anything: items moved for
 * real */
#include "oracle/oracle.h"
#include "support/machines.h"
#include "support/test.h"

#include <nsmodel/strategy.h>

enum { SIDE = 80, PARTS = 8, PER_NODE = 4, CAP = 16384 };

/* B; the cap is lassen's first rendezvous size, 16 KiB. */
static const int64_t widths[] = {1, 8, 4096, 16383, 16384, 16385, 1 << 20};

TEST_EACH(items_arrive, 2 * (int)(sizeof widths / sizeof *widths))
{
    oracle_random random = {(uint64_t)_i + 3};
    oracle_matrix matrix;
    oracle_need need;
    ns_exchange *exchange = NULL;
    const ns_exchange_options options = {.width = widths[_i / 2]};
    oracle_random_matrix(&random, SIDE, SIDE, _i % 2 ? 60 : 500, _i % 2 ? 0 : 2, &matrix); /* few, many */
    oracle_need_of(&matrix, PARTS, NULL, &need);
    ns_machine *machine = machine_named("lassen");
    ck_assert_int_eq(ns_exchange_from_csr(SIDE, SIDE, matrix.row_start, matrix.col_of, (ns_layout){PARTS, PER_NODE},
                                          &options, &exchange, NULL),
                     NS_OK);
    const char *const names[] = {"split-md", "split-dd"};
    for (int s = 0; s < 2; s++) {
        const ns_strategy *strategy;
        ns_schedule *schedule = NULL;
        oracle_traffic traffic;
        char why[256] = "";
        ns_error err = {0};
        ck_assert_int_eq(ns_strategy_get(names[s], &strategy, NULL), NS_OK);
        ck_assert_msg(ns_schedule_build(strategy, NS_VIA_HOST, exchange, machine, &schedule, &err) == NS_OK, "%s",
                      err.text);
        ck_assert_msg(oracle_replay(&need, exchange, schedule, &traffic, why), "%s, %lld B: %s", names[s],
                      (long long)widths[_i / 2], why);
        ck_assert_msg(oracle_rules(&need, exchange, schedule, CAP, why), "%s, %lld B: %s", names[s],
                      (long long)widths[_i / 2], why);
        oracle_traffic_free(&traffic);
        ns_schedule_free(schedule);
    }
    ns_exchange_free(exchange);
    oracle_need_free(&need);
    oracle_matrix_free(&matrix);
}
