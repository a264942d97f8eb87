/* answer.c -- the output of predict and advise: the first screen, decisions, ways, networks and explanations */
#include "cli/show/answer.h"
#include "cli/front/command.h"
#include "cli/front/words.h"
#include "cli/inputs/exchange.h"
#include "cli/show/predict.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- every number of a machine with its source ------------------------------------------------------------------- */

void ns_machine_show(const ns_machine *machine, ns_value *result)
{
    ns_value_text(result, "name", machine->name);
    ns_value_text(result, "title", machine->title);
    ns_value_text(result, "source", machine->source);
    ns_value_text(result, "file", machine->file);
    if (machine->copy_levels > 0)
        ns_value_text(result, "copy_bytes", machine->copy_total ? "total" : "share");
    ns_value *list = ns_put_rows(result, "parameters", NS_EVERYWHERE);
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        char unit[24];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "path", p->path);
        ns_value_number(row, "value", p->value, p->dim);
        ns_put_text(row, "unit", NS_IN_DATA, ns_dim_unit(p->dim, unit, sizeof unit));
        ns_put_number(row, "standard_error", NS_EVERYWHERE, p->se > 0 ? p->se : (double)NAN, p->dim);
        ns_value_textf(row, "source", "%s%s", p->calibrated ? "calibrated: " : "", p->source);
        ns_value_text(row, "doc", p->doc);
    }
}

/* ---- a tree of terms as a table ---------------------------------------------------------------------------------- */

bool ns_term_has_children(const ns_explanation *terms, size_t i)
{
    const ns_term *next = ns_explanation_term(terms, i + 1);
    return next != NULL && next->depth > ns_explanation_term(terms, i)->depth;
}

const char *ns_term_place(const ns_term *term, char *text, size_t size)
{
    if (term->model != NULL)
        snprintf(text, size, "nsmodel models %s", term->model->name);
    else
        snprintf(text, size, "%s", term->path);
    return text;
}

static int depth_of(const ns_explanation *terms, size_t i)
{
    return ns_explanation_term(terms, i)->depth;
}

/* Is this the last of its parent's terms? */
static bool is_last(const ns_explanation *terms, size_t i)
{
    for (size_t k = i + 1; k < terms->terms && depth_of(terms, k) >= depth_of(terms, i); k++)
        if (depth_of(terms, k) == depth_of(terms, i))
            return false;
    return true;
}

enum { SOURCE_ROOM = 100 }; /* characters; JSON has the whole text */

/* Which columns are not empty. */
typedef struct columns {
    bool share, formula, numbers, parameter, warning;
} columns;

static void add_text(ns_value *row, bool used, const char *name, const char *text)
{
    if (used)
        ns_value_text(row, name, text);
}

void ns_terms_show(const ns_explanation *terms, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "explain", NS_IN_TABLE);
    columns used = {false};
    for (size_t i = 0; i < terms->terms; i++) {
        const ns_term *term = ns_explanation_term(terms, i);
        used.share = used.share || ns_explanation_share(terms, i) >= 0;
        used.formula = used.formula || term->formula[0] != '\0';
        used.numbers = used.numbers || term->has_parameter;
        used.parameter = used.parameter || term->path[0] != '\0' || term->model != NULL;
        used.warning = used.warning || term->warning[0] != '\0';
    }
    for (size_t i = 0; i < terms->terms; i++) {
        const ns_term *term = ns_explanation_term(terms, i);
        char text[256], share[24] = "";
        ns_value *row = ns_value_object(list, NULL);
        /* "|  |- name": a bar for each ancestor that has further siblings; in depth-first order such an ancestor is the
         * last term of its level before this one */
        size_t drawn = 0;
        for (int level = 1; level < term->depth; level++) {
            size_t above = i;
            while (above > 0 && depth_of(terms, above) != level)
                above--;
            drawn += (size_t)snprintf(text + drawn, sizeof text - drawn, "%s", is_last(terms, above) ? "   " : "|  ");
        }
        snprintf(text + drawn, sizeof text - drawn, "%s%s", term->depth > 0 ? is_last(terms, i) ? "`- " : "|- " : "",
                 term->name);
        ns_value_text(row, "term", text);
        if (term->has_value)
            ns_value_number(row, "time", term->value, term->dim);
        else
            ns_value_text(row, "time", "");
        if (ns_explanation_share(terms, i) >= 0)
            snprintf(share, sizeof share, "%5.1f %%", 100 * ns_explanation_share(terms, i));
        add_text(row, used.share, "share", share);
        add_text(row, used.formula, "formula", term->formula);
        /* "8 x 7.76 us", or "" */
        size_t size = sizeof text;
        char amount[48], value[48];
        text[0] = '\0';
        if (term->has_parameter && term->has_amount)
            snprintf(text, size, "%s x %s",
                     ns_quantity_format(term->amount, term->amount_dim, 4, amount, sizeof amount),
                     ns_quantity_format(term->parameter, term->parameter_dim, 4, value, sizeof value));
        else if (term->has_parameter)
            ns_quantity_format(term->parameter, term->parameter_dim, 4, text, size);
        add_text(row, used.numbers, "numbers", text);
        add_text(row, used.parameter, "parameter", ns_term_place(term, text, sizeof text));
        ns_value_text(row, "source", ns_first_clause(term->source, SOURCE_ROOM, text, sizeof text));
        add_text(row, used.warning, "warning", term->warning);
    }
}

