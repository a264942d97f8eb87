/* full.c -- the full form of a schedule as defined: its constants by path, per step the worst process, and
 * last the floor; loads.c counts
 *
 *     off node   max(a n, o (n_out + n_in)) + max((S_out + S_in) (1 + c log2(n / d)) / R, sum b s)
 *     on node    sum a (n_out + n_in) + max(b s, L M)
 *     queue      g n^2        handshake  h        packing  max(p k, P K)
 *     floor      T0 + T1 (steps - 1) instead of all bytes, the slowest processes then being those that take longest
 *                without theirs: where that makes the exchange longer
 */
#include "core/memory.h"
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double by_class[NS_LOCALITIES][NS_PROTOCOLS];

typedef struct constants {
    by_class a, b, limit;
    double o, rate, c, gamma, handshake, pack, node_pack, floor, floor_step;
    bool shared, both_ways; /* the rate is of shared links; a process' own bytes count both ways */
} constants;

/* ---- constants --------------------------------------------------------------------------------------------------- */

static const ns_parameter *given(const ns_machine *m, const char *path)
{
    for (size_t i = 0; i < m->parameters; i++)
        if (strcmp(m->parameter[i].path, path) == 0)
            return &m->parameter[i];
    return NULL;
}

/* The number at memory.path, or otherwise. */
static double number(const ns_machine *m, int memory, const char *path, double otherwise)
{
    char whole[200];
    snprintf(whole, sizeof whole, "%s.%s", memory == NS_HOST ? "host" : "device", path);
    const ns_parameter *p = given(m, whole);
    return p != NULL ? p->value : otherwise;
}

static double class_number(const ns_machine *m, int memory, const char *before, int l, int p, const char *after,
                           double otherwise)
{
    static const char *const locality[] = {"on-socket", "on-node", "off-node"};
    static const char *const protocol[] = {"short", "eager", "rendezvous"};
    char path[200];
    snprintf(path, sizeof path, "%s%s%s%s.%s", before, locality[l], p >= 0 ? "." : "", p >= 0 ? protocol[p] : "",
             after);
    return number(m, memory, path, otherwise);
}

static bool is_measured(const ns_machine *m, int memory, int l)
{
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (class_number(m, memory, "", l, p, "alpha", -1) >= 0)
            return true;
    return false;
}

/* Inside a node one measured locality stands for the other, and off node for both: which one has the numbers? */
static int stand_in(const ns_machine *m, int memory, int l)
{
    const int other = l == NS_ON_SOCKET ? NS_ON_NODE : NS_ON_SOCKET;
    if (l == NS_OFF_NODE || is_measured(m, memory, l))
        return l;
    return is_measured(m, memory, other) ? other : NS_OFF_NODE;
}

/* First size of a protocol's messages: the locality's own, or the memory's. */
static double first_size(const ns_machine *m, int memory, int l, int p)
{
    static const char *const path[] = {"protocols.short", "protocols.eager", "protocols.rendezvous"};
    return class_number(m, memory, "", l, -1, path[p], number(m, memory, path[p], 0));
}

/* What somebody waits for: a start-up of messages that may be shorter than 64 of the host's first rendezvous ones. */
static double waited(const ns_machine *m, int memory, int l, int p)
{
    const double alpha = class_number(m, memory, "", l, p, "alpha", 0);
    return class_number(m, NS_HOST, "", NS_OFF_NODE, NS_RENDEZVOUS, "alpha", -1) >= 0 &&
                   first_size(m, memory, l, p) >= 64 * first_size(m, NS_HOST, NS_OFF_NODE, NS_RENDEZVOUS)
               ? 0
               : alpha;
}

static double in_flight(const ns_machine *m, int memory, int where, int p)
{
    return class_number(m, memory, "exchange.", where, p, "alpha",
                        class_number(m, memory, "exchange.", where, -1, "alpha", -1));
}

/* Start-ups in flight if they were measured so, by class or by locality.  Else those of single messages: inside the
 * node half; off node all protocols as the smallest, but eager after short as the last short message, up to its own;
 * with GPUs each its own. */
