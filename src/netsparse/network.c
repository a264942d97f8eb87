/* network.c -- switches and inter-switch links between two nodes: [NS] Table 5, Section 9.6
 *
 * leaf-spine: racks below one layer of spines, as many uplinks as nodes: one switch in a rack, three between racks.
 * hyperx: 4 nodes a switch, switches in 4 x 4 x L, 4 links between any two switches that differ in one coordinate.
 * dragonfly: 4 nodes a switch, 8 switches a group, all pairs of a group linked; 4 links between two groups; link l of a
 * group to its j-th other group is at its switch (4 j + l) mod 8 (our layout: the paper prints none); minimal routing.
 */

#include "netsparse/netsparse.h"

#include <stdlib.h>

enum { HOSTS = 4, SIDE = 4, WIDTH = 4, GROUP = 8, GLOBAL = 4 };

const char *const ns_topology_words[] = {"leaf-spine", "hyperx", "dragonfly", NULL};

static int32_t ceil_div(int32_t a, int32_t b)
{
    return a / b + (a % b != 0);
}

static int32_t global_switch(int32_t group, int32_t other, int32_t link)
{
    return (GLOBAL * (other < group ? other : other - 1) + link) % GROUP;
}

int32_t ns_network_path(const ns_network *network, int32_t a, int32_t b, int32_t hops[NS_LINK_CLASSES])
{
    for (int i = 0; i < NS_LINK_CLASSES; i++)
        hops[i] = 0;
    if (network->topology == NS_LEAF_SPINE) {
        hops[0] = a / network->rack != b / network->rack ? 2 : 0;
        return 1 + hops[0];
    }
    const int32_t sa = a / HOSTS, sb = b / HOSTS;
    if (network->topology == NS_DRAGONFLY) {
        /* Local and global links of the shortest path that uses at most one global link. */
        const int32_t ga = sa / GROUP, gb = sb / GROUP;
        hops[0] = ga == gb ? sa != sb : 2;
        hops[1] = ga != gb;
        for (int32_t link = 0; link < GLOBAL && ga != gb; link++) {
            const int32_t local =
                (sa % GROUP != global_switch(ga, gb, link)) + (sb % GROUP != global_switch(gb, ga, link));
            hops[0] = local < hops[0] ? local : hops[0];
        }
        return 1 + hops[0] + hops[1];
    }
    hops[0] = sa % SIDE != sb % SIDE;
    hops[1] = sa / SIDE % SIDE != sb / SIDE % SIDE;
    hops[2] = sa / (SIDE * SIDE) != sb / (SIDE * SIDE);
    return 1 + hops[0] + hops[1] + hops[2];
}

void ns_network_links(const ns_network *network, double links[NS_LINK_CLASSES])
{
    const int32_t switches = ceil_div(network->nodes, HOSTS);
    const double planes = ceil_div(switches, SIDE * SIDE), groups = ceil_div(switches, GROUP);
    links[0] = links[1] = links[2] = 0;
    switch (network->topology) {
    case NS_LEAF_SPINE:
        links[0] = network->nodes > network->rack ? 2 * (double)network->nodes : 0; /* up and down */
        break;
    case NS_HYPERX:
        links[0] = links[1] = (double)switches * (SIDE - 1) * WIDTH;
        links[2] = switches * (planes - 1) * WIDTH;
        break;
    default:
        links[0] = (double)switches * (GROUP - 1);
        links[1] = groups * (groups - 1) * GLOBAL;
    }
}