/* ---- a decision as values and as a sentence ---------------------------------------------------------------------- */

static void add_way(const ns_comparison *c, int i, ns_value *object)
{
    ns_value_text(object, "strategy", c->choice[i].strategy->name);
    ns_value_text(object, "transport", ns_transport_words[c->choice[i].transport]);
}

static const ns_table_column of_belief[] = {{"kappa", NS_COL(ns_belief, kappa)},
                                            {"doubt", NS_COL(ns_belief, doubt)},
                                            {"lambda", NS_COL(ns_belief, lambda)},
                                            {"source", NS_COL(ns_belief, source)},
                                            {"cases", NS_COL(ns_belief, cases)},
                                            {"groups", NS_COL(ns_belief, groups)},
                                            {NULL}};
static const ns_table_column of_decision[] = {{"loss_q50", NS_COL(ns_decision, loss_q50)},
                                              {"loss_q90", NS_COL(ns_decision, loss_q90)},
                                              {"expected_ln_loss", NS_COL(ns_decision, expected_ln_loss)},
                                              {NULL}};
static const ns_table_column of_gain[] = {{"gain_q10", NS_COL(ns_change, gain.q10)},
                                          {"gain_q50", NS_COL(ns_change, gain.q50)},
                                          {"gain_q90", NS_COL(ns_change, gain.q90)},
                                          {"expected_loss", NS_COL(ns_change, kept)},
                                          {NULL}};
static const ns_table_column of_trust[] = {
    {"machine", NS_COL(ns_trust, machine)},   {"cases", NS_COL(ns_trust, cases)},
    {"right", NS_COL(ns_trust, right)},       {"loss", NS_COL(ns_trust, loss)},
    {"rule", NS_COL(ns_trust, rule)},         {"rule_loss", NS_COL(ns_trust, rule_loss)},
    {"held_out", NS_COL(ns_trust, held_out)}, {NULL}};

void ns_decision_value(const ns_decided *of, const char *next, ns_value *parent)
{
    const ns_comparison *c = of->comparison;
    const ns_decision *d = &c->decision;
    const ns_form *form = c->choice[c->best].price.form;
    const bool gpus = of->machine->gpus > 0, one = of->parts == 1;
    char text[NS_ANSWER_LINE];
    ns_change change;
    ns_trust trust;
    ns_answer_sentence(of, text);
    if (d->best >= 0)
        ns_put_text(parent, "sentence", NS_IN_JSON, text);
    ns_put_textf(parent, "heading", NS_IN_NARROW | NS_HEADING, "%d %s%s%.60s", (int)of->parts,
                 gpus ? one ? "GPU" : "GPUs" : one ? "process" : "processes", of->one_of_many ? " on " : "",
                 of->one_of_many ? of->machine->name : "");
    ns_value *object = d->best >= 0 ? ns_put_object(parent, "decision", NS_IN_JSON) : NULL;
    if (d->best < 0)
        ns_put_text(parent, "decision", NS_IN_JSON, NULL);
    if (ns_change_advise(c, &of->thresholds, &change, NULL) != NS_OK)
        return;
    add_way(c, d->best, object);
    ns_value_text(object, "action", ns_action_words[change.action]);
    ns_value_count(object, "distinct", d->distinct);
    ns_value_count(object, "p_best", d->p_best[d->best]);
    ns_put_columns(object, of_decision, d);
    ns_value *list = ns_value_list(object, "shortlist");
    for (int i = 0; i < d->shortlisted; i++)
        add_way(c, d->shortlist[i], ns_value_object(list, NULL));
    ns_value_count(object, "shortlist_p", d->shortlist_p);
    list = ns_value_list(object, "ruled_out");
    for (int i = 0; i < d->ways; i++)
        if ((d->ruled_out >> i & 1) != 0)
            add_way(c, i, ns_value_object(list, NULL));
    ns_value *basis = ns_value_object(object, "basis");
    ns_value_text(basis, "form", form->name);
    ns_put_columns(basis, of_belief, &c->belief);
    ns_value *incumbent = ns_value_object(object, "incumbent");
    add_way(c, change.incumbent, incumbent);
    ns_value_bool(incumbent, "named", c->incumbent >= 0);
    ns_value_count(incumbent, "p_better", change.same ? 0 : change.gain.p_better);
    ns_put_columns(incumbent, of_gain, &change);
    ns_value_count(object, "p_loss_10", change.p_loss_10);
    if (of->foreign || !ns_trust_of(of->machine, form, &trust))
        ns_value_null(object, "trust");
    else {
        trust.rule_loss = trust.rule != NULL ? trust.rule_loss : (double)NAN;
        ns_put_columns(ns_value_object(object, "trust"), of_trust, &trust);
    }
    list = ns_value_list(object, "next");
    if (next != NULL)
        ns_value_text(list, NULL, next);
}

