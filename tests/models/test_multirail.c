/* test_multirail.c -- rows of multirail with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"bxi", "s=4MiB B=10GB/s,10GB/s", "speedup", 1.98, 0.002,
     "models.md 8: 1.98 on 2 rails"},
    {"bxi", "s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 3.88, 0.002,
     "models.md 8: 3.88 on 4 rails"},
    {"bxi", "s=1.5MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 2.84, 0.002,
     "models.md 8: 3 fragments, 2.84"},
    {"bxi", "s=1.5MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "rails_busy", 3.0, 0,
     "three fragments: the fourth rail stays idle"},
    {"bxi", "s=4MiB f=512kB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 3.63, 0.002,
     "models.md 8: 3.63 with f = 512,000 B"},
    {"bxi", "s=1MB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 1.0, 1e-12,
     "not striped at the threshold"},
    {"bxi", "s=1MB B=10GB/s,10GB/s,10GB/s,10GB/s", "fragments", 1.0, 0,
     "not striped at the threshold"},
    {"bxi", "s=4MiB host=10GB/s B=10GB/s,10GB/s,10GB/s,10GB/s", "transfer", 0.0004194304, 1e-12,
     "never above host memory bandwidth"},
    {"bxi", "s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s design=rendezvous-per-fragment", "handshake", 6e-06, 1e-12,
     "two fragments on the busiest rail"},
    {"bxi", "s=2MiB B=30GB/s,10GB/s", "transfer", 5.3328800000000003e-05, 1e-12,
     "unequal rails: three fragments to one"},
    {"bxi", "s=4MiB", NULL, 0, 0, "multirail lacks B [GB/s]"},
    {"bxi", "s=4MiB B=0GB/s", NULL, 0, 0, "the bandwidth of rail 1 has to be more than 0"},
    {"bxi", "s=1TB f=1B B=1GB/s", NULL, 0, 0, "fragments are too many"},
    {"bxi", "s=4MiB f=0B B=10GB/s,10GB/s", NULL, 0, 0, "f has to be more than 0"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("multirail", rows);
}
