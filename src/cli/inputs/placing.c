/* placing.c -- from a command line to placements side by side */
#include "cli/inputs/placing.h"

#include "cli/front/progress.h"
#include "cli/inputs/cases.h"
#include "core/memory.h"
#include "scotch/scotch.h"

#include <string.h>

/* ---- how many, and where they fit -------------------------------------------------------------------------------- */

static ns_status count_parts(ns_placing *p, ns_error *err)
{
    const int64_t room = (int64_t)p->nodes * p->per_node;
    p->parts = p->inputs.parts > 0 ? p->inputs.parts : room < NS_PARTS_MOST ? (int32_t)room : NS_PARTS_MOST;
    if (ns_args_has(p->args, "parts"))
        NS_TRY(ns_args_count(p->args, "parts", 1, NS_PARTS_MOST, &p->parts, err));
    if (p->inputs.parts > p->parts || (p->inputs.part != NULL && p->parts != p->inputs.parts))
        return ns_fail(err, NS_ERR_DATA, "the %s has %d parts, --parts says %d",
                       p->inputs.part != NULL ? "partition" : "exchange", (int)p->inputs.parts, (int)p->parts);
    const bool said = ns_args_has(p->args, "parts");
    NS_TRY(ns_inputs_check_rows(&p->inputs, said ? "parts" : "nodes", said ? p->parts : p->nodes, p->parts, err));
    return p->parts <= room
               ? NS_OK
               : ns_fail(err, NS_ERR_DATA, "%d parts do not fit on %d nodes with room for %d each: %lld places",
                         (int)p->parts, (int)p->nodes, (int)p->per_node, (long long)room);
}

static ns_status read_sizes(ns_placing *p, ns_error *err)
{
    int32_t seed = 1, tries = 0;
    p->per_node = ns_machine_parts(p->machine);
    NS_TRY(ns_args_count(p->args, "nodes", 1, NS_PARTS_MOST, &p->nodes, err));
    if (ns_args_has(p->args, "per-node"))
        NS_TRY(ns_args_count(p->args, "per-node", 1, NS_PARTS_MOST, &p->per_node, err));
    NS_TRY(ns_args_count(p->args, "seed", 0, INT32_MAX, &seed, err));
    if (ns_args_has(p->args, "tries"))
        NS_TRY(ns_args_count(p->args, "tries", 1, INT32_MAX, &tries, err));
    p->seed = (uint64_t)seed;
    p->tries = tries;
    return count_parts(p, err);
}

/* ---- placements -------------------------------------------------------------------------------------------------- */

static ns_status begin(ns_placing *p, const char *name, ns_placement **placement, ns_error *err)
{
    ns_placement *one = &p->placement[p->placements];
    one->node_of = ns_calloc((size_t)p->parts, sizeof *one->node_of);
    if (one->node_of == NULL)
        return ns_no_memory(err);
    one->name = name;
    p->placements++;
    *placement = one;
    return NS_OK;
}

static double time_of(const ns_placement *placement)
{
    return placement->seconds[placement->best];
}

static void settle(ns_placing *p, ns_placement *one)
{
    one->best = 0;
    for (int i = 1; i < ns_placer_choices(p->placer); i++)
        if (one->seconds[i] < one->seconds[one->best])
            one->best = i;
    one->bytes_off_node = 0;
    for (int64_t i = 0; i < p->graph->routes; i++)
        if (one->node_of[p->graph->route[i].from] != one->node_of[p->graph->route[i].to])
            one->bytes_off_node += p->graph->route[i].entries * p->graph->width;
    one->gain = time_of(one) > 0 ? time_of(&p->placement[0]) / time_of(one) : 1;
    if (time_of(one) < time_of(&p->placement[p->best]))
        p->best = (int)(one - p->placement);
}

static ns_status price(ns_placing *p, ns_placement *one, ns_error *err)
{
    NS_TRY(ns_placer_batch(p->placer, one->node_of, 1, one->seconds, err));
    settle(p, one);
    return NS_OK;
}

static ns_status add_even(ns_placing *p, const char *name, void (*place)(int32_t, int32_t, int32_t *), ns_error *err)
{
    ns_placement *one = NULL;
    NS_TRY(begin(p, name, &one, err));
    place(p->parts, p->nodes, one->node_of);
    return price(p, one, err);
}

/* ---- mapped: libscotch balances, but promises no limit ----------------------------------------------------------- */

