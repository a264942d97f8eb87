/* test_price_oracle.c -- every strategy's price against a naive one: random patterns, machines, a stencil */

#include <nsmodel/matrix.h>

#include "machine/machine.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "price/choice.h"
#include "strategy/ways.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

static double random_positive(oracle_random *random, double scale)
{
    return scale * (0.05 + (double)oracle_below(random, 1000003) / 1000003);
}

/* One time in `of`, a random number of the machine. */
static void maybe(oracle_random *random, machine_text *text, int of, double scale, const char *unit, const char *path)
{
    if (oracle_below(random, of) == 0)
        machine_put(text, random_positive(random, scale), unit, "%s", path);
}

static void put_lines(oracle_random *random, machine_text *text, const char *memory)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = strcmp(memory, "host") == 0 ? 0 : 1; p < NS_PROTOCOLS; p++) {
            machine_put(text, random_positive(random, 1e-5), "s", "%s.%s.%s.alpha", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
            machine_put(text, random_positive(random, 1e-8), "s/B", "%s.%s.%s.beta", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
        }
}

/* What only whole exchanges show, each one there or not. */
static void put_exchange(oracle_random *random, machine_text *text, const char *memory)
{
    static const struct {
        const char *path, *unit;
        double scale;
    } one[] = {{"injection.inverse_R_N", "s/B", 1e-8},
               {"exchange.inverse_R", "s/B", 1e-8},
               {"exchange.off-node.alpha", "s", 1e-5},
               {"exchange.off-node.overhead", "s", 1e-5},
               {"injection.directions", "", 2},
               {"injection.unlimited_pairs", "", 9},
               {"exchange.on-node.alpha", "s", 1e-5},
               {"exchange.on-node.eager.inverse_R", "s/B", 1e-8},
               {"exchange.on-socket.rendezvous.inverse_R", "s/B", 1e-8},
               {"exchange.crowding", "", 0.3},
               {"exchange.gamma", "s", 1e-7},
               {"queue.gamma", "s", 2e-8},
               {"exchange.handshake", "s", 1e-5},
               {"exchange.packing.beta", "s/B", 1e-8},
               {"exchange.packing.inverse_R", "s/B", 1e-9},
               {"exchange.floor", "s", 1e-4},
               {"exchange.floor_step", "s", 1e-4}};
    char path[100];
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        snprintf(path, sizeof path, "%s.%s", memory, one[i].path);
        maybe(random, text, 2, one[i].scale, one[i].unit, path);
    }
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = strcmp(memory, "host") == 0 ? 0 : 1; p < NS_PROTOCOLS; p++)
            if (oracle_below(random, 3) == 0) {
                machine_put(text, random_positive(random, 1e-5), "s", "%s.exchange.%s.%s.alpha", memory,
                            ns_locality_words[l], ns_protocol_words[p]);
                machine_put(text, random_positive(random, 1e-8), "s/B", "%s.exchange.%s.%s.beta", memory,
                            ns_locality_words[l], ns_protocol_words[p]);
            }
}

static void put_copies(oracle_random *random, machine_text *text)
{
    for (int processes = 1; processes <= 4; processes += 3)
        for (int d = 0; d < NS_DIRECTIONS; d++) {
            machine_put(text, random_positive(random, 1e-5), "s", "copy.%d.%s.alpha", processes, ns_direction_words[d]);
            machine_put(text, random_positive(random, 1e-9), "s/B", "copy.%d.%s.beta", processes,
                        ns_direction_words[d]);
            if (processes == 1 || oracle_below(random, 2) == 0)
                continue;
            machine_put(text, random_positive(random, 1e-4), "s", "copy.%d.%s.wait", processes, ns_direction_words[d]);
            machine_put(text, (double)(1 + oracle_below(random, 500)), "B", "copy.%d.%s.wait_below", processes,
                        ns_direction_words[d]);
        }
}

/* Any numbers; constants left out here and there; with GPUs, mostly, or without. */
static ns_machine *random_machine(oracle_random *random)
{
    const int gpus = (int)oracle_below(random, 7);
    machine_text *text = machine_start(1 + (int)oracle_below(random, 3), gpus, 6 + (int)oracle_below(random, 40));
    const double eager = (double)(8 + oracle_below(random, 200)),
                 rendezvous = eager + (double)(1 + oracle_below(random, 2000));
    if (oracle_below(random, 3) == 0)
        machine_put(text, (double)(1 + oracle_below(random, 4)), "", "topology.nics");
    for (int m = 0; m < (gpus > 0 ? NS_MEMORIES : 1); m++) {
        const char *memory = ns_memory_words[m];
        if (m == NS_HOST)
            machine_put(text, 0, "B", "%s.protocols.short", memory);
        machine_put(text, m == NS_HOST ? eager : 0, "B", "%s.protocols.eager", memory);
        machine_put(text, rendezvous, "B", "%s.protocols.rendezvous", memory);
        put_lines(random, text, memory);
        put_exchange(random, text, memory);
    }
    if (gpus > 0)
        put_copies(random, text);
    return machine_made(text);
}

