/* test_mpi_predict.c -- nsmodel-mpi predict: every byte that nsmodel predict answers, by any number of ranks */
#define _XOPEN_SOURCE 700 /* realpath */
#include <nsmodel/json.h>

#include "support/files.h"
#include "support/job.h"
#include "support/shared.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

/* Both programs are asked the same, in the scratch folder after `make`; `what` is a path of theirs or a name. */
static void same(const char *make, const char *what, const char *how, int ranks)
{
    job_result r =
        job_shell("%s; %s/nsmodel predict %s %s > alone 2> err; echo $? >> alone; sed -n /^nsmodel/p err >> alone; "
                  "%s %s/nsmodel-mpi predict %s %s > together 2> err2; echo $? >> together; "
                  "sed -n -e 's/^nsmodel-mpi:/nsmodel:/' -e '/^nsmodel/p' err2 >> together; "
                  "diff alone together",
                  make, job_programs(), what, how, job_launch(ranks), job_programs(), what, how);
    ck_assert_msg(r.code == 0, "%s %s, %d ranks:\n%.1500s%.500s", what, how, ranks, r.out, r.err);
    job_free(&r);
}

static const struct {
    const char *name, *how;
} shipped[] = {
    {"rajat01", "--gpus 8,16,64 --json"},
    {"xenon1", "--gpus 16,64,256 --json"},
    {"NotreDame_www", "--machine frontera-mvapich2 --per-node 16 --parts 48,160 --json"},
    {"stencil27:60x50x40", "--nodes 2,7,30 --explain --json"},
    {"stencil5:700x600", "--machine lassen,delta --gpus 24,40 --format csv"},
};

TEST_EACH(shipped_matrix, sizeof shipped / sizeof *shipped)
{
    for (int ranks = 1; ranks <= 4; ranks++)
        same(":", shipped[_i].name, shipped[_i].how, ranks);
}

/* Files as they are kept: packed, in an archive, rectangular, an array. */
static const struct {
    const char *file, *how;
    int ranks;
} real[] = {
    {"bcsstk33.mtx.gz", "--gpus 8,16,64 --json", 2},
    {"cage10.mtx.gz", "--gpus 7,100 --per-node 3 --json", 3},
    {"delaunay_n16.mtx.gz", "--json", 4},
    {"brack2.mtx.gz", "--nodes 2,3,16 --json", 3},
    {"copter2.mtx.gz", "--gpus 16 --explain --json", 2},
    {"c-62.mtx.gz", "--gpus 8,256 --json", 5},
    {"fast0507.mtx.gz", "--gpus 12,64 --json", 3},
    {"bibd_49_3.mtx.gz", "--gpus 64 --json", 4},
    {"cavity14.tar.gz", "--gpus 8,16,64 --json", 3},
};

static char *real_path(const char *file)
{
    char relative[600], below[200];
    snprintf(below, sizeof below, "data/matrices/%s", file);
    return shared_path("a real matrix by several ranks", below, relative, sizeof relative) ? realpath(relative, NULL)
                                                                                           : NULL;
}

TEST_EACH(real_matrix, sizeof real / sizeof *real)
{
    char *path = real_path(real[_i].file);
    if (path == NULL)
        return;
    same(":", path, real[_i].how, real[_i].ranks);
    free(path);
}

/* One matrix in every form that is read, with and without a partition file. */
static const char made[] =
    "awk 'BEGIN { n = 4000; print \"%%MatrixMarket matrix coordinate pattern symmetric\"; print n, n, 5 * n - 19; "
    "for (i = 1; i <= n; i++) { print i, i; for (k = 1; k <= 4; k++) if (i - k * k * k > 0 || k < 1) "
    "print i, i - k * k * k } }' > t; awk 'NR == 2 { $3 = n } { print }' n=$(($(wc -l < t) - 2)) t > m.mtx; "
    "gzip -k m.mtx; awk 'BEGIN { for (i = 0; i < 4000; i++) print int(i * 7919 / 4000) % 24 }' > m.part; ";

static const struct {
    const char *what, *how;
} forms[] = {
    {"m.mtx", "--gpus 8,16,24,100"},
    {"m.mtx.gz", "--gpus 8,16,24,100"},
    {"m.nsp", "--gpus 8,16,24,100"},
    {"m.mtx", "--partition m.part"},
    {"m.mtx.gz", "--partition m.part --machine lassen,delta"},
    {"m.nsp", "--partition m.part --width 24B"},
    {"stencil5:100x40", "--partition m.part"},
};

