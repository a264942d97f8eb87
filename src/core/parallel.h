/* parallel.h -- items that do not depend on each other, over threads */
#ifndef NS_CORE_PARALLEL_H
#define NS_CORE_PARALLEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <nsmodel/status.h>

enum { NS_THREADS_MOST = 64, NS_THREADS_AUTO_MOST = 8 };

/* wanted, at most NS_THREADS_MOST; for 0 as many threads as there are processors, at most NS_THREADS_AUTO_MOST. */
int ns_threads(int wanted);

/* Start a thread that takes no signals: they belong to the program's own.  False: there is none to be had. */
bool ns_thread_start(pthread_t *thread, void *(*work)(void *), void *argument);

/* worker: 0 is the thread that called ns_parallel, the others count from 1. */
typedef ns_status ns_parallel_fn(void *context, int64_t item, int worker, ns_error *err);

/* Items 0 to count - 1, handed out in order.  After a failure no item is begun; of several failures that of the lowest
 * item is reported, which does not depend on the threads.  Threads that cannot be had are done without. */
ns_status ns_parallel(int64_t count, int threads, ns_parallel_fn *run, void *context, ns_error *err);

#endif
