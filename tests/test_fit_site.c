/* test_fit_site.c -- logs of an unknown cluster become a machine that predict takes, or what is missing is said */
#include "support/cli.h"
#include "support/test.h"

/* Tables of made benchmarks: alpha + beta s, in us and bytes. */
static const char *osu_log(const char *name, const char *before, double alpha, double beta)
{
    char text[4000];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n", before);
    for (long size = 1; size <= 1 << 22; size *= 2)
        used += (size_t)snprintf(text + used, sizeof text - used, "%-10ld %20.2f\n", size, alpha + beta * (double)size);
    return cli_file(name, text);
}

static const char *imb_log(const char *name)
{
    char text[4000];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "# Benchmarking PingPong\n# #processes = 2\n"
                                   "       #bytes #repetitions      t[usec]   Mbytes/sec\n");
    for (long size = 1; size <= 1 << 22; size *= 2)
        used += (size_t)snprintf(text + used, sizeof text - used, "%13ld %12d %12.2f %12.2f\n", size, 1000,
                                 1.7 + 9e-5 * (double)size, 1.0);
    return cli_file(name, text);
}

static cli_result run_in(char *line, size_t size, const char *format, const char *a, const char *b)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(line, size, format, a, b);
#pragma GCC diagnostic pop
    return cli(line);
}

/* Fit what `logs` names to a machine; *path is its file. */
static void fit(const char *logs, char path[300])
{
    char line[1500];
    strcpy(path, cli_file("site-machine.json", ""));
    cli_result r = run_in(line, sizeof line, "fit %s -o %s", logs, path);
    ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
    ck_assert_msg(strstr(r.err, "nsmodel: note: of what predictions use, ") != NULL && strstr(r.err, " --check` says"),
                  "%s", r.err);
    cli_free(&r);
}

static double number_at(const char *machine, const char *path)
{
    ns_machine *m;
    ck_assert_int_eq(ns_machine_load(machine, &m, NULL), NS_OK);
    const ns_parameter *p = ns_machine_parameter(m, path);
    ck_assert_msg(p != NULL, "%s has no %s", machine, path);
    const double value = p->value;
    ns_machine_free(m);
    return value;
}

static cli_result predict(const char *machine, const char *options)
{
    char line[600];
    return run_in(line, sizeof line, "predict --matrix stencil9:120x120 %s --machine %s", options, machine);
}

/* The log of the example, which was refused for want of an on-socket table. */
TEST(off_node_alone_predicts_and_says_what_is_needed)
{
    char machine[300];
    fit("examples/osu_latency.log --locality off-node", machine);
    cli_result r = predict(machine, "-p 16 --per-node 4");
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_msg(strstr(r.err, "its off-node table stands for it, so node-aware strategies look dearer than they are. "
                                "Still needed: mpirun -n 4 nsmodel-mpi measure -o mine.log --per-node 2 && nsmodel "
                                "fit mine.log -o mine.json") != NULL,
                  "%s", r.err);
    ck_assert_ptr_null(strstr(r.err, "cannot differ"));
    cli_free(&r);
    char line[600]; /* a model's row has no table to stand for it, and says so */
    static const char *const protocols[] = {"auto", "eager"};
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        r = run_in(line, sizeof line, "eval postal s=4KiB locality=on-node protocol=%s --machine %s", protocols[i],
                   machine);
        ck_assert_int_eq(r.code, 1);
        ck_assert_str_eq(r.err, "nsmodel: machine site-machine has no on-node table for host memory\n");
        cli_free(&r);
    }
}

/* A node has a process for each of its parts, whatever the machine's file says: split cannot send all with one. */
TEST(parts_have_processes_of_their_own)
{
    char machine[300];
    fit("examples/osu_latency.log --locality off-node", machine);
    cli_result few = predict(machine, "-p 32 --per-node 8"),
               all = predict(machine, "-p 32 --per-node 8 --set topology.host_processes=8");
    ck_assert_msg(few.code == 0, "%s", few.err);
    const char *split = strstr(few.out, "split-md/host"), *same = strstr(all.out, "split-md/host");
    ck_assert_msg(split != NULL && same != NULL, "%s", few.out);
    ck_assert_str_eq(split, same);
    cli_free(&few);
    cli_free(&all);
}

