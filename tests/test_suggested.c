/* test_suggested.c -- every command that an answer suggests can be pasted: it exits 0 with files that the program makes
 *
 * Suggestions are taken out of the golden screens, and of what 50 random questions print: matrices, machines, counts,
 * incumbents and options drawn from a seed, every fourth question wrong in some way, so that error messages are among
 * them.  They are pasted into sh in one folder, in the order in which they were printed, each once.
 *
 * What this proves: such lines parse, name files that are there, and end well, MPI's with the real launcher.  What
 * it does not: that benchmarks of whole clusters end well.  Jobs of more than 4 ranks are run by 4, and benchmarks
 * are kept short, since the test's host has few cores; lines that start other people's benchmarks (GPUs' memory,
 * which nsmodel-mpi does not measure) and `matrix get`, which wants the network, are only counted. */
#include "support/cli.h"
#include "support/files.h"
#include "support/needs.h"
#include "support/shell.h"

#include <dirent.h>
#include <stdint.h>

#include "core/memory.h"
#include "support/test.h"

enum { MOST = 400, LINE = 1200, ANSWERS = 50 };

/* ---- suggestions ------------------------------------------------------------------------------------------------- */

static struct {
    char line[MOST][LINE], from[MOST][LINE];
    size_t count, seen; /* seen: repeats too */
} suggested;

static void add(const char *text, size_t length, const char *from)
{
    char line[LINE];
    ck_assert_uint_lt(length, sizeof line);
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    suggested.seen++;
    for (size_t i = 0; i < suggested.count; i++)
        if (strcmp(suggested.line[i], line) == 0)
            return;
    ck_assert_uint_lt(suggested.count, MOST);
    snprintf(suggested.from[suggested.count], LINE, "%s", from);
    memcpy(suggested.line[suggested.count++], line, sizeof line);
}

/* A command ends at what else there is to see, behind three blanks, or with its line unless that ends in a
 * backslash. */
static size_t command_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0' && strncmp(text + length, "   every way:", 13) != 0 &&
           strncmp(text + length, "   why:", 7) != 0 &&
           (text[length] != '\n' || (length > 0 && text[length - 1] == '\\')))
        length++;
    return length;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Lines with "Next: ", lines of indented commands, and commands in backquotes. */
static void collect(const char *text, const char *from)
{
    for (const char *line = text; *line != '\0';) {
        const char *at = line + strspn(line, " ");
        size_t length = 0;
        if (begins(line, "Next: "))
            length = command_length(at = line + 6);
        else if (at - line >= 2 && (begins(at, "nsmodel ") || begins(at, "mpirun ") || begins(at, "aprun ")))
            length = command_length(at);
        const char *needed = strstr(line, "Still needed: "), *of_line = line + strcspn(line, "\n");
        if (needed != NULL && needed < of_line)
            length = command_length(at = needed + 14);
        if (length > 0)
            add(at, length, from);
        const char *end = at + length + strcspn(at + length, "\n");
        for (const char *quote = line; length == 0 && (quote = strstr(quote, "`nsmodel ")) != NULL && quote < end;) {
            const size_t quoted = strcspn(quote + 1, "`");
            add(quote + 1, quoted, from);
            quote += quoted + 2;
        }
        line = end + (*end == '\n');
    }
}

/* ---- pasting ----------------------------------------------------------------------------------------------------- */

static char folder[500];

/* The programs by their names, and the folders that golden questions name. */
static void open_folder(const char *name)
{
    char here[300];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    const char *path = cli_path(name);
    snprintf(folder, sizeof folder, "%.300s%s%.150s", *path == '/' ? "" : here, *path == '/' ? "" : "/", path);
    shell_ok("rm -rf '%s' && mkdir -p '%s/bin' && ln -s '%s' '%s/bin/nsmodel' && ln -s \"$PWD/tests\" '%s/tests' && "
             "ln -s \"$PWD/examples\" '%s/examples'",
             folder, folder, shell_program(), folder, folder, folder);
    shell_ok("[ ! -x '%s-mpi' ] || ln -s '%s-mpi' '%s/bin/nsmodel-mpi'", shell_program(), shell_program(), folder);
    memset(&suggested, 0, sizeof suggested);
}

static bool has_mpi(void)
{
    char program[700];
    snprintf(program, sizeof program, "%s/bin/nsmodel-mpi", folder);
    return has_part("mpirun") && access(program, X_OK) == 0;
}

