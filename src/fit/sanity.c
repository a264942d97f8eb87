/* sanity.c -- check for implausible numbers: a wrong label, unit or round trip is likelier than a new record
 *
 * The bounds are wide: a warning means two to ten times beyond the machines known in 2026.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

/* Bounds for a pair of processes: start-up in s, rate of the longest messages in B/s. */
typedef struct bounds {
    double least_s, most_s, least_rate, most_rate;
} bounds;

static const bounds inside[NS_MEMORIES] = {{20e-9, 20e-6, 0.1e9, 400e9}, {50e-9, 200e-6, 0.1e9, 4e12}},
                    between[NS_MEMORIES] = {{0.4e-6, 100e-6, 0.05e9, 200e9}, {0.4e-6, 300e-6, 0.05e9, 400e9}};
static const double NODE_RATE_MOST = 2e12; /* B/s, that a node injects */

static double start_up(const ns_fit_group *g)
{
    return g->of[0].line.alpha;
}

/* Rate at the largest size measured. */
static double rate(const ns_fit_group *g)
{
    const ns_fit_class *last = &g->of[g->classes - 1];
    return last->most / (last->line.alpha + last->line.beta * last->most);
}

ns_status ns_fit_sanity(ns_fit *fit, ns_error *err)
{
    static const ns_locality near[] = {NS_ON_SOCKET, NS_ON_SOCKET, NS_ON_NODE},
                             far[] = {NS_ON_NODE, NS_OFF_NODE, NS_OFF_NODE};
    enum { LONG = 1 << 16 }; /* B; shorter messages do not show a rate */
    const double slower = 0.5, slack = 1.1; /* allows for noise between runs on different days */
    for (int m = 0; m < NS_MEMORIES; m++) {
        for (int l = 0; l < NS_LOCALITIES; l++) {
            const ns_fit_group *g = ns_fit_group_at(fit, m, l);
            if (g == NULL)
                continue;
            const bounds *b = l == NS_OFF_NODE ? &between[m] : &inside[m];
            const double s = start_up(g), r = rate(g), most = g->of[g->classes - 1].most;
            if (ns_kind_is_latency(g->kind) && (s < b->least_s || s > b->most_s))
                NS_TRY(ns_fit_warn(fit, err, "%s %s: a start-up of %.3g us is %s known machine's: %s",
                                   ns_memory_words[m], ns_locality_words[l], s * 1e6,
                                   s < b->least_s ? "below every" : "above every",
                                   s > b->least_s ? "are these microseconds of one message, on an idle machine?"
                                   : l == NS_OFF_NODE ? "was it measured inside a node (--locality FILE=on-node)?"
                                                      : "are these times of one message?"));
            if (most >= LONG && !(r >= b->least_rate && r <= b->most_rate))
                NS_TRY(ns_fit_warn(fit, err,
                                   "%s %s: %.3g GB/s for messages of %.0f B is %s known machine's: are the units "
                                   "right?",
                                   ns_memory_words[m], ns_locality_words[l], r * 1e-9, most,
                                   r < b->least_rate ? "below every" : "above every"));
        }
        ns_fit_injection *i = &fit->injection[m];
        const ns_fit_group *off = ns_fit_group_at(fit, m, NS_OFF_NODE);
        const double node = i->given && i->bound ? 1 / i->inverse_R_N : 0;
        if (node > NODE_RATE_MOST) {
            NS_TRY(ns_fit_warn(fit, err,
                               "%s: R_N of %.3g GB/s is above every known node's: were the pairs on more than two "
                               "nodes? --per-node says how many a node has",
                               ns_memory_words[m], node * 1e-9));
        } else if (node > 0 && off != NULL && node < slower * rate(off)) {
            /* a node sends at least as fast as one of its processes */
            i->given = false;
            NS_TRY(ns_fit_warn(fit, err,
                               "%s: R_N of %.3g GB/s is below the %.3g GB/s of one pair, so it is left out: are the "
                               "logs of different systems?",
                               ns_memory_words[m], node * 1e-9, rate(off) * 1e-9));
        }
    }
    /* Host messages are slower the farther they go; device memory uses the same drivers at every locality. */
    for (int i = 0; i < 3; i++) {
        const ns_fit_group *a = ns_fit_group_at(fit, NS_HOST, (int)near[i]),
                           *b = ns_fit_group_at(fit, NS_HOST, (int)far[i]);
        if (a != NULL && b != NULL && ns_kind_is_latency(a->kind) && ns_kind_is_latency(b->kind) &&
            start_up(a) > slack * start_up(b))
            NS_TRY(ns_fit_warn(fit, err,
                               "host: messages %s start up in %.3g us, %s in %.3g us: are the localities exchanged, or "
                               "the logs of different systems?",
                               ns_locality_words[near[i]], start_up(a) * 1e6, ns_locality_words[far[i]],
                               start_up(b) * 1e6));
    }
    return NS_OK;
}
