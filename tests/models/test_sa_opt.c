/* test_sa_opt.c -- SAOpt: software per request and core */
#include "../support/model_rows.h"

#define BY_HAND_3 "requests=1000 k=3 cores=4 overhead=2us per_byte=25ns/B imbalance=1.5 value=8B rate=1GB/s"
static const model_row rows[] = {
    {"netsparse", "requests=6400 k=16 per_byte=0ns/B overhead=1.024us", "goodput", 0.08, 1e-9,
     "[NS] Table 7: 8 % of 50 GB/s is 1.024 us a request and core"},
    {"netsparse", "requests=6400 k=16 per_byte=0ns/B overhead=0.7447us", "goodput", 0.11, 1e-3,
     "[NS] Table 7: 11 % is 0.745 us"},
    {"netsparse", "requests=6400 k=16 per_byte=0ns/B overhead=1.024us cores=32", "goodput", 0.04, 1e-9,
     "[NS] Figure 10: linear in the cores"},
    {"netsparse", "requests=6400 k=16 per_byte=0ns/B overhead=1us", "time", 100e-6, NEAR, "6400 requests on 64 cores"},
    {"netsparse", "requests=1e6 k=1024 per_byte=0ns/B", "time", 1e6 * 4096 / 50e9, NEAR,
     "large properties: the line is the bound"},
    {"netsparse", "requests=1e6 k=1024 per_byte=0ns/B", "goodput", 1.0, 0, "never above the line"},
    {"netsparse", "requests=6400 k=16", "goodput", 64 * 64 / (0.884e-6 * 50e9), 1e-3, "0.88 us a request at K = 16"},
    {"netsparse", "requests=6400 k=128", "goodput", 0.154, 1e-2, "stokes: no more than 15.4 % at K = 128"},
    {"netsparse", "requests=1 k=1 cores=0", NULL, 0, 0, "cores has to be more than 0"},
    /* By hand, each from its term. software: 1000 x 2 us over 4 cores; line: 24 kB or 2.4 MB; goodput: 96 B in 2
     * us or the line is full; time: software or the line. */
    {NULL, "requests=1000 k=3 cores=4 overhead=2us per_byte=0ns/B value=8B rate=1GB/s",
     "software=0.0005 line=2.4e-05 goodput=0.048 time=0.0005", 0, 1e-12, "by hand"},
    {NULL, BY_HAND_3, "software", 0.000975, 1e-12, "1000 x (2 us + 24 B x 25 ns/B) over 4 cores, 1.5 times"},
    {NULL, BY_HAND_3, "goodput", 24 / (1.5 * 2.6e-6 / 4 * 1e9), 1e-12, "24 B in that"},
    {NULL, "requests=1000 k=300 cores=4 overhead=2us per_byte=0ns/B value=8B rate=1GB/s",
     "line=0.0024 goodput=1 time=0.0024", 0, 1e-12, "by hand"},
};

MODEL_ROWS("sa-opt", rows)
