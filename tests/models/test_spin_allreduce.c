/* test_spin_allreduce.c -- by hand; packets played through their units */
#include "../support/model_rows.h"

#include "api/library.h"

/* 10 cycles are 0.1 us; a packet of 1000 B: 1 us on the line, 0.2 + 0.5 us in a handler, 0.05 + 0.3 us at ingress */
#define NIC                                                                                                            \
    "H=4 f=100MHz c_0=20 c_1=0.05/B P=1000B L=2us line=8Gbit/s dma=300ns matching=5 s_short=0B s_long=1000B "          \
    "c_short=10 c_long=30 sockets=1"
#define WHOLE (2e-6 + 1e-6 + 0.35e-6 + 0.7e-6)
static const model_row rows[] = {
    {"fpspin", NIC " nodes=2 s=1000B", "time", 0.6e-6 + WHOLE, NEAR, "one packet, one round, DMA at both ends"},
    {"fpspin", NIC " nodes=2 s=1000B", "dma", 0.6e-6, NEAR, "twice"},
    {"fpspin", NIC " nodes=8 s=1000B algorithm=recursive-doubling", "rounds", 3 * WHOLE, NEAR, "three rounds"},
    {"fpspin", NIC " nodes=2 s=500B", "rounds", 2e-6 + 0.5e-6 + 0.25e-6 + 0.45e-6, NEAR, "half a packet"},
    {"fpspin", NIC " nodes=2 s=4000B algorithm=recursive-doubling", "rounds", WHOLE + 3e-6, NEAR,
     "the line is slower than four units"},
    {"fpspin", NIC " nodes=2 s=3500B algorithm=recursive-doubling", "rounds", WHOLE + 2.5e-6, NEAR,
     "the last packet is half a packet"},
    {"fpspin", NIC " nodes=2 s=4000B algorithm=recursive-doubling load=0.9", "pace", 0.7e-6 / 0.4, NEAR,
     "0.4 of a unit are left"},
    {"fpspin", NIC " nodes=2 s=1000B load=0.5", "wait", 0.7e-6 * (4.0 / 23) / (4 * 0.5) / 2, 1e-12,
     "Erlang C(4, 2) = 4/23: half the exponential wait for handlers of one length"},
    {"fpspin", NIC " nodes=2 s=1000B load=0.5 cv=1", "wait", 0.7e-6 * (4.0 / 23) / 2, 1e-12, "the whole of it"},
    {"fpspin", NIC " nodes=2 s=1000B load=0.5 cv=1", "time", 0.6e-6 + WHOLE + 0.7e-6 * (2.0 / 23), 1e-12,
     "contention makes it longer"},
    {"fpspin", NIC " nodes=8 s=8B algorithm=ring", "messages", 14, 0, "2 (P - 1)"},
    {"fpspin", NIC " nodes=2 s=8B algorithm=ring", "chosen", 3, 0, "as told"},
    {"fpspin", NIC " nodes=1 s=8B", "time", 0, 0, "nobody to talk to"},
    {"fpspin", NIC " nodes=1 s=8B", "messages", 0, 0, "none"},
    {"fpspin", "nodes=2 s=1462B", "handler", (26 + 1462) / 40e6, NEAR, "one cycle a byte at 40 MHz"},
    {"fpspin", "nodes=2 s=1462B", "rounds", 1e-6 + 1462e-9 + 74 / 40e6 + 1488 / 40e6, 1e-12,
     "a full packet: 1850 ns of ingress, [RS] Table 4"},
    {"fpspin", NIC " nodes=2 s=8B load=1", NULL, 0, 0, "the load has to be less than 100 %"},
    {"fpspin", NIC " nodes=2.5 s=8B", NULL, 0, 0, "nodes wants a whole number"},
    {"fpspin", "nodes=2 s=8B s_long=64B", NULL, 0, 0, "s_long has to be more than s_short"},
    {"fpspin", NIC " nodes=2 s=8B processes=4", NULL, 0, 0, "fpspin"},
    {"lassen", NIC " nodes=2 s=1000B processes=4", "on_node", 2 * (2 * (4.61e-7 + 7.12e-11 * 1000)), 0.01,
     "[NA] Table 2, on-socket, eager: two levels, twice"},
};

/* A message's packets one by one: each leaves the line, then takes the unit that is free first. */
static double played(double packets, double wire, double handler, int units)
{
    double free[64] = {0}, end = 0;
    for (int k = 0; k < packets; k++) {
        int unit = 0;
        for (int u = 1; u < units; u++)
            unit = free[u] < free[unit] ? u : unit;
        free[unit] = fmax(free[unit], (k + 1) * wire) + handler;
        end = fmax(end, free[unit]);
    }
    return end;
}

/* The pace says what the units really do, but for the last round of units, at most one handler. */
TEST(pace_is_that_of_played_packets)
{
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("fpspin", &machine, NULL), NS_OK);
    for (int units = 1; units <= 64; units *= 4)
        for (int packets = 1; packets <= 300; packets = 3 * packets + 1) {
            ns_binding binding;
            ns_model_buffer out;
            ns_bind_open(&binding, ns_model_find("spin-allreduce"), machine);
            ck_assert_int_eq(ns_bind_number(&binding, "s", 1462.0 * packets, NULL), NS_OK);
            ck_assert_int_eq(ns_bind_number(&binding, "nodes", 2, NULL), NS_OK);
            ck_assert_int_eq(ns_bind_number(&binding, "H", units, NULL), NS_OK);
            ck_assert_int_eq(ns_bind_word(&binding, "algorithm", "recursive-doubling", NULL), NS_OK);
            ck_assert_int_eq(ns_bind_close(&binding, NULL), NS_OK);
            ck_assert_int_eq(ns_model_eval(&binding, &out, NULL), NS_OK);
            const ns_field *f = ns_field_find(binding.model->outputs, "rounds");
            const double handler = 1488 / 40e6, slow = 1e-6 + 74 / 40e6 + played(packets, 1462e-9, handler, units);
            const double fast = ns_field_number(f, out.bytes);
            ck_assert_msg(fabs(fast - slow) <= handler, "%d packets, %d units: %g, played %g", packets, units, fast,
                          slow);
        }
    ns_machine_free(machine);
}

MODEL_ROWS("spin-allreduce", rows)
