/* repl.c -- the calculator: interactive at a terminal, from a script, or for single statements */
#include "cli/repl/repl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ns_option options[] = {
    {"expression", 'e', "STATEMENT", NULL, "run this line and end; may be repeated", .repeats = true},
    {NULL},
};

static ns_status talk(const ns_args *args, FILE *out, ns_command_context *context, ns_error *err)
{
    ns_repl repl;
    const bool expressions = ns_args_has(args, "expression");
    const char *source = expressions            ? "expression"
                         : args->words == 1     ? args->word[0]
                         : isatty(STDIN_FILENO) ? NULL
                                                : "<stdin>";
    for (const ns_option *o = ns_common_options; o->name != NULL; o++)
        if (ns_args_has(args, o->name))
            return ns_fail(err, NS_ERR_USAGE, "--%s belongs to a command inside the repl", o->name);
    if (expressions && args->words > 0)
        return ns_fail(err, NS_ERR_USAGE, "repl takes either --expression or FILE");
    ns_status status = ns_repl_open(&repl, context->program, out, context->err, source, err);
    if (status == NS_OK && expressions) {
        for (int i = 0; status == NS_OK && !repl.ended && ns_args_at(args, "expression", i) != NULL; i++)
            status = ns_repl_line(&repl, ns_args_at(args, "expression", i));
        if (status == NS_OK)
            status = ns_repl_finish(&repl);
    } else if (status == NS_OK && args->words == 1) {
        FILE *file = fopen(source, "rb");
        status =
            file != NULL ? ns_repl_script(&repl, file) : ns_fail_at(err, NS_ERR_FILE, source, 0, 0, "cannot be opened");
        if (file != NULL)
            fclose(file);
    } else if (status == NS_OK)
        status = source == NULL ? ns_repl_terminal(&repl, err) : ns_repl_script(&repl, stdin);
    ns_repl_close(&repl);
    /* an error that a statement has already printed is not printed again */
    if (err->code != NS_OK)
        return err->code;
    context->exit = status == NS_OK ? 0 : 1;
    return NS_OK;
}

const ns_command ns_command_repl = {
    .name = "repl",
    .summary = "the calculator: expressions with units, models, commands",
    .usage = "[FILE]",
    .options = options,
    .example = "nsmodel repl -e 'max-rate(m=10, s=1 MiB, ppn=40) in us'",
    .about = "At a terminal, where nsmodel alone is the repl too, lines are edited, completed and kept in "
             "~/.nsmodel_history or the\n"
             "file that NSMODEL_HISTORY names. ? tells what can be typed.\n"
             "Standard input that is not a terminal, FILE and --expression are scripts: they stop at the first error, "
             "say its line\n"
             "and column, and end with exit code 1.\n"
             "A unit right after a number, its / included, binds tightest: 4 KiB / 23.9 GB/s is 4 KiB / (23.9 GB/s).",
    .most = 1,
    .rank = 2,
    .talk = talk,
};
