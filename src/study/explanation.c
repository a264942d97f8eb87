/* explanation.c -- the terms that make up an answer, with formulas, and inputs with the sources of their parameters */
#include "core/arena.h"
#include "core/memory.h"
#include "network/network.h"
#include "study/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- trees of terms in depth-first order, and the texts they hold ------------------------------------------------ */

typedef struct store {
    ns_explanation seen; /* the public part; has to be the first member */
    ns_term *term;
    size_t room;
    ns_arena texts;
    bool failed;   /* memory ran out: reported once, at the end */
    ns_term spare; /* written after memory ran out, never shown */
} store;

ns_status ns_explanation_open(ns_explanation **explanation, ns_error *err)
{
    ns_error_clear(err);
    store *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->seen.size = sizeof s->seen;
    *explanation = &s->seen;
    return NS_OK;
}

void ns_explanation_free(ns_explanation *explanation)
{
    store *s = (store *)(void *)explanation;
    if (s == NULL)
        return;
    ns_arena_free(&s->texts);
    ns_free(s->term);
    ns_free(s);
}

static const char *keep(store *s, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    void *text;
    if (length < 0 || ns_arena_take(&s->texts, (size_t)length + 1, 1, &text, NULL) != NS_OK) {
        s->failed = true;
        return "";
    }
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

/* A text that is valid as long as the explanation; "" when memory ran out. */
static const char *ns_explanation_text(ns_explanation *explanation, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *kept = keep((store *)(void *)explanation, format, arguments);
    va_end(arguments);
    return kept;
}

/* Append a term; the pointer is valid until the next call.  Never NULL: after memory runs out it is a spare term, and
 * ns_explanation_check reports the failure. */
static ns_term *ns_explanation_add(ns_explanation *explanation, int depth, const char *format, ...)
{
    store *s = (store *)(void *)explanation;
    if (s->seen.terms == s->room) {
        const size_t room = 2 * s->room + 32;
        ns_term *grown = ns_realloc(s->term, ns_size_mul(room, sizeof *grown));
        s->failed = s->failed || grown == NULL;
        s->term = grown != NULL ? grown : s->term;
        s->room = grown != NULL ? room : s->room;
    }
    ns_term *term = s->seen.terms < s->room ? &s->term[s->seen.terms++] : &s->spare;
    va_list arguments;
    va_start(arguments, format);
    *term = (ns_term){.size = sizeof *term,
                      .depth = depth,
                      .name = keep(s, format, arguments),
                      .formula = "",
                      .path = "",
                      .source = "",
                      .warning = ""};
    va_end(arguments);
    return term;
}

static ns_status ns_explanation_check(const ns_explanation *explanation, ns_error *err)
{
    const store *s = (const store *)(const void *)explanation;
    return s->failed ? ns_no_memory(err) : NS_OK;
}

static void ns_term_set_value(ns_term *term, double value, ns_dim dim, bool counts)
{
    term->has_value = true;
    term->value = value;
    term->dim = dim;
    term->counts = counts;
}

/* Set the path, and with it value, unit and source, of a machine's parameter; false when the machine has none. */
static bool ns_term_set_parameter(ns_explanation *explanation, ns_term *term, const ns_machine *machine,
                                  const char *path)
{
    const ns_parameter *source;
    term->path = ns_explanation_text(explanation, "%s", path);
    if (!ns_machine_number(machine, path, &term->parameter, &term->parameter_dim, &source))
        return false;
    term->has_parameter = true;
    term->source = source->source;
    return true;
}

const ns_term *ns_explanation_term(const ns_explanation *explanation, size_t index)
{
    const store *s = (const store *)(const void *)explanation;
    return index < s->seen.terms ? &s->term[index] : NULL;
}

double ns_explanation_share(const ns_explanation *explanation, size_t index)
{
    const store *s = (const store *)(const void *)explanation;
    size_t whole = index;
    if (index >= s->seen.terms)
        return -1;
    while (whole > 0 && s->term[whole].depth > 0)
        whole--;
    const ns_term *top = &s->term[whole];
    if (!s->term[index].counts || !top->counts || !(top->value > 0))
        return -1;
    return s->term[index].value / top->value;
}

/* ---- the terms and inputs of a model's answer
 *
 * Terms as the model declares them; then the inputs, each with its source.  A model that reads the machine's tables
 * itself names no parameter, so every parameter is increased a little, and those that change an output are listed. */

const char *ns_explain_origin(const ns_binding *binding, int i, char *text, size_t size)
{
    const ns_field *field = &binding->model->inputs[i];
    char path[160];
    const ns_parameter *parameter = NULL;
    double value;
    text[0] = '\0';
    switch ((ns_given)binding->given[i]) {
    case NS_GIVEN_MACHINE:
        if (ns_bind_path(binding, field, path, sizeof path) != NULL &&
            ns_machine_number(binding->machine, path, &value, NULL, &parameter))
            snprintf(text, size, "%s of %s: %s", path, binding->machine->name, parameter->source);
        break;
    case NS_GIVEN_SAME:
        snprintf(text, size, "the same as %s", field->from + 1);
        break;
    case NS_GIVEN_DEFAULT:
        snprintf(text, size, "default");
        break;
    default:
        snprintf(text, size, "given");
    }
    return text;
}

const char *ns_explain_range(const ns_binding *binding, char *text, size_t size)
{
    const ns_selectors *s = &binding->selectors;
    const ns_model *model = binding->model;
    char bytes_text[48], from[48], path[120];
    ns_protocol natural;
    double bytes = model->message != NULL ? model->message(binding->in.bytes) : NAN;
    text[0] = '\0';
    if (binding->machine == NULL || !isfinite(bytes) || !binding->used_machine)
        return text;
    const ns_line *line = ns_machine_line(binding->machine, s->memory, s->locality, bytes, &natural);
    ns_quantity_format(bytes, (ns_dim){.byte = 1}, 4, bytes_text, sizeof bytes_text);
    if (line != NULL && s->protocol >= 0 && natural != (ns_protocol)s->protocol) {
        snprintf(text, size, "a message of %s travels by %s on %s (from %s); protocol=%s was forced", bytes_text,
                 ns_protocol_words[natural], binding->machine->name,
                 ns_quantity_format(line->from, (ns_dim){.byte = 1}, 4, from, sizeof from),
                 ns_protocol_words[s->protocol]);
        return text;
    }
    snprintf(path, sizeof path, "%s.%s.%s.to", ns_memory_words[s->memory], ns_locality_words[s->locality],
             ns_protocol_words[binding->used_protocol]);
    const ns_parameter *to = ns_machine_parameter(binding->machine, path);
    if (to != NULL && bytes > to->value)
        snprintf(text, size, "a message of %s; the line was fitted up to %s", bytes_text,
                 ns_quantity_format(to->value, (ns_dim){.byte = 1}, 4, from, sizeof from));
    return text;
}

/* Does any output change?  Where the parameter cannot be changed by itself, it counts as not changing any. */
static bool moves(const ns_binding *binding, const ns_model_buffer *out, const ns_parameter *p)
{
    ns_machine *larger;
    ns_model_buffer changed;
    ns_error ignored = {0};
    if (ns_machine_perturbed(binding->machine, p, 1.1, &larger, &ignored) != NS_OK)
        return false;
    ns_binding other = *binding;
    other.machine = larger;
    for (int i = 0; other.model->inputs[i].kind != NS_FIELD_END; i++)
        if (other.given[i] != NS_GIVEN_USER)
            other.given[i] = NS_GIVEN_NONE;
    bool moved = ns_bind_close(&other, &ignored) == NS_OK && ns_model_eval(&other, &changed, &ignored) == NS_OK;
    bool differs = false;
    for (const ns_field *f = other.model->outputs; moved && f->kind != NS_FIELD_END; f++)
        differs = differs || ns_field_number(f, &changed) != ns_field_number(f, out);
    ns_machine_free(larger);
    return differs;
}

ns_status ns_explain_model(ns_explanation *to, const ns_binding *binding, const ns_model_buffer *out, ns_error *err)
{
    const ns_model *model = binding->model;
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    char warning[160], path[160];
    /* The output that the terms add up to: the last one; NULL where there are no terms. */
    const ns_field *total = NULL, *last = model->outputs;
    for (; last->kind != NS_FIELD_END; last++)
        total = last->kind == NS_FIELD_TERM ? last : total;
    total = total != NULL ? last - 1 : NULL;
    ns_term *whole =
        ns_explanation_add(to, 0, "%s%s%s", total != NULL ? total->name : "", total != NULL ? " of " : "", model->name);
    if (total != NULL) {
        NS_TRY(ns_unit_parse(total->unit, &factor, &dim, err));
        ns_term_set_value(whole, ns_field_number(total, out), dim, true);
    }
    whole->source = model->source;
    whole->warning = ns_explanation_text(to, "%s", ns_explain_range(binding, warning, sizeof warning));
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        if (f == total)
            continue;
        NS_TRY(ns_unit_parse(f->unit, &factor, &dim, err));
        ns_term *term = ns_explanation_add(to, 1, "%s", f->name);
        ns_term_set_value(term, ns_field_number(f, out), dim, f->kind == NS_FIELD_TERM);
        term->source = f->doc;
    }
    ns_explanation_add(to, 1, "inputs");
    for (int i = 0; model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *field = &model->inputs[i];
        if (field->kind != NS_FIELD_NUMBER)
            continue;
        ns_term *term = ns_explanation_add(to, 2, "%s", field->name);
        NS_TRY(ns_unit_parse(field->unit, &factor, &term->parameter_dim, err));
        term->has_parameter = true;
        term->parameter = ns_field_number(field, binding->in.bytes);
        if (binding->given[i] == NS_GIVEN_SAME)
            term->formula = ns_explanation_text(to, "%s", field->from);
        if (binding->given[i] != NS_GIVEN_MACHINE || ns_bind_path(binding, field, path, sizeof path) == NULL ||
            !ns_term_set_parameter(to, term, binding->machine, path))
            term->source = binding->given[i] == NS_GIVEN_USER      ? "given"
                           : binding->given[i] == NS_GIVEN_DEFAULT ? "default"
                                                                   : "";
    }
    if (binding->model->wants_machine && binding->machine != NULL) {
        ns_explanation_add(to, 1, "parameters that count");
        for (size_t i = 0; i < binding->machine->parameters; i++) {
            const ns_parameter *p = &binding->machine->parameter[i];
            if (moves(binding, out, p))
                ns_term_set_parameter(to, ns_explanation_add(to, 2, "%s", p->doc), binding->machine, p->path);
        }
    }
    if (binding->model->notes != NULL)
        ns_explanation_add(to, 1, "assumptions")->source = binding->model->notes;
    return ns_explanation_check(to, err);
}

