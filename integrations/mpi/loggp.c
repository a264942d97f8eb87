/* loggp.c -- the parameters of LogGP between two nodes, by size
 *
 *     T    half a round trip of one message, T_n of n at once
 *     o_s  in MPI_Isend        o_r  in MPI_Recv of a message that has come already
 *     L = T - o_s - o_r        g = (T_n - T) / (n - 1)        G(s) = (T(s) - T(1)) / (s - 1)
 */
#include "core/memory.h"
#include "mpi/measure.h"
#include "mpi/timing.h"
#include "mpi/watchdog.h"

#include <assert.h>

enum { AT_ONCE = 16, SIZES_MOST = 40 };
enum { LATENCY, OVERHEAD_SEND, OVERHEAD_RECEIVE, GAP, GAP_OF_BYTE, PARAMETERS };
static const char *const names[PARAMETERS] = {"L", "o_s", "o_r", "g", "G"};
static const int64_t SHORT = 1024; /* B: o and g are of short messages */

typedef struct course {
    ns_flight flight;
    MPI_Comm both;
    double pause;    /* s, long enough for an answer to have come */
    double shortest; /* s, T(1) */
    ns_sampled of[PARAMETERS][SIZES_MOST];
} course;

static void rounds(void *context, int count)
{
    ns_flight_rounds(&((course *)context)->flight, count);
}

/* Measure half a round trip of so many messages. */
static void take_half(const ns_survey *s, course *c, int messages, ns_sampled *half)
{
    c->flight.messages = messages;
    ns_sample_take(s->seconds_most, c->both, c->flight.leads, rounds, c, half);
    ns_sample_halve(half);
}

/* (a - b) / by, and the interval of a. */
static ns_sampled difference(const ns_sampled *a, double b, double by)
{
    return (ns_sampled){(a->seconds - b) / by, (a->low - b) / by, (a->high - b) / by, a->batches, a->tight};
}

static void take_size(const ns_survey *s, course *c, int64_t size, int at)
{
    ns_sampled one, several;
    assert(at >= 0 && at < SIZES_MOST);
    c->flight.bytes = (int)size;
    take_half(s, c, 1, &one);
    if (at == 0)
        c->shortest = one.seconds;
    else
        c->of[GAP_OF_BYTE][at] = difference(&one, c->shortest, (double)size - 1);
    if (size > SHORT)
        return;
    c->pause = 4 * one.seconds;
    /* Measure o_s and o_r in batches of rounds, fewer where they take long. */
#ifdef NS_SIMULATED
    enum { BATCHES = 1, BATCHES_LEAST = 1, ROUNDS = 1 };
#else
    enum { BATCHES = 20, BATCHES_LEAST = 5, ROUNDS = 20 };
#endif
    const int each = c->pause * ROUNDS < s->seconds_most ? ROUNDS : 1;
    double sending[BATCHES], receiving[BATCHES];
    int taken = 0;
    while (taken < BATCHES && (taken < BATCHES_LEAST || taken * each * c->pause < s->seconds_most)) {
        double own[2] = {0, 0};
        for (int i = 0; i < each; i++) {
            const ns_flight *f = &c->flight;
            MPI_Request request;
            if (!f->leads) {
                MPI_Recv(f->in, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, MPI_STATUS_IGNORE);
                MPI_Send(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm);
                continue;
            }
            /* The leader sends, waits until the answer is there, and receives it. */
            const double began = MPI_Wtime();
            MPI_Isend(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, &request);
            const double sent = MPI_Wtime();
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            ns_clock_pause(c->pause);
            const double ready = MPI_Wtime();
            MPI_Recv(f->in, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, MPI_STATUS_IGNORE);
            own[0] += (sent - began) / each;
            own[1] += (MPI_Wtime() - ready) / each;
        }
        double all[2];
        MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_MAX, c->both); /* the other one has spent none */
        sending[taken] = all[0];
        receiving[taken++] = all[1];
        ns_watchdog_feed();
    }
    ns_sample_settle(sending, taken, &c->of[OVERHEAD_SEND][at]);
    ns_sample_settle(receiving, taken, &c->of[OVERHEAD_RECEIVE][at]);
    c->of[LATENCY][at] = difference(&one, c->of[OVERHEAD_SEND][at].seconds + c->of[OVERHEAD_RECEIVE][at].seconds, 1);
    take_half(s, c, AT_ONCE, &several);
    c->of[GAP][at] = difference(&several, one.seconds, AT_ONCE - 1);
}

ns_status ns_survey_loggp(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    (void)part;
    course c = {.both = MPI_COMM_NULL};
    if (ns_place_pairs(&s->place, NS_OFF_NODE, s->first, s->second, 1) == 0 || sizes > SIZES_MOST)
        return NS_OK;
    int rows = sizes - 1;
    for (int i = 0; i < sizes && size[i] <= SHORT; i++)
        rows += GAP_OF_BYTE; /* of each of the others */
    const ns_table last = {NS_LOGGP, NS_OFF_NODE, 2, 1, names[GAP_OF_BYTE], NS_HOST};
    if (!ns_survey_begins(s, ns_survey_stands(s, &last, (double)size[sizes - 1]) ? 0 : rows))
        return NS_OK;
    const bool leads = s->world->rank == s->first[0], takes_part = leads || s->world->rank == s->second[0];
    const size_t room =
        takes_part ? (size_t)(size[sizes - 1] > AT_ONCE * SHORT ? size[sizes - 1] : AT_ONCE * SHORT) : 0;
    NS_TRY(ns_world_agree(s->world, ns_flight_open(&c.flight, AT_ONCE, room, NULL, err), err));
    c.flight.comm = s->world->comm;
    c.flight.leads = leads;
    c.flight.peers = 1;
    c.flight.peer = leads ? s->second : s->first;
    MPI_Comm_split(s->world->comm, takes_part ? 0 : MPI_UNDEFINED, 0, &c.both);
    if (takes_part) {
        for (int i = 0; i < sizes; i++)
            take_size(s, &c, size[i], i);
        MPI_Comm_free(&c.both);
    }
    if (leads) { /* rank 0: the first of node 0 */
        for (int k = 0; k < PARAMETERS; k++) {
            ns_survey_table(s, &(ns_table){NS_LOGGP, NS_OFF_NODE, 2, 1, names[k], NS_HOST});
            for (int i = k == GAP_OF_BYTE; i < sizes && (k == GAP_OF_BYTE || size[i] <= SHORT); i++)
                ns_survey_row(s, (double)size[i], &c.of[k][i]);
        }
    }
    ns_survey_meet(s);
    ns_flight_close(&c.flight);
    return NS_OK;
}
