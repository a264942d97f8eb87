/* terminal.h -- a program at a real pseudo-terminal: type, and wait for what it shows */
#ifndef TESTS_SUPPORT_TERMINAL_H
#define TESTS_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct terminal {
    int master;
    pid_t child;
    char *shown;               /* all that came, without escape sequences and carriage returns */
    size_t length, room, seen; /* seen: up to the end of what was waited for last */
} terminal;

/* Run a shell command at a new terminal of 200 columns.  Its environment is the caller's; TERM is xterm. */
void terminal_open(terminal *t, const char *command);
void terminal_type(terminal *t, const char *keys);
/* Wait until this is shown after what was waited for before; fails with all that was shown when it does not come. */
void terminal_wait(terminal *t, const char *text);
/* Whether this is shown before nothing comes for so many ms; it can still be waited for. */
bool terminal_shows(terminal *t, const char *text, int patience);
/* The text between what was waited for before and this. */
void terminal_between(terminal *t, const char *text, char *between, size_t size);
/* Wait for the program's end; its exit code, or 128 + the signal that ended it. */
int terminal_close(terminal *t);

#endif
