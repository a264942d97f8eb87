/* test_sa_opt.c -- SAOpt: software per request and core */
#include "../support/model_rows.h"

#define BY_HAND_1 "requests=1000 k=3 cores=4 overhead=2us value=8B rate=1GB/s"
#define BY_HAND_2 "requests=1000 k=300 cores=4 overhead=2us value=8B rate=1GB/s"
static const model_row rows[] = {
    {"netsparse", "requests=6400 k=16 overhead=1.024us", "goodput", 0.08, 1e-9,
     "[NS] Table 7: 8 % of 50 GB/s is 1.024 us a request and core"},
    {"netsparse", "requests=6400 k=16 overhead=0.7447us", "goodput", 0.11, 1e-3, "[NS] Table 7: 11 % is 0.745 us"},
    {"netsparse", "requests=6400 k=16 overhead=1.024us cores=32", "goodput", 0.04, 1e-9,
     "[NS] Figure 10: linear in the cores"},
    {"netsparse", "requests=6400 k=16 overhead=1us", "time", 100e-6, NEAR, "6400 requests on 64 cores"},
    {"netsparse", "requests=1e6 k=1024", "time", 1e6 * 4096 / 50e9, NEAR, "large properties: the line is the bound"},
    {"netsparse", "requests=1e6 k=1024", "goodput", 1.0, 0, "never above the line"},
    {"netsparse", "requests=1 k=1 cores=0", NULL, 0, 0, "cores has to be more than 0"},
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, BY_HAND_1, "software", 0.0005, 1e-12, "1000 x 2 us over 4 cores"},
    {NULL, BY_HAND_1, "line", 2.4e-05, 1e-12, "24 kB"},
    {NULL, BY_HAND_1, "goodput", 0.048, 1e-12, "96 B in 2 us"},
    {NULL, BY_HAND_1, "time", 0.0005, 1e-12, "software"},
    {NULL, BY_HAND_2, "line", 0.0024, 1e-12, "2.4 MB"},
    {NULL, BY_HAND_2, "goodput", 1, 1e-12, "the line is full"},
    {NULL, BY_HAND_2, "time", 0.0024, 1e-12, "the line"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("sa-opt", rows);
}
