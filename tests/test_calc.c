/* test_calc.c -- expressions with expected value, unit and text; the values are computed by the C compiler */
#include "api/library.h"
#include "support/machines.h"
#include "support/test.h"

static const double us = 1e-6, ns = 1e-9, GB = 1e9, KiB = 1024, MiB = 1048576;
#define LASSEN_EAGER_ALPHA 2.44e-6 /* [NA] Table 2, off-node, eager */

/* `given` runs first.  unit is SI. */
static const struct row {
    const char *given, *text;
    double value;
    const char *unit, *shown;
} rows[] = {
    /* the issue's own, numbers and units */
    {NULL, "4 KiB / 23.9 GB/s + 2.44 us", 4096 / 23.9e9 + 2.44e-6, "s", "2.611380753 us"},
    {NULL, "4 KiB / 23.9 GB/s", 4096 / 23.9e9, "s", "171.3807531 ns"},
    {NULL, "4 KiB / 23.9 GB/s + 2.44 us in us", 4096 / 23.9e9 + 2.44e-6, "s", "2.611380753 us"},
    {NULL, "4 KiB / 23.9 GB/s in s", 4096 / 23.9e9, "s", "1.713807531e-07 s"},
    {NULL, "42", 42, "1", "42"},
    {NULL, ".5", 0.5, "1", "0.5"},
    {NULL, "5.", 5, "1", "5"},
    {NULL, "1e3", 1000, "1", "1000"},
    {NULL, "1.5E-3", 0.0015, "1", "0.0015"},
    {NULL, "1/3", 1. / 3, "1", "0.3333333333"},
    {NULL, "2/3 * 1e6", 2e6 / 3, "1", "666666.6667"},
    {NULL, "2^40", 1099511627776., "1", "1.099511628e+12"},
    {NULL, "123456789 * 10", 1234567890, "1", "1234567890"},
    {NULL, "1000000", 1e6, "1", "1000000"},
    {NULL, "1e22", 1e22, "1", "1e+22"},
    {NULL, "0.00001", 1e-5, "1", "1e-05"},
    {NULL, "-0", 0, "1", "0"},
    {NULL, "4 KiB", 4096, "B", "4 KiB"},
    {NULL, "4KiB", 4096, "B", "4 KiB"},
    {NULL, "4 kB", 4000, "B", "4 kB"},
    {NULL, "1.7us", 1.7e-6, "s", "1.7 us"},
    {NULL, "1.7 \xc2\xb5s", 1.7e-6, "s", "1.7 us"},
    {NULL, "1.7\xc2\xa0us", 1.7e-6, "s", "1.7 us"},
    {NULL, "8 bit", 1, "B", "1 B"},
    {NULL, "100 Gbit/s", 12.5e9, "B/s", "12.5 GB/s"},
    {NULL, "0.418 ns/B", 0.418e-9, "s/B", "0.418 ns/B"},
    {NULL, "2.2 GHz", 2.2e9, "1/s", "2.2 GHz"},
    {NULL, "3 Gflop/s", 3e9, "flop/s", "3 Gflop/s"},
    {NULL, "2 s^2", 2, "s*s", "2 s*s"},
    {NULL, "(2 s)^2", 4, "s*s", "4 s*s"},
    {NULL, "3 B/s^2", 3, "B/s/s", "3 B/s/s"},
    {NULL, "25%", 0.25, "1", "0.25"},
    {NULL, "50 % * 8", 4, "1", "4"},
    {NULL, "KiB", 1024, "B", "1 KiB"},
    {NULL, "3 * GB/s", 3e9, "B/s", "3 GB/s"},
    {NULL, "1e30 B", 1e30, "B", "1000000000000 EB"},
    {NULL, "0 us", 0, "s", "0 s"},
    {NULL, "999.99999999999 ns", 999.99999999999e-9, "s", "1 us"},
    /* precedence */
    {NULL, "2 + 3 * 4", 14, "1", "14"},
    {NULL, "(2 + 3) * 4", 20, "1", "20"},
    {NULL, "2 * 3 - 4 / 5", 5.2, "1", "5.2"},
    {NULL, "10 - 4 - 3", 3, "1", "3"},
    {NULL, "100 / 10 / 2", 5, "1", "5"},
    {NULL, "100 / 10 * 2", 20, "1", "20"},
    {NULL, "2^3^2", 512, "1", "512"},
    {NULL, "-2^2", -4, "1", "-4"},
    {NULL, "(-2)^2", 4, "1", "4"},
    {NULL, "2^-1", 0.5, "1", "0.5"},
    {NULL, "2 * -3", -6, "1", "-6"},
    {NULL, "--3", 3, "1", "3"},
    {NULL, "+3 - -3", 6, "1", "6"},
    {NULL, "2^0.5", 1.4142135623730951, "1", "1.414213562"},
    {NULL, "((((7))))", 7, "1", "7"},
    {NULL, "1 / 10 us", 1e5, "1/s", "100 kHz"},
    {NULL, "1/s", 1, "1/s", "1 Hz"},
    {NULL, "6 kB / 3 us", 2e9, "B/s", "2 GB/s"},
    {NULL, "6 kB / s", 6000, "B/s", "6 kB/s"},
    {NULL, "6 kB / 2 kB/s", 3, "s", "3 s"},
    {NULL, "6 kB / 2 kB / s", 3, "1/s", "3 Hz"},
    {NULL, "3 GB/s * 2 us", 6000, "B", "6 kB"},
    {NULL, "2 ns/B * 1 MiB", 2e-9 * 1048576, "s", "2.097152 ms"},
    {NULL, "1 / 23.9 GB/s", 1 / 23.9e9, "s/B", "0.04184100418 ns/B"},
    {NULL, "2 Gflop / 4 Gflop/s", 0.5, "s", "500 ms"},
    {NULL, "3 Hz * 2 s", 6, "1", "6"},
    {NULL, "1 ms - 1000 us", 0, "s", "0 s"},
    {NULL, "0.1 + 0.2", 0.1 + 0.2, "1", "0.3"},
    {NULL, "2 B * 3 s", 6, "B*s", "6 B*s"},
    {NULL, "12 us / 4 us", 3, "1", "3"},
    /* in UNIT */
    {NULL, "4 KiB in B", 4096, "B", "4096 B"},
    {NULL, "4 KiB in KiB", 4096, "B", "4 KiB"},
    {NULL, "1 MiB in kB", 1048576, "B", "1048.576 kB"},
    {NULL, "4 KiB in bit", 4096, "B", "32768 bit"},
    {NULL, "100 Gbit/s in GB/s", 12.5e9, "B/s", "12.5 GB/s"},
    {NULL, "100 Gbit/s in GB / s", 12.5e9, "B/s", "12.5 GB/s"},
    {NULL, "1/3 s in 1/s # with a comment", 1. / 3, "1/s", "0.3333333333 1/s"},
    {NULL, "5 1/s * 2 s", 10, "1", "10"},
    {NULL, "1 s / 3 in ms", 1. / 3, "s", "333.3333333 ms"},
    {NULL, "1 / 10 us in 1/s", 1e5, "1/s", "100000 1/s"},
    {NULL, "0.25 in %", 0.25, "1", "25 %"},
    {NULL, "0.25 in 1", 0.25, "1", "0.25"},
    {NULL, "1 GiB in MiB", 1073741824., "B", "1024 MiB"},
    /* comparisons */
    {NULL, "1 us < 2 us", 1, "1", "1"},
    {NULL, "1 us > 2 us", 0, "1", "0"},
    {NULL, "1 us <= 1000 ns", 1, "1", "1"},
    {NULL, "2 >= 3", 0, "1", "0"},
    {NULL, "1 B == 8 bit", 1, "1", "1"},
    {NULL, "1 != 1", 0, "1", "0"},
    {NULL, "1 + 1 == 2", 1, "1", "1"},
    {NULL, "(2 < 3) * 5 us", 5e-6, "s", "5 us"},
    /* functions */
    {NULL, "sqrt(2)", 1.4142135623730951, "1", "1.414213562"},
    {NULL, "sqrt(16 s^2)", 4, "s", "4 s"},
    {NULL, "sqrt (9 B * 4 B)", 6, "B", "6 B"},
    {NULL, "min(3, 1, 2)", 1, "1", "1"},
    {NULL, "min(1 us, 900 ns)", 900e-9, "s", "900 ns"},
    {NULL, "max(1 KiB, 1 kB, 1 B)", 1024, "B", "1 KiB"},
    {NULL, "max(-1, -2)", -1, "1", "-1"},
    {NULL, "log2(8)", 3, "1", "3"},
    {NULL, "log2(8 KiB / 1 B)", 13, "1", "13"},
    {NULL, "log10(1000)", 3, "1", "3"},
    {NULL, "ln(exp(2.385))", 2.385, "1", "2.385"},
    {NULL, "ceil(2.1) + floor(2.9) + round(2.5)", 8, "1", "8"},
    {NULL, "abs(1 us - 3 us)", 2e-6, "s", "2 us"},
    {NULL, "mod(10, 3)", 1, "1", "1"},
    {NULL, "mod(-10, 3)", 2, "1", "2"},
    {NULL, "mod(10 us, 4 us) in us", 2e-6, "s", "2 us"},
    {NULL, "sum(1 us, 2 us, 3 us)", 6e-6, "s", "6 us"},
    {NULL, "mean(1, 2, 6)", 3, "1", "3"},
    {NULL, "ceil(log2(40)) * 2.44 us", 6 * 2.44e-6, "s", "14.64 us"},
    /* variables: after a number a word is a unit, elsewhere a variable goes before one */
    {"x = 4 KiB", "x / 2", 2048, "B", "2 KiB"},
    {"x = 3", "x^2 - x", 6, "1", "6"},
    {"3 us", "ans * 2", 6e-6, "s", "6 us"},
    {"x = 3 us", "ans", 3e-6, "s", "3 us"},
    {"s = 1 MiB", "4 KiB/s", 4096, "B/s", "4.096 kB/s"},
    {"s = 1 MiB", "4 KiB / s", 4096. / 1048576, "1", "0.00390625"},
    {"s = 1 MiB", "4/s", 4. / 1048576, "1/B", NULL},
    {"s = 1 MiB", "2 s", 2, "s", "2 s"},
    {"max = 5", "max - max(1, 2)", 3, "1", "3"},
    {"a_1 = 2", "a_1*a_1", 4, "1", "4"},
    {"x = 1 KiB in kB", "x", 1024, "B", "1 KiB"},
    /* several lines */
    {NULL, "(1 +  # one\n 2)\n", 3, "1", "3"},
    {NULL, "max(1,\r\n    2,\n 3)", 3, "1", "3"},
    /* models: postal is alpha + beta s, max-rate [NA] (2.2) */
    {NULL, "postal(alpha=2 us, beta=0.5 ns/B, s=4 KiB)", 2e-6 + 0.5e-9 * 4096, "s", "4.048 us"},
    {NULL, "postal(s=4 KiB, beta=0.5 ns/B, alpha=2 us).transfer in ns", 0.5e-9 * 4096, "s", "2048 ns"},
    {NULL, "postal( alpha = 1us+1us , beta=0 ns/B, s=0 B )", 2e-6, "s", "2 us"},
    {NULL, "max-rate(alpha=1us, m=10, s=1MiB, ppn=40, R_N=20GB/s, R_b=5GB/s)", 10e-6 + 40 * 1048576 / 20e9, "s",
     "2.107152 ms"},
    {NULL, "max_rate(alpha=1us, m=10, s=1MiB, ppn=1, R_N=20GB/s, R_b=5GB/s)", 10e-6 + 1048576 / 5e9, "s",
     "219.7152 us"},
    {"x = 3 ms", "x-max-rate(alpha=1us, m=10, s=1MiB, ppn=40, R_N=20GB/s, R_b=5GB/s)",
     3e-3 - (10e-6 + 40 * 1048576 / 20e9), "s", "892.848 us"},
    {"s = 4 KiB", "postal(s=s, alpha=0 s, beta=1 ns/B)", 4096e-9, "s", "4.096 us"},
    {NULL, "postal(alpha=postal(alpha=1us, beta=1ns/B, s=1kB), beta=1 ns/B, s=1 kB)", 3e-6, "s", "3 us"},
    {NULL, "host.off-node.eager.alpha", LASSEN_EAGER_ALPHA, "s", "2.44 us"},
    {NULL, "2 us-host.off-node.eager.alpha-1 us", 2e-6 - LASSEN_EAGER_ALPHA - 1e-6, "s", "-1.44 us"},
    {"x = 3 us", "host.off-node.eager.alpha-x in us", LASSEN_EAGER_ALPHA - 3e-6, "s", "-0.56 us"},
    {NULL, "host.injection.R_N*host.injection.inverse_R_N", 1, "1", "1"},
    {NULL, "topology.sockets", 2, "1", "2"},
    {NULL, "postal(protocol=eager, s=0 B)", LASSEN_EAGER_ALPHA, "s", "2.44 us"},
    {NULL,
     "multirail(B=[10 GB/s, 10 GB/s], s=2 MiB, a=0 us, L=0 us, o_f=0us, f=1MiB, threshold=8kB, design=one-rendezvous)",
     1048576 / 10e9, "s", "104.8576 us"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static ns_machine *lassen;

static ns_calc *open_calc(void)
{
    ns_calc *calc;
    ck_assert_int_eq(ns_calc_open(&calc, NULL), NS_OK);
    ns_calc_use_machine(calc, lassen);
    return calc;
}

TEST_EACH(test_row, ROWS)
{
    const struct row *row = &rows[_i];
    ns_answer answer = {.size = sizeof answer};
    ns_error err = {0};
    char unit[64], shown[128];
    ns_calc *calc = open_calc();
    if (row->given != NULL)
        ck_assert_msg(ns_calc_eval(calc, row->given, &answer, &err) == NS_OK, "%s: %s", row->given, err.text);
    ck_assert_msg(ns_calc_eval(calc, row->text, &answer, &err) == NS_OK, "%s: %s", row->text, err.text);
    ck_assert_msg(fabs(answer.quantity.value - row->value) <= 1e-14 * fabs(row->value), "%s is %.17g, wanted %.17g",
                  row->text, answer.quantity.value, row->value);
    ns_dim_unit(answer.quantity.dim, unit, sizeof unit);
    ck_assert_msg(strcmp(unit, row->unit) == 0, "%s is in %s, wanted %s", row->text, unit, row->unit);
    ns_answer_format(&answer, shown, sizeof shown);
    ck_assert_msg(row->shown == NULL || strcmp(shown, row->shown) == 0, "%s prints %s, wanted %s", row->text, shown,
                  row->shown);
    ck_assert(!answer.assigned);
    ns_calc_free(calc);
}

TEST(test_there_are_a_hundred)
{
    ck_assert_int_ge(ROWS, 100);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++)
            ck_assert_msg(strcmp(rows[i].text, rows[j].text) != 0, "%s stands twice", rows[i].text);
}

/* What is shown can be typed again, and is the same to ten digits. */
TEST_EACH(test_shown_reads_back, ROWS)
{
    const struct row *row = &rows[_i];
    ns_answer answer = {.size = sizeof answer}, again = answer;
    ns_error err = {0};
    char shown[128];
    ns_calc *calc = open_calc();
    if (row->given != NULL)
        ck_assert_int_eq(ns_calc_eval(calc, row->given, &answer, NULL), NS_OK);
    ck_assert_int_eq(ns_calc_eval(calc, row->text, &answer, NULL), NS_OK);
    ns_calc_free(calc);
    calc = open_calc();
    ns_answer_format(&answer, shown, sizeof shown);
    ck_assert_msg(ns_calc_eval(calc, shown, &again, &err) == NS_OK, "%s: %s", shown, err.text);
    ck_assert_msg(fabs(again.quantity.value - answer.quantity.value) <= 5.0000001e-10 * fabs(answer.quantity.value),
                  "%s reads back as %.17g, wanted %.17g", shown, again.quantity.value, answer.quantity.value);
    ck_assert(ns_dim_equal(again.quantity.dim, answer.quantity.dim));
    ns_calc_free(calc);
}

/* A model called as a function gives what eval gives, for every model that the machines at hand can feed. */
TEST(test_calls_are_eval)
{
    int called = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++)
        for (const ns_model *const *model = ns_models(); *model != NULL; model++) {
            ns_binding binding;
            ns_model_buffer out;
            ns_answer answer = {.size = sizeof answer};
            ns_error err = {0};
            char text[200];
            ns_machine *machine = machine_named(*name);
            ns_bind_open(&binding, *model, machine);
            if (ns_bind_close(&binding, NULL) == NS_OK && ns_model_eval(&binding, &out, NULL) == NS_OK) {
                ns_calc *calc = open_calc();
                for (const ns_field *f = (*model)->outputs; f->kind != NS_FIELD_END; f++) {
                    snprintf(text, sizeof text, "%s(machine=%s).%s", (*model)->name, *name, f->name);
                    ck_assert_msg(ns_calc_eval(calc, text, &answer, &err) == NS_OK, "%s: %s", text, err.text);
                    ck_assert_msg(answer.quantity.value == ns_field_number(f, &out), "%s", text);
                    called++;
                }
                ns_calc_free(calc);
            }
        }
    ck_assert_int_gt(called, 30);
}

