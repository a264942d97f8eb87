/* terminal.c -- a program at a real pseudo-terminal */
#define _DEFAULT_SOURCE /* TIOCSWINSZ */
#define _XOPEN_SOURCE   700
#include "terminal.h"
#include "core/memory.h"

#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE = 60000 }; /* ms: only a program that hangs takes so long */

/* In the child: the terminal is its controlling one and all of its streams.  With Ctrl-C the kernel sends the signal
 * and then throws away what is on its way, which may be the program's answer already: NOFLSH keeps it. */
static void take_terminal(const char *name)
{
    setsid();
    const int slave = open(name, O_RDWR);
    const struct winsize size = {.ws_row = 50, .ws_col = 200};
    struct termios how;
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0 || tcgetattr(slave, &how) != 0)
        _exit(126);
    how.c_lflag |= NOFLSH;
    if (tcsetattr(slave, TCSANOW, &how) != 0)
        _exit(126);
    for (int stream = 0; stream < 3; stream++)
        dup2(slave, stream);
    if (slave > 2)
        close(slave);
    setenv("TERM", "xterm", 1);
    unsetenv("INPUTRC");
}

void terminal_open(terminal *t, const char *command)
{
    *t = (terminal){.master = posix_openpt(O_RDWR | O_NOCTTY)};
    ck_assert(t->master >= 0 && grantpt(t->master) == 0 && unlockpt(t->master) == 0);
    const char *name = ptsname(t->master);
    ck_assert_ptr_nonnull(name);
    t->child = fork();
    ck_assert_int_ge(t->child, 0);
    if (t->child == 0) {
        take_terminal(name);
        close(t->master);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
}

void terminal_type(terminal *t, const char *keys)
{
    const size_t length = strlen(keys);
    ck_assert_int_eq(write(t->master, keys, length), (ssize_t)length);
}

/* "ESC [ ... letter", carriage returns and bells are no text. */
static void strip(terminal *t)
{
    char *to = t->shown;
    for (const char *from = t->shown; *from != '\0'; from++) {
        if (*from == '\033') {
            const char *c = from + 1 + (from[1] == '[');
            while (*c != '\0' && (*c < '@' || *c == '['))
                c++;
            if (*c == '\0') { /* the rest has not come yet */
                memmove(to, from, strlen(from) + 1);
                t->length = (size_t)(to - t->shown) + strlen(to);
                return;
            }
            from = c;
        } else if (*from != '\r' && *from != '\a') {
            *to++ = *from;
        }
    }
    *to = '\0';
    t->length = (size_t)(to - t->shown);
}

/* Read what comes within so many ms: -1 when nothing does, 0 at the end of the program. */
static ssize_t receive(terminal *t, int patience)
{
    enum { PIECE = 4096 };
    if (t->length + PIECE + 1 > t->room) {
        t->room = 2 * t->room + 2 * PIECE;
        t->shown = ns_realloc(t->shown, t->room);
        ck_assert_ptr_nonnull(t->shown);
    }
    struct pollfd ready = {.fd = t->master, .events = POLLIN};
    if (poll(&ready, 1, patience) == 0) {
        t->shown[t->length] = '\0';
        return -1;
    }
    const ssize_t got = read(t->master, t->shown + t->length, PIECE); /* EIO once nobody holds the other end */
    t->shown[t->length + (got > 0 ? (size_t)got : 0)] = '\0';
    t->length += got > 0 ? (size_t)got : 0;
    strip(t);
    return got > 0 ? got : 0;
}

void terminal_between(terminal *t, const char *text, char *between, size_t size)
{
    for (;;) {
        const char *from = t->shown != NULL ? t->shown + t->seen : "";
        const char *found = t->shown != NULL ? strstr(from, text) : NULL;
        if (found != NULL) {
            const size_t length = (size_t)(found - from) < size - 1 ? (size_t)(found - from) : size - 1;
            memcpy(between, from, length);
            between[length] = '\0';
            t->seen = (size_t)(found - t->shown) + strlen(text);
            return;
        }
        const ssize_t got = receive(t, PATIENCE);
        ck_assert_msg(got > 0, "\"%s\" is not shown %s; shown is:\n%s", text, got < 0 ? "in time" : "before the end",
                      t->shown);
    }
}

bool terminal_shows(terminal *t, const char *text, int patience)
{
    while (t->shown == NULL || strstr(t->shown + t->seen, text) == NULL)
        if (receive(t, patience) <= 0)
            return false;
    return true;
}

void terminal_wait(terminal *t, const char *text)
{
    char nothing[2];
    terminal_between(t, text, nothing, sizeof nothing);
}

int terminal_close(terminal *t)
{
    int status = 0;
    ssize_t got;
    while ((got = receive(t, PATIENCE)) > 0)
        continue;
    ck_assert_msg(got == 0, "the program does not end; shown is:\n%s", t->shown);
    ck_assert_int_eq(waitpid(t->child, &status, 0), t->child);
    close(t->master);
    ns_free(t->shown);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
