/* rig_batch.c -- time of one node's remote indexed gathers as a function of the batch of a RIG command
 *
 *     T_line = Q (P + h)/(B s),   T_gen = Z/(Ua f) + T_cmd,   T_pend = Q RTT_eff/(Ua E),   Ua = min(Uc, ceil(Z/b))
 *     T_cmd = c max(1, Z/(Ua b)),   c = t_host + 4 t_pcie + RTT
 *     T_tail = Z_a (tau(a) - tau(Ua)) + Z_a+1 (tau(a + 1) - tau(Ua))
 *     tau(a) = max(T_line/Z, 1/(a f), Q RTT_eff/(Z a E)), time per index while a units have work
 *     T between  max(T_line, T_gen, T_pend) + T_tail                       commands hidden
 *     and        max(T_line, Z/(Ua f), T_pend) + T_cmd + T_tail            commands exposed
 *     b* = (Z/Uc) sqrt(2 c/T_line), at most Z/Uc, beyond which units are idle          [NS] 5.1 to 5.3, 9.3
 *     E[t] = t + p/(1 - p) (t_w + t),   t = c + b/f                                      watchdog, [NS] 7
 *
 * Z indices are issued (remote entries only), and Q requests remain after filtering.  Batches are given to the units
 * in rounds.  After whole rounds a batches and a part of one remain: a + 1 units process Z_a+1 indices until the part
 * is done, and a units the other Z_a, each with at most E requests in flight.  At b* the commands cost as much as half
 * a batch at the line's rate.  s is the share of the line left after collisions (link-share).
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double Z, Q, k, h, b, units, E, f, rate, share, t_host, t_pcie, rtt, rtt_eff, value, failure, watchdog;
};
struct out {
    double command, line, generate, pending, tail, hidden, exposed, utilisation, utilisation_exposed;
    double active, b_low, b_high, saturating_units, rate_cap, retried;
};

static const ns_field inputs[] = {
    NS_IN(Z, "1", "indices fed to the node's client RIG units: entries of its rows with a remote column"),
    NS_IN(Q, "1", "requests that survive filtering and coalescing"),
    NS_IN_POSITIVE(k, "1", "values per property, K"),
    NS_IN(h, "B", "headers of a request and its response"),
    NS_INPUT(b, "1", "indices of a RIG command", .least = 1, .most = NS_MOST, .from = "models.rig-batch.b"),
    NS_INPUT(units, "1", "RIG units; half of them are clients", .least = 2, .most = NS_MOST,
             .from = "models.rig-batch.units"),
    NS_IN_POSITIVE_FROM(E, "1", "pending requests that a unit tracks", "models.rig-batch.E"),
    NS_IN_POSITIVE_FROM(f, "GHz", "clock of the units, one index a cycle", "models.rig-batch.f"),
    NS_IN_POSITIVE_FROM(rate, "GB/s", "line rate, B", "models.rig-batch.rate"),
    NS_INPUT(share, "1", "share of the line that collisions with other nodes leave, s", .least = 1e-6, .most = 1,
             .has_default = true, .neutral = 1),
    NS_IN_FROM(t_host, "us", "host's own time for a command", "models.rig-batch.t_host"),
    NS_IN_FROM(t_pcie, "ns", "PCIe latency, one way", "models.rig-batch.t_pcie"),
    NS_IN_POSITIVE_FROM(rtt, "us", "zero-load round trip", "models.rig-batch.rtt"),
    NS_IN_POSITIVE_FROM(rtt_eff, "us", "round trip with concatenation delays; rtt where not given", "=rtt"),
    NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
    NS_INPUT(failure, "1", "probability that a command loses a packet", .most = 0.999999, .has_default = true),
    NS_IN_DEFAULT(watchdog, "us", "watchdog's timeout, t_w", 0),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(command, "us", "overhead of a command, c"),
    NS_OUT(line, "us", "bound of the line, T_line"),
    NS_OUT(generate, "us", "bound of the units, T_gen"),
    NS_OUT(pending, "us", "bound of the pending tables, T_pend"),
    NS_OUT(tail, "us", "last round of batches, T_tail"),
    NS_OUT(hidden, "us", "communication time, commands hidden"),
    NS_OUT(exposed, "us", "communication time, commands exposed"),
    NS_OUT(utilisation, "%", "line utilisation, commands hidden"),
    NS_OUT(utilisation_exposed, "%", "line utilisation, commands exposed"),
    NS_OUT(active, "1", "client units with work, Ua"),
    NS_OUT(b_low, "1", "best batch, b*"),
    NS_OUT(b_high, "1", "largest batch that keeps every unit busy, Z/Uc"),
    NS_OUT(saturating_units, "1", "units that fill the line, twice Q RTT_eff/(T_line E)"),
    NS_OUT(rate_cap, "1/s", "requests per second that the pending tables allow, Uc E/RTT_eff"),
    NS_OUT(retried, "us", "expected time of a command with watchdog retries"),
    NS_END};

static double over(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* Time of the last round beyond that of its indices at the rate of all units. */
static double last_round(const struct in *in, double clients, const struct out *out)
{
    const double rest = fmod(in->Z, clients * in->b), whole = floor(rest / in->b), part = rest - whole * in->b;
    const double alone = fmax(1 / in->f, over(in->Q * in->rtt_eff, in->Z * in->E)), line = over(out->line, in->Z);
    const double pace = fmax(line, over(alone, out->active));
    return (whole + 1) * part * (fmax(line, alone / (whole + 1)) - pace) +
           (whole > 0 ? whole * (in->b - part) * (fmax(line, alone / whole) - pace) : 0);
}

