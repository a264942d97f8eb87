/* test_sweep.c -- ranges in every style, values against formulas written out here, the best strategy against a scan */
#include "support/cli.h"
#include "support/values.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- ranges ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *range;
    int count;
    double value[8];
} ranges[] = {
    {"4KiB", 1, {4096}},
    {"1B,4KiB,1MB", 3, {1, 4096, 1e6}},
    {"1:1KiB:x4", 6, {1, 4, 16, 64, 256, 1024}},
    {"1KiB:4KiB:+1KiB", 4, {1024, 2048, 3072, 4096}},
    {"0B:100B:+50B", 3, {0, 50, 100}},
    {"1B:10kB:5", 5, {1, 10, 100, 1000, 10000}}, /* two decades or more: equal ratios */
    {"10B:50B:5", 5, {10, 20, 30, 40, 50}},      /* less: equal steps */
    {"1B:10kB:3lin", 3, {1, 5000.5, 10000}},
    {"4B:64B:3log", 3, {4, 16, 64}},
    {"16B:64B:x2,1kB,2kB:6kB:3", 7, {16, 32, 64, 1000, 2000, 4000, 6000}},
    {" 1 KiB : 4 KiB : x2 ", 3, {1024, 2048, 4096}},
};

START_TEST(test_ranges)
{
    char line[200];
    int i = 0;
    snprintf(line, sizeof line, "sweep postal alpha=1us beta=1ns/B --over 's=%s'", ranges[_i].range);
    ns_value *root = cli_json(line);
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next, i++) {
        ck_assert_int_lt(i, ranges[_i].count);
        near(number_at(row, "s"), ranges[_i].value[i], 1e-14, ranges[_i].range);
        near(number_at(row, "time"), 1e-6 + 1e-9 * ranges[_i].value[i], 1e-14, ranges[_i].range);
    }
    ck_assert_int_eq(i, ranges[_i].count);
    ns_value_free(root);
}
END_TEST

/* Without a number of values there are 25, both ends among them. */
START_TEST(test_default_points)
{
    int count = 0;
    double last = 0;
    ns_value *root = cli_json("sweep postal alpha=1us beta=1ns/B s=1B:1MiB");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next, count++) {
        if (count > 1)
            near(number_at(row, "s") / last, pow(1048576, 1.0 / 24), 1e-12, "ratio");
        last = number_at(row, "s");
    }
    ck_assert_int_eq(count, 25);
    ck_assert_double_eq(last, 1048576);
    ns_value_free(root);
}
END_TEST

