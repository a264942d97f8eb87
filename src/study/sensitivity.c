/* sensitivity.c -- how much an answer moves when one number does: of a model, of curves, of the best way of an
 * exchange */
#include "core/context.h"
#include "core/memory.h"
#include "price/choice.h"
#include "price/quote.h"
#include "strategy/ways.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a parameter perturbed: the rule for counts, and which parameters matter ------------------------------------- */

static const double LEAST = 1e-6; /* SI: the value that replaces a 0 when it is increased */

bool ns_parameter_is_count(const ns_parameter *parameter)
{
    static const char counted[] = "topology.";
    return strncmp(parameter->path, counted, sizeof counted - 1) == 0;
}

double ns_parameter_perturbed(const ns_parameter *parameter, double factor)
{
    const double value = parameter->value;
    if (ns_parameter_is_count(parameter))
        return factor > 1 ? value + 1 : factor < 1 ? value - 1 : value;
    return value == 0 && factor > 1 ? LEAST : factor * value;
}

/* Written in SI units, so that no digit is lost. */
ns_status ns_machine_perturbed(const ns_machine *machine, const ns_parameter *parameter, double factor,
                               ns_machine **perturbed, ns_error *err)
{
    ns_error_clear(err);
    char assignment[300], number[40], unit[24];
    ns_double_format(ns_parameter_perturbed(parameter, factor), number, sizeof number);
    ns_dim_unit(parameter->dim, unit, sizeof unit);
    snprintf(assignment, sizeof assignment, "%s=%s %s", parameter->path, number, strcmp(unit, "1") == 0 ? "" : unit);
    return ns_machine_with(machine, assignment, perturbed, err);
}

/* ---- which parameters matter ------------------------------------------------------------------------------------- */

/* By more than rounding: bytes hidden by a floor change only the last bit. */
static bool is_other(double a, double b)
{
    return fabs(a - b) > 1e-12 * fmax(fabs(a), fabs(b));
}

ns_status ns_parameter_is_active(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                                 const ns_comparison *comparison, const ns_parameter *parameter, bool *active,
                                 ns_error *err)
{
    ns_error_clear(err);
    ns_machine *larger;
    ns_error ignored = {0};
    ns_status status = ns_machine_perturbed(machine, parameter, 1.1, &larger, &ignored);
    if (ns_ends_call(status))
        return ns_end_call(&ignored, err);
    if (status != NS_OK) {
        *active = true; /* it may not be changed by itself: the first size of the first protocol is 0 */
        return NS_OK;
    }
    ns_comparison *changed = ns_calloc(1, sizeof *changed);
    if (changed == NULL) {
        ns_machine_free(larger);
        return ns_no_memory(err);
    }
    status = ns_compare_into(exchange, larger, selection, changed, &ignored);
    bool differ = changed->choices != comparison->choices;
    for (int i = 0; i < comparison->choices && status == NS_OK && !differ; i++) {
        const ns_choice *a = &comparison->choice[i], *b = &changed->choice[i];
        differ = is_other(a->price.estimate_s, b->price.estimate_s) || is_other(a->published_s, b->published_s) ||
                 is_other(a->corrected_s, b->corrected_s);
    }
    ns_free(changed);
    ns_machine_free(larger);
    if (ns_ends_call(status))
        return ns_end_call(&ignored, err);
    *active = status != NS_OK || differ; /* one GPU more without copy parameters has no price */
    return NS_OK;
}

/* ---- the subject ------------------------------------------------------------------------------------------------- */

/* The subject of an analysis: machine, title, output and its dimension as in the result.  answer: the value on a
 * machine, with one input set if wanted; *winner (may be NULL) the strategy that is then the best, "" where there is no
 * choice; the text outlives the result. */
typedef struct ns_subject {
    ns_sensitivity of;
    void *context;
    ns_status (*answer)(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err);
} ns_subject;

/* ---- slopes by differences: E = (x/f) df/dx ~ (f(1+h) - f(1-h)) / (2 h f(1))
 *
 * The closed forms are piecewise linear in their parameters, so the difference is exact except for rounding, except at
 * a kink (a maximum that changes sides, a protocol's first size), where the slopes to both sides are compared and the
 * mean is given. */

static const double STEP = 1e-4, KINK = 1e-3;
static const double STEEP = 100; /* no power law is this steep: it is a jump */

