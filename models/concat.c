/* concat.c -- property requests per packet as a function of the delay that a queue may add
 *
 *     n_j = E[min(1 + Poisson(lam_j D), n_max)],  lam_j = lam/d;   n = 2/(1/n_req + 1/n_rsp)       [NS] 6.1, 9.3
 *     n_max = floor((MTU - u_cap)/(r + payload)):  no payload for requests, P for responses
 *     d(w) = max(1, w^theta), theta = ln d64/ln 64: destinations in w consecutive requests
 *     units far apart in the matrix d = min(N - 1, Uc d(lam D/Uc)); units side by side d = min(N - 1, d(lam D))
 *     a switch adds lam_rack D_s/(N - rack) for what leaves the rack
 *     h = 2 (r + u/n),   RTT_eff = RTT + 2 D + 4 D_s,   D_s scales with D (a quarter of its cycles)
 *
 * The truth lies between `apart` and `beside`.  The best delay is where T_line = T_pend: RTT_eff = Uc E (P + h)/B; 0
 * when the pending tables bind at any delay.  Not reproduced: uk, 17 printed against limits 5.1 to 13.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double lambda, d64, k, nodes, rack, rack_share, units, cycles, f, switch_cycles, f_switch, E, rate, rtt, mtu;
    double u_cap, u, r, value, n;
};
struct out {
    double most_request, most_response, window, n_apart, n_beside, h_apart, h_beside, switch_gain, rtt_eff, best_cycles,
        worst_cycles;
};

static const ns_field inputs[] = {
    NS_IN(lambda, "1/s", "requests per second that the node issues, lam = Q/T"),
    NS_INPUT(d64, "1", "mean distinct destinations of 64 consecutive requests", .least = 1, .most = 64),
    NS_IN_POSITIVE(k, "1", "values per property, K"),
    NS_INPUT(nodes, "1", "nodes, N", .least = 2, .most = NS_MOST),
    NS_INPUT(rack, "1", "nodes of a rack", .least = 1, .most = NS_MOST, .from = "models.concat.rack"),
    NS_INPUT(rack_share, "1",
             "concatenating switches: share of the rack's requests (nodes x lambda) that leaves it; 0 without",
             .most = 1, .has_default = true),
    NS_INPUT(units, "1", "RIG units; half of them are clients", .least = 2, .most = NS_MOST,
             .from = "models.rig-batch.units"),
    NS_IN_FROM(cycles, "1", "delay of a queue in NIC cycles, D f", "models.concat.cycles"),
    NS_IN_POSITIVE_FROM(f, "GHz", "clock of the NIC", "models.rig-batch.f"),
    NS_IN_FROM(switch_cycles, "1", "delay of a queue in switch cycles; a quarter of cycles where not given",
               "models.concat.switch_cycles"),
    NS_IN_POSITIVE_FROM(f_switch, "GHz", "clock of the switch", "models.concat.f_switch"),
    NS_IN_POSITIVE_FROM(E, "1", "pending requests that a unit tracks", "models.rig-batch.E"),
    NS_IN_POSITIVE_FROM(rate, "GB/s", "line rate, B", "models.rig-batch.rate"),
    NS_IN_POSITIVE_FROM(rtt, "us", "zero-load round trip", "models.rig-batch.rtt"),
    NS_IN_POSITIVE_FROM(mtu, "B", "largest packet", "models.concat.mtu"),
    NS_IN_FROM(u_cap, "B", "shared header that a full packet holds", "models.concat.u_cap"),
    NS_IN_FROM(u, "B", "shared header that traffic pays", "models.header-share.u_table8"),
    NS_IN_POSITIVE_FROM(r, "B", "header of each request or response", "models.header-share.r"),
    NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
    NS_IN_DEFAULT(n, "1", "requests per packet that best_cycles assumes; n_apart where 0", 0),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(most_request, "1", "requests that fit a packet"),
    NS_OUT(most_response, "1", "responses that fit a packet"),
    NS_OUT(window, "1", "requests that the node issues within the delay, lam D"),
    NS_OUT(n_apart, "1", "requests per packet, units far apart in the matrix"),
    NS_OUT(n_beside, "1", "requests per packet, units side by side"),
    NS_OUT(h_apart, "B", "headers per pair, units far apart"),
    NS_OUT(h_beside, "B", "headers per pair, units side by side"),
    NS_OUT(switch_gain, "1", "what switches add to n"),
    NS_OUT(rtt_eff, "us", "round trip with the delays"),
    NS_OUT(best_cycles, "1", "NIC cycles at which the pending tables begin to bind: the best delay"),
    NS_OUT(worst_cycles, "1", "NIC cycles beyond which waiting is worse than no concatenation"),
    NS_END};

/* E[min(1 + X, most)] for X ~ Poisson(mu): 1 + sum over i < most - 1 of P(X > i). */
static double fill(double mu, double most)
{
    if (most <= 1 || mu <= 0)
        return 1;
    if (most > mu + 40 + 12 * sqrt(mu))
        return 1 + mu;
    double below = 0, sum = 0;
    for (double i = 0; i < most - 1; i++) {
        below += exp(i * log(mu) - mu - lgamma(i + 1));
        sum += fmax(0, 1 - below);
    }
    return 1 + sum;
}

