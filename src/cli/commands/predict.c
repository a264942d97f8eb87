/* predict.c -- the main command: which strategy moves this exchange fastest on this machine, by how much, and why */
#include "cli/show/predict.h"
#include "cli/front/own.h"
#include "cli/inputs/exchange.h"
#include "cli/show/answer.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

NS_FREED_BY(ns_comparison_free, ns_comparison)
NS_FREED_BY(ns_schedule_free, ns_schedule)

/* ---- predict --collective allreduce:SIZE: hosts, switches and interfaces in one table ---------------------------- */

typedef struct collective {
    const ns_args *args;
    ns_machine **machine;
    size_t machines;
    ns_selection selection;
    const ns_strategy *in_use;
    double bytes;
    int32_t per_node;   /* 0: the machine's */
    const char *option; /* the option that gave the numbers */
    int32_t *number;
    size_t numbers;
} collective;

/* ---- the answer -------------------------------------------------------------------------------------------------- */

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
    ns_decision_value(&decided, NULL, object);
    ns_value *rows = ns_put_rows(object, "strategies", NS_EVERYWHERE);
    for (int k = 0; k < comparison->choices; k++)
        ns_way_value(
            comparison, k,
            &(ns_way_words){.kind = answer->in_network[k] ? "in-network" : "messages", .note = answer->note[k]}, rows);
    for (int k = 0; k < answer->refused; k++) {
        const ns_allreduce_refused *refused = &answer->refusal[k];
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
}

static ns_status answer_case(const collective *c, const ns_machine *machine, int32_t number, ns_value *list,
                             ns_value *result, ns_error *err)
{
    ns_allreduce_request request = {.machine = machine, .bytes = c->bytes, .selection = &c->selection};
    int32_t parts;
    request.per_node = c->per_node > 0 ? c->per_node : ns_machine_parts(machine);
    NS_TRY(ns_parts_of(c->option, number, request.per_node, &parts, err));
    if (parts < request.per_node)
        request.per_node = parts;
    request.nodes = parts / request.per_node;
    if (!(parts % request.per_node == 0))
        return ns_fail(err, NS_ERR_RANGE,
                       "an allreduce is among full nodes: %d processes are no whole number of nodes of %d; "
                       "--nodes N gives whole ones",
                       (int)parts, (int)request.per_node);
    NS_OWN(ns_free) ns_comparison *comparison = ns_calloc(1, sizeof *comparison);
    NS_OWN(ns_free) ns_allreduce_answer *answer = ns_calloc(1, sizeof *answer);
    if (comparison == NULL || answer == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_allreduce_compare(&request, comparison, answer, err));
    add_case(c, &request, comparison, answer, list);
    if (number == c->number[0]) {
        /* Columns that a narrow table leaves out, as lines above it. */
        char name[60];
        for (int k = 0; k < comparison->choices; k++)
            if (answer->note[k][0] != '\0')
                ns_note(result, "%s: %s", ns_choice_name(comparison, k, name, sizeof name), answer->note[k]);
        for (int k = 0; k < answer->refused; k++)
            ns_note(result, "%s/%s: %s", answer->refusal[k].way->name, ns_transport_words[answer->refusal[k].transport],
                    answer->refusal[k].why);
    }
    return NS_OK;
}

static void close_collective(collective *c)
{
    ns_machines_close(c->machine, c->machines);
    ns_free(c->number);
}