/* What published winners tell of a way, of all that it takes beside copies: whole for the bytes that it was learnt of,
 * and fading like a normal law of 1.5 doublings beyond. */
static double learnt(const ns_schedule *schedule, const ns_machine *machine, const ns_price *price, double seconds)
{
    const ns_residual *residual = &machine->residual[schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST];
    double bytes = 0;
    for (int s = 0; s < price->steps; s++)
        bytes += price->step[s].bytes;
    for (size_t i = 0; i < residual->ratios; i++) {
        const ns_way_ratio *r = &residual->ratio[i];
        if (strcmp(r->way, schedule->strategy->name) != 0)
            continue;
        const double below = log2(r->from / fmax(1, bytes)), above = log2(bytes / r->to),
                     beyond = fmax(0, fmax(below, above)) / 1.5;
        return (seconds - price->copy_s) * (exp(r->ln_ratio * exp(-beyond * beyond / 2)) - 1);
    }
    return 0;
}

/* Terms of the steps add up to those of the price, and these with the copies to the estimate. */
static void check_terms(const ns_price *price)
{
    double sum = price->copy_s + price->learnt_s;
    for (int t = 0; t < NS_FORM_TERMS; t++) {
        double term = 0;
        for (int s = 0; s < price->steps; s++)
            term += price->step[s].term[t];
        ck_assert(oracle_equal(term, price->term_s[t]));
        sum += term;
    }
    ck_assert(oracle_equal(sum, price->estimate_s));
}

static void check_price(const ns_schedule *schedule, const ns_machine *machine, const char *label)
{
    oracle_cost expected;
    ns_price price;
    ns_error err = {0};
    const char *name = schedule->strategy->name, *way = ns_transport_words[schedule->transport];
    oracle_price(schedule, machine, &expected);
    const ns_price_options max_rate = {.form = &ns_form_max_rate, .confidence = 0.9},
                           full = {.form = &ns_form_full, .confidence = 0.9};
    ck_assert_msg(ns_schedule_price_as(schedule, machine, &full, &price, &err) == NS_OK, "%s, %s %s: %s", label, name,
                  way, err.text);
    double seconds = oracle_price_full(schedule, machine);
    seconds += learnt(schedule, machine, &price, seconds);
    ck_assert_msg(oracle_equal(seconds, price.estimate_s), "%s, %s %s, full: estimate %.17g s, expected %.17g", label,
                  name, way, price.estimate_s, seconds);
    check_terms(&price);
    ck_assert_msg(ns_schedule_price_as(schedule, machine, &max_rate, &price, &err) == NS_OK, "%s, %s %s: %s", label,
                  name, way, err.text);
    ck_assert_msg(oracle_equal(expected.estimate_s, price.estimate_s), "%s, %s %s: estimate %.17g s, expected %.17g",
                  label, name, way, price.estimate_s, expected.estimate_s);
    ck_assert_msg(oracle_equal(expected.copy_s, price.copy_s), "%s, %s %s: copies %.17g s, expected %.17g", label, name,
                  way, price.copy_s, expected.copy_s);
    ck_assert_msg(oracle_equal(price.estimate_s,
                               ns_price_term(&price, "on_node") + ns_price_term(&price, "off_node") + price.copy_s),
                  "%s, %s %s: terms", label, name, way);
    ck_assert(price.lo_s <= price.estimate_s && price.estimate_s <= price.hi_s && price.lo_s >= 0 &&
              isfinite(price.hi_s));
    check_terms(&price);
}

/* Groups and grids, each exchange some of them. */
static void check_ways(const ns_exchange *exchange, const ns_machine *machine, const char *label)
{
    static const char *const of[] = {"two-step:1",        "two-step:2",    "two-step:socket", "three-step:3",
                                     "three-step:socket", "staged:router", "staged:3x4x4"};
    ns_made_ways made = {0};
    for (size_t i = (size_t)exchange->parts % 2; i < sizeof of / sizeof *of; i += 2)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            const ns_strategy *strategy = NULL;
            ns_schedule *schedule = NULL;
            ns_error err = {0};
            size_t count;
            ck_assert(ns_ways_named(&made, of[i], &strategy, 1, &count, &err) == NS_OK);
            if (!ns_strategy_runs(strategy, (ns_transport)t, machine) || (i == 6 && exchange->parts > 48))
                continue;
            ck_assert_msg(ns_schedule_build(strategy, (ns_transport)t, exchange, machine, &schedule, &err) == NS_OK,
                          "%s, %s: %s", label, of[i], err.text);
            check_price(schedule, machine, label);
            ns_schedule_free(schedule);
        }
}