/* The node with room that the part has most to do with.  tie: [nodes] scratch. */
static int32_t find_room(const ns_placing *p, const int32_t *node_of, const int32_t *size, int64_t *tie, int32_t part)
{
    int32_t best = -1;
    memset(tie, 0, (size_t)p->nodes * sizeof *tie);
    for (int64_t i = 0; i < p->graph->routes; i++) {
        const ns_route *r = &p->graph->route[i];
        if (r->from == part || r->to == part)
            tie[node_of[r->from == part ? r->to : r->from]] += r->entries;
    }
    for (int32_t node = 0; node < p->nodes; node++)
        if (size[node] < p->per_node && (best < 0 || tie[node] > tie[best]))
            best = node;
    return best;
}

static ns_status fit(const ns_placing *p, int32_t *node_of, ns_error *err)
{
    int32_t *size = ns_calloc((size_t)p->nodes, sizeof *size);
    int64_t *tie = ns_calloc((size_t)p->nodes, sizeof *tie);
    for (int32_t q = 0; size != NULL && q < p->parts; q++)
        size[node_of[q]]++;
    for (int32_t q = p->parts - 1; size != NULL && tie != NULL && q >= 0; q--) {
        if (size[node_of[q]] <= p->per_node)
            continue;
        const int32_t to = find_room(p, node_of, size, tie, q);
        size[node_of[q]]--;
        size[to]++;
        node_of[q] = to;
    }
    const ns_status status = size != NULL && tie != NULL ? NS_OK : ns_no_memory(err);
    ns_free(size);
    ns_free(tie);
    return status;
}

static ns_status add_mapped(ns_placing *p, ns_error *err)
{
    ns_placement *one = NULL;
    NS_TRY(begin(p, "scotch", &one, err));
    const ns_status status = ns_scotch_map(p->graph, p->nodes, p->seed, one->node_of, &p->unmapped);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    if (status != NS_OK) { /* a note says so */
        ns_free(one->node_of);
        *one = (ns_placement){.name = NULL};
        p->placements--;
        return NS_OK;
    }
    NS_TRY(fit(p, one->node_of, err));
    return price(p, one, err);
}

/* ---- found by search --------------------------------------------------------------------------------------------- */

static void watch(void *context, int64_t done, int64_t all)
{
    ns_progress_show(context, "searching", " tries", (double)done, (double)all);
}

/* From the best of the others. */
static ns_status add_found(ns_placing *p, ns_error *err)
{
    ns_placement *one = NULL;
    const ns_placement *start = &p->placement[p->best];
    const ns_search_options options = {.seed = p->seed,
                                       .tries = p->tries,
                                       .per_node = p->per_node,
                                       .watch = p->args->progress != NULL ? watch : NULL,
                                       .context = p->args->progress};
    NS_TRY(begin(p, "search", &one, err));
    memcpy(one->node_of, start->node_of, (size_t)p->parts * sizeof *one->node_of);
    NS_TRY(
        ns_place_search(p->graph, p->nodes, p->machine, &p->selection, &p->inputs.limits, &options, one->node_of, err));
    ns_progress_clear(p->args->progress);
    return price(p, one, err);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static ns_status prepare(ns_placing *p, ns_error *err)
{
    ns_machine **machine;
    size_t machines;
    NS_TRY(ns_price_options_read(p->args, &p->selection.price, err));
    NS_TRY(ns_selection_read(p->args, p->wanted, NULL, &p->selection, err));
    NS_TRY(ns_machines_open(p->args, &machine, &machines, err));
    p->machine = machine[0];
    machine[0] = NULL;
    ns_machines_close(machine, machines);
    if (machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "place wants one --machine, got %zu", machines);
    NS_TRY(ns_inputs_open(p->args, &p->inputs, err));
    NS_TRY(read_sizes(p, err));
    NS_TRY(ns_inputs_graph(&p->inputs, p->parts, &p->graph, err));
    return ns_placer_open(p->graph, p->nodes, p->machine, &p->selection, &p->inputs.limits, &p->placer, err);
}

static ns_status open(ns_placing *p, ns_error *err)
{
    NS_TRY(prepare(p, err));
    NS_TRY(add_even(p, "block", ns_place_blocks, err));
    NS_TRY(add_even(p, "cyclic", ns_place_cyclic, err));
    if (!ns_args_has(p->args, "no-scotch"))
        NS_TRY(add_mapped(p, err));
    return add_found(p, err);
}

ns_status ns_placing_open(const ns_args *args, ns_placing **placing, ns_error *err)
{
    ns_placing *p = ns_calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->args = args;
    const ns_status status = open(p, err);
    if (status == NS_OK)
        *placing = p;
    else
        ns_placing_close(p);
    return status;
}

void ns_placing_close(ns_placing *p)
{
    if (p == NULL)
        return;
    for (int i = 0; i < p->placements; i++)
        ns_free(p->placement[i].node_of);
    ns_placer_free(p->placer);
    ns_graph_free(p->graph);
    ns_machine_free(p->machine);
    ns_inputs_close(&p->inputs);
    ns_free(p);
}
