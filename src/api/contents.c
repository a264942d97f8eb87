/* contents.c -- what handles hold, one by one, in structs that begin with their size */
#include "api/estimate.h"
#include "collection/catalogue.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/value.h"
#include "machine/machine.h"
#include "matrix/words.h"
#include "model/binding.h"
#include "netsparse/netsparse.h"
#include "pattern/exchange.h"
#include "pattern/graph.h"
#include "price/choice.h"
#include "price/price.h"
#include "schedule/strategy.h"
#include "study/study.h"

#include <nsmodel/version.h>
#include <nsmodel/word.h>

/* ---- what a machine holds, one by one ---------------------------------------------------------------------------- */

ns_status ns_machine_describe(const ns_machine *machine, ns_machine_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_machine_info known = {.name = machine->name,
                                   .title = machine->title,
                                   .source = machine->source,
                                   .file = machine->file,
                                   .sockets = machine->sockets,
                                   .gpus = machine->gpus,
                                   .host_processes = machine->host_processes,
                                   .parameters = machine->parameters};
    return ns_sized_give(info, &known, sizeof known, err);
}

const ns_parameter *ns_machine_parameter_at(const ns_machine *machine, size_t index)
{
    return index < machine->parameters ? &machine->parameter[index] : NULL;
}

ns_status ns_machine_class(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                           ns_class_info *info, ns_error *err)
{
    ns_error_clear(err);
    if ((unsigned)memory >= NS_MEMORIES || (unsigned)locality >= NS_LOCALITIES)
        return ns_fail(err, NS_ERR_RANGE, "no memory %d or no locality %d; there are %d and %d of them", (int)memory,
                       (int)locality, NS_MEMORIES, NS_LOCALITIES);
    ns_class_info known = {0};
    const ns_line *line = ns_machine_line(machine, memory, locality, bytes, &known.protocol);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s has no table for %s messages in %s memory", machine->name,
                       ns_locality_words[locality], ns_memory_words[memory]);
    known.alpha = line->alpha;
    known.beta = line->beta;
    known.alpha_se = line->alpha_se;
    known.beta_se = line->beta_se;
    known.from = line->from;
    known.to = line->to;
    return ns_sized_give(info, &known, sizeof known, err);
}

/* ---- entries and facts of a catalogue, one by one ---------------------------------------------------------------- */

const ns_catalogue_entry *ns_catalogue_at(const ns_catalogue *catalogue, size_t index)
{
    return index < catalogue->entries ? &catalogue->entry[index] : NULL;
}

const ns_catalogue_fact *ns_catalogue_fact_at(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                                              size_t index)
{
    const ns_catalogue_fact *fact;
    return index < ns_catalogue_facts(catalogue, entry, &fact) ? &fact[index] : NULL;
}

/* ---- what sites, graphs and exchanges hold, one by one ----------------------------------------------------------- */

int32_t ns_site_parts(const ns_site *site)
{
    return site->parts;
}

int32_t ns_site_nodes(const ns_site *site)
{
    return site->nodes;
}

const int32_t *ns_site_node_of(const ns_site *site)
{
    return site->node_of;
}

int32_t ns_graph_parts(const ns_graph *graph)
{
    return graph->parts;
}

int32_t ns_exchange_parts(const ns_exchange *exchange)
{
    return exchange->parts;
}

int32_t ns_exchange_nodes(const ns_exchange *exchange)
{
    return exchange->nodes;
}

int64_t ns_exchange_width(const ns_exchange *exchange)
{
    return exchange->width;
}

const ns_site *ns_exchange_site(const ns_exchange *exchange)
{
    return exchange->site;
}

int64_t ns_exchange_routes(const ns_exchange *exchange, const ns_route **route)
{
    *route = exchange->route;
    return exchange->routes;
}

ns_status ns_exchange_counts(const ns_exchange *exchange, ns_pattern *counts, ns_error *err)
{
    ns_error_clear(err);
    return ns_sized_give(counts, &exchange->pattern, sizeof exchange->pattern, err);
}

/* ---- what strategies and schedules hold, and what a schedule costs, without its whole price ---------------------- */

