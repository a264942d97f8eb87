/* test_sharp_concurrent.c -- Table 2 of [SH], and the resources that it lacks where it prints N/A */
#include "../support/model_rows.h"

#define SW    "sharp-switchib2"
#define SMALL "hosts=8 s=8B "
#define LARGE "hosts=8 s=2048B "
#define BY_HAND_2                                                                                                      \
    "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s hosts=12 radix=4,3 s=900B communicators=3 "       \
    "outstanding=2 reserved=1 exponent=2 total=7"
static const model_row rows[] = {
    {SW, SMALL "total=8", "time", 2.24e-6, 0.01, "[SH] Table 2"},
    {SW, SMALL "total=16", "time", 2.21e-6, 0.01, "[SH] Table 2"},
    {SW, LARGE "total=32 outstanding=2", "time", 11.890e-6, 0.01, "[SH] Table 2"},
    {SW, LARGE "total=64 outstanding=4", "time", 7.695e-6, 0.01, "[SH] Table 2"},
    {SW, LARGE "total=128 outstanding=8", "time", 5.495e-6, 0.01, "[SH] Table 2"},
    {SW, LARGE "total=32 outstanding=2 communicators=2", "time", 11.990e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=32 outstanding=2 communicators=4", "time", 12.154e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=32 outstanding=2 communicators=8", "time", 14.991e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=64 outstanding=4 communicators=2", "time", 7.783e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=64 outstanding=4 communicators=4", "time", 8.374e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=64 outstanding=4 communicators=8", "time", 12.229e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=128 outstanding=8 communicators=2", "time", 5.533e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=128 outstanding=8 communicators=4", "time", 6.710e-6, 0.07, "[SH] Table 2"},
    {SW, LARGE "total=128 outstanding=8 communicators=8", "time", 10.351e-6, 0.07, "[SH] Table 2"},
    {SW, SMALL "total=16 communicators=8", "time", 2.238e-6, 0.023, "[SH] Table 2"},
    {SW, SMALL "total=8 communicators=4", "time", 2.260e-6, 0.023, "[SH] Table 2"},
    {SW, SMALL "total=8 communicators=8", NULL, 0, 0, "not available: 8 communicators"},
    {SW, SMALL "total=9 communicators=8", "time", 2.22e-6, 0.01, "one more is enough"},
    {SW, SMALL "communicators=1000", "in_flight", 1000, 0, "no limit given"},
    {SW, LARGE "outstanding=3", "waves", 3, 0, "ceil(8/3)"},
    {SW, LARGE "outstanding=100", "in_flight", 8, 0, "not more than there are"},
    {SW, LARGE "communicators=3", "work", 3 * 8 * 8 * 256 / 12.5e9, 1e-13, "everybody's data at line rate"},
    {SW, LARGE "communicators=1e6", "time", 1e6 * 8 * 8 * 256 / 12.5e9, 1e-13, "work alone"},
    {SW, "hosts=64 s=8B radix=8", NULL, 0, 0, "the tree holds 8 hosts"},
    {SW, SMALL "communicators=0", NULL, 0, 0, "communicators has to be at least 1"},
    {"sharp-switchib2", "hosts=8 s=8B exponent=0.5", NULL, 0, 0, "exponent has to be"},
    {"sharp-switchib2", "hosts=8 s=8B exponent=65", NULL, 0, 0, "exponent has to be"},
    {"sharp-switchib2", "hosts=8 s=8B total=1 outstanding=2", NULL, 0, 0, "not available"},
    /* By hand, each from its term. segments: ceil(s/200); waves: ceil(n/O); in_flight: c min(O, n); latency: n g +
     * ceil(n/O) (T1 - g); work: c n k s1/link; time: T_lat, or with others (T_lat^e + T_bw^e)^(1/e); slowdown:
     * alone. */
    {"sharp-switchib2",
     "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s hosts=12 radix=4,3 s=900B communicators=1 "
     "outstanding=2 reserved=1 exponent=2 total=3",
     "segments=5 waves=3 in_flight=2 latency=9.799999999999998e-06 work=4e-07 time=9.799999999999998e-06 slowdown=0", 0,
     1e-12, "by hand"},
    {"sharp-switchib2", BY_HAND_2,
     "segments=5 waves=3 in_flight=6 latency=9.799999999999998e-06 work=1.2e-06 time=9.873196037757984e-06", 0, 1e-12,
     "by hand"},
    {SW, "T00=0us t_lvl=0us c=0ns/B hosts=12 radix=4,3 s=8B", "slowdown", 0, 0,
     "what takes no time is not slowed down"},
    {"sharp-switchib2", BY_HAND_2, "slowdown", 9.873196037757984 / 9.799999999999998 - 1, 1e-10, "T/T_lat - 1"},
    {"sharp-switchib2",
     "T00=2us t_lvl=0.3us c=0.2ns/B g0=0.5us segment=200B link=10GB/s hosts=12 radix=4,3 s=100B communicators=9 "
     "outstanding=4 reserved=1 exponent=2",
     "segments=1 waves=1 in_flight=9 latency=2.7399999999999996e-06 work=3.6e-07 time=2.763548443577568e-06", 0, 1e-12,
     "by hand"},
    {"sharp-switchib2", "hosts=8 s=8B communicators=3 outstanding=2 reserved=1 total=6", NULL, 0, 0, "need 7"},
};

MODEL_ROWS("sharp-concurrent", rows)
