/* timing.c -- repetitions of an exchange */
#include "mpi/timing.h"
#include "core/memory.h"
#include "mpi/watchdog.h"
#include "records/record.h"

#include <assert.h>
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

/* All processes have the same numbers but for `own`. */
typedef struct repetition {
    double late;    /* s, the latest start; 0: on time */
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
    ns_timed *of_exchange;
    ns_common_clock *clock;
    repetition *of;
    int count, on_time;
    int64_t checked;
    double spent; /* s, of the slowest process of each repetition */
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
    ns_watchdog_doing(c->of_exchange->what);
    ns_process_plan_reset(c->of_exchange->plan);
    const double began = ns_clock_start(c->world, c->clock, &mine[0]);
    c->of_exchange->perform(c->of_exchange->plan, c->of_exchange->comm);
    mine[1] = MPI_Wtime() - began;
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, c->world->comm);
    *r = (repetition){.own = mine[1], .late = most[0], .slowest = most[1]};
    return ns_timed_check(c->world, c->of_exchange, &c->checked, err);
}

/* In each round every exchange that is not done has its turn. */
static ns_status take_turns(course *c, int count, int repetitions, int *order, ns_error *err)
{
    uint64_t state = 1;
    repetition ignored;
    for (int i = 0; i < count; i++) {
        order[i] = i;
        for (int k = 0; k < WARM_UPS; k++)
            NS_TRY(repeat(&c[i], &ignored, err));
    }
    for (bool any = true; any;) {
        any = false;
        /* Fisher and Yates, the same on all processes by a linear congruential generator (Knuth's MMIX constants) */
        for (int i = count - 1; i > 0; i--) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int other = (int)((state >> 33) % (uint64_t)(i + 1)), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        for (int i = 0; i < count; i++) {
            course *k = &c[order[i]];
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
            } else {
                ns_clock_late(k->clock);
            }
        }
    }
    return NS_OK;
}

/* Repetitions on time come first; where there are too few, those that were the least late count.  The median lies
 * between the k-th smallest and the k-th largest with 95 %, k = (n - 1.96 sqrt(n)) / 2, which is a binomial quantile. */
static void settle(const course *c, double *time)
{
    ns_timing *timing = &c->of_exchange->timing;
    const int count = c->on_time >= ENOUGH ? c->on_time : (c->count + 1) / 2;
    assert(time != NULL); /* allocated on all ranks or on none */
    qsort(c->of, (size_t)c->count, sizeof *c->of, by_lateness);
    *timing = (ns_timing){.repetitions = count, .late = c->count - c->on_time, .all_late = c->on_time < ENOUGH};
    for (int i = 0; i < count; i++)
        time[i] = c->of[i].slowest;
    timing->outliers = (int)ns_score_outliers(time, (size_t)count);
    for (int i = 0; i < count; i++)
        time[i] = c->of[i].own;
    ns_score_sort(time, (size_t)count);
    const int k = (int)fmax(0, floor((count - 1.96 * sqrt(count)) / 2));
    const double own[] = {time[k], ns_score_quantile(time, (size_t)count, 0.5), time[count - 1 - k]};
    double most[3];
    MPI_Allreduce(own, most, 3, MPI_DOUBLE, MPI_MAX, c->world->comm);
    timing->lo = most[0];
    timing->seconds = most[1];
    timing->hi = most[2];
    MPI_Allreduce(&c->checked, &timing->checked, 1, MPI_INT64_T, MPI_SUM, c->world->comm);
}

ns_status ns_timing_take(const ns_world *world, ns_timed *timed, int count, int repetitions, ns_error *err)
{
    ns_common_clock clock;
    const size_t room = ns_size_mul((size_t)repetitions, TRIES), all = ns_size_mul(room, (size_t)count);
    course *course_of = ns_calloc((size_t)count, sizeof *course_of);
    repetition *of = ns_calloc(all, sizeof *of);
    double *time = ns_calloc(room, sizeof *time);
    int *order = ns_calloc((size_t)count, sizeof *order);
    const bool ready = course_of != NULL && of != NULL && time != NULL && order != NULL;
    ns_status status = ns_world_agree(world, ready ? NS_OK : ns_no_memory(err), err);
    if (status == NS_OK && ready) {
        ns_clock_agree(world, &clock);
        for (int i = 0; i < count; i++)
            course_of[i] =
                (course){.world = world, .of_exchange = &timed[i], .clock = &clock, .of = of + room * (size_t)i};
        status = take_turns(course_of, count, repetitions, order, err);
    }
    for (int i = 0; i < count && status == NS_OK; i++)
        settle(&course_of[i], time);
    ns_free(course_of);
    ns_free(of);
    ns_free(time);
    ns_free(order);
    return status;
}
