/* history.c -- what was typed, kept from session to session in a file that only its owner can read
 *
 * NSMODEL_HISTORY names the file, ~/.nsmodel_history when it is not set, none when it is empty.  Each statement is
 * appended as it is run, so that sessions side by side lose nothing.
 */
#include "cli/repl/repl.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

#include "io/whole_file.h"

enum { KEPT = 2000 };

static char path[4096];

static bool choose_path(void)
{
    const char *given = getenv("NSMODEL_HISTORY"), *home = getenv("HOME");
    int length = given != NULL                   ? snprintf(path, sizeof path, "%s", given)
                 : home != NULL && *home != '\0' ? snprintf(path, sizeof path, "%s/.nsmodel_history", home)
                                                 : 0;
    return length > 0 && (size_t)length < sizeof path;
}

/* There, a plain file, and nobody else's to read. */
static bool prepare(void)
{
    struct stat is;
    const int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0600);
    const bool good = file >= 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode) && fchmod(file, 0600) == 0;
    if (file >= 0)
        close(file);
    if (file >= 0 && !good && errno == 0)
        errno = EINVAL;
    return good;
}

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

/* One writing, so that lines of sessions side by side do not mix. */
static void append(const char *line)
{
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

void ns_history_open(ns_repl *repl)
{
    using_history();
    if (!choose_path()) {
        path[0] = '\0';
        return;
    }
    errno = 0;
    if (!prepare()) {
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

void ns_history_add(const char *statement)
{
    char *line = one_line(statement);
    const HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    /* a line that begins with a blank is not to be kept, as in shells; nor is the same one again */
    if (line != NULL && *line != '\0' && *line != ' ' && (last == NULL || strcmp(last->line, line) != 0)) {
        add_history(line);
        if (path[0] != '\0')
            append(line);
    }
    ns_free(line);
}
