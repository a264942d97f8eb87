/* watchdog.c -- a thread that looks at the clock, and the message when the launcher ends the job */
#include "mpi/watchdog.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/whole_file.h"

#ifndef NS_SIMULATED

enum { LOOK_EVERY_MS = 100 };
static const double RANK_0_FIRST = 3; /* s that the others wait longer, so that it can say so */

static struct {
    int rank;
    _Atomic double limit, fed;
    _Atomic(const char *) doing;
    atomic_bool ended, silent;
    bool runs;
    pthread_t thread;
} dog;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Say on rank 0, once, why the process ends, and wait until it is heard: a launcher may forget what the dead have
 * written, and what is on its way when others die.  Only what may be called in a signal handler. */
static void say(const char *why)
{
    static const struct timespec heard = {.tv_nsec = 300000000};
    const char *const part[] = {"nsmodel-mpi: ", why, "; it was at: ", atomic_load(&dog.doing), "\n"};
    const bool speaks = dog.rank == 0 && !atomic_exchange(&dog.silent, true);
    for (size_t i = 0; speaks && i < sizeof part / sizeof *part; i++)
        if (write(STDERR_FILENO, part[i], strlen(part[i])) < 0)
            break;
    (void)nanosleep(&heard, NULL);
}

static void *watch(void *unused)
{
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
    const double more = dog.rank == 0 ? 0 : RANK_0_FIRST;
    (void)unused;
    while (!atomic_load(&dog.ended)) {
        const double limit = atomic_load(&dog.limit);
        if (now() - atomic_load(&dog.fed) > limit + more) {
            char why[160];
            (void)snprintf(why, sizeof why, "no answer for %g s (--timeout), so a process is stopped or lost", limit);
            say(why);
            _exit(1); /* functions that MPI has for an exit would wait for the others */
        }
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

static void on_signal(int number)
{
    (void)number;
    ns_whole_file_abandon();
    say("ended by the launcher, as it does when a process of the job dies");
    _exit(1);
}

void ns_watchdog_start(int rank, double seconds)
{
    struct sigaction act = {.sa_handler = on_signal};
    dog.rank = rank;
    atomic_store(&dog.limit, seconds);
    atomic_store(&dog.doing, "starting");
    atomic_store(&dog.fed, now());
    (void)sigemptyset(&act.sa_mask);
    (void)sigaction(SIGTERM, &act, NULL);
    dog.runs = pthread_create(&dog.thread, NULL, watch, NULL) == 0;
}

void ns_watchdog_limit(double seconds)
{
    atomic_store(&dog.limit, seconds);
    ns_watchdog_feed();
}

void ns_watchdog_feed(void)
{
    atomic_store(&dog.fed, now());
}

void ns_watchdog_doing(const char *what)
{
    atomic_store(&dog.doing, what);
    ns_watchdog_feed();
}

void ns_watchdog_busy(const char *what)
{
    atomic_store(&dog.doing, what);
    atomic_store(&dog.fed, INFINITY);
}

void ns_watchdog_silence(void)
{
    atomic_store(&dog.silent, true);
}

void ns_watchdog_stop(void)
{
    atomic_store(&dog.ended, true);
    if (dog.runs)
        (void)pthread_join(dog.thread, NULL);
}

#endif
