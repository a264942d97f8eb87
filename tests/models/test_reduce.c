/* test_reduce.c -- reduce in the switches and by the hosts */
#include "../support/model_rows.h"

#define SW     "sharp-switchib2"
#define T1(s1) (2.31e-6 + 24 * 0.175e-9 * (s1))
#define GAP    (0.258e-6 + 16 * 256 / 12.5e9)
static const model_row rows[] = {
    {SW, "hosts=128 s=8B", "time", T1(8), 1e-13, "at most the allreduce"},
    {SW, "hosts=128 s=8B", "least", T1(8) / 2, 1e-13, "at least half of it"},
    {SW, "hosts=128 s=600B", "least", T1(256) / 2 + 2 * GAP, 1e-13, "three aggregations, pipelined"},
    {SW, "hosts=128 s=8B", "by_hosts", 7 * (0.75e-6 + 8 * 1.128e-9), 1e-13, "binomial tree"},
    {SW, "hosts=128 s=8B gamma=1ns/B", "by_hosts", 7 * (0.75e-6 + 8 * 2.128e-9), 1e-13, "combined every round"},
    {SW, "hosts=128 s=8B processes=2", "on_node", 0.3e-6 + 8 * 0.56e-9, 1e-13, "one way only"},
    {SW, "hosts=1 s=8B", "by_hosts", 0, 0, "alone"},
    {SW, "hosts=128 s=-1B", NULL, 0, 0, "s has to be at least 0"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"sharp-switchib2", "T00=0us t_lvl=0us hosts=1 s=0B", "gain", 1, 1e-12, "no time against no time"},
    /* By hand, each from its term. on_node: one way: three levels and two, combining; switches: T1(8); by_hosts:
     * the sum; gain: one over the other. */
    {"sharp-switchib2", "hosts=128 s=8B processes=28 sockets=4 gamma=1ns/B",
     "on_node=8.1636e-07 switches=2.3436e-06 by_hosts=6.185528e-06 gain=1.9574703477259208", 0, 1e-12, "by hand"},
};

MODEL_ROWS("reduce", rows)
