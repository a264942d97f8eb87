/* test_netcrafter_cost.c -- memory of the controller */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netcrafter", "", "queue", 16384, 0, "[NC] 4.5: 1024 entries of 16 B"},
    {"netcrafter", "", "sram", 16400, 0, "[NC] 4.5: 16.02 KB"},
    {"netcrafter", "", "of_cache", 0.00098, 0.003, "[NC] 4.5: 0.098 % of 16 MB"},
    {"netcrafter", "", "of_switch", 0.00024, 0.02, "[NC] 4.5: 0.024 % of 64 MB"},
    {"netcrafter", "flit=32B", "sram", 32784, 0, "entries grow with the flit"},
    {"netcrafter", "cache=0B", NULL, 0, 0, "cache has to be more than 0"},
    /* By hand, each from its term. queue: 10 x 20 B; sram: and the buffer; of_cache: 230/460; of_switch: 230/920. */
    {NULL, "entries=10 flit=20B buffer=30B cache=460B switch_memory=920B",
     "queue=200 sram=230 of_cache=0.5 of_switch=0.25", 0, 1e-12, "by hand"},
};

MODEL_ROWS("netcrafter-cost", rows)
