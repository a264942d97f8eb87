/* survey.c -- the benchmarks of nsmodel-mpi measure, and the rows of the log
 *
 * Processes that do not take part in a benchmark sleep until it ends, so that they use no memory bandwidth.
 */
#include "core/memory.h"
#include "mpi/measure.h"
#include "mpi/watchdog.h"
#include "records/record.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { ROOM_MOST = 64 << 20 /* B, of one process' messages in flight */, TITLE = 200 };

/* ---- batches of rounds, and their median ---------------------------------------------------------------------------
 *
 * A batch is long enough for the resolution of the clock.  The interval is that of order statistics, which assumes no
 * distribution: ranks n / 2 -+ 0.98 sqrt(n).
 */

/* Processes leave a barrier at different times.  This is negligible over a batch's rounds, but not in a simulation,
 * where every round takes the same time and one is enough: there they synchronize in a round before. */
#ifdef NS_SIMULATED
enum { LEAST = 1, MOST = 1, ROUNDS_MOST = 1, ROUNDS_BEFORE = 1 };
#else
enum { LEAST = 5, MOST = 200, ROUNDS_MOST = 1000, ROUNDS_BEFORE = 0 };
#endif
static const double BATCH = 200e-6, TIGHT = 0.05;

/* s: the median, its 95 % interval, and the number of batches.  tight: the interval is at most 5 % of the median. */
typedef struct estimate {
    double seconds, low, high;
    int batches;
    bool tight;
} estimate;

/* Run the given number of rounds with messages of the given size; this is what a process does between two readings of
 * the clock. */
typedef void rounds_fn(void *context, int64_t bytes, int rounds);

static double batch(MPI_Comm comm, bool counts, rounds_fn *run, void *context, int64_t bytes, int rounds)
{
    double slowest;
    MPI_Barrier(comm);
    if (ROUNDS_BEFORE > 0)
        run(context, bytes, ROUNDS_BEFORE);
    const double began = MPI_Wtime();
    run(context, bytes, rounds);
    const double own = counts ? (MPI_Wtime() - began) / rounds : 0;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
    ns_watchdog_feed();
    return slowest;
}

/* Compute median and interval; sorts `of`. */
static void settle(double *of, int n, estimate *s)
{
    const int reach = (int)ceil(0.98 * sqrt(n)), low = (n - 1) / 2 - reach, high = n / 2 + reach;
    ns_score_sort(of, (size_t)n);
    s->seconds = 0.5 * (of[(n - 1) / 2] + of[n / 2]);
    s->low = of[low > 0 ? low : 0];
    s->high = of[high < n ? high : n - 1];
    s->batches = n;
    s->tight = s->high - s->low <= TIGHT * s->seconds;
}

/* Collective over comm: s of one round, for the slowest process that `counts`.  Every process gets the same result. */
static void sample(double seconds_most, MPI_Comm comm, bool counts, rounds_fn *rounds, void *context, int64_t bytes,
                   estimate *sampled)
{
    double of[MOST], sorted[MOST], spent = 0;
    double first = batch(comm, counts, rounds, context, bytes, 1); /* warm-up */
    first = fmin(first, batch(comm, counts, rounds, context, bytes, 2));
    const int each = (int)fmin(fmax(BATCH / fmax(first, 1e-9), 1), ROUNDS_MOST);
    *sampled = (estimate){.tight = false};
    for (int n = 0; n < MOST && !sampled->tight && (n < LEAST || spent < seconds_most);) {
        of[n] = batch(comm, counts, rounds, context, bytes, each);
        spent += of[n++] * each;
        if (n < LEAST || n % LEAST != 0)
            continue;
        memcpy(sorted, of, (size_t)n * sizeof *of);
        settle(sorted, n, sampled);
    }
}

/* ---- messages there and back ----------------------------------------------------------------------------------------
 *
 * Ping-pongs, many pairs at once, many messages in flight, receives out of order.  Leaders send, the others answer with
 * as many messages; half of a round counts.  A leader with several peers deals its messages to them round-robin: a
 * fan-out there and an incast back.
 */