TEST_EACH(every_form, sizeof forms / sizeof *forms)
{
    char make[2000];
    snprintf(make, sizeof make, "%s %s/nsmodel pattern --matrix m.mtx --parts 2 -o m.nsp > /dev/null", made,
             job_programs());
    for (int ranks = 2; ranks <= 5; ranks += 3) {
        char how[200];
        snprintf(how, sizeof how, "%s --json", forms[_i].how);
        same(ranks == 2 ? make : ":", forms[_i].what, how, ranks);
    }
}

/* Without a matrix rank 0 answers alone; what is refused is refused in the same words. */
static const char *const other[] = {
    "--messages alltoall:4KiB --gpus 16 --json",
    "--collective allreduce:64KiB --nodes 8 --json",
    "--network help --json",
    "no_such_matrix",
    "--gpus 8",
    "xenon1 --gpus 100000000",
    "xenon1 --machine no_such_machine",
};

TEST_EACH(without_matrix, sizeof other / sizeof *other)
{
    same(":", "", other[_i], 3);
}

TEST(damaged)
{
    job_result r = job_shell("%s sed -i '$d' m.mtx; %s %s/nsmodel-mpi predict m.mtx --gpus 8", made, job_launch(3),
                             job_programs());
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "the size line promises"));
    ck_assert_str_eq(r.out, "");
    job_free(&r);
}

/* 103,823,000,000 rows: nothing of a stencil is passed, so only its messages take time. */
TEST(large_stencil)
{
    job_result r = job_shell("s=$(date +%%s); %s %s/nsmodel-mpi predict stencil27:4700x4700x4700 --nodes 16,1024 "
                             "--json > big.json; code=$?; echo $(($(date +%%s) - s)); exit $code",
                             job_launch(2), job_programs());
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    ck_assert_int_le(atoi(r.out), 20);
    job_free(&r);
}

/* Peaks of the ranks of one job, B. */
static void peaks(int ranks, const char *matrix, double peak[])
{
    job_result r =
        job_shell("rm -f peak.*; %s ./wrap %s/nsmodel-mpi predict %s --gpus 240 --per-node 8 > t; cat peak.*",
                  job_launch(ranks), job_programs(), matrix);
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    char *at = r.out;
    for (int i = 0; i < ranks; i++)
        peak[i] = 1024 * strtod(at, &at);
    job_free(&r);
}

/* What grows with the matrix: a rank of three has about a third of it.  Rank 0 also has the joined exchange, here a run
 * for nearly every entry, which is the most that there can be. */
TEST(memory)
{
    static const char *const files[] = {"m.mtx", "m.nsp"};
    double small[3], alone[1], each[3];
    job_result r = job_shell(
        "awk 'BEGIN { n = 400000; print \"%%%%MatrixMarket matrix coordinate pattern general\"; print n, n, 6 * n; "
        "for (i = 0; i < 6 * n; i++) printf \"%%d %%d\\n\", i / 6 + 1, (i * 104729 + i * i %% 65537) %% n + 1 }' "
        "> m.mtx; %s/nsmodel pattern --matrix m.mtx --parts 2 -o m.nsp > t; cat > wrap <<'END'\n#!/bin/sh\nexec "
        "/usr/bin/time -o peak.$OMPI_COMM_WORLD_RANK -f %%M \"$@\"\nEND\nchmod +x wrap",
        job_programs());
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
    peaks(3, "stencil5:100x100", small);
    for (int i = 0; i < 2; i++) {
        peaks(1, files[i], alone);
        peaks(3, files[i], each);
        printf("%s: %.3g MB alone; %.3g, %.3g, %.3g MB by three; %.3g MB for a small stencil\n", files[i],
               1e-6 * alone[0], 1e-6 * each[0], 1e-6 * each[1], 1e-6 * each[2], 1e-6 * small[0]);
        ck_assert_double_gt(alone[0] - small[0], 100e6);
        for (int k = 1; k < 3; k++)
            ck_assert_double_lt(each[k] - small[k], 1.25 * (alone[0] - small[0]) / 3 + 8e6);
        ck_assert_double_lt(each[0], 1.25 * alone[0]);
    }
}

TEST_NEEDS(job_ready("nsmodel-mpi predict", JOB_OPEN_MPI))
TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(300)