NS_EVAL(machine, in, out, err)
{
    const double clients = floor(in->units / 2);
    if (in->Q > in->Z)
        return ns_fail(err, NS_ERR_RANGE, "%g requests of %g indices: filtering adds none", in->Q, in->Z);
    *out = (struct out){.command = in->t_host + 4 * in->t_pcie + in->rtt};
    out->active = fmin(clients, ceil(in->Z / in->b));
    out->line = in->Q * (in->k * in->value + in->h) / (in->rate * in->share);
    const double share = over(in->Z, out->active), commands = in->Z > 0 ? fmax(1, share / in->b) * out->command : 0;
    out->generate = share / in->f + commands;
    out->pending = over(in->Q * in->rtt_eff, out->active * in->E);
    out->tail = last_round(in, clients, out);
    out->hidden = fmax(fmax(out->line, out->generate), out->pending) + out->tail;
    out->exposed = fmax(fmax(out->line, share / in->f), out->pending) + commands + out->tail;
    out->utilisation = in->share * over(out->line, out->hidden);
    out->utilisation_exposed = in->share * over(out->line, out->exposed);
    out->b_high = fmax(1, in->Z / clients);
    out->b_low = out->line > 0 ? fmin(out->b_high, in->Z / clients * sqrt(2 * out->command / out->line)) : out->b_high;
    out->b_low = fmax(1, out->b_low);
    out->saturating_units = 2 * over(in->Q * in->rtt_eff, out->line * in->E);
    out->rate_cap = clients * in->E / in->rtt_eff;
    const double once = out->command + in->b / in->f;
    out->retried = once + in->failure / (1 - in->failure) * (in->watchdog + once);
    return NS_OK;
}

const ns_model ns_model_rig_batch = {
    .name = "rig-batch",
    .title = "time of a node's remote indexed gathers, and the best batch",
    .source = "[NS] Sections 5.1 to 5.3, 7, 9.3, Tables 5, 7, 8",
    .notes = "Of queueing in the network only share is counted. t_host is assumed to be 0 on netsparse: the paper "
             "prints none.",
    NS_ROWS_AND_EVAL,
};
