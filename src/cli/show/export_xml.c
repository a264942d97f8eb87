/* export_xml.c -- a platform in SimGrid's XML, and what that, and any platform, cannot say of a machine
 *
 * XML has one list of segments for all routes, so it has those of off-node messages.  Inside a node the latency of a
 * route is smaller by as much as the start-up of the first protocol that both localities have.
 */
#include "cli/show/export.h"
#include "report/columns.h"

#include <math.h>

static const double UNIT = 1e-6, ENVELOPE = 16; /* s of a route off node; B that SMPI adds to a message */

static const ns_line *off_line(const ns_platform *p, int protocol)
{
    return &p->machine->line[NS_HOST][NS_OFF_NODE][protocol];
}

/* Of a message's start-up inside the node to that off it. */
static double latency_share(const ns_platform *p, int locality)
{
    for (int c = NS_EAGER; c < NS_PROTOCOLS; c++)
        if (off_line(p, c)->given && p->machine->line[NS_HOST][locality][c].given && off_line(p, c)->alpha > 0)
            return p->machine->line[NS_HOST][locality][c].alpha / off_line(p, c)->alpha;
    return 1;
}

/* A section of a list holds for sizes above its first number. */
static void put_list(const ns_platform *p, const char *name, double share, bool factor, FILE *out)
{
    const char *between = "";
    fprintf(out, "    <prop id=\"smpi/%s\" value=\"", name);
    for (int c = 0; c < NS_PROTOCOLS; c++) {
        const ns_line *line = off_line(p, c);
        if (!line->given)
            continue;
        const double start_up = share * (line->alpha - ENVELOPE * p->fastest[NS_OFF_NODE]);
        const double above = fmax(line->from - 1 + (factor ? ENVELOPE : 0), 0);
        fprintf(out, "%s%.0f:%.9g", between, line->from > 0 ? above : 0, factor ? start_up / UNIT : start_up);
        if (!factor)
            fprintf(out, ":%.9g", 0.5 * (line->beta - p->fastest[NS_OFF_NODE]));
        between = ";";
    }
    fprintf(out, "\"/>\n");
}

static void put_link(const char *name, const char *of, double inverse, double latency, bool shared, FILE *out)
{
    fprintf(out, "      <link id=\"%s%s\" bandwidth=\"%.9gBps\" latency=\"%.9gs\"%s/>\n", of, name,
            inverse > 0 ? 1 / inverse : 1e15, latency, shared ? "" : " sharing_policy=\"FATPIPE\"");
}

static int socket_of(const ns_platform *p, int process)
{
    return (int)((int64_t)process * p->sockets / p->per_node);
}

static void put_process(const ns_platform *p, int node, int i, FILE *out)
{
    char name[40];
    snprintf(name, sizeof name, "node%d.%d", node, i);
    fprintf(out, "      <host id=\"%s\" speed=\"1Gf\"/>\n", name);
    for (int l = 0; l < NS_LOCALITIES; l++) {
        char end[40];
        snprintf(end, sizeof end, " out %s", ns_locality_words[l]);
        put_link(end, name, p->fastest[l], 0, true, out);
        snprintf(end, sizeof end, " in %s", ns_locality_words[l]);
        put_link(end, name, p->fastest[l], 0, true, out);
    }
}

static void put_node(const ns_platform *p, int node, FILE *out)
{
    char name[40];
    snprintf(name, sizeof name, "node%d ", node);
    fprintf(out, "    <zone id=\"node%d\" routing=\"Full\">\n", node);
    for (int i = 0; i < p->per_node; i++)
        put_process(p, node, i, out);
    fprintf(out, "      <router id=\"node%d router\"/>\n", node);
    for (int l = 0; l < NS_OFF_NODE; l++) {
        char wait[40];
        snprintf(wait, sizeof wait, "%s wait", ns_locality_words[l]);
        put_link(wait, name, 0, UNIT * latency_share(p, l), false, out);
        put_link(ns_locality_words[l], name, p->inverse_R[l], 0, true, out);
    }
    for (int a = 0; a < p->per_node; a++)
        for (int b = 0; b < p->per_node; b++) {
            const char *word = ns_locality_words[socket_of(p, a) == socket_of(p, b) ? NS_ON_SOCKET : NS_ON_NODE];
            if (a != b)
                fprintf(out,
                        "      <route src=\"node%d.%d\" dst=\"node%d.%d\" symmetrical=\"NO\"><link_ctn id=\"node%d %s "
                        "wait\"/><link_ctn id=\"node%d.%d out %s\"/><link_ctn id=\"node%d %s\"/><link_ctn "
                        "id=\"node%d.%d in %s\"/></route>\n",
                        node, a, node, b, node, word, node, a, word, node, word, node, b, word);
        }
    for (int a = 0; a < p->per_node; a++)
        fprintf(
            out,
            "      <route src=\"node%d.%d\" dst=\"node%d router\" symmetrical=\"NO\"><link_ctn id=\"node%d.%d out "
            "off-node\"/></route>\n      <route src=\"node%d router\" dst=\"node%d.%d\" symmetrical=\"NO\"><link_ctn "
            "id=\"node%d.%d in off-node\"/></route>\n",
            node, a, node, node, a, node, node, a, node, a);
    fprintf(out, "    </zone>\n");
}

