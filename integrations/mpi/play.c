/* play.c -- an exchange performed again and again, each time in the way that a plan says
 *
 * It does what libnsmodel-mpi does in a program: rank 0 has the plan and broadcasts the next runs, and the maxima over
 * ranks of the last times are reduced to it.
 */
#include "mpi/timing.h"

#include <math.h>

#include "mpi/watchdog.h"
#include "report/columns.h"

typedef struct game {
    const ns_world *world;
    const ns_timed *timed;
    ns_plan *plan; /* rank 0 */
    int64_t calls, made, agreements;
    uint64_t bits;               /* of the runs of this process */
    double agreement_s, spent_s; /* s, spent by all calls of this process, in the end of the slowest */
    ns_value *rows;              /* rank 0 */
} game;

/* A time that is not known, 0, is null, and left out of JSON. */
static void put_time(ns_value *row, const char *key, double seconds)
{
    ns_put_number(row, key, seconds > 0 ? NS_EVERYWHERE : NS_NOT_IN_JSON, seconds > 0 ? seconds : NAN, NS_SECOND);
}

static ns_status play(game *g, ns_error *err)
{
    ns_status status = NS_OK;
    while (g->made < g->calls) {
        struct {
            int count;
            ns_plan_run run[NS_PLAN_TOLD];
        } d = {.count = 0}; /* what an agreement decides; no runs: rank 0 has met an error */
        double sample[NS_PLAN_TOLD] = {0}, greatest[NS_PLAN_TOLD] = {0};
        if (g->plan != NULL && status == NS_OK)
            status = ns_plan_runs(g->plan, d.run, &d.count, err);
        MPI_Bcast(&d, (int)sizeof d, MPI_BYTE, 0, g->world->comm);
        if (d.count == 0)
            break;
        g->agreements++;
        /* All runs but the first are of one call. */
        int samples = 0;
        for (int i = 0; i < d.count && g->made < g->calls; i++) {
            ns_plan_run *run = &d.run[i];
            run->calls = run->calls < g->calls - g->made ? run->calls : (int)(g->calls - g->made);
            const int most = i == 0 ? NS_PLAN_TOLD - d.count + 1 : 1, told = run->calls < most ? run->calls : most;
            if (g->plan != NULL) {
                ns_plan_info info = {.size = sizeof info}, next = info;
                ns_value *row = ns_value_object(g->rows, NULL);
                (void)ns_plan_describe(g->plan, run->way, &info, NULL);
                (void)ns_plan_describe(g->plan, -1, &next, NULL);
                ns_value_count(row, "agreement", (double)g->agreements);
                ns_value_count(row, "after", (double)g->made);
                ns_value_text(row, "way", g->timed[run->way].what);
                ns_value_count(row, "calls", run->calls);
                ns_value_count(row, "p_best", info.p_best);
                put_time(row, "expected_s", info.expected_s);
                ns_value_text(row, "why", i == 0 ? next.why : "decided with the run before");
            }
            const ns_timed *way = &g->timed[run->way];
            ns_watchdog_doing(way->what);
            for (int call = 0; call < run->calls; call++) {
                const double begin = MPI_Wtime();
                way->perform(way->plan, way->comm);
                const double seconds = MPI_Wtime() - begin;
                g->spent_s += seconds;
                if (call >= run->calls - told) /* the last calls' times */
                    sample[samples++] = fmax(seconds, 1e-9);
            }
            g->bits = ns_bits(g->bits, run, sizeof *run);
            g->made += run->calls;
        }
        MPI_Reduce(sample, greatest, NS_PLAN_TOLD, MPI_DOUBLE, MPI_MAX, 0, g->world->comm);
        const double *seconds = greatest;
        for (int i = 0; g->plan != NULL && i < d.count && samples > 0 && status == NS_OK; i++) {
            const int most = i == 0 ? NS_PLAN_TOLD - d.count + 1 : 1;
            const int told = d.run[i].calls < most ? d.run[i].calls : most;
            status = ns_plan_tell(g->plan, d.run[i].way, d.run[i].calls, seconds, told, err);
            seconds += told;
            samples -= told;
        }
    }
    return status;
}

ns_status ns_play(const ns_world *world, const ns_timed *timed, const ns_plan_way *ways, int count,
                  const ns_plan_options *options, int64_t calls, ns_value *result, ns_error *err)
{
    game g = {.world = world, .timed = timed, .calls = calls, .bits = NS_BITS, .agreement_s = INFINITY};
    ns_status status = NS_OK;
    int64_t checked = 0;
    /* The least of some agreements, as the first may set up connections and any may be disturbed. */
    for (int i = 0; i < 4; i++) {
        double sample[NS_PLAN_TOLD] = {0}, greatest[NS_PLAN_TOLD];
        ns_plan_run runs[NS_PLAN_TOLD] = {{0, 0}};
        const double begin = MPI_Wtime();
        MPI_Reduce(sample, greatest, NS_PLAN_TOLD, MPI_DOUBLE, MPI_MAX, 0, world->comm);
        MPI_Bcast(runs, (int)sizeof runs, MPI_BYTE, 0, world->comm);
        g.agreement_s = fmin(g.agreement_s, MPI_Wtime() - begin);
    }
    if (world->rank == 0) {
        ns_plan_options with = *options;
        with.agreement_s = g.agreement_s;
        status = ns_plan_open(ways, count, &with, &g.plan, err);
        g.rows = ns_put_rows(result, "runs", NS_EVERYWHERE);
    }
    for (int i = 0; i < count; i++) {
        ns_process_plan_reset(timed[i].plan);
        for (int k = 0; k < 2; k++) /* connections are set up */
            timed[i].perform(timed[i].plan, timed[i].comm);
    }
    status = ns_world_agree(world, status, err);
    if (status == NS_OK)
        status = ns_world_agree(world, play(&g, err), err);
    if (status == NS_OK)
        status = ns_world_same(world, g.bits, "performed other runs", err);
    MPI_Allreduce(MPI_IN_PLACE, &g.spent_s, 1, MPI_DOUBLE, MPI_MAX, world->comm);
    if (status == NS_OK && world->rank == 0) {
        ns_value *rows = ns_put_rows(result, "ways", NS_NOT_IN_CSV);
        ns_plan_info last = {.size = sizeof last}, today = last;
        (void)ns_plan_describe(g.plan, -1, &last, NULL);
        for (int i = 0; i < count; i++) {
            ns_plan_info info = {.size = sizeof info};
            ns_value *row = ns_row_mark(ns_value_object(rows, NULL), i == last.way);
            (void)ns_plan_describe(g.plan, i, &info, NULL);
            ns_value_text(row, "way", g.timed[i].what);
            put_time(row, "measured_s", info.calls > 0 ? info.measured_s : 0);
            ns_value_count(row, "calls", (double)info.calls);
            ns_value_count(row, "p_best", info.p_best);
            ns_value_count(row, "trials", (double)info.trials);
            ns_value_number(row, "trial_s", info.trial_s, NS_SECOND);
            today = i == options->incumbent ? info : today;
        }
        ns_value_count(result, "calls", (double)g.made);
        ns_value_number(result, "calls_s", g.spent_s, NS_SECOND);
        ns_value_count(result, "agreements", (double)g.agreements);
        ns_value_number(result, "agreement_s", g.agreement_s, NS_SECOND);
        ns_value_number(result, "incumbent_s", today.measured_s * (double)g.made, NS_SECOND);
    }
    for (int i = 0; i < count && status == NS_OK; i++)
        status = ns_timed_check(world, &timed[i], &checked, err);
    ns_plan_free(g.plan);
    return status;
}