/* ---- every term of an estimate with its formula, its inputs and where each parameter came from ------------------- */

typedef struct explainer {
    ns_explanation *to;
    const ns_machine *machine;
    const ns_form_values *values; /* of its form, on that machine */
} explainer;

/* Add amount x parameter, the parameter given by its path; times: the unit of the amount where it is not messages or
 * bytes. */
static ns_term *add_product(const explainer *e, const char *name, const char *times, double amount, ns_dim dim,
                            const char *path)
{
    ns_term *term = ns_explanation_add(e->to, 2, "%s", name);
    const char *last = strrchr(path, '.'), *usual = ns_dim_equal(dim, NS_BYTE) ? "bytes" : "messages";
    term->formula =
        ns_explanation_text(e->to, "%s x %s", times != NULL ? times : usual, last != NULL ? last + 1 : path);
    term->has_amount = true;
    term->amount = amount;
    term->amount_dim = dim;
    if (ns_term_set_parameter(e->to, term, e->machine, path))
        ns_term_set_value(term, amount * term->parameter, NS_SECOND, true);
    return term;
}

/* The same with a form's parameter; where the machine lacks it, with the form's default. */
static ns_term *add_slot(const explainer *e, const ns_step_price *step, const char *name, int row, int slot)
{
    const ns_form_values *v = e->values;
    const ns_form_row *r = &v->form->rows[row];
    const double amount = step->amount[slot], seconds = amount * v->value[slot];
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    if (seconds == 0 || ns_unit_parse(r->unit, &factor, &dim, NULL) != NS_OK)
        return NULL;
    const ns_dim times = {(signed char)(1 - dim.second), (signed char)-dim.byte, (signed char)-dim.flop};
    bool derived;
    char path[120];
    ns_form_slot_path(v, slot, &derived, path, sizeof path);
    ns_term *term = add_product(e, name, r->times, amount, times, v->from[slot] != NULL ? v->from[slot]->path : path);
    term->has_parameter = true;
    term->parameter = v->value[slot];
    term->parameter_dim = dim;
    term->source = v->from[slot] != NULL ? v->from[slot]->source : r->doc;
    ns_term_set_value(term, seconds, NS_SECOND, true);
    return term;
}

