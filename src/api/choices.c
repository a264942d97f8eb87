/* choices.c -- selections and comparisons that the library allocates, and what they hold */
#include "api/estimate.h"
#include "core/memory.h"
#include "core/sized.h"
#include "price/choice.h"
#include "price/quote.h"
#include "strategy/ways.h"
#include "study/answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Out of line: abidw overlooks the type of a function that the compiler may inline in its own file. */
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
    ns_estimate_terms(price, info.term_s);
    return info;
}

ns_status ns_comparison_choice(const ns_comparison *comparison, int i, ns_choice_info *info, ns_error *err)
{
    ns_error_clear(err);
    if (!(i >= 0 && i < comparison->choices))
        return ns_fail(err, NS_ERR_RANGE, "no way %d among %d of a %s", i, comparison->choices, "comparison");
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

typedef struct said {
    char *text;
    size_t size, used;
} said;

static void put_lines(said *s, const char *text)
{
    do {
        const size_t length = ns_answer_break(text), room = s->used < s->size ? s->size - s->used : 0;
        const int put = snprintf(room > 0 ? s->text + s->used : NULL, room, "%.*s\n", (int)length, text);
        s->used += put > 0 ? (size_t)put : 0;
        text += length + strspn(text + length, " ");
    } while (*text != '\0');
}

ns_status ns_comparison_say(const ns_comparison *comparison, const ns_machine *machine, const ns_exchange *exchange,
                            char *text, size_t size, ns_error *err)
{
    ns_error_clear(err);
    const ns_decided decided = {.comparison = comparison, .machine = machine, .parts = exchange->parts};
    ns_answer_text line[2], words;
    said s = {.text = text, .size = size};
    ns_answer_table(&decided, 1, line);
    put_lines(&s, line[0]);
    put_lines(&s, line[1]);
    ns_answer_advice(&decided, 1, words);
    put_lines(&s, words);
    ns_answer_trust(&decided, words);
    put_lines(&s, words);
    return s.used < size ? NS_OK
                         : ns_fail(err, NS_ERR_RANGE, "the answer has %zu characters, room is for %zu", s.used, size);
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
