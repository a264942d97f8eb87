/* pages.c -- what is printed about the program from the tables that drive it */
#include "cli/program/pages.h"
#include "cli/front/candidates.h"
#include "cli/program/program.h"

#include <string.h>

/* ---- completion: the shells only ask and show -------------------------------------------------------------------- */

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

/* One candidate a line: WORD, a tab, what it is. */
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

/* A cell of a table: | divides cells. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void put_command_rows(FILE *out)
{
    const ns_command *commands[NS_COMMANDS_MAX];
    size_t count = ns_commands(commands, NS_COMMANDS_MAX);
    fputs("| command | what it does |\n|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "| [%s](#%s) | ", commands[i]->name, commands[i]->name);
        put_cell(out, commands[i]->summary);
        fputs(" |\n", out);
    }
}

static void put_option(FILE *out, const ns_option *o)
{
    char doc[NS_OPTION_DOC];
    fputs("| `", out);
    if (o->letter != 0)
        fprintf(out, "-%c`, `", o->letter);
    fprintf(out, "--%s%s", o->name, o->argument != NULL ? " " : "");
    put_cell(out, o->argument != NULL ? o->argument : "");
    fputs("` | ", out);
    put_cell(out, ns_option_doc(o, doc, sizeof doc));
    if (o->fallback != NULL) {
        fputs(" [", out);
        put_cell(out, o->fallback);
        fputs("]", out);
    }
    fputs(" |\n", out);
}

static const char option_heads[] = "\n| option | meaning [default] |\n|---|---|\n";

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The option of this command that reads as o does, or NULL. */
static const ns_option *option_like(const ns_command *command, const ns_option *o)
{
    for (const ns_option *p = command->options; p->name != NULL; p++)
        if (p->letter == o->letter && strcmp(p->name, o->name) == 0 && is_same(p->argument, o->argument) &&
            is_same(p->doc, o->doc) && is_same(p->fallback, o->fallback))
            return p;
    return NULL;
}

/* Commands before `end` that have the option in the same words. */
static size_t takers(const ns_command *const *commands, size_t end, const ns_option *o)
{
    size_t count = 0;
    for (size_t i = 0; i < end; i++)
        count += option_like(commands[i], o) != NULL;
    return count;
}

enum { SEVERAL = 3 }; /* commands that take an option in the same words: it stands once, before them */

static void put_reference(FILE *out)
{
    const ns_command *commands[NS_COMMANDS_MAX];
    size_t count = ns_commands(commands, NS_COMMANDS_MAX);
    fputs("<!-- Generated by nsmodel, not by hand -->\n\n# Commands\n\n", out);
    put_command_rows(out);
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

/* ---- asked for by name ------------------------------------------------------------------------------------------- */

static void print_man(const char *name, FILE *out, ns_error *err)
{
    const ns_command *commands[NS_COMMANDS_MAX];
    size_t count = ns_commands(commands, NS_COMMANDS_MAX);
    if (name == NULL) {
        ns_man_page(NULL, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(commands[i]->name, name) == 0) {
            ns_man_page(commands[i], out);
            return;
        }
    (void)ns_fail(err, NS_ERR_USAGE, "no command \"%s\"; `nsmodel help` lists them", name);
}

static void print_completion(const char *shell, FILE *out, ns_error *err)
{
    if (shell != NULL && strcmp(shell, "bash") == 0)
        fputs(bash_script, out);
    else if (shell != NULL && strcmp(shell, "zsh") == 0)
        fputs(zsh_script, out);
    else
        (void)ns_fail(err, NS_ERR_USAGE, "--completion wants bash or zsh%s%s", shell != NULL ? ", got " : "",
                      shell != NULL ? shell : "");
}

bool ns_pages_answer(int argc, char **argv, FILE *out, ns_error *err)
{
    const char *word = argc > 1 ? argv[1] : "", *of = argc > 2 ? argv[2] : NULL;
    ns_program program;
    ns_program_make(&program);
    if (strcmp(word, "--man") == 0)
        print_man(of, out, err);
    else if (strcmp(word, "--completion") == 0)
        print_completion(of, out, err);
    else if (strcmp(word, "--complete") == 0)
        ns_complete_line(&program, of != NULL ? of : "", out);
    else if (strcmp(word, "--reference") == 0)
        put_reference(out);
    else if (strcmp(word, "--commands") == 0)
        put_command_rows(out);
    else
        return false;
    return true;
}
