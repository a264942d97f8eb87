/* test_repl_completion.c -- a person at a terminal: what the tab key completes and lists */
#include "support/repl_session.h"
#include "support/shell.h"
#include "support/test.h"

static const struct {
    const char *typed, *line;
} completions[] = {
    {"pred\t", "predict "},
    {"nsmodel pred\t", "nsmodel predict "},
    {"machine blue\t", "machine bluewaters "},
    {"machines fps\t", "machines fpspin "},
    {"machine lassen host.off-node.ea\t", "machine lassen host.off-node.eager."},
    {"machine lassen host.off-node.eager.al\t", "machine lassen host.off-node.eager.alpha="},
    {"machine lassen host.off-node.eager.alpha=1us topology.so\t",
     "machine lassen host.off-node.eager.alpha=1us topology.sockets="},
    {"predict --machine=blue\t", "predict --machine=bluewaters "},
    {"predict --machine lassen,blue\t", "predict --machine lassen,bluewaters "},
    {"matrix wher\t", "matrix where "},
    {"matrix audik\t", "matrix audikw_1 "},
    {"matrix info audik\t", "matrix info audikw_1 "},
    {"predict --matrix GHS_psdef/audi\t", "predict --matrix GHS_psdef/audikw_1 "},
    {"predict --gp\t", "predict --gpus "},
    {"predict --strategy three\t", "predict --strategy three-step "},
    {"predict --transport dev\t", "predict --transport device "},
    {"predict --format j\t", "predict --format json "},
    {"fit my_l\t", "fit my_log.csv "},
    {"matrix sub/my_m\t", "matrix sub/my_matrix.mtx "},
    {"eval max-r\t", "eval max-rate "},
    {"eval max-rate pp\t", "eval max-rate ppn="},
    {"eval postal locality=on-n\t", "eval postal locality=on-node "},
    {"cross post\t", "cross postal "},
    {"models max-r\t", "models max-rate "},
    {"help fun\t", "help functions "},
    {"?max-r\t", "?max-rate "},
    {"? bluew\t", "? bluewaters "},
    {"max-r\t", "max-rate("},
    {"1 ms - max-r\t", "1 ms - max-rate("},
    {"sq\t", "sqrt("},
    {"2 * sq\t", "2 * sqrt("},
    {"postal(al\t", "postal(alpha="},
    {"postal(alpha=1 us, be\t", "postal(alpha=1 us, beta="},
    {"postal(locality=on-n\t", "postal(locality=on-node"},
    {"postal(prot\t", "postal(protocol="},
    {"max(1 us, postal(s=sq\t", "max(1 us, postal(s=sqrt("},
    {"postal(machine=blue\t", "postal(machine=bluewaters"},
    {"rma(operation=get-a\t", "rma(operation=get-accumulate"},
    {"postal(s=1 B).st\t", "postal(s=1 B).startup"},
    {"max-rate(s=max(1 B, 2 B)).tr\t", "max-rate(s=max(1 B, 2 B)).transfer"},
    {"1 / host.injection.inv\t", "1 / host.injection.inverse_R_N"},
    {"4 Mibi\t", "4 Mibit"},
    {"4.5Mibi\t", "4.5Mibit"},
    {"4 GB/fl\t", "4 GB/flop"},
    {"4 KiB in Mibi\t", "4 KiB in Mibit"},
    {"1 s in m\t", "1 s in ms"},
    {"long_na\t", "long_name"},
    {"2 * long_na\t", "2 * long_name"},
    {"an\t", "ans"},
};

TEST(test_completion)
{
    terminal t;
    shell_ok("mkdir sub; touch my_log.csv sub/my_matrix.mtx");
    repl_start(&t);
    repl_say(&t, "long_name = 3", "");
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++) {
        terminal_type(&t, completions[i].typed);
        terminal_wait(&t, completions[i].line);
        terminal_type(&t, INTERRUPT);
        char shown[200];
        terminal_between(&t, "^C\n" PROMPT, shown, sizeof shown);
        ck_assert_msg(shown[0] == '\0', "%s becomes %s and then %s", completions[i].typed, completions[i].line, shown);
    }
    repl_leave(&t);
}

/* Several ways to go on are listed. */
TEST(test_lists)
{
    static const struct {
        const char *typed, *listed;
    } rows[] = {
        {"postal(\t\t", "alpha=     beta=      locality=  machine=   memory=    protocol=  s="},
        {"postal(protocol=\t\t", "auto        eager       rendezvous  short"},
        {"postal(s=1 B).\t\t", ".startup   .time      .transfer"},
        {"log\t\t", "log10("},
        {"4 Gi\t\t", "GiB    Gibit"},
        {"split(data=\t\t", "even   worst"},
        {"matrix aud\t\t", "audikw_1"},
    };
    terminal t;
    repl_start(&t);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        terminal_type(&t, rows[i].typed);
        terminal_wait(&t, rows[i].listed);
        terminal_type(&t, INTERRUPT);
        terminal_wait(&t, "^C\n" PROMPT);
    }
    repl_leave(&t);
}

TEST_FIXTURE(repl_setup, repl_teardown)
TEST_TIMEOUT(200)
