/* survey.c -- the benchmarks of nsmodel-mpi measure
 *
 * Those who take no part in one wait for its end asleep, so that they do not take the memory's time from the others.
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
 * A batch lasts long enough for the clock.  The interval is that of order statistics, which asks for no distribution:
 * ranks n / 2 -+ 0.98 sqrt(n).
 */

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

/* ---- messages there and back ----------------------------------------------------------------------------------------
 *
 * Ping-pongs, many pairs at once, many messages in flight, receives out of order.  Leaders send, the others answer with
 * as many messages; half of a round counts.  A leader with several peers deals its messages to them in turn: a fan-out
 * there and an incast back.
 */

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

ns_status ns_flight_open(ns_flight *flight, int messages, size_t bytes, const ns_device *device, ns_error *err)
{
    flight->device = device;
    flight->out = zeros(device, bytes + 1);
    flight->in = zeros(device, bytes + 1);
    flight->request = ns_calloc(ns_size_mul(2, (size_t)messages) + 1, sizeof *flight->request);
    if (flight->out != NULL && flight->in != NULL && flight->request != NULL)
        return NS_OK;
    ns_flight_close(flight);
    return device == NULL ? ns_no_memory(err)
                          : ns_fail(err, NS_ERR_MEMORY, "%s has no %zu B of device memory", device->runtime, bytes);
}

void ns_flight_close(ns_flight *flight)
{
    release(flight->device, flight->out);
    release(flight->device, flight->in);
    ns_free(flight->request);
    flight->out = flight->in = NULL;
    flight->request = NULL;
}

/* Message i goes to or comes from peer i mod peers, there as number i / peers, which is its tag. */
static void post(const ns_flight *f)
{
    for (int k = 0; k < f->messages; k++) {
        const int i = f->reversed ? f->messages - 1 - k : k;
        MPI_Irecv(f->in + (size_t)i * (size_t)f->bytes, f->bytes, MPI_BYTE, f->peer[i % f->peers], i / f->peers,
                  f->comm, &f->request[i]);
    }
}

static void send(const ns_flight *f)
{
    for (int i = 0; i < f->messages; i++)
        MPI_Isend(f->out, f->bytes, MPI_BYTE, f->peer[i % f->peers], i / f->peers, f->comm,
                  &f->request[f->messages + i]);
}

static void wait(const ns_flight *f, bool sent)
{
    MPI_Waitall(f->messages, f->request + (sent ? f->messages : 0), MPI_STATUSES_IGNORE);
}