/* "-n 80 ... --per-node 40": by 4 ranks, 2 a node, and a short benchmark. */
static void make_small(const char *line, char *text, size_t size)
{
    size_t used = 0;
    bool job = false;
    while (*line != '\0' && used + 80 < size) {
        const size_t blanks = strspn(line, " \\\n"), word = strcspn(line + blanks, " \\\n");
        const char *at = line + blanks;
        job = (job || begins(at, "mpirun")) && !begins(at, "&&");
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", blanks > 0 ? " " : "", (int)word, at);
        line = at + word;
        if (job && ((word == 2 && begins(at, "-n")) || (word == 10 && begins(at, "--per-node")))) {
            used += (size_t)snprintf(text + used, size - used, word == 2 ? " 4" : " 2");
            line += 1 + strcspn(line + 1, " \n");
        } else if (job && word == 7 && begins(at, "measure"))
            used += (size_t)snprintf(text + used, size - used, " --most 4KiB --seconds 0.005");
        else if (job && word == 3 && begins(at, "run"))
            used += (size_t)snprintf(text + used, size - used, " --repetitions 5");
    }
}

typedef struct tally {
    size_t ran, mpi, foreign, network, missing, failed;
} tally;

static void paste(size_t i, tally *t)
{
    const char *line = suggested.line[i];
    char small[2 * LINE], said[4000];
    const bool mpi = begins(line, "mpirun ") || begins(line, "aprun "), own = strstr(line, "nsmodel-mpi") != NULL;
    ck_assert_msg(strstr(line, "...") == NULL, "a placeholder in: %s\nof: %s", line, suggested.from[i]);
    if (mpi && !own) {
        t->foreign++;
        return;
    }
    if (begins(line, "nsmodel matrix get ")) {
        t->network++;
        return;
    }
    if ((mpi || strstr(line, "mine.") != NULL) && !has_mpi()) {
        t->missing++;
        return;
    }
    make_small(line, small, sizeof small);
    /* as it stands, backslashes and all, where it is no job */
    const int code =
        shell(said, sizeof said,
              "cd '%s' && export PATH='%s/bin':\"$PATH\" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
              "OMPI_MCA_rmaps_base_oversubscribe=1; unset NSMODEL_MACHINE COLUMNS; %s",
              folder, folder, mpi ? small : line);
    if (code != 0)
        printf("exit %d: %s\nof: %s\nsays: %s\n", code, mpi ? small : line, suggested.from[i], said);
    t->failed += code != 0;
    t->ran++;
    t->mpi += mpi;
}

static tally paste_all(const char *test)
{
    tally t = {0};
    for (size_t i = 0; i < suggested.count; i++)
        paste(i, &t);
    printf("%s: %zu suggestions, %zu different: %zu ran, %zu of them MPI jobs; %zu of other benchmarks and %zu of the "
           "network only counted\n",
           test, suggested.seen, suggested.count, t.ran, t.mpi, t.foreign, t.network);
    if (t.missing > 0)
        skipped(test, "%zu suggestions: nsmodel-mpi or mpirun is not there", t.missing);
    ck_assert_msg(t.failed == 0, "%zu of %zu failed, as said above", t.failed, t.ran);
    return t;
}

/* ---- golden screens ---------------------------------------------------------------------------------------------- */

static int is_screen(const struct dirent *entry)
{
    return strstr(entry->d_name, ".txt") != NULL && !begins(entry->d_name, "help");
}

TEST(of_golden_screens)
{
    struct dirent **entry;
    const int count = scandir("tests/golden", &entry, is_screen, alphasort);
    ck_assert_int_gt(count, 30);
    open_folder("golden");
    for (int i = 0; i < count; i++) {
        char path[600];
        snprintf(path, sizeof path, "tests/golden/%s", entry[i]->d_name);
        char *text = read_whole(path);
        if (strstr(path, "json") == NULL)
            collect(text, path);
        ns_free(text);
        free(entry[i]);
    }
    free(entry);
    const tally t = paste_all(__func__);
    ck_assert_uint_ge(t.ran + t.missing, 10);
}

