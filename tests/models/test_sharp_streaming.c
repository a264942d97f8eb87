/* test_sharp_streaming.c -- a stream through the tree of Table 1, by hand */
#include "../support/model_rows.h"

#define SW    "sharp-switchib2"
#define FIRST (2.31e-6 + 24 * 0.175e-9 * 256) /* k = 16, 8 */
#define REST  ((1048576 - 256) / (0.95 * 12.5e9))
static const model_row rows[] = {
    {SW, "hosts=128 s=256B", "time", FIRST, NEAR, "one segment: as sharp"},
    {SW, "hosts=128 s=8B", "time", 2.31e-6 + 24 * 0.175e-9 * 8, NEAR, "less than one"},
    {SW, "hosts=128 s=8B", "faster", 1, 0, "nothing follows"},
    {SW, "hosts=128 s=1MiB", "stream", REST, NEAR, "95 % of the link"},
    {SW, "hosts=128 s=1MiB", "time", FIRST + REST, NEAR, "the first segment, and the rest"},
    {SW, "hosts=128 s=1MiB", "in_segments", FIRST + 4095 * (0.258e-6 + 16 * 256 / 12.5e9), NEAR, "as sharp"},
    {SW, "hosts=128 s=1MiB", "faster", (FIRST + 4095 * (0.258e-6 + 16 * 256 / 12.5e9)) / (FIRST + REST), NEAR,
     "26 times"},
    {SW, "hosts=128 s=1GiB", "bandwidth", 0.95 * 12.5e9, 1e-4, "of a very long message"},
    {SW, "hosts=128 s=1MiB share=50%", "stream", 2 * 0.95 * REST, NEAR, "half of the link"},
    {SW, "hosts=16 s=1MiB", "levels", 0.1e-6, NEAR, "one level"},
    {SW, "hosts=128 s=1KiB processes=2", "on_node", 2 * (0.3e-6 + 0.56e-9 * 1024), NEAR, "between the sockets, twice"},
    {SW, "hosts=128 s=1MiB share=0%", NULL, 0, 0, "share has to be more than 0"},
    {SW, "hosts=12.5 s=8B", NULL, 0, 0, "hosts wants a whole number"},
    {SW, "hosts=1 s=0B T00=0us t_lvl=0us", "bandwidth", 0, 0, "nothing"},
    {SW, "hosts=1 s=0B T00=0us t_lvl=0us", "faster", 1, 0, "nothing over nothing"},
};

MODEL_ROWS("sharp-streaming", rows)
