/* terminal.c -- interactive input: editing, history and completion by readline, which only this file uses
 *
 * readline calls back with each line.  SIGINT is unblocked only while waiting for a key, so that it interrupts nothing
 * but the line being typed.  A paste of several lines arrives as one text that contains newlines.
 */
#include "cli/front/own.h"
#include "cli/front/places.h"
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

/* ---- completions at a position of a line, determined by the text before it --------------------------------------- */

static const char command_breaks[] = " \t\n='\",";
static const char expression_breaks[] = " \t\n()[],=<>+*/^!";

/* Skip blanks and "nsmodel" before the statement. */
static const char *statement_of(const char *line)
{
    line += strspn(line, " \t\n");
    if (strncmp(line, "nsmodel ", 8) == 0)
        line += 8 + strspn(line + 8, " \t");
    return line;
}

/* Is *at past a command at the beginning of the line?  Built-in words count. */
static bool is_command_line(const ns_repl *repl, const char *statement, const ns_command **command,
                            const ns_builtin **builtin)
{
    const size_t length = strcspn(statement, " \t\n");
    *builtin = *statement == '?' ? ns_builtin_find("help", 4) : ns_builtin_find(statement, length);
    *command = ns_program_find(repl->program, statement, length);
    return (*builtin != NULL || *command != NULL) && (statement[length] != '\0' || *statement == '?');
}

/* The characters that end a word there. */
static const char *breaks_of(const ns_repl *repl, const char *line)
{
    const ns_command *command;
    const ns_builtin *builtin;
    return !ns_repl_is_pending(repl) && is_command_line(repl, statement_of(line), &command, &builtin)
               ? command_breaks
               : expression_breaks;
}

/* The last byte before a position that is not blank, or the position `begin`. */
static const char *before(const char *begin, const char *at)
{
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n'))
        at--;
    return at > begin ? at - 1 : begin;
}

/* The beginning of the word that ends before `end`. */
static const char *word_before(const char *begin, const char *end)
{
    while (end > begin && strchr(expression_breaks, end[-1]) == NULL)
        end--;
    return end;
}

/* ---- names of the session ---------------------------------------------------------------------------------------- */

static void add_functions(ns_candidates *list, const char *typed, const char *suffix)
{
    const ns_function *f;
    for (size_t i = 0; (f = ns_calc_function(i)) != NULL; i++)
        ns_candidates_add(list, typed, f->name, suffix, "");
}

static void add_variables(ns_candidates *list, const ns_repl *repl, const char *typed)
{
    const char *name;
    for (size_t i = 0; (name = ns_calc_variable(repl->calc, i, NULL)) != NULL; i++)
        ns_candidates_add(list, typed, name, "", "");
}

static void add_units(ns_candidates *list, const char *typed)
{
    char unit[24];
    const char *name;
    for (size_t i = 0; (name = ns_calc_unit(i, unit, sizeof unit)) != NULL; i++)
        ns_candidates_add(list, typed, name, "", "");
}

/* "4Ki" */
static void add_units_of_number(ns_candidates *list, const char *typed)
{
    char number[128], *stop;
    ns_strtod(typed, &stop);
    snprintf(number, sizeof number, "%.*s", (int)(stop - typed), typed);
    list->prefix = number;
    add_units(list, stop);
    list->prefix = NULL;
}

/* The machine's parameters, once something is typed. */
static void add_paths(ns_candidates *list, const ns_repl *repl, const char *typed)
{
    const ns_parameter *of = repl->machine->parameter;
    for (size_t i = 0; *typed != '\0' && i < repl->machine->parameters; i++)
        if (strchr(of[i].path, '.') != NULL)
            ns_candidates_add(list, typed, of[i].path, "", of[i].doc);
}

static void add_commands(const ns_repl *repl, ns_candidates *list, const char *typed)
{
    for (size_t i = 0; i < repl->program->commands; i++) {
        const ns_command *command = repl->program->command[i];
        if (command->talk == NULL && ns_builtin_find(command->name, strlen(command->name)) == NULL)
            ns_candidates_add(list, typed, command->name, "", command->summary);
    }
    for (const ns_builtin *b = ns_builtins; b->name != NULL; b++)
        ns_candidates_add(list, typed, b->name, "", b->doc);
}

