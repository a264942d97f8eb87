/* race.c -- the slowest process of each step, without a look at all of them
 *
 * Of a node, a load with the largest sums of its processes is priced first: none of them takes longer in a form that is
 * rising.  The processes themselves are priced only where such a bound leads the tournament, until a node leads by what
 * one of its processes really takes.
 */
#include "place/placer.h"

#include "price/cost.h"

#include <math.h>
#include <string.h>

/* Rounding of a form's own functions (log2) must not put a bound below what it bounds. */
static const double slack = 1 + 0x1p-40;

typedef struct running {
    ns_placer *placer;
    const ns_pass *pass;
    const ns_sums *sums;
    ns_race *race[NS_RACES]; /* of the step; NULL where there is none */
    int races;
    const ns_form_values *values;
    ns_memory memory;
    ns_row_load at;
    ns_step_price one;
} running;

/* ---- loads ------------------------------------------------------------------------------------------------------- */

/* A load of two rows; the rest of it is its node's. */
static ns_status load_rows(running *r, const ns_class_sum *out_row, const ns_class_sum *in_row, int32_t partners,
                           bool *idle, ns_error *err)
{
    const ns_placer *p = r->placer;
    int64_t messages[NS_SIDES];
    const int lacks = ns_row_load_both(&p->rows, r->memory, r->pass->strategy, out_row, in_row, &r->at, messages);
    if (lacks >= 0)
        return ns_refuse_no_table(p->machine, r->memory,
                                  p->form->one_table ? NS_OFF_NODE : ns_rows_locality(&p->rows, lacks), err);
    *idle = messages[NS_OUT] + messages[NS_IN] == 0;
    r->at.load.partners = partners;
    return NS_OK;
}

static int32_t partners_of(const ns_sums *sums, int32_t process)
{
    const int32_t *met = &sums->partners[NS_SIDES * (int64_t)process];
    return met[NS_OUT] > met[NS_IN] ? met[NS_OUT] : met[NS_IN];
}

static void load_node(running *r, int32_t node)
{
    r->at.load.node_out = (double)r->sums->node[NS_SIDES * (int64_t)node + NS_OUT];
    r->at.load.node_in = (double)r->sums->node[NS_SIDES * (int64_t)node + NS_IN];
    r->at.load.alone = r->placer->first[node + 1] - r->placer->first[node] == 1;
    if (r->sums->inside != NULL)
        ns_row_load_inside(&r->placer->sizes, r->memory, &r->sums->inside[NS_OFF_NODE * (int64_t)node * NS_SIZES],
                           &r->at.load);
}

/* ---- runners ----------------------------------------------------------------------------------------------------- */

static double price_load(running *r)
{
    double sum = 0;
    memset(r->one.term, 0, sizeof r->one.term);
    r->one.bytes_s = r->one.waits_s = 0;
    r->placer->form->price(r->values, &r->at.load, false, &r->one);
    for (int t = 0; t < r->placer->terms; t++)
        sum += r->one.term[t];
    return sum;
}

static ns_status run_exactly(running *r, int32_t node, ns_error *err)
{
    const ns_placer *p = r->placer;
    for (int k = 0; k < r->races; k++)
        r->race[k]->runner[node] = (ns_runner){.seconds = -1, .process = -1, .exact = true};
    load_node(r, node);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t process = p->part[i];
        bool idle = true;
        NS_TRY(load_rows(r, ns_sums_row(p, r->sums, process, NS_OUT), ns_sums_row(p, r->sums, process, NS_IN),
                         partners_of(r->sums, process), &idle, err));
        const double all = idle ? -1 : price_load(r);
        for (int k = 0; k < r->races && !idle; k++) {
            ns_runner *runner = &r->race[k]->runner[node];
            const double seconds = ns_race_seconds(k, all, &r->one);
            if (seconds <= runner->seconds)
                continue;
            runner->seconds = seconds;
            runner->bytes_s = r->one.bytes_s;
            runner->process = process;
            memcpy(runner->term, r->one.term, (size_t)p->terms * sizeof *runner->term);
        }
    }
    return NS_OK;
}

/* The largest of every sum, the fewest partners of those that have any. */
static ns_status bound(running *r, int32_t node, ns_error *err)
{
    const ns_placer *p = r->placer;
    int32_t partners = 0;
    bool idle = true;
    for (int side = 0; side < NS_SIDES; side++)
        memset(p->most[side], 0, (1 + (size_t)p->rows.classes) * sizeof *p->most[side]);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t process = p->part[i], met = partners_of(r->sums, process);
        for (int side = 0; side < NS_SIDES; side++)
            ns_row_raise(p->most[side], ns_sums_row(p, r->sums, process, side));
        partners = met > 0 && (partners == 0 || met < partners) ? met : partners;
    }
    load_node(r, node);
    NS_TRY(load_rows(r, p->most[NS_OUT], p->most[NS_IN], partners, &idle, err));
    const double seconds = idle ? -1 : price_load(r);
    for (int k = 0; k < r->races; k++)
        r->race[k]->runner[node] = (ns_runner){.seconds = idle ? -1 : ns_race_seconds(k, seconds, &r->one) * slack,
                                               .process = -1,
                                               .exact = idle};
    return NS_OK;
}

/* ---- the tournament ---------------------------------------------------------------------------------------------- */

static int32_t slower(const ns_race *race, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return race->runner[b].seconds > race->runner[a].seconds ? b : a;
}

static void play(const ns_placer *p, ns_race *race, int32_t node)
{
    for (int32_t at = (p->leaves + node) / 2; at > 0; at /= 2)
        race->winner[at] = slower(race, race->winner[2 * at], race->winner[2 * at + 1]);
}