/* *given: whether f accepts this factor. */
static ns_status try_at(ns_root_fn *f, const void *context, double factor, double *value, bool *given, ns_error *err)
{
    ns_error inner = {0};
    const ns_status status = f(context, factor, value, &inner);
    *given = status == NS_OK;
    return ns_ends_call(status) ? ns_end_call(&inner, err) : NS_OK;
}

ns_status ns_elasticity_find(ns_root_fn *f, const void *context, double by, double base, ns_move *e, ns_error *err)
{
    double side[2] = {0};
    bool given[2];
    NS_TRY(try_at(f, context, 1 - by, &e->low, &e->has_low, err));
    NS_TRY(try_at(f, context, 1 + by, &e->high, &e->has_high, err));
    NS_TRY(try_at(f, context, 1 - STEP, &side[0], &given[0], err));
    NS_TRY(try_at(f, context, 1 + STEP, &side[1], &given[1], err));
    e->swing = fmax(e->has_low ? fabs(e->low - base) : 0, e->has_high ? fabs(e->high - base) : 0);
    if (base == 0)
        return NS_OK;
    const double left = (base - side[0]) / (STEP * base), right = (side[1] - base) / (STEP * base);
    const bool has_left = given[0] && fabs(left) < STEEP, has_right = given[1] && fabs(right) < STEEP;
    e->jump = (given[0] && !has_left) || (given[1] && !has_right);
    e->sloped = has_left || has_right;
    if (has_left && has_right) {
        e->slope = (left + right) / 2;
        e->kink = fabs(left - right) > KINK * fmax(1, fmax(fabs(left), fabs(right)));
    } else if (e->sloped)
        e->slope = has_left ? left : right;
    return NS_OK;
}

static const double USUAL = 0.1;
enum { WINNER = sizeof((ns_move *)0)->low_winner };

typedef struct turn {
    const ns_subject *subject;
    const ns_move *number;
    const char **winner; /* set by the last answer, or NULL */
} turn;

static ns_status answer_at(const void *context, double factor, double *value, ns_error *err)
{
    const turn *t = context;
    const ns_subject *s = t->subject;
    ns_machine *changed;
    if (factor == 1)
        return s->answer(s->context, s->of.machine, NULL, value, t->winner, err);
    if (t->number->parameter == NULL) {
        const ns_setting setting = {.name = t->number->name, .number = t->number->value * factor};
        return s->answer(s->context, s->of.machine, &setting, value, t->winner, err);
    }
    NS_TRY(ns_machine_perturbed(s->of.machine, t->number->parameter, factor, &changed, err));
    ns_status status = s->answer(s->context, changed, NULL, value, t->winner, err);
    ns_machine_free(changed);
    return status;
}

/* The winner at this end, "" when it is unchanged. */
static ns_status winner_at(turn *t, double factor, const char *usual, char *winner, ns_error *err)
{
    double value;
    const char *now = "";
    ns_error inner = {0};
    t->winner = &now;
    const ns_status status = answer_at(t, factor, &value, &inner);
    t->winner = NULL;
    snprintf(winner, WINNER, "%s", status == NS_OK && strcmp(now, usual) != 0 ? now : "");
    return ns_ends_call(status) ? ns_end_call(&inner, err) : NS_OK;
}

static int widest_first(const void *a, const void *b)
{
    const ns_move *x = a, *y = b;
    return x->swing != y->swing ? (x->swing > y->swing ? -1 : 1) : strcmp(x->name, y->name);
}

/* Find the effect of a number on the answer. */
static ns_status find_move(const ns_subject *subject, double by, double base, const char *usual, ns_move *m,
                           ns_error *err)
{
    turn t = {subject, m, NULL};
    NS_TRY(ns_elasticity_find(answer_at, &t, by, base, m, err));
    if (m->parameter != NULL && ns_parameter_is_count(m->parameter))
        m->sloped = m->kink = m->jump = false;
    if (m->sloped)
        m->error = fabs(m->slope * base) * (m->se / fabs(m->value));
    NS_TRY(winner_at(&t, 1 - by, usual, m->low_winner, err));
    return winner_at(&t, 1 + by, usual, m->high_winner, err);
}

/* ---- the least certain number ------------------------------------------------------------------------------------ */

