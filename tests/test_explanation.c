/* test_explanation.c -- why a choice or a model takes as long as it does: terms that add up, each with its parameter */

#include "api/library.h"
#include "support/machines.h"
#include "support/test.h"

static const ns_term *find_path(const ns_explanation *why, const char *path)
{
    for (size_t i = 0; i < why->terms; i++)
        if (strcmp(ns_explanation_term(why, i)->path, path) == 0)
            return ns_explanation_term(why, i);
    return NULL;
}

/* With one part a node, strategies that gather have an empty first step. */
static const struct {
    const char *machine;
    ns_layout layout;
} places[] = {{"lassen", {8, 4}}, {"bluewaters", {8, 4}}, {"tioga", {8, 4}}, {"lassen", {4, 1}}};

/* Leaves add up to the whole; each says how much of what, and from where. */
TEST_EACH(test_explain_choice, sizeof places / sizeof *places)
{
    ns_machine *machine = machine_named(places[_i].machine);
    ns_exchange *exchange;
    ns_comparison comparison;
    ck_assert_int_eq(ns_exchange_alltoall(places[_i].layout, 30000, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, NULL, &comparison, NULL), NS_OK);
    for (int k = 0; k < comparison.choices; k++) {
        const ns_choice *choice = &comparison.choice[k];
        ns_explanation *why;
        double sum = 0, shares = 0;
        ck_assert(ns_explanation_open(&why, NULL) == NS_OK &&
                  ns_explain_choice(why, machine, exchange, choice, NULL) == NS_OK);
        ck_assert_double_eq(ns_explanation_term(why, 0)->value, choice->price.estimate_s);
        for (size_t i = 0; i < why->terms; i++) {
            const ns_term *t = ns_explanation_term(why, i);
            ck_assert_uint_eq(t->size, sizeof *t);
            if (t->depth != 2)
                continue;
            ck_assert_msg(t->has_parameter && t->has_amount && *t->source != '\0', "%s: %s", t->name, t->path);
            ck_assert_double_eq(t->value, t->amount * t->parameter);
            sum += t->value;
            shares += ns_explanation_share(why, i);
        }
        ck_assert_double_eq_tol(sum, choice->price.estimate_s, 1e-12 * sum);
        ck_assert_double_eq_tol(shares, 1, 1e-12);
        const ns_term *last = ns_explanation_term(why, why->terms - 1);
        const bool published = choice->strategy->model != NULL;
        ck_assert(last->model == (published ? ns_model_find(choice->strategy->model) : NULL));
        ck_assert(!published || last->value == choice->published_s);
        ck_assert_ptr_null(ns_explanation_term(why, why->terms));
        ns_explanation_free(why);
    }
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}

static ns_explanation *explain(const char *model, const ns_machine *machine, const char *const *inputs)
{
    ns_binding binding;
    ns_model_buffer out;
    ns_explanation *why;
    ns_error err = {0};
    ns_bind_open(&binding, ns_model_find(model), machine);
    for (; *inputs != NULL; inputs++)
        ck_assert_msg(ns_bind_text(&binding, *inputs, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_bind_close(&binding, &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(ns_model_eval(&binding, &out, NULL), NS_OK);
    ck_assert_int_eq(ns_explanation_open(&why, NULL), NS_OK);
    ck_assert_int_eq(ns_explain_model(why, &binding, &out, NULL), NS_OK);
    return why;
}

TEST(test_explain_model)
{
    ns_machine *machine = machine_named("lassen");
    ns_explanation *why = explain("postal", machine, (const char *const[]){"s=4096 B", NULL});
    const double startup = 2.44e-6, transfer = 4096 * 0.379e-9; /* [NA] Table 2 */
    ck_assert_double_eq_tol(ns_explanation_term(why, 0)->value, startup + transfer, 1e-15);
    ck_assert_double_eq_tol(ns_explanation_share(why, 1), startup / (startup + transfer), 1e-12);
    ck_assert_double_eq(find_path(why, "host.off-node.eager.alpha")->parameter, startup);
    ns_explanation_free(why);
    ns_machine_free(machine);
}

/* 64 chunks of 1 KiB travel by short, whose time per byte is 0 on Summit: another one would move the answer. */
TEST(test_explain_zero)
{
    ns_machine *machine = machine_named("summit");
    static const char *const inputs[] = {"s=1KiB", "processes=16", "nodes=64", NULL};
    ns_explanation *why = explain("host-allreduce", machine, inputs);
    ck_assert(find_path(why, "host.off-node.short.beta") && !find_path(why, "device.off-node.short.alpha"));
    ns_explanation_free(why);
    ns_machine_free(machine);
}

/* What is multiplied is called what it is: a floor is paid once an exchange, not for messages. */
TEST(test_formulas)
{
    static const struct {
        const char *path, *formula, *below;
    } rows[] = {
        {"host.exchange.floor", "part beyond the bytes x floor", "fixed, once an exchange"},
        {"host.exchange.floor_step", "part beyond the bytes x later steps x floor_step", "fixed, once an exchange"},
        {"host.exchange.gamma", "n^2 x gamma", "step 2, "},
        {"copy.1.d2h.alpha", "copies x alpha", "copy"},
        {"copy.1.d2h.beta", "bytes x beta", "copy"},
        {"host.off-node.eager.alpha", "messages x alpha", "step 2, "}};
    static const char *const changes[] = {"host.exchange.floor=900us", "host.exchange.floor_step=20us",
                                          "host.exchange.gamma=5ns"};
    ns_machine *machine = machine_named("lassen");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        machine = machine_with(machine, changes[i]);
    const ns_strategy *three_step;
    const ns_selection one = {.strategy = &three_step, .strategies = 1, .transports = 1 << NS_VIA_HOST};
    ns_exchange *exchange;
    ns_comparison comparison;
    ns_explanation *why;
    ck_assert_int_eq(ns_strategy_get("three-step", &three_step, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){16, 4}, 1000, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, &one, &comparison, NULL), NS_OK);
    ck_assert_int_eq(ns_explanation_open(&why, NULL), NS_OK);
    ck_assert_int_eq(ns_explain_choice(why, machine, exchange, &comparison.choice[0], NULL), NS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ns_term *above = NULL, *found = NULL;
        for (size_t k = 0; k < why->terms && found == NULL; k++) {
            const ns_term *t = ns_explanation_term(why, k);
            above = t->depth == 1 ? t : above;
            found = strcmp(t->path, rows[i].path) == 0 ? t : NULL;
        }
        ck_assert_msg(found != NULL, "no %s", rows[i].path);
        ck_assert_str_eq(found->formula, rows[i].formula);
        ck_assert_msg(strncmp(above->name, rows[i].below, strlen(rows[i].below)) == 0, "%s below %s", rows[i].path,
                      above->name);
    }
    ns_explanation_free(why);
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}
