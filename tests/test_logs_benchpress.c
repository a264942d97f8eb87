/* test_logs_benchpress.c -- BenchPress: floats of 4 bytes, seconds of half a round trip, and which program printed
 * what */
#include "support/log_rows.h"

#define CPU  "Profiling Standard CPU Ping-Pongs:\n"
#define GPU  "Profiling GPU Ping-Pongs\n"
#define RATE "Timing Max-Rate CPU Ping-Pongs\n"
#define JSRUN                                                                                                          \
    "rank: 0: { host: 1; cpu: {0-3}, {4-7,80-87} ; gpu: {0,1} ; mem: {0-1} } : app 0\n"                                \
    "rank: 1: { host: 1; cpu: {4-7}, {0-3,80-87} ; gpu: {0,1} ; mem: {0-1} } : app 0\n"                                \
    "rank: 2: { host: 1; cpu: {80-83}, {0-7,84-87} ; gpu: {0,1} ; mem: {0-1} } : app 0\n"                              \
    "rank: 3: { host: 2; cpu: {0-3}, {4-7,80-87} ; gpu: {0,1} ; mem: {0-1} } : app 0\n"
#define SOCKETS "sockets taken from the cpu numbers"
#define HOSTS   "Host 0 [n9] ranks 0, 2, 4\nHost 1 [n10] ranks 1, 3, 5\n\n"

