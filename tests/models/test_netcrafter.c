/* test_netcrafter.c -- all three mechanisms: the paper's identities, the bandwidths of Figure 22, flit sizes of Figure
 * 21 */
#include "../support/model_rows.h"

/* Every tail stitched, half of the reads trimmed: (6.9 - 1.5 - 1)/6.9 of the flits are left. */
#define BEST "load=0.9 matching=best trimmed=0.5 "
#define LEFT (1 - (1.5 + 1) * 0.87 / 6)
#define PHI (8.0 / 21)
#define WALK_LEFT ((60 + 0.81225 / 2 / (1 - 0.95 * 0.13)) / (60 + 9.5))
static const model_row rows[] = {
    {"netcrafter", "load=0.9", "flits", 6 / 0.87, 1e-14, "six flits of a read and 13 % page-table flits"},
    {"netcrafter", BEST, "flits_left", LEFT, 1e-14, "0.638"},
    {"netcrafter", BEST, "after_trim", 1 - 1.5 * 0.87 / 6, 1e-14, "half of the reads lose three flits"},
    {"netcrafter", BEST, "phi", PHI, 1e-14, "(1 - 1/1.5)/(1 - 1/8)"},
    {"netcrafter", BEST, "speedup", 1.16, 0.001, "[NC] Section 5.2: 16 % on average"},
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
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("netcrafter", rows);
}
