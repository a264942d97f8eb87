/* test_calibration.c -- numbers learnt from whole exchanges: what they change, and what they must not */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <nsmodel/record.h>

#include "support/cli.h"

/* ---- an error or a kappa is no parameter ------------------------------------------------------------------------- */

static const struct {
    const char *machine, *count, *set;
} unchanged[] = {
    {"lassen", "--gpus 16", "host.exchange.model_error.time=1.24"},
    {"lassen", "--gpus 16", "device.exchange.model_error.ratio=0.3"},
    {"lassen", "--gpus 16", "host.choice.kappa=4"},
    {"summit", "--gpus 12", "host.exchange.model_error.time=0.2"},
    {"bluewaters", "--gpus 64", "host.exchange.model_error.time=2"},
    {"bluewaters", "--gpus 64", "host.choice.lambda=0.5"},
    {"lcc3", "--gpus 24", "host.exchange.model_error.time=0.3"},
};

START_TEST(no_estimate_moves)
{
    char line[400];
    snprintf(line, sizeof line, "predict --matrix stencil9:300x200 %s --machine %s", unchanged[_i].count,
             unchanged[_i].machine);
    ns_value *before = cli_json(line);
    snprintf(line, sizeof line, "predict --matrix stencil9:300x200 %s --machine %s --set %s", unchanged[_i].count,
             unchanged[_i].machine, unchanged[_i].set);
    ns_value *after = cli_json(line);
    const ns_value *a = ns_value_get(ns_value_get(before, "cases")->first, "strategies")->first,
                   *b = ns_value_get(ns_value_get(after, "cases")->first, "strategies")->first;
    ck_assert_ptr_nonnull(a);
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        ck_assert_str_eq(ns_value_get(a, "strategy")->text, ns_value_get(b, "strategy")->text);
        ck_assert_double_eq(ns_value_get(a, "estimate_s")->number, ns_value_get(b, "estimate_s")->number);
    }
    ck_assert(a == NULL && b == NULL);
    ns_value_free(before);
    ns_value_free(after);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("calibration");
    TCase *t = tcase_create("exchanges");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, no_estimate_moves, 0, sizeof unchanged / sizeof *unchanged);
    suite_add_tcase(s, t);
    return s;
}
