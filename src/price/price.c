/* price.c -- from the slowest processes of steps to what an exchange costs on a machine, and how sure that is
 *
 * A step costs as much as its slowest process; the costs of steps add up.  The cost model determines what a process
 * costs (form.h).  Copies: the slowest D2H before, the slowest H2D after.
 *
 * Times scatter by factors, so the interval is symmetric in the logarithm:
 *
 *     [T 2^-zs, T 2^zs],   s^2 = model error^2 + (l(se(T)/T) / ln 2)^2,   se(T)^2 = g' C g
 *
 * l(r) = r, the linear form of ln T, holds for errors below the time itself; from r = 1 on l(r) = 1 + ln r, its
 * continuation with the same slope, for what is known to a factor of r, as are fits of few or scattered points. z
 * follows from the requested confidence; g: dT/dparameter, C: covariance of the parameters.  A parameter's coefficient
 * is its amount over all steps: the same alpha errs the same way in each.  Alpha and beta of a line come from one fit
 * and are correlated, mostly negatively: where one is too large the other is too small.  Numbers of different fits are
 * independent.  The model error is the residual of whole measured exchanges: the machine's own, calibrated on files
 * that were not used to fit its parameters, or that of max-rate where it has none.
 */
#include "price/price.h"
#include "price/choice.h"

#include "core/refuse.h"
#include "core/sized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ns_status ns_refuse_no_table(const ns_machine *machine, ns_memory memory, ns_locality line, ns_error *err)
{
    return ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(machine),
                       "machine %s has no %s table for %s memory%s", machine->name, ns_locality_words[line],
                       ns_memory_words[memory], line == NS_OFF_NODE ? ": it predicts within one node" : "");
}

ns_status ns_confidence_check(double confidence, ns_error *err)
{
    return confidence >= 0 && confidence < 1
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "confidence wants a number between 0 and 1, got %g", confidence);
}

ns_status ns_price_options_take(const ns_price_options *options, ns_price_options *to, ns_error *err)
{
    NS_TRY(NS_TAKE_OPTIONS(options, ns_price_options, without, to, err));
    return ns_confidence_check(to->confidence, err);
}

double ns_price_term(const ns_price *price, const char *name)
{
    const int term = ns_form_term(price->form, name);
    return term >= 0 ? price->term_s[term] : 0;
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

int32_t ns_cube_side(int32_t nodes)
{
    int32_t side = 1;
    while ((int64_t)side * side * side < nodes)
        side++;
    return side;
}

/* The distance of two nodes that are numbered along the cube of side ceil(cbrt(nodes)), without wrapping, as the
 * statistics of measured exchanges assume. */
void ns_hop_bytes_add(ns_hop_bytes *sum, int32_t side, int32_t from_node, int32_t to_node, int64_t bytes)
{
    const int64_t low = INT64_C(0xffffffff);
    int64_t hops = 0;
    for (int d = 0, a = from_node, b = to_node; d < 3; d++, a /= side, b /= side)
        hops += abs(a % side - b % side);
    sum->bytes += bytes;
    sum->low += (bytes & low) * hops;
    sum->high += (bytes >> 32) * hops + (sum->low >> 32);
    sum->low &= low;
}

/* l = hops^3 S / (nodes / 2) over the bytes S of all messages of the step that leave their node. */
double ns_link_bytes(const ns_hop_bytes *sum, int32_t nodes)
{
    const double bytes = (double)sum->bytes, away = (double)sum->high * 0x1p32 + (double)sum->low;
    return bytes > 0 ? pow(away / bytes, 3) * bytes / (nodes / 2.0) : 0;
}

/* ---- steps and copies add up ------------------------------------------------------------------------------------- */

void ns_load_sums(const ns_load *load, double *messages, double *bytes)
{
    ns_class_load out = {0, 0}, in = {0, 0};
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            out.messages += load->out[l][p].messages;
            out.bytes += load->out[l][p].bytes;
            in.messages += load->in[l][p].messages;
            in.bytes += load->in[l][p].bytes;
        }
    *messages = fmax(out.messages, in.messages);
    *bytes = fmax(out.bytes, in.bytes);
}

void ns_note_sizes(const ns_load *load, ns_step_price *step)
{
    ns_load_sums(load, &step->messages, &step->bytes);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            for (int k = 0; k < 2; k++) {
                const ns_class_load *c = k == 0 ? &load->out[l][p] : &load->in[l][p];
                if (c->messages > 0)
                    step->message_bytes[l] = fmax(step->message_bytes[l], c->bytes / c->messages);
            }
}

double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation)
{
    const double y = b * beta_se, x = a * alpha_se + correlation * y;
    return x * x + (1 - correlation * correlation) * (y * y); /* never below 0 */
}

static ns_status refuse_infinite(const ns_copying *of, ns_error *err)
{
    return ns_fail(err, NS_ERR_RANGE, "the price of %s on machine %s is not finite", of->strategy->name,
                   of->machine->name);
}

