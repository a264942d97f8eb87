/* test_switch_point.c -- rows of switch-point with where they come from */
#include "support/eval_rows.h"

#include <check.h>

static const eval_row rows[] = {
    {"switch-point --machine lassen",
     "size", 17770.0, 0.0005, "models.md 7: s* = 17.8 kB, the switch is 16 KiB"},
    {"switch-point --machine lassen",
     "lost_bandwidth", 3340000000.0, 0.001, "models.md 7: B_c/n_c = 3.34 GB/s"},
    {"switch-point alpha_1=0.925us beta_1=1.19ns/B alpha_2=1.17us beta_2=0.218ns/B",
     "size", 252.0, 0.001, "models.md 7: short to eager on node 252 B, the switch is 256 B"},
    {"switch-point alpha_1=2us beta_1=2ns/B alpha_2=1us beta_2=1ns/B",
     "size", 0.0, 0, "the second is faster from the start"},
};

static const refusal_row refusals[] = {
    {"switch-point alpha_1=1us beta_1=1ns/B alpha_2=2us beta_2=1ns/B", "beta_1 has to be more than beta_2"},
};

EVAL_SUITE("switch-point")
