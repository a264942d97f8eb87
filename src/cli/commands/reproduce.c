/* reproduce.c -- the papers' tables, computed and compared */
#include "cli/front/command.h"
#include "cli/front/words.h"
#include "core/own.h"
#include "core/value.h"
#include "ledger/ledger.h"
#include "published/published.h"
#include "report/columns.h"

#include <math.h>
#include <stdio.h>

/* ---- recomputed tables as a value tree --------------------------------------------------------------------------- */

typedef struct cell {
    const char *label, *kind, *relation, *known, *quote;
    double published, computed, error, cases;
    ns_dim dim;
    bool ok, known_miss;
} cell;

static const ns_table_column of_cell[] = {{"label", NS_COL(cell, label)},
                                          {"published", NS_COL(cell, published), NS_COL_DIM(cell, dim)},
                                          {"computed", NS_COL(cell, computed), NS_COL_DIM(cell, dim)},
                                          {"rel_error", NS_COL(cell, error), .shows = NS_NEGATIVE_NULL},
                                          {"kind", NS_COL(cell, kind)},
                                          {"ok", NS_COL(cell, ok)},
                                          {"known_miss", NS_COL(cell, known_miss)},
                                          {"reason", NS_COL(cell, known), .shows = NS_IN_WIDE},
                                          {NULL}};
/* A count of cases as a share of the total. */
static const ns_table_column of_claim[] = {{"label", NS_COL(cell, label)},
                                           {"published", NS_COL(cell, published)},
                                           {"relation", NS_COL(cell, relation)},
                                           {"computed", NS_COL(cell, computed)},
                                           {"cases", NS_COL(cell, cases)},
                                           {"kind", NS_COL(cell, kind)},
                                           {"ok", NS_COL(cell, ok)},
                                           {"known_miss", NS_COL(cell, known_miss)},
                                           {"reason", NS_COL(cell, known), .shows = NS_IN_WIDE},
                                           {"quote", NS_COL(cell, quote), .shows = NS_IN_DATA},
                                           {NULL}};

/* A table with its cells; a summary shows the cells in wide tables only. */
static void ns_show_reproduced(const ns_reproduced *table, bool summary, ns_value *tables)
{
    ns_value *out = ns_value_object(tables, NULL);
    const unsigned head = summary ? NS_EVERYWHERE : NS_IN_WIDE;
    if (!summary) {
        /* The text above the cells: what the table is, and why cells miss. */
        ns_put_textf(out, "heading", NS_HEADING | NS_IN_NARROW, "%s: %s, %s", table->id, table->title, table->source);
        for (size_t i = 0; i < table->rows; i++) {
            const ns_reproduced_row *row = &table->row[i];
            if (!row->ok && row->known_miss != NULL)
                ns_sentence(out, "known", NS_IN_NARROW, "%s misses: %s", row->label, row->known_miss);
        }
    }
    ns_put_text(out, "id", head, table->id);
    ns_put_text(out, "title", NS_IN_DATA, table->title);
    ns_put_text(out, "source", NS_IN_DATA, table->source);
    if (table->note != NULL)
        ns_put_text(out, "note", NS_IN_DATA | NS_NOT_IN_CSV, table->note);
    ns_value *rows = ns_put_rows(out, "rows", summary ? NS_IN_WIDE : NS_EVERYWHERE);
    for (size_t i = 0; i < table->rows; i++) {
        const ns_reproduced_row *r = &table->row[i];
        const bool claim = r->cases > 0;
        const cell row = {.label = r->label,
                          .kind = ns_published_words[r->kind],
                          .relation = r->above ? "more than" : "at least",
                          .known = r->known_miss,
                          .quote = r->quote,
                          .published = claim || r->has_published ? r->published : (double)NAN,
                          .computed = claim || r->has_computed ? r->computed : (double)NAN,
                          .error = r->error,
                          .cases = (double)r->cases,
                          .dim = r->dim,
                          .ok = r->ok,
                          .known_miss = r->known_miss != NULL};
        ns_put_row(rows, claim ? of_claim : of_cell, &row);
    }
    if (summary) {
        /* Counts in place of the cells. */
        size_t predictions = 0, misses = 0;
        for (size_t i = 0; i < table->rows; i++) {
            const ns_reproduced_row *row = &table->row[i];
            predictions += row->kind == NS_PREDICTION;
            misses += !row->ok && row->known_miss != NULL;
        }
        ns_put_count(out, "cells", NS_IN_NARROW, (double)table->rows);
        ns_put_count(out, "predictions", NS_IN_NARROW, (double)predictions);
        ns_put_count(out, "known_misses", NS_IN_NARROW, (double)misses);
    }
    ns_put_count(out, "max_rel_error", head, table->worst);
    ns_put_count(out, "tolerance", head, table->tolerance);
    ns_put_bool(out, "ok", head, table->ok);
}

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