static const struct {
    const char *line;
    int code;
    const char *words;
} refused[] = {
    {"sweep", 2, "sweep wants a model, or --over strategy"},
    {"sweep postal --machine lassen", 2, "sweep wants something to vary"},
    {"sweep postl s=1B:1kB", 1, "did you mean \"postal\"?"},
    {"sweep postal --machine lassen --over x=1B:1kB", 1, "postal has no number \"x\" to vary"},
    {"sweep postal --machine lassen --over s", 2, "\"s\" is not NAME=RANGE"},
    {"sweep postal --machine lassen s=1B:1kB:lo", 1,
     "\"lo\" is no step: wants x2, +10, or a number of values (21, 21log, 21lin) (column 10 of \"s=1B:1kB:lo\")"},
    {"sweep postal --machine lassen s=1B:1kB:1", 1, "a range wants 2 to 100000 values, got \"1\" (column 10"},
    {"sweep postal --machine lassen s=1B:1kB:999999999999999999999", 1, "a range wants 2 to 100000 values"},
    {"sweep postal --machine lassen s=1kB:1B", 1, "does not rise, wants first:last with first < last (column 3"},
    {"sweep postal --machine lassen s=1kB:1kB:5", 1, "does not rise"},
    {"sweep postal --machine lassen s=0B:1kB:5log", 1, "equal ratios want a first value above 0"},
    {"sweep postal --machine lassen s=1e-300B:1e308B", 1, "is too wide (column 3 of"},
    {"sweep postal --machine lassen s=1B:1kB:x1", 1, "wants a factor above 1"},
    {"sweep postal --machine lassen s=1B,2,3B", 1, "got the bare number \"2\" (column 6 of \"s=1B,2,3B\")"},
    {"sweep postal --machine lassen s=1B:1MiB:x2,3us", 1, "s wants a size like \"1 B\", got \"3us\" (column 14 of"},
    {"sweep postal --machine lassen s=1B,,2B", 1, "an empty place in the list"},
    {"sweep postal --machine lassen s=1B:2B:3:4", 1, "is no step"},
    {"sweep postal --machine lassen s=1B,2B protocol=eager,", 1, "protocol: an empty place in the list"},
    {"sweep postal --machine lassen s=1B,2B protocol=eager,rendezvos", 1, "protocol has no choice \"rendezvos\""},
    {"sweep max-rate --machine lassen s=1B,2B m=1,2 ppn=1,2", 2,
     "sweep varies at most two inputs; \"ppn=1,2\" would be the third"},
    {"sweep postal --machine lassen --over s=1B,2B --over s=1B,2B", 2, "s is varied twice"},
    {"sweep postal --machine lassen s=1B,2B --of tme", 1, "did you mean \"time\"?"},
    {"sweep postal --machine lassen,bluewaters s=1B,2B", 2, "sweep takes one machine"},
    {"sweep postal s=1B,2B --set host.off-node.eager.alpha=1us", 2, "--set changes a machine"},
    {"sweep postal s=1B,2B", 1, "postal lacks alpha"},
    {"sweep max-rate --machine lassen s=1B,2B ppn=-1,1", 1, "ppn has to be at least 0"},
    {"sweep split-md s=1B,2B", 2, "strategies read a machine's tables: give --machine NAME"},
    {"sweep split-md/divice s=1B,2B --machine lassen", 1, "no transport \"divice\""},
    {"sweep split-md/device s=1B,2B --machine lassen", 1, "machine lassen does not run split-md/device"},
    {"sweep splt-md/host s=1B,2B --machine lassen", 1, "did you mean \"split-md\"?"},
    {"sweep --over strategy postal", 2, "--over strategy compares strategies, not models"},
    {"sweep --over strategy duplicates=1.5", 1, "duplicates has to be at least 0 and at most 1, got 1.5"},
    {"sweep postal --machine lassen s=1B,2B --price published", 2, "--price is for --over strategy"},
    {"sweep --over strategy --price guess", 1, "--price has no choice \"guess\"; it is one of schedule, published"},
    {"sweep --over strategy --price schedule duplicates=0.5", 1, "duplicates are of the closed forms"},
    {"sweep --over strategy nodes=1e7 s=1KiB messages=8", 1,
     "8 messages of 1024 B from each of 1e+07 nodes are too many for a schedule; closed forms take them"},
    {"sweep --over strategy --of copy", 1, "strategies have one output, time; got --of copy"},
    {"sweep --over strategy nodes=0", 1, "nodes has to be at least 1, got 0"},
    {"sweep --over strategy nodes=4 nodes=5", 2, "nodes is given twice"},
    {"sweep --over strategy s=16", 1, "s wants a size like"},
    {"sweep --over strategy mesages=16", 1, "strategies have no input \"mesages\""},
};

START_TEST(test_refused)
{
    cli_result r = cli(refused[_i].line);
    ck_assert_msg(r.code == refused[_i].code, "%s exits %d: %s", refused[_i].line, r.code, r.err);
    ck_assert_msg(strstr(r.err, refused[_i].words) != NULL, "%s: %s", refused[_i].line, r.err);
    ck_assert_ptr_nonnull(strchr(r.err, '\n'));
    ck_assert_msg(strchr(r.err, '\n')[1] == '\0', "more than one line: %s", r.err);
    ck_assert_str_eq(r.out, "");
    cli_free(&r);
}
END_TEST

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* (2.2) with [NA] Tables 2 and 4, off node in host memory, written out; the protocol is that of s/m. */
static double max_rate(double m, double s, double ppn)
{
    static const double alpha[] = {1.89e-6, 2.44e-6, 7.76e-6}, beta[] = {0.688e-9, 0.379e-9, 0.0797e-9};
    const int p = s / m >= 16384 ? 2 : s / m >= 256 ? 1 : 0;
    return alpha[p] * m + fmax(ppn * s * 0.0419e-9, s * beta[p]);
}

START_TEST(test_two_axes)
{
    int count = 0;
    ns_value *root = cli_json("sweep max-rate --machine lassen m=3 --over s=16B:4MiB:x2 --over ppn=1,7,40");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next, count++) {
        near(number_at(row, "time"), max_rate(3, number_at(row, "s"), number_at(row, "ppn")), 1e-12, "time");
        near(number_at(row, "startup") + number_at(row, "transfer"), number_at(row, "time"), 1e-14, "terms");
    }
    ck_assert_int_eq(count, 19 * 3);
    ns_value_free(root);
}
END_TEST