/* ---- predict --network: the hardware, and the source of each of its numbers -------------------------------------- */

static const char *const effects[] = {[NS_NETWORK_CARRIES] = "carries", [NS_NETWORK_GATHERS] = "gathers"};

/* The source of a number; one that --set changed has --set as its source. */
static const char *of(const ns_fabric *fabric, const ns_network_number *number, const ns_parameter *p)
{
    if (strncmp(p->source, "set: ", 5) == 0)
        return "set";
    return strcmp(number->of, "machine") == 0 && fabric->link == NULL ? "paper" : number->of;
}

static void describe_network(const ns_cases *p, ns_value *result)
{
    static const char *const whose[] = {"paper", "fitted", "assumed", "set"};
    char text[700], number[48];
    const ns_network_kind *kind = p->network;
    const ns_fabric *fabric = p->fabric[0];
    ns_value *object = ns_put_object(result, "network", NS_IN_JSON);
    ns_value_text(object, "name", kind->name);
    ns_value_text(object, "title", kind->title);
    ns_value_text(object, "source", kind->source);
    ns_value_text(object, "effect", effects[kind->effect]);
    ns_value_text(object, "hardware", fabric->hardware->name);
    ns_value *list = ns_value_list(object, "numbers");
    for (const ns_network_number *n = kind->numbers; n->path != NULL; n++) {
        const ns_parameter *of_it = ns_machine_parameter(fabric->hardware, n->path);
        if (of_it == NULL)
            continue;
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "parameter", of_it->path);
        ns_value_number(row, "value", of_it->value, of_it->dim);
        ns_value_text(row, "of", of(fabric, n, of_it));
        ns_value_text(row, "source", of_it->source);
    }
    list = ns_value_list(object, "assumed");
    for (const char *const *line = kind->assumed; *line != NULL; line++)
        ns_value_text(list, NULL, *line);

    ns_note(result, "network    %s: %s; %s", kind->name, kind->title, kind->source);
    for (size_t i = 0; i < p->machines; i++) {
        const ns_fabric *own = p->fabric[i];
        const ns_parameter *link = ns_machine_parameter(own->hardware, "models.rig-batch.rate");
        if (kind->effect == NS_NETWORK_GATHERS && own->link != NULL && link != NULL)
            ns_note(result, "link       %s each way, both at once: of %s, %s",
                    ns_quantity_format(link->value, link->dim, 4, number, sizeof number), own->machine->name,
                    own->link->path);
    }
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++) {
        /* "paper      units 32, E 256, f 2.2 GHz" */
        size_t used = (size_t)snprintf(text, sizeof text, "%-10s", whose[i]), first = used;
        for (const ns_network_number *n = kind->numbers; n->path != NULL; n++) {
            const ns_parameter *of_it = ns_machine_parameter(fabric->hardware, n->path);
            if (of_it != NULL && strcmp(of(fabric, n, of_it), whose[i]) == 0 && used + 100 <= sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %s", used > first ? "," : "",
                                         strrchr(of_it->path, '.') + 1,
                                         ns_quantity_format(of_it->value, of_it->dim, 4, number, sizeof number));
        }
        if (used > first)
            ns_note(result, "%s", text);
    }
    /* "error      2^0.61 = 1.5 times up or down: nine speedups ..." */
    const ns_parameter *error = ns_machine_parameter(fabric->hardware, "host.exchange.model_error.time");
    if (kind->effect == NS_NETWORK_GATHERS && error != NULL)
        ns_note(result, "error      between nodes, a standard deviation of 2^%.2g = %.2g times: %.400s", error->value,
                exp2(error->value), error->source);
    for (const char *const *line = kind->assumed; *line != NULL; line++)
        ns_note(result, "assumed    %s", *line);
}

ns_status ns_network_list(ns_value *result)
{
    ns_value *list = ns_put_rows(result, "networks", NS_EVERYWHERE);
    for (const ns_network_kind *kind = ns_network_kinds; kind->name != NULL; kind++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "name", kind->name);
        ns_value_text(row, "effect", effects[kind->effect]);
        ns_value_text(row, "title", kind->title);
        ns_put_text(row, "source", NS_IN_WIDE, kind->source);
    }
    return NS_OK;
}

static const ns_table_column of_gathering[] = {{"nodes", NS_COL(ns_gathering, nodes)},
                                               {"k", NS_COL(ns_gathering, k)},
                                               {"link", NS_COL(ns_gathering, rate), .unit = "B/s"},
                                               {"network_s", NS_COL(ns_gathering, network_s), .unit = "s"},
                                               {"network_best_s", NS_COL(ns_gathering, network_best_s), .unit = "s"},
                                               {"inside_s", NS_COL(ns_gathering, inside_s), .unit = "s"},
                                               {"inside", NS_COL(ns_gathering, inside), .words = ns_transport_words},
                                               {"model_error", NS_COL(ns_gathering, error)},
                                               {"model_error_source", NS_COL(ns_gathering, error_source)},
                                               {NULL}};

