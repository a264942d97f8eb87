/* test_direct.c -- the form of dense exchanges: its price by hand, and where it is taken without being asked for */
#include "pattern/exchange.h"
#include "price/choice.h"
#include "support/machines.h"
#include "support/test.h"

#include <math.h>

static const ns_choice *way(const ns_comparison *c, const char *name)
{
    for (int i = 0; i < c->choices; i++)
        if (strcmp(c->choice[i].strategy->name, name) == 0 && c->choice[i].transport == NS_VIA_HOST)
            return &c->choice[i];
    ck_abort_msg("%s was not priced", name);
    return NULL;
}

/* A machine on which the most pairs slow nothing down, with round numbers. */
static ns_machine *open_machine(const char *slowdown, const char *error)
{
    const char *const numbers[] = {"host.off-node.eager.alpha=4us",
                                   "host.exchange.off-node.alpha=3us",
                                   "host.off-node.eager.beta=0.25ns/B",
                                   "host.off-node.rendezvous.beta=0.2ns/B",
                                   "host.injection.eager.inverse_R=0.01ns/B",
                                   "host.injection.rendezvous.inverse_R=0.04ns/B",
                                   slowdown,
                                   error};
    ns_machine *machine = machine_named("dane");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != NULL)
            machine = machine_with(machine, numbers[i]);
    return test_keep(machine);
}

