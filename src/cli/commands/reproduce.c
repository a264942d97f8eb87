/* reproduce.c -- the papers' tables, computed and compared */
#include "cli/show/reproduce.h"
#include "cli/front/command.h"
#include "cli/front/words.h"
#include "core/memory.h"
#include "ledger/ledger.h"
#include "report/columns.h"

static const ns_option options[] = {
    {"claims", 0, NULL, NULL, "instead: every claim of the papers, or of one, with the program's answer"},
    {NULL},
};

enum { TABLES_MOST = 256 };
typedef struct gathered {
    ns_reproduced *table[TABLES_MOST];
    size_t tables;
} gathered;

static ns_status add_table(const char *id, gathered *g, ns_error *err)
{
    ns_error inner = {0};
    if (g->tables == TABLES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d tables", (int)TABLES_MOST);
    if (ns_reproduce_shipped(id, &g->table[g->tables], &inner) != NS_OK)
        return ns_pass_on(&inner, err, "`nsmodel reproduce` shows them all");
    g->tables++;
    return NS_OK;
}

/* All but those that take minutes. */
static ns_status add_all(gathered *g, ns_error *err)
{
    char id[80];
    for (size_t i = 0; ns_reproduce_id(i, id, sizeof id) != NULL; i++)
        if (!ns_reproduce_is_long(id))
            NS_TRY(add_table(id, g, err));
    return NS_OK;
}

static void name_left_out(ns_value *result, FILE *err)
{
    char id[80];
    ns_value *list = ns_put_list(result, "left_out", NS_IN_JSON);
    for (size_t i = 0; ns_reproduce_id(i, id, sizeof id) != NULL; i++)
        if (ns_reproduce_is_long(id)) {
            ns_value_text(list, NULL, id);
            fprintf(err, "nsmodel: note: left out, as it takes minutes: nsmodel reproduce %s\n", id);
        }
}

static void show(const gathered *g, bool summary, ns_value *result, ns_command_context *context)
{
    ns_reproduced_total total[NS_PUBLISHED_KINDS];
    for (int kind = 0; kind < NS_PUBLISHED_KINDS; kind++)
        total[kind] = (ns_reproduced_total){.size = sizeof total[kind], .worst = -1};
    for (size_t i = 0; i < g->tables; i++)
        ns_reproduced_add(g->table[i], total);
    ns_show_reproduced_totals(total, result);
    ns_value *tables = ns_value_list(result, "tables");
    for (size_t i = 0; i < g->tables; i++) {
        ns_show_reproduced(g->table[i], summary, tables);
        if (g->table[i]->ok)
            continue;
        context->exit = 1;
        fprintf(context->err, "nsmodel: %s is outside its tolerance\n", g->table[i]->id);
    }
    if (summary)
        name_left_out(result, context->err);
}

static ns_status run_claims(const char *paper, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_ledger ledger;
    NS_TRY(ns_ledger_open(paper, &ledger, err));
    ns_status status = ns_ledger_answer(&ledger, context, err);
    if (status == NS_OK)
        status = ns_show_claims(&ledger, paper == NULL, result, err);
    ns_ledger_close(&ledger);
    return status == NS_OK && !ns_value_complete(result) ? ns_no_memory(err) : status;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    if (ns_args_has(args, "claims"))
        return run_claims(args->words > 0 ? args->word[0] : NULL, result, context, err);
    gathered g = {.tables = 0};
    const bool summary = args->words == 0;
    const ns_status status = summary ? add_all(&g, err) : add_table(args->word[0], &g, err);
    if (status == NS_OK)
        show(&g, summary, result, context);
    for (size_t i = 0; i < g.tables; i++)
        ns_reproduced_free(g.table[i]);
    return status == NS_OK && !ns_value_complete(result) ? ns_no_memory(err) : status;
}

const ns_command ns_command_reproduce = {
    .name = "reproduce",
    .summary = "the papers' tables, computed and compared",
    .usage = "[TABLE | --claims [PAPER]]",
    .options = options,
    .example = "nsmodel reproduce sharp-table1",
    .about =
        "Every published table that the models claim to give is computed and compared; exit 1 when one is outside "
        "its tolerance.\n"
        "Every cell says what it proves. prediction: nothing that went in was taken from that table or fitted to it. "
        "in-sample: a constant was fitted to that table, or an input stands in it. identity: arithmetic on other "
        "printed numbers or equations. input: a look-up of a printed number.\n"
        "What a paper says in words is counted: the share of cases in which it holds. A cell that is known to miss "
        "says why, and fails only when it gets worse.\n"
        "All tables are a line each; with TABLE or --wide every cell is shown.\n"
        "--claims goes through every checkable sentence, cell and curve of the papers, asks this program for it by the "
        "command that the list names, and says whether the answer holds; some two minutes. PAPER: netsparse, "
        "node-aware, "
        "red-sea, netcrafter or sharp. Exit 1 when a command fails, when a machine is not the default without a "
        "reason, or "
        "when an interval excludes the value of a claim that holds; a miss is no failure. docs/evidence/claims.md has "
        "the answers.",
    .most = 1,
    .rank = 8,
    .run = run,
};
