/* pages.c -- pages about the program, printed from the tables that drive it */
#include "cli/program/pages.h"
#include "cli/front/candidates.h"
#include "cli/program/program.h"

#include <stdarg.h>
#include <string.h>

/* ---- manual pages from the descriptors, in man(7) macros --------------------------------------------------------- */

/* A table of names and their meanings. */
typedef struct entry {
    const char *name, *doc;
} entry;

static const entry environment[] = {
    {"NSMODEL_MACHINE", "the machine where none is given: a name, or a file"},
    {"NSMODEL_MATRIX_PATH",
     "folders with colons in between: where matrices are looked for by name, before every cache"},
    {"NSMODEL_HISTORY", "the file that keeps what was typed in a session; empty: none"},
    {"NSMODEL_WITHOUT",
     "what acts as missing, with commas in between, as scotch,gnuplot; nsmodel doctor lists the words"},
    {"XDG_CONFIG_HOME, XDG_CACHE_HOME, HOME", "where the folders of FILES are, and the caches of ssget and ssgetpy"},
    {"COLUMNS", "columns of a table and of a text plot, in the place of the terminal's"},
    {"NO_COLOR", "when set and not empty, a terminal is shown no colours"},
    {"LC_ALL, LC_CTYPE, LANG", "the first that is set says whether text plots may use Braille: one with UTF-8"},
    {"MPICH_GPU_SUPPORT_ENABLED", "1: the MPI of nsmodel-mpi measure takes device memory, as HPE's does then"},
    {"PATH", "where gnuplot, less, man and the programs of doctor are looked for"},
    {"http_proxy, https_proxy, no_proxy", "as curl reads them: the way to the matrix collection"},
    {NULL, NULL},
};

static const entry files[] = {
    {"$XDG_CONFIG_HOME/nsmodel/machines/NAME.json, else ~/.config/nsmodel/machines/NAME.json",
     "a machine of one's own, taken by its name"},
    {"$XDG_CACHE_HOME/nsmodel, else ~/.cache/nsmodel", "matrices that were fetched by nsmodel matrix get"},
    {"~/.nsmodel_history", "what was typed in sessions, unless NSMODEL_HISTORY says otherwise"},
    {NULL, NULL},
};

static const entry exits[] = {
    {"0", "an answer was printed"},
    {"1",
     "an input is bad, or the evaluation failed; one line on standard error says what was found and what was wanted"},
    {"2", "the command line cannot be parsed"},
    {NULL, NULL},
};

static const entry inputs[] = {
    {"quantities", "carry a unit: 4KiB, 1.5us, 23.9GB/s, 100Gbit/s. k is 1000, Ki is 1024, B is the byte, bit the bit. "
                   "A number without a unit is refused where a unit belongs"},
    {"lists and ranges", "8,16,32; 1:1MiB:x2 doubles; 0:100:+10 adds"},
    {"matrices", "a file (Matrix Market, plain or gzip, a SuiteSparse .tar.gz, our .nsp), a stencil such as "
                 "stencil9:3200x3200, or a name: GROUP/NAME or NAME. A name is looked up as a file, in "
                 "NSMODEL_MATRIX_PATH, in the caches of ssget and ssgetpy, in the user's cache, among the matrices "
                 "inside the program, and at last among generated surrogates, which say that they are"},
    {"machines", "a name, or a file of one's own: FILE.json"},
    {NULL, NULL},
};

/* Text in the roman font; troff's special characters are escaped. */
static void put_text(FILE *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '\\')
            fputs("\\e", out);
        else if ((c == text || c[-1] == '\n') && (*c == '.' || *c == '\''))
            fprintf(out, "\\&%c", *c);
        else if (*c == '-')
            fputs("\\-", out);
        else
            fputc(*c, out);
}

/* A cell of a Markdown table; | would end the cell. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

/* Print the format, replacing each % by the next of the texts. */
static void put_all(FILE *out, void (*put)(FILE *out, const char *text), const char *format, va_list texts)
{
    for (; *format != '\0'; format++)
        if (*format == '%')
            put(out, va_arg(texts, const char *));
        else
            fputc(*format, out);
}

static void put_man(FILE *out, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    put_all(out, put_text, format, texts);
    va_end(texts);
}

static void put_markdown(FILE *out, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    put_all(out, put_cell, format, texts);
    va_end(texts);
}

