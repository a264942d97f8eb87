/* test_repl_terminal.c -- a person at a terminal: sessions, paste, interruption, where results go */
#include "support/repl_session.h"
#include "support/shell.h"
#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- a session -------------------------------------------------------------------------------------------------- */

TEST(test_transcript)
{
    terminal t;
    repl_start(&t);
    repl_say(&t, "4 KiB / 23.9 GB/s + 2.44 us", "2.611380753 us\n");
    repl_say(&t, "x = 1 MiB", "");
    repl_say(&t, "max-rate(alpha=1us, m=10, s=x, ppn=40, R_N=20GB/s, R_b=5GB/s) in us", "2107.152 us\n");
    repl_say(&t, "4 KiB + 2 us",
             "error: cannot add seconds to bytes: 4 KiB + 2 us\n    4 KiB + 2 us\n          ^\n"); /* and it goes on */
    repl_say(&t, "ans * 2", "4.214304 ms\n");
    repl_say(&t, "machine bluewaters",
             "bluewaters: Blue Waters (NCSA): two Interlagos a node, Gemini torus, Cray MPI\n");
    repl_say(&t, "matrix stencil9:30x30", "stencil9:30x30: 900 x 900 (generated)\n");
    repl_say(&t, "models foo", "error: no model \"foo\"; `nsmodel models` lists them\n    models foo\n           ^\n");
    repl_say(&t, "variables", "x = 1 MiB\n");
    terminal_type(&t, "quit\r");
    ck_assert_int_eq(terminal_close(&t), 0);
}

TEST(test_command)
{
    char shown[20000];
    terminal t;
    repl_start(&t);
    terminal_type(&t, "matrix stencil9:30x30\r");
    terminal_wait(&t, "(generated)\n" PROMPT);
    terminal_type(&t, "pattern --parts 4\r");
    terminal_between(&t, "\n" PROMPT, shown, sizeof shown);
    ck_assert_msg(strstr(shown, "900 x 900") != NULL, "%s", shown);
    terminal_type(&t, "help\r");
    terminal_wait(&t, "In use: machine lassen-spectrum, matrix stencil9:30x30.\n" PROMPT);
    repl_leave(&t);
}

TEST(test_several_lines)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "max(1 us,\r");
    terminal_wait(&t, "max(1 us,\n    ...> ");
    terminal_type(&t, "2 us) # the larger\r");
    terminal_wait(&t, "\n2 us\n" PROMPT);
    terminal_type(&t, "(1 +\r");
    terminal_wait(&t, "    ...> ");
    terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "^C\n" PROMPT);
    repl_say(&t, "1 + 1", "2\n");
    repl_leave(&t);
    repl_file_is(".nsmodel_history", "max(1 us, 2 us)\n1 + 1\n");
}

TEST(test_end_inside_parentheses)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "max(1 us\r");
    terminal_wait(&t, "    ...> ");
    terminal_type(&t, END);
    terminal_wait(&t, "error: this \"(\" is not closed\n    max(1 us\n       ^\n");
    ck_assert_int_eq(terminal_close(&t), 0);
}

/* ---- paste ------------------------------------------------------------------------------------------------------ */

TEST(test_paste)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "\033[200~a = 4 KiB # size\nb = 2 us\n\na / b\nmax(1,\n  2, # two\n  3)\n\033[201~");
    terminal_wait(&t, "  3)\n");
    terminal_type(&t, "\r");
    terminal_wait(&t, "2.048 GB/s\n3\n" PROMPT);
    repl_leave(&t);
    repl_file_is(".nsmodel_history", "a = 4 KiB # size\nb = 2 us\na / b\nmax(1,   2,    3)\n");
}

TEST(test_paste_stops_at_a_failure)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "\033[200~1 + 1\n1 + B\n3 + 3\033[201~\r");
    terminal_wait(&t, "\n2\nerror: cannot add bytes to a pure number: 1 + 1 B\n    1 + B\n      ^\n"
                      "the rest of what was pasted is left out\n" PROMPT);
    repl_leave(&t);
}

TEST(test_plain_paste)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "a = 4 KiB\rb = 2 us\ra / b\rmax(1,\r  2,\r  3)\r");
    terminal_wait(&t, "2.048 GB/s\n" PROMPT);
    terminal_wait(&t, "\n3\n" PROMPT);
    repl_leave(&t);
}

/* ---- Ctrl-C ----------------------------------------------------------------------------------------------------- */

TEST(test_interrupt_drops_a_line)
{
    terminal t;
    repl_start(&t);
    terminal_type(&t, "1 + 1");
    terminal_wait(&t, "1 + 1");
    terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "^C\n" PROMPT);
    repl_say(&t, "2 + 2", "4\n");
    repl_leave(&t);
    repl_file_is(".nsmodel_history", "2 + 2\n");
}

/* A command that waits for its input is ended; the session and its variables stay. */
TEST(test_interrupt_ends_a_command)
{
    terminal t;
    repl_start(&t);
    repl_say(&t, "x = 3", "");
    ck_assert_int_eq(mkfifo("plan.csv", 0600), 0);
    terminal_type(&t, "predict --messages plan.csv\r");
    const int writer = open("plan.csv", O_WRONLY); /* waits until the command reads */
    ck_assert_int_ge(writer, 0);
    terminal_type(&t, INTERRUPT);
    terminal_wait(&t, "error: interrupted\n    predict --messages plan.csv\n    ^\n" PROMPT);
    close(writer);
    repl_say(&t, "x", "3\n");
    repl_leave(&t);
}

/* So is reading what never comes. */
TEST(test_interrupt_ends_reading)
{
    terminal t;
    repl_start(&t);
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
    repl_say(&t, "1 + 1", "2\n");
    repl_leave(&t);
}

/* ---- where the words go ----------------------------------------------------------------------------------------- */

/* Results on standard output, prompts on the terminal. */
TEST(test_results_in_a_file)
{
    terminal t;
    char command[800];
    snprintf(command, sizeof command, "%s repl > results", repl_program());
    terminal_open(&t, command);
    terminal_wait(&t, PROMPT);
    terminal_type(&t, "4 KiB in B\r");
    terminal_wait(&t, "4 KiB in B\n" PROMPT);
    terminal_type(&t, "1 +\r");
    terminal_wait(&t, "error: the text ends where a value is wanted\n    1 +\n       ^\n" PROMPT);
    repl_leave(&t);
    char out[400];
    ck_assert_int_eq(shell(out, sizeof out, "cat results"), 0);
    ck_assert_str_eq(out, "4096 B\n");
}

/* Not at a terminal, the program alone shows its help and does not wait. */
TEST(test_alone_without_a_terminal)
{
    char out[8000];
    ck_assert_int_eq(shell(out, sizeof out, "%s < /dev/null", repl_program()), 0);
    ck_assert_ptr_nonnull(strstr(out, "Three things to try:"));
}

TEST_FIXTURE(repl_setup, repl_teardown)
TEST_TIMEOUT(200)
