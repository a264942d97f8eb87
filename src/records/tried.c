/* tried.c -- from rows that were scored to cases: the ways in which one exchange was done, each once */
#include "core/memory.h"
#include "price/choice.h"
#include "records/calibrate.h"
#include "records/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int ns_way_number(const ns_strategy *strategy, ns_transport transport)
{
    int at = 0;
    while (ns_strategies()[at] != NULL && ns_strategies()[at] != strategy)
        at++;
    return NS_TRANSPORTS * at + (int)transport;
}

const char *ns_way_name(int way, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", ns_strategies()[way / NS_TRANSPORTS]->name, ns_transport_words[way % NS_TRANSPORTS]);
    return text;
}

static int nest_number(const ns_strategy *strategy)
{
    int at = 0;
    while (strcmp(ns_strategy_nest(ns_strategies()[at]), ns_strategy_nest(strategy)) != 0)
        at++;
    return at;
}

static bool is_there(const ns_tried *list, size_t from, size_t to, int way)
{
    for (size_t i = from; i < to; i++)
        if (list[i].way == way)
            return true;
    return false;
}

/* The ways of a case, each once; returns how many tries there are now. */
static size_t add_case(const ns_records *records, const ns_scored *list, const ns_case *c, ns_tried *tried, size_t used)
{
    size_t now = used;
    for (size_t i = 0; i < c->ways; i++) {
        const ns_scored *s = &list[c->of[i]];
        const ns_strategy *strategy;
        ns_transport transport;
        if (ns_record_way(records, s->rows[0], &strategy, &transport, NULL) != NS_OK)
            continue;
        const int way = ns_way_number(strategy, transport);
        if (is_there(tried, used, now, way) || !(s->price.estimate_s > 0))
            continue;
        tried[now++] = (ns_tried){.way = way,
                                  .nest = nest_number(strategy),
                                  .predicted_s = s->price.estimate_s,
                                  .measured_s = s->measured_s,
                                  .of = c->of[i]};
    }
    return now - used > 1 ? now : used;
}

ns_status ns_tried_make(const ns_records *records, const ns_scored *list, size_t count, ns_tried **tried, size_t *made,
                        ns_error *err)
{
    ns_case *c;
    size_t cases, used = 0;
    NS_TRY(ns_cases_make(records, list, count, &c, &cases, err));
    ns_tried *all = ns_malloc(ns_size_mul(ns_size_add(ns_size_mul(cases, NS_CASE_WAYS), 1), sizeof *all));
    for (size_t i = 0; i < cases && all != NULL; i++) {
        const size_t before = used;
        used = add_case(records, list, &c[i], all, used);
        for (size_t k = before; k < used; k++)
            all[k].at = i;
    }
    ns_free(c);
    if (all == NULL)
        return ns_no_memory(err);
    *tried = all;
    *made = used;
    return NS_OK;
}

ns_trial ns_trial_at(const ns_tried *tried, size_t count, size_t from)
{
    ns_trial c = {.tried = &tried[from], .second_s = INFINITY};
    while (from + c.ways < count && tried[from + c.ways].at == tried[from].at)
        c.ways++;
    for (size_t i = 1; i < c.ways; i++) {
        if (c.tried[i].measured_s < c.tried[c.fastest].measured_s)
            c.fastest = i;
        if (c.tried[i].predicted_s < c.tried[c.chosen].predicted_s)
            c.chosen = i;
    }
    for (size_t i = 0; i < c.ways; i++)
        if (i != c.fastest)
            c.second_s = fmin(c.second_s, c.tried[i].measured_s);
    return c;
}

ns_status ns_trial_decide(const ns_trial *trial, ns_decision *decision, ns_error *err)
{
    ns_way way[NS_WAYS];
    for (size_t i = 0; i < trial->ways && i < NS_WAYS; i++)
        way[i] = (ns_way){trial->tried[i].predicted_s, trial->tried[i].nest, 0};
    return ns_decide(way, trial->ways, trial->tried->kappa, trial->tried->lambda, trial->tried->doubt, decision, err);
}
