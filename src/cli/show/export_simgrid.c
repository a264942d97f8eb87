/* export_simgrid.c -- a platform as the C++ source of a library for SimGrid 3.31 or later
 *
 * A process is a host of its own, so that its bytes pass one after the other over links of its own; the hosts of a node
 * are named alike up to the dot, "node3.5".  A zone of hosts has its node's link to the others, and its memory.
 */
#include "cli/show/export.h"

#include "report/cell.h"

static void put_lines(const char *const *line, FILE *out)
{
    for (; *line != NULL; line++)
        fprintf(out, "%s\n", *line);
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

static const char *const costs[] = {
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
    NULL,
};

static const char *const zones[] = {
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
    ns_cell_print(out, platform->machine->title);
    fprintf(
        out,
        ": %d nodes of %d processes, as nsmodel's machine file has it\n//\n"
        "//   g++ -std=c++17 -O2 -fPIC -shared -o platform.so THIS_FILE -lsimgrid\n"
        "//   smpirun -np %d -hostfile hosts -platform ./platform.so --cfg=smpi/simulate-computation:no PROGRAM\n//\n"
        "// hosts: node0.0, node0.1, ... node%d.%d, one a line.  SimGrid 3.31 or later.\n",
        platform->nodes, platform->per_node, platform->nodes * platform->per_node, platform->nodes - 1,
        platform->per_node - 1);
    put_lines(includes, out);
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
    put_lines(costs, out);
    put_lines(zones, out);
}