ns_status ns_price_sum(const ns_form_values *values, const ns_copying *copying, ns_step_price *waiting, ns_price *price,
                       ns_error *err)
{
    const ns_machine *machine = copying->machine;
    double t = 0, messages = 0, bytes = 0;
    if (copying->staged && copying->copies[NS_D2H] + copying->copies[NS_H2D] > 0) {
        const ns_copy_line *line = ns_machine_copy(machine, copying->holders);
        if (line == NULL)
            return ns_fail(err, NS_ERR_DATA,
                           "machine %s has GPUs but no copy parameters, which the host transport needs", machine->name);
        const double parts =
            machine->copy_total ? copying->holders : 1; /* the line's bytes are the GPU's, or each process' */
        price->copy_processes = copying->holders;
        for (int d = 0; d < NS_DIRECTIONS; d++) {
            price->copy_bytes[d] = parts * (double)copying->copy_bytes[d];
            if (copying->copies[d] == 0)
                continue;
            const double largest = line->alpha[d] + line->beta[d] * price->copy_bytes[d];
            price->copy_waits[d] =
                parts * (double)copying->copy_least[d] < line->wait_below[d] && line->wait[d] > largest;
            price->copy_s += price->copy_waits[d] ? line->wait[d] : largest;
        }
    }
    if (values->form->finish != NULL) {
        double moving = 0, by_time = 0, by_waiting = 0;
        for (int i = 0; i < price->steps; i++)
            moving += price->step[i].process >= 0;
        const double later = copying->later + fmax(0, moving - 1); /* the steps after the first that move any data */
        values->form->finish(values, price->step, price->steps, later);
        if (waiting != NULL) {
            values->form->finish(values, waiting, price->steps, later);
            for (int i = 0; i < price->steps; i++) {
                by_time += ns_step_price_seconds(&price->step[i]);
                by_waiting += ns_step_price_seconds(&waiting[i]);
            }
            if (by_waiting > by_time)
                memcpy(price->step, waiting, (size_t)price->steps * sizeof *waiting);
        }
    }
    price->form = values->form;
    for (int i = 0; i < price->steps; i++) {
        const ns_step_price *step = &price->step[i];
        messages += step->messages;
        bytes += step->bytes;
        for (int k = 0; k < NS_FORM_TERMS; k++)
            price->term_s[k] += step->term[k];
        for (int l = 0; l < NS_LOCALITIES; l++)
            price->extrapolated = price->extrapolated || (values->to[l] > 0 && step->message_bytes[l] > values->to[l]);
    }
    for (int k = 0; k < NS_FORM_TERMS; k++)
        t += price->term_s[k];
    price->estimate_s = t + price->copy_s;
    if (values->residual != NULL) { /* copies are excluded: they are not in the times of measured exchanges */
        price->learnt_s = t * expm1(ns_residual_shift(values->residual, copying->strategy->name, messages, bytes));
        price->estimate_s += price->learnt_s;
    }
    return isfinite(price->estimate_s) ? NS_OK : refuse_infinite(copying, err);
}

/* ---- the interval ------------------------------------------------------------------------------------------------ */

/* erf(z / sqrt 2) = confidence, by Newton's method from the middle; erf is concave for z > 0, so it rises to the
 * root. */
double ns_normal_width(double confidence)
{
    const double pi = 3.14159265358979323846;
    double z = 0;
    for (int i = 0; i < 200; i++) {
        const double step = (confidence - erf(z / sqrt(2))) / (sqrt(2 / pi) * exp(-z * z / 2));
        if (!(fabs(step) > 1e-15 * (1 + z)))
            break;
        z += step;
    }
    return z;
}

void ns_price_widen(ns_price *price, double error, double width)
{
    const double t = price->estimate_s;
    price->log2_error = sqrt(error * error + price->log2_parameters * price->log2_parameters);
    price->lo_s = t * exp2(-width * price->log2_error);
    price->hi_s = t > 0 ? t * exp2(width * price->log2_error) : 0;
}

/* The learnt correction multiplies the terms, so that the relative errors of the parameters stay what they are without
 * it. */
ns_status ns_price_close(const ns_form_values *values, const ns_copying *copying, double width, ns_step_price *waiting,
                         ns_price *price, ns_error *err)
{
    double variance = 0, sum = 0, error[NS_FORM_SLOTS] = {0}; /* of the price, s, by the machine's numbers */
    bool is_a_partner[NS_FORM_SLOTS] = {false};
    NS_TRY(ns_price_sum(values, copying, waiting, price, err));
    const ns_copy_line *line = price->copy_processes > 0 ? ns_machine_copy(copying->machine, copying->holders) : NULL;
    for (int d = 0; d < NS_DIRECTIONS && line != NULL; d++)
        if (copying->copies[d] > 0 && !price->copy_waits[d])
            variance +=
                ns_line_variance(1, line->alpha_se[d], price->copy_bytes[d], line->beta_se[d], line->correlation[d]);
    /* Several slots may use one number of the machine: its error is the same in each, so that it is counted at the
     * first of these slots. */
    for (int slot = 0; slot < values->slots; slot++) {
        double amount = 0;
        int first = 0;
        for (int i = 0; i < price->steps; i++)
            amount += price->step[i].amount[slot];
        if (amount * values->se[slot] == 0)
            continue;
        while (first < slot && (values->from[slot] == NULL || values->from[first] != values->from[slot]))
            first++;
        error[first] += amount * values->se[slot];
    }
    for (int a = 0; a < values->slots; a++) {
        const int b = values->partner[a];
        if (b >= 0)
            is_a_partner[b] = true; /* the row of beta follows that of alpha */
        if (!is_a_partner[a])
            sum += ns_line_variance(1, error[a], 1, b >= 0 ? error[b] : 0, values->correlation[a]);
    }
    const double t = price->estimate_s - price->learnt_s;
    const double relative = t > 0 ? sqrt(variance + sum) / t : 0;
    price->log2_parameters = (relative > 1 ? 1 + log(relative) : relative) / log(2);
    const ns_way_of way = {copying->strategy, values->memory == NS_DEVICE ? NS_VIA_DEVICE : NS_VIA_HOST};
    const bool unknown = way.strategy->forms != NULL && way.strategy->forms[1] != NULL, /* one of several algorithms */
        told = !unknown && ns_way_is_told(values->machine, way);
    ns_price_widen(price, told ? values->error : fmax(values->error, values->form->uncalibrated), width);
    return isfinite(price->hi_s) ? NS_OK : refuse_infinite(copying, err);
}