static const log_row rows[] = {
    {"column i is 2^i floats; the time is one way", CPU "CPU 0 and CPU 1:\t2.385e-06\t2.5e-06\t3.0e-06\t\n",
     .samples = 3, .want = {PONG(2, 4, 2.385e-6), PONG(2, 16, 3e-6)}},
    {"--round-trip full halves", CPU "CPU 0 and CPU 1:\t2.385e-06\t\n", .said = {.round_trip = "full"}, .samples = 1,
     .want = {PONG(2, 4, 1.1925e-6)}},
    {"placement lines of jsrun come after the tables",
     CPU "CPU 0 and CPU 1:\t1e-06\t\nPinned CPU 0 and CPU 2:\t2e-06\t\nCPU 0 and CPU 3:\t3e-06\t\napp 0: "
         "./time_ping_pong_cpu \n" JSRUN,
     .samples = 3,
     .want = {{2, NS_PING_PONG, NS_ON_SOCKET, NS_HOST, 1, 1, 4, 1e-6, ""},
              {3, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 4, 2e-6, ""},
              PONG(4, 4, 3e-6)},
     .note = {{0, SOCKETS}}},
    {"two programs in one log have their own placement",
     CPU "CPU 0 and CPU 1:\t1e-06\t\napp 0: ./time_ping_pong_cpu \n" JSRUN CPU
         "CPU 0 and CPU 1:\t2e-06\t\napp 0: ./time_ping_pong_cpu \n"
         "rank: 0: { host: 1; cpu: {0-3}, {4-7} ; gpu: {0} ; mem: {0} } : app 0\n"
         "rank: 1: { host: 2; cpu: {0-3}, {4-7} ; gpu: {0} ; mem: {0} } : app 0\n",
     .samples = 2, .want = {{2, NS_PING_PONG, NS_ON_SOCKET, NS_HOST, 1, 1, 4, 1e-6, ""}, PONG(9, 4, 2e-6)},
     .note = {{0, SOCKETS}}},
    {"rows that run into each other, and into the next line of the launcher",
     GPU "GPU on rank 0 and GPU on rank 1:\t1.5e-05\t1.75e-05\tGPU on rank 0 and GPU on rank 2:\t2.5e-05\tapp 0: "
         "./time_ping_pong_gpu \n",
     .samples = 3,
     .want = {{2, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 1.75e-5, ""},
              {2, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 2.5e-5, ""}}},
    {"a value without its tab was cut off", CPU "CPU 0 and CPU 1:\t2.385e-06\t2.9\nCPU 0 and CPU 2:\t2.5e-06\t2.7e-0",
     .samples = 2, .want = {PONG(3, 4, 2.5e-6)},
     .note = {{2, "cut off after column 1"}, {3, "cut off after column 1"}}},
    {"device-aware by the program's name",
     GPU "GPU on rank 0 and GPU on rank 1:\t1.5e-05\t\napp 0: ./time_ping_pong \n", .samples = 1,
     .want = {{2, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 1.5e-5, ""}}},
    {"3-step by the program's name",
     GPU "GPU on rank 0 and GPU on rank 1:\t4.5e-05\t\napp 0: ./time_ping_pong_3step \n", .samples = 1,
     .want = {{2, NS_STAGED, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 4.5e-5, ""}}},
    {"neither: refused", GPU "GPU on rank 0 and GPU on rank 1:\t4.5e-05\t5.5e-05\t\n",
     .refusal = "\"Profiling GPU Ping-Pongs\" is printed by a device-aware and by a 3-step program; --kind says which "
                "(2 times)",
     .refusal_line = 1},
    {"... and read with --kind", GPU "GPU on rank 0 and GPU on rank 1:\t4.5e-05\t\n", .said = {.kind = "3step"},
     .samples = 1, .want = {{2, NS_STAGED, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 4.5e-5, ""}}},
    {"... or left out beside what can be told",
     CPU "CPU 0 and CPU 1:\t1e-06\t\n" GPU "GPU on rank 0 and GPU on rank 1:\t4.5e-05\t\n", .samples = 1,
     .want = {PONG(2, 4, 1e-6)}, .note = {{3, "--kind says which (1 times)"}}},
    {"maxrate: every process sends `Size` floats; a full row at size 1 shows it",
     RATE "Size 1\t1e-06\t1.25e-06\t1.5e-06\t\nSize 2\t1.1e-06\t1.3e-06\t1.6e-06\t\n", .samples = 6,
     .want = {PONG(2, 4, 1e-6), {3, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 3, 1, 8, 1.6e-6, ""}}},
    {"node_pong: the processes share it; rows grow with the size",
     RATE "Size 1\t1e-06\t\nSize 2\t1e-06\t1.25e-06\t\nSize 4\t1.1e-06\t1.3e-06\t1.6e-06\t\n", .samples = 6,
     .want = {{3, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 2, 1, 4, 1.25e-6, ""},
              {4, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 3, 1, 4, 1.6e-6, ""}}},
    {"only large sizes do not tell: refused", RATE "Size 64\t1e-06\t1.25e-06\t\n",
     .refusal = "is printed by maxrate and by node_pong; --kind says which", .refusal_line = 1},
    {"... the program's name does", RATE "Size 64\t1e-06\t1.25e-06\t\napp 0: ./time_node_pong \n", .samples = 2,
     .want = {{2, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 2, 1, 128, 1.25e-6, ""}}},
    {"... and --kind, in any spelling", RATE "Size 64\t1e-06\t1.25e-06\t\n", .said = {.kind = "node_pong"},
     .samples = 2, .want = {{2, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 2, 1, 128, 1.25e-6, ""}}},
    {"a kind that the columns contradict is an error", RATE "Size 1\t1e-06\t1.25e-06\t\n",
     .said = {.kind = "node-pong"}, .refusal = "kind \"node-pong\" contradicts the columns", .refusal_line = 1},
    {"no such kind", RATE "Size 1\t1e-06\t\n", {.kind = "pong"}, .refusal = "kind \"pong\"; wanted node-pong, maxrate"},
    {"GPUs", "Timing GPU Max-Rate Ping Pongs\nSize 1\t1e-05\t1.25e-05\t\n", .samples = 2,
     .want = {{2, NS_NODE_PONG, NS_OFF_NODE, NS_DEVICE, 2, 1, 4, 1.25e-5, ""}}},
    {"mult_pong: i + 1 messages of `Size` floats", "Timing CPU Multiple Messages\nSize 1\t1e-06\t1.5e-06\t2e-06\t\n",
     .samples = 3, .want = {{2, NS_MULTI_MESSAGE, NS_OFF_NODE, NS_HOST, 1, 3, 4, 2e-6, ""}}},
    {"mult_pong_split: they share it", "Timing CPU Multiple Messages\nSize 4\t1e-06\t1.5e-06\t2e-06\t\n", .samples = 3,
     .want = {{2, NS_MULTI_MESSAGE, NS_OFF_NODE, NS_HOST, 1, 3, 4, 2e-6, ""},
              {2, NS_MULTI_MESSAGE, NS_OFF_NODE, NS_HOST, 1, 2, 8, 1.5e-6, ""}}},
    {"sixty-five columns",
     "Timing CPU Multiple Messages\nSize "
     "1\t1e-6\t2e-6\t3e-6\t4e-6\t5e-6\t6e-6\t7e-6\t8e-6\t9e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t"
     "1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-"
     "6\t1e-6\t"
     "1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-"
     "6\t1e-6\t"
     "1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t1e-6\t6.5e-6\t\n",
     .samples = 65, .want = {{2, NS_MULTI_MESSAGE, NS_OFF_NODE, NS_HOST, 1, 65, 4, 6.5e-6, ""}}},
    {"copies: one process, and k + 1 of them after NP k; each copies 2^i floats",
     "Memcpy Host To Device:\nCPU 0, GPU 1:\t1.25e-05\t1.5e-05\t\nMemcpy Device To Host Mult:\nNP 0\n1.25e-05\t\nNP "
     "2\n3e-05\t3.5e-05\t\n",
     .samples = 5,
     .want = {{2, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 1.5e-5, "h2d"},
              {7, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 3, 1, 8, 3.5e-5, "d2h"}}},
    {"rows by processes under the title of single copies have no sure direction",
     "Memcpy Device To Host:\nNP 0\n1.25e-05\t\nMemcpy Device To Host Mult:\nNP 0\n1.5e-05\t\n", .samples = 1,
     .want = {{6, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 1.5e-5, NULL}},
     .note = {{2, "rows by processes under \"Memcpy Device To Host:\""}}},
    {"device to device", "Memcpy Device To Device:\nCPU 0, GPU 0 <-> GPU 1:\t1.25e-05\t1.5e-05\t\n", .samples = 2,
     .want = {{2, NS_PEER_COPY, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 1.5e-5, ""}}},
    {"collectives by name; how many processes took part is not printed",
     "3-Step Alltoallv, Extra Message:\n2e-04\t3e-04\t\n\nCuda-Aware Allreduce:\n1e-04\t\n", .samples = 3,
     .want = {{2, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 0, 1, 8, 3e-4, "alltoallv, 3-step, extra message"},
              {5, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 0, 1, 4, 1e-4, "allreduce"}}},
    {"-1 is not measured; other negative times are a broken clock",
     CPU "CPU 0 and CPU 1:\t1e-06\t-1\t\n" RATE "Size 1\t1e-06\t-1.2e-06\t\n", .samples = 1, .want = {PONG(2, 4, 1e-6)},
     .note = {{3, "holds negative times: the clock of the run was broken (2 times)"}}},
    {"what schedulers and drivers print",
     "Warning: Failed writing log files to directory [/var/log/nvidia-mps]. No logs will be available.\n" CPU
     "CPU 0 and CPU 1:\t1e-06\t\n41 total processes failed to "
     "start\n------------------------------------------------------------\n"
     "Sender: LSF System <lsf@n1>\n    CPU time :                                   12.5 sec.\n"
     "8 cores\t9.5\t\nThe output (if any) is above this job summary.\n",
     .samples = 1, .want = {PONG(3, 4, 1e-6)}},
    {"a title and nothing else", "Timing CPU Multiple Messages\n",
     .refusal = "\"Timing CPU Multiple Messages\" without a row", .refusal_line = 1},
    {"times whose row has lost its name", CPU "CPU 0 and CPU 1:\t1e-06\t\n2.5e-06\t3e-06\t\n", .samples = 1,
     .note = {{3, "times without the name of their row"}}},
    {"times of whole exchanges", "Level 0\nMax N 4\nCuda Aware : 1.5e-04\nCuda Aware : 2.5e-04\n",
     .refusal = "times of whole exchanges of a sparse operation, not of messages; validate takes those (2 tables)",
     .refusal_line = 3},
    /* ---- the programs before BenchPress: milliseconds, rows without titles */
    {"pairs of processes and of GPUs without a title, in ms",
     "CPU 0 and CPU 1:\t0.00385\t0.00400\t\nGPU on 0 and GPU on 1:\t0.01600\t0.01700\t\n", .samples = 4,
     .want = {PONG(1, 8, 4e-6), {2, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 1.7e-5, ""}}},
    {"with exponents the unit cannot be told", "CPU 0 and CPU 1:\t3.85e-06\t4.0e-06\t\n",
     .refusal = "a row without the title that says its unit", .refusal_line = 1},
    {"the launcher's host lines: a cyclic placement",
     HOSTS "CPU 0 and CPU 1:\t0.00400\t\nCPU 0 and CPU 2:\t0.00100\t\n", .samples = 2,
     .want = {PONG(4, 4, 4e-6), {5, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 4, 1e-6, ""}}},
    {"ranges of ranks",
     "Host 0 [n9] ranks 0 - 3\nHost 1 [n10] ranks 4 - 7\nCPU 0 and CPU 3:\t0.00100\t\nCPU 3 and CPU 4:\t0.00400\t\n",
     .samples = 2, .want = {{3, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 4, 1e-6, ""}, PONG(4, 4, 4e-6)}},
    {"inj_bw: column i is i + 1 pairs, each sends the whole size",
     "Rank 1, Socket Rank 0, Node Rank 0\nCPU Ping Pong\n1\t0.00129\t0.00250\t\n8\t0.00150\t0.00275\t\nGPU Ping "
     "Pong\n1\t0.00602\t0.00620\t\n"
     "GPU 1PerSocket Ping Pong\n1\t0.00602\t\napp 0: ./time_inj_bw \n",
     .samples = 4, .want = {PONG(3, 4, 1.29e-6), {4, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 2, 1, 32, 2.75e-6, ""}},
     .note = {{5, "how many pairs of GPUs its columns have is not printed (2 tables)"}}},
    {"node_ping_pong does not print the process counts of its columns",
     "CPU Ping Pong\n1\t0.00129\t0.00250\t\napp 0: ./time_node_ping_pong \n",
     .refusal = "the process counts of its columns are not printed (2 times)", .refusal_line = 1},
    {"without a program's name: refused", "CPU Ping Pong\n1\t0.00129\t0.00250\t\n",
     .refusal = "is printed by maxrate (inj_bw) and by node_pong; --kind says which", .refusal_line = 1},
    {"... but for --kind", "CPU Ping Pong\n1\t0.00129\t0.00250\t\n", .said = {.kind = "maxrate"}, .samples = 2,
     .want = {{2, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 2, 1, 4, 2.5e-6, ""}}},
    {"2^i messages share a size; QUEUE posts the receives in reverse",
     "GPU on 0 and GPU on 1:\n1:\t0.00610\t\n4:\t0.00600\t0.00675\t0.00875\t\n\nQUEUE: GPU on 0 and GPU on "
     "1:\n4:\t0.00605\t0.00680\t0.00900\t\n",
     .samples = 7,
     .want = {{3, NS_QUEUE_IN_ORDER, NS_OFF_NODE, NS_DEVICE, 1, 2, 8, 6.75e-6, ""},
              {3, NS_QUEUE_IN_ORDER, NS_OFF_NODE, NS_DEVICE, 1, 4, 4, 8.75e-6, ""},
              {6, NS_QUEUE_REVERSED, NS_OFF_NODE, NS_DEVICE, 1, 4, 4, 9e-6, ""}}},
    {"copies by process and GPU, between GPUs, and by processes that share them (the largest share)",
     "CPU 0 to GPU 1:\t0.01500\t0.01625\t\nGPU 1 to CPU 0:\t0.01250\t0.01375\t\nCPU 0, GPU 0 to GPU "
     "1:\t0.02250\t0.02500\t\n"
     "H2D:\n8:\t1.0e-02\t2.0e-02\t3.0e-02\t-1\t\n",
     .samples = 9,
     .want = {{1, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 1.625e-5, "h2d"},
              {2, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 1.375e-5, "d2h"},
              {3, NS_PEER_COPY, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 2.5e-5, ""},
              {5, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 2, 1, 16, 2e-5, NULL},
              {5, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 3, 1, 12, 3e-5, "h2d"}}},
    {"memcpy_all copies on several GPUs from the second column on",
     "HostToDevice:\n1:\t1.25e-02\t2.3e-01\t3.1e-01\t\nDeviceToHost:\n1:\t1.5e-02\t1.5e-02\t\n", .samples = 2,
     .want = {{2, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 1.25e-5, NULL}},
     .note = {{1, "2 times of processes on several GPUs"}, {3, "1 times of processes on several GPUs"}}},
    {"allreduce, and the staged exchange after it, which is no message",
     "GPU Allreduce:\n1:\t1.5e+00\t\n2:\t1.25e+00\t\n\n3Step:\n1:\t3.5e-02\t-1\t\n3Step Async:\n1:\t3.5e-02\t-1\t\n",
     .samples = 2, .want = {{3, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 0, 1, 8, 1.25e-3, "allreduce"}},
     .note = {{5, "times of a whole staged exchange with its copies, not of one message (2 tables)"}}},
    {"a time below zero condemns its table", "H2D:\n1:\t1.0e-02\t\n2:\t-3.0e-02\t\nD2H:\n1:\t1.0e-02\t\n", .samples = 1,
     .want = {{5, NS_COPY_SAMPLE, NS_OFF_NODE, NS_DEVICE, 1, 1, 4, 1e-5, NULL}},
     .note = {{1, "\"H2D:\" holds negative times"}}},
};

LOG_ROWS("benchpress", rows)
