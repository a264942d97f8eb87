/* report_ask.c -- the answers that a report holds are those of the commands themselves */
#include "cli/show/report.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

extern const ns_command ns_command_predict, ns_command_machines, ns_command_netsparse;

/* A command line for another command. */
typedef struct question {
    const ns_args *from;
    char **word;
    int words;
} question;

static void add(question *q, const char *word)
{
    q->word[q->words++] = (char *)(uintptr_t)word; /* a command line is read only */
}

/* Every value given of an option, under another name perhaps. */
static void pass(question *q, const char *name, const char *as)
{
    const char *value;
    for (int i = 0; (value = ns_args_at(q->from, name, i)) != NULL; i++) {
        add(q, as);
        add(q, value);
    }
}

static ns_status begin(const ns_args *args, question *q, ns_error *err)
{
    *q = (question){.from = args, .word = calloc(2 * (size_t)NS_ARGS_MAX + 32, sizeof *q->word)};
    return q->word != NULL ? NS_OK : ns_no_memory(err);
}

static ns_status ask(question *q, const ns_command *command, ns_value *answer, FILE *words, ns_error *err)
{
    ns_context context = {.err = words};
    ns_args *args = malloc(sizeof *args);
    ns_status status =
        args != NULL && answer != NULL ? ns_args_parse(command, q->words, q->word, args, err) : ns_no_memory(err);
    if (status == NS_OK) {
        args->progress = q->from->progress;
        status = command->run(args, answer, &context, err);
    }
    free(args);
    free(q->word);
    return status;
}

static ns_status ask_predict(const ns_args *args, ns_value *answer, FILE *words, ns_error *err)
{
    static const struct {
        const char *name, *as;
    } options[] = {
        {"matrix", "--matrix"},       {"messages", "--messages"}, {"machine", "--machine"},
        {"gpus", "--gpus"},           {"parts", "--parts"},       {"per-node", "--per-node"},
        {"partition", "--partition"}, {"width", "--width"},       {"strategy", "--strategy"},
        {"transport", "--transport"}, {"set", "--set"},           {"max-memory", "--max-memory"},
        {"max-work", "--max-work"},
    };
    question q;
    NS_TRY(begin(args, &q, err));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        pass(&q, options[i].name, options[i].as);
    return ask(&q, &ns_command_predict, answer, words, err);
}

static ns_status ask_machine(const ns_args *args, const char *name, ns_value *answer, FILE *words, ns_error *err)
{
    question q;
    NS_TRY(begin(args, &q, err));
    pass(&q, "set", "--set");
    add(&q, "--");
    add(&q, name);
    return ask(&q, &ns_command_machines, answer, words, err);
}

static ns_status ask_machines(const ns_args *args, ns_value *list, FILE *words, ns_error *err)
{
    const char *given = ns_args_get(args, "machine");
    char *names = malloc(strlen(given) + 1);
    ns_status status = names != NULL ? NS_OK : ns_no_memory(err);
    if (names != NULL)
        strcpy(names, given);
    for (char *name = names, *end; status == NS_OK && name != NULL; name = end) {
        end = strchr(name, ',');
        if (end != NULL)
            *end++ = '\0';
        status = ask_machine(args, name, ns_value_object(list, NULL), words, err);
    }
    free(names);
    return status;
}

/* A partition says how many nodes there are. */
static ns_status ask_netsparse(const ns_args *args, ns_value *answer, FILE *words, ns_error *err)
{
    question q;
    NS_TRY(begin(args, &q, err));
    add(&q, "--ablation");
    add(&q, "--machine");
    add(&q, ns_args_get(args, "netsparse"));
    if (ns_args_has(args, "nodes") || !ns_args_has(args, "partition")) {
        add(&q, "--nodes");
        add(&q, ns_args_get(args, "nodes"));
    }
    add(&q, "--k");
    add(&q, ns_args_get(args, "k"));
    pass(&q, "matrix", "--matrix");
    pass(&q, "partition", "--partition");
    pass(&q, "max-memory", "--max-memory");
    pass(&q, "max-work", "--max-work");
    return ask(&q, &ns_command_netsparse, answer, words, err);
}

static ns_value *flagged(ns_value *value, unsigned flags)
{
    if (value != NULL)
        value->flags |= flags;
    return value;
}

ns_status ns_report_ask(const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    NS_TRY(ask_predict(args, flagged(ns_value_object(result, "predict"), NS_V_JSON_ONLY), words, err));
    NS_TRY(ask_machines(args, flagged(ns_value_list(result, "machines"), NS_V_JSON_ONLY), words, err));
    if (ns_args_get(args, "matrix") == NULL || strcmp(ns_args_get(args, "netsparse"), "none") == 0)
        return NS_OK;
    return ask_netsparse(args, flagged(ns_value_object(result, "netsparse"), NS_V_JSON_ONLY), words, err);
}
