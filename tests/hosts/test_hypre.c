/* test_hypre.c -- inside hypre: its communication packages are the oracle of ours, P not dividing N included; its own
 * messages pass the layer untouched; an advice for every level of BoomerAMG */

#include "../support/test.h"
#include "support/host.h"
#include "support/layer.h"
#include "support/shell.h"

static void setup(void)
{
    char arguments[1500];
    scratch_open();
    snprintf(arguments, sizeof arguments, "-Iinclude -I/usr/include/hypre %s/libnsmodel.a -lHYPRE %s",
             getenv("NSMODEL_BUILD"), getenv("NSMODEL_LIBS"));
    host_build("mpicc.openmpi", "hypre_matvec.c", "hypre_matvec", arguments);
}

/* How often a line begins with these words. */
static int lines_of(const char *text, const char *words)
{
    int count = strncmp(text, words, strlen(words)) == 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        count += strncmp(at + 1, words, strlen(words)) == 0;
    return count;
}

TEST_EACH(packages, 3)
{
    static const int ranks_of[] = {4, 7, 16};
    const int ranks = ranks_of[_i];
    job_result plain = layer_job(JOB_OPEN_MPI, ranks, 4, NULL, "", "./hypre_matvec");
    ck_assert_int_eq(lines_of(plain.out, "pattern same\n"), 1);
    ck_assert_int_eq(lines_of(plain.out, "package differs"), 0);
    ck_assert_int_ge(lines_of(plain.out, "level "), 3);
    ck_assert_int_eq(lines_of(plain.out, "package same\n"), 1 + lines_of(plain.out, "level "));
    job_result layered = layer_job(JOB_OPEN_MPI, ranks, 4, "three-step", "", "./hypre_matvec");
    ck_assert_str_eq(layered.out, plain.out);
    ck_assert_double_eq(layer_log_number("in all: "), 0); /* hypre has no neighbourhood collectives */
    job_free(&plain);
    job_free(&layered);
}

/* The installed header and example, built as a user of hypre would: levels as the solver has them, each line holding
 * together, and a failure that ends all processes alike. */
TEST(installed_table)
{
    char line[200];
    int level, count = 0;
    long long rows, messages, rows_before = 1LL << 60;
    double standard, fastest, gain;
    char name[40];
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\"", scratch_folder());
    shell_ok("cd '%s/prefix/share/doc/nsmodel/examples' && PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig' && export "
             "PKG_CONFIG_PATH && mpicc.openmpi -std=gnu11 -Wall -Wextra -Werror -isystem /usr/include/hypre -o "
             "'%s/hypre_levels' hypre_levels.c $(pkg-config --cflags --libs nsmodel) -lHYPRE -lm "
             "-Wl,-rpath,'%s/prefix/lib'",
             scratch_folder(), scratch_folder(), scratch_folder(), scratch_folder());
    job_result table =
        layer_job(JOB_OPEN_MPI, 16, 4, NULL, "NSMODEL_EMULATE_PPN=4", "./hypre_levels lassen-spectrum 32");
    for (const char *at = strchr(table.out, '\n'); at != NULL && at[1] != '\0'; at = strchr(at + 1, '\n'), count++) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
        ck_assert_msg(sscanf(line, "%d %lld %lld %lf %39s %lf %lf", &level, &rows, &messages, &standard, name, &fastest,
                             &gain) == 7,
                      "%s", line);
        ck_assert_int_eq(level, count);
        ck_assert_msg(rows < rows_before && fastest <= standard && fabs(gain - standard / fastest) < 0.02, "%s", line);
        ck_assert_msg(strcmp(name, "standard") != 0 || standard == fastest, "%s", line);
        ck_assert_msg(count > 0 || (rows == 32768 && messages == 6), "%s", line); /* slabs of four nodes */
        rows_before = rows;
    }
    ck_assert_int_ge(count, 4);
    job_free(&table);
    ck_assert_int_ne(shell(line, sizeof line,
                           "cd '%s' && mpirun.openmpi --allow-run-as-root --oversubscribe -n 2 "
                           "./hypre_levels no-such-machine 16 > failed 2>&1",
                           scratch_folder()),
                     0);
    shell_ok("grep -q 'nsmodel: no machine or file' '%s/failed'", scratch_folder());
}

TEST_NEEDS(host_file("hypre", "/usr/include/hypre/HYPRE.h") && layer_ready("hypre", JOB_OPEN_MPI))
TEST_FIXTURE(setup, scratch_close)
TEST_TIMEOUT(300)
