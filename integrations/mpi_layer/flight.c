/* flight.c -- a call in progress: agree where a run has ended, then perform the steps of its way
 *
 * A push advances the flight as far as possible: `request` has to complete before `next` is called, which returns
 * whether the flight can continue.  All processes begin the calls of an exchange in the same order, and each ends
 * before the next begins here, so collective calls on its communicator are in one order.
 *
 * Processes do not communicate before a call whether counts have changed: a way moves the planned number of bytes of
 * every edge.  Where a call has another length of an edge, both of its ends know: the planned bytes have no meaning,
 * and the edge is a separate message.  Data that are not plain bytes in host memory are packed and unpacked by MPI.  At
 * the end of the run rank 0 receives the information that lengths have changed, and plans again.
 */
#include "mpi_layer/layer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECT_TAG = 1 << 10 }; /* above the tags of the steps of any way */

/* Functions with counts of any size, where MPI has them. */
#if MPI_VERSION >= 4
typedef MPI_Count elements;
#define ANY_NUMBER(function) function##_c
#else
typedef int elements;
#define ANY_NUMBER(function) function
#endif

layer_count layer_counted;

/* ---- edges ------------------------------------------------------------------------------------------------------- */

/* Find the location of the planned bytes of every edge.  Edges of the two sides form one list: send, then receive. */
static void place_edges(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    const int edges = x->graph->out + x->graph->in;
    MPI_Datatype known = MPI_DATATYPE_NULL;
    bool plain = false;
    f->changed = false;
    if (f->from == NULL) {
        f->from = layer_memory((size_t)edges, sizeof *f->from);
        f->to = f->from + x->graph->out;
        f->direct = layer_memory((size_t)edges, sizeof *f->direct);
    } else if (x->fixed || (f->same && f->placed == x->plans)) {
        return; /* what was in host memory still is */
    }
    layer_look_for_devices();
    f->placed = x->plans;
    for (int i = 0; i < edges; i++) {
        const layer_edge *e = &f->call.send[i];
        f->from[i] = e->at;
        f->changed = f->changed || (e->bytes != x->send_bytes[i] && e->bytes <= INT_MAX);
        if (e->bytes == 0 && x->send_bytes[i] == 0)
            continue;
        if (e->type != known) {
            known = e->type;
            plain = layer_is_plain(known);
        }
        if (e->bytes == x->send_bytes[i] && plain && !layer_on_device(e->at))
            continue;
        if (x->staged == NULL) {
            int64_t bytes = 0;
            for (int k = 0; k < edges; k++)
                bytes += x->send_bytes[k];
            x->staged = layer_memory((size_t)bytes, 1);
            x->send_stage = layer_memory((size_t)edges, sizeof *x->send_stage);
            x->receive_stage = x->send_stage + x->graph->out;
            bytes = 0;
            for (int k = 0; k < edges; k++) {
                x->send_stage[k] = x->staged + bytes;
                bytes += x->send_bytes[k];
            }
        }
        f->from[i] = x->send_stage[i];
        f->placed = 0;
    }
}

/* Pack edges that are staged, or unpack them. */
static void pack(const layer_flight *f, bool out)
{
    const layer_exchange *x = f->exchange;
    const int first = out ? 0 : x->graph->out, edges = out ? x->graph->out : x->graph->out + x->graph->in;
    for (int i = first; x->staged != NULL && i < edges; i++) {
        const layer_edge *e = &f->call.send[i];
        const int bytes = (int)x->send_bytes[i];
        int at = 0;
        if (f->from[i] != x->send_stage[i] || e->bytes != bytes || bytes == 0)
            continue;
        if (out)
            PMPI_Pack(e->at, (int)e->count, e->type, f->from[i], bytes, &at, x->comm);
        else
            PMPI_Unpack(f->from[i], bytes, &at, e->at, (int)e->count, e->type, x->comm);
    }
}