static void fill_start_ups(const ns_machine *m, int memory, constants *k)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = NS_PROTOCOLS - 1; p >= 0; p--) {
            const int where = stand_in(m, memory, l);
            const double single = class_number(m, memory, "", where, p, "alpha", -1),
                         flight = in_flight(m, memory, where, p);
            k->a[l][p] = flight >= 0 ? flight : l != NS_OFF_NODE ? single / 2 : single;
        }
    for (int p = NS_PROTOCOLS - 1; p >= 0 && m->gpus == 0; p--)
        for (int first = 0; first < NS_PROTOCOLS; first++)
            if (k->a[NS_OFF_NODE][first] >= 0 && in_flight(m, memory, NS_OFF_NODE, p) < 0 &&
                k->a[NS_OFF_NODE][p] >= 0) {
                const double own = k->a[NS_OFF_NODE][p], least = k->a[NS_OFF_NODE][first],
                             last = least + k->b[NS_OFF_NODE][NS_SHORT] * first_size(m, memory, NS_OFF_NODE, p);
                k->a[NS_OFF_NODE][p] = least;
                if (p == NS_EAGER && first == NS_SHORT && own > least)
                    k->a[NS_OFF_NODE][p] = own < last ? own : last;
                break;
            }
}

/* Bytes: lines in flight or single ones; a limit of the node's memory, for rendezvous in the host twice what half of
 * its processes need. */
static void fill_bytes(const ns_machine *m, int memory, constants *k)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const int where = stand_in(m, memory, l);
            k->b[l][p] = class_number(m, memory, "exchange.", where, p, "beta",
                                      class_number(m, memory, "", where, p, "beta", -1));
            const bool derived = memory == NS_HOST && l != NS_OFF_NODE && p == NS_RENDEZVOUS && k->b[l][p] >= 0 &&
                                 where != NS_OFF_NODE && m->host_processes > 1;
            k->limit[l][p] = class_number(m, memory, "exchange.", where, p, "inverse_R",
                                          derived ? 2 * k->b[l][p] / m->host_processes : 0);
        }
}

/* An injection rate is of bytes out and in together: of streams, which go one way, half the time. */
static double injection(const ns_machine *m, int memory, double otherwise)
{
    const double rate = number(m, memory, "injection.inverse_R_N", -1);
    return rate >= 0 ? rate * number(m, memory, "injection.directions", 2) / 2 : otherwise;
}

/* The rate on shared links; else the injection rate, the host's, or that of two processes, of as many as there are
 * interfaces or of as many pairs as did not reach it. */
