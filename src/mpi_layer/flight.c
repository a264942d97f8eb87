/* flight.c -- an exchange under way: agree on a plan, or make one; go through its steps
 *
 * Every push goes as far as it can without waiting: `request` is what has to end before `next` is called, which says
 * whether it could go on.  All processes begin the exchanges of a communicator in the same order, and each ends before
 * the next begins here, so collective calls on the private communicator are in one order.
 */
#include "mpi_layer/layer.h"

#include <stdlib.h>
#include <string.h>

layer_count layer_counted;

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

static bool finish(layer_flight *f)
{
    f->next = NULL;
    return true;
}

static bool flush(layer_flight *f)
{
    return arrived(f, true) && finish(f);
}

static bool step(layer_flight *f)
{
    if (!arrived(f, false))
        return false;
    for (int64_t i = 0; i < f->plan->messages; i++)
        if (!f->plan->message[i].sending && f->plan->message[i].step == f->step)
            copy_message(f, &f->plan->message[i], false);
    move(f, f->step);
    if (++f->step < f->plan->steps) {
        post(f);
        return true;
    }
    move(f, LAYER_LAST);
    layer_counted.exchanges++;
    f->next = flush;
    return true;
}

/* Of step -1 there is nothing: step() goes on to the first. */
static bool run(layer_flight *f)
{
    f->step = -1;
    f->next = step;
    return true;
}

/* ---- which plan -------------------------------------------------------------------------------------------------- */

/* A plan that is not usable, or none: MPI's own.  Only a nonblocking exchange is begun here; who waits for another sees
 * that there is no plan. */
static bool decide(layer_flight *f, layer_plan *plan)
{
    const layer_call *c = &f->call;
    f->plan = plan != NULL && plan->usable ? plan : NULL;
    if (f->plan != NULL && f->kind != LAYER_PERSISTENT)
        return run(f);
    f->next = finish;
    if (f->plan == NULL && f->kind == LAYER_NONBLOCKING)
        PMPI_Ineighbor_alltoallv(c->send, c->send_count, c->send_displ, c->send_type, c->receive, c->receive_count,
                                 c->receive_displ, c->receive_type, f->graph->comm, &f->request);
    return true;
}

/* What could not be planned is left to MPI, and where no plan is usable all that follows, which saves the agreement. */
static bool leave(layer_flight *f)
{
    bool usable = false;
    for (int i = 0; i < f->graph->plans; i++)
        usable = usable || f->graph->plan[i]->usable;
    if (!usable)
        atomic_store(&f->graph->left, true);
    return decide(f, NULL);
}

/* ---- a new plan -------------------------------------------------------------------------------------------------- */

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

static bool confirm(layer_flight *f)
{
    layer_plan *plan = f->graph->plan[f->graph->plans - 1];
    free(f->said);
    layer_words_close(&f->asked);
    layer_words_close(&f->answer);
    plan->usable = f->all_understood == LAYER_RUN;
    return f->all_understood == LAYER_LEAVE ? leave(f) : decide(f, plan);
}

/* Every process has the plan from here on, of this number; whether it can be used is agreed on next. */
static bool understand(layer_flight *f)
{
    layer_graph *g = f->graph;
    layer_plan *plan = layer_memory(1, sizeof *plan);
    plan->signature = layer_memory(layer_signature_words(g), sizeof *plan->signature);
    memcpy(plan->signature, f->call.send_bytes, layer_signature_words(g) * sizeof *plan->signature);
    f->understood = f->said[LAYER_STATUS];
    if (f->understood == LAYER_RUN && !layer_plan_make(g, &f->call, f->said, plan))
        f->understood = LAYER_LEAVE;
    g->plan[g->plans++] = plan;
    PMPI_Iallreduce(&f->understood, &f->all_understood, 1, MPI_INT64_T, MPI_MIN, g->comm, &f->request);
    f->next = confirm;
    return true;
}

static bool listen(layer_flight *f)
{
    free(f->said);
    f->said = layer_memory((size_t)f->words, sizeof *f->said);
    PMPI_Iscatterv(f->answer.word, f->answer.count, f->answer.at, MPI_INT64_T, f->said, f->words, MPI_INT64_T, 0,
                   f->graph->comm, &f->request);
    f->next = understand;
    return true;
}

static bool answer(layer_flight *f)
{
    const layer_graph *g = f->graph;
    if (g->rank == 0) {
        layer_words_open(&f->answer, g->ranks);
        layer_advise(g, &f->asked, &f->answer);
    }
    PMPI_Iscatter(f->answer.count, 1, MPI_INT, &f->words, 1, MPI_INT, 0, g->comm, &f->request);
    f->next = listen;
    return true;
}

static bool ask(layer_flight *f)
{
    const layer_graph *g = f->graph;
    const int words = layer_ask_words(g->in, g->out);
    f->said = layer_memory((size_t)words, sizeof *f->said);
    layer_ask(g, &f->call, f->said);
    if (g->rank == 0) {
        int64_t all = 0;
        layer_words_open(&f->asked, g->ranks);
        for (int r = 0; r < g->ranks; r++) {
            f->asked.count[r] = layer_ask_words(g->ins[r], g->outs[r]);
            f->asked.at[r] = (int)all;
            all += f->asked.count[r];
        }
        f->asked.word = layer_memory((size_t)all, sizeof *f->asked.word);
    }
    PMPI_Igatherv(f->said, words, MPI_INT64_T, f->asked.word, f->asked.count, f->asked.at, MPI_INT64_T, 0, g->comm,
                  &f->request);
    f->next = answer;
    return true;
}

static bool agree(layer_flight *f)
{
    if ((f->agreed & 1) == 0)
        return leave(f);
    for (int i = 0; i < f->graph->plans; i++)
        if ((f->agreed & UINT64_C(2) << i) != 0)
            return decide(f, f->graph->plan[i]);
    return f->graph->plans < LAYER_PLANS ? ask(f) : leave(f);
}

/* What is offered: bit 0, this process could; bit i + 1, plan i fits its counts. */
bool layer_flight_begin(layer_flight *f)
{
    const layer_graph *g = f->graph;
    const size_t bytes = layer_signature_words(g) * sizeof(int64_t);
    if (f->plan != NULL) /* a persistent one that was agreed on */
        return run(f);
    if (atomic_load(&g->left))
        return decide(f, NULL);
    f->offer = f->call.supported;
    for (int i = 0; i < g->plans; i++)
        if (memcmp(g->plan[i]->signature, f->call.send_bytes, bytes) == 0)
            f->offer |= UINT64_C(2) << i;
    if (layer_set.threads)
        PMPI_Iallreduce(&f->offer, &f->agreed, 1, MPI_UINT64_T, MPI_BAND, g->comm, &f->request);
    else /* all exchanges are blocking ones, in no line */
        PMPI_Allreduce(&f->offer, &f->agreed, 1, MPI_UINT64_T, MPI_BAND, g->comm);
    f->next = agree;
    return true;
}

void layer_flight_push(layer_flight *f)
{
    int done = 1;
    while (f->next != NULL) {
        if (f->request != MPI_REQUEST_NULL)
            PMPI_Test(&f->request, &done, MPI_STATUS_IGNORE);
        if (!done || !f->next(f))
            return;
    }
}
