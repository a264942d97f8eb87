/* test_off_node.c -- the step between nodes
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"lassen", "m=10 s=1MiB s_node=40MiB", "time", 10 * 7.76e-6 + 40 * 1048576 * 4.19e-11, NEAR,
     "[NA] (4.3): injection-bound"},
    {"lassen", "m=10 s=1MiB", "time", 10 * 7.76e-6 + 1048576 * 7.97e-11, NEAR, "[NA] (4.3): one process sends"},
    {"lassen", "m=10 s=1MiB s_node=40MiB", "startup", 10 * 7.76e-6, NEAR, "[NA] (4.3)"},
    {"lassen", "m=10 s=10230B s_node=10230B", "time", 10 * 2.44e-6 + 3.79e-10 * 10230, NEAR,
     "s/m = 1023 B travels eager"},
    {"lassen", "m=10 s=2550B protocol=rendezvous", "startup", 10 * 7.76e-6, NEAR, "protocol forced"},
    {"lassen", "memory=device m=3 s=3MB s_node=12MB", "time", 3 * 1.10e-5 + 3e6 * 1.72e-10, NEAR,
     "[NA] Section 3: device memory has no injection limit"},
    {"lassen", "m=0 s=0B", "time", 0, 0, "nothing sent costs nothing"},
    {"lassen", "m=0 s=0B s_node=40MiB", "time", 0, 0, "nor does a process that sends nothing wait for others"},
    {"bluewaters", "m=2 s=20000B s_node=320000B", "time", 2 * 6.20e-6 + 320000 * 1.50e-10, REFITTED,
     "the authors' fit"},
    {"lassen", "m=-1 s=1B", NULL, 0, 0, "m has to be at least 0"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"lassen", "m=0 s=100B", "transfer", 6.88e-10 * 100, NEAR, "of no messages the bytes are one's"},
    {"lassen", "m=0 s=1B", "transfer", 6.88e-10, NEAR, "a byte is a byte"},
    {"lassen", "m=1 s=0B", "startup", 1.89e-6, NEAR, "an empty message has a start-up"},
    {"lassen", "m=0 s=100B", "startup", 0, 0, "no message has none"},
};

MODEL_ROWS("off-node", rows)
