/* calibrate.c -- what the full form leaves on whole measured exchanges, groups left out one by one
 *
 * The parameters come from other measurements.  These rows set the width of the interval, how far the ways to do one
 * exchange err from each other and, on a machine with GPUs, the floor of an exchange.
 */
#include "records/calibrate.h"

#include <math.h>
#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "price/choice.h"

enum { ENOUGH = 30 /* exchanges of one memory, or of one strategy */ };
static const double AT_LEAST = 0.85; /* of each strategy's exchanges, when they are enough, lie in the interval */

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

/* Dense exchanges that say nothing of how far others err: the library's, whose algorithm is not known, and those with
 * so many messages of a process at once, on the node and off it, that they stall, for times that no benchmark shows. */
static bool is_apart(const ns_records *records, const ns_machine *machine, const ns_scored *s)
{
    const ns_strategy *strategy = ns_scored_strategy(records, s);
    if (!ns_records_are_dense(records) || strategy == NULL || strategy->forms != NULL)
        return strategy != NULL && strategy->forms != NULL && strategy->forms[1] != NULL;
    return ns_stalled_share(machine, s, NS_LOCALITIES) > 0;
}

static void drop_apart(const ns_records *records, const ns_machine *machine, ns_scored *list, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!is_apart(records, machine, &list[i]))
            list[kept++] = list[i];
    *count = kept;
}

/* Keep what can be priced. */
static ns_status price_all(ns_pricing *pricing, const ns_machine *machine, ns_scored *list, size_t *count,
                           ns_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        ns_error ignored = {0};
        ns_scored s = list[i];
        const ns_status status = ns_pricing_full(pricing, &s, machine, &s.price, &ignored);
        if (ns_ends_call(status))
            return ns_end_call(&ignored, err);
        if (status == NS_OK && s.price.estimate_s > 0)
            list[kept++] = s;
    }
    *count = kept;
    return NS_OK;
}

/* The largest of the errors without one group each. */
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

/* Wide enough for every strategy that was measured often: a pool may hide that one errs more than the others. */
static ns_status cover_strategies(others o, size_t count, double *error, ns_error *err)
{
    const ns_strategy *const *all = ns_strategies();
    double one;
    for (o.left_out = -1; *all != NULL; all++) {
        o.strategy = *all;
        if (count_in(&o, count) < ENOUGH)
            continue;
        NS_TRY(ns_model_error(o.list, count, is_in, &o, AT_LEAST, &one, err));
        *error = fmax(*error, one * ns_normal_width(AT_LEAST) / ns_normal_width(NS_CONFIDENCE));
    }
    return NS_OK;
}

static size_t count_files(const ns_records *records, const ns_scored *list, size_t count, int memory)
{
    size_t files = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = (int)ns_scored_memory(records, &list[i]) != memory;
        for (size_t k = 0; k < i && !seen; k++)
            seen = (int)ns_scored_memory(records, &list[k]) == memory &&
                   strcmp(ns_record_text(records, list[k].rows[0], "file"),
                          ns_record_text(records, list[i].rows[0], "file")) == 0;
        files += !seen;
    }
    return files;
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
        NS_TRY(cover_strategies(o, count, &c->error, err));
        c->count = count_in(&o, count);
        if (c->count > 0 && c->count < ENOUGH)
            c->error = fmax(c->error, pooled);
        c->files = count_files(records, list, count, o.memory);
        c->groups = grouping->of_memory[o.memory];
        c->by_level = grouping->by_level;
        c->error_between = advice.between;
    }
    return NS_OK;
}

static ns_status calibrate_list(ns_pricing *pricing, ns_scored *list, size_t count, const ns_machine *machine,
                                bool residual, ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    const ns_records *records = pricing->records;
    ns_calibration made[NS_MEMORIES] = {{0}};
    ns_grouping grouping;
    NS_TRY(ns_stall_calibrate(records, list, count, machine, &made[NS_HOST], err));
    drop_apart(records, machine, list, &count);
    NS_TRY(ns_grouping_make(records, list, count, &grouping, err));
    ns_status status = NS_OK;
    for (int m = 0; m < NS_MEMORIES && status == NS_OK; m++)
        status = ns_floor_calibrate(pricing, list, count, &grouping, machine, (ns_memory)m, &made[m], err);
    for (int m = 0; m < NS_MEMORIES && residual && status == NS_OK; m++)
        status = ns_residual_calibrate(records, list, count, &grouping, (ns_memory)m, &made[m].residual, err);
    if (status == NS_OK)
        status = calibrate_errors(records, list, count, &grouping, made, err);
    if (status == NS_OK)
        status = ns_choice_calibrate(records, list, count, &grouping, made, err);
    ns_free(grouping.of);
    if (status == NS_OK)
        memcpy(calibration, made, sizeof made);
    return status;
}

ns_status ns_calibrate(const ns_records *records, ns_row_filter filter, const void *context, const ns_machine *machine,
                       const ns_limits *limits, bool residual, ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    ns_pricing pricing = {.records = records, .limits = limits};
    ns_scored *list;
    size_t count;
    NS_TRY(ns_scored_make(records, filter, context, &list, &count, err));
    ns_status status = price_all(&pricing, machine, list, &count, err);
    if (status == NS_OK)
        status = calibrate_list(&pricing, list, count, machine, residual, calibration, err);
    ns_dense_free(pricing.kept);
    ns_free(list);
    return status;
}
