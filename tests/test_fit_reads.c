/* test_fit_reads.c -- what nsmodel fit takes from logs: lines, places, what a node has, what it asks of several */
#include "support/cli.h"
#include "support/fit_cases.h"
#include "support/fits.h"
#include "support/test.h"
#include "support/values.h"

#define NETGAUGE(s)  " L=1.5  s=" #s "  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"
#define NETGAUGE_LOG "@netgauge.txt\n" NETGAUGE(1) NETGAUGE(1025) NETGAUGE(2049)
/* So many pairs of windows bring 12 GB/s together. */
#define RATES(pairs)                                                                                                   \
    "# OSU MPI Multiple Bandwidth / Message Rate Test v7.3\n# [ pairs: " #pairs " ] [ window size: 64 ]\n"             \
    "# Size  MB/s  Messages/s\n65536 12000 183105.47\n131072 12000 91552.73\n262144 12000 45776.37\n"                  \
    "524288 12000 22888.18\n1048576 12000 11444.09\n2097152 12000 5722.05\n4194304 12000 2861.02\n"
/* GPU-aware benchmarks by one and by eight processes, of such a node. */
#define PRINTED(node)                                                                                                  \
    "@printed.out\n# Processes per " node "Running standard GPU-Aware benchmarks\nOff-Node MultiProc Ping-Pong:\n"     \
    "Active Procs: 1\nSize 1: 8e-06\nSize 1024: 9e-06\nSize 1048576: 1e-03\n"                                          \
    "Active Procs: 8\nSize 1: 8e-06\nSize 1024: 9e-06\nSize 1048576: 2e-03\n"
#define NODE(processes, sockets, gpus)                                                                                 \
    "machine.topology.host_processes=" #processes, "machine.topology.sockets=" #sockets, "machine.topology.gpus=" #gpus
#define PROCESSES                       "machine.topology.host_processes.source:"
#define MOST_AT_ONCE                    PROCESSES "assumed: the most that were active at once in the logs"
#define HOST                            "--locality off-node --memory host"
#define SRUN                            "$ srun -N2 -n2 osu_latency"
#define FILE(name, factor, from, sizes) "@" name ".csv line " #factor " " #from " " #sizes
#define MEANT(place, us, file)                                                                                         \
    "refused 1 nsmodel: host " place ": 8 B take 1.01 us in TMP/a.csv and " us " us in TMP/" file                      \
    ".csv: which one is meant? Give the logs of one system, and --locality FILE=on-node for one from inside a node\n"
#define WINDOWS(name, rate)                                                                                            \
    "@" name ".log\n# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1 " #rate "e-3\n4 " #rate             \
    "e-3\n16 " #rate "e-2\n64 " #rate "e-1\n256 " #rate "\n1024 " #rate "e1\n"