static void play_all(const ns_placer *p, ns_race *race)
{
    for (int32_t at = p->leaves - 1; at > 0; at--)
        race->winner[at] = slower(race, race->winner[2 * at], race->winner[2 * at + 1]);
}

/* A bound takes one price for all races, a look behind it one for each process.  Where too many leave a race open, none
 * are made for a while. */
static bool is_worth_a_bound(const running *r, int32_t node)
{
    enum { FEW = 64, WHILE = 4096 };
    ns_race *race = r->race[NS_ALL_TOLD];
    const int32_t size = ns_seats_size(r->placer, node);
    if (size < 2 || !r->placer->bounded[r->memory])
        return false;
    if (race->bounds < FEW || (int64_t)race->passed * size < (int64_t)race->bounds * (size - 1))
        return true;
    if (++race->skipped >= WHILE)
        race->bounds = race->passed = race->skipped = 0;
    return false;
}

static ns_status enter(running *r, int32_t node, ns_error *err)
{
    if (!is_worth_a_bound(r, node))
        return run_exactly(r, node, err);
    ns_race *race = r->race[NS_ALL_TOLD];
    race->bounds++;
    if (race->bounds >= 1 << 20) {
        race->bounds /= 2;
        race->passed /= 2;
    }
    return bound(r, node, err);
}

/* Those that were touched; all of them where a change may reach everybody. */
static ns_status enter_touched(running *r, bool all, uint8_t how, ns_error *err)
{
    const ns_placer *p = r->placer;
    const bool many = all || 4 * (int64_t)p->touches > p->nodes;
    for (int32_t i = 0; i < (all ? p->nodes : p->touches); i++) {
        const int32_t node = all ? i : p->touch[i];
        if (!all && (p->touched[node] & how) == 0)
            continue;
        NS_TRY(enter(r, node, err));
        for (int k = 0; k < r->races && !many; k++)
            play(p, r->race[k], node);
    }
    for (int k = 0; k < r->races && many; k++)
        play_all(p, r->race[k]);
    return NS_OK;
}

static ns_status finish_race(running *r, int which, ns_error *err)
{
    const ns_race *race = r->race[which];
    for (;;) {
        const int32_t first = race->winner[1];
        if (race->runner[first].exact)
            return NS_OK;
        r->race[NS_ALL_TOLD]->passed++;
        NS_TRY(run_exactly(r, first, err));
        for (int k = 0; k < r->races; k++)
            play(r->placer, r->race[k], first);
    }
}

/* Does anything leave a node in the step? */
static bool leaves(const running *r)
{
    for (int32_t node = 0; node < r->placer->nodes; node++)
        if (r->sums->node[NS_SIDES * (int64_t)node + NS_OUT] > 0)
            return true;
    return false;
}

static void note_winner(const running *r, const ns_race *race, ns_step_price *step)
{
    const ns_runner *winner = &race->runner[race->winner[1]];
    const bool any = winner->process >= 0;
    step->process = winner->process;
    step->leaves = leaves(r);
    step->bytes_s = any ? winner->bytes_s : 0;
    memset(step->term, 0, sizeof step->term);
    if (any)
        memcpy(step->term, winner->term, (size_t)r->placer->terms * sizeof *step->term);
}

/* ---- a pass ------------------------------------------------------------------------------------------------------ */

static ns_load_source source_of(const ns_placer *p, const ns_pass *pass, ns_memory memory)
{
    ns_load_source source = {.strategy = pass->strategy,
                             .machine = p->machine,
                             .form = p->form,
                             .memory = memory,
                             .steps = pass->steps,
                             .holders = 1,
                             .staged = memory == NS_HOST && p->machine->gpus > 0};
    for (int d = 0; source.staged && d < NS_DIRECTIONS; d++)
        for (int32_t node = 0; node < p->nodes; node++) {
            source.copies[d] += pass->copies[d][node];
            if (pass->copied[d][node] > source.copy_bytes[d])
                source.copy_bytes[d] = pass->copied[d][node];
        }
    return source;
}

static ns_status run_step(running *r, int step, uint8_t how, ns_error *err)
{
    r->at = (ns_row_load){.load = {.first = step == 0, .later = step > 0, .link_bytes = r->sums->link_bytes}};
    NS_TRY(enter_touched(r, r->sums->far != NULL, how, err));
    for (int k = 0; k < r->races; k++)
        NS_TRY(finish_race(r, k, err));
    for (int k = 0; k < r->races; k++)
        note_winner(r, r->race[k], k == NS_BUT_BYTES ? &r->placer->waiting[step] : &r->placer->price.step[step]);
    return NS_OK;
}

ns_status ns_race_run(ns_placer *p, ns_pass *pass, ns_transport transport, uint8_t how, double *seconds, ns_error *err)
{
    const ns_memory memory = transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    running r = {.placer = p, .pass = pass, .values = &p->values[memory], .memory = memory};
    memset(&p->price, 0, offsetof(ns_price, step));
    p->price.steps = pass->steps;
    r.races = ns_races_of(r.values);
    for (int i = 0; i < pass->steps; i++) {
        r.sums = &pass->step[i];
        for (int k = 0; k < r.races; k++)
            r.race[k] = &pass->race[k][transport][i];
        NS_TRY(run_step(&r, i, how, err));
    }
    const ns_load_source source = source_of(p, pass, memory);
    NS_TRY(ns_price_add_up(&source, r.values, r.values->hides ? p->waiting : NULL, &p->price, err));
    *seconds = p->price.estimate_s;
    return NS_OK;
}
