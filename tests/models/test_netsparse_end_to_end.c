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
    /* By hand, each from its term. computation: 1.5 x 20 ms or no less than the mean; best: communication covers
     * it or computation covers it; worst: the sum; single: 16 x 20 ms or 16 x 30 ms; ideal: T_1/T_comp;
     * speedup_best: 320/40; speedup_worst: 320/70; ratio: 40/30. */
    {NULL, "flop=30Gflop bytes=8GB peak=2Tflop/s bandwidth=400GB/s imbalance=1.5 nodes=16 communication=40ms",
     "computation=0.03 best=0.04 worst=0.07 single=0.32 ideal=10.666666666666666 speedup_best=8 "
     "speedup_worst=4.571428571428571 ratio=1.3333333333333333",
     0, 1e-12, "by hand"},
    {NULL, "flop=60Gflop bytes=8GB peak=2Tflop/s bandwidth=400GB/s imbalance=0.5 nodes=16 communication=10ms",
     "computation=0.03 best=0.03 single=0.48", 0, 1e-12, "by hand"},
};

MODEL_ROWS("netsparse-end-to-end", rows)
