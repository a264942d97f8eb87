/* calibrate.c -- residuals of the full form for whole measured exchanges, with cross-validation by groups
 *
 * The parameters come from other measurements.  These rows calibrate the width of the interval, the relative error
 * between the ways to do one exchange and, on a machine with GPUs, the floor of an exchange.
 */
#include "records/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "price/choice.h"

enum { ENOUGH = 30 /* exchanges of one memory, or of one strategy */, STALLED_ENOUGH = 10 };
static const double AT_LEAST = 0.85; /* share of each strategy's exchanges, if there are enough, inside the interval */

/* ---- groups for cross-validation --------------------------------------------------------------------------------- */

const ns_strategy *ns_scored_strategy(const ns_records *records, const ns_scored *s)
{
    const ns_strategy *strategy;
    ns_transport transport;
    return ns_record_way(records, s->rows[0], &strategy, &transport, NULL) == NS_OK ? strategy : NULL;
}

ns_memory ns_scored_memory(const ns_records *records, const ns_scored *s)
{
    const ns_strategy *strategy;
    ns_transport transport;
    const ns_status status = ns_record_way(records, s->rows[0], &strategy, &transport, NULL);
    return status == NS_OK && transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

static int by_key(const void *a, const void *b)
{
    const ns_keyed *x = a, *y = b;
    const int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x->scored > y->scored) - (x->scored < y->scored);
}

void ns_keyed_sort(ns_keyed *keyed, size_t count)
{
    qsort(keyed, count, sizeof *keyed, by_key);
}

/* Number the groups in the order of their keys. */
static void number(const ns_records *records, const ns_scored *list, size_t count, ns_keyed *key, ns_grouping *g)
{
    int groups = 0;
    bool seen[NS_MEMORIES] = {false, false};
    memset(g->of_memory, 0, sizeof g->of_memory);
    for (size_t i = 0; i < count; i++) {
        key[i].scored = i;
        if (g->by_level)
            snprintf(key[i].key, sizeof key->key, "%.80s", ns_record_text(records, list[i].rows[0], "level"));
        else
            snprintf(key[i].key, sizeof key->key, "%.200s|%.40s", ns_record_text(records, list[i].rows[0], "file"),
                     ns_record_text(records, list[i].rows[0], "processes"));
    }
    ns_keyed_sort(key, count);
    for (size_t i = 0; i < count; i++) {
        const ns_memory m = ns_scored_memory(records, &list[key[i].scored]);
        if (i > 0 && strcmp(key[i].key, key[i - 1].key) != 0) {
            groups++;
            memset(seen, 0, sizeof seen);
        }
        g->of_memory[m] += !seen[m];
        seen[m] = true;
        g->of[key[i].scored] = groups % NS_FOLDS;
    }
    g->folds = count == 0 ? 0 : groups + 1 < NS_FOLDS ? groups + 1 : NS_FOLDS;
}

static bool is_thin(const ns_grouping *g)
{
    for (int m = 0; m < NS_MEMORIES; m++)
        if (g->of_memory[m] > 0 && g->of_memory[m] < NS_CALIBRATION_GROUPS)
            return true;
    return false;
}

ns_status ns_grouping_make(const ns_records *records, const ns_scored *list, size_t count, ns_grouping *grouping,
                           ns_error *err)
{
    ns_grouping g = {.of = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *g.of))};
    ns_keyed *key = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *key));
    if (g.of == NULL || key == NULL) {
        ns_free(g.of);
        ns_free(key);
        return ns_no_memory(err);
    }
    number(records, list, count, key, &g);
    if (is_thin(&g)) {
        g.by_level = true;
        number(records, list, count, key, &g);
        g.by_level = !is_thin(&g);
        if (!g.by_level) /* not better */
            number(records, list, count, key, &g);
    }
    ns_free(key);
    *grouping = g;
    return NS_OK;
}

ns_status ns_calibration_groups(const ns_records *records, ns_row_filter filter, const void *context,
                                size_t groups[NS_MEMORIES], ns_error *err)
{
    ns_scored *list;
    ns_grouping g;
    size_t count;
    NS_TRY(ns_scored_make(records, filter, context, &list, &count, err));
    const ns_status status = ns_grouping_make(records, list, count, &g, err);
    ns_free(list);
    NS_TRY(status);
    memcpy(groups, g.of_memory, sizeof g.of_memory);
    ns_free(g.of);
    return NS_OK;
}

