/* test_off_node_device.c -- the step between nodes from device memory
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"lassen", "m=8 s=8000B", "time", 8 * 8.95e-6 + 1.72e-10 * 8000, NEAR, "[NA] (4.4), Table 2: eager"},
    {"lassen", "m=8 s=128KiB", "time", 8 * 1.10e-5 + 1.72e-10 * 131072, NEAR, "[NA] (4.4): 110.5 us, rendezvous"},
    {"lassen", "m=8 s=131071B", "startup", 8 * 8.95e-6, NEAR, "a byte less a message travels eager"},
    {"lassen", "m=8 s=128KiB", "transfer", 1.72e-10 * 131072, NEAR, "[NA] (4.4)"},
    {"lassen", "s=16B protocol=rendezvous", "time", 1.10e-5 + 1.72e-10 * 16, NEAR,
     "m is 1 where not given; protocol forced"},
    {"bluewaters", "m=1 s=1B", NULL, 0, 0, "no off-node table for device memory"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"lassen", "m=0 s=0B", "time", 0, 0, "nothing sent costs nothing"},
};

MODEL_ROWS("off-node-device", rows)
