/* test_properties.c -- what must hold for every strategy: time grows with bytes, runs and threads do not matter,
 * estimates are finite, one node has no off-node time, a placement is only a renumbering
 */
#include <pthread.h>

#include "machine/machine.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "price/choice.h"
#include "support/machines.h"
#include "support/test.h"

/* One protocol for all sizes below 1 TB, numbers that are not round. */
static ns_machine *plain_machine(void)
{
    machine_text *text = machine_start(2, 4, 40);
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            machine_put(text, p * 1e12, "B", "%s.protocols.%s", ns_memory_words[m], ns_protocol_words[p]);
            for (int l = 0; l < NS_LOCALITIES; l++) {
                machine_put(text, (1 + l) * 1.3e-6, "s", "%s.%s.%s.alpha", ns_memory_words[m], ns_locality_words[l],
                            ns_protocol_words[p]);
                machine_put(text, (1 + l) * 0.37e-9, "s/B", "%s.%s.%s.beta", ns_memory_words[m], ns_locality_words[l],
                            ns_protocol_words[p]);
            }
        }
    machine_put(text, 0.11e-9, "s/B", "host.injection.inverse_R_N");
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        machine_put(text, 1.1e-5 + 1e-6 * d, "s", "copy.1.%s.alpha", ns_direction_words[d]);
        machine_put(text, 2.1e-11 - 2e-12 * d, "s/B", "copy.1.%s.beta", ns_direction_words[d]);
        machine_put(text, 1.5e-5 + 1e-6 * d, "s", "copy.4.%s.alpha", ns_direction_words[d]);
        machine_put(text, 6.1e-11 - 2e-12 * d, "s/B", "copy.4.%s.beta", ns_direction_words[d]);
    }
    return machine_made(text);
}

enum { PARTS = 22, PER_NODE = 4, MESSAGES = 150 };

static void plan(uint64_t seed, int64_t scale, ns_planned *message)
{
    oracle_random random = {seed};
    for (int i = 0; i < MESSAGES; i++) {
        int32_t from = (int32_t)oracle_below(&random, PARTS), step = 1 + (int32_t)oracle_below(&random, PARTS - 1);
        message[i] = (ns_planned){from, (from + step) % PARTS, (1 + oracle_below(&random, 5000)) * scale};
    }
}

static ns_exchange *exchange_of(const ns_planned *message, size_t messages, const int32_t *place)
{
    ns_exchange *exchange = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_exchange_from_messages(message, messages, (ns_layout){PARTS, PER_NODE}, place, &exchange, &err) ==
                      NS_OK,
                  "%s", err.text);
    return exchange;
}

/* Build and price; the schedule too when asked for. */
static ns_price price_of(const ns_strategy *strategy, int transport, const ns_exchange *exchange,
                         const ns_machine *machine, ns_schedule **kept)
{
    ns_schedule *schedule = NULL;
    ns_price price;
    ns_error err = {0};
    memset(&price, 0, sizeof price);
    ck_assert_msg(ns_schedule_build(strategy, (ns_transport)transport, exchange, machine, &schedule, &err) == NS_OK,
                  "%s", err.text);
    ck_assert_msg(ns_schedule_price_as(schedule, machine, NULL, &price, &err) == NS_OK, "%s", err.text);
    if (kept != NULL)
        *kept = schedule;
    else
        ns_schedule_free(schedule);
    return price;
}

static bool good(const ns_price *price)
{
    const double all[] = {
        price->estimate_s, price->lo_s, price->hi_s, ns_price_term(price, "off_node"), ns_price_term(price, "on_node"),
        price->copy_s};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!isfinite(all[i]) || all[i] < 0)
            return false;
    return true;
}

