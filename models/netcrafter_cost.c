/* netcrafter_cost.c -- memory that a NetCrafter controller adds to the switch of a cluster
 *
 *     bytes = entries x flit + buffer                                                                  [NC] 4.5
 *
 * Timers and multiplexers are neglected, as in the paper.
 */
#include "machine/model.h"

struct in {
    double entries, flit, buffer, cache, switch_memory;
};
struct out {
    double queue, of_cache, of_switch, sram;
};

static const ns_field inputs[] = {
    NS_IN_FROM(entries, "1", "entries of the cluster queue", "models.netcrafter-cost.entries"),
    NS_IN_FROM(flit, "B", "flit size, one an entry", "models.flits.flit"),
    NS_IN_FROM(buffer, "B", "buffer of the stitching engine", "models.netcrafter-cost.buffer"),
    NS_IN_POSITIVE_FROM(cache, "MiB", "cache to compare with", "models.netcrafter-cost.cache"),
    NS_IN_POSITIVE_FROM(switch_memory, "MiB", "memory of a programmable switch to compare with",
                        "models.netcrafter-cost.switch_memory"),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(queue, "KiB", "cluster queue"),
    NS_OUT(of_cache, "%", "share of the cache"),
    NS_OUT(of_switch, "%", "share of the switch's memory"),
    NS_OUT(sram, "KiB", "memory of the controller"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    out->queue = in->entries * in->flit;
    out->sram = out->queue + in->buffer;
    out->of_cache = out->sram / in->cache;
    out->of_switch = out->sram / in->switch_memory;
    return NS_OK;
}

const ns_model ns_model_netcrafter_cost = {
    .name = "netcrafter-cost",
    .title = "memory of a NetCrafter controller",
    .source = "[NC] Section 4.5, Table 2",
    NS_ROWS_AND_EVAL,
};
