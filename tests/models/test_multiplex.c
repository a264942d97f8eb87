/* test_multiplex.c -- rows of multiplex with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"bxi", "s=64KiB W=64 B=10GB/s,10GB/s,10GB/s,10GB/s", "time", 0.0001063576, 1e-12, "16 messages a rail"},
    {"bxi", "s=64KiB W=66 B=10GB/s,10GB/s,10GB/s,10GB/s", "time", 0.00011291119999999999, 1e-12, "two rails carry 17"},
    {"bxi", "s=8B W=64 B=10GB/s,10GB/s,10GB/s,10GB/s", "rate", 10158730.158730159, 1e-12,
     "small messages: one gap each"},
    {"bxi", "s=1MiB W=64 B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 4.0, 0.005, "[RS] 5: almost linear"},
    {"bxi", "s=64KiB W=64 matching=offload B=5GB/s,10GB/s,10GB/s", "transfer", 64 * 65536 / 10e9, 1e-12,
     "one rail, the fastest"},
    {"bxi", "s=64KiB W=64 matching=offload B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 1, 1e-12, "[RS] 2.3.2"},
    {"bxi", "s=8B W=0 B=10GB/s,10GB/s,10GB/s,10GB/s", NULL, 0, 0, "W has to be at least 1"},
    /* By hand, each from its term. latency: L; transfer: 3, 3 and 2 messages of 4, 8 and 5 us; time: both; rate:
     * W/T; bandwidth: W s/T; speedup: all 8 over the first rail. */
    {NULL, "B=10GB/s,5GB/s,8GB/s s=40kB W=8 L=2us g=1us",
     "latency=2e-06 transfer=2.4e-05 time=2.6e-05 rate=307692.3076923077 bandwidth=12307692307.692308 "
     "speedup=1.3076923076923077",
     0, 1e-12, "by hand"},
    {NULL, "B=10GB/s,5GB/s s=1kB W=3 L=2us g=1us", "transfer", 2e-06, 1e-12, "the gap, 2 of 3 messages"},
    {NULL, "B=10GB/s,5GB/s s=1kB W=3 L=2us g=1us", "speedup", 1.25, 1e-12, "three gaps over two"},
    {NULL, "B=5GB/s,8GB/s,10GB/s s=40kB W=3 L=2us g=1us", "speedup", (2 + 3 * 4.0) / (2 + 8), 1e-12,
     "the third rail is the fastest"},
};

MODEL_ROWS("multiplex", rows)