ns_status ns_strategy_describe(const ns_strategy *strategy, ns_strategy_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_strategy_info known = {.name = strategy->name,
                                    .alias = strategy->alias != NULL ? strategy->alias : "",
                                    .title = strategy->title,
                                    .source = strategy->source,
                                    .rank = strategy->rank,
                                    .transports = strategy->transports,
                                    .node_aware = strategy->node_aware,
                                    .all_processes = strategy->all_processes,
                                    .steps = ns_strategy_steps(strategy)};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_schedule_describe(const ns_schedule *schedule, ns_schedule_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_schedule_info known = {.strategy = schedule->strategy,
                                    .transport = schedule->transport,
                                    .parts = schedule->parts,
                                    .nodes = schedule->nodes,
                                    .processes = schedule->processes,
                                    .ppn = schedule->ppn,
                                    .holders = schedule->holders,
                                    .steps = schedule->steps,
                                    .staged = schedule->staged};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_schedule_step(const ns_schedule *schedule, int step, ns_step_info *info, ns_error *err)
{
    ns_error_clear(err);
    if (step < 0 || step >= schedule->steps)
        return ns_fail(err, NS_ERR_RANGE, "no step %d in a schedule of %d", step, schedule->steps);
    const ns_step *s = &schedule->step[step];
    const ns_step_info known = {.name = s->name, .joining = s->joining, .messages = s->messages};
    return ns_sized_give(info, &known, sizeof known, err);
}

int64_t ns_schedule_messages(const ns_schedule *schedule, int step, const ns_message **message)
{
    if (step < 0 || step >= schedule->steps)
        return 0;
    *message = schedule->step[step].message;
    return schedule->step[step].messages;
}

int64_t ns_schedule_slices(const ns_schedule *schedule, const ns_slice **slice)
{
    *slice = schedule->slice;
    return schedule->slices;
}

int64_t ns_schedule_copies(const ns_schedule *schedule, ns_direction direction, const ns_copy **copy)
{
    if ((unsigned)direction >= NS_DIRECTIONS)
        return 0;
    *copy = schedule->copy[direction];
    return schedule->copies[direction];
}

const ns_site *ns_schedule_site(const ns_schedule *schedule)
{
    return schedule->site;
}

const int32_t *ns_schedule_home(const ns_schedule *schedule)
{
    return schedule->home;
}

const char *ns_form_name(const ns_form *form)
{
    return form->name;
}

const char *ns_form_term_name(const ns_form *form, int index)
{
    for (int i = 0; i <= index; i++)
        if (form->terms[i] == NULL)
            return NULL;
    return index < 0 ? NULL : form->terms[index];
}

_Static_assert((int)NS_FORM_TERMS <= (int)NS_TERMS, "a form's terms fit what is handed out");

void ns_estimate_terms(const ns_price *price, double term_s[NS_TERMS])
{
    for (int i = 0; i < NS_FORM_TERMS && price->form->terms[i] != NULL; i++)
        term_s[i] = price->term_s[i];
}

ns_status ns_schedule_estimate(const ns_schedule *schedule, const ns_machine *machine, const ns_price_options *options,
                               ns_estimate *estimate, ns_error *err)
{
    ns_error_clear(err);
    ns_price price;
    NS_TRY(ns_schedule_price_as(schedule, machine, options, &price, err));
    ns_estimate known = {.form = price.form,
                         .estimate_s = price.estimate_s,
                         .lo_s = price.lo_s,
                         .hi_s = price.hi_s,
                         .copy_s = price.copy_s,
                         .extrapolated = price.extrapolated};
    ns_estimate_terms(&price, known.term_s);
    return ns_sized_give(estimate, &known, sizeof known, err);
}

/* ---- questions about opaque answers, and what counts in the network hold ----------------------------------------- */

ns_status ns_explain_comparison(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                                const ns_comparison *comparison, int i, ns_error *err)
{
    ns_error_clear(err);
    if (i < 0 || i >= comparison->choices)
        return ns_fail(err, NS_ERR_RANGE, "no way %d among %d of a comparison", i, comparison->choices);
    return ns_explain_choice(explanation, machine, exchange, &comparison->choice[i], err);
}

ns_status ns_trace_view(const ns_trace *trace, ns_netsparse_view *view, ns_error *err)
{
    ns_error_clear(err);
    return ns_sized_give(view, &trace->view, sizeof trace->view, err);
}

ns_status ns_netsparse_describe(const ns_netsparse_result *result, ns_netsparse_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_netsparse_info known = {.nodes = result->nodes,
                                     .batch = result->batch,
                                     .su_time = result->su_time,
                                     .su_traffic = result->su_traffic,
                                     .sa_time = result->sa_time,
                                     .sa_traffic = result->sa_traffic,
                                     .computation = result->computation[0],
                                     .ideal = result->ideal};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_netsparse_step(const ns_netsparse_result *result, ns_mechanism mechanism, ns_mechanism_info *info,
                            ns_error *err)
{
    ns_error_clear(err);
    if ((unsigned)mechanism >= NS_MECHANISMS)
        return ns_fail(err, NS_ERR_RANGE, "no mechanism %d; there are %d", (int)mechanism, NS_MECHANISMS);
    const ns_step_result *step = &result->step[mechanism];
    const ns_mechanism_info known = {.time = step->time,
                                     .best = step->best,
                                     .mean = step->mean,
                                     .limit = step->limit,
                                     .issued = step->issued,
                                     .traffic = step->traffic,
                                     .speedup = step->speedup,
                                     .speedup_best = step->speedup_best};
    return ns_sized_give(info, &known, sizeof known, err);
}

/* ---- what a node of a value tree holds, one by one --------------------------------------------------------------- */

ns_value_kind ns_value_kind_of(const ns_value *value)
{
    return value->kind;
}

const char *ns_value_name(const ns_value *value)
{
    return value->name;
}

bool ns_value_as_bool(const ns_value *value)
{
    return value->kind == NS_BOOL && value->truth;
}

double ns_value_as_number(const ns_value *value)
{
    return value->kind == NS_NUMBER ? value->number : 0;
}

ns_dim ns_value_dim(const ns_value *value)
{
    return value->kind == NS_NUMBER ? value->dim : (ns_dim){0};
}

const char *ns_value_as_text(const ns_value *value)
{
    return value->kind == NS_TEXT ? value->text : "";
}

const ns_value *ns_value_first(const ns_value *value)
{
    return value->first;
}

const ns_value *ns_value_next(const ns_value *value)
{
    return value->next;
}

/* ---- every list of words by its kind, and the library's version -------------------------------------------------- */

const char *ns_word(ns_word_kind kind, int value)
{
    const char *const *const list[NS_WORDS] = {
        [NS_WORDS_LOCALITY] = ns_locality_words,   [NS_WORDS_MEMORY] = ns_memory_words,
        [NS_WORDS_PROTOCOL] = ns_protocol_words,   [NS_WORDS_DIRECTION] = ns_direction_words,
        [NS_WORDS_TRANSPORT] = ns_transport_words, [NS_WORDS_SOURCE] = ns_matrix_source_words,
        [NS_WORDS_VERDICT] = ns_verdict_words,     [NS_WORDS_TOPOLOGY] = ns_topology_words,
        [NS_WORDS_MECHANISM] = ns_mechanism_words, [NS_WORDS_LIMIT] = ns_limit_words};
    if ((unsigned)kind >= NS_WORDS || value < 0)
        return NULL;
    for (int i = 0; i < value; i++)
        if (list[kind][i] == NULL)
            return NULL;
    return list[kind][value];
}

const char *ns_version(void)
{
    return NS_VERSION;
}

int ns_version_number(void)
{
    int number = 0, part = 0;
    for (const char *at = NS_VERSION; *at != '\0'; at++)
        if (*at == '.')
            number = 100 * (number + part), part = 0;
        else
            part = 10 * part + (*at - '0');
    return number + part;
}

static size_t rows_of(const ns_field *field)
{
    size_t rows = 0;
    while (field[rows].kind != NS_FIELD_END)
        rows++;
    return rows;
}

ns_status ns_model_describe(const ns_model *model, ns_model_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_model_info known = {.name = model->name,
                                 .title = model->title,
                                 .source = model->source,
                                 .notes = model->notes != NULL ? model->notes : "",
                                 .inputs = rows_of(model->inputs),
                                 .outputs = rows_of(model->outputs),
                                 .wants_machine = model->wants_machine};
    return ns_sized_give(info, &known, sizeof known, err);
}

static ns_status describe_row(const ns_model *model, const ns_field *field, size_t index, const char *what,
                              ns_field_info *info, ns_error *err)
{
    const size_t rows = rows_of(field);
    if (index >= rows)
        return ns_fail(err, NS_ERR_RANGE, "no %s %zu of %s, which has %zu", what, index, model->name, rows);
    const ns_field *row = &field[index];
    const ns_field_info known = {.name = row->name,
                                 .unit = row->unit,
                                 .doc = row->doc,
                                 .kind = row->kind,
                                 .words = row->words,
                                 .least = row->least,
                                 .most = row->most,
                                 .has_default = row->has_default,
                                 .neutral = row->neutral};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_model_input(const ns_model *model, size_t index, ns_field_info *info, ns_error *err)
{
    ns_error_clear(err);
    return describe_row(model, model->inputs, index, "input", info, err);
}

ns_status ns_model_output(const ns_model *model, size_t index, ns_field_info *info, ns_error *err)
{
    ns_error_clear(err);
    return describe_row(model, model->outputs, index, "output", info, err);
}

ns_status ns_binding_open(const ns_model *model, const ns_machine *machine, ns_binding **binding, ns_error *err)
{
    ns_error_clear(err);
    ns_binding *made = ns_malloc(sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    ns_bind_open(made, model, machine);
    *binding = made;
    return NS_OK;
}

void ns_binding_free(ns_binding *binding)
{
    ns_free(binding);
}

ns_status ns_binding_eval(const ns_binding *binding, double *output, ns_error *err)
{
    ns_error_clear(err);
    ns_model_buffer out;
    NS_TRY(ns_model_eval(binding, &out, err));
    const size_t outputs = ns_model_outputs(binding->model);
    for (size_t i = 0; i < outputs; i++)
        output[i] = ns_field_number(&binding->model->outputs[i], &out);
    return NS_OK;
}