static const fit_case cases[] = {
    /* ---- lines */
    {"two protocols, and how well they fit", .of = {"@plain.csv plain ping-pong 1"},
     .checks = {"classes.0.protocol:eager", "classes.0.to_B=2048", "classes.0.samples=36",
                "classes.0.alpha_s=1e-6~0.01", "classes.0.beta_s_per_B=1e-9~0.01", "classes.0.pair_spread=0.006~0.02",
                "classes.1.protocol:rendezvous", "classes.1.from_B=4096", "classes.1.samples=24",
                "classes.1.alpha_s=5e-6~0.01", "classes.1.beta_s_per_B=0.1e-9~0.01", "!classes.2", "!warnings.0",
                "!collectives.0"}},
    {"sizes that are given win over found ones", .of = {"--switch 64B,8KiB", "@plain.csv plain ping-pong 1"},
     .checks = {"classes.0.to_B=32", "classes.0.protocol:short", "classes.1.from_B=64", "classes.2.from_B=8192"}},
    {"windows beside ping-pong are apart; LogGP comes of both",
     .of = {"@ping.csv plain ping-pong 1", "@stream.csv plain streaming 0.2"},
     .checks = {"classes.0.alpha_s=1e-6~0.02", "classes.0.in_machine=1", "classes.1.alpha_s=5e-6~0.02",
                "classes.2.kind:streaming", "classes.2.alpha_s=0.2e-6~0.02", "classes.2.in_machine=0",
                "classes.3.alpha_s=1e-6~0.02", "!classes.4", "loggp.derived=1", "loggp.g.value=0.2e-6~0.02",
                "loggp.G.value=0.1e-9~0.02", "loggp.L.value=0.6e-6~0.05",
                "+streaming data is kept apart from ping-pong and is not in the machine"}},
    {"three sizes measured once, on a line to the last digit, have the curve's error",
     .of = {"--switch 4096,32768",
            "@lucky.csv\nbytes,us\n64,1.03\n128,1.06\n256,1.12\n512,1.34\n1024,1.41\n2048,2.12\n"
            "4096,3.705\n8192,4.57\n16384,6.30\n32768,10.1\n65536,13.2\n131072,18.3\n262144,30.9\n"},
     .checks = {"classes.1.alpha_se=0.2e-6~0.9"}},
    {"an alpha held at 0 has the unit of its error",
     .of = {HOST, "@zero.csv\nbytes,seconds\n1024,0.5e-6\n2048,1.9e-6\n4096,3.8e-6\n8192,8.4e-6\n16384,16.1e-6\n"},
     .checks = {"> LINE", ">+0 ns ± "}},
    {"so has one of a line without start-up",
     .of = {"--switch 0",
            "@no-start.csv\nbytes,us\n1024,1\n2048,2\n4096,4.2\n8192,8.6\n16384,17.1\n32768,34.9\n65536,70.3\n"
            "131072,141.8\n"},
     .checks = {"> LINE", ">+  0 ns ± "}},
    {"pairs that share a rate, which falls again with the eighth",
     .of = {"ping-pong 1 1 16 2097152 2 2 0.2", "node-pong 2 1 16 2097152 2 2 0.2", "node-pong 3 1 16 2097152 2 2 0.3",
            "node-pong 4 1 16 2097152 2 2 0.4", "node-pong 5 1 16 2097152 2 2 0.5", "node-pong 6 1 16 2097152 2 2 0.6",
            "node-pong 7 1 16 2097152 2 2 0.7", "node-pong 8 1 16 2097152 2 2 1"},
     .checks = {"injection.host.R_N_B_per_s=10e9~0.06", "injection.host.bound=1", "injection.host.best_pairs=3",
                "injection.host.rate_falls_by=0.2~0.05", "injection_by_pairs.0.memory:host",
                "injection_by_pairs.0.rate_B_per_s=5e9~0.01", "classes.0.beta_s_per_B=0.2e-9~0.02",
                "machine.host.injection.inverse_R_N^0.",
                "+the node's rate falls again: 8 pairs inject 20 % less than"}},
    /* ---- counts beside lines */
    {"messages that take no longer than alone have no gamma",
     .of = {"ping-pong 1 1 1 131072 2 2.385 0.317", "queue-reversed 1 2 64 64 2 1.1925 0.1585",
            "queue-reversed 1 64 64 64 2 1.1925 0.1585"},
     .checks = {"!queue_gamma", "+gamma would be negative"}},
    {"four processes wait for their turn below 16 KiB: the line is of what is longer, the wait beside it",
     .of = {"ping-pong 1 1 8 2048 2 2 1", "copy 1 1 4 524288 2 12.7 0.0196 0 0 0 d2h",
            "copy 1 1 4 524288 2 12.7 0.0196 0 0 0 h2d", "copy 4 1 4 8192 2 300 0 0 0 0 d2h",
            "copy 4 1 4 8192 2 300 0 0 0 0 h2d", "copy 4 1 16384 524288 2 14 0.05 0 0 0 d2h",
            "copy 4 1 16384 524288 2 14 0.05 0 0 0 h2d"},
     .checks = {"copies.0.alpha_s=12.7e-6~1e-3", "copies.1.beta_s_per_B=0.0196e-9~1e-3", "copies.1.from_B=4",
                "copies.2.processes=4", "copies.2.alpha_s=14e-6~1e-3", "copies.3.beta_s_per_B=0.05e-9~1e-3",
                "copies.3.from_B=16384", "!copies.4", "machine.copy.4.h2d.beta^", "machine.copy.4.h2d.wait:300 us",
                "machine.copy.4.d2h.wait_below:16384 B", "!machine.copy.1.d2h.wait",
                "+copies by 4 to 4 processes: those below 16384 B take up to 20 times as long"}},
    {"a device's message of 0 B is the host's: neither fitted nor held against a machine",
     .of = {"@empty.csv\nbytes,us,locality,memory\n0,0.5,off-node,device\n8,6,off-node,device\n16,6,off-node,device\n"},
     .checks = {"> fit --check lassen TMP/empty.csv --json", "classes.0.sizes=2"}},
    /* ---- many pairs at once, another place in one file */
    {"pairs that share a rate, alone, stand for one and for their node", .of = {"node-pong 32 1 1 4194304 4 2 1.6"},
     .checks = {"machine.host.off-node.source^assumed: the time of ", "machine.host.injection.unlimited_pairs=32",
                "!machine.host.injection.inverse_R_N", "machine.host.injection.source^assumed: ",
                "+ pairs at once and none alone: ", "+whether 32 pairs at once fill the node",
                /* 32 processes send 32 messages of 64 KiB out of their node and as many into it, at 20 GB/s: 6.7 ms */
                "> predict --messages alltoall:64KiB --nodes 2 --strategy standard --machine MACHINE --json",
                "cases.0.strategies.0.terms.off_node_s=8.05e-3~0.25"}},
    {"beside one pair they show the node's limit",
     .of = {"ping-pong 1 1 1 4194304 4 2 0.1", "node-pong 32 1 1 4194304 4 2 1.6"},
     .checks = {"machine.host.off-node.source^nsmodel fit", "machine.host.injection.inverse_R_N^0.",
                "!machine.host.injection.unlimited_pairs", "machine.host.injection.source^nsmodel fit",
                "- pairs at once and none alone: ", "-whether 32 pairs at once fill the node"}},
    {"beside four as fast they do not", .of = {"node-pong 4 1 1 4194304 4 2 1.6", "node-pong 32 1 1 4194304 4 2 1.6"},
     .checks = {"machine.host.off-node.source^assumed: the time of ", "machine.host.injection.unlimited_pairs=32",
                "!machine.host.injection.inverse_R_N", "machine.host.injection.source^nsmodel fit",
                "+ pairs at once and none alone: ", "-whether 32 pairs at once fill the node"}},
    {"windows on eight pairs, by themselves: one alone reaches the rate of all",
     .of = {"--locality off-node", "@rate.log\n" RATES(8)},
     .checks = {"machine.host.injection.inverse_R_N^0.0833", "machine.topology.host_processes=8",
                "machine.host.off-node.eager.beta^0.0833"}},
    {"the same where two pairs bring as much", .of = {"--locality off-node", "@rate.log\n" RATES(2) RATES(8)},
     .checks = {"machine.host.injection.inverse_R_N^0.0833", "machine.topology.host_processes=8",
                "machine.host.off-node.eager.beta^0.0833"}},
    {"beside one alone of 11 GB/s", .of = {"--locality off-node", "@rate.log\n" RATES(8), "@off.log osu 1.8 9e-5"},
     .checks = {"machine.host.injection.inverse_R_N^0.0833", "machine.topology.host_processes=8"}},
    {"a second run in one file, of the same place", .of = {"@two.log osu 2 1e-4 " SRUN "|1.66667 8.33333e-5"},
     .checks = {"-is one of them inside a node", "-what is there from line"}},
    {"of another that nobody named", .of = {"@two.log osu 2 1e-4 " SRUN "|0.5 2.5e-5"},
     .checks = {"+is one of them inside a node",
                "+two.log: what is there from line 4 on takes 4.00 times as long as from line 29 on"}},
    {"of one that its command names",
     .of = {"@two.log osu 2 1e-4 " SRUN "|0.5 2.5e-5 $ mpirun -np 2 --map-by ppr:2:node osu_latency"},
     .checks = {"-is one of them inside a node", "-what is there from line"}},
    /* ---- several files: 1 us + 1 ns/B times a factor */
    {"two that differ by less than 15 %", .of = {HOST, FILE("a", 1, 8, 8), FILE("b", 1.14, 8, 8)},
     .checks = {"-files disagree"}},
    {"by more", .of = {HOST, FILE("a", 1, 8, 8), FILE("b", 1.16, 8, 8)},
     .checks = {"+files disagree", "+b.csv takes 1.16 times as long as TMP/a.csv"}},
    {"the other one", .of = {HOST, FILE("a", 1.3, 8, 8), FILE("b", 1, 8, 8)},
     .checks = {"+a.csv takes 1.30 times as long as TMP/b.csv"}},
    {"the first of two slow ones", .of = {HOST, FILE("a", 1, 8, 8), FILE("b", 1.5, 8, 8), FILE("c", 1.5, 8, 8)},
     .checks = {"+b.csv takes 1.50 times as long as TMP/a.csv", "-c.csv takes"}},
    {"the first of two fast ones", .of = {HOST, FILE("a", 1, 8, 8), FILE("b", 1, 8, 8), FILE("c", 1.5, 8, 8)},
     .checks = {"+c.csv takes 1.50 times as long as TMP/a.csv"}},
    {"no size in common", .of = {HOST, FILE("a", 1, 8, 4), FILE("b", 1.5, 256, 4)}, .checks = {"-files disagree"}},
    {"one", .of = {HOST, FILE("a", 1, 8, 8), FILE("b", 2, 64, 1)},
     .checks = {"+b.csv takes 1.33 times as long as TMP/a.csv"}},
    {"of minima nobody says it", .of = {HOST " --statistic min", FILE("a", 1, 8, 8), FILE("b", 1.5, 8, 8)},
     .checks = {"-files disagree"}},
    {"the mean of two systems is of neither: which one is meant is asked",
     .of = {"--memory host -o MACHINE", FILE("a", 1, 8, 8), FILE("b", 12.5, 8, 8)},
     .checks = {MEANT("off-node", "12.6", "b")}},
    {"whether their places were said or not",
     .of = {"--locality on-node --memory host -o MACHINE", FILE("a", 1, 8, 8), FILE("b", 1.5, 8, 8)},
     .checks = {MEANT("on-node", "1.51", "b")}},
    {"of three systems, by the farthest apart",
     .of = {"--memory host -o MACHINE", FILE("a", 1, 8, 8), FILE("b", 2, 8, 8), FILE("c", 4, 8, 8)},
     .checks = {MEANT("off-node", "4.03", "c")}},
    {"at three sizes", .of = {"--memory host -o MACHINE", FILE("a", 1, 8, 8), FILE("b", 2, 8, 3)},
     .checks = {MEANT("off-node", "2.02", "b")}},
    {"two may be noise", .of = {"--memory host", FILE("a", 1, 8, 8), FILE("b", 2, 8, 2)},
     .checks = {"> machines MACHINE"}},
    {"less than half as much more", .of = {"--memory host", FILE("a", 1, 8, 8), FILE("b", 1.49, 8, 8)},
     .checks = {"> machines MACHINE"}},
    {"two of three agree", .of = {"--memory host", FILE("a", 1, 8, 8), FILE("b", 12.5, 8, 8), FILE("c", 1.1, 8, 8)},
     .checks = {"> machines MACHINE"}},
    {"minima are of the faster", .of = {"--memory host --statistic min", FILE("a", 1, 8, 8), FILE("b", 12.5, 8, 8)},
     .checks = {"> machines MACHINE"}},
    {"windows stay apart from ping-pongs: what they contradict is in no machine",
     .of = {HOST, FILE("p", 1, 8, 8), WINDOWS("fast", 100), WINDOWS("slow", 8)},
     .checks = {"+slow.log takes 12.50 times as long as "}},
    {"files are named in the machine", .of = {HOST, FILE("f0", 1, 8, 8), FILE("f1", 1, 8, 8)},
     .checks = {"machine.source:nsmodel fit, csv logs f0.csv, f1.csv"}},
    {"more are counted",
     .of = {HOST, FILE("f0", 1, 8, 8), FILE("f1", 1, 8, 8), FILE("f2", 1, 8, 8), FILE("f3", 1, 8, 8),
            FILE("f4", 1, 8, 8), FILE("f5", 1, 8, 8), FILE("f6", 1, 8, 8), FILE("f7", 1, 8, 8)},
     .checks = {"machine.source:nsmodel fit, csv logs f0.csv, f1.csv, f2.csv, f3.csv, f4.csv, f5.csv and 2 more"}},
    {"one that gave nothing is no source, nor is its tool",
     .of = {HOST " --keep-going", "@a.log\n# OSU MPI Latency Test v7.3\n# Size Latency (us)\n", FILE("b", 1, 8, 8)},
     .checks = {"machine.source:nsmodel fit, csv logs b.csv"}},
    {"what no sample was made of is counted",
     .of = {"--keep-going", "@left-out.csv\nbytes,us\n8,1\n16,1\n32,-1\n64,1\n128,0\n256,1\n512,1\n1024,1\n",
            "@left-out.log\nno table\n"},
     .checks = {"left_out.files=1", "left_out.values=2", "> LINE",
                ">+6 samples from 1 of 2 files; left out: 1 file, 2 values\n"}},
    {"a log that is named twice counts once", .of = {"@plain.csv plain ping-pong 1", "=TMP/plain.csv"},
     .checks = {"classes.0.samples=36", "classes.1.samples=24"}},
    /* ---- what a node has */
    {"a benchmark that prints what a node has is believed",
     .of = {PRINTED("socket: 16\n# Processes per node: 64\n# GPUs per node: 4\n")},
     .checks = {NODE(64, 4, 4), PROCESSES "printed by the benchmark"}},
    {"options win",
     .of = {"--sockets 2 --gpus 1 --processes 32",
            PRINTED("socket: 16\n# Processes per node: 64\n# GPUs per node: 4\n")},
     .checks = {NODE(32, 2, 1), "!machine.topology.host_processes.source"}},
    {"a layout is assumed",
     .of = {"--per-node 8", PRINTED("socket: 16\n# Processes per node: 64\n# GPUs per node: 4\n")},
     .checks = {NODE(64, 4, 4), PROCESSES "assumed: the benchmark's ranks per node"}},
    {"sockets are whole", .of = {PRINTED("socket: 24\n# Processes per node: 64\n")},
     .checks = {NODE(64, 1, 8), PROCESSES "printed by the benchmark"}},
    {"and have processes", .of = {PRINTED("socket: 0\n# Processes per node: 64\n")},
     .checks = {NODE(64, 1, 8), PROCESSES "printed by the benchmark"}},
    {"no node has 513 processes or 600 GPUs",
     .of = {PRINTED("socket: 1\n# Processes per node: 513\n# GPUs per node: 600\n")},
     .checks = {NODE(8, 1, 8), MOST_AT_ONCE}},
    {"none has fewer than were active", .of = {PRINTED("socket: 1\n# Processes per node: 4\n# GPUs per node: 2\n")},
     .checks = {NODE(8, 4, 2), MOST_AT_ONCE}},
    {"two sockets where messages were measured on one and between two",
     .of = {"--locality off.log=off-node --locality on.log=on-node --locality socket.log=on-socket",
            "@off.log osu 1.8 9e-5", "@on.log osu 0.7 1.5e-4", "@socket.log osu 0.3 1e-4"},
     .checks = {"machine.topology.sockets=2", "machine.topology.host_processes=2",
                "> predict --matrix stencil9:120x120 -p 16 --machine MACHINE",
                "+ is taken to have 2 processes a node, the most that were active at once in the logs; --per-node says "
                "otherwise"}},
    {"one socket where they were not",
     .of = {"--locality off.log=off-node --locality on.log=on-node", "@off.log osu 1.8 9e-5", "@on.log osu 0.7 1.5e-4"},
     .checks = {"machine.topology.sockets=1"}},
    {"sockets that place ranks unasked are assumed", .of = {"--per-node 4", "@off.log osu 2 1e-4 " SRUN},
     .checks = {"machine.topology.sockets=1", "machine.topology.sockets.source^assumed: "}},
    {"one rank on a node is a layout", .of = {"--locality off-node --per-node 1", "@off.log osu 1.8 9e-5"},
     .checks = {"machine.topology.host_processes=1", PROCESSES "assumed: the benchmark's ranks per node"}},
    /* ---- LogGP */
    {"its numbers alone stand for a ping-pong, o + L + o and G", .of = {NETGAUGE_LOG},
     .checks = {"machine.host.off-node.eager.alpha:2 us", "machine.host.off-node.eager.beta:0.2 ns/B",
                "> predict --matrix stencil9:120x120 -p 16 --per-node 4 --machine MACHINE"}},
    {"beside ping-pongs off node for nothing",
     .of = {"--locality off.log=off-node --locality on.log=on-node", NETGAUGE_LOG, "@off.log osu 1.8 9e-5",
            "@on.log osu 0.5 5e-5"},
     .checks = {"machine.host.off-node.eager.alpha^1.79"}},
    /* ---- what predict makes of the machine */
    {"the example, off node alone, predicts and says what is needed",
     .of = {"--locality off-node", "=examples/osu_latency.log"},
     .checks = {"> LINE -o TMP/example.json", "+nsmodel: note: of what predictions use, ", "+ --check` says",
                "> predict --matrix stencil9:120x120 -p 16 --per-node 4 --machine MACHINE",
                "+its off-node table stands for it, so node-aware strategies look dearer than they are. Still needed: "
                "mpirun -n "
                "4 "
                "nsmodel-mpi measure -o mine.log --per-node 2 && nsmodel fit mine.log -o mine.json",
                "-cannot differ", "1> eval postal s=4KiB locality=on-node protocol=auto --machine MACHINE",
                "+ has no on-node table for host memory\n",
                "1> eval postal s=4KiB locality=on-node protocol=eager --machine MACHINE",
                "+ has no on-node table for host memory\n"}},
    {"one process a node is asked about, in place of tables of equal times", .of = {"=examples/osu_latency.log"},
     .checks =
         {"1> predict --matrix rajat01 --machine MACHINE",
          "+ has one process a node as far as its logs show, so strategies cannot differ; wanted --per-node N here, or "
          "--processes N of fit, and what `nsmodel machines MACHINE --check` lists as missing or assumed\n",
          ">-case", "1> predict -n 16 --matrix rajat01 --machine MACHINE", "+ has one process a node as far",
          "1> advise -n 16 --matrix rajat01 --machine MACHINE", "+ has one process a node as far",
          "> predict --matrix stencil9:120x120 -p 16 --per-node 4 --machine MACHINE"}},
    {"unless it was said", .of = {"--processes 1", "=examples/osu_latency.log"},
     .checks = {"> predict --matrix stencil9:120x120 -p 16 --machine MACHINE",
                "+note: one part a node, so strategies cannot differ\n"}},
    {"equal times are explained", /* split would use all eight */
     .of = {"--processes 8", "@off.log osu 1.7 9e-5"},
     .checks = {"> predict --matrix stencil9:120x120 -p 16 --per-node 1 --strategy standard,two-step --machine MACHINE",
                "+note: one part a node, so strategies cannot differ", "-taken to have",
                "> predict --matrix rajat01 -p 24 --machine lcc3", "-cannot differ"}},
    {"inside one node alone: an answer there, beyond it the check is named",
     .of = {"--locality on-node", "@inside.log osu 0.7 1.5e-4"},
     .checks = {"> predict --matrix stencil9:120x120 -p 8 --per-node 8 --machine MACHINE",
                "1> predict --matrix stencil9:120x120 -p 16 --per-node 8 --machine MACHINE",
                "+has no off-node table for host memory: it predicts within one node; `nsmodel machines ",
                "+ --check` says which benchmark measures what is missing"}},
    {"whatever prices messages inside a node says when nobody measured them",
     .of = {"--processes 4", "@off.log osu 2 1e-4 " SRUN},
     .checks = {"> predict rajat01 --nodes 2 --per-node 4 --machine MACHINE", "+so node-aware strategies look dearer",
                "+Still needed: mpirun -n ", "+nsmodel-mpi measure -o mine.log --per-node ",
                "> advise rajat01 --nodes 2 --per-node 4 --machine MACHINE", "+so node-aware strategies look dearer",
                "+Still needed: mpirun -n ", "> place rajat01 --nodes 2 --per-node 4 --no-scotch --machine MACHINE",
                "+so placements that keep messages inside nodes look dearer", "+Still needed: mpirun -n ",
                "> sweep --over strategy --machine MACHINE", "+so node-aware strategies look dearer",
                "+Still needed: mpirun -n ", "> place rajat01 --nodes 2 --per-node 4 --no-scotch --machine dane",
                "-nsmodel"}},
    {"beyond one node the host's ways alone are left where the device's were measured inside",
     .of = {"%half.json\n{\"schema\": \"nsmodel/machine/1\", \"name\": \"half\", \"title\": \"t\", \"source\": \"s\",\n"
            "\"topology\": {\"gpus\": 4, \"host_processes\": 8}, \"host\": {\"protocols\": {\"short\": \"0 B\"},"
            "\"off-node\": {\"short\": {\"alpha\": \"2 us\", \"beta\": \"0.1 ns/B\"}}},\n"
            "\"device\": {\"protocols\": {\"short\": \"0 B\"},"
            "\"on-node\": {\"short\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}}},\n"
            "\"copy\": {\"1\": {\"d2h\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}, "
            "\"h2d\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}}}}"},
     .checks =
         {"> predict --matrix stencil9:120x120 -n 8 --format csv --machine TMP/half.json", ">+,host,", ">-,device,",
          "+half has no off-node table for device memory, so ways by the device are left out beyond one node. Still "
          "needed: "
          "mpirun -np 2 --map-by ppr:1:node osu_latency D D",
          "> sensitivity --matrix stencil9:60x60 --gpus 8 --machine TMP/half.json",
          "> predict --matrix stencil9:120x120 -n 4 --format csv --machine TMP/half.json", ">+,device,", "-left out",
          "1> predict --matrix stencil9:120x120 -n 8 --transport device --machine TMP/half.json",
          "+half has no off-node table for device memory"}},
};