/* ---- random answers ---------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t drawn(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

#define ONE_OF(list) (list)[drawn(sizeof(list) / sizeof *(list))]

/* A question, right or wrong in one thing. */
static void ask_something(char *line, size_t size, bool wrong)
{
    static const char *const with_gpus[] = {"lassen-spectrum", "lassen", "summit", "tioga"};
    static const char *const of_hosts[] = {"dane", "bluewaters", "lcc3", "csd3"};
    static const char *const ways[] = {"standard/host", "two-step/host", "three-step/host"};
    static const char *const device_ways[] = {"standard/device", "three-step/device", "two-step/device",
                                              "split-md/host"};
    static const char *const more[] = {"",
                                       "",
                                       " --strategy standard,two-step,three-step",
                                       " --sure 60%",
                                       " --worth 0.2 --sure .99",
                                       " --set host.exchange.floor=2us",
                                       " --confidence 95%",
                                       " --set 'host.off-node.eager.alpha=3 us' --transport host",
                                       " --per-node 2"};
    static const char *const faults[] = {"--machine lasen",
                                         "--machine nowhere.json",
                                         "--gpus 0",
                                         "--strategy thre-step",
                                         "--incumbent standard/devise",
                                         "--csv",
                                         "--set host.nothing=1us",
                                         "--incumbent three-step/device --transport host",
                                         "--gpus 7..3",
                                         "--confidence 7",
                                         "--max-memory 1B",
                                         "--network nosuch"};
    char matrix[600];
    const uint32_t kind = drawn(6), n = 40 + drawn(60);
    const bool gpus = drawn(2) == 0;
    if (kind == 0)
        snprintf(matrix, sizeof matrix, "--messages alltoall:%uKiB", 1 + drawn(64));
    else if (kind == 1)
        snprintf(matrix, sizeof matrix, "--messages '%s/a plan.csv'", folder);
    else if (kind == 2)
        snprintf(matrix, sizeof matrix, drawn(2) == 0 ? "rajat01" : "xenon1");
    else
        snprintf(matrix, sizeof matrix,
                 kind == 3   ? "stencil5:%ux%u"
                 : kind == 4 ? "stencil9:%ux%u"
                             : "stencil27:%ux%ux20",
                 n, 20 + drawn(40));
    const char *machine = gpus ? ONE_OF(with_gpus) : ONE_OF(of_hosts), *option = ONE_OF(more);
    const char *incumbent = gpus && strchr(option, '-') == NULL ? ONE_OF(device_ways) : ONE_OF(ways);
    const bool named = drawn(2) == 0;
    const uint32_t count = 4u << drawn(4);
    snprintf(line, size, "%s %.700s --machine %s -n %u%s%s%s%s", drawn(3) == 0 ? "advise" : "predict", matrix, machine,
             count, drawn(3) == 0 ? ",96" : "", named ? " --incumbent " : "", named ? incumbent : "", option);
    if (drawn(4) == 0)
        strcat(line, " --all");
    if (drawn(10) == 0)
        snprintf(line, size, "machines %s --check", machine);
    if (wrong && drawn(6) == 0)
        snprintf(line, size, "predict %s -n 8", drawn(2) == 0 ? "rajat1" : "no/such/file.mtx");
    else if (wrong) {
        strcat(line, " ");
        strcat(line, ONE_OF(faults));
    }
}

TEST_EACH(of_random_answers, 1)
{
    size_t errors = 0, answers = 0, wide = 0;
    open_folder("random");
    char path[600];
    snprintf(path, sizeof path, "%s/a plan.csv", folder);
    FILE *plan = fopen(path, "wb");
    ck_assert_ptr_nonnull(plan);
    fputs("src,dst,bytes\n0,1,4096\n1,2,65536\n2,3,100\n3,0,8\n0,3,2000000\n", plan);
    ck_assert_int_eq(fclose(plan), 0);
    state = 31 + (uint64_t)_i;
    for (int i = 0; i < ANSWERS; i++) {
        char line[LINE], command[LINE + 20];
        const bool wrong = i % 4 == 3;
        ask_something(line, sizeof line, wrong);
        snprintf(command, sizeof command, "nsmodel %s", line);
        cli_result r = cli(line);
        const size_t before = suggested.seen;
        collect(r.out, command);
        collect(r.err, command);
        errors += r.code != 0;
        answers += r.code == 0;
        ck_assert_msg(wrong || r.code == 0, "%s: %s", command, r.err);
        ck_assert_msg(r.code != 0 || suggested.seen > before, "nothing comes next: %s", command);
        for (const char *at = strstr(r.out, "\nNext: "); r.code == 0 && at != NULL; at = NULL, wide++)
            ck_assert_msg(strcspn(at + 1, "\n") <= 80, "%s: %.300s", command, at);
        cli_free(&r);
    }
    ck_assert_uint_ge(errors, 8);
    ck_assert_uint_ge(answers, 35);
    ck_assert_uint_ge(wide, 10);
    const tally t = paste_all(__func__);
    ck_assert_uint_ge(t.ran + t.missing, 30);
    ck_assert(t.mpi > 0 || !has_mpi());
}

TEST_TIMEOUT(300)