static void gathered_free(gathered *g)
{
    for (size_t i = 0; i < g->tables; i++)
        ns_reproduced_free(g->table[i]);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    if (ns_args_has(args, "claims")) {
        const char *paper = args->words > 0 ? args->word[0] : NULL;
        NS_CLOSE(ns_ledger_close) ns_ledger ledger = {.claims = 0};
        NS_TRY(ns_ledger_open(paper, &ledger, err));
        NS_TRY(ns_ledger_answer(&ledger, context, err));
        return ns_show_claims(&ledger, paper == NULL, result, err);
    }
    NS_CLOSE(gathered_free) gathered g = {.tables = 0};
    const bool summary = args->words == 0;
    char id[80];
    if (!summary)
        NS_TRY(add_table(args->word[0], &g, err));
    for (size_t i = 0; summary && ns_reproduce_id(i, id, sizeof id) != NULL; i++)
        if (!ns_reproduce_is_long(id)) /* tables that take minutes are left out */
            NS_TRY(add_table(id, &g, err));
    ns_reproduced_total total[NS_PUBLISHED_KINDS];
    for (int kind = 0; kind < NS_PUBLISHED_KINDS; kind++)
        total[kind] = (ns_reproduced_total){.worst = -1};
    for (size_t i = 0; i < g.tables; i++)
        ns_reproduced_add(g.table[i], total);
    /* How many cells of each kind there are, and how many of them agree: a sentence, and "totals". */
    char predictions[400] = "no predictions", others[160] = "";
    const ns_reproduced_total *p = &total[NS_PREDICTION];
    size_t used = 0;
    if (p->cells > 0)
        used = (size_t)snprintf(predictions, sizeof predictions, "%zu prediction%s: %zu within tolerance", p->cells,
                                p->cells == 1 ? "" : "s", p->ok);
    if (p->known_miss > 0)
        used += (size_t)snprintf(predictions + used, sizeof predictions - used, ", %zu known to miss", p->known_miss);
    if (p->worst > 0)
        snprintf(predictions + used, sizeof predictions - used, ", the worst %.2g %% off (%s)", 100 * p->worst,
                 p->where);
    /* "88 in-sample, 77 identities": cells that are not predictions. */
    static const char *const one[] = {NULL, "in-sample", "identity", "input"};
    static const char *const more[] = {NULL, "in-sample", "identities", "inputs"};
    used = 0;
    for (int kind = NS_PREDICTION + 1; kind < NS_PUBLISHED_KINDS; kind++)
        if (total[kind].cells > 0)
            used += (size_t)snprintf(others + used, sizeof others - used, "%s%zu %s", used > 0 ? ", " : "",
                                     total[kind].cells, (total[kind].cells == 1 ? one : more)[kind]);
    const char *between = *others == '\0'                   ? ""
                          : total[NS_PREDICTION].cells == 0 ? "; "
                                                            : ". The other cells prove less: ";
    ns_sentence(result, "summary", NS_NOT_IN_JSON, "%s%s%s", predictions, between, others);
    ns_value *totals = ns_put_object(result, "totals", NS_IN_JSON);
    for (int kind = 0; kind < NS_PUBLISHED_KINDS; kind++) {
        ns_value *out = ns_value_object(totals, ns_published_words[kind]);
        ns_value_count(out, "cells", (double)total[kind].cells);
        ns_value_count(out, "ok", (double)total[kind].ok);
        ns_value_count(out, "known_miss", (double)total[kind].known_miss);
        ns_put_count(out, "worst", NS_EVERYWHERE, total[kind].worst >= 0 ? total[kind].worst : (double)NAN);
        ns_value_text(out, "where", *total[kind].where != '\0' ? total[kind].where : NULL);
    }
    ns_value *tables = ns_value_list(result, "tables");
    for (size_t i = 0; i < g.tables; i++) {
        ns_show_reproduced(g.table[i], summary, tables);
        if (g.table[i]->ok)
            continue;
        context->exit = 1;
        fprintf(context->err, "nsmodel: %s is outside its tolerance\n", g.table[i]->id);
    }
    if (summary) {
        ns_value *list = ns_put_list(result, "left_out", NS_IN_JSON);
        for (size_t i = 0; ns_reproduce_id(i, id, sizeof id) != NULL; i++)
            if (ns_reproduce_is_long(id)) {
                ns_value_text(list, NULL, id);
                fprintf(context->err, "nsmodel: note: left out, as it takes minutes: nsmodel reproduce %s\n", id);
            }
    }
    return NS_OK;
}

const ns_command ns_command_reproduce = {
    .name = "reproduce",
    .summary = "the papers' tables, computed and compared",
    .usage = "[TABLE | --claims [PAPER]]",
    .options = options,
    .example = "nsmodel reproduce sharp-table1",
    .about =
        "Every published table that the models claim to give is computed and compared; exit 1 when one is outside its "
        "tolerance.\n"
        "Every cell says what it proves. prediction: nothing that went in was taken from that table or fitted to it. "
        "in-sample: a constant was fitted to that table, or an input stands in it. identity: arithmetic on other "
        "printed numbers or equations. input: a look-up of a printed number.\n"
        "What a paper says in words is counted: the share of cases in which it holds. A cell that is known to miss "
        "says why, and fails only when it gets worse.\n"
        "All tables are a line each; with TABLE or --wide every cell is shown.\n"
        "--claims goes through every checkable sentence, cell and curve of the papers, asks this program for it by the "
        "command that the list names, and says whether the answer holds; some two minutes. PAPER: netsparse, "
        "node-aware, red-sea, netcrafter or sharp. Exit 1 when a command fails, when a machine is not the default "
        "without a reason, or when an interval excludes the value of a claim that holds; a miss is no failure. "
        "docs/evidence/claims.md has the answers.",
    .most = 1,
    .rank = 8,
    .run = run,
};
