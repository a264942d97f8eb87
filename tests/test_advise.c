/* test_advise.c -- nsmodel advise: its ranking, its decision, what it refuses, its words */
#include "core/memory.h"
#include "study/study.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/test.h"
#include "support/values.h"

/* Ranked by what they remove, each with a command; a group removes at least what its best number does. */
TEST_EACH(ranked, 3)
{
    static const char *const lines[] = {
        "advise --matrix stencil27:12x12x12x3 --gpus 16,64 --machine lassen",
        "advise --matrix rajat01 --parts 24,48 --machine lcc3",
        "advise --messages alltoall:4KiB --gpus 8,32 --machine lassen --incumbent standard/host",
    };
    int measured = 0;
    ns_value *root = cli_json(lines[_i]);
    for (const ns_value *c = ns_value_get(root, "cases")->first; c != NULL; c = c->next) {
        double last = INFINITY;
        for (const ns_value *m = ns_value_get(c, "measure")->first; m != NULL; m = m->next, measured++) {
            const double removed = number_at(m, "loss_removed");
            ck_assert_double_gt(removed, 0);
            ck_assert_double_le(removed, last);
            ck_assert_ptr_nonnull(strstr(text_at(m, "command"), "nsmodel fit"));
            ck_assert_str_eq(text_at(m, "parameter"), text_at(ns_value_get(m, "parameters")->first, "parameter"));
            for (const ns_value *p = ns_value_get(m, "parameters")->first; p != NULL; p = p->next)
                ck_assert_double_le(number_at(p, "loss_removed"), removed);
            last = removed;
        }
        ck_assert_double_ge(number_at(c, "measure_shortlist.loss_removed"), 0);
        ck_assert_double_le(number_at(c, "measure_shortlist.loss_removed"), number_at(c, "decision.expected_ln_loss"));
    }
    ck_assert_int_gt(measured, 0);
}

