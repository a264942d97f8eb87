/* show.c -- claims, their totals and the recount of the current tables as a value tree */
#include "ledger/ledger.h"

#include "published/published.h"
#include "report/columns.h"

#include <stdio.h>
#include <string.h>

enum { CLASSES = 24 };

/* ---- totals ------------------------------------------------------------------------------------------------------ */

typedef struct reasons {
    size_t classes, count[CLASSES];
    char name[CLASSES][40];
} reasons;

/* Count the text before the colon of a reason. */
static void add_reason(reasons *r, const char *reason)
{
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(reason, ":"), reason);
    size_t i = 0;
    while (i < r->classes && strcmp(r->name[i], name) != 0)
        i++;
    if (i == CLASSES)
        return;
    if (i == r->classes) {
        memcpy(r->name[r->classes++], name, sizeof name);
        r->count[i] = 0;
    }
    r->count[i]++;
}

static void put_reasons(const reasons *r, const char *key, ns_value *row)
{
    char text[CLASSES * 48] = "";
    size_t used = 0;
    for (size_t i = 0; i < r->classes; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s %zu", i > 0 ? ", " : "", r->name[i], r->count[i]);
    ns_value_text(row, key, text);
}

static void put_total(const ns_ledger *ledger, const char *paper, const char *kind, ns_value *list)
{
    size_t count[NS_VERDICTS] = {0}, claims = 0;
    reasons missed = {.classes = 0}, open = {.classes = 0};
    for (size_t i = 0; i < ledger->claims; i++) {
        const ns_claim *c = &ledger->claim[i];
        if ((paper != NULL && strcmp(c->paper, paper) != 0) ||
            (kind != NULL && strcmp(ns_claim_text(c, "kind"), kind) != 0))
            continue;
        claims++;
        count[c->verdict]++;
        if (c->verdict != NS_HOLDS)
            add_reason(c->verdict == NS_MISSES ? &missed : &open, ns_claim_text(c, "reason"));
    }
    if (claims == 0)
        return;
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "paper", paper != NULL ? paper : "all");
    ns_value_text(row, "kind", kind != NULL ? kind : "all");
    ns_value_count(row, "claims", (double)claims);
    for (int v = 0; v < NS_VERDICTS; v++)
        ns_value_count(row, ns_claim_verdicts[v], (double)count[v]);
    put_reasons(&missed, "why_missed", row);
    put_reasons(&open, "why_unanswered", row);
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

/* in_section: the heading above the row gives paper and verdict. */
static void put_claim(const ns_claim *claim, bool in_section, ns_value *rows)
{
    const ns_value *value = ns_value_get(claim->row, "value");
    char text[4096] = "";
    size_t used = 0;
    ns_value *row = ns_value_object(rows, NULL);
    if (!in_section)
        ns_value_text(row, "paper", claim->paper);
    ns_value_text(row, "place", ns_claim_text(claim, "place"));
    ns_value_text(row, "claim", ns_claim_text(claim, "claim"));
    if (ns_kind_of(value) == NS_NUMBER)
        ns_value_count(row, "value", value->number);
    else
        ns_value_text(row, "value", ns_kind_of(value) != NS_BOOL ? ns_text_of(value) : value->truth ? "yes" : "no");
    ns_value_text(row, "unit", ns_claim_text(claim, "unit"));
    ns_value_text(row, "kind", ns_claim_text(claim, "kind"));
    if (!in_section || claim->verdict != NS_UNANSWERED) {
        if (claim->answered && *claim->word == '\0')
            ns_value_count(row, "answer", claim->number);
        else
            ns_value_text(row, "answer", claim->answered ? claim->word : NULL);
        ns_put_text(row, "compare", in_section ? NS_EVERYWHERE : NS_IN_WIDE, ns_claim_text(claim, "compare"));
    }
    if (!in_section)
        ns_value_text(row, "verdict", ns_claim_verdicts[claim->verdict]);
    if (claim->verdict != NS_HOLDS)
        ns_value_text(row, "reason", ns_claim_text(claim, "reason"));
    if (in_section && claim->verdict == NS_HOLDS)
        ns_put_text(row, "command", NS_IN_WIDE, claim->command[0]);
    for (size_t i = 0; claim->command[i] != NULL && used < sizeof text - 1; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%snsmodel %s", i > 0 ? "; " : "", claim->command[i]);
    if (!in_section)
        ns_value_text(row, "command", used > 0 ? text : NULL);
}

/* For readers: a section for each paper, with the misses first, then claims without an answer, then those that hold. */
static void put_section(const ns_ledger *ledger, const char *paper, ns_claim_verdict verdict, ns_value *sections)
{
    static const char *const titles[NS_VERDICTS] = {"holds", "misses", "is not answered"};
    ns_value *section = NULL, *rows = NULL;
    for (size_t i = 0; i < ledger->claims; i++) {
        const ns_claim *c = &ledger->claim[i];
        if (c->verdict != verdict || strcmp(c->paper, paper) != 0)
            continue;
        if (section == NULL) {
            section = ns_value_object(sections, NULL);
            ns_put_textf(section, "section", NS_HEADING, "%s: what %s", paper, titles[verdict]);
            rows = ns_put_rows(section, "rows", NS_EVERYWHERE);
        }
        put_claim(c, true, rows);
    }
}

/* ---- today's tables by the same rules ---------------------------------------------------------------------------- */

static ns_status put_recount(ns_value *result, ns_error *err)
{
    const ns_embedded *file = ns_evidence_files;
    while (file->path != NULL && strstr(file->path, "recount") == NULL)
        file++;
    if (file->path == NULL)
        return NS_OK;
    ns_value *root;
    NS_TRY(ns_json_parse((const char *)file->data, file->path, &root, err));
    size_t all = 0, plain = 0, hold = 0, plain_hold = 0;
    for (const ns_value *v = ns_first_of(ns_value_get(root, "rows")); v != NULL; v = v->next) {
        const bool is_plain = strcmp(ns_text_of(ns_value_get(v, "is")), "plain") == 0;
        const bool holds = ns_value_get(v, "holds")->truth;
        all++;
        plain += is_plain;
        hold += holds;
        plain_hold += is_plain && holds;
    }
    ns_sentence(result, "recounted", NS_NOT_IN_JSON,
                "`nsmodel reproduce` without --claims counts %zu predictions, of which %zu hold. By the "
                "rules of this list %zu of them are plain predictions, and %zu of those hold; of the "
                "other %zu that hold each says below what it is.",
                all, hold, plain, plain_hold, hold - plain_hold);
    ns_value *list = ns_put_rows(result, "recount", NS_IN_WIDE);
    for (const ns_value *v = ns_first_of(ns_value_get(root, "rows")); v != NULL; v = v->next) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "table", ns_text_of(ns_value_get(v, "table")));
        ns_value_text(row, "label", ns_text_of(ns_value_get(v, "label")));
        ns_value_bool(row, "holds", ns_value_get(v, "holds")->truth);
        ns_value_text(row, "is", ns_text_of(ns_value_get(v, "is")));
        ns_value_text(row, "why", ns_text_of(ns_value_get(v, "why")));
    }
    ns_value_free(root);
    return NS_OK;
}