/* Seconds of a step that belong to the exchange as a whole. */
static double once_s(const ns_form_values *v, const ns_step_price *step)
{
    double sum = 0;
    for (int r = 0; v->form->rows[r].doc != NULL; r++)
        if (v->form->rows[r].once)
            sum += step->amount[v->first[r]] * v->value[v->first[r]];
    return sum;
}

/* Add the steps, the one-time costs, and the copies of a choice's price, below the last term of depth 0. */
static void ns_explain_steps(ns_explanation *explanation, const ns_machine *machine, const ns_choice *choice,
                             ns_memory memory)
{
    ns_form_values values;
    const explainer e = {explanation, machine, &values};
    ns_form_take(choice->price.form, machine, memory, 0, &values);
    for (int s = 0; s < choice->price.steps; s++) {
        const ns_step_price *step = &choice->price.step[s];
        if (step->process < 0)
            continue;
        ns_term_set_value(ns_explanation_add(explanation, 1, "step %d, process %d %s", s + 1, (int)step->process,
                                             step->receiving ? "receives" : "sends"),
                          ns_step_price_seconds(step) - once_s(&values, step), NS_SECOND, true);
        const ns_form_values *v = &values;
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_PROTOCOLS; p++) {
                const ns_class_load *load = &step->load[l][p];
                char name[80], path[120], mean[48], most[48];
                ns_term *last = NULL;
                snprintf(name, sizeof name, "%s %s", ns_locality_words[l], ns_protocol_words[p]);
                for (int r = 0; v->form->rows[r].doc != NULL; r++)
                    if (v->form->rows[r].by_class) {
                        ns_term *term = add_slot(&e, step, name, r, v->first[r] + NS_PROTOCOLS * l + p);
                        last = term != NULL ? term : last;
                    }
                /* Messages larger than any that the line was fitted to, where the machine states that limit. */
                snprintf(path, sizeof path, "%s.%s.%s.to", ns_memory_words[v->memory], ns_locality_words[l],
                         ns_protocol_words[p]);
                const ns_parameter *to = ns_machine_parameter(machine, path);
                if (to != NULL && load->messages > 0 && last != NULL && load->bytes / load->messages > to->value)
                    last->warning = ns_explanation_text(
                        explanation, "messages of %s on average; the line was fitted up to %s",
                        ns_quantity_format(load->bytes / load->messages, NS_BYTE, 4, mean, sizeof mean),
                        ns_quantity_format(to->value, NS_BYTE, 4, most, sizeof most));
            }
        for (int r = 0; v->form->rows[r].doc != NULL; r++) {
            const ns_form_row *row = &v->form->rows[r];
            if (!row->by_class && !row->once)
                add_slot(&e, step, step->receiving && row->received != NULL ? row->received : row->amount, r,
                         v->first[r]);
        }
    }
    /* One-time costs are kept with the first step, which may have no messages. */
    const ns_price *price = &choice->price;
    const double once = price->steps > 0 ? once_s(&values, &price->step[0]) : 0;
    if (once > 0) {
        ns_term_set_value(ns_explanation_add(explanation, 1, "fixed, once an exchange"), once, NS_SECOND, true);
        for (int r = 0; values.form->rows[r].doc != NULL; r++)
            if (values.form->rows[r].once)
                add_slot(&e, &price->step[0], values.form->rows[r].amount, r, values.first[r]);
    }
    if (price->copy_s > 0)
        ns_term_set_value(ns_explanation_add(explanation, 1, "copy"), price->copy_s, NS_SECOND, true);
    const ns_copy_line *line = ns_machine_copy(machine, price->copy_processes);
    for (int d = 0; d < NS_DIRECTIONS && price->copy_s > 0 && price->copy_processes > 0; d++) {
        static const char *const parts[] = {"alpha", "beta", "wait"};
        for (int w = 0; w < 3 && price->copy_bytes[d] != 0; w++) {
            char path[80];
            snprintf(path, sizeof path, "copy.%d.%s.%s", line->processes, ns_direction_words[d], parts[w]);
            if (price->copy_waits[d] == (w == 2))
                add_product(&e, ns_direction_words[d],
                            w == 2   ? "copies that wait for their turn"
                            : w == 0 ? "copies"
                                     : NULL,
                            w == 1 ? price->copy_bytes[d] : 1, w == 1 ? NS_BYTE : NS_DIMENSIONLESS, path);
        }
    }
    /* The factor applies to the sum of all terms. */
    const double others = price->estimate_s - price->learnt_s - price->copy_s;
    const ns_residual *r = values.residual;
    if (r == NULL || !(others > 0))
        return;
    const double percent = 100 * price->learnt_s / others;
    bool ranked = false;
    for (size_t i = 0; i < r->ratios && !ranked; i++)
        ranked = strcmp(r->ratio[i].way, choice->strategy->name) == 0;
    if (!ranked && r->points == 0)
        return;
    ns_term *term = ranked ? ns_explanation_add(explanation, 1, "learnt from published rankings: %+.3g %%", percent)
                           : ns_explanation_add(explanation, 1, "learnt from measured exchanges: %+.3g %%, %zu point%s",
                                                percent, r->points, r->points == 1 ? "" : "s");
    ns_term_set_value(term, price->learnt_s, NS_SECOND, true);
}

