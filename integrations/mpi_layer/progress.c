/* progress.c -- queues of flights, advanced by the program's own calls and by a thread; and their requests
 *
 * A program may wait for anything while its exchange is in progress, and other processes may depend on it to forward
 * what it received.  So a thread advances flights too, where MPI may be called from any thread; otherwise no such
 * exchange is begun.
 */
#include "mpi_layer/layer.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool threaded, resting, stopping;
static atomic_int running;     /* flights with requests, in a queue */
static atomic_int persistents; /* number of requests */
static layer_exchange *busy;
static layer_flight *requested;       /* those whose requests the program holds */
static layer_flight *spare;           /* for reuse */
static MPI_Comm self = MPI_COMM_NULL; /* requests are completed by a message to the process itself */

/* Where the process may not call MPI from any thread, one thread at a time is in the layer, and the layer starts
 * none. */
void layer_lock(void)
{
    if (layer_set.locks)
        pthread_mutex_lock(&lock);
}

void layer_unlock(void)
{
    if (layer_set.locks)
        pthread_mutex_unlock(&lock);
}

/* ---- flights ----------------------------------------------------------------------------------------------------- */

/* Called under the lock, which no reader takes. */
static void add(atomic_int *count, int more)
{
    atomic_store(count, atomic_load_explicit(count, memory_order_relaxed) + more);
}

static void enqueue(layer_flight *f)
{
    layer_exchange *x = f->exchange;
    f->next = layer_flight_begin;
    f->active = true;
    f->begun = f->asked = f->spent = 0;
    f->behind = NULL;
    if (x->last != NULL)
        x->last->behind = f;
    else
        x->first = f;
    x->last = f;
    add(&x->flights, 1);
}

/* Put it in the queue; only the calling thread pushes it. */
static void take_for_oneself(layer_flight *f)
{
    f->held = true;
    enqueue(f);
    f->late = f->exchange->first != f;
}

/* Every flight has its own tag.  A flight that is reused keeps it: the message that completed its last request was
 * received by that request, which had been posted before it was sent. */
layer_flight *layer_flight_new(layer_exchange *exchange, layer_kind kind)
{
    static int flights;
    layer_lock();
    layer_flight *f = exchange->idle;
    if (f != NULL) {
        exchange->idle = f->another;
    } else {
        const size_t out = (size_t)exchange->graph->out, edges = out + (size_t)exchange->graph->in;
        f = spare;
        if (f != NULL) {
            spare = f->another;
        } else {
            int *most, known;
            PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &known);
            if (known && flights > *most) {
                layer_log("more than %d exchanges at a time: MPI has no tags for them", *most);
                PMPI_Abort(MPI_COMM_WORLD, 1);
            }
            f = layer_memory(1, sizeof *f);
            f->tag = flights++;
        }
        f->call.send = layer_memory(edges, sizeof *f->call.send);
        f->call.receive = f->call.send + out;
    }
    *f = (layer_flight){.exchange = exchange,
                        .call = f->call,
                        .kind = kind,
                        .request = MPI_REQUEST_NULL,
                        .own = MPI_REQUEST_NULL,
                        .handle = MPI_REQUEST_NULL,
                        .from = f->from,
                        .to = f->to,
                        .direct = f->direct,
                        .placed = f->placed,
                        .tag = f->tag};
    exchange->users++;
    if (kind == LAYER_BLOCKING)
        take_for_oneself(f);
    layer_unlock();
    return f;
}

static void dismiss(layer_flight *f)
{
    const layer_graph *g = f->exchange->graph;
    for (layer_flight **link = &requested; *link != NULL; link = &(*link)->another)
        if (*link == f) {
            *link = f->another;
            break;
        }
    if (f->own != MPI_REQUEST_NULL)
        PMPI_Request_free(&f->own);
    if (f->kind != LAYER_BLOCKING)
        layer_call_release(&f->call, g->out + g->in);
    free(f->own_words);
    layer_exchange *x = f->exchange;
    f->another = x->idle;
    x->idle = f;
    x->detached = x->detached || f->kind == LAYER_PERSISTENT; /* it was the only flight of the exchange */
    layer_exchange_release(x);
}

