/* netsparse_cost.c -- cost of NetSparse's hardware: memory, area and power of NIC and switch
 *
 *     NIC SRAM = units (idx buffer + property buffer + (LSQ + pending) entry) + pairs (L1 + L2) + concatenation
 *     queues: 2 (N - 1) MTU, one for requests and one for responses to each other node; virtual: queues x 128 B at
 *     any N
 *     NIC area = d (pairs (L1 + L2) + concatenation) + units u,   u = d buffer/idx_share x (sum of shares, each by the
 *     size of its structure over that of Table 9);   d: area of a byte, from the switch's concatenators
 *     NIC power = static area/area_9.5 + dynamic units/units_9.5
 *     share of area = extension/chip, share of power likewise                     [NS] Sections 7, 9.5, Tables 5, 9
 *
 * Areas in mm2 and powers in W are pure numbers here.  16 B per entry is fitted to the printed 3.5 MB.  Two units
 * share an L1 and an L2, as in Table 5.  Dynamic power is attributed to the units alone: the paper states that most of
 * it is.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double nodes, units, idx_buffer, property_buffer, lsq, pending, entry, pairs, l1, l2, concatenation, mtu;
    double virtual_queues, virtual_bytes;
    double sram_area, buffer_of, lsq_of, pending_of, units_of;
    double nic_area, nic_chip_area, nic_power, nic_static, nic_chip_power;
    double cache, cache_of, cache_area, pipes, switch_chip_area, switch_power, switch_chip_power, crossbar_area;
    double idx_share, pending_share, property_share, lsq_share;
};
struct out {
    double sram, queues, queues_fit, most_nodes, virtual_sram;
    double unit_area, nic_area, nic_power, cache_area, concat_area;
    double nic_area_share, nic_power_share, switch_area_share, switch_power_share, crossbar_area_share, rest_share;
};

#define FROM(x, unit, doc)    NS_IN_FROM(x, unit, doc, "models.netsparse-cost." #x)
#define DIVISOR(x, unit, doc) NS_IN_POSITIVE_FROM(x, unit, doc, "models.netsparse-cost." #x)

static const ns_field inputs[] = {
    NS_INPUT(nodes, "1", "nodes, N", .least = 1, .most = NS_MOST),
    NS_IN_FROM(units, "1", "RIG units", "models.rig-batch.units"),
    FROM(idx_buffer, "KiB", "index buffer of a unit"),
    FROM(property_buffer, "KiB", "property buffer of a unit"),
    FROM(lsq, "1", "load-store queue entries of a unit"),
    NS_IN_FROM(pending, "1", "pending requests of a unit", "models.rig-batch.E"),
    FROM(entry, "B", "bytes of a queue or table entry"),
    NS_IN_DEFAULT(pairs, "1", "pairs of units that share an L1 and an L2; 0: half of the units", 0),
    FROM(l1, "KiB", "L1 of a pair"),
    FROM(l2, "KiB", "L2 of a pair"),
    DIVISOR(concatenation, "KiB", "concatenation memory of a NIC or a switch pipe"),
    NS_IN_POSITIVE_FROM(mtu, "B", "largest packet, a queue's size", "models.concat.mtu"),
    FROM(virtual_queues, "1", "physical queues that are shared"),
    FROM(virtual_bytes, "B", "bytes of such a queue"),
    FROM(sram_area, "1/MB", "mm2 of a megabyte of memory"),
    DIVISOR(buffer_of, "KiB", "index and property buffer that the shares of area hold for"),
    DIVISOR(lsq_of, "1", "load-store queue entries that they hold for"),
    DIVISOR(pending_of, "1", "pending requests that they hold for"),
    DIVISOR(units_of, "1", "RIG units that the NIC's power holds for"),
    DIVISOR(nic_area, "1", "mm2 of the NIC's extensions that its power holds for"),
    DIVISOR(nic_chip_area, "1", "mm2 of the NIC"),
    FROM(nic_power, "1", "W of the NIC's extensions, at most"),
    FROM(nic_static, "1", "W of them when idle"),
    DIVISOR(nic_chip_power, "1", "W of the NIC"),
    NS_IN_FROM(cache, "MiB", "property caches of a switch", "models.property-cache.capacity"),
    DIVISOR(cache_of, "MiB", "property caches that cache_area holds for"),
    FROM(cache_area, "1", "mm2 of the property caches"),
    FROM(pipes, "1", "pipes of a switch, each with concatenators"),
    DIVISOR(switch_chip_area, "1", "mm2 of the switch"),
    FROM(switch_power, "1", "W of caches and concatenators"),
    DIVISOR(switch_chip_power, "1", "W of the switch"),
    FROM(crossbar_area, "1", "mm2 of the second crossbar, without routing"),
    DIVISOR(idx_share, "1", "share of the index buffer in a unit's area"),
    FROM(pending_share, "1", "share of the pending table"),
    FROM(property_share, "1", "share of the property buffer"),
    FROM(lsq_share, "1", "share of the load-store queue"),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(sram, "MiB", "memory of the NIC's extensions"),
    NS_OUT(queues, "B", "one queue per direction and destination"),
    NS_OUT(queues_fit, "1", "1 when they fit the concatenation memory, else 0"),
    NS_OUT(most_nodes, "1", "nodes up to which they fit"),
    NS_OUT(virtual_sram, "B", "virtual queues, at any number of nodes"),
    NS_OUT(unit_area, "1", "mm2 of a RIG unit"),
    NS_OUT(nic_area, "1", "mm2 of the NIC's extensions"),
    NS_OUT(nic_power, "1", "W of them, at most"),
    NS_OUT(cache_area, "1", "mm2 of a switch's property caches"),
    NS_OUT(concat_area, "1", "mm2 of a switch's concatenators"),
    NS_OUT(nic_area_share, "%", "of the NIC's area"),
    NS_OUT(nic_power_share, "%", "of the NIC's power, at most"),
    NS_OUT(switch_area_share, "%", "of the switch's area, caches and concatenators"),
    NS_OUT(switch_power_share, "%", "of the switch's power"),
    NS_OUT(crossbar_area_share, "%", "of the switch's area, the crossbar alone; 1 to 15 with routing in the paper"),
    NS_OUT(rest_share, "%", "of a RIG unit's area, what Table 9 calls the rest"),
    NS_END};

NS_EVAL(machine, in, out, err)
{
    const double pairs = in->pairs > 0 ? in->pairs : ceil(in->units / 2);
    /* Table 9 in bytes: the index buffer is plain memory, so its share determines the size of a unit */
    const double rest = 1 - (in->idx_share + in->pending_share + in->property_share + in->lsq_share);
    const double grown = in->idx_share * in->idx_buffer / in->buffer_of +
                         in->property_share * in->property_buffer / in->buffer_of +
                         in->pending_share * in->pending / in->pending_of + in->lsq_share * in->lsq / in->lsq_of + rest;
    out->sram = in->units * (in->idx_buffer + in->property_buffer + (in->lsq + in->pending) * in->entry) +
                pairs * (in->l1 + in->l2) + in->concatenation;
    out->queues = 2 * (in->nodes - 1) * in->mtu;
    out->queues_fit = out->queues <= in->concatenation;
    out->most_nodes = 1 + floor(in->concatenation / (2 * in->mtu));
    out->virtual_sram = in->virtual_queues * in->virtual_bytes;
    out->unit_area = in->sram_area * in->buffer_of / in->idx_share * grown;
    out->nic_area = in->sram_area * (pairs * (in->l1 + in->l2) + in->concatenation) + in->units * out->unit_area;
    out->nic_power = in->nic_static * out->nic_area / in->nic_area +
                     fmax(0, in->nic_power - in->nic_static) * in->units / in->units_of;
    out->cache_area = in->cache_area * in->cache / in->cache_of;
    out->concat_area = in->sram_area * in->pipes * in->concatenation;
    out->nic_area_share = out->nic_area / in->nic_chip_area;
    out->nic_power_share = out->nic_power / in->nic_chip_power;
    out->switch_area_share = (out->cache_area + out->concat_area) / in->switch_chip_area;
    out->switch_power_share = in->switch_power / in->switch_chip_power;
    out->crossbar_area_share = in->crossbar_area / in->switch_chip_area;
    out->rest_share = rest;
    return NS_OK;
}

const ns_model ns_model_netsparse_cost = {
    .name = "netsparse-cost",
    .title = "memory, area and power of NetSparse's NIC and switch",
    .source = "[NS] Sections 7, 8.3, 9.5, Tables 5, 9",
    NS_ROWS_AND_EVAL,
};
