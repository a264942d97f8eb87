/* watchdog.c -- an alarm that is reset whenever the process makes progress, and the message when it goes off or the
 * launcher ends the job */
#include "mpi/watchdog.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/whole_file.h"

#ifndef NS_SIMULATED

static const double RANK_0_FIRST = 3; /* s that the others wait longer, so that rank 0 can report first */

static struct {
    int rank;
    unsigned seconds; /* until the alarm */
    char why[160];
    const char *volatile doing;
    volatile sig_atomic_t silent;
} dog;

/* Print on rank 0, once, why the process ends, and give the launcher time to forward it: it may drop the output of a
 * process that has ended.  Functions that MPI calls at exit would wait for the other processes, so this calls _exit. */
static void on_signal(int number)
{
    static const struct timespec heard = {.tv_nsec = 300000000};
    const char *const part[] = {
        "nsmodel-mpi: ",
        number == SIGALRM ? dog.why : "ended by the launcher, as it does when a process of the job dies",
        "; it was at: ", dog.doing, "\n"};
    ns_whole_file_abandon();
    for (size_t i = 0; dog.rank == 0 && !dog.silent && i < sizeof part / sizeof *part; i++)
        if (write(STDERR_FILENO, part[i], strlen(part[i])) < 0)
            break;
    (void)nanosleep(&heard, NULL);
    _exit(1);
}

void ns_watchdog_start(int rank, double seconds)
{
    struct sigaction act = {.sa_handler = on_signal};
    dog.rank = rank;
    dog.doing = "starting";
    (void)sigemptyset(&act.sa_mask);
    (void)sigaddset(&act.sa_mask, SIGTERM);
    (void)sigaddset(&act.sa_mask, SIGALRM);
    (void)sigaction(SIGTERM, &act, NULL);
    (void)sigaction(SIGALRM, &act, NULL);
    ns_watchdog_limit(seconds);
}

void ns_watchdog_limit(double seconds)
{
    (void)alarm(0);
    dog.seconds = (unsigned)ceil(seconds + (dog.rank == 0 ? 0 : RANK_0_FIRST));
    (void)snprintf(dog.why, sizeof dog.why, "no answer for %g s (--timeout), so a process is stopped or lost", seconds);
    ns_watchdog_feed();
}

void ns_watchdog_feed(void)
{
    (void)alarm(dog.seconds);
}

void ns_watchdog_doing(const char *what)
{
    dog.doing = what;
    ns_watchdog_feed();
}

void ns_watchdog_busy(const char *what)
{
    dog.doing = what;
    (void)alarm(0);
}

void ns_watchdog_silence(void)
{
    dog.silent = 1;
}

void ns_watchdog_stop(void)
{
    (void)alarm(0);
}

#endif
