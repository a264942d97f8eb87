/* export_simgrid.c -- a platform as the C++ source of a library for SimGrid 3.31 or later
 *
 * A process is a host of its own, so that its bytes pass sequentially over links of its own; the names of a node's
 * hosts are equal up to the dot, "node3.5".  A zone of hosts has its node's link to the others, and its memory.
 */
#include "cli/show/export.h"
#include "machine/form.h"
#include "report/cell.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

/* ---- a platform in SimGrid's XML, and what XML, or any platform, cannot express about a machine
 *
 * XML has one list of segments for all routes, so it has those of off-node messages.  Inside a node the latency of a
 * route is smaller by as much as the start-up of the first protocol that both localities have. */

static const double UNIT = 1e-6, ENVELOPE = 16; /* s of a route off node; B that SMPI adds to a message */

static const ns_line *off_line(const ns_platform *p, int protocol)
{
    return &p->machine->line[NS_HOST][NS_OFF_NODE][protocol];
}

/* A section of a list applies to sizes above its first number. */
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
    for (int node = 0; node < p->nodes; node++) {
        char name[40];
        snprintf(name, sizeof name, "node%d ", node);
        fprintf(out, "    <zone id=\"node%d\" routing=\"Full\">\n", node);
        for (int i = 0; i < p->per_node; i++) {
            char process[40], end[40];
            snprintf(process, sizeof process, "node%d.%d", node, i);
            fprintf(out, "      <host id=\"%s\" speed=\"1Gf\"/>\n", process);
            for (int l = 0; l < NS_LOCALITIES; l++)
                for (int in = 0; in < 2; in++) {
                    snprintf(end, sizeof end, in ? " in %s" : " out %s", ns_locality_words[l]);
                    put_link(end, process, p->fastest[l], 0, true, out);
                }
        }
        fprintf(out, "      <router id=\"node%d router\"/>\n", node);
        for (int l = 0; l < NS_OFF_NODE; l++) {
            char wait[40];
            snprintf(wait, sizeof wait, "%s wait", ns_locality_words[l]);
            /* the ratio of a message's start-up inside the node to that off it */
            double share = 1;
            for (int c = NS_PROTOCOLS - 1; c >= NS_EAGER; c--)
                if (off_line(p, c)->given && p->machine->line[NS_HOST][l][c].given && off_line(p, c)->alpha > 0)
                    share = p->machine->line[NS_HOST][l][c].alpha / off_line(p, c)->alpha;
            put_link(wait, name, 0, UNIT * share, false, out);
            put_link(ns_locality_words[l], name, p->inverse_R[l], 0, true, out);
        }
        for (int a = 0; a < p->per_node; a++)
            for (int b = 0; b < p->per_node; b++) {
                const char *word = ns_locality_words[socket_of(p, a) == socket_of(p, b) ? NS_ON_SOCKET : NS_ON_NODE];
                if (a != b)
                    fprintf(
                        out,
                        "      <route src=\"node%d.%d\" dst=\"node%d.%d\" symmetrical=\"NO\"><link_ctn id=\"node%d %s "
                        "wait\"/><link_ctn id=\"node%d.%d out %s\"/><link_ctn id=\"node%d %s\"/><link_ctn "
                        "id=\"node%d.%d in %s\"/></route>\n",
                        node, a, node, b, node, word, node, a, word, node, word, node, b, word);
            }
        for (int a = 0; a < p->per_node; a++)
            fprintf(
                out,
                "      <route src=\"node%d.%d\" dst=\"node%d router\" symmetrical=\"NO\"><link_ctn id=\"node%d.%d out "
                "off-node\"/></route>\n      <route src=\"node%d router\" dst=\"node%d.%d\" "
                "symmetrical=\"NO\"><link_ctn "
                "id=\"node%d.%d in off-node\"/></route>\n",
                node, a, node, node, a, node, node, a, node, a);
        fprintf(out, "    </zone>\n");
    }
    put_link("wire", "", 0, UNIT, false, out);
    for (int node = 0; node < p->nodes; node++) {
        char name[40];
        snprintf(name, sizeof name, "node%d ", node);
        put_link("link", name, p->inverse_R[NS_OFF_NODE], 0, true, out);
    }
    /* Every node has a route to every other. */
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

/* ---- losses ------------------------------------------------------------------------------------------------------ */

