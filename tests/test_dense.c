/* test_dense.c -- dense exchanges: the pattern that a row means, which rows count, what is left out */
#include "records/statistics.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/test.h"

/* The first numbers after srand(1), as printed everywhere. */
TEST(random_numbers)
{
    static const int32_t first[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
    ns_glibc_random random;
    ns_glibc_seed(&random, 1);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        ck_assert_int_eq(ns_glibc_next(&random), first[i]);
    ns_glibc_seed(&random, 0); /* is 1 */
    ck_assert_int_eq(ns_glibc_next(&random), first[0]);
}

TEST(random_numbers_of_this_library)
{
#ifdef __GLIBC__
    for (unsigned seed = 123; seed < 123 + 96; seed++) {
        ns_glibc_random random;
        ns_glibc_seed(&random, seed);
        srand(seed);
        for (int i = 0; i < 100; i++)
            ck_assert_int_eq(ns_glibc_next(&random), rand());
    }
#else
    skipped(__func__, "needs glibc");
#endif
}

static ns_value *validate(const char *name, const char *text, const char *options)
{
    char line[600];
    snprintf(line, sizeof line, "validate --machine lassen=lassen --records %s --worst 99 %s", cli_file(name, text),
             options);
    return cli_json(line);
}

static double predicted(const ns_value *root, const char *id)
{
    for (const ns_value *row = ns_value_get(root, "worst")->first; row != NULL; row = row->next)
        if (strcmp(ns_value_get(row, "id")->text, id) == 0)
            return ns_value_get(row, "predicted_s")->number;
    ck_abort_msg("no row %s", id);
    return 0;
}

static double estimate(const ns_value *root, const char *strategy, const char *transport)
{
    const ns_value *list = ns_value_get(ns_value_get(root, "cases")->first, "strategies");
    for (const ns_value *row = list->first; row != NULL; row = row->next)
        if (strcmp(ns_value_get(row, "strategy")->text, strategy) == 0 &&
            strcmp(ns_value_get(row, "transport")->text, transport) == 0)
            return ns_value_get(row, "estimate_s")->number;
    ck_abort_msg("no %s by %s", strategy, transport);
    return 0;
}

#define HEAD                                                                                                           \
    "id,machine,nodes,gpus_per_node,processes,doubles_per_pair,random_extra_max,threads,strategy,transport,"           \
    "algorithm,median_s\n"

/* The same price as that of the exchange described otherwise, for any strategy. */
TEST(same_as_all_to_all)
{
    ns_value *rows = validate("dense.csv",
                              HEAD "a,lassen,3,4,12,64,0,1,standard,device,mpi,1e-4\n"
                                   "b,lassen,3,4,12,64,0,1,standard,staged-with-copies,mpi,2e-4\n"
                                   "c,lassen,3,4,12,64,0,1,node-aware,host,,2e-4\n"
                                   "d,lassen,3,4,12,64,0,1,split-md,host,,2e-4\n"
                                   "e,lassen,3,4,12,64,0,1,three-step,device,,2e-4\n",
                              "");
    ns_value *whole = cli_json("predict --messages alltoall:512B --machine lassen --gpus 12");
    ck_assert_double_eq(predicted(rows, "a"), estimate(whole, "standard", "device"));
    ck_assert_double_eq(predicted(rows, "b"), estimate(whole, "standard", "host"));
    ck_assert_double_eq(predicted(rows, "c"), estimate(whole, "two-step", "host"));
    ck_assert_double_eq(predicted(rows, "d"), estimate(whole, "split-md", "host"));
    ck_assert_double_eq(predicted(rows, "e"), estimate(whole, "three-step", "device"));
}

/* Entries of 8 B: 3 and rand() % 5 more, drawn for the process itself, too. */
TEST(random_sizes)
{
    enum { PARTS = 6 };
    char messages[4000];
    size_t used = 0;
    for (int from = 0; from < PARTS; from++) {
        ns_glibc_random random;
        ns_glibc_seed(&random, (uint32_t)(123 + from));
        for (int to = 0; to < PARTS; to++) {
            const int entries = 3 + ns_glibc_next(&random) % 5;
            if (from != to)
                used += (size_t)snprintf(messages + used, sizeof messages - used, "%d,%d,%d\n", from, to, 8 * entries);
        }
    }
    ns_value *whole =
        cli_json_with("predict --machine lassen --gpus 6 --messages %s", cli_file("random.csv", messages));
    ns_value *rows = validate("dense.csv",
                              HEAD "a,lassen,2,4,6,3,5,1,standard,device,mpi,1e-4\n"
                                   "b,lassen,2,4,6,3,0,1,standard,device,mpi,1e-4\n",
                              "");
    ck_assert_double_eq(predicted(rows, "a"), estimate(whole, "standard", "device"));
    ck_assert_double_gt(predicted(rows, "a"), predicted(rows, "b"));
}

/* Processes with their data on the host copy nothing, whatever GPUs stand beside them; those of GPUs want copies. */
TEST(processes_beside_gpus)
{
    static const char head[] = "id,nodes,%s,processes,bytes_per_pair,strategy,median_s\na,2,16,32,512,standard,3e-4\n";
    static const char line[] = "validate --worst 9 --machine bluewaters %s --records %s";
    char rows[200], of_gpus[200];
    snprintf(rows, sizeof rows, head, "ppn");
    snprintf(of_gpus, sizeof of_gpus, head, "gpus_per_node");
    ns_value *alone = cli_json_with(line, "", cli_file("processes.csv", rows));
    ns_value *beside = cli_json_with(line, "--set topology.gpus=16", cli_file("processes.csv", rows));
    ck_assert_double_eq(predicted(beside, "a"), predicted(alone, "a"));
    cli_result r = cli_with(line, "--set topology.gpus=16", cli_file("gpus.csv", of_gpus));
    ck_assert_int_ne(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.err, "does not run standard by host"));
    ns_value *copied =
        cli_json_with("validate --worst 9 --machine lassen --records %s", cli_file("processes.csv", rows));
    ck_assert_double_eq(ns_value_get(ns_value_get(copied, "worst")->first, "copy_s")->number, 0);
    copied = cli_json_with("validate --worst 9 --machine lassen --records %s", cli_file("gpus.csv", of_gpus));
    ck_assert_double_gt(ns_value_get(ns_value_get(copied, "worst")->first, "copy_s")->number, 0);
}