ns_status ns_explain_choice(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                            const ns_choice *choice, ns_error *err)
{
    const struct {
        const char *name, *form;
        double seconds;
    } closed[] = {{"corrected", "corrected", choice->corrected_s}, {"published", "printed", choice->published_s}};
    const ns_model *model = choice->strategy->model != NULL ? ns_model_find(choice->strategy->model) : NULL;
    ns_term_set_value(ns_explanation_add(explanation, 0, "%s/%s, %d parts on %s", choice->strategy->name,
                                         ns_transport_words[choice->transport], (int)exchange->parts, machine->name),
                      choice->price.estimate_s, NS_SECOND, true);
    ns_explain_steps(explanation, machine, choice, ns_transport_memory(choice->transport));
    for (int i = 0; i < 2 && model != NULL; i++) {
        if (closed[i].seconds < 0)
            continue;
        ns_term *term = ns_explanation_add(explanation, 1, "%s, for comparison", closed[i].name);
        ns_term_set_value(term, closed[i].seconds, NS_SECOND, false);
        term->formula = ns_explanation_text(explanation, "model %s, form=%s, of the pattern's maxima", model->name,
                                            closed[i].form);
        term->model = model;
        term->source = model->source;
    }
    return ns_explanation_check(explanation, err);
}

/* Add a lower bound of the time of the node that ends last. */
static void add_bound(ns_explanation *to, const char *name, const char *formula, const char *model, double seconds)
{
    ns_term *term = ns_explanation_add(to, 2, "%s", name);
    ns_term_set_value(term, seconds, NS_SECOND, false);
    term->formula = formula;
    term->model = ns_model_find(model);
    term->source = term->model->source;
}

