/* test_study.c -- the studies as a program that links the library has them: public headers only */

#include "api/library.h"
#include "published/published.h"
#include "support/machines.h"
#include "support/test.h"

enum { PARTS = 8, PER_NODE = 4 };

/* Every part sends 30 kB to every part of the other node, and 2 kB to its neighbour. */
static ns_exchange *make_exchange(void)
{
    ns_planned message[PARTS * (PER_NODE + 1)];
    size_t messages = 0;
    ns_exchange *exchange;
    for (int32_t p = 0; p < PARTS; p++) {
        const int32_t node = p / PER_NODE * PER_NODE, other = PER_NODE - node;
        for (int32_t q = other; q < other + PER_NODE; q++)
            message[messages++] = (ns_planned){.from = p, .to = q, .bytes = 30000};
        message[messages++] = (ns_planned){.from = p, .to = node + (p + 1) % PER_NODE, .bytes = 2000};
    }
    ck_assert_int_eq(ns_exchange_from_messages(message, messages, (ns_layout){PARTS, PER_NODE}, NULL, &exchange, NULL),
                     NS_OK);
    return exchange;
}

static ns_curves *make_curves(const ns_machine *machine, const char *const *words)
{
    ns_curves *curves;
    ns_error err = {0};
    ck_assert_int_eq(ns_curves_open(machine, NULL, &curves, NULL), NS_OK);
    for (; *words != NULL; words++)
        ck_assert_msg((ns_is_assignment(*words) ? ns_curves_assign : ns_curves_add)(curves, *words, &err) == NS_OK,
                      "%s", err.text);
    ck_assert_msg(ns_curves_close(curves, &err) == NS_OK, "%s", err.text);
    return curves;
}

/* ---- a parameter turned ----------------------------------------------------------------------------------------- */

static const struct {
    const char *machine, *path;
    bool count;
    double less, more; /* by 10 % */
    const char *why;
} turns[] = {
    {"lassen", "topology.gpus", true, 3, 5, "a count"},
    {"csd3", "topology.gpus", true, -1, 1, "none, and then one"},
    {"lassen", "host.off-node.eager.alpha", false, 0.9 * 2.44e-6, 1.1 * 2.44e-6, "[NA] Table 2"},
    {"bxi", "models.rma.rho_put", false, 0.9 * 0.7, 1.1 * 0.7, "a share has no dimension and is no count"},
    {"bluewaters", "host.exchange.model_error.time", false, 0.9 * 0.324, 1.1 * 0.324, "nor has a deviation"},
    {"summit", "host.off-node.short.beta", false, 0, 1e-6, "no factor turns a 0"},
};

TEST_EACH(test_turned, sizeof turns / sizeof *turns)
{
    ns_machine *machine = machine_named(turns[_i].machine), *turned;
    const ns_parameter *p = ns_machine_parameter(machine, turns[_i].path);
    ck_assert_ptr_nonnull(p);
    ck_assert_msg(ns_parameter_is_count(p) == turns[_i].count, "%s: %s", p->path, turns[_i].why);
    ck_assert(fabs(ns_parameter_perturbed(p, 0.9) - turns[_i].less) <= 1e-12 * fabs(turns[_i].less));
    ck_assert(fabs(ns_parameter_perturbed(p, 1.1) - turns[_i].more) <= 1e-12 * turns[_i].more);
    ck_assert_double_eq(ns_parameter_perturbed(p, 1), p->value);
    ck_assert_int_eq(ns_machine_perturbed(machine, p, 1.1, &turned, NULL), NS_OK);
    ck_assert_double_eq(ns_machine_parameter(turned, p->path)->value, ns_parameter_perturbed(p, 1.1));
    ns_machine_free(turned);
}

/* A correlation of errors moves no estimate, even where it could not be larger by one; the first size of the first
 * protocol may not be changed by itself. */