#define ALL "id,machine,nodes,ppn,processes,bytes_per_pair,strategy,algorithm,median_s\n"

/* All at once, in rounds and by the library are three ways; of other strategies only steps all at once are ours.  The
 * ways of one exchange are a case. */
TEST(which_rows_count)
{
    ns_value *root = validate("which.csv",
                              ALL "a,bluewaters,2,16,32,64,standard,pairwise,3e-4\n"
                                  "b,bluewaters,2,16,32,64,standard,nonblocking,2e-4\n"
                                  "c,bluewaters,2,16,32,64,standard,mpi,1e-4\n"
                                  "d,bluewaters,2,16,32,64,node-aware,nonblocking,5e-4\n"
                                  "h,bluewaters,2,16,32,64,node-aware,pairwise,1e-5\n"
                                  "e,bluewaters,2,16,32,64,hierarchical,pairwise,1e-5\n"
                                  "f,bluewaters,2,16,32,128,standard,pairwise,4e-4\n"
                                  "g,bluewaters,2,16,32,64,hierarchical,nonblocking,1e-5\n",
                              "--by bytes_per_pair --incumbent two-step/host");
    const ns_value *scores = ns_value_get(root, "scores")->first;
    ck_assert_double_eq(ns_value_get(scores, "exchanges")->number, 5); /* no row of an empty class follows */
    ck_assert_str_eq(ns_value_get(scores->next, "column")->text, "bytes_per_pair");
    for (const ns_value *row = ns_value_get(root, "worst")->first; row != NULL; row = row->next)
        if (strcmp(ns_value_get(row, "id")->text, "a") == 0)
            ck_assert_double_eq(ns_value_get(row, "measured_s")->number, 3e-4);
    static const struct {
        const char *rule;
        double loss;
    } rules[] = {{"always standard/host", 1},
                 {"always two-step/host (incumbent)", 4},
                 {"always standard/pairwise/host", 2},
                 {"always library/host", 0}};
    const ns_value *rule = ns_value_get(root, "rules")->first->next;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++, rule = rule->next) {
        ck_assert_str_eq(ns_value_get(rule, "rule")->text, rules[i].rule);
        ck_assert_double_eq_tol(ns_value_get(rule, "lost_mean")->number, rules[i].loss, 1e-12);
    }
    ck_assert_ptr_null(rule);
    size_t left = 0;
    for (const ns_value *row = ns_value_get(root, "left_out")->first; row != NULL; row = row->next)
        left++;
    ck_assert_uint_eq(left, 3);
}

