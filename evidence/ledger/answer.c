/* answer.c -- runs every distinct command once, reads the claims' answers from the output, and judges them */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "ledger/ledger.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* A distinct command; a command of NULL ends the list. */
typedef struct reply {
    const char *command; /* owned by the ledger */
    ns_value *root;      /* NULL: it failed */
} reply;

enum { WORDS_MOST = 64 };

/* The output of a command with --json, as a tree. */
static ns_status run(const char *command, const ns_program *program, ns_value **root, ns_error *err)
{
    static char json[] = "--json";
    char *out = NULL, *told = NULL, *argv[WORDS_MOST + 2];
    size_t size = 0, told_size = 0, length = strlen(command) + 1;
    int argc = 0;
    FILE *to = open_memstream(&out, &size), *words = open_memstream(&told, &told_size);
    char *line = ns_malloc(length);
    ns_status status = to != NULL && words != NULL && line != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        memcpy(line, command, length);
        char *rest;
        for (char *word = strtok_r(line, " ", &rest); word != NULL && argc < WORDS_MOST;
             word = strtok_r(NULL, " ", &rest))
            argv[argc++] = word;
        argv[argc++] = json;
        argv[argc] = NULL;
        ns_command_context context = {.err = words, .program = program};
        status = program->run(argc, argv, to, &context, err);
        if (status == NS_OK && context.exit != 0)
            status = ns_fail(err, NS_ERR_DATA, "it ended with exit code %d", context.exit);
    }
    if (to != NULL)
        fclose(to);
    if (words != NULL)
        fclose(words);
    if (status == NS_OK)
        status = ns_json_parse(out, NULL, root, err);
    ns_free(line);
    free(out);
    free(told);
    return status;
}

/* The reply to a command, or the end of the list. */
static reply *find(reply *a, const char *command)
{
    while (a->command != NULL && strcmp(a->command, command) != 0)
        a++;
    return a;
}

/* ---- the ledger's own faults ------------------------------------------------------------------------------------- */

static void complain(const ns_claim *claim, ns_command_context *context, const char *what, const char *more)
{
    context->exit = 1;
    fprintf(context->err, "nsmodel: %s, %s, \"%s\": %s%s\n", claim->paper, ns_claim_text(claim, "place"),
            ns_claim_text(claim, "claim"), what, more);
}

static ns_status run_new(const ns_claim *claim, const char *command, reply *list, ns_command_context *context,
                         ns_error *err)
{
    reply *a = find(list, command);
    ns_error inner = {0};
    char text[1024];
    if (a->command != NULL)
        return NS_OK;
    if (run(command, context->program, &a->root, &inner) != NS_OK) {
        if (inner.code == NS_ERR_MEMORY)
            return ns_no_memory(err);
        char line[2048];
        snprintf(line, sizeof line, "%s: %s", command, ns_error_line(&inner, text, sizeof text));
        complain(claim, context, "the command fails: nsmodel ", line);
    }
    a->command = command;
    return NS_OK;
}