TEST(test_active)
{
    static const struct {
        const char *path;
        bool active;
    } rows[] = {{"host.off-node.rendezvous.correlation", false},
                {"host.protocols.short", true},
                {"host.exchange.inverse_R", true},
                {"host.exchange.model_error.ratio", false}};
    ns_machine *shipped = machine_named("bluewaters"), *machine;
    ns_exchange *exchange = make_exchange();
    ns_comparison comparison;
    ck_assert_int_eq(ns_machine_with(shipped, "host.off-node.rendezvous.correlation=0.5", &machine, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, NULL, &comparison, NULL), NS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ns_parameter *p = ns_machine_parameter(machine, rows[i].path);
        bool active;
        ck_assert_msg(p != NULL, "%s", rows[i].path);
        ck_assert_int_eq(ns_parameter_is_active(exchange, machine, NULL, &comparison, p, &active, NULL), NS_OK);
        ck_assert_msg(active == rows[i].active, "%s", rows[i].path);
    }
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}

/* ---- curves ----------------------------------------------------------------------------------------------------- */

static void count_call(void *watcher, double done, double total)
{
    ck_assert_double_le(done, total);
    ++*(int *)watcher;
}

TEST(test_sweep)
{
    static const char *const words[] = {"postal", "alpha=2us", NULL};
    static const double s[] = {1, 1000, 4096}, beta[] = {1e-9, 3e-9};
    ns_curves *curves = make_curves(NULL, words);
    ns_axis *axis[2];
    ns_sweep *sweep;
    int calls = 0;
    const ns_sweep_options options = {.watch = count_call, .watcher = &calls};
    ck_assert_int_eq(ns_axis_open(curves, "s=1B,1kB,4KiB", &axis[0], NULL), NS_OK);
    ck_assert_int_eq(ns_axis_open(curves, "beta=1ns/B,3ns/B", &axis[1], NULL), NS_OK);
    const ns_axis *const axes[] = {axis[0], axis[1]};
    ck_assert_int_eq(ns_sweep_run(curves, axes, 2, &options, &sweep, NULL), NS_OK);
    ck_assert(sweep->points == 6 && calls == 1 && sweep->outputs == 3); /* startup, transfer, time */
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++) {
            const size_t point = ns_sweep_point(sweep, (const size_t[]){i, j});
            ck_assert_double_eq_tol(ns_sweep_value(sweep, point, 0), 2e-6 + beta[j] * s[i], 1e-15);
            ck_assert_double_eq_tol(ns_sweep_output(sweep, point, 1), beta[j] * s[i], 1e-15);
        }
    ns_sweep_free(sweep);
    for (int i = 0; i < 2; i++)
        ns_axis_free(axis[i]);
    ns_free(curves);
}

/* What ranks: the smallest, the next, and a tie within 10 %. */
TEST(test_rank)
{
    static const char *const words[] = {"postal:alpha=3us", "postal:alpha=2.1us", "postal:alpha=2us", "beta=1ns/B",
                                        NULL};
    ns_curves *curves = make_curves(NULL, words);
    ns_axis *axis;
    ns_sweep *sweep;
    ck_assert_int_eq(ns_axis_open(curves, "s=1B,2B", &axis, NULL), NS_OK);
    ck_assert_int_eq(ns_sweep_run(curves, (const ns_axis *const[]){axis}, 1, NULL, &sweep, NULL), NS_OK);
    const ns_ranking ranking = ns_sweep_rank(sweep, 1);
    ck_assert(ranking.best == 2 && ranking.second == 1 && ranking.verdict == NS_TIE);
    ck_assert(strcmp(curves->curve[2].label, "postal:alpha=2us") == 0 && curves->count == 3);
    ns_sweep_free(sweep);
    ns_axis_free(axis);
    ns_free(curves);
}

