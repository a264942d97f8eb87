/* test_repl.c -- sessions as scripts: what they print, where they stop, what the machine and matrix in use change */
#include "support/cli.h"
#include "support/shell.h"
#include "support/test.h"

/* A script in a file; out, or at the first failure err, behind the file's name, with the exit code 1. */
static const struct session {
    const char *script, *out, *err;
} sessions[] = {
    {"4 KiB / 23.9 GB/s + 2.44 us\n", "2.611380753 us\n", ""},
    {"# a comment\n\n   \n1 + 1 # another\n", "2\n", ""},
    {"x = 4 KiB\ny = x / 2 us\ny\nx in B\n", "2.048 GB/s\n4096 B\n", ""},
    {"1 + 1\r\n2 + 2\r\n", "2\n4\n", ""},
    {"\xef\xbb\xbf"
     "1 + 1",
     "2\n", ""},
    {"max(1 us,\n    2 us,  # the larger\n    1 us)\n3\n", "2 us\n3\n", ""},
    {"1 + \\\n2\n", "3\n", ""},
    {"ans = 3\n", "", "1:1: \"ans\" has a meaning of its own\n    ans = 3\n    ^\n"},
    {"1 us\n\n4 KiB + 2 us\n5\n", "1 us\n",
     "3:7: cannot add seconds to bytes: 4 KiB + 2 us\n    4 KiB + 2 us\n          ^\n"},
    {"1\n  2 +\t3 us\n", "1\n", "2:5: cannot add seconds to a pure number: 2 + 3 us\n      2 + 3 us\n        ^\n"},
    {"max(1,\n    2 us,\n  3)\n", "",
     "2:5: max of different kinds: a pure number and seconds\n        2 us,\n        ^\n"},
    {"1\nmax(1\n", "1\n", "2:4: this \"(\" is not closed\n    max(1\n       ^\n"},
    {"1\nmax(1,\n", "1\n", "2:7: the text ends where a value is wanted\n    max(1,\n          ^\n"},
    {"\xce\xb1 \xc3\x97 2\n", "", "1:1: nothing is called \"\xce\xb1\"\n    \xce\xb1 \xc3\x97 2\n    ^\n"},
    {"2 \xc2\xb5s \xc3\x97 2\n", "", "1:7: \"\xc3\x97\" is typed as *\n    2 \xc2\xb5s \xc3\x97 2\n         ^\n"},
    {"fit = 3\n", "", "1:1: fit is a command, another name is wanted\n    fit = 3\n    ^\n"},
    {"preditc --matrix x\n", "",
     "1:1: no command \"preditc\"; did you mean \"predict\"?\n    preditc --matrix x\n    "
     "^\n"},
    {"machin bxi\n", "", "1:1: no command \"machin\"; did you mean \"machine\"?\n    machin bxi\n    ^\n"},
    {"max-rate m=10\n", "",
     "1:1: max-rate is a model: its inputs are wanted, as in max-rate(alpha=...)\n"
     "    max-rate m=10\n    ^\n"},
    {"foo bar\n", "", "1:1: no command \"foo\"; `help commands` lists them\n    foo bar\n    ^\n"},
    {"eval postal 's=1 KiB' bta=3\n", "",
     "1:23: postal has no input \"bta\"; did you mean \"beta\"?\n"
     "    eval postal 's=1 KiB' bta=3\n                          ^\n"},
    {"predict --gpu 16\n", "",
     "1:9: predict has no option --gpu; did you mean --gpus?\n    predict --gpu 16\n        "
     "    ^\n"},
    {"models 'max-rate\n", "", "1:8: this ' is not closed\n    models 'max-rate\n           ^\n"},
    {"machine lasen\n", "",
     "1:9: no machine or file \"lasen\"; did you mean \"lassen\"?\n    machine lasen\n      "
     "      ^\n"},
    {"  nsmodel machine lasen\n", "",
     "1:19: no machine or file \"lasen\"; did you mean \"lassen\"?\n"
     "      nsmodel machine lasen\n                      ^\n"},
    {"repl\n", "", "1:1: this is the repl already\n    repl\n    ^\n"},
    {"help foobar\n", "",
     "1:6: no help on \"foobar\"; `help` tells what there is\n    help foobar\n         "
     "^\n"},
    {"? maxrate\n", "", "1:3: no help on \"maxrate\"; did you mean \"max-rate\"?\n    ? maxrate\n      ^\n"},
    {"1\nquit\n1 +\n", "1\n", ""},
    {"1\nexit now\n", "1\n", "2:6: exit takes nothing, then \"now\"\n    exit now\n         ^\n"},
    {"machine\n",
     "lassen-spectrum: Lassen (LLNL): two Power9 and four V100 a node, EDR InfiniBand, Spectrum MPI, 2021\n", ""},
    {"machine bluewaters\nmachine # which?\n",
     "bluewaters: Blue Waters (NCSA): two Interlagos a node, Gemini torus, Cray MPI\n", ""},
    {"machine lassen host.off-node.eager.alpha=1us\nmachine\npostal(protocol=eager, s=0 B)\n",
     "lassen host.off-node.eager.alpha=1us: Lassen (LLNL): two Power9 and four V100 a node, EDR InfiniBand, Spectrum "
     "MPI\n1 us\n",
     ""},
    {"machine lassen host.off-node.eager.alpha=1us\nmachine lassen foo=3\n", "",
     "2:16: machine lassen has no parameter \"foo\"; `nsmodel machines lassen` lists them\n"
     "    machine lassen foo=3\n                   ^\n"},
    {"matrix\nmatrix stencil9:30x30\nmatrix\nmatrix none\nmatrix\n",
     "none\nstencil9:30x30: 900 x 900 (generated)\nnone\n", ""},
    {"x = 1 us\ny = x / 4 KiB\nvariables\n", "x = 1 us\ny = 0.244140625 ns/B\n", ""},
    {"machine lassen\n?host.off-node.rendezvous.alpha\n?host.injection.R_N\n",
     "host.off-node.rendezvous.alpha = 7.76 us, of lassen: start-up time of a message\n"
     "source: [NA] Table 2, inter-CPU\n"
     "host.injection.R_N = 23.86634845 GB/s = 1 / host.injection.inverse_R_N, of lassen: inverse of the rate at which "
     "a node injects into the network\nsource: [NA] Table 4\n",
     ""},
    {"?KiB\nhelp sqrt\nx = 3\n?x\n",
     "1 KiB = 1024 B, a unit\nsqrt(x) -- square root; of 16 s^2 it is 4 s\nx = 3, a variable\n", ""},
    {"postal(s=4 KiB, machine=lassen-spectrum) == postal(s=4 KiB)\n", "1\n", ""},
};

