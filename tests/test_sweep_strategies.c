/* test_sweep_strategies.c -- sweeps over strategies: the best against a scan, schedules against predict, the figure */
#include "support/cli.h"
#include "support/files.h"
#include "support/machines.h"
#include "support/test.h"
#include "support/values.h"

/* ---- the best strategy ------------------------------------------------------------------------------------------ */

static double eval_time(const char *line)
{
    ns_value *root = cli_json(line);
    const double time = ns_value_at(root, "outputs.time.value")->number;
    return time;
}

/* Every strategy's time is eval's of the model with the counts of the scenario, and best is the least of them. */
TEST(test_strategies)
{
    static const struct {
        const char *label, *model, *words;
    } forms[] = {{"standard/host", "standard", "transport=host"},
                 {"standard/device", "standard", "transport=device"},
                 {"three-step/host", "three-step", "transport=host"},
                 {"three-step/device", "three-step", "transport=device"},
                 {"two-step/host", "two-step", "transport=host case=all"},
                 {"two-step/device", "two-step", "transport=device case=all"},
                 {"split-md/host", "split", "variant=md"},
                 {"split-dd/host", "split", "variant=dd"}};
    int points = 0;
    ns_value *root =
        cli_json("sweep --over strategy --machine lassen messages=32,256 nodes=4,16 s=64B:256KiB:x64 duplicates=0.25");
    ck_assert_str_eq(text_at(root, "price"), "corrected"); /* duplicates have closed forms only */
    for (const ns_value *one = ns_value_get(root, "cases")->first; one != NULL; one = one->next)
        for (const ns_value *row = ns_value_get(one, "rows")->first; row != NULL; row = row->next, points++) {
            const double M = number_at(one, "messages"), n = number_at(one, "nodes"), s = number_at(row, "s");
            const double m = M / 4, pairs = m < n ? m : n;
            double least = INFINITY;
            for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
                const double kept = k < 2 ? 1 : 0.75;
                char line[400], counts[200];
                snprintf(counts, sizeof counts, "s_proc=%.17gB", kept * M * s / 4);
                if (k < 2)
                    snprintf(counts + strlen(counts), sizeof counts - strlen(counts), " m_proc=%.17g", m);
                else
                    snprintf(counts + strlen(counts), sizeof counts - strlen(counts),
                             " s_node=%.17gB s_node_node=%.17gB %s=%.17g", kept * M * s, kept * M * s / n,
                             k < 6 ? "send_nodes" : "recv_nodes", n);
                if (k >= 4)
                    snprintf(counts + strlen(counts), sizeof counts - strlen(counts), " m_proc_node=%.17g", pairs);
                snprintf(line, sizeof line, "eval %s --machine lassen %s %s", forms[k].model, forms[k].words, counts);
                const double time = eval_time(line);
                near(number_at(ns_value_get(row, "times_s"), forms[k].label), time, 1e-12, line);
                least = fmin(least, time);
            }
            near(number_at(row, "time_s"), least, 1e-12, "the best");
            ck_assert_str_eq(text_at(row, "verdict"), number_at(row, "next_s") - least < 0.1 * least ? "tie" : "clear");
        }
    ck_assert_int_eq(points, 4 * 3);
    ns_value_free(root);
}

/* The hand values of Section 4.6: nodes, messages, size, strategy, seconds to the digits of the page. */
TEST(test_section_46)
{
    ns_value *root = cli_json("sweep --over strategy --price corrected --machine lassen messages=256 nodes=16 s=1KiB");
    const ns_value *times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    near(number_at(times, "split-md/host"), 69e-6, 0.01, "Split+MD");
    near(number_at(times, "three-step/host"), 115e-6, 0.01, "3-Step");
    root = cli_json("sweep --over strategy --price corrected --machine lassen messages=32 nodes=4 s=16B,16KiB");
    times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    near(number_at(times, "split-md/host"), 28e-6, 0.018, "Split+MD");
    near(number_at(times, "three-step/host"), 33e-6, 0.018, "3-Step");
    times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->last, "times_s");
    near(number_at(times, "standard/host"), 114.7e-6, 1e-3, "standard, staged");
    near(number_at(times, "standard/device"), 110.5e-6, 1e-3, "standard, device-aware");
}

