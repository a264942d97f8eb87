/* test_switch_point.c -- rows of switch-point with where they come from */
#include "../support/model_rows.h"

#define BY_HAND_1 "alpha_1=2us beta_1=0.5ns/B alpha_2=6us beta_2=0.25ns/B"
static const model_row rows[] = {
    {"lassen", "", "size", 17770.0, 0.0005, "models.md 7: s* = 17.8 kB, the switch is 16 KiB"},
    {"lassen", "", "lost_bandwidth", 3340000000.0, 0.001, "models.md 7: B_c/n_c = 3.34 GB/s"},
    {NULL, "alpha_1=0.925us beta_1=1.19ns/B alpha_2=1.17us beta_2=0.218ns/B", "size", 252.0, 0.001,
     "models.md 7: short to eager on node 252 B, the switch is 256 B"},
    {NULL, "alpha_1=2us beta_1=2ns/B alpha_2=1us beta_2=1ns/B", "size", 0.0, 0, "the second is faster from the start"},
    {NULL, "alpha_1=1us beta_1=1ns/B alpha_2=2us beta_2=1ns/B", NULL, 0, 0, "beta_1 has to be more than beta_2"},
    {NULL, BY_HAND_1, "lost_bandwidth", 4000000000, 1e-12, "1/0.25 ns"},
    {NULL, BY_HAND_1, "size", 16000, 1e-12, "4 us/0.25 ns"},
    {NULL, "alpha_1=6us beta_1=0.5ns/B alpha_2=2us beta_2=0.25ns/B", "size", 0, 0, "faster at every size"},
};

MODEL_ROWS("switch-point", rows)
