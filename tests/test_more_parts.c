/* test_more_parts.c -- more parts than a matrix has rows: refused where they are asked for, else left out */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

static const cli_refusal refused[] = {
    {"predict stencil9:5x5 --machine lassen -n 26", 1,
     "nsmodel: --gpus 26 makes 26 parts of the 25 rows of stencil9:5x5; wanted at most as many parts\n"},
    {"predict rajat01 --machine dane -p 16,100000", 1,
     "nsmodel: --parts 100000 makes 100000 parts of the 6833 rows of rajat01; wanted at most as many parts\n"},
    {"predict stencil9:5x5 --machine lassen --nodes 6,7", 1,
     "nsmodel: --nodes 7 makes 28 parts of the 25 rows of stencil9:5x5; wanted at most as many parts\n"},
    {"predict stencil9:2x3 --machine lassen", 1,
     "nsmodel: stencil9:2x3 has 6 rows, fewer than the 8 parts of the first usual case; wanted --gpus with fewer\n"},
    {"advise stencil9:5x5 --machine lassen -n 26", 1,
     "nsmodel: --gpus 26 makes 26 parts of the 25 rows of stencil9:5x5; wanted at most as many parts\n"},
    {"sensitivity --matrix stencil9:5x5 --machine lassen", 1,
     "nsmodel: --gpus 64 makes 64 parts of the 25 rows of stencil9:5x5; wanted at most as many parts\n"},
};

TEST_EACH(asked_for, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

/* A row for each part is enough. */
TEST(as_many)
{
    cli_result r = cli("predict stencil9:5x5 --machine lassen -n 25");
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
}

/* Of the usual numbers those with a row for each part stay. */
TEST(usual)
{
    cli_result r = cli("predict stencil9:5x5 --machine lassen --format csv");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.err, "nsmodel: note: cases of 32 parts and more are left out: stencil9:5x5 has 25 "
                                        "rows\n"));
    cli_free(&r);
    ns_value *root = cli_json("predict stencil9:5x5 --machine lassen");
    ck_assert_double_eq(number_at(root, "cases.0.gpus"), 8);
    ck_assert_double_eq(number_at(root, "cases.1.gpus"), 16);
    ck_assert_ptr_null(ns_value_get(root, "cases")->first->next->next);
    ns_value_free(root);
    r = cli("predict stencil9:16x16 --machine lassen");
    ck_assert_ptr_null(strstr(r.err, "left out"));
    cli_free(&r);
}

/* A partition says itself which parts hold nothing, and messages have no rows. */
TEST(elsewhere)
{
    char line[300] = "predict stencil9:1x2 --machine lassen --partition ";
    strcat(line, cli_file("apart.txt", "0\n7\n"));
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    r = cli("predict --messages alltoall:4KiB --machine lassen -n 64");
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
}
