/* help.c -- help texts from the descriptors, 80 columns wide
 *
 * A page contains everything; on a terminal it is shown in the user's pager when it is longer than the screen.
 */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "cli/front/command.h"
#include "cli/front/words.h"
#include "core/memory.h"
#include "core/without.h"

#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the description of an option: {strategies} and similar words in its row are replaced by the names of a registry,
 * so that no list of them is typed by hand */

const char *ns_option_doc(const ns_option *option, char *text, size_t size)
{
    static const char *const said[] = {"{strategies}", "{transports}", "{forms}", "{networks}"};
    enum { STRATEGIES, TRANSPORTS, FORMS, NETWORKS, REGISTRIES };
    size_t at = 0;
    for (const char *c = option->doc; *c != '\0';) {
        const char *names[(int)NS_CHOICES > (int)NS_FORMS_MAX ? (int)NS_CHOICES : (int)NS_FORMS_MAX];
        size_t count = 0;
        int r = 0;
        while (r < REGISTRIES && strncmp(c, said[r], strlen(said[r])) != 0)
            r++;
        if (r == REGISTRIES) {
            if (at + 1 < size)
                text[at++] = *c;
            c++;
            continue;
        }
        if (r == STRATEGIES) {
            const ns_strategy *list[NS_CHOICES];
            count = ns_strategies_by_rank(list, NS_CHOICES);
            for (size_t i = 0; i < count; i++)
                names[i] = list[i]->name;
        } else if (r == FORMS) {
            const ns_form *list[NS_FORMS_MAX];
            count = ns_forms_by_rank(list, NS_FORMS_MAX);
            for (size_t i = 0; i < count; i++)
                names[i] = list[i]->name;
        } else if (r == TRANSPORTS)
            for (; count < NS_TRANSPORTS; count++)
                names[count] = ns_transport_words[count];
        else
            for (; ns_network_kinds[count].name != NULL; count++)
                names[count] = ns_network_kinds[count].name;
        for (size_t i = 0; i < count && at < size; i++)
            at += (size_t)snprintf(text + at, size - at, "%s%s", i == 0 ? "" : r < FORMS ? "," : ", ", names[i]);
        at = at < size ? at : size - 1;
        c += strlen(said[r]);
    }
    text[at] = '\0';
    return text;
}

/* ---- texts for people, cut to a width ---------------------------------------------------------------------------- */

const char *ns_first_clause(const char *text, int room, char *cut, size_t size)
{
    static const char more[] = " ...";
    int end = 0, depth = 0;
    if ((int)strlen(text) <= room)
        return text;
    for (int i = 1; text[i] != '\0' && i + (int)sizeof more - 1 <= room; i++) {
        const bool stop = strchr(",;:", text[i]) != NULL && text[i + 1] == ' ',
                   aside = text[i] == ' ' && strchr("([", text[i + 1]) != NULL;
        if (depth == 0 && (stop || aside))
            end = i;
        depth += (strchr("([", text[i]) != NULL) - (strchr(")]", text[i]) != NULL);
    }
    if (end == 0)
        return text;
    snprintf(cut, size, "%.*s%s", end, text, more);
    return cut;
}

ns_status ns_pass_on(const ns_error *inner, ns_error *err, const char *format, ...)
{
    char hint[200];
    va_list arguments;
    if (inner->code != NS_ERR_NAME || inner->file[0] != '\0' || strstr(inner->text, "; did you mean") != NULL)
        return ns_fail_at(err, inner->code, inner->file, inner->line, inner->column, "%s", inner->text);
    va_start(arguments, format);
    vsnprintf(hint, sizeof hint, format, arguments);
    va_end(arguments);
    return ns_fail(err, inner->code, "%s; %s", inner->text, hint);
}

extern char **environ;

enum { WIDEST_LEFT = 27, GAP = 2, LEFT = 120, TEXT = 600 };

typedef struct page {
    int letters; /* columns for "-n, " */
    int left;    /* columns left of the descriptions */
} page;

static void put_left(const ns_option *option, const page *p, char left[LEFT])
{
    char letter[8] = "";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, LEFT, "%*s%-*s--%s%s%s", GAP, "", p->letters, letter, option->name,
             option->argument != NULL ? " " : "", option->argument != NULL ? option->argument : "");
}