static ns_status predict_collective(const ns_args *args, const char *text, ns_value *result, ns_error *err)
{
    NS_CLOSE(close_collective) collective asked = {.args = args};
    collective *const c = &asked;
    char bytes[48];
    static const char *const others[] = {"matrix",   "messages",  "exchange", "partition", "width",
                                         "strategy", "transport", "network",  "schedule",  "explain",
                                         "plot",     "model",     NULL};
    for (const char *const *name = others; *name != NULL; name++)
        if (ns_args_has(c->args, *name))
            return ns_fail(err, NS_ERR_USAGE, "--%s has no use beside --collective", *name);
    /* "allreduce:64KiB" */
    static const char allreduce[] = "allreduce:";
    if (strncmp(text, allreduce, sizeof allreduce - 1) != 0)
        return ns_fail(err, NS_ERR_USAGE, "--collective wants allreduce:SIZE, as allreduce:1KiB, got \"%.60s\"", text);
    NS_TRY(ns_quantity_parse_as(text + sizeof allreduce - 1, "--collective allreduce", "B", &c->bytes, err));
    if (!(c->bytes >= 1 && c->bytes <= 0x1p53 && c->bytes == floor(c->bytes)))
        return ns_fail(err, NS_ERR_RANGE, "--collective allreduce wants whole bytes, as 1KiB, got \"%.60s\"", text);
    NS_TRY(ns_price_options_read(c->args, &c->selection.price, err));
    NS_TRY(ns_args_count(c->args, "per-node", 1, NS_PARTS_MOST, &c->per_node, err));
    const char *in_use = ns_args_get(c->args, "incumbent");
    if (in_use != NULL) {
        char name[60];
        const size_t length = strcspn(in_use, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, in_use);
        NS_TRY(ns_allreduce_way_get(name, &c->in_use, err));
        c->selection.incumbent = &c->in_use;
        c->selection.incumbents = 1;
        c->selection.incumbent_transport = c->in_use->transports != 0 ? NS_VIA_HOST : NS_VIA_NIC; /* of hardware: one */
        if (in_use[length] == '/' && strcmp(in_use + length + 1, ns_transport_words[NS_VIA_NIC]) == 0)
            c->selection.incumbent_transport = NS_VIA_NIC;
        else if (in_use[length] == '/')
            NS_TRY(ns_transport_get(in_use + length + 1, &c->selection.incumbent_transport, err));
    }
    /* Powers of two of whole nodes, whatever the size of a node, where no number is given. */
    static const int32_t nodes[] = {2, 4, 8, 16, 32, 64};
    NS_TRY(ns_parts_option(c->args, &c->option, err));
    if (c->option != NULL) {
        NS_TRY(ns_args_counts(c->args, c->option, 1, NS_PARTS_MOST, &c->number, &c->numbers, err));
    } else {
        c->option = "nodes";
        c->numbers = sizeof nodes / sizeof *nodes;
        c->number = ns_malloc(sizeof nodes);
        if (c->number == NULL)
            return ns_no_memory(err);
        memcpy(c->number, nodes, sizeof nodes);
    }
    NS_TRY(ns_machines_open(c->args, NS_EVERY_SET, &c->machine, &c->machines, err));
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

/* ---- predict --exchange: the time of an exchange from the statistics of its messages, row by row ----------------- */

static ns_status predict_rows(const ns_args *args, const char *path, ns_value *result, ns_command_context *context,
                              ns_error *err)
{
    ns_price_options options;
    NS_OWN(ns_records_free) ns_records *records = NULL;
    NS_CLOSE(ns_row_machines_close) ns_row_machines machines = {.args = args};
    /* options about schedules do not apply to rows */
    static const char *const others[] = {"matrix",    "messages", "gpus",      "parts", "per-node",
                                         "partition", "strategy", "transport", "plot",  "explain",
                                         "schedule",  "network",  NULL};
    for (const char *const *name = others; *name != NULL; name++)
        if (ns_args_has(args, *name))
            return ns_fail(err, NS_ERR_USAGE, "--%s has no use beside --exchange: the rows say all of it", *name);
    NS_TRY(ns_price_options_read(args, &options, err));
    NS_TRY(ns_row_machines_check(args, err));
    NS_TRY(ns_records_read(path, &records, err));
    ns_put_schema(result, "nsmodel/predict-exchange/1");
    NS_TRY(ns_row_machines_try(&machines, records, err));
    ns_value *list = ns_put_rows(result, "exchanges", NS_EVERYWHERE);
    ns_value *left_out = ns_put_list(result, "left_out", NS_IN_JSON);
    ns_error first = {0};
    size_t priced = 0;
    for (size_t row = 0; row < records->rows; row++) {
        const ns_machine *machine;
        ns_price price;
        ns_error problem = {0};
        ns_status status = ns_row_machine_get(&machines, records, row, &machine, &problem);
        if (status == NS_OK)
            status = ns_record_price(records, row, machine, &options, &price, &problem);
        if (status == NS_ERR_MEMORY)
            return ns_no_memory(err);
        if (status == NS_OK) {
            ns_value *object = ns_value_object(list, NULL);
            ns_row_id(records, row, object);
            ns_put_text(object, "machine", NS_NOT_IN_CSV, machine->name);
            ns_value_number(object, "predicted_s", price.estimate_s, NS_SECOND);
            ns_value_number(object, "lo_s", price.lo_s, NS_SECOND);
            ns_value_number(object, "hi_s", price.hi_s, NS_SECOND);
            ns_price_terms(&price, 0, object);
            ns_put_bool(object, "extrapolated", NS_NOT_IN_CSV, price.extrapolated);
            priced++;
            continue;
        }
        ns_row_left_out(records, row, &problem, left_out, context->err);
        first = first.code == NS_OK ? problem : first;
    }
    if (priced == 0)
        return ns_fail_at(err, first.code, first.file, first.line, 0, "none of %zu rows can be priced; the first: %s",
                          records->rows, first.text);
    return NS_OK;
}

/* ---- predict --plot: time against parts, one line per strategy and transport, the minima ringed ------------------ */

static ns_status plot(const ns_cases *p, const char *path, ns_value *result, ns_error *err)
{
    const ns_machine *machine = p->of[0].machine;
    const ns_matrix_info *info = p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix) : NULL;
    const size_t count = p->count, choices = (size_t)p->comparison[0].choices, lines = choices + 1;
    char title[200], x_label[80];
    if (p->machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "--plot draws one machine at a time");
    NS_OWN(ns_free) double *x = ns_malloc(ns_size_mul(count, sizeof *x));
    NS_OWN(ns_free) double *y = ns_malloc(ns_size_mul(ns_size_mul(ns_size_add(lines, 2), count), sizeof *y));
    NS_OWN(ns_free) char(*label)[64] = ns_malloc(ns_size_mul(lines, sizeof *label));
    NS_OWN(ns_free) ns_series *series = ns_calloc(lines, sizeof *series);
    if (x == NULL || y == NULL || label == NULL || series == NULL)
        return ns_no_memory(err);
    double *best = y + choices * count, *low = best + count, *high = low + count;
    for (size_t k = 0; k < choices; k++) {
        const ns_choice *choice = &p->comparison[0].choice[k];
        double *own = y + k * count;
        for (size_t i = 0; i < count; i++)
            own[i] = p->comparison[i].choice[k].price.estimate_s;
        snprintf(label[k], sizeof *label, "%s, %s", choice->strategy->name, ns_transport_words[choice->transport]);
        series[k] = (ns_series){.label = label[k],
                                .colour = choice->strategy->rank,
                                .dashed = choice->transport == NS_VIA_DEVICE,
                                .points = count,
                                .x = x,
                                .y = own};
    }
    for (size_t i = 0; i < count; i++) {
        const ns_price *price = &p->comparison[i].choice[p->comparison[i].best].price;
        x[i] = p->of[i].exchange->parts;
        best[i] = price->estimate_s;
        low[i] = price->lo_s;
        high[i] = price->hi_s;
    }
    series[choices] =
        (ns_series){.label = "fastest", .rings = true, .points = count, .x = x, .y = best, .low = low, .high = high};
    snprintf(title, sizeof title, "%.80s%s on %s", info != NULL ? info->name : "exchange",
             info != NULL && info->source == NS_SURROGATE ? " (surrogate)" : "", machine->name);
    snprintf(x_label, sizeof x_label, "%s (%d a node)", machine->gpus > 0 ? "GPUs" : "processes",
             (int)p->of[0].exchange->per_node);
    const ns_chart chart = {.title = title,
                            .x_label = x_label,
                            .y_label = "time of one exchange",
                            .y_unit = "s",
                            .log_x = true,
                            .log_y = true,
                            .series = lines,
                            .of = series};
    return ns_draw(path, &chart, 1, 1, result, err);
}

