/* test_split.c -- Split communication
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define COPY(send, recv)  (1.27e-5 + 1.96e-11 * (send) + 1.30e-5 + 1.85e-11 * (recv))
#define COPY4(send, recv) (1.47e-5 + 1.50e-10 * (send) + 1.52e-5 + 5.52e-10 * (recv))
#define SOCKET_16K        (3.15e-6 + 3.40e-11 * 16384)
#define SOCKET_6K         (4.61e-7 + 7.12e-11 * 6553.6)
#define NODE_6K           (1.17e-6 + 2.18e-10 * 6553.6)
/* [NA] Section 4.6: 16 nodes, 256 messages of 1 KiB over four GPUs */
#define SIXTEEN "s_proc=64KiB s_node=256KiB s_node_node=16KiB recv_nodes=16 "
/* the same with 16 KiB: V/PPN = 104,857.6 B, 2.5 chunks a node */
#define LARGE "s_proc=1MiB s_node=4MiB s_node_node=256KiB recv_nodes=16 "
static const model_row rows[] = {
    {"lassen", SIXTEEN, "time", 69.183e-6, 1e-5, "by hand: chunks of Algorithm 1, even data"},
    {"lassen", SIXTEEN, "chunks", 16, 0, "one of 16 KiB a node"},
    {"lassen", SIXTEEN, "used", 16, 0, "min(C, PPN)"},
    {"lassen", SIXTEEN, "off_node", 7.76e-6 + 262144 * 4.19e-11, NEAR, "(4.3), injection-bound"},
    {"lassen", SIXTEEN, "on_node", 2 * 3 * SOCKET_16K, NEAR, "four GPUs serve four processes each, twice"},
    {"lassen", SIXTEEN, "copy", COPY(65536, 65536), NEAR, "(4.5)"},
    {"lassen", SIXTEEN "data=worst", "on_node", 2 * 15 * SOCKET_16K, NEAR, "one GPU serves 15 others of its socket"},
    {"lassen", SIXTEEN "data=worst", "time", 158.152e-6, 1e-5, "by hand"},
    {"lassen", SIXTEEN "variant=dd", "on_node", 0, 0, "16 processes copy, 16 send"},
    {"lassen", SIXTEEN "variant=dd", "copy", COPY4(65536, 65536), NEAR, "[NA] Table 3, 4 proc"},
    {"lassen", SIXTEEN "variant=dd", "time", 94.650e-6, 1e-5, "by hand"},
    {"lassen", SIXTEEN "variant=dd data=worst", "on_node", 2 * 3 * SOCKET_16K, NEAR, "u/ppg - 1 = 3"},
    {"lassen", SIXTEEN "form=printed", "time", 2332.226e-6, 1e-6, "by hand: 39 messages of s_node"},
    {"lassen", SIXTEEN "form=shares", "on_node", 2 * (19 * SOCKET_6K + 20 * NODE_6K), NEAR, "39 messages of s_node/40"},
    {"lassen", SIXTEEN "form=shares", "time",
     2.44e-6 + 262144 * 4.19e-11 + 2 * (19 * SOCKET_6K + 20 * NODE_6K) + COPY(65536, 65536), NEAR, "181 us by hand"},
    {"lassen", SIXTEEN "form=printed m_proc_node=16", "off_node", 16 * 2.44e-6 + 262144 * 4.19e-11, NEAR, "Table 6"},
    {"lassen", LARGE, "chunks", 48, 0, "ceil(2.5) chunks a node"},
    {"lassen", LARGE, "used", 40, 0, "PPN"},
    {"lassen", LARGE, "off_node", 2 * 7.76e-6 + 4194304 * 4.19e-11, NEAR, "ceil(48/40) messages of 52 KB a process"},
    {"lassen", LARGE, "on_node", 2 * 9 * (3.15e-6 + 3.40e-11 * 104857.6), NEAR, "ceil(40/4) - 1 messages of s_node/40"},
    {"lassen", "s_proc=1MiB s_node=640KiB s_node_node=80KiB recv_nodes=8", "chunks", 40, 0,
     "x/cap' = 5 exactly: no sixth chunk"},
    {"lassen", "s_proc=1MiB s_node=1100000B s_node_node=1MB recv_nodes=16", "chunks", 55, 0,
     "one large node: ceil(V/cap') + 15"},
    {"lassen", "s_proc=1KiB s_node=4KiB s_node_node=16383B recv_nodes=7", "chunks", 7, 0, "x < cap: one a node"},
    {"lassen", SIXTEEN "cap=4KiB", "chunks", 48, 0, "cap' = V/PPN = 6.4 KiB, ceil(2.5) a node"},
    {"lassen", SIXTEEN "s_node_recv=512KiB", "on_node", 3 * SOCKET_16K + 3 * (3.15e-6 + 3.40e-11 * 32768), NEAR,
     "the second step redistributes what is received"},
    {"lassen", "s_proc=0B s_node=0B s_node_node=0B recv_nodes=0", "time", COPY(0, 0), NEAR,
     "nothing off node: the copies' start-ups"},
    {"bluewaters", "s_proc=16000B s_node=256000B s_node_node=64000B recv_nodes=4 per_node=16", "time",
     6.20e-6 + 256000 * 1.50e-10, REFITTED, "the authors' fit; 4 chunks a node, no GPUs, every process holds its own"},
    {"lassen", "s_proc=1KiB s_node=1KiB s_node_node=1KiB", NULL, 0, 0, "split lacks recv_nodes"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"lassen", "s_proc=64KiB s_node=160KiB s_node_node=136KiB recv_nodes=9", "chunks", 18, 1e-12,
     "ceil(V/cap) + 8 = 18 of at most 9 x 9"},
    {"lassen", "s_proc=1KiB s_node=4KiB s_node_node=16383B recv_nodes=6.5", "chunks", 7, 0,
     "a part of a node is a node"},
    {"lassen", "s_proc=1KiB s_node=1KiB s_node_node=1KiB recv_nodes=1", "used", 1, 0, "one chunk"},
    {"lassen", "s_proc=1KiB s_node=1KiB s_node_node=1KiB recv_nodes=1", "off_node", 2.44e-6 + 1024 * 3.79e-10, NEAR,
     "one message"},
    {"lassen", "s_proc=1MiB s_node=1MiB s_node_node=64KiB s_node_recv=0B recv_nodes=4", "chunks", 0, 0,
     "nothing is received: no chunks"},
    {"lassen", "s_proc=0B s_node=0B s_node_node=0B s_node_recv=1MiB recv_nodes=4", "chunks", 0, 0, "nothing to cut"},
};

MODEL_ROWS("split", rows)
