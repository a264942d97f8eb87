/* test_additions.c -- what is added is one file: a model, a form, a strategy, a log tool and a command
 *
 * The files of tests/additions, one of each, are put into a copy of this tree, which is then built by its own Makefile.
 * Nothing else is edited, but for a form with a quantity of its own: that is added to the load, in src/machine/load.h.
 * The program has to offer and use each of them, and the tests that go over what there is have to pass; what they
 * cannot know is what the pages in docs say.  Needs what building needs, and tar.
 */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

enum { OUT = 65536 };

/* Tests that meet every model, strategy, command and log tool there is. */
#define TESTS "test_ferry test_own_strategy test_cli test_page test_study test_calc"

static const char *scratch;
static char here[1024], build[256], program[256];

/* The path below this folder that the environment names, or the usual one; false: it lies elsewhere. */
static bool below(const char *variable, const char *usual, char *path, size_t size)
{
    const char *named = getenv(variable);
    const size_t length = strlen(here);
    if (named == NULL)
        named = usual;
    else if (strncmp(named, here, length) != 0 || named[length] != '/')
        return false;
    else
        named += length + 1;
    return (size_t)snprintf(path, size, "%s", named) < size;
}

/* Sources, objects, libraries; no objects of tests, which may just be written. */
static void copy_tree(void)
{
    shell_ok(
        "mkdir '%s/tree' && { tar cf - --exclude='%s/tests/bin' --exclude='%s/tests/run' --exclude='%s/tests/test_*' "
        "--exclude='%s/tests/models' Makefile LICENSES.md include src models strategies params tests tools third_party "
        "integrations evidence docs examples packaging '%s' "
        "|| [ $? -eq 1 ]; } | tar xf - -C '%s/tree'",
        scratch, build, build, build, build, build, scratch);
    shell_ok("cp -r tests/additions/. '%s/tree'", scratch);
    shell_ok("sed -i -e 's|^} ns_load;|    double answered; /* messages sent, or received if those are fewer */\\n&|' "
             "-e 's|^    load->handshakes = handshakes > 0;|&\\n"
             "    double out = 0, in = 0;\\n"
             "    for (int l = 0; l < NS_LOCALITIES; l++)\\n"
             "        for (int p = 0; p < NS_PROTOCOLS; p++)\\n"
             "            out += load->out[l][p].messages, in += load->in[l][p].messages;\\n"
             "    load->answered = out < in ? out : in;|' '%s/tree/src/machine/load.h'",
             scratch);
}

static void make_in_tree(const char *targets)
{
    shell_ok("cd '%s/tree' && eval \"${NSMODEL_MAKE:-make} -k %s\"", scratch, targets);
}

static void setup(void)
{
    char targets[600];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    if (!below("NSMODEL_BUILD", "build", build, sizeof build) ||
        !below("NSMODEL_BIN", "bin/nsmodel", program, sizeof program)) {
        skipped("additions", "needs the build inside the source tree");
        return;
    }
    if (access("tests/additions", R_OK) != 0) {
        skipped("additions", "needs the source tree");
        return;
    }
    scratch = scratch_open();
    copy_tree();
    snprintf(targets, sizeof targets, "%s %s/pages/nsmodel.1", program, build);
    make_in_tree(targets);
}

static void teardown(void)
{
    if (scratch != NULL)
        scratch_close();
}

/* What the new program says, in the scratch folder. */
static char *say(const char *line)
{
    static char out[OUT];
    ck_assert_msg(shell(out, OUT, "cd '%s' && '%s/tree/%s' %s", scratch, scratch, program, line) == 0, "%s: %s", line,
                  out);
    return out;
}

static void expect(const char *line, const char *wanted)
{
    const char *out = say(line);
    ck_assert_msg(strstr(out, wanted) != NULL, "%s: wanted \"%s\" in\n%.3000s", line, wanted, out);
}

static const struct {
    const char *line, *wanted;
} offered[] = {
    {"models", "ferry"},
    {"models ferry", "messages that cross a few at a time"},
    {"eval ferry n=7 s=1kB places=3 crossing=2us beta=1ns/B", ": 13 us\n"},
    {"sweep ferry --over n=1,2 s=1kB places=3 crossing=2us beta=1ns/B --json", "4.000000000000001e-06"},
    {"--complete 'nsmodel eval fe'", "ferry"},
    {"predict --matrix stencil9:40x40 --gpus 8 --model tolls --wide", "gates"},
    {"predict --matrix stencil9:40x40 --gpus 8 --model tolls --json", "\"gates_s\""},
    {"predict --matrix stencil9:40x40 --gpus 8 --model tolls --explain", "host.off-node.eager.alpha"},
    {"predict --matrix stencil9:40x40 --gpus 8 --model answers --strategy standard --transport host --json",
     "\"answered_s\""},
    {"predict --messages messages.csv --per-node 1 --machine dane --model answers --strategy standard --json",
     "\"answered_s\": 2.27546e-06"}, /* of process 0, which sends three and receives two */
    {"--man predict", "answers, tolls"},
    {"--complete 'nsmodel predict --model to'", "tolls"},
    {"help predict", "relay"},
    {"--complete 'nsmodel predict --strategy re'", "relay"},
    {"predict --matrix stencil9:40x40 --gpus 8", "relay"},
    {"predict --matrix stencil9:40x40 --gpus 8 --strategy relay --explain", "relay/"},
    {"predict --matrix stencil9:40x40 --gpus 8 --strategy relay --json", "\"published_s\": null"},
    {"--complete 'nsmodel fit --tool fe'", "ferry"},
    {"fit --tool ferry log.txt", "7 samples from log.txt (ferry)"},
    {"fit log.txt", "7 samples from log.txt (ferry)"},
    {"help", "census"},
    {"help census", "split-dd,relay"},
    {"--complete 'nsmodel ce'", "census"},
    {"--complete 'nsmodel census --'", "--strategies"},
    {"census --strategies", "strategies  "},
    {"--reference", "census"},
    {"repl -e 'ferry(n=7, s=1kB, places=3, crossing=2us, beta=1ns/B)'", "13 us"},
};

