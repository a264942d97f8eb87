/* test_logs_advance.c -- MPI Advance microbenchmarks: FULL round trips in seconds, bytes, localities in the titles
 *
 * The texts are laid out as the programs' sources print them: no output of them is in the data folder.
 */
#include "support/log_rows.h"

#define OFF "Off-Node Ping-Pong:\n"

static const log_row rows[] = {
    {"half of a full round trip, in four localities",
     "On-NUMA Ping-Pong:\nSize 1: 5.000000e-07\n\nOn-Socket Ping-Pong:\nSize 1: 6.000000e-07\n\n"
     "On-Node, Off-Socket Ping-Pong:\nSize 1: 9.000000e-07\n\n" OFF "Size 1: 3.000000e-06\nSize 2: 3.500000e-06\n\n",
     .samples = 5,
     .want = {{2, NS_PING_PONG, NS_ON_SOCKET, NS_HOST, 1, 1, 1, 2.5e-7, ""},
              {5, NS_PING_PONG, NS_ON_SOCKET, NS_HOST, 1, 1, 1, 3e-7, ""},
              {8, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 1, 4.5e-7, ""},
              PONG(12, 2, 1.75e-6)}},
    {"--round-trip half takes the time as it is", OFF "Size 8: 3.5e-06\n", .said = {.round_trip = "half"}, .samples = 1,
     .want = {PONG(2, 8, 3.5e-6)}},
    {"--locality says otherwise than the title", OFF "Size 8: 3.5e-06\n", .said = {.locality = "on-node"}, .samples = 1,
     .want = {{2, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 1.75e-6, ""}}},
    {"active processes are pairs; one is a ping-pong",
     "Off-Node MultiProc Ping-Pong:\nActive Procs: 1\nSize 1: 3.0e-06\nSize 2: 3.5e-06\n\nActive Procs: 4\nSize 1: "
     "4.0e-06\nSize 2: 5.0e-06\n",
     .samples = 4, .want = {PONG(4, 2, 1.75e-6), {8, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 4, 1, 2, 2.5e-6, ""}}},
    {"Multi and Matching send `Size` messages of a byte, in order and reversed",
     "Off-Node Multi Ping-Pong:\nSize 4: 8.0e-06\nOff-Node Matching Ping-Pong:\nSize 4: 9.0e-06\n", .samples = 2,
     .want = {{2, NS_QUEUE_IN_ORDER, NS_OFF_NODE, NS_HOST, 1, 4, 1, 4e-6, ""},
              {4, NS_QUEUE_REVERSED, NS_OFF_NODE, NS_HOST, 1, 4, 1, 4.5e-6, ""}}},
    {"processes on all sockets: how many those are is not printed",
     "Off-Node MultiProc Ping-Pong, Even Sockets:\nActive Procs: 2\nSize 1: 3.0e-06\n" OFF "Size 1: 3.0e-06\n",
     .samples = 1, .note = {{1, "how many processes a node has is not printed"}}},
    {"... --per-node and --sockets say: 2 on each of 2",
     "Off-Node MultiProc Ping-Pong, Even Sockets:\nActive Procs: 2\nSize 1: 3.0e-06\n",
     .said = {.per_node = 8, .sockets = 2}, .samples = 1,
     .want = {{3, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 4, 1, 1, 1.5e-6, ""}}},
    {"... or --processes, without a word on where ranks are",
     "On-Socket MultiProc Ping-Pong, All Sockets Active:\nActive Procs: 2\nSize 1: 3.0e-06\n",
     .said = {.processes = 8, .sockets = 2}, .samples = 1,
     .want = {{3, NS_NODE_PONG, NS_ON_SOCKET, NS_HOST, 4, 1, 1, 1.5e-6, ""}}},
    {"... or the tables beside it: 8 processes a node, 4 a socket, 2 a NUMA region",
     "On-NUMA MultiProc Ping-Pong:\nActive Procs: 1\nSize 1: 3.0e-06\n"
     "On-Socket MultiProc Ping-Pong:\nActive Procs: 1\nSize 1: 3.0e-06\n\nActive Procs: 2\nSize 1: 3.0e-06\n"
     "Off-Node MultiProc Ping-Pong:\nActive Procs: 8\nSize 1: 3.0e-06\n"
     "On-NUMA MultiProc Ping-Pong, All NUMAs Active:\nActive Procs: 1\nSize 1: 3.0e-06\n"
     "On-Socket MultiProc Ping-Pong, All Sockets Active:\nActive Procs: 2\nSize 1: 3.0e-06\n",
     .samples = 6,
     .want = {{15, NS_NODE_PONG, NS_ON_SOCKET, NS_HOST, 4, 1, 1, 1.5e-6, ""},
              {18, NS_NODE_PONG, NS_ON_SOCKET, NS_HOST, 4, 1, 1, 1.5e-6, ""}}},
    {"... which do not tell when they do not divide the node",
     "On-Socket MultiProc Ping-Pong:\nActive Procs: 3\nSize 1: 3.0e-06\n"
     "Off-Node MultiProc Ping-Pong:\nActive Procs: 8\nSize 1: 3.0e-06\n"
     "On-Socket MultiProc Ping-Pong, All Sockets Active:\nActive Procs: 3\nSize 1: 3.0e-06\n",
     .samples = 2, .note = {{7, "how many processes a node has is not printed"}}},
    {"... or the program: 64 processes a node, 16 a GPU",
     "# Processes per NUMA: 4\n# Processes per socket: 16\n# Processes per node: 64\n# Processes per GPU: 16\n"
     "Running multi-proc GPU-Aware benchmarks\nOff-Node Multiple Processes Per GPU:\nActive Procs: 2\nSize 1: 3.0e-05\n"
     "Off-Node Multiple Processes Per GPU (all GPUs active per node):\nActive Procs: 2\nSize 1: 4.0e-05\n",
     .samples = 2,
     .want = {{8, NS_NODE_PONG, NS_OFF_NODE, NS_DEVICE, 2, 1, 1, 1.5e-5, ""},
              {11, NS_NODE_PONG, NS_OFF_NODE, NS_DEVICE, 8, 1, 1, 2e-5, ""}}},
    {"the heading says which buffers, not the word GPU-Aware in a title",
     "Running standard GPU-Aware benchmarks\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 2.0e-05\n"
     "Running standard inter-CPU benchmarks on host buffers\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 3.0e-06\n"
     "Running standard Copy-to-CPU benchmarks\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 4.0e-05\n",
     .samples = 3,
     .want = {{3, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 1e-5, ""},
              PONG(6, 1, 1.5e-6),
              {9, NS_STAGED, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 2e-5, ""}}},
    {"managed memory, which is neither the host's nor the device's",
     "Running standard GPU-Aware benchmarks\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 2.0e-05\n"
     "Running standard inter-CPU benchmarks on managed memory\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 3.0e-06\n"
     "Running standard GPU Managed benchmarks\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 7.0e-02\n",
     .samples = 1, .want = {{3, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 1e-5, ""}},
     .note = {{5, "of managed memory"}, {8, "of managed memory"}}},
    {"messages of NCCL or RCCL, up to the next program's",
     "CCL Microbenchmarks - 1 Cores per Rank:\n"
     "Inter-GPU Microbenchmarks will be run with the following:\nRunning standard GPU-Aware benchmarks\n"
     "GPU-Aware Off-Node Ping-Pong:\nSize 1: 3.0e-05\n"
     "GPU Microbenchmarks:\nRunning standard GPU-Aware benchmarks\nGPU-Aware Off-Node Ping-Pong:\nSize 1: 2.0e-05\n",
     .samples = 1, .want = {{9, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 1e-5, ""}},
     .note = {{4, "of NCCL or RCCL, not of MPI"}}},
    {"without a heading the title counts", "GPU-Aware Off-Node Ping-Pong:\nSize 1: 2.0e-05\n", .samples = 1,
     .want = {{2, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 1e-5, ""}}},
    {"the newer program's headings; a queue with copies in its times is no queue",
     "Inter-CPU Tests:\n\nOff-Node Ping-Pong:\nSize 1: 3.0e-06\nGPUDirect Tests:\nOff-Node Ping-Pong:\nSize 1: "
     "2.0e-05\n"
     "Copy-To-CPU Tests:\nOff-Node Ping-Pong:\nSize 1: 4.0e-05\nOff-Node Matching Ping-Pong:\nSize 4: 9.0e-05\n",
     .samples = 3,
     .want = {PONG(4, 1, 1.5e-6),
              {7, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 1e-5, ""},
              {10, NS_STAGED, NS_OFF_NODE, NS_DEVICE, 1, 1, 1, 2e-5, ""}},
     .note = {{11, "with copies in its times"}}},
    {"a run that was killed in the middle of a row, and notes of the program",
     "Not measuring GPU-Aware intra-NUMA, because GPNUMA is set to 1\n" OFF
     "Size 1: 3.0e-06\nSize 2: slurmstepd: error: killed\nSize 4: 3.1",
     .samples = 1, .want = {PONG(3, 1, 1.5e-6)}, .note = {{4, "without a whole time"}, {5, "without a whole time"}}},
    {"sizes that fall are another table", OFF "Size 2: 3.0e-06\nSize 1: 2.0e-06\n", .samples = 1,
     .want = {PONG(2, 2, 1.5e-6)}, .note = {{3, "sizes do not rise"}}},
    {"a title without rows", OFF "srun: error\n", .refusal = "a table without rows", .refusal_line = 1},
    {"more processes than there can be",
     "# Processes per NUMA: 1\n# Processes per node: 2147483647\nOff-Node MultiProc Ping-Pong, Even NUMA "
     "Regions:\nActive Procs: 2\nSize 1: 3.0e-06\n",
     .samples = 1, .want = {{5, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 0, 1, 1, 1.5e-6, ""}}},
};

LOG_ROWS("advance", rows)
