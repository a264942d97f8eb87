/* test_trim.c -- trimmed responses: flits kept, and when trimming pays */
#include "../support/model_rows.h"

#define BY_HAND_2 "flit=20B header=4B address=8B line=96B sector=32B share=0.5 sigma=9 between=0.25"
#define BY_HAND_4 "flit=20B header=4B address=8B line=96B sector=32B share=0.5"
static const model_row rows[] = {
    {"netcrafter", "share=1", "trimmed", 2, 0, "[NC] 4.3: 20 B take 2 flits of 5"},
    {"netcrafter", "share=1", "full", 5, 0, "[NC] Table 1"},
    {"netcrafter", "share=1 sector=8B", "trimmed", 1, 0, "12 B"},
    {"netcrafter", "share=1 sector=12B", "trimmed", 1, 0, "16 B"},
    {"netcrafter", "share=1 sector=32B", "trimmed", 3, 0, "36 B"},
    {"netcrafter", "share=1 sector=48B", "trimmed", 4, 0, "52 B"},
    {"netcrafter", "share=1 sector=128B", "trimmed", 5, 0, "never more than the line"},
    {"netcrafter", "share=0.5", "saving", 0.3, NEAR, "half of the responses lose 3 of 5 flits"},
    {"netcrafter", "share=0.5", "saving_both", 0.25, NEAR, "half of the reads lose 3 of 6 flits"},
    {"netcrafter", "share=1", "break_even", 2.5, 0, "sigma < 5/2"},
    {"netcrafter", "share=1", "break_even_both", 2, 0, "sigma < 2"},
    {"netcrafter", "share=1 sigma=3", "saving", -0.2, 1e-12, "three sectors cost 6 flits for 5"},
    {"netcrafter", "share=1 sigma=2", "saving_both", 0, 0, "even in both directions"},
    {"netcrafter", "share=1 sigma=100", "misses", 4, 0, "a line has four sectors"},
    {"netcrafter", "share=0.5 sigma=3 between=0.25", "misses", 1.25, NEAR, "only lines of other clusters"},
    {"netcrafter", "share=0.5 sigma=3 between=0.25", "misses_all", 2, NEAR, "sector cache: every line"},
    {"netcrafter", "share=1.5", NULL, 0, 0, "share has to be"},
    {"netcrafter", "share=1 sector=0B", NULL, 0, 0, "sector has to be more than 0"},
    {"netcrafter", "share=1 sigma=0.5", NULL, 0, 0, "sigma has to be at least 1"},
    /* By hand, each from its term. full: 100 B; trimmed: 36 B or as the whole line; kept: a sector or no more than
     * the line; saving: q (1 - sigma 2/5); saving_both: q (1 - sigma 3/6); break_even: 5/2; break_even_both: 6/3;
     * misses: 1 + i q; misses_all: 1 + q or one sector. */
    {NULL, "flit=20B header=4B address=8B line=96B sector=32B share=0.5 sigma=2 between=0.25",
     "full=5 trimmed=2 kept=32 saving=0.09999999999999998 saving_both=0 break_even=2.5 break_even_both=2 misses=1.125 "
     "misses_all=1.5",
     0, 1e-12, "by hand"},
    {NULL, BY_HAND_2, "misses_all", 2, 1e-12, "three sectors make a line"},
    {NULL, BY_HAND_2, "saving", -0.09999999999999998, 1e-12, "sigma stops at 3"},
    {NULL, "flit=20B header=4B address=8B line=96B sector=128B share=0.5 sigma=9 between=0.25",
     "kept=96 trimmed=5 misses_all=1", 0, 1e-12, "by hand"},
    {NULL, BY_HAND_4, "misses", 1, 1e-12, "touched once where not given"},
    {NULL, BY_HAND_4, "saving", 0.3, 1e-12, "the same"},
    {NULL, "flit=20B header=4B address=8B line=96B sector=32B share=0.5 sigma=2", "misses", 1.5, 1e-12,
     "every miss crosses where not given"},
};

MODEL_ROWS("trim", rows)