void ns_gathering_value(const ns_networked *network, ns_value *object)
{
    if (network->gather < 0)
        return;
    const ns_gathering *g = &network->gathering;
    ns_value *gathering = ns_put_object(object, "gathering", NS_IN_JSON);
    ns_put_columns(gathering, of_gathering, g);
    if (g->result == NULL)
        return;
    ns_value_count(gathering, "batch", (double)g->result->batch);
    ns_value_text(gathering, "limit", ns_limit_words[g->result->step[NS_SWITCH].limit]);
    ns_value *steps = ns_value_list(gathering, "steps");
    for (int i = 0; i < NS_MECHANISMS; i++) {
        ns_value *step = ns_value_object(steps, NULL);
        ns_value_text(step, "step", ns_mechanism_words[i]);
        ns_value_number(step, "time_s", g->result->step[i].time, NS_SECOND);
    }
}

/* ---- the ways of a comparison as rows: short for a narrow screen, whole for JSON, CSV and a wide one ------------- */

typedef struct way {
    char name[60];
    const char *strategy, *transport, *g, *kind, *remark, *verdict, *note;
    double seconds, interval[2], ratio, p, p_shown, ranks; /* p, p_shown, ranks: NAN where there is none */
    double published, corrected, messages;
} way;

/* The answer comes first on a narrow screen, with no more digits than are significant. */
static const ns_table_column narrow[] = {
    {"way", NS_COL(way, name), .shows = NS_IN_NARROW},
    {"time", NS_COL(way, seconds), .unit = "s", .digits = 3, .shows = NS_IN_NARROW},
    {"range", NS_COL(way, interval), .unit = "s", .digits = 3, .shows = NS_IN_NARROW},
    {"x best", NS_COL(way, ratio), .digits = 3, .shows = NS_IN_NARROW},
    {NULL}};
static const ns_table_column probability[] = {
    {"P(best)", NS_COL(way, p_shown), .unit = "%", .digits = 2, .shows = NS_IN_NARROW}, {NULL}};
static const ns_table_column priced[] = {{"remark", NS_COL(way, remark), .shows = NS_IN_NARROW | NS_OPTIONAL},
                                         {"strategy", NS_COL(way, strategy), .shows = NS_IN_WIDE},
                                         {"g", NS_COL(way, g), .shows = NS_IN_JSON | NS_OPTIONAL},
                                         {"g", NS_COL(way, ranks), .shows = NS_IN_JSON | NS_OPTIONAL},
                                         {"transport", NS_COL(way, transport), .shows = NS_IN_WIDE},
                                         {"kind", NS_COL(way, kind), .shows = NS_IN_WIDE | NS_OPTIONAL},
                                         {"estimate_s", NS_COL(way, seconds), .unit = "s", .shows = NS_IN_WIDE},
                                         {"ratio", NS_COL(way, ratio), .shows = NS_IN_WIDE},
                                         {"p_best", NS_COL(way, p), .shows = NS_IN_WIDE},
                                         {"interval_s", NS_COL(way, interval), .unit = "s", .shows = NS_IN_WIDE},
                                         {NULL}};
/* The times by the closed forms. */
static const ns_table_column closed[] = {
    {"published_s", NS_COL(way, published), .unit = "s", .shows = NS_IN_WIDE | NS_NEGATIVE_NULL},
    {"corrected_s", NS_COL(way, corrected), .unit = "s", .shows = NS_IN_DATA | NS_NEGATIVE_NULL},
    {NULL}};
static const ns_table_column said[] = {{"messages_off_node_max", NS_COL(way, messages), .shows = NS_IN_WIDE},
                                       {"verdict", NS_COL(way, verdict), .shows = NS_IN_TABLE | NS_IN_WIDE},
                                       {"note", NS_COL(way, note), .shows = NS_IN_WIDE | NS_OPTIONAL},
                                       {NULL}};

static const ns_table_column dropped[] = {{"locality", NS_COL(ns_price_drop, locality), .words = ns_locality_words},
                                          {"memory", NS_COL(ns_price_drop, memory), .words = ns_memory_words},
                                          {"from", NS_COL(ns_price_drop, from), .words = ns_protocol_words},
                                          {"to", NS_COL(ns_price_drop, to), .words = ns_protocol_words},
                                          {"at_bytes", NS_COL(ns_price_drop, at), .unit = "B"},
                                          {"message_bytes", NS_COL(ns_price_drop, message_bytes), .unit = "B"},
                                          {"before_s", NS_COL(ns_price_drop, before_s), .unit = "s"},
                                          {"after_s", NS_COL(ns_price_drop, after_s), .unit = "s"},
                                          {NULL}};

