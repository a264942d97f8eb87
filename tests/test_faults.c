/* test_faults.c -- every command with one call for memory, or for input or output, made to fail
 *
 * A run has to fail with a message or to answer the same, whatever fails.  A check takes some faults of each line,
 * chosen by NS_FAULTS_SEED (printed); `make faults` takes all, which NS_FAULTS_SAMPLE=0 asks for (else: so many).
 * NS_FAULTS_ONLY=TEXT: only lines that begin so.  NS_FAULTS_DONE=FILE: what a line came to, so that a run that was
 * broken off goes on where it was; lines in it are not tried again.  NS_FAULTS_RECORD=FILE: a row for each line that is
 * tried, with NS_FAULTS_TREE, for evidence/pages/reliability.sh.  NS_FAULTS_JOBS: so many runs side by side.
 */
#define _XOPEN_SOURCE 700

#include "support/archive.h"
#include "support/faults.h"
#include "support/needs.h"
#include "support/server.h"

#include "cli/front/command.h"
#include "cli/program/program.h"

#include "support/test.h"
#include <time.h>
#include <zlib.h>

enum { SAMPLE = 40, RUN_SECONDS = 300, ALL_SECONDS = 7200 };

#define MATRIX   "--matrix ../in/m.mtx"
#define ONE_CASE "{\"x\":[9,1,4],\"inc\":\"a\",\"t\":{\"a\":2e-5,\"b\":1e-5},\"p\":{\"a\":1e-5}}"
#define TINY     "--machine ../in/tiny.json"

