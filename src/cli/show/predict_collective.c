/* predict_collective.c -- predict --collective allreduce:SIZE: hosts, switches and interfaces in one table */
#include "cli/show/decision.h"
#include "cli/show/predict.h"
#include "cli/show/ways.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

typedef struct collective {
    const ns_args *args;
    ns_machine **machine;
    size_t machines;
    ns_selection selection;
    const ns_strategy *in_use;
    double bytes;
    const char *option; /* by which the numbers are given */
    int32_t *number;
    size_t numbers;
} collective;

/* ---- the command line -------------------------------------------------------------------------------------------- */

static ns_status read_incumbent(collective *c, ns_error *err)
{
    const char *text = ns_args_get(c->args, "incumbent");
    char name[60];
    if (text == NULL)
        return NS_OK;
    const size_t length = strcspn(text, "/");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    NS_TRY(ns_allreduce_way_get(name, &c->in_use, err));
    c->selection.incumbent = &c->in_use;
    c->selection.incumbents = 1;
    const bool host = c->in_use->transports != 0; /* of what hardware does, there is one way only */
    const char *word = text[length] == '/' ? text + length + 1 : ns_transport_words[host ? NS_VIA_HOST : NS_VIA_NIC];
    c->selection.incumbent_transport = NS_VIA_NIC;
    return strcmp(word, ns_transport_words[NS_VIA_NIC]) == 0
               ? NS_OK
               : ns_transport_get(word, &c->selection.incumbent_transport, err);
}

/* Whole nodes, whatever a node of the machine has, where no number is given. */
static ns_status read_numbers(collective *c, ns_error *err)
{
    static const int32_t nodes[] = {2, 4, 8, 16, 32, 64};
    NS_TRY(ns_parts_option(c->args, &c->option, err));
    if (c->option != NULL)
        return ns_args_counts(c->args, c->option, 1, NS_PARTS_MOST, &c->number, &c->numbers, err);
    c->option = "nodes";
    c->numbers = sizeof nodes / sizeof *nodes;
    c->number = ns_malloc(sizeof nodes);
    if (c->number == NULL)
        return ns_no_memory(err);
    memcpy(c->number, nodes, sizeof nodes);
    return NS_OK;
}