void ns_flight_rounds(ns_flight *flight, int rounds)
{
    if (flight->messages == 1 && flight->peers == 1) {
        /* One message goes there and back, as in every ping-pong. */
        for (int i = 0; i < rounds; i++) {
            if (flight->leads)
                MPI_Send(flight->out, flight->bytes, MPI_BYTE, flight->peer[0], 0, flight->comm);
            MPI_Recv(flight->in, flight->bytes, MPI_BYTE, flight->peer[0], 0, flight->comm, MPI_STATUS_IGNORE);
            if (!flight->leads)
                MPI_Send(flight->out, flight->bytes, MPI_BYTE, flight->peer[0], 0, flight->comm);
        }
    } else if (flight->messages > 0) {
        /* Receives are posted before anything can arrive, so that each arrival searches them. */
        post(flight);
        for (int i = 0; i < rounds; i++) {
            const bool again = i + 1 < rounds;
            if (flight->leads) {
                send(flight);
                wait(flight, true);
                wait(flight, false);
                if (again)
                    post(flight);
            } else {
                wait(flight, false);
                if (again)
                    post(flight);
                send(flight);
                wait(flight, true);
            }
        }
    }
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

bool ns_survey_stands(const ns_survey *s, const ns_table *table, double bytes)
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

bool ns_survey_begins(ns_survey *s, int lacking)
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

/* The line of a table is written with its first row. */
void ns_survey_table(ns_survey *s, const ns_table *t)
{
    s->table = *t;
    s->begun = false;
}

void ns_survey_row(ns_survey *s, double bytes, const ns_sampled *sampled)
{
    char title[TITLE];
    if (ns_survey_stands(s, &s->table, bytes))
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

/* Rank 0 takes part in every benchmark, so it comes when the others are about to be here: where they are not, its
 * watchdog says that one is lost.  The others sleep as long as a benchmark of which they are no part may last. */
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

/* Begin the table at work now, for the sizes that it lacks? */
static bool begins(ns_survey *s, const int64_t *size, int sizes)
{
    int lacking = 0;
    for (int i = 0; i < sizes; i++)
        lacking += !ns_survey_stands(s, &s->table, (double)size[i]);
    return ns_survey_begins(s, lacking);
}

static void rounds(void *context, int count)
{
    ns_flight_rounds(context, count);
}

/* Measure a table of round trips.  `mine` has this process' part, in world ranks; without messages it takes none. */
static ns_status take_sizes(ns_survey *s, const ns_flight *mine, const int64_t *size, int sizes, ns_error *err)
{
    const ns_world *w = s->world;
    const int64_t room = mine->messages * size[sizes - 1];
    const ns_device *device = s->table.memory == NS_DEVICE ? &s->device : NULL;
    ns_flight f = *mine;
    MPI_Comm some;
    if (!begins(s, size, sizes))
        return NS_OK;
    NS_TRY(ns_world_agree(w, ns_flight_open(&f, f.messages + 1, (size_t)room, device, err), err));
    f.comm = w->comm;
    MPI_Comm_split(w->comm, mine->messages > 0 || w->rank == 0 ? 0 : MPI_UNDEFINED, 0, &some);
    for (int i = 0; i < sizes && some != MPI_COMM_NULL; i++) {
        ns_sampled sampled;
        if (ns_survey_stands(s, &s->table, (double)size[i]))
            continue;
        f.bytes = (int)size[i];
        ns_sample_take(s->seconds_most, some, f.leads, rounds, &f, &sampled);
        ns_sample_halve(&sampled);
        ns_survey_row(s, (double)size[i], &sampled);
    }
    if (some != MPI_COMM_NULL)
        MPI_Comm_free(&some);
    ns_survey_meet(s);
    ns_flight_close(&f);
    return NS_OK;
}

/* The number of sizes of which so many messages fit into ROOM_MOST. */
static int fitting(const int64_t *size, int sizes, int messages)
{
    while (sizes > 0 && size[sizes - 1] * messages > ROOM_MOST)
        sizes--;
    return sizes;
}

ns_status ns_survey_pairs(ns_survey *s, const ns_table *t, const int64_t *size, int sizes, ns_error *err)
{
    const int rank = s->world->rank, fit = fitting(size, sizes, t->messages);
    ns_flight mine = {.reversed = t->kind == NS_QUEUE_REVERSED};
    if (ns_place_pairs(&s->place, t->locality, s->first, s->second, t->pairs) < t->pairs || fit == 0)
        return NS_OK; /* there are fewer */
    for (int i = 0; i < t->pairs; i++)
        if (s->first[i] == rank || s->second[i] == rank) {
            mine.leads = s->first[i] == rank;
            mine.messages = t->messages;
            mine.peers = 1;
            mine.peer = mine.leads ? &s->second[i] : &s->first[i];
        }
    ns_survey_table(s, t);
    return take_sizes(s, &mine, size, fit, err);
}

ns_status ns_survey_fan(ns_survey *s, int messages, const int64_t *size, int sizes, ns_error *err)
{
    const ns_table table = {NS_MULTI_MESSAGE, NS_OFF_NODE, 1, messages, "", NS_HOST};
    const int rank = s->world->rank, fit = fitting(size, sizes, messages);
    int leader = -1, peers = 0, me = -1;
    ns_flight mine = {.leads = false};
    for (int r = 0; r < s->place.ranks; r++) {
        if (s->place.node[r] == 0 && leader < 0)
            leader = r;
        if (s->place.node[r] == 1 && peers < messages) {
            me = r == rank ? peers : me;
            s->second[peers++] = r;
        }
    }
    if (peers == 0 || fit == 0)
        return NS_OK; /* one node */
    s->first[0] = leader;
    if (rank == leader) {
        mine = (ns_flight){.leads = true, .messages = messages, .peers = peers, .peer = s->second};
    } else if (me >= 0) {
        mine = (ns_flight){.messages = messages / peers + (me < messages % peers), .peers = 1, .peer = s->first};
    }
    ns_survey_table(s, &table);
    return take_sizes(s, &mine, size, fit, err);
}

/* ---- allreduce --------------------------------------------------------------------------------------------------- */

typedef struct reduction {
    MPI_Comm comm;
    double *in, *out;
    int count;
} reduction;

static void reduction_rounds(void *context, int count)
{
    const reduction *r = context;
    for (int i = 0; i < count; i++)
        MPI_Allreduce(r->in, r->out, r->count, MPI_DOUBLE, MPI_SUM, r->comm);
}

ns_status ns_survey_allreduce(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    const ns_table table = {NS_COLLECTIVE, part->locality, s->world->ranks, 1, "allreduce", NS_HOST};
    ns_survey_table(s, &table);
    if (s->world->ranks == 1 || !begins(s, size, sizes))
        return NS_OK;
    const size_t most = (size_t)size[sizes - 1] + sizeof(double);
    reduction r = {.comm = s->world->comm, .in = ns_calloc(most, 1), .out = ns_calloc(most, 1)};
    const bool enough = r.in != NULL && r.out != NULL;
    const ns_status status = ns_world_agree(s->world, enough ? NS_OK : ns_no_memory(err), err);
    for (int i = 0; i < sizes && status == NS_OK; i++) {
        ns_sampled sampled;
        if (ns_survey_stands(s, &table, (double)size[i]))
            continue;
        r.count = (int)(size[i] / (int64_t)sizeof(double));
        ns_sample_take(s->seconds_most, s->world->comm, true, reduction_rounds, &r, &sampled);
        ns_survey_row(s, (double)size[i], &sampled);
    }
    ns_free(r.in);
    ns_free(r.out);
    return status;
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

enum { BLOCK = 64 /* B */, COLUMNS = 64 };

typedef struct packing {
    char *from;
    int64_t bytes;
    bool enough; /* memory, so far */
} packing;

/* Blocks that lie COLUMNS apart go one after the other, as messages are gathered of what is sorted otherwise. */
static void packing_rounds(void *context, int count)
{
    packing *p = context;
    const int64_t apart = (int64_t)BLOCK * COLUMNS;
    assert(p->from != NULL);
    for (int i = 0; i < count; i++) {
        char *to = ns_malloc((size_t)p->bytes), *at = to;
        p->enough = p->enough && to != NULL;
        for (int64_t first = 0; first < apart && to != NULL; first += BLOCK)
            for (int64_t from = first; from < p->bytes; from += apart, at += BLOCK)
                memcpy(at, p->from + from, BLOCK);
        ns_free(to);
    }
}

ns_status ns_survey_packing(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    const ns_table table = {NS_PACKING, part->locality, s->place.ranks / s->place.nodes, 1, "blocks", NS_HOST};
    ns_survey_table(s, &table);
    if (!begins(s, size, sizes))
        return NS_OK;
    packing p = {.from = ns_malloc((size_t)size[sizes - 1])};
    ns_status status = ns_world_agree(s->world, p.from != NULL ? NS_OK : ns_no_memory(err), err);
    if (status == NS_OK && p.from != NULL)
        memset(p.from, 1, (size_t)size[sizes - 1]);
    for (int i = 0; i < sizes && status == NS_OK; i++) {
        ns_sampled sampled;
        if (ns_survey_stands(s, &table, (double)size[i]))
            continue;
        p.bytes = size[i];
        p.enough = true;
        ns_sample_take(s->seconds_most, s->world->comm, true, packing_rounds, &p, &sampled);
        status = ns_world_agree(s->world, p.enough ? NS_OK : ns_no_memory(err), err);
        if (status == NS_OK)
            ns_survey_row(s, (double)size[i], &sampled);
    }
    ns_free(p.from);
    return status;
}
