/* advise.h -- what advice is made of: the numbers that may be wrong, and the benchmarks that tell them */
#ifndef NS_STUDY_ADVISE_H
#define NS_STUDY_ADVISE_H

#include "study/benchmarks.h"

#include <stdio.h>

enum { NS_PULLS = 256, NS_PULL_PATH = 120, NS_BENCHES = 32 };

/* A number, and the seconds of each choice that are paid for it. */
typedef struct ns_pull {
    ns_unknown seen;
    char path[NS_PULL_PATH];
    double share[NS_CHOICES];
} ns_pull;

typedef struct ns_bench {
    ns_measurement seen;
    int row;
    ns_pull *pull[NS_PULLS];
    char command[300];
} ns_bench;

typedef struct ns_plan_store {
    ns_measure_plan seen; /* first: what callers have */
    size_t pulls;
    ns_pull pull[NS_PULLS];
    ns_bench bench[NS_BENCHES];
    char command[300];
} ns_plan_store;

#endif
