/* test_loggp.c -- the LogGP model
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define GIVEN "L=1.1us o=0.3us g=0.4us G=0.2ns/B "
static const model_row rows[] = {
    {NULL, GIVEN "s=2385B", "time", 1.1e-6 + 2 * 0.3e-6 + 2384 * 0.2e-9, NEAR, "Alexandrov et al.: L + 2o + (s-1)G"},
    {NULL, GIVEN "s=2385B", "latency", 1.1e-6, 0, "L"},
    {NULL, GIVEN "s=2385B", "overhead", 2 * 0.3e-6, NEAR, "2o"},
    {NULL, GIVEN "s=2385B", "gap", 2384 * 0.2e-9, NEAR, "(s-1)G"},
    {NULL, GIVEN "s=1B", "time", 1.1e-6 + 2 * 0.3e-6, NEAR, "LogP: L + 2o"},
    {NULL, GIVEN "s=0B", "time", 1.1e-6 + 2 * 0.3e-6, NEAR, "no negative gap"},
    {NULL, GIVEN "s=1B n=9", "time", 1.1e-6 + 2 * 0.3e-6 + 8 * 0.4e-6, NEAR, "LogP: L + 2o + (n-1) max(g, o)"},
    {NULL, GIVEN "s=2385B n=9", "time", 1.1e-6 + 2 * 0.3e-6 + 9 * 2384 * 0.2e-9 + 8 * 0.4e-6, NEAR,
     "o + n(s-1)G + (n-1)g + L + o"},
    {NULL, "L=1.1us o=3us g=0.4us G=0.2ns/B s=2385B n=9", "time", 1.1e-6 + 2 * 3e-6 + 2384 * 0.2e-9 + 8 * 3e-6, NEAR,
     "the processor is the bottleneck: o > g + (s-1)G"},
    {NULL, GIVEN "s=2385B first=0B", "gap", 2385 * 0.2e-9, NEAR, "every byte charged"},
    {NULL, GIVEN "s=2385B n=0", "time", 0, 0, "nothing sent costs nothing"},
    {"lassen", "s=1B", NULL, 0, 0, "loggp lacks L"},
    {NULL, "L=1us o=1us g=1us G=1us s=1B", NULL, 0, 0, "G wants"},
    /* By hand, each from its term. latency: L; overhead: 2 o; gap: (s - 1) G, then two of g + (s - 1) G; time: the
     * sum. */
    {NULL, "L=1.1us o=0.3us g=0.4us G=0.2ns/B s=101B n=3",
     "latency=1.1e-06 overhead=6e-07 gap=8.6e-07 time=2.5599999999999996e-06", 0, 1e-12, "by hand"},
};

MODEL_ROWS("loggp", rows)