/* Post the edges whose length differs from the plan. */
static void post_direct(layer_flight *f)
{
    const layer_exchange *x = f->exchange;
    const layer_graph *g = x->graph;
    const int edges = g->out + g->in;
    for (int k = 0; k < edges; k++) { /* incoming edges first, each side in its order */
        const int i = k < g->in ? g->out + k : k - g->in;
        const layer_edge *e = &f->call.send[i];
        MPI_Request *request = &f->direct[f->directs];
        if (e->bytes == x->send_bytes[i])
            continue;
        f->directs++;
        *request = MPI_REQUEST_NULL;
        if (e->bytes == 0)
            continue;
        if (k < g->in)
            ANY_NUMBER(PMPI_Irecv)(e->at, (elements)e->count, e->type, g->source[k], DIRECT_TAG, x->comm, request);
        else
            ANY_NUMBER(PMPI_Isend)(e->at, (elements)e->count, e->type, g->target[i], DIRECT_TAG, x->comm, request);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static char *address(const layer_flight *f, const layer_segment *s)
{
    if (s->place == LAYER_WORK)
        return f->program->work + s->at;
    return (s->place == LAYER_SEND ? f->from : f->to)[s->edge] + s->at;
}

static char *buffer_of(const layer_flight *f, const layer_message *m)
{
    return m->packed != NULL ? m->packed : address(f, &f->program->segment[m->segment]);
}

static void copy_message(const layer_flight *f, const layer_message *m, bool out)
{
    char *at = m->packed;
    for (int64_t i = m->segment; at != NULL && i < m->segment + m->segments; i++) {
        const layer_segment *s = &f->program->segment[i];
        memcpy(out ? at : address(f, s), out ? address(f, s) : at, (size_t)s->bytes);
        at += s->bytes;
    }
}

static bool ended(const layer_flight *f, int64_t count, MPI_Request *request)
{
    int done = count == 0;
    if (!done && f->waits) {
        PMPI_Waitall((int)count, request, MPI_STATUSES_IGNORE);
        done = 1;
    }
    for (int look = 0; look < 2 && !done; look++) /* Open MPI tests before it makes progress */
        PMPI_Testall((int)count, request, &done, MPI_STATUSES_IGNORE);
    return done;
}

static void move(const layer_flight *f, int step)
{
    for (int64_t i = 0; i < f->program->moves; i++) {
        const layer_move *m = &f->program->move[i];
        if (m->step == step && m->from.bytes > 0)
            memmove(address(f, &m->to), address(f, &m->from), (size_t)m->from.bytes);
    }
}

bool layer_flight_ended(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    f->next = NULL;
    x->made++;
    if (x->left >= layer_forever)
        return true;
    if (f->timed) {
        /* The time of a call is the time for which the program waited: while it starts the call, and from when it waits
         * for it. */
        const double now = MPI_Wtime();
        double seconds = f->spent > 0 ? f->spent : now - f->begun;
        if (f->asked > 0)
            seconds = f->spent + now - (f->asked > f->begun ? f->asked : f->begun);
        x->sample[x->samples++] = seconds > 1e-9 ? seconds : 1e-9;
    }
    if (f->changed)
        x->sample[NS_PLAN_TOLD] = 1;
    if (--x->left == 0 && x->run + 1 < x->decided.runs)
        layer_exchange_run(x, x->run + 1);
    else if (x->left == 0)
        PMPI_Ireduce(x->sample, x->greatest, NS_PLAN_TOLD + 1, MPI_DOUBLE, MPI_MAX, 0, x->comm, &x->reduction);
    return true;
}

static bool flush(layer_flight *f)
{
    if ((!f->all_waited && !ended(f, f->program->messages, f->program->request)) || !ended(f, f->directs, f->direct))
        return false;
    pack(f, false);
    layer_counted.exchanges++;
    return layer_flight_ended(f);
}

/* Step -1 has nothing to do. */
static bool step(layer_flight *f)
{
    const layer_program *p = f->program;
    if (f->step >= 0) {
        const int64_t begin = p->begin[f->step], end = p->sent[f->step];
        f->all_waited = f->waits && f->step + 1 == p->steps;
        if (f->all_waited)
            (void)ended(f, p->messages, p->request);
        else if (!ended(f, end - begin, p->request + begin))
            return false;
        for (int64_t i = begin; i < end; i++)
            copy_message(f, &p->message[i], false);
        move(f, f->step);
    }
    if (++f->step < p->steps) {
        MPI_Comm comm = f->exchange->comm;
        for (int64_t i = p->begin[f->step]; i < p->begin[f->step + 1]; i++) {
            const layer_message *m = &p->message[i];
            if (!m->sending) {
                PMPI_Irecv(buffer_of(f, m), (int)m->bytes, MPI_BYTE, m->peer, f->step, comm, &p->request[i]);
                continue;
            }
            copy_message(f, m, true);
            PMPI_Isend(buffer_of(f, m), (int)m->bytes, MPI_BYTE, m->peer, f->step, comm, &p->request[i]);
            layer_counted.messages++;
            layer_counted.messages_off_node += m->off_node;
            layer_counted.bytes_off_node += m->off_node ? m->bytes : 0;
        }
        return true;
    }
    move(f, LAYER_LAST);
    f->next = flush;
    return true;
}

/* ---- MPI's own --------------------------------------------------------------------------------------------------- */

static bool own_ended(layer_flight *f)
{
    f->request = MPI_REQUEST_NULL;
    return layer_flight_ended(f);
}

static bool own(layer_flight *f)
{
    const layer_exchange *x = f->exchange;
    if (f->timed && !x->fixed)
        for (int i = 0; i < x->graph->out + x->graph->in; i++)
            f->changed = f->changed || (f->call.send[i].bytes != x->send_bytes[i] && f->call.send[i].bytes <= INT_MAX);
    if (f->kind == LAYER_BLOCKING) {
        f->by_caller = true;
        f->next = NULL;
        return true;
    }
    f->next = own_ended;
    if (f->own != MPI_REQUEST_NULL) {
        PMPI_Start(&f->own);
        f->request = f->own;
    } else {
        /* Counts, offsets and types, for any memory. */
        const layer_graph *g = x->graph;
        const size_t out = (size_t)g->out, edges = out + (size_t)g->in;
        if (f->own_words == NULL) {
            f->own_words = layer_memory(edges, sizeof(MPI_Aint) + sizeof(MPI_Datatype) + sizeof(elements));
            MPI_Aint *at = f->own_words;
            MPI_Datatype *type = (MPI_Datatype *)(at + edges);
            elements *counts = (elements *)(type + edges);
            for (size_t i = 0; i < edges; i++) {
                at[i] = (MPI_Aint)f->call.send[i].at;
                type[i] = f->call.send[i].type;
                counts[i] = (elements)f->call.send[i].count;
            }
        }
        const MPI_Aint *at = f->own_words;
        const MPI_Datatype *type = (const MPI_Datatype *)(at + edges);
        const elements *counts = (const elements *)(type + edges);
        ANY_NUMBER(PMPI_Ineighbor_alltoallw)
        (MPI_BOTTOM, counts, at, type, MPI_BOTTOM, counts + out, at + out, type + out, x->comm, &f->request);
    }
    return true;
}

/* ---- which way --------------------------------------------------------------------------------------------------- */

static bool go(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    if (f->preparing) {
        f->next = NULL;
        return true;
    }
    f->timed = x->left <= NS_PLAN_TOLD - x->decided.runs + 1; /* every run except the first is timed in its only call */
    f->begun = f->timed ? MPI_Wtime() : 0;
    f->changed = false;
    if (x->way == LAYER_OWN)
        return own(f);
    f->program = x->program[x->way];
    place_edges(f);
    pack(f, true);
    f->directs = 0;
    if (f->placed != x->plans)
        post_direct(f);
    f->step = -1;
    f->all_waited = false;
    f->next = step;
    return true;
}

/* ---- agreements -------------------------------------------------------------------------------------------------- */

void layer_words_open(layer_words *words, int ranks)
{
    words->word = NULL;
    words->count = layer_memory(2 * (size_t)ranks, sizeof *words->count);
    words->at = words->count + ranks;
}

void layer_words_close(layer_words *words)
{
    free(words->word);
    free(words->count);
    *words = (layer_words){0};
}

/* The first of the decided ways whose program is not available yet; LAYER_OWN: none. */
static int64_t missing(const layer_flight *f)
{
    for (int64_t i = 0; i < f->exchange->coming.runs; i++) {
        const int64_t way = f->exchange->coming.run[i].way;
        if (way != LAYER_OWN && f->exchange->program[way] == NULL)
            return way;
    }
    return LAYER_OWN;
}

static bool fetch(layer_flight *f);

static bool understand(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    x->program[missing(f)] = layer_program_make(x, x->said);
    free(x->said);
    x->said = NULL;
    layer_words_close(&x->answer);
    return fetch(f);
}

static bool listen(layer_flight *f)
{
    f->exchange->said = layer_memory((size_t)f->exchange->words, sizeof *f->exchange->said);
    PMPI_Iscatterv(f->exchange->answer.word, f->exchange->answer.count, f->exchange->answer.at, MPI_INT64_T,
                   f->exchange->said, f->exchange->words, MPI_INT64_T, 0, f->exchange->comm, &f->request);
    f->next = understand;
    return true;
}

/* Get the missing programs, one after the other. */
static bool fetch(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    const int64_t way = missing(f);
    if (way == LAYER_OWN) {
        x->decided = x->coming;
        x->samples = 0;
        layer_exchange_run(x, 0);
        memset(x->sample, 0, sizeof x->sample);
        x->agreements++;
        return go(f);
    }
    if (x->graph->rank == 0)
        layer_planner_program(x->planner, way, &x->answer);
    PMPI_Iscatter(x->answer.count, 1, MPI_INT, &x->words, 1, MPI_INT, 0, x->comm, &f->request);
    f->next = listen;
    return true;
}

static bool ask(layer_flight *f);

static bool hear(layer_flight *f)
{
    if (f->exchange->coming.runs > 0)
        return fetch(f);
    layer_exchange_reset(f->exchange);
    return ask(f);
}

static bool tell_all(layer_flight *f)
{
    PMPI_Ibcast(&f->exchange->coming, (int)sizeof f->exchange->coming, MPI_BYTE, 0, f->exchange->comm, &f->request);
    f->next = hear;
    return true;
}

static bool asked(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    free(x->said);
    x->said = NULL;
    if (x->graph->rank == 0) {
        x->planner = layer_planner_open(x, &x->asking);
        x->coming = layer_planner_next(x->planner);
    }
    return tell_all(f);
}

/* Messages larger than MPI can count are always separate messages. */
static bool ask(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    const layer_graph *g = x->graph;
    const int words = layer_ask_words(g->in, g->out);
    x->plans++;
    x->send_bytes = layer_memory((size_t)g->out + (size_t)g->in, sizeof *x->send_bytes);
    x->receive_bytes = x->send_bytes + g->out;
    for (int i = 0; i < g->out + g->in; i++)
        x->send_bytes[i] = f->call.send[i].bytes <= INT_MAX ? f->call.send[i].bytes : 0;
    x->said = layer_memory((size_t)words, sizeof *x->said);
    layer_ask(x, &f->call, x->said);
    if (g->rank == 0) {
        int64_t all = 0;
        layer_words_open(&x->asking, g->ranks);
        for (int r = 0; r < g->ranks; r++) {
            x->asking.count[r] = layer_ask_words(g->ins[r], g->outs[r]);
            x->asking.at[r] = (int)all;
            all += x->asking.count[r];
        }
        x->asking.word = layer_memory((size_t)all, sizeof *x->asking.word);
    }
    PMPI_Igatherv(x->said, words, MPI_INT64_T, x->asking.word, x->asking.count, x->asking.at, MPI_INT64_T, 0, x->comm,
                  &f->request);
    f->next = asked;
    return true;
}

/* Process the decision.  Where lengths keep changing, nothing is planned any more. */
static bool decide(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    if (x->graph->rank == 0 && x->greatest[NS_PLAN_TOLD] > 0) {
        x->coming = (layer_decision){x->changes == LAYER_CHANGES, {{LAYER_OWN, layer_forever}}};
        if (x->changes++ == LAYER_CHANGES)
            layer_log("MPI's own: what the exchange sends has changed too often");
    } else if (x->graph->rank == 0) {
        layer_planner_tell(x->planner, x->greatest, x->samples);
        x->coming = layer_planner_next(x->planner);
    }
    return tell_all(f);
}

bool layer_flight_begin(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    if (x->send_bytes == NULL)
        return ask(f);
    if (x->left > 0)
        return go(f);
    f->request = x->reduction;
    x->reduction = MPI_REQUEST_NULL;
    f->next = decide;
    return true;
}

void layer_flight_push(layer_flight *f)
{
    int done = 1;
    while (f->next != NULL) {
        if (f->request != MPI_REQUEST_NULL && f->waits)
            PMPI_Wait(&f->request, MPI_STATUS_IGNORE);
        else if (f->request != MPI_REQUEST_NULL)
            PMPI_Test(&f->request, &done, MPI_STATUS_IGNORE);
        if (!done || !f->next(f))
            return;
    }
}
