/* terminal.c -- a person types: editing, history and completion by readline, which nothing else here knows
 *
 * readline calls back with each line.  Ctrl-C is let through only while waiting for a key, so that it finds a line to
 * drop and nothing half-done.  A paste of several lines comes as one text with ends of lines in it.
 */
#include "cli/repl/repl.h"
#include "core/memory.h"
#include "io/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what was typed, kept from session to session in a file that only its owner can read
 *
 * NSMODEL_HISTORY names the file, ~/.nsmodel_history when it is not set, none when it is empty.  Each statement is
 * appended as it is run, so that sessions side by side lose nothing. */

enum { KEPT = 2000 };

static char path[4096];

/* The file with the lines that are kept; one that cannot be written stays longer than it needs to be. */
static void rewrite(void)
{
    ns_whole_file whole;
    if (ns_whole_file_begin(path, NS_FOR_OWNER, &whole, NULL) != NS_OK)
        return;
    for (HIST_ENTRY *const *line = history_list(); line != NULL && *line != NULL; line++)
        fprintf(whole.file, "%s\n", (*line)->line);
    (void)ns_whole_file_end(&whole, NS_OK, NULL);
}

static void ns_history_open(ns_repl *repl)
{
    using_history();
    const char *given = getenv("NSMODEL_HISTORY"), *home = getenv("HOME");
    int length = given != NULL                   ? snprintf(path, sizeof path, "%s", given)
                 : home != NULL && *home != '\0' ? snprintf(path, sizeof path, "%s/.nsmodel_history", home)
                                                 : 0;
    if (!(length > 0 && (size_t)length < sizeof path)) {
        path[0] = '\0';
        return;
    }
    errno = 0;
    /* There, a plain file, and nobody else's to read. */
    struct stat is;
    const int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0600);
    const bool good = file >= 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode) && fchmod(file, 0600) == 0;
    if (file >= 0)
        close(file);
    if (file >= 0 && !good && errno == 0)
        errno = EINVAL;
    if (!good) {
        fprintf(repl->err, "history is not kept: %s: %s\n", path, strerror(errno));
        path[0] = '\0';
        return;
    }
    (void)read_history(path);
    const bool shorten = history_length > 2 * KEPT;
    stifle_history(KEPT);
    if (shorten)
        rewrite();
}

