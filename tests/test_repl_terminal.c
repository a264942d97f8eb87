/* test_repl_terminal.c -- a person at a terminal: editing, completion, history, interruption, paste */
#include "support/shell.h"
#include "support/terminal.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROMPT "nsmodel> "
#define INTERRUPT "\003"
#define END "\004"
#define UP "\033[A"

static char program[600], home[1024];

/* Each test sits in an empty folder, which is its home too. */
static void setup(void)
{
    char here[500];
    const char *given = getenv("NSMODEL_BIN");
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    if (given != NULL)
        snprintf(program, sizeof program, "exec '%s'", given);
    else
        snprintf(program, sizeof program, "exec '%s/bin/nsmodel'", here);
    snprintf(home, sizeof home, "%s", scratch_open());
    ck_assert(chdir(home) == 0 && setenv("HOME", home, 1) == 0 && unsetenv("NSMODEL_HISTORY") == 0);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

static void start(terminal *t)
{
    terminal_open(t, program);
    terminal_wait(t, "Ctrl-D ends\n" PROMPT);
}

/* Type a line; what it shows up to the next prompt is this. */
static void say(terminal *t, const char *line, const char *answer)
{
    char shown[20000], echo[1000];
    terminal_type(t, line);
    terminal_type(t, "\r");
    snprintf(echo, sizeof echo, "%s\n", line);
    terminal_wait(t, echo);
    terminal_between(t, PROMPT, shown, sizeof shown);
    ck_assert_msg(strcmp(shown, answer) == 0, "%s shows\n%swanted\n%s", line, shown, answer);
}

static void leave(terminal *t)
{
    terminal_type(t, END);
    ck_assert_int_eq(terminal_close(t), 0);
}

static void file_is(const char *path, const char *content)
{
    char text[4000];
    struct stat is;
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no file %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(text, content);
    ck_assert_int_eq(stat(path, &is), 0);
    ck_assert_int_eq(is.st_mode & 0777, 0600);
}

/* ---- a session -------------------------------------------------------------------------------------------------- */

START_TEST(test_transcript)
{
    terminal t;
    start(&t);
    say(&t, "4 KiB / 23.9 GB/s + 2.44 us", "2.611380753 us\n");
    say(&t, "x = 1 MiB", "");
    say(&t, "max-rate(alpha=1us, m=10, s=x, ppn=40, R_N=20GB/s, R_b=5GB/s) in us", "2107.152 us\n");
    say(&t, "4 KiB + 2 us",
        "error: cannot add seconds to bytes: 4.096 kB + 2 us\n    4 KiB + 2 us\n          ^\n"); /* and it goes on */
    say(&t, "ans * 2", "4.214304 ms\n");
    say(&t, "machine bluewaters", "bluewaters: Blue Waters (NCSA): two Interlagos a node, Gemini torus, Cray MPI\n");
    say(&t, "matrix stencil9:30x30", "stencil9:30x30: 900 x 900 (generated)\n");
    say(&t, "models foo", "error: no model \"foo\"; `nsmodel models` lists them\n    models foo\n           ^\n");
    say(&t, "variables", "x = 1.048576 MB\n");
    terminal_type(&t, "quit\r");
    ck_assert_int_eq(terminal_close(&t), 0);
}
END_TEST

START_TEST(test_command)
{
    char shown[20000];
    terminal t;
    start(&t);
    terminal_type(&t, "matrix stencil9:30x30\r");
    terminal_wait(&t, "(generated)\n" PROMPT);
    terminal_type(&t, "pattern --parts 4\r");
    terminal_between(&t, "\n" PROMPT, shown, sizeof shown);
    ck_assert_msg(strstr(shown, "900 x 900") != NULL, "%s", shown);
    terminal_type(&t, "help\r");
    terminal_wait(&t, "In use: machine lassen-spectrum, matrix stencil9:30x30.\n" PROMPT);
    leave(&t);
}
END_TEST

START_TEST(test_several_lines)
{
    terminal t;
    start(&t);
    terminal_type(&t, "max(1 us,\r");
    terminal_wait(&t, "max(1 us,\n    ...> ");
    terminal_type(&t, "2 us) # the larger\r");
    terminal_wait(&t, "\n2 us\n" PROMPT);
    terminal_type(&t, "(1 +\r");
    terminal_wait(&t, "    ...> ");
    terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "^C\n" PROMPT);
    say(&t, "1 + 1", "2\n");
    leave(&t);
    file_is(".nsmodel_history", "max(1 us, 2 us)\n1 + 1\n");
}
END_TEST

