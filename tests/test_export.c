/* test_export.c -- what nsmodel export writes; tests/test_mpi_export.c simulates on the platforms, and
 * tests/hosts/test_ompi_tuned.c runs Open MPI by the rules */

#include "cli/show/export.h"
#include "core/memory.h"
#include "machine/machine.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/machines.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

/* What the command writes; free it. */
static char *exported(const char *options)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/platform", scratch_folder());
    cli_result r = cli_with("export %s -o %s", options, path);
    ck_assert_msg(r.code == 0, "%s", r.err);
    return read_whole(path);
}

/* Every class of the machine is a segment, to nine digits. */
TEST_EACH(segments, 5)
{
    static const char *const names[] = {"lassen", "dane", "bluewaters", "lassen-spectrum", "lcc3"};
    char options[200], row[120];
    ns_machine *m;
    ck_assert(ns_machine_load(names[_i], &m, NULL) == NS_OK);
    snprintf(options, sizeof options, "--to simgrid --machine %s --nodes 3 --per-node 8", names[_i]);
    char *text = exported(options);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_line *line = &m->line[NS_HOST][l][p];
            if (!line->given)
                continue;
            snprintf(row, sizeof row, "{%.17g, %.9g, %.9g}", line->from, line->alpha, line->beta);
            ck_assert_msg(strstr(text, row) != NULL, "no %s", row);
        }
    ck_assert_ptr_nonnull(strstr(text, "const int nodes = 3, per_node = 8, sockets = 2;"));
    ns_machine_free(m);
}

static const struct {
    const char *name;
    double sender, receiver, network;
} splits[] = {{"network", 0, 0, 1}, {"sender", 1, 0, 0}, {"ends", 0.5, 0.5, 0}, {"thirds", 1 / 3.0, 1 / 3.0, 1 / 3.0}};

/* A machine made by a program, with names that no machine file may have: its files hold them in comments of one
 * line. */
TEST(hostile_names)
{
    char *text;
    size_t size;
    ns_platform platform;
    ns_tuned tuned;
    ns_machine *m = machine_named("hpc6a");
    m->name = "x\n5 # collective";
    m->title = "x\nint injected;\r/*";
    FILE *out = open_memstream(&text, &size);
    ck_assert(ns_platform_make(m, 2, 2, &ns_start_ups[0], &platform, NULL) == NS_OK);
    ns_platform_library(&platform, out);
    fclose(out);
    ck_assert_msg(strncmp(text, "// x int injected;?/*: 2 nodes of 2 processes", 45) == 0, "%.60s", text);
    free(text);
    out = open_memstream(&text, &size);
    ck_assert(ns_tuned_make(m, 0, 1, &(int32_t){8}, 1, &tuned, NULL) == NS_OK);
    ns_tuned_write(&tuned, out);
    fclose(out);
    ck_assert_msg(strncmp(text, "# allreduce and alltoall on x 5 # collective, by nsmodel", 55) == 0, "%.60s", text);
    free(text);
    ns_tuned_free(&tuned);
    out = open_memstream(&text, &size);
    ns_platform_xml(&platform, out);
    fclose(out);
    ck_assert(strstr(text, "injected") == NULL && strstr(text, "collective") == NULL);
    free(text);
}

TEST_EACH(split, sizeof splits / sizeof *splits)
{
    char line[1500], words[200];
    snprintf(line, sizeof line, "--to simgrid --machine lassen --per-node 4 --start-up %s", splits[_i].name);
    char *text = exported(line);
    snprintf(words, sizeof words, "sender = %.9g, receiver = %.9g, network = %.9g;", splits[_i].sender,
             splits[_i].receiver, splits[_i].network);
    ck_assert_msg(strstr(text, words) != NULL, "no %s", words);
    ns_value *root =
        cli_json_with("export --to simgrid --machine lassen --start-up %s -o %s/p", splits[_i].name, scratch_folder());
    ck_assert_double_eq(number_at(root, "start_up.sender"), splits[_i].sender);
    ck_assert_double_eq(number_at(root, "start_up.network"), splits[_i].network);
    ck_assert_double_eq(number_at(root, "per_node"), 40); /* the machine's own */
}

static int lines_of(const char *options, const char *words)
{
    int found = 0;
    ns_value *root = cli_json_with("export %s --machine lassen --per-node 4 -o %s/p", options, scratch_folder());
    for (const ns_value *row = ns_value_get(root, "losses")->first; row != NULL; row = row->next)
        found += strstr(text_at(row, "lost"), words) != NULL;
    return found;
}

