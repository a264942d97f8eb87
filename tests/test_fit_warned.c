/* test_fit_warned.c -- what fit warned of: in the machine's file, and wherever that is used */
#include "support/cli.h"
#include "support/files.h"
#include "support/fits.h"
#include "support/forms.h"
#include "support/values.h"

#include "core/memory.h"
#include "support/test.h"

#include <math.h>

/* A pair of 2 us and 0.27 GB/s, and four pairs that the tool says move so many MB/s together. */
static void logs(char *line, size_t size, double rate)
{
    char alone[2000], many[2000], path[300];
    size_t a = (size_t)snprintf(alone, sizeof alone, "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"),
           m = (size_t)snprintf(many, sizeof many,
                                "# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n"
                                "# [ pairs: 4 ] [ window size: 64 ]\n# Size                  MB/s        Messages/s\n");
    for (int bytes = 1; bytes <= 1 << 22; bytes *= 2) {
        a += (size_t)snprintf(alone + a, sizeof alone - a, "%d %.3f\n", bytes, 2 + bytes / 270.0);
        m += (size_t)snprintf(many + m, sizeof many - m, "%d %.6f %.6f\n", bytes, rate, rate * 1e6 / bytes);
    }
    snprintf(path, sizeof path, "%s", cli_file("alone.log", alone));
    snprintf(line, size, "%s %s --locality off-node --memory host --processes 8", path, cli_file("many.log", many));
}

/* The machine of these logs; *err is what fit said. */
static void fit(double rate, char machine[300], char *err, size_t size)
{
    char line[1200], of[800];
    logs(of, sizeof of, rate);
    snprintf(machine, 300, "%s", cli_file("warned.json", ""));
    snprintf(line, sizeof line, "fit %s --name warned -o %s", of, machine);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    snprintf(err, size, "%s", r.err);
}

/* B/s, out and in, that the full form takes for the node. */
static double node_rate(const ns_machine *machine)
{
    ns_form_values values;
    ns_form_take(&ns_form_full, machine, NS_HOST, 0, &values);
    return 1 / values.value[form_slot(&values, "<memory>.injection.inverse_R_N", 0, 0)];
}

static const char left_out[] =
    "host: R_N of 0.002 GB/s is below the 0.27 GB/s of one pair, so it is left out: are the logs "
    "of different systems?";

/* A node that injects less than one of its pairs is of other logs: no machine has that number. */
TEST(a_limit_below_one_pair_is_left_out)
{
    char machine[300], err[4000];
    fit(2, machine, err, sizeof err);
    ck_assert_msg(strstr(err, left_out) != NULL, "%s", err);
    char *text = read_whole(machine);
    ck_assert_msg(strstr(text, "inverse_R_N") == NULL, "%s", text);
    fit(800, machine, err, sizeof err);
    ck_assert_ptr_null(strstr(err, "left out"));
    text = read_whole(machine);
    ck_assert_msg(strstr(text, "inverse_R_N") != NULL, "%s", text);
}

/* Four pairs that send at once are half of eight processes: their start-ups are not those of a full node. */
TEST(half_of_the_processes_at_once)
{
    static const char few[] = "host: at most 4 of the %d processes of a node sent at once: its rate and start-ups are "
                              "those of so few; measure again with all of them";
    static const struct {
        int processes;
        bool warned;
    } nodes[] = {{7, false}, {8, true}, {64, true}};
    char of[800], said[4000], warning[300];
    logs(of, sizeof of, 800);
    *strstr(of, " --processes") = '\0';
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        ns_machine_free(fits_machine(said, sizeof said, "%s --processes %d", of, nodes[i].processes));
        snprintf(warning, sizeof warning, few, nodes[i].processes);
        ck_assert_msg((strstr(said, warning) != NULL) == nodes[i].warned, "%d: %s", nodes[i].processes, said);
    }
}

/* Four pairs of 270 MB/s each that send at 800 MB/s together take 1.35 times as long as one alone, at 500 MB/s 2.16
 * times. */