/* %s: the server's base.  The machine of few numbers has some that play no part: --explain says so. */
static const struct {
    const char *line, *output, *input;
} lines[] = {
    {"predict " MATRIX " --gpus 4,8 --strategy standard,three-step", NULL, NULL},
    {"predict " MATRIX " --gpus 4 --per-node 2 --partition ../in/part --format json -o out.json", "out.json", NULL},
    {"predict " MATRIX " --parts 4 " TINY " --strategy standard --explain --set host.off-node.short.alpha=2us", NULL,
     NULL},
    {"predict " MATRIX " --parts 4 " TINY " --strategy standard --explain", NULL, NULL},
    {"calibrate --script pbs --per-node 4 -o job.sh", "job.sh", NULL},
    {"predict --messages ../in/plan.csv --gpus 4 --plot", NULL, NULL},
    {"predict " MATRIX " --gpus 4 --strategy standard --plot out.gp", "out.gp", NULL},
    {"predict " MATRIX " --gpus 4 --strategy two-step --transport host --schedule out.csv", "out.csv", NULL},
    {"predict --exchange ../in/rows.csv --machine lassen", NULL, NULL},
    {"pattern " MATRIX " --parts 4 -o out.nsp", "out.nsp", NULL},
    {"pattern --matrix ../in/m.mtx.gz --parts 4 --per-node 2 --json", NULL, NULL},
    {"pattern --matrix ../in/m.nsp --parts 3", NULL, NULL},
    {"pattern --matrix ../in/ash219.tar.gz --parts 3", NULL, NULL},
    {"pattern --matrix stencil27:3x3x3x2 --parts 3 --format csv -o out.csv", "out.csv", NULL},
    {"repl -e '2 * host.off-node.eager.alpha'", NULL, NULL},
    {"repl", NULL, "x = 3 us\n2 * x\npostal(alpha=1us, beta=1ns/B, s=8B)\nmodels postal\n"},
    {"repl ../in/calc", NULL, NULL},
    {"eval max-rate --machine lassen m=10 s=1MiB ppn=40 --explain", NULL, NULL},
    {"eval postal alpha=1us beta=1ns/B s=8B --json -o out.json", "out.json", NULL},
    {"export --to simgrid --machine lcc3 -o out.cpp", "out.cpp", NULL},
    {"export --to ompi-tuned --machine lcc3 --ranks 2,8 -o rules", "rules", NULL},
    {"sharp --over s=8B,1KiB", NULL, NULL},
    {"netcrafter --over load=0.5 --plot out.gp", "out.gp", NULL},
    {"redsea rendezvous --over s=1KiB,1MiB --json", NULL, NULL},
    {"redsea allreduce s=8B", NULL, NULL},
    {"netcrafter " MATRIX " --over load=0.5", NULL, NULL},
    {"cross host-allreduce triggered-allreduce --machine lassen hosts=8 --over s=1B:64B", NULL, NULL},
    {"models three-step", NULL, NULL},
    {"models spin-allreduce", NULL, NULL},
    {"models --help", NULL, NULL},
    {"help", NULL, NULL},
    {"plan --replay ../in/cases.json --calls 10,40 --repeats 1 --wisdom --plot", NULL, NULL},
    {"wisdom ../in/wisdom.jsonl --least 2 -o out.jsonl", "out.jsonl", NULL},
    {"sweep max-rate --machine lassen m=1,2 s=1KiB ppn=1 --format csv", NULL, NULL},
    {"models", NULL, NULL},
    {"netsparse " MATRIX " --nodes 4 --k 1,16", NULL, NULL},
    {"netsparse " MATRIX " --nodes 4 --ablation", NULL, NULL},
    {"netsparse " MATRIX " --nodes 4 --sweep batch", NULL, NULL},
    {"machines ../in/tiny.json --set host.off-node.short.alpha=2us", NULL, NULL},
    {"machines fpspin", NULL, NULL},
    {"machines fpspin --check", NULL, NULL},
    {"doctor", NULL, NULL},
    {"sweep max-rate --machine lassen m=1 --over s=1KiB:1MiB:x32 --over ppn=1,40 --plot", NULL, NULL},
    {"sweep --over strategy s=1KiB nodes=2 messages=8 " TINY, NULL, NULL},
    {"cross postal:protocol=short postal:protocol=eager --machine lassen --over s=1B:1MiB", NULL, NULL},
    {"cross strategies " TINY " --over s=1KiB:2KiB", NULL, NULL},
    {"fit ../in/log.csv -o out.json", "out.json", NULL},
    {"fit ../in/log.csv --statistic all --weights none --plot out.gp", "out.gp", NULL},
    {"fit --each ../in/log.csv", NULL, NULL},
    {"matrix list --name ash", NULL, NULL},
    {"matrix info ash219", NULL, NULL},
    {"matrix where "
     "../in/m.mtx",
     NULL, NULL},
    {"matrix get ash219 --to ../home --url %s", NULL, NULL},
    {"report " MATRIX " --gpus 2 --strategy standard --nodes 2 --k 1 -o out.html", "out.html", NULL},
    {"sensitivity postal alpha=1us beta=1ns/B s=8B", NULL, NULL},
    {"sensitivity " MATRIX " --gpus 4 " TINY, NULL, NULL},
    {"advise " MATRIX " --gpus 4 --incumbent standard/host " TINY, NULL, NULL},
    {"place " MATRIX " --nodes 2 --parts 4 --tries 8 --no-scotch --write json " TINY " -o out.json", "out.json", NULL},
    {"place " MATRIX " --nodes 2 --parts 4 --tries 8 --no-scotch --write slurm --hosts a,b " TINY " -o out.txt",
     "out.txt", NULL},
    {"sweep --over strategy s=1KiB nodes=2 messages=8 --price published " TINY, NULL, NULL},
    {"reproduce node-aware-table4", NULL, NULL},
    {"validate --records ../in/rows.csv --machine lassen", NULL, NULL},
    {"validate --records ../in/rows.csv --machine lassen --forms --by group --json", NULL, NULL},
};
enum { LINES = sizeof lines / sizeof *lines };

/* ---- what the lines read ----------------------------------------------------------------------------------------- */

static const char matrix_text[] = "%%MatrixMarket matrix coordinate pattern general\n8 8 14\n1 1\n1 8\n2 2\n2 5\n3 3\n"
                                  "4 4\n4 1\n5 5\n5 2\n6 6\n7 7\n7 3\n8 8\n8 4\n";

