/* help.c -- help texts from the descriptors */
#include "cli/command.h"

#include <string.h>

static void print_option(const ns_option *option, FILE *out)
{
    char left[80];
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", option->letter != 0 ? "-" : "  ", option->letter != 0 ? option->letter : ' ',
             option->letter != 0 ? ", " : " ", option->name, option->argument != NULL ? " " : "",
             option->argument != NULL ? option->argument : "");
    fprintf(out, "  %-34s %s", left, option->doc);
    if (option->fallback != NULL)
        fprintf(out, " [%s]", option->fallback);
    fputc('\n', out);
}

void ns_help_command(const ns_command *command, FILE *out)
{
    fprintf(out, "nsmodel %s -- %s\n\nusage: nsmodel %s%s%s [OPTION...]\n\n", command->name, command->summary, command->name,
            *command->usage != '\0' ? " " : "", command->usage);
    for (const ns_option *o = command->options; o->name != NULL; o++)
        print_option(o, out);
    for (const ns_option *o = ns_common_options; o->name != NULL; o++)
        print_option(o, out);
    fprintf(out, "\nexample: %s\n", command->example);
}

void ns_help_all(FILE *out)
{
    const ns_command *commands[32];
    size_t count = ns_commands(commands, 32);
    fprintf(out, "nsmodel %s -- what communication costs on supercomputers, in closed form\n\n"
                 "usage: nsmodel COMMAND [OPTION...]\n\n", NS_VERSION);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n`nsmodel COMMAND --help` tells more; `nsmodel --version` the version.\n"
                 "example: nsmodel predict --matrix audikw_1\n");
}
