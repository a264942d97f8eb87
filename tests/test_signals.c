/* test_signals.c -- a signal ends the program as it ends any other, and no unfinished file stays behind */
#define _XOPEN_SOURCE 700

#include "support/shell.h"

#include "support/test.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static const int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGXCPU};
enum { ENDING = sizeof ending / sizeof *ending };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Is there a file whose name begins so in the scratch folder? */
static bool there(const char *prefix)
{
    bool found = false;
    DIR *folder = opendir(scratch_folder());
    ck_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        found = found || strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(folder);
    return found;
}

/* A command that writes a matrix' structure for some tenths of a second.  SIGHUP as given; of the others a harness may
 * ignore some, which the program would respect. */
static pid_t start(void (*on_hangup)(int))
{
    const char *program = shell_program();
    sigset_t all, before; /* held back until the child is rid of the handlers of libcheck, which would end the test */
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const int nothing = open("/dev/null", O_WRONLY);
        if (chdir(scratch_folder()) != 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
            _exit(99);
        for (size_t i = 0; i < ENDING; i++)
            (void)signal(ending[i], ending[i] == SIGHUP ? on_hangup : SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execl(program, program, "pattern", "--matrix", "stencil27:70x70x70", "--parts", "4", "-o", "out.nsp",
              (char *)NULL);
        _exit(99);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}

/* Wait until the file under its hidden name is there, or the child has ended. */
static bool begins_to_write(pid_t child)
{
    const double began = now();
    siginfo_t ended = {0};
    while (!there(".nsmodel-") && now() - began < 20 && ended.si_pid == 0)
        ck_assert_int_eq(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    return there(".nsmodel-");
}

static void wait_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000}, NULL);
}

/* While it writes. */
TEST_EACH(while_writing, ENDING)
{
    int status;
    const pid_t child = start(SIG_DFL);
    ck_assert(begins_to_write(child));
    ck_assert_int_eq(kill(child, ending[_i]), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == ending[_i]);
    ck_assert_msg(!there(".nsmodel-"), "signal %d leaves an unfinished file", ending[_i]);
    ck_assert(!there("out.nsp"));
}

/* At any moment, from the start of the process to its end: the whole file or none. */
TEST(at_any_moment)
{
    char whole[64], found[64], path[1200];
    int status, killed = 0;
    const double began = now();
    pid_t child = start(SIG_DFL);
    snprintf(path, sizeof path, "%s/out.nsp", scratch_folder());
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const int lasts = (int)(1000 * (now() - began)) + 1;
    ck_assert_int_eq(shell(whole, sizeof whole, "cksum < '%s'", path), 0);
    for (int i = 0; i < 40; i++) {
        unlink(path);
        child = start(SIG_DFL);
        wait_ms((i * 7 % 40) * lasts / 40);
        (void)kill(child, ending[i % 4]);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        killed += WIFSIGNALED(status);
        ck_assert_msg(!there(".nsmodel-"), "signal %d leaves an unfinished file", ending[i % 4]);
        if (there("out.nsp")) {
            ck_assert_int_eq(shell(found, sizeof found, "cksum < '%s'", path), 0);
            ck_assert_str_eq(found, whole);
        }
    }
    ck_assert_int_gt(killed, 10);
}

/* What the program's parent ignores, as nohup does, the program ignores too. */
TEST(ignored)
{
    int status;
    const pid_t child = start(SIG_IGN);
    ck_assert(begins_to_write(child));
    ck_assert_int_eq(kill(child, SIGHUP), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert(there("out.nsp") && !there(".nsmodel-"));
}

TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(600)