void layer_flights_end(layer_exchange *x)
{
    while (x->idle != NULL) {
        layer_flight *f = x->idle;
        x->idle = f->another;
        free(f->call.send);
        free(f->from);
        free(f->direct);
        *f = (layer_flight){.tag = f->tag, .another = spare};
        spare = f;
    }
}

void layer_flight_free(layer_flight *flight)
{
    layer_lock();
    dismiss(flight);
    layer_unlock();
}

/* ---- in line ----------------------------------------------------------------------------------------------------- */

static void list(layer_exchange *x)
{
    if (x->listed)
        return;
    x->listed = true;
    x->next_busy = busy;
    busy = x;
}

/* Remove the first flight of a queue, which is done. */
static void leave(layer_exchange *x)
{
    layer_flight *f = x->first;
    x->first = f->behind;
    if (x->first == NULL)
        x->last = NULL;
    f->active = false;
    add(&x->flights, -1);
    if (f->handle == MPI_REQUEST_NULL && !f->forgotten)
        return;
    PMPI_Send(NULL, 0, MPI_BYTE, 0, f->tag, self);
    add(&running, -1);
    if (f->kind != LAYER_PERSISTENT || f->forgotten)
        dismiss(f);
}

/* Advance all flights in progress, except those that a thread has reserved.  Flights that are done leave their queue,
 * and their requests complete. */
static void progress(void)
{
    layer_exchange **link = &busy;
    while (*link != NULL) {
        layer_exchange *x = *link;
        x->users++; /* the last flight may hold the last reference */
        while (x->first != NULL && !x->first->held) {
            layer_flight_push(x->first);
            if (x->first->next != NULL)
                break;
            leave(x);
        }
        if (x->first == NULL) {
            *link = x->next_busy;
            x->listed = false;
        } else {
            link = &x->next_busy;
        }
        layer_exchange_release(x);
    }
}

/* Drive one flight of a queue until it is done.  Others in progress are advanced too. */
static void drive(layer_flight *f)
{
    while (f->late) {
        layer_lock();
        progress();
        f->late = f->exchange->first != f;
        layer_unlock();
        if (f->late)
            sched_yield();
    }
    for (;;) {
        f->waits = atomic_load(&running) == 0;
        layer_flight_push(f);
        if (f->next == NULL)
            break;
        layer_lock();
        progress();
        layer_unlock();
        sched_yield();
    }
}

static void stop(layer_flight *f)
{
    layer_lock();
    f->held = f->waits = false;
    leave(f->exchange);
    if (f->exchange->first != NULL)
        list(f->exchange);
    if (f->kind == LAYER_BLOCKING)
        dismiss(f);
    layer_unlock();
}

bool layer_flight_wait(layer_flight *f)
{
    drive(f);
    if (f->by_caller)
        return false;
    stop(f);
    return true;
}

void layer_flight_done(layer_flight *f)
{
    layer_flight_ended(f);
    stop(f);
}

void layer_flight_prepare(layer_flight *f)
{
    f->preparing = true;
    layer_lock();
    take_for_oneself(f);
    layer_unlock();
    drive(f);
    stop(f);
    f->preparing = false;
}

/* ---- the explicit interface -------------------------------------------------------------------------------------- */

void layer_flight_launch(layer_flight *f)
{
    layer_lock();
    take_for_oneself(f);
    layer_unlock();
    layer_flight_push(f);
    f->spent = f->begun > 0 ? MPI_Wtime() - f->begun : 0;
}

bool layer_flight_test(layer_flight *f)
{
    if (f->asked == 0)
        f->asked = MPI_Wtime();
    layer_flight_push(f);
    if (f->next != NULL)
        return false;
    stop(f);
    return true;
}