/* Every message k times as long: never cheaper, and by no more than k. */
TEST_EACH(grows_with_bytes, 5)
{
    ns_machine *machine = plain_machine();
    ns_planned message[MESSAGES];
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            double last = 0;
            int64_t last_scale = 1;
            for (int64_t scale = 1; ns_strategy_runs(*s, (ns_transport)t, machine) && scale <= 300000; scale *= 3) {
                plan((uint64_t)_i, scale, message);
                ns_exchange *exchange = exchange_of(message, MESSAGES, NULL);
                ns_price price = price_of(*s, t, exchange, machine, NULL);
                ck_assert(good(&price));
                ck_assert_msg(price.estimate_s > last, "%s: %g s at scale %lld, %g before", (*s)->name,
                              price.estimate_s, (long long)scale, last);
                ck_assert_msg(last == 0 || price.estimate_s <= last * (double)(scale / last_scale) * (1 + 1e-12),
                              "%s: %g s at scale %lld, %g before", (*s)->name, price.estimate_s, (long long)scale,
                              last);
                last = price.estimate_s;
                last_scale = scale;
                ns_exchange_free(exchange);
            }
        }
}

/* One message longer: standard is never cheaper. */
TEST(standard_grows_with_one_message)
{
    ns_machine *machine = plain_machine();
    ns_planned message[MESSAGES];
    const ns_strategy *standard = NULL;
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    plan(5, 1, message);
    for (int t = 0; t < NS_TRANSPORTS; t++)
        for (int i = 0; i < MESSAGES; i++) {
            ns_exchange *before = exchange_of(message, MESSAGES, NULL);
            message[i].bytes += 777;
            ns_exchange *after = exchange_of(message, MESSAGES, NULL);
            double short_s = price_of(standard, t, before, machine, NULL).estimate_s;
            double long_s = price_of(standard, t, after, machine, NULL).estimate_s;
            ck_assert_msg(long_s >= short_s, "message %d longer: %g s, before %g s", i, long_s, short_s);
            ns_exchange_free(before);
            ns_exchange_free(after);
        }
}

static bool same_bits(const ns_price *a, const ns_price *b)
{
    bool same = memcmp(&a->estimate_s, &b->estimate_s, sizeof(double)) == 0 &&
                memcmp(&a->lo_s, &b->lo_s, sizeof(double)) == 0 && memcmp(&a->hi_s, &b->hi_s, sizeof(double)) == 0 &&
                memcmp(a->term_s, b->term_s, sizeof a->term_s) == 0 &&
                memcmp(&a->copy_s, &b->copy_s, sizeof(double)) == 0 && a->steps == b->steps;
    for (int s = 0; same && s < a->steps; s++)
        same = a->step[s].process == b->step[s].process && a->step[s].receiving == b->step[s].receiving &&
               a->step[s].injection == b->step[s].injection;
    return same;
}

static bool same_schedule(const ns_schedule *a, const ns_schedule *b)
{
    bool same = a->steps == b->steps && a->slices == b->slices && a->processes == b->processes &&
                memcmp(a->home, b->home, (size_t)a->parts * sizeof *a->home) == 0;
    for (int d = 0; same && d < NS_DIRECTIONS; d++)
        same = a->copies[d] == b->copies[d];
    for (int s = 0; same && s < a->steps; s++) {
        same = a->step[s].messages == b->step[s].messages;
        for (int64_t i = 0; same && i < a->step[s].messages; i++) {
            const ns_message *x = &a->step[s].message[i], *y = &b->step[s].message[i];
            same = x->from == y->from && x->to == y->to && x->bytes == y->bytes && x->slice == y->slice &&
                   x->slices == y->slices;
        }
    }
    for (int64_t i = 0; same && i < a->slices; i++) {
        const ns_slice *x = &a->slice[i], *y = &b->slice[i];
        same = x->pair == y->pair && x->first == y->first && x->entries == y->entries && x->only == y->only &&
               (x->pair >= 0 || (x->from == y->from && x->to == y->to));
    }
    return same;
}

