/* interval.c -- how sure a price is
 *
 * Times scatter by factors, so the interval is symmetric in the logarithm:
 *
 *     [T 2^-zs, T 2^zs],   s^2 = model error^2 + (l(se(T)/T) / ln 2)^2,   se(T)^2 = g' C g
 *
 * l(r) = r, the linear form of ln T, holds for errors below the time itself; from r = 1 on l(r) = 1 + ln r, its
 * continuation with the same slope: what is known to a factor of r, as fits of few or wild points are.  z for the
 * confidence asked for; g: dT/dparameter, C: covariance of the parameters.  A parameter's coefficient is its amount
 * over all steps: the same alpha errs the same way in each.  Alpha and beta of a line come from one fit and are
 * correlated, mostly negatively: what the one has too much the other has too little.  Numbers of different fits are
 * independent.  The model error is what whole measured exchanges leave: the machine's own, calibrated on files that its
 * parameters never saw, or that of max-rate where it has none.
 */
#include "core/sized.h"
#include "price/cost.h"

#include <math.h>
#include <string.h>

static double square(double x)
{
    return x * x;
}

double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation)
{
    const double x = a * alpha_se, y = b * beta_se;
    return square(x + correlation * y) + (1 - square(correlation)) * square(y); /* never below 0 */
}

static double amount_of(const ns_price *price, int slot)
{
    double sum = 0;
    for (int i = 0; i < price->steps; i++)
        sum += price->step[i].amount[slot];
    return sum;
}

/* Errors of the price by the numbers of the machine, s.  Several slots may stand on one: it errs the same way in
 * each, so that it counts where it stands first. */
static void errors_by(const ns_form_values *v, const ns_price *price, double error[NS_FORM_SLOTS])
{
    for (int slot = 0; slot < v->slots; slot++) {
        const double own = amount_of(price, slot) * v->se[slot];
        int first = 0;
        error[slot] = 0;
        if (own == 0)
            continue;
        while (first < slot && (v->from[slot] == NULL || v->from[first] != v->from[slot]))
            first++;
        error[first] += own;
    }
}

static double parameter_variance(const ns_form_values *v, const ns_price *price)
{
    double error[NS_FORM_SLOTS], sum = 0;
    bool is_a_partner[NS_FORM_SLOTS] = {false};
    errors_by(v, price, error);
    for (int a = 0; a < v->slots; a++) {
        const int b = v->partner[a];
        if (b >= 0)
            is_a_partner[b] = true; /* beta's row stands after alpha's */
        if (!is_a_partner[a])
            sum += ns_line_variance(1, error[a], 1, b >= 0 ? error[b] : 0, v->correlation[a]);
    }
    return sum;
}

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
            for (int side = 0; side < 2; side++) {
                const ns_class_load *c = side == 0 ? &load->out[l][p] : &load->in[l][p];
                if (c->messages > 0)
                    step->message_bytes[l] = fmax(step->message_bytes[l], c->bytes / c->messages);
            }
}

static bool exceeds(const ns_form_values *v, const ns_step_price *step)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        if (v->to[l] > 0 && step->message_bytes[l] > v->to[l])
            return true;
    return false;
}

void ns_price_widen(ns_price *price, double error, double confidence)
{
    const double t = price->estimate_s;
    price->log2_error = sqrt(square(error) + square(price->log2_parameters));
    const double width = ns_normal_width(confidence > 0 ? confidence : NS_CONFIDENCE) * price->log2_error;
    price->lo_s = t * exp2(-width);
    price->hi_s = t > 0 ? t * exp2(width) : 0;
}

static double seconds_of(const ns_step_price *step, int steps)
{
    double sum = 0;
    for (int i = 0; i < steps; i++)
        sum += ns_step_price_seconds(&step[i]);
    return sum;
}

/* What stands beside the steps, and the steps that take longer with it. */
static void finish(const ns_form_values *values, double later, ns_step_price *waiting, ns_price *price)
{
    if (values->form->finish == NULL)
        return;
    values->form->finish(values, price->step, price->steps, later);
    if (waiting == NULL)
        return;
    values->form->finish(values, waiting, price->steps, later);
    if (seconds_of(waiting, price->steps) > seconds_of(price->step, price->steps))
        memcpy(price->step, waiting, (size_t)price->steps * sizeof *waiting);
}

/* Copies take no part: they are not in the times of measured exchanges. */
static double learnt(const ns_form_values *values, const ns_strategy *strategy, const ns_price *price, double seconds)
{
    double messages = 0, bytes = 0;
    if (values->residual == NULL)
        return 0;
    for (int i = 0; i < price->steps; i++) {
        messages += price->step[i].messages;
        bytes += price->step[i].bytes;
    }
    return seconds * expm1(ns_residual_shift(values->residual, strategy->name, messages, bytes));
}

void ns_price_sum(const ns_form_values *values, const ns_strategy *strategy, double later, ns_step_price *waiting,
                  ns_price *price)
{
    double t = 0;
    finish(values, later, waiting, price);
    price->form = values->form;
    for (int i = 0; i < price->steps; i++) {
        const ns_step_price *step = &price->step[i];
        for (int k = 0; k < NS_FORM_TERMS; k++)
            price->term_s[k] += step->term[k];
        price->extrapolated = price->extrapolated || exceeds(values, step);
    }
    for (int k = 0; k < NS_FORM_TERMS; k++)
        t += price->term_s[k];
    price->learnt_s = learnt(values, strategy, price, t);
    t += price->copy_s;
    price->estimate_s = values->residual != NULL ? t + price->learnt_s : t;
}

/* Standard deviation of ln T by a relative error. */
static double of_logarithm(double relative)
{
    return relative > 1 ? 1 + log(relative) : relative;
}

/* What was learnt multiplies the terms, so that relative errors of the parameters stay what they are without it. */
void ns_price_close(const ns_form_values *values, const ns_strategy *strategy, double later, double confidence,
                    double variance, ns_step_price *waiting, ns_price *price)
{
    ns_price_sum(values, strategy, later, waiting, price);
    const double t = values->residual != NULL ? price->estimate_s - price->learnt_s : price->estimate_s;
    price->log2_parameters = t > 0 ? of_logarithm(sqrt(variance + parameter_variance(values, price)) / t) / log(2) : 0;
    const bool unknown = strategy->forms != NULL && strategy->forms[1] != NULL; /* one of several algorithms */
    ns_price_widen(price, unknown ? fmax(values->error, values->form->uncalibrated) : values->error, confidence);
}

double ns_price_term(const ns_price *price, const char *name)
{
    const int term = ns_form_term(price->form, name);
    return term >= 0 ? price->term_s[term] : 0;
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