/* 2 rho (dT/dalpha se) (dT/dbeta se), where the move is that of the alpha of a line whose errors are correlated. */
static double covariance_of(const ns_sensitivity *s, const ns_move *alpha)
{
    const size_t length = strlen(alpha->name), stem = length > 6 ? length - 6 : 0;
    char beta[200], path[200];
    double rho;
    if (s->machine == NULL || stem == 0 || stem > 180 || strcmp(alpha->name + stem, ".alpha") != 0)
        return 0;
    snprintf(path, sizeof path, "%.*s.correlation", (int)stem, alpha->name);
    snprintf(beta, sizeof beta, "%.*s.beta", (int)stem, alpha->name);
    if (!ns_machine_number(s->machine, path, &rho, NULL, NULL))
        return 0;
    for (size_t i = 0; i < s->moves; i++) {
        const ns_move *other = &s->move[i];
        if (strcmp(other->name, beta) == 0)
            return copysign(2 * rho, rho * alpha->slope * other->slope) * alpha->error * other->error;
    }
    return 0;
}

/* Perturb every input, and then every parameter of the subject's machine. */
static ns_status ns_sensitivity_run(const ns_subject *subject, const ns_move *inputs, size_t count,
                                    const ns_sensitivity_options *options, ns_sensitivity **sensitivity, ns_error *err)
{
    const ns_sensitivity_options given = options != NULL ? *options : (ns_sensitivity_options){0};
    const double by = given.by != 0 ? given.by : USUAL;
    if (!(by > 0 && by < 1))
        return ns_fail(err, NS_ERR_RANGE, "a number is moved by a share above 0 and below 1; got %g", by);
    const ns_machine *machine = subject->of.machine;
    const size_t room = ns_size_add(count + (machine != NULL ? machine->parameters : 0), 1);
    ns_sensitivity *s = ns_calloc(1, sizeof *s);
    ns_move *moves = ns_malloc(ns_size_mul(room, sizeof *moves));
    if (s == NULL || moves == NULL) {
        ns_free(s);
        ns_free(moves);
        return ns_no_memory(err);
    }
    *s = subject->of;
    s->by = by;
    s->move = moves;
    s->least_certain = s->steepest = -1;
    size_t numbers = count;
    if (count > 0)
        memcpy(moves, inputs, count * sizeof *moves);
    for (size_t i = 0; machine != NULL && i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        const char *last = strrchr(p->path, '.');
        if (last == NULL || strcmp(last, ".correlation") != 0) /* a correlation of errors: no answer depends on it */
            moves[numbers++] = (ns_move){.name = p->path,
                                         .parameter = p,
                                         .value = p->value,
                                         .se = p->se,
                                         .dim = p->dim,
                                         .source = p->source};
    }
    const char *now = "";
    char usual[WINNER];
    ns_status status = subject->answer(subject->context, machine, NULL, &s->base, &now, err);
    snprintf(usual, sizeof usual, "%s", now);
    for (size_t i = 0; i < numbers && status == NS_OK; i++) {
        ns_move *m = &moves[i];
        status = ns_context_ask(err);
        if (status == NS_OK && given.watch != NULL)
            given.watch(given.watcher, (double)i, (double)numbers);
        if (status != NS_OK || m->value == 0) /* no factor changes a 0 */
            continue;
        status = find_move(subject, by, s->base, usual, m, err);
        /* Keep the numbers that have an effect. */
        if (m->swing > 0 || (m->sloped && m->slope != 0) || *m->low_winner != '\0' || *m->high_winner != '\0')
            moves[s->moves++] = *m;
    }
    if (status != NS_OK) {
        ns_sensitivity_free(s);
        return status;
    }
    if (s->moves > 1)
        qsort(moves, s->moves, sizeof *moves, widest_first);
    for (size_t i = 0; i < s->moves; i++) {
        const ns_move *m = &moves[i];
        s->variance += m->error * m->error;
        if (m->error > 0 && (s->least_certain < 0 || m->error > moves[s->least_certain].error))
            s->least_certain = (int)i;
        if (m->parameter != NULL && m->sloped &&
            (s->steepest < 0 || fabs(m->slope) > fabs(moves[s->steepest].slope)))
            s->steepest = (int)i;
    }
    /* sum (dT/dx se)^2 over single numbers; in the total, alpha and beta of a line are correlated, all others
     * independent. */
    double whole = s->variance;
    for (size_t i = 0; i < s->moves; i++)
        whole += covariance_of(s, &moves[i]);
    s->error = sqrt(fmax(whole, 0));
    *sensitivity = s;
    return NS_OK;
}

