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
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("spin-overlap", rows);
}
