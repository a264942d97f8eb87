/* test_spin_window.c -- rows of spin-window with where they come from */
#include "support/eval_rows.h"

#include <check.h>

static const eval_row rows[] = {
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1.1624Gbit/s",
     "window", 599040.0, 1e-05, "published.md: 599.04 kB"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1.1624Gbit/s",
     "window_packets", 199.0, 0, "published.md: 170 slots give 199 packets"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1.1624Gbit/s",
     "t_fill", 0.000599040599040599, 1e-12, "[RS] (1)"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1Gbit/s",
     "gap", 1.2288000000000002e-05, 1e-12, "packet / v_recv"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1Gbit/s message=1MB",
     "acknowledgements", 652.0, 0, "one a packet: ceil(1 MB / 1536 B)"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1Gbit/s message=1MB ack=first-and-last",
     "acknowledgements", 2.0, 0, "[RS] 4.4.1"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=1Gbit/s message=1MB ack=none",
     "acknowledgements", 0.0, 0, "[RS] 4.4.1"},
    {"spin-window --machine fpspin v_send=8Gbit/s v_recv=0Gbit/s",
     "gap", 0.0, 0, "a receiver that takes nothing has no gap"},
};

static const refusal_row refusals[] = {
    {"spin-window --machine fpspin v_send=1Gbit/s v_recv=1Gbit/s", "v_send has to be more than v_recv"},
    {"spin-window --machine fpspin v_send=1Gbit/s v_recv=2Gbit/s", "v_send has to be more than v_recv"},
};

EVAL_SUITE("spin-window")
