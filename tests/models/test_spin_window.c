/* test_spin_window.c -- rows of spin-window with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"fpspin", "v_send=8Gbit/s v_recv=1.1624Gbit/s", "window", 599040.0, 1e-05,
     "published.md: 599.04 kB"},
    {"fpspin", "v_send=8Gbit/s v_recv=1.1624Gbit/s", "window_packets", 199.0, 0,
     "published.md: 170 slots give 199 packets"},
    {"fpspin", "v_send=8Gbit/s v_recv=1.1624Gbit/s", "t_fill", 0.000599040599040599, 1e-12,
     "[RS] (1)"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s", "gap", 1.2288000000000002e-05, 1e-12,
     "packet / v_recv"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s message=1MB", "acknowledgements", 652.0, 0,
     "one a packet: ceil(1 MB / 1536 B)"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s message=1MB ack=first-and-last", "acknowledgements", 2.0, 0,
     "[RS] 4.4.1"},
    {"fpspin", "v_send=8Gbit/s v_recv=1Gbit/s message=1MB ack=none", "acknowledgements", 0.0, 0,
     "[RS] 4.4.1"},
    {"fpspin", "v_send=8Gbit/s v_recv=0Gbit/s", "gap", 0.0, 0,
     "a receiver that takes nothing has no gap"},
    {"fpspin", "v_send=1Gbit/s v_recv=1Gbit/s", NULL, 0, 0, "v_send has to be more than v_recv"},
    {"fpspin", "v_send=1Gbit/s v_recv=2Gbit/s", NULL, 0, 0, "v_send has to be more than v_recv"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("spin-window", rows);
}