/* One log of one pair tells no node: what is missing is asked for, in place of tables of equal times. */
TEST(one_process_a_node_is_asked_about)
{
    static const char *const commands[] = {"predict", "predict -n 16", "advise -n 16"};
    char machine[300], line[600], wanted[900];
    fit("examples/osu_latency.log", machine);
    snprintf(wanted, sizeof wanted,
             "nsmodel: site-machine has one process a node as far as its logs show, so strategies cannot differ; "
             "wanted --per-node N here, or --processes N of fit, and what `nsmodel machines %s --check` "
             "lists as missing or assumed\n",
             machine);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(line, sizeof line, "%s --matrix rajat01 --machine %s", commands[i], machine);
        cli_refused((cli_refusal){line, 1, wanted});
    }
    cli_result r = predict(machine, "-p 16 --per-node 4");
    ck_assert_int_eq(r.code, 0);
    cli_free(&r);
    fit("examples/osu_latency.log --processes 1", machine); /* it was said */
    r = predict(machine, "-p 16");
    ck_assert_msg(r.code == 0 && strstr(r.err, "note: one part a node, so strategies cannot differ\n") != NULL, "%s",
                  r.err);
    cli_free(&r);
}

/* Five equal times are explained. */
TEST(one_part_a_node_cannot_differ)
{
    char machine[300];
    cli_result r;
    char logs[400];
    snprintf(logs, sizeof logs, "%s --processes 8", imb_log("imb.log"));
    fit(logs, machine);
    r = predict(machine, "-p 16 --per-node 1 --strategy standard,two-step"); /* split would use all eight */
    ck_assert_msg(strstr(r.err, "note: one part a node, so strategies cannot differ") != NULL, "%s", r.err);
    ck_assert_ptr_null(strstr(r.err, "taken to have")); /* it was said */
    cli_free(&r);
    r = predict("lcc3", "-p 24");
    ck_assert_ptr_null(strstr(r.err, "cannot differ"));
    cli_free(&r);
}

/* Two sockets where messages were measured on one and between two; what was said wins. */
TEST(sockets_are_inferred)
{
    char logs[1200], machine[300], on[300], off[300], socket[300];
    strcpy(off, osu_log("off.log", "", 1.8, 9e-5));
    strcpy(on, osu_log("on.log", "", 0.7, 1.5e-4));
    strcpy(socket, osu_log("socket.log", "", 0.3, 1e-4));
    snprintf(logs, sizeof logs,
             "%s %s %s --locality off.log=off-node --locality on.log=on-node --locality socket.log=on-socket", off, on,
             socket);
    fit(logs, machine);
    ck_assert_double_eq(number_at(machine, "topology.sockets"), 2);
    ck_assert_double_eq(number_at(machine, "topology.host_processes"), 2); /* a pair on the node */
    cli_result r = predict(machine, "-p 16");
    ck_assert_msg(strstr(r.err,
                         "site-machine is taken to have 2 processes a node, the most that were active at once in "
                         "the logs; --per-node says otherwise") != NULL,
                  "%s", r.err);
    cli_free(&r);
    strcat(logs, " --sockets 1 --processes 24");
    fit(logs, machine);
    ck_assert_double_eq(number_at(machine, "topology.sockets"), 1);
    ck_assert_double_eq(number_at(machine, "topology.host_processes"), 24);
    snprintf(logs, sizeof logs, "%s %s --locality off.log=off-node --locality on.log=on-node", off, on);
    fit(logs, machine);
    ck_assert_double_eq(number_at(machine, "topology.sockets"), 1);
}

/* Inside one node only: an answer there; beyond it the refusal names the check. */
TEST(on_node_alone_predicts_within_a_node)
{
    char logs[400], machine[300];
    snprintf(logs, sizeof logs, "%s --locality on-node", osu_log("inside.log", "", 0.7, 1.5e-4));
    fit(logs, machine);
    cli_result r = predict(machine, "-p 8 --per-node 8");
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    r = predict(machine, "-p 16 --per-node 8");
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(
        strstr(r.err, "has no off-node table for host memory: it predicts within one node; `nsmodel machines ") !=
                NULL &&
            strstr(r.err, " --check` says which benchmark measures what is missing") != NULL,
        "%s", r.err);
    cli_free(&r);
}

