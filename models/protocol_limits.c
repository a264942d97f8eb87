/* protocol_limits.c -- the sizes from which a library uses its next protocol, for every message alike
 *
 *     s* = min over localities with b_1 > b_2 of max(0, (a_2 - a_1)/(b_1 - b_2))
 *
 * A library that has one limit for all of its transports compares message lengths with it, wherever they go.  The limit
 * is where the later protocol pays first: the lines of one locality may cross far beyond it, where the library still
 * takes the later protocol and loses a little.  Wrong for libraries with a limit for each transport (Cray MPI has one
 * inside a node and one between nodes), and where an administrator sets it.
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

/* INFINITY where the later protocol gains with size in no locality. */
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