/* ---- predict --schedule: the messages that a strategy sends, as rows that any program can replay
 *
 * Steps and processes count from 0.  A step begins when every process has received the messages of the previous
 * steps. */

/* Save the messages of the only choice of the only case; an error where there are more. */
static ns_status save_schedule(const ns_cases *p, const char *path, ns_error *err)
{
    NS_OWN(ns_schedule_free) ns_schedule *schedule = NULL;
    ns_whole_file whole;
    if (p->machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "--schedule writes one schedule: choose one of the %zu machines",
                       p->machines);
    if (p->count > 1)
        return ns_fail(err, NS_ERR_USAGE, "--schedule writes one schedule: choose one number of parts, as --gpus %d",
                       (int)p->of[0].exchange->parts);
    const ns_comparison *c = &p->comparison[0];
    const ns_choice *best = &c->choice[c->best];
    if (c->choices > 1)
        return ns_fail(err, NS_ERR_USAGE,
                       "--schedule writes one schedule, and there are %d: choose one, as --strategy %s --transport %s",
                       c->choices, best->strategy->name, ns_transport_words[best->transport]);
    if (best->transport == NS_VIA_NIC)
        return ns_fail(err, NS_ERR_USAGE, "--schedule writes messages; %s/%s is what interfaces do by themselves",
                       best->strategy->name, ns_transport_words[best->transport]);
    NS_TRY(ns_schedule_build(best->strategy, best->transport, p->of[0].exchange, p->of[0].machine, &schedule, err));
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    fputs("step,from,to,bytes\n", whole.file);
    for (int s = 0; s < schedule->steps; s++)
        for (int64_t i = 0; i < schedule->step[s].messages; i++) {
            const ns_message *m = &schedule->step[s].message[i];
            fprintf(whole.file, "%d,%d,%d,%lld\n", s, (int)m->from, (int)m->to, (long long)m->bytes);
        }
    return ns_whole_file_end(&whole, NS_OK, err);
}

