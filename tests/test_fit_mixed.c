/* test_fit_mixed.c -- what samples were measured together with: many pairs at once, another place in one file */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

enum { TEXT = 8000 };

/* Rows of a plain CSV: alpha us + beta us/B, of so many pairs. */
static void put_pairs(char text[TEXT], int pairs, double alpha, double beta)
{
    size_t used = strlen(text);
    for (long size = 1; size <= 1 << 22; size *= 4)
        used += (size_t)snprintf(text + used, TEXT - used, "%ld,%.4f,%s,off-node,%d\n", size,
                                 alpha + beta * (double)size, pairs > 1 ? "node-pong" : "ping-pong", pairs);
}

static ns_value *fit(const char *logs)
{
    char line[1000];
    snprintf(line, sizeof line, "fit %s --name mixed", logs);
    return cli_json(line);
}

static bool warned(const ns_value *root, const char *words)
{
    for (const ns_value *w = ns_value_get(root, "warnings")->first; w != NULL; w = w->next)
        if (strstr(w->text, words) != NULL)
            return true;
    return false;
}

/* 32 pairs that share 20 GB/s, alone, beside one pair of 10 GB/s, and beside four that get as much each. */
static const struct {
    int few;
    bool assumed, limit; /* the line stands for one alone; the rate is that of the node */
    double least;        /* unlimited_pairs; 0: none */
} together[] = {{0, true, false, 32}, {1, false, true, 0}, {4, true, false, 32}};

TEST_EACH(many_pairs_stand_for_one, (int)(sizeof together / sizeof *together))
{
    char text[TEXT] = "bytes,us,kind,locality,pairs\n";
    if (together[_i].few > 0)
        put_pairs(text, together[_i].few, 2, together[_i].few > 1 ? 1.6e-3 : 1e-4);
    put_pairs(text, 32, 2, 1.6e-3);
    ns_value *root = fit(cli_file("pairs.csv", text));
    const char *source = text_at(root, "machine.host.off-node.source");
    ck_assert_msg((strncmp(source, "assumed: the time of ", 21) == 0) == together[_i].assumed, "%s", source);
    ck_assert_int_eq(warned(root, " pairs at once and none alone: "), together[_i].assumed);
    ck_assert_int_eq(warned(root, "whether 32 pairs at once fill the node"), together[_i].few == 0);
    const ns_value *injection = ns_value_get(ns_value_get(ns_value_get(root, "machine"), "host"), "injection");
    ck_assert_ptr_nonnull(injection);
    ck_assert_int_eq(ns_value_get(injection, "inverse_R_N") != NULL, together[_i].limit);
    if (together[_i].least > 0)
        ck_assert_double_eq(number_at(injection, "unlimited_pairs"), together[_i].least);
    ck_assert_int_eq(strncmp(text_at(injection, "source"), "assumed: ", 9) == 0, together[_i].few == 0);
    ns_value_free(root);
}

/* The node injects what its pairs did, and not what two of them would. */
TEST(the_rate_of_all_pairs_counts)
{
    char text[TEXT] = "bytes,us,kind,locality,pairs\n", line[1000], machine[300];
    put_pairs(text, 32, 2, 1.6e-3);
    strcpy(machine, cli_file("pairs.json", ""));
    snprintf(line, sizeof line, "fit %s -o %s", cli_file("pairs.csv", text), machine);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    snprintf(line, sizeof line, "predict --messages alltoall:64KiB --nodes 2 --strategy standard --machine %s",
             machine);
    ns_value *root = cli_json(line);
    const ns_value *standard = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
    /* 32 processes send 32 messages of 64 KiB out of their node and as many into it, at 20 GB/s */
    const double wire = 2.0 * 32 * 32 * 65536 / 20e9;
    ck_assert_double_gt(number_at(standard, "terms.off_node_s"), 0.9 * wire);
    ck_assert_double_lt(number_at(standard, "terms.off_node_s"), 1.5 * wire);
    ns_value_free(root);
}

static void put_osu(char text[TEXT], const char *before, double alpha, double beta)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, TEXT - used, "%s# OSU MPI Latency Test v7.3\n# Size  Latency (us)\n", before);
    for (long size = 1; size <= 1 << 22; size *= 2)
        used += (size_t)snprintf(text + used, TEXT - used, "%ld %.2f\n", size, alpha + beta * (double)size);
}