/* One line: comments and ends of lines are taken out. */
static char *one_line(const char *statement)
{
    char *line = ns_malloc(strlen(statement) + 1), *to = line;
    if (line == NULL)
        return NULL;
    const bool several = strchr(statement, '\n') != NULL;
    for (const char *c = statement; *c != '\0'; c++) {
        if (c[0] == '\\' && c[1] == '\n') /* the line goes on */
            continue;
        if (several && *c == '#')
            c += strcspn(c, "\n");
        if (*c == '\0')
            break;
        *to++ = *c == '\n' ? ' ' : *c;
    }
    while (to > line && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    *to = '\0';
    return line;
}

static void ns_history_add(const char *statement)
{
    char *line = one_line(statement);
    const HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    /* a line that begins with a blank is not to be kept, as in shells; nor is the same one again */
    if (line != NULL && *line != '\0' && *line != ' ' && (last == NULL || strcmp(last->line, line) != 0)) {
        add_history(line);
        if (path[0] != '\0') {
            /* One writing, so that lines of sessions side by side do not mix. */
            const size_t length = strlen(line);
            char *ended = ns_malloc(length + 2);
            const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
            if (ended != NULL && file >= 0) {
                snprintf(ended, length + 2, "%s\n", line);
                (void)ns_write_all(file, ended, length + 1);
            }
            if (file >= 0)
                (void)close(file);
            ns_free(ended);
        }
    }
    ns_free(line);
}

static ns_repl *session; /* readline's callbacks get no argument */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

/* Hold Ctrl-C back until the next key is waited for; one that is already held back, for a command, is forgotten. */
static void hold_interrupt(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &held, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    action.sa_handler = on_interrupt;
    (void)sigaction(SIGINT, &action, NULL);
}

static const char *prompt(void)
{
    return ns_repl_is_pending(session) ? "    ...> " : "nsmodel> ";
}

/* ---- completion ------------------------------------------------------------------------------------------------- */

static ns_candidates found;
static size_t next_found;

static char *copy_next(const char *text, int state)
{
    (void)text;
    next_found = state == 0 ? 0 : next_found;
    if (next_found == found.count)
        return NULL;
    const char *name = found.of[next_found++].text;
    char *copy = malloc(strlen(name) + 1);
    return copy != NULL ? strcpy(copy, name) : NULL;
}

static char **complete(const char *text, int start, int end)
{
    char line[8192];
    rl_attempted_completion_over = 1;
    snprintf(line, sizeof line, "%.*s", end, rl_line_buffer);
    ns_candidates_free(&found);
    ns_repl_complete(session, line, (size_t)start < strlen(line) ? (size_t)start : strlen(line), &found);
    rl_filename_completion_desired = 0;
    if (found.files) {
        /* What a file begins as goes with the names. */
        char *file;
        for (int state = 0; (file = rl_filename_completion_function(text, state)) != NULL; state = 1) {
            ns_candidates_add(&found, "", file, "", "");
            free(file);
        }
    }
    /* Nothing may come between this and what follows: a call, an input, a folder, anything inside an expression. */
    const size_t length = strlen(found.of[0].text);
    const bool command = ns_builtin_find(found.of[0].text, length) != NULL ||
                         ns_program_find(session->program, found.of[0].text, length) != NULL;
    if (found.count == 1)
        rl_completion_suppress_append = length == 0 || strchr("(=:/", found.of[0].text[length - 1]) != NULL ||
                                        (!command && strchr(ns_complete_breaks(session, line), '(') != NULL);
    return rl_completion_matches(text, copy_next);
}

static char *breaks(void)
{
    static char text[64];
    char line[8192];
    snprintf(line, sizeof line, "%.*s", rl_point, rl_line_buffer);
    snprintf(text, sizeof text, "%s", ns_complete_breaks(session, line));
    return text;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static char *kept; /* the lines of a statement, for history */

static void remember(const char *line)
{
    const size_t before = kept != NULL ? strlen(kept) : 0;
    char *longer = ns_realloc(kept, before + strlen(line) + 2);
    if (longer == NULL)
        return;
    snprintf(longer + before, strlen(line) + 2, "%s%s", before > 0 ? "\n" : "", line);
    kept = longer;
    if (ns_repl_is_pending(session))
        return;
    ns_history_add(kept);
    ns_free(kept);
    kept = NULL;
}

static void forget(void)
{
    ns_repl_drop(session);
    ns_free(kept);
    kept = NULL;
}

/* What was pasted may hold several lines; what fails ends it. */
static void take(char *text)
{
    ns_status status = NS_OK;
    for (char *line = text, *end; line != NULL && status == NS_OK && !session->ended; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (end != NULL && *end == '\0')
            end = NULL;
        const bool blank = line[strspn(line, " \t")] == '\0';
        status = ns_repl_line(session, line);
        if (!blank)
            remember(line);
        if (status != NS_OK && end != NULL)
            fprintf(session->err, "the rest of what was pasted is left out\n");
    }
}

static void on_line(char *line)
{
    rl_callback_handler_remove(); /* the terminal is the commands' meanwhile */
    if (line == NULL) {
        fputc('\n', rl_outstream);
        (void)ns_repl_finish(session);
        session->ended = true;
        return;
    }
    /* while a statement runs, Ctrl-C breaks off what waits for a file, and a command, which is a process of its own */
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    take(line);
    free(line);
    hold_interrupt();
    interrupted = 0;
    if (!session->ended)
        rl_callback_handler_install(prompt(), on_line);
}

ns_status ns_repl_terminal(ns_repl *repl, ns_error *err)
{
    (void)err;
    session = repl;
    rl_readline_name = "nsmodel";
    rl_outstream = isatty(fileno(session->out)) ? session->out : session->err;
    rl_catch_signals = 1;
    rl_attempted_completion_function = complete;
    rl_completion_word_break_hook = breaks;
    rl_completer_quote_characters = "";
    (void)rl_variable_bind("enable-bracketed-paste", "on");
    (void)rl_variable_bind("blink-matching-paren", "off");
    hold_interrupt();
    fprintf(rl_outstream, "nsmodel %s -- expressions with units, models, commands\n", NS_VERSION);
    ns_help_first("", rl_outstream);
    fputs("? tells more, Ctrl-D ends\n", rl_outstream);
    ns_history_open(repl);
    sigset_t none;
    sigemptyset(&none);
    rl_callback_handler_install(prompt(), on_line);
    while (!session->ended) {
        fd_set input;
        FD_ZERO(&input);
        FD_SET(STDIN_FILENO, &input);
        const int ready = pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &none);
        if (interrupted) {
            /* Ctrl-C: the line and what it goes on are dropped. */
            interrupted = 0;
            rl_callback_sigcleanup();
            forget();
            fputs("^C\n", rl_outstream);
            rl_free_line_state();
            rl_callback_handler_remove();
            rl_callback_handler_install(prompt(), on_line);
        } else if (ready > 0) {
            rl_callback_read_char();
            rl_check_signals(); /* a Ctrl-C that readline caught meanwhile must not wait for the next key, */
            rl_clear_signals(); /* and what it sends again, while held back here, must find this handler */
        } else if (errno != EINTR)
            break;
    }
    forget();
    ns_candidates_free(&found);
    return NS_OK;
}