void ns_platform_xml(const ns_platform *p, FILE *out)
{
    fprintf(out, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n");
    fprintf(out, "  <config>\n");
    put_list(p, "os", p->start_up->sender, false, out);
    put_list(p, "ois", p->start_up->sender, false, out);
    put_list(p, "or", p->start_up->receiver, false, out);
    put_list(p, "lat-factor", p->start_up->network, true, out);
    fprintf(out,
            "    <prop id=\"smpi/bw-factor\" value=\"0:1\"/>\n"
            "    <prop id=\"smpi/send-is-detached-thresh\" value=\"2147483647\"/>\n"
            "    <prop id=\"smpi/async-small-thresh\" value=\"%.0f\"/>\n"
            "    <prop id=\"network/TCP-gamma\" value=\"1e15\"/>\n"
            "    <prop id=\"network/weight-S\" value=\"0\"/>\n"
            "    <prop id=\"network/crosstraffic\" value=\"no\"/>\n  </config>\n",
            p->detached > 0 ? p->detached : 2147483647.0);
    fprintf(out, "  <zone id=\"cluster\" routing=\"Full\">\n");
    for (int node = 0; node < p->nodes; node++)
        put_node(p, node, out);
    put_link("wire", "", 0, UNIT, false, out);
    for (int node = 0; node < p->nodes; node++) {
        char name[40];
        snprintf(name, sizeof name, "node%d ", node);
        put_link("link", name, p->inverse_R[NS_OFF_NODE], 0, true, out);
    }
    /* From every node to every other. */
    for (int a = 0; a < p->nodes; a++)
        for (int b = 0; b < p->nodes; b++)
            if (a != b)
                fprintf(
                    out,
                    "    <zoneRoute src=\"node%d\" dst=\"node%d\" gw_src=\"node%d router\" gw_dst=\"node%d router\" "
                    "symmetrical=\"NO\"><link_ctn id=\"wire\"/><link_ctn id=\"node%d link\"/><link_ctn "
                    "id=\"node%d link\"/></zoneRoute>\n",
                    a, b, a, b, a, b);
    fprintf(out, "  </zone>\n</platform>\n");
}

/* ---- what is lost ------------------------------------------------------------------------------------------------ */

static void lose(ns_value *list, const char *text)
{
    ns_value_text(ns_value_object(list, NULL), "lost", text);
}

void ns_platform_losses(const ns_platform *p, bool xml, ns_value *result)
{
    ns_value *list = ns_put_rows(result, "losses", NS_EVERYWHERE);
    if (xml) {
        lose(list, "XML has one list of segments for all localities: first sizes are those off node");
        lose(list, "inside a node the sender's and the receiver's shares of a start-up are those off node");
        lose(list, "inside a node the network's share is right for one protocol; the others keep their ratio off node");
        lose(list, "inside a node what processors copy of each byte is as much as off node");
    }
    lose(list, "the search of the receive queue (gamma n^2) and many messages to one node (crowding) cost nothing");
    lose(list, "packing, copies to and from GPUs and a step's handshake cost nothing");
    lose(list, "start-ups are those of single messages, not of messages in flight");
    if (p->start_up->network > 0)
        lose(list, "the network's share of start-ups passes at once for all messages of a process");
    lose(list, "bytes to other processes of the node and to other nodes pass at the same time");
    if (p->inverse_R[NS_OFF_NODE] > 0)
        lose(list, "a node's link carries what goes out and what comes in together, at the rate of the form full");
}
