/* contents.c -- what handles hold, one by one, in structs that begin with their size; selections and comparisons that
 * the library allocates */
#include "collection/catalogue.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/value.h"
#include "machine/machine.h"
#include "matrix/source.h"
#include "model/binding.h"
#include "netsparse/netsparse.h"
#include "pattern/exchange.h"
#include "pattern/graph.h"
#include "price/choice.h"
#include "price/price.h"
#include "price/quote.h"
#include "schedule/strategy.h"
#include "strategy/ways.h"
#include "study/answer.h"
#include "study/study.h"

#include <nsmodel/version.h>
#include <nsmodel/word.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void give_terms(const ns_price *price, double term_s[NS_TERMS])
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
    give_terms(&price, known.term_s);
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
    for (const char *at = NS_VERSION; *at != '\0'; at++) {
        number = *at == '.' ? 100 * (number + part) : number;
        part = *at == '.' ? 0 : 10 * part + (*at - '0');
    }
    return number + part;
}

ns_status ns_model_describe(const ns_model *model, ns_model_info *info, ns_error *err)
{
    ns_error_clear(err);
    size_t inputs = 0;
    while (model->inputs[inputs].kind != NS_FIELD_END)
        inputs++;
    const ns_model_info known = {.name = model->name,
                                 .title = model->title,
                                 .source = model->source,
                                 .notes = model->notes != NULL ? model->notes : "",
                                 .inputs = inputs,
                                 .outputs = ns_model_outputs(model),
                                 .wants_machine = model->wants_machine};
    return ns_sized_give(info, &known, sizeof known, err);
}

