/* flight.c -- an exchange under way: agree on a plan, or make one; go through its steps
 *
 * Every push goes as far as it can without waiting.  All processes begin the exchanges of a communicator in the same
 * order, and each ends before the next begins here, so collective calls on the private communicator are in one order.
 */
#include "mpi_layer/layer.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_ASK = 1000, TAG_HEAD, TAG_WORDS }; /* steps are tags of their own */

layer_count layer_counted;

/* ---- which plan -------------------------------------------------------------------------------------------------- */

/* Bit 0: this process could; bit i + 1: plan i fits its counts. */
static uint64_t offer(const layer_flight *f)
{
    uint64_t bits = f->call.supported;
    for (int i = 0; i < f->graph->plans; i++)
        if (layer_signature_same(f->graph, &f->graph->plan[i]->bytes, &f->call.bytes))
            bits |= UINT64_C(2) << i;
    return bits;
}

static void fall(layer_flight *f)
{
    const layer_call *c = &f->call;
    if (f->blocking) {
        f->state = LAYER_FALL_HERE;
        return;
    }
    PMPI_Ineighbor_alltoallv(c->send, c->send_count, c->send_displ, c->send_type, c->receive, c->receive_count,
                             c->receive_displ, c->receive_type, f->graph->comm, &f->request);
    f->state = LAYER_FALL;
}

static void begin(layer_flight *f)
{
    if (f->graph->left) {
        fall(f);
    } else if (f->plan != NULL) { /* a persistent one that was agreed on */
        f->step = -1;
        f->state = LAYER_STEP;
    } else {
        f->offer = offer(f);
        PMPI_Iallreduce(&f->offer, &f->agreed, 1, MPI_UINT64_T, MPI_BAND, f->graph->comm, &f->request);
        f->state = LAYER_AGREE;
    }
}

static void run(layer_flight *f, layer_plan *plan)
{
    if (!plan->usable) {
        fall(f);
        return;
    }
    f->plan = plan;
    f->step = -1;
    f->state = LAYER_STEP;
}

/* ---- a new plan -------------------------------------------------------------------------------------------------- */

static bool open_root(layer_flight *f)
{
    const layer_graph *g = f->graph;
    const size_t ranks = (size_t)g->ranks;
    f->asked = calloc(ranks, sizeof *f->asked);
    f->answer = calloc(ranks, sizeof *f->answer);
    f->asking = malloc(ranks * sizeof *f->asking);
    f->answering = malloc(2 * ranks * sizeof *f->answering);
    bool there = f->asked != NULL && f->answer != NULL && f->asking != NULL && f->answering != NULL;
    for (int r = 0; there && r < g->ranks; r++) {
        f->asked[r] = malloc(((size_t)layer_ask_words(g->ins[r], g->outs[r]) + 1) * sizeof **f->asked);
        there = f->asked[r] != NULL;
    }
    return there;
}

/* Without memory for its part of the planning a process can only give up: nobody could be told. */
static void give_up(const layer_flight *f)
{
    PMPI_Abort(f->graph->comm, 1);
}

static void ask(layer_flight *f)
{
    const layer_graph *g = f->graph;
    const int64_t words = layer_ask_words(g->in, g->out);
    f->said = malloc(((size_t)words + 1) * sizeof *f->said);
    if (f->said == NULL || (g->rank == 0 && !open_root(f))) {
        give_up(f);
        return;
    }
    layer_ask(g, &f->call.bytes, f->said);
    PMPI_Isend(f->said, (int)words, MPI_INT64_T, 0, TAG_ASK, g->comm, &f->request);
    for (int r = 0; g->rank == 0 && r < g->ranks; r++)
        PMPI_Irecv(f->asked[r], (int)layer_ask_words(g->ins[r], g->outs[r]), MPI_INT64_T, r, TAG_ASK, g->comm,
                   &f->asking[r]);
    f->state = LAYER_ASK;
}

