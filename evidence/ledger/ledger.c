/* ledger.c -- the files of evidence/claims/, embedded in the program, as claims */
#include "ledger/ledger.h"

#include "core/memory.h"
#include "core/refuse.h"
#include "published/published.h"

#include <stdio.h>
#include <string.h>


const char *const ns_claim_verdicts[NS_VERDICTS] = {"holds", "misses", "unanswered"};

const char *ns_claim_text(const ns_claim *claim, const char *key)
{
    return ns_text_of(ns_value_get(claim->row, key));
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

static ns_status refuse(const char *text, const char *origin, size_t row, const char *key, ns_error *err,
                        const char *what)
{
    char path[64];
    long line, column;
    snprintf(path, sizeof path, *key != '\0' ? "claims.%zu.%s" : "claims.%zu", row, key);
    ns_json_locate(text, path, &line, &column);
    return ns_fail_at(err, NS_ERR_DATA, origin, line, column, "%s", what);
}

static const struct {
    const char *key;
    bool wanted;
} keys[] = {
    {"place", true},     {"claim", true},    {"value", true},    {"unit", false},
    {"kind", true},      {"compare", false}, {"command", false}, {"answer", false},
    {"interval", false}, {"machine", false}, {"reason", false},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* "15 %", "+- 0.5" and "factor 3" contain a number of at least 0, "same" and "interval" none. */
static bool is_comparison(const char *compare)
{
    if (strcmp(compare, "same") == 0 || strcmp(compare, "interval") == 0)
        return true;
    const char *begin = strncmp(compare, "+- ", 3) == 0       ? compare + 3
                        : strncmp(compare, "factor ", 7) == 0 ? compare + 7
                                                              : compare;
    char *end;
    const double number = ns_strtod(begin, &end);
    return end > begin && number >= 0 && (begin == compare ? strcmp(end, " %") == 0 : *end == '\0');
}

/* Returns the fault, or NULL. */
static const char *take_commands(ns_claim *claim)
{
    const ns_value *command = ns_value_get(claim->row, "command");
    size_t count = 0;
    if (ns_kind_of(command) == NS_TEXT)
        claim->command[count++] = ns_text_of(command);
    for (const ns_value *v = ns_kind_of(command) == NS_LIST ? ns_first_of(command) : NULL; v != NULL; v = v->next) {
        if (ns_kind_of(v) != NS_TEXT || count == NS_CLAIM_COMMANDS)
            return "\"command\" is a text, or a list of at most 16 texts";
        claim->command[count++] = ns_text_of(v);
    }
    claim->command[count] = NULL;
    return NULL;
}

/* The fault of a row, and the key that has it; NULL when there is none. */
static const char *fault_of(ns_claim *claim, const char **key)
{
    ns_dim dim;
    *key = "";
    for (const ns_value *v = ns_first_of(claim->row); v != NULL; v = v->next) {
        size_t k = 0;
        while (k < KEYS && strcmp(keys[k].key, v->name) != 0)
            k++;
        if (k == KEYS)
            return "a claim has place, claim, value, unit, kind, compare, command, answer, interval, machine and "
                   "reason";
    }
    for (size_t i = 0; i < KEYS; i++)
        if (keys[i].wanted && ns_value_get(claim->row, keys[i].key) == NULL)
            return "a claim wants place, claim, value and kind";
    *key = "kind";
    int kind;
    if (ns_choose_word("kind", ns_published_words, ns_claim_text(claim, "kind"), &kind, NULL) != NS_OK)
        return "\"kind\" is prediction, in-sample, identity or input";
    *key = "unit";
    const char *unit = ns_claim_text(claim, "unit");
    if (ns_unit_parse(unit, &claim->factor, &dim, NULL) != NS_OK)
        claim->factor = 1; /* "cells", "x": a count of something */
    *key = "command";
    const char *what = take_commands(claim);
    if (what != NULL || claim->command[0] == NULL)
        return what;
    *key = "compare";
    if (!is_comparison(ns_claim_text(claim, "compare")))
        return "\"compare\" is \"P %\", \"+- N\", \"factor N\", \"same\" or \"interval\"";
    *key = "value";
    if ((ns_kind_of(ns_value_get(claim->row, "value")) == NS_NUMBER) ==
        (strcmp(ns_claim_text(claim, "compare"), "same") == 0))
        return "numbers are not compared by \"same\", and nothing else is compared otherwise";
    *key = "answer";
    if (*ns_claim_text(claim, "answer") == '\0')
        return "a command wants an \"answer\", how it is read";
    return NULL;
}

/* ---- a file ------------------------------------------------------------------------------------------------------ */

ns_status ns_ledger_parse(const char *text, const char *origin, ns_ledger *ledger, ns_error *err)
{
    ns_value *root;
    NS_TRY(ns_json_parse(text, origin, &root, err));
    ledger->paper[ledger->papers++] = root;
    const char *paper = ns_text_of(ns_value_get(root, "paper"));
    const char *machine = ns_text_of(ns_value_get(root, "machine"));
    const ns_value *rows = ns_value_get(root, "claims");
    if (strcmp(ns_text_of(ns_value_get(root, "schema")), "nsmodel/claims/1") != 0 || *paper == '\0' ||
        *machine == '\0' || ns_kind_of(rows) != NS_LIST)
        return ns_fail_at(err, NS_ERR_DATA, origin, 1, 1,
                          "claims want a schema of \"nsmodel/claims/1\", a paper, a machine and a list of claims");
    size_t row = 0, count = 0;
    for (const ns_value *v = ns_first_of(rows); v != NULL; v = v->next)
        count++;
    ns_claim *room = ns_realloc(ledger->claim, ns_size_mul(ledger->claims + count, sizeof *room));
    if (room == NULL && ledger->claims + count > 0)
        return ns_no_memory(err);
    ledger->claim = room;
    for (const ns_value *v = ns_first_of(rows); v != NULL; v = v->next, row++) {
        const char *key, *what;
        ns_claim *claim = &ledger->claim[ledger->claims];
        *claim = (ns_claim){.paper = paper, .machine = machine, .row = v, .verdict = NS_UNANSWERED};
        what = fault_of(claim, &key);
        if (what != NULL)
            return refuse(text, origin, row, ns_value_get(v, key) != NULL ? key : "", err, what);
        ledger->claims++;
    }
    return NS_OK;
}

ns_status ns_ledger_open(const char *paper, ns_ledger *ledger, ns_error *err)
{
    static const char folder[] = "evidence/claims/";
    char name[8][40];
    const char *names[8];
    size_t count = 0;
    ns_status status = NS_OK;
    *ledger = (ns_ledger){.claims = 0};
    for (const ns_embedded *file = ns_evidence_files; file->path != NULL && status == NS_OK; file++) {
        const char *stem = file->path + sizeof folder - 1; /* "sharp.json" */
        if (strncmp(file->path, folder, sizeof folder - 1) != 0)
            continue;
        snprintf(name[count], sizeof name[count], "%.*s", (int)strcspn(stem, "."), stem);
        if (strcmp(name[count], "recount") == 0)
            continue;
        if (paper == NULL || strcmp(name[count], paper) == 0)
            status = ns_ledger_parse((const char *)file->data, file->path, ledger, err);
        names[count] = name[count];
        count++;
    }
    if (status == NS_OK && ledger->papers == 0)
        status = ns_refuse_name(err, "no paper", paper, names, count);
    if (status != NS_OK)
        ns_ledger_close(ledger);
    return status;
}

void ns_ledger_close(ns_ledger *ledger)
{
    for (size_t i = 0; i < ledger->papers; i++)
        ns_value_free(ledger->paper[i]);
    ns_free(ledger->claim);
    *ledger = (ns_ledger){.claims = 0};
}
