/* price.c -- the one cost function: what any schedule costs on any machine (design section 7)
 *
 * A step costs what its slowest process spends sending or receiving, whichever is more:
 *
 *     T = sum_on (alpha + beta s)  +  sum_off alpha + max(sum_off beta s, S_node / R_N)
 *
 * with each message's own protocol, locality and memory; S_node, its node's off-node bytes in that direction, counts for
 * processes that take part off node, where the machine gives R_N for the memory.  Steps add up.  Copies: the slowest D2H
 * before, the slowest H2D after.  Parameters' standard errors are taken as independent:
 * se(T)^2 = sum (dT/dparameter se)^2 over the deciding processes' counts; the interval is T +- 1.96 se(T).
 */
#include <nsmodel/strategy.h>

#include <math.h>
#include <string.h>

static const double NORMAL_975 = 1.959963984540054; /* 0.975 quantile: two-sided 95 % */

/* One side (sending or receiving) of one process in one step. */
static ns_status load_side(const ns_schedule *s, const ns_step *step, const ns_machine *machine, ns_memory memory,
                           int32_t process, bool receiving, ns_step_price *side, ns_error *err)
{
    const int64_t *range = receiving ? step->received : step->sent;
    for (int64_t i = range[process]; i < range[process + 1]; i++) {
        const ns_message *m = &step->message[receiving ? step->by_receiver[i] : i];
        ns_locality locality = ns_schedule_locality(s, m->from, m->to);
        ns_protocol protocol = NS_SHORT;
        if (ns_machine_line(machine, memory, locality, (double)m->bytes, &protocol) == NULL)
            return ns_fail(err, NS_ERR_DATA, "machine %s has no %s table for %s memory", machine->name,
                           ns_locality_words[locality], ns_memory_words[memory]);
        side->load[locality][protocol].messages++;
        side->load[locality][protocol].bytes += (double)m->bytes;
    }
    return NS_OK;
}

/* Seconds of a side from its loads, split into on-node and off-node. */
static void price_side(const ns_machine *machine, ns_memory memory, ns_step_price *side)
{
    double off_alpha = 0, off_beta = 0;
    int64_t off_messages = 0;
    side->on_node_s = side->off_node_s = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_line *line = &machine->line[memory][l][p];
            double alpha = (double)side->load[l][p].messages * line->alpha, beta = side->load[l][p].bytes * line->beta;
            if (l == NS_OFF_NODE) {
                off_alpha += alpha;
                off_beta += beta;
                off_messages += side->load[l][p].messages;
            } else {
                side->on_node_s += alpha + beta;
            }
        }
    double injected = side->node_bytes * machine->inverse_R_N[memory];
    side->injection = off_messages > 0 && injected > off_beta;
    side->off_node_s = off_alpha + (side->injection ? injected : off_beta);
}

static ns_status price_step(const ns_schedule *s, const ns_step *step, const ns_machine *machine, ns_memory memory,
                            ns_step_price *worst, ns_error *err)
{
    *worst = (ns_step_price){.process = -1};
    for (int32_t process = 0; process < s->processes; process++)
        for (int receiving = 0; receiving < 2; receiving++) {
            const int64_t *range = receiving ? step->received : step->sent;
            if (range[process] == range[process + 1])
                continue;
            ns_step_price side = {.process = process, .receiving = receiving != 0};
            side.node_bytes = (double)(receiving ? step->node_received : step->node_sent)[process / s->ppn];
            NS_TRY(load_side(s, step, machine, memory, process, receiving != 0, &side, err));
            price_side(machine, memory, &side);
            if (worst->process < 0 || side.on_node_s + side.off_node_s > worst->on_node_s + worst->off_node_s)
                *worst = side;
        }
    return NS_OK;
}

static ns_status price_copies(const ns_schedule *s, const ns_machine *machine, ns_price *price, ns_error *err)
{
    if (!s->staged || s->copies[NS_D2H] + s->copies[NS_H2D] == 0)
        return NS_OK;
    const ns_copy_line *line = ns_machine_copy(machine, s->holders);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has GPUs but no copy parameters, which the host transport needs",
                       machine->name);
    price->copy_processes = s->holders;
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        for (int64_t i = 0; i < s->copies[d]; i++)
            price->copy_bytes[d] = fmax(price->copy_bytes[d], (double)s->copy[d][i].bytes);
        if (s->copies[d] > 0)
            price->copy_s += line->alpha[d] + line->beta[d] * price->copy_bytes[d];
    }
    return NS_OK;
}

/* ---- standard error ------------------------------------------------------------------------------------------------ */

static double square(double x)
{
    return x * x;
}

/* A parameter's coefficient is its count over all steps: the same alpha errs the same way in each. */
static double variance(const ns_schedule *s, const ns_machine *machine, ns_memory memory, const ns_price *price)
{
    double sum = 0, injected = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            double messages = 0, bytes = 0;
            for (int i = 0; i < price->steps; i++) {
                messages += (double)price->step[i].load[l][p].messages;
                if (l != NS_OFF_NODE || !price->step[i].injection)
                    bytes += price->step[i].load[l][p].bytes;
            }
            sum += square(messages * machine->line[memory][l][p].alpha_se) + square(bytes * machine->line[memory][l][p].beta_se);
        }
    for (int i = 0; i < price->steps; i++)
        if (price->step[i].injection)
            injected += price->step[i].node_bytes;
    sum += square(injected * machine->inverse_R_N_se[memory]);
    const ns_copy_line *copy = price->copy_processes > 0 ? ns_machine_copy(machine, price->copy_processes) : NULL;
    for (int d = 0; copy != NULL && d < NS_DIRECTIONS; d++)
        if (s->copies[d] > 0)
            sum += square(copy->alpha_se[d]) + square(price->copy_bytes[d] * copy->beta_se[d]);
    return sum;
}

ns_status ns_schedule_price(const ns_schedule *schedule, const ns_machine *machine, ns_price *price, ns_error *err)
{
    ns_memory memory = schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    ns_price sum = {.steps = schedule->steps};
    for (int i = 0; i < schedule->steps; i++) {
        NS_TRY(price_step(schedule, &schedule->step[i], machine, memory, &sum.step[i], err));
        sum.on_node_s += sum.step[i].on_node_s;
        sum.off_node_s += sum.step[i].off_node_s;
    }
    NS_TRY(price_copies(schedule, machine, &sum, err));
    sum.estimate_s = sum.off_node_s + sum.on_node_s + sum.copy_s;
    double half = NORMAL_975 * sqrt(variance(schedule, machine, memory, &sum));
    sum.lo_s = fmax(0, sum.estimate_s - half);
    sum.hi_s = sum.estimate_s + half;
    if (!isfinite(sum.hi_s))
        return ns_fail(err, NS_ERR_RANGE, "the price of %s on machine %s is not finite", schedule->strategy->name, machine->name);
    *price = sum;
    return NS_OK;
}
