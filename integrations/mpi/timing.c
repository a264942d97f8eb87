/* timing.c -- a clock that all processes share, and repetitions of an exchange */
#include "mpi/timing.h"
#include "core/memory.h"
#include "mpi/watchdog.h"
#include "records/record.h"

#include <assert.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#ifdef NS_SIMULATED /* every repetition takes the same time */
enum { WARM_UPS = 0, ENOUGH = 1 };
#else
enum { WARM_UPS = 2, ENOUGH = 3 };
#endif
enum { TRIES = 3 /* at most, as multiples of the repetitions */ };
static const double LATE = 10e-6, LATE_SHARE = 0.05; /* s; as a share of the exchange */
static const double SECONDS_MOST = 20;               /* for all repetitions together */

/* ---- the clock --------------------------------------------------------------------------------------------------- */

enum { PATIENCE = 10 /* round trips */, TAG = 7 };
static const double FIRST_LEAD = 200e-6, LONGEST_LEAD = 20e-3;
/* s before the start; the time before that is spent asleep.  Only a simulation wakes up at exactly the requested
 * time. */
#ifdef NS_SIMULATED
static const double SPIN = 0;
#else
static const double SPIN = 100e-6;
#endif

/* One clock for all processes.  Processes leave a barrier at times that differ by as much as a small exchange takes, so
 * the start is a time on rank 0's clock instead.  Its offset to each process' clock is measured by ping-pongs: half of
 * the fastest round trip, repeated until none is faster. */
typedef struct common_clock {
    double offset; /* s: rank 0's clock minus this process' clock */
    double lead;   /* s from the announcement of a start to the start */
} common_clock;

/* Collective. */
static void agree_on_clock(const ns_world *world, common_clock *clock)
{
    *clock = (common_clock){0, FIRST_LEAD};
    for (int r = 1; r < world->ranks; r++) {
        if (world->rank == 0) {
            /* On rank 0: find the offset of its clock to that of a rank. */
            const double end = -1;
            double best = INFINITY, offset = 0;
            for (int since = 0; since < PATIENCE; since++) {
                const double sent = MPI_Wtime();
                double other;
                MPI_Send(&sent, 1, MPI_DOUBLE, r, TAG, world->comm);
                MPI_Recv(&other, 1, MPI_DOUBLE, r, TAG, world->comm, MPI_STATUS_IGNORE);
                const double back = MPI_Wtime();
                if (back - sent < best) {
                    since = back - sent < 0.9 * best ? 0 : since;
                    best = back - sent;
                    offset = 0.5 * (sent + back) - other;
                }
            }
            MPI_Send(&end, 1, MPI_DOUBLE, r, TAG, world->comm);
            MPI_Send(&offset, 1, MPI_DOUBLE, r, TAG, world->comm);
        } else if (world->rank == r) {
            /* Answer with this process' time until rank 0 sends a negative time. */
            for (double time = 0;;) {
                MPI_Recv(&time, 1, MPI_DOUBLE, 0, TAG, world->comm, MPI_STATUS_IGNORE);
                if (time < 0)
                    break;
                time = MPI_Wtime();
                MPI_Send(&time, 1, MPI_DOUBLE, 0, TAG, world->comm);
            }
            MPI_Recv(&clock->offset, 1, MPI_DOUBLE, 0, TAG, world->comm, MPI_STATUS_IGNORE);
        }
    }
}

static double common_now(const common_clock *clock)
{
    return MPI_Wtime() + clock->offset;
}

/* Collective: all processes leave it at one moment.  Returns the time of that moment on this process' clock; *late is
 * how late this process was, s. */
static double start(const ns_world *world, const common_clock *clock, double *late)
{
    double moment = common_now(clock) + clock->lead;
    MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, world->comm);
    const double rest = moment - common_now(clock) - SPIN;
    if (rest > 0) {
        const struct timespec pause = {(time_t)rest, (long)(1e9 * (rest - floor(rest)))};
        (void)nanosleep(&pause, NULL);
    }
    while (common_now(clock) < moment) {
#ifndef NS_SIMULATED /* there may be more processes than cores; in a simulation no others have to run first */
        (void)sched_yield();
#endif
    }
    const double began = MPI_Wtime();
    *late = began + clock->offset - moment;
    return began;
}

/* ---- repetitions ------------------------------------------------------------------------------------------------- */

/* The same numbers on all processes, except `own`. */
typedef struct repetition {
    double late;    /* s, of the latest start; 0: on time */
    double slowest; /* s, of the slowest process */
    double own;     /* s of this process */
} repetition;

static int by_lateness(const void *a, const void *b)
{
    const repetition *x = a, *y = b;
    return (x->late > y->late) - (x->late < y->late);
}

typedef struct course {
    const ns_world *world;
    ns_timed *timed;
    common_clock *clock;
    repetition *of;
    int count, on_time;
    int64_t checked;
    double spent; /* s, for the slowest process of each repetition */
} course;

