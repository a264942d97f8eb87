/* parallel.c -- independent items, distributed over threads */
#include "core/parallel.h"

#include "core/context.h"

#include <signal.h>
#include <unistd.h>

typedef struct crew {
    pthread_mutex_t lock;
    int64_t next, count, failed; /* failed: the lowest item that did; count if none did */
    ns_status status;
    ns_error error;
    ns_parallel_fn *run;
    void *context;
    ns_context *host; /* of the calling thread */
} crew;

typedef struct member {
    crew *crew;
    int worker;
} member;

bool ns_thread_start(pthread_t *thread, void *(*work)(void *), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, NULL, work, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

int ns_threads(int wanted)
{
    if (wanted > 0)
        return wanted < NS_THREADS_MOST ? wanted : NS_THREADS_MOST;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors < NS_THREADS_AUTO_MOST ? (int)processors : NS_THREADS_AUTO_MOST;
}

/* The next item, -1 if none is left. */
static int64_t take_item(crew *c)
{
    pthread_mutex_lock(&c->lock);
    const int64_t item = c->next < c->count && c->failed == c->count ? c->next++ : -1;
    pthread_mutex_unlock(&c->lock);
    return item;
}

static void *work(void *argument)
{
    const member *m = argument;
    crew *c = m->crew;
    ns_context *before = ns_context_use(c->host);
    for (int64_t item = take_item(c); item >= 0; item = take_item(c)) {
        ns_error error = {0};
        ns_status status = ns_context_ask(&error);
        if (status == NS_OK)
            status = c->run(c->context, item, m->worker, &error);
        if (status == NS_OK)
            continue;
        pthread_mutex_lock(&c->lock);
        if (item < c->failed) {
            c->failed = item;
            c->status = status;
            c->error = error;
        }
        pthread_mutex_unlock(&c->lock);
    }
    ns_context_use(before);
    return NULL;
}

ns_status ns_parallel(int64_t count, int threads, ns_parallel_fn *run, void *context, ns_error *err)
{
    crew c = {.count = count, .failed = count, .run = run, .context = context, .host = ns_context_current()};
    pthread_t thread[NS_THREADS_MOST];
    member members[NS_THREADS_MOST];
    int started = 1; /* the caller is one of them */
    if (threads > NS_THREADS_MOST)
        threads = NS_THREADS_MOST;
    if (threads < 2 || count < 2 || pthread_mutex_init(&c.lock, NULL) != 0) {
        for (int64_t i = 0; i < count; i++) {
            NS_TRY(ns_context_ask(err));
            NS_TRY(run(context, i, 0, err));
        }
        return NS_OK;
    }
    for (; started < threads && started < count; started++) {
        members[started] = (member){&c, started};
        if (!ns_thread_start(&thread[started], work, &members[started]))
            break;
    }
    members[0] = (member){&c, 0};
    work(&members[0]);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&c.lock);
    if (c.status != NS_OK && err != NULL && err->code == NS_OK)
        *err = c.error;
    return c.status;
}