static void put_entries(FILE *out, const char *title, const entry *e)
{
    fprintf(out, ".SH %s\n", title);
    for (; e->name != NULL; e++)
        put_man(out, ".TP\n.B %\n%.\n", e->name, e->doc);
}

static void put_surroundings(FILE *out)
{
    put_entries(out, "ENVIRONMENT", environment);
    put_entries(out, "FILES", files);
    put_entries(out, "EXIT STATUS", exits);
}

static void put_man_option(FILE *out, const ns_option *o)
{
    char doc[NS_OPTION_DOC];
    fputs(".TP\n", out);
    if (o->letter != 0)
        fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    put_man(out, "\\fB\\-\\-%\\fR", o->name);
    if (o->argument != NULL)
        put_man(out, " \\fI%\\fR", o->argument);
    put_man(out, "\n%", ns_option_doc(o, doc, sizeof doc));
    if (o->fallback != NULL)
        put_man(out, " [%]", o->fallback);
    fputs(o->repeats && strstr(o->doc, "repeat") == NULL ? "; may be repeated.\n" : ".\n", out);
}

static void put_man_options(FILE *out, const char *title, const ns_option *o)
{
    if (o->name != NULL)
        fprintf(out, ".SH %s\n", title);
    for (; o->name != NULL; o++)
        put_man_option(out, o);
}

static void put_head(FILE *out, const char *name, const char *summary)
{
    fputs(".\\\" Generated by nsmodel from its tables, not by hand\n", out);
    fprintf(out, ".TH \"%s\" 1 \"\" \"nsmodel %s\" \"User Commands\"\n.SH NAME\n", name, NS_VERSION);
    put_man(out, "% \\- %\n", name, summary);
}

/* The commands of a program that has one page: a section for each. */
void ns_man_job(const ns_command *const *commands, size_t count, FILE *out)
{
    put_head(out, "nsmodel-mpi", "measures on a cluster what nsmodel predicts");
    fputs(".SH SYNOPSIS\n.B mpirun\n\\fB\\-n\\fR \\fIRANKS\\fR \\fBnsmodel\\-mpi\\fR \\fICOMMAND\\fR "
          "[\\fIOPTION\\fR...]\n.SH DESCRIPTION\n"
          "All processes of a job run one command, and rank 0 prints one answer.\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const ns_command *c = commands[i];
        fprintf(out, ".SH \"COMMAND %s\"\n.B nsmodel\\-mpi %s\n", c->name, c->name);
        put_man(out, *c->usage != '\0' ? "%\n" : "", c->usage);
        put_man(out, "[\\fIOPTION\\fR...]\n.PP\n%.\n.PP\n%\n", c->summary, c->about != NULL ? c->about : "");
        for (const ns_option *o = c->options; o->name != NULL; o++)
            put_man_option(out, o);
        put_man(out, ".PP\n.nf\n%\n.fi\n", c->example);
    }
    put_man_options(out, "OPTIONS OF EVERY COMMAND", ns_common_options);
    put_surroundings(out);
    fputs(".SH SEE ALSO\n.BR nsmodel (1),\n.BR nsmodel\\-calibrate (1),\n.BR nsmodel\\-fit (1)\n", out);
}

void ns_man_page(const ns_command *command, FILE *out)
{
    if (command != NULL) {
        char name[80];
        snprintf(name, sizeof name, "nsmodel-%s", command->name);
        put_head(out, name, command->summary);
        fprintf(out, ".SH SYNOPSIS\n.B nsmodel %s\n", command->name);
        put_man(out, *command->usage != '\0' ? "%\n[\\fIOPTION\\fR...]\n" : "[\\fIOPTION\\fR...]\n", command->usage);
        if (command->about != NULL)
            put_man(out, ".SH DESCRIPTION\n%\n", command->about);
        put_man_options(out, "OPTIONS", command->options);
        put_man_options(out, "OPTIONS OF EVERY COMMAND", ns_common_options);
        put_surroundings(out);
        put_man(out, ".SH EXAMPLE\n.nf\n%\n.fi\n", command->example);
        fputs(".SH SEE ALSO\n.BR nsmodel (1):\nquantities, matrices and machines\n", out);
        return;
    }
    put_head(out, "nsmodel", "what communication costs on supercomputers, in closed form");
    fputs(".SH SYNOPSIS\n.B nsmodel\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n"
          "Answers from exact counts of a matrix or a list of messages, and from closed forms of published papers, "
          "which way of\n"
          "exchanging data wins on a machine, by how much, how long it takes and why.\n"
          "Nothing is simulated. Results go to standard output, words to standard error.\n",
          out);
    ns_program program;
    ns_program_make(&program);
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < program.commands; i++)
        put_man(out, ".TP\n.BR nsmodel\\-% (1)\n%\n", program.command[i]->name, program.command[i]->summary);
    put_man_options(out, "OPTIONS OF EVERY COMMAND", ns_common_options);
    put_entries(out, "INPUTS", inputs);
    fputs(".SH MODELS\n", out);
    for (const ns_model *const *m = ns_models(); *m != NULL; m++)
        put_man(out, ".TP\n.B %\n% (%)\n", (*m)->name, (*m)->title, (*m)->source);
    fputs(".SH MACHINES\n", out);
    for (const char *const *name = ns_machine_names(); *name != NULL; name++)
        put_man(out, name[1] != NULL ? "%,\n" : "%\n", *name);
    put_surroundings(out);
    fputs(".SH EXAMPLE\n.nf\nnsmodel predict \\-\\-matrix audikw_1\n.fi\n", out);
}