static void compare(const ns_machine *machine, ns_layout layout, int64_t bytes, const char *form, ns_comparison *c)
{
    ns_exchange *exchange;
    const ns_strategy *ways[2];
    ns_selection selection = {.strategy = ways, .strategies = 2, .price = {.confidence = NS_CONFIDENCE}};
    ck_assert_int_eq(ns_strategy_get("standard", &ways[0], NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_get("library", &ways[1], NULL), NS_OK);
    if (form != NULL)
        ck_assert_int_eq(ns_form_get(form, &selection.price.form, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_alltoall(layout, bytes, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, &selection, c, NULL), NS_OK);
    ns_exchange_free(exchange);
}

/* Two nodes of eight processes.  Of 8 B start-ups decide: 3 us (1/2 + 8/2); of 1 KiB the line of a process, of 256 KiB
 * the node's rate, both ways; 7 messages on the node of 16 KiB meet in 49 x .12 us. */
TEST(prices_are_those_by_hand)
{
    ns_machine *machine = open_machine(NULL, NULL);
    static const struct {
        double bytes, off, crowding;
    } rows[] = {
        {8, 3e-6 * 4.5, 0},
        {8192, 8 * 8192 * 0.25e-9, 49 * 0.12e-6},
        {262144, 8 * 262144 * 0.04e-9 * 16, 49 * 0.12e-6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ns_comparison c;
        compare(machine, (ns_layout){16, 8}, (int64_t)rows[i].bytes, "direct", &c);
        const ns_price *p = &way(&c, "standard")->price;
        ck_assert_double_eq_tol(ns_price_term(p, "off_node"), rows[i].off, 1e-9 * rows[i].off);
        ck_assert_double_eq_tol(ns_price_term(p, "crowding"), rows[i].crowding, 1e-15);
        if (rows[i].bytes > 8)
            ck_assert_double_eq_tol(ns_price_term(p, "on_node"), 7 * rows[i].bytes * 0.12e-9, 1e-12);
    }
}

/* A node of 8 sends and gets 16 MiB for each pair at the rate that stands for an unknown one: that of two of its
 * processes, or of its interfaces, or of as many as did not reach it; streams go one way, half the time. */
TEST(a_node_has_a_limit_in_every_form)
{
    static const struct {
        const char *number;
        double ns_per_byte;
    } rates[] = {{"host.off-node.rendezvous.beta=0.2ns/B", 0.1},
                 {"topology.nics=4", 0.05},
                 {"host.injection.unlimited_pairs=10", 0.02},
                 {"host.injection.inverse_R_N=0.03ns/B", 0.03},
                 {"host.injection.directions=1", 0.015}};
    static const char *const forms[] = {"direct", "pairwise", "bruck"};
    static const double of[] = {1, 1.5,
                                1}; /* rounds are 1.5 times slower; Bruck's have half of the bytes, log2 2 of them */
    ns_machine *machine = machine_with(machine_named("hpc6a"), "host.off-node.eager.beta=0.2ns/B");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        machine = machine_with(machine, rates[i].number);
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            ns_comparison c;
            compare(machine, (ns_layout){16, 8}, 1 << 24, forms[f], &c);
            const double bytes = 2.0 * 8 * 8 * (1 << 24), s = ns_price_term(&way(&c, "standard")->price, "off_node");
            ck_assert_msg(fabs(s / (of[f] * bytes * rates[i].ns_per_byte * 1e-9) - 1) < 0.01, "%s, %s: %g s, %g",
                          forms[f], rates[i].number, s, of[f] * bytes * rates[i].ns_per_byte * 1e-9);
        }
    }
}

static const char *form_taken(const char *slowdown, const char *error, ns_layout layout)
{
    ns_comparison c;
    ns_machine *machine = open_machine(slowdown, error);
    compare(machine, layout, 4096, NULL, &c);
    const char *name = way(&c, "standard")->price.form->name;
    return name;
}

/* Dane has exchanges of its own: its times stay those of the full form, whatever its pairs do. */
TEST(own_exchanges_keep_their_form)
{
    ck_assert_str_eq(form_taken("host.injection.eager.slowdown=1.2", NULL, (ns_layout){16, 8}), "full");
    ck_assert_str_eq(form_taken("host.injection.eager.slowdown=14", NULL, (ns_layout){16, 8}), "full");
}

/* Without them a machine takes it for dense exchanges between nodes, where short messages of the most pairs take less
 * than twice the time of one; not for sparse ones. */
TEST(it_is_taken_where_short_messages_do_not_slow_each_other)
{
    static const ns_planned few[] = {{0, 9, 4096}, {1, 8, 4096}};
    ns_machine *machine = machine_named("hpc6a"); /* no exchanges, and no pairs at once */
    ns_comparison c;
    compare(machine, (ns_layout){16, 8}, 4096, NULL, &c);
    ck_assert_str_eq(way(&c, "standard")->price.form->name, "full");
    machine = machine_with(machine, "host.injection.eager.slowdown=2");
    compare(machine, (ns_layout){16, 8}, 4096, NULL, &c);
    ck_assert_str_eq(way(&c, "standard")->price.form->name, "full");
    machine = machine_with(machine, "host.injection.eager.slowdown=1.9");
    compare(machine, (ns_layout){8, 8}, 4096, NULL, &c);
    ck_assert_str_eq(way(&c, "standard")->price.form->name, "full");
    compare(machine, (ns_layout){16, 8}, 4096, NULL, &c);
    ck_assert_str_eq(way(&c, "standard")->price.form->name, "direct");
    ck_assert_double_gt(c.belief.doubt, NS_DOUBT_DEFAULT); /* of ways that were scored nowhere */
    ns_exchange *exchange;
    ck_assert_int_eq(ns_exchange_from_messages(few, 2, (ns_layout){16, 8}, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, NULL, &c, NULL), NS_OK);
    ck_assert_str_eq(way(&c, "standard")->price.form->name, "full");
    ns_exchange_free(exchange);
}

/* Up to 256 B a pair the library combines messages, as MPICH does, or up to what the machine says, although here all at
 * once is faster; not in steps of fewer than 8 processes. */
TEST(the_library_combines_short_messages)
{
    static const struct {
        ns_layout layout;
        int64_t bytes;
        bool combines;
        const char *to;
    } rows[] = {{{16, 8}, 8, true, NULL},
                {{16, 8}, 256, true, NULL},
                {{16, 8}, 257, false, NULL},
                {{8, 4}, 256, true, NULL},
                {{6, 3}, 8, false, NULL},
                {{16, 8}, 512, true, "host.exchange.bruck.to=512B"},
                {{16, 8}, 513, false, "host.exchange.bruck.to=512B"},
                {{16, 8}, 128, false, "host.exchange.bruck.to=64B"}};
    const char *const numbers[] = {"host.injection.eager.slowdown=1.2", "host.exchange.off-node.alpha=1ns",
                                   "host.exchange.direct.memory=1ps/B", "host.exchange.on-node.alpha=1ns",
                                   "host.exchange.on-socket.alpha=1ns"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ns_machine *machine = machine_named("hpc6a");
        ns_comparison c;
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            machine = machine_with(machine, numbers[k]);
        if (rows[i].to != NULL)
            machine = machine_with(machine, rows[i].to);
        compare(machine, rows[i].layout, rows[i].bytes, NULL, &c);
        const ns_price *library = &way(&c, "library")->price, *standard = &way(&c, "standard")->price;
        ck_assert_msg((strcmp(library->form->name, "bruck") == 0) == rows[i].combines, "%zu: %s", i,
                      library->form->name);
        if (rows[i].combines)
            ck_assert_double_gt(library->estimate_s, standard->estimate_s);
        else
            ck_assert_double_le(library->estimate_s, standard->estimate_s);
    }
}
