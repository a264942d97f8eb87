/* reproduce.c -- the papers' tables, computed and compared */
#include "cli/front/command.h"
#include "cli/show/reproduce.h"
#include "core/memory.h"

static const ns_option options[] = {
    {NULL, 0, NULL, NULL, NULL, false},
};

static void say_which(const ns_value *tables, FILE *err)
{
    for (const ns_value *table = tables->first; table != NULL; table = table->next)
        if (!ns_value_get(table, "ok")->truth)
            fprintf(err, "nsmodel: %s is outside its tolerance\n", ns_value_get(table, "id")->text);
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    bool ok = true;
    ns_value *tables = ns_value_list(result, "tables");
    NS_TRY(ns_reproduce_shipped(args->words > 0 ? args->word[0] : NULL, tables, &ok, err));
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    if (!ok) {
        say_which(tables, context->err);
        context->exit = 1;
    }
    return NS_OK;
}

const ns_command ns_command_reproduce = {
    .name = "reproduce",
    .summary = "the papers' tables, computed and compared",
    .usage = "[TABLE]",
    .options = options,
    .example = "nsmodel reproduce node-aware-table2",
    .about = "Every published table that the models claim to give is computed and compared; exit 1 when one is outside "
             "its tolerance.",
    .most = 1,
    .rank = 8,
    .run = run,
};