static void print_row(FILE *out, const char *left, const char *words, const char *end, const page *p)
{
    char whole[2 * TEXT];
    const int length = (int)strlen(left), column = (length > p->left ? length : p->left) + GAP;
    snprintf(whole, sizeof whole, "%s%s", words, end);
    fprintf(out, "%-*s%*s", p->left, left, GAP, "");
    ns_wrap(out, whole, column, p->left + GAP, NS_SCREEN_COLUMNS, "");
}

static void print_paragraph(FILE *out, const char *label, const char *text, const char *end, const char *joint)
{
    char whole[2 * TEXT];
    snprintf(whole, sizeof whole, "%s%s%s", label, text, end);
    ns_wrap(out, whole, 0, 4, NS_SCREEN_COLUMNS, joint);
}

static void print_command(FILE *out, const ns_command *command, const page *p)
{
    char label[TEXT];
    snprintf(label, sizeof label, "%s %s -- ", ns_command_program(command), command->name);
    print_paragraph(out, label, command->summary, "", "");
    fputc('\n', out);
    snprintf(label, sizeof label, "usage: %s %s%s", ns_command_program(command), command->name,
             *command->usage != '\0' ? " " : "");
    print_paragraph(out, label, command->usage, " [OPTION...]", "");
    fputs(command->options->name != NULL ? "\n" : "", out);
    for (const ns_option *o = command->options; o->name != NULL; o++) {
        char left[LEFT], fallback[TEXT] = "", doc[NS_OPTION_DOC];
        put_left(o, p, left);
        if (o->fallback != NULL)
            snprintf(fallback, sizeof fallback, " [%s]", o->fallback);
        print_row(out, left, ns_option_doc(o, doc, sizeof doc), fallback, p);
    }
    fputc('\n', out);
    /* "--format table|json|csv, --json, -o FILE, --help" */
    char text[TEXT] = "as everywhere:";
    for (const ns_option *o = ns_common_options; o->name != NULL; o++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s --%s%s%s", used > 14 ? "," : "", o->name,
                 o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
    }
    ns_wrap(out, text, 0, 2, NS_SCREEN_COLUMNS, "");
    print_paragraph(out, "example: ", command->example, "", " \\");
    if (command->program == NULL)
        fprintf(out, "more: man nsmodel-%s\n", command->name);
}

/* On a terminal of smaller height the text is shown by less, if it is installed. */
static void print_paged(const char *text, FILE *out)
{
    char name[] = "less", flags[] = "-FRX";
    char *const words[] = {name, flags, NULL};
    struct winsize size;
    int lines = 0, status = 1;
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    const bool longer = isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && lines >= size.ws_row &&
                        !ns_without(getenv(NS_WITHOUT), name);
    FILE *file = longer ? tmpfile() : NULL;
    posix_spawn_file_actions_t files;
    pid_t child;
    bool paged = file != NULL && fflush(out) == 0 && fputs(text, file) >= 0 && fflush(file) == 0 &&
                 lseek(fileno(file), 0, SEEK_SET) == 0 && posix_spawn_file_actions_init(&files) == 0;
    if (paged) {
        paged = posix_spawn_file_actions_adddup2(&files, fileno(file), STDIN_FILENO) == 0 &&
                posix_spawnp(&child, name, &files, NULL, words, environ) == 0 && waitpid(child, &status, 0) == child &&
                status == 0;
        posix_spawn_file_actions_destroy(&files);
    }
    if (file != NULL)
        fclose(file);
    if (!paged)
        fputs(text, out);
}

void ns_help_command(const ns_command *command, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    page p = {0};
    char left[LEFT];
    for (const ns_option *o = command->options; o->name != NULL; o++)
        p.letters = o->letter != 0 ? 4 : p.letters;
    for (const ns_option *o = command->options; o->name != NULL; o++) {
        put_left(o, &p, left);
        const int length = (int)strlen(left);
        p.left = length > p.left && length <= WIDEST_LEFT ? length : p.left;
    }
    FILE *memory = open_memstream(&text, &size);
    if (memory != NULL)
        print_command(memory, command, &p);
    if (memory == NULL || fclose(memory) != 0 || text == NULL)
        print_command(out, command, &p); /* when memory is out, print directly */
    else
        print_paged(text, out);
    free(text);
}

