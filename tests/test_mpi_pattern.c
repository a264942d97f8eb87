/* test_mpi_pattern.c -- nsmodel-mpi pattern: the counts and the structure are those of nsmodel pattern, by any ranks
 *
 * Memory is the most that a rank had (VmHWM), which the program prints.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include <nsmodel/json.h>
#include <signal.h>

#include "core/memory.h"
#include "support/files.h"
#include "support/job.h"
#include "support/shared.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

static ns_value *parsed(const char *text)
{
    ns_value *root = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_json_parse(text, "output", &root, &err) == NS_OK, "%s", err.text);
    return root;
}

/* Every number that both answers have is the same to the bit; returns how many. */
static int same_numbers(const ns_value *serial, const ns_value *shared)
{
    int compared = 0;
    for (const ns_value *v = serial->first; v != NULL; v = v->next) {
        const ns_value *other = v->name != NULL ? ns_value_get(shared, v->name) : NULL;
        if (v->kind != NS_NUMBER || other == NULL)
            continue;
        ck_assert_msg(v->number == other->number, "%s: %.17g serial, %.17g of several ranks", v->name, v->number,
                      other->number);
        compared++;
    }
    return compared;
}

enum { COUNTS = 24 };

/* `make` leaves a matrix as m.mtx in the scratch folder.  Ranks from 1 to 7, of which those with an even number read it
 * packed. */
static void check_ranks(const char *make, const char *cut)
{
    char line[400];
    job_result r =
        job_shell("%s; gzip -k m.mtx; mkdir -p serial && %s/nsmodel pattern --matrix m.mtx %s --json > serial.json && "
                  "%s/nsmodel pattern --matrix m.mtx %s -o serial/m.nsp > serial.txt",
                  make, job_programs(), cut, job_programs(), cut);
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
    char path[1200];
    snprintf(path, sizeof path, "%s/serial.json", scratch_folder());
    char *text = read_whole(path);
    ns_value *serial = parsed(text);
    ns_free(text);
    for (int ranks = 1; ranks <= 7; ranks++) {
        snprintf(line, sizeof line, "pattern --matrix m.mtx%s %s -o m.nsp", ranks % 2 == 0 ? ".gz" : "", cut);
        ns_value *shared = job_json(JOB_OPEN_MPI, ranks, line);
        ck_assert_int_eq(same_numbers(serial, shared), COUNTS);
        ck_assert_double_eq(number_at(shared, "ranks"), ranks);
        ns_value_free(shared);
        /* Blocks may end at other rows, so both are written anew. */
        r = job_shell("mkdir -p a b && %s/nsmodel pattern --matrix m.nsp --parts 2 -o a/m.nsp > a.txt && %s/nsmodel "
                      "pattern --matrix serial/m.nsp --parts 2 -o b/m.nsp > b.txt && cmp a/m.nsp b/m.nsp",
                      job_programs(), job_programs());
        ck_assert_msg(r.code == 0, "%d ranks: %.1500s", ranks, r.err);
        job_free(&r);
    }
    ns_value_free(serial);
}

/* Symmetric with both halves, repeated, comments and blanks between entries, line ends mixed, no last one. */
static const char odd[] =
    "printf '%%%%MatrixMarket matrix coordinate real symmetric\\r\\n%% a comment\\n\\n 9 9 12\\n"
    "1 1 2.5\\r3 1 1\\r\\n9 2 1e3\\n\\n%% more\\n4 4 1\\n4 4 1\\n2 7 1\\n9 8 1\\r\\n8 1 1\\n6 5 1\\n"
    "5 6 1\\n9 9 4\\n7 3 -1' > m.mtx";
static const char column_order[] = "{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 300 600 1200; awk "
                                   "'BEGIN { for (i = 0; i < 1200; i++) "
                                   "print (i * 7919) % 300 + 1, (i * 104729) % 600 + 1 }' | sort -k2,2n; } > m.mtx";

TEST_EACH(small, 4)
{
    static const char *const cuts[] = {"--parts 3", "--parts 4 --per-node 2", "--parts 1", "--parts 9 --width 12B"};
    check_ranks(odd, cuts[_i]);
}

TEST(by_columns)
{
    check_ranks(column_order, "--parts 16 --per-node 2");
}

static const struct {
    const char *matrix, *cut;
} real[] = {{"rajat01", "--parts 12 --per-node 4"}, {"bcsstk33", "--parts 16 --per-node 2"}, {"cage10", "--parts 7"}};

TEST_EACH(real_matrix, 3)
{
    char make[1500], file[200];
    snprintf(file, sizeof file, "data/matrices/%s.mtx.gz", real[_i].matrix);
    char relative[600];
    if (!shared_path("a real matrix by several ranks", file, relative, sizeof relative))
        return;
    char *path = realpath(relative, NULL);
    ck_assert_ptr_nonnull(path);
    snprintf(make, sizeof make, "gunzip -c %s > m.mtx", path);
    free(path);
    check_ranks(make, real[_i].cut);
}

/* What grows with the matrix: beyond what a job of a small matrix takes, 3 ranks need a third each, and at most a
 * quarter of that more. */