static double spread(double theta, double window)
{
    return window > 1 ? pow(window, theta) : 1;
}

static double together(const struct out *out, double mean)
{
    const double request = fill(mean, out->most_request), response = fill(mean, out->most_response);
    return 2 / (1 / request + 1 / response);
}

/* The delay for which the round trip is rtt_eff. */
static double cycles_of(const struct in *in, double rtt_eff)
{
    return fmax(0, (rtt_eff - in->rtt) / (2 / in->f + 1 / in->f_switch));
}

NS_EVAL(machine, in, out, err)
{
    const double P = in->k * in->value, D = in->cycles / in->f, D_switch = in->switch_cycles / in->f_switch;
    const double clients = floor(in->units / 2), theta = log(in->d64) / log(64);
    *out = (struct out){.window = in->lambda * D};
    const double headers = in->u_cap + in->r;
    if (in->mtu < headers)
        return ns_fail(err, NS_ERR_RANGE, "mtu is %g B, a packet wants %g B for one request's headers", in->mtu,
                       headers);
    if (in->mtu < headers + P)
        return ns_fail(err, NS_ERR_RANGE, "mtu is %g B, a packet wants %g B for one response", in->mtu, headers + P);
    out->most_request = floor((in->mtu - in->u_cap) / in->r);
    out->most_response = floor((in->mtu - in->u_cap) / (in->r + P));
    out->switch_gain =
        in->nodes > in->rack ? in->rack_share * in->rack * in->lambda * D_switch / (in->nodes - in->rack) : 0;
    const double d_apart = fmin(in->nodes - 1, clients * spread(theta, out->window / clients));
    const double d_beside = fmin(in->nodes - 1, spread(theta, out->window));
    out->n_apart = together(out, out->window / d_apart + out->switch_gain);
    out->n_beside = together(out, out->window / d_beside + out->switch_gain);
    out->h_apart = 2 * (in->r + in->u / out->n_apart);
    out->h_beside = 2 * (in->r + in->u / out->n_beside);
    out->rtt_eff = in->rtt + 2 * D + 4 * D_switch;
    const double h = 2 * (in->r + in->u / (in->n >= 1 ? in->n : out->n_apart));
    out->best_cycles = cycles_of(in, clients * in->E * (P + h) / in->rate);
    out->worst_cycles = cycles_of(in, clients * in->E * (P + 2 * (in->r + in->u)) / in->rate);
    return NS_OK;
}

const ns_model ns_model_concat = {
    .name = "concat",
    .title = "property requests per packet against the concatenation delay",
    .source = "[NS] Sections 6.1, 9.3, Tables 4, 5, 7, 8",
    .notes = "Two limits; measured packets lie between them for four of five matrices, uk (17) lies above both.",
    NS_ROWS_AND_EVAL,
};