ns_status ns_explain_networked(ns_explanation *explanation, const ns_networked *networked, const ns_exchange *exchange,
                               const ns_comparison *comparison, int choice, ns_error *err)
{
    const ns_machine *machine = ns_networked_machine(networked, choice);
    const ns_choice *of = &comparison->choice[choice];
    if (choice != networked->gather)
        return ns_explain_choice(explanation, machine, exchange, of, err);
    ns_term_set_value(ns_explanation_add(explanation, 0, "%s/%s, %d parts on %s with %s", of->strategy->name,
                                         ns_transport_words[of->transport], (int)exchange->parts, machine->name,
                                         networked->fabric->kind->name),
                      of->price.estimate_s, NS_SECOND, true);
    const ns_gathering *g = &networked->gathering;
    const ns_netsparse_result *r = g->result;
    ns_term *term = ns_explanation_add(explanation, 1, "between nodes%s%s", r != NULL ? ", limited by " : "",
                                       r != NULL ? ns_limit_words[r->step[NS_SWITCH].limit] : "");
    ns_term_set_value(term, g->network_s, NS_SECOND, true);
    term->source = networked->fabric->kind->source;
    if (r != NULL) {
        const ns_step_result *last = &r->step[NS_SWITCH];
        add_bound(explanation, "line", "busier direction / (B s)", "rig-batch", last->tail.line);
        add_bound(explanation, "RIG units", "Z/(Ua f) and commands", "rig-batch", last->tail.generate);
        add_bound(explanation, "pending tables", "Q RTT/(Ua E)", "rig-batch", last->tail.pending);
        add_bound(explanation, "last round of batches", "beyond the pace of all units", "rig-batch", last->tail.tail);
        add_bound(explanation, "links between switches", "bytes x hops/(links B)", "netsparse-hops", last->network);
        for (int i = 0; i < NS_MECHANISMS; i++) {
            char name[80];
            snprintf(name, sizeof name, "whole exchange after %s", ns_mechanism_words[i]);
            add_bound(explanation, name, "mechanisms one after another", "netsparse-speedup", r->step[i].time);
        }
    }
    ns_explain_steps(explanation, machine, of, ns_transport_memory(networked->gathering.inside));
    return ns_explanation_check(explanation, err);
}