/* ---- lost messages ----------------------------------------------------------------------------------------------- */

/* The share of a step's messages that a process has beyond those in flight, summed over the steps; of the farthest
 * `localities`. */
static double stalled_share(const ns_machine *machine, const ns_scored *scored, int localities)
{
    ns_form_values values;
    const ns_price *price = &scored->price;
    double sum = 0;
    ns_form_take(price->form, machine, NS_HOST, 0, &values);
    const double most = ns_form_number(&values, "<memory>.exchange.in_flight", NS_OFF_NODE, NS_SHORT);
    for (int i = 0; i < price->steps; i++) {
        double messages = 0;
        for (int l = NS_LOCALITIES - localities; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_RENDEZVOUS; p++)
                messages += price->step[i].load[l][p].messages;
        sum += messages > most ? 1 - most / messages : 0;
    }
    return sum;
}

/* Find the waiting time of lost messages, from exchanges with more messages in flight than a node can have:
 *
 *     T = max(S, W s)
 *
 * S: the time predicted by the machine's numbers; s: the stalled share off node.  W is the median over the exchanges
 * that take at least twice S; if these are not the majority, exchanges do not wait. */
static ns_status find_timeout(const ns_records *records, const ns_scored *list, size_t count, const ns_machine *machine,
                              ns_calibration *calibration, ns_error *err)
{
    size_t rows = 0, stalled = 0;
    double *wait = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *wait));
    if (wait == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const ns_strategy *strategy = ns_scored_strategy(records, &list[i]);
        if (!ns_records_are_dense(records) || ns_scored_memory(records, &list[i]) != NS_HOST || strategy == NULL ||
            strategy->forms != NULL)
            continue;
        const double share = stalled_share(machine, &list[i], 1), rest = list[i].price.estimate_s;
        if (share <= 0)
            continue;
        rows++;
        if (list[i].measured_s > 2 * rest)
            wait[stalled++] = list[i].measured_s / share;
    }
    if (stalled >= STALLED_ENOUGH && 2 * stalled > rows) {
        ns_score_sort(wait, stalled);
        calibration->timeout_s = wait[stalled / 2];
        calibration->timeout_se = (wait[stalled * 84 / 100] - wait[stalled * 16 / 100]) / 2;
        calibration->stalled = stalled;
    }
    ns_free(wait);
    return NS_OK;
}

/* ---- residual errors --------------------------------------------------------------------------------------------- */

typedef struct others {
    const ns_records *records;
    const ns_scored *list;
    const ns_grouping *grouping;
    int left_out;                /* -1: none */
    int memory;                  /* -1: both */
    const ns_strategy *strategy; /* NULL: all */
} others;

static bool is_in(const ns_scored *s, const void *context)
{
    const others *o = context;
    return (o->memory < 0 || (int)ns_scored_memory(o->records, s) == o->memory) &&
           o->grouping->of[s - o->list] != o->left_out &&
           (o->strategy == NULL || ns_scored_strategy(o->records, s) == o->strategy);
}

ns_status ns_pricing_full(ns_pricing *pricing, const ns_scored *scored, const ns_machine *machine, ns_price *price,
                          ns_error *err)
{
    ns_price_options options = {.confidence = NS_CONFIDENCE};
    NS_TRY(ns_form_get("full", &options.form, err));
    return ns_row_price(&pricing->kept, pricing->records, scored->rows[0], machine, &options, pricing->limits, price,
                        err);
}

/* The largest error over the sets that leave out one group each. */
static ns_status largest_error(others o, size_t count, double *error, ns_error *err)
{
    double largest = 0, one;
    for (o.left_out = -1; o.left_out < o.grouping->folds; o.left_out++) {
        NS_TRY(ns_model_error(o.list, count, is_in, &o, NS_CONFIDENCE, &one, err));
        largest = fmax(largest, one);
    }
    *error = largest;
    return NS_OK;
}

static size_t count_in(const others *o, size_t count)
{
    size_t in = 0;
    for (size_t i = 0; i < count; i++)
        in += is_in(&o->list[i], o);
    return in;
}

