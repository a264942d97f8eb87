/* sharp_crossover.c -- when aggregation in the switches beats the hosts: by size, by hosts, by processes
 *
 *     switches  2 T_node(channels) + T(s) of sharp,   hosts  2 T_node(1) + best (or one) host algorithm
 *
 *     program   1/(1 - f + f/gain) times as fast where the operation takes f of its time by the hosts; from a program
 *     that became G times as fast, f = (1 - 1/G)/(1 - 1/gain)                                             (Amdahl)
 *
 * The switches' time is a step function, so there may be several crossovers: the result is the first one in size, and
 * the last one in counts.  The hosts' side uses the machine's tables: fitted to Table 1 they end at 4096 B, beyond
 * which bytes are sent at the rate of the port; a crossover far above that is an extrapolation. [SH] 3.1, Tables 1, 2
 */
#include "model/parts/sharp_tree.h"
#include "model/parts/allreduce.h"

#include <math.h>

enum { FINE = 512, HOSTS = 1024, PROCESSES = 128, HALVINGS = 60 };
static const double SEGMENTS_MOST = 0x1p32;

struct in {
    int algorithm;
    ns_sharp sharp;
    double s, s_most, channels, processes, sockets, gamma, share, observed;
    ns_beyond beyond;
};
struct out {
    double sharp, host, gain, application, implied_share, size, hosts, processes, channels_size;
};

static const ns_field inputs[] = {
    NS_WORD(algorithm, ns_allreduce_words, "host algorithm between the nodes"),
    NS_SHARP_ROWS,
    NS_IN(s, "B", "message length"),
    NS_IN_POSITIVE_FROM(s_most, "KiB", "longest message to look at", "models.sharp-crossover.s_most"),
    NS_INPUT(channels, "1", "connections of a node into the tree", .least = 1, .most = 64, .has_default = true,
             .neutral = 1),
    NS_IN_COLLECTIVE_PROCESSES,
    NS_IN_POSITIVE_FROM(sockets, "1", "sockets of a node", "topology.sockets"),
    NS_IN_DEFAULT(gamma, "ns/B", "time per byte of combining two operands on a host", 0),
    NS_INPUT(share, "%", "share of a program's time in the operation by the hosts", .most = 1, .has_default = true),
    NS_INPUT(observed, "1", "how many times as fast a program became by the switches, for implied_share",
             .most = NS_MOST, .open = true, .has_default = true, .neutral = 1),
    NS_IN_BEYOND_ROWS,
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(sharp, "us", "allreduce in the switches"),
    NS_OUT(host, "us", "allreduce by the hosts"),
    NS_OUT(gain, "1", "the latter over the former"),
    NS_OUT(application, "1", "how many times as fast a program is with the switches, by its share"),
    NS_OUT(implied_share, "%", "share of the time that would explain the speedup observed; 0 without a gain"),
    NS_OUT(size, "B", "length up to which the switches win throughout; 0: never, s_most: over the whole range"),
    NS_OUT(hosts, "1", "fewest hosts, 2 to 1024, from which on they win at this length; 0: none, or a given radix"),
    NS_OUT(processes, "1", "fewest processes on a node, 1 to 128, from which on they win at this length; 0: none"),
    NS_OUT(channels_size, "B", "length beyond which one channel always beats one per socket; 0: at all lengths"),
    NS_END
};

/* The comparison: the switches with this many channels against the hosts, or a channel per socket against one. */
typedef struct contest {
    const ns_machine *machine;
    struct in in;
    bool against_one_channel;
} contest;

static ns_collective job_of(const contest *c)
{
    return (ns_collective){c->machine, NS_HOST, c->in.sharp.hosts, c->in.s, c->in.gamma, NULL, NULL, c->in.beyond};
}

static ns_status by_switches(const contest *c, double channels, double *time, ns_error *err)
{
    const ns_collective job = job_of(c);
    const double used = fmin(channels, fmin(c->in.sockets, c->in.processes));
    ns_sharp_tree tree;
    double node;
    NS_TRY(ns_sharp_grow(&c->in.sharp, used, &tree, err));
    NS_TRY(ns_on_node_tree(&job, c->in.processes, c->in.sockets, used, &node, err));
    *time = 2 * node + ns_sharp_operation(&c->in.sharp, &tree, c->in.s).total;
    return NS_OK;
}

