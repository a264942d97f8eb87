/* test_logs_nsmodel.c -- the log of nsmodel-mpi measure: every kind of table, and what is wrong with one */
#include "support/log_rows.h"

#define HEAD                                                                                                           \
    "nsmodel-mpi measure 1\n# Open MPI v4.1.4\njob ranks 8 nodes 2 sockets 2\n"                                        \
    "host 0 ranks 4 cores 16 load before 0.12 # n1\n# bytes seconds low high batches\n"
#define END "host 0 ranks 4 cores 16 load after 3.9 # n1\nend 2 numbers, 0 of them not tight\n"

static const log_row rows[] = {
    {"every kind of table",
     HEAD "table ping-pong on-socket pairs 1 messages 1\n8 2.385e-07 2.3e-07 2.5e-07 20\n"
          "table node-pong off-node pairs 4 messages 1\n1048576 0.000127 0.000126 0.000129 30\n"
          "table multi-message on-node pairs 2 messages 16\n32 7.25e-06 7e-06 8e-06 10\n"
          "table queue-reversed off-node pairs 1 messages 512\n8 0.00031 0.0003 0.00032 10\n"
          "table loggp o_s processes 2\n1 1.75e-07 1.7e-07 1.8e-07 20\n"
          "table collective allreduce processes 8\n64 5.125e-06 5e-06 6e-06 40\n"
          "table packing blocks processes 4\n65536 2.125e-05 2e-05 2.2e-05 30\n" END,
     .samples = 7,
     .want = {{7, NS_PING_PONG, NS_ON_SOCKET, NS_HOST, 1, 1, 8, 2.385e-07, ""},
              {9, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 4, 1, 1048576, 0.000127, ""},
              {11, NS_MULTI_MESSAGE, NS_ON_NODE, NS_HOST, 2, 16, 32, 7.25e-06, ""},
              {13, NS_QUEUE_REVERSED, NS_OFF_NODE, NS_HOST, 1, 512, 8, 0.00031, ""},
              {15, NS_LOGGP, NS_OFF_NODE, NS_HOST, 2, 1, 1, 1.75e-07, "o_s"},
              {17, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 8, 1, 64, 5.125e-06, "allreduce"},
              {19, NS_PACKING, NS_ON_NODE, NS_HOST, 4, 1, 65536, 2.125e-05, "blocks"}}},
    {"device memory",
     HEAD "table ping-pong off-node pairs 1 messages 1 memory device\n8 2e-06 1e-06 3e-06 20\n"
          "table ping-pong off-node pairs 1 messages 1 memory host\n8 2e-06 1e-06 3e-06 20\n" END,
     .samples = 1, .want = {{7, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 2e-06, ""}},
     .note = {{8, "no table that nsmodel-mpi writes"}}},
    {"inside what a job prints",
     "Loading modules\n" HEAD "table ping-pong off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n" END "Done.\n",
     .samples = 1, .want = {PONG(8, 8, 2e-06)}},
    {"more ranks than cores",
     "nsmodel-mpi measure 1\njob ranks 8 nodes 1 sockets 1\nhost 0 ranks 8 cores 2 load before 0.00 # n1\n"
     "table ping-pong on-socket pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n" END,
     .samples = 1, .note = {{3, "host 0 had 8 ranks on 2 cores: they waited for each other"}}},
    {"others at work",
     "nsmodel-mpi measure 1\njob ranks 8 nodes 1 sockets 1\nhost 1 ranks 8 cores 16 load before 9.50 # n1\n"
     "table ping-pong on-socket pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n" END,
     .samples = 1, .note = {{3, "host 1 had a load of 9.50 before 8 ranks began on its 16 cores"}}},
    {"a log that was cut in a row",
     HEAD "table ping-pong off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n16 2e-06 1e-", .samples = 1,
     .note = {{8, "the file ends in the middle of a row"}, {8, "no line \"end\""}}},
    {"rows of other shapes",
     HEAD "table ping-pong off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n16 2e-06 1e-06 3e-06\n"
          "32 2e-06 3e-06 1e-06 20\n64 2e-06 1e-06 3e-06 20 1\n" END,
     .samples = 1,
     .note = {{8, "a row wants bytes, seconds, low, high and batches"}, {9, "a row wants"}, {10, "a row wants"}}},
    {"tables of other shapes",
     HEAD "table ping-pong off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n"
          "table ping-pang off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n"
          "table node-pong off-node pairs 0 messages 1\n8 2e-06 1e-06 3e-06 20\n"
          "table node-pong nowhere pairs 1 messages 1\ntable collective allreduce\n"
          "table node-pong off-node pairs 4 messages 1\n" END,
     .samples = 1,
     .note = {{8, "no table that nsmodel-mpi writes: \"table ping-pang off-node"},
              {10, "no table that"},
              {12, "no table that"},
              {13, "no table that"},
              {14, "a table without rows"}}},
    {"times that are none",
     HEAD
     "table ping-pong off-node pairs 1 messages 1\n8 2e-06 1e-06 3e-06 20\n16 0 0 0 20\n32 -1e-06 -2e-06 1 20\n" END,
     .samples = 1, .note = {{8, "2 values are zero, negative or not numbers"}}},
    {"nothing in it", HEAD END, .refusal = "no table with a time in it"},
};

LOG_ROWS("nsmodel", rows)
