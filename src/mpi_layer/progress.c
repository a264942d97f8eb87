/* progress.c -- flights in line, pushed on by the program's own calls and by a thread
 *
 * A program may wait for anything while its exchange is under way, and others may depend on its handing on what came to
 * it.  So a thread pushes too, where MPI may be called from any thread; elsewhere no such exchange is begun.
 */
#include "mpi_layer/layer.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool threaded, stopping;
static atomic_int running; /* flights with requests, in line */
static layer_graph *busy;
static layer_flight *persistents;
static MPI_Comm self = MPI_COMM_NULL; /* requests end by a message to oneself */
static int next_tag;

void layer_lock(void)
{
    pthread_mutex_lock(&lock);
}

void layer_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

bool layer_busy(void)
{
    return atomic_load(&running) > 0;
}

/* ---- flights in line --------------------------------------------------------------------------------------------- */

static void flight_free(layer_flight *f)
{
    layer_graph *g = f->graph;
    layer_call_close(&f->call);
    free(f);
    layer_graph_release(g);
}

static void enqueue(layer_flight *f)
{
    layer_graph *g = f->graph;
    f->state = LAYER_QUEUED;
    f->active = true;
    f->next = NULL;
    if (g->last != NULL)
        g->last->next = f;
    else
        g->first = f;
    g->last = f;
    if (!g->listed) {
        g->listed = true;
        g->next_busy = busy;
        busy = g;
    }
}

/* The first of its line is done. */
static void leave(layer_graph *g)
{
    layer_flight *f = g->first;
    g->first = f->next;
    if (g->first == NULL)
        g->last = NULL;
    f->active = false;
    if (f->blocking)
        return;
    PMPI_Send(NULL, 0, MPI_BYTE, 0, f->tag, self);
    atomic_fetch_sub(&running, 1);
    if (!f->persistent || f->forgotten)
        flight_free(f);
}

void layer_progress(void)
{
    layer_graph **link = &busy;
    while (*link != NULL) {
        layer_graph *g = *link;
        g->users++; /* the last flight may be the last who knows it */
        while (g->first != NULL) {
            layer_flight_push(g->first);
            if (g->first->state != LAYER_DONE)
                break;
            leave(g);
        }
        if (g->first == NULL) {
            *link = g->next_busy;
            g->listed = false;
        } else {
            link = &g->next_busy;
        }
        layer_graph_release(g);
    }
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void nap(long microseconds)
{
    const struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
}

/* The longer nothing ends, the more seldom. */
static void *push_on(void *unused)
{
    enum { SHORT = 50, LONG = 2000 };
    long pause = SHORT;
    (void)unused;
    layer_lock();
    while (!stopping) {
        if (!layer_busy()) {
            pause = SHORT;
            pthread_cond_wait(&begun, &lock);
            continue;
        }
        layer_progress();
        layer_unlock();
        nap(pause);
        pause = 2 * pause < LONG ? 2 * pause : LONG;
        layer_lock();
    }
    layer_unlock();
    return NULL;
}

static void start_thread(void)
{
    if (!threaded)
        threaded = pthread_create(&thread, NULL, push_on, NULL) == 0;
    pthread_cond_signal(&begun);
}

void layer_open(void)
{
    PMPI_Comm_dup(MPI_COMM_SELF, &self);
}

void layer_close(void)
{
    layer_lock();
    stopping = true;
    pthread_cond_signal(&begun);
    layer_unlock();
    if (threaded)
        pthread_join(thread, NULL);
    PMPI_Comm_free(&self);
}

/* ---- flights ----------------------------------------------------------------------------------------------------- */

layer_flight *layer_flight_new(layer_graph *graph, const layer_call *call, bool blocking)
{
    layer_flight *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->graph = graph;
    f->call = *call;
    f->blocking = blocking;
    layer_lock();
    graph->users++;
    layer_unlock();
    return f;
}

int layer_flight_wait(layer_flight *f)
{
    const layer_call *c = &f->call;
    int code = MPI_SUCCESS;
    layer_lock();
    enqueue(f);
    while (f->active) {
        layer_progress();
        if (f->state == LAYER_FALL_HERE) {
            layer_unlock();
            code = PMPI_Neighbor_alltoallv(c->send, c->send_count, c->send_displ, c->send_type, c->receive,
                                           c->receive_count, c->receive_displ, c->receive_type, f->graph->comm);
            layer_lock();
            f->state = LAYER_DONE;
        } else if (f->active) {
            layer_unlock();
            sched_yield();
            layer_lock();
        }
    }
    flight_free(f);
    layer_unlock();
    return code;
}

static int take_tag(void)
{
    enum { TAGS = 32000 };
    next_tag = (next_tag + 1) % TAGS;
    return next_tag;
}

int layer_flight_request(layer_flight *f, bool persistent, MPI_Request *request)
{
    layer_lock();
    f->tag = take_tag();
    f->persistent = persistent;
    const int code = persistent ? PMPI_Recv_init(NULL, 0, MPI_BYTE, 0, f->tag, self, request)
                                : PMPI_Irecv(NULL, 0, MPI_BYTE, 0, f->tag, self, request);
    f->handle = *request;
    if (persistent) {
        f->next_persistent = persistents;
        persistents = f;
    }
    layer_unlock();
    return code;
}

void layer_flight_start(layer_flight *f)
{
    layer_lock();
    enqueue(f);
    atomic_fetch_add(&running, 1);
    layer_progress();
    if (layer_busy())
        start_thread();
    layer_unlock();
}

layer_flight *layer_persistent(MPI_Request request)
{
    layer_lock();
    layer_flight *f = persistents;
    while (f != NULL && f->handle != request)
        f = f->next_persistent;
    layer_unlock();
    return f;
}

void layer_persistent_forget(MPI_Request request)
{
    layer_lock();
    for (layer_flight **link = &persistents; *link != NULL; link = &(*link)->next_persistent) {
        layer_flight *f = *link;
        if (f->handle != request)
            continue;
        *link = f->next_persistent;
        f->forgotten = true;
        if (!f->active)
            flight_free(f);
        break;
    }
    layer_unlock();
}