/* models.md 7: lassen's rendezvous overtakes eager at 17.8 kB. */
TEST(test_crossing)
{
    static const char *const words[] = {"postal:protocol=eager", "postal:protocol=rendezvous", NULL};
    const double border = (7.76e-6 - 2.44e-6) / (3.79e-10 - 7.97e-11);
    ns_machine *machine = machine_named("lassen");
    ns_curves *curves = make_curves(machine, words);
    ns_crossings *found;
    ck_assert_int_eq(ns_crossings_find(curves, "s", 1, 1048576, &found, NULL), NS_OK);
    ck_assert(found->crossings == 1 && found->reigns == 2);
    const ns_crossing *x = &found->crossing[0];
    const ns_reign *first = &found->reign[0], *second = &found->reign[1];
    ck_assert_double_eq_tol(x->x, border, 1e-12 * border);
    ck_assert_double_eq_tol(x->value, 2.44e-6 + 3.79e-10 * border, 1e-15);
    ck_assert(x->a == 0 && x->b == 1 && x->below == 1 && x->meeting == NS_MEET_CROSS && x->changes_winner);
    ck_assert(first->winner == 0 && second->winner == 1 && first->to == second->from);
    ck_assert_double_eq_tol(found->at_to[1], 7.76e-6 + 1048576 * 7.97e-11, 1e-12);
    ns_free(found);
    ns_free(curves);
}

/* One message under the node's limit takes the postal time: the two formulas differ by rounding only, so the first of
 * them is the fastest everywhere. */
TEST(equal_curves_do_not_cross)
{
    static const char *const words[] = {"postal", "max-rate:m=1", NULL};
    ns_machine *machine = machine_named("lassen");
    ns_curves *curves = make_curves(machine, words);
    ns_crossings *found;
    ck_assert_int_eq(ns_crossings_find(curves, "s", 1024, 1048576, &found, NULL), NS_OK);
    ck_assert(found->crossings == 0 && found->reigns == 1 && found->reign[0].winner == 0);
    ns_free(found);
    ns_free(curves);
}

/* ---- what moves the answer -------------------------------------------------------------------------------------- */

static const ns_move *move_of(const ns_sensitivity *s, const char *name)
{
    for (size_t i = 0; i < s->moves; i++)
        if (strcmp(s->move[i].name, name) == 0)
            return &s->move[i];
    return NULL;
}

TEST(test_sensitivity_of_curve)
{
    static const char *const words[] = {"postal", "s=4096B", NULL};
    const double startup = 2.44e-6, transfer = 4096 * 0.379e-9, time = startup + transfer;
    ns_machine *machine = machine_named("lassen");
    ns_curves *curves = make_curves(machine, words);
    ns_sensitivity *s;
    ck_assert_int_eq(ns_sensitivity_of_curve(curves, 0, NULL, &s, NULL), NS_OK);
    ck_assert_double_eq_tol(move_of(s, "host.off-node.eager.alpha")->slope, startup / time, 1e-7);
    ck_assert_double_eq_tol(move_of(s, "s")->slope, transfer / time, 1e-7);
    ck_assert_double_eq_tol(move_of(s, "s")->high, startup + 1.1 * transfer, 1e-15);
    ck_assert_ptr_null(move_of(s, "host.injection.inverse_R_N"));
    ck_assert(&s->move[s->steepest] == move_of(s, "host.off-node.eager.alpha"));
    ck_assert(s->least_certain < 0 && s->variance == 0 && s->by == 0.1); /* lassen states no standard errors */
    ns_sensitivity_free(s);
    ns_free(curves);
}

/* Times are of degree one in start-ups and times per byte. */
TEST(test_sensitivity_of_exchange)
{
    ns_machine *machine = machine_named("lassen");
    ns_exchange *exchange = make_exchange();
    ns_comparison comparison;
    ns_sensitivity *s;
    double sum = 0;
    const ns_sensitivity_options options = {.by = 0.5, .name = "the plan"};
    ck_assert_int_eq(ns_compare_into(exchange, machine, NULL, &comparison, NULL), NS_OK);
    ck_assert_int_eq(ns_sensitivity_of_exchange(exchange, machine, NULL, NULL, &options, &s, NULL), NS_OK);
    ns_exchange_free(exchange);
    ck_assert_double_eq(s->base, comparison.choice[comparison.best].price.estimate_s);
    ck_assert_ptr_nonnull(strstr(s->title, " of the plan on 8 GPUs"));
    for (size_t i = 0; i < s->moves; i++) {
        const ns_move *m = &s->move[i];
        ck_assert(memchr(m->low_winner, '\0', sizeof m->low_winner) != NULL);
        if (m->sloped && !ns_dim_equal(m->dim, (ns_dim){.byte = 1}))
            sum += m->slope;
    }
    ck_assert_double_eq_tol(sum, 1, 1e-6);
    ns_sensitivity_free(s);
}

