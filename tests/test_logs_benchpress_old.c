/* test_logs_benchpress_old.c -- the programs before BenchPress: milliseconds, rows without titles */
#include "support/log_rows.h"

#define HOSTS "Host 0 [n9] ranks 0, 2, 4\nHost 1 [n10] ranks 1, 3, 5\n\n"

static const log_row rows[] = {
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
    {"... but for --kind",
     "CPU Ping Pong\n1\t0.00129\t0.00250\t\n",
     {.kind = "maxrate"},
     .samples = 2,
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
