/* sampling.c -- batches of rounds, and their median
 *
 * A batch lasts long enough for the clock.  The interval is that of order statistics, which asks for no distribution:
 * ranks n / 2 -+ 0.98 sqrt(n).
 */
#include "mpi/measure.h"
#include "mpi/watchdog.h"
#include "records/score.h"

#include <math.h>

/* A barrier lets processes go at different times.  That is lost among a batch's rounds, but not in a simulation, where
 * every round takes the same time and one is enough: there they meet in a round before. */
#ifdef NS_SIMULATED
enum { LEAST = 1, MOST = 1, ROUNDS_MOST = 1, ROUNDS_BEFORE = 1 };
#else
enum { LEAST = 5, MOST = 200, ROUNDS_MOST = 1000, ROUNDS_BEFORE = 0 };
#endif
static const double BATCH = 200e-6, TIGHT = 0.05;

static double batch(MPI_Comm comm, bool counts, ns_rounds_fn *run, void *context, int rounds)
{
    double slowest;
    MPI_Barrier(comm);
    if (ROUNDS_BEFORE > 0)
        run(context, ROUNDS_BEFORE);
    const double began = MPI_Wtime();
    run(context, rounds);
    const double own = counts ? (MPI_Wtime() - began) / rounds : 0;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
    ns_watchdog_feed();
    return slowest;
}

void ns_sample_settle(double *of, int n, ns_sampled *s)
{
    const int reach = (int)ceil(0.98 * sqrt(n)), low = (n - 1) / 2 - reach, high = n / 2 + reach;
    ns_score_sort(of, (size_t)n);
    s->seconds = 0.5 * (of[(n - 1) / 2] + of[n / 2]);
    s->low = of[low > 0 ? low : 0];
    s->high = of[high < n ? high : n - 1];
    s->batches = n;
    s->tight = s->high - s->low <= TIGHT * s->seconds;
}

void ns_sample_halve(ns_sampled *s)
{
    s->seconds /= 2;
    s->low /= 2;
    s->high /= 2;
}

void ns_sample_take(double seconds_most, MPI_Comm comm, bool counts, ns_rounds_fn *rounds, void *context,
                    ns_sampled *sampled)
{
    double of[MOST], sorted[MOST], spent = 0;
    double first = batch(comm, counts, rounds, context, 1); /* warms up */
    first = fmin(first, batch(comm, counts, rounds, context, 2));
    const int each = (int)fmin(fmax(BATCH / fmax(first, 1e-9), 1), ROUNDS_MOST);
    *sampled = (ns_sampled){.tight = false};
    for (int n = 0; n < MOST && !sampled->tight && (n < LEAST || spent < seconds_most);) {
        of[n] = batch(comm, counts, rounds, context, each);
        spent += of[n++] * each;
        if (n < LEAST || n % LEAST != 0)
            continue;
        for (int i = 0; i < n; i++)
            sorted[i] = of[i];
        ns_sample_settle(sorted, n, sampled);
    }
}