START_TEST(test_end_inside_parentheses)
{
    terminal t;
    start(&t);
    terminal_type(&t, "max(1 us\r");
    terminal_wait(&t, "    ...> ");
    terminal_type(&t, END);
    terminal_wait(&t, "error: this \"(\" is not closed\n    max(1 us\n       ^\n");
    ck_assert_int_eq(terminal_close(&t), 0);
}
END_TEST

/* ---- paste ------------------------------------------------------------------------------------------------------ */

START_TEST(test_paste)
{
    terminal t;
    start(&t);
    terminal_type(&t, "\033[200~a = 4 KiB # size\nb = 2 us\n\na / b\nmax(1,\n  2, # two\n  3)\n\033[201~");
    terminal_wait(&t, "  3)\n");
    terminal_type(&t, "\r");
    terminal_wait(&t, "2.048 GB/s\n3\n" PROMPT);
    leave(&t);
    file_is(".nsmodel_history", "a = 4 KiB # size\nb = 2 us\na / b\nmax(1,   2,    3)\n");
}
END_TEST

START_TEST(test_paste_stops_at_a_failure)
{
    terminal t;
    start(&t);
    terminal_type(&t, "\033[200~1 + 1\n1 + B\n3 + 3\033[201~\r");
    terminal_wait(&t, "\n2\nerror: cannot add bytes to a pure number: 1 + 1 B\n    1 + B\n      ^\n"
                      "the rest of what was pasted is left out\n" PROMPT);
    leave(&t);
}
END_TEST

START_TEST(test_plain_paste)
{
    terminal t;
    start(&t);
    terminal_type(&t, "a = 4 KiB\rb = 2 us\ra / b\rmax(1,\r  2,\r  3)\r");
    terminal_wait(&t, "2.048 GB/s\n" PROMPT);
    terminal_wait(&t, "\n3\n" PROMPT);
    leave(&t);
}
END_TEST

/* ---- Ctrl-C ----------------------------------------------------------------------------------------------------- */

START_TEST(test_interrupt_drops_a_line)
{
    terminal t;
    start(&t);
    terminal_type(&t, "1 + 1");
    terminal_wait(&t, "1 + 1");
    terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "^C\n" PROMPT);
    say(&t, "2 + 2", "4\n");
    leave(&t);
    file_is(".nsmodel_history", "2 + 2\n");
}
END_TEST

/* A command that waits for its input is ended; the session and its variables stay. */
START_TEST(test_interrupt_ends_a_command)
{
    terminal t;
    start(&t);
    say(&t, "x = 3", "");
    ck_assert_int_eq(mkfifo("plan.csv", 0600), 0);
    terminal_type(&t, "predict --messages plan.csv\r");
    const int writer = open("plan.csv", O_WRONLY); /* waits until the command reads */
    ck_assert_int_ge(writer, 0);
    terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "error: interrupted\n    predict --messages plan.csv\n    ^\n" PROMPT);
    close(writer);
    say(&t, "x", "3\n");
    leave(&t);
}
END_TEST

/* So is reading what never comes. */
START_TEST(test_interrupt_ends_reading)
{
    terminal t;
    start(&t);
    ck_assert_int_eq(mkfifo("fifo.json", 0600), 0);
    terminal_type(&t, "machine fifo.json\r");
    const int writer = open("fifo.json", O_WRONLY);
    ck_assert_int_ge(writer, 0);
    /* Between its opening and its reading nothing waits that an interrupt could end: like a person, try again. */
    for (int tries = 0; tries < 20 && !terminal_shows(&t, "error: fifo.json: ", 500); tries++)
        terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "error: fifo.json: ");
    terminal_wait(&t, "\n    machine fifo.json\n            ^\n" PROMPT);
    close(writer);
    say(&t, "1 + 1", "2\n");
    leave(&t);
}
END_TEST