/* ---- predict --explain: every term with its formula, its inputs and where each parameter came from --------------- */

/* The terms of a choice of messages or of a network. */
static ns_status ns_explain_way(ns_explanation *terms, const ns_case *c, const ns_comparison *comparison, int choice,
                                ns_error *err)
{
    return c->network != NULL ? ns_explain_networked(terms, c->network, c->exchange, comparison, choice, err)
                              : ns_explain_choice(terms, c->machine, c->exchange, &comparison->choice[choice], err);
}

/* The leaves of one choice's explanation as rows: amount, parameter, time, share and source. */
static ns_status ns_explain_rows(const ns_case *c, const ns_comparison *comparison, int index, ns_value *list,
                                 ns_error *err)
{
    const ns_choice *choice = &comparison->choice[index];
    NS_OWN(ns_explanation_free) ns_explanation *terms = NULL;
    const char *step = "";
    NS_TRY(ns_explanation_open(&terms, err));
    NS_TRY(ns_explain_way(terms, c, comparison, index, err));
    for (size_t i = 0; i < terms->terms; i++) {
        const ns_term *term = ns_explanation_term(terms, i);
        if (ns_term_has_children(terms, i))
            step = term->name;
        else if (term->depth > 0) {
            const double share = ns_explanation_share(terms, i);
            char place[200];
            ns_value *row = ns_value_object(list, NULL);
            ns_value_text(row, "machine", c->machine->name);
            ns_value_count(row, "gpus", c->exchange->parts);
            ns_value_text(row, "strategy", choice->strategy->name);
            ns_value_text(row, "transport", ns_transport_words[choice->transport]);
            ns_value_text(row, "step", term->counts || choice->strategy->model == NULL ? step : "published");
            if (term->counts || choice->strategy->model == NULL)
                ns_value_text(row, "term", term->name);
            else
                ns_value_textf(row, "term", "%s%s", choice->strategy->model,
                               strncmp(term->name, "corrected", 9) == 0 ? ", corrected" : "");
            ns_value_text(row, "formula", term->formula);
            ns_put_number(row, "amount", NS_EVERYWHERE, term->has_amount ? term->amount : (double)NAN,
                          term->amount_dim);
            ns_put_number(row, "value", NS_EVERYWHERE, term->has_parameter ? term->parameter : (double)NAN,
                          term->parameter_dim);
            ns_value_number(row, "time_s", term->value, NS_SECOND);
            ns_put_count(row, "share", NS_EVERYWHERE, share >= 0 ? share : (double)NAN);
            ns_value_text(row, "parameter", ns_term_place(term, place, sizeof place));
            ns_value_text(row, "source", term->source);
            ns_value_text(row, "warning", term->warning);
        }
    }
    return NS_OK;
}

