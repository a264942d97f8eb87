/* test_cross.c -- borders between models found along one input */
#include "support/cli.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *line;
    double border;    /* the only one, SI */
    const char *winners[2];
    const char *source;
} rows[] = {
    {"cross rendezvous:protocol=eager rendezvous:protocol=rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 --over s=1B:1MiB", 7500,
     {"rendezvous:protocol=eager", "rendezvous:protocol=rendezvous"}, "s* = 2 L B_c / n_c"},
    {"cross rendezvous:protocol=eager rendezvous:protocol=rendezvous --machine bxi n_c=1 --over s=1B:1MiB", 2 * 1.5e-6 * 10e9,
     {"rendezvous:protocol=eager", "rendezvous:protocol=rendezvous"}, "s* = 2 L B_c / n_c with bxi's numbers"},
    {"cross postal:protocol=eager postal:protocol=rendezvous --machine lassen --over s=1B:1MiB",
     (7.76e-6 - 2.44e-6) / (3.79e-10 - 7.97e-11),
     {"postal:protocol=eager", "postal:protocol=rendezvous"}, "models.md 7: 17.8 kB from [NA] Table 2"},
    {"cross postal:protocol=short postal:protocol=eager --machine lassen locality=on-node --over s=1B:4KiB",
     (1.17e-6 - 0.925e-6) / (1.19e-9 - 2.18e-10), {"postal:protocol=short", "postal:protocol=eager"}, "models.md 7: 252 B"},
    {"cross multirail:B=10GB/s multirail:B=10GB/s,10GB/s --machine bxi --over s=1kB:10MB", 1e6,
     {"multirail:B=10GB/s", "multirail:B=10GB/s,10GB/s"}, "[RS] Figure 7: striping begins past 1 MB; until then both are equal"},
};

START_TEST(test_border)
{
    ns_value *root = cli_json(rows[_i].line);
    const ns_value *first = ns_value_get(root, "reigns")->first;
    ck_assert_ptr_nonnull(first->next);
    ck_assert_ptr_null(first->next->next);
    ck_assert_str_eq(ns_value_get(first, "winner")->text, rows[_i].winners[0]);
    ck_assert_str_eq(ns_value_get(first->next, "winner")->text, rows[_i].winners[1]);
    ck_assert_double_eq(ns_value_get(first, "to")->number, ns_value_get(first->next, "from")->number);
    ck_assert_msg(fabs(ns_value_get(first, "to")->number - rows[_i].border) <= 1e-9 * rows[_i].border, "%s: %.12g, wanted %.12g (%s)",
                  rows[_i].line, ns_value_get(first, "to")->number, rows[_i].border, rows[_i].source);
    ns_value_free(root);
}
END_TEST

/* Three winners one after the other: short, eager, rendezvous. */
START_TEST(test_three)
{
    ns_value *root = cli_json("cross postal:protocol=short postal:protocol=eager postal:protocol=rendezvous --machine lassen "
                              "locality=on-node --over s=1B:1MiB");
    int count = 0;
    for (const ns_value *r = ns_value_get(root, "reigns")->first; r != NULL; r = r->next)
        count++;
    ck_assert_int_eq(count, 3);
    ns_value_free(root);
}
END_TEST

static const struct {
    const char *line;
    int code;
    const char *words;
} refused[] = {
    {"cross postal --machine lassen --over s=1B:1kB", 2, "cross wants at least two curves"},
    {"cross postal max-rate --machine lassen", 2, "cross wants --over NAME=LO:HI"},
    {"cross postal max-rate --machine lassen --over s=1kB:1B", 1, "the range of s has to rise"},
    {"cross postal max-rate --machine lassen --over s=1:9", 1, "s wants a size"},
    {"cross postal max-rate --machine lassen --over x=1B:9B", 1, "postal has no number \"x\" to vary"},
    {"cross postal max-rat --machine lassen --over s=1B:9B", 1, "did you mean \"max-rate\"?"},
    {"cross postal max-rate --machine lassen --over s=1B:9B --of tme", 1, "postal has no output \"tme\""},
    {"cross postal max-rate --over s=1B:9B", 1, "postal lacks alpha"},
};

START_TEST(test_refused)
{
    cli_result r = cli(refused[_i].line);
    ck_assert_msg(r.code == refused[_i].code, "%s exits %d: %s", refused[_i].line, r.code, r.err);
    ck_assert_msg(strstr(r.err, refused[_i].words) != NULL, "%s", r.err);
    cli_free(&r);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("cross");
    TCase *tc = tcase_create("borders");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_border, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, test_three);
    tcase_add_loop_test(tc, test_refused, 0, sizeof refused / sizeof *refused);
    suite_add_tcase(s, tc);
    return s;
}