/* As printed, split spreads 19 messages of s_node on the socket and 20 to the other, twice, by (4.2) and Table 2:
 * 2 (19 (3.15 us + 0.0340 ns/B s) + 20 (6.77 us + 0.149 ns/B s)), s = 256 KiB. */
TEST(test_as_printed)
{
    ns_value *root = cli_json("sweep --over strategy --price published --machine lassen messages=256 nodes=16 s=1KiB");
    ns_value *form = cli_json("eval split --machine lassen form=printed s_proc=64KiB s_node=256KiB s_node_node=16KiB "
                              "m_proc_node=16 recv_nodes=16");
    const ns_value *times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    ck_assert_str_eq(text_at(root, "price"), "published");
    near(number_at(times, "split-md/host"), ns_value_at(form, "outputs.time.value")->number, 1e-12, "Split+MD");
    near(ns_value_at(form, "outputs.on_node.value")->number, 2291.568288e-6, 1e-9, "Split+MD on the node");
}

/* Without GPUs a node's parts are its host processes, and there is only the host. */
TEST(test_other_machine)
{
    ns_value *root =
        cli_json("sweep --over strategy --price corrected --machine bluewaters s=1KiB messages=64 nodes=8");
    ck_assert_double_eq(number_at(root, "per_node"), 16);
    const ns_value *times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    ck_assert_ptr_nonnull(ns_value_get(times, "standard/host"));
    ck_assert_ptr_null(ns_value_get(times, "standard/device"));
    /* four messages of 1 KiB each, eager: (2.2) without copies */
    ns_machine *machine = machine_named("bluewaters");
    const ns_line *line = &machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER];
    near(number_at(times, "standard/host"),
         4 * line->alpha + fmax(4096 * line->beta, 16 * 4096 * machine->inverse_R_N[NS_HOST]), 1e-12, "standard");
    ns_value_free(root);
}

/* ---- schedules --------------------------------------------------------------------------------------------------- */

static ns_exchange *exchange_of(double messages, double nodes, double s, const ns_machine *machine)
{
    ns_exchange *x;
    const ns_scenario scenario = {.s = s, .messages = messages, .nodes = nodes};
    ck_assert_int_eq(ns_scenario_exchange(&scenario, machine, &x, NULL), NS_OK);
    return x;
}

/* Counts of [NA] Figure 4.3 by hand: M messages of a node to n nodes from 4 GPUs. */
TEST(test_scenario_exchange)
{
    static const struct {
        double messages, nodes;
        int64_t pairs, m_proc, m_proc_node; /* pairs of parts that send; of a part: others and nodes */
    } rows[] = {{32, 4, 5 * 32, 8, 4},      /* 8 a GPU: two to each node */
                {32, 16, 17 * 32, 8, 8},    /* half of the nodes each */
                {256, 16, 17 * 256, 64, 16},
                {256, 4, 5 * 64, 16, 4}, /* 16 other GPUs: four messages to each */
                {3, 2, 3 * 3, 1, 1}};
    ns_machine *machine = machine_named("lassen");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ns_exchange *x = exchange_of(rows[i].messages, rows[i].nodes, 1000, machine);
        const ns_pattern *p = &x->pattern;
        ck_assert_int_eq(x->nodes, (int)rows[i].nodes + 1);
        ck_assert_int_eq(p->messages_off_node, rows[i].pairs);
        ck_assert_int_eq(p->messages_total, rows[i].pairs);
        ck_assert_int_eq(p->m_proc, rows[i].m_proc);
        ck_assert_int_eq(p->m_proc_node, rows[i].m_proc_node);
        ck_assert_int_eq(p->s_node, (int64_t)rows[i].messages * 1000);
        ck_assert_int_eq(p->bytes_off_node, (int64_t)(rows[i].messages * 1000 * (rows[i].nodes + 1)));
        ck_assert_int_eq(p->recv_nodes, p->send_nodes);
        ns_exchange_free(x);
    }
}

/* Where every message has a receiver of its own, the sweep is predict of that list of messages: times, chances,
 * verdict. */