/* Does the number change the time of any way of the case?  On a network it may determine the rate of a link. */
static ns_status moves(const ns_case *c, const ns_comparison *comparison, const ns_selection *selection,
                       const ns_parameter *p, bool *active, ns_error *err)
{
    NS_OWN(ns_comparison_free) ns_comparison *own = NULL;
    if (c->network == NULL)
        return ns_parameter_is_active(c->exchange, c->machine, selection, comparison, p, active, err);
    *active = c->network->gather >= 0 && c->network->fabric->link == p;
    if (*active || c->network->gather == 0)
        return NS_OK;
    NS_TRY(ns_compare(c->exchange, c->machine, selection, &own, err));
    return ns_parameter_is_active(c->exchange, c->machine, selection, own, p, active, err);
}

static const ns_option options[] = {
    NS_OPTIONS_PREDICT,
    {NULL},
};

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static ns_status explain_all(const ns_cases *p, ns_value *result, ns_error *err)
{
    NS_OWN(ns_explanation_free) ns_explanation *shown = NULL;
    NS_TRY(ns_explanation_open(&shown, err));
    ns_value *rows = ns_put_rows(result, "explain", NS_IN_DATA | NS_NOT_IN_CSV);
    for (size_t i = 0; i < p->count; i++) {
        const ns_case *c = &p->of[i];
        const ns_comparison *comparison = &p->comparison[i];
        for (int k = 0; k < comparison->choices; k++) {
            NS_TRY(ns_explain_rows(c, comparison, k, rows, err));
            /* For people: the best choice of each case, the network's own gathering, or the choices requested by
             * name. */
            const bool own = c->network != NULL && k == c->network->gather;
            if (own || k == comparison->best || p->named)
                NS_TRY(ns_explain_way(shown, c, comparison, k, err));
        }
    }
    ns_terms_show(shown, result);
    /* every parameter of a machine, and whether it changes any of the cases */
    ns_value *parameters = ns_put_rows(result, "parameters", NS_NOT_IN_CSV);
    for (size_t i = 0; i < p->machines; i++) {
        const ns_machine *machine = p->of[i * (p->count / p->machines)].machine;
        for (size_t j = 0; j < machine->parameters; j++) {
            const ns_parameter *parameter = &machine->parameter[j];
            bool active = false;
            for (size_t k = 0; k < p->count && !active; k++)
                if (p->of[k].machine == machine)
                    NS_TRY(moves(&p->of[k], &p->comparison[k], p->network != NULL ? &p->messages : &p->selection,
                                 parameter, &active, err));
            ns_value *row = ns_value_object(parameters, NULL);
            ns_value_text(row, "machine", machine->name);
            ns_value_text(row, "parameter", parameter->path);
            ns_value_number(row, "value", parameter->value, parameter->dim);
            ns_value_text(row, "use", active ? "active" : "inactive");
            ns_value_text(row, "source", parameter->source);
        }
    }
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_predict_request r;
    NS_OWN(ns_cases_close) ns_cases *p = NULL;
    NS_OWN(ns_free) ns_decided *decided = NULL;
    NS_TRY(ns_args_read(args, &r, err));
    if (r.collective != NULL)
        return predict_collective(args, r.collective, result, err);
    if (args->network != NULL && strcmp(args->network, "help") == 0)
        return ns_network_list(result);
    if (r.exchange != NULL)
        return predict_rows(args, r.exchange, result, context, err);
    NS_TRY(ns_cases_open(args, &p, err));
    if (r.plot == NULL) /* a plot has a curve for each way */
        NS_TRY(ns_cases_search(p, err));
    ns_put_schema(result, "nsmodel/predict/1");
    ns_cases_describe(p, result);
    NS_TRY(ns_cases_decided(p, &decided, err));
    ns_value *cases = ns_put_rows(result, "cases", p->count > 1 && !p->all ? NS_IN_WIDE : NS_EVERYWHERE);
    for (size_t i = 0; i < p->count; i++) {
        char next[NS_COMMAND_LINE];
        const ns_exchange *x = p->of[i].exchange;
        const ns_comparison *c = &p->comparison[i];
        ns_value *object = ns_value_object(cases, NULL);
        ns_put_text(object, "machine", p->machines == 1 ? NS_IN_DATA : NS_IN_WIDE, p->of[i].machine->name);
        ns_put_count(object, "gpus", NS_IN_WIDE, x->parts);
        ns_put_count(object, "nodes", NS_IN_WIDE, x->nodes);
        ns_put_count(object, "per_node", NS_IN_DATA, x->per_node);
        ns_pattern_value(&x->pattern, ns_put_object(object, "pattern", NS_IN_JSON));
        ns_best_value(c, object);
        ns_answer_next(args, &decided[i], next);
        ns_decision_value(&decided[i], next, object);
        const ns_networked *network = p->of[i].network;
        if (network != NULL)
            ns_gathering_value(network, object);
        ns_value *rows = ns_put_rows(object, "strategies", NS_EVERYWHERE);
        for (int k = 0; k < c->choices; k++) {
            ns_way_words said = {.machine = p->of[i].machine, .result = result};
            if (network != NULL) {
                said.kind = k == network->gather ? "in-network" : "messages";
                said.machine = ns_networked_machine(network, k);
            }
            ns_way_value(c, k, &said, rows);
        }
        if (p->of[i].searched.ways > 0)
            ns_searched_value(&p->of[i].searched, object);
    }
    NS_TRY(ns_answer_show(p, decided, result, err));
    ns_cases_warn(p, context->err);
    if (r.explain)
        NS_TRY(explain_all(p, result, err));
    if (r.plot != NULL)
        NS_TRY(plot(p, r.plot, result, err));
    return r.schedule != NULL ? save_schedule(p, r.schedule, err) : NS_OK;
}