TEST_EACH(test_case, sizeof cases / sizeof *cases)
{
    fit_case_holds(&cases[_i], _i);
}

/* The correlation in the file is that of the covariance. */
TEST(test_correlation)
{
    ns_value *root = fits_json("fit %s", fits_log("plain.csv", "ping-pong", 1, 20));
    const ns_value *first = ns_value_get(root, "classes")->first;
    ck_assert(number_at(first, "covariance_s2_per_B") < 0 && number_at(first, "alpha_se") > 0 &&
              number_at(first, "beta_se") > 0);
    ck_assert(number_at(first, "median_rel_error") < 0.01 && number_at(first, "p95_rel_error") < 0.02);
    ck_assert_double_eq_tol(
        number_at(root, "machine.host.off-node.eager.correlation"),
        number_at(first, "covariance_s2_per_B") / number_at(first, "alpha_se") / number_at(first, "beta_se"), 1e-4);
}

/* A node has a process for each of its parts, whatever the machine's file says: split cannot send all with one. */
TEST(parts_have_processes_of_their_own)
{
#define LINE "predict --matrix stencil9:120x120 -p 32 --per-node 8 --machine TMP/fitted.json"
    fits_machine(NULL, 0, "examples/osu_latency.log --locality off-node");
    ns_value *few = cli_json(LINE), *all = cli_json(LINE " --set topology.host_processes=8");
    const ns_value *a = ns_value_get(ns_value_get(few, "cases")->first, "strategies")->first,
                   *b = ns_value_get(ns_value_get(all, "cases")->first, "strategies")->first;
    int splits = 0;
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        splits += strncmp(ns_value_get(a, "strategy")->text, "split", 5) == 0;
        ck_assert_str_eq(ns_value_get(a, "strategy")->text, ns_value_get(b, "strategy")->text);
        ck_assert_double_eq(number_at(a, "estimate_s"), number_at(b, "estimate_s"));
    }
    ck_assert(a == NULL && b == NULL && splits >= 2);
}

