/* test_ferry.c -- the model that tests/test_additions.c adds */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL, "n=7 s=1kB places=3 crossing=2us beta=1ns/B", "time", 3 * 2e-6 + 7e3 * 1e-9, NEAR, "three boats, by hand"},
    {"lassen", "n=1 s=4096B places=1 crossing=0us protocol=eager", "time", 4096 * 3.79e-10, NEAR,
     "[NA] Table 2: host, eager, off-node"},
    {NULL, "n=1 s=1B places=0 crossing=1us beta=1ns/B", NULL, 0, 0, "places has to be above 0"},
};

MODEL_ROWS("ferry", rows)