ns_status ns_show_claims(const ns_ledger *ledger, bool all_papers, ns_value *result, ns_error *err)
{
    static const ns_claim_verdict order[] = {NS_MISSES, NS_UNANSWERED, NS_HOLDS};
    size_t count[NS_VERDICTS] = {0}, predictions = 0, held = 0;
    for (size_t i = 0; i < ledger->claims; i++) {
        const bool prediction = strcmp(ns_claim_text(&ledger->claim[i], "kind"), "prediction") == 0;
        count[ledger->claim[i].verdict]++;
        predictions += prediction && ledger->claim[i].verdict != NS_UNANSWERED;
        held += prediction && ledger->claim[i].verdict == NS_HOLDS;
    }
    ns_sentence(result, "sentence", NS_NOT_IN_JSON,
                "%zu claims: %zu hold, %zu miss, %zu are not answered. Of %zu predictions that are answered %zu hold.",
                ledger->claims, count[NS_HOLDS], count[NS_MISSES], count[NS_UNANSWERED], predictions, held);
    ns_value *totals = ns_put_rows(result, "summary", NS_EVERYWHERE);
    for (size_t p = 0; p < ledger->papers; p++)
        for (int k = 0; k < NS_PUBLISHED_KINDS; k++)
            put_total(ledger, ns_text_of(ns_value_get(ledger->paper[p], "paper")), ns_published_words[k], totals);
    for (int k = 0; ledger->papers > 1 && k < NS_PUBLISHED_KINDS; k++)
        put_total(ledger, NULL, ns_published_words[k], totals);
    put_total(ledger, ledger->papers > 1 ? NULL : ns_text_of(ns_value_get(ledger->paper[0], "paper")), NULL, totals);
    if (all_papers)
        NS_TRY(put_recount(result, err));
    ns_value *claims = ns_put_rows(result, "claims", NS_IN_JSON);
    for (size_t i = 0; i < ledger->claims; i++)
        put_claim(&ledger->claim[i], false, claims);
    ns_value *sections = ns_put_rows(result, "sections", NS_NOT_IN_JSON);
    for (size_t v = 0; v < sizeof order / sizeof *order; v++)
        for (size_t p = 0; p < ledger->papers; p++)
            put_section(ledger, ns_text_of(ns_value_get(ledger->paper[p], "paper")), order[v], sections);
    return NS_OK;
}