void ns_platform_losses(const ns_platform *p, bool xml, ns_value *result)
{
    const bool in_network = p->start_up->network > 0, shared = p->inverse_R[NS_OFF_NODE] > 0;
    const struct {
        bool lost;
        const char *what;
    } losses[] = {
        {xml, "XML has one list of segments for all localities: first sizes are those off node"},
        {xml, "inside a node the sender's and the receiver's shares of a start-up are those off node"},
        {xml, "inside a node the network's share is right for one protocol; the others keep their ratio off node"},
        {xml, "inside a node what processors copy of each byte is as much as off node"},
        {true, "the search of the receive queue (gamma n^2) and many messages to one node (crowding) cost nothing"},
        {true, "packing, copies to and from GPUs and a step's handshake cost nothing"},
        {true, "start-ups are those of single messages, not of messages in flight"},
        {in_network, "the network's share of start-ups passes at once for all messages of a process"},
        {true, "bytes to other processes of the node and to other nodes pass at the same time"},
        {shared, "a node's link carries what goes out and what comes in together, at the rate of the cost model full"},
    };
    ns_value *list = ns_put_rows(result, "losses", NS_EVERYWHERE);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (losses[i].lost)
            ns_value_text(ns_value_object(list, NULL), "lost", losses[i].what);
}

/* ---- the numbers of a SimGrid platform, from those of a machine
 *
 * A message of s bytes costs alpha + beta s by its locality and protocol.  On the platform
 *
 *     alpha                  is split between sender, receiver and network: ns_start_ups
 *     fastest s              passes over links; fastest is the smallest beta of the locality's protocols
 * (beta - fastest) s     is the processors' time, half at either end, since they copy such messages
 *
 * so that all bytes of a node share one link at the rate that the cost model full has for them, whatever their
 * protocol. */

const ns_start_up ns_start_ups[NS_START_UPS] = {
    {"network", 0, 0, 1},
    {"sender", 1, 0, 0},
    {"ends", 0.5, 0.5, 0},
    {"thirds", 1.0 / 3, 1.0 / 3, 1.0 / 3},
};
const char *const ns_start_up_words[] = {"network", "sender", "ends", "thirds", NULL};

ns_status ns_platform_make(const ns_machine *machine, int nodes, int per_node, const ns_start_up *start_up,
                           ns_platform *platform, ns_error *err)
{
    ns_platform made = {.machine = machine, .nodes = nodes, .per_node = per_node, .start_up = start_up};
    made.sockets = machine->sockets > 0 ? machine->sockets : 1;
    made.detached = ns_machine_rendezvous_from(machine);
    for (int l = 0; l < NS_LOCALITIES; l++) {
        double fastest = INFINITY;
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if (machine->line[NS_HOST][l][p].given)
                fastest = fmin(fastest, machine->line[NS_HOST][l][p].beta);
        made.fastest[l] = fastest;
        if (!(made.fastest[l] > 0 && made.fastest[l] < INFINITY))
            return ns_fail(err, NS_ERR_DATA,
                           "%s has no time per byte of messages %s in host memory, which a platform wants",
                           machine->name, ns_locality_words[l]);
    }
    /* Off node: the rate of bytes out of and into the node; inside it: the rate of its memory, for the longest
     * messages.  A single process is never slower than its line. */
    const ns_form *form = NULL;
    ns_form_values values;
    if (ns_form_get("full", &form, NULL) == NS_OK) {
        ns_form_take(form, made.machine, NS_HOST, 0, &values);
        const double shared = ns_form_number(&values, "<memory>.exchange.inverse_R", NS_OFF_NODE, NS_SHORT);
        made.inverse_R[NS_OFF_NODE] =
            shared > 0 ? shared : ns_form_number(&values, "<memory>.injection.inverse_R_N", NS_OFF_NODE, NS_SHORT);
        for (int l = 0; l < NS_OFF_NODE; l++)
            made.inverse_R[l] = ns_form_number(&values, "<memory>.exchange.<locality>.<protocol>.inverse_R",
                                               (ns_locality)l, NS_RENDEZVOUS);
        for (int l = 0; l < NS_LOCALITIES; l++)
            made.inverse_R[l] = fmin(made.inverse_R[l], made.fastest[l]);
    }
    *platform = made;
    return NS_OK;
}

/* ---- the head: numbers of the machine ---------------------------------------------------------------------------- */

static const char *const includes[] = {
    "#include <climits>",
    "#include <string>",
    "#include <unordered_map>",
    "#include <vector>",
    "",
    "#include <simgrid/kernel/resource/NetworkModelIntf.hpp>",
    "#include <simgrid/s4u.hpp>",
    "#include <smpi/smpi.h>",
    "",
    "namespace sg = simgrid::s4u;",
    "",
    "namespace {",
    "",
    "enum locality { on_socket, on_node, off_node, localities };",
    "",
    "struct segment {",
    "  double from, alpha, beta; // B, s, s/B",
    "};",
    "",
    NULL,
};

/* ---- the body: the same for every machine ------------------------------------------------------------------------ */

