/* test_price.c -- the price of schedules in the max-rate form, worked out by hand; test_price_oracle.c has every
 * strategy, test_forms.c and test_uncertainty.c the full form */

#include <nsmodel/matrix.h>

#include "machine/machine.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "price/choice.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

/* ---- by hand --------------------------------------------------------------------------------------------------------
 *
 * The matrix of test_pattern.c: 4 parts on 2 nodes, 1000 B an entry; need(0) = {1, 2}, need(1) = {2, 3},
 * need(2) = {0}, need(3) = {0, 2}.  Messages of 1000 B each: 1>0 and 2>3 on node, 2>0, 2>1, 3>1, 0>2, 0>3 off node.
 * L(1, 0) = {2 for parts 0 and 1, 3 for part 1}, L(0, 1) = {0 for parts 2 and 3}.
 *
 * Host: on node 1 us + 1 ns/B, so 2 us a message of 1000 B; off node 4 us + 4 ns/B; R_N^-1 = 3 ns/B.
 * Device: ten times all that, no R_N.  Copies: out 10 us + 0.1 ns/B, in 12 us + 0.2 ns/B.  In: parts 0, 1 and 3 need
 * 2000 B, 12.4 us.
 *
 * standard, one step.  Process 2 decides, sending: 2 (to 3) + 2 x 4 + max(2 x 4, 3000 B x 3 ns/B = 9) = 2 + 17 us
 * (next: process 1 receiving, 17).  Out: part 2 sends 3000 B, 10.3 us.  2 + 17 + 10.3 + 12.4 = 41.7 us. Device: process
 * 2 sends 20 + 2 x 80 = 20 + 160 us. three-step.  Processes 2 and 0 serve the pair 1 > 0, 0 and 2 the pair 0 > 1 (least
 * loaded, lowest rank).  First step: 1>0, 2>3 and, gathered, 3>2: 2 us.  Second: 2>0 of 2000 B: 4 + max(8, 6) = 12 us.
 * Third: 0>1 of both columns, 2000 B: 3 us.  Out: part 2 sends column 2 once on its node and once off it, 2000 B, 10.2
 * us.  5 + 12 + 10.2 + 12.4 = 39.6 us. Device: 20 + 120 + 30 us. two-step.  2>0 with {2}, 3>1 with {3}, 0>2 with {0}.
 * First step: process 2 sends 2 us + 4 + max(4, 2000 B x 3 ns/B = 6) = 2 + 10 us, as process 0 receives.  Second: 0>1
 * and 2>3 of 1000 B: 2 us.  Out as before.  4 + 10 + 22.6 = 36.6 us. Device: 20 + 80, 20 us. split-md, 4 processes a
 * node, cap 1000 B: parts live on processes 0, 2, 4, 6.  L(1, 0) goes in chunks {2}: 7>0 and {3}: 6>1, L(0, 1) in one:
 * 3>4.  First step: 2>0 and 4>6 direct, 4>7 and 0>3 gathered; process 4 sends two: 4 us. Second: 4 + max(4, 2000 B x 3
 * ns/B = 6) = 10 us.  Third: 0>2 and 1>2, 4>6; process 2 receives two: 4 us. 8 + 10 + 22.6 = 40.6 us. */
static const int64_t hand_start[] = {0, 3, 5, 7, 9};
static const int64_t hand_col[] = {1, 2, 2, 2, 3, 0, 2, 0, 2};
static const struct {
    const char *strategy;
    ns_transport transport;
    double on_node_us, off_node_us, copy_us;
} hand[] = {
    {"standard", NS_VIA_HOST, 2, 17, 22.7},  {"three-step", NS_VIA_HOST, 5, 12, 22.6},
    {"two-step", NS_VIA_HOST, 4, 10, 22.6},  {"split-md", NS_VIA_HOST, 8, 10, 22.6},
    {"standard", NS_VIA_DEVICE, 20, 160, 0}, {"three-step", NS_VIA_DEVICE, 50, 120, 0},
    {"two-step", NS_VIA_DEVICE, 40, 80, 0},
};
enum { HAND = sizeof hand / sizeof hand[0] };

