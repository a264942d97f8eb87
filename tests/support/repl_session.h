/* repl_session.h -- nsmodel repl at a terminal: begin, type, look, leave */
#ifndef TESTS_SUPPORT_REPL_SESSION_H
#define TESTS_SUPPORT_REPL_SESSION_H

#include "terminal.h"

#define PROMPT    "nsmodel> "
#define INTERRUPT "\003"
#define END       "\004"
#define UP        "\033[A"

/* Each test sits in an empty folder, which is its home too. */
void repl_setup(void);
void repl_teardown(void);

/* How a shell runs the program. */
const char *repl_program(void);

void repl_start(terminal *t);
/* Type a line; what it shows up to the next prompt is this. */
void repl_say(terminal *t, const char *line, const char *answer);
void repl_leave(terminal *t);

/* A file that holds this and is its owner's alone. */
void repl_file_is(const char *path, const char *content);

#endif