TEST(test_schedules_are_predicts)
{
    ns_machine *machine = machine_named("lassen");
    ns_exchange *x = exchange_of(32, 4, 3000, machine);
    FILE *file = fopen(cli_path("scenario.csv"), "w");
    ck_assert_ptr_nonnull(file);
    for (int64_t i = 0; i < x->routes; i++)
        fprintf(file, "%d,%d,%d\n", (int)x->route[i].from, (int)x->route[i].to, (int)x->route[i].entries);
    fclose(file);
    ns_exchange_free(x);
    ns_value *swept = cli_json("sweep --over strategy --machine lassen messages=32 nodes=4 s=3000B");
    ns_value *predicted = cli_json("predict --machine lassen --messages TMP/scenario.csv");
    ck_assert_str_eq(text_at(swept, "price"), "schedule");
    const ns_value *row = ns_value_get(ns_value_get(swept, "cases")->first, "rows")->first;
    const ns_value *one = ns_value_get(predicted, "cases")->first;
    double sum = 0;
    int strategies = 0;
    for (const ns_value *s = ns_value_get(one, "strategies")->first; s != NULL; s = s->next, strategies++) {
        char label[80];
        snprintf(label, sizeof label, "%s/%s", text_at(s, "strategy"), text_at(s, "transport"));
        near(number_at(ns_value_get(row, "times_s"), label), number_at(s, "estimate_s"), 1e-15, label);
        near(number_at(ns_value_get(row, "p_best"), label), number_at(s, "p_best"), 1e-15, label);
        sum += number_at(s, "p_best");
    }
    ck_assert_int_eq(strategies, 8);
    near(sum, 1, 1e-12, "chances");
    ck_assert_str_eq(text_at(row, "strategy"), text_at(ns_value_get(one, "best"), "strategy"));
    ck_assert_str_eq(text_at(row, "verdict"), text_at(ns_value_get(one, "best"), "verdict"));
}

/* 64 messages of a GPU to 16 others, four to each: standard sends them one by one, the node-aware ones bundle them, so
 * that for them four messages of s are one of 4 s. */
TEST(test_messages_stay_apart)
{
    static const char few[] = "sweep --over strategy --machine lassen --set host.off-node.eager.alpha=%s "
                              "--set host.off-node.short.alpha=%s messages=256 nodes=4 s=1000B";
    ns_value *before = cli_json_with(few, "2.44us", "1.89us");
    ns_value *after = cli_json_with(few, "2.44us", "2.89us");
    ns_value *bundled = cli_json("sweep --over strategy --machine lassen messages=64 nodes=4 s=4000B");
    const ns_value *a = ns_value_get(ns_value_get(ns_value_get(before, "cases")->first, "rows")->first, "times_s");
    const ns_value *b = ns_value_get(ns_value_get(ns_value_get(after, "cases")->first, "rows")->first, "times_s");
    const ns_value *c = ns_value_get(ns_value_get(ns_value_get(bundled, "cases")->first, "rows")->first, "times_s");
    near(number_at(a, "three-step/host"), number_at(c, "three-step/host"), 1e-12, "bundled");
    near(number_at(a, "two-step/device"), number_at(c, "two-step/device"), 1e-12, "bundled");
    ck_assert_double_gt(number_at(a, "standard/device"), 1.01 * number_at(c, "standard/device"));
    ck_assert_double_eq(number_at(a, "standard/host"),
                        number_at(b, "standard/host")); /* eager: the short alpha is no part */
}

TEST(test_figure)
{
    cli_result r = cli("sweep --over strategy --machine lassen --price corrected");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "32 msgs to 4 nodes"));
    ck_assert_ptr_nonnull(strstr(r.out, "256 msgs to 16 nodes"));
    ck_assert_ptr_nonnull(strstr(r.out, "split-md/host 69.2 us"));
    r = cli("sweep --over strategy s=1KiB,1MiB --price corrected --format csv");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "nodes,messages,s,strategy,transport,time_s,next,next_s,verdict\n"));
    ck_assert_uint_eq(times_in(r.out, "\n"), 1 + 4 * 2);
}

TEST_TIMEOUT(120)
