/* test_three_step.c -- 3-Step communication
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define COPY(send, recv) (1.27e-5 + 1.96e-11 * (send) + 1.30e-5 + 1.85e-11 * (recv))
#define ON_16K           (3.15e-6 + 3.40e-11 * 16384 + 2 * (6.77e-6 + 1.49e-10 * 16384))
/* [NA] Section 4.6: 16 nodes, 256 messages of 1 KiB over four GPUs */
#define SIXTEEN "s_proc=64KiB s_node=256KiB s_node_node=16KiB send_nodes=16 "
static const model_row rows[] = {
    {"lassen", SIXTEEN, "time", 114.480e-6, 1e-5, "by hand: four destination nodes a process"},
    {"lassen", SIXTEEN "form=printed", "time", 90.2361e-6, 1e-5, "by hand: Table 6"},
    {"lassen", SIXTEEN, "off_node", 4 * 7.76e-6 + 262144 * 4.19e-11, NEAR, "k = ceil(16/4); injection-bound"},
    {"lassen", SIXTEEN, "on_node", 2 * ON_16K, NEAR, "(4.1) twice"},
    {"lassen", SIXTEEN, "copy", COPY(65536, 65536), NEAR, "(4.5), what one GPU receives"},
    {"lassen", SIXTEEN "s_recv=1MB", "copy", COPY(65536, 1e6), NEAR, "(4.5), given"},
    {"lassen", SIXTEEN "form=printed", "off_node", 7.76e-6 + 262144 * 4.19e-11, NEAR, "one message a process"},
    {"lassen", SIXTEEN "form=printed", "copy", 1.30e-5 + 1.85e-11 * 65536 + 1.27e-5 + 1.96e-11 * 16384, NEAR,
     "H2D of s_proc"},
    {"lassen", SIXTEEN "send_nodes=4", NULL, 0, 0, "send_nodes is given twice"},
    {"lassen", "s_proc=64KiB s_node=256KiB s_node_node=64KiB send_nodes=4", "off_node", 7.76e-6 + 262144 * 4.19e-11,
     NEAR, "n_dest = G: the forms agree"},
    {"lassen", "s_proc=64KiB s_node=256KiB s_node_node=64KiB send_nodes=5", "off_node", 2 * 7.76e-6 + 262144 * 4.19e-11,
     NEAR, "n_dest = G + 1: two"},
    {"lassen", SIXTEEN "transport=device", "off_node", 4 * 1.10e-5 + 65536 * 1.72e-10, NEAR, "(4.4), k s_node->node"},
    {"lassen", SIXTEEN "transport=device", "time",
     4 * 1.10e-5 + 65536 * 1.72e-10 + 2 * (1.82e-5 + 1.46e-11 * 16384 + 2 * (1.93e-5 + 2.39e-11 * 16384)), NEAR,
     "(4.4) and (4.1), no copies"},
    {"lassen", SIXTEEN "transport=device form=printed", "off_node", 1.10e-5 + 16384 * 1.72e-10, NEAR, "Table 6"},
    {"bluewaters", "s_proc=1600B s_node=25600B s_node_node=6400B send_nodes=4 per_node=16", "time",
     6.95e-6 + 6400 * 1.33e-9 + 2 * (7 * (5.32e-7 + 3.11e-10 * 6400) + 8 * (1.21e-6 + 1.04e-9 * 6400)), REFITTED,
     "the authors' fit; no GPUs, no copies"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
};

MODEL_ROWS("three-step", rows)
