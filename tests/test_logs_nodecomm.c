/* test_logs_nodecomm.c -- nodecomm: integers of 4 bytes, FULL round trips, a column per number of pairs */
#include "support/log_rows.h"

#define PAIRS "Pingpong for\nmaster:  0, 1, 2\npartner: 4, 5, 6\n"
#define MANY  "the order of the receives is not printed"

static const log_row rows[] = {
    {"column k has k pairs; half of a full round trip; the size counts integers",
     PAIRS "1\t4.00e-06\t4.50e-06\t5.00e-06\t\n1024\t1.80e-05\t2.00e-05\t2.20e-05\t\n", .samples = 6,
     .want = {PONG(4, 4, 2e-6), {5, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 3, 1, 4096, 1.1e-5, ""}}},
    {"--per-node places the first pair: ranks 0 and 4 on two nodes of 4", PAIRS "1\t4.00e-06\t\n",
     .said = {.per_node = 4}, .samples = 1, .want = {PONG(4, 4, 2e-6)}},
    {"... on two sockets of a node of 8", PAIRS "1\t4.00e-06\t\n", .said = {.per_node = 8, .sockets = 2}, .samples = 1,
     .want = {{4, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 4, 2e-6, ""}}},
    {"... on one socket of 8", PAIRS "1\t4.00e-06\t\n", .said = {.per_node = 8, .sockets = 1}, .samples = 1,
     .want = {{4, NS_PING_PONG, NS_ON_SOCKET, NS_HOST, 1, 1, 4, 2e-6, ""}}},
    {"--round-trip half", PAIRS "1\t4.00e-06\t\n", {.round_trip = "half"}, .samples = 1, .want = {PONG(4, 4, 4e-6)}},
    {"several runs, each with its own ranks",
     PAIRS "1\t4.00e-06\t\nPingpong for\nmaster:  0, 2\npartner: 1, 3\n1\t8.00e-07\t\n", .said = {.per_node = 2},
     .samples = 2, .want = {PONG(4, 4, 2e-6), {8, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 4, 4e-7, ""}}},
    {"SizeMsgs is the length of all messages together; columns repeat one measurement on every pair",
     PAIRS "\nNum Msgs 4\nSizeMsgs 16\n5.50e-06\t6.00e-06\t\n", .samples = 2,
     .want = {{7, NS_MULTI_MESSAGE, NS_OFF_NODE, NS_HOST, 3, 4, 16, 2.75e-6, ""},
              {7, NS_MULTI_MESSAGE, NS_OFF_NODE, NS_HOST, 3, 4, 16, 3e-6, ""}},
     .note = {{7, MANY}}},
    {"--kind says how they were received", PAIRS "Num Msgs 4\nSizeMsgs 16\n5.50e-06\t\n", .said = {.kind = "in-order"},
     .samples = 1, .want = {{6, NS_QUEUE_IN_ORDER, NS_OFF_NODE, NS_HOST, 3, 4, 16, 2.75e-6, ""}}},
    {"... reversed", PAIRS "Num Msgs 4\nSizeMsgs 16\n5.50e-06\t\n", .said = {.kind = "reversed"}, .samples = 1,
     .want = {{6, NS_QUEUE_REVERSED, NS_OFF_NODE, NS_HOST, 3, 4, 16, 2.75e-6, ""}}},
    {"... or that lines of nodes shared links", PAIRS "Num Msgs 4\nSizeMsgs 16\n5.50e-06\t\n",
     .said = {.kind = "contention"}, .samples = 1,
     .want = {{6, NS_CONTENTION, NS_OFF_NODE, NS_HOST, 3, 4, 16, 2.75e-6, ""}}},
    {"the end of a file that was cut: the value without a tab is none",
     PAIRS "1\t4.00e-06\t4.50e-06\t\n2\t4.00e-06\t4.5", .samples = 3,
     .note = {{5, "the rest of the row after 1 times is cut"}}},
    {"a job's prologue and epilogue",
     "----------------------------------------\nBegin Torque Prologue on nid25334\nat Fri Feb  8 11:13:56 CST "
     "2019\n" PAIRS "1\t4.00e-06\t\nApplication 1234 resources: utime ~3s, stime ~2s\n12 of 16\n",
     .samples = 1, .want = {PONG(7, 4, 2e-6)}},
    {"a search that prints `Time` does not say whether of half or of a full round trip",
     "Num Msgs 1\nSize Msgs 800\nTime 2.193451e-06\n", .refusal = "may be half or a full round trip",
     .refusal_line = 2},
    {"uneven splits", "Percent Rank 0: 50\n1\t2\n", .refusal = "uneven splits of a node's data", .refusal_line = 1},
    {"whole exchanges", "Level 0\nA Communication:\nMax Num Msgs: 2\n", .refusal = "times of whole exchanges",
     .refusal_line = 3},
    {"a title without a row", PAIRS, .refusal = "no table with a time in it"},
};

LOG_ROWS("nodecomm", rows)