void ns_way_value(const ns_comparison *c, int i, const ns_way_words *words, ns_value *list)
{
    const ns_choice *choice = &c->choice[i];
    const double best = c->choice[c->best].price.estimate_s;
    const bool decided = c->decision.best >= 0, judged = i == c->best && c->verdict != NS_UNDECIDED;
    char same[80], name[60];
    way w = {.strategy = choice->strategy->name,
             .transport = ns_transport_words[choice->transport],
             .g = choice->strategy->group == NS_GROUP_SOCKET ? "socket" : NULL,
             .ranks = choice->strategy->group > 0 ? choice->strategy->group : (double)NAN,
             .kind = words->kind,
             .note = words->note,
             .verdict = judged ? ns_verdict_words[c->verdict] : "",
             .remark = i == c->best && c->verdict == NS_EXTRAPOLATED ? "extrapolated" : NULL,
             .seconds = choice->price.estimate_s,
             .interval = {choice->price.lo_s, choice->price.hi_s},
             .ratio = best > 0 ? choice->price.estimate_s / best : 1,
             .p = decided ? c->decision.p_best[i] : (double)NAN,
             .p_shown = decided && choice->same == 0 ? c->decision.p_best[i] : (double)NAN,
             .published = choice->published_s,
             .corrected = choice->corrected_s,
             .messages = (double)choice->messages_off_node_max};
    ns_choice_name(c, i, w.name, sizeof w.name);
    if (choice->same > 0) {
        snprintf(same, sizeof same, "same as %s", ns_choice_name(c, choice->same - 1, name, sizeof name));
        w.remark = same;
    }
    ns_value *row = ns_row_mark(ns_put_row(list, narrow, &w), i == c->best);
    if (decided || choice->same > 0)
        ns_put_columns(row, probability, &w);
    ns_put_columns(row, priced, &w);
    const ns_way_of of = {choice->strategy, choice->transport};
    ns_value *scored = ns_scored_on(of, 0) != NULL ? ns_put_list(row, "scored_on", NS_IN_JSON) : NULL;
    for (size_t k = 0; ns_scored_on(of, k) != NULL; k++)
        ns_value_text(scored, NULL, ns_scored_on(of, k));
    if (choice->same > 0) /* the way that represents this one */
        add_way(c, choice->same - 1, ns_put_object(row, "same_as", NS_IN_JSON));
    ns_put_columns(row, closed, &w);
    ns_price_terms(&choice->price, NS_IN_DATA, ns_put_object(row, "terms", NS_IN_WIDE));
    ns_put_columns(row, said, &w);
    /* Messages slightly longer than a size from which longer messages take less time; for the best way also above the
     * table: "three-step/host: its on-socket messages of 600 B lie past 512 B, ..." */
    char mean[48], at[48], before[48], after[48];
    ns_price_drop drop;
    ns_value *drops = NULL;
    for (size_t k = 0; words->machine != NULL && ns_price_drop_at(words->machine, choice, k, &drop); k++) {
        drops = drops != NULL ? drops : ns_put_list(row, "protocol_drops", NS_IN_JSON);
        ns_put_row(drops, dropped, &drop);
        if (i == c->best)
            ns_note(words->result,
                    "%s: its %s messages of %s lie past %s, where %s takes over from %s on %s: some shorter ones take "
                    "longer (%s just below, %s from there on)",
                    ns_choice_name(c, i, name, sizeof name), ns_locality_words[drop.locality],
                    ns_quantity_format(drop.message_bytes, NS_BYTE, 3, mean, sizeof mean),
                    ns_quantity_format(drop.at, NS_BYTE, 4, at, sizeof at), ns_protocol_words[drop.to],
                    ns_protocol_words[drop.from], words->machine->name,
                    ns_quantity_format(drop.before_s, NS_SECOND, 3, before, sizeof before),
                    ns_quantity_format(drop.after_s, NS_SECOND, 3, after, sizeof after));
    }
}

void ns_searched_value(const ns_searched *searched, ns_value *object)
{
    ns_value *value = ns_put_object(object, "searched", NS_IN_JSON);
    ns_value *list = ns_value_list(value, "strategies");
    for (size_t i = 0; i < searched->ways; i++)
        ns_value_text(list, NULL, searched->way[i]->name);
    ns_value_textf(value, "fastest", "%s/%s", searched->fastest->name, ns_transport_words[searched->transport]);
    ns_value_number(value, "estimate_s", searched->seconds, NS_SECOND);
}

void ns_best_value(const ns_comparison *c, ns_value *object)
{
    ns_value *best = ns_put_object(object, "best", NS_IN_JSON);
    add_way(c, c->best, best);
    ns_value_text(best, "verdict", c->verdict != NS_UNDECIDED ? ns_verdict_words[c->verdict] : NULL);
}

ns_status ns_cases_decided(const ns_cases *p, ns_decided **decided, ns_error *err)
{
    ns_thresholds thresholds;
    NS_TRY(ns_part_read(p->args, "sure", &thresholds.sure, err));
    NS_TRY(ns_part_read(p->args, "worth", &thresholds.worth, err));
    ns_decided *made = ns_calloc(p->count, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < p->count; i++)
        made[i] = (ns_decided){&p->comparison[i],
                               p->of[i].machine,
                               p->of[i].exchange->parts,
                               p->machines > 1,
                               p->network != NULL || ns_args_at(p->args, "set", 0) != NULL,
                               thresholds};
    *decided = made;
    return NS_OK;
}

