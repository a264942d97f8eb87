/* ledger.h -- what the papers claim, what the program answers, and how the two compare
 *
 * evidence/claims/PAPER.json contains a paper's claims, one per row:
 *
 *     place, claim    where, and what, in our words
 *     value, unit     as printed: a number in that unit, a word, or true
 *     kind            prediction, in-sample, identity or input: what an answer used
 *     compare         "15 %" of the value, "+- 0.5" in its unit, "factor 3" either way, "same", or "interval": as below
 *     command         one command line of nsmodel, or a list of them; without it the claim is not answerable
 *     answer          how the answer is read from what these print as JSON (reading.c)
 *     interval        two readings, the bounds that the program states
 *     machine         why a machine is asked that is not the default
 *     reason          why it misses, or why it is not answerable: "class: more"
 */
#ifndef NS_LEDGER_LEDGER_H
#define NS_LEDGER_LEDGER_H

#include "cli/front/command.h"
#include "core/value.h"

typedef enum ns_claim_verdict { NS_HOLDS, NS_MISSES, NS_UNANSWERED, NS_VERDICTS } ns_claim_verdict;
extern const char *const ns_claim_verdicts[NS_VERDICTS];

enum { NS_CLAIM_COMMANDS = 16, NS_CLAIM_WORD = 128 };

typedef struct ns_claim {
    const char *paper;
    const char *machine;                        /* the paper's default */
    const ns_value *row;                        /* as in the ledger; "command" is a text or a list */
    const char *command[NS_CLAIM_COMMANDS + 1]; /* closed by NULL */
    double factor;                              /* of the unit to SI */
    ns_claim_verdict verdict;
    bool answered;
    double number;            /* the answer in the unit of the claim */
    char word[NS_CLAIM_WORD]; /* the answer where the value is a word or a truth */
    bool bounded;
    double bound[2]; /* of the stated interval, in the unit of the claim */
} ns_claim;

typedef struct ns_ledger {
    size_t claims;
    ns_claim *claim;
    size_t papers;
    ns_value *paper[8];
} ns_ledger;

/* The kind, text or child of a node that may be absent: NS_NULL, "", no child. */
static inline ns_value_kind ns_kind_of(const ns_value *value)
{
    return value != NULL ? value->kind : NS_NULL;
}

static inline const char *ns_text_of(const ns_value *value)
{
    return ns_kind_of(value) == NS_TEXT ? value->text : "";
}

static inline const ns_value *ns_first_of(const ns_value *value)
{
    return value != NULL ? value->first : NULL;
}

/* The claims of one paper, or of all (NULL).  A row that violates the above rules is refused, with its position. */
ns_status ns_ledger_open(const char *paper, ns_ledger *ledger, ns_error *err);
/* The same for the text of one paper. */
ns_status ns_ledger_parse(const char *text, const char *origin, ns_ledger *ledger, ns_error *err);
void ns_ledger_close(ns_ledger *ledger);

/* Run every distinct command once, read the answers and judge them.  Each fault of the ledger itself is a line on
 * context->err, and makes its exit code 1: a command that fails, a machine other than the default without a reason, an
 * interval that excludes the value of a claim that holds, a reason that is missing, or a reason for a claim that
 * holds. */
ns_status ns_ledger_answer(ns_ledger *ledger, ns_command_context *context, ns_error *err);

/* A text of a row, "" where the row has none. */
const char *ns_claim_text(const ns_claim *claim, const char *key);

/* ---- reading.c ---- */

/* A reading as text: each question in braces is replaced by what it reads from the answers, which are numbered from
 * 1. */
ns_status ns_reading_word(const char *reading, const ns_value *const *answer, size_t answers, char *word, size_t size,
                          ns_error *err);
/* A reading as a number, SI. */
ns_status ns_reading_number(const char *reading, const ns_value *const *answer, size_t answers, double *number,
                            ns_error *err);

/* Claims, their totals by paper and kind, and the current tables judged by the same rules, as a value tree. */
ns_status ns_show_claims(const ns_ledger *ledger, bool all_papers, ns_value *result, ns_error *err);

#endif