/* Device messages inside the node only: beyond it the host's ways alone are left, with a note. */
TEST(ways_that_do_not_cross_are_left_out)
{
    char machine[300];
    strcpy(
        machine,
        cli_file("half.json",
                 "{\"schema\": \"nsmodel/machine/1\", \"name\": \"half\", \"title\": \"t\", \"source\": \"s\",\n"
                 "\"topology\": {\"gpus\": 4, \"host_processes\": 8}, \"host\": {\"protocols\": {\"short\": \"0 B\"},"
                 "\"off-node\": {\"short\": {\"alpha\": \"2 us\", \"beta\": \"0.1 ns/B\"}}},\n"
                 "\"device\": {\"protocols\": {\"short\": \"0 B\"},"
                 "\"on-node\": {\"short\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}}},\n"
                 "\"copy\": {\"1\": {\"d2h\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}, "
                 "\"h2d\": {\"alpha\": \"9 us\", \"beta\": \"0.02 ns/B\"}}}}"));
    cli_result r = predict(machine, "-n 8 --format csv");
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_msg(strstr(r.out, ",host,") != NULL && strstr(r.out, ",device,") == NULL, "%s", r.out);
    ck_assert_msg(strstr(r.err,
                         "half has no off-node table for device memory, so ways by the device are left out beyond "
                         "one node. Still needed: mpirun -np 2 --map-by ppr:1:node osu_latency D D") != NULL,
                  "%s", r.err);
    cli_free(&r);
    char line[400];
    r = run_in(line, sizeof line, "sensitivity --matrix stencil9:60x60 --gpus 8 --machine %s%s", machine, "");
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
    r = predict(machine, "-n 4 --format csv");
    ck_assert_msg(r.code == 0 && strstr(r.out, ",device,") != NULL, "%s%s", r.out, r.err);
    ck_assert_ptr_null(strstr(r.err, "left out"));
    cli_free(&r);
    r = predict(machine, "-n 8 --transport device");
    ck_assert_msg(r.code == 1 && strstr(r.err, "half has no off-node table for device memory") != NULL, "%s", r.err);
    cli_free(&r);
}

/* What no machine has is warned of, with what may be wrong. */
static const struct {
    const char *about, *logs;
    double alpha, beta;  /* us, us/B */
    const char *warning; /* NULL: none of them */
} absurd[] = {
    {"a usual network", "--locality off-node", 1.8, 9e-5, NULL},
    {"a shared memory taken for a network", "--locality off-node", 0.2, 9e-5,
     "host off-node: a start-up of 0.199 us is below every known machine's: was it measured inside a node (--locality "
     "FILE=on-node)?"},
    {"milliseconds taken for microseconds", "--locality on-node", 900, 9e-5,
     "host on-node: a start-up of 900 us is above every known machine's"},
    {"bytes that are bits or megabytes", "--locality off-node", 1.8, 9e-8,
     "GB/s for messages of 4194304 B is above every known machine's: are the units right?"},
    {"... the other way", "--locality off-node", 1.8, 0.9,
     "GB/s for messages of 4194304 B is below every known machine's"},
};

TEST_EACH(absurd_numbers_are_warned_of, (int)(sizeof absurd / sizeof *absurd))
{
    char line[600];
    cli_result r = run_in(line, sizeof line, "fit %s %s", osu_log("absurd.log", "", absurd[_i].alpha, absurd[_i].beta),
                          absurd[_i].logs);
    ck_assert_int_eq(r.code, 0);
    ck_assert_msg(absurd[_i].warning == NULL ? strstr(r.err, "every known") == NULL
                                             : strstr(r.err, absurd[_i].warning) != NULL,
                  "%s: %s", absurd[_i].about, r.err);
    cli_free(&r);
}

/* Labels that were exchanged, and logs without labels that did not measure the same. */
TEST(places_that_cannot_be_are_warned_of)
{
    char line[900], on[300], off[300];
    strcpy(off, osu_log("off.log", "", 1.8, 9e-5));
    strcpy(on, osu_log("on.log", "", 0.5, 1.5e-4));
    snprintf(line, sizeof line, "fit %s %s --locality off.log=on-node --locality on.log=off-node", off, on);
    cli_result r = cli(line);
    ck_assert_msg(strstr(r.err, "host: messages on-node start up in 1.8 us, off-node in 0.5 us: are the localities "
                                "exchanged") != NULL,
                  "%s", r.err);
    cli_free(&r);
    snprintf(line, sizeof line, "fit %s %s", off, on);
    r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "which one is meant? Give the logs of one system, and --locality FILE=on-node") != NULL,
                  "%s", r.err);
    cli_free(&r);
}

/* A curve of two modes, as of device buffers whose small messages go another way: the robust line takes one of them. */
TEST(many_outliers_are_warned_of)
{
    char line[600], text[2000];
    size_t used = (size_t)snprintf(text, sizeof text, "bytes,us\n");
    for (int i = 0; i < 23; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%.3f\n", 1 << i,
                                 i < 8 ? 11.0 : 1.0 + 4e-5 * (double)(1 << i));
    cli_result r =
        run_in(line, sizeof line, "fit %s %s", cli_file("modes.csv", text), "--locality off-node --switch 0");
    ck_assert_msg(strstr(r.err, "host off-node eager: 8 of 23 sizes lie off the line and hardly count") != NULL, "%s",
                  r.err);
    cli_free(&r);
}

