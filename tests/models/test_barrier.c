/* test_barrier.c -- barrier in the switches and by the hosts */
#include "../support/model_rows.h"

#define SW   "sharp-switchib2"
#define NODE (2 * (4 * 0.055e-6 + 0.3e-6))
static const model_row rows[] = {
    {SW, "hosts=128", "time", 2.31e-6, 1e-13, "T1(0) = 2.11 + 2 x 0.10 us"},
    {SW, "hosts=8", "time", 2.21e-6, 1e-13, "one level"},
    {SW, "hosts=128", "by_hosts", 7 * 0.75e-6, 1e-13, "dissemination, seven rounds"},
    {SW, "hosts=100", "by_hosts", 7 * 0.75e-6, 1e-13, "ceil(log2 100)"},
    {SW, "hosts=128 processes=28", "time", 2.31e-6 + NODE, 1e-13, "14 a socket: four levels and one between, twice"},
    {SW, "hosts=128 processes=28", "gain", (5.25e-6 + NODE) / (2.31e-6 + NODE), 1e-13, "both meet on the node first"},
    {SW, "hosts=1", "by_hosts", 0, 0, "alone"},
    {SW, "hosts=128 radix=16", NULL, 0, 0, "the tree holds 16 hosts"},
    {SW, "hosts=128 processes=0", NULL, 0, 0, "processes has to be at least 1"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"sharp-switchib2", "T00=0us t_lvl=0us hosts=1", "gain", 1, 1e-12, "no time against no time"},
    {"sharp-switchib2", "hosts=128 processes=28 sockets=4", "on_node", 1.53e-06, 1e-12,
     "7 a socket: three levels, two between four sockets, twice"},
    {"sharp-switchib2", "hosts=128 processes=28 sockets=4", "switches", 2.31e-06, 1e-12, "T00 + 2 t_lvl"},
    {"sharp-switchib2", "hosts=128 processes=28 sockets=4", "hosts_network", 5.25e-06, 1e-12, "seven rounds"},
    {"sharp-switchib2", "hosts=128 processes=28 sockets=4", "by_hosts", 6.7799999999999995e-06, 1e-12, "the sum"},
};

MODEL_ROWS("barrier", rows)
