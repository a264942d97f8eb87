/* interval.c -- how sure a price is
 *
 * Times scatter by factors, so the interval is symmetric in the logarithm:
 *
 *     [T 2^-zs, T 2^zs],   s^2 = model error^2 + (se(T) / (T ln 2))^2,   se(T)^2 = g' C g
 *
 * z for the confidence asked for; g: dT/dparameter, C: covariance of the parameters.  A parameter's coefficient is its
 * amount over all steps: the same alpha errs the same way in each.  Alpha and beta of a line come from one fit and are
 * correlated, mostly negatively: what the one has too much the other has too little.  Numbers of different fits are
 * independent.  The model error is what whole measured exchanges leave: the machine's own, calibrated on files that its
 * parameters never saw, or that of max-rate where it has none.
 */
#include "price/cost.h"

#include <math.h>

static double square(double x)
{
    return x * x;
}

double ns_line_variance(double a, double alpha_se, double b, double beta_se, double correlation)
{
    const double x = a * alpha_se, y = b * beta_se;
    return square(x + correlation * y) + (1 - square(correlation)) * square(y); /* never below 0 */
}

static double class_variance(const ns_cost *cost, const ns_price *price, int l, int p)
{
    double messages = 0, bytes = 0;
    for (int i = 0; i < price->steps; i++) {
        const ns_step_price *step = &price->step[i];
        messages += step->load[l][p].messages;
        if (l != NS_OFF_NODE || (!step->injection && !cost->rate_replaces))
            bytes += step->load[l][p].bytes;
    }
    return ns_line_variance(messages, cost->alpha[l][p].se, bytes, cost->beta[l][p].se, cost->correlation[l][p]);
}

/* In the full form every protocol off node has the same start-up: its error adds up before it is squared. */
static double start_up_variance(const ns_cost *cost, const ns_price *price)
{
    double sum = 0;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        for (int i = 0; i < price->steps; i++)
            sum += price->step[i].load[NS_OFF_NODE][p].messages * cost->alpha[NS_OFF_NODE][p].se;
    return square(sum);
}

static double parameter_variance(const ns_cost *cost, const ns_price *price)
{
    double sum = 0, injected = 0, queued = 0, linked = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if (l != NS_OFF_NODE || !cost->rate_replaces)
                sum += class_variance(cost, price, l, p);
    if (cost->rate_replaces)
        sum += start_up_variance(cost, price);
    for (int i = 0; i < price->steps; i++) {
        injected += price->step[i].injection ? price->step[i].node_bytes : 0;
        queued += price->step[i].queue_squares;
        linked += price->step[i].link_bytes;
    }
    return sum + square(injected * cost->inverse_rate.se) + square(queued * cost->gamma.se) +
           square(linked * cost->delta.se);
}

/* erf(z / sqrt 2) = confidence, by Newton's method from the middle; erf is concave for z > 0, so it rises to the root.
 */
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

static bool exceeds(const ns_cost *cost, const ns_step_price *step)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_class_load *load = &step->load[l][p];
            const double ends = l != NS_OFF_NODE && cost->both_ends ? 2 : 1; /* start-ups of a message */
            if (cost->to[l] > 0 && load->messages > 0 && ends * load->bytes > cost->to[l] * load->messages)
                return true;
        }
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

void ns_price_close(const ns_cost *cost, double confidence, double variance, ns_price *price)
{
    price->form = cost->form;
    for (int i = 0; i < price->steps; i++) {
        const ns_step_price *step = &price->step[i];
        price->on_node_s += step->on_node_s;
        price->off_node_s += step->off_node_s;
        price->queue_s += step->queue_s;
        price->contention_s += step->contention_s;
        price->extrapolated = price->extrapolated || exceeds(cost, step);
    }
    const double t = price->off_node_s + price->on_node_s + price->queue_s + price->contention_s + price->copy_s;
    price->estimate_s = t;
    price->log2_parameters = t > 0 ? sqrt(variance + parameter_variance(cost, price)) / (t * log(2)) : 0;
    ns_price_widen(price, cost->error, confidence);
}
