/* test_machine_check.c -- machines --check: measured, calibrated, assumed, missing, and what measures the rest */
#include "support/cli.h"

#include "core/memory.h"
#include "support/test.h"

static const char *made_up(void)
{
    return cli_file(
        "checked.json",
        "{\"schema\": \"nsmodel/machine/1\", \"name\": \"checked\", \"title\": \"t\", \"source\": \"paper\",\n"
        "\"topology\": {\"sockets\": 2, \"gpus\": 4, "
        "\"host_processes\": {\"value\": 32, \"source\": \"assumed: a guess\"}},\n"
        "\"host\": {\"protocols\": {\"short\": \"0 B\"},"
        "\"on-socket\": {\"short\": {\"alpha\": \"0.5 us\", \"beta\": \"0.1 ns/B\"}},"
        "\"off-node\": {\"short\": {\"alpha\": \"2 us\", \"beta\": \"0.1 ns/B\"}},"
        "\"injection\": {\"unlimited_pairs\": 8}},\n"
        "\"device\": {\"protocols\": {\"short\": \"0 B\"},"
        "\"on-socket\": {\"short\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}},"
        "\"on-node\": {\"short\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}}}}");
}

static const struct {
    const char *what, *known, *basis, *run, *fit;
} expected[] = {
    {"sockets of a node", "measured", "paper", "", ""},
    {"GPUs of a node", "measured", "paper", "", ""},
    {"processes of a node", "assumed", "assumed: a guess", "lscpu | grep Core", "--processes N"},
    {"host messages on-socket", "measured", "paper", "", ""},
    {"host messages on-node", "assumed", "its on-socket table",
     "mpirun -n 64 nsmodel-mpi measure -o FILE --per-node 32", ""},
    {"host messages off-node", "measured", "paper", "", ""},
    {"host rate of the node's injection", "measured", "paper", "", ""},
    {"host start-up of messages in flight", "assumed", "that of single messages",
     "mpirun -n 64 nsmodel-mpi measure -o FILE --per-node 32", ""},
    {"device messages off-node", "missing", "", "mpirun -np 2 --map-by ppr:1:node osu_latency D D",
     "--locality FILE=off-node --memory FILE=device"},
    {"copies between host and GPU", "missing", "", "mpirun -np 32 time_memcpy", ""},
};

static const ns_value *item(const ns_value *root, const char *what)
{
    for (const ns_value *v = ns_value_get(root, "items")->first; v != NULL; v = v->next)
        if (strcmp(ns_value_get(v, "what")->text, what) == 0)
            return v;
    ck_abort_msg("no item \"%s\"", what);
    return NULL;
}

TEST_EACH(every_item_says_how_it_is_known, (int)(sizeof expected / sizeof *expected))
{
    ns_value *root = cli_json_with("machines %s --check", made_up());
    ck_assert_str_eq(ns_value_get(root, "schema")->text, "nsmodel/machine-check/1");
    const ns_value *v = item(root, expected[_i].what);
    ck_assert_str_eq(ns_value_get(v, "known")->text, expected[_i].known);
    ck_assert_str_eq(ns_value_get(v, "basis")->text, expected[_i].basis);
    ck_assert_str_eq(ns_value_get(v, "run")->text, expected[_i].run);
    ck_assert_str_eq(ns_value_get(v, "fit")->text, expected[_i].fit);
}

/* The counts are those of the items; what was calibrated is told from what was measured. */
TEST(counts_add_up)
{
    static const char *const words[] = {"measured", "calibrated", "assumed", "missing"};
    ns_value *root = cli_json("machines lassen-spectrum --check");
    for (int w = 0; w < 4; w++) {
        double count = 0;
        for (const ns_value *v = ns_value_get(root, "items")->first; v != NULL; v = v->next)
            count += strcmp(ns_value_get(v, "known")->text, words[w]) == 0;
        ck_assert_double_eq(ns_value_get(ns_value_get(root, "counts"), words[w])->number, count);
    }
    ck_assert_str_eq(ns_value_get(item(root, "host shortest time of an exchange"), "known")->text, "calibrated");
    ck_assert_str_eq(ns_value_get(item(root, "copies of several processes at once"), "known")->text, "measured");
}

/* On the screen of every machine: commands that can be pasted, in the order in which they read each other's files. */
TEST(what_measures_the_rest_can_be_pasted)
{
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        char line[100];
        snprintf(line, sizeof line, "machines %s --check", *name);
        char *out = cli_output(line);
        ck_assert_msg(strstr(out, "LOG...") == NULL && strstr(out, "FILE") == NULL && strstr(out, "standing") == NULL,
                      "%s", out);
        const char *measure = strstr(out, "\n  mpirun -n 4 nsmodel-mpi measure -o mine.log --per-node 2\n");
        ck_assert_msg(measure != NULL, "%s", out);
        const char *fit = strstr(measure, "\n  nsmodel fit mine.log -o mine.json\n");
        ck_assert_msg(fit != NULL && strstr(fit, "--records mine.csv") != NULL, "%s", out);
        /* of GPUs, which nsmodel-mpi does not measure */
        ck_assert_msg(strcmp(*name, "lassen") != 0 ||
                          (strstr(out, "osu_mbw_mr D D > osu.log && nsmodel fit ") != NULL &&
                           strstr(out, " mine.log osu.log --locality osu.log=off-node --memory ") != NULL),
                      "%s", out);
    }
}

TEST(a_machine_is_wanted)
{
    cli_result r = cli("machines --check");
    ck_assert_int_eq(r.code, 2);
    ck_assert_msg(strstr(r.err, "--check wants a machine or a machine file") != NULL, "%s", r.err);
}
