/* survey.c -- the benchmarks of nsmodel-mpi measure
 *
 * Those who take no part in one wait for its end asleep, so that they do not take the memory's time from the others.
 */
#include "core/memory.h"
#include "mpi/measure.h"
#include "mpi/watchdog.h"

#include <string.h>
#include <time.h>

enum { ROOM_MOST = 64 << 20 /* B, of one process' messages in flight */, TITLE = 200 };

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

void ns_survey_meet(const ns_survey *s)
{
    const ns_world *world = s->world;
    const struct timespec pause = {.tv_nsec = 1000000};
    MPI_Request all;
    int done = 0;
    MPI_Ibarrier(world->comm, &all);
    for (MPI_Test(&all, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&all, &done, MPI_STATUS_IGNORE)) {
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