/* ---- what is refused -------------------------------------------------------------------------------------------- */

/* Texts of the library know neither the options nor the commands of a program. */
static void expect(ns_status status, const ns_error *err, const char *words)
{
    ck_assert_msg(status != NS_OK && strstr(err->text, words) != NULL, "\"%s\" lacks \"%s\"", err->text, words);
    ck_assert_msg(strstr(err->text, "--") == NULL && strstr(err->text, "nsmodel") == NULL, "%s", err->text);
}
#define EXPECT(call, words)                                                                                            \
    do {                                                                                                               \
        ns_error err = {0};                                                                                            \
        const ns_status status_ = call;                                                                                \
        expect(status_, &err, words);                                                                                  \
    } while (0)

TEST(test_refused)
{
    ns_machine *machine = machine_named("lassen");
    ns_curves *empty, *other, *postal = make_curves(machine, (const char *const[]){"postal", "s=1kB", NULL});
    ns_axis *axis;
    ns_sweep *sweep;
    ns_sensitivity *s;
    ns_reproduced *table;
    ns_scenario scenario = ns_scenario_default;
    double value;
    ck_assert_int_eq(ns_curves_open(NULL, "tme", &empty, NULL), NS_OK);
    EXPECT(ns_curves_close(empty, &err), "there is no curve");
    EXPECT(ns_curves_assign(empty, "s=1B", &err), "there is no curve");
    EXPECT(ns_curves_add(empty, "strategies", &err), "no machine is given");
    EXPECT(ns_curves_add(empty, "postal:s=1us", &err), "s wants a size");
    ck_assert_int_eq(empty->count, 0); /* what cannot be added is not there */
    EXPECT(ns_axis_open(empty, "s=1B,2B", &axis, &err), "there is no curve");
    EXPECT(ns_sweep_run(empty, NULL, 1, NULL, &sweep, &err), "the curves are not closed");
    ck_assert_int_eq(ns_curves_add(empty, "postal", NULL), NS_OK);
    EXPECT(ns_curves_close(empty, &err), "did you mean \"time\"?");
    EXPECT(ns_curves_value(empty, 0, NULL, 0, &value, &err), "are not closed");
    EXPECT(ns_curves_value(postal, 1, NULL, 0, &value, &err), "there is no curve 1");
    EXPECT(ns_axis_open(postal, "x=1,2", &axis, &err), "postal has no number \"x\" to vary");
    EXPECT(ns_sweep_run(postal, NULL, 4, NULL, &sweep, &err), "1 to 3 axes");
    EXPECT(ns_sensitivity_of_curve(postal, 0, &(ns_sensitivity_options){.by = 1}, &s, &err), "above 0 and below 1");
    ck_assert_int_eq(ns_curves_open(machine, "copy", &other, NULL), NS_OK);
    ck_assert_int_eq(ns_curves_add(other, "standard/host", NULL), NS_OK);
    EXPECT(ns_curves_close(other, &err), "strategies have one output, time; got \"copy\"");
    EXPECT(ns_reproduce_shipped("zzz", &table, &err), "no table \"zzz\"");
    scenario.nodes = 0;
    EXPECT(ns_scenario_form(&scenario, other->curve[0].strategy, NS_VIA_HOST, machine, "corrected", &value, &err),
           "nodes has to be at least 1");
    ns_free(empty);
    ns_free(postal);
    ns_free(other);
}
