/* test_quiet.c -- --quiet: no notes and no warnings, the same answer, and failures told all the same */
#include "support/cli.h"
#include "support/test.h"

static const char *const noted[] = {
    "predict rajat01 --machine csd3 -n 64",
    "predict rajat01 --machine lcc3 -n 24 --set host.exchange.floor=2us",
    "predict rajat01 --machine lassen -n 16 --per-node 8",
};

TEST_EACH(notes_are_left_out, (int)(sizeof noted / sizeof *noted))
{
    cli_result loud = cli(noted[_i]);
    ck_assert_int_eq(loud.code, 0);
    ck_assert_msg(strncmp(loud.err, "nsmodel: ", 9) == 0, "%s: says nothing: %s", noted[_i], loud.err);
    cli_result quiet = cli_with("%s --quiet", noted[_i]);
    ck_assert_int_eq(quiet.code, 0);
    ck_assert_str_eq(quiet.err, "");
    ck_assert_str_eq(quiet.out, loud.out);
}

TEST(failures_are_told)
{
    cli_result r = cli("predict rajat01 -n 0 --quiet");
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strncmp(r.err, "nsmodel: ", 9) == 0, "%s", r.err);
    ck_assert_str_eq(r.out, "");
    r = cli("fit examples/no-such.log --each --quiet"); /* told by the command itself */
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strstr(r.err, "nsmodel: ") != NULL, "%s", r.err);
}
