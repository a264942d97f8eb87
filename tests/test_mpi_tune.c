/* test_mpi_tune.c -- nsmodel-mpi tune: one job from bare processes to a machine that has learnt, which goes on where it
 * was ended
 *
 * Times of a test machine mean nothing; what is asked of them is that they are there, and are taken once.
 */

#include "core/memory.h"
#include "support/files.h"
#include "support/job.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

static const char line[] =
    "tune -o mine.json --per-node 2 --sockets 1 --most 1KiB --seconds 0.02 --repetitions 4 --ways 2 "
    "--width 8B,64B stencil5:60x60 rajat01 stencil27:8x8x8";

static char *scratch_text(const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    return read_whole(path);
}

/* Each row of a table stands once: "sort | uniq -d" of table and size finds none twice. */
static void check_once(void)
{
    char twice[300];
    (void)shell(twice, sizeof twice,
                "cd %s && { awk '/^table/ {t = $0} /^[0-9]/ {print t, $1}' mine.log; "
                "tail -n +2 mine.csv | awk -F, '{print $3, $6, $16}'; } | sort | uniq -d | head -n 3",
                scratch_folder());
    ck_assert_str_eq(twice, "");
}

static void check_answer(const ns_value *tune, double numbers)
{
    ck_assert_double_eq(number_at(tune, "numbers_lack"), 0);
    ck_assert_double_eq(number_at(tune, "numbers"), numbers);
    int rows = 0;
    for (const ns_value *x = ns_value_get(tune, "exchanges")->first; x != NULL; x = x->next, rows++) {
        ck_assert_double_ge(number_at(x, "ways"), 2);
        ck_assert_double_gt(number_at(x, "measured_s"), 0);
    }
    ck_assert_int_eq(rows, 6);
    for (const ns_value *x = ns_value_get(tune, "decisions")->first; x != NULL; x = x->next)
        ck_assert_ptr_nonnull(strstr(text_at(x, "decision"), "4 processes: "));
}

/* The job dies of SIGKILL among its ping-pongs, a row is torn; it goes on, and a third start measures nothing. */
TEST_EACH(ended_and_started_again, job_ready("nsmodel-mpi tune", JOB_OPEN_MPI))
{
    job_result r =
        job_shell("%s %s/nsmodel-mpi %s & p=$!; for i in $(seq 500); do "
                  "[ $(grep -cs '^[0-9]' mine.log) -gt 30 ] && break; sleep 0.02; done; kill -KILL $p; wait $p",
                  job_launch(4) + strlen("timeout 100 "), job_programs(), line);
    ck_assert_int_eq(r.code, 128 + 9);
    job_free(&r);
    r = job_shell("sleep 2; [ ! -e mine.json ] && grep -c '^[0-9]' mine.log; printf '8 1.2e-' >> mine.log; cp mine.log "
                  "before.log");
    const double stood = strtod(r.out, NULL);
    ck_assert_double_gt(stood, 0);
    job_free(&r);
    r = job_shell("%s %s/nsmodel-mpi %s --json", job_launch(4), job_programs(), line);
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    ck_assert_ptr_nonnull(strstr(r.err, "mine.log ended in the middle of a line, which is dropped"));
    ck_assert_ptr_nonnull(strstr(r.err, "nsmodel-mpi: tune measures "));
    job_free(&r);
    check_once();
    r = job_shell("grep '^[0-9].* ' before.log | head -n %.0f > a; grep '^[0-9]' mine.log | head -n %.0f | cmp - a",
                  stood, stood);
    ck_assert_msg(r.code == 0, "rows that stood have changed: %s", r.out);
    job_free(&r);
    char *records = scratch_text("mine.csv");
    ns_value *tune = job_json(JOB_OPEN_MPI, 4, line);
    check_answer(tune, 0);
    ns_value_free(tune);
    char *after = scratch_text("mine.csv");
    ck_assert_str_eq(records, after);
    ns_free(records);
    ns_free(after);
}

/* A rank that is stopped for two seconds delays the job, and does not end it. */
TEST_EACH(a_slow_rank, job_ready("nsmodel-mpi tune", JOB_OPEN_MPI))
{
    job_result r = job_shell("(%s %s/nsmodel-mpi %s > answer 2> words; echo $? > code) & sleep 2; "
                             "p=$(pgrep -n -f \"^%s/nsmodel-mpi tune -o mine.json\") && kill -STOP $p && sleep 2 && "
                             "kill -CONT $p; wait; cat words >&2; exit $(cat code)",
                             job_launch(4), job_programs(), line, job_programs());
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    job_free(&r);
    check_once();
}

/* A simulated Lassen: matrices that were left out are predicted nearer by what the others taught. */
TEST_EACH(simulated, job_ready("nsmodel-smpi tune", JOB_SIMULATED))
{
    job_result r = job_shell(
        "B=%s; $B/nsmodel export --to simgrid --machine lassen --nodes 4 --per-node 4 --start-up sender -o l.cpp && "
        "g++ -std=c++17 -O1 -fPIC -shared -o l.so l.cpp -lsimgrid && "
        "for n in 0 1 2 3; do for p in 0 1 2 3; do echo node$n.$p; done; done > hosts && "
        "S='timeout 200 smpirun -np 16 -hostfile hosts -platform ./l.so --cfg=smpi/simulate-computation:no "
        "--log=root.thres:critical' && "
        "$S $B/nsmodel-smpi tune -o t.json --sockets 1 --most 1MiB stencil5:400x400 stencil9:1000x100 "
        "stencil27:32x32x32 rajat01 stencil7:40x40x40 --json > tune.json && "
        "for m in stencil5:2000x500 stencil27:40x40x40 stencil9:300x300; do for w in 8B 64B 512B; do "
        "for f in t-first t; do $S $B/nsmodel-smpi run --matrix $m --width $w --machine ./$f.json --repetitions 1 "
        "--strategy standard,three-step,two-step,split-md --format csv | awk -F, -v f=$f -v m=$m.$w "
        "'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print f, m, $at[\"measured_s\"], "
        "$at[\"predicted_s\"] }'; done; done; done > left_out",
        job_programs());
    ck_assert_msg(r.code == 0, "%d: %.1500s", r.code, r.err);
    job_free(&r);
    /* f, the median of |log2| and the mean loss of the picks */
    r = job_shell(
        "for f in t-first t; do awk -v f=$f '$1 == f { x = log($4 / $3) / log(2); print x < 0 ? -x : x }' left_out | "
        "sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; "
        "awk -v f=$f '$1 == f { if (!($2 in p) || $4 < p[$2]) { p[$2] = $4; t[$2] = $3 } "
        "if (!($2 in b) || $3 < b[$2]) b[$2] = $3 } END { for (m in p) { s += t[m] / b[m] - 1; n++ } print s / n "
        "}' left_out; done");
    double of[4] = {-1, -1, -1, -1};
    ck_assert_int_eq(sscanf(r.out, "%lf %lf %lf %lf", &of[0], &of[1], &of[2], &of[3]), 4);
    printf("left out: median |log2| %.3f, then %.3f; loss %.4f, then %.4f\n", of[0], of[2], of[1], of[3]);
    ck_assert_double_lt(of[2], of[0]);
    ck_assert_double_le(of[2], 0.3);
    ck_assert_double_le(of[3], 0.02);
    job_free(&r);
}

TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(400)