void ns_sensitivity_free(ns_sensitivity *sensitivity)
{
    if (sensitivity != NULL)
        ns_free(sensitivity->move);
    ns_free(sensitivity);
}

/* ---- the output of a model, or a strategy in a scenario, as the answer ------------------------------------- */

enum { INPUTS_MOST = 64 };

typedef struct asked_curve {
    ns_curves *curves; /* a copy, whose machine is perturbed */
    int curve;
} asked_curve;

static ns_status answer_curve(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                              const char **winner, ns_error *err)
{
    const asked_curve *a = context;
    if (winner != NULL)
        *winner = "";
    a->curves->machine = machine;
    a->curves->curve[a->curve].binding.machine = machine;
    return ns_curves_value(a->curves, a->curve, input, input != NULL, value, err);
}

static ns_status add_input(const ns_field *field, const void *record, const char *source, ns_move *input,
                           size_t *inputs, ns_error *err)
{
    double factor;
    ns_move one = {.name = field->name, .value = ns_field_number(field, record), .source = source};
    NS_TRY(ns_unit_parse(field->unit, &factor, &one.dim, err));
    if (*inputs == INPUTS_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d inputs", (int)INPUTS_MOST);
    input[(*inputs)++] = one;
    return NS_OK;
}

/* Given inputs and defaults are perturbed individually; inputs from the machine are perturbed in the machine. */
ns_status ns_sensitivity_of_curve(const ns_curves *curves, int curve, const ns_sensitivity_options *options,
                                  ns_sensitivity **sensitivity, ns_error *err)
{
    ns_error_clear(err);
    ns_move input[INPUTS_MOST];
    size_t inputs = 0;
    asked_curve a = {.curve = curve};
    NS_TRY(ns_curves_check(curves, curve, err));
    if (curves->curve[curve].strategy != NULL)
        for (const ns_field *f = ns_scenario_fields; f->kind != NS_FIELD_END; f++)
            NS_TRY(add_input(f, &curves->scenario, "the scenario", input, &inputs, err));
    else {
        ns_binding closed;
        ns_model_buffer out;
        NS_TRY(ns_curves_eval(curves, curve, NULL, 0, &closed, &out, err));
        for (int i = 0; closed.model->inputs[i].kind != NS_FIELD_END; i++) {
            const bool by_user = closed.given[i] == NS_GIVEN_USER;
            if (closed.model->inputs[i].kind == NS_FIELD_NUMBER && (by_user || closed.given[i] == NS_GIVEN_DEFAULT))
                NS_TRY(add_input(&closed.model->inputs[i], closed.in.bytes, by_user ? "given" : "default", input,
                                 &inputs, err));
        }
    }
    a.curves = ns_malloc(sizeof *a.curves);
    if (a.curves == NULL)
        return ns_no_memory(err);
    *a.curves = *curves;
    ns_subject subject = {.of = {.machine = curves->machine, .output = curves->output, .dim = curves->dim},
                          .context = &a,
                          .answer = answer_curve};
    snprintf(subject.of.title, sizeof subject.of.title, "%s", curves->curve[curve].label);
    ns_status status = ns_sensitivity_run(&subject, input, inputs, options, sensitivity, err);
    ns_free(a.curves);
    return status;
}

enum { ASKED = 2 * NS_CHOICES }; /* ways of every strategy, and those requested by name */

typedef struct asked {
    const ns_machine *machine;
    const ns_exchange *exchange;
    ns_price_options price;
    int choices, chosen;
    ns_workspace *workspace;
    ns_made_ways made;
    struct {
        const ns_strategy *strategy;
        ns_transport transport;
        char label[64];
    } choice[ASKED];
} asked;

static ns_status price_one(const asked *x, int i, const ns_machine *machine, double *seconds, ns_error *err)
{
    const ns_selection selection = {.strategy = &x->choice[i].strategy,
                                    .strategies = 1,
                                    .transports = 1u << x->choice[i].transport,
                                    .price = x->price};
    int quotes;
    NS_TRY(ns_quote(x->exchange, machine, &selection, x->workspace, &quotes, err));
    *seconds = ns_quote_at(x->workspace, 0)->price.estimate_s;
    return NS_OK;
}

static ns_status answer(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err)
{
    const asked *x = context;
    double least = 0;
    (void)input;
    NS_TRY(price_one(x, x->chosen, machine, value, err));
    for (int i = 0; winner != NULL && i < x->choices; i++) {
        double seconds = *value;
        if (i != x->chosen)
            NS_TRY(price_one(x, i, machine, &seconds, err));
        if (i == 0 || seconds < least) {
            least = seconds;
            *winner = x->choice[i].label;
        }
    }
    return NS_OK;
}

/* Add the ways of these strategies that the machine and the exchange have, except those already added. */
static void add_choices(asked *x, const ns_strategy *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS && x->choices < ASKED; t++) {
            bool there = !ns_strategy_runs(list[i], (ns_transport)t, x->machine) ||
                         (ns_transports_of(x->exchange, x->machine, NULL) >> t & 1) == 0;
            for (int k = 0; k < x->choices; k++)
                there = there || (x->choice[k].strategy == list[i] && x->choice[k].transport == (ns_transport)t);
            if (there)
                continue;
            x->choice[x->choices].strategy = list[i];
            x->choice[x->choices].transport = (ns_transport)t;
            snprintf(x->choice[x->choices].label, sizeof x->choice[0].label, "%s/%s", list[i]->name,
                     ns_transport_words[t]);
            x->choices++;
        }
}