void ns_answer_next(const ns_args *args, const ns_decided *of, char text[NS_COMMAND_LINE])
{
    static const char *const without[] = {"matrix",  "messages", "gpus",     "parts", "nodes", "machine",
                                          "explain", "plot",     "schedule", "all",   NULL};
    char parts[24];
    ns_shell_line line = {text, NS_COMMAND_LINE, 0};
    ns_change change;
    const bool advises = strcmp(args->command->name, "advise") == 0,
               measure = ns_change_advise(of->comparison, &of->thresholds, &change, NULL) == NS_OK &&
                         change.action == NS_DO_MEASURE && (!advises || of->one_of_many);
    ns_shell_question(&line, measure ? "nsmodel advise" : "nsmodel predict", args,
                      args->usual_machine ? NULL
                      : of->one_of_many   ? ns_machine_handle(of->machine)
                                          : args->machine,
                      without);
    snprintf(parts, sizeof parts, " -n %d", (int)of->parts);
    ns_shell_put(&line, parts);
    if (!measure)
        ns_shell_put(&line, " --explain");
}

/* Wrapped to the width of a screen, in every output. */
void ns_answer_wrapped(ns_value *result, const char *text)
{
    while (*text != '\0') {
        const size_t length = ns_answer_break(text);
        ns_note(result, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

/* The advice, or the trust, for the cases of one machine, with `name` instead of its own. */
static void say_as(bool trust, const ns_decided *cases, size_t count, const char *name, char text[NS_ANSWER_LINE])
{
    char own[NS_ANSWER_LINE];
    if (trust)
        ns_answer_trust(cases, own);
    else
        ns_answer_advice(cases, count, own);
    const char *at = strstr(own, cases->machine->name);
    if (at == NULL)
        snprintf(text, NS_ANSWER_LINE, "%s", own);
    else
        snprintf(text, NS_ANSWER_LINE, "%.*s%s%s", (int)(at - own), own, name, at + strlen(cases->machine->name));
}

ns_status ns_answer_show(const ns_cases *p, const ns_decided *cases, ns_value *result, ns_error *err)
{
    char title[400], what[300], rows[40] = "", digits[32];
    char text[NS_ANSWER_LINE], other[NS_ANSWER_LINE], names[600], next[NS_COMMAND_LINE];
    const size_t count = p->count, each = count / p->machines;
    const ns_matrix_info *info = p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix) : NULL;
    if (!p->all)
        ns_notes_to_wide(result->first);
    if (p->network != NULL)
        describe_network(p, result);

    /* "audikw_1 (generated stand-in, 943,695 rows) on lassen-spectrum, 4 GPUs a node" */
    const int length = info != NULL ? snprintf(digits, sizeof digits, "%lld", (long long)info->rows) : 0;
    for (int i = 0, used = 0; i < length; i++)
        used += snprintf(rows + used, sizeof rows - (size_t)used, "%s%c", i > 0 && (length - i) % 3 == 0 ? "," : "",
                         digits[i]);
    if (info != NULL)
        snprintf(what, sizeof what, "%.200s (%s%s rows)", info->name,
                 info->source == NS_SURROGATE ? "generated stand-in, " : "", rows);
    else if (p->inputs.to_all > 0)
        snprintf(what, sizeof what, "%lld B from every part to every other", (long long)p->inputs.to_all);
    else
        snprintf(what, sizeof what, "%zu planned messages of %d parts", p->inputs.messages, (int)p->inputs.parts);
    if (p->machines > 1)
        snprintf(title, sizeof title, "%s on %zu machines", what, p->machines);
    else {
        const int per_node = (int)p->layout[0].per_node;
        snprintf(title, sizeof title, "%s on %.60s, %d %s a node%s%s", what, p->machine[0]->name, per_node,
                 p->machine[0]->gpus > 0 ? per_node == 1 ? "GPU" : "GPUs"
                 : per_node == 1         ? "process"
                                         : "processes",
                 p->network != NULL ? ", network " : "", p->network != NULL ? p->network->name : "");
    }
    ns_value *screen = ns_put_object(result, "screen", NS_IN_JSON);
    ns_value_text(screen, "title", title);
    ns_answer_wrapped(result, title);
    ns_answer_against(&cases[0], text);
    ns_value_text(screen, "against", text);
    if (*text != '\0')
        ns_note(result, "%s", text);
    ns_note(result, "%s", "");

    ns_answer_text *lines = ns_calloc(count + 1, sizeof *lines);
    if (lines == NULL)
        return ns_no_memory(err);
    ns_answer_table(cases, count, lines);
    ns_value *list = ns_value_list(screen, "headings");
    for (size_t i = 0; i <= count; i++) {
        ns_answer_row row;
        double seconds;
        if (i == 0)
            ns_answer_headings(cases, count, &row);
        else
            ns_answer_row_of(&cases[i - 1], &row);
        ns_value *object = ns_value_object(list, NULL);
        if (row.machine[0] != '\0')
            ns_value_text(object, "machine", row.machine);
        ns_value_text(object, "parts", row.parts);
        ns_value_text(object, "way", row.way);
        if (i > 0 && ns_quantity_parse_as(row.time, "time", "s", &seconds, NULL) == NS_OK)
            ns_value_number(object, "time", seconds, NS_SECOND);
        else
            ns_value_text(object, "time", row.time);
        ns_value_text(object, "against", row.against);
        ns_value_text(object, "may_lose", row.loss);
        ns_value_text(object, "is_best", row.best);
        ns_note(result, "%s", lines[i]);
        list = i == 0 ? ns_value_list(screen, "rows") : list;
    }
    ns_free(lines);
    ns_note(result, "%s", "");

    /* Advice and trust; text that is the same for several machines is printed once, at the first: "lassen, summit and
     * tioga". */
    for (int trust = 0; trust < 2; trust++) {
        list = ns_value_list(screen, trust ? "trust" : "advice");
        for (size_t first = 0; first < count; first += each) {
            const char *last = NULL;
            size_t used = 0;
            bool before = false; /* already printed for an earlier one */
            say_as(trust, &cases[first], each, "", text);
            for (size_t i = 0; i < count && !before; i += each) {
                say_as(trust, &cases[i], each, "", other);
                if (strcmp(text, other) != 0)
                    continue;
                before = i < first;
                if (last != NULL && used < sizeof names)
                    used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", used > 0 ? ", " : "", last);
                last = cases[i].machine->name;
            }
            if (before)
                continue;
            if (used < sizeof names)
                snprintf(names + used, sizeof names - used, "%s%.60s", used > 0 ? " and " : "", last);
            say_as(trust, &cases[first], each, names, text);
            ns_value_text(list, NULL, text);
            ns_answer_wrapped(result, text);
        }
    }

    /* A suggested next command: for the first case that is not settled, else for the last one. */
    size_t open = 0;
    for (ns_change change; open + 1 < count; open++)
        if (ns_change_advise(cases[open].comparison, &cases[open].thresholds, &change, NULL) == NS_OK &&
            change.action == NS_DO_MEASURE)
            break;
    ns_answer_next(p->args, &cases[open], next);
    ns_value_text(ns_value_list(screen, "next"), NULL, next);
    const bool advises = strcmp(p->args->command->name, "advise") == 0;
    if (advises && p->machines == 1)
        return NS_OK;
    /* The command followed by hints; hints that do not fit on its line go below it, so that the command can be
     * pasted. */
    char line[NS_COMMAND_LINE + 8];
    const char *all = p->all ? "" : "every way: --all",
               *why = !p->all && !advises && strstr(next, "--explain") == NULL ? "why: --explain" : "";
    const char *const hints[] = {all, why};
    size_t used = (size_t)snprintf(line, sizeof line, "Next: %s", next), told = 0;
    for (; told < 2 && used + 3 + strlen(hints[told]) <= NS_ANSWER_WIDTH; told++)
        if (*hints[told] != '\0')
            used += (size_t)snprintf(line + used, sizeof line - used, "   %s", hints[told]);
    if (used <= NS_ANSWER_WIDTH) {
        ns_note(result, "%s", line);
        return NS_OK;
    }
    ns_note_command(result, "%s", line);
    if (!p->all)
        ns_note(result, "%s%s%s", all, *why != '\0' ? "   " : "", why);
    return NS_OK;
}

/* ---- a decision, and the measurement that would settle it -------------------------------------------------------- */

/* "13 %": how much slower e^l is than 1; a factor beyond ten times. */
static const char *slower(double l, char *text, size_t size)
{
    const double p = expm1(l);
    if (p >= 9.995)
        snprintf(text, size, "a factor of %.3g", p + 1);
    else
        snprintf(text, size, p >= 0.0995 ? "%.0f %%" : "%.2g %%", 100 * p);
    return text;
}

static const ns_table_column of_unknown[] = {{"parameter", NS_COL(ns_unknown, parameter)},
                                             {"basis", NS_COL(ns_unknown, basis), .words = ns_basis_words},
                                             {"sigma", NS_COL(ns_unknown, sigma)},
                                             {"loss_removed", NS_COL(ns_unknown, loss_removed)},
                                             {NULL}};

void ns_advice_value(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *object)
{
    char next[NS_COMMAND_LINE];
    const ns_comparison *c = decided->comparison;
    ns_answer_next(args, decided, next);
    ns_decision_value(decided, next, object);
    /* Expected ln loss of the incumbent: the errors of all ways have one mean. */
    const double in_use = c->incumbent >= 0
                              ? c->decision.expected_ln_loss +
                                    log(c->choice[c->incumbent].price.estimate_s / c->choice[c->best].price.estimate_s)
                              : 0;
    ns_put_count(object, "expected_loss", NS_IN_JSON, plan != NULL ? expm1(plan->left) : (double)NAN);
    ns_put_count(object, "incumbent_expected_loss", NS_IN_JSON,
                 plan != NULL && c->incumbent >= 0 ? expm1(in_use) : (double)NAN);
    ns_value *list = ns_put_rows(object, "measure", NS_EVERYWHERE);
    for (size_t i = 0; plan != NULL && i < plan->measurements; i++) {
        /* For people: the first parameter, and how many others its benchmark measures. */
        char text[40];
        const ns_measurement *m = &plan->measurement[i];
        const ns_unknown *first = m->unknown[0];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "parameter", first->parameter);
        if (m->unknowns > 1)
            ns_put_textf(row, "and", NS_IN_TABLE, "%zu more", m->unknowns - 1);
        else
            ns_put_text(row, "and", NS_IN_TABLE, "");
        ns_put_count(row, "loss_removed", NS_IN_DATA, m->loss_removed);
        ns_put_text(row, "removes", NS_IN_TABLE, slower(m->loss_removed, text, sizeof text));
        ns_put_text(row, "known", NS_IN_TABLE, ns_basis_words[first->basis]);
        ns_put_text(row, "tool", NS_IN_DATA, m->tool);
        const bool runs = strncmp(m->command, "mpirun ", 7) == 0 || strncmp(m->command, "aprun ", 6) == 0;
        ns_put_text(row, "command", NS_BELOW | (runs ? NS_COMMAND : 0), m->command);
        ns_value *parameters = ns_put_list(row, "parameters", NS_IN_JSON);
        for (size_t k = 0; k < m->unknowns; k++)
            ns_put_row(parameters, of_unknown, m->unknown[k]);
    }
    if (plan == NULL) {
        ns_put_text(object, "measure_shortlist", NS_IN_JSON, NULL);
        return;
    }
    ns_value *one = ns_put_object(object, "measure_shortlist", NS_IN_JSON);
    ns_value_count(one, "loss_removed", plan->shortlist_removed);
    ns_value_count(one, "loss_left", plan->left - plan->shortlist_removed);
    ns_value_text(one, "command", plan->shortlist_command);
}

/* What measuring a number of the machine, or the ways themselves, would gain; measurements that are not worth a run are
 * left out. */
void ns_advice_lines(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *result)
{
    static const double worth = .05; /* of the loss */
    char text[900], own[40], to[40];
    const ns_comparison *c = decided->comparison;
    const ns_measurement *m = plan != NULL && plan->measurements > 0 ? &plan->measurement[0] : NULL;
    ns_change change;
    if (plan == NULL || ns_change_advise(c, &decided->thresholds, &change, NULL) != NS_OK ||
        (change.action != NS_DO_MEASURE && ns_args_at(args, "all", 0) == NULL))
        return;
    size_t used =
        (size_t)snprintf(text, sizeof text, "At %d%s%.60s: the loss of %s is expected", (int)decided->parts,
                         decided->one_of_many ? " on " : "", decided->one_of_many ? decided->machine->name : "",
                         slower(plan->left, own, sizeof own));
    if (c->decision.shortlisted > 1)
        used += (size_t)snprintf(text + used, sizeof text - used, "; measuring the %d likeliest ways makes it %s",
                                 c->decision.shortlisted, slower(plan->left - plan->shortlist_removed, to, sizeof to));
    if (m != NULL && m->loss_removed >= worth * plan->left)
        snprintf(text + used, sizeof text - used, ", %s%s %s", m->unknown[0]->parameter,
                 m->unknowns > 1 ? " and what its benchmark tells besides" : "",
                 slower(plan->left - m->loss_removed, to, sizeof to));
    ns_answer_wrapped(result, text);
}

void ns_measure_steps(const char *matrix, const char *last, ns_value *result)
{
    char run[NS_COMMAND_LINE] = "";
    ns_shell_line of_run = {run, sizeof run, 0};
    ns_shell_put(&of_run, "mpirun -n 4 nsmodel-mpi run --matrix ");
    ns_shell_word(&of_run, matrix);
    ns_shell_put(&of_run, " --per-node 2 --machine ./mine.json --records mine.csv");
    const char *const steps[] = {"mpirun -n 4 nsmodel-mpi measure -o mine.log --per-node 2",
                                 "nsmodel fit mine.log -o mine.json", run,
                                 "nsmodel fit mine.log --records mine.csv -o mine.json", last};
    ns_value *list = ns_put_list(result, "steps", NS_IN_JSON);
    ns_note(result, "To measure on your cluster (-n and --per-node as its nodes are):");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ns_value_text(list, NULL, steps[i]);
        ns_note_command(result, "  %s", steps[i]);
    }
}

void ns_advice_steps(const ns_args *args, ns_value *result)
{
    static const char *const of_memory[] = {"incumbent", "strategy", "transport"};
    const char *without[12] = {"matrix", "messages", "machine", "set", "network", "all"};
    size_t left_out = 6;
    for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory; i++) { /* a log of nsmodel-mpi is for host memory */
        const char *given = ns_args_at(args, of_memory[i], 0);
        if (given != NULL && strstr(given, "device") != NULL)
            without[left_out++] = of_memory[i];
    }
    char predict[NS_COMMAND_LINE] = "";
    ns_shell_line of_predict = {predict, sizeof predict, 0};
    const char *matrix = args->matrix;
    ns_shell_question(&of_predict, "nsmodel predict", args, "./mine.json", without);
    ns_measure_steps(matrix != NULL ? matrix : "rajat01", predict, result);
}
