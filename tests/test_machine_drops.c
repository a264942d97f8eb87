/* test_machine_drops.c -- protocols that get faster at their first size: all of them, in order, against every pair */

#include "api/library.h"

#include "oracle/oracle.h"
#include "support/test.h"

enum { TIMES = 200 };

/* Tables of small whole numbers, some of them not given. */
static void fill(ns_line line[NS_PROTOCOLS], const ns_line *sizes, oracle_random *random)
{
    for (int p = 0; p < NS_PROTOCOLS; p++)
        line[p] = (ns_line){.given = oracle_below(random, 4) > 0,
                            .from = sizes != NULL ? sizes[p].from : (double)(oracle_below(random, 5) + 10 * p),
                            .alpha = (double)oracle_below(random, 60),
                            .beta = (double)oracle_below(random, 4)};
}

/* A protocol is compared with the nearest before it that is given. */
static bool falls(const ns_line line[NS_PROTOCOLS], int to, double size, ns_machine_drop *drop)
{
    for (int from = to - 1; line[to].given && from >= 0; from--)
        if (line[from].given) {
            drop->from = (ns_protocol)from;
            drop->to = (ns_protocol)to;
            drop->size = size;
            drop->before_s = line[from].alpha + line[from].beta * size;
            drop->after_s = line[to].alpha + line[to].beta * size;
            return drop->after_s < drop->before_s;
        }
    return false;
}

TEST_EACH(every_drop, TIMES)
{
    static ns_machine machine;
    oracle_random random = {(uint64_t)_i + 1};
    size_t count = 0;
    ns_machine_drop got, untouched = {.size = -1};
    memset(&machine, 0, sizeof machine);
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int l = 0; l < NS_LOCALITIES; l++) {
            fill(machine.line[m][l], NULL, &random);
            fill(machine.in_flight[m][l], machine.line[m][l], &random);
        }
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int flight = 0; flight < 2; flight++)
                for (int to = 0; to < NS_PROTOCOLS; to++) {
                    ns_machine_drop wanted = {
                        .memory = (ns_memory)m, .locality = (ns_locality)l, .in_flight = flight == 1};
                    const ns_line *line = flight ? machine.in_flight[m][l] : machine.line[m][l];
                    if (!falls(line, to, machine.line[m][l][to].from, &wanted))
                        continue;
                    ck_assert(ns_machine_drop_at(&machine, count++, &got));
                    ck_assert(got.memory == wanted.memory && got.locality == wanted.locality &&
                              got.in_flight == wanted.in_flight && got.from == wanted.from && got.to == wanted.to);
                    ck_assert_double_eq(got.size, wanted.size);
                    ck_assert_double_eq(got.before_s, wanted.before_s);
                    ck_assert_double_eq(got.after_s, wanted.after_s);
                }
    ck_assert(!ns_machine_drop_at(&machine, count, &untouched));
    ck_assert_double_eq(untouched.size, -1);
}