TEST(runs_agree)
{
    ns_machine *machine = plain_machine();
    ns_planned message[MESSAGES];
    int checked = 0;
    plan(9, 3, message);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            if (!ns_strategy_runs(*s, (ns_transport)t, machine))
                continue;
            ns_exchange *first = exchange_of(message, MESSAGES, NULL), *second = exchange_of(message, MESSAGES, NULL);
            ns_schedule *a, *b;
            ns_price once = price_of(*s, t, first, machine, &a), twice = price_of(*s, t, second, machine, &b);
            ck_assert_msg(same_schedule(a, b) && same_bits(&once, &twice), "%s: two runs differ", (*s)->name);
            checked++;
            ns_schedule_free(a);
            ns_schedule_free(b);
            ns_exchange_free(first);
            ns_exchange_free(second);
        }
    ck_assert_int_ge(checked, 8); /* standard, three-step, two-step both ways, split two ways */
}

enum { THREADS = 4, ROUNDS = 200 };

typedef struct work {
    const ns_strategy *strategy;
    int transport;
    const ns_exchange *exchange;
    const ns_machine *machine;
    const ns_schedule *schedule;
    ns_price expected;
    int differences;
} work;

/* No Check macros here: a thread only counts.  Now and then it builds a schedule of its own. */
static void *price_again(void *context)
{
    work *w = context;
    for (int i = 0; i < ROUNDS; i++) {
        ns_price price;
        ns_schedule *own = NULL;
        if (i % 20 == 0 &&
            ns_schedule_build(w->strategy, (ns_transport)w->transport, w->exchange, w->machine, &own, NULL) != NS_OK)
            w->differences++;
        w->differences +=
            ns_schedule_price_as(own != NULL ? own : w->schedule, w->machine, NULL, &price, NULL) != NS_OK ||
            !same_bits(&price, &w->expected);
        ns_schedule_free(own);
    }
    return NULL;
}

TEST(threads_agree)
{
    ns_machine *machine = plain_machine();
    ns_planned message[MESSAGES];
    plan(13, 7, message);
    ns_exchange *exchange = exchange_of(message, MESSAGES, NULL);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            if (!ns_strategy_runs(*s, (ns_transport)t, machine))
                continue;
            pthread_t thread[THREADS];
            work each[THREADS];
            ns_schedule *schedule;
            ns_price price = price_of(*s, t, exchange, machine, &schedule);
            for (int i = 0; i < THREADS; i++) {
                each[i] = (work){*s, t, exchange, machine, schedule, price, 0};
                ck_assert_int_eq(pthread_create(&thread[i], NULL, price_again, &each[i]), 0);
            }
            for (int i = 0; i < THREADS; i++) {
                pthread_join(thread[i], NULL);
                ck_assert_msg(each[i].differences == 0, "%s: %d prices differ in thread %d", (*s)->name,
                              each[i].differences, i);
            }
            ns_schedule_free(schedule);
        }
    ns_exchange_free(exchange);
}

/* All parts on one node: nothing leaves it, and there is nothing to publish. */
TEST(one_node)
{
    ns_machine *machine = plain_machine();
    ns_planned message[MESSAGES];
    ns_exchange *exchange = NULL;
    plan(21, 1, message);
    for (int i = 0; i < MESSAGES; i++) {
        message[i].from %= 4;
        message[i].to = message[i].from == message[i].to % 4 ? (message[i].to + 1) % 4 : message[i].to % 4;
    }
    ck_assert(ns_exchange_from_messages(message, MESSAGES, (ns_layout){4, 4}, NULL, &exchange, NULL) == NS_OK);
    ck_assert_int_eq(exchange->pattern.messages_off_node, 0);
    ck_assert_int_eq(exchange->pairs, 0);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            double published = 1;
            ns_schedule *schedule;
            if (!ns_strategy_runs(*s, (ns_transport)t, machine))
                continue;
            ns_price price = price_of(*s, t, exchange, machine, &schedule);
            ck_assert_msg(ns_price_term(&price, "off_node") == 0 && ns_price_term(&price, "on_node") > 0 &&
                              good(&price),
                          "%s on one node: off node %g s", (*s)->name, ns_price_term(&price, "off_node"));
            ck_assert_int_eq(ns_schedule_messages_off_node_max(schedule), 0);
            ck_assert(ns_strategy_published(*s, (ns_transport)t, exchange, machine, &published, NULL) == NS_OK);
            ck_assert(published < 0);
            ns_schedule_free(schedule);
        }
    ns_exchange_free(exchange);
}