static void run_session(const char *script, const char *out, const char *err)
{
    char line[300], wanted[1000] = "";
    const char *file = cli_file("session.nsm", script);
    snprintf(line, sizeof line, "repl %s", file);
    if (*err != '\0')
        snprintf(wanted, sizeof wanted, "nsmodel: %s:%s", file, err);
    cli_result r = cli(line);
    ck_assert_msg(strcmp(r.out, out) == 0, "%s prints\n%swanted\n%s", script, r.out, out);
    ck_assert_msg(strcmp(r.err, wanted) == 0, "%s says\n%swanted\n%s", script, r.err, wanted);
    ck_assert_int_eq(r.code, *err != '\0');
}

TEST_EACH(test_session, sizeof sessions / sizeof *sessions)
{
    run_session(sessions[_i].script, sessions[_i].out, sessions[_i].err);
}

/* A command of the session prints what the program prints. */
static const struct {
    const char *before, *command, *program;
} commands[] = {
    {"", "models postal", "models postal"},
    {"", "nsmodel models postal", "models postal"},
    {"", "eval postal 's=4 KiB' \"beta=1 ns/B\" alpha=1us --json",
     "eval postal s=4KiB beta=1ns/B alpha=1us --machine lassen-spectrum --json"},
    {"machine bluewaters", "eval postal s=4KiB", "eval postal s=4KiB --machine bluewaters"},
    {"machine lassen host.off-node.eager.alpha=1us host.off-node.eager.beta=1ns/B", "eval postal s=4KiB protocol=eager",
     "eval postal s=4KiB protocol=eager --machine lassen --set host.off-node.eager.alpha=1us --set "
     "host.off-node.eager.beta=1ns/B"},
    {"machine lassen host.off-node.eager.alpha=1us", "eval postal s=4KiB --machine lassen",
     "eval postal s=4KiB --machine lassen"},
    {"machine bluewaters", "eval postal s=4KiB --machine lassen", "eval postal s=4KiB --machine lassen"},
    {"matrix stencil9:30x30", "pattern --parts 4 # in four", "pattern --parts 4 --matrix stencil9:30x30"},
    {"matrix stencil9:30x30", "pattern --parts 4 --matrix=stencil9:20x20", "pattern --parts 4 --matrix stencil9:20x20"},
    {"matrix stencil9:30x30\nmachine bluewaters", "predict --parts 4 \\\n --strategy standard --transport host",
     "predict --parts 4 --strategy standard --transport host --matrix stencil9:30x30 --machine bluewaters"},
    {"machine bluewaters", "netsparse --matrix stencil9:30x30 --nodes 4 --k 4",
     "netsparse --matrix stencil9:30x30 --nodes 4 --k 4"},
    {"matrix stencil9:30x30", "sensitivity --by 10% postal s=4KiB --format csv",
     "sensitivity --by 10% postal s=4KiB --machine lassen-spectrum --format csv"},
    {"", "matrix info stencil9:30x30", "matrix info stencil9:30x30"},
    {"", "help predict", "help predict"},
    {"", "?predict", "predict --help"},
    {"", "pattern --help", "pattern --help"},
};

