/* test_sharp_crossover.c -- where the switches stop winning, against trying every size and count */
#include "../support/model_rows.h"
#include "api/library.h"

#define SW "sharp-switchib2"
static const model_row rows[] = {
    {SW, "hosts=128 s=8B processes=28", "channels_size", 1280, 1e-9,
     "[SH] 3.1: two channels win up to 1024 B and lose at 2048 B; here up to the fifth aggregation"},
    {SW, "hosts=128 s=8B processes=28 s_most=1280B", "channels_size", 1280, 0, "the last aggregation of all"},
    {SW, "hosts=128 s=8B processes=28 s_most=1279B", "channels_size", 1024, 0, "the last whole one"},
    {SW, "hosts=128 s=8B", "gain", 5.313168 / 2.3436, 1e-9, "host-allreduce over sharp at 8 B"},
    {SW, "hosts=128 s=8B share=5%", "application", 1 / (0.95 + 0.05 * 2.3436 / 5.313168), 1e-9,
     "Amdahl: 5 % of the time, 2.27 times as fast"},
    {SW, "hosts=128 s=8B", "application", 1, 0, "no share, no gain"},
    {SW, "hosts=128 s=8B observed=1.018", "implied_share", (1 - 1 / 1.018) / (1 - 2.3436 / 5.313168), 1e-9,
     "[SH] Table 3: 1.8 % on average would be 3.2 % of the time in reductions of 8 B"},
    {SW, "hosts=128 s=8B", "size", 22784, 0,
     "the last aggregation before the hosts catch up, at the rate of their ports"},
    {SW, "hosts=128 s=8B port=0GB/s", "size", 16777216, 0, "s_most: at the slope of 4 KiB they never do"},
    {SW, "hosts=128 s=8B processes=28", "host", 5.313168e-6 + 2 * (0.3e-6 + 0.56e-9 * 8) + 8 * (0.055e-6 + 0.1e-9 * 8),
     1e-9, "and there and back on the node: 14 processes of a socket, two sockets"},
    {SW, "hosts=128 s=8B processes=1", "channels_size", 0, 0, "one process has one channel"},
    {SW, "hosts=2 s=8B", "processes", 0, 0, "two hosts need one message: never"},
    {SW, "hosts=128 s=8B T00=100us", "hosts", 0, 0, "a slow switch never wins at 8 B"},
    {SW, "hosts=128 s=8B", "processes", 1, 0, "at any number of processes"},
    {SW, "hosts=128 s=8B radix=16,8", "hosts", 0, 0, "not with a given radix"},
    {SW, "hosts=128 s=8B s_most=0B", NULL, 0, 0, "s_most has to be more than 0"},
    {SW, "hosts=128 s=8B radix=2", NULL, 0, 0, "the tree holds 2 hosts"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
    {"sharp-switchib2", "hosts=128 s=8B T00=7.9us", "hosts", 0, 0, "1025 hosts would do, one more than are looked at"},
    {"sharp-switchib2", "hosts=128 s=8B segment=2B s_most=8589934594B", NULL, 0, 0, "more than 2^32 segments"},
    {"sharp-switchib2", "hosts=128 s=8B segment=2B s_most=8589934592B", "channels_size", 0, 0,
     "2^32 segments are not too many"},
};

/* ---- the slow way ------------------------------------------------------------------------------------------------ */

static double evaluate(const ns_machine *machine, const char *name, const char *output, const char *const *given)
{
    const ns_model *model = ns_model_find(name);
    ns_binding binding;
    ns_model_buffer out;
    ns_error err = {0};
    ns_bind_open(&binding, model, machine);
    for (; *given != NULL; given++)
        ck_assert_msg(ns_bind_text(&binding, *given, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_bind_close(&binding, &err) == NS_OK && ns_model_eval(&binding, &out, &err) == NS_OK, "%s",
                  err.text);
    return ns_field_number(ns_field_find(model->outputs, output), &out);
}

static bool wins(const ns_machine *machine, int hosts, int bytes, const char *gap)
{
    char s[32], h[32], n[32];
    snprintf(s, sizeof s, "s=%dB", bytes);
    snprintf(h, sizeof h, "hosts=%d", hosts);
    snprintf(n, sizeof n, "nodes=%d", hosts);
    const char *const sharp[] = {s, h, gap, "distribution=ud", NULL}, *const host[] = {s, n, NULL};
    return evaluate(machine, "sharp", "time", sharp) < evaluate(machine, "host-allreduce", "time", host);
}

/* A gap that lets the hosts win from some size on. */
TEST(size_is_where_the_hosts_catch_up)
{
    ns_machine *machine;
    const char *const given[] = {"hosts=128", "s=8B", "g0=3us", "s_most=64KiB", NULL};
    ck_assert_int_eq(ns_machine_load(SW, &machine, NULL), NS_OK);
    int last = 1;
    while (wins(machine, 128, last + 1, "g0=3us") && last < 65536)
        last++;
    ck_assert_int_lt(last, 65536);
    ck_assert_double_eq_tol(floor(evaluate(machine, "sharp-crossover", "size", given)), last, 0.5);
    ns_machine_free(machine);
}

/* Within an aggregation that carries every length, where both take as long. */
TEST(size_within_a_segment)
{
    ns_machine *machine;
    const char *const given[] = {"hosts=128", "s=8B", "g0=3us", "s_most=64KiB", "segment=64KiB", NULL};
    ck_assert_int_eq(ns_machine_load(SW, &machine, NULL), NS_OK);
    char at[40];
    snprintf(at, sizeof at, "s=%.17gB", evaluate(machine, "sharp-crossover", "size", given));
    const char *const sharp[] = {at, "hosts=128", "g0=3us", "segment=64KiB", "distribution=ud", NULL}, *const host[] = {
                                                                                                           at,
                                                                                                           "nodes=128",
                                                                                                           NULL};
    const double time = evaluate(machine, "sharp", "time", sharp);
    ck_assert_double_gt(time, 1e-6);
    ck_assert_double_eq_tol(evaluate(machine, "host-allreduce", "time", host) / time, 1, 1e-12);
    ns_machine_free(machine);
}

TEST(hosts_are_the_fewest)
{
    ns_machine *machine;
    const char *const given[] = {"hosts=128", "s=8B", NULL};
    int hosts = 200;
    ck_assert_int_eq(ns_machine_load(SW, &machine, NULL), NS_OK);
    while (hosts > 2 && wins(machine, hosts - 1, 8, "radix_most=0"))
        hosts--;
    ck_assert_double_eq(evaluate(machine, "sharp-crossover", "hosts", given), hosts);
    ck_assert_int_gt(hosts, 2);
    ns_machine_free(machine);
}

MODEL_ROWS("sharp-crossover", rows)