TEST(a_limit_that_is_hardly_reached)
{
    static const char hardly[] = "host: 4 pairs at once take 1.35 times as long as one, less than twice: the injection "
                                 "limit is not reached, or only just, and more pairs may inject more than R_N says";
    char machine[300], err[4000];
    fit(800, machine, err, sizeof err);
    ck_assert_msg(strstr(err, hardly) != NULL, "%s", err);
    fit(500, machine, err, sizeof err);
    ck_assert_msg(strstr(err, "less than twice") == NULL, "%s", err);
}

/* The fit of a node of 8: messages of 0.1 ns/B off it, and on it of 0.05 ns/B, up to 2^last B; those from some size on
 * take `jump` times as long and `then` ns/B. */
static ns_machine *bending(char *said, size_t size, int from, double jump, double then, int last)
{
    static const char head[] = "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n";
    char off[2000], on[2000];
    size_t n = (size_t)snprintf(off, sizeof off, "%s", head), m = (size_t)snprintf(on, sizeof on, "%s", head);
    for (int k = 0; k <= last; k++) {
        const double s = pow(2, k), t = 2 + s * 0.05e-3;
        n += (size_t)snprintf(off + n, sizeof off - n, "%.0f %.4f\n", s, 3 + s * 0.1e-3);
        m += (size_t)snprintf(on + m, sizeof on - m, "%.0f %.4f\n", s,
                              s < from ? t : jump * t + (s - from) * (then - 0.05) * 1e-3);
    }
    cli_file("off.log", off);
    cli_file("on.log", on);
    return test_keep(fits_machine(said, size,
                                  "TMP/off.log TMP/on.log --locality TMP/off.log=off-node --locality "
                                  "TMP/on.log=on-node --processes 8"));
}

/* Which of the lines inside a node are of warm caches: those before a byte takes longer, which no protocol is made for;
 * none is known where nothing bends; beyond any cache all are of memory. */
static const struct {
    int from;
    double then;
    int last;
    const char *said, *noted;
} warm[] = {
    {1 << 21, 0.09, 26, "host on-node: a byte takes 0.05 ns up to 2097152 B and 0.08", /* a line through the bend */
     "; buffers in warm caches, where exchanges read memory"},
    {1 << 21, 0.05, 22, "host on-node up to 4194304 B: no message is slower a byte than shorter ones",
     "; nothing shows whether the buffers lay in warm caches, where exchanges read memory"},
    {1 << 21, 0.05, 29, NULL, NULL},
};

TEST_EACH(rates_of_warm_caches, (int)(sizeof warm / sizeof *warm))
{
    char said[4000];
    const ns_machine *m = bending(said, sizeof said, warm[_i].from, 1, warm[_i].then, warm[_i].last);
    char *file = read_whole(m->file);
    ck_assert_msg((strstr(said, "caches") != NULL) == (warm[_i].said != NULL), "%s", said);
    ck_assert_msg(warm[_i].said == NULL || strstr(said, warm[_i].said) != NULL, "%s", said);
    ck_assert_uint_eq(times_in(file, "warm caches, where exchanges"), warm[_i].noted != NULL);
    ck_assert(warm[_i].noted == NULL || strstr(file, warm[_i].noted) != NULL);
}

/* No protocol takes fifty times as long as the one before; six times may be a protocol. */
TEST(times_that_jump_are_left_out)
{
    static const double jumps[] = {6, 1000}, of_a_MiB[] = {6 * (2 + 52.4), 2 + 52.4}; /* us */
    char said[4000];
    for (int i = 0; i < 2; i++) {
        const ns_machine *m = bending(said, sizeof said, 8192, jumps[i], 0.05, 22);
        const ns_line *line = ns_machine_line(m, NS_HOST, NS_ON_NODE, 1 << 20, NULL);
        const bool out = strstr(said, "host on-node: from 8192 B on a message takes") != NULL;
        ck_assert_msg(out == (i == 1), "%s", said);
        ck_assert_double_eq_tol(1e6 * (line->alpha + line->beta * (1 << 20)) / of_a_MiB[i], 1, 0.1);
    }
}

