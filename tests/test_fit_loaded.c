/* test_fit_loaded.c -- what all processes of a node share is found again in tables that were written with it */

#include "support/cli.h"
#include "support/events.h"
#include "support/fits.h"
#include "support/forms.h"
#include "support/test.h"

/* 16 processes a node on 2 sockets.  Alone: off node 2 us + 0.5 ns/B, on node 1 us + 0.4 ns/B, on socket 0.6 us + 0.3
 * ns/B; from 64 KiB on 5 us more and half the time per byte.  All at once 0.1 ns for each byte that the node moves to
 * the other socket, 0.04 ns on the socket, and 3 us a start-up off node. */
enum { PROCESSES = 16, MOST = 1 << 22, SMALL = 512 };
static const double LIMIT_ON_NODE = 0.1e-9, LIMIT_ON_SOCKET = 0.04e-9, START_UP = 3e-6;

typedef struct writer {
    FILE *file;
    uint64_t seed;
    double noise; /* relative, uniform */
} writer;

static double single(double alpha, double beta, double s)
{
    return s < 65536 ? alpha + beta * s : alpha + 5e-6 + beta / 2 * s;
}

static void write_size(writer *w, int size, double one_way)
{
    fprintf(w->file, "Size %d: %.9e\n", size, 2 * one_way * (1 + w->noise * (2 * event_uniform(&w->seed) - 1)));
}

static void write_alone(writer *w, const char *title, double alpha, double beta)
{
    fprintf(w->file, "%s Ping-Pong:\n", title);
    for (int size = 1; size <= MOST; size *= 2)
        write_size(w, size, single(alpha, beta, size));
    fprintf(w->file, "\n");
}

/* Up to `most` pairs; limit: s for each byte of all that sends and receives, of `places` such places of the node. */
static void write_together(writer *w, const char *title, int most, int places, double alpha, double beta, double limit)
{
    fprintf(w->file, "%s:\n", title);
    for (int active = 1; active <= most; active *= 2) {
        fprintf(w->file, "Active Procs: %d\n", active);
        for (int size = 1; size <= MOST; size *= 2)
            write_size(w, size, fmax(single(alpha, beta, size), alpha + 2 * active * places * limit * size));
        fprintf(w->file, "\n");
    }
}

static const char *write_log(uint64_t seed, double noise, bool together)
{
    static char path[300];
    snprintf(path, sizeof path, "%s", cli_file("loaded.out", ""));
    writer w = {fopen(path, "w"), seed, noise};
    ck_assert_ptr_nonnull(w.file);
    write_alone(&w, "On-Socket", 0.6e-6, 0.3e-9);
    write_alone(&w, "On-Node, Off-Socket", 1e-6, 0.4e-9);
    write_alone(&w, "Off-Node", 2e-6, 0.5e-9);
    if (together) {
        write_together(&w, "On-Socket MultiProc Ping-Pong", 4, 1, 0.6e-6, 0.3e-9, LIMIT_ON_SOCKET);
        write_together(&w, "On-Node, Off-Socket MultiProc Ping-Pong", 8, 1, 1e-6, 0.4e-9, LIMIT_ON_NODE);
        write_together(&w, "Off-Node MultiProc Ping-Pong", 16, 1, START_UP, 0, 0.02e-9);
        write_together(&w, "On-Socket MultiProc Ping-Pong, All Sockets Active", 4, 2, 0.6e-6, 0.3e-9, LIMIT_ON_SOCKET);
    }
    fclose(w.file);
    return path;
}

static ns_machine *fit(const char *log, const char *options)
{
    char said[4000];
    ns_machine *machine = fits_machine(said, sizeof said, "%s --switch 65536 --gpus 0 %s", log, options);
    ck_assert_msg(strstr(said, "how many processes") == NULL, "%s", said);
    return test_keep(machine);
}

static const char *const laid_out[] = {"--processes 16 --sockets 2", "--per-node 16 --sockets 2", ""};

TEST_EACH(recovered, sizeof laid_out / sizeof *laid_out)
{
    ns_machine *m = fit(write_log(1, 0, true), laid_out[_i]);
    static const char *const paths[] = {"host.exchange.on-node.%s.inverse_R", "host.exchange.on-socket.%s.inverse_R"};
    char path[100];
    for (int l = 0; l < 2; l++) {
        snprintf(path, sizeof path, paths[l], m->line[NS_HOST][NS_ON_NODE][NS_SHORT].given ? "short" : "eager");
        const ns_parameter *limit = ns_machine_parameter(m, path);
        ck_assert_msg(limit != NULL, "%s", path);
        ck_assert_double_eq_tol(limit->value / (l == 0 ? LIMIT_ON_NODE : LIMIT_ON_SOCKET), 1, 1e-3);
        ck_assert_ptr_nonnull(strstr(limit->source, "8 pairs on the node"));
        snprintf(path, sizeof path, paths[l], "rendezvous");
        ck_assert_ptr_null(ns_machine_parameter(m, path)); /* the form derives it */
    }
    const ns_parameter *start_up = ns_machine_parameter(m, "host.exchange.off-node.alpha");
    ck_assert_ptr_nonnull(start_up);
    ck_assert_double_eq_tol(start_up->value / START_UP, 1, 0.01);
    /* single messages are not touched by the loaded tables */
    ck_assert_double_eq_tol(m->line[NS_HOST][NS_ON_NODE][NS_RENDEZVOUS].beta / 0.2e-9, 1, 1e-3);
}

