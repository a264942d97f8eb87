/* test_uncertainty.c -- intervals, verdicts, calibration: against laws that are known, and against the naive price of
 * the full form */

#include "core/memory.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/events.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

/* Two processes a node, two nodes, host only: off node 10 us + 1 ns/B, on node 1 us + 1 ns/B.  To be added to. */
static machine_text *plain_text(int gpus)
{
    machine_text *text = machine_start(1, gpus, 2);
    machine_put(text, 0, "B", "host.protocols.short");
    for (int l = 0; l < NS_LOCALITIES; l++) {
        machine_put(text, l == NS_OFF_NODE ? 10e-6 : 1e-6, "s", "host.%s.short.alpha", ns_locality_words[l]);
        machine_put(text, 1e-9, "s/B", "host.%s.short.beta", ns_locality_words[l]);
        machine_put(text, 1000, "B", "host.%s.short.to", ns_locality_words[l]);
    }
    return text;
}

static ns_exchange *exchange_of(const ns_planned *message, size_t messages)
{
    ns_exchange *x;
    ns_error err = {0};
    ck_assert_msg(ns_exchange_from_messages(message, messages, (ns_layout){4, 2}, NULL, &x, &err) == NS_OK, "%s",
                  err.text);
    return x;
}

static ns_comparison *compare(const ns_exchange *x, const ns_machine *m, const ns_price_options *options)
{
    const ns_strategy *standard;
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    const ns_selection selection = {.strategy = &standard, .strategies = 1, .price = *options};
    ns_comparison *c = ns_malloc(sizeof *c);
    ns_error err = {0};
    ck_assert_ptr_nonnull(c);
    ck_assert_msg(ns_compare_into(x, m, &selection, c, &err) == NS_OK, "%s", err.text);
    return c;
}

static ns_schedule *standard_of(const ns_exchange *x, const ns_machine *m)
{
    const ns_strategy *standard;
    ns_schedule *schedule;
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    ck_assert(ns_schedule_build(standard, NS_VIA_HOST, x, m, &schedule, NULL) == NS_OK);
    return schedule;
}

/* ---- the full form on a schedule ------------------------------------------------------------------------------------
 *
 * Messages 0>1 and 1>0 of 100 B on node; 0>2 and 1>2 of 200 B, 3>0 of 400 B off node.  a_off = 3 us, 1/R = 2 ns/B, on
 * node 0.5 us + 0.1 ns/B, gamma = 1 us.  Node 0 sends 400 B and receives 400 B, so S = 800 B: 1.6 us for whoever takes
 * part off node (own lines move 400 B in 0.4 us at most).
 *   process 0  off node 1 out, 1 in: 3 + 1.6; on node 1 out, 1 in: 2 x 0.5 + 0.01; queue 1      6.61 us
 *   process 1  off node 1 out: 3 + 1.6; on node as well 1.01; queue 1                           6.61 us
 *   process 2  off node 2 in: 6 + 1.6; queue 2^2                                               11.6 us
 *   process 3  off node 1 out: 3 + 1.6; queue 1                                                 5.6 us */
