/* test_triggered_allreduce.c -- by hand on Lassen's tables; an interface that saves nothing is a host */
#include "../support/model_rows.h"

#include "api/library.h"

/* [NA] Table 2, host, off node; rho on the start-up, pieces by the line of one piece */
#define SHORT(s, rho) ((rho)*1.89e-6 + 6.88e-10 * (s))
#define EAGER(s, rho) ((rho)*2.44e-6 + 3.79e-10 * (s))
#define NIC           "rho=0.7 limit=1000B g=50ns"
static const model_row rows[] = {
    {"lassen", NIC " nodes=8 s=8B", "time", 3 * SHORT(8, 0.7), NEAR, "three rounds, 30 % of each start-up gone"},
    {"lassen", NIC " nodes=8 s=8B", "by_hosts", 3 * SHORT(8, 1), NEAR, "as host-allreduce"},
    {"lassen", NIC " nodes=8 s=8B", "speedup", SHORT(8, 1) / SHORT(8, 0.7), NEAR, "the ratio"},
    {"lassen", NIC " nodes=8 s=8B", "messages", 3, 0, "one a round"},
    {"lassen", NIC " nodes=6 s=1000B algorithm=recursive-doubling", "time", 4 * EAGER(1000, 0.7), NEAR,
     "fold, two rounds, unfold"},
    {"lassen", NIC " nodes=6 s=1000B algorithm=recursive-doubling", "messages", 3, 0, "fold or unfold, two rounds"},
    {"lassen", NIC " nodes=8 s=3000B algorithm=recursive-doubling", "time", 3 * EAGER(3000, 0.7), NEAR,
     "three pieces: their 379 ns are longer than the gap"},
    {"lassen", "rho=0.7 limit=1000B g=500ns nodes=8 s=3000B algorithm=recursive-doubling", "time",
     3 * (EAGER(3000, 0.7) + 2 * (500e-9 - 379e-9)), NEAR, "two waits for the gap a round"},
    {"lassen", NIC " nodes=8 s=100000B algorithm=recursive-doubling", "time", 3 * EAGER(100000, 0.7), NEAR,
     "pieces go by the line of a piece: no rendezvous"},
    {"lassen", NIC " nodes=8 s=8B arm=1us", "arming", 3e-6, NEAR, "three messages armed by the host"},
    {"lassen", NIC " nodes=8 s=8B arm=1us algorithm=reduce-broadcast", "time", 6 * SHORT(8, 0.7) + 3e-6, NEAR,
     "up and down: a node sends three at most"},
    {"lassen", NIC " nodes=8 s=8B arm=1us algorithm=ring", "arming", 14e-6, NEAR, "2 (P - 1) messages"},
    {"lassen", NIC " nodes=8 s=8B algorithm=rabenseifner", "messages", 6, 0, "halves, there and back"},
    {"lassen", NIC " nodes=8 s=8B gamma=1ns/B", "time", 3 * SHORT(8, 0.7) + 24e-9, NEAR, "combined every round"},
    {"lassen", NIC " nodes=1 s=8B processes=40", "time", 2 * (5 * (3.67e-7 + 1.32e-10 * 8) + 9.25e-7 + 1.19e-9 * 8),
     NEAR, "on the node by the host: the interface has no part"},
    {"lassen", NIC " nodes=1 s=8B", "speedup", 1, 0, "nothing to do"},
    {"lassen", NIC " nodes=1 s=8B arm=1us", "arming", 0, 0, "nothing to arm"},
    {"lassen", NIC " nodes=1 s=8B", "messages", 0, 0, "none"},
    {"lassen", "rho=1.1 limit=1000B g=50ns nodes=8 s=8B", NULL, 0, 0, "rho has to be at least 0 and at most 1"},
    {"lassen", NIC " nodes=2.5 s=8B", NULL, 0, 0, "nodes wants a whole number"},
    {"lassen", "rho=0.7 limit=0B g=50ns nodes=8 s=8B", NULL, 0, 0, "limit has to be more than 0"},
    {"lassen", "nodes=8 s=8B", NULL, 0, 0, "lacks rho [1], limit [B], g [ns]"},
    {NULL, NIC " nodes=8 s=8B sockets=2", NULL, 0, 0, "reads a machine's tables"},
};

static double of(const ns_machine *machine, const char *name, double s, double nodes, bool nic)
{
    const ns_model *model = ns_model_find(name);
    ns_binding binding;
    ns_model_buffer out;
    ns_bind_open(&binding, model, machine);
    ck_assert_int_eq(ns_bind_number(&binding, "s", s, NULL), NS_OK);
    ck_assert_int_eq(ns_bind_number(&binding, "nodes", nodes, NULL), NS_OK);
    if (nic) {
        ck_assert_int_eq(ns_bind_number(&binding, "rho", 1, NULL), NS_OK);
        ck_assert_int_eq(ns_bind_number(&binding, "limit", 1e30, NULL), NS_OK);
        ck_assert_int_eq(ns_bind_number(&binding, "g", 0, NULL), NS_OK);
    }
    ck_assert_int_eq(ns_bind_close(&binding, NULL), NS_OK);
    ck_assert_int_eq(ns_model_eval(&binding, &out, NULL), NS_OK);
    return ns_field_number(ns_field_find(model->outputs, "time"), out.bytes);
}

/* An interface that saves nothing and takes any message whole is a host. */
TEST(without_gain_it_is_the_hosts_time)
{
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
    for (double nodes = 2; nodes <= 300; nodes = 2 * nodes + 1)
        for (double s = 1; s < 1e7; s *= 7)
            ck_assert_double_eq(of(machine, "triggered-allreduce", s, nodes, true),
                                of(machine, "host-allreduce", s, nodes, false));
    ns_machine_free(machine);
}

MODEL_ROWS("triggered-allreduce", rows)