/* ---- commands: completed as in a shell -------------------------------------------------------------------------- */

/* Shell words are longer than those of readline, whose word begins at `word`. */
static void complete_command(const ns_repl *repl, ns_candidates *list, const char *statement, const char *word)
{
    static const char program[] = "nsmodel ";
    const size_t size = sizeof program + strlen(statement);
    NS_OWN(ns_free) char *line = ns_malloc(size);
    NS_CLOSE(ns_candidates_free) ns_candidates found = {.count = 0};
    const char *begin = word;
    if (line == NULL)
        return;
    while (begin > statement && strchr(" \t\n", begin[-1]) == NULL)
        begin--;
    snprintf(line, size, "%s%s", program, statement);
    ns_complete_words(repl->program, line, &found);
    for (size_t i = 0; i < found.count; i++)
        if (strncmp(found.of[i].text, begin, (size_t)(word - begin)) == 0)
            ns_candidates_add(list, word, found.of[i].text + (word - begin), "", found.of[i].doc);
    list->files = list->files || found.files;
}

/* ---- expressions ------------------------------------------------------------------------------------------------ */

/* The model whose call is open at a position, and ends there where that is a ")"; or NULL. */
static const ns_model *open_call(const char *begin, const char *at)
{
    int closed = 0;
    for (; at > begin; at--) {
        closed += (at[-1] == ')') - (at[-1] == '(');
        if (closed < 0) {
            const char *name = word_before(begin, at - 1);
            return ns_calc_model(name, (size_t)(at - 1 - name));
        }
    }
    return NULL;
}

/* A unit may follow a number, "in", or the "/" of a unit. */
static bool wants_unit(const char *begin, const char *word)
{
    const char *last = before(begin, word), *previous = word_before(begin, last + 1);
    char *stop;
    if (*word >= '0' && *word <= '9')
        return true;
    if (*last == '/' && last + 1 == word) {
        const char *unit = word_before(begin, last);
        ns_strtod(unit, &stop);
        char name[64];
        double factor;
        ns_dim dim;
        snprintf(name, sizeof name, "%.*s", (int)(last - stop), stop);
        return stop < last && ns_unit_parse(name, &factor, &dim, NULL) == NS_OK;
    }
    if (word <= last + 1 || previous == last + 1)
        return false;
    ns_strtod(previous, &stop);
    const bool number = ((*previous >= '0' && *previous <= '9') || *previous == '.') && stop == last + 1;
    return number || (last + 1 - previous == 2 && memcmp(previous, "in", 2) == 0);
}

static void complete_expression(ns_candidates *list, const ns_repl *repl, const char *begin, const char *word)
{
    const char *last = before(begin, word);
    const ns_model *model = open_call(begin, word);
    const ns_model *ended = *word == '.' && last + 1 == word && *last == ')' ? open_call(begin, last) : NULL;
    if (ended != NULL) {
        list->prefix = ".";
        for (const ns_field *f = ended->outputs; f->kind != NS_FIELD_END; f++)
            ns_candidates_add(list, word + 1, f->name, "", f->doc);
        list->prefix = NULL;
        return;
    }
    if (wants_unit(begin, word)) {
        add_units_of_number(list, word);
        return;
    }
    if (model != NULL && (*last == '(' || *last == ',')) {
        ns_candidates_inputs(list, model, word);
        ns_candidates_add(list, word, "machine", "=", "");
        return;
    }
    if (model != NULL && *last == '=') {
        const char *end = last;
        while (end > begin && end[-1] == ' ')
            end--;
        const char *input = word_before(begin, end);
        const size_t length = (size_t)(end - input);
        if (length == 7 && memcmp(input, "machine", 7) == 0 && ns_field_find(model->inputs, "machine") == NULL)
            ns_candidates_machines(list, word);
        else
            ns_candidates_choices(list, model, input, length, word);
    }
    if (list->count > 0)
        return;
    add_variables(list, repl, word);
    add_functions(list, word, "(");
    ns_candidates_models(list, word, "(");
    add_paths(list, repl, word);
    ns_candidates_add(list, word, "ans", "", "");
    if (*word != '\0')
        add_units_of_number(list, word);
}

