/* test_max_rate.c -- the max-rate model
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define BY_HAND_1 "alpha=3us m=7 s=2385B ppn=5 R_N=4GB/s R_b=1GB/s"
static const model_row rows[] = {
    {"lassen", "m=1 s=4096B ppn=40", "time", 9.304896e-6, NEAR, "[NA] Tables 2, 4: bound by injection"},
    {"lassen", "m=1 s=4096B ppn=40", "startup", 2.44e-6, 0, "[NA] Table 2: eager"},
    {"lassen", "m=1 s=4096B ppn=1", "time", 3.992384e-6, NEAR, "postal while ppn R_b < R_N and m = 1"},
    {"lassen", "s=4096B", "time", 3.992384e-6, NEAR, "m and ppn are 1 where not given"},
    {"lassen", "m=10 s=1MiB ppn=40", "time", 10 * 7.76e-6 + 40 * 1048576 * 4.19e-11, NEAR,
     "[NA] Tables 2, 4: 1835.013 us"},
    {"lassen", "m=10 s=1MiB ppn=1", "time", 10 * 7.76e-6 + 1048576 * 7.97e-11, NEAR, "[NA] Tables 2, 4: 161.1715 us"},
    {"lassen", "m=65 s=1MiB ppn=1", "startup", 65 * 2.44e-6, NEAR, "s/m = 16132 B travels eager"},
    {"lassen", "m=64 s=1MiB ppn=1", "startup", 64 * 7.76e-6, NEAR, "s/m = 16384 B travels by rendezvous"},
    {"lassen", "m=0.5 s=10000B ppn=1", "startup", 0.5 * 7.76e-6, NEAR, "half a message: s/m = 20000 B, by rendezvous"},
    {"lassen", "m=0 s=0B ppn=40", "time", 0, 0, "nothing sent costs nothing"},
    {"lassen", "m=1 s=4096B ppn=40 R_N=1e15B/s", "time", 2.44e-6 + 3.79e-10 * 4096, NEAR, "a given rate wins"},
    {NULL, "alpha=3us m=7 s=2385B ppn=5 R_N=4GB/s R_b=1GB/s", "time", 7 * 3e-6 + 5 * 2385 / 4e9, NEAR, "[NA] (2.2)"},
    {NULL, "alpha=3us m=7 s=2385B ppn=3 R_N=4GB/s R_b=1GB/s", "time", 7 * 3e-6 + 2385 / 1e9, NEAR, "[NA] (2.2)"},
    {"bluewaters", "m=2 s=20000B ppn=16", "time", 2 * 6.20e-6 + 16 * 20000 * 1.50e-10, REFITTED, "the authors' fit"},
    {"lassen", "s=1KiB memory=device", NULL, 0, 0, "R_N"},
    {NULL, "alpha=1us s=1B R_N=0B/s R_b=1GB/s", NULL, 0, 0, "R_N has to be more than 0"},
    {NULL, "alpha=1us s=1B R_N=1us R_b=1GB/s", NULL, 0, 0, "R_N wants"},
    {NULL, BY_HAND_1, "startup", 2.1e-05, 1e-12, "alpha m"},
    {NULL, BY_HAND_1, "transfer", 2.98125e-06, 1e-12, "ppn s/R_N"},
    {NULL, "alpha=3us s=2000B R_N=4GB/s R_b=1GB/s", "startup", 3e-06, 1e-12, "one message"},
    {NULL, "alpha=3us s=2000B R_N=4GB/s R_b=1GB/s", "transfer", 2e-06, 1e-12, "s/R_b"},
    {NULL, "alpha=3us s=2000B R_N=4GB/s R_b=1GB/s", "time", 4.9999999999999996e-06, 1e-12, "one process"},
};

MODEL_ROWS("max-rate", rows)
