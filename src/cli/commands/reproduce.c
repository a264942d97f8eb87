/* reproduce.c -- the papers' tables, computed and compared */
#include "cli/front/command.h"
#include "cli/front/words.h"
#include "cli/show/reproduce.h"
#include "core/memory.h"

static const ns_option options[] = {
    {NULL, 0, NULL, NULL, NULL, false},
};

static ns_status add_table(const char *id, ns_value *tables, ns_context *context, ns_error *err)
{
    ns_reproduced *table;
    ns_error inner = {0};
    if (ns_reproduce_shipped(id, &table, &inner) != NS_OK)
        return ns_pass_on(&inner, err, "`nsmodel reproduce` shows them all");
    ns_show_reproduced(table, tables);
    if (!table->ok)
        context->exit = 1;
    ns_reproduced_free(table);
    return NS_OK;
}

static void say_which(const ns_value *tables, FILE *err)
{
    for (const ns_value *table = tables->first; table != NULL; table = table->next)
        if (!ns_value_get(table, "ok")->truth)
            fprintf(err, "nsmodel: %s is outside its tolerance\n", ns_value_get(table, "id")->text);
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    char id[80];
    ns_value *tables = ns_value_list(result, "tables");
    if (args->words > 0)
        NS_TRY(add_table(args->word[0], tables, context, err));
    for (size_t i = 0; args->words == 0 && ns_reproduce_id(i, id, sizeof id) != NULL; i++)
        NS_TRY(add_table(id, tables, context, err));
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    say_which(tables, context->err);
    return NS_OK;
}

const ns_command ns_command_reproduce = {
    .name = "reproduce",
    .summary = "the papers' tables, computed and compared",
    .usage = "[TABLE]",
    .options = options,
    .example = "nsmodel reproduce node-aware-table2",
    .about =
        "Every published table that the models claim to give is computed and compared; exit 1 when one is outside "
        "its tolerance.\n"
        "What a paper says in words is counted: the share of cases in which it holds, and where it is known not to, "
        "why.",
    .most = 1,
    .rank = 8,
    .run = run,
};