static void answer(layer_flight *f)
{
    static const int64_t unusable[LAYER_HEAD] = {LAYER_UNUSABLE};
    const layer_graph *g = f->graph;
    layer_advise(g, f->asked, f->answer);
    for (int r = 0; r < g->ranks; r++) {
        const int64_t *words = f->answer[r] != NULL ? f->answer[r] : unusable;
        PMPI_Isend(words, LAYER_HEAD, MPI_INT64_T, r, TAG_HEAD, g->comm, &f->answering[2 * r]);
        PMPI_Isend(words, (int)layer_words(words), MPI_INT64_T, r, TAG_WORDS, g->comm, &f->answering[2 * r + 1]);
    }
}

static void hear(layer_flight *f)
{
    free(f->said);
    f->said = NULL;
    PMPI_Irecv(f->head, LAYER_HEAD, MPI_INT64_T, 0, TAG_HEAD, f->graph->comm, &f->request);
    f->state = LAYER_HEAR;
}

static void listen(layer_flight *f)
{
    const int64_t words = layer_words(f->head);
    f->said = malloc((size_t)words * sizeof *f->said);
    if (f->said == NULL)
        give_up(f);
    PMPI_Irecv(f->said, (int)words, MPI_INT64_T, 0, TAG_WORDS, f->graph->comm, &f->request);
    f->state = LAYER_LISTEN;
}

/* Every process has the plan from here on, of this number; whether it can be used is agreed on next. */
static void understand(layer_flight *f)
{
    layer_graph *g = f->graph;
    layer_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        give_up(f);
        return;
    }
    f->understood = f->said[LAYER_STATUS];
    if (!layer_signature_copy(g, &f->call.bytes, &plan->bytes) ||
        (f->understood == LAYER_RUN && !layer_plan_make(g, f->said, plan)))
        f->understood = LAYER_UNUSABLE;
    g->plan[g->plans++] = plan;
    PMPI_Iallreduce(&f->understood, &f->all_understood, 1, MPI_INT64_T, MPI_MIN, g->comm, &f->request);
    f->state = LAYER_CONFIRM;
}

static void close_planning(layer_flight *f)
{
    for (int r = 0; r < f->graph->ranks && f->asked != NULL; r++) {
        free(f->asked[r]);
        free(f->answer[r]);
    }
    free(f->asked);
    free(f->answer);
    free(f->asking);
    free(f->answering);
    free(f->said);
    f->asked = f->answer = NULL;
    f->asking = f->answering = NULL;
    f->said = NULL;
}

static void confirm(layer_flight *f)
{
    layer_plan *plan = f->graph->plan[f->graph->plans - 1];
    close_planning(f);
    plan->usable = f->all_understood == LAYER_RUN;
    f->graph->left = f->all_understood == LAYER_LEAVE && f->graph->plans == 1;
    run(f, plan);
}

