/* test_spin_round_trip.c -- rows of spin-round-trip with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"fpspin", "s=64B", "ingress", 3e-07, 1e-12, "[RS] Table 4: 4 + 8 cycles at 40 MHz"},
    {"fpspin", "s=1500B", "ingress", 1.85e-06, 1e-12, "[RS] Table 4: 4 + 70 cycles at 40 MHz"},
    {"fpspin", "s=9000B", "ingress", 1.85e-06, 1e-12, "cut off at the longest packet"},
    {"fpspin", "s=64B matching=0", "ingress", 2e-07, 1e-12, "[RS] Table 4: ingress DMA 200 ns"},
    {"fpspin", "s=64B reads=4", "syscalls", 1e-05, 1e-12, "[RS] 4.5.3.3: 10 to 20 us are 4 to 8 reads"},
    {"fpspin", "s=64B reads=8", "syscalls", 2e-05, 1e-12, "[RS] 4.5.3.3"},
    {"fpspin", "s=64B mode=host-fpspin work=10us polling=1us", "host", 1.19e-05, 1e-12, "two DMA transfers of 450 ns"},
    {"fpspin", "s=64B mode=fpspin work=10us", "host", 0.0, 0, "the host takes no part"},
    {"fpspin", "s=1000B c_1=2/B c_0=100 f=1GHz", "handler", 2.1e-06, 1e-12, "only the handler clock scales"},
    {"fpspin", "s=64B f=0Hz", NULL, 0, 0, "f has to be more than 0"},
    {"fpspin", "s=64B s_long=10B", NULL, 0, 0, "s_long has to be more than s_short"},
    /* By hand, each from its term. sender: as given; ingress: 50 + 200 + 300/2 cycles or no more than the longest
     * packet; syscalls: 4 x 30 cycles or no reads given; handler: 70 + 2 x 600 cycles or no cycles given; host:
     * two DMAs, polling, work or the handler answers; egress: as given; time: the sum. */
    {NULL,
     "sender=2us s=600B s_short=100B s_long=1100B f=1GHz matching=50 c_short=200 c_long=500 read_cycles=30 dma=400ns "
     "egress=3us reads=4 c_0=70 c_1=2/B polling=5us work=6us mode=host-fpspin",
     "sender=2e-06 ingress=4.0000000000000003e-07 syscalls=1.2000000000000002e-07 handler=1.2700000000000001e-06 "
     "host=1.18e-05 egress=3e-06 time=1.8590000000000003e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "sender=2us s=5kB s_short=100B s_long=1100B f=1GHz matching=50 c_short=200 c_long=500 read_cycles=30 dma=400ns "
     "egress=3us",
     "ingress=5.5e-07 syscalls=0 handler=0 host=0 time=5.55e-06", 0, 1e-12, "by hand"},
    {NULL,
     "sender=2us s=50B s_short=100B s_long=1100B f=1GHz matching=50 c_short=200 c_long=500 read_cycles=30 dma=400ns "
     "egress=3us",
     "ingress", 2.5000000000000004e-07, 1e-12, "no less than the shortest packet"},
    {NULL,
     "sender=2us s=600B s_short=100B s_long=1100B f=1GHz matching=50 c_short=200 c_long=500 read_cycles=30 dma=400ns "
     "egress=3us mode=host-fpspin",
     "host", 8e-07, 1e-12, "two DMAs; polling and work are 0 where not given"},
};

MODEL_ROWS("spin-round-trip", rows)
