/* test_netsparse_hops.c -- round trips of Table 5 and other networks of [NS] */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "switches=1", "rtt", 2.4e-6, NEAR, "[NS] Table 5, inside a rack"},
    {"netsparse", "switches=3", "rtt", 5.4e-6, NEAR, "[NS] Table 5, between racks"},
    {"netsparse", "switches=4", "rtt", 6.9e-6, NEAR, "HyperX 4x4x2: three inter-switch hops"},
    {"netsparse", "switches=3", "one_way", 2.7e-6, NEAR, "3 x 300 + 4 x 450 ns"},
    {"netsparse", "switches=1 bytes=1GB hops=2 links=256", "bound", 1e9 * 2 / (256 * 50e9), NEAR,
     "bytes hops/(links B)"},
    {"netsparse", "switches=1 links=0", NULL, 0, 0, "links has to be more than 0"},
    {"netsparse", "switches=1 rate=0GB/s", NULL, 0, 0, "rate has to be more than"},
    /* By hand, each from its term. one_way: 2 x 0.3 + 3 x 0.4; rtt: twice; bound: 6 x 3/(4 x 5). */
    {NULL, "switches=2 t_switch=300ns t_link=400ns bytes=6GB hops=3 links=4 rate=5GB/s",
     "one_way=1.8e-06 rtt=3.6e-06 bound=0.9", 0, 1e-12, "by hand"},
    {NULL, "switches=2 t_switch=300ns t_link=400ns rate=5GB/s", "bound", 0, 0, "no bytes given"},
    {NULL, "switches=2 t_switch=300ns t_link=400ns rate=5GB/s bytes=10GB", "bound", 2, 1e-12,
     "one hop over one link where not given"},
};

MODEL_ROWS("netsparse-hops", rows)
