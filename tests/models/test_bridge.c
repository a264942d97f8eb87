/* test_bridge.c -- rows of bridge with where they come from */
#include "support/eval_rows.h"

#include <check.h>

static const eval_row rows[] = {
    {"bridge alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=100kB f=10kB mode=store-and-forward",
     "time", 3.600000000000001e-05, 1e-12, "both fabrics in a row, by hand"},
    {"bridge alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=100kB f=10kB",
     "time", 3.6e-05, 1e-12, "ten pieces at the pace of the slower fabric, by hand"},
    {"bridge alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=5kB f=10kB",
     "time", 7.499999999999999e-06, 1e-12, "shorter than a piece: one piece"},
};

static const refusal_row refusals[] = {
    {"bridge alpha_1=0us beta_1=0ns/B alpha_2=0us beta_2=0ns/B s=1kB f=1kB", "takes no time"},
    {"bridge alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=1kB f=0B", "f has to be more than 0"},
};

EVAL_SUITE("bridge")