static ns_status calibrate_errors(const ns_records *records, const ns_scored *list, size_t count,
                                  const ns_grouping *grouping, ns_calibration made[NS_MEMORIES], ns_error *err)
{
    ns_advice advice;
    others o = {records, list, grouping, -1, -1, NULL};
    double pooled;
    NS_TRY(ns_advice_list(records, list, count, NS_CONFIDENCE, &advice, err));
    NS_TRY(largest_error(o, count, &pooled, err));
    for (o.memory = 0; o.memory < NS_MEMORIES; o.memory++) {
        ns_calibration *c = &made[o.memory];
        NS_TRY(largest_error(o, count, &c->error, err));
        /* It must be wide enough for every strategy with enough measurements: a pool may hide that one has larger
         * errors. */
        others of_one = o;
        for (const ns_strategy *const *all = ns_strategies(); *all != NULL; all++) {
            double one;
            of_one.strategy = *all;
            if (count_in(&of_one, count) < ENOUGH)
                continue;
            NS_TRY(ns_model_error(list, count, is_in, &of_one, AT_LEAST, &one, err));
            c->error = fmax(c->error, one * ns_normal_width(AT_LEAST) / ns_normal_width(NS_CONFIDENCE));
        }
        c->count = count_in(&o, count);
        if (c->count > 0 && c->count < ENOUGH)
            c->error = fmax(c->error, pooled);
        for (size_t i = 0; i < count; i++) {
            bool seen = (int)ns_scored_memory(records, &list[i]) != o.memory;
            for (size_t k = 0; k < i && !seen; k++)
                seen = (int)ns_scored_memory(records, &list[k]) == o.memory &&
                       strcmp(ns_record_text(records, list[k].rows[0], "file"),
                              ns_record_text(records, list[i].rows[0], "file")) == 0;
            c->files += !seen;
        }
        c->groups = grouping->of_memory[o.memory];
        c->by_level = grouping->by_level;
        c->error_between = advice.between;
    }
    return NS_OK;
}

ns_status ns_calibrate(const ns_records *records, ns_row_filter filter, const void *context, const ns_machine *machine,
                       const ns_limits *limits, bool residual, ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    ns_pricing pricing = {.records = records, .limits = limits};
    ns_calibration made[NS_MEMORIES] = {{0}};
    ns_grouping grouping = {.of = NULL};
    ns_scored *list;
    size_t all, count = 0, kept = 0;
    NS_TRY(ns_scored_make(records, filter, context, &list, &all, err));
    ns_status status = NS_OK;
    for (size_t i = 0; i < all && status == NS_OK; i++) {
        /* Keep the exchanges that can be priced. */
        ns_error ignored = {0};
        ns_scored s = list[i];
        const ns_status priced = ns_pricing_full(&pricing, &s, machine, &s.price, &ignored);
        if (ns_ends_call(priced))
            status = ns_end_call(&ignored, err);
        if (priced == NS_OK && s.price.estimate_s > 0)
            list[count++] = s;
    }
    if (status == NS_OK)
        status = find_timeout(records, list, count, machine, &made[NS_HOST], err);
    for (size_t i = 0; i < count && status == NS_OK; i++) {
        /* Exclude dense exchanges that say nothing about the errors of others: those of the library, whose algorithm is
         * unknown, and those with so many messages of a process at once, on node and off node, that they stall, for
         * times that no benchmark shows. */
        const ns_strategy *s = ns_scored_strategy(records, &list[i]);
        const bool own_form = s != NULL && s->forms != NULL, dense = ns_records_are_dense(records) && s != NULL;
        if (own_form ? s->forms[1] == NULL : !dense || !(stalled_share(machine, &list[i], NS_LOCALITIES) > 0))
            list[kept++] = list[i];
    }
    if (status == NS_OK)
        status = ns_grouping_make(records, list, kept, &grouping, err);
    for (int m = 0; m < NS_MEMORIES && status == NS_OK; m++)
        status = ns_floor_calibrate(&pricing, list, kept, &grouping, machine, (ns_memory)m, &made[m], err);
    for (int m = 0; m < NS_MEMORIES && residual && status == NS_OK; m++)
        status = ns_residual_calibrate(records, list, kept, &grouping, (ns_memory)m, &made[m].residual, err);
    if (status == NS_OK)
        status = calibrate_errors(records, list, kept, &grouping, made, err);
    if (status == NS_OK)
        status = ns_choice_calibrate(records, list, kept, &grouping, made, err);
    if (status == NS_OK)
        memcpy(calibration, made, sizeof made);
    ns_free(grouping.of);
    ns_dense_free(pricing.kept);
    ns_free(list);
    return status;
}
