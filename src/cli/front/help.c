/* help.c -- help texts from the descriptors, to fit a screen of 24 lines of 80 columns
 *
 * Every text in full where the whole page fits; otherwise each option's first clause, on one line.  The man pages have
 * all.
 */
#include "cli/front/command.h"
#include "cli/front/words.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST_LEFT = 27, GAP = 2, LEFT = 120, TEXT = 600 };

typedef struct page {
    bool short_texts, dense;
    int letters;    /* columns for "-n, " */
    int left;       /* columns for all that stands left of the words */
} page;

static void put_left(const ns_option *option, const page *p, char left[LEFT])
{
    char letter[8] = "";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, LEFT, "%*s%-*s--%s%s%s", GAP, "", p->letters, letter, option->name,
             option->argument != NULL ? " " : "", option->argument != NULL ? option->argument : "");
}

static void measure(const ns_option *options, page *p)
{
    char left[LEFT];
    for (const ns_option *o = options; o->name != NULL; o++)
        p->letters = o->letter != 0 ? 4 : p->letters;
    for (const ns_option *o = options; o->name != NULL; o++) {
        put_left(o, p, left);
        const int length = (int)strlen(left);
        p->left = length > p->left && length <= WIDEST_LEFT ? length : p->left;
    }
}

static void print_row(FILE *out, const char *left, const char *words, const char *end, const page *p)
{
    char cut[TEXT], whole[2 * TEXT];
    const int length = (int)strlen(left), column = (length > p->left ? length : p->left) + GAP;
    if (p->short_texts)
        words = ns_first_clause(words, NS_SCREEN_COLUMNS - column - (int)strlen(end), cut, sizeof cut);
    snprintf(whole, sizeof whole, "%s%s", words, end);
    fprintf(out, "%-*s%*s", p->left, left, GAP, "");
    ns_wrap(out, whole, column, p->left + GAP, NS_SCREEN_COLUMNS, "");
}

static void print_option(FILE *out, const ns_option *option, const page *p)
{
    char left[LEFT], fallback[TEXT] = "", doc[NS_OPTION_DOC];
    put_left(option, p, left);
    if (option->fallback != NULL)
        snprintf(fallback, sizeof fallback, " [%s]", option->fallback);
    print_row(out, left, ns_option_doc(option, doc, sizeof doc), fallback, p);
}

/* "--format table|json|csv, --json, -o FILE, --help" */
static void print_common(FILE *out)
{
    char text[TEXT] = "as everywhere:";
    for (const ns_option *o = ns_common_options; o->name != NULL; o++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s --%s%s%s", used > 14 ? "," : "", o->name,
                 o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
    }
    ns_wrap(out, text, 0, 2, NS_SCREEN_COLUMNS, "");
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
    const char *gap = p->dense ? "" : "\n";
    snprintf(label, sizeof label, "%s %s -- ", ns_command_program(command), command->name);
    print_paragraph(out, label, command->summary, "", "");
    fputs(gap, out);
    snprintf(label, sizeof label, "usage: %s %s%s", ns_command_program(command), command->name,
             *command->usage != '\0' ? " " : "");
    print_paragraph(out, label, command->usage, " [OPTION...]", "");
    fputs(command->options->name != NULL ? gap : "", out);
    for (const ns_option *o = command->options; o->name != NULL; o++)
        print_option(out, o, p);
    fputs(gap, out);
    print_common(out);
    print_paragraph(out, "example: ", command->example, "", " \\");
}

static void print_list(FILE *out, const ns_program *program, const page *p)
{
    const char *gap = p->dense ? "" : "\n";
    fprintf(out, "nsmodel %s -- what communication costs on supercomputers, in closed form\n%s"
                 "usage: nsmodel COMMAND [OPTION...]\n%s", NS_VERSION, gap, gap);
    for (size_t i = 0; i < program->commands; i++) {
        char left[LEFT];
        snprintf(left, sizeof left, "  %s", program->command[i]->name);
        print_row(out, left, program->command[i]->summary, "", p);
    }
    fprintf(out, "%s`nsmodel COMMAND --help` tells more; `nsmodel --version` the version.\n"
                 "example: nsmodel predict --matrix audikw_1\n", gap);
}

/* Print a command's page or the list with the first of three layouts that fits the screen, else the last. */
static void print_fitting(FILE *out, const ns_program *program, const ns_command *command, page p)
{
    char *text = NULL;
    for (int attempt = 0; attempt < 3; attempt++) {
        size_t size = 0;
        int lines = 0;
        free(text);
        p.short_texts = attempt > 0;
        p.dense = attempt > 1;
        FILE *memory = open_memstream(&text, &size);
        if (memory == NULL)
            return;
        if (command != NULL)
            print_command(memory, command, &p);
        else
            print_list(memory, program, &p);
        if (fclose(memory) != 0)
            break;
        for (const char *c = text; *c != '\0'; c++)
            lines += *c == '\n';
        if (lines <= NS_SCREEN_LINES)
            break;
    }
    if (text != NULL)
        fputs(text, out);
    free(text);
}

void ns_help_command(const ns_command *command, FILE *out)
{
    page p = {0};
    measure(command->options, &p);
    print_fitting(out, NULL, command, p);
}

void ns_help_all(const ns_program *program, FILE *out)
{
    print_fitting(out, program, NULL, (page){.left = 13});
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

/* How the program gives what would help, behind the text; %s is the subject. */
static void append_remedy(const ns_error *err, char *buffer, size_t size)
{
    const char *s = err->subject;
    const size_t used = strlen(buffer);
    char *at = buffer + used;
    const size_t room = size - used;
    switch (err->remedy) {
    case NS_REMEDY_MODELS: snprintf(at, room, "; `nsmodel models` lists them"); break;
    case NS_REMEDY_INPUTS: snprintf(at, room, "; `nsmodel models %s` lists its inputs", s); break;
    case NS_REMEDY_MACHINES: snprintf(at, room, "; `nsmodel machines` lists the machines"); break;
    case NS_REMEDY_PARAMETERS: snprintf(at, room, "; `nsmodel machines %s` lists them", s); break;
    case NS_REMEDY_TABLES: snprintf(at, room, ": give --machine NAME"); break;
    case NS_REMEDY_NUMBERS: snprintf(at, room, "; --machine can give some of them"); break;
    case NS_REMEDY_CATALOGUE: snprintf(at, room, "; `nsmodel matrix list` lists its %s", s); break;
    case NS_REMEDY_MATRIX:
        snprintf(at, room,
                 ": `nsmodel matrix where %s` tells where it was looked for, `nsmodel matrix get %s` fetches it", s, s);
        break;
    case NS_NO_REMEDY: break;
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