/* Every completion of the text, whose last word begins at `word`. */
static void complete_text(const ns_repl *repl, const char *text, const char *word, ns_candidates *list)
{
    const char *statement = statement_of(text);
    const ns_command *command;
    const ns_builtin *builtin;
    if (!is_command_line(repl, statement, &command, &builtin)) {
        complete_expression(list, repl, statement, word);
        if (statement == word)
            add_commands(repl, list, word);
    } else if (builtin == NULL) {
        complete_command(repl, list, statement, word);
    } else if (strcmp(builtin->name, "help") == 0) {
        static const char *const topics[] = {"functions", "units", "models", "commands"};
        const bool mark = *word == '?';
        const char *typed = word + mark;
        list->prefix = mark ? "?" : NULL;
        for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
            ns_candidates_add(list, typed, topics[i], "", "");
        add_commands(repl, list, typed);
        ns_candidates_models(list, typed, "");
        ns_candidates_machines(list, typed);
        add_units(list, typed);
        add_functions(list, typed, "");
        add_variables(list, repl, typed);
        add_paths(list, repl, typed);
        list->prefix = NULL;
        list->files = false;
    } else if (strcmp(builtin->name, "machine") == 0) { /* NAME PATH=VALUE... */
        char name[256];
        NS_OWN(ns_machine_free) ns_machine *machine = NULL;
        const char *begin = statement + strcspn(statement, " \t");
        begin += strspn(begin, " \t");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, " \t"), begin);
        if (begin >= word)
            ns_candidates_machines(list, word);
        else if (word[-1] != '=' && ns_machine_find(name, &machine, NULL) == NS_OK)
            for (size_t i = 0; i < machine->parameters; i++)
                ns_candidates_add(list, word, machine->parameter[i].path, "=", "");
    } else if (command != NULL) { /* "matrix" is both a built-in word and a command */
        complete_command(repl, list, statement, word);
        if (*word != '-' && before(statement, word) < statement + strlen(builtin->name))
            ns_candidates_matrices(list, word);
    }
}

/* ---- the history, kept between sessions in a file that only its owner can read
 *
 * NSMODEL_HISTORY names the file, ~/.nsmodel_history when it is not set, none when it is empty.  Each statement is
 * appended as it is run, so that concurrent sessions lose nothing. */

enum { KEPT = 2000 };

static char path[4096];

static void history_open(ns_repl *repl)
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
    /* It exists, is a regular file, and only the user can read it. */
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
    ns_whole_file whole;
    stifle_history(KEPT);
    /* Shorten the file to the lines that are kept; if it cannot be written, it is left as it is. */
    if (shorten && ns_whole_file_begin(path, NS_FOR_OWNER, &whole, NULL) == NS_OK) {
        for (HIST_ENTRY *const *line = history_list(); line != NULL && *line != NULL; line++)
            fprintf(whole.file, "%s\n", (*line)->line);
        (void)ns_whole_file_end(&whole, NS_OK, NULL);
    }
}