/* ---- completion: the shells only request and display the candidates ---------------------------------------------- */

static const char bash_script[] =
    "# bash completion for nsmodel\n"
    "_nsmodel()\n"
    "{\n"
    "    local line=\"${COMP_LINE:0:COMP_POINT}\" word cut reply file files\n"
    "    word=\"${line##*[[:space:]]}\"\n"
    "    cut=\"${word%\"$2\"}\" # readline has cut the word at = or :, and wants the rest only\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r reply _; do\n"
    "        if [[ $reply == :files ]]; then\n"
    "            files=1\n"
    "            while read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"${2##*,}\")\n"
    "        else\n"
    "            COMPREPLY+=(\"${reply#\"$cut\"}\")\n"
    "        fi\n"
    "    done < <(\"${COMP_WORDS[0]}\" --complete \"$line\" 2>/dev/null)\n"
    "    # as names of files bash would write \\: for a colon\n"
    "    if [[ -n $files && ${COMPREPLY[*]} != *: ]]; then compopt -o filenames; fi\n"
    "    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:] ]]; then compopt -o nospace; fi\n"
    "}\n"
    "complete -F _nsmodel nsmodel nsmodel-mpi\n";

static const char zsh_script[] =
    "#compdef nsmodel nsmodel-mpi\n"
    "# zsh completion for nsmodel\n"
    "_nsmodel()\n"
    "{\n"
    "    local reply text files\n"
    "    local -a plain plain_text open open_text\n"
    "    while IFS=$'\\t' read -r reply text; do\n"
    "        case $reply in\n"
    "        (:files) files=1 ;;\n"
    "        (*[=:]) open+=(\"$reply\"); open_text+=(\"$reply  $text\") ;;\n"
    "        (*) plain+=(\"$reply\"); plain_text+=(\"$reply  $text\") ;;\n"
    "        esac\n"
    "    done < <(\"${words[1]}\" --complete \"${(j: :)words[1,CURRENT-1]} $PREFIX\" 2>/dev/null)\n"
    "    (( $#plain )) && compadd -l -d plain_text -a -- plain\n"
    "    (( $#open )) && compadd -l -S '' -d open_text -a -- open\n"
    "    [[ -n $files ]] && _files\n"
    "    return 0\n"
    "}\n"
    "_nsmodel \"$@\"\n";

/* One candidate per line: WORD, a tab, its description. */
void ns_complete_line(const ns_program *program, const char *line, FILE *out)
{
    ns_candidates list = {.count = 0};
    ns_complete_words(program, line, &list);
    if (list.files)
        fputs(":files\t\n", out);
    for (size_t i = 0; i < list.count; i++)
        fprintf(out, "%s\t%s\n", list.of[i].text, list.of[i].doc);
    ns_candidates_free(&list);
}

/* ---- reference: every command in Markdown ------------------------------------------------------------------------ */

static void put_command_rows(const ns_program *program, FILE *out)
{
    const ns_command *const *command = program->command;
    fputs("| command | what it does |\n|---|---|\n", out);
    for (size_t i = 0; i < program->commands; i++)
        put_markdown(out, "| [%](#%) | % |\n", command[i]->name, command[i]->name, command[i]->summary);
}

static void put_option(FILE *out, const ns_option *o)
{
    char doc[NS_OPTION_DOC];
    fputs("| `", out);
    if (o->letter != 0)
        fprintf(out, "-%c`, `", o->letter);
    put_markdown(out, o->argument != NULL ? "--% %` | %" : "--%%` | %", o->name, o->argument != NULL ? o->argument : "",
                 ns_option_doc(o, doc, sizeof doc));
    put_markdown(out, o->fallback != NULL ? " [%] |\n" : " |\n", o->fallback);
}

static const char option_heads[] = "\n| option | meaning [default] |\n|---|---|\n";

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* How many of the commands before `end` have the option in the same words. */
static size_t takers(const ns_command *const *commands, size_t end, const ns_option *o)
{
    size_t count = 0;
    for (size_t i = 0; i < end; i++)
        for (const ns_option *p = commands[i]->options; p->name != NULL; p++)
            count += p->letter == o->letter && strcmp(p->name, o->name) == 0 && is_same(p->argument, o->argument) &&
                     is_same(p->doc, o->doc) && is_same(p->fallback, o->fallback);
    return count;
}

enum { SEVERAL = 3 }; /* the number of commands with the same option from which it is described once, before them */

static void put_reference(const ns_program *program, FILE *out)
{
    const ns_command *const *commands = program->command;
    const size_t count = program->commands;
    fputs("<!-- Generated by nsmodel, not by hand -->\n\n# Commands\n\n", out);
    put_command_rows(program, out);
    fputs("\n`--json` prints what [schema](../schema) says of each: `schema/predict.schema.json`.\n", out);
    fprintf(out, "\nOptions of every command:\n%s", option_heads);
    for (const ns_option *o = ns_common_options; o->name != NULL; o++)
        put_option(out, o);
    fprintf(out, "\nOptions of several commands, each of which names them:\n%s", option_heads);
    for (size_t i = 0; i < count; i++)
        for (const ns_option *o = commands[i]->options; o->name != NULL; o++)
            if (takers(commands, i, o) == 0 && takers(commands, count, o) >= SEVERAL)
                put_option(out, o);
    for (size_t i = 0; i < count; i++) {
        const ns_command *c = commands[i];
        const char *before = "\nAlso, as above: ";
        bool own = false;
        fprintf(out, "\n## %s\n\n    nsmodel %s %s%s[OPTION...]\n", c->name, c->name, c->usage,
                *c->usage != '\0' ? " " : "");
        if (c->about != NULL)
            fprintf(out, "\n%s\n", c->about);
        for (const ns_option *o = c->options; o->name != NULL; o++)
            if (takers(commands, count, o) < SEVERAL) {
                fputs(own ? "" : option_heads, out);
                own = true;
                put_option(out, o);
            }
        for (const ns_option *o = c->options; o->name != NULL; o++)
            if (takers(commands, count, o) >= SEVERAL) {
                fprintf(out, "%s`--%s`", before, o->name);
                before = ", ";
            }
        fputs(*before == ',' ? "\n" : "", out);
        fprintf(out, "\n```\n$ %s\n```\n", c->example);
    }
}

/* ---- pages by name ----------------------------------------------------------------------------------------------- */

bool ns_pages_answer(int argc, char **argv, FILE *out, ns_error *err)
{
    const char *word = argc > 1 ? argv[1] : "", *of = argc > 2 ? argv[2] : NULL;
    ns_program program;
    ns_program_make(&program);
    if (strcmp(word, "--man") == 0) {
        const ns_command *command = of != NULL ? ns_program_find(&program, of, strlen(of)) : NULL;
        if (of == NULL || command != NULL)
            ns_man_page(command, out);
        else
            (void)ns_fail(err, NS_ERR_USAGE, "no command \"%s\"; `nsmodel help` lists them", of);
    } else if (strcmp(word, "--completion") == 0) {
        if (of != NULL && strcmp(of, "bash") == 0)
            fputs(bash_script, out);
        else if (of != NULL && strcmp(of, "zsh") == 0)
            fputs(zsh_script, out);
        else
            (void)ns_fail(err, NS_ERR_USAGE, "--completion wants bash or zsh%s%s", of != NULL ? ", got " : "",
                          of != NULL ? of : "");
    } else if (strcmp(word, "--complete") == 0)
        ns_complete_line(&program, of != NULL ? of : "", out);
    else if (strcmp(word, "--reference") == 0)
        put_reference(&program, out);
    else if (strcmp(word, "--commands") == 0)
        put_command_rows(&program, out);
    else
        return false;
    return true;
}
