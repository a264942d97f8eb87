/* test_logs_imb.c -- Intel MPI Benchmarks 4.1 to 2021: times from t, rates from Msg/sec, tables on a part of a job */
#include "support/log_rows.h"

#define PINGPONG "# Benchmarking PingPong\n# #processes = 2\n       #bytes #repetitions      t[usec]   Mbytes/sec\n"
#define RATE     "       #bytes #repetitions   Mbytes/sec      Msg/sec\n"

static const log_row rows[] = {
    {"PingPong: t is half a round trip; Mbytes/sec is never looked at",
     PINGPONG
     "            0         1000         1.70         0.00\n            8         1000         1.75      9999.00\n",
     .samples = 2, .want = {PONG(4, 0, 1.7e-6), PONG(5, 8, 1.75e-6)}},
    {"--round-trip full halves PingPong, and nothing else",
     PINGPONG "8 1000 1.75 0.0\n# Benchmarking PingPing\n# #processes = 2\n #bytes #repetitions t[usec] Mbytes/sec\n8 "
              "1000 2.5 0.0\n",
     .said = {.round_trip = "full"}, .samples = 2,
     .want = {PONG(4, 8, 0.875e-6), {8, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 1, 8, 2.5e-6, "pingping"}}},
    {"PingPong in groups is many pairs at once; ranks 0 and 4 of the first are on two nodes of 4",
     "# Benchmarking Multi-PingPong\n# ( 4 groups of 2 processes each running simultaneous ) \n# Group  0:     0    4 "
     "\n"
     "# Group  1:     1    5 \n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n8 1000 1.5 2.5 2.0 1.0\n",
     .said = {.per_node = 4}, .samples = 1, .want = {{6, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 4, 1, 8, 2e-6, ""}}},
    {"... and ranks 0 and 3 on one",
     "# Benchmarking Multi-PingPong\n# ( 2 groups of 2 processes each running simultaneous ) \n# Group  0:     0    3 "
     "\n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n8 1000 1.5 2.5 2.0 1.0\n",
     .said = {.per_node = 4}, .samples = 1, .want = {{5, NS_NODE_PONG, NS_ON_NODE, NS_HOST, 2, 1, 8, 2e-6, ""}}},
    {"Sendrecv and Exchange send both ways; Exchange two messages each",
     "# Benchmarking Sendrecv\n# #processes = 2\n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n8 1000 1.5 1.75 1.625 9.8\n"
     "# Benchmarking Exchange\n# #processes = 2\n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n8 1000 3.5 3.75 3.625 8.8\n",
     .samples = 2,
     .want = {{4, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 1, 8, 1.625e-6, "sendrecv"},
              {8, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 2, 8, 3.625e-6, "exchange"}}},
    {"Uniband: one pair streams; 500 000 messages/s are 2 us each",
     "# Benchmarking Uniband\n# #processes = 2\n" RATE "8 1000 4.0 500000\n", .samples = 1,
     .want = {{4, NS_STREAMING, NS_OFF_NODE, NS_HOST, 1, 1, 8, 2e-6, ""}}},
    {"Uniband of 4 pairs: 500 000 messages/s in all are 8 us for each pair; a rate of 0 is no time",
     "# Benchmarking Uniband\n# #processes = 8\n" RATE "0 1000 0.0 0\n8 1000 4.0 500000\n", .samples = 1,
     .want = {{5, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 4, 1, 8, 8e-6, ""}},
     .note = {{4, "1 values are zero, negative or not numbers"}}},
    {"Biband counts both directions: 500 000 messages/s on 4 pairs are one each way in 16 us",
     "# Benchmarking Biband\n# #processes = 8\n" RATE "8 1000 4.0 500000\n", .samples = 1,
     .want = {{4, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 4, 1, 8, 16e-6, "biband"}}},
    {"... where neither table has a value there is nothing to leave out",
     "# Benchmarking Uniband\n# #processes = 2\n# ( 2 additional processes waiting in MPI_Barrier)\n" RATE
     "8 1000 0.0 0\n\n# Benchmarking Uniband\n# #processes = 4\n" RATE "8 1000 0.0 0\n",
     .refusal = "all 2 times are zero, negative or not numbers", .refusal_line = 5},
    {"tables on a part of the processes may be on one node: left out where all of them have a table",
     "# Benchmarking Uniband\n# #processes = 2\n# ( 2 additional processes waiting in MPI_Barrier)\n" RATE
     "8 1000 8.0 1000000\n16 1000 16.0 1000000\n\n# Benchmarking Uniband\n# #processes = 4\n" RATE
     "8 1000 4.0 500000\n",
     .samples = 1, .want = {{11, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 2, 1, 8, 4e-6, ""}},
     .note = {{4, "2 times of tables on a part of the processes"}}},
    {"... and used with --per-node: ranks 0 and 1 share a socket, 0 and 2 are on two nodes",
     "# Benchmarking Uniband\n# #processes = 2\n# ( 2 additional processes waiting in MPI_Barrier)\n" RATE
     "8 1000 8.0 1000000\n\n# Benchmarking Uniband\n# #processes = 4\n" RATE "8 1000 4.0 500000\n",
     .said = {.per_node = 2, .sockets = 1}, .samples = 2,
     .want = {{5, NS_STREAMING, NS_ON_SOCKET, NS_HOST, 1, 1, 8, 1e-6, ""},
              {10, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 2, 1, 8, 4e-6, ""}}},
    {"... and with --locality",
     "# Benchmarking Biband\n# #processes = 2\n# ( 2 additional processes waiting in MPI_Barrier)\n" RATE
     "8 1000 8.0 1000000\n\n# Benchmarking Biband\n# #processes = 4\n" RATE "8 1000 4.0 500000\n",
     .said = {.locality = "off-node"}, .samples = 2,
     .want = {{5, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 1, 8, 2e-6, "biband"}}},
    {"... and where nothing else is in the file, as PingPong of a large job",
     "# Benchmarking PingPong\n# #processes = 2\n# ( 2 additional processes waiting in MPI_Barrier)\n"
     "       #bytes #repetitions      t[usec]   Mbytes/sec\n8 1000 1.75 0.0\n",
     .samples = 1, .want = {{5, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 1.75e-6, ""}},
     .note = {{4,
               "the first two of 4 processes, which share a node unless they were placed in turn: taken as on-node"}}},
    {"collectives: the average over processes, at any number of them",
     "# Benchmarking Allreduce\n# #processes = 2\n# ( 142 additional processes waiting in MPI_Barrier)\n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n4 1000 2.0 3.0 2.5\n"
     "# Benchmarking Allreduce\n# #processes = 144\n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n0 1000 0.0 0.0 0.0\n4 1000 20.0 30.0 24.5\n"
     "# Benchmarking Barrier\n# #processes = 144\n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n1000 7.0 9.0 "
     "8.0\n",
     .samples = 3,
     .want = {{5, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 2, 1, 4, 2.5e-6, "allreduce"},
              {10, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 144, 1, 4, 24.5e-6, "allreduce"},
              {14, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 144, 1, 0, 8e-6, "barrier"}},
     .note = {{9, "1 values are zero, negative or not numbers"}}},
    {"a warning of the run between rows is no row; 2021 writes a defects column",
     "# Benchmarking Exchange\n# #processes = 2\n"
     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec      defects\n"
     "8 1000 3.5 3.75 3.625 8.8 0.00\n[n01:123] pml_ucx.c:178 Warning: 2 of 3\n16 1000 3.5 3.75 3.75 17.0 0.00\n"
     "32 out-of-mem.; needed X= 0.1 GB (use flag \"-mem X\" or MAX_MEM_USAGE)\n",
     .samples = 2, .want = {{6, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 2, 16, 3.75e-6, "exchange"}}},
    {"unknown benchmarks and columns are said",
     "# Benchmarking Unidir_Get\n# #processes = 2\n       #bytes #repetitions      t[usec]   Mbytes/sec\n8 100 1.5 "
     "5.0\n"
     "# Benchmarking PingPong\n# #processes = 2\n       #bytes #repetitions      t[msec]   Mbytes/sec\n8 100 1.5 "
     "5.0\n" PINGPONG "8 100 1.5 5.0\n",
     .samples = 1, .want = {PONG(12, 8, 1.5e-6)}, .note = {{1, "benchmark \"Unidir_Get\""}, {7, "wanted t[usec]"}}},
    {"a table without rows",
     "#    Intel(R) MPI Benchmarks 2019 Update 5, MPI-1 part\n" PINGPONG "# All processes entering MPI_Finalize\n",
     .refusal = "a table without rows", .refusal_line = 4},
    {"the end of a file that was cut", PINGPONG "8 1000 1.75 4.57\n16 1000 1.7", .samples = 1,
     .want = {PONG(4, 8, 1.75e-6)}, .note = {{5, "ends in the middle of a row"}}},
    {"rows whose size does not rise are counted",
     PINGPONG "8 1000 1.75 4.57\n16 1000 1.875 8.57\n8 1000 9.75 0.57\n16 1000 9.875 0.57\n", .samples = 2,
     .want = {PONG(5, 16, 1.875e-6)}, .note = {{6, "2 rows whose size does not rise"}}},
    {"negative sizes and absurd counts do no harm",
     "# Benchmarking Uniband\n# ( 2147483647 groups of 2147483647 processes\n" RATE
     "-0.5 1000 4.0 500000\n8 1000 4.0 500000\n" PINGPONG "8 1000 1.75 4.57\n",
     .samples = 1, .want = {PONG(9, 8, 1.75e-6)},
     .note = {{4, "1 rows whose size does not rise"}, {5, "1 values are zero, negative or not numbers"}}},
};

LOG_ROWS("imb", rows)