TEST_EACH(program_offers_and_uses, sizeof offered / sizeof *offered)
{
    if (scratch == NULL)
        return;
    shell_ok("printf 'src,dst,bytes\\n0,1,8\\n0,2,8\\n0,3,8\\n1,0,8\\n2,0,8\\n' > '%s/messages.csv'", scratch);
    shell_ok(
        "printf '# ferry\\n8 1.7\\n16 1.8\\n1024 2.4\\n4096 4\\n8192 6\\n65536 30\\n1048576 300\\n' > '%s/log.txt'",
        scratch);
    expect(offered[_i].line, offered[_i].wanted);
}

/* A name that is nearly right leads to the new one, from the same lists. */
TEST(refusals_know_them)
{
    static const char *const rows[][2] = {
        {"models fery", "ferry"},
        {"predict --matrix stencil9:40x40 --model toll", "tolls"},
        {"predict --matrix stencil9:40x40 --strategy rely", "relay"},
        {"fit --tool fery log.txt", "ferry"},
        {"cenus", "census"},
    };
    static char out[OUT];
    if (scratch == NULL)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_ne(shell(out, OUT, "cd '%s' && '%s/tree/%s' %s", scratch, scratch, program, rows[i][0]), 0);
        ck_assert_msg(strstr(out, rows[i][1]) != NULL, "%s: %s", rows[i][0], out);
    }
}

/* The recipes of CONTRIBUTING.md copy files that are there, to where they are here, and their commands answer. */
TEST(recipes)
{
    static char lines[OUT];
    int run = 0;
    if (scratch == NULL)
        return;
    ck_assert_int_eq(shell(lines, OUT,
                           "sed -n '/^## Three recipes/,/^## A model/p' CONTRIBUTING.md | "
                           "grep -E '^(cp tests/additions/|bin/nsmodel )'"),
                     0);
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"), run++) {
        char from[200], to[200];
        if (sscanf(line, "cp %199s %199s", from, to) == 2) {
            ck_assert_int_eq(strncmp(from + strlen("tests/additions/"), to, strlen(to)), 0);
            shell_ok("cmp %s '%s/tree/%s'", from, scratch, from + strlen("tests/additions/"));
        } else {
            ck_assert_int_gt((int)strlen(say(line + strlen("bin/nsmodel "))), 0);
        }
    }
    ck_assert_int_eq(run, 6);
}

TEST(pages_have_them)
{
    if (scratch == NULL)
        return;
    shell_ok("cd '%s/tree/%s/pages' && test -s nsmodel-census.1 && grep -q census nsmodel.1 && grep -q relay "
             "nsmodel-predict.1",
             scratch, build);
}

TEST(tests_pass)
{
    static char out[OUT];
    char targets[800] = "";
    if (scratch == NULL)
        return;
    for (const char *at = TESTS; *at != '\0'; at += strspn(at, " ")) {
        const size_t used = strlen(targets);
        snprintf(targets + used, sizeof targets - used, "%s/tests/run/%.*s ", build, (int)strcspn(at, " "), at);
        at += strcspn(at, " ");
    }
    make_in_tree(targets);
    ck_assert_msg(shell(out, OUT, "cd '%s/tree' && tools/summary.sh '%s/tests/run' %s", scratch, build, TESTS) == 0,
                  "%s", out + (strlen(out) > 3000 ? strlen(out) - 3000 : 0));
}

/* What is taken away is gone, from the libraries too, also where no list names it: no object stays behind. */
TEST(taken_away)
{
    static const char *const gone[] = {
        "models/ferry.c strategies/relay.c src/cli/commands/census.c src/logs/tool_ferry.c",
        "src/core/spare.c src/num/spare.c src/cli/front/spare.c"};
    static char out[OUT];
    char targets[600];
    if (scratch == NULL)
        return;
    shell_ok("cd '%s/tree' && printf 'int ns_spare(void);\nint ns_spare(void)\n{\n    return 1;\n}\n' | "
             "tee src/core/spare.c src/num/spare.c src/cli/front/spare.c > /dev/null",
             scratch);
    snprintf(targets, sizeof targets, "%s %s/libcli.a", program, build);
    make_in_tree(targets);
    shell_ok("cd '%s/tree/%s' && for a in libnsmodel libnsmodel-fit libcli; do nm $a.a | grep ns_spare || exit 1; done",
             scratch, build);
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        shell_ok("cd '%s/tree' && rm %s", scratch, gone[i]);
        make_in_tree(targets);
    }
    ck_assert_int_ne(shell(out, OUT,
                           "cd '%s/tree/%s' && nm libcli.a libnsmodel-fit.a libnsmodel.a 2>&1 | "
                           "grep -E 'spare|ferry|relay|census'",
                           scratch, build),
                     0);
    ck_assert_str_eq(out, "");
    ck_assert_msg(strstr(say("models"), "ferry") == NULL && strstr(say("help"), "census") == NULL, "still offered");
    expect("predict --matrix stencil9:40x40 --gpus 8 --model tolls --wide", "gates");
}

TEST_FIXTURE_ONCE(setup, teardown)
TEST_TIMEOUT(600)