static ns_status by_hosts(const contest *c, double *time, ns_error *err)
{
    const ns_collective job = job_of(c);
    double times[NS_ALLREDUCES], node;
    NS_TRY(ns_allreduce_times(&job, times, NULL, err));
    NS_TRY(ns_on_node_tree(&job, c->in.processes, c->in.sockets, 1, &node, err));
    *time = 2 * node + times[c->in.algorithm];
    return NS_OK;
}

static ns_status wins(const contest *c, bool *yes, ns_error *err)
{
    double a, b;
    NS_TRY(by_switches(c, c->against_one_channel ? c->in.sockets : c->in.channels, &a, err));
    if (c->against_one_channel)
        NS_TRY(by_switches(c, 1, &b, err));
    else
        NS_TRY(by_hosts(c, &b, err));
    *yes = a < b;
    return NS_OK;
}

/* Longest length below which every size wins.  The switches' time steps up just after each segment, and the hosts'
 * rises in between, so these points decide: all of them up to FINE segments, and one in FINE beyond. */
static ns_status find_size(contest c, double *size, ns_error *err)
{
    const double segment = c.in.sharp.segment, most = c.in.s_most;
    bool yes;
    *size = 0;
    c.in.s = ldexp(fmin(segment, most), -HALVINGS);
    NS_TRY(wins(&c, &yes, err));
    if (!yes)
        return NS_OK;
    c.in.s = fmin(segment, most);
    NS_TRY(wins(&c, &yes, err));
    double lo = 0, hi = c.in.s; /* the switches win at lo and lose at hi */
    for (int i = 0; i < HALVINGS && !yes; i++) {
        bool still;
        c.in.s = lo + (hi - lo) / 2;
        NS_TRY(wins(&c, &still, err));
        *(still ? &lo : &hi) = c.in.s;
    }
    *size = lo;
    if (!yes)
        return NS_OK;
    for (double m = 1; m * segment < most; m += fmax(1, floor(m / FINE))) {
        c.in.s = nextafter(m * segment, INFINITY);
        NS_TRY(wins(&c, &yes, err));
        *size = m * segment;
        if (!yes)
            return NS_OK;
    }
    *size = most;
    return NS_OK;
}

/* Least whole number in [least, most] from which on every one wins; 0 if none.  *number points into c. */
static ns_status find_count(contest *c, double *number, double least, double most, double *found, ns_error *err)
{
    bool yes;
    *found = least;
    for (*number = least; *number <= most; ++*number) {
        NS_TRY(wins(c, &yes, err));
        *found = yes ? *found : *number + 1;
    }
    *found = *found <= most ? *found : 0;
    return NS_OK;
}

NS_EVAL(machine, in, out, err)
{
    contest base = {machine, *in, false};
    if (base.in.s_most > SEGMENTS_MOST * base.in.sharp.segment)
        return ns_fail(err, NS_ERR_RANGE, "s_most is more than 2^32 segments");
    NS_TRY(by_switches(&base, base.in.channels, &out->sharp, err));
    NS_TRY(by_hosts(&base, &out->host, err));
    out->gain = out->sharp > 0 ? out->host / out->sharp : 1;
    out->application = out->gain > 0 ? 1 / (1 - base.in.share + base.in.share / out->gain) : 1;
    out->implied_share = out->gain != 1 ? (1 - 1 / base.in.observed) / (1 - 1 / out->gain) : 0;
    NS_TRY(find_size(base, &out->size, err));
    contest other = base;
    out->hosts = 0;
    if (base.in.sharp.radix.count == 0)
        NS_TRY(find_count(&other, &other.in.sharp.hosts, 2, HOSTS, &out->hosts, err));
    other = base;
    NS_TRY(find_count(&other, &other.in.processes, 1, PROCESSES, &out->processes, err));
    /* the end of the last segment at which a channel per socket wins: a step function is lowest there */
    const double segment = base.in.sharp.segment;
    bool yes;
    base.against_one_channel = true;
    out->channels_size = 0;
    for (double m = 1; m * segment <= base.in.s_most; m += fmax(1, floor(m / FINE))) {
        base.in.s = m * segment;
        NS_TRY(wins(&base, &yes, err));
        out->channels_size = yes ? base.in.s : out->channels_size;
    }
    return NS_OK;
}

const ns_model ns_model_sharp_crossover = {
    .name = "sharp-crossover",
    .title = "when SHARP beats the hosts: by size, hosts and processes",
    .source = "[SH] Section 3.1, Tables 1, 2, Figures 4, 5",
    .notes = "Both sides reduce on the node first; the hosts' tables decide, and how far they reach.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