void ns_help_first(const char *program, FILE *out)
{
    static const char *const first[][2] = {
        {"predict audikw_1", "which exchange strategy wins, and how sure that is"},
        {"fit LOG... -o mine.json", "a machine file from ping-pong logs"},
        {"netsparse NotreDame_www --nodes 8", "what hardware in the network would change"},
    };
    fputs("Three things to try:\n", out);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        fprintf(out, "  %s%-35s%s\n", program, first[i][0], first[i][1]);
}

ns_status ns_help_all(const ns_program *program, FILE *out, ns_error *err)
{
    char *text = NULL;
    size_t size = 0;
    const page p = {.left = 13};
    FILE *memory = open_memstream(&text, &size);
    if (memory != NULL) {
        fprintf(memory,
                "nsmodel %s -- what communication costs on supercomputers, in closed form\n\n"
                "usage: nsmodel COMMAND [OPTION...]\n\n",
                NS_VERSION);
        for (size_t i = 0; i < program->commands; i++) {
            char left[LEFT];
            snprintf(left, sizeof left, "  %s", program->command[i]->name);
            print_row(memory, left, program->command[i]->summary, "", &p);
        }
        fprintf(memory, "\n`nsmodel COMMAND --help` tells more; `nsmodel --version` the version.\n"
                        "example: nsmodel predict --matrix audikw_1\n");
    }
    if (memory == NULL || fclose(memory) != 0 || text == NULL) { /* its last realloc may leave it NULL */
        free(text);
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    }
    print_paged(text, out);
    free(text);
    return NS_OK;
}

const ns_command *ns_program_find(const ns_program *program, const char *name, size_t length)
{
    for (size_t i = 0; i < program->commands; i++) {
        const ns_command *command = program->command[i];
        if (strlen(command->name) == length && memcmp(command->name, name, length) == 0)
            return command;
    }
    return NULL;
}

/* Append the remedy to the text, as a hint for this program; % is the subject. */
static void append_remedy(const ns_error *err, char *buffer, size_t size)
{
    static const char *const remedies[] = {
        [NS_NO_REMEDY] = "",
        [NS_REMEDY_MODELS] = "; `nsmodel models` lists them",
        [NS_REMEDY_INPUTS] = "; `nsmodel models %` lists its inputs",
        [NS_REMEDY_MACHINES] = "; `nsmodel machines` lists the machines",
        [NS_REMEDY_PARAMETERS] = "; `nsmodel machines %` lists them",
        [NS_REMEDY_CHECK] = "; `nsmodel machines % --check` says which benchmark measures what is missing",
        [NS_REMEDY_TABLES] = ": give --machine NAME",
        [NS_REMEDY_NUMBERS] = "; --machine can give some of them",
        [NS_REMEDY_CATALOGUE] = "; `nsmodel matrix list` lists its %",
        [NS_REMEDY_MATRIX] =
            ": `nsmodel matrix where %` tells where it was looked for, `nsmodel matrix get %` fetches it"};
    size_t used = strlen(buffer);
    for (const char *c = remedies[err->remedy]; *c != '\0' && used + 1 < size; used = strlen(buffer)) {
        const size_t plain = strcspn(c, "%");
        snprintf(buffer + used, size - used, "%.*s%s", (int)plain, c, c[plain] == '%' ? err->subject : "");
        c += plain + (c[plain] == '%');
    }
}

const char *ns_error_line(const ns_error *err, char *buffer, size_t size)
{
    static const char *const options[] = {
        [NS_NO_LIMIT] = "", [NS_LIMIT_MEMORY] = " (--max-memory)", [NS_LIMIT_WORK] = " (--max-work)"};
    ns_error_format(err, buffer, size);
    append_remedy(err, buffer, size);
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", options[err->limit]);
    return buffer;
}

const char *ns_error_words(const ns_error *err, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", err->text);
    append_remedy(err, buffer, size);
    return buffer;
}
