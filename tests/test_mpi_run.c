/* test_mpi_run.c -- nsmodel-mpi run: what is performed is what predict says, every value of it is checked
 *
 * Times of a test machine mean nothing, so nothing is asked of them but that they are there.
 */

#include <nsmodel/json.h>

#include "core/memory.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/job.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

static const char *in_scratch(const char *name)
{
    static char path[1200];
    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(in_scratch(name), "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* ---- against predict --------------------------------------------------------------------------------------------- */

/* Entries that parts need of others: what the standard strategy sends, from predict's own schedule. */
static double entries_needed(const char *exchange, int ranks, int per_node, int width)
{
    char line[2000], path[1200];
    double bytes = 0;
    snprintf(path, sizeof path, "%s", in_scratch("schedule.csv"));
    snprintf(line, sizeof line,
             "predict %s --machine dane --parts %d --per-node %d --set topology.host_processes=%d --strategy standard "
             "--schedule %s",
             exchange, ranks, per_node, per_node, path);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    char *text = read_whole(path);
    for (char *at = strchr(text, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        double sent = 0;
        ck_assert_int_eq(sscanf(at, "%*d,%*d,%*d,%lf", &sent), 1);
        bytes += sent;
    }
    return bytes / width;
}

static double estimate(const char *exchange, const char *strategy, int ranks, int per_node)
{
    char line[900];
    snprintf(line, sizeof line,
             "predict %s --machine dane --parts %d --per-node %d --set topology.host_processes=%d --strategy %s",
             exchange, ranks, per_node, per_node, strategy);
    ns_value *root = cli_json(line);
    const double seconds =
        number_at(ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first, "estimate_s");
    return seconds;
}

static const struct {
    const char *exchange;
    int ranks, per_node, width, strategies;
} runs[] = {
    {"--matrix rajat01", 4, 2, 8, 5},
    {"--matrix stencil9:20x20x3", 6, 3, 8, 5},
    {"--matrix stencil5:30x30 --width 12B", 4, 2, 12, 5},
    {"--matrix stencil27:8x8x8 --width 1B", 5, 2, 1, 3}, /* a node that is not full: split is left out */
    {"--matrix rajat01", 3, 4, 8, 5},                    /* one node */
    {"--messages alltoall:96B", 4, 2, 1, 5},
    {"--messages plan.csv", 4, 2, 1, 5},
    {"--matrix any.mtx --partition any.part", 4, 2, 8, 5},
};

/* A matrix of 6 rows whose parts hold rows in no order; part 3 needs nothing and part 1 owns nothing. */
static void put_inputs(void)
{
    put("plan.csv", "src,dst,bytes\n0,1,5\n0,2,300\n1,3,70001\n3,0,1\n2,3,9\n2,0,17\n0,3,8\n");
    put("any.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 6 9\n1 2\n1 6\n2 1\n3 5\n4 1\n5 6\n5 3\n6 1\n"
                   "4 4\n");
    put("any.part", "0\n2\n0\n3\n2\n0\n");
}

/* Each repetition checks all that is needed: a whole number of repetitions of it. */
static void check_counts(const ns_value *row, double of_one)
{
    const double checked = number_at(row, "values_checked");
    const double repetitions = number_at(row, "repetitions") + number_at(row, "late");
    if (of_one == 0) {
        ck_assert_double_eq(checked, 0);
        return;
    }
    ck_assert_double_eq(fmod(checked, of_one), 0);
    ck_assert_double_ge(checked / of_one, repetitions / 2);
    ck_assert_double_gt(checked / of_one, 2); /* the warm-ups too */
}

/* The median in its interval; a tie with the fastest exactly where the intervals overlap; what sends the same as
 * another is that one's measurement. */
static void check_interval(const ns_value *row, const ns_value *rows, const char *fastest)
{
    const double seconds = number_at(row, "measured_s"), lo = number_at(row, "lo_s"), hi = number_at(row, "hi_s");
    const ns_value *best = rows, *same = ns_value_get(row, "same_as");
    ck_assert(lo > 0 && lo <= seconds && seconds <= hi);
    ck_assert_double_le(number_at(row, "outliers"), number_at(row, "repetitions"));
    while (strcmp(text_at(best, "strategy"), fastest) != 0)
        best = best->next;
    ck_assert(ns_value_get(row, "tie")->truth ==
              (row != best && lo <= number_at(best, "hi_s") && number_at(best, "lo_s") <= hi));
    for (const ns_value *other = rows; other != NULL && same != NULL; other = other->next)
        if (strcmp(text_at(other, "strategy"), same->text) == 0)
            ck_assert_double_eq(number_at(other, "measured_s"), seconds);
}

TEST_EACH(what_is_predicted, job_ready("nsmodel-mpi run", JOB_OPEN_MPI) ? sizeof runs / sizeof *runs : 0)
{
    char line[900], exchange[400];
    const char *given = runs[_i].exchange;
    const int ranks = runs[_i].ranks, per_node = runs[_i].per_node < ranks ? runs[_i].per_node : ranks;
    int rows = 0;
    bool measured = false, predicted = false;
    put_inputs();
    snprintf(line, sizeof line, "run %s --per-node %d --machine dane --repetitions 3", given, runs[_i].per_node);
    ns_value *root = job_json(JOB_OPEN_MPI, ranks, line);
    ck_assert(chdir(scratch_folder()) == 0); /* files are named as the job named them */
    snprintf(exchange, sizeof exchange, "%s", given);
    ck_assert_double_eq(number_at(root, "ranks"), ranks);
    ck_assert(ns_value_get(root, "verified")->truth);
    const double needed = entries_needed(exchange, ranks, per_node, runs[_i].width);
    const char *picked = text_at(root, "winner.predicted"), *fastest = text_at(root, "winner.measured");
    for (const ns_value *row = ns_value_get(root, "strategies")->first; row != NULL; row = row->next, rows++) {
        const char *strategy = text_at(row, "strategy");
        ck_assert_double_gt(number_at(row, "measured_s"), 0);
        ck_assert_double_eq(number_at(row, "predicted_s"), estimate(exchange, strategy, ranks, per_node));
        check_interval(row, ns_value_get(root, "strategies")->first, fastest);
        check_counts(row, needed);
        predicted = predicted || strcmp(strategy, picked) == 0;
        measured = measured || strcmp(strategy, fastest) == 0;
    }
    ck_assert_int_eq(rows, runs[_i].strategies);
    ck_assert(predicted && measured);
    const ns_value *other = ns_value_get(root, "baselines")->first;
    ck_assert_str_eq(text_at(other, "strategy"), "neighbor-alltoallv");
    check_counts(other, needed);
}

/* Ways by groups within a node and along a grid arrive with the right values, at the price of predict. */
TEST_EACH(groups_and_grids, job_ready("nsmodel-mpi run", JOB_OPEN_MPI) ? 2 : 0)
{
    static const char *const exchange[] = {"--matrix stencil9:20x20x3", "--messages alltoall:96B"};
    char line[300];
    int rows = 0;
    snprintf(line, sizeof line,
             "run %s --per-node 4 --machine dane --repetitions 2 --strategy "
             "two-step:2,two-step:3,three-step:2,two-step:socket,staged:router,staged:3x2,standard/pairwise,library",
             exchange[_i]);
    ns_value *root = job_json(JOB_OPEN_MPI, 6, line);
    ck_assert(ns_value_get(root, "verified")->truth);
    const double needed = entries_needed(exchange[_i], 6, 4, _i == 0 ? 8 : 1);
    for (const ns_value *row = ns_value_get(root, "strategies")->first; row != NULL; row = row->next, rows++) {
        ck_assert_double_eq(number_at(row, "predicted_s"), estimate(exchange[_i], text_at(row, "strategy"), 6, 4));
        check_counts(row, needed);
    }
    ck_assert_int_eq(rows, 8);
}

/* Of times of one exchange whose median is 10 and whose median distance is 1, those below 10 - 3 * 1.4826 or above
 * 10 + 3 * 1.4826 are outliers, in any order; of equal times every other one is. */
TEST(counting_outliers)
{
    double some[] = {9, 11, 40, 10, 9, 11, 10, 14.4, 9, 11, 5.5}, even[] = {3, 3, 3, 3, 3.1, 3, 3, 2.9}, one[] = {7};
    ck_assert_uint_eq(ns_score_outliers(some, sizeof some / sizeof *some), 2);
    ck_assert_uint_eq(ns_score_outliers(even, sizeof even / sizeof *even), 2);
    ck_assert_uint_eq(ns_score_outliers(one, 1), 0);
}

/* Of 66 repetitions in turn, two warm-ups of each of three exchanges first, number 7, 15, ... are slow: eight of 60. */
TEST_EACH(outliers_of_a_job, job_ready("nsmodel-mpi run", JOB_OPEN_MPI))
{
    double outliers = 0, repetitions = 0;
    shell_ok("mpicc.openmpi -O1 -shared -fPIC -o %s/slow.so tests/mpi/slow_turns.c", scratch_folder());
    job_result r = job_shell("%s -x LD_PRELOAD=%s/slow.so %s/nsmodel-mpi run --matrix rajat01 --per-node 2 --machine "
                             "dane --repetitions 20 --strategy standard,three-step --json",
                             job_launch(2), scratch_folder(), job_programs());
    ck_assert_msg(r.code == 0, "%s", r.err);
    ns_value *root = NULL;
    ck_assert(ns_json_parse(r.out, "output", &root, NULL) == NS_OK);
    test_keep(root);
    for (const ns_value *row = ns_value_get(root, "strategies")->first; row != NULL; row = row->next) {
        outliers += number_at(row, "outliers");
        repetitions += number_at(row, "repetitions");
    }
    outliers += number_at(ns_value_get(root, "baselines")->first, "outliers");
    repetitions += number_at(ns_value_get(root, "baselines")->first, "repetitions");
    ck_assert_double_eq(repetitions, 60);
    ck_assert_double_eq(outliers, 8);
    job_free(&r);
}

static void check_some(job_mpi mpi, int ranks)
{
    ns_value *root = job_json(mpi, ranks,
                              "run --matrix rajat01 --per-node 2 --repetitions 2 --strategy "
                              "standard,three-step,split-md");
    ck_assert(ns_value_get(root, "verified")->truth);
    int rows = 0;
    for (const ns_value *row = ns_value_get(root, "strategies")->first; row != NULL; row = row->next, rows++)
        ck_assert_double_gt(number_at(row, "values_checked"), 0);
    ck_assert_int_eq(rows, 3);
}

TEST_EACH(mpich, job_ready("nsmodel-mpi.mpich", JOB_MPICH))
{
    check_some(JOB_MPICH, 2);
}

TEST_EACH(simulated, job_ready("nsmodel-smpi", JOB_SIMULATED))
{
    check_some(JOB_SIMULATED, 4);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* Every row is priced by the library, close to what its schedule costs. */
static void check_records(const char *path, size_t wanted)
{
    ns_records *records = NULL;
    ns_machine *machine = NULL;
    ns_error err = {0};
    ns_dense *kept = NULL;
    ck_assert_msg(ns_records_read(path, &records, &err) == NS_OK, "%s", err.text);
    ck_assert(ns_machine_load("dane", &machine, NULL) == NS_OK);
    ck_assert_uint_eq(records->rows, wanted);
    for (size_t row = 0; row < records->rows; row++) {
        ns_price price;
        double measured;
        ck_assert(ns_record_measured(records, row, &measured));
        ck_assert_msg(ns_row_price(&kept, records, row, machine, &(ns_price_options){0}, NULL, &price, &err) == NS_OK,
                      "%s", err.text);
    }
    ns_dense_free(kept);
    ns_records_free(records);
    ns_machine_free(machine);
}

static const struct {
    const char *exchange;
    size_t rows;                                                           /* of one job */
} recorded[] = {{"--matrix rajat01", 4}, {"--messages alltoall:1KiB", 4}}; /* both splits send the same */

TEST_EACH(records, job_ready("nsmodel-mpi run", JOB_OPEN_MPI) ? 2 : 0)
{
    char line[400], other[400], path[1200];
    snprintf(line, sizeof line, "run %s --per-node 2 --machine dane --repetitions 2 --records mine.csv",
             recorded[_i].exchange);
    snprintf(other, sizeof other, "run %s --per-node 2 --machine dane --repetitions 2 --records mine.csv",
             recorded[1 - _i].exchange);
    job_json(JOB_OPEN_MPI, 4, line);
    snprintf(path, sizeof path, "%s", in_scratch("mine.csv"));
    check_records(path, recorded[_i].rows);
    job_json(JOB_OPEN_MPI, 4, line); /* rows of another job are added */
    check_records(path, 2 * recorded[_i].rows);
    char validate[1300];
    snprintf(validate, sizeof validate, "validate --records %s", path);
    cli_json(validate);
    job_result r = job(JOB_OPEN_MPI, 4, other);
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strstr(r.err, "mine.csv:1: ") != NULL && strstr(r.err, "holds other columns") != NULL, "%s", r.err);
    check_records(path, 2 * recorded[_i].rows); /* as it was */
    job_free(&r);
}

/* Each command has something to say of such a job; with --quiet only the answer comes. */
static const char *const quiet[] = {"run --matrix rajat01 --per-node 2 --repetitions 2 --machine dane",
                                    "measure --most 1KiB --seconds 0.01 -o m.log",
                                    "tune --most 1KiB --seconds 0.01 --repetitions 3 --width 8B rajat01 -o t.json",
                                    "predict --matrix rajat01 --machine dane"};
enum { QUIET = sizeof quiet / sizeof *quiet };

TEST_EACH(only_the_answer, job_ready("nsmodel-mpi run", JOB_OPEN_MPI) ? QUIET : 0)
{
    char line[400];
    snprintf(line, sizeof line, "%s --quiet", quiet[_i]);
    job_result r = job(JOB_OPEN_MPI, 2, line);
    ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
    ck_assert_str_eq(r.err, "");
    ck_assert_str_ne(r.out, "");
    job_free(&r);
}

TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(240)
