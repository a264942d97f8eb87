/* test_quiet.c -- --quiet: no notes and no warnings, the same answer, and failures told all the same */
#include "support/cli.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const char *const noted[] = {
    "predict rajat01 --machine csd3 -n 64",
    "predict rajat01 --machine lcc3 -n 24 --set host.exchange.floor=2us",
    "predict rajat01 --machine lassen -n 16 --per-node 8",
};

START_TEST(notes_are_left_out)
{
    char line[200];
    cli_result loud = cli(noted[_i]);
    ck_assert_int_eq(loud.code, 0);
    ck_assert_msg(strncmp(loud.err, "nsmodel: ", 9) == 0, "%s: says nothing: %s", noted[_i], loud.err);
    snprintf(line, sizeof line, "%s --quiet", noted[_i]);
    cli_result quiet = cli(line);
    ck_assert_int_eq(quiet.code, 0);
    ck_assert_str_eq(quiet.err, "");
    ck_assert_str_eq(quiet.out, loud.out);
    cli_free(&quiet);
    cli_free(&loud);
}
END_TEST

START_TEST(failures_are_told)
{
    cli_result r = cli("predict rajat01 -n 0 --quiet");
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strncmp(r.err, "nsmodel: ", 9) == 0, "%s", r.err);
    ck_assert_str_eq(r.out, "");
    cli_free(&r);
    r = cli("fit examples/no-such.log --each --quiet"); /* told by the command itself */
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strstr(r.err, "nsmodel: ") != NULL, "%s", r.err);
    cli_free(&r);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("quiet");
    TCase *t = tcase_create("quiet");
    tcase_add_loop_test(t, notes_are_left_out, 0, (int)(sizeof noted / sizeof *noted));
    tcase_add_test(t, failures_are_told);
    suite_add_tcase(s, t);
    return s;
}