/* LogGP's own numbers alone, as netgauge prints them on the terminal. */
TEST(loggp_stands_for_a_ping_pong)
{
    char machine[300];
    fit(cli_file("netgauge.txt", " L=1.5  s=1  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"
                                 " L=1.5  s=1025  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"
                                 " L=1.5  s=2049  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"),
        machine);
    ck_assert_double_eq_tol(number_at(machine, "host.off-node.eager.alpha"), 2e-6, 1e-12);
    ck_assert_double_eq_tol(number_at(machine, "host.off-node.eager.beta"), 0.2e-9, 1e-16);
    cli_result r = predict(machine, "-p 16 --per-node 4");
    ck_assert_msg(r.code == 0, "%s", r.err);
    cli_free(&r);
}

/* Beside ping-pongs off node, whichever others there are, LogGP's numbers stand for nothing. */
TEST(loggp_stands_aside)
{
    char machine[300], logs[900];
    strcpy(logs,
           cli_file("netgauge.txt", " L=1.5  s=1  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"
                                    " L=1.5  s=1025  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"
                                    " L=1.5  s=2049  o_s=0.25  o_r=0.25  g=0.3  G=0.0002 (5 GiB/s) lsqu(g,G)=0\n"));
    strcat(strcat(logs, " "), osu_log("off.log", "", 1.8, 9e-5));
    strcat(strcat(logs, " "), osu_log("on.log", "", 0.5, 5e-5));
    strcat(logs, " --locality off.log=off-node --locality on.log=on-node");
    fit(logs, machine);
    ck_assert_double_eq_tol(number_at(machine, "host.off-node.eager.alpha"), 1.8e-6, 1e-7);
}

/* Even one rank on a node is the benchmark's layout, and what was not given is assumed from it. */
TEST(a_layout_of_one_is_one)
{
    char logs[700], machine[300], text[60000];
    strcpy(logs, osu_log("off.log", "", 1.8, 9e-5));
    strcat(logs, " --locality off-node --per-node 1");
    fit(logs, machine);
    FILE *file = fopen(machine, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "the benchmark's ranks per node"));
    ck_assert_ptr_null(strstr(text, "active at once in the logs"));
    ck_assert_double_eq(number_at(machine, "topology.host_processes"), 1);
}

/* A table of windows on so many pairs, which bring 12 GB/s together from 64 KiB on. */
static size_t put_rates(char *text, size_t size, int pairs)
{
    size_t used = (size_t)snprintf(text, size,
                                   "# OSU MPI Multiple Bandwidth / Message Rate Test v7.3\n"
                                   "# [ pairs: %d ] [ window size: 64 ]\n# Size  MB/s  Messages/s\n",
                                   pairs);
    for (long bytes = 1 << 16; bytes <= 1 << 22; bytes *= 2)
        used += (size_t)snprintf(text + used, size - used, "%ld %.2f %.2f\n", bytes, 12e3, 12e9 / (double)bytes);
    return used;
}

/* Beside one pair alone that brings 11 GB/s; by themselves; and where two pairs bring as much as eight. */
static const struct {
    bool alone, two;
} rates[] = {{true, false}, {false, false}, {false, true}};

TEST_EACH(the_injection_limit_shows, (int)(sizeof rates / sizeof *rates))
{
    char logs[700], machine[300], text[4000];
    size_t used = rates[_i].two ? put_rates(text, sizeof text, 2) : 0;
    (void)put_rates(text + used, sizeof text - used, 8);
    strcpy(logs, cli_file("rate.log", text));
    if (rates[_i].alone)
        strcat(strcat(logs, " "), osu_log("off.log", "", 1.8, 9e-5));
    strcat(logs, " --locality off-node");
    fit(logs, machine);
    ck_assert_double_eq_tol(number_at(machine, "host.injection.inverse_R_N"), 1 / 12e9, 1e-13);
    ck_assert_double_eq(number_at(machine, "topology.host_processes"), 8);
    if (!rates[_i].alone) /* none alone: one reaches the rate of all */
        ck_assert_double_eq_tol(number_at(machine, "host.off-node.eager.beta"), 1 / 12e9, 1e-13);
}