TEST_EACH(test_command, sizeof commands / sizeof *commands)
{
    char script[400];
    cli_result wanted = cli(commands[_i].program);
    ck_assert_msg(wanted.code == 0, "%s: %s", commands[_i].program, wanted.err);
    snprintf(script, sizeof script, "%s\n%s\n", commands[_i].before, commands[_i].command);
    run_session(script, wanted.out, "");
}

/* A model's call uses the machine in use. */
TEST(test_machine_in_use)
{
    run_session("x = postal(s=4 KiB)\nmachine bluewaters\ny = postal(s=4 KiB)\n"
                "x == postal(s=4 KiB, machine=lassen-spectrum)\ny == postal(s=4 KiB)\nx == y\n",
                "1\n1\n0\n", "");
}

/* Standard input, single statements, and what the command line refuses. */
static const struct {
    const char *command;
    int code;
    const char *says;
} lines[] = {
    {"printf '1 us + 1 us\\n4 KiB in B' | %s repl", 0, "2 us\n4096 B\n"},
    {"printf '1\\n2 us + 1 B\\n3' | %s repl", 1,
     "1\nnsmodel: <stdin>:2:6: cannot add bytes to seconds: 2 us + 1 B\n    2 us + 1 B\n         ^\n"},
    {"%s repl < /dev/null", 0, ""},
    {"printf '1\\0002' | %s repl", 1, "nsmodel: <stdin>:1:2: a byte 0, wants text\n    1\n     ^\n"},
    {"printf '1+1\\n\\377\\376\\n' | %s repl", 1,
     "2\nnsmodel: <stdin>:2:1: nothing is called \"\377\376\"\n    ??\n    ^\n"},
    {"%s repl -e '1 + 1' -e 'ans * 2 us'", 0, "2\n4 us\n"},
    {"%s repl --expression='max(1,' -e '2)'", 0, "2\n"},
    {"%s repl -e '1 + 1' -e '1 +' -e 3", 1,
     "2\nnsmodel: expression:2:4: the text ends where a value is wanted\n    1 +\n       ^\n"},
    {"%s repl no-such-file", 1, "nsmodel: no-such-file: cannot be opened\n"},
    {"%s repl .", 1, "nsmodel: .: cannot be read\n"},
    {"%s repl --json", 2, "nsmodel: --json belongs to a command inside the repl\n"},
    {"%s repl -e 1 file", 2, "nsmodel: repl takes either --expression or FILE\n"},
    {"%s repl a b", 2, "nsmodel: unexpected argument \"b\"; usage: nsmodel repl [FILE]\n"},
    {"echo 1 | %s repl > /dev/full", 1, "nsmodel: <stdin>:1:1: standard output could not be written\n    1\n    ^\n"},
    {"cd / && printf 'help units\\nhelp functions' | %s repl | grep -c -e KiB -e sqrt", 0, "2\n"},
    {"printf 'matrix list --name audik' | %s repl | grep -c audikw_1", 0, "1\n"},
    {"NSMODEL_HISTORY=./h %s repl -e 1 && ls h", 2, NULL},
};

TEST_EACH(test_line, sizeof lines / sizeof *lines)
{
    char out[20000], command[1400];
    const char *at = strstr(lines[_i].command, "%s");
    snprintf(command, sizeof command, "cd '%s' && %.*s'%s'%s", scratch_open(), (int)(at - lines[_i].command),
             lines[_i].command, shell_program(), at + 2);
    int code = shell(out, sizeof out, "%s", command);
    scratch_close();
    ck_assert_msg(lines[_i].says == NULL || strcmp(out, lines[_i].says) == 0, "%s prints\n%s", lines[_i].command, out);
    ck_assert_msg(code == lines[_i].code, "%s: exit code %d\n%s", lines[_i].command, code, out);
}

TEST(test_help_fits_a_screen)
{
    cli_result r = cli("repl -e ?");
    int count = 0;
    for (const char *line = r.out; *line != '\0'; line += strcspn(line, "\n") + 1, count++)
        ck_assert_msg(strcspn(line, "\n") <= 80, "%s", line);
    ck_assert_int_le(count, 24);
    ck_assert_int_gt(count, 10);
}

/* A long line is shown around its caret. */
TEST(test_long_line)
{
    char script[2000] = "";
    for (int i = 0; i < 200; i++)
        strcat(script, "1 + ");
    strcat(script, "1 B + 3\n");
    cli_result r = cli_with("repl %s", cli_file("session.nsm", script));
    const char *caret = strchr(strchr(r.err, '\n') + 1, '\n') + 1;
    const char *shown = strchr(r.err, '\n') + 1;
    ck_assert_uint_lt(strlen(caret), 120);
    ck_assert_msg(shown[strcspn(caret, "^")] == '+', "%s", r.err);
    ck_assert(strncmp(shown + strcspn(caret, "^"), "+ 1 B + 3\n", 10) == 0);
}

TEST_TIMEOUT(120)
