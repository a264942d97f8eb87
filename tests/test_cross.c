/* test_cross.c -- borders between models found along one input */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

static const struct {
    const char *line;
    double border; /* the only one, SI */
    const char *winners[2];
    const char *source;
} rows[] = {
    {"cross rendezvous:protocol=eager rendezvous:protocol=rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 --over "
     "s=1B:1MiB",
     7500,
     {"rendezvous:protocol=eager", "rendezvous:protocol=rendezvous"},
     "s* = 2 L B_c / n_c"},
    {"cross rendezvous:protocol=eager rendezvous:protocol=rendezvous --machine bxi n_c=1 --over s=1B:1MiB",
     2 * 1.5e-6 * 10e9,
     {"rendezvous:protocol=eager", "rendezvous:protocol=rendezvous"},
     "s* = 2 L B_c / n_c with bxi's numbers"},
    {"cross postal:protocol=eager postal:protocol=rendezvous --machine lassen --over s=1B:1MiB",
     (7.76e-6 - 2.44e-6) / (3.79e-10 - 7.97e-11),
     {"postal:protocol=eager", "postal:protocol=rendezvous"},
     "models.md 7: 17.8 kB from [NA] Table 2"},
    {"cross postal:protocol=short postal:protocol=eager --machine lassen locality=on-node --over s=1B:4KiB",
     (1.17e-6 - 0.925e-6) / (1.19e-9 - 2.18e-10),
     {"postal:protocol=short", "postal:protocol=eager"},
     "models.md 7: 252 B"},
    {"cross multirail:B=10GB/s multirail:B=10GB/s,10GB/s --machine bxi --over s=1kB:10MB",
     1e6,
     {"multirail:B=10GB/s", "multirail:B=10GB/s,10GB/s"},
     "[RS] Figure 7: striping begins past 1 MB; until then both are equal"},
};

TEST_EACH(test_border, sizeof rows / sizeof *rows)
{
    ns_value *root = cli_json(rows[_i].line);
    const ns_value *first = ns_value_get(root, "reigns")->first;
    ck_assert_ptr_nonnull(first->next);
    ck_assert_ptr_null(first->next->next);
    ck_assert_str_eq(ns_value_get(first, "winner")->text, rows[_i].winners[0]);
    ck_assert_str_eq(ns_value_get(first->next, "winner")->text, rows[_i].winners[1]);
    ck_assert_double_eq(ns_value_get(first, "to")->number, ns_value_get(first->next, "from")->number);
    ck_assert_msg(fabs(ns_value_get(first, "to")->number - rows[_i].border) <= 1e-9 * rows[_i].border,
                  "%s: %.12g, wanted %.12g (%s)", rows[_i].line, ns_value_get(first, "to")->number, rows[_i].border,
                  rows[_i].source);
}

/* Three winners one after the other: short, eager, rendezvous. */
TEST(test_three)
{
    ns_value *root =
        cli_json("cross postal:protocol=short postal:protocol=eager postal:protocol=rendezvous --machine lassen "
                 "locality=on-node --over s=1B:1MiB");
    int count = 0;
    for (const ns_value *r = ns_value_get(root, "reigns")->first; r != NULL; r = r->next)
        count++;
    ck_assert_int_eq(count, 3);
    ns_value_free(root);
}

/* Who is the least at s, by the sweep of one size. */
static void least_at(double s, const char *scenario, char *winner, size_t size)
{
    ns_value *root = cli_json_with("sweep --over strategy --price corrected --machine lassen s=%.17gB %s", s, scenario);
    const ns_value *row = ns_value_get(ns_value_get(ns_value_get(root, "cases")->first, "rows")->first, "strategy");
    snprintf(winner, size, "%s/%s", row->text, row->next->text);
}

/* Strategies: within each reign, a scan of sizes finds no other winner; the crossovers that change the winner are the
 * borders. */
TEST_EACH(test_strategies, 3)
{
    static const char *const scenarios[] = {"messages=256 nodes=16", "messages=32 nodes=4",
                                            "messages=256 nodes=4 duplicates=0.25"};
    char winner[64];
    ns_value *root = cli_json_with("cross strategies --machine lassen %s --over s=16B:1MiB", scenarios[_i]);
    int reigns = 0, borders = 0;
    for (const ns_value *r = ns_value_get(root, "reigns")->first; r != NULL; r = r->next, reigns++) {
        const double from = number_at(r, "from"), to = number_at(r, "to");
        for (int i = 0; i < 12; i++) {
            least_at(from * pow(to / from, (i + 0.5) / 12), scenarios[_i], winner, sizeof winner);
            ck_assert_msg(strcmp(winner, text_at(r, "winner")) == 0, "%s: %s wins between %g and %g, not %s",
                          scenarios[_i], winner, from, to, text_at(r, "winner"));
        }
    }
    for (const ns_value *c = ns_value_get(root, "crossovers")->first; c != NULL; c = c->next)
        borders += ns_value_get(c, "changes_winner")->truth;
    ck_assert_int_ge(reigns, 2);
    ck_assert_int_ge(borders, reigns - 1);
}

