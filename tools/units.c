/* units.c -- what a command answers, a number with a dimension a line: its path, a tab, its SI unit
 *
 *     units COMMAND [OPTION...]
 *
 * tools/schema.py writes these units into the schemas of JSON output.
 */
#include "cli/front/command.h"
#include "cli/front/progress.h"
#include "cli/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a list share one path: a list's children have no names. */
static void put_units(const ns_value *value, const char *path)
{
    char below[400], unit[64];
    if (ns_value_kind_of(value) == NS_NUMBER && !ns_dim_equal(ns_value_dim(value), NS_DIMENSIONLESS))
        printf("%s\t%s\n", path, ns_dim_unit(ns_value_dim(value), unit, sizeof unit));
    for (const ns_value *child = ns_value_first(value); child != NULL; child = ns_value_next(child)) {
        const bool element = ns_value_kind_of(value) == NS_LIST;
        snprintf(below, sizeof below, "%s%s%s", path,
                 element         ? "[]"
                 : *path != '\0' ? "."
                                 : "",
                 element ? "" : ns_value_name(child));
        put_units(child, below);
    }
}

int main(int argc, char **argv)
{
    char line[1024];
    ns_program program;
    ns_program_make(&program);
    const ns_command *command = argc > 1 ? ns_program_find(&program, argv[1], strlen(argv[1])) : NULL;
    if (command == NULL || command->run == NULL) {
        fputs("usage: units COMMAND [OPTION...]\n", stderr);
        return 2;
    }
    static ns_args args;
    ns_error err = {0};
    FILE *words = fopen("/dev/null", "w");
    ns_value *result = ns_value_new();
    ns_progress progress = {.err = words};
    ns_command_context context = {.err = words, .program = &program};
    ns_status status =
        words != NULL && result != NULL ? ns_args_parse(command, argc - 2, argv + 2, &args, &err) : NS_ERR_MEMORY;
    args.progress = &progress;
    if (status == NS_OK)
        status = command->run(&args, result, &context, &err);
    if (status == NS_OK)
        put_units(result, "");
    else
        fprintf(stderr, "units: %s\n", ns_error_line(&err, line, sizeof line));
    ns_value_free(result);
    if (words != NULL)
        fclose(words);
    return status == NS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