/* A statement as one line, without comments and newlines. */
static void history_add(const char *statement)
{
    NS_OWN(ns_free) char *line = ns_malloc(strlen(statement) + 2);
    char *to = line;
    if (line == NULL)
        return;
    const bool several = strchr(statement, '\n') != NULL;
    for (const char *c = statement; *c != '\0'; c++) {
        if (c[0] == '\\' && c[1] == '\n') /* the line is continued */
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
    const HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    /* a line that begins with a blank is not kept, as in shells; nor is a repetition of the last one */
    if (*line != '\0' && *line != ' ' && (last == NULL || strcmp(last->line, line) != 0)) {
        add_history(line);
        /* A single write, so that lines of concurrent sessions do not mix. */
        const int file = path[0] != '\0' ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
        *to++ = '\n';
        if (file >= 0) {
            (void)ns_write_all(file, line, (size_t)(to - line));
            (void)close(file);
        }
    }
}

static ns_repl *session; /* readline's callbacks get no argument */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

/* Block SIGINT until the next key is awaited; a pending one, meant for a command, is discarded. */
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
    const char *pending = session->pending != NULL ? session->pending : "";
    char line[8192];
    rl_attempted_completion_over = 1;
    snprintf(line, sizeof line, "%.*s", end, rl_line_buffer);
    ns_candidates_free(&found);
    const size_t before_it = strlen(pending), length = strlen(line);
    NS_OWN(ns_free) char *whole = ns_malloc(before_it + length + 1);
    if (whole != NULL) {
        snprintf(whole, before_it + length + 1, "%s%s", pending, line);
        complete_text(session, whole, whole + before_it + ((size_t)start < length ? (size_t)start : length), &found);
    }
    rl_filename_completion_desired = 0;
    if (found.files) {
        /* Files that begin so are listed together with the names. */
        char *file;
        for (int state = 0; (file = rl_filename_completion_function(text, state)) != NULL; state = 1) {
            ns_candidates_add(&found, "", file, "", "");
            free(file);
        }
    }
    if (found.count == 1) {
        /* Add no space after a completion that continues: a call, an input, a folder, anything in an expression. */
        const char *name = found.of[0].text;
        const size_t letters = strlen(name);
        const bool command =
            ns_builtin_find(name, letters) != NULL || ns_program_find(session->program, name, letters) != NULL;
        rl_completion_suppress_append = letters == 0 || strchr("(=:/", name[letters - 1]) != NULL ||
                                        (!command && strchr(breaks_of(session, line), '(') != NULL);
    }
    return rl_completion_matches(text, copy_next);
}

static char *breaks(void)
{
    static char text[64];
    char line[8192];
    snprintf(line, sizeof line, "%.*s", rl_point, rl_line_buffer);
    snprintf(text, sizeof text, "%s", breaks_of(session, line));
    return text;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static char *kept; /* the lines of a statement, for the history */

static void forget(void)
{
    ns_repl_drop(session);
    ns_free(kept);
    kept = NULL;
}

static void on_line(char *text)
{
    rl_callback_handler_remove(); /* the commands own the terminal meanwhile */
    if (text == NULL) {
        fputc('\n', rl_outstream);
        (void)ns_repl_finish(session);
        session->ended = true;
        return;
    }
    /* while a statement runs, Ctrl-C interrupts waiting for a file, and a command, which is a separate process */
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    /* Pasted text may contain several lines; the first failure ends it. */
    ns_status status = NS_OK;
    for (char *line = text, *end; line != NULL && status == NS_OK && !session->ended; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (end != NULL && *end == '\0')
            end = NULL;
        const bool blank = line[strspn(line, " \t")] == '\0';
        status = ns_repl_line(session, line);
        const size_t used = kept != NULL ? strlen(kept) : 0, size = used + strlen(line) + 2;
        char *longer = blank ? NULL : ns_realloc(kept, size);
        if (longer != NULL) {
            snprintf(longer + used, size - used, "%s%s", used > 0 ? "\n" : "", line);
            kept = longer;
        }
        if (longer != NULL && !ns_repl_is_pending(session)) {
            history_add(kept);
            ns_free(kept);
            kept = NULL;
        }
        if (status != NS_OK && end != NULL)
            fprintf(session->err, "the rest of what was pasted is left out\n");
    }
    free(text);
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
    history_open(repl);
    sigset_t none;
    sigemptyset(&none);
    rl_callback_handler_install(prompt(), on_line);
    while (!session->ended) {
        fd_set input;
        FD_ZERO(&input);
        FD_SET(STDIN_FILENO, &input);
        const int ready = pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &none);
        if (interrupted) {
            /* Ctrl-C: drop the line and the statement that it continues. */
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
            rl_clear_signals(); /* and the one that it sends again, while blocked here, must reach this handler */
        } else if (errno != EINTR)
            break;
    }
    forget();
    ns_candidates_free(&found);
    return NS_OK;
}
