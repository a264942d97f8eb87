/* test_logs_place.c -- where ranks ran: --locality, --per-node, --sockets, --rank-order, placement lines, and their
 * quarrels */
#include "support/log_rows.h"

/* Pairs of eight ranks, in microseconds that name them: "CPU a and CPU b" takes ab us. */
#define TABLE                                                                                                          \
    "Profiling Standard CPU Ping-Pongs:\nCPU 0 and CPU 1:\t01e-06\t\nCPU 0 and CPU 2:\t02e-06\t\n"                     \
    "CPU 0 and CPU 4:\t04e-06\t\nCPU 3 and CPU 4:\t34e-06\t\nCPU 6 and CPU 7:\t67e-06\t\n"
#define AT(line, locality, us)                                                                                         \
    {                                                                                                                  \
        line, NS_PING_PONG, locality, NS_HOST, 1, 1, 4, us * 1e-6, ""                                                  \
    }
#define JSRUN(rank, host, cpu) "rank: " rank ": { host: " host "; cpu: {" cpu "} ; gpu: {0} ; mem: {0} } : app 0\n"

#define HOST  "Host 0 [n1] ranks 0 - 1000000\n"
#define HOSTS HOST HOST HOST HOST HOST HOST

static const log_row rows[] = {
    {"nothing said: off-node, with a warning that counts", TABLE, .samples = 5,
     .want = {AT(2, NS_OFF_NODE, 1), AT(6, NS_OFF_NODE, 67)},
     .note = {{0, "states no locality for 5 of 5 samples: taken as off-node"}}},
    {"--locality says it of all", TABLE, .said = {.locality = "on-socket"}, .samples = 5,
     .want = {AT(2, NS_ON_SOCKET, 1), AT(5, NS_ON_SOCKET, 34)}},
    {"--memory too", TABLE, .said = {.locality = "on-node", .memory = "device"}, .samples = 5,
     .want = {{2, NS_PING_PONG, NS_ON_NODE, NS_DEVICE, 1, 1, 4, 1e-6, ""}}},
    {"--per-node 4: ranks 0-3 and 4-7, two sockets each", TABLE, .said = {.per_node = 4}, .samples = 5,
     .want = {AT(2, NS_ON_SOCKET, 1), AT(3, NS_ON_NODE, 2), AT(4, NS_OFF_NODE, 4), AT(5, NS_OFF_NODE, 34),
              AT(6, NS_ON_SOCKET, 67)}},
    {"--sockets 1: a node is a socket", TABLE, .said = {.per_node = 4, .sockets = 1}, .samples = 5,
     .want = {AT(3, NS_ON_SOCKET, 2), AT(5, NS_OFF_NODE, 34)}},
    {"--sockets 4: a socket a rank", TABLE, .said = {.per_node = 4, .sockets = 4}, .samples = 5,
     .want = {AT(2, NS_ON_NODE, 1), AT(4, NS_OFF_NODE, 4)}},
    {"--per-node 8: one node", TABLE, .said = {.per_node = 8, .sockets = 2}, .samples = 5,
     .want = {AT(3, NS_ON_SOCKET, 2), AT(4, NS_ON_NODE, 4), AT(5, NS_ON_NODE, 34), AT(6, NS_ON_SOCKET, 67)}},
    {"--rank-order cyclic: rank r on node r mod 2; on node 0 ranks 0, 2 | 4, 6", TABLE,
     .said = {.per_node = 4, .cyclic = 1}, .samples = 5,
     .want = {AT(2, NS_OFF_NODE, 1), AT(3, NS_ON_SOCKET, 2), AT(4, NS_ON_NODE, 4), AT(5, NS_OFF_NODE, 34),
              AT(6, NS_OFF_NODE, 67)}},
    {"--locality wins over --per-node", TABLE, .said = {.per_node = 4, .locality = "off-node"}, .samples = 5,
     .want = {AT(2, NS_OFF_NODE, 1)}},
    {"placement lines: host and cpu of each rank",
     TABLE JSRUN("0", "1", "0-3") JSRUN("1", "2", "0-3") JSRUN("2", "1", "4-7") JSRUN("3", "2", "4-7")
         JSRUN("4", "1", "80-83"),
     .samples = 5,
     .want = {AT(2, NS_OFF_NODE, 1), AT(3, NS_ON_SOCKET, 2), AT(4, NS_ON_NODE, 4), AT(5, NS_OFF_NODE, 34),
              AT(6, NS_OFF_NODE, 67)},
     .note = {{0, "sockets taken from the cpu numbers"}, {0, "states no locality for 1 of 5"}}},
    {"... --sockets says how many, and then nothing is guessed", TABLE JSRUN("0", "1", "0-3") JSRUN("4", "1", "80-83"),
     .said = {.sockets = 1}, .samples = 5, .want = {AT(4, NS_ON_SOCKET, 4)}},
    {"... the end of the second of two sockets",
     TABLE JSRUN("0", "1", "44-47") JSRUN("1", "1", "40-43") JSRUN("4", "1", "84-87"), .samples = 5,
     .want = {AT(2, NS_ON_NODE, 1), AT(4, NS_ON_SOCKET, 4)}, .note = {{0, "sockets taken"}}},
    {"--per-node wins over placement lines, and says that they differ",
     TABLE JSRUN("0", "1", "0-3") JSRUN("1", "2", "0-3"), .said = {.per_node = 4}, .samples = 5,
     .want = {AT(2, NS_ON_SOCKET, 1)}, .note = {{2, "the placement lines of the log say otherwise"}}},
    {"a rank that cannot be", TABLE JSRUN("1048576", "1", "0-3"),
     .refusal = "rank 1048576 of placement lines without end", .refusal_line = 7},
    {"a range that cannot be", TABLE "Host 0 [n1] ranks 0 - 2147483647\n", .refusal = "of placement lines without end",
     .refusal_line = 7},
    {"a placement without end", TABLE HOSTS HOSTS HOSTS, .refusal = "of placement lines without end",
     .refusal_line = 22},
    {"a part of a node", TABLE, .said = {.per_node = 5, .sockets = 2},
     .refusal = "5 ranks a node on 2 sockets; wanted whole ranks a socket"},
    {"cyclic order on nodes of unknown size", TABLE, {.cyclic = 1}, .refusal = "wanted --per-node too"},
};

LOG_ROWS("benchpress", rows)