static const char *const body[] = {
    "const double unit = 1e-6;    // s, latency of every route, which is multiplied",
    "const double envelope = 16;  // B that SMPI adds to every message",
    "const double unlimited = 1e15; // B/s",
    "",
    "struct place {",
    "  int node, socket;",
    "};",
    "std::unordered_map<const sg::Host*, place> places;",
    "",
    "locality between(const sg::Host* a, const sg::Host* b)",
    "{",
    "  const place &x = places.at(a), &y = places.at(b);",
    "  return x.node != y.node ? off_node : x.socket != y.socket ? on_node : on_socket;",
    "}",
    "",
    "const segment& segment_of(locality l, double bytes)",
    "{",
    "  const segment* found = &segments[l].front();",
    "  for (const segment& s : segments[l])",
    "    if (bytes >= s.from)",
    "      found = &s;",
    "  return *found;",
    "}",
    "",
    "// A share of alpha, less the time of the envelope's bytes by the same share; half of what the processors copy.",
    "double at_an_end(double share, size_t bytes, const sg::Host* from, const sg::Host* to)",
    "{",
    "  if (from == to || places.count(from) == 0) // SMPI forgets where a sender was that has ended",
    "    return 0;",
    "  const locality l = between(from, to);",
    "  const segment& s = segment_of(l, bytes);",
    "  return share * (s.alpha - envelope * fastest[l]) + 0.5 * (s.beta - fastest[l]) * bytes;",
    "}",
    "",
    "double in_the_network(double bytes, const sg::Host* from, const sg::Host* to, const std::vector<sg::Link*>&,",
    "                      const std::unordered_set<sg::NetZone*>&)",
    "{",
    "  if (from == to)",
    "    return 1;",
    "  const locality l = between(from, to);",
    "  return network * (segment_of(l, bytes - envelope).alpha - envelope * fastest[l]) / unit;",
    "}",
    "",
    "double all_of_it(double, const sg::Host*, const sg::Host*, const std::vector<sg::Link*>&,",
    "                 const std::unordered_set<sg::NetZone*>&)",
    "{",
    "  return 1;",
    "}",
    "",
    "sg::Link* link(sg::NetZone* zone, const std::string& name, double inverse)",
    "{",
    "  return zone->create_link(name, inverse > 0 ? 1 / inverse : unlimited)->set_latency(0)->seal();",
    "}",
    "",
    "// The links of a process: one out and one in for each locality.",
    "struct process {",
    "  sg::Host* host;",
    "  sg::Link *out[localities], *in[localities];",
    "};",
    "",
    "std::vector<sg::LinkInRoute> route(std::initializer_list<const sg::Link*> links)",
    "{",
    "  std::vector<sg::LinkInRoute> list;",
    "  for (const sg::Link* one : links)",
    "    list.emplace_back(one);",
    "  return list;",
    "}",
    "",
    "process make_process(sg::NetZone* zone, int node, int index)",
    "{",
    "  static const char* const words[localities] = {\"on-socket\", \"on-node\", \"off-node\"};",
    "  const std::string name = \"node\" + std::to_string(node) + \".\" + std::to_string(index);",
    "  process p;",
    "  p.host = zone->create_host(name, 1e9)->seal();",
    "  places[p.host] = {node, static_cast<int>(static_cast<long>(index) * sockets / per_node)};",
    "  for (int l = 0; l < localities; l++) {",
    "    p.out[l] = link(zone, name + \" out \" + words[l], fastest[l]);",
    "    p.in[l] = link(zone, name + \" in \" + words[l], fastest[l]);",
    "  }",
    "  return p;",
    "}",
    "",
    "void make_node(sg::NetZone* root, int node)",
    "{",
    "  const std::string name = \"node\" + std::to_string(node);",
    "  sg::NetZone* zone = sg::create_full_zone(name);",
    "  zone->set_parent(root);",
    "  auto* router = zone->create_router(name + \" router\");",
    "  sg::Link* nic = link(root, name + \" link\", of_node[off_node]);",
    "  const sg::Link* wire = root->create_link(name + \" wire\", unlimited)->set_latency(unit / 2)",
    "                             ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)->seal();",
    "  const sg::Link* wait = zone->create_link(name + \" wait\", unlimited)->set_latency(unit)",
    "                             ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)->seal();",
    "  const sg::Link* memory[] = {link(zone, name + \" on-socket\", of_node[on_socket]),",
    "                              link(zone, name + \" on-node\", of_node[on_node])};",
    "  std::vector<process> all;",
    "  for (int i = 0; i < per_node; i++)",
    "    all.push_back(make_process(zone, node, i));",
    "  for (const process& a : all) {",
    "    zone->add_route(a.host->get_netpoint(), router, nullptr, nullptr, route({a.out[off_node]}), false);",
    "    zone->add_route(router, a.host->get_netpoint(), nullptr, nullptr, route({a.in[off_node]}), false);",
    "    for (const process& b : all) {",
    "      if (a.host == b.host)",
    "        continue;",
    "      const locality l = between(a.host, b.host);",
    "      zone->add_route(a.host->get_netpoint(), b.host->get_netpoint(), nullptr, nullptr,",
    "                      route({wait, a.out[l], memory[l], b.in[l]}), false);",
    "    }",
    "  }",
    "  zone->seal();",
    "  root->add_route(zone->get_netpoint(), nullptr, router, nullptr, route({wire, nic}), true);",
    "}",
    "",
    "} // namespace",
    "",
    "extern \"C\" void load_platform(const sg::Engine& engine);",
    "void load_platform(const sg::Engine&)",
    "{",
    "  sg::Engine::set_config(\"smpi/send-is-detached-thresh:\" + std::to_string(INT_MAX));",
    "  sg::Engine::set_config(\"smpi/async-small-thresh:\" + std::to_string(detached > 0 ? detached : INT_MAX));",
    "  sg::Engine::set_config(\"network/TCP-gamma:1e15\"); // no window",
    "  sg::Engine::set_config(\"network/weight-S:0\");     // equal shares of a link",
    "  sg::Engine::set_config(\"network/crosstraffic:no\"); // a ping-pong has no traffic the other way",
    "  sg::NetZone* root = sg::create_star_zone(\"cluster\");",
    "  for (int node = 0; node < nodes; node++)",
    "    make_node(root, node);",
    "  root->seal();",
    "  root->get_network_model()->set_lat_factor_cb(in_the_network);",
    "  root->get_network_model()->set_bw_factor_cb(all_of_it);",
    "  const auto send = [](size_t bytes, const sg::Host* from, const sg::Host* to) {",
    "    return at_an_end(sender, bytes, from, to);",
    "  };",
    "  smpi_register_op_cost_callback(SmpiOperation::SEND, send);",
    "  smpi_register_op_cost_callback(SmpiOperation::ISEND, send);",
    "  const auto receive = [](size_t bytes, const sg::Host* from, const sg::Host* to) {",
    "    return at_an_end(receiver, bytes, from, to);",
    "  };",
    "  smpi_register_op_cost_callback(SmpiOperation::RECV, receive);",
    "}",
    NULL,
};

