/* parallel.h -- independent items, distributed over threads */
#ifndef NS_CORE_PARALLEL_H
#define NS_CORE_PARALLEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <nsmodel/status.h>

enum { NS_THREADS_MOST = 64, NS_THREADS_AUTO_MOST = 8 };

/* wanted, at most NS_THREADS_MOST; for 0 one thread per processor, at most NS_THREADS_AUTO_MOST. */
int ns_threads(int wanted);

/* Start a thread that blocks all signals, which the program's own threads handle.  False: no thread could be
 * created. */
bool ns_thread_start(pthread_t *thread, void *(*work)(void *), void *argument);

/* worker: 0 is the thread that called ns_parallel; the others are numbered from 1. */
typedef ns_status ns_parallel_fn(void *context, int64_t item, int worker, ns_error *err);

/* Run items 0 to count - 1, started in order.  After a failure no further item is started; of several failures the one
 * of the lowest item is reported, which does not depend on the number of threads.  If fewer threads can be created,
 * fewer are used. */
ns_status ns_parallel(int64_t count, int threads, ns_parallel_fn *run, void *context, ns_error *err);

#endif
