/* test_spin_window.c -- rows of spin-window with where they come from */
#include "../support/model_rows.h"

#define BY_HAND_2 "v_send=8Gbit/s v_recv=0Gbit/s S_recv=10kB packet=1500B slots=5"
static const model_row rows[] = {
    {"fpspin", "v_send=8Gbit/s v_recv=1.1624Gbit/s", "window", 599040.0, 1e-05, "published.md: 599.04 kB"},
    {"fpspin", "v_send=8Gbit/s v_recv=1.1624Gbit/s", "window_packets", 199.0, 0,
     "published.md: 170 slots give 199 packets"},
    {"fpspin", "v_send=8Gbit/s v_recv=1.1624Gbit/s", "t_fill", 0.000599040599040599, 1e-12, "[RS] (1)"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s", "gap", 1.2288000000000002e-05, 1e-12, "packet / v_recv"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s message=1MB", "acknowledgements", 652.0, 0,
     "one a packet: ceil(1 MB / 1536 B)"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s message=1MB ack=first-and-last", "acknowledgements", 2.0, 0,
     "[RS] 4.4.1"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s message=1MB ack=none", "acknowledgements", 0.0, 0, "[RS] 4.4.1"},
    {"fpspin", "v_send=8Gbit/s v_recv=0Gbit/s", "gap", 0.0, 0, "a receiver that takes nothing has no gap"},
    {"fpspin", "v_send=1Gbit/s v_recv=1Gbit/s", NULL, 0, 0, "v_send has to be more than v_recv"},
    {"fpspin", "v_send=1Gbit/s v_recv=2Gbit/s", NULL, 0, 0, "v_send has to be more than v_recv"},
    /* By hand, each from its term. t_fill: 80 kbit at 2 Gbit/s; window: 8 Gbit/s for 40 us; window_packets: 5 x
     * 8/2; gap: 12 kbit at 6 Gbit/s; acknowledgements: 16000/1500; rate: the receiver. */
    {NULL, "v_send=8Gbit/s v_recv=6Gbit/s S_recv=10kB packet=1500B slots=5 message=16kB",
     "t_fill=3.9999999999999996e-05 window=40000 window_packets=20 gap=2e-06 acknowledgements=11 rate=750000000", 0,
     1e-12, "by hand"},
    {NULL, "v_send=8Gbit/s v_recv=6Gbit/s S_recv=10kB packet=1500B slots=5 message=16kB ack=first-and-last",
     "acknowledgements", 2, 1e-12, "first and last"},
    {NULL, "v_send=8Gbit/s v_recv=6Gbit/s S_recv=10kB packet=1500B slots=5 message=1kB ack=first-and-last",
     "acknowledgements", 1, 1e-12, "one packet"},
    {NULL, "v_send=8Gbit/s v_recv=6Gbit/s S_recv=10kB packet=1500B slots=5 message=16kB ack=none", "acknowledgements",
     0, 0, "none"},
    {NULL, "v_send=8Gbit/s v_recv=6Gbit/s S_recv=10kB packet=1500B slots=5", "acknowledgements", 0, 0,
     "no message given"},
    {NULL, BY_HAND_2, "gap", 0, 0, "a receiver that takes nothing"},
    {NULL, BY_HAND_2, "window_packets", 5, 1e-12, "the slots"},
};

MODEL_ROWS("spin-window", rows)
