/* test_su_opt.c -- SUOpt: bytes at line rate */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "transfers=22566392 k=1", "time", 132e-6 * 13.7, 0.005,
     "[NS] Table 8, arabic K = 1: 13.7 x faster in 132 us"},
    {"netsparse", "transfers=50514268 k=16", "time", 50514268 * 64.0 / 50e9, NEAR,
     "[NS] Section 8.1: europe, (m - owned) 4K/B"},
    {NULL, "transfers=1000 k=3 value=2.5B rate=4GB/s", "traffic", 7500.0, NEAR, "1000 x 3 x 2.5 B"},
    {"netsparse", "transfers=0 k=1", "time", 0, 0, "one node receives nothing"},
    {"netsparse", "transfers=10 k=1 rate=0GB/s", NULL, 0, 0, "rate has to be more than"},
    {"netsparse", "transfers=10 k=0", NULL, 0, 0, "k has to be more than 0"},
    {NULL, "transfers=1000 k=3 value=2.5B rate=4GB/s", "time", 1.875e-06, 1e-12, "traffic/rate"},
};

MODEL_ROWS("su-opt", rows)