/* --interfaces is in the file, and the node is as fast as so many messages alone where its rate was not reached. */
TEST(as_many_as_interfaces)
{
    char of[800], said[4000];
    logs(of, sizeof of, 4 * 270);
    ns_machine *without = test_keep(fits_machine(said, sizeof said, "%s", of)),
               *with = test_keep(fits_machine(said, sizeof said, "%s --interfaces 6", of));
    ck_assert_ptr_null(ns_machine_parameter(without, "topology.nics"));
    const ns_parameter *nics = ns_machine_parameter(with, "topology.nics");
    ck_assert_ptr_nonnull(nics);
    ck_assert_double_eq(nics->value, 6);
    ck_assert_ptr_null(ns_machine_parameter(with, "host.injection.inverse_R_N"));
    ck_assert_double_eq_tol(node_rate(without) / (4 * 270e6), 1, 0.02);
    ck_assert_double_eq_tol(node_rate(with) / (6 * 270e6), 1, 0.02);
}

/* The lines that fit says are the list in the file, and predict, JSON and --check repeat it. */
TEST(the_machine_tells)
{
    char machine[300], err[4000], line[600], said[1500];
    size_t lines = 0;
    fit(2, machine, err, sizeof err);
    snprintf(line, sizeof line, "predict rajat01 --machine %s", machine);
    ns_value *predicted = cli_json(line);
    const ns_value *list = ns_value_get(ns_value_get(predicted, "machine"), "warnings");
    for (const ns_value *w = list->first; w != NULL; w = w->next, lines++) {
        snprintf(said, sizeof said, "nsmodel: warning: %s\n", w->text);
        ck_assert_msg(strstr(err, said) != NULL, "%s is not in %s", said, err);
    }
    ck_assert_uint_eq(times_in(err, "nsmodel: warning: "), lines);
    ck_assert_uint_ge(lines, 2);

    cli_result r = cli(line);
    snprintf(said, sizeof said, "nsmodel: warning: fit warned of warned: %s; %zu more: `nsmodel machines %s --check`\n",
             list->first->text, lines - 1, machine);
    ck_assert_int_eq(r.code, 0);
    ck_assert_msg(strstr(r.err, said) != NULL, "%s", r.err);

    snprintf(line, sizeof line, "machines %s --check", machine);
    char *checked = cli_output(line);
    ck_assert_uint_eq(times_in(checked, "fit warned: "), lines);
    ns_value *check = cli_json(line);
    const ns_value *again = ns_value_get(check, "warnings")->first;
    for (const ns_value *w = list->first; w != NULL; w = w->next, again = again->next)
        ck_assert_str_eq(again->text, w->text);
    ck_assert_ptr_null(again);
}

/* One warning needs no count; a shipped machine's are in --check and JSON. */
TEST(said_in_a_line)
{
    static const char head[] = "\"schema\": \"nsmodel/machine/1\",";
    char *text = read_whole("params/lassen.json"), *at = strstr(text, head), machine[300], line[600];
    ck_assert_ptr_nonnull(at);
    char *own = ns_malloc(strlen(text) + 100);
    sprintf(own, "%.*s%s \"warnings\": [\"odd times\"],%s", (int)(at - text), text, head, at + strlen(head));
    snprintf(machine, sizeof machine, "%s", cli_file("own.json", own));
    ns_free(own);
    snprintf(line, sizeof line, "predict rajat01 -n 8 --machine %s,summit", machine);
    cli_result r = cli(line);
    ck_assert_msg(strstr(r.err, "nsmodel: warning: fit warned of lassen: odd times\n") != NULL, "%s", r.err);
    ck_assert_uint_eq(times_in(r.err, "fit warned"), 1);
    char *shipped = cli_output("machines summit --check");
    ck_assert_uint_ge(times_in(shipped, "fit warned: "), 10);
}
