/* ways.c -- the ways of a comparison as rows: short for a narrow screen, whole for JSON, CSV and a wide one */
#include "cli/show/ways.h"
#include "cli/inputs/exchange.h"
#include "cli/show/decision.h"
#include "core/number.h"

/* A closed form's time; null where there is none. */
static ns_value *add_closed(ns_value *row, const char *name, double seconds)
{
    return seconds < 0 ? ns_value_null(row, name) : ns_value_number(row, name, seconds, NS_SECOND);
}

static double rounded(double x, int digits)
{
    char text[48];
    return ns_strtod(ns_quantity_format(x, NS_DIMENSIONLESS, digits, text, sizeof text), NULL);
}

/* The answer first, on a narrow screen: no more digits than it is good for. */
static void add_narrow(const ns_comparison *c, int i, double ratio, ns_value *row)
{
    enum { DIGITS = 3, DIGITS_OF_P = 2 };
    const ns_choice *choice = &c->choice[i];
    char name[60];
    ns_value_flag(ns_value_text(row, "way", ns_choice_name(c, i, name, sizeof name)), NS_V_NARROW);
    ns_value_flag(ns_value_number(row, "time", rounded(choice->price.estimate_s, DIGITS), NS_SECOND), NS_V_NARROW);
    ns_value *range = ns_value_flag(ns_value_list(row, "range"), NS_V_NARROW);
    ns_value_number(range, NULL, rounded(choice->price.lo_s, DIGITS), NS_SECOND);
    ns_value_number(range, NULL, rounded(choice->price.hi_s, DIGITS), NS_SECOND);
    ns_value_flag(ns_value_count(row, "x best", rounded(ratio, DIGITS)), NS_V_NARROW);
    if (choice->same > 0)
        ns_value_flag(ns_value_null(row, "P(best)"), NS_V_NARROW);
    else if (c->decision.best >= 0) {
        ns_value *p = ns_value_flag(ns_value_object(row, "P(best)"), NS_V_NARROW);
        ns_value_count(p, "value", rounded(100 * c->decision.p_best[i], DIGITS_OF_P));
        ns_value_text(p, "unit", "%");
    }
    if (choice->same > 0)
        ns_value_flag(
            ns_value_textf(row, "remark", "same as %s", ns_choice_name(c, choice->same - 1, name, sizeof name)),
            NS_V_NARROW);
    else if (i == c->best && c->verdict == NS_EXTRAPOLATED)
        ns_value_flag(ns_value_text(row, "remark", "extrapolated"), NS_V_NARROW);
}

/* {"strategy": ..., "transport": ...} of the way that stands for this one, where one does. */
static void add_same(const ns_comparison *c, int i, ns_value *row)
{
    if (c->choice[i].same == 0)
        return;
    const ns_choice *first = &c->choice[c->choice[i].same - 1];
    ns_value *same = ns_value_flag(ns_value_object(row, "same_as"), NS_V_JSON_ONLY);
    ns_value_text(same, "strategy", first->strategy->name);
    ns_value_text(same, "transport", ns_transport_words[first->transport]);
}

/* What prices it, for a wide table. */
static void add_parts(const ns_comparison *c, int i, ns_value *row)
{
    const ns_choice *choice = &c->choice[i];
    ns_value_flag(add_closed(row, "published_s", choice->published_s), NS_V_WIDE);
    ns_value_flag(add_closed(row, "corrected_s", choice->corrected_s), NS_V_NO_TABLE);
    ns_price_terms(&choice->price, NS_V_NO_TABLE, ns_value_flag(ns_value_object(row, "terms"), NS_V_WIDE));
    ns_value_flag(ns_value_count(row, "messages_off_node_max", (double)choice->messages_off_node_max), NS_V_WIDE);
    const bool judged = i == c->best && c->verdict != NS_UNDECIDED;
    ns_value_flag(ns_value_text(row, "verdict", judged ? ns_verdict_words[c->verdict] : ""),
                  NS_V_NO_JSON | NS_V_NO_CSV | NS_V_WIDE);
}