/* The state of one process. */
typedef struct flight {
    MPI_Comm comm;
    bool leads;
    bool reversed; /* receives are posted in the worst order */
    int messages;  /* of this process, in each direction */
    int peers;
    const int *peer; /* ranks of comm */
    int bytes;
    char *out, *in;          /* out: bytes; in: messages x bytes */
    const ns_device *device; /* the device whose memory contains out and in; NULL: the host */
    MPI_Request *request;    /* [2 messages] */
} flight;

static char *zeros(const ns_device *device, size_t bytes)
{
    void *memory = NULL;
    if (device == NULL)
        return ns_calloc(bytes, 1);
    return device->allocate(&memory, bytes) == 0 && device->fill(memory, 0, bytes) == 0 ? memory : NULL;
}

static void release(const ns_device *device, char *memory)
{
    if (device == NULL)
        ns_free(memory);
    else if (memory != NULL)
        (void)device->release(memory);
}

static void close_flight(flight *f)
{
    release(f->device, f->out);
    release(f->device, f->in);
    ns_free(f->request);
    f->out = f->in = NULL;
    f->request = NULL;
}

/* Allocate buffers for at most this many messages with this many bytes in all, in device memory or, with NULL, in the
 * host's. */
static ns_status open_flight(flight *f, int messages, size_t bytes, const ns_device *device, ns_error *err)
{
    f->device = device;
    f->out = zeros(device, bytes + 1);
    f->in = zeros(device, bytes + 1);
    f->request = ns_calloc(ns_size_mul(2, (size_t)messages) + 1, sizeof *f->request);
    if (f->out != NULL && f->in != NULL && f->request != NULL)
        return NS_OK;
    close_flight(f);
    return device == NULL ? ns_no_memory(err)
                          : ns_fail(err, NS_ERR_MEMORY, "%s has no %zu B of device memory", device->runtime, bytes);
}

/* Message i goes to or comes from peer i mod peers, where it has number i / peers, which is its tag. */
static void post(const flight *f)
{
    for (int k = 0; k < f->messages; k++) {
        const int i = f->reversed ? f->messages - 1 - k : k;
        MPI_Irecv(f->in + (size_t)i * (size_t)f->bytes, f->bytes, MPI_BYTE, f->peer[i % f->peers], i / f->peers,
                  f->comm, &f->request[i]);
    }
}

static void send(const flight *f)
{
    for (int i = 0; i < f->messages; i++)
        MPI_Isend(f->out, f->bytes, MPI_BYTE, f->peer[i % f->peers], i / f->peers, f->comm,
                  &f->request[f->messages + i]);
}

static void wait(const flight *f, bool sent)
{
    MPI_Waitall(f->messages, f->request + (sent ? f->messages : 0), MPI_STATUSES_IGNORE);
}

static void flight_rounds(void *context, int64_t bytes, int rounds)
{
    flight *f = context;
    f->bytes = (int)bytes;
    if (f->messages == 1 && f->peers == 1) {
        /* One message is sent there and back, as in any ping-pong. */
        for (int i = 0; i < rounds; i++) {
            if (f->leads)
                MPI_Send(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm);
            MPI_Recv(f->in, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, MPI_STATUS_IGNORE);
            if (!f->leads)
                MPI_Send(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm);
        }
    } else if (f->messages > 0) {
        /* Receives are posted before anything can arrive, so that each arrival has to search them. */
        post(f);
        for (int i = 0; i < rounds; i++) {
            const bool again = i + 1 < rounds;
            if (f->leads) {
                send(f);
                wait(f, true);
                wait(f, false);
                if (again)
                    post(f);
            } else {
                wait(f, false);
                if (again)
                    post(f);
                send(f);
                wait(f, true);
            }
        }
    }
}

