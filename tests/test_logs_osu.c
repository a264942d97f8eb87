/* test_logs_osu.c -- OSU 5.x, 6.x, 7.x: what each table becomes, and the text around tables */
#include "support/log_rows.h"

#define LATENCY "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"
#define CUDA    "# OSU MPI-CUDA Latency Test v7.5\n"
#define DEVICE  "# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)\n"

static const log_row rows[] = {
    {"latency is half a round trip, in us; size 0 counts",
     LATENCY "0                       2.38\n1                       2.41\n8                       2.75\n", .samples = 3,
     .want = {PONG(3, 0, 2.38e-6), PONG(5, 8, 2.75e-6)}},
    {"--round-trip full halves it", LATENCY "8 2.75\n16 3.5\n", .said = {.round_trip = "full"}, .samples = 2,
     .want = {PONG(3, 8, 1.375e-6)}},
    {"bandwidth in MB/s of 1e6 B: 4096 B at 2048 MB/s are 2 us; never a ping-pong",
     "# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1 0.5\n4096                 2048.00\n", .samples = 2,
     .want = {{3, NS_STREAMING, NS_OFF_NODE, NS_HOST, 1, 1, 1, 2e-6, ""},
              {4, NS_STREAMING, NS_OFF_NODE, NS_HOST, 1, 1, 4096, 2e-6, ""}}},
    {"bibw counts both directions: 4096 B each way at 2048 MB/s take 4 us",
     "# OSU MPI Bi-Directional Bandwidth Test v7.5\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n4096 "
     "2048.00\n",
     .samples = 1, .want = {{4, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 1, 4096, 4e-6, ""}}},
    {"mbw_mr: a window of 64 on each of 4 pairs at 1 600 000 messages/s takes 160 us, whatever MB/s says",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.2\n# [ pairs: 4 ] [ window size: 64 ]\n"
     "# Size                  MB/s        Messages/s\n8                      12.75        1600000.00\n",
     .samples = 1, .want = {{4, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 4, 64, 8, 160e-6, ""}}},
    {"mbw_mr with MB/s alone: 64 x 4 x 8 B at 12.8 MB/s are the same 160 us",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v5.3\n# [ pairs: 4 ] [ window size: 64 ]\n"
     "# Size                  MB/s\n8                      12.8\n",
     .samples = 1, .want = {{4, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 4, 64, 8, 160e-6, ""}}},
    {"mbw_mr over eight nodes: 16 pairs are 4 of each sending node, and take as long",
     "Number of nodes: 8\n# OSU MPI Multiple Bandwidth / Message Rate Test v7.1\n# [ pairs: 16 ] [ window size: 64 ]\n"
     "# Size                  MB/s        Messages/s\n8                      51.2        6400000.00\n",
     .samples = 1, .want = {{5, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 4, 64, 8, 160e-6, ""}}},
    {"... the command line says how many nodes",
     "srun -N4 --ntasks-per-node=8 ./osu_mbw_mr\n# OSU MPI Multiple Bandwidth / Message Rate Test v7.1\n"
     "# [ pairs: 16 ] [ window size: 64 ]\n# Size  MB/s  Messages/s\n8  51.2  6400000.00\n",
     .samples = 1, .want = {{5, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 8, 64, 8, 160e-6, ""}}},
    {"... or --per-node, of which more pairs are those of several nodes",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v7.1\n# [ pairs: 16 ] [ window size: 64 ]\n"
     "# Size  MB/s  Messages/s\n8  51.2  6400000.00\n",
     .said = {.per_node = 4}, .samples = 1, .want = {{4, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 4, 64, 8, 160e-6, ""}}},
    {"mbw_mr without its line of pairs says nothing",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v5.3\n# Size                  MB/s\n8                      "
     "12.8\n",
     .refusal = "without the line of their pairs", .refusal_line = 2},
    {"labels of srun --label and of mpirun --tag-output",
     "0: # OSU MPI Multiple Bandwidth / Message Rate Test v5.3\n0: # [ pairs: 2 ] [ window size: 8 ]\n"
     "0: # Size MB/s Messages/s\n0: 4 8.0 2000000.0\n[1,0]<stdout>:8 16.0 1000000.0\n",
     .samples = 2,
     .want = {{4, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 2, 8, 4, 8e-6, ""},
              {5, NS_MESSAGE_RATE, NS_OFF_NODE, NS_HOST, 2, 8, 8, 16e-6, ""}}},
    {"multi_lat: pairs from the command line",
     "srun -N2 --ntasks-per-node=8 ./pt2pt/osu_multi_lat\n# OSU MPI Multi Latency Test v7.1\n"
     "# Size          Latency (us)\n8 3.25\n",
     .samples = 1, .want = {{4, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 8, 1, 8, 3.25e-6, ""}}},
    {"collectives go by name, with the processes that the job names",
     "This is a test with 144 processes\n# OSU MPI Allreduce Latency Test v5.8\n# Size       Avg Latency(us)\n"
     "4                      20.25\n8 20.5\n"
     "# OSU MPI All-to-All Personalized Exchange Latency Test v5.8\n# Size       Avg Latency(us)\n1 7.5\n"
     "# OSU MPI Non-blocking Allgather Latency Test v5.8\n"
     "# Size          Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n1 90.0 40.0 50.0 80.0\n",
     .samples = 4,
     .want = {{4, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 144, 1, 4, 20.25e-6, "allreduce"},
              {8, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 144, 1, 1, 7.5e-6, "alltoall"},
              {11, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 144, 1, 1, 50e-6, "iallgather"}}},
    {"barriers have no size",
     "# OSU MPI Barrier Latency Test v5.3.2\n# Avg Latency(us)\n             3.75\n"
     "# OSU MPI Non-blocking Barrier Latency Test v5.3.2\n"
     "           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n"
     "           8.0                4.0               4.25               6.0\n",
     .samples = 2,
     .want = {{3, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 0, 1, 0, 3.75e-6, "barrier"},
              {6, NS_COLLECTIVE, NS_OFF_NODE, NS_HOST, 0, 1, 0, 4.25e-6, "ibarrier"}}},
    {"one-sided tests are kept apart",
     "# OSU MPI_Put Latency Test v5.3.2\n# Window creation: MPI_Win_allocate\n# Size          Latency (us)\n8 1.5\n"
     "# OSU MPI_Get Bandwidth Test v5.3.2\n# Size      Bandwidth (MB/s)\n8 4.0\n",
     .samples = 2,
     .want = {{4, NS_ONE_SIDED, NS_OFF_NODE, NS_HOST, 1, 1, 8, 1.5e-6, "put"},
              {7, NS_ONE_SIDED, NS_OFF_NODE, NS_HOST, 1, 1, 8, 2e-6, "get bandwidth"}}},
    {"7.x validates: what failed is left out",
     "# OSU MPI Latency Test v7.5\n# Size          Latency (us)          Validation\n"
     "1 2.25 Pass\n2 2.5 Fail\n4 2.75 Pass\n",
     .samples = 2, .want = {PONG(3, 1, 2.25e-6), PONG(5, 4, 2.75e-6)}, .note = {{4, "validation failed"}}},
    {"device buffers by the line that says so", CUDA DEVICE "# Size          Latency (us)\n8 18.5\n16 18.75\n",
     .samples = 2, .want = {{4, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 18.5e-6, ""}}},
    {"managed buffers are on the device",
     CUDA
     "# Send Buffer on MANAGED (M) and Receive Buffer on MANAGED (M)\n# Size          Latency (us)\n8 18.5\n16 19.0\n",
     .samples = 2, .want = {{4, NS_PING_PONG, NS_OFF_NODE, NS_DEVICE, 1, 1, 8, 18.5e-6, ""}}},
    {"host buffers of a CUDA build",
     CUDA "# Send Buffer on HOST (H) and Receive Buffer on HOST (H)\n# Size          Latency (us)\n8 1.5\n16 1.75\n",
     .samples = 2, .want = {PONG(4, 8, 1.5e-6)}},
    {"a CUDA build alone does not say where the buffers are", CUDA "# Size          Latency (us)\n8 1.5\n16 1.75\n",
     .samples = 2, .want = {PONG(3, 8, 1.5e-6)}, .note = {{0, "states no memory for 2 of 2"}}},
    {"D D on the command line does, and one node with two tasks is on-node",
     "$ srun -N1 -n2 --mpi=pmix ./pt2pt/osu_latency --validation D D\n" CUDA
     "# Size          Latency (us)\n8 2.5\n16 2.75\n",
     .samples = 2, .want = {{4, NS_PING_PONG, NS_ON_NODE, NS_DEVICE, 1, 1, 8, 2.5e-6, ""}}},
    {"-d cuda of a collective",
     "srun -N2 --ntasks-per-node=4 ./collective/osu_alltoall -d cuda\n"
     "# OSU MPI-CUDA All-to-All Personalized Exchange Latency Test v7.5\n# Size       Avg Latency(us)\n8 30.5\n",
     .samples = 1, .want = {{4, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 8, 1, 8, 30.5e-6, "alltoall"}}},
    {"one buffer on the host and one on the device is neither",
     CUDA "# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n# Size          Latency (us)\n8 9.5\n16 "
          "9.75\n" LATENCY "8 1.5\n16 1.75\n",
     .samples = 2, .want = {PONG(8, 8, 1.5e-6)},
     .note = {{3, "one buffer on the host and the other on the device (2 rows)"}}},
    {"several tables in one file, with another job between them",
     "srun -N2 -n2 ./osu_latency\n" LATENCY "8 2.25\n16 2.5\nslurmstepd: error: *** STEP 1.0 ON n1 CANCELLED ***\n"
     "srun -N1 -n2 ./osu_latency\n" LATENCY "8 0.25\n16 0.5\n",
     .samples = 4, .want = {PONG(4, 8, 2.25e-6), {10, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 0.25e-6, ""}}},
    {"mpirun: -N is tasks a node, not nodes", "mpirun -np 2 -N 1 ./osu_latency\n" LATENCY "8 2.25\n16 2.5\n",
     .samples = 2, .want = {PONG(4, 8, 2.25e-6)}},
    {"mpirun with both tasks on a node", "mpirun -np 2 --map-by ppr:2:node ./osu_latency\n" LATENCY "8 0.25\n16 0.5\n",
     .samples = 2, .want = {{4, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 0.25e-6, ""}}},
    {"Intel's -ppn", "mpiexec.hydra -n 2 -ppn 1 ./osu_latency\n" LATENCY "8 2.25\n16 2.5\n", .samples = 2,
     .want = {PONG(4, 8, 2.25e-6)}},
    {"words count, in any case", "Intra-Node test:\n" LATENCY "8 0.25\n16 0.5\n", .samples = 2,
     .want = {{4, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 0.25e-6, ""}}},
    {"words inside a path do not", "/scratch/intra-node/run.sh\n" LATENCY "8 2.25\n16 2.5\n", .samples = 2,
     .want = {PONG(4, 8, 2.25e-6)}, .note = {{0, "states no locality for 2 of 2"}}},
    {"a script that names both nodes",
     "Point-to-point experiments for nodes n07 n08\n" LATENCY "8 2.25\n"
     "Point-to-point experiments for nodes n07 n07\n" LATENCY "8 0.25\n",
     .samples = 2, .want = {PONG(4, 8, 2.25e-6), {8, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 0.25e-6, ""}},
     .note = {{3, "single size"}, {7, "single size"}}},
    {"JSON of the scheduler after the table: two tasks on two nodes",
     LATENCY "8 2.25\n16 2.5\nSTART OF JOBSPEC\n{\"resources\": [{\"count\": 2}], \"tasks\": []}\nSTART OF EVENTLOG\n"
             "{\"context\":{\"taskmap\":{\"version\":1,\"map\":[[0,2,1,1]]}}}\n",
     .samples = 2, .want = {PONG(3, 8, 2.25e-6)}},
    {"... on one node", LATENCY "8 0.25\n16 0.5\n{\"context\":{\"taskmap\":{\"version\":1,\"map\":[[0,1,2,1]]}}}\n",
     .samples = 2, .want = {{3, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 8, 0.25e-6, ""}}},
    {"counters after a table are no rows of it",
     LATENCY "8 2.25\n16 2.5\n\nCassini Network Interface\n0 17 blocked 3\n4 1 2 3 packets\n12:30:01 done\n",
     .samples = 2, .want = {PONG(4, 16, 2.5e-6)}},
    {"rows whose size does not rise are counted", LATENCY "8 2.25\n16 2.5\n8 9.5\n16 9.75\n", .samples = 2,
     .want = {PONG(4, 16, 2.5e-6)}, .note = {{5, "2 rows whose size does not rise"}}},
    {"columns in another unit are no guess", "# OSU MPI Latency Test v5.8\n# Size          Latency (ms)\n8 0.00225\n",
     .refusal = "wanted us or MB/s", .refusal_line = 2},
};

LOG_ROWS("osu", rows)
