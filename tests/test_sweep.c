/* test_sweep.c -- ranges in every style, what is refused, values against formulas written out here */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

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

TEST_EACH(test_ranges, sizeof ranges / sizeof *ranges)
{
    int i = 0;
    ns_value *root = cli_json_with("sweep postal alpha=1us beta=1ns/B --over 's=%s'", ranges[_i].range);
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next, i++) {
        ck_assert_int_lt(i, ranges[_i].count);
        near(number_at(row, "s"), ranges[_i].value[i], 1e-14, ranges[_i].range);
        near(number_at(row, "time"), 1e-6 + 1e-9 * ranges[_i].value[i], 1e-14, ranges[_i].range);
    }
    ck_assert_int_eq(i, ranges[_i].count);
}

/* Without a number of values there are 25, both ends among them. */
TEST(test_default_points)
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
}

static const cli_refusal refused[] = {
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

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* (2.2) with [NA] Tables 2 and 4, off node in host memory, written out; the protocol is that of s/m. */
static double max_rate(double m, double s, double ppn)
{
    static const double alpha[] = {1.89e-6, 2.44e-6, 7.76e-6}, beta[] = {0.688e-9, 0.379e-9, 0.0797e-9};
    const int p = s / m >= 16384 ? 2 : s / m >= 256 ? 1 : 0;
    return alpha[p] * m + fmax(ppn * s * 0.0419e-9, s * beta[p]);
}

TEST(test_two_axes)
{
    int count = 0;
    ns_value *root = cli_json("sweep max-rate --machine lassen m=3 --over s=16B:4MiB:x2 --over ppn=1,7,40");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next, count++) {
        near(number_at(row, "time"), max_rate(3, number_at(row, "s"), number_at(row, "ppn")), 1e-12, "time");
        near(number_at(row, "startup") + number_at(row, "transfer"), number_at(row, "time"), 1e-14, "terms");
    }
    ck_assert_int_eq(count, 19 * 3);
}

TEST(test_several_curves)
{
    ns_value *root = cli_json("sweep postal max-rate --machine lassen ppn=40 s=16B:4MiB:x4");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next) {
        const double s = number_at(row, "s"), a = max_rate(1, s, 0), b = max_rate(1, s, 40);
        near(number_at(row, "postal"), a, 1e-12, "postal");
        near(number_at(row, "max-rate"), b, 1e-12, "max-rate");
        ck_assert_str_eq(text_at(row, "best"),
                         number_at(row, "max-rate") < number_at(row, "postal") ? "max-rate" : "postal");
    }
}

TEST(test_words)
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
}

TEST_TIMEOUT(120)
