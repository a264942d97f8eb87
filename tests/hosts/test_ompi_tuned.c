/* test_ompi_tuned.c -- the rules of nsmodel export --to ompi-tuned, obeyed by Open MPI itself
 *
 * Messages inside a collective pass no profiling layer; Open MPI's own pml_monitoring counts them.  An allreduce of s
 * bytes on 8 ranks sends, all ranks together,
 *
 *     recursive doubling 24 messages, 24 s;    Rabenseifner 48 messages, 14 s;    ring 112 messages, 14 s
 */

#include "../support/test.h"
#include "core/memory.h"
#include "support/files.h"
#include "support/host.h"
#include "support/job.h"
#include "support/shell.h"

static void setup(void)
{
    scratch_open();
    host_build("mpicc.openmpi", "allreduce.c", "allreduce", "");
    shell_ok("cd %s && %s export --to ompi-tuned --machine hpc6a --ranks 6,8 -o rules", scratch_folder(),
             shell_program());
}

typedef struct sent {
    long messages, bytes;
} sent;

/* What all ranks sent in an allreduce; rules: a file in the scratch folder, or NULL for Open MPI's own. */
static sent allreduce(const char *rules, int ranks, long bytes)
{
    char with[1500] = "", path[1500];
    sent all = {0, 0};
    if (rules != NULL)
        snprintf(with, sizeof with,
                 "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename %s/%s", scratch_folder(),
                 rules);
    job_result r =
        job_shell("rm -f sent.*.prof; %s --mca btl self,vader --mca pml_monitoring_enable 1 "
                  "--mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename %s/sent %s ./allreduce %ld",
                  job_launch(ranks), scratch_folder(), with, bytes);
    ck_assert_msg(r.code == 0, "exit code %d\n%.1500s", r.code, r.err);
    job_free(&r);
    for (int rank = 0; rank < ranks; rank++) {
        snprintf(path, sizeof path, "%s/sent.%d.prof", scratch_folder(), rank);
        char *text = read_whole(path);
        for (const char *line = strstr(text, "E\t"); line != NULL; line = strstr(line + 1, "\nE\t")) {
            long size, messages;
            ck_assert_int_eq(sscanf(line + strspn(line, "\n"), "E %*d %*d %ld bytes %ld msgs", &size, &messages), 2);
            all.messages += messages;
            all.bytes += size;
        }
        ns_free(text);
    }
    return all;
}

/* Both sides of each bracket of the file, to the byte. */
static const struct {
    int ranks;
    long bytes, messages;
} wanted[] = {
    {8, 1, 24},        {8, 131071, 24},  {8, 131072, 48}, {8, 535346, 48}, {8, 535347, 112},
    {8, 1048575, 112}, {8, 1048576, 48}, {6, 131071, 12}, {6, 131072, 60},
};

TEST_EACH(rules_are_obeyed, sizeof wanted / sizeof *wanted)
{
    const sent all = allreduce("rules", wanted[_i].ranks, wanted[_i].bytes);
    ck_assert_int_eq(all.messages, wanted[_i].messages);
    if (wanted[_i].ranks == 8)
        ck_assert_int_eq(all.bytes, (wanted[_i].messages == 24 ? 24 : 14) * wanted[_i].bytes);
}

/* Without the file, or with one that is not there, Open MPI does what it always does, and says nothing. */
TEST(without_the_file)
{
    const sent own = allreduce(NULL, 8, 535347), missing = allreduce("missing", 8, 535347),
               ruled = allreduce("rules", 8, 535347);
    ck_assert_int_ne(own.messages, ruled.messages);
    ck_assert_int_eq(own.messages, missing.messages);
    ck_assert_int_eq(own.bytes, missing.bytes);
}

TEST_NEEDS(host_command("ompi_tuned", "mpicc.openmpi") && host_command("ompi_tuned", "mpirun.openmpi"))
TEST_FIXTURE(setup, scratch_close)
TEST_TIMEOUT(240)