START_TEST(test_several_curves)
{
    ns_value *root = cli_json("sweep postal max-rate --machine lassen ppn=40 s=16B:4MiB:x4");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next) {
        const double s = number_at(row, "s"), a = max_rate(1, s, 0), b = max_rate(1, s, 40);
        near(number_at(row, "postal"), a, 1e-12, "postal");
        near(number_at(row, "max-rate"), b, 1e-12, "max-rate");
        ck_assert_str_eq(text_at(row, "best"),
                         number_at(row, "max-rate") < number_at(row, "postal") ? "max-rate" : "postal");
    }
    ns_value_free(root);
}
END_TEST

START_TEST(test_words)
{
    static const char *const protocols[] = {"short", "eager", "rendezvous"};
    static const double alpha[] = {1.89e-6, 2.44e-6, 7.76e-6}, beta[] = {0.688e-9, 0.379e-9, 0.0797e-9};
    int count = 0;
    ns_value *root = cli_json("sweep postal --machine lassen --over protocol=short,eager,rendezvous --over s=1kB,50kB");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next, count++) {
        ck_assert_str_eq(text_at(row, "protocol"), protocols[count % 3]);
        near(number_at(row, "time"), alpha[count % 3] + beta[count % 3] * number_at(row, "s"), 1e-12, "time");
    }
    ck_assert_int_eq(count, 6);
    ns_value_free(root);
}
END_TEST

/* ---- the best strategy ------------------------------------------------------------------------------------------ */

static double eval_time(const char *line)
{
    ns_value *root = cli_json(line);
    const double time = ns_value_at(root, "outputs.time.value")->number;
    ns_value_free(root);
    return time;
}

/* Every strategy's time is eval's of the model with the counts of the scenario, and best is the least of them. */
START_TEST(test_strategies)
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
    ck_assert_str_eq(text_at(root, "price"), "published"); /* duplicates have closed forms only */
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
END_TEST

/* The hand values of Section 4.6: nodes, messages, size, strategy, seconds to the digits of the page. */
START_TEST(test_section_46)
{
    ns_value *root = cli_json("sweep --over strategy --price published --machine lassen messages=256 nodes=16 s=1KiB");
    const ns_value *times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    near(number_at(times, "split-md/host"), 69e-6, 0.01, "Split+MD");
    near(number_at(times, "three-step/host"), 115e-6, 0.01, "3-Step");
    ns_value_free(root);
    root = cli_json("sweep --over strategy --price published --machine lassen messages=32 nodes=4 s=16B,16KiB");
    times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    near(number_at(times, "split-md/host"), 28e-6, 0.018, "Split+MD");
    near(number_at(times, "three-step/host"), 33e-6, 0.018, "3-Step");
    times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->last, "times_s");
    near(number_at(times, "standard/host"), 114.7e-6, 1e-3, "standard, staged");
    near(number_at(times, "standard/device"), 110.5e-6, 1e-3, "standard, device-aware");
    ns_value_free(root);
}
END_TEST

/* Without GPUs a node's parts are its host processes, and there is only the host. */
START_TEST(test_other_machine)
{
    ns_value *root =
        cli_json("sweep --over strategy --price published --machine bluewaters s=1KiB messages=64 nodes=8");
    ck_assert_double_eq(number_at(root, "per_node"), 16);
    const ns_value *times = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "times_s");
    ck_assert_ptr_nonnull(ns_value_get(times, "standard/host"));
    ck_assert_ptr_null(ns_value_get(times, "standard/device"));
    /* four messages of 1 KiB each, eager: (2.2) without copies */
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("bluewaters", &machine, NULL), NS_OK);
    const ns_line *line = &machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER];
    near(number_at(times, "standard/host"),
         4 * line->alpha + fmax(4096 * line->beta, 16 * 4096 * machine->inverse_R_N[NS_HOST]), 1e-12, "standard");
    ns_machine_free(machine);
    ns_value_free(root);
}
END_TEST

/* ---- schedules --------------------------------------------------------------------------------------------------- */

static ns_exchange *exchange_of(double messages, double nodes, double s, const ns_machine *machine)
{
    ns_exchange *x;
    const ns_scenario scenario = {.size = sizeof scenario, .s = s, .messages = messages, .nodes = nodes};
    ck_assert_int_eq(ns_scenario_exchange(&scenario, machine, &x, NULL), NS_OK);
    return x;
}

/* Counts of [NA] Figure 4.3 by hand: M messages of a node to n nodes from 4 GPUs. */
START_TEST(test_scenario_exchange)
{
    static const struct {
        double messages, nodes;
        int64_t pairs, m_proc, m_proc_node; /* pairs of parts that send; of a part: others and nodes */
    } rows[] = {{32, 4, 5 * 32, 8, 4},      /* 8 a GPU: two to each node */
                {32, 16, 17 * 32, 8, 8},    /* half of the nodes each */
                {256, 16, 17 * 256, 64, 16},
                {256, 4, 5 * 64, 16, 4}, /* 16 other GPUs: four messages to each */
                {3, 2, 3 * 3, 1, 1}};
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
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
    ns_machine_free(machine);
}
END_TEST