TEST(full_by_hand)
{
    static const ns_planned message[] = {{0, 1, 100}, {1, 0, 100}, {0, 2, 200}, {1, 2, 200}, {3, 0, 400}};
    machine_text *text = plain_text(0);
    machine_put(text, 3e-6, "s", "host.exchange.off-node.alpha");
    machine_put(text, 2e-9, "s/B", "host.exchange.inverse_R");
    machine_put(text, 0.5e-6, "s", "host.exchange.on-socket.short.alpha");
    machine_put(text, 0.1e-9, "s/B", "host.exchange.on-socket.short.beta");
    machine_put(text, 1e-6, "s", "host.queue.gamma");
    ns_machine *m = machine_made(text);
    ns_exchange *x = exchange_of(message, 5);
    ns_schedule *schedule = standard_of(x, m);
    ns_price price;
    ck_assert(ns_schedule_price_as(schedule, m, NULL, &price, NULL) == NS_OK);
    ck_assert_ptr_eq(price.form, &ns_form_full);
    ck_assert_int_eq(price.step[0].process, 2);
    ck_assert_double_eq_tol(ns_price_term(&price, "off_node"), 7.6e-6, 1e-18);
    ck_assert_double_eq_tol(ns_price_term(&price, "queue"), 4e-6, 1e-18);
    ck_assert_double_eq_tol(price.estimate_s, 11.6e-6, 1e-17);
    m = machine_with(m, "host.exchange.gamma=0 s"); /* measured so: process 2 still decides, 7.6 us */
    ck_assert(ns_schedule_price_as(schedule, m, NULL, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(price.estimate_s, 7.6e-6, 1e-17);
    m = machine_with(m, "host.exchange.on-socket.short.alpha=10us"); /* process 0: 4.6 + 20.01 */
    ck_assert(ns_schedule_price_as(schedule, m, NULL, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(price.estimate_s, 24.61e-6, 1e-17);
    ck_assert_double_eq_tol(ns_price_term(&price, "on_node"), 20.01e-6, 1e-17);
    const ns_price_options postal = {.form = &ns_form_postal, .confidence = 0.9},
                           max_rate = {.form = &ns_form_max_rate, .confidence = 0.9};
    ck_assert(ns_schedule_price_as(schedule, m, &postal, &price, NULL) ==
              NS_OK); /* process 0 receives 500 B: 20.5 us */
    ck_assert_double_eq_tol(price.estimate_s, 20.5e-6, 1e-17);
    ck_assert(ns_schedule_price_as(schedule, m, &max_rate, &price, NULL) == NS_OK); /* process 2 receives two */
    ck_assert_double_eq_tol(ns_price_term(&price, "off_node"), 20.4e-6, 1e-17);
    ns_schedule_free(schedule);
    ns_exchange_free(x);
}

/* Contention: node 0 to node 1 are one apart; 800 B in all cross: l = 1 x 800 / (2 / 2). */
TEST(contention_by_hand)
{
    static const ns_planned message[] = {{0, 2, 200}, {1, 2, 200}, {3, 0, 400}};
    machine_text *text = plain_text(0);
    machine_put(text, 1e-6, "s", "host.queue.gamma");
    machine_put(text, 1e-9, "s/B", "network.contention.delta");
    ns_machine *m = machine_made(text);
    ns_exchange *x = exchange_of(message, 3);
    ns_schedule *schedule = standard_of(x, m);
    ns_price price;
    const ns_price_options queue = {.form = &ns_form_queue, .confidence = 0.9},
                           contention = {.form = &ns_form_contention, .confidence = 0.9};
    ck_assert(ns_schedule_price_as(schedule, m, &queue, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(price.estimate_s, 20.4e-6 + 4e-6, 1e-17);
    ck_assert(ns_schedule_price_as(schedule, m, &contention, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(ns_price_term(&price, "contention"), 0.8e-6, 1e-17);
    ns_schedule_free(schedule);
    ns_exchange_free(x);
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

/* A ratio of 2, the floors as well: the faster is so with P = 1 / (1 + 2^-kappa), 0.9 for kappa = ln 9 / ln 2 =
 * 3.17. */
static ns_machine *twice_as_dear(double kappa)
{
    machine_text *text = plain_text(2);
    machine_put(text, 0, "B", "device.protocols.short");
    for (int l = 0; l < NS_LOCALITIES; l++) {
        machine_put(text, l == NS_OFF_NODE ? 20e-6 : 2e-6, "s", "device.%s.short.alpha", ns_locality_words[l]);
        machine_put(text, 2e-9, "s/B", "device.%s.short.beta", ns_locality_words[l]);
    }
    for (int d = 0; d < NS_DIRECTIONS; d++) { /* no copies in the way */
        machine_put(text, 0, "s", "copy.1.%s.alpha", ns_direction_words[d]);
        machine_put(text, 0, "s/B", "copy.1.%s.beta", ns_direction_words[d]);
    }
    for (int memory = 0; memory < NS_MEMORIES; memory++) {
        machine_put(text, kappa, "", "%s.choice.kappa", ns_memory_words[memory]);
        machine_put(text, 1, "", "%s.choice.lambda", ns_memory_words[memory]);
    }
    return machine_made(text);
}

TEST(threshold)
{
    static const ns_planned message[] = {{0, 2, 8}, {0, 1, 8}};
    ns_exchange *x = exchange_of(message, 2);
    for (int tie = 0; tie < 2; tie++) {
        ns_machine *m = twice_as_dear(tie ? 3.16 : 3.18);
        ns_comparison *c = compare(x, m, &(ns_price_options){.form = &ns_form_full, .confidence = 0.9});
        ck_assert_int_eq(c->choices, 2);
        ck_assert_double_eq_tol(c->choice[1].price.estimate_s / c->choice[0].price.estimate_s, 2, 1e-12);
        ck_assert_int_eq(c->verdict, tie ? NS_TIE : NS_CLEAR);
        ns_free(c);
    }
    ns_exchange_free(x);
}

TEST(beyond_the_measured)
{
    static const ns_planned small[] = {{0, 2, 1000}}, large[] = {{0, 2, 1001}};
    ns_machine *m = machine_made(plain_text(0));
    const ns_price_options options = {.confidence = 0.9};
    for (int i = 0; i < 2; i++) {
        ns_exchange *x = exchange_of(i == 0 ? small : large, 1);
        ns_comparison *c = compare(x, m, &options);
        ck_assert(c->choice[0].price.extrapolated == (i == 1));
        ck_assert_int_eq(c->verdict, NS_UNDECIDED); /* there is one way only */
        ns_free(c);
        ns_exchange_free(x);
    }
}

/* ---- scores and calibration on rows whose law is known ----------------------------------------------------------- */

static double normal(uint64_t *seed)
{
    return sqrt(-2 * log(event_uniform(seed))) * cos(6.283185307179586 * event_uniform(seed));
}

enum { ROWS = 4000, FILES = 4 };

/* Measured = predicted x 2^(error x normal): calibration finds the error, and the intervals made with it cover what
 * they promise. */
TEST(calibration_finds_the_error)
{
    static const char head[] =
        "group,file,strategy,transport,processes,nodes,ppn,max_num_msgs,total_bytes,num_short,size_short,measured_s\n";
    const double error = 0.35;
    uint64_t seed = 20240601;
    char *text = ns_malloc(ROWS * 120 + sizeof head), *at = text;
    machine_text *plain = plain_text(0);
    machine_put(plain, 3e-6, "s", "host.exchange.off-node.alpha");
    ns_machine *m = machine_made(plain);
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "%s", head);
    for (int i = 0; i < ROWS; i++) {
        const int n = 1 + i % 7;
        const double predicted = 3e-6 * n + 100e-9; /* 3 us each, 100 B at 1 ns/B */
        at += sprintf(at, "g%d,file%d,standard,host,64,32,2,%d,6400,%d,100,%.17g\n", i, i % FILES, n, n,
                      predicted * exp2(error * normal(&seed)));
    }
    ns_records *records;
    ns_calibration c[NS_MEMORIES];
    ns_error err = {0};
    ck_assert_msg(ns_records_read(cli_file("law.csv", text), &records, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_calibrate(records, NULL, NULL, m, NULL, false, c, &err) == NS_OK, "%s", err.text);
    ck_assert_uint_eq(c[NS_HOST].count, ROWS);
    ck_assert_uint_eq(c[NS_HOST].files, FILES);
    ck_assert_uint_eq(c[NS_DEVICE].count, 0);
    ck_assert_double_ge(c[NS_HOST].error, error * 0.97); /* the largest of the four */
    ck_assert_double_le(c[NS_HOST].error, error * 1.07);
    m = machine_with(m, "host.exchange.model_error.time=0.35");
    const double promise[] = {0.5, 0.9, 0.99};
    for (int k = 0; k < 3; k++) {
        ns_scored *list;
        ns_score score;
        size_t count;
        const ns_price_options options = {.form = &ns_form_full, .confidence = promise[k]};
        ck_assert(ns_scored_make(records, NULL, NULL, &list, &count, NULL) == NS_OK);
        for (size_t i = 0; i < count; i++)
            ck_assert(ns_record_price(records, list[i].rows[0], m, &options, &list[i].price, NULL) == NS_OK);
        ck_assert(ns_score_list(list, count, NULL, NULL, &score, NULL) == NS_OK);
        ck_assert_double_eq_tol(score.covered, promise[k], 4 * sqrt(promise[k] * (1 - promise[k]) / ROWS));
        ck_assert_double_eq_tol(score.log2_median, 0.67449 * error, 0.02);
        ns_free(list);
    }
    ns_records_free(records);
    ns_free(text);
}