TEST(memory)
{
    static const int ranks[] = {1, 3};
    double beyond[2];
    job_result r = job_shell(
        "awk 'BEGIN { n = 300000; print \"%%%%MatrixMarket matrix coordinate pattern general\"; print n, n, 9 * n; "
        "for (i = 0; i < 9 * n; i++) printf \"%%d %%d\\n\", i %% n + 1, (i * 7919 + i * i %% 65537) %% n + 1 }' "
        "> m.mtx && printf '%%%%%%%%MatrixMarket matrix coordinate pattern general\\n60 60 1\\n1 2\\n' > s.mtx");
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
    for (int i = 0; i < 2; i++) {
        ns_value *small_one = job_json(JOB_OPEN_MPI, ranks[i], "pattern --matrix s.mtx --parts 30 -o s.nsp");
        ns_value *large = job_json(JOB_OPEN_MPI, ranks[i], "pattern --matrix m.mtx --parts 30 -o m.nsp");
        beyond[i] = number_at(large, "memory_most") - number_at(small_one, "memory_most");
        printf("%d ranks: %.3g MB for the matrix\n", ranks[i], 1e-6 * beyond[i]);
        ns_value_free(small_one);
        ns_value_free(large);
    }
    ck_assert_double_gt(beyond[0], 20e6);
    ck_assert_double_lt(beyond[1], 1.25 * beyond[0] / 3 + 8e6);
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *make, *line, *words;
} refusals[] = {
    {":", "--matrix no/such.mtx --parts 4", "no/such.mtx: cannot open"},
    {":", "--parts 4", "pattern wants --matrix FILE.mtx and --parts P"},
    {":", "--matrix m.mtx --parts 0", "--parts wants whole numbers from 1"},
    {":", "--matrix m.mtx --parts 4 -o m.json", "-o FILE.nsp, got \"m.json\""},
    {"gzip -c m.mtx | head -c 1000 > m.mtx.gz", "--matrix m.mtx.gz --parts 4", "m.mtx.gz"},
    {"echo 1 1 >> m.mtx", "--matrix m.mtx --parts 4", "promises 400 entries, the file has 401"},
    {"sed -i '$d' m.mtx", "--matrix m.mtx --parts 4", "promises 400 entries, the file has 399"},
    {"sed -i 's/^399 .*/399 x/' m.mtx", "--matrix m.mtx --parts 4", "column index"},
    {"sed -i 's/^399 .*/500 1/' m.mtx", "--matrix m.mtx --parts 4", "row index"},
    {":", "--matrix m.mtx --parts 4 -o /no/such/folder/m.nsp", "/no/such/folder"},
    {":", "--matrix m.mtx --parts 4 --max-work 10", "max-work"},
};

static const char diagonal[] =
    "{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 400 400 400; seq 400 | awk "
    "'{ print $1, $1 }'; } > m.mtx";

TEST_EACH(refusal, sizeof refusals / sizeof *refusals)
{
    job_result r = job_shell("%s; %s; %s %s/nsmodel-mpi pattern %s", diagonal, refusals[_i].make, job_launch(3),
                             job_programs(), refusals[_i].line);
    job_refused(&r, refusals[_i].words);
    r = job_shell("ls | grep -c nsp"); /* nothing half done is left */
    ck_assert_str_eq(r.out, "0\n");
    job_free(&r);
}

/* The same name in two folders: nothing, or another matrix. */
TEST_EACH(two_folders, 2)
{
    static const char *const before[] = {":", "sed 's/^400 400 400/401 400 400/' a/m.mtx > b/m.mtx"};
    static const char *const words[] = {"m.mtx: rank 2 of 4: cannot open",
                                        "rank 2 of 4: it has another matrix than rank 0"};
    job_result r = job_shell(
        "mkdir a b; cd a; %s; cd ..; %s; %s --wdir %s/a %s/nsmodel-mpi pattern --matrix m.mtx --parts 4 : "
        "-n 2 --wdir %s/b %s/nsmodel-mpi pattern --matrix m.mtx --parts 4",
        diagonal, before[_i], job_launch(2), scratch_folder(), job_programs(), scratch_folder(), job_programs());
    job_refused(&r, words[_i]);
}

TEST(other_arguments)
{
    job_result r =
        job_shell("%s; %s %s/nsmodel-mpi pattern --matrix m.mtx --parts 4 : -n 2 %s/nsmodel-mpi pattern --matrix "
                  "m.mtx --parts 5",
                  diagonal, job_launch(2), job_programs(), job_programs());
    job_refused(&r, "rank 2 of 4: it has other arguments than rank 0");
}

/* A rank that is gone, or stands still, while all of them read: the file is long enough. */
TEST_EACH(lost, 2)
{
    static const char *const signals[] = {"KILL", "STOP"};
    static const char *const words[] = {"ended by the launcher, as it does when a process of the job dies",
                                        "no answer for 4 s (--timeout), so a process is stopped or lost"};
    job_result r =
        job_shell("awk 'BEGIN { n = 2000000; print \"%%%%MatrixMarket matrix coordinate pattern general\"; print n, n, "
                  "4 * n; for (i = 0; i < "
                  "4 * n; i++) print i %% n + 1, i * 7 %% n + 1 }' > m.mtx; cat > wrap <<'END'\n#!/bin/sh\necho $$ > "
                  "pid.$OMPI_COMM_WORLD_RANK\nexec \"$@\"\nEND\nchmod +x wrap\n"
                  "{ for i in $(seq 600); do [ -s pid.2 ] && ls -l /proc/$(cat pid.2)/fd | grep -q m.mtx && break; "
                  "sleep 0.02; done; "
                  "kill -%s $(cat pid.2); } 2> watch &\n%s ./wrap %s/nsmodel-mpi pattern --matrix m.mtx --parts 3000 "
                  "--timeout 4; "
                  "code=$?; wait; (exit $code)",
                  signals[_i], job_launch(3), job_programs());
    job_refused(&r, words[_i]);
}

TEST_NEEDS(job_ready("nsmodel-mpi pattern", JOB_OPEN_MPI))
TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(300)