static const ns_price_options max_rate = {.form = &ns_form_max_rate};

/* To be added to, then made. */
static machine_text *hand_text(void)
{
    machine_text *text = machine_start(1, 2, 4);
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            machine_put(text, p * 500, "B", "%s.protocols.%s", ns_memory_words[m], ns_protocol_words[p]);
            for (int l = 0; l < NS_LOCALITIES; l++) {
                const double scale = (l == NS_OFF_NODE ? 4 : 1) * (m == NS_DEVICE ? 10 : 1);
                machine_put(text, scale * 1e-6, "s", "%s.%s.%s.alpha", ns_memory_words[m], ns_locality_words[l],
                            ns_protocol_words[p]);
                machine_put(text, scale * 1e-9, "s/B", "%s.%s.%s.beta", ns_memory_words[m], ns_locality_words[l],
                            ns_protocol_words[p]);
            }
        }
    machine_put(text, 3e-9, "s/B", "host.injection.inverse_R_N");
    machine_put(text, 10e-6, "s", "copy.1.d2h.alpha");
    machine_put(text, 12e-6, "s", "copy.1.h2d.alpha");
    machine_put(text, 0.1e-9, "s/B", "copy.1.d2h.beta");
    machine_put(text, 0.2e-9, "s/B", "copy.1.h2d.beta");
    return text;
}

/* The matrix above on a strategy. */
static ns_schedule *hand_schedule(const char *name, ns_transport transport, const ns_machine *machine)
{
    const ns_exchange_options options = {.width = 1000};
    const ns_strategy *strategy = NULL;
    ns_exchange *exchange = NULL;
    ns_schedule *schedule = NULL;
    ns_error err = {0};
    ck_assert(ns_exchange_from_csr(4, 4, hand_start, hand_col, (ns_layout){4, 2}, &options, &exchange, &err) == NS_OK);
    ck_assert(ns_strategy_get(name, &strategy, &err) == NS_OK);
    ck_assert_msg(ns_schedule_build(strategy, transport, exchange, machine, &schedule, &err) == NS_OK, "%s", err.text);
    ns_exchange_free(exchange);
    return schedule;
}

TEST_EACH(by_hand, HAND)
{
    ns_machine *machine = machine_made(hand_text());
    ns_schedule *schedule = hand_schedule(hand[_i].strategy, hand[_i].transport, machine);
    ns_price price;
    ns_error err = {0};
    ck_assert_msg(ns_schedule_price_as(schedule, machine, &max_rate, &price, &err) == NS_OK, "%s", err.text);
    double on_node = hand[_i].on_node_us * 1e-6, off_node = hand[_i].off_node_us * 1e-6, copy = hand[_i].copy_us * 1e-6;
    ck_assert_msg(oracle_equal(on_node, ns_price_term(&price, "on_node")) &&
                      oracle_equal(off_node, ns_price_term(&price, "off_node")) && oracle_equal(copy, price.copy_s),
                  "%s: on node %g, off node %g, copies %g us; expected %g, %g, %g", hand[_i].strategy,
                  ns_price_term(&price, "on_node") * 1e6, ns_price_term(&price, "off_node") * 1e6, price.copy_s * 1e6,
                  on_node * 1e6, off_node * 1e6, copy * 1e6);
    ck_assert_msg(oracle_equal(on_node + off_node + copy, price.estimate_s), "%s: estimate %g us", hand[_i].strategy,
                  price.estimate_s * 1e6);
    /* no standard errors: 90 % of a normal of log2 with the error of max-rate, 1.64485 standard deviations to either
     * side */
    ck_assert_double_eq_tol(log2(price.hi_s / price.estimate_s), 1.64485 * NS_ERROR_UNCALIBRATED, 1e-5);
    ck_assert_double_eq_tol(log2(price.estimate_s / price.lo_s), 1.64485 * NS_ERROR_UNCALIBRATED, 1e-5);
    ns_schedule_free(schedule);
    ns_machine_free(machine);
}