ns_status ns_timed_check(const ns_world *world, const ns_timed *timed, int64_t *checked, ns_error *err)
{
    int64_t wrong = -1;
    const int64_t bad = ns_process_plan_check(timed->plan, checked, &wrong);
    const ns_status status = bad == 0
                                 ? NS_OK
                                 : ns_fail(err, NS_ERR_DATA, "%s: %lld received values are wrong; one is entry %lld",
                                           timed->what, (long long)bad, (long long)wrong);
    return ns_world_agree(world, status, err);
}

static ns_status repeat(course *c, repetition *r, ns_error *err)
{
    double mine[2], most[2];
    ns_watchdog_doing(c->timed->what);
    ns_process_plan_reset(c->timed->plan);
    const double began = start(c->world, c->clock, &mine[0]);
    c->timed->perform(c->timed->plan, c->timed->comm);
    mine[1] = MPI_Wtime() - began;
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, c->world->comm);
    *r = (repetition){.own = mine[1], .late = most[0], .slowest = most[1]};
    return ns_timed_check(c->world, c->timed, &c->checked, err);
}

/* In each round every exchange that is not finished is performed once. */
static ns_status take_turns(course *c, int count, int repetitions, ns_error *err)
{
    uint64_t state = 1;
    repetition ignored;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < WARM_UPS; k++)
            NS_TRY(repeat(&c[i], &ignored, err));
    for (bool any = true; any;) {
        any = false;
        /* Fisher and Yates, the same on all processes by a linear congruential generator (Knuth's MMIX constants) */
        for (int i = count - 1; i > 0; i--) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int other = (int)((state >> 33) % (uint64_t)(i + 1));
            const course kept = c[i];
            c[i] = c[other];
            c[other] = kept;
        }
        for (course *k = c; k < c + count; k++) {
            if (k->on_time >= repetitions || k->count >= TRIES * repetitions || k->spent >= SECONDS_MOST)
                continue;
            any = true;
            repetition *r = &k->of[k->count];
            NS_TRY(repeat(k, r, err));
            k->count++;
            k->spent += r->slowest + k->clock->lead;
            if (r->late <= fmax(LATE, LATE_SHARE * r->slowest)) {
                k->on_time++;
                r->late = 0;
            } else { /* announce the next start earlier */
                k->clock->lead = fmin(2 * k->clock->lead, LONGEST_LEAD);
            }
        }
    }
    return NS_OK;
}

/* Repetitions on time count; where there are too few of them, those that were least late.  The median is between the
 * k-th smallest and the k-th largest with 95 % probability, k = (n - 1.96 sqrt(n)) / 2, which is a binomial
 * quantile. */
static void settle(const course *c, double *times)
{
    ns_timing *timing = &c->timed->timing;
    const int count = c->on_time >= ENOUGH ? c->on_time : (c->count + 1) / 2;
    assert(times != NULL); /* allocated on all ranks or on none */
    qsort(c->of, (size_t)c->count, sizeof *c->of, by_lateness);
    *timing = (ns_timing){.repetitions = count, .late = c->count - c->on_time, .all_late = c->on_time < ENOUGH};
    for (int i = 0; i < count; i++)
        times[i] = c->of[i].slowest;
    timing->outliers = (int)ns_score_outliers(times, (size_t)count);
    for (int i = 0; i < count; i++)
        times[i] = c->of[i].own;
    ns_score_sort(times, (size_t)count);
    const int k = (int)fmax(0, floor((count - 1.96 * sqrt(count)) / 2));
    const double own[] = {times[k], ns_score_quantile(times, (size_t)count, 0.5), times[count - 1 - k]};
    double most[3];
    MPI_Allreduce(own, most, 3, MPI_DOUBLE, MPI_MAX, c->world->comm);
    timing->lo = most[0];
    timing->seconds = most[1];
    timing->hi = most[2];
    MPI_Allreduce(&c->checked, &timing->checked, 1, MPI_INT64_T, MPI_SUM, c->world->comm);
}

ns_status ns_timing_take(const ns_world *world, ns_timed *timed, int count, int repetitions, ns_error *err)
{
    common_clock clock;
    const size_t room = ns_size_mul((size_t)repetitions, TRIES), all = ns_size_mul(room, (size_t)count);
    course *course_of = ns_calloc((size_t)count, sizeof *course_of);
    repetition *of = ns_calloc(all, sizeof *of);
    double *times = ns_calloc(room, sizeof *times);
    const bool ready = course_of != NULL && of != NULL && times != NULL;
    ns_status status = ns_world_agree(world, ready ? NS_OK : ns_no_memory(err), err);
    if (status == NS_OK && ready) {
        agree_on_clock(world, &clock);
        for (int i = 0; i < count; i++)
            course_of[i] = (course){.world = world, .timed = &timed[i], .clock = &clock, .of = of + room * (size_t)i};
        status = take_turns(course_of, count, repetitions, err);
        for (int i = 0; i < count && status == NS_OK; i++)
            settle(&course_of[i], times);
    }
    ns_free(course_of);
    ns_free(of);
    ns_free(times);
    return status;
}