/* XML loses what the library has; what neither has is said of both. */
TEST(losses)
{
    ck_assert_int_eq(lines_of("--to simgrid", "XML has one list"), 0);
    ck_assert_int_eq(lines_of("--to simgrid-xml", "XML has one list of segments for all localities"), 1);
    ck_assert_int_eq(lines_of("--to simgrid", "search of the receive queue"), 1);
    ck_assert_int_eq(lines_of("--to simgrid --start-up sender", "network's share"), 0);
    ck_assert_int_eq(lines_of("--to simgrid --start-up thirds", "network's share"), 1);
}

/* Every process, every pair of processes of a node, every pair of nodes. */
TEST(xml)
{
    char *text = exported("--to simgrid-xml --machine lassen --nodes 3 --per-node 4 --start-up thirds");
    ck_assert_uint_eq(times_in(text, "<host id=\"node"), 12);
    ck_assert_uint_eq(times_in(text, "<zoneRoute "), 6);
    ck_assert_uint_eq(times_in(text, "<route "), 3 * (12 + 8));
    ck_assert_uint_eq(times_in(text, "\"smpi/os\" value=\"0:6.2"), 1); /* a third of 1.89 us */
    if (!lacks(__func__, "python3"))
        shell_ok("python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' %s/platform",
                 scratch_folder());
}

/* One process alone is never slower than its line: Blue Waters' rate on shared links is. */
TEST(own_line)
{
    double rate[3];
    char *text = exported("--to simgrid --machine bluewaters --per-node 4");
    const char *at = strstr(text, "of_node[localities] = {");
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(sscanf(at, "of_node[localities] = {%lf, %lf, %lf}", &rate[0], &rate[1], &rate[2]), 3);
    ns_machine *m = machine_named("bluewaters");
    double fastest = INFINITY;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        fastest = fmin(fastest, m->line[NS_HOST][NS_OFF_NODE][p].beta);
    ck_assert_double_eq_tol(rate[2], fastest, 1e-8 * fastest);
}

/* ---- rules for Open MPI ------------------------------------------------------------------------------------------ */

/* The fastest of the three by the model itself: coll_tuned's number. */
static int fastest(const char *machine, int ranks, double bytes)
{
    static const char *const names[] = {"recursive_doubling", "ring", "rabenseifner"};
    static const int tuned[] = {3, 4, 6};
    char key[60];
    int best = 0;
    double time[3];
    ns_value *root = cli_json_with("eval host-allreduce --machine %s nodes=%d s=%.0fB --json", machine, ranks, bytes);
    for (int i = 0; i < 3; i++) {
        snprintf(key, sizeof key, "outputs.%s.value", names[i]);
        time[i] = number_at(root, key);
        best = time[i] < time[best] ? i : best;
    }
    return tuned[best];
}

/* Each bracket begins where the model's choice changes, to the byte. */
TEST_EACH(brackets, 3)
{
    static const char *const names[] = {"hpc6a", "dane", "lassen"};
    int rules = 0, ranks_before = 0, kinds = 0;
    ns_value *root =
        cli_json_with("export --to ompi-tuned --machine %s --ranks 2,6,8 -o %s/p --json", names[_i], scratch_folder());
    for (const ns_value *row = ns_value_get(root, "rules")->first; row != NULL; row = row->next, rules++) {
        const int ranks = (int)number_at(row, "ranks"), tuned = (int)number_at(row, "coll_tuned");
        const double from = number_at(row, "from_B");
        ck_assert_int_eq(tuned, fastest(names[_i], ranks, from));
        if (ranks == ranks_before)
            ck_assert_int_ne(tuned, fastest(names[_i], ranks, from - 1));
        else
            ck_assert_double_eq(from, 0);
        ranks_before = ranks;
        kinds |= 1 << tuned;
    }
    ck_assert_int_gt(rules, 6);
    ck_assert_int_eq(kinds, 1 << 3 | 1 << 4 | 1 << 6); /* all three somewhere */
}

TEST(rules_file)
{
    char *text = exported("--to ompi-tuned --machine hpc6a --ranks 6,8");
    const char *body = strchr(strstr(text, "whole path."), '\n');
    ck_assert_ptr_nonnull(body);
    ck_assert_str_eq(body, "\n2 # collectives\n2 # allreduce\n2 # sizes of communicators\n"
                           "6 # ranks, or more\n2 # sizes of messages\n"
                           "0 3 0 0 # B or more: recursive-doubling\n131072 4 0 0 # B or more: ring\n"
                           "8 # ranks, or more\n4 # sizes of messages\n"
                           "0 3 0 0 # B or more: recursive-doubling\n131072 6 0 0 # B or more: rabenseifner\n"
                           "535347 4 0 0 # B or more: ring\n1048576 6 0 0 # B or more: rabenseifner\n"
                           "3 # alltoall\n2 # sizes of communicators\n"
                           "6 # ranks, or more\n2 # sizes of messages\n"
                           "0 3 0 0 # B or more: modified-bruck\n15718 1 0 0 # B or more: linear\n"
                           "8 # ranks, or more\n2 # sizes of messages\n"
                           "0 3 0 0 # B or more: modified-bruck\n25899 1 0 0 # B or more: linear\n");
}