/* Why: standard is decided by process 2, sending, bound by injection: 3000 B of its node. */
TEST(why_by_hand)
{
    ns_machine *machine = machine_made(hand_text());
    ns_schedule *schedule = hand_schedule("standard", NS_VIA_HOST, machine);
    ns_form_values values;
    ns_price price;
    ns_form_take(&ns_form_max_rate, machine, NS_HOST, 0, &values);
    ck_assert(ns_schedule_price_as(schedule, machine, &max_rate, &price, NULL) == NS_OK);
    int busy = 0;
    for (int s = 0; s < price.steps; s++) {
        const ns_step_price *step = &price.step[s];
        if (step->process < 0)
            continue;
        busy++;
        ck_assert_int_eq(step->process, 2);
        ck_assert(!step->receiving && step->injection);
        for (int slot = 0; slot < values.slots; slot++) {
            const char *path = values.from[slot] != NULL ? values.from[slot]->path : "";
            const double amount = strcmp(path, "host.injection.inverse_R_N") == 0        ? 3000
                                  : strcmp(path, "host.off-node.rendezvous.alpha") == 0  ? 2
                                  : strcmp(path, "host.on-socket.rendezvous.alpha") == 0 ? 1
                                  : strcmp(path, "host.on-socket.rendezvous.beta") == 0  ? 1000
                                                                                         : 0;
            ck_assert_msg(step->amount[slot] == amount, "%s: %g", path, step->amount[slot]);
        }
        ck_assert(step->load[NS_OFF_NODE][NS_RENDEZVOUS].messages == 2 &&
                  step->load[NS_OFF_NODE][NS_RENDEZVOUS].bytes == 2000);
        ck_assert(step->load[NS_ON_SOCKET][NS_RENDEZVOUS].messages == 1);
        ck_assert(step->load[NS_OFF_NODE][NS_EAGER].messages == 0 &&
                  step->load[NS_ON_NODE][NS_RENDEZVOUS].messages == 0);
    }
    ck_assert_int_eq(busy, 1);
    ck_assert_int_eq(price.copy_processes, 1);
    ck_assert(price.copy_bytes[NS_D2H] == 3000 && price.copy_bytes[NS_H2D] == 2000);
    ns_schedule_free(schedule);
    ns_machine_free(machine);
}

/* The interval of the first row above: errors of different parameters are independent.  Off-node alpha counts twice (2
 * x 0.3 us), R_N^-1 times 3000 B (0.3 us), off-node beta not at all since injection binds, and copies in times 2000 B
 * (0.2 us): sqrt(0.36 + 0.09 + 0.04) = 0.7 us of 41.7, so 0.7 / (41.7 ln 2) of log2 beside the form's own error.
 * Correlated: one message of 1000 B on the socket, 0.3^2 + 0.4^2 - 2 0.5 0.3 0.4 = 0.13, nothing at all for two errors
 * of the same size and correlation -1; copies in, another 0.1^2 + 2 0.5 0.1 0.2 = 0.03. */
static const struct {
    double near_alpha_us, near_beta_ns, near_correlation, in_alpha_us, in_correlation, variance_us2;
} interval[] = {
    {0, 0, 0, 0, 0, 0.49},
    {0.3, 0.4, -0.5, 0.1, 0.5, 0.49 + 0.13 + 0.03},
    {0.4, 0.4, -1, 0.1, 0.5, 0.49 + 0.03},
};

/* The machine by hand, off-node alpha to 0.3 us, unless it is asked to be worse. */
static ns_machine *unsure_machine(int row, double off_alpha_se)
{
    machine_text *text = hand_text();
    machine_put(text, off_alpha_se, "s", "host.off-node.rendezvous.alpha_se");
    machine_put(text, 1e-9, "s/B", "host.off-node.rendezvous.beta_se");
    machine_put(text, 0.1e-9, "s/B", "host.injection.inverse_R_N_se");
    machine_put(text, 0.1e-9, "s/B", "copy.1.h2d.beta_se");
    machine_put(text, interval[row].near_alpha_us * 1e-6, "s", "host.on-socket.rendezvous.alpha_se");
    machine_put(text, interval[row].near_beta_ns * 1e-9, "s/B", "host.on-socket.rendezvous.beta_se");
    machine_put(text, interval[row].near_correlation, "", "host.on-socket.rendezvous.correlation");
    machine_put(text, interval[row].in_alpha_us * 1e-6, "s", "copy.1.h2d.alpha_se");
    machine_put(text, interval[row].in_correlation, "", "copy.1.h2d.correlation");
    return machine_made(text);
}