/* netgauge's columns: L of all, o of the smallest, g of the first protocol, G of the last; nan and negative values are
 * none. */
TEST(columns_of_netgauge)
{
    char text[4000];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
                                   "1 10 2.2 4 23 1.122 0.14 0.16 -nan -nan -nan\n");
    for (int i = 1; i <= 30; i++) {
        const int size = 1024 * i + 1;
        const bool large = i > 12;
        const double trip = large ? 12 + 0.00008 * size : 2.2 + 0.0008 * size;
        used += (size_t)snprintf(text + used, sizeof text - used, "%d 10 %.6f 40 230 1.122 %.6f %.6f %.6f %.6f 0.1\n",
                                 size, trip, 0.2 * i, 0.2 * i, large ? -3.0 : 0.31, large ? 0.00004 : 0.0004);
    }
    ns_value *root = fits_json("fit %s " HOST, cli_file("netgauge.out", text));
    ck_assert(!ns_value_at(root, "loggp.derived")->truth);
    NEAR(number_at(root, "loggp.L.value"), 1.122e-6, 1e-9);
    ck_assert_int_eq(ns_value_at(root, "loggp.L.se")->kind, NS_NULL); /* measured once: no error is known, not none */
    NEAR(number_at(root, "loggp.o.value"), 0.15e-6, 1e-9);
    NEAR(number_at(root, "loggp.g.value"), 0.31e-6, 1e-9);
    NEAR(number_at(root, "loggp.G.value"), 0.04e-9, 1e-9);
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.models.loggp.L"));
}
