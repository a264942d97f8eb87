/* test_queue_contention.c -- max-rate with queue search and contention
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL, "alpha=3us m=7 s=2385B ppn=5 R_N=4GB/s R_b=1GB/s gamma=6ns n=11 delta=0.1ns/B l=3000B", "time",
     7 * 3e-6 + 5 * 2385 / 4e9 + 6e-9 * 121 + 0.1e-9 * 3000, NEAR, "[11] of [NA]: max-rate + gamma n^2 + delta l"},
    {NULL, "alpha=3us m=7 s=2385B ppn=5 R_N=4GB/s R_b=1GB/s gamma=6ns delta=0.1ns/B", "queue", 6e-9 * 49, NEAR,
     "n is m where not given"},
    {"bluewaters", "m=30 s=60000B ppn=16 l=2MB", "time",
     30 * 6.95e-6 + 16 * 60000 * 1.50e-10 + 8.4e-9 * 900 + 0.093e-9 * 2e6, REFITTED,
     "the authors' fit; s/m = 2000 B travels eager"},
    {"bluewaters", "m=30 s=60000B ppn=16 l=2MB", "queue", 8.4e-9 * 900, REFITTED, "gamma 8.4 ns"},
    {"bluewaters", "m=30 s=60000B ppn=16 l=2MB", "contention", 0.093e-9 * 2e6, REFITTED, "delta 0.093 ns/B"},
    {"bluewaters", "m=30 s=60000B ppn=1 n=0", "time", 30 * 6.95e-6 + 60000 * 1.33e-9, REFITTED,
     "max-rate without queue and links"},
    {"lassen", "m=1 s=1B", NULL, 0, 0, "gamma"},
    /* By hand, each from its term. startup: alpha m or m is 1 where not given; transfer: ppn s/R_N or so is ppn;
     * queue: 2 ns x 81 or n is m where not given; contention: delta l or l is 0 where not given; time: the sum. */
    {NULL, "alpha=3us m=7 s=2385B ppn=5 R_N=4GB/s R_b=1GB/s gamma=2ns n=9 delta=0.5ns/B l=3kB",
     "startup=2.1e-05 transfer=2.98125e-06 queue=1.6200000000000002e-07 contention=1.5e-06 time=2.564325e-05", 0, 1e-12,
     "by hand"},
    {NULL, "alpha=3us s=2000B R_N=4GB/s R_b=1GB/s gamma=2ns delta=0.5ns/B",
     "startup=3e-06 transfer=2e-06 queue=2e-09 contention=0 time=5.002e-06", 0, 1e-12, "by hand"},
};

MODEL_ROWS("queue-contention", rows)