/* A second run in one file: of the same place, of another that nobody named, and of one that its command names. */
static const struct {
    const char *second;
    double factor;
    bool said;
} runs[] = {{"", 1.2, false}, {"", 4, true}, {"$ mpirun -np 2 --map-by ppr:2:node osu_latency\n", 4, false}};

TEST_EACH(runs_of_two_places_in_one_file, (int)(sizeof runs / sizeof *runs))
{
    char text[TEXT] = "", words[200];
    put_osu(text, "$ srun -N2 -n2 osu_latency\n", 2, 1e-4);
    put_osu(text, runs[_i].second, 2 / runs[_i].factor, 1e-4 / runs[_i].factor);
    ns_value *root = fit(cli_file("two.log", text));
    snprintf(words, sizeof words, "two.log: what is there from line 4 on takes %.2f times as long as from line 29 on",
             runs[_i].factor);
    ck_assert_int_eq(warned(root, "is one of them inside a node"), runs[_i].said);
    ck_assert_int_eq(warned(root, words), runs[_i].said);
    ns_value_free(root);
}

/* Short messages alone may show no time per byte: what that does to long ones is said. */
TEST(bytes_without_time_are_said)
{
    char text[TEXT];
    static const char words[] =
        "nothing above 256 B was measured; longer messages are extrapolated as if their bytes took "
        "no time";
    for (int slow = 0; slow <= 1; slow++) {
        size_t used = (size_t)snprintf(text, TEXT, "bytes,us,locality\n");
        for (int size = 8; size <= 256; size *= 2)
            used += (size_t)snprintf(text + used, TEXT - used, "%d,%.3f,off-node\n", size, 2 + slow * 1e-3 * size);
        ns_value *root = fit(cli_file("short.csv", text));
        ck_assert_int_eq(warned(root, words), !slow);
        ns_value_free(root);
    }
}

/* The sockets that place ranks unasked are none that anybody gave. */
TEST(sockets_of_a_default_are_assumed)
{
    char text[TEXT] = "", line[500];
    put_osu(text, "$ srun -N2 -n2 osu_latency\n", 2, 1e-4);
    snprintf(line, sizeof line, "%s --per-node 4", cli_file("off.log", text));
    ns_value *root = fit(line);
    ck_assert_double_eq(number_at(root, "machine.topology.sockets.value"), 1);
    ck_assert_int_eq(strncmp(text_at(root, "machine.topology.sockets.source"), "assumed: ", 9), 0);
    ns_value_free(root);
    strcat(line, " --sockets 2");
    root = fit(line);
    ck_assert_double_eq(number_at(root, "machine.topology.sockets"), 2);
    ck_assert_str_eq(text_at(root, "machine.topology.source"), "given to nsmodel fit");
    ns_value_free(root);
}

/* Whatever prices messages inside a node says when nobody measured them. */
TEST(stand_ins_are_said)
{
    static const char *const asked[][2] = {
        {"predict rajat01 --nodes 2 --per-node 4", "so node-aware strategies look dearer"},
        {"advise rajat01 --nodes 2 --per-node 4", "so node-aware strategies look dearer"},
        {"place rajat01 --nodes 2 --per-node 4 --no-scotch",
         "so placements that keep messages inside nodes look dearer"},
        {"sweep --over strategy", "so node-aware strategies look dearer"}};
    char machine[300], line[700], text[TEXT] = "";
    put_osu(text, "$ srun -N2 -n2 osu_latency\n", 2, 1e-4);
    strcpy(machine, cli_file("alone.json", ""));
    snprintf(line, sizeof line, "fit %s --processes 4 -o %s", cli_file("off.log", text), machine);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        snprintf(line, sizeof line, "%s --machine %s", asked[i][0], machine);
        r = cli(line);
        ck_assert_msg(r.code == 0, "%s", r.err);
        ck_assert_msg(strstr(r.err, asked[i][1]) != NULL, "%s: %s", asked[i][0], r.err);
        ck_assert_ptr_nonnull(strstr(r.err, "Still needed: mpirun -n "));
        ck_assert_ptr_nonnull(strstr(r.err, "nsmodel-mpi measure -o mine.log --per-node "));
        cli_free(&r);
    }
    r = cli("place rajat01 --nodes 2 --per-node 4 --no-scotch --machine dane");
    ck_assert_str_eq(r.err, "");
    cli_free(&r);
}
