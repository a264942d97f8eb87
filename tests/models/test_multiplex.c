/* test_multiplex.c -- rows of multiplex with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"bxi", "s=64KiB W=64 B=10GB/s,10GB/s,10GB/s,10GB/s", "time", 0.0001063576, 1e-12, "16 messages a rail"},
    {"bxi", "s=64KiB W=66 B=10GB/s,10GB/s,10GB/s,10GB/s", "time", 0.00011291119999999999, 1e-12, "two rails carry 17"},
    {"bxi", "s=8B W=64 B=10GB/s,10GB/s,10GB/s,10GB/s", "rate", 10158730.158730159, 1e-12,
     "small messages: one gap each"},
    {"bxi", "s=1MiB W=64 B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 4.0, 0.005, "[RS] 5: almost linear"},
    {"bxi", "s=8B W=64 matching=offload B=10GB/s,10GB/s,10GB/s,10GB/s", NULL, 0, 0,
     "not available with tag-matching offload"},
    {"bxi", "s=8B W=0 B=10GB/s,10GB/s,10GB/s,10GB/s", NULL, 0, 0, "W has to be at least 1"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("multiplex", rows);
}
