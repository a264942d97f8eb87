/* source.c -- from the loads of all processes to a price
 *
 * A step costs what its slowest process costs; steps add up.  What a process costs is the form's (form.h).  Copies: the
 * slowest D2H before, the slowest H2D after.
 */
#include "price/source.h"
#include "core/context.h"
#include "core/refuse.h"

#include "price/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ns_status ns_refuse_no_table(const ns_machine *machine, ns_memory memory, ns_locality line, ns_error *err)
{
    return ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(machine),
                       "machine %s has no %s table for %s memory%s", machine->name, ns_locality_words[line],
                       ns_memory_words[memory], line == NS_OFF_NODE ? ": it predicts within one node" : "");
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

int32_t ns_cube_side(int32_t nodes)
{
    int32_t side = 1;
    while ((int64_t)side * side * side < nodes)
        side++;
    return side;
}

/* Distance of two nodes that are numbered along the cube of side ceil(cbrt(nodes)), without wrapping: what the
 * statistics of measured exchanges assume. */
static int64_t hops(int32_t side, int32_t a, int32_t b)
{
    int64_t sum = 0;
    for (int d = 0; d < 3; d++, a /= side, b /= side)
        sum += labs((long)(a % side) - b % side);
    return sum;
}

void ns_far_add(ns_far *far, int32_t side, int32_t from_node, int32_t to_node, int64_t bytes)
{
    const int64_t low = INT64_C(0xffffffff), away = hops(side, from_node, to_node);
    far->bytes += bytes;
    far->low += (bytes & low) * away;
    far->high += (bytes >> 32) * away + (far->low >> 32);
    far->low &= low;
}

/* l = hops^3 S / (nodes / 2) over the bytes S of all messages of the step that leave their node. */
double ns_far_link_bytes(const ns_far *far, int32_t nodes)
{
    const double bytes = (double)far->bytes, away = (double)far->high * 0x1p32 + (double)far->low;
    return bytes > 0 ? pow(away / bytes, 3) * bytes / (nodes / 2.0) : 0;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* ns_step_price_seconds; terms that the form has not are 0. */
static double seconds_of(const ns_step_price *step, int terms)
{
    double sum = 0;
    for (int t = 0; t < terms; t++)
        sum += step->term[t];
    return sum;
}

int ns_form_terms(const ns_form *form)
{
    int terms = 0;
    while (form->terms[terms] != NULL)
        terms++;
    return terms;
}

/* The slowest process of each race; its amounts are told once it is known. */
static ns_status price_step(const ns_load_source *s, const ns_form_values *values, int step,
                            ns_step_price *worst[NS_RACES], ns_error *err)
{
    ns_load load = {.first = step == 0, .later = step > 0}, slowest[NS_RACES] = {load, load};
    ns_step_price one = {.process = -1};
    const int terms = ns_form_terms(s->form), races = ns_races_of(values);
    double most[NS_RACES] = {-1, -1};
    load.link_bytes = s->form->needs_hops ? s->link_bytes(s, step) : 0;
    for (int r = 0; r < races; r++)
        *worst[r] = one;
    for (int32_t i = 0; i < s->site->parts; i++) {
        const int32_t process = s->site->part[i], node = s->site->node_of[process];
        bool idle = false;
        NS_TRY(ns_context_tick(4, err));
        if (s->site->first[node] == i)
            NS_TRY(s->node(s, step, node, &load, err));
        NS_TRY(s->process(s, step, process, &load, &idle, err));
        if (idle)
            continue;
        memset(one.term, 0, (size_t)terms * sizeof *one.term);
        one.bytes_s = one.waits_s = 0;
        s->form->price(values, &load, false, &one);
        const double all = seconds_of(&one, terms);
        for (int r = 0; r < races; r++) {
            const double seconds = ns_race_seconds(r, all, &one);
            if (seconds > most[r]) {
                most[r] = seconds;
                slowest[r] = load;
                worst[r]->process = process;
            }
        }
    }
    for (int r = 0; r < races && worst[r]->process >= 0; r++) {
        s->form->price(values, &slowest[r], true, worst[r]);
        worst[r]->leaves = one.leaves;
        ns_note_sizes(&slowest[r], worst[r]);
    }
    return NS_OK;
}

static ns_status price_copies(const ns_load_source *s, double *variance, ns_price *price, ns_error *err)
{
    if (!s->staged || s->copies[NS_D2H] + s->copies[NS_H2D] == 0)
        return NS_OK;
    const ns_copy_line *line = ns_machine_copy(s->machine, s->holders);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has GPUs but no copy parameters, which the host transport needs",
                       s->machine->name);
    const double parts = s->machine->copy_total ? s->holders : 1; /* the line's bytes are of the GPU, or of each */
    price->copy_processes = s->holders;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        price->copy_bytes[d] = parts * (double)s->copy_bytes[d];
        if (s->copies[d] == 0)
            continue;
        price->copy_s += line->alpha[d] + line->beta[d] * price->copy_bytes[d];
        *variance +=
            ns_line_variance(1, line->alpha_se[d], price->copy_bytes[d], line->beta_se[d], line->correlation[d]);
    }
    return NS_OK;
}

static ns_status refuse_infinite(const ns_load_source *s, ns_error *err)
{
    return ns_fail(err, NS_ERR_RANGE, "the price of %s on machine %s is not finite", s->strategy->name,
                   s->machine->name);
}

/* Steps after the first that move anything. */
static double later_steps(const ns_price *price)
{
    double count = 0;
    for (int i = 0; i < price->steps; i++)
        count += price->step[i].process >= 0;
    return fmax(0, count - 1);
}

ns_status ns_price_add_up(const ns_load_source *source, const ns_form_values *values, ns_step_price *waiting,
                          ns_price *price, ns_error *err)
{
    double variance = 0;
    NS_TRY(price_copies(source, &variance, price, err));
    ns_price_sum(values, later_steps(price), waiting, price);
    return isfinite(price->estimate_s) ? NS_OK : refuse_infinite(source, err);
}

ns_status ns_price_finish(const ns_load_source *source, const ns_form_values *values, double confidence,
                          ns_step_price *waiting, ns_price *price, ns_error *err)
{
    double variance = 0;
    NS_TRY(price_copies(source, &variance, price, err));
    ns_price_close(values, later_steps(price), confidence, variance, waiting, price);
    return isfinite(price->hi_s) ? NS_OK : refuse_infinite(source, err);
}

ns_status ns_price_source(const ns_load_source *source, const ns_form_values *values, double confidence,
                          ns_price *price, ns_error *err)
{
    ns_price sum = {.steps = source->steps};
    ns_step_price waiting[NS_STEPS];
    for (int i = 0; i < source->steps; i++)
        NS_TRY(price_step(source, values, i, (ns_step_price *[NS_RACES]){&sum.step[i], &waiting[i]}, err));
    NS_TRY(ns_price_finish(source, values, confidence, values->hides ? waiting : NULL, &sum, err));
    *price = sum;
    return NS_OK;
}
