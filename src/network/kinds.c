/* kinds.c -- the available networks: one row each, which parser, help, completion and documentation read */
#include "core/refuse.h"

#include "network/network.h"

#include <string.h>

static const char *const of_rails[] = {
    "start-up times stay the machine's: the deliverable prints no latencies",
    "messages are zero-copy, by tag-matching offload with receives posted before: a byte takes the time of the card",
    "a process uses one card for a message up to 1 MB, and all cards, by fragments, for a longer one",
    "a GPU reaches the same share of the node's cards as of the machine's own", NULL};
static const char *const of_gathering[] = {
    ("the interfaces find out anew in every exchange what is needed, index by index; the strategies' messages know it "
     "from before"),
    "commands cost the host no time (t_host 0: the paper prints none)",
    "the interface reaches host memory, copies to and from GPUs being paid, or that of the GPUs, whichever is faster",
    "what several parts of a node need comes once, to the first of them, which sends it to the others",
    "what the processes of a node do comes after the gathering, not beside it",
    NULL};

static const ns_network_number cards[] = {
    {"topology.rails", "paper"},         {"models.rendezvous.B_w", "paper"},      {"models.multirail.f", "paper"},
    {"models.multirail.o_f", "assumed"}, {"models.multirail.threshold", "paper"}, {NULL, NULL}};
static const ns_network_number interfaces[] = {{"models.rig-batch.rate", "machine"},
                                               {"models.rig-batch.units", "paper"},
                                               {"models.rig-batch.E", "paper"},
                                               {"models.rig-batch.f", "paper"},
                                               {"models.rig-batch.t_pcie", "paper"},
                                               {"models.rig-batch.t_host", "assumed"},
                                               {"models.header-share.value", "paper"},
                                               {"models.header-share.r", "paper"},
                                               {"models.header-share.u_table8", "fitted"},
                                               {"models.concat.cycles", "paper"},
                                               {"models.concat.switch_cycles", "paper"},
                                               {"models.concat.f_switch", "paper"},
                                               {"models.concat.mtu", "paper"},
                                               {"models.property-cache.capacity", "paper"},
                                               {"models.property-cache.ways", "paper"},
                                               {"models.netsparse-hops.t_switch", "paper"},
                                               {"models.netsparse-hops.t_link", "paper"},
                                               {NULL, NULL}};

#define NS_GATHERING(name_, title_, topology_)                                                                         \
    {                                                                                                                  \
        .name = name_, .title = title_, .source = "[NS] Sections 5 to 7, Table 5", .hardware = "netsparse",            \
        .effect = NS_NETWORK_GATHERS, .topology = topology_, .numbers = interfaces, .assumed = of_gathering            \
    }
const ns_network_kind ns_network_kinds[] = {
    {.name = "bxi-multirail",
     .title = "four BXI cards a node, long messages striped over them",
     .source = "[RS] Sections 2.2 to 2.5, Figure 7",
     .hardware = "bxi",
     .effect = NS_NETWORK_CARRIES,
     .numbers = cards,
     .assumed = of_rails},
    NS_GATHERING("netsparse", "NetSparse's interfaces and switches, leaf-spine", NS_LEAF_SPINE),
    NS_GATHERING("netsparse-hyperx", "NetSparse's interfaces and switches, HyperX", NS_HYPERX),
    NS_GATHERING("netsparse-dragonfly", "NetSparse's interfaces and switches, Dragonfly", NS_DRAGONFLY),
    {.name = NULL}};
enum { KINDS = sizeof ns_network_kinds / sizeof *ns_network_kinds - 1 };

ns_status ns_network_kind_get(const char *name, const ns_network_kind **kind, ns_error *err)
{
    const char *names[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        names[i] = ns_network_kinds[i].name;
        if (strcmp(names[i], name) == 0) {
            *kind = &ns_network_kinds[i];
            return NS_OK;
        }
    }
    return ns_refuse_name(err, "no network", name, names, KINDS);
}
