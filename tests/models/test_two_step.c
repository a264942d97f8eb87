/* test_two_step.c -- 2-Step communication
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define COPY(send, recv) (1.27e-5 + 1.96e-11 * (send) + 1.30e-5 + 1.85e-11 * (recv))
#define ON_64K           (3.15e-6 + 3.40e-11 * 65536 + 2 * (6.77e-6 + 1.49e-10 * 65536))
/* [NA] Section 4.6: 16 nodes, 256 messages of 1 KiB over four GPUs */
#define SIXTEEN "s_proc=64KiB s_node=256KiB m_proc_node=16 send_nodes=16 "
static const model_row rows[] = {
    {"lassen", SIXTEEN, "time", 130.523e-6, 1e-5, "by hand: 2-Step All"},
    {"lassen", SIXTEEN, "off_node", 16 * 2.44e-6 + 65536 * 3.79e-10, NEAR, "4 KiB to each node; postal"},
    {"lassen", SIXTEEN, "on_node", ON_64K, NEAR, "(4.1) once"},
    {"lassen", SIXTEEN, "copy", COPY(65536, 65536), NEAR, "(4.5)"},
    {"lassen", SIXTEEN "case=one", "off_node", 4 * 7.76e-6 + 262144 * 4.19e-11, NEAR, "16 KiB to each of four nodes"},
    {"lassen", "s_proc=64KiB s_node=256KiB m_proc_node=17 send_nodes=17 case=one", "off_node",
     5 * 2.44e-6 + 65536 * 3.79e-10, NEAR, "17 nodes by four GPUs: one of them sends to five, eager"},
    {"lassen", SIXTEEN "case=one", "time", 108.669e-6, 1e-5, "by hand: 2-Step 1"},
    {"lassen", "s_proc=64KiB s_node=256KiB m_proc_node=16 case=one", "time", 108.669e-6, 1e-5,
     "send_nodes is m_proc_node"},
    {"lassen", SIXTEEN "case=one transport=device", "time",
     4 * 1.10e-5 + 65536 * 1.72e-10 + 1.82e-5 + 1.46e-11 * 65536 + 2 * (1.93e-5 + 2.39e-11 * 65536), NEAR,
     "(4.4), (4.1)"},
    {"lassen", SIXTEEN "transport=device", "off_node", 16 * 8.95e-6 + 65536 * 1.72e-10, NEAR, "(4.4), eager"},
    {"lassen", SIXTEEN "form=printed s_node_node=16KiB", "copy",
     1.30e-5 + 1.85e-11 * 65536 + 1.27e-5 + 1.96e-11 * 16384, NEAR,
     "Table 6: T_copy(s_proc, s_node->node), H2D of s_proc"},
    {"lassen", SIXTEEN "form=printed s_recv=1MB", "copy", 1.30e-5 + 1.85e-11 * 65536 + 1.27e-5 + 1.96e-11 * 1e6, NEAR,
     "s_node_node is s_recv where not given"},
    {"bluewaters", "s_proc=1600B s_node=25600B m_proc_node=4 per_node=16", "time",
     4 * 2.27e-6 + 25600 * 1.50e-10 + 7 * (5.32e-7 + 3.11e-10 * 1600) + 8 * (1.21e-6 + 1.04e-9 * 1600), REFITTED,
     "the authors' fit: short messages off node, injection-bound"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
};

MODEL_ROWS("two-step", rows)
