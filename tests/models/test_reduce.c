/* test_reduce.c -- reduce in the switches and by the hosts */
#include "../support/model_rows.h"

#define SW "sharp-switchib2"
#define T1(s1) (2.31e-6 + 24 * 0.175e-9 * (s1))
#define GAP (0.258e-6 + 16 * 256 / 12.5e9)
static const model_row rows[] = {
    {SW, "hosts=128 s=8B", "time", T1(8), 1e-13, "at most the allreduce"},
    {SW, "hosts=128 s=8B", "least", T1(8) / 2, 1e-13, "at least half of it"},
    {SW, "hosts=128 s=600B", "least", T1(256) / 2 + 2 * GAP, 1e-13, "three aggregations, pipelined"},
    {SW, "hosts=128 s=8B", "by_hosts", 7 * (0.75e-6 + 8 * 1.128e-9), 1e-13, "binomial tree"},
    {SW, "hosts=128 s=8B gamma=1ns/B", "by_hosts", 7 * (0.75e-6 + 8 * 2.128e-9), 1e-13, "combined every round"},
    {SW, "hosts=128 s=8B processes=2", "on_node", 0.3e-6 + 8 * 0.56e-9, 1e-13, "one way only"},
    {SW, "hosts=1 s=8B", "by_hosts", 0, 0, "alone"},
    {SW, "hosts=128 s=-1B", NULL, 0, 0, "s has to be at least 0"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("reduce", rows);
}
