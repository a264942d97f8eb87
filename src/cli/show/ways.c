/* ways.c -- the ways of a comparison as rows: short for a narrow screen, whole for JSON, CSV and a wide one */
#include "cli/show/ways.h"
#include "cli/inputs/exchange.h"
#include "cli/show/decision.h"
#include "report/columns.h"

#include <math.h>

typedef struct way {
    char name[60];
    const char *strategy, *transport, *g, *kind, *remark, *verdict, *note;
    double seconds, interval[2], ratio, p, p_shown, ranks; /* p, p_shown, ranks: NAN where there is none */
    double published, corrected, messages;
} way;

/* The answer first, on a narrow screen: no more digits than it is good for. */
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
/* What prices it. */
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

/* "protocol_drops" of a way whose messages lie just past a size where longer ones take less time; nothing else. */
static void ns_drops_value(const ns_machine *machine, const ns_choice *choice, ns_value *row)
{
    ns_price_drop drop;
    ns_value *list = NULL;
    for (size_t i = 0; ns_price_drop_at(machine, choice, i, &drop); i++) {
        list = list != NULL ? list : ns_put_list(row, "protocol_drops", NS_IN_JSON);
        ns_put_row(list, dropped, &drop);
    }
}

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
    if (choice->same > 0) { /* the way that stands for this one */
        ns_value *first = ns_put_object(row, "same_as", NS_IN_JSON);
        ns_value_text(first, "strategy", c->choice[choice->same - 1].strategy->name);
        ns_value_text(first, "transport", ns_transport_words[c->choice[choice->same - 1].transport]);
    }
    ns_put_columns(row, closed, &w);
    ns_price_terms(&choice->price, NS_IN_DATA, ns_put_object(row, "terms", NS_IN_WIDE));
    ns_put_columns(row, said, &w);
    if (words->machine != NULL)
        ns_drops_value(words->machine, choice, row);
}

void ns_searched_value(const ns_searched *searched, ns_value *object)
{
    char name[NS_WAY_NAME + 16];
    if (searched->ways == 0)
        return;
    ns_value *value = ns_put_object(object, "searched", NS_IN_JSON);
    ns_value *list = ns_value_list(value, "strategies");
    for (size_t i = 0; i < searched->ways; i++)
        ns_value_text(list, NULL, searched->way[i]->name);
    snprintf(name, sizeof name, "%s/%s", searched->fastest->name, ns_transport_words[searched->transport]);
    ns_value_text(value, "fastest", name);
    ns_value_number(value, "estimate_s", searched->seconds, NS_SECOND);
}

/* "three-step/host: its on-socket messages of 600 B lie past 512 B, ..." */
void ns_drops_say(const ns_machine *machine, const ns_comparison *c, ns_value *result)
{
    char name[60], mean[48], at[48], before[48], after[48];
    ns_price_drop drop;
    for (size_t i = 0; ns_price_drop_at(machine, &c->choice[c->best], i, &drop); i++)
        ns_note(result,
                "%s: its %s messages of %s lie past %s, where %s takes over from %s on %s: some shorter ones take "
                "longer (%s just below, %s from there on)",
                ns_choice_name(c, c->best, name, sizeof name), ns_locality_words[drop.locality],
                ns_quantity_format(drop.message_bytes, NS_BYTE, 3, mean, sizeof mean),
                ns_quantity_format(drop.at, NS_BYTE, 4, at, sizeof at), ns_protocol_words[drop.to],
                ns_protocol_words[drop.from], machine->name,
                ns_quantity_format(drop.before_s, NS_SECOND, 3, before, sizeof before),
                ns_quantity_format(drop.after_s, NS_SECOND, 3, after, sizeof after));
}

void ns_best_value(const ns_comparison *c, ns_value *object)
{
    ns_value *best = ns_put_object(object, "best", NS_IN_JSON);
    ns_value_text(best, "strategy", c->choice[c->best].strategy->name);
    ns_value_text(best, "transport", ns_transport_words[c->choice[c->best].transport]);
    ns_value_text(best, "verdict", c->verdict != NS_UNDECIDED ? ns_verdict_words[c->verdict] : NULL);
}
