/* test_stand_in.c -- inside a node one measured locality stands for the other; ways that have no price are left out */
#include "support/cli.h"
#include "support/test.h"

#define LINE(alpha, beta) "{\"alpha\": \"" alpha " us\", \"beta\": \"" beta " ns/B\"}"
#define PROTOCOLS         "\"protocols\": {\"short\": \"0 B\"}"
#define HEAD(name)                                                                                                     \
    "{\"schema\": \"nsmodel/machine/1\", \"name\": \"" name "\", \"title\": \"made up\", \"source\": \"made up\", "

static double estimate_of(const char *machine)
{
    ns_value *root =
        cli_json_with("predict --messages alltoall:700B -n 12 --per-node 4 --machine %s --strategy two-step", machine);
    const double seconds = ns_value_at(root, "cases.0.strategies.0.estimate_s")->number;
    return seconds;
}

/* The same numbers written twice give the same time; other ones do not. */
TEST(one_locality_stands_for_the_other)
{
    char one[300], two[300], other[300];
    strcpy(one,
           cli_file("one.json", HEAD("one") "\"topology\": {\"sockets\": 2}, \"host\": {" PROTOCOLS
                                            ", \"on-node\": {\"short\": " LINE(
                                                "0.7", "0.3") "}, "
                                                              "\"off-node\": {\"short\": " LINE("2.1", "0.9") "}}}"));
    strcpy(two, cli_file("two.json", HEAD("two") "\"topology\": {\"sockets\": 2}, \"host\": {" PROTOCOLS
                                                 ", \"on-node\": {\"short\": " LINE(
                                                     "0.7", "0.3") "}, "
                                                                   "\"on-socket\": {\"short\": " LINE(
                                                                       "0.7", "0.3") "}, "
                                                                                     "\"off-node\": {\"short\": " LINE(
                                                                                         "2.1", "0.9") "}}}"));
    strcpy(other,
           cli_file(
               "other.json",
               HEAD("other") "\"topology\": {\"sockets\": 2}, \"host\": {" PROTOCOLS ", \"on-node\": {\"short\": " LINE(
                   "0.7", "0.3") "}, "
                                 "\"on-socket\": {\"short\": " LINE("0.2", "0.1") "}, "
                                                                                  "\"off-node\": {\"short\": " LINE(
                                                                                      "2.1", "0.9") "}}}"));
    ck_assert_double_eq(estimate_of(one), estimate_of(two));
    ck_assert_double_gt(estimate_of(one), estimate_of(other));
    cli_result r = cli_with("predict --messages alltoall:700B -n 12 --per-node 4 --machine %s", one);
    ck_assert_int_eq(r.code, 0);
    ck_assert_msg(strstr(r.err, "one has no on-socket table for host memory; its on-node table stands for it") != NULL,
                  "%s", r.err);
}

/* GPUs without the times of copies: device-aware ways only, with a note; the host's way alone is an error. */
TEST(ways_without_copies_are_left_out)
{
    char path[300];
    strcpy(path,
           cli_file(
               "bare.json",
               HEAD("bare") "\"topology\": {\"gpus\": 4}, \"device\": {" PROTOCOLS ", \"on-socket\": {\"short\": " LINE(
                   "0.7", "0.3") "}, "
                                 "\"off-node\": {\"short\": " LINE(
                                     "2.1", "0.9") "}}, \"host\": {" PROTOCOLS
                                                   ", \"on-socket\": {\"short\": " LINE(
                                                       "0.7", "0.3") "}, "
                                                                     "\"off-node\": {\"short\": " LINE("2.1",
                                                                                                       "0.9") "}}}"));
    cli_result r = cli_with("predict --messages alltoall:700B -n 12 --machine %s --format csv", path);
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_msg(strstr(r.out, ",host,") == NULL && strstr(r.out, ",device,") != NULL, "%s", r.out);
    ck_assert_msg(strstr(r.err, "bare gives no copy parameters, so ways by the host are left out") != NULL, "%s",
                  r.err);
    r = cli_with("predict --messages alltoall:700B -n 12 --machine %s --transport host", path);
    ck_assert_int_eq(r.code, 1);
}

/* No off-node table: within one node there is an answer, beyond it an error that names the table. */
TEST(a_machine_of_one_node_predicts_within_it)
{
    char path[300];
    strcpy(path, cli_file("inside.json", HEAD("inside") "\"host\": {" PROTOCOLS
                                                        ", \"on-socket\": {\"short\": " LINE("0.7", "0.3") "}}}"));
    cli_result r = cli_with("predict --messages alltoall:700B -n 4 --per-node 4 --machine %s", path);
    ck_assert_msg(r.code == 0, "%s", r.err);
    r = cli_with("predict --messages alltoall:700B -n 8 --per-node 4 --machine %s", path);
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "inside has no off-node table for host memory") != NULL, "%s", r.err);
}
