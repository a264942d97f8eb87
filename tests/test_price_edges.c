/* test_price_edges.c -- numbers of the price that lie behind others: how wide an interval is, the error of a form that
 * was not calibrated, which strategies run, and the words that a closed form is given
 */

#include "model/binding.h"
#include "price/choice.h"
#include "price/decision.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

/* Quantiles of the normal distribution, (1 + confidence) / 2, from a library with 16 digits. */
TEST(width)
{
    static const struct {
        double confidence, z;
    } rows[] = {{0, 0},
                {0.5, 0.6744897501960817},
                {0.8, 1.2815515655446008},
                {0.9, 1.6448536269514722},
                {0.99, 2.5758293035489004},
                {0.999999, 4.891638475671084}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_double_eq_tol(ns_normal_width(rows[i].confidence), rows[i].z, 1e-9);
}

/* Var(a alpha + b beta), whatever the signs; of full correlation one error, and never below 0. */
TEST(variance)
{
    ck_assert_double_eq_tol(ns_line_variance(2, 3, 5, 7, 0), 36 + 1225, 1e-9);
    ck_assert_double_eq_tol(ns_line_variance(2, 3, 5, 7, 1), 41 * 41, 1e-9);
    ck_assert_double_eq_tol(ns_line_variance(2, 3, 5, 7, -1), 29 * 29, 1e-9);
    ck_assert_double_eq_tol(ns_line_variance(2, 3, 5, 7, -0.5), 36 + 1225 - 210, 1e-9);
    ck_assert_double_ge(ns_line_variance(1, 1, 1, 1, -1), 0);
}

/* Of a machine that says nothing of its own. */
TEST(error_of_a_form)
{
    ns_machine *bare = form_machine(0, false, false);
    ns_form_values values;
    ns_form_take(&ns_form_full, bare, NS_HOST, 0, &values);
    ck_assert_double_eq(values.error, 0.8);
}

/* Staged data want parameters of copies, on a machine with any GPU. */
TEST(runs)
{
    const ns_strategy *standard;
    ns_machine *machine = machine_named("lassen");
    ck_assert_int_eq(ns_strategy_get("standard", &standard, NULL), NS_OK);
    for (int gpus = 0; gpus < 3; gpus++)
        for (int copies = 0; copies < 2; copies++) {
            machine->gpus = gpus;
            machine->copy_levels = copies;
            ck_assert_int_eq(ns_strategy_runs(standard, NS_VIA_HOST, machine), gpus == 0 || copies > 0);
            ck_assert_int_eq(ns_strategy_runs(standard, NS_VIA_DEVICE, machine), gpus > 0);
        }
    ck_assert(!ns_strategy_runs(standard, (ns_transport)NS_TRANSPORTS, machine));
    ck_assert(!ns_strategy_runs(standard, (ns_transport)-1, machine));
}

/* Why one does not run: for want of copies, of tables, or because it never goes that way. */
TEST(runs_not)
{
    static const struct {
        const char *strategy;
        ns_transport transport;
        int gpus;
        bool tables;
        const char *text;
    } rows[] = {
        {"standard", NS_VIA_HOST, 4, true,
         "standard does not run by way of the host on machine lassen: it has GPUs but no copy parameters"},
        {"standard", NS_VIA_DEVICE, 0, true,
         "standard does not run by way of the device on machine lassen: it has no such tables"},
        {"standard", NS_VIA_DEVICE, 4, false,
         "standard does not run by way of the device on machine lassen: it has no such tables"},
        {"standard", NS_VIA_HOST, 0, false,
         "standard does not run by way of the host on machine lassen: it has no such tables"},
        {"split-md", NS_VIA_DEVICE, 4, true, "split-md does not run by way of the device on machine lassen"},
    };
    ns_machine *machine = machine_named("lassen");
    const ns_planned message = {0, 1, 8};
    ns_exchange *exchange;
    machine->copy_levels = 0;
    ck_assert_int_eq(ns_exchange_from_messages(&message, 1, (ns_layout){2, 1}, NULL, &exchange, NULL), NS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ns_strategy *strategy;
        ns_schedule *schedule = NULL;
        ns_error err = {0};
        machine->gpus = rows[i].gpus;
        for (int m = 0; m < NS_MEMORIES; m++)
            for (int l = 0; l < NS_LOCALITIES; l++)
                for (int p = 0; p < NS_PROTOCOLS; p++)
                    machine->line[m][l][p].given = rows[i].tables;
        ck_assert_int_eq(ns_strategy_get(rows[i].strategy, &strategy, NULL), NS_OK);
        ck_assert_int_eq(ns_schedule_build(strategy, rows[i].transport, exchange, machine, &schedule, &err),
                         NS_ERR_DATA);
        ck_assert_str_eq(err.text, rows[i].text);
        ck_assert_ptr_null(schedule);
    }
    ns_exchange_free(exchange);
}

/* A confidence is a share below 1; 0 stands for the default. */
TEST(confidence)
{
    static const double good[] = {0, 0.5, 1 - 0x1p-53}, bad[] = {1, -0x1p-60, 7, NAN, INFINITY};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_int_eq(ns_confidence_check(good[i], NULL), NS_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(ns_confidence_check(bad[i], NULL), NS_ERR_RANGE);
}

/* What the strategies are, by design section 4. */
static const struct {
    const char *name;
    bool node_aware, all_processes;
    int holders;
    const char *nest, *word;
} traits[] = {
    {"standard", false, false, 0, NULL, NULL},          {"three-step", true, false, 0, NULL, NULL},
    {"two-step", true, false, 0, NULL, "case=all"},     {"split-md", true, true, 0, "split", "variant=md"},
    {"split-dd", true, true, 4, "split", "variant=dd"},
};

static ns_exchange *some_exchange(void)
{
    ns_planned message[100];
    ns_exchange *exchange;
    for (int i = 0; i < 100; i++)
        message[i] = (ns_planned){i % 16, (i * 7 + 5) % 16 == i % 16 ? (i + 1) % 16 : (i * 7 + 5) % 16, 100 + 977 * i};
    ck_assert_int_eq(ns_exchange_from_messages(message, 100, (ns_layout){16, 4}, NULL, &exchange, NULL), NS_OK);
    return exchange;
}

TEST_EACH(trait, sizeof traits / sizeof *traits)
{
    const ns_strategy *s;
    ck_assert_int_eq(ns_strategy_get(traits[_i].name, &s, NULL), NS_OK);
    ck_assert_int_eq(s->node_aware, traits[_i].node_aware);
    ck_assert_int_eq(s->all_processes, traits[_i].all_processes);
    ck_assert_int_eq(s->holders, traits[_i].holders);
    ck_assert((s->nest == NULL) == (traits[_i].nest == NULL) &&
              (s->nest == NULL || strcmp(s->nest, traits[_i].nest) == 0));
    ck_assert((s->words == NULL) == (traits[_i].word == NULL));
    ck_assert(s->words == NULL || (strcmp(s->words[0], traits[_i].word) == 0 && s->words[1] == NULL));
}

/* The closed form of split with four processes that hold a GPU's data costs other than with one. */
TEST(published_words)
{
    const ns_strategy *md, *dd;
    ns_machine *machine = machine_named("lassen");
    ns_exchange *exchange = some_exchange();
    double of_md = -7, of_dd = -7;
    ck_assert_int_eq(ns_strategy_get("split-md", &md, NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_get("split-dd", &dd, NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_published(md, NS_VIA_HOST, exchange, machine, &of_md, NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_published(dd, NS_VIA_HOST, exchange, machine, &of_dd, NULL), NS_OK);
    ck_assert(of_md > 0 && of_dd > 0 && of_md != of_dd);
    ns_exchange_free(exchange);
}

/* Data of a node's only GPU are copied like those of several. */
TEST(one_gpu)
{
    const ns_strategy *standard;
    ns_machine *machine = machine_named("lassen");
    ns_exchange *exchange = some_exchange();
    ck_assert_int_eq(ns_strategy_get("standard", &standard, NULL), NS_OK);
    for (int gpus = 0; gpus < 3; gpus++) {
        ns_schedule *schedule;
        ns_price price;
        machine->gpus = gpus;
        ck_assert_int_eq(ns_schedule_build(standard, NS_VIA_HOST, exchange, machine, &schedule, NULL), NS_OK);
        ck_assert_int_eq(schedule->staged, gpus > 0);
        for (int d = 0; d < NS_DIRECTIONS; d++)
            ck_assert_int_eq(schedule->copies[d] > 0, gpus > 0);
        ck_assert_int_eq(ns_schedule_price_as(schedule, machine, NULL, &price, NULL), NS_OK);
        ck_assert_int_eq(price.copy_s > 0, gpus > 0);
        const ns_selection host = {.strategy = &standard, .strategies = 1, .transports = 1u << NS_VIA_HOST};
        ns_comparison comparison;
        ck_assert_int_eq(ns_compare_into(exchange, machine, &host, &comparison, NULL), NS_OK);
        ck_assert_double_eq(comparison.choice[0].price.copy_s, price.copy_s);
        ns_schedule_free(schedule);
    }
    ns_exchange_free(exchange);
}

/* A gain is over one of the ways, and where one of them is best. */
TEST(no_such_way)
{
    const ns_way ways[] = {{1, 0, 0}, {2, 1, 0}}, none[] = {{0, 0, 0}, {2, 1, 0}};
    ns_decision d;
    ns_gain gain = {.q50 = -7};
    ns_error err = {0};
    ck_assert_int_eq(ns_decide(ways, 2, 3, 0.5, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&d, ways, -1, &gain, &err), NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "no way -1 among the 2 of a decision");
    ck_assert_int_eq(ns_decision_gain(&d, ways, 2, &gain, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_decide(none, 2, 3, 0.5, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&d, none, 1, &gain, NULL), NS_ERR_RANGE);
    ck_assert_double_eq(gain.q50, -7);
    ck_assert_int_eq(ns_decide(ways, 2, 3, 0.5, 0, &d, NULL), NS_OK);
    ck_assert_int_eq(ns_decision_gain(&d, ways, 1, &gain, NULL), NS_OK);
    ck_assert_double_eq_tol(gain.q50, 2, 1e-12);
    ck_assert(gain.q10 < gain.q50 && gain.q50 < gain.q90 && gain.p_better > 0.5);
    ck_assert_int_eq(ns_decision_gain(&d, ways, d.best, &gain, NULL), NS_OK); /* over itself: none, for sure */
    ck_assert(gain.p_better == 0 && gain.q10 == 1 && gain.q50 == 1 && gain.q90 == 1);
}
