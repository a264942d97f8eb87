/* test_sharp.c -- Table 1 of [SH], both readings of UD against RC, channels, trees, what the switch cannot do */
#include "../support/model_rows.h"

#define SW      "sharp-switchib2"
#define ALL     "hosts=128 processes=28 "
#define X(s)    (2 * (0.3e-6 + 0.56e-9 * (s)))   /* the step between the sockets, there and back */
#define Y(s)    (8 * (0.055e-6 + 0.1e-9 * (s)))  /* 14 processes of a socket */
#define ONE(s1) (2.31e-6 + 24 * 0.175e-9 * (s1)) /* k = 16, 8 */
#define TWO(s1) (2.31e-6 + 40 * 0.175e-9 * (s1)) /* k = 32, 8 */
static const model_row rows[] = {
    {SW, "hosts=65536 s=8B radix=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", "depth", 16, 0, "as many levels as there may be"},
    {SW, "hosts=2 s=8B radix=2,1", "depth", 2, 0, "a node of one child only passes on"},
    {SW, "hosts=60 s=8B leaf_hosts=3 ports=7 c=1ns/B", "children", 8e-9 * (3 + 3 + 7), NEAR,
     "3 of 7 ports down: 20 leaf switches below 7 others below one"},
    {SW, "hosts=128 s=4B", "time", 2.39e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=8B", "time", 2.39e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=16B", "time", 2.41e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=32B", "time", 2.47e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=64B", "time", 2.55e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=128B", "time", 2.76e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=256B", "time", 3.52e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=512B", "time", 4.10e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=1024B", "time", 5.19e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=2048B", "time", 7.55e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=128 s=4096B", "time", 12.34e-6, 0.05, "[SH] Table 1"},
    {SW, "hosts=127 s=4096B", "time", 12.34e-6, 0.05, "[SH] Table 1, the caption's 127 nodes"},
    {SW, "hosts=8 s=8B", "time", 2.21e-6, 0.01, "[SH] Table 2, eight processes in one node of the tree"},
    {SW, "hosts=8 s=2048B", "time", 5.495e-6, 0.01, "[SH] Table 2, eight outstanding operations"},
    /* RC against UD, both readings */
    {SW, "hosts=128 s=8B", "rc_over_ud", 0.16, 0.01, "[SH] 3.1, read as T_RC/T_UD - 1"},
    {SW, "hosts=128 s=4096B", "rc_over_ud", 0.58, 0.01, "[SH] 3.1, read as T_RC/T_UD - 1"},
    {SW, "hosts=128 s=8B reading=saving", "ud_saves", 0.16, 0.01, "[SH] 3.1, read as 1 - T_UD/T_RC"},
    {SW, "hosts=128 s=4096B reading=saving", "ud_saves", 0.58, 0.01, "[SH] 3.1, read as 1 - T_UD/T_RC"},
    {SW, "hosts=128 s=8B distribution=rc", "copies", 22 * 17e-9, 1e-13, "r1 (15 + 7)"},
    {SW, "hosts=128 s=512B distribution=rc reading=saving", "copies", 22 * 20.3e-9 + 16 * 68.2e-9, 1e-13, "and r2 16"},
    {SW, "hosts=128 s=256B", "loss", 1 - (1 - 2.62144e-10), 1e-6, "2048 bits over 128 links at 1e-15: 3e-10"},
    {SW, "hosts=128 s=256B ber=1e-15", NULL, 0, 0, "ber"},
    {SW, "hosts=128 s=256B ber=1e-5/bit", "lost", 22 * 17e-9 * (1 - 0.0727), 0.001, "1 - exp(-2.62144)"},
    {SW, "hosts=128 s=256B distribution=rc", "loss", 0, 0, "RC delivers"},
    {SW, "hosts=128 s=8B", "rate", 97.5e6, 1e-13, "195 messages per us and port, two an operation"},
    {SW, "hosts=128 s=8B distribution=ud", "rate", 195e6, 1e-13, "one an operation"},
    {SW, "hosts=128 s=8B", "line_over_ud", 22 * 17e-9 / ONE(8), NEAR, "one copy each: r1"},
    {SW, "hosts=128 s=512B", "line_over_ud", (22 * 17e-9 + 16 * 282 / 12.5e9) / (ONE(256) + 0.258e-6 + 4096 / 12.5e9),
     NEAR, "a further copy of 256 B and 26 B at 100 Gbit/s"},
    {SW, "hosts=128 s=4096B", "line_over_ud", 0.58, 0.19, "[SH] 3.1: the line alone explains 0.48"},
    {SW, "hosts=128 s=512B header=500B", "line_over_ud",
     (22 * 17e-9 + 16 * 756 / 12.5e9) / (ONE(256) + 0.258e-6 + 4096 / 12.5e9), NEAR, "longer headers, longer copies"},
    {SW, "hosts=1 s=0B T00=0us t_lvl=0us", "line_over_ud", 0, 0, "nothing over nothing"},
    /* channels */
    {SW, ALL "s=8B", "time", ONE(8) + X(8) + Y(8), 1e-8, "by hand; a lost packet adds 1e-9 of it"},
    {SW, ALL "s=8B channels=2", "time", TWO(8) + Y(8), 1e-8, "the leaf's radix doubles, the step between sockets goes"},
    {SW, ALL "s=8B channels=2", "on_node", Y(8), 1e-13, "14 processes: four levels there and back"},
    {SW, ALL "s=1024B channels=2", "time", TWO(256) + 3 * (0.258e-6 + 32 * 256 / 12.5e9) + Y(1024), 1e-8, "by hand"},
    {SW, ALL "s=8B channels=3", NULL, 0, 0, "3 channels: a node has 2 sockets"},
    {SW, "hosts=128 s=8B channels=2", NULL, 0, 0, "2 channels: a node has 2 sockets and 1 processes"},
    /* trees */
    {SW, "hosts=128 s=8B", "depth", 2, 0, "8 leaves of 16 hosts below one switch"},
    {SW, "hosts=16 s=8B", "depth", 1, 0, "one leaf"},
    {SW, "hosts=17 s=8B", "depth", 2, 0, "two leaves"},
    {SW, "hosts=576 s=8B", "depth", 2, 0, "36 leaves fill one switch"},
    {SW, "hosts=577 s=8B", "depth", 3, 0, "37 do not"},
    {SW, "hosts=1 s=8B", "depth", 1, 0, "one host"},
    {SW, "hosts=128 s=8B radix=16,8", "time", ONE(8), 1e-9, "the same tree, given; a lost packet adds 3e-18 s"},
    {SW, "hosts=128 s=8B radix=128", "levels", 0.1e-6, 1e-13, "one level"},
    {SW, "hosts=128 s=8B radix=16,7", NULL, 0, 0, "the tree holds 112 hosts, 128 take part"},
    {SW, "hosts=128 s=8B radix=0.5,512", NULL, 0, 0, "cannot have 0.5 children"},
    {SW, "hosts=128 s=8B radix_most=15", NULL, 0, 0, "would have 16 children, at most 15"},
    {SW, "hosts=128 s=8B leaf_hosts=40", NULL, 0, 0, "a switch of 36 ports cannot have 40 hosts"},
    {SW, "hosts=1e9 s=8B ports=2 leaf_hosts=2", NULL, 0, 0, "need more than 16 levels"},
    {SW, "hosts=12.5 s=8B", NULL, 0, 0, "hosts wants a whole number"},
    {SW, "hosts=0 s=8B", NULL, 0, 0, "hosts has to be more than 0"},
    /* what the switch cannot do */
    {SW, "hosts=128 s=8B operation=product", "in_switch", 0, 0, "[SH] 2.1: all but the product"},
    {SW, "hosts=128 s=8B operation=product type=int64", "in_switch", 0, 0, "[SH] 2.1: all but the product"},
    {SW, "hosts=128 s=8B operation=product", "time", 7 * (0.75e-6 + 8 * 1.128e-9), 1e-13, "recursive doubling"},
    {SW, "hosts=128 s=8B operation=minloc", "in_switch", 1, 0, "[SH] 2.1"},
    {SW, "hosts=128 s=8B operation=xor type=int64", "in_switch", 1, 0, "[SH] 2.1"},
    {SW, "hosts=128 s=8B operation=xor type=float64", "in_switch", 0, 0, "no bits of floating point in MPI"},
    {SW, "hosts=128 s=8B type=other", "in_switch", 0, 0, "32 and 64 bit only"},
    {SW, "hosts=128 s=8B operation=average", NULL, 0, 0, "no choice \"average\""},
    {SW, "hosts=128 s=0B", "time", 2.31e-6, 1e-13, "an aggregation without data"},
    {SW, "hosts=128 s=8B segment=0B", NULL, 0, 0, "segment has to be more than 0"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"sharp-switchib2", "hosts=128 s=8B channels=65 sockets=100 processes=100", NULL, 0, 0, "channels has to be"},
    {"sharp-switchib2", "hosts=128 s=8B operation=and", "in_switch", 0, 0, "no bits of floating point in MPI"},
    {"sharp-switchib2", "T00=0us t_lvl=0us hosts=1 s=0B", "rc_over_ud", 0, 0, "nothing over nothing"},
    {"sharp-switchib2", "T00=0us t_lvl=0us hosts=1 s=0B", "ud_saves", 0, 0, "the same"},
    /* By hand, each from its term. base: T00; levels: d t_lvl; children: c s1 sum k; pipeline: (n - 1) g; copies:
     * r1 sum (k - 1) + (n - 1) r2 k_1, RC alone; lost: as likely as a loss; on_node: trees over the sockets; host:
     * not asked; in_switch: it can; depth: levels; segments: ceil(s/256); loss: 1 - (1 - ber)^(bits x links);
     * rc_over_ud: extra over T_UD; ud_saves: extra over T_RC; rate: messages of a port; time: the sum. */
    {"sharp-switchib2",
     "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s r1=10ns r2=30ns r1_saving=11ns r2_saving=33ns "
     "hosts=12 radix=4,3 s=500B processes=12 sockets=3 channels=2 distribution=both reading=ratio ber=1e-7/bit",
     "base=2e-06 levels=6e-07 children=4.400000000000001e-07 pipeline=1.32e-06 copies=0 lost=5.445818248586875e-09 "
     "on_node=1.5800000000000001e-06 host=0 in_switch=1 depth=2 segments=3 loss=0.00955406710278399 "
     "rc_over_ud=0.13073394495412846 ud_saves=0.11561866125760649 rate=32500000 time=5.945445818248587e-06",
     0, 1e-12, "by hand"},
    {"sharp-switchib2",
     "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s r1=10ns r2=30ns r1_saving=11ns r2_saving=33ns "
     "hosts=12 radix=4,3 s=500B processes=12 sockets=3 channels=1 distribution=rc reading=saving ber=1e-7/bit",
     "base=2e-06 levels=6e-07 children=2.8000000000000007e-07 pipeline=1.16e-06 copies=3.1900000000000004e-07 lost=0 "
     "on_node=2.74e-06 host=0 in_switch=1 depth=2 segments=3 loss=0 rc_over_ud=0.07896039603960398 "
     "ud_saves=0.07318192245927967 rate=65000000 time=7.098999999999999e-06",
     0, 1e-12, "by hand"},
    {"sharp-switchib2",
     "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s r1=10ns r2=30ns r1_saving=11ns r2_saving=33ns "
     "hosts=12 radix=4,3 s=150B processes=12 sockets=3 channels=2 distribution=ud reading=ratio ber=1e-7/bit",
     "base=2e-06 levels=6e-07 children=3.3e-07 pipeline=0 copies=0 lost=0 on_node=1.048e-06 host=0 in_switch=1 depth=2 "
     "segments=1 loss=0.0028758567784471054 rc_over_ud=0.030716723549488054 ud_saves=0.029801324503311258 "
     "rate=195000000 time=3.978e-06",
     0, 1e-12, "by hand"},
    {"sharp-switchib2",
     "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s r1=10ns r2=30ns r1_saving=11ns r2_saving=33ns "
     "hosts=12 radix=4,3 s=900B processes=12 sockets=3 channels=2 distribution=rc reading=ratio ber=1e-7/bit",
     "base=2e-06 levels=6e-07 children=4.400000000000001e-07 pipeline=2.64e-06 copies=1.0500000000000001e-06 lost=0 "
     "on_node=2.1880000000000005e-06 host=0 in_switch=1 depth=2 segments=5 loss=0 rc_over_ud=0.1848591549295775 "
     "ud_saves=0.1560178306092125 rate=39000000 time=8.918e-06",
     0, 1e-12, "by hand"},
};

MODEL_ROWS("sharp", rows)