static const char tiny[] =
    "{\"schema\": \"nsmodel/machine/1\", \"name\": \"tiny\", \"title\": \"a machine of few numbers\",\n"
    " \"source\": \"made for a test\",\n"
    " \"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 2, \"source\": \"made\"},\n"
    " \"host\": {\"protocols\": {\"short\": \"0 B\", \"source\": \"made\"},\n"
    "  \"off-node\": {\"protocols\": {\"short\": \"0 B\", \"rendezvous\": \"1 MiB\", \"source\": \"made\"},\n"
    "   \"short\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"},\n"
    "   \"rendezvous\": {\"alpha\": \"9 us\", \"beta\": \"0.2 ns/B\"}, \"source\": \"made\"},\n"
    "  \"on-socket\": {\"short\": {\"alpha\": \"0.3 us\", \"beta\": \"0.3 ns/B\"}, \"source\": \"made\"},\n"
    "  \"on-node\": {\"short\": {\"alpha\": \"0.5 us\", \"beta\": \"0.5 ns/B\"}, \"source\": \"made\"}}}\n";

static const char rows[] =
    "id,class,group,file,operation,level,strategy,transport,processes,nodes,ppn,max_num_msgs,total_bytes,num_short,"
    "size_short,measured_s\n"
    "a,std,g1,f1,A,0,standard,host,64,4,16,7,1600,3,300,2e-5\n"
    "b,std,g2,f1,A,0,standard,host,64,4,16,5,1200,2,200,1e-5\n";

static void put(const char *inputs, const char *name, const char *bytes, size_t size, const char *how)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", inputs, name);
    gzFile file = gzopen(path, how);
    ck_assert_msg(file != NULL && gzwrite(file, bytes, (unsigned)size) == (int)size && gzclose(file) == Z_OK, "%s",
                  path);
}

static void put_text(const char *inputs, const char *name, const char *text)
{
    put(inputs, name, text, strlen(text), "wbT");
}

/* Two protocols, three repeats of each size. */
static void put_log(const char *inputs)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "bytes,seconds,kind,locality,memory,pairs\n");
    for (int i = 0; i < 9; i++)
        for (int repeat = 0; repeat < 3; repeat++) {
            const double x = (double)(1 << 2 * i);
            used += (size_t)snprintf(text + used, sizeof text - used, "%.0f,%.6e,ping-pong,off-node,host,1\n", x,
                                     (x < 4096 ? 1e-6 + 1e-9 * x : 5e-6 + 1e-10 * x) * (1 + 0.002 * repeat));
        }
    put_text(inputs, "log.csv", text);
}

static void put_structure(const char *inputs)
{
    char path[400], place[400];
    ns_matrix *matrix;
    ns_error err = {0};
    snprintf(path, sizeof path, "%s/m.mtx", inputs);
    snprintf(place, sizeof place, "%s/m.nsp", inputs);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_matrix_save(matrix, place, 0, &err) == NS_OK, "%s", err.text);
    ns_matrix_free(matrix);
}

static archive packed;
static const char *base;

static void setup(void)
{
    const char *inputs = faults_open();
    packed = archive_make("ash219", 219, 85, 438, 0);
    put(inputs, "ash219.tar.gz", (const char *)packed.bytes, packed.size, "wbT");
    put_text(inputs, "m.mtx", matrix_text);
    put(inputs, "m.mtx.gz", matrix_text, strlen(matrix_text), "wb");
    put_text(inputs, "tiny.json", tiny);
    put_text(inputs, "part", "0\n0\n1\n1\n2\n2\n3\n3\n");
    put_text(inputs, "plan.csv", "src,dst,bytes\n0,1,100\n0,2,3000\n3,0,8\n2,1,70000\n");
    put_text(inputs, "rows.csv", rows);
    put_text(inputs, "cases.json",
             "{\"lassen_six\": [" ONE_CASE "," ONE_CASE "," ONE_CASE "," ONE_CASE "," ONE_CASE "," ONE_CASE "]}");
    put_text(inputs, "wisdom.jsonl",
             "{\"machine\":\"m\",\"mpi\":\"M 1\",\"bytes\":64,\"messages\":2,\"processes\":8,"
             "\"per_node\":4,\"way\":\"a\",\"median_s\":1e-5,\"spread\":0.1,\"count\":7,"
             "\"base_s\":1e-5,\"predicted\":true,\"date\":\"2026-11-23\"}\n");
    put_text(inputs, "calc", "s = 4 KiB\npostal(alpha=1us, beta=1ns/B, s=s)\n");
    put_log(inputs);
    put_structure(inputs);
    base =
        server_start(&(server_answer){.bytes = packed.bytes, .size = packed.size, .tag = "\"v1\"", .untold = true}, 1);
}

