/* test_netcrafter_cost.c -- memory of the controller */
#include "../support/model_rows.h"

#define BY_HAND_1 "entries=10 flit=20B buffer=30B cache=460B switch_memory=920B"
static const model_row rows[] = {
    {"netcrafter", "", "queue", 16384, 0, "[NC] 4.5: 1024 entries of 16 B"},
    {"netcrafter", "", "sram", 16400, 0, "[NC] 4.5: 16.02 KB"},
    {"netcrafter", "", "of_cache", 0.00098, 0.003, "[NC] 4.5: 0.098 % of 16 MB"},
    {"netcrafter", "", "of_switch", 0.00024, 0.02, "[NC] 4.5: 0.024 % of 64 MB"},
    {"netcrafter", "flit=32B", "sram", 32784, 0, "entries grow with the flit"},
    {"netcrafter", "cache=0B", NULL, 0, 0, "cache has to be more than 0"},
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, BY_HAND_1, "queue", 200, 1e-12, "10 x 20 B"},
    {NULL, BY_HAND_1, "sram", 230, 1e-12, "and the buffer"},
    {NULL, BY_HAND_1, "of_cache", 0.5, 1e-12, "230/460"},
    {NULL, BY_HAND_1, "of_switch", 0.25, 1e-12, "230/920"},
};

MODEL_ROWS("netcrafter-cost", rows)