/* The decision is predict's. */
TEST(as_predict_decides)
{
    static const char words[] = "--matrix rajat01 --gpus 16 --incumbent 2-step/device";
    ns_value *predict = cli_json_with("predict %s", words);
    ns_value *advise = cli_json_with("advise %s", words);
    const ns_value *a = ns_value_get(predict, "cases")->first, *b = ns_value_get(advise, "cases")->first;
    static const char *const numbers[] = {
        "decision.p_best", "decision.loss_q90", "decision.incumbent.p_better", "decision.basis.kappa", "gpus", "nodes"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_double_eq(number_at(a, numbers[i]), number_at(b, numbers[i]));
    ck_assert_str_eq(text_at(a, "sentence"), text_at(b, "sentence"));
    ck_assert_str_eq(text_at(b, "decision.incumbent.strategy"), "two-step");
    ck_assert_str_eq(text_at(predict, "machine.name"), NS_MACHINE_DEFAULT);
    /* staying costs the ratio of the estimates more */
    double best = INFINITY, now = 0;
    for (const ns_value *s = ns_value_get(a, "strategies")->first; s != NULL; s = s->next) {
        best = fmin(best, number_at(s, "estimate_s"));
        if (strcmp(text_at(s, "strategy"), "two-step") == 0 && strcmp(text_at(s, "transport"), "device") == 0)
            now = number_at(s, "estimate_s");
    }
    ck_assert_double_eq_tol(number_at(b, "incumbent_expected_loss"),
                            (1 + number_at(b, "expected_loss")) * now / best - 1, 1e-9);
}

static const ns_value *row_of(const ns_value *of_case, const char *parameter)
{
    const ns_value *row = ns_value_get(of_case, "measure")->first;
    while (row != NULL && strcmp(text_at(row, "parameter"), parameter) != 0)
        row = row->next;
    return row;
}

/* Ways on a network are decided as predict decides.  What the interfaces take is a number like others: it is worth what
 * its model's error may make of its share of one way's time. */
TEST(on_a_network)
{
    static const char words[] = "--matrix rajat01 --nodes 16 --width 256B --network netsparse";
    ns_value *predict = cli_json_with("predict %s", words);
    ns_value *advise = cli_json_with("advise %s", words);
    const ns_value *a = ns_value_get(predict, "cases")->first, *b = ns_value_get(advise, "cases")->first,
                   *row = row_of(b, "network.netsparse.time");
    double seconds[NS_CHOICES], share[NS_CHOICES] = {0};
    int ways = 0, best = 0;
    for (const ns_value *s = ns_value_get(a, "strategies")->first; s != NULL; s = s->next, ways++) {
        seconds[ways] = number_at(s, "estimate_s");
        best = seconds[ways] < seconds[best] ? ways : best;
        if (strcmp(text_at(s, "transport"), "nic") == 0)
            share[ways] = number_at(a, "gathering.network_s");
    }
    ck_assert_double_eq(number_at(a, "decision.p_best"), number_at(b, "decision.p_best"));
    ck_assert_str_eq(text_at(a, "sentence"), text_at(b, "sentence"));
    ck_assert_str_eq(text_at(advise, "network.name"), "netsparse");
    ck_assert_double_eq(number_at(a, "gathering.network_s"), number_at(b, "gathering.network_s"));
    ck_assert_ptr_nonnull(row);
    ck_assert_double_eq_tol(number_at(row, "loss_removed"),
                            ns_loss_removed(seconds, share, ways, best, log(2) * number_at(a, "gathering.model_error")),
                            1e-9);
    ck_assert_double_le(number_at(row, "loss_removed"), number_at(b, "decision.expected_ln_loss"));
    ck_assert_ptr_nonnull(strstr(text_at(row, "command"), "on the network's hardware, or in a simulator"));
    ck_assert_ptr_nonnull(
        strstr(text_at(b, "measure_shortlist.command"), "what interfaces do by themselves: run this"));
    cli_result r = cli("advise --matrix rajat01 --nodes 16 --network bxi-multirail");
    ck_assert_msg(r.code == 0 && strstr(r.out, "on nodes with the cards of bxi-multirail\n") != NULL, "%s", r.out);
    ck_assert_ptr_null(strstr(r.out, "network.bxi-multirail.time"));
    r = cli("advise --network help");
    ck_assert(r.code == 0 && strstr(r.out, "netsparse-hyperx") != NULL);
}

TEST(nothing_to_decide)
{
    ns_value *root = cli_json("advise --matrix rajat01 --gpus 16 --strategy split-md");
    const ns_value *one = ns_value_get(root, "cases")->first;
    ck_assert_int_eq(ns_value_get(one, "decision")->kind, NS_NULL);
    ck_assert_int_eq(ns_value_get(one, "expected_loss")->kind, NS_NULL);
    ck_assert_int_eq(ns_value_get(one, "measure")->kind, NS_LIST);
    ck_assert_ptr_null(ns_value_get(one, "measure")->first);
    ns_exchange *exchange;
    ns_machine *machine;
    ns_comparison *c = ns_malloc(sizeof *c);
    ns_measure_plan *plan = NULL;
    ns_error err = {0};
    const ns_planned message = {0, 1, 100};
    const ns_strategy *standard;
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK &&
              ns_machine_load("bluewaters", &machine, NULL) == NS_OK);
    ck_assert_int_eq(ns_exchange_from_messages(&message, 1, (ns_layout){2, 1}, NULL, &exchange, NULL), NS_OK);
    const ns_selection one_only = {.strategy = &standard, .strategies = 1};
    ck_assert_int_eq(ns_compare_into(exchange, machine, &one_only, c, NULL), NS_OK);
    ck_assert_int_eq(ns_measure_plan_make(c, machine, NULL, &one_only, &plan, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "nothing to decide among 1 strategies: advice wants two that take time");
    ck_assert_ptr_null(plan);
    ns_exchange_free(exchange);
    ns_machine_free(machine);
    ns_free(c);
}

/* A machine of two sockets whose messages inside a node were measured or not, and may rest on an assumption. */
static ns_value *advise_site(const char *inside, const char *source)
{
    char machine[1200], line[400];
    snprintf(machine, sizeof machine,
             "{\"schema\": \"nsmodel/machine/1\", \"name\": \"site\", \"title\": \"t\", \"source\": \"s\","
             " \"topology\": {\"sockets\": 2, \"gpus\": 0, \"host_processes\": 8},"
             " \"host\": {\"protocols\": {\"eager\": \"0 B\"}, %s"
             " \"off-node\": {\"eager\": {\"alpha\": \"2 us\", \"alpha_se\": \"0.01 us\", \"beta\": \"0.1 ns/B\","
             " \"beta_se\": \"0.001 ns/B\"}, \"source\": \"%s\"}}}",
             inside, source);
    snprintf(line, sizeof line, "advise --messages alltoall:512B --parts 32 --model max-rate --machine %s",
             cli_file("site.json", machine));
    return cli_json(line);
}

static const ns_value *unknown_of(const ns_value *root, const char *parameter)
{
    const ns_value *m = ns_value_get(ns_value_get(root, "cases")->first, "measure")->first;
    for (; m != NULL; m = m->next)
        for (const ns_value *p = ns_value_get(m, "parameters")->first; p != NULL; p = p->next)
            if (strcmp(text_at(p, "parameter"), parameter) == 0)
                return p;
    return NULL;
}

/* What another table stands for, and what its source calls assumed, nobody measured: it errs by a factor of two, and
 * its own benchmark is named, once; measured, it errs by its standard error. */
TEST(stand_ins_are_assumed)
{
    static const char on_node[] = "\"on-node\": {\"eager\": {\"alpha\": \"1.2 us\", \"alpha_se\": \"0.01 us\","
                                  " \"beta\": \"0.1 ns/B\", \"beta_se\": \"0.001 ns/B\"}},";
    ns_value *root = advise_site("", "measured");
    const ns_value *found = unknown_of(root, "host.on-node.eager.alpha");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(text_at(found, "basis"), "assumed");
    ck_assert_double_eq_tol(number_at(found, "sigma"), log(2), 1e-15);
    found = unknown_of(root, "host.off-node.eager.alpha");
    ck_assert(found == NULL || strcmp(text_at(found, "basis"), "stated") == 0);
    const char *command = text_at(row_of(ns_value_get(root, "cases")->first, "host.on-node.eager.alpha"), "command");
    ck_assert_ptr_nonnull(strstr(command, "nsmodel-mpi measure -o mine.log --per-node "));

    root = advise_site(on_node, "measured");
    found = unknown_of(root, "host.on-node.eager.alpha");
    ck_assert(found == NULL || strcmp(text_at(found, "basis"), "stated") == 0);
    found = unknown_of(root, "host.on-socket.eager.alpha"); /* for which on-node stands */
    ck_assert(found != NULL && strcmp(text_at(found, "basis"), "assumed") == 0);

    root = advise_site(on_node, "assumed: the gap of a window stands for latency");
    found = unknown_of(root, "host.off-node.eager.alpha");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(text_at(found, "basis"), "assumed");
}

/* A rate of streams, which count half, was measured all the same. */
TEST(half_a_rate_is_measured)
{
    static const char machine[] =
        "{\"schema\": \"nsmodel/machine/1\", \"name\": \"streams\", \"title\": \"t\", \"source\": \"s\","
        " \"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 8},"
        " \"host\": {\"protocols\": {\"eager\": \"0 B\"},"
        " \"on-socket\": {\"eager\": {\"alpha\": \"0.4 us\", \"beta\": \"0.1 ns/B\"}},"
        " \"off-node\": {\"eager\": {\"alpha\": \"2 us\", \"beta\": \"0.1 ns/B\"}},"
        " \"injection\": {\"inverse_R_N\": \"0.1 ns/B\", \"inverse_R_N_se\": \"0.03 ns/B\", \"directions\": 1}}}";
    ns_value *root = cli_json_with("advise --messages alltoall:512B --parts 16 --model full --machine %s",
                                   cli_file("streams.json", machine));
    const ns_value *found = unknown_of(root, "host.injection.inverse_R_N");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(text_at(found, "basis"), "stated");
    ck_assert_double_eq_tol(number_at(found, "sigma"), sqrt(log1p(0.09)), 1e-12);
}

/* Ways that do the same are counted once, in the sentence and in the loss. */
TEST(the_same_number_of_ways)
{
    cli_result r = cli("advise --messages alltoall:4KiB --parts 48 --machine lcc3");
    /* what a benchmark leaves is less than what there was, or it is not recommended */
    ck_assert_msg(strstr(r.out, "\nAt 48: the loss of 109 % is expected; measuring the 4 likeliest ways makes it") !=
                      NULL,
                  "%s", r.out);
    ck_assert_uint_eq(times_in(r.out, " 109 %"), 1);
}

/* A what-if that moves nothing is no answer: it is said, with what counts instead. */
static const struct {
    const char *options, *note; /* NULL: none */
} what_if[] = {
    {"--set host.off-node.eager.alpha=1.22us", "nsmodel: note: --set host.off-node.eager.alpha=1.22us does not move "
                                               "the answer: host.exchange.off-node.eager.alpha "
                                               "counts in its place\n"},
    {"--set host.exchange.off-node.eager.alpha=1.22us", NULL},
    {"--set host.exchange.off-node.eager.alpha=1.22us --set device.exchange.floor=2us --transport host",
     "nsmodel: note: --set device.exchange.floor=2us does not move the answer\n"},
    {"--set host.choice.kappa=2", NULL},                                               /* how likely each is the best */
    {"--machine lassen,lassen-spectrum --set host.off-node.eager.alpha=1.22us", NULL}, /* of lassen it is used */
    {"--set topology.gpus=2", NULL},
    {"--per-node 4 --strategy standard,two-step --set topology.host_processes=30", NULL}, /* a layout */
};

TEST_EACH(what_if_without_effect, sizeof what_if / sizeof *what_if)
{
    static const char *const commands[] = {"predict", "advise"};
    for (size_t c = 0; c < 2; c++) {
        cli_result r = cli_with("%s --matrix NotreDame_www --gpus 64 %s", commands[c], what_if[_i].options);
        ck_assert_msg(r.code == 0, "%s", r.err);
        if (what_if[_i].note == NULL)
            ck_assert_msg(strstr(r.err, "does not move") == NULL, "%s", r.err);
        else
            ck_assert_str_eq(r.err, what_if[_i].note);
    }
}

static const cli_refusal refused[] = {
    {"advise", 2, "nsmodel: advise wants --matrix M or --messages FILE.csv\n"},
    {"advise --matrix rajat01 --incumbent fast/host", 1,
     "nsmodel: no strategy \"fast\"; there are standard, three-step, two-step, split-md, split-dd, "
     "standard/pairwise and library\n"},
    {"advise --matrix rajat01 --incumbent 3-step/carrier", 1,
     "nsmodel: no transport \"carrier\"; there are host and device\n"},
    {"advise --matrix rajat01 --gpus 16 --incumbent split/device", 1,
     "nsmodel: split-md by way of the device, which is in use, is not among what is compared\n"},
    {"advise --matrix rajat01 --gpus 0", 1, "nsmodel: --gpus wants whole numbers from 1 to 16777216, got 0\n"},
    {"advise --matrix rajat01 --network netspars", 1,
     "nsmodel: no network \"netspars\"; did you mean \"netsparse\"?\n"},
    {"advise --matrix rajat01 --strategy 4-step", 1,
     "nsmodel: no strategy \"4-step\"; there are standard, three-step, two-step, split-md, split-dd, "
     "standard/pairwise and library\n"},
};

TEST_EACH(refusals, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

TEST(for_people)
{
    cli_result r = cli("advise --matrix rajat01 --gpus 64 --machine lassen --incumbent standard/device");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "\nagainst standard/device, in use\n"));
    ck_assert_ptr_nonnull(strstr(r.out, "\nSwitch to "));
    ck_assert_ptr_nonnull(strstr(r.out, "\n  mpirun -n 4 nsmodel-mpi measure -o mine.log"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n  nsmodel predict rajat01 --machine ./mine.json --gpus 64"));
    ck_assert_ptr_null(strstr(r.out, "LOG..."));
}

/* Other words for strategies: one, or all that share it. */
TEST(aliases)
{
    const ns_strategy *list[8], *one;
    size_t count;
    ns_error err = {0};
    ck_assert(ns_strategies_named("split", list, 8, &count, &err) == NS_OK && count == 2);
    ck_assert_str_eq(list[0]->name, "split-md");
    ck_assert_str_eq(list[1]->name, "split-dd");
    ck_assert(ns_strategies_named("2-step", list, 8, &count, &err) == NS_OK && count == 1);
    ck_assert(ns_strategy_get("3-step", &one, &err) == NS_OK && strcmp(one->name, "three-step") == 0);
    ck_assert_int_eq(ns_strategies_named("split", list, 1, &count, &err), NS_ERR_LIMIT);
    err = (ns_error){0};
    ck_assert_int_eq(ns_strategy_get("split", &one, &err), NS_ERR_NAME);
    ck_assert_str_eq(err.text, "\"split\" stands for split-md and split-dd: say which");
    ns_value *root = cli_json("predict --matrix rajat01 --gpus 16 --strategy 3-step,split,split-dd --transport host");
    const ns_value *s = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
    ck_assert_str_eq(text_at(s, "strategy"), "three-step");
    ck_assert_str_eq(text_at(s->next, "strategy"), "split-md");
    ck_assert_str_eq(text_at(s->next->next, "strategy"), "split-dd");
    ck_assert_ptr_null(s->next->next->next);
}
