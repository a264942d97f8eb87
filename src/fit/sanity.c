/* sanity.c -- fitted numbers that no machine has: a wrong label, unit or round trip is likelier than a new record
 *
 * The bounds are wide: what is warned of is two to ten times beyond the machines that are known, in 2026.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

/* Of a pair of processes: start-up in s, rate of the longest messages in B/s. */
typedef struct bounds {
    double least_s, most_s, least_rate, most_rate;
} bounds;

static const bounds inside[NS_MEMORIES] = {{20e-9, 20e-6, 0.1e9, 400e9}, {50e-9, 200e-6, 0.1e9, 4e12}},
                    between[NS_MEMORIES] = {{0.4e-6, 100e-6, 0.05e9, 200e9}, {0.4e-6, 300e-6, 0.05e9, 400e9}};
static const double NODE_RATE_MOST = 2e12; /* B/s, that a node injects */

static const ns_fit_group *group_of(const ns_fit *fit, int memory, int locality)
{
    for (size_t g = 0; g < fit->groups; g++)
        if (fit->group[g].in_machine && (int)fit->group[g].memory == memory && (int)fit->group[g].locality == locality)
            return &fit->group[g];
    return NULL;
}

static double start_up(const ns_fit_group *g)
{
    return g->of[0].line.alpha;
}

/* Of the largest size measured. */
static double rate(const ns_fit_group *g)
{
    const ns_fit_class *last = &g->of[g->classes - 1];
    return last->most / (last->line.alpha + last->line.beta * last->most);
}

static ns_status check_start_up(ns_fit *fit, const ns_fit_group *g, const bounds *b, ns_error *err)
{
    const double s = start_up(g);
    if (!ns_sample_is_latency(&(ns_sample){.kind = g->kind}) || (s >= b->least_s && s <= b->most_s))
        return NS_OK;
    return ns_fit_warn(fit, err, "%s %s: a start-up of %.3g us is %s known machine's: %s", ns_memory_words[g->memory],
                       ns_locality_words[g->locality], s * 1e6, s < b->least_s ? "below every" : "above every",
                       s > b->least_s               ? "are these microseconds of one message, on an idle machine?"
                       : g->locality == NS_OFF_NODE ? "was it measured inside a node (--locality FILE=on-node)?"
                                                    : "are these times of one message?");
}

static ns_status check_rate(ns_fit *fit, const ns_fit_group *g, const bounds *b, ns_error *err)
{
    enum { LONG = 1 << 16 }; /* B; shorter messages do not show a rate */
    const double r = rate(g);
    if (g->of[g->classes - 1].most < LONG || (r >= b->least_rate && r <= b->most_rate))
        return NS_OK;
    return ns_fit_warn(fit, err, "%s %s: %.3g GB/s for messages of %.0f B is %s known machine's: are the units right?",
                       ns_memory_words[g->memory], ns_locality_words[g->locality], r * 1e-9, g->of[g->classes - 1].most,
                       r < b->least_rate ? "below every" : "above every");
}

static bool both_latencies(const ns_fit_group *a, const ns_fit_group *b)
{
    return a != NULL && b != NULL && ns_sample_is_latency(&(ns_sample){.kind = a->kind}) &&
           ns_sample_is_latency(&(ns_sample){.kind = b->kind});
}

/* Host messages are slower the farther they go; device memory goes through the same drivers everywhere. */
static ns_status check_order(ns_fit *fit, ns_error *err)
{
    static const ns_locality near[] = {NS_ON_SOCKET, NS_ON_SOCKET, NS_ON_NODE},
                             far[] = {NS_ON_NODE, NS_OFF_NODE, NS_OFF_NODE};
    for (int i = 0; i < 3; i++) {
        const ns_fit_group *a = group_of(fit, NS_HOST, (int)near[i]), *b = group_of(fit, NS_HOST, (int)far[i]);
        const double slack = 1.1; /* noise of runs on different days */
        if (both_latencies(a, b) && start_up(a) > slack * start_up(b))
            NS_TRY(ns_fit_warn(fit, err,
                               "host: messages %s start up in %.3g us, %s in %.3g us: are the localities exchanged, or "
                               "the logs of different systems?",
                               ns_locality_words[near[i]], start_up(a) * 1e6, ns_locality_words[far[i]],
                               start_up(b) * 1e6));
    }
    return NS_OK;
}

/* A node sends at least as fast as one of its processes: a limit below that is left out. */
static ns_status check_injection(ns_fit *fit, int memory, ns_error *err)
{
    ns_fit_injection *r = &fit->injection[memory];
    const ns_fit_group *g = group_of(fit, memory, NS_OFF_NODE);
    const double slack = 0.5;
    if (!r->given || !r->bound)
        return NS_OK;
    const double node = 1 / r->inverse_R_N;
    if (node > NODE_RATE_MOST)
        return ns_fit_warn(fit, err,
                           "%s: R_N of %.3g GB/s is above every known node's: were the pairs on more than two nodes? "
                           "--per-node says how many a node has",
                           ns_memory_words[memory], node * 1e-9);
    if (g == NULL || node >= slack * rate(g))
        return NS_OK;
    r->given = false;
    return ns_fit_warn(fit, err,
                       "%s: R_N of %.3g GB/s is below the %.3g GB/s of one pair, so it is left out: are the logs of "
                       "different systems?",
                       ns_memory_words[memory], node * 1e-9, rate(g) * 1e-9);
}

ns_status ns_fit_sanity(ns_fit *fit, ns_error *err)
{
    for (int m = 0; m < NS_MEMORIES; m++) {
        for (int l = 0; l < NS_LOCALITIES; l++) {
            const ns_fit_group *g = group_of(fit, m, l);
            const bounds *b = l == NS_OFF_NODE ? &between[m] : &inside[m];
            if (g == NULL)
                continue;
            NS_TRY(check_start_up(fit, g, b, err));
            NS_TRY(check_rate(fit, g, b, err));
        }
        NS_TRY(check_injection(fit, m, err));
    }
    return check_order(fit, err);
}
