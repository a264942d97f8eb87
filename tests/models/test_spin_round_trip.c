/* test_spin_round_trip.c -- rows of spin-round-trip with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"fpspin", "s=64B", "ingress", 3e-07, 1e-12,
     "[RS] Table 4: 4 + 8 cycles at 40 MHz"},
    {"fpspin", "s=1500B", "ingress", 1.85e-06, 1e-12,
     "[RS] Table 4: 4 + 70 cycles at 40 MHz"},
    {"fpspin", "s=9000B", "ingress", 1.85e-06, 1e-12,
     "cut off at the longest packet"},
    {"fpspin", "s=64B matching=0", "ingress", 2e-07, 1e-12,
     "[RS] Table 4: ingress DMA 200 ns"},
    {"fpspin", "s=64B reads=4", "syscalls", 1e-05, 1e-12,
     "[RS] 4.5.3.3: 10 to 20 us are 4 to 8 reads"},
    {"fpspin", "s=64B reads=8", "syscalls", 2e-05, 1e-12,
     "[RS] 4.5.3.3"},
    {"fpspin", "s=64B mode=host-fpspin work=10us polling=1us", "host", 1.19e-05, 1e-12,
     "two DMA transfers of 450 ns"},
    {"fpspin", "s=64B mode=fpspin work=10us", "host", 0.0, 0,
     "the host takes no part"},
    {"fpspin", "s=1000B c_1=2/B c_0=100 f=1GHz", "handler", 2.1e-06, 1e-12,
     "only the handler clock scales"},
    {"fpspin", "s=64B f=0Hz", NULL, 0, 0, "f has to be more than 0"},
    {"fpspin", "s=64B s_long=10B", NULL, 0, 0, "s_long has to be more than s_short"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("spin-round-trip", rows);
}
