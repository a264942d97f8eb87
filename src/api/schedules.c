/* schedules.c -- what strategies and schedules hold, and what a schedule costs, without its whole price */
#include "api/estimate.h"
#include "core/sized.h"
#include "price/price.h"

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

void ns_estimate_terms(const ns_price *price, double term_s[NS_TERMS])
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
    ns_estimate_terms(&price, known.term_s);
    return ns_sized_give(estimate, &known, sizeof known, err);
}
