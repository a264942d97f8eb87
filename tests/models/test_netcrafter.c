/* test_netcrafter.c -- all three mechanisms: the paper's identities, the bandwidths of Figure 22, flit sizes of Figure
 * 21 */
#include "../support/model_rows.h"

/* Every tail stitched, half of the reads trimmed: (6.9 - 1.5 - 1)/6.9 of the flits are left. */
#define BEST      "load=0.9 matching=best trimmed=0.5 "
#define LEFT      (1 - (1.5 + 1) * 0.87 / 6)
#define PHI       (8.0 / 21)
#define WALK_LEFT ((60 + 0.81225 / 2 / (1 - 0.95 * 0.13)) / (60 + 9.5))
static const model_row rows[] = {
    {"netcrafter", "matching=none load=0.9", "speedup", 1, 0, "nothing is stitched or trimmed: the plain link"},
    {"netcrafter", "matching=none load=0.9", "stitched", 0, 0, "the same"},
    {"netcrafter", "load=0.9", "flits", 6 / 0.87, 1e-14, "six flits of a read and 13 % page-table flits"},
    {"netcrafter", BEST, "flits_left", LEFT, 1e-14, "0.638"},
    {"netcrafter", BEST, "after_trim", 1 - 1.5 * 0.87 / 6, 1e-14, "half of the reads lose three flits"},
    {"netcrafter", BEST "reads=0.01", "after_trim", 1 - 1.5 * 0.87 / 6, 1e-14, "however few reads there are"},
    {"netcrafter", BEST, "phi", PHI, 1e-14, "(1 - 1/1.5)/(1 - 1/8)"},
    {"netcrafter", BEST, "speedup", 1.16, 0.001, "[NC] Section 5.2: 16 % on average"},
    {"netcrafter", "load=0.01 matching=best trimmed=0.5", "speedup", 1 / (1 - 0.01 * (1 - LEFT)), 1e-14,
     "a link that is busy for 1 % of the time bounds at most 1 % of it"},
    {"netcrafter", "load=0.01 matching=best trimmed=0.5", "phi", 0.01, 1e-14, "the same"},
    {"netcrafter", BEST "bound=0.25", "phi", 0.25, 0, "given"},
    {"netcrafter", "load=0.2 bound=0.25", NULL, 0, 0, "busy for 0.2 of the time cannot bound 0.25"},
    {"netcrafter", "load=0.9 read_req=29 pt_req=13 matching=best trimmed=0.5", "flits_left", LEFT, 1e-14,
     "packets counted: 29 reads and 13 walks are 13 % page-table flits"},
    {"netcrafter", "load=0.9 read_req=2 write_req=3 pt_req=1", "flits", 2 * 6 + 3 * 6 + 2, 1e-14, "counted by hand"},
    {"netcrafter", BEST "measured=1.16", "implied_left", 0.64, 0.005, "1.16 against 1.5: 36 % fewer flits"},
    {"netcrafter", BEST "measured=1.64", "least_phi", 0.39, 0.001, "the best case needs phi >= 0.39"},
    {"netcrafter", BEST "measured=1.64", "implied_left", 0, 0, "no flits left explain it at the mean's phi"},
    {"netcrafter", BEST "bandwidth=32GB/s", "speedup", 1.093, 0.001, "[NC] Figure 22: gains shrink"},
    {"netcrafter", BEST "bandwidth=64GB/s", "speedup", 1.051, 0.001, "[NC] Figure 22"},
    {"netcrafter", BEST "bandwidth=64GB/s inner=256GB/s", "speedup", 1.051, 0.001,
     "[NC] Figure 22: phi_in is 0 unless given"},
    {"netcrafter", BEST "bandwidth=32GB/s inner=32GB/s phi_in=0.1", "speedup",
     (1 - PHI / 2 + 0.3) / (1 - PHI / 2 + 0.3 - PHI / 2 * (1 - LEFT)), 1e-13, "homogeneous 32 GB/s: never below 1"},
    {"netcrafter", "load=0.9 matching=best", "flits_left", 1 - 0.145, 1e-14, "stitching alone"},
    {"netcrafter", "load=0.9 matching=best flit=8B", "flits_left", 1, 0,
     "8 B: a read's tails find no whole packet that fits"},
    {"netcrafter", "load=0.9 matching=best flit=8B reads=1 writes=1", "stitched", 1 / (3 + 12 * 0.13 / 0.87), 1e-14,
     "8 B: a write response for tails of a read, a write and its walks; [NC] Figure 21: less, still some"},
    {"netcrafter", "load=0.95", "wait_fifo", 9.5e-9, 1e-13, "M/D/1"},
    {"netcrafter", "load=0.95 matching=best window=0", "wait_data",
     0.81225e-9 / 2 / ((1 - 0.95 * 0.13) * (1 - 0.81225)), 1e-13,
     "rho = 0.95 x 0.855: rho/2/((1 - 0.95 x 0.13)(1 - rho)) flit times"},
    {"netcrafter", "load=0.95 walk_time=0.2", "speedup_bytes", 1.055, 0.01, "fewer flits alone"},
    {"netcrafter", "load=0.95 walk_time=0.2 accesses=0", "walk_left", 1, 0, "no walks over the link"},
    {"netcrafter", "load=0.95 matching=best window=0", "walk_left", WALK_LEFT, 1e-13,
     "60 ns of switches, then 9.5 ns of one queue, or as the first of two classes"},
    {"netcrafter", "load=0.95 matching=best window=0 walk_time=0.2", "speedup",
     1 / (1 - PHI * 0.145 - 0.2 * (1 - WALK_LEFT)), 1e-13, "walks that wait less save their share of the time, too"},
    {"netcrafter", "load=0.5 trimmed=1 sigma=4 matching=best", "flits_left", (4 * 3 + 0.13 / 0.87 * 6 - 4) / (6 / 0.87),
     1e-13, "four sectors each cost more than the line"},
    {"netcrafter", "load=0.9 bandwidth=12GB/s", NULL, 0, 0, "would be offered 1.2 flits"},
    {"netcrafter", "load=0.9 ideal=9", NULL, 0, 0, "add up to"},
    {"netcrafter", "load=0.9 fast=16GB/s", NULL, 0, 0, "faster than the slow one"},
    {"netcrafter", "load=0.9 reads=0", NULL, 0, 0, "both 0"},
    {"netcrafter", "load=0.9 flit=0B", NULL, 0, 0, "flit has to be more than 0"},
    /* By hand, each from its term. flits: packets cut by hand; after_trim: the same, trimmed; stitched: quadrature
     * and bisection, apart; flits_left: both; bytes: flits of 20 B; bytes_left: what is left of them; wait_fifo:
     * rho/(2 (1 - rho)); wait_page_table: W0/(1 - rho_H); wait_data: W0/((1 - rho_H)(1 - rho)); walk_left: (way +
     * first)/(way + fifo); phi: (1 - 1/ideal)/(1 - slow/fast); implied_left: 1 - least_phi/phi; least_phi: 1 -
     * 1/measured; speedup_bytes: T/(T - phi b (1 - x)); speedup: and lambda (1 - y) less; added: quadrature. */
    {NULL,
     "reads=2 writes=1 share=10% mix_flit=16B flit=20B header=4B address=8B line=64B trimmed=0.5 sector=16B sigma=2 "
     "load=0.6 window=10 clock=2GHz switches=2 t_switch=10ns accesses=2 urgent=50% slow=10GB/s fast=50GB/s "
     "bandwidth=8GB/s inner=40GB/s ideal=1.25 phi_in=0.2 walk_time=0.1 measured=1.1",
     "flits=17 after_trim=0.9411764705882353 stitched=0.687501583115461 flits_left=0.860293931398181 bytes=340 "
     "bytes_left=292.49993667538155 wait_fifo=3.7500000000000005e-09 wait_page_table=8.437498173328314e-10 "
     "wait_data=2.3782368907146525e-09 walk_left=0.8776315712561192 phi=0.24999999999999994 "
     "implied_left=0.6363636363636362 least_phi=0.09090909090909094 speedup_bytes=1.040846217139212 "
     "speedup=1.052900552947487 added=2.0293671212241756e-09",
     0, 1e-8, "by hand"},
    {NULL,
     "reads=2 writes=1 share=10% mix_flit=16B flit=20B header=4B address=8B line=64B trimmed=0.5 sector=16B sigma=2 "
     "load=0.6 window=10 clock=2GHz switches=2 t_switch=10ns accesses=2 urgent=50% slow=10GB/s fast=50GB/s "
     "bandwidth=8GB/s inner=40GB/s ideal=1.25 phi_in=0.2 walk_time=0.1 measured=1.1 matching=best",
     "flits=17 after_trim=0.9411764705882353 stitched=1 flits_left=0.8235294117647058 bytes=340 bytes_left=280 "
     "wait_fifo=3.7500000000000005e-09 wait_page_table=8.076923076923077e-10 wait_data=2.112426035502959e-09 "
     "walk_left=0.8761133603238866 phi=0.24999999999999994 implied_left=0.6363636363636362 "
     "least_phi=0.09090909090909094 speedup_bytes=1.0521557719054242 speedup=1.0646296952576517",
     0, 1e-8, "by hand"},
    {"netcrafter", "load=0.9 ideal=1", "implied_left", 1, 1e-8, "no share of the time: no flits can explain anything"},
    {"netcrafter", "load=0.9 ideal=1", "phi", 0, 0, "1 - 1/1"},
};

MODEL_ROWS("netcrafter", rows)
