/* test_netsparse_end_to_end.c -- bounds on a kernel's speedup over one node */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL, "flop=2Gflop bytes=8GB peak=1Tflop/s bandwidth=800GB/s nodes=128 communication=5ms", "computation", 10e-3,
     NEAR, "memory-bound: 8 GB at 800 GB/s"},
    {NULL, "flop=20Gflop bytes=8GB peak=1Tflop/s bandwidth=800GB/s nodes=128 communication=5ms", "computation", 20e-3,
     NEAR, "compute-bound"},
    {NULL, "flop=2Gflop bytes=8GB peak=1Tflop/s bandwidth=800GB/s nodes=128 communication=5ms", "best", 10e-3, NEAR,
     "max(10, 5) ms"},
    {NULL, "flop=2Gflop bytes=8GB peak=1Tflop/s bandwidth=800GB/s nodes=128 communication=5ms", "worst", 15e-3, NEAR,
     "10 + 5 ms"},
    {NULL, "flop=2Gflop bytes=8GB peak=1Tflop/s bandwidth=800GB/s nodes=128 communication=5ms", "speedup_worst",
     1280.0 / 15, NEAR, "T_1 = 1.28 s"},
    {NULL, "flop=2Gflop bytes=8GB peak=1Tflop/s bandwidth=800GB/s nodes=128 communication=5ms", "ratio", 0.5, NEAR,
     "[NS] Figure 14's ratio"},
    {"netsparse", "flop=0Gflop bytes=8GB nodes=128 imbalance=1.7777777777777777 communication=0us", "ideal", 72.0,
     1e-12, "[NS] Section 9.1: ideal 72 of 128, an imbalance of 1.78"},
    {"netsparse", "flop=0Gflop bytes=8GB nodes=128 imbalance=1.7777777777777777 communication=0us", "speedup_worst",
     72.0, 1e-12, "no communication: the bounds meet"},
    {"netsparse", "flop=0Gflop bytes=8GB nodes=0 communication=0us", NULL, 0, 0, "nodes has to be more than 0"},
    {"netsparse", "flop=0Gflop bytes=8GB nodes=1 bandwidth=0GB/s communication=0us", NULL, 0, 0,
     "bandwidth has to be more than"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("netsparse-end-to-end", rows);
}