/* The machine that a command names and the paper's default is not; "" when there is none. */
static void other_machine(const ns_claim *claim, const char *command, const ns_program *program, char *name,
                          size_t size)
{
    *name = '\0';
    const ns_command *c = ns_program_find(program, command, strcspn(command, " "));
    const char *given = strstr(command, " --machine ");
    if (c == NULL || given == NULL)
        return;
    given += strlen(" --machine ");
    snprintf(name, size, "%.*s", (int)strcspn(given, " "), given);
    const ns_option *own = ns_option_of_word(c, "--machine");
    if (strcmp(name, claim->machine) == 0 || (own != NULL && own->fallback != NULL && strcmp(name, own->fallback) == 0))
        *name = '\0';
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

static bool is_near(const ns_claim *claim, double value)
{
    const char *compare = ns_claim_text(claim, "compare");
    const double given = fabs(claim->number - value), slack = 1 + 1e-9; /* a bound includes values equal to it */
    if (strcmp(compare, "interval") == 0)
        return claim->bounded && claim->bound[0] <= value * slack && value <= claim->bound[1] * slack;
    if (strncmp(compare, "+- ", 3) == 0)
        return given <= ns_strtod(compare + 3, NULL) * slack + 1e-9 * fabs(value);
    if (strncmp(compare, "factor ", 7) == 0)
        return claim->number * value > 0 &&
               fabs(log(claim->number / value)) <= log(ns_strtod(compare + 7, NULL)) * slack;
    return given <= ns_strtod(compare, NULL) / 100 * fabs(value) * slack;
}

static ns_status read_claim(ns_claim *claim, const ns_value *const *answer, size_t count, ns_error *err)
{
    const ns_value *value = ns_value_get(claim->row, "value"), *interval = ns_value_get(claim->row, "interval");
    const char *reading = ns_claim_text(claim, "answer");
    if (ns_kind_of(value) == NS_TEXT) {
        NS_TRY(ns_reading_word(reading, answer, count, claim->word, sizeof claim->word, err));
        claim->verdict = strcmp(claim->word, ns_text_of(value)) == 0 ? NS_HOLDS : NS_MISSES;
        return NS_OK;
    }
    NS_TRY(ns_reading_number(reading, answer, count, &claim->number, err));
    if (ns_kind_of(value) == NS_BOOL) {
        snprintf(claim->word, sizeof claim->word, "%s", claim->number != 0 ? "yes" : "no");
        claim->verdict = (claim->number != 0) == value->truth ? NS_HOLDS : NS_MISSES;
        return NS_OK;
    }
    claim->number /= claim->factor;
    const ns_value *bound = ns_first_of(interval);
    for (int i = 0; i < 2 && bound != NULL; i++, bound = bound->next) {
        NS_TRY(ns_reading_number(ns_text_of(bound), answer, count, &claim->bound[i], err));
        claim->bound[i] /= claim->factor;
        claim->bounded = i == 1;
    }
    claim->verdict = is_near(claim, value->number) ? NS_HOLDS : NS_MISSES;
    return NS_OK;
}

static void judge(ns_claim *claim, reply *list, ns_command_context *context)
{
    const ns_value *answers[NS_CLAIM_COMMANDS], *value = ns_value_get(claim->row, "value");
    ns_error inner = {0};
    char text[1024];
    size_t count = 0;
    bool ran = claim->command[0] != NULL;
    for (; claim->command[count] != NULL; count++) {
        answers[count] = find(list, claim->command[count])->root;
        ran = ran && answers[count] != NULL;
        other_machine(claim, claim->command[count], context->program, text, sizeof text);
        if (*text != '\0' && *ns_claim_text(claim, "machine") == '\0')
            complain(claim, context, "no reason is given for the machine ", text);
    }
    claim->answered = ran && read_claim(claim, answers, count, &inner) == NS_OK;
    if (ran && !claim->answered)
        complain(claim, context, "its answer is not read: ", ns_error_line(&inner, text, sizeof text));
    if (!claim->answered)
        claim->verdict = NS_UNANSWERED;
    const double number = value->number;
    if (claim->verdict == NS_HOLDS && claim->bounded && !(claim->bound[0] <= number && number <= claim->bound[1]))
        complain(claim, context, "it holds, and the interval that is stated excludes it", "");
    const bool reason = *ns_claim_text(claim, "reason") != '\0';
    if (claim->verdict != NS_HOLDS && !reason)
        complain(claim, context, "no reason is given why it ", claim->answered ? "misses" : "is not answered");
    if (claim->verdict == NS_HOLDS && reason)
        complain(claim, context, "it holds, and a reason is given why not", "");
}

ns_status ns_ledger_answer(ns_ledger *ledger, ns_command_context *context, ns_error *err)
{
    ns_status status = NS_OK;
    reply *list = ns_calloc(ns_size_mul(ledger->claims, NS_CLAIM_COMMANDS) + 1, sizeof *list);
    if (list == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < ledger->claims; i++)
        for (size_t c = 0; status == NS_OK && ledger->claim[i].command[c] != NULL; c++)
            status = run_new(&ledger->claim[i], ledger->claim[i].command[c], list, context, err);
    for (size_t i = 0; status == NS_OK && i < ledger->claims; i++)
        judge(&ledger->claim[i], list, context);
    for (reply *a = list; a->command != NULL; a++)
        ns_value_free(a->root);
    ns_free(list);
    return status;
}