/* The first choice that matches NAME or NAME/TRANSPORT, else the best of all strategies. */
static ns_status choose(asked *x, const char *wanted, ns_error *err)
{
    double seconds = 0, least = 0;
    char name[64] = "";
    const ns_strategy *list[NS_CHOICES], *named[NS_CHOICES] = {NULL};
    size_t count = 0;
    const size_t length = wanted != NULL ? ns_way_name_length(wanted) : 0;
    const char *transport = wanted != NULL && wanted[length] == '/' ? wanted + length + 1 : "";
    add_choices(x, list, ns_strategies_by_rank(list, NS_CHOICES));
    if (wanted != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)length, wanted);
        NS_TRY(ns_ways_named(&x->made, name, named, NS_CHOICES, &count, err));
        add_choices(x, named, count);
    }
    if (x->choices == 0)
        return ns_fail(err, NS_ERR_DATA, "machine %s runs no strategy", x->machine->name);
    x->chosen = -1;
    for (int i = 0; i < x->choices; i++) {
        bool is_named = count == 0;
        for (size_t k = 0; k < count; k++)
            is_named = is_named || x->choice[i].strategy == named[k];
        if (!is_named || (*transport != '\0' && strcmp(transport, ns_transport_words[x->choice[i].transport]) != 0))
            continue;
        if (wanted == NULL)
            NS_TRY(price_one(x, i, x->machine, &seconds, err));
        if (x->chosen < 0 || (wanted == NULL && seconds < least)) {
            least = wanted == NULL ? seconds : 0;
            x->chosen = i;
        }
    }
    return x->chosen >= 0 ? NS_OK : ns_fail(err, NS_ERR_DATA, "machine %s does not run %s", x->machine->name, wanted);
}

ns_status ns_sensitivity_of_exchange(const ns_exchange *exchange, const ns_machine *machine, const char *strategy,
                                     const ns_price_options *price, const ns_sensitivity_options *options,
                                     ns_sensitivity **sensitivity, ns_error *err)
{
    ns_error_clear(err);
    ns_price_options priced;
    NS_TRY(ns_price_options_take(price, &priced, err));
    asked *x = ns_calloc(1, sizeof *x);
    if (x == NULL)
        return ns_no_memory(err);
    x->machine = machine;
    x->exchange = exchange;
    x->price = priced;
    ns_status status = ns_workspace_open(&x->workspace, err);
    if (status == NS_OK)
        status = choose(x, strategy, err);
    if (status == NS_OK) {
        ns_subject subject = {.of = {.machine = machine, .output = "estimate", .dim = {1, 0, 0}, .of_exchange = true},
                              .context = x,
                              .answer = answer};
        snprintf(subject.of.title, sizeof subject.of.title, "%s of %.100s on %d %s", x->choice[x->chosen].label,
                 options != NULL && options->name != NULL ? options->name : "the messages", (int)exchange->parts,
                 machine->gpus > 0 ? "GPUs" : "processes");
        status = ns_sensitivity_run(&subject, NULL, 0, options, sensitivity, err);
    }
    ns_workspace_free(x->workspace);
    ns_free(x);
    return status;
}