void ns_way_value(const ns_comparison *c, int i, const ns_way_words *words, ns_value *list)
{
    const ns_choice *choice = &c->choice[i];
    const double best = c->choice[c->best].price.estimate_s, ratio = best > 0 ? choice->price.estimate_s / best : 1;
    ns_value *row = ns_value_flag(ns_value_object(list, NULL), i == c->best ? NS_V_MARK : 0);
    add_narrow(c, i, ratio, row);
    ns_value_flag(ns_value_text(row, "strategy", choice->strategy->name), NS_V_WIDE);
    if (choice->strategy->group == NS_GROUP_SOCKET)
        ns_value_flag(ns_value_text(row, "g", "socket"), NS_V_JSON_ONLY);
    else if (choice->strategy->group > 0)
        ns_value_flag(ns_value_count(row, "g", choice->strategy->group), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(row, "transport", ns_transport_words[choice->transport]), NS_V_WIDE);
    if (words->kind != NULL)
        ns_value_flag(ns_value_text(row, "kind", words->kind), NS_V_WIDE);
    ns_value_flag(ns_value_number(row, "estimate_s", choice->price.estimate_s, NS_SECOND), NS_V_WIDE);
    ns_value_flag(ns_value_count(row, "ratio", ratio), NS_V_WIDE);
    ns_value_flag(c->decision.best >= 0 ? ns_value_count(row, "p_best", c->decision.p_best[i])
                                        : ns_value_null(row, "p_best"),
                  NS_V_WIDE);
    ns_value *interval = ns_value_flag(ns_value_list(row, "interval_s"), NS_V_WIDE);
    ns_value_number(interval, NULL, choice->price.lo_s, NS_SECOND);
    ns_value_number(interval, NULL, choice->price.hi_s, NS_SECOND);
    ns_value *scored =
        choice->strategy->scored_on != NULL ? ns_value_flag(ns_value_list(row, "scored_on"), NS_V_JSON_ONLY) : NULL;
    for (const char *const *machine = choice->strategy->scored_on; machine != NULL && *machine != NULL; machine++)
        ns_value_text(scored, NULL, *machine);
    add_same(c, i, row);
    add_parts(c, i, row);
    if (words->note != NULL)
        ns_value_flag(ns_value_text(row, "note", words->note), NS_V_WIDE);
    if (words->machine != NULL)
        ns_drops_value(words->machine, choice, row);
}

void ns_searched_value(const ns_searched *searched, ns_value *object)
{
    char name[NS_WAY_NAME + 16];
    if (searched->ways == 0)
        return;
    ns_value *value = ns_value_flag(ns_value_object(object, "searched"), NS_V_JSON_ONLY);
    ns_value *list = ns_value_list(value, "strategies");
    for (size_t i = 0; i < searched->ways; i++)
        ns_value_text(list, NULL, searched->way[i]->name);
    snprintf(name, sizeof name, "%s/%s", searched->fastest->name, ns_transport_words[searched->transport]);
    ns_value_text(value, "fastest", name);
    ns_value_number(value, "estimate_s", searched->seconds, NS_SECOND);
}

/* ---- protocols that get faster ----------------------------------------------------------------------------------- */

void ns_drops_value(const ns_machine *machine, const ns_choice *choice, ns_value *row)
{
    ns_price_drop drop;
    ns_value *list = NULL;
    for (size_t i = 0; ns_price_drop_at(machine, choice, i, &drop); i++) {
        list = list != NULL ? list : ns_value_flag(ns_value_list(row, "protocol_drops"), NS_V_JSON_ONLY);
        ns_value *one = ns_value_object(list, NULL);
        ns_value_text(one, "locality", ns_locality_words[drop.locality]);
        ns_value_text(one, "memory", ns_memory_words[drop.memory]);
        ns_value_text(one, "from", ns_protocol_words[drop.from]);
        ns_value_text(one, "to", ns_protocol_words[drop.to]);
        ns_value_number(one, "at_bytes", drop.at, NS_BYTE);
        ns_value_number(one, "message_bytes", drop.message_bytes, NS_BYTE);
        ns_value_number(one, "before_s", drop.before_s, NS_SECOND);
        ns_value_number(one, "after_s", drop.after_s, NS_SECOND);
    }
}

/* "three-step/host: its on-socket messages of 600 B lie past 512 B, ..." */
void ns_drops_say(const ns_machine *machine, const ns_comparison *c, ns_value *result)
{
    const ns_dim second = NS_SECOND, byte = NS_BYTE;
    char name[60], mean[48], at[48], before[48], after[48];
    ns_price_drop drop;
    for (size_t i = 0; ns_price_drop_at(machine, &c->choice[c->best], i, &drop); i++)
        ns_value_flag(
            ns_value_textf(result, "drop_line",
                           "%s: its %s messages of %s lie past %s, where %s takes over from %s on %s: some shorter "
                           "ones take longer (%s just below, %s from there on)",
                           ns_choice_name(c, c->best, name, sizeof name), ns_locality_words[drop.locality],
                           ns_quantity_format(drop.message_bytes, byte, 3, mean, sizeof mean),
                           ns_quantity_format(drop.at, byte, 4, at, sizeof at), ns_protocol_words[drop.to],
                           ns_protocol_words[drop.from], machine->name,
                           ns_quantity_format(drop.before_s, second, 3, before, sizeof before),
                           ns_quantity_format(drop.after_s, second, 3, after, sizeof after)),
            NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

void ns_best_value(const ns_comparison *c, ns_value *object)
{
    ns_value *best = ns_value_flag(ns_value_object(object, "best"), NS_V_JSON_ONLY);
    ns_value_text(best, "strategy", c->choice[c->best].strategy->name);
    ns_value_text(best, "transport", ns_transport_words[c->choice[c->best].transport]);
    if (c->verdict != NS_UNDECIDED)
        ns_value_text(best, "verdict", ns_verdict_words[c->verdict]);
    else
        ns_value_null(best, "verdict");
}