/* Nothing to send: nothing to pay. */
TEST(empty_exchange)
{
    ns_machine *machine = plain_machine();
    ns_exchange *exchange = exchange_of(NULL, 0, NULL);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            if (ns_strategy_runs(*s, (ns_transport)t, machine)) {
                ns_price price = price_of(*s, t, exchange, machine, NULL);
                ck_assert_msg(price.estimate_s == 0 && good(&price), "%s of nothing: %g s", (*s)->name,
                              price.estimate_s);
            }
    ns_exchange_free(exchange);
}

/* Every shipped machine, every strategy: finite and not negative, published or not. */
TEST(estimates_are_finite)
{
    ns_planned message[MESSAGES];
    plan(33, 1000, message);
    ns_exchange *exchange = exchange_of(message, MESSAGES, NULL);
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_error err = {0};
        ns_machine *machine = machine_named(*name);
        if (!machine->line[NS_HOST][NS_ON_SOCKET][NS_EAGER].given &&
            machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER].given)
            continue; /* measured between nodes only: pricing says what it lacks */
        for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
            for (int t = 0; t < NS_TRANSPORTS; t++) {
                double published = -1;
                if (!ns_strategy_runs(*s, (ns_transport)t, machine))
                    continue;
                ns_price price = price_of(*s, t, exchange, machine, NULL);
                ck_assert_msg(good(&price) && price.estimate_s > 0, "%s on %s: %g s", (*s)->name, *name,
                              price.estimate_s);
                ck_assert_msg(price.lo_s <= price.estimate_s && price.estimate_s <= price.hi_s,
                              "%s on %s: %g s outside [%g, %g]", (*s)->name, *name, price.estimate_s, price.lo_s,
                              price.hi_s);
                ck_assert_msg(ns_strategy_published(*s, (ns_transport)t, exchange, machine, &published, &err) == NS_OK,
                              "%s on %s: %s", (*s)->name, *name, err.text);
                ck_assert(isfinite(published) && (published > 0) == ((*s)->model != NULL));
            }
    }
    ns_exchange_free(exchange);
}

/* Placing the parts or renumbering the messages: the same exchange, the same price. */
TEST_EACH(placement_renumbers, 10)
{
    ns_machine *machine = plain_machine();
    oracle_random random = {(uint64_t)_i + 3};
    ns_planned message[MESSAGES], renumbered[MESSAGES];
    int32_t place[PARTS];
    plan((uint64_t)_i, 11, message);
    for (int32_t i = 0; i < PARTS; i++) {
        int32_t j = (int32_t)oracle_below(&random, i + 1);
        place[i] = place[j];
        place[j] = i;
    }
    for (int i = 0; i < MESSAGES; i++)
        renumbered[i] = (ns_planned){place[message[i].from], place[message[i].to], message[i].bytes};
    ns_exchange *placed = exchange_of(message, MESSAGES, place), *plain = exchange_of(renumbered, MESSAGES, NULL);
    char why[256] = "";
    ck_assert_msg(oracle_same_pattern(&plain->pattern, &placed->pattern, why), "%s", why);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            if (!ns_strategy_runs(*s, (ns_transport)t, machine))
                continue;
            ns_schedule *a, *b;
            ns_price one = price_of(*s, t, placed, machine, &a), other = price_of(*s, t, plain, machine, &b);
            ck_assert_msg(same_bits(&one, &other) && same_schedule(a, b), "%s: placed %g s, renumbered %g s",
                          (*s)->name, one.estimate_s, other.estimate_s);
            ns_schedule_free(a);
            ns_schedule_free(b);
        }
    ns_exchange_free(placed);
    ns_exchange_free(plain);
}

TEST_TIMEOUT(300)