/* Half of the node's processes or fewer share too little to tell; single messages tell nothing. */
TEST(too_few)
{
    ns_machine *m = fit(write_log(1, 0, true), "--processes 32 --sockets 2");
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.off-node.alpha"));
    for (size_t i = 0; i < m->parameters; i++)
        ck_assert(strstr(m->parameter[i].path, "inverse_R") == NULL ||
                  strstr(m->parameter[i].path, ".injection.") != NULL); /* that of pairs between nodes */
    m = fit(write_log(1, 0, false), "--processes 16 --sockets 2");
    for (size_t i = 0; i < m->parameters; i++)
        ck_assert_ptr_null(strstr(m->parameter[i].path, ".exchange."));
}

/* With GPUs such a start-up counts only where a floor is known. */
TEST(no_floor)
{
    char said[4000];
    ns_machine *m =
        fits_machine(said, sizeof said, "%s --switch 65536 --processes 16 --sockets 2 --gpus 2", write_log(1, 0, true));
    ck_assert_ptr_nonnull(strstr(said, "start-ups of messages in flight are left out: on a machine with GPUs"));
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.off-node.alpha"));
    ns_machine_free(m);
}

/* The intervals of 95 % hold what the tables were written with. */
TEST(covered)
{
    enum { TIMES = 200 };
    int held = 0;
    for (uint64_t k = 1; k <= TIMES; k++) {
        ns_machine *m = fit(write_log(k, 0.05, true), laid_out[0]);
        const ns_parameter *limit = ns_machine_parameter(m, "host.exchange.on-node.eager.inverse_R");
        if (limit == NULL)
            limit = ns_machine_parameter(m, "host.exchange.on-node.short.inverse_R");
        ck_assert_ptr_nonnull(limit);
        held += fabs(limit->value - LIMIT_ON_NODE) <= 1.96 * limit->se;
    }
    ck_assert_msg(held >= 0.9 * TIMES && held <= 0.995 * TIMES, "%d of %d", held, TIMES);
}

/* Packing: the longest copies of the most processes, 0.4 ns a byte, where they are more than half of the node's.  The
 * full form and the dense ones take it in place of what they assume. */
TEST(packing)
{
    static const char log[] = "nsmodel-mpi measure 1\njob ranks 8 nodes 2 sockets 1\n"
                              "table ping-pong off-node pairs 1 messages 1\n8 2e-6 2e-6 2e-6 9\n"
                              "1024 3e-6 3e-6 3e-6 9\n1048576 9e-4 9e-4 9e-4 9\n"
                              "table packing blocks processes 2\n1000000 1e-4 1e-4 1e-4 9\n"
                              "table packing blocks processes 4\n4096 1e-6 1e-6 1e-6 9\n"
                              "1000000 4e-4 4e-4 4e-4 9\n65536 9e-6 9e-6 9e-6 9\nend 7 numbers, 0 of them not tight\n";
    char path[300], said[4000];
    snprintf(path, sizeof path, "%s", cli_file("packing.log", log));
    ns_machine *m = test_keep(fits_machine(said, sizeof said, "%s --gpus 0 --processes 4", path));
    const ns_parameter *beta = ns_machine_parameter(m, "host.exchange.packing.beta");
    ck_assert_ptr_nonnull(beta);
    ck_assert_double_eq_tol(beta->value, 0.4e-9, 1e-15);
    ck_assert_ptr_nonnull(strstr(beta->source, "by 4 processes of a node at once"));
    static const char *const forms[] = {"full", "direct", "pairwise", "bruck"};
    for (int f = 0; f < 4; f++) {
        const ns_form *form;
        ns_form_values values;
        ck_assert_int_eq(ns_form_get(forms[f], &form, NULL), NS_OK);
        ns_form_take(form, m, NS_HOST, 0, &values);
        const int slot =
            form_slot(&values, f == 0 ? "<memory>.exchange.packing.beta" : "<memory>.exchange.direct.packing", 0, 0);
        ck_assert_double_eq_tol(values.value[slot], 0.4e-9, 1e-15);
        ck_assert_ptr_eq(values.from[slot], beta);
    }
    m = test_keep(fits_machine(said, sizeof said, "%s --gpus 0 --processes 8", path));
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.packing.beta"));
}

TEST_TIMEOUT(300)
