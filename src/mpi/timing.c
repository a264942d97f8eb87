/* timing.c -- repetitions of an exchange */
#include "mpi/timing.h"
#include "core/memory.h"
#include "mpi/watchdog.h"

#include <math.h>
#include <stdlib.h>

#ifdef NS_SIMULATED /* every repetition takes the same time */
enum { WARM_UPS = 0, ENOUGH = 1 };
#else
enum { WARM_UPS = 2, ENOUGH = 3 };
#endif
enum { TRIES = 3 /* times the repetitions */ };
static const double LATE = 10e-6, LATE_SHARE = 0.05; /* s; of the exchange */
static const double SECONDS_MOST = 20;               /* of all repetitions together */

/* The same everywhere but for `own`. */
typedef struct repetition {
    double own;  /* s of this process */
    double late; /* s, the latest start */
} repetition;

static int by_late(const void *a, const void *b)
{
    const double x = ((const repetition *)a)->late, y = ((const repetition *)b)->late;
    return (x > y) - (x < y);
}

static int by_own(const void *a, const void *b)
{
    const double x = ((const repetition *)a)->own, y = ((const repetition *)b)->own;
    return (x > y) - (x < y);
}

typedef struct course {
    const ns_world *world;
    ns_process_plan *plan;
    ns_perform_fn *perform;
    MPI_Comm comm;
    ns_common_clock clock;
    const char *what;
    repetition *of;
    int count, on_time;
    int64_t checked;
    double spent; /* s, of the slowest process of each repetition */
} course;

static ns_status check_values(course *c, ns_error *err)
{
    int64_t wrong = -1;
    const int64_t bad = ns_process_plan_check(c->plan, &c->checked, &wrong);
    ns_error own = {0};
    const ns_status status = bad == 0
                                 ? NS_OK
                                 : ns_fail(&own, NS_ERR_DATA, "%s: %lld received values are wrong; one is entry %lld",
                                           c->what, (long long)bad, (long long)wrong);
    const ns_status all = ns_world_agree(c->world, status, &own);
    if (all != NS_OK && err != NULL)
        *err = own;
    return all;
}

static ns_status repeat(course *c, repetition *r, double *slowest, ns_error *err)
{
    double mine[2], most[2];
    ns_process_plan_reset(c->plan);
    const double began = ns_clock_start(c->world, &c->clock, &mine[0]);
    c->perform(c->plan, c->comm);
    mine[1] = MPI_Wtime() - began;
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, c->world->comm);
    *r = (repetition){.own = mine[1], .late = most[0]};
    *slowest = most[1];
    return check_values(c, err);
}

static ns_status run_all(course *c, int repetitions, ns_error *err)
{
    double slowest;
    repetition ignored;
    for (int i = 0; i < WARM_UPS; i++)
        NS_TRY(repeat(c, &ignored, &slowest, err));
    while (c->on_time < repetitions && c->count < TRIES * repetitions && c->spent < SECONDS_MOST) {
        repetition *r = &c->of[c->count];
        NS_TRY(repeat(c, r, &slowest, err));
        c->count++;
        c->spent += slowest + c->clock.lead;
        if (r->late <= fmax(LATE, LATE_SHARE * slowest)) {
            c->on_time++;
            r->late = 0;
        } else {
            ns_clock_late(&c->clock);
        }
    }
    return NS_OK;
}

/* On time come first; where there are too few, those that were the least late. */
static void settle(const course *c, ns_timing *timing)
{
    const int count = c->on_time >= ENOUGH ? c->on_time : (c->count + 1) / 2;
    qsort(c->of, (size_t)c->count, sizeof *c->of, by_late);
    qsort(c->of, (size_t)count, sizeof *c->of, by_own);
    const double own = 0.5 * (c->of[(count - 1) / 2].own + c->of[count / 2].own);
    *timing = (ns_timing){
        .repetitions = count, .late = c->count - c->on_time, .all_late = c->on_time < ENOUGH, .checked = c->checked};
    MPI_Allreduce(&own, &timing->seconds, 1, MPI_DOUBLE, MPI_MAX, c->world->comm);
    MPI_Allreduce(&c->checked, &timing->checked, 1, MPI_INT64_T, MPI_SUM, c->world->comm);
}

ns_status ns_timing_take(const ns_world *world, ns_process_plan *plan, ns_perform_fn *perform, MPI_Comm comm,
                         int repetitions, const char *what, ns_timing *timing, ns_error *err)
{
    course c = {.world = world, .plan = plan, .perform = perform, .comm = comm, .what = what};
    ns_error own = {0};
    c.of = ns_calloc(ns_size_mul((size_t)repetitions, TRIES), sizeof *c.of);
    ns_status status = ns_world_agree(world, c.of != NULL ? NS_OK : ns_no_memory(&own), &own);
    if (status == NS_OK) {
        ns_watchdog_doing(what);
        ns_clock_agree(world, &c.clock);
        status = run_all(&c, repetitions, &own);
    }
    if (status == NS_OK)
        settle(&c, timing);
    else if (err != NULL)
        *err = own;
    ns_free(c.of);
    return status;
}