static void agree(layer_flight *f)
{
    if ((f->agreed & 1) == 0) {
        fall(f);
        return;
    }
    for (int i = 0; i < f->graph->plans; i++)
        if ((f->agreed & UINT64_C(2) << i) != 0) {
            run(f, f->graph->plan[i]);
            return;
        }
    if (f->graph->plans < LAYER_PLANS)
        ask(f);
    else
        fall(f);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static char *address(const layer_flight *f, const layer_segment *s)
{
    if (s->place == LAYER_WORK)
        return f->plan->work + s->at;
    if (s->place == LAYER_SEND)
        return (char *)(uintptr_t)f->call.send + s->at; /* MPI sends from what is const to it */
    return (char *)f->call.receive + f->call.receive_at[s->edge] + s->at;
}

static char *buffer_of(const layer_flight *f, const layer_message *m)
{
    return m->packed != NULL ? m->packed : address(f, &f->plan->segment[m->segment]);
}

static void copy_message(const layer_flight *f, const layer_message *m, bool out)
{
    char *at = m->packed;
    for (int64_t i = m->segment; at != NULL && i < m->segment + m->segments; i++) {
        const layer_segment *s = &f->plan->segment[i];
        memcpy(out ? at : address(f, s), out ? address(f, s) : at, (size_t)s->bytes);
        at += s->bytes;
    }
}

static void post(layer_flight *f)
{
    layer_plan *p = f->plan;
    for (int64_t i = 0; i < p->messages; i++) {
        layer_message *m = &p->message[i];
        if (m->step != f->step)
            continue;
        if (!m->sending) {
            PMPI_Irecv(buffer_of(f, m), (int)m->bytes, MPI_BYTE, m->peer, f->step, f->graph->comm, &p->request[i]);
            continue;
        }
        copy_message(f, m, true);
        PMPI_Isend(buffer_of(f, m), (int)m->bytes, MPI_BYTE, m->peer, f->step, f->graph->comm, &p->request[i]);
        layer_counted.messages++;
        layer_counted.messages_off_node += m->off_node;
        layer_counted.bytes_off_node += m->off_node ? m->bytes : 0;
    }
}

/* Messages that come, of the step, or those that leave, of all steps. */
static bool arrived(layer_flight *f, bool leaving)
{
    for (int64_t i = 0; i < f->plan->messages; i++) {
        const layer_message *m = &f->plan->message[i];
        int done = 1;
        if (leaving ? m->sending : !m->sending && m->step == f->step)
            PMPI_Test(&f->plan->request[i], &done, MPI_STATUS_IGNORE);
        if (!done)
            return false;
    }
    return true;
}

static void move(const layer_flight *f, int step)
{
    for (int64_t i = 0; i < f->plan->moves; i++) {
        const layer_move *m = &f->plan->move[i];
        if (m->step == step && m->from.bytes > 0)
            memmove(address(f, &m->to), address(f, &m->from), (size_t)m->from.bytes);
    }
}

static void end_step(layer_flight *f)
{
    for (int64_t i = 0; i < f->plan->messages; i++)
        if (!f->plan->message[i].sending && f->plan->message[i].step == f->step)
            copy_message(f, &f->plan->message[i], false);
    move(f, f->step);
}

/* The first step has nothing to wait for. */
static bool next_step(layer_flight *f)
{
    if (f->step >= 0 && !arrived(f, false))
        return false;
    if (f->step >= 0)
        end_step(f);
    if (++f->step < f->plan->steps) {
        post(f);
        return true;
    }
    move(f, LAYER_LAST);
    layer_counted.exchanges++;
    f->state = LAYER_FLUSH;
    return true;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool request_done(layer_flight *f)
{
    int done = 0;
    PMPI_Test(&f->request, &done, MPI_STATUS_IGNORE);
    return done != 0;
}

static bool asked(layer_flight *f)
{
    int done = 1;
    if (f->graph->rank == 0)
        PMPI_Testall(f->graph->ranks, f->asking, &done, MPI_STATUSES_IGNORE);
    return done && request_done(f);
}

/* Rank 0's answers have left when all have confirmed; they are ended for the record. */
static bool confirmed(layer_flight *f)
{
    int done = 1;
    if (!request_done(f))
        return false;
    if (f->answering != NULL)
        PMPI_Waitall(2 * f->graph->ranks, f->answering, MPI_STATUSES_IGNORE);
    return done != 0;
}

static bool push_once(layer_flight *f)
{
    switch (f->state) {
    case LAYER_QUEUED:
        begin(f);
        return true;
    case LAYER_AGREE:
        return request_done(f) && (agree(f), true);
    case LAYER_ASK:
        if (!asked(f))
            return false;
        if (f->graph->rank == 0)
            answer(f);
        hear(f);
        return true;
    case LAYER_HEAR:
        return request_done(f) && (listen(f), true);
    case LAYER_LISTEN:
        return request_done(f) && (understand(f), true);
    case LAYER_CONFIRM:
        return confirmed(f) && (confirm(f), true);
    case LAYER_STEP:
        return next_step(f);
    case LAYER_FLUSH:
        return arrived(f, true) && (f->state = LAYER_DONE, true);
    case LAYER_FALL:
        return request_done(f) && (f->state = LAYER_DONE, true);
    case LAYER_FALL_HERE:
    case LAYER_DONE:
        break;
    }
    return false;
}

void layer_flight_push(layer_flight *flight)
{
    while (push_once(flight))
        ;
}
