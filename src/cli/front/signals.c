/* signals.c -- before a signal ends the program, unfinished files are removed; then the default action follows */
#define _XOPEN_SOURCE 700 /* SIGXCPU */

#include "cli/front/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "io/whole_file.h"

static volatile pid_t owner; /* before its exec a child has the parent's files open, which it must not remove */

/* SA_RESETHAND has restored the default action; it is taken when the handler returns and unblocks the signal. */
static void end(int number)
{
    if (getpid() == owner)
        ns_whole_file_abandon();
    (void)raise(number);
}

void ns_signals_catch(void)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    struct sigaction before, action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
    owner = getpid();
    (void)sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            (void)sigaction(ending[i], &action, NULL);
}
