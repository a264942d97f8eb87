/* play.c -- an exchange performed repeatedly, each time in the way that a plan selects
 *
 * It does what libnsmodel-mpi does in a program: rank 0 has the plan and broadcasts the next runs, and the maxima over
 * ranks of the latest times are reduced to rank 0.
 */
#include "mpi/timing.h"

#include <math.h>

#include "mpi/watchdog.h"
#include "report/columns.h"

/* An unknown time, 0, is written as null, and omitted from JSON. */
static void put_time(ns_value *row, const char *key, double seconds)
{
    ns_put_number(row, key, seconds > 0 ? NS_EVERYWHERE : NS_NOT_IN_JSON, seconds > 0 ? seconds : NAN, NS_SECOND);
}

ns_status ns_play(const ns_world *world, const ns_timed *timed, const ns_plan_way *ways, int count,
                  const ns_plan_options *options, int64_t calls, ns_value *result, ns_error *err)
{
    ns_plan *plan = NULL; /* only on rank 0 */
    ns_value *runs = NULL;
    int64_t made = 0, agreements = 0, checked = 0;
    uint64_t bits = NS_BITS;                    /* a hash of this process' runs */
    double agreement_s = INFINITY, spent_s = 0; /* over all calls of this process; at the end, of the slowest process */
    ns_status status = NS_OK;
    /* The minimum over several agreements, as the first may set up connections and any may be disturbed. */
    for (int i = 0; i < 4; i++) {
        double sample[NS_PLAN_TOLD] = {0}, greatest[NS_PLAN_TOLD];
        ns_plan_run decided[NS_PLAN_TOLD] = {{0, 0}};
        const double begin = MPI_Wtime();
        MPI_Reduce(sample, greatest, NS_PLAN_TOLD, MPI_DOUBLE, MPI_MAX, 0, world->comm);
        MPI_Bcast(decided, (int)sizeof decided, MPI_BYTE, 0, world->comm);
        agreement_s = fmin(agreement_s, MPI_Wtime() - begin);
    }
    if (world->rank == 0) {
        ns_plan_options with = *options;
        with.agreement_s = agreement_s;
        status = ns_plan_open(ways, count, &with, &plan, err);
        runs = ns_put_rows(result, "runs", NS_EVERYWHERE);
    }
    for (int i = 0; i < count; i++) {
        ns_process_plan_reset(timed[i].plan);
        for (int k = 0; k < 2; k++) /* the first iteration sets up connections */
            timed[i].perform(timed[i].plan, timed[i].comm);
    }
    status = ns_world_agree(world, status, err);
    const bool opened = status == NS_OK;
    while (opened && made < calls) {
        struct {
            int count;
            ns_plan_run run[NS_PLAN_TOLD];
        } d = {.count = 0}; /* the result of an agreement; no runs: an error occurred on rank 0 */
        double sample[NS_PLAN_TOLD] = {0}, greatest[NS_PLAN_TOLD] = {0};
        if (plan != NULL && status == NS_OK)
            status = ns_plan_runs(plan, d.run, &d.count, err);
        MPI_Bcast(&d, (int)sizeof d, MPI_BYTE, 0, world->comm);
        if (d.count == 0)
            break;
        agreements++;
        /* Every run except the first has a single call. */
        int samples = 0;
        for (int i = 0; i < d.count && made < calls; i++) {
            ns_plan_run *run = &d.run[i];
            run->calls = run->calls < calls - made ? run->calls : (int)(calls - made);
            const int most = i == 0 ? NS_PLAN_TOLD - d.count + 1 : 1, told = run->calls < most ? run->calls : most;
            if (plan != NULL) {
                ns_plan_info info = {.size = sizeof info}, next = info;
                ns_value *row = ns_value_object(runs, NULL);
                (void)ns_plan_describe(plan, run->way, &info, NULL);
                (void)ns_plan_describe(plan, -1, &next, NULL);
                ns_value_count(row, "agreement", (double)agreements);
                ns_value_count(row, "after", (double)made);
                ns_value_text(row, "way", timed[run->way].what);
                ns_value_count(row, "calls", run->calls);
                ns_value_count(row, "p_best", info.p_best);
                put_time(row, "expected_s", info.expected_s);
                ns_value_text(row, "why", i == 0 ? next.why : "decided with the run before");
            }
            const ns_timed *way = &timed[run->way];
            ns_watchdog_doing(way->what);
            for (int call = 0; call < run->calls; call++) {
                const double begin = MPI_Wtime();
                way->perform(way->plan, way->comm);
                const double seconds = MPI_Wtime() - begin;
                spent_s += seconds;
                if (call >= run->calls - told) /* the times of the last calls */
                    sample[samples++] = fmax(seconds, 1e-9);
            }
            bits = ns_bits(bits, run, sizeof *run);
            made += run->calls;
        }
        MPI_Reduce(sample, greatest, NS_PLAN_TOLD, MPI_DOUBLE, MPI_MAX, 0, world->comm);
        const double *seconds = greatest;
        for (int i = 0; plan != NULL && i < d.count && samples > 0 && status == NS_OK; i++) {
            const int most = i == 0 ? NS_PLAN_TOLD - d.count + 1 : 1;
            const int told = d.run[i].calls < most ? d.run[i].calls : most;
            status = ns_plan_tell(plan, d.run[i].way, d.run[i].calls, seconds, told, err);
            seconds += told;
            samples -= told;
        }
    }
    status = ns_world_agree(world, status, err);
    if (status == NS_OK)
        status = ns_world_same(world, bits, "performed other runs", err);
    MPI_Allreduce(MPI_IN_PLACE, &spent_s, 1, MPI_DOUBLE, MPI_MAX, world->comm);
    if (status == NS_OK && world->rank == 0) {
        ns_value *rows = ns_put_rows(result, "ways", NS_NOT_IN_CSV);
        ns_plan_info last = {.size = sizeof last}, today = last;
        (void)ns_plan_describe(plan, -1, &last, NULL);
        for (int i = 0; i < count; i++) {
            ns_plan_info info = {.size = sizeof info};
            ns_value *row = ns_row_mark(ns_value_object(rows, NULL), i == last.way);
            (void)ns_plan_describe(plan, i, &info, NULL);
            ns_value_text(row, "way", timed[i].what);
            put_time(row, "measured_s", info.calls > 0 ? info.measured_s : 0);
            ns_value_count(row, "calls", (double)info.calls);
            ns_value_count(row, "p_best", info.p_best);
            ns_value_count(row, "trials", (double)info.trials);
            ns_value_number(row, "trial_s", info.trial_s, NS_SECOND);
            today = i == options->incumbent ? info : today;
        }
        ns_value_count(result, "calls", (double)made);
        ns_value_number(result, "calls_s", spent_s, NS_SECOND);
        ns_value_count(result, "agreements", (double)agreements);
        ns_value_number(result, "agreement_s", agreement_s, NS_SECOND);
        ns_value_number(result, "incumbent_s", today.measured_s * (double)made, NS_SECOND);
    }
    for (int i = 0; i < count && status == NS_OK; i++)
        status = ns_timed_check(world, &timed[i], &checked, err);
    ns_plan_free(plan);
    return status;
}