static void teardown(void)
{
    server_stop();
    archive_free(&packed);
    faults_close();
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

/* A command that is added without a line here is not tried. */
TEST(test_every_command_has_a_line)
{
    ns_program program;
    ns_program_make(&program);
    const ns_command *const *command = program.command;
    const size_t count = program.commands;
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(command[i]->name);
        bool found = false;
        for (int k = 0; k < LINES && !found; k++)
            found = strncmp(lines[k].line, command[i]->name, length) == 0 &&
                    (lines[k].line[length] == ' ' || lines[k].line[length] == '\0');
        ck_assert_msg(found, "tests/test_faults.c has no line of `nsmodel %s`", command[i]->name);
    }
}

/* How many faults of a line an earlier run survived; 0: it was not tried, or not whole. */
static size_t known(const char *line)
{
    char row[1000];
    size_t runs = 0;
    FILE *done = getenv("NS_FAULTS_DONE") != NULL ? fopen(getenv("NS_FAULTS_DONE"), "r") : NULL;
    while (done != NULL && fgets(row, sizeof row, done) != NULL) {
        char *end;
        const size_t count = strtoul(row, &end, 10);
        row[strcspn(row, "\n")] = '\0';
        if (*end == '\t' && strcmp(end + 1, line) == 0)
            runs = count;
    }
    if (done != NULL)
        fclose(done);
    return runs;
}

static void keep(const char *line, size_t runs)
{
    FILE *done = getenv("NS_FAULTS_DONE") != NULL ? fopen(getenv("NS_FAULTS_DONE"), "a") : NULL;
    if (done != NULL)
        fprintf(done, "%zu\t%s\n", runs, line);
    if (done != NULL)
        fclose(done);
}

/* Date, tree, seed, how many faults were asked for (0: all), how many were tried, how many not survived, line. */
static void record(const char *line, unsigned seed, size_t sample, size_t runs, size_t bad)
{
    const char *tree = getenv("NS_FAULTS_TREE"), *path = getenv("NS_FAULTS_RECORD");
    const time_t now = time(NULL);
    char date[40];
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL)
        return;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%MZ", gmtime(&now));
    fprintf(file, "%s\t%s\t%u\t%zu\t%zu\t%zu\t%s\n", date, tree != NULL ? tree : "unknown", seed, sample, runs, bad,
            line);
    fclose(file);
}

TEST_EACH(test_line, LINES)
{
    const char *some = getenv("NS_FAULTS_SAMPLE"), *given = getenv("NS_FAULTS_SEED"), *only = getenv("NS_FAULTS_ONLY");
    char text[400];
    fault_line line = {lines[_i].line, lines[_i].output, lines[_i].input, strcmp(lines[_i].line, "doctor") == 0};
    const unsigned seed = given != NULL ? (unsigned)strtoul(given, NULL, 10) : 1;
    if (only != NULL && strncmp(line.line, only, strlen(only)) != 0)
        return;
    if (!faults_possible() || (strncmp(line.line, "matrix get", 10) == 0 && lacks(__func__, "curl")))
        return;
    const char *mark = strstr(line.line, "%s");
    if (mark != NULL) {
        snprintf(text, sizeof text, "%.*s%s%s", (int)(mark - line.line), line.line, base, mark + 2);
        line.line = text;
    }
    size_t runs = known(lines[_i].line), bad = 0;
    const size_t sample = some != NULL ? strtoul(some, NULL, 10) : SAMPLE;
    if (runs == 0) {
        if (strcmp(lines[_i].line, "doctor") == 0)
            setenv("NSMODEL_WITHOUT", "curl,scotch", 1); /* whether a library loads is the loader's to say */
        bad = faults_try(&line, sample, seed + (unsigned)_i, &runs);
        printf("nsmodel %s: %zu faults, seed %u\n", lines[_i].line, runs, seed);
        record(lines[_i].line, seed, sample, runs, bad);
        ck_assert_msg(bad == 0, "`nsmodel %s`: %zu of %zu faults are not survived, seed %u", line.line, bad, runs,
                      seed);
        keep(lines[_i].line, runs);
    } else
        printf("nsmodel %s: %zu faults, seed %u\n", lines[_i].line, runs, seed);
}

TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(getenv("NS_FAULTS_SAMPLE") != NULL ? ALL_SECONDS : RUN_SECONDS)