/* ---- history ---------------------------------------------------------------------------------------------------- */

START_TEST(test_history_goes_from_session_to_session)
{
    terminal t;
    ck_assert_int_eq(setenv("NSMODEL_HISTORY", "mine", 1), 0);
    start(&t);
    say(&t, "1 us + 1 us", "2 us\n");
    say(&t, "1 us + 1 us", "2 us\n"); /* the same again is kept once */
    say(&t, " 5", "5\n");             /* a blank before it: not kept */
    say(&t, "3 +", "error: the text ends where a value is wanted\n    3 +\n       ^\n");
    leave(&t);
    file_is("mine", "1 us + 1 us\n3 +\n");
    start(&t);
    terminal_type(&t, UP UP);
    terminal_wait(&t, "1 us + 1 us");
    terminal_type(&t, " in ns\r");
    terminal_wait(&t, "2000 ns\n" PROMPT);
    terminal_type(&t, "\022" "3 +"); /* Ctrl-R */
    terminal_wait(&t, "3 +");
    terminal_type(&t, "\005 4\r"); /* to its end */
    terminal_wait(&t, "\n7\n" PROMPT);
    leave(&t);
    file_is("mine", "1 us + 1 us\n3 +\n1 us + 1 us in ns\n3 + 4\n");
    ck_assert_int_ne(access(".nsmodel_history", F_OK), 0);
}
END_TEST

/* A command over several lines is one line of history that can be run again. */
START_TEST(test_history_of_a_long_command)
{
    terminal t;
    start(&t);
    terminal_type(&t, "eval postal alpha=1us beta=1ns/B \\\r");
    terminal_wait(&t, "    ...> ");
    terminal_type(&t, "s=1kB --format csv\r");
    terminal_wait(&t, "outputs.time,2.0000000000000003e-06,s\n" PROMPT);
    terminal_type(&t, UP "\r");
    terminal_wait(&t, "outputs.time,2.0000000000000003e-06,s\n" PROMPT);
    leave(&t);
    file_is(".nsmodel_history", "eval postal alpha=1us beta=1ns/B  s=1kB --format csv\n");
}
END_TEST

START_TEST(test_history_of_others_is_closed)
{
    terminal t;
    shell_ok("echo 'x = 1' > .nsmodel_history && chmod 666 .nsmodel_history");
    start(&t);
    say(&t, "1 + 1", "2\n");
    leave(&t);
    file_is(".nsmodel_history", "x = 1\n1 + 1\n");
}
END_TEST

START_TEST(test_no_history)
{
    terminal t;
    ck_assert_int_eq(setenv("NSMODEL_HISTORY", "", 1), 0);
    start(&t);
    say(&t, "1 + 1", "2\n");
    leave(&t);
    ck_assert_int_ne(access(".nsmodel_history", F_OK), 0);
}
END_TEST

START_TEST(test_history_that_cannot_be_kept)
{
    terminal t;
    ck_assert_int_eq(setenv("NSMODEL_HISTORY", "no/such/folder", 1), 0);
    terminal_open(&t, program);
    terminal_wait(&t, "history is not kept: no/such/folder: No such file or directory\n" PROMPT);
    say(&t, "1 + 1", "2\n");
    leave(&t);
    ck_assert(mkdir("folder", 0700) == 0 && setenv("NSMODEL_HISTORY", "folder", 1) == 0);
    terminal_open(&t, program);
    terminal_wait(&t, "history is not kept: folder: Is a directory\n" PROMPT);
    leave(&t);
}
END_TEST

/* A long file is cut to its last lines, and stays its owner's; a link to it stays one. */
START_TEST(test_long_history)
{
    terminal t;
    char out[64];
    shell_ok("for i in $(seq 1 5000); do echo \"$i us\"; done > kept && ln -s kept .nsmodel_history");
    start(&t);
    terminal_type(&t, UP);
    terminal_wait(&t, "5000 us");
    terminal_type(&t, "\r");
    terminal_wait(&t, "5 ms\n" PROMPT);
    leave(&t);
    ck_assert_int_eq(shell(out, sizeof out, "wc -l < kept; stat -c %%a kept; readlink .nsmodel_history; "
                                             "ls -A | wc -l; tail -n 1 kept"), 0);
    ck_assert_str_eq(out, "2000\n600\nkept\n2\n5000 us\n");
}
END_TEST