const ns_command ns_command_predict = {
    .name = "predict",
    .summary = "which exchange strategy wins for a matrix on a machine, by how much, and why",
    .usage = "MATRIX | FILE.csv | --exchange FILE.csv",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel predict --matrix audikw_1 --gpus 16,64,256",
    .about =
        "Counts exactly who needs what from whom, builds for each strategy the schedule of messages and copies "
        "that it would really\n"
        "perform, prices it on the machine, and marks the fastest.\n"
        "P(best) is how sure it is that a way is the fastest of them; extrapolated: it sends messages beyond the sizes "
        "that were measured.\n"
        "JSON lists the likeliest ways, of 90 % together (decision.shortlist), and those that beat the fastest with "
        "less than 5 %.\n"
        "Where no message leaves its node all strategies send the same, and the first stands for them.\n"
        "--strategy also takes two-step:8 and three-step:socket, whose nodes are groups of 8 ranks or of a socket's, "
        "staged:4x4x4 and\n"
        "staged:router, which store and forward along a grid of processes, and a transport with each: two-step:8/host. "
        "On nodes of 32 host\n"
        "processes and more groups are tried unasked, and the fastest is shown where it gains 5 % or more; JSON has "
        "what was searched.\n"
        "--wide and JSON add what each time is made of, the verdict (clear, tie or extrapolated), and the paper's "
        "closed form,\n"
        "published, as printed and fed with the maxima of the pattern.\n"
        "--network puts hardware of the papers under the machine: rails carry the messages of every strategy; "
        "interfaces that gather are\n"
        "one more way beside them, in-network-gather by the nic. --network help lists what there is; --set changes "
        "the network's numbers too.\n"
        "--collective allreduce:SIZE sets the hosts' algorithms beside what switches and interfaces do by "
        "themselves.\n" NS_ABOUT_MESSAGES,
    .rank = 1,
    .run = run,
};