void ns_platform_library(const ns_platform *platform, FILE *out)
{
    fputs("// ", out);
    ns_cell_print(out, platform->machine->title, strlen(platform->machine->title));
    fprintf(
        out,
        ": %d nodes of %d processes, as nsmodel's machine file has it\n//\n"
        "//   g++ -std=c++17 -O2 -fPIC -shared -o platform.so THIS_FILE -lsimgrid\n"
        "//   smpirun -np %d -hostfile hosts -platform ./platform.so --cfg=smpi/simulate-computation:no PROGRAM\n//\n"
        "// hosts: node0.0, node0.1, ... node%d.%d, one a line.  SimGrid 3.31 or later.\n",
        platform->nodes, platform->per_node, platform->nodes * platform->per_node, platform->nodes - 1,
        platform->per_node - 1);
    for (const char *const *line = includes; *line != NULL; line++)
        fprintf(out, "%s\n", *line);
    fprintf(out, "const std::vector<segment> segments[localities] = {\n");
    for (int l = 0; l < NS_LOCALITIES; l++) {
        fprintf(out, "    {");
        const char *between = "";
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            const ns_line *line = &platform->machine->line[NS_HOST][l][c];
            if (!line->given)
                continue;
            fprintf(out, "%s{%.17g, %.9g, %.9g}", between, line->from, line->alpha, line->beta);
            between = ", ";
        }
        fprintf(out, "}, // %s\n", ns_locality_words[l]);
    }
    fprintf(out, "};\n");
    fprintf(out, "const double fastest[localities] = {%.9g, %.9g, %.9g}; // s/B, of one process\n",
            platform->fastest[0], platform->fastest[1], platform->fastest[2]);
    fprintf(out,
            "const double of_node[localities] = {%.9g, %.9g, %.9g}; // s/B, of all processes of a node; 0: no limit\n",
            platform->inverse_R[0], platform->inverse_R[1], platform->inverse_R[2]);
    fprintf(out, "const int nodes = %d, per_node = %d, sockets = %d;\n", platform->nodes, platform->per_node,
            platform->sockets);
    fprintf(out, "const double sender = %.9g, receiver = %.9g, network = %.9g; // shares of alpha: \"%s\"\n",
            platform->start_up->sender, platform->start_up->receiver, platform->start_up->network,
            platform->start_up->name);
    fprintf(out, "const int detached = %.0f; // B, first size whose transfer waits for the receiver\n\n",
            platform->detached);
    for (const char *const *line = body; *line != NULL; line++)
        fprintf(out, "%s\n", *line);
}