/* ---- completion ------------------------------------------------------------------------------------------------- */

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
    {"1 / host.inj\t", "1 / host.injection.inverse_R_N"},
    {"4 Mibi\t", "4 Mibit"},
    {"4.5Mibi\t", "4.5Mibit"},
    {"4 GB/fl\t", "4 GB/flop"},
    {"4 KiB in Mibi\t", "4 KiB in Mibit"},
    {"1 s in m\t", "1 s in ms"},
    {"long_na\t", "long_name"},
    {"2 * long_na\t", "2 * long_name"},
    {"an\t", "ans"},
};

START_TEST(test_completion)
{
    terminal t;
    shell_ok("mkdir sub; touch my_log.csv sub/my_matrix.mtx");
    start(&t);
    say(&t, "long_name = 3", "");
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++) {
        terminal_type(&t, completions[i].typed);
        terminal_wait(&t, completions[i].line);
        terminal_type(&t, INTERRUPT);
        char shown[200];
        terminal_between(&t, "^C\n" PROMPT, shown, sizeof shown);
        ck_assert_msg(shown[0] == '\0', "%s becomes %s and then %s", completions[i].typed, completions[i].line,
                      shown);
    }
    leave(&t);
}
END_TEST

/* Several ways to go on are listed. */
START_TEST(test_lists)
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
    start(&t);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        terminal_type(&t, rows[i].typed);
        terminal_wait(&t, rows[i].listed);
        terminal_type(&t, INTERRUPT);
        terminal_wait(&t, "^C\n" PROMPT);
    }
    leave(&t);
}
END_TEST

/* ---- where the words go ----------------------------------------------------------------------------------------- */

/* Results on standard output, prompts on the terminal. */
START_TEST(test_results_in_a_file)
{
    terminal t;
    char command[800];
    snprintf(command, sizeof command, "%s repl > results", program);
    terminal_open(&t, command);
    terminal_wait(&t, PROMPT);
    terminal_type(&t, "4 KiB in B\r");
    terminal_wait(&t, "4 KiB in B\n" PROMPT);
    terminal_type(&t, "1 +\r");
    terminal_wait(&t, "error: the text ends where a value is wanted\n    1 +\n       ^\n" PROMPT);
    leave(&t);
    char out[400];
    ck_assert_int_eq(shell(out, sizeof out, "cat results"), 0);
    ck_assert_str_eq(out, "4096 B\n");
}
END_TEST

/* Not at a terminal, the program alone shows its help and does not wait. */
START_TEST(test_alone_without_a_terminal)
{
    char out[8000];
    ck_assert_int_eq(shell(out, sizeof out, "%s < /dev/null", program), 0);
    ck_assert_ptr_nonnull(strstr(out, "Three things to try:"));
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("repl at a terminal");
    TCase *t = tcase_create("sessions");
    tcase_set_timeout(t, 200);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_transcript);
    tcase_add_test(t, test_command);
    tcase_add_test(t, test_several_lines);
    tcase_add_test(t, test_end_inside_parentheses);
    tcase_add_test(t, test_paste);
    tcase_add_test(t, test_paste_stops_at_a_failure);
    tcase_add_test(t, test_plain_paste);
    tcase_add_test(t, test_interrupt_drops_a_line);
    tcase_add_test(t, test_interrupt_ends_a_command);
    tcase_add_test(t, test_interrupt_ends_reading);
    tcase_add_test(t, test_history_goes_from_session_to_session);
    tcase_add_test(t, test_history_of_a_long_command);
    tcase_add_test(t, test_history_of_others_is_closed);
    tcase_add_test(t, test_no_history);
    tcase_add_test(t, test_history_that_cannot_be_kept);
    tcase_add_test(t, test_long_history);
    tcase_add_test(t, test_completion);
    tcase_add_test(t, test_lists);
    tcase_add_test(t, test_results_in_a_file);
    tcase_add_test(t, test_alone_without_a_terminal);
    suite_add_tcase(s, t);
    return s;
}
