/* test_first_steps.c -- what somebody new types: nothing, help, version, doctor, a bare name */
#include "core/memory.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/test.h"

TEST(test_meta)
{
    static const char *const lines[] = {"--help", "help", "predict --help", "help predict", "eval -h"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_result r = cli(lines[i]);
        ck_assert_int_eq(r.code, 0);
        ck_assert_ptr_nonnull(strstr(r.out, "usage: nsmodel"));
        ck_assert_ptr_nonnull(strstr(r.out, "example: "));
        cli_free(&r);
    }
    static const char *const version[] = {"--version", "-v", "version"};
    for (size_t i = 0; i < sizeof version / sizeof *version; i++) {
        cli_result r = cli(version[i]);
        ck_assert_str_eq(r.out, "nsmodel " NS_VERSION "\n");
        cli_free(&r);
    }
}

/* Whoever says nothing gets three command lines, and each of them runs. */
TEST(test_first_words)
{
    cli_result r = cli("");
    int lines = 0;
    ck_assert_int_eq(r.code, 0);
    for (char *at = r.out; (at = strstr(at, "\n  nsmodel ")) != NULL; lines++) {
        char line[200];
        at += strlen("\n  nsmodel ");
        snprintf(line, sizeof line, "%.*s", (int)(strstr(at, "  ") - at), at);
        if (strncmp(line, "fit LOG...", 10) == 0)
            snprintf(line, sizeof line, "fit examples/osu_latency.log --locality off-node");
        cli_result tried = cli(line);
        ck_assert_msg(tried.code == 0, "%s: %s", line, tried.err);
        cli_free(&tried);
    }
    ck_assert_int_eq(lines, 3);
    cli_free(&r);
}

TEST(test_doctor)
{
    ns_value *said = cli_json("doctor");
    ck_assert_str_eq(ns_value_get(said, "schema")->text, "nsmodel/doctor/1");
    size_t machines = 0;
    for (const ns_value *m = ns_value_get(said, "machines")->first; m != NULL; m = m->next, machines++)
        ck_assert_str_eq(ns_value_get(m, "state")->text, "opens");
    ck_assert_uint_ge(machines, 13);
    ns_value_free(said);
    setenv("NSMODEL_MACHINE", "nosuch", 1);
    cli_result r = cli("doctor");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.out, "no machine or file \"nosuch\""));
    cli_free(&r);
    unsetenv("NSMODEL_MACHINE");
}

/* What NSMODEL_WITHOUT names is shown as hidden and acts as missing. */
TEST(test_without)
{
    ck_assert_int_eq(setenv("NSMODEL_WITHOUT", "scotch,gnuplot,curl", 1), 0);
    ns_value *said = cli_json("doctor");
    int hidden = 0;
    for (const ns_value *p = ns_value_get(said, "programs")->first; p != NULL; p = p->next)
        if (strcmp(ns_value_get(p, "program")->text, "gnuplot") == 0) {
            ck_assert_str_eq(ns_value_get(p, "found")->text, "hidden by NSMODEL_WITHOUT");
            hidden++;
        }
    for (const ns_value *p = ns_value_get(said, "parts")->first; p != NULL; p = p->next) {
        const char *part = ns_value_get(p, "part")->text;
        const bool named = strcmp(part, "scotch") == 0 || strcmp(part, "curl") == 0;
        ck_assert_int_eq(strcmp(ns_value_get(p, "state")->text, "hidden by NSMODEL_WITHOUT") == 0, named);
        hidden += named;
    }
    ck_assert_int_eq(hidden, 3);
    ns_value_free(said);
    char *out = cli_output("place rajat01 --machine dane --nodes 2 --per-node 4 --tries 10");
    ck_assert_ptr_nonnull(
        strstr(out, "\nno placement of Scotch: libscotch (Debian's libscotch-7.0) is not installed\n"));
    ns_free(out);
    cli_refused(
        (cli_refusal){"sweep postal --machine lassen s=1B,9B --plot TMP/hidden.svg", 1, "gnuplot is not installed"});
    cli_refused((cli_refusal){"matrix get HB/ash219 --to TMP/", 1, "libcurl"});
}

TEST(test_without_refused)
{
    ck_assert_int_eq(setenv("NSMODEL_WITHOUT", "scotch,skotch", 1), 0);
    cli_refused((cli_refusal){"doctor", 2, "NSMODEL_WITHOUT names no part \"skotch\"; there are scotch, curl, "});
    ck_assert_int_eq(setenv("NSMODEL_WITHOUT", "scotch,", 1), 0);
    cli_refused((cli_refusal){"--version", 2, "NSMODEL_WITHOUT names no part \"\"; there are scotch, curl, "});
    if (lacks(__func__, "avx2"))
        return;
    ck_assert_int_eq(setenv("NSMODEL_WITHOUT", "avx2", 1), 0);
    cli_refused(
        (cli_refusal){"doctor", 2, "NSMODEL_WITHOUT names avx2, which this program was built to use; `make AVX2=no`"});
}

/* The keys that the contract names, and that terms add up. */
static const struct {
    const char *bare, *said;
} subjects[] = {
    {"predict stencil9:60x60 -n 8", "predict --matrix stencil9:60x60 -n 8"},
    {"netsparse --nodes 4 stencil9:60x60", "netsparse --nodes 4 --matrix stencil9:60x60"},
    {"pattern rajat01 --parts 4", "pattern --matrix rajat01 --parts 4"},
    {"advise %s -n 8", "advise --messages %s -n 8"},
};

/* One bare word is the matrix, or a file of messages. */
TEST_EACH(test_subject, sizeof subjects / sizeof *subjects)
{
    char line[2][400];
    const char *path = cli_file("bare.csv", "src,dst,bytes\n0,4,100\n4,0,200\n1,7,100\n");
    snprintf(line[0], sizeof line[0], subjects[_i].bare, path);
    snprintf(line[1], sizeof line[1], subjects[_i].said, path);
    cli_result bare = cli(line[0]), said = cli(line[1]);
    ck_assert_msg(bare.code == 0 && said.code == 0, "%s%s", bare.err, said.err);
    ck_assert_str_eq(bare.out, said.out);
    cli_free(&bare);
    cli_free(&said);
}
