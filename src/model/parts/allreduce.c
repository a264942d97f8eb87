/* allreduce.c -- collective operations by the hosts themselves, on a machine's tables
 *
 *     recursive doubling  log2 P (t(s) + gamma s)                          P not a power of two: 2 t(s) + gamma s more
 *     Rabenseifner        2 sum_i t(s/2^i) + gamma s (1 - 1/P)             the same
 *     ring                2 (P - 1) t(s/P) + gamma s (P - 1)/P
 *     reduce + broadcast  2 ceil(log2 P) t(s) + ceil(log2 P) gamma s       binomial trees
 *
 * t(s) = alpha + beta s by the protocol of the message, or the time of network interfaces that work without the host.
 * Where the lines' data end at m bytes and the port's rate B is known, t(s) = alpha + beta m + (s - m)/B beyond: the
 * slope of short messages includes the library's work on each of them, which a long message does not pay per byte. [NA]
 * (2.1) for messages; algorithms: Thakur, Rabenseifner, Gropp, [31] of [SH].  No contention between the rounds'
 * messages.
 */
#include "model/parts/allreduce.h"

#include <math.h>

const char *const ns_allreduce_words[] = {"best",     "recursive-doubling", "rabenseifner", "ring", "reduce-broadcast",
                                          "open-mpi", NULL};

int ns_allreduce_run(const ns_collective *job, int asked, int best)
{
    if (asked == NS_ALLREDUCE_BEST || (asked == NS_OPEN_MPI && job->beyond.ring_from <= 0))
        return best;
    return asked != NS_OPEN_MPI ? asked : job->s < job->beyond.ring_from ? NS_RECURSIVE_DOUBLING : NS_RING;
}

/* floor(log2 n) and ceil(log2 n) for n >= 1; exact. */
static double log2_down(double n)
{
    int exponent;
    (void)frexp(n, &exponent);
    return exponent - 1;
}

static double log2_up(double n)
{
    int exponent;
    const double fraction = frexp(n, &exponent);
    return fraction == 0.5 ? exponent - 1 : exponent;
}

ns_status ns_host_message(const ns_collective *job, double at, double bytes, double *start_up, double *moving,
                          ns_error *err)
{
    const ns_line *line;
    const double past = job->beyond.measured > 0 && job->beyond.port > 0 ? fmax(0, bytes - job->beyond.measured) : 0;
    NS_TRY(ns_model_line(job->machine, job->memory, NS_OFF_NODE, -1, at, &line, err));
    *start_up = line->alpha;
    *moving = line->beta * (bytes - past) + (past > 0 ? past / job->beyond.port : 0);
    return NS_OK;
}

static ns_status message(const ns_collective *job, int locality, double bytes, double *time, ns_error *err)
{
    const ns_line *line;
    double start_up, moving;
    if (job->driven != NULL && locality == NS_OFF_NODE)
        return job->driven(job, bytes, time, err);
    if (locality == NS_OFF_NODE) {
        NS_TRY(ns_host_message(job, bytes, bytes, &start_up, &moving, err));
        *time = start_up + moving;
        return NS_OK;
    }
    NS_TRY(ns_model_line(job->machine, job->memory, locality, -1, bytes, &line, err));
    *time = line->alpha + line->beta * bytes;
    return NS_OK;
}

/* The nodes beyond the largest power of two first pass their data to a partner, and receive the result last. */
static ns_status folded(const ns_collective *job, double *extra, ns_error *err)
{
    double t;
    *extra = 0;
    if (log2_up(job->nodes) == log2_down(job->nodes))
        return NS_OK;
    NS_TRY(message(job, NS_OFF_NODE, job->s, &t, err));
    *extra = 2 * t + job->gamma * job->s;
    return NS_OK;
}

double ns_allreduce_messages(double nodes, int algorithm)
{
    const double up = log2_up(nodes), down = log2_down(nodes), folds = up > down ? 1 : 0;
    switch (algorithm) {
    case NS_RECURSIVE_DOUBLING:
        return down + folds;
    case NS_RABENSEIFNER:
        return 2 * down + folds;
    case NS_RING:
        return 2 * (nodes - 1);
    default:
        return up;
    }
}

ns_status ns_allreduce_times(const ns_collective *job, double *times, int *chosen, ns_error *err)
{
    const double p = job->nodes;
    double whole = 0, part = 0, time[NS_ALLREDUCES] = {0};
    int best = NS_RECURSIVE_DOUBLING;
    if (p != floor(p))
        return ns_fail(err, NS_ERR_RANGE, "nodes wants a whole number, got %g", p);
    if (p > 1) {
        NS_TRY(message(job, NS_OFF_NODE, job->s, &whole, err));
        NS_TRY(message(job, NS_OFF_NODE, job->s / p, &part, err));
        NS_TRY(folded(job, &time[NS_RECURSIVE_DOUBLING], err));
        time[NS_RABENSEIFNER] = time[NS_RECURSIVE_DOUBLING] + job->gamma * job->s * (1 - ldexp(1, -(int)log2_down(p)));
        for (int i = 1; i <= (int)log2_down(p); i++) {
            double t;
            NS_TRY(message(job, NS_OFF_NODE, ldexp(job->s, -i), &t, err));
            time[NS_RABENSEIFNER] += 2 * t;
        }
        time[NS_RECURSIVE_DOUBLING] += log2_down(p) * (whole + job->gamma * job->s);
        time[NS_RING] = 2 * (p - 1) * part + job->gamma * job->s * ((p - 1) / p);
        time[NS_REDUCE_BROADCAST] = log2_up(p) * (2 * whole + job->gamma * job->s);
    }
    for (int i = NS_RECURSIVE_DOUBLING; i < NS_OPEN_MPI; i++)
        best = time[i] < time[best] ? i : best;
    time[NS_ALLREDUCE_BEST] = time[best];
    time[NS_OPEN_MPI] = time[ns_allreduce_run(job, NS_OPEN_MPI, best)];
    for (int i = 0; i < NS_ALLREDUCES; i++)
        times[i] = time[i];
    if (chosen != NULL)
        *chosen = best;
    return NS_OK;
}

ns_status ns_reduce_time(const ns_collective *job, double *time, ns_error *err)
{
    double t = 0;
    if (job->nodes > 1)
        NS_TRY(message(job, NS_OFF_NODE, job->s, &t, err));
    *time = log2_up(job->nodes) * (t + job->gamma * job->s);
    return NS_OK;
}

ns_status ns_barrier_time(const ns_collective *job, double *time, ns_error *err)
{
    double t = 0;
    if (job->nodes > 1)
        NS_TRY(message(job, NS_OFF_NODE, 0, &t, err));
    *time = log2_up(job->nodes) * t;
    return NS_OK;
}

ns_status ns_on_node_tree(const ns_collective *job, double processes, double sockets, double groups, double *time,
                          ns_error *err)
{
    const double used = fmin(sockets, processes);
    const double sockets_deep = log2_up(ceil(processes / used)), node_deep = log2_up(ceil(used / fmin(groups, used)));
    double socket = 0, node = 0;
    if (sockets_deep > 0)
        NS_TRY(message(job, NS_ON_SOCKET, job->s, &socket, err));
    if (node_deep > 0)
        NS_TRY(message(job, NS_ON_NODE, job->s, &node, err));
    *time = sockets_deep * (socket + job->gamma * job->s) + node_deep * (node + job->gamma * job->s);
    return NS_OK;
}
