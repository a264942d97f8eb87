/* test_multirail.c -- rows of multirail with where they come from */
#include "support/eval_rows.h"

#include <check.h>

static const eval_row rows[] = {
    {"multirail --machine bxi s=4MiB B=10GB/s,10GB/s",
     "speedup", 1.98, 0.002, "models.md 8: 1.98 on 2 rails"},
    {"multirail --machine bxi s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s",
     "speedup", 3.88, 0.002, "models.md 8: 3.88 on 4 rails"},
    {"multirail --machine bxi s=1.5MiB B=10GB/s,10GB/s,10GB/s,10GB/s",
     "speedup", 2.84, 0.002, "models.md 8: 3 fragments, 2.84"},
    {"multirail --machine bxi s=1.5MiB B=10GB/s,10GB/s,10GB/s,10GB/s",
     "rails_busy", 3.0, 0, "three fragments: the fourth rail stays idle"},
    {"multirail --machine bxi s=4MiB f=512kB B=10GB/s,10GB/s,10GB/s,10GB/s",
     "speedup", 3.63, 0.002, "models.md 8: 3.63 with f = 512,000 B"},
    {"multirail --machine bxi s=1MB B=10GB/s,10GB/s,10GB/s,10GB/s",
     "speedup", 1.0, 1e-12, "not striped at the threshold"},
    {"multirail --machine bxi s=1MB B=10GB/s,10GB/s,10GB/s,10GB/s",
     "fragments", 1.0, 0, "not striped at the threshold"},
    {"multirail --machine bxi s=4MiB host=10GB/s B=10GB/s,10GB/s,10GB/s,10GB/s",
     "transfer", 0.0004194304, 1e-12, "never above host memory bandwidth"},
    {"multirail --machine bxi s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s design=rendezvous-per-fragment",
     "handshake", 6e-06, 1e-12, "two fragments on the busiest rail"},
    {"multirail --machine bxi s=2MiB B=30GB/s,10GB/s",
     "transfer", 5.3328800000000003e-05, 1e-12, "unequal rails: three fragments to one"},
};

static const refusal_row refusals[] = {
    {"multirail --machine bxi s=4MiB", "multirail lacks B [GB/s]"},
    {"multirail --machine bxi s=4MiB B=0GB/s", "the bandwidth of rail 1 has to be more than 0"},
    {"multirail --machine bxi s=1TB f=1B B=1GB/s", "fragments are too many"},
    {"multirail --machine bxi s=4MiB f=0B B=10GB/s,10GB/s", "f has to be more than 0"},
};

EVAL_SUITE("multirail")