/* An alltoall's rules take the way that predict prices lowest, on nodes of one rank and of many. */
static double priced(const char *machine, int nodes, int per_node, double bytes, const char *way)
{
    char line[600];
    snprintf(line, sizeof line,
             "predict --machine %s --messages alltoall:%.0fB --nodes %d --per-node %d --transport host --strategy %s "
             "--json",
             machine, bytes, nodes, per_node, way);
    ns_value *root = cli_json(line);
    return number_at(ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first, "estimate_s");
}

TEST_EACH(alltoall_as_priced, 2)
{
    static const struct {
        const char *machine;
        int nodes, per_node;
    } jobs[] = {{"dane", 4, 112}, {"hpc6a", 8, 1}};
    const int ranks = jobs[_i].nodes * jobs[_i].per_node;
    ns_value *root = cli_json_with("export --to ompi-tuned --machine %s --per-node %d --ranks %d -o %s/p --json",
                                   jobs[_i].machine, jobs[_i].per_node, ranks, scratch_folder());
    int rules = 0;
    for (const ns_value *row = ns_value_get(root, "alltoall_rules")->first; row != NULL; row = row->next, rules++) {
        static const char *const ways[] = {NULL, "standard", "standard/pairwise", "library --model bruck"};
        const int taken = (int)number_at(row, "coll_tuned");
        const double pair = ceil(number_at(row, "from_B") / ranks) + 1;
        for (int other = 1; other <= 3; other++)
            ck_assert_double_le(priced(jobs[_i].machine, jobs[_i].nodes, jobs[_i].per_node, pair, ways[taken]),
                                1.0001 *
                                    priced(jobs[_i].machine, jobs[_i].nodes, jobs[_i].per_node, pair, ways[other]));
    }
    ck_assert_int_gt(rules, 1);
}

/* Combining costs more where all ranks combine everything: by what it costs, recursive doubling ends earlier. */
TEST(combining)
{
    char *dear = exported("--to ompi-tuned --machine hpc6a --ranks 8 --gamma 1ns/B");
    const char *second = strstr(dear, "\n0 3 0 0");
    ck_assert_ptr_nonnull(second);
    second = strchr(second + 1, '\n');
    ck_assert_int_lt(atoi(second + 1), 131072);
    ck_assert_int_gt(atoi(second + 1), 0);
}

static const cli_refusal refusals[] = {
    {"export", 2, "export wants -o FILE, the file to write"},
    {"export -o p", 2, "export wants --to simgrid|simgrid-xml|ompi-tuned"},
    {"export --to ns3 -o p", 1, "--to has no choice \"ns3\"; it is one of simgrid, simgrid-xml, ompi-tuned"},
    {"export --to simgrid --start-up half -o p", 1, "it is one of network, sender, ends, thirds"},
    {"export --to simgrid --machine lasen -o p", 1, "did you mean \"lassen\"?"},
    {"export --to simgrid --machine summit -o p", 1, "summit has no time per byte of messages off-node"},
    {"export --to simgrid --machine bxi -o p", 1, "which a platform wants"},
    {"export --to simgrid --nodes 0 -o p", 1, "--nodes wants whole numbers from 1"},
    {"export --to simgrid --nodes 60000 --per-node 40 -o p", 1, "more than 4194304 routes"},
    {"export --to ompi-tuned --nodes 4 -o p", 2, "--nodes is for --to simgrid, not for ompi-tuned"},
    {"export --to simgrid --ranks 4 -o p", 2, "--ranks is for --to ompi-tuned, not for simgrid"},
    {"export --to ompi-tuned --ranks 8,4 -o p", 1, "--ranks wants rising numbers, got 4 after 8"},
    {"export --to ompi-tuned --ranks 1 -o p", 1, "--ranks wants whole numbers from 2"},
    {"export --to ompi-tuned --gamma 1us -o p", 1, "--gamma"},
    {"export --to ompi-tuned --gamma -1ns/B -o p", 1, "--gamma"},
    {"export --to ompi-tuned --machine netsparse -o p", 1, "netsparse"},
    {"export --to simgrid -o /no/such/folder/p", 1, "/no/such/folder"},
};

TEST_EACH(refused, sizeof refusals / sizeof *refusals)
{
    cli_refused(refusals[_i]);
}

TEST_FIXTURE(scratch_begin, scratch_close)
