/* test_copy.c -- copies between device and host
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"lassen", "s_send=1MiB s_recv=1MiB", "time", 65.6507456e-6, NEAR, "[NA] (4.5), Table 3, by hand"},
    {"lassen", "s_send=3MB s_recv=1MB", "d2h", 1.27e-5 + 1.96e-11 * 3e6, NEAR, "what is sent leaves the device"},
    {"lassen", "s_send=3MB s_recv=1MB", "h2d", 1.30e-5 + 1.85e-11 * 1e6, NEAR, "what is received enters it"},
    {"lassen", "s_send=3MB s_recv=1MB form=printed", "h2d", 1.30e-5 + 1.85e-11 * 3e6, NEAR, "(4.5) to the letter"},
    {"lassen", "s_send=3MB s_recv=1MB form=printed", "time", 1.30e-5 + 1.85e-11 * 3e6 + 1.27e-5 + 1.96e-11 * 1e6, NEAR,
     "(4.5) to the letter"},
    {"lassen", "s_send=3MB s_recv=1MB processes=4", "time", 1.47e-5 + 1.50e-10 * 3e6 + 1.52e-5 + 5.52e-10 * 1e6, NEAR,
     "[NA] Table 3, 4 proc"},
    {"lassen", "s_send=3MB s_recv=1MB processes=3", "d2h", 1.27e-5 + 1.96e-11 * 3e6, NEAR,
     "the level below: one process"},
    {"lassen", "s_send=0B s_recv=0B", "time", 1.27e-5 + 1.30e-5, NEAR, "two start-ups"},
    {"lassen", "s_send=1B s_recv=1B processes=0", NULL, 0, 0, "processes has to be at least 1"},
    {"bluewaters", "s_send=1B s_recv=1B", NULL, 0, 0, "has no copy parameters"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
};

MODEL_ROWS("copy", rows)