static ns_status describe_row(const ns_model *model, const ns_field *field, size_t index, const char *what,
                              ns_field_info *info, ns_error *err)
{
    size_t rows = 0;
    while (field[rows].kind != NS_FIELD_END)
        rows++;
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

/* ---- selections -------------------------------------------------------------------------------------------------- */

/* A selection and the lists that it points to. */
typedef struct selected {
    ns_selection selection; /* first: what the caller holds */
    const ns_strategy *strategy[NS_CHOICES], *incumbent[NS_CHOICES];
    ns_made_ways made;
} selected;

ns_status ns_selection_open(ns_selection **selection, ns_error *err)
{
    ns_error_clear(err);
    selected *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    *selection = &made->selection;
    return NS_OK;
}

void ns_selection_free(ns_selection *selection)
{
    ns_free(selection);
}

ns_status ns_selection_add(ns_selection *selection, const char *name, ns_error *err)
{
    ns_error_clear(err);
    selected *s = (selected *)selection;
    size_t found;
    NS_TRY(ns_ways_named(&s->made, name, s->strategy + selection->strategies, NS_CHOICES - selection->strategies,
                         &found, err));
    selection->strategy = s->strategy;
    selection->strategies += found;
    return NS_OK;
}

ns_status ns_selection_transports(ns_selection *selection, unsigned transports, ns_error *err)
{
    ns_error_clear(err);
    if (transports >= 1u << NS_TRANSPORTS)
        return ns_fail(err, NS_ERR_RANGE, "transports are bits below %u, got %u", 1u << NS_TRANSPORTS, transports);
    selection->transports = transports;
    return NS_OK;
}

ns_status ns_selection_price(ns_selection *selection, const ns_price_options *options, ns_error *err)
{
    ns_error_clear(err);
    ns_price_options given;
    NS_TRY(ns_price_options_take(options, &given, err));
    selection->price = given;
    return NS_OK;
}

ns_status ns_selection_incumbent(ns_selection *selection, const char *name, ns_transport transport, ns_error *err)
{
    ns_error_clear(err);
    selected *s = (selected *)selection;
    size_t found;
    if ((unsigned)transport >= NS_TRANSPORTS)
        return ns_fail(err, NS_ERR_RANGE, "no transport %d; there are 0 (host) and 1 (device)", (int)transport);
    NS_TRY(ns_ways_named(&s->made, name, s->incumbent, NS_CHOICES, &found, err));
    selection->incumbent = s->incumbent;
    selection->incumbents = found;
    selection->incumbent_transport = transport;
    return NS_OK;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

ns_status ns_compare(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                     ns_comparison **comparison, ns_error *err)
{
    ns_error_clear(err);
    ns_comparison *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    const ns_status status = ns_compare_into(exchange, machine, selection, made, err);
    if (status != NS_OK)
        ns_free(made);
    else
        *comparison = made;
    return status;
}

/* Not inline: abidw does not see the type of a function that the compiler may inline in its own file. */
__attribute__((noinline)) void ns_comparison_free(ns_comparison *comparison)
{
    ns_free(comparison);
}

int ns_comparison_choices(const ns_comparison *comparison)
{
    return comparison->choices;
}

int ns_comparison_best(const ns_comparison *comparison)
{
    return comparison->best;
}

static ns_choice_info info_of(const ns_strategy *strategy, ns_transport transport, const ns_price *price)
{
    ns_choice_info info = {.strategy = strategy,
                           .name = strategy->name,
                           .transport = transport,
                           .form = price->form,
                           .estimate_s = price->estimate_s,
                           .lo_s = price->lo_s,
                           .hi_s = price->hi_s,
                           .copy_s = price->copy_s,
                           .published_s = -1,
                           .corrected_s = -1,
                           .p_best = -1,
                           .extrapolated = price->extrapolated};
    give_terms(price, info.term_s);
    return info;
}

ns_status ns_comparison_choice(const ns_comparison *comparison, int i, ns_choice_info *info, ns_error *err)
{
    ns_error_clear(err);
    if (!(i >= 0 && i < comparison->choices))
        return ns_fail(err, NS_ERR_RANGE, "no way %d among %d of a comparison", i, comparison->choices);
    const ns_choice *choice = &comparison->choice[i];
    const ns_decision *decision = &comparison->decision;
    ns_choice_info known = info_of(choice->strategy, choice->transport, &choice->price);
    known.published_s = choice->published_s;
    known.corrected_s = choice->corrected_s;
    known.messages_off_node_max = choice->messages_off_node_max;
    known.best = i == comparison->best;
    known.incumbent = i == comparison->incumbent;
    if (decision->best >= 0) {
        known.p_best = decision->p_best[i];
        known.ruled_out = decision->ruled_out >> i & 1;
        for (int k = 0; k < decision->shortlisted; k++)
            known.shortlisted |= decision->shortlist[k] == i;
    }
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_comparison_decision(const ns_comparison *comparison, ns_decision_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_decision *decision = &comparison->decision;
    const ns_decision_info known = {.verdict = comparison->verdict,
                                    .best = decision->best,
                                    .p_best = decision->best >= 0 ? decision->p_best[decision->best] : 0,
                                    .loss_q50 = decision->loss_q50,
                                    .loss_q90 = decision->loss_q90,
                                    .expected_ln_loss = decision->expected_ln_loss,
                                    .shortlisted = decision->shortlisted,
                                    .shortlist_p = decision->shortlist_p,
                                    .kappa = decision->kappa,
                                    .lambda = decision->lambda};
    return ns_sized_give(info, &known, sizeof known, err);
}

int ns_comparison_shortlisted(const ns_comparison *comparison, int rank)
{
    return rank >= 0 && rank < comparison->decision.shortlisted ? comparison->decision.shortlist[rank] : -1;
}

/* E ln(measured_i) = ln T_i + a constant, the same for all ways, so that
 *     E ln(incumbent / fastest) = ln(T_incumbent / T_best) + E ln(best / fastest). */
ns_status ns_comparison_gain(const ns_comparison *comparison, ns_gain_info *info, ns_error *err)
{
    ns_error_clear(err);
    if (comparison->incumbent < 0 || comparison->decision.best < 0)
        return ns_fail(err, NS_ERR_DATA, "%s, so nothing can be gained over it",
                       comparison->incumbent < 0 ? "no way in use was named that was priced" : "nothing was decided");
    const ns_choice *kept = &comparison->choice[comparison->incumbent], *best = &comparison->choice[comparison->best];
    const ns_gain_info known = {.incumbent = comparison->incumbent,
                                .p_better = comparison->gain.p_better,
                                .q10 = comparison->gain.q10,
                                .q50 = comparison->gain.q50,
                                .q90 = comparison->gain.q90,
                                .regret = log(kept->price.estimate_s) - log(best->price.estimate_s) +
                                          comparison->decision.expected_ln_loss};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_comparison_say(const ns_comparison *comparison, const ns_machine *machine, const ns_exchange *exchange,
                            char *text, size_t size, ns_error *err)
{
    ns_error_clear(err);
    const ns_decided decided = {.comparison = comparison, .machine = machine, .parts = exchange->parts};
    ns_answer_text said[4]; /* headings, row, advice, trust */
    size_t used = 0;
    ns_answer_table(&decided, 1, said);
    ns_answer_advice(&decided, 1, said[2]);
    ns_answer_trust(&decided, said[3]);
    for (int i = 0; i < 4; i++) {
        const char *at = said[i];
        do {
            const size_t length = ns_answer_break(at), room = used < size ? size - used : 0;
            const int put = snprintf(room > 0 ? text + used : NULL, room, "%.*s\n", (int)length, at);
            used += put > 0 ? (size_t)put : 0;
            at += length + strspn(at + length, " ");
        } while (*at != '\0');
    }
    return used < size ? NS_OK
                       : ns_fail(err, NS_ERR_RANGE, "the answer has %zu characters, room is for %zu", used, size);
}

ns_status ns_quote_choice(const ns_workspace *workspace, int i, ns_choice_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_choice *quoted = ns_quote_at(workspace, i);
    if (quoted == NULL)
        return ns_fail(err, NS_ERR_RANGE, "no quote %d", i);
    ns_choice_info known = info_of(quoted->strategy, quoted->transport, &quoted->price);
    known.messages_off_node_max = quoted->messages_off_node_max;
    return ns_sized_give(info, &known, sizeof known, err);
}