void layer_flight_finish(layer_flight *f)
{
    if (f->asked == 0)
        f->asked = MPI_Wtime();
    drive(f);
    stop(f);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* The longer nothing completes, the longer the pauses.  Where nothing is in progress the thread keeps checking for a
 * while before it sleeps: to wake it for each of many short exchanges would take longer than the exchanges. */
static void *push_on(void *unused)
{
    enum { SHORT = 50000, IDLE = 400000, LONG = 2000000, LOOKS = 5 }; /* ns */
    struct timespec pause = {0, SHORT};
    int idle = 0;
    (void)unused;
    layer_lock();
    while (!stopping) {
        if (atomic_load(&running) > 0) {
            pause.tv_nsec = idle > 0 ? SHORT : 2 * pause.tv_nsec < LONG ? 2 * pause.tv_nsec : LONG;
            idle = 0;
            progress();
        } else if (++idle > LOOKS) {
            resting = true;
            pthread_cond_wait(&begun, &lock);
            resting = false;
            continue;
        } else {
            pause.tv_nsec = IDLE;
        }
        layer_unlock();
        nanosleep(&pause, NULL);
        layer_lock();
    }
    layer_unlock();
    return NULL;
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
    while (spare != NULL) {
        layer_flight *f = spare;
        spare = f->another;
        free(f);
    }
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

int layer_flight_request(layer_flight *f, MPI_Request *request)
{
    layer_lock();
    const int code = f->kind == LAYER_PERSISTENT ? PMPI_Recv_init(NULL, 0, MPI_BYTE, 0, f->tag, self, request)
                                                 : PMPI_Irecv(NULL, 0, MPI_BYTE, 0, f->tag, self, request);
    f->handle = *request;
    f->another = requested;
    requested = f;
    if (f->kind == LAYER_PERSISTENT)
        add(&persistents, 1);
    layer_unlock();
    return code;
}

static void start(layer_flight *f)
{
    enqueue(f);
    list(f->exchange);
    add(&running, 1);
    progress();
    if (f->active && f->begun > 0)
        f->spent = MPI_Wtime() - f->begun;
    if (atomic_load(&running) > 0 && !threaded)
        threaded = pthread_create(&thread, NULL, push_on, NULL) == 0;
    if (resting && atomic_load(&running) > 0)
        pthread_cond_signal(&begun);
}

void layer_flight_start(layer_flight *f)
{
    layer_lock();
    start(f);
    layer_unlock();
}

static layer_flight *flight_of(MPI_Request request)
{
    layer_flight *f = requested;
    while (f != NULL && f->handle != request)
        f = f->another;
    return f;
}

/* Is one of these requests in progress?  The program waits for them from now on. */
static bool is_under_way(int requests, const MPI_Request *request)
{
    bool any = false;
    for (layer_flight *f = requested; f != NULL; f = f->another)
        for (int i = 0; f->active && f->handle != MPI_REQUEST_NULL && i < requests; i++)
            if (f->handle == request[i]) {
                f->asked = f->asked == 0 && f->exchange->left <= NS_PLAN_TOLD ? MPI_Wtime() : f->asked;
                any = true;
            }
    return any;
}

bool layer_push(int requests, const MPI_Request *request)
{
    if (atomic_load(&running) == 0)
        return false;
    layer_lock();
    bool own = is_under_way(requests, request);
    if (own) {
        progress();
        own = is_under_way(requests, request);
    }
    layer_unlock();
    return own;
}

void layer_start(MPI_Request request)
{
    if (atomic_load(&persistents) == 0)
        return;
    layer_lock();
    layer_flight *f = flight_of(request);
    if (f != NULL)
        start(f);
    layer_unlock();
}

void layer_forget(MPI_Request request)
{
    if (request == MPI_REQUEST_NULL || (atomic_load(&persistents) == 0 && atomic_load(&running) == 0))
        return;
    layer_lock();
    layer_flight *f = flight_of(request);
    if (f != NULL) {
        f->handle = MPI_REQUEST_NULL;
        f->forgotten = true;
        if (f->kind == LAYER_PERSISTENT) {
            add(&persistents, -1);
            if (!f->active)
                dismiss(f);
        }
    }
    layer_unlock();
}