TEST_EACH(interval_by_hand, sizeof interval / sizeof *interval)
{
    ns_machine *machine = unsure_machine(_i, 0.3e-6);
    ns_schedule *schedule = hand_schedule("standard", NS_VIA_HOST, machine);
    ns_price price;
    ck_assert(ns_schedule_price_as(schedule, machine, &max_rate, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(price.estimate_s, 41.7e-6, 1e-15);
    const double own = sqrt(interval[_i].variance_us2) / (41.7 * log(2)),
                 error = sqrt(NS_ERROR_UNCALIBRATED * NS_ERROR_UNCALIBRATED + own * own);
    ck_assert_double_eq_tol(price.log2_parameters, own, 1e-12);
    ck_assert_double_eq_tol(price.log2_error, error, 1e-9);
    ck_assert_double_eq_tol(log2(price.hi_s / 41.7e-6), 1.64485 * error, 1e-5);
    ck_assert_double_eq_tol(log2(41.7e-6 / price.lo_s), 1.64485 * error, 1e-5);
    const ns_price_options half = {.form = &ns_form_max_rate, .confidence = 0.5};
    ck_assert(ns_schedule_price_as(schedule, machine, &half, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(log2(price.hi_s / 41.7e-6), 0.67449 * error, 1e-5);
    ns_machine *worse = unsure_machine(_i, 1e-3);
    ck_assert(ns_schedule_price_as(schedule, worse, &max_rate, &price, NULL) == NS_OK);
    /* two start-ups of 1 ms of error: above the time itself, so that it goes by the logarithm */
    const double r = sqrt(interval[_i].variance_us2 + 2 * 2 * (1e6 - 0.3 * 0.3)) / 41.7;
    ck_assert_double_eq_tol(price.log2_parameters, (1 + log(r)) / log(2), 1e-9);
    ck_assert_double_eq_tol(log2(price.hi_s / 41.7e-6), 1.64485 * price.log2_error, 1e-4);
    ns_schedule_free(schedule);
    ns_machine_free(worse);
    ns_machine_free(machine);
}

/* The node's injection is paid by processes that send or receive off node, by no other: 0>2 of 1000 B, 1>0 of 5000 B.
 * Process 1 sends on its node only, 1 + 5 us, and is not charged 1000 B x 3 ns/B on top (9 us in all); process 0
 * decides by sending, 4 + max(4, 3) = 8 us. */
TEST(injection_only_off_node)
{
    static const ns_planned message[] = {{0, 2, 1000}, {1, 0, 5000}};
    ns_machine *machine = machine_made(hand_text());
    ns_exchange *exchange = NULL;
    ns_schedule *schedule = NULL;
    const ns_strategy *strategy = NULL;
    ns_price price;
    ck_assert(ns_exchange_from_messages(message, 2, (ns_layout){4, 2}, NULL, &exchange, NULL) == NS_OK);
    ck_assert(ns_strategy_get("standard", &strategy, NULL) == NS_OK);
    ck_assert(ns_schedule_build(strategy, NS_VIA_HOST, exchange, machine, &schedule, NULL) == NS_OK);
    ck_assert(ns_schedule_price_as(schedule, machine, &max_rate, &price, NULL) == NS_OK);
    ck_assert_msg(oracle_equal(8e-6, ns_price_term(&price, "off_node")) && ns_price_term(&price, "on_node") == 0,
                  "off node %g us, on node %g us", ns_price_term(&price, "off_node") * 1e6,
                  ns_price_term(&price, "on_node") * 1e6);
    ns_schedule_free(schedule);
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}

TEST_TIMEOUT(300)
