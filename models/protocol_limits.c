/* protocol_limits.c -- first sizes of a library's protocols, common to all messages
 *
 *     s* = min over localities with b_1 > b_2 of max(0, (a_2 - a_1)/(b_1 - b_2))
 *
 * A library with one limit for all of its transports compares every message length with it, whatever the destination.
 * The limit is the smallest size at which the later protocol is faster in some locality.  The lines of another
 * locality may cross far beyond it: between, the library uses the later protocol and loses a little.  The model is
 * wrong for libraries with a limit per transport (Cray MPI has one inside a node and one between nodes), and where an
 * administrator sets the limit.
 */

#include "machine/model.h"

#include <math.h>

enum { SOCKET, NODE, OFF, PLACES };
enum { SHORT, EAGER, RENDEZVOUS, LINES };

struct in {
    double alpha[LINES][PLACES], beta[LINES][PLACES];
};
struct out {
    double eager, rendezvous;
};

#define LINE(protocol, place, name, word, where)                                                                       \
    NS_INPUT_AT(alpha[protocol][place], "alpha_" name, "us", "start-up time of " word " messages " where,              \
                .from = "{memory}." where "." word ".alpha", .most = NS_MOST),                                         \
        NS_INPUT_AT(beta[protocol][place], "beta_" name, "ns/B", "time per byte of " word " messages " where,          \
                    .from = "{memory}." where "." word ".beta", .most = NS_MOST)

static const ns_field inputs[] = {LINE(SHORT, SOCKET, "short_socket", "short", "on-socket"),
                                  LINE(SHORT, NODE, "short_node", "short", "on-node"),
                                  LINE(SHORT, OFF, "short_off", "short", "off-node"),
                                  LINE(EAGER, SOCKET, "eager_socket", "eager", "on-socket"),
                                  LINE(EAGER, NODE, "eager_node", "eager", "on-node"),
                                  LINE(EAGER, OFF, "eager_off", "eager", "off-node"),
                                  LINE(RENDEZVOUS, SOCKET, "rendezvous_socket", "rendezvous", "on-socket"),
                                  LINE(RENDEZVOUS, NODE, "rendezvous_node", "rendezvous", "on-node"),
                                  LINE(RENDEZVOUS, OFF, "rendezvous_off", "rendezvous", "off-node"),
                                  NS_END};
static const ns_field outputs[] = {NS_OUT(eager, "B", "size from which messages are eager, not short"),
                                   NS_OUT(rendezvous, "B", "size from which they take a rendezvous"), NS_END};

/* INFINITY if the later protocol does not gain with size in any locality. */
static double first_crossing(const struct in *in, int before)
{
    double first = INFINITY;
    for (int l = 0; l < PLACES; l++) {
        const double gain = in->beta[before][l] - in->beta[before + 1][l],
                     cost = in->alpha[before + 1][l] - in->alpha[before][l];
        if (gain > 0)
            first = fmin(first, fmax(0, cost / gain));
    }
    return first;
}

NS_EVAL(machine, in, out, err)
{
    out->eager = first_crossing(in, SHORT);
    out->rendezvous = first_crossing(in, EAGER);
    if (!isfinite(out->eager) || !isfinite(out->rendezvous))
        return ns_fail(err, NS_ERR_RANGE,
                       "a later protocol has to take less time per byte than the one before, in one locality at least");
    return NS_OK;
}

const ns_model ns_model_protocol_limits = {
    .name = "protocol-limits",
    .title = "sizes from which a library uses its next protocol, for all localities",
    .source = "[RS] Section 2.2.1.2 and 2.2.2, lines as in [NA] Table 2; form ours",
    .notes = "A library with a limit for each transport is another case: switch-point crosses the lines of one.",
    NS_ROWS_AND_EVAL,
};
