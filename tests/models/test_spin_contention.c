/* test_spin_contention.c -- known queues by hand, states of the queue summed one by one, and where memory runs out */
#include "../support/model_rows.h"

#include "api/library.h"

#include "model/parts/handlers.h"

#define ONE "t_handler=2us slots=100 rate=0.25/us"
#define TWO "t_handler=2us rate=0.3/us t_others=6us rate_others=0.1/us H=4 slots=100"
static const model_row rows[] = {
    {NULL, ONE " H=1", "wait", 1e-6, NEAR, "one unit half busy, handlers of one length: t/2 load/(1 - load)"},
    {NULL, ONE " H=1 cv=1", "wait", 2e-6, NEAR, "exponential handlers: t load/(1 - load)"},
    {NULL, ONE " H=4096 cv=1", "wait", 0, 0, "as many units as there may be: nobody waits"},
    {NULL, ONE " H=4097 cv=1", NULL, 0, 0, "wanted a whole number from 1 to 4096"},
    {NULL, ONE " H=2 cv=1", "wait", 2e-6 * 0.0625 / (1 - 0.0625), NEAR, "two units: t load^2/(1 - load^2)"},
    {NULL, ONE " H=1 cv=2", "wait", 5e-6, NEAR, "(1 + 4)/2 times the exponential wait"},
    {NULL, ONE " H=1", "time", 3e-6, NEAR, "wait and handler"},
    {NULL, TWO, "handler", 3e-6, NEAR, "three packets of 2 us and one of 6 us"},
    {NULL, TWO, "spread", 1 / 1.7320508075688772, NEAR, "E[t^2] = 12 us^2 over 9"},
    {NULL, TWO " cv=1", "spread", 1.2909944487358056, NEAR, "24/9 - 1"},
    {NULL, TWO, "units_wanted", 1.2, NEAR, "0.6 and 0.6"},
    {NULL, TWO, "load", 0.3, NEAR, "of four units"},
    {NULL, TWO, "capacity", 4 / 3e-6, NEAR, "units over the mean handler"},
    {NULL, TWO, "lost", 0, 0, "below capacity"},
    {NULL, TWO, "full", 0, 0, "never"},
    {NULL, TWO " serial=0.5", "capacity", 2 / 3e-6, NEAR, "half of a handler in the lock: two units' worth"},
    {NULL, TWO " serial=1", "capacity", 1 / 3e-6, NEAR, "[RS] 4.4.4: down to one unit"},
    {NULL, TWO " serial=0.1", "capacity", 4 / 3e-6, NEAR, "four units do not fill the lock"},
    {NULL, TWO " serial=1", "load", 1.2, NEAR, "0.4 packets/us for 1/3"},
    {NULL, TWO " serial=1", "lost", 1 - 1 / 1.2, NEAR, "what is beyond the capacity"},
    {NULL, TWO " serial=1", "full", 100 / (0.4e6 - 1e6 / 3), 1e-12, "[RS] (1): slots over the excess"},
    {NULL, TWO " serial=1", "wait", 300e-6, NEAR, "100 slots at 3 us each"},
    {NULL, TWO " serial=1", "rate", 0.4e6, NEAR, "both kinds"},
    {NULL, "t_handler=2us rate=0.499/us H=1 cv=9 slots=3", "wait", 6e-6, NEAR, "no longer than the memory holds"},
    {"fpspin", "t_handler=160us rate=0.05/us", "load", 0.5, NEAR, "16 units"},
    {"fpspin", "t_handler=160us rate=0.2/us", "full", 170 / 0.1e6, 1e-12, "170 slots of 1536 B"},
    {NULL, "t_handler=2us rate=1/us H=4 slots=3 t_others=2us rate_others=1/us,2/us", NULL, 0, 0,
     "1 other kinds of handlers and 2 rates"},
    {NULL, TWO " serial=1", "time", 302e-6, NEAR, "the wait and its own handler"},
    {NULL, "t_handler=2us rate=0/us H=1 slots=3", NULL, 0, 0, "rate has to be more than 0"},
    {NULL, "t_handler=2us rate=1/us H=2.5 slots=3", NULL, 0, 0, "2.5 handler units"},
    {NULL, TWO " serial=2", NULL, 0, 0, "serial has to be at least 0 and at most 1"},
};

/* The states of M/M/H one by one: p_k = p_0 a^k / (k! or H! H^(k - H)); packets that wait over the arrivals. */
static double summed(int units, double load)
{
    double p = 1, all = 0, waiting = 0;
    for (int k = 0; k < 20000; k++) {
        all += p;
        waiting += k > units ? (k - units) * p : 0;
        p *= units * load / (k + 1 < units ? k + 1 : units);
    }
    return waiting / all / (units * load);
}

TEST(waits_are_those_of_summed_states)
{
    static const int units[] = {1, 2, 5, 16, 64};
    for (int u = 0; u < 5; u++)
        for (double load = 0.1; load < 0.96; load += 0.17) {
            double wait;
            ck_assert_int_eq(ns_handlers_wait(units[u], load, 1, &wait, NULL), NS_OK);
            ck_assert_double_eq_tol(wait, summed(units[u], load), 1e-9 * (wait + 1e-12));
        }
}

TEST(refused)
{
    double wait = -7;
    ck_assert_int_eq(ns_handlers_wait(16, 1, 0, &wait, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_handlers_wait(16, -0.1, 0, &wait, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_handlers_wait(16, NAN, 0, &wait, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_handlers_wait(0, 0.5, 0, &wait, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_handlers_wait(5000, 0.5, 0, &wait, NULL), NS_ERR_RANGE);
    ck_assert_double_eq(wait, -7);
}

MODEL_ROWS("spin-contention", rows)
