/* test_on_node_split.c -- spreading a node's data over its processes
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define SOCKET (4.61e-7 + 7.12e-11 * 1000)
#define NODE   (1.17e-6 + 2.18e-10 * 1000)
static const model_row rows[] = {
    {"lassen", "memory=host protocol=eager s=1000B ppg=1", "time", 37.8718e-6, NEAR, "[NA] (4.2), Table 2, by hand"},
    {"lassen", "memory=host protocol=eager s=1000B ppg=4", "time", 9.0688e-6, NEAR, "[NA] (4.2), Table 2, by hand"},
    {"lassen", "s=1000B", "on_socket", 19 * SOCKET, NEAR, "[NA] Section 4.2: 19 on-socket messages"},
    {"lassen", "s=1000B", "on_node", 20 * NODE, NEAR, "[NA] Section 4.2: 20 on-node messages"},
    {"lassen", "s=1000B u=16", "time", 15 * SOCKET, NEAR, "16 processes in use fit on the socket"},
    {"lassen", "s=1000B u=26", "time", 19 * SOCKET + 6 * NODE, NEAR, "the nearest first"},
    {"lassen", "s=1000B u=16 ppg=4", "time", 3 * SOCKET, NEAR, "u/ppg - 1"},
    {"lassen", "s=1000B u=26 ppg=4", "time", 4 * SOCKET + 1.5 * NODE, NEAR,
     "26/4 - 1 = 5.5, of which 20/4 - 1 on-socket"},
    {"lassen", "s=1000B u=2 ppg=4", "time", 0, 0, "fewer in use than copy: nothing to pass on"},
    {"lassen", "s=1000B sockets=1", "time", 39 * SOCKET, NEAR, "one socket has no other"},
    {"lassen", "s=1000B data=even", "time", 9 * SOCKET, NEAR, "four GPUs serve ten each"},
    {"lassen", "s=1000B data=even u=16", "time", 3 * SOCKET, NEAR, "four GPUs serve four each"},
    {"lassen", "s=1000B data=even u=17", "time", 4 * SOCKET, NEAR, "ceil(17/4) - 1"},
    {"lassen", "s=1000B data=even ppg=4", "time", 2 * SOCKET, NEAR, "ceil(40/16) - 1"},
    {"lassen", "s=1000B data=even u=3", "time", 0, 0, "fewer in use than GPUs"},
    {"bluewaters", "s=1000B", "time", 7 * (5.32e-7 + 3.11e-10 * 1000) + 8 * (1.21e-6 + 1.04e-9 * 1000), REFITTED,
     "the authors' fit, 16 processes, two sockets"},
    {"bluewaters", "s=1000B data=even", NULL, 0, 0, "per_node is 0"},
    {"lassen", "s=1000B ppg=0", NULL, 0, 0, "ppg has to be more than 0"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"lassen", "s=1000B data=even per_node=1 u=5", "on_socket", 4 * SOCKET, NEAR, "one GPU serves four others"},
    {"lassen", "s=1000B data=even per_node=0 u=5", NULL, 0, 0, "per_node is 0, give it"},
};

MODEL_ROWS("on-node-split", rows)