/* Every crossover of three lines, by hand: alpha + beta s of [NA] Table 2, on node. */
TEST(test_all_crossovers)
{
    static const double alpha[] = {0.925e-6, 1.17e-6, 6.77e-6}, beta[] = {1.19e-9, 0.218e-9, 0.149e-9};
    static const int pairs[][2] = {{0, 1}, {0, 2}, {1, 2}};
    ns_value *root =
        cli_json("cross postal:protocol=short postal:protocol=eager postal:protocol=rendezvous --machine lassen "
                 "locality=on-node --over s=1B:1MiB");
    int i = 0;
    for (const ns_value *c = ns_value_get(root, "crossovers")->first; c != NULL; c = c->next, i++) {
        const int a = pairs[i][0], b = pairs[i][1];
        const double at = (alpha[b] - alpha[a]) / (beta[a] - beta[b]);
        ck_assert_double_eq_tol(number_at(c, "at"), at, 1e-9 * at);
        ck_assert_double_eq_tol(number_at(c, "value"), alpha[a] + beta[a] * at, 1e-9 * number_at(c, "value"));
        ck_assert_str_eq(text_at(c, "meeting"), "cross");
        ck_assert_int_eq(ns_value_get(c, "changes_winner")->truth, i != 1);
    }
    ck_assert_int_eq(i, 3);
    ns_value_free(root);
}

/* At the switch of protocols, 16 KiB, a curve leaps over a constant one between its two values; equal curves only
 * part. */
TEST(test_meetings)
{
    ns_value *root = cli_json("cross postal postal:alpha=8.8us,beta=0ns/B --machine lassen --over s=8KiB:20KiB");
    const ns_value *c = ns_value_get(root, "crossovers")->first;
    ck_assert_ptr_null(c->next);
    ck_assert_str_eq(text_at(c, "meeting"), "jump");
    ck_assert_double_eq_tol(number_at(c, "at"), 16384, 1e-6);
    root = cli_json("cross multirail:B=10GB/s multirail:B=10GB/s,10GB/s --machine bxi --over s=1kB:10MB");
    c = ns_value_get(root, "crossovers")->first;
    ck_assert_str_eq(text_at(c, "meeting"), "part");
    ck_assert_double_eq_tol(number_at(c, "at"), 1e6, 1);
}

static const cli_refusal refused[] = {
    {"cross postal --machine lassen --over s=1B:1kB", 2, "cross wants at least two curves"},
    {"cross postal max-rate --machine lassen --over s", 2, "cross wants --over NAME=LO:HI"},
    {"cross postal max-rate --machine lassen --over s=1kB:1B", 1, "the range of s has to rise"},
    {"cross postal max-rate --machine lassen --over s=1:9", 1,
     "s wants a size like \"1 B\", got the bare number \"1\" (column 3 of \"s=1:9\")"},
    {"cross postal max-rate --machine lassen --over s=1B:9us", 1, "got \"9us\" (column 6 of \"s=1B:9us\")"},
    {"cross postal max-rate --machine lassen --over s=1B:9B:x2", 1,
     "cross looks between two ends: \"s=1B:9B:x2\" has more (column 8)"},
    {"cross strategies --over s=1B:9B", 2, "strategies read a machine's tables"},
    {"cross split-md/host split-dd/device --machine lassen --over s=1B:9B", 1,
     "machine lassen does not run split-dd/device"},
    {"cross postal max-rate:m=2 --machine lassen --over s=1B:9B zz=1", 1, "postal has no input \"zz\""},
    {"cross postal sharp-crossover --machine lassen --over s=1B:9B", 1, "sharp-crossover"},
    {"cross postal max-rate --machine lassen --over x=1B:9B", 1, "postal has no number \"x\" to vary"},
    {"cross postal max-rat --machine lassen --over s=1B:9B", 1, "did you mean \"max-rate\"?"},
    {"cross postal max-rate --machine lassen --over s=1B:9B --of tme", 1, "postal has no output \"tme\""},
    {"cross postal max-rate --over s=1B:9B", 1, "postal lacks alpha"},
};

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

TEST_TIMEOUT(120)