/* Collective over comm: half of a round trip with messages of this size, for the slowest leader. */
static void take_half(flight *f, int64_t bytes, double seconds_most, MPI_Comm comm, estimate *half)
{
    sample(seconds_most, comm, f->leads, flight_rounds, f, bytes, half);
    half->seconds /= 2;
    half->low /= 2;
    half->high /= 2;
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

static void write_title(const ns_table *t, char *text, size_t size)
{
    if (t->kind == NS_COLLECTIVE || t->kind == NS_LOGGP || t->kind == NS_PACKING)
        snprintf(text, size, "table %s %s processes %d\n", ns_sample_kind_words[t->kind], t->name, t->pairs);
    else
        snprintf(text, size, "table %s %s pairs %d messages %d%s\n", ns_sample_kind_words[t->kind],
                 ns_locality_words[t->locality], t->pairs, t->messages, t->memory == NS_DEVICE ? " memory device" : "");
}

/* Does the log of an earlier run contain the row? */
static bool stands(const ns_survey *s, const ns_table *table, double bytes)
{
    char title[TITLE], number[40];
    bool inside = false;
    write_title(table, title, sizeof title);
    snprintf(number, sizeof number, "%.0f ", bytes);
    for (const char *at = s->stood; at != NULL && *at != '\0';) {
        if (strncmp(at, "table ", 6) == 0)
            inside = strncmp(at, title, strlen(title)) == 0;
        else if (inside && strncmp(at, number, strlen(number)) == 0)
            return true;
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return false;
}

/* Does the current table, which lacks this many numbers, begin now? */
static bool begins_now(ns_survey *s, int lacking)
{
    s->lacking += s->counts_only ? lacking : 0;
    if (lacking == 0 || s->counts_only)
        return false;
    int late = s->until > 0 && MPI_Wtime() > s->until;
    if (s->until > 0)
        MPI_Bcast(&late, 1, MPI_INT, 0, s->world->comm);
    s->stopped = s->stopped || late;
    return !late;
}

/* The line of a table is written together with its first row. */
static void set_table(ns_survey *s, const ns_table *t)
{
    s->table = *t;
    s->begun = false;
}

static void add_row(ns_survey *s, double bytes, const estimate *sampled)
{
    char title[TITLE];
    if (stands(s, &s->table, bytes))
        return;
    s->points++;
    s->loose += !sampled->tight;
    if (s->log == NULL)
        return;
    write_title(&s->table, title, sizeof title);
    fprintf(s->log, "%s%.0f %.9g %.9g %.9g %d\n", s->begun ? "" : title, bytes, sampled->seconds, sampled->low,
            sampled->high, sampled->batches);
    s->begun = true;
}

/* ---- who takes part ---------------------------------------------------------------------------------------------- */

/* Rank 0 takes part in every benchmark, so it arrives when the others should be about to arrive: if they do not, its
 * watchdog reports that one is lost.  The others sleep as long as a benchmark without them may last. */
void ns_survey_meet(const ns_survey *s)
{
    const ns_world *world = s->world;
    const struct timespec pause = {.tv_nsec = 1000000};
    MPI_Request all;
    int done = 0;
    ns_watchdog_feed();
    MPI_Ibarrier(world->comm, &all);
    for (MPI_Test(&all, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&all, &done, MPI_STATUS_IGNORE)) {
        if (world->rank != 0)
            ns_watchdog_feed();
        (void)nanosleep(&pause, NULL);
    }
}

/* Set the current table.  Does it begin now, for the sizes that it lacks? */
static bool begins(ns_survey *s, const ns_table *table, const int64_t *size, int sizes)
{
    int lacking = 0;
    set_table(s, table);
    for (int i = 0; i < sizes; i++)
        lacking += !stands(s, table, (double)size[i]);
    return begins_now(s, lacking);
}

/* Collective over comm: measure the rows that the current table lacks.  A flight is a context with rounds NULL. */
static void take_rows(ns_survey *s, const int64_t *size, int sizes, MPI_Comm comm, rounds_fn *rounds, void *context)
{
    for (int i = 0; i < sizes; i++) {
        estimate sampled;
        if (stands(s, &s->table, (double)size[i]))
            continue;
        if (rounds == NULL)
            take_half(context, size[i], s->seconds_most, comm, &sampled);
        else
            sample(s->seconds_most, comm, true, rounds, context, size[i], &sampled);
        add_row(s, (double)size[i], &sampled);
    }
}

/* Measure a table of round trips.  `mine` is this process' part, in world ranks; with no messages it takes no part. */
static ns_status take_flights(ns_survey *s, const ns_table *table, flight mine, const int64_t *size, int sizes,
                              ns_error *err)
{
    const ns_world *w = s->world;
    const bool takes_part = mine.messages > 0 || w->rank == 0;
    MPI_Comm some;
    if (!begins(s, table, size, sizes))
        return NS_OK;
    NS_TRY(ns_world_agree(w,
                          open_flight(&mine, mine.messages + 1, (size_t)(mine.messages * size[sizes - 1]),
                                         table->memory == NS_DEVICE ? &s->device : NULL, err),
                          err));
    mine.comm = w->comm;
    MPI_Comm_split(w->comm, takes_part ? 0 : MPI_UNDEFINED, 0, &some);
    if (takes_part) {
        take_rows(s, size, sizes, some, NULL, &mine);
        MPI_Comm_free(&some);
    }
    ns_survey_meet(s);
    close_flight(&mine);
    return NS_OK;
}

/* The number of sizes for which this many messages fit into ROOM_MOST. */
static int fitting(const int64_t *size, int sizes, int messages)
{
    while (sizes > 0 && size[sizes - 1] * messages > ROOM_MOST)
        sizes--;
    return sizes;
}

ns_status ns_survey_pairs(ns_survey *s, const ns_table *t, const int64_t *size, int sizes, ns_error *err)
{
    const int rank = s->world->rank, fit = fitting(size, sizes, t->messages);
    flight mine = {.reversed = t->kind == NS_QUEUE_REVERSED};
    if (ns_place_pairs(&s->place, t->locality, s->first, s->second, t->pairs) < t->pairs || fit == 0)
        return NS_OK; /* there are fewer pairs */
    for (int i = 0; i < t->pairs; i++)
        if (s->first[i] == rank || s->second[i] == rank) {
            mine.leads = s->first[i] == rank;
            mine.messages = t->messages;
            mine.peers = 1;
            mine.peer = mine.leads ? &s->second[i] : &s->first[i];
        }
    return take_flights(s, t, mine, size, fit, err);
}

ns_status ns_survey_fan(ns_survey *s, int messages, const int64_t *size, int sizes, ns_error *err)
{
    const ns_table table = {NS_MULTI_MESSAGE, NS_OFF_NODE, 1, messages, "", NS_HOST};
    const int rank = s->world->rank, fit = fitting(size, sizes, messages);
    int leader = -1, peers = 0, me = -1;
    flight mine = {.leads = false};
    for (int r = 0; r < s->place.ranks; r++) {
        if (s->place.node[r] == 0 && leader < 0)
            leader = r;
        if (s->place.node[r] == 1 && peers < messages) {
            me = r == rank ? peers : me;
            s->second[peers++] = r;
        }
    }
    if (peers == 0 || fit == 0)
        return NS_OK; /* there is only one node */
    s->first[0] = leader;
    if (rank == leader) {
        mine = (flight){.leads = true, .messages = messages, .peers = peers, .peer = s->second};
    } else if (me >= 0) {
        mine = (flight){.messages = messages / peers + (me < messages % peers), .peers = 1, .peer = s->first};
    }
    return take_flights(s, &table, mine, size, fit, err);
}

/* ---- allreduce --------------------------------------------------------------------------------------------------- */

typedef struct reduction {
    MPI_Comm comm;
    double *in, *out;
} reduction;

static void reduction_rounds(void *context, int64_t bytes, int count)
{
    const reduction *r = context;
    for (int i = 0; i < count; i++)
        MPI_Allreduce(r->in, r->out, (int)(bytes / (int64_t)sizeof(double)), MPI_DOUBLE, MPI_SUM, r->comm);
}

ns_status ns_survey_allreduce(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    const ns_table table = {NS_COLLECTIVE, part->locality, s->world->ranks, 1, "allreduce", NS_HOST};
    if (s->world->ranks == 1 || !begins(s, &table, size, sizes))
        return NS_OK;
    const size_t most = (size_t)size[sizes - 1] + sizeof(double);
    reduction r = {.comm = s->world->comm, .in = ns_calloc(most, 1), .out = ns_calloc(most, 1)};
    const bool enough = r.in != NULL && r.out != NULL;
    const ns_status status = ns_world_agree(s->world, enough ? NS_OK : ns_no_memory(err), err);
    if (status == NS_OK)
        take_rows(s, size, sizes, r.comm, reduction_rounds, &r);
    ns_free(r.in);
    ns_free(r.out);
    return status;
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

enum { BLOCK = 64 /* B */, COLUMNS = 64 };

typedef struct packing {
    char *from;
    bool enough; /* all allocations succeeded so far */
} packing;

/* Copy blocks that are COLUMNS apart to consecutive places, as when messages are gathered from data in another
 * order. */
static void packing_rounds(void *context, int64_t bytes, int count)
{
    packing *p = context;
    const int64_t apart = (int64_t)BLOCK * COLUMNS;
    assert(p->from != NULL);
    for (int i = 0; i < count; i++) {
        char *to = ns_malloc((size_t)bytes), *at = to;
        p->enough = p->enough && to != NULL;
        for (int64_t first = 0; first < apart && to != NULL; first += BLOCK)
            for (int64_t from = first; from < bytes; from += apart, at += BLOCK)
                memcpy(at, p->from + from, BLOCK);
        ns_free(to);
    }
}

ns_status ns_survey_packing(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    const ns_table table = {NS_PACKING, part->locality, s->place.ranks / s->place.nodes, 1, "blocks", NS_HOST};
    if (!begins(s, &table, size, sizes))
        return NS_OK;
    packing p = {.from = ns_malloc((size_t)size[sizes - 1]), .enough = true};
    ns_status status = ns_world_agree(s->world, p.from != NULL ? NS_OK : ns_no_memory(err), err);
    if (status == NS_OK && p.from != NULL) {
        memset(p.from, 1, (size_t)size[sizes - 1]);
        take_rows(s, size, sizes, s->world->comm, packing_rounds, &p);
        status = ns_world_agree(s->world, p.enough ? NS_OK : ns_no_memory(err), err);
    }
    ns_free(p.from);
    return status;
}

/* ---- the parameters of LogGP between two nodes, by size ------------------------------------------------------------
 *
 *     T    half a round trip of one message, T_n of n at once
 *     o_s  in MPI_Isend        o_r  in MPI_Recv of a message that has already arrived
 *     L = T - o_s - o_r        g = (T_n - T) / (n - 1)        G(s) = (T(s) - T(1)) / (s - 1)
 */

enum { AT_ONCE = 16, SIZES_MOST = 40 };
enum { LATENCY, OVERHEAD_SEND, OVERHEAD_RECEIVE, GAP, GAP_OF_BYTE, PARAMETERS };
static const char *const names[PARAMETERS] = {"L", "o_s", "o_r", "g", "G"};
static const int64_t SHORT = 1024; /* B: o and g are measured with short messages */

/* (a - b) / by, with the interval of a. */
static estimate difference(const estimate *a, double b, double by)
{
    return (estimate){(a->seconds - b) / by, (a->low - b) / by, (a->high - b) / by, a->batches, a->tight};
}

/* Measure o_s and o_r in batches of rounds, or fewer where they take long.  pause: s, until an answer has arrived. */
static void take_overheads(const flight *f, MPI_Comm both, double pause, double seconds_most, estimate *o_s,
                           estimate *o_r)
{
#ifdef NS_SIMULATED
    enum { BATCHES = 1, BATCHES_LEAST = 1, ROUNDS = 1 };
    const struct timespec nap = {(time_t)pause, (long)(1e9 * fmod(pause, 1))};
#else
    enum { BATCHES = 20, BATCHES_LEAST = 5, ROUNDS = 20 };
#endif
    const int each = pause * ROUNDS < seconds_most ? ROUNDS : 1;
    double sending[BATCHES], receiving[BATCHES];
    int taken = 0;
    while (taken < BATCHES && (taken < BATCHES_LEAST || taken * each * pause < seconds_most)) {
        double own[2] = {0, 0}, all[2];
        for (int i = 0; i < each; i++) {
            MPI_Request request;
            if (!f->leads) {
                MPI_Recv(f->in, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, MPI_STATUS_IGNORE);
                MPI_Send(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm);
                continue;
            }
            /* The leader sends, waits until the answer has arrived, and receives it. */
            const double began = MPI_Wtime();
            MPI_Isend(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, &request);
            const double sent = MPI_Wtime();
            MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifdef NS_SIMULATED
            (void)nanosleep(&nap, NULL);
#else
            for (const double until = MPI_Wtime() + pause; MPI_Wtime() < until;)
                ; /* sleeping would cool the caches */
#endif
            const double ready = MPI_Wtime();
            MPI_Recv(f->in, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, MPI_STATUS_IGNORE);
            own[0] += (sent - began) / each;
            own[1] += (MPI_Wtime() - ready) / each;
        }
        MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_MAX, both); /* the other process contributes zero */
        sending[taken] = all[0];
        receiving[taken++] = all[1];
        ns_watchdog_feed();
    }
    settle(sending, taken, o_s);
    settle(receiving, taken, o_r);
}

ns_status ns_survey_loggp(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    (void)part;
    estimate of[PARAMETERS][SIZES_MOST], one, several;
    double shortest = 0; /* s, T(1) */
    if (ns_place_pairs(&s->place, NS_OFF_NODE, s->first, s->second, 1) == 0 || sizes > SIZES_MOST)
        return NS_OK;
    int rows = sizes - 1;
    for (int i = 0; i < sizes && size[i] <= SHORT; i++)
        rows += GAP_OF_BYTE; /* for each of the others */
    const ns_table last = {NS_LOGGP, NS_OFF_NODE, 2, 1, names[GAP_OF_BYTE], NS_HOST};
    if (!begins_now(s, stands(s, &last, (double)size[sizes - 1]) ? 0 : rows))
        return NS_OK;
    const bool leads = s->world->rank == s->first[0], takes_part = leads || s->world->rank == s->second[0];
    const size_t room =
        takes_part ? (size_t)(size[sizes - 1] > AT_ONCE * SHORT ? size[sizes - 1] : AT_ONCE * SHORT) : 0;
    flight f = {.leads = leads, .peers = 1, .peer = leads ? s->second : s->first};
    MPI_Comm both;
    NS_TRY(ns_world_agree(s->world, open_flight(&f, AT_ONCE, room, NULL, err), err));
    f.comm = s->world->comm;
    MPI_Comm_split(s->world->comm, takes_part ? 0 : MPI_UNDEFINED, 0, &both);
    for (int i = 0; takes_part && i < sizes; i++) {
        f.messages = 1;
        take_half(&f, size[i], s->seconds_most, both, &one);
        shortest = i == 0 ? one.seconds : shortest;
        if (i > 0)
            of[GAP_OF_BYTE][i] = difference(&one, shortest, (double)size[i] - 1);
        if (size[i] > SHORT)
            continue;
        take_overheads(&f, both, 4 * one.seconds, s->seconds_most, &of[OVERHEAD_SEND][i], &of[OVERHEAD_RECEIVE][i]);
        of[LATENCY][i] = difference(&one, of[OVERHEAD_SEND][i].seconds + of[OVERHEAD_RECEIVE][i].seconds, 1);
        f.messages = AT_ONCE;
        take_half(&f, size[i], s->seconds_most, both, &several);
        of[GAP][i] = difference(&several, one.seconds, AT_ONCE - 1);
    }
    if (takes_part)
        MPI_Comm_free(&both);
    if (leads) { /* rank 0: the first of node 0 */
        for (int k = 0; k < PARAMETERS; k++) {
            set_table(s, &(ns_table){NS_LOGGP, NS_OFF_NODE, 2, 1, names[k], NS_HOST});
            for (int i = k == GAP_OF_BYTE; i < sizes && (k == GAP_OF_BYTE || size[i] <= SHORT); i++)
                add_row(s, (double)size[i], &of[k][i]);
        }
    }
    ns_survey_meet(s);
    close_flight(&f);
    return NS_OK;
}