/* In words: a line above the tables for each reason; too large is one. */
TEST(left_out)
{
    cli_result r = cli_with("validate --max-work 2000 --records %s",
                            cli_file("left.csv", ALL "a,bluewaters,2,16,32,64,standard,pairwise,3e-4\n"
                                                     "e,bluewaters,2,16,32,64,hierarchical,pairwise,1e-5\n"
                                                     "f,bluewaters,4,16,64,128,standard,pairwise,4e-4\n"
                                                     "g,bluewaters,2,16,32,64,hierarchical,nonblocking,1e-5\n"));
    ck_assert_msg(r.code == 0 && *r.err == '\0', "%s", r.err);
    ck_assert_ptr_nonnull(strstr(r.out, "left out   2 rows: hierarchical: none of our strategies\n"));
    ck_assert_ptr_nonnull(strstr(r.out, "left out   1 row: this is work of at least 0 entries, 0 rows and 4032 routes, "
                                        "more than the limit of 2000 together\n"));
}

static const struct {
    const char *text, *options, *says;
} refused[] = {
    {ALL "a,bluewaters,2,16,33,64,standard,pairwise,1e-4\n", "", "33 processes do not stand on 2 nodes of 16"},
    {ALL "a,bluewaters,2,16,16,64,standard,pairwise,1e-4\n", "", "16 processes do not stand on 2 nodes of 16"},
    {ALL "a,bluewaters,2,16,32,0,standard,pairwise,1e-4\n", "", "a pair exchanges 1 B at least"},
    {ALL "a,bluewaters,2,16,32,x,standard,pairwise,1e-4\n", "", "bytes_per_pair wants a number, got \"x\""},
    {ALL "a,bluewaters,2,16,32,,standard,pairwise,1e-4\n", "", "wants bytes_per_pair or doubles_per_pair, one of them"},
    {ALL "a,bluewaters,2,16,32,64,node-aware,mpi,1e-4\n", "", "no row has a measured time above 0"},
    {ALL "a,bluewaters,2,16,32,64,standard,pairwise,\n", "", "no row has a measured time above 0"},
    {ALL "a,bluewaters,2,16,32,64,standard,pairwise,1e-4\n", "--max-work 0", "--max-work wants a number from 1"},
    {ALL "a,bluewaters,2,16,32,64,standard,pairwise,1e-4\n", "--max-work 10", "more than the limit of 10 together"},
    {HEAD "a,bluewaters,2,16,32,64,0,1,standard,device,,1e-4\n", "",
     "machine bluewaters does not run standard by device"},
    {HEAD "a,lassen,2,4,8,64,0,4,standard,device,,1e-4\n", "", "no row has a measured time"},
    {"strategy,bytes_per_pair,processes\nstandard,8,4\n", "", "has no column measured_s"},
};

TEST_EACH(refusal, sizeof refused / sizeof *refused)
{
    cli_result r = cli_with("validate %s --records %s", refused[_i].options, cli_file("no.csv", refused[_i].text));
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, refused[_i].says) != NULL, "%s", r.err);
}