/* Where every message has a receiver of its own, the sweep is predict of that list of messages: times, chances,
 * verdict. */
START_TEST(test_schedules_are_predicts)
{
    static const char plan[] = "build/scenario.csv";
    char line[300];
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
    ns_exchange *x = exchange_of(32, 4, 3000, machine);
    FILE *file = fopen(plan, "w");
    ck_assert_ptr_nonnull(file);
    for (int64_t i = 0; i < x->routes; i++)
        fprintf(file, "%d,%d,%d\n", (int)x->route[i].from, (int)x->route[i].to, (int)x->route[i].entries);
    fclose(file);
    ns_exchange_free(x);
    ns_machine_free(machine);
    ns_value *swept = cli_json("sweep --over strategy --machine lassen messages=32 nodes=4 s=3000B");
    snprintf(line, sizeof line, "predict --machine lassen --messages %s", plan);
    ns_value *predicted = cli_json(line);
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
    ns_value_free(swept);
    ns_value_free(predicted);
}
END_TEST

/* 64 messages of a GPU to 16 others, four to each: standard sends them one by one, the node-aware ones bundle them, so
 * that for them four messages of s are one of 4 s. */
START_TEST(test_messages_stay_apart)
{
    static const char few[] = "sweep --over strategy --machine lassen --set host.off-node.eager.alpha=%s "
                              "--set host.off-node.short.alpha=%s messages=256 nodes=4 s=1000B";
    char line[300];
    snprintf(line, sizeof line, few, "2.44us", "1.89us");
    ns_value *before = cli_json(line);
    snprintf(line, sizeof line, few, "2.44us", "2.89us");
    ns_value *after = cli_json(line);
    ns_value *bundled = cli_json("sweep --over strategy --machine lassen messages=64 nodes=4 s=4000B");
    const ns_value *a = ns_value_get(ns_value_get(ns_value_get(before, "cases")->first, "rows")->first, "times_s");
    const ns_value *b = ns_value_get(ns_value_get(ns_value_get(after, "cases")->first, "rows")->first, "times_s");
    const ns_value *c = ns_value_get(ns_value_get(ns_value_get(bundled, "cases")->first, "rows")->first, "times_s");
    near(number_at(a, "three-step/host"), number_at(c, "three-step/host"), 1e-12, "bundled");
    near(number_at(a, "two-step/device"), number_at(c, "two-step/device"), 1e-12, "bundled");
    ck_assert_double_gt(number_at(a, "standard/device"), 1.01 * number_at(c, "standard/device"));
    ck_assert_double_eq(number_at(a, "standard/host"),
                        number_at(b, "standard/host")); /* eager: the short alpha is no part */
    ns_value_free(before);
    ns_value_free(after);
    ns_value_free(bundled);
}
END_TEST

START_TEST(test_figure)
{
    cli_result r = cli("sweep --over strategy --machine lassen --price published");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "32 msgs to 4 nodes"));
    ck_assert_ptr_nonnull(strstr(r.out, "256 msgs to 16 nodes"));
    ck_assert_ptr_nonnull(strstr(r.out, "split-md/host 69.2 us"));
    cli_free(&r);
    r = cli("sweep --over strategy s=1KiB,1MiB --price published --format csv");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "nodes,messages,s,strategy,transport,time_s,next,next_s,verdict\n"));
    int lines = 0;
    for (const char *c = r.out; *c != '\0'; c++)
        lines += *c == '\n';
    ck_assert_int_eq(lines, 1 + 4 * 2);
    cli_free(&r);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("sweep");
    TCase *tc = tcase_create("sweep");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_ranges, 0, sizeof ranges / sizeof *ranges);
    tcase_add_test(tc, test_default_points);
    tcase_add_loop_test(tc, test_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tc, test_two_axes);
    tcase_add_test(tc, test_several_curves);
    tcase_add_test(tc, test_words);
    tcase_add_test(tc, test_strategies);
    tcase_add_test(tc, test_section_46);
    tcase_add_test(tc, test_other_machine);
    tcase_add_test(tc, test_scenario_exchange);
    tcase_add_test(tc, test_schedules_are_predicts);
    tcase_add_test(tc, test_messages_stay_apart);
    tcase_add_test(tc, test_figure);
    suite_add_tcase(s, tc);
    return s;
}