static ns_status read_all(collective *c, const char *text, ns_error *err)
{
    static const char *const others[] = {"matrix",   "messages",  "exchange", "partition", "width",
                                         "strategy", "transport", "network",  "schedule",  "explain",
                                         "plot",     "model",     NULL};
    for (const char *const *name = others; *name != NULL; name++)
        if (ns_args_has(c->args, *name))
            return ns_fail(err, NS_ERR_USAGE, "--%s has no use beside --collective", *name);
    /* "allreduce:64KiB" */
    double *bytes = &c->bytes;
    static const char allreduce[] = "allreduce:";
    if (strncmp(text, allreduce, sizeof allreduce - 1) != 0)
        return ns_fail(err, NS_ERR_USAGE, "--collective wants allreduce:SIZE, as allreduce:1KiB, got \"%.60s\"", text);
    NS_TRY(ns_quantity_parse_as(text + sizeof allreduce - 1, "--collective allreduce", "B", bytes, err));
    if (!(*bytes >= 1 && *bytes <= 0x1p53 && *bytes == floor(*bytes)))
        return ns_fail(err, NS_ERR_RANGE, "--collective allreduce wants whole bytes, as 1KiB, got \"%.60s\"", text);
    NS_TRY(ns_price_options_read(c->args, &c->selection.price, err));
    NS_TRY(read_incumbent(c, err));
    NS_TRY(read_numbers(c, err));
    return ns_machines_open(c->args, &c->machine, &c->machines, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void add_refused(const ns_allreduce_refused *refused, ns_value *rows)
{
    char name[60];
    ns_value *row = ns_value_object(rows, NULL);
    snprintf(name, sizeof name, "%s/%s", refused->way->name, ns_transport_words[refused->transport]);
    ns_put_text(row, "way", NS_IN_NARROW, name);
    ns_put_text(row, "remark", NS_IN_NARROW, "not priced");
    ns_put_text(row, "strategy", NS_IN_WIDE, refused->way->name);
    ns_put_text(row, "transport", NS_IN_WIDE, ns_transport_words[refused->transport]);
    ns_put_text(row, "estimate_s", NS_IN_WIDE, NULL);
    ns_put_text(row, "note", NS_IN_WIDE, refused->why);
}

static void add_case(const collective *c, const ns_allreduce_request *request, const ns_comparison *comparison,
                     const ns_allreduce_answer *answer, ns_value *list)
{
    const int32_t parts = request->nodes * request->per_node;
    ns_value *object = ns_value_object(list, NULL);
    ns_put_text(object, "machine", c->machines == 1 ? NS_IN_DATA : NS_IN_WIDE, request->machine->name);
    ns_put_count(object, "gpus", NS_IN_WIDE, parts);
    ns_put_count(object, "nodes", NS_IN_WIDE, request->nodes);
    ns_put_count(object, "per_node", NS_IN_DATA, request->per_node);
    ns_best_value(comparison, object);
    const ns_decided decided = {.comparison = comparison,
                                .machine = request->machine,
                                .parts = parts,
                                .one_of_many = c->machines > 1,
                                .foreign = true};
    ns_decision_sentence(&decided, object);
    ns_decision_value(&decided, NULL, object);
    ns_value *rows = ns_put_rows(object, "strategies", NS_EVERYWHERE);
    for (int k = 0; k < comparison->choices; k++)
        ns_way_value(
            comparison, k,
            &(ns_way_words){.kind = answer->in_network[k] ? "in-network" : "messages", .note = answer->note[k]}, rows);
    for (int k = 0; k < answer->refused; k++)
        add_refused(&answer->refusal[k], rows);
}

static ns_status answer_case(const collective *c, const ns_machine *machine, int32_t number, ns_value *list,
                             ns_value *result, ns_error *err)
{
    ns_allreduce_request request = {.machine = machine, .bytes = c->bytes, .selection = &c->selection};
    int32_t parts;
    request.per_node = ns_machine_parts(machine);
    if (ns_args_get(c->args, "per-node") != NULL)
        NS_TRY(ns_args_count(c->args, "per-node", 1, NS_PARTS_MOST, &request.per_node, err));
    NS_TRY(ns_parts_of(c->option, number, request.per_node, &parts, err));
    if (parts < request.per_node)
        request.per_node = parts;
    request.nodes = parts / request.per_node;
    if (!(parts % request.per_node == 0))
        return ns_fail(err, NS_ERR_RANGE,
                       "an allreduce is among full nodes: %d processes are no whole number of nodes of %d; "
                       "--nodes N gives whole ones",
                       (int)parts, (int)request.per_node);
    ns_comparison *comparison = ns_calloc(1, sizeof *comparison);
    ns_allreduce_answer *answer = ns_calloc(1, sizeof *answer);
    ns_status status = comparison != NULL && answer != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK)
        status = ns_allreduce_compare(&request, comparison, answer, err);
    if (status == NS_OK)
        add_case(c, &request, comparison, answer, list);
    if (status == NS_OK && number == c->number[0]) {
        /* What a narrow table has no room for, in lines above it. */
        char name[60];
        for (int k = 0; k < comparison->choices; k++)
            if (answer->note[k][0] != '\0')
                ns_note(result, "%s: %s", ns_choice_name(comparison, k, name, sizeof name), answer->note[k]);
        for (int k = 0; k < answer->refused; k++)
            ns_note(result, "%s/%s: %s", answer->refusal[k].way->name, ns_transport_words[answer->refusal[k].transport],
                    answer->refusal[k].why);
    }
    ns_free(comparison);
    ns_free(answer);
    return status;
}

static ns_status answer_all(const collective *c, ns_value *result, ns_error *err)
{
    char bytes[48];
    ns_put_schema(result, "nsmodel/predict/1");
    ns_value *operation = ns_put_object(result, "collective", NS_IN_JSON);
    ns_value_text(operation, "operation", "allreduce");
    ns_value_number(operation, "bytes", c->bytes, NS_BYTE);
    ns_note(result, "collective allreduce of %s at every process",
            ns_quantity_format(c->bytes, NS_BYTE, 4, bytes, sizeof bytes));
    ns_machines_value(c->machine, c->machines, result);
    for (size_t i = 0; i < c->machines; i++)
        ns_note(result, "machine    %s: %s", c->machine[i]->name, c->machine[i]->source);
    ns_value *cases = ns_put_rows(result, "cases", NS_EVERYWHERE);
    for (size_t m = 0; m < c->machines; m++)
        for (size_t i = 0; i < c->numbers; i++)
            NS_TRY(answer_case(c, c->machine[m], c->number[i], cases, result, err));
    return NS_OK;
}

ns_status ns_predict_collective(const ns_args *args, const char *operation, ns_value *result, ns_error *err)
{
    collective c = {.args = args};
    ns_status status = read_all(&c, operation, err);
    if (status == NS_OK)
        status = answer_all(&c, result, err);
    ns_machines_close(c.machine, c.machines);
    ns_free(c.number);
    return status;
}
