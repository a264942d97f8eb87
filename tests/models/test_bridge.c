/* test_bridge.c -- rows of bridge with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL,
     "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us "
     "s=100kB f=10kB mode=store-and-forward",
     "time", 3.600000000000001e-05, 1e-12, "both fabrics in a row, by hand"},
    {NULL, "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=100kB f=10kB", "time", 3.6e-05, 1e-12,
     "ten pieces at the pace of the slower fabric, by hand"},
    {NULL, "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=5kB f=10kB", "time",
     7.499999999999999e-06, 1e-12, "shorter than a piece: one piece"},
    {NULL, "alpha_1=0us beta_1=0ns/B alpha_2=0us beta_2=0ns/B s=1kB f=1kB", NULL, 0, 0, "takes no time"},
    {NULL, "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=1kB f=0B", NULL, 0, 0,
     "f has to be more than 0"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("bridge", rows);
}
