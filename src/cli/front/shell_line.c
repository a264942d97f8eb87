/* shell_line.c -- a command line as a shell reads it back */
#include "cli/front/shell_line.h"

#include <string.h>

static void put(ns_shell_line *line, const char *text, size_t length)
{
    for (size_t i = 0; i < length && line->used + 1 < line->size; i++)
        line->text[line->used++] = text[i];
    line->text[line->used] = '\0';
}

void ns_shell_put(ns_shell_line *line, const char *text)
{
    put(line, text, strlen(text));
}

void ns_shell_word(ns_shell_line *line, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@";
    const bool quoted = *word == '\0' || word[strspn(word, plain)] != '\0';
    put(line, "'", quoted);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            put(line, "'\\''", 4);
        else
            put(line, word, 1);
    put(line, "'", quoted);
}

static bool takes(const ns_command *command, const char *name)
{
    for (const ns_option *o = command->options; o != NULL && o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return true;
    return false;
}

void ns_shell_options(ns_shell_line *line, const ns_args *args, const char *const *without)
{
    for (int i = 0; i < args->given; i++) {
        const ns_option *option = args->option[i].option;
        bool left_out = !takes(args->command, option->name);
        for (const char *const *name = without; *name != NULL && !left_out; name++)
            left_out = strcmp(*name, option->name) == 0;
        if (left_out)
            continue;
        ns_shell_put(line, " --");
        ns_shell_put(line, option->name);
        if (option->argument == NULL || (*option->argument == '[' && *args->option[i].value == '\0'))
            continue;
        ns_shell_put(line, " ");
        ns_shell_word(line, args->option[i].value);
    }
}

void ns_shell_subject(ns_shell_line *line, const ns_args *args)
{
    const char *matrix = args->matrix, *messages = args->messages;
    if (matrix == NULL && messages == NULL)
        return;
    ns_shell_put(line, matrix == NULL ? " --messages " : *matrix == '-' ? " --matrix " : " ");
    ns_shell_word(line, matrix != NULL ? matrix : messages);
}
