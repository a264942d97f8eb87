/* test_network.c -- the same exchange over more rails: over machines, exchanges and sizes */
#include "support/machines.h"
#include "support/networks.h"
#include "support/test.h"

/* Every choice of one against the same of another; returns how many are a tenth faster. */
static int compare_choices(const network_priced *now, const network_priced *last, const char *what)
{
    int faster = 0;
    for (int i = 0; i < now->comparison->choices; i++) {
        ck_assert_msg(network_estimate(now, i) <= network_estimate(last, i) * (1 + 1e-12), "%s, choice %d: %g %g", what,
                      i, network_estimate(now, i), network_estimate(last, i));
        faster += network_estimate(now, i) < 0.9 * network_estimate(last, i);
    }
    return faster;
}

static int rise_rails(const ns_machine *machine, int64_t bytes)
{
    static const char *const rails[] = {"topology.rails=1", "topology.rails=2", "topology.rails=4", "topology.rails=8"};
    ns_exchange *x = NULL;
    network_priced last = {0};
    int faster = 0;
    ck_assert(ns_exchange_alltoall((ns_layout){16, 4}, bytes, NULL, &x, NULL) == NS_OK);
    const ns_network_request request = {.exchange = x, .messages = true, .gathers = true};
    for (size_t r = 0; r < sizeof rails / sizeof *rails; r++) {
        ns_machine *cards = machine_with(machine_named("bxi"), rails[r]);
        network_priced now = network_price("bxi-multirail", cards, machine, &request);
        faster += r > 0 ? compare_choices(&now, &last, machine->name) : 0;
        if (r > 0)
            network_done(&last);
        last = now;
    }
    network_done(&last);
    ns_exchange_free(x);
    return faster;
}

/* Over every machine that runs anything: short messages, long ones, and those that are striped. */
TEST_EACH(more_rails_are_never_slower, 3)
{
    static const int64_t bytes[] = {64, 64 << 10, 4 << 20};
    int machines = 0, faster = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_machine *machine = machine_named(*name);
        if (ns_machine_line(machine, NS_HOST, NS_OFF_NODE, 0, NULL) != NULL) {
            machines++;
            faster += rise_rails(machine, bytes[_i]);
        }
    }
    ck_assert_int_gt(machines, 6);
    ck_assert_msg(_i == 0 || faster > machines, "%d of %d", faster, machines);
}

/* Long messages have a machine of their own, whose byte is that of the model multirail; the terms add up. */
TEST(long_messages_are_striped)
{
    ns_machine *machine = machine_named("bluewaters");
    ns_exchange *x = NULL;
    ck_assert(ns_exchange_alltoall((ns_layout){4, 1}, 4 << 20, NULL, &x, NULL) == NS_OK);
    const ns_network_request request = {.exchange = x, .messages = true};
    network_priced p = network_price("bxi-multirail", NULL, machine, &request);
    ck_assert_ptr_nonnull(p.networked->striped[0]);
    const double beta = ns_networked_machine(p.networked, 0)->line[NS_HOST][NS_OFF_NODE][NS_RENDEZVOUS].beta;
    /* 8 fragments of 512 KiB on 4 cards of 10 GB/s: 2 each, 0.3 us apiece */
    ck_assert_double_eq_tol(beta * 4194304, 2 * (0.3e-6 + 524288 / 10e9), 1e-12);
    ck_assert_double_eq_tol(p.fabric->machine->line[NS_HOST][NS_OFF_NODE][NS_RENDEZVOUS].beta, 1e-10, 1e-22);
    ns_explanation *why = NULL;
    ck_assert(ns_explanation_open(&why, NULL) == NS_OK);
    ck_assert(ns_explain_networked(why, p.networked, x, p.comparison, 0, NULL) == NS_OK);
    double sum = 0;
    for (size_t i = 1; i < why->terms; i++)
        if (ns_explanation_term(why, i)->depth == 1 && ns_explanation_term(why, i)->counts)
            sum += ns_explanation_term(why, i)->value;
    ck_assert_double_eq_tol(sum / network_estimate(&p, 0), 1, 1e-9);
    ns_explanation_free(why);
    network_done(&p);
    ns_exchange_free(x);
}

/* Start-ups and what happens inside a node stay the machine's. */
TEST(rails_change_bytes_between_nodes_only)
{
    ns_machine *machine = machine_named("lassen-spectrum");
    ns_fabric *fabric = NULL;
    ck_assert(ns_fabric_open(network_kind("bxi-multirail"), NULL, false, machine, NULL, &fabric, NULL) == NS_OK);
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_PROTOCOLS; p++) {
                const ns_line *old = &machine->line[m][l][p], *new = &fabric->machine->line[m][l][p];
                ck_assert_double_eq(old->alpha, new->alpha);
                ck_assert_double_eq(old->from, new->from);
                if (l != NS_OFF_NODE)
                    ck_assert_double_eq(old->beta, new->beta);
                else if (m == NS_HOST && old->given)
                    ck_assert_double_eq_tol(new->beta, 1e-10, 1e-22);
            }
    ck_assert_double_eq_tol(fabric->machine->inverse_R_N[NS_HOST], 2.5e-11, 1e-22);
    ck_assert_ptr_nonnull(strstr(fabric->machine->source, "bxi-multirail, 4 cards a node"));
    ns_fabric_free(fabric);
}

TEST_TIMEOUT(120)
