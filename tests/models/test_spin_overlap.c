/* test_spin_overlap.c -- rows of spin-overlap with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL, "v=1162.4Mbit/s slowdown=0 t_p=3.03352615184us S=2160kB", "overlap", 0.99, 1e-09,
     "[RS] 4.5.4.3: over 99 % at 2160 kB fixes the poll's cost"},
    {NULL, "v=1162.4Mbit/s slowdown=0 t_p=3.03352615184us S=54kB", "overlap", 0.94, 0.002,
     "models.md 13: implies 0.94 at 54 kB"},
    {NULL, "v=1162.4Mbit/s slowdown=0 t_p=3.03352615184us S=29kB", "overlap", 0.92, 0.002,
     "models.md 13: and 0.92 at 29 kB"},
    {NULL, "v=1162.4Mbit/s slowdown=0 t_p=3.03352615184us S=2160kB", "loss", 0.0003003190890320966, 1e-09,
     "at the optimum polling and waiting are equal halves"},
    {NULL, "v=1162.4Mbit/s slowdown=0 t_p=3.03352615184us S=2160kB T_g=100us", "waiting", 5e-05, 1e-12,
     "half a compute call"},
    {NULL, "v=1162.4Mbit/s slowdown=0.25 t_p=1us S=2160kB", "useful_overlap", 0.7456754514258753, 1e-09,
     "[RS] 4.5.4.3: GEMM 20 to 30 % slower"},
    {NULL, "v=1Gbit/s t_p=0us S=1kB slowdown=0", NULL, 0, 0, "t_p has to be more than 0"},
    {NULL, "v=1Gbit/s t_p=1us S=1kB slowdown=2", NULL, 0, 0, "slowdown has to be at least 0 and at most 1"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "message_time", 0.0008, 1e-12, "0.8 Mbit at 1 Gbit/s"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "best_granularity", 7.999999999999999e-05, 1e-12,
     "sqrt(2 x 800 x 4)"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "polls", 10, 1e-12, "800/80"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "polling", 3.9999999999999996e-05, 1e-12, "10 x 4 us"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "waiting", 3.9999999999999996e-05, 1e-12, "half of 80 us"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "loss", 7.999999999999999e-05, 1e-12, "the sum"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "overlap", 0.9523809523809523, 1e-12, "800 of 840"},
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0.25", "useful_overlap", 0.7142857142857143, 1e-12, "a quarter slower"},
    /* By hand, each from its term. best_granularity: whatever is given; polls: 800/100; polling: 8 x 4 us;
     * waiting: half of 100 us; loss: the sum; overlap: 800 of 832. */
    {NULL, "v=1Gbit/s t_p=4us S=100kB slowdown=0 T_g=100us",
     "best_granularity=7.999999999999999e-05 polls=8 polling=3.2e-05 waiting=4.9999999999999996e-05 loss=8.2e-05 "
     "overlap=0.9615384615384616",
     0, 1e-12, "by hand"},
};

MODEL_ROWS("spin-overlap", rows)
