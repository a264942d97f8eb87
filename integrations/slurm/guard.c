/* guard.c -- work done by a child process, so that its faults do not affect the host program */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "slurm/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DONE = 42 }; /* exit code of a child that finished the work: a code with which no fault ends */

void *ns_guard_share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void ns_guard_unshare(void *memory, size_t size)
{
    if (memory != NULL)
        (void)munmap(memory, size);
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

ns_guarded ns_guard_run(void (*work)(void *context), void *context, double seconds, double *spent)
{
    const double start = now();
    int end[2];
    if (!(seconds > 0))
        return NS_GUARDED_LATE;
    if (pipe(end) != 0)
        return NS_GUARDED_REFUSED;
    for (int i = 0; i < 2; i++) /* a program that the host starts in the meantime would keep the pipe open */
        (void)fcntl(end[i], F_SETFD, FD_CLOEXEC);
    const pid_t child = fork();
    if (child == 0) {
        /* The child runs none of the host's code: neither its signal handlers nor its atexit functions. */
        static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE};
        const struct rlimit no_core = {0, 0};
        sigset_t none;
        (void)close(end[0]);
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            (void)signal(ours[i], SIG_DFL);
        (void)sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        work(context);
        _exit(DONE);
    }
    (void)close(end[1]);
    /* The child keeps the other end of the pipe open until it ends; nothing is ever written. */
    bool ended = false;
    for (const double last = now() + seconds; child > 0 && !ended;) {
        struct pollfd fd = {.fd = end[0], .events = POLLIN};
        const int ready = poll(&fd, 1, (int)ceil(1000 * fmax(0, fmin(last - now(), 1000))));
        ended = ready > 0;
        if (!ended && ((ready < 0 && errno != EINTR) || now() >= last))
            break;
    }
    int status = 0;
    pid_t got = child;
    if (child > 0 && !ended)
        (void)kill(child, SIGKILL);
    while (child > 0 && (got = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    (void)close(end[0]);
    *spent += now() - start;
    if (child <= 0)
        return NS_GUARDED_REFUSED;
    if (!ended)
        return NS_GUARDED_LATE;
    return got == child && WIFEXITED(status) && WEXITSTATUS(status) == DONE ? NS_GUARDED_DONE : NS_GUARDED_CRASHED;
}