static int check_strategies(const ns_exchange *exchange, const ns_machine *machine, const char *label)
{
    int checked = 0;
    for (const ns_strategy *const *strategy = ns_strategies(); *strategy != NULL; strategy++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            ns_schedule *schedule = NULL;
            ns_error err = {0};
            if (!ns_strategy_runs(*strategy, (ns_transport)t, machine))
                continue;
            ck_assert_msg(ns_schedule_build(*strategy, (ns_transport)t, exchange, machine, &schedule, &err) == NS_OK,
                          "%s, %s: %s", label, (*strategy)->name, err.text);
            check_price(schedule, machine, label);
            ns_schedule_free(schedule);
            checked++;
        }
    check_ways(exchange, machine, label);
    return checked;
}

/* Any number of parts on any node. */
static ns_site *random_site(oracle_random *random, int32_t parts)
{
    int32_t node_of[40], nodes = 1 + (int32_t)oracle_below(random, 9);
    ns_site *site = NULL;
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = (int32_t)oracle_below(random, nodes);
    ck_assert(ns_site_from_map(parts, nodes, node_of, 0, NULL, &site, NULL) == NS_OK);
    return site;
}

static ns_exchange *random_exchange(oracle_random *random, char label[128])
{
    int64_t rows = 1 + oracle_below(random, 400), cols = 1 + oracle_below(random, 400);
    ns_layout layout = {1 + (int32_t)oracle_below(random, 40), 1 + (int32_t)oracle_below(random, 6)};
    ns_site *site = oracle_below(random, 3) == 0 ? random_site(random, layout.parts) : NULL;
    ns_exchange_options options = {
        .size = sizeof options, .width = 1 + oracle_below(random, 64), .site = site, .groups = true};
    ns_exchange *exchange = NULL;
    ns_error err = {0};
    oracle_matrix matrix;
    oracle_random_matrix(random, rows, cols, oracle_below(random, 3000), (int)oracle_below(random, 3), &matrix);
    ck_assert_msg(
        ns_exchange_from_csr(rows, cols, matrix.row_start, matrix.col_of, layout, &options, &exchange, &err) == NS_OK,
        "%s", err.text);
    snprintf(label, 128, "%lld x %lld, %d parts, %d per node", (long long)rows, (long long)cols, layout.parts,
             exchange->per_node);
    oracle_matrix_free(&matrix);
    ns_site_free(site);
    return exchange;
}

TEST_EACH(random_patterns, 120)
{
    oracle_random random = {(uint64_t)_i + 500};
    char label[128];
    ns_machine *machine = random_machine(&random);
    ns_exchange *exchange = random_exchange(&random, label);
    ck_assert_int_ge(check_strategies(exchange, machine, label), machine->gpus > 0 ? 8 : 3);
    ns_exchange_free(exchange);
}

/* Shipped machines, Lassen among them, on random patterns and on a stencil. */
TEST(shipped_machines)
{
    bool lassen = false;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        const ns_machine *machine = machine_named(*name);
        oracle_random random = {77};
        lassen = lassen || strcmp(*name, "lassen") == 0;
        if (!machine->line[NS_HOST][NS_ON_SOCKET][NS_EAGER].given &&
            machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER].given)
            continue; /* measured between nodes only: pricing says what it lacks */
        for (int i = 0; i < 5; i++) {
            char label[128], longer[256];
            ns_exchange *exchange = random_exchange(&random, label);
            snprintf(longer, sizeof longer, "%s, %s", *name, label);
            int checked = check_strategies(exchange, machine, longer);
            ck_assert(strcmp(*name, "lassen") != 0 || checked >= 8);
            ns_exchange_free(exchange);
        }
    }
    ck_assert_msg(lassen, "no machine is called lassen");
}

TEST(stencil_on_lassen)
{
    ns_matrix *matrix = NULL;
    ns_error err = {0};
    ns_layout layouts[] = {{8, 4}, {30, 4}, {128, 4}};
    const ns_exchange_options options = {.size = sizeof options, .groups = true};
    ns_exchange *exchange[3];
    ns_machine *machine = machine_named("lassen");
    ck_assert_msg(ns_matrix_open("stencil9:300x700", &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, layouts, 3, &options, exchange, NULL, &err) == NS_OK, "%s", err.text);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_ge(check_strategies(exchange[i], machine, "stencil9:300x700"), 8);
        ns_exchange_free(exchange[i]);
    }
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