static void fill_rate(const ns_machine *m, int memory, constants *k)
{
    const ns_parameter *nics = given(m, "topology.nics");
    double own = 0, processes = 2;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        own = k->b[NS_OFF_NODE][p] >= 0 ? k->b[NS_OFF_NODE][p] : own;
    processes = nics != NULL && nics->value > processes ? nics->value : processes;
    if (number(m, memory, "injection.unlimited_pairs", 0) > processes)
        processes = number(m, memory, "injection.unlimited_pairs", 0);
    k->rate = number(m, memory, "exchange.inverse_R", 0);
    k->shared = k->rate > 0;
    k->both_ways = memory == NS_DEVICE && !k->shared && number(m, memory, "injection.inverse_R_N", -1) < 0;
    if (!k->shared)
        k->rate = injection(m, memory, injection(m, NS_HOST, own / processes));
    k->c = number(m, memory, "exchange.crowding", memory == NS_HOST ? 0.05 : 0);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Host: 7 ns, 0 with GPUs, or what its benchmark gives if that is more.  A handshake is a rendezvous start-up, with
 * GPUs part of the floor: the largest start-ups off node and on it. */
static void fill_once(const ns_machine *m, int memory, constants *k)
{
    double off = 0, on = 0;
    k->gamma = memory == NS_HOST ? larger(m->gpus > 0 ? 0 : 7e-9, number(m, memory, "queue.gamma", 0)) : 0;
    k->gamma = number(m, memory, "exchange.gamma", k->gamma);
    k->handshake = m->gpus > 0 ? 0 : number(m, memory, "off-node.rendezvous.alpha", 0);
    k->handshake = number(m, memory, "exchange.handshake", k->handshake);
    k->o = number(m, memory, "exchange.off-node.overhead", 0);
    for (int p = 0; p < NS_PROTOCOLS; p++)
        for (int l = 0; l < NS_LOCALITIES; l++) {
            const int where = stand_in(m, memory, l);
            double *most = l == NS_OFF_NODE ? &off : &on;
            if (l == NS_OFF_NODE || where != NS_OFF_NODE)
                *most = larger(*most, waited(m, memory, where, p));
        }
    k->floor = number(m, memory, "exchange.floor", m->gpus > 0 ? off + on : 0);
    k->floor_step = number(m, memory, "exchange.floor_step", 0);
    /* copied as eager messages, or as the next ones where eager's end at a quarter of those off node */
    const double eager = k->b[NS_ON_SOCKET][NS_EAGER], last = k->b[NS_ON_SOCKET][NS_RENDEZVOUS];
    const bool soon = class_number(m, NS_HOST, "", NS_OFF_NODE, NS_RENDEZVOUS, "alpha", -1) >= 0 &&
                      first_size(m, memory, stand_in(m, memory, NS_ON_SOCKET), NS_RENDEZVOUS) <
                          first_size(m, NS_HOST, NS_OFF_NODE, NS_RENDEZVOUS) / 4;
    const double copied = eager >= 0 && (last < 0 || !soon) ? eager : last >= 0 ? last : 0;
    const bool shown = memory == NS_HOST && stand_in(m, memory, NS_ON_SOCKET) != NS_OFF_NODE;
    k->pack = number(m, memory, "exchange.packing.beta", shown ? copied / 2 : 0);
    k->node_pack = number(m, memory, "exchange.packing.inverse_R", shown ? k->limit[NS_ON_NODE][NS_EAGER] / 2 : 0);
}

static constants constants_of(const ns_machine *m, int memory)
{
    constants k;
    memset(&k, 0, sizeof k);
    fill_bytes(m, memory, &k);
    fill_start_ups(m, memory, &k);
    fill_rate(m, memory, &k);
    fill_once(m, memory, &k);
    return k;
}

/* ---- one process in one step ------------------------------------------------------------------------------------- */

typedef struct cost {
    double seconds, moving; /* of these, what moves bytes */
} cost;

static void pay_inside(const ns_load *of, const constants *k, cost *sum)
{
    for (int l = 0; l < NS_OFF_NODE; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const double ends = of->out[l][p].messages + of->in[l][p].messages;
            if (ends == 0)
                continue;
            const double bytes = larger(k->b[l][p] * larger(of->out[l][p].bytes, of->in[l][p].bytes),
                                        k->limit[l][p] * of->node_on[l][p]);
            sum->seconds += k->a[l][p] * ends + bytes;
            sum->moving += bytes;
        }
}

static void pay_outside(const ns_load *of, const constants *k, cost *sum)
{
    double n[2] = {0, 0}, start[2] = {0, 0}, own[2] = {0, 0};
    for (int way = 0; way < 2; way++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const ns_class_load *one = way == 0 ? &of->out[NS_OFF_NODE][p] : &of->in[NS_OFF_NODE][p];
            if (one->messages == 0)
                continue;
            n[way] += one->messages;
            start[way] += one->messages * k->a[NS_OFF_NODE][p];
            own[way] += one->bytes * k->b[NS_OFF_NODE][p];
        }
    if (n[0] + n[1] == 0)
        return;
    const double most = larger(n[0], n[1]), line = k->both_ways ? own[0] + own[1] : larger(own[0], own[1]);
    const double crowding = k->shared ? 1 : 1 + k->c * log2(larger(1, most / of->partners));
    const double bytes = larger(line, (of->node_out + of->node_in) * k->rate * crowding);
    sum->seconds += larger(larger(start[0], start[1]), k->o * (n[0] + n[1])) + bytes + k->gamma * most * most;
    sum->moving += bytes;
}

static cost process_cost(const ns_load *of, const constants *k)
{
    cost sum = {0, 0};
    pay_inside(of, k, &sum);
    pay_outside(of, k, &sum);
    sum.seconds += of->bundled > 0 ? larger(of->bundled * k->pack, of->node_bundled * k->node_pack) : 0;
    sum.seconds += of->handshakes * k->handshake;
    return sum;
}

double oracle_price_full(const ns_schedule *schedule, const ns_machine *machine)
{
    const constants k = constants_of(machine, schedule->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST);
    oracle_cost plain;
    oracle_price(schedule, machine, &plain);
    double all = 0, waits = 0, leaving = 0;
    int steps = 0;
    for (int i = 0; i < schedule->steps; i++) {
        ns_load *list = oracle_loads(schedule, i, machine, false);
        double longest = 0, longest_wait = 0;
        steps += schedule->step[i].messages > 0;
        for (int32_t p = 0; p < schedule->processes; p++) {
            if (list[p].out_squares + list[p].in_squares > 0) {
                const cost of = process_cost(&list[p], &k);
                longest = larger(longest, of.seconds);
                longest_wait = larger(longest_wait, of.seconds - of.moving);
            }
            for (int c = 0; c < NS_PROTOCOLS; c++)
                leaving += list[p].out[NS_OFF_NODE][c].messages;
        }
        all += longest;
        waits += longest_wait;
        ns_free(list);
    }
    return plain.copy_s + (leaving > 0 ? larger(all, k.floor + k.floor_step * (steps - 1) + waits) : all);
}
