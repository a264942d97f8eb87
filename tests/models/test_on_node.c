/* test_on_node.c -- gathering and redistributing within a node
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"lassen", "memory=host protocol=eager s=1000B", "time", 3.3082e-6, NEAR, "[NA] (4.1), Table 2, by hand"},
    {"lassen", "memory=device protocol=eager s=1000B", "time", 42.7579e-6, NEAR, "[NA] (4.1), Table 2, by hand"},
    {"lassen", "s=1000B", "on_socket", 4.61e-7 + 7.12e-11 * 1000, NEAR, "one GPU on the same socket"},
    {"lassen", "s=1000B", "on_node", 2 * (1.17e-6 + 2.18e-10 * 1000), NEAR, "two GPUs on the other"},
    {"lassen", "s=100B", "time", 3.67e-7 + 1.32e-10 * 100 + 2 * (9.25e-7 + 1.19e-9 * 100), NEAR, "short"},
    {"lassen", "s=1000B per_node=6", "time", 2 * (4.61e-7 + 7.12e-11 * 1000) + 3 * (1.17e-6 + 2.18e-10 * 1000), NEAR,
     "Summit's three GPUs a socket"},
    {"lassen", "s=1000B sockets=1", "on_node", 0, 0, "[NA] Section 6: one socket drops the second term"},
    {"lassen", "s=1000B sockets=1", "time", 3 * (4.61e-7 + 7.12e-11 * 1000), NEAR, "three GPUs on the only socket"},
    {"lassen", "s=1000B per_node=3", "time", 4.61e-7 + 7.12e-11 * 1000 + 1.17e-6 + 2.18e-10 * 1000, NEAR, "2 + 1 GPUs"},
    {"lassen", "s=1000B per_node=1", "time", 0, 0, "a GPU alone has nobody to exchange with"},
    {"bluewaters", "s=1000B per_node=16", "time", 7 * (5.32e-7 + 3.11e-10 * 1000) + 8 * (1.21e-6 + 1.04e-9 * 1000),
     REFITTED, "the authors' fit, eight processes a socket"},
    {"bluewaters", "s=1000B", NULL, 0, 0, "per_node has to be more than 0"},
    {NULL, "s=1000B", NULL, 0, 0, "on-node reads a machine's tables"},
};

MODEL_ROWS("on-node", rows)