TEST(test_failure_assigns_nothing)
{
    ns_answer answer = {.size = sizeof answer, .unit = "untouched"};
    ns_calc *calc = open_calc();
    ns_quantity value;
    ck_assert_int_eq(ns_calc_eval(calc, "x = 3 us", &answer, NULL), NS_OK);
    ck_assert(answer.assigned);
    snprintf(answer.unit, sizeof answer.unit, "untouched");
    ck_assert_int_ne(ns_calc_eval(calc, "x = 4 us + 1 B", &answer, NULL), NS_OK);
    ck_assert_int_ne(ns_calc_eval(calc, "y = 4 us 5", &answer, NULL), NS_OK);
    ck_assert_str_eq(answer.unit, "untouched");
    ck_assert_str_eq(ns_calc_variable(calc, 0, &value), "x");
    ck_assert_double_eq(value.value, 3 * us);
    ck_assert_ptr_null(ns_calc_variable(calc, 1, NULL));
    ns_calc_free(calc);
}

TEST(test_many_variables)
{
    ns_answer answer = {.size = sizeof answer};
    char text[64];
    ns_calc *calc = open_calc();
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "v%d = %d ns", i, i);
        ck_assert_int_eq(ns_calc_eval(calc, text, &answer, NULL), NS_OK);
    }
    ck_assert_int_eq(ns_calc_eval(calc, "v7 + v999", &answer, NULL), NS_OK);
    ck_assert_double_eq_tol(answer.quantity.value, 1006 * ns, 1e-20);
    ns_calc_free(calc);
}

/* The doubles used above are what the words mean. */
TEST(test_units_are_exact)
{
    ns_answer answer = {.size = sizeof answer};
    ns_calc *calc = open_calc();
    ck_assert_int_eq(ns_calc_eval(calc, "MiB / KiB * (3 GB/s)", &answer, NULL), NS_OK);
    ck_assert_double_eq(answer.quantity.value, MiB / KiB * 3 * GB);
    ck_assert_int_eq(ns_calc_eval(calc, "0.1 us + 0.2 us", &answer, NULL), NS_OK);
    ck_assert_double_eq(answer.quantity.value, 0.1e-6 + 0.2e-6);
    ns_calc_free(calc);
}

static void setup(void)
{
    lassen = machine_named("lassen");
}

static void teardown(void)
{
    ns_machine_free(lassen);
}

TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(120)
