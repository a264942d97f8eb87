/* netsparse.c -- what in-network gather, filtering, concatenation and caching would do for a matrix */
#include "cli/show/netsparse.h"
#include "cli/show/draw.h"
#include "core/memory.h"

#include <string.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"nodes", 'n', "N", NULL, "number of nodes, each a part of the matrix", false},
    {"k", 'k', "LIST", "16", "values per property, of 4 bytes: 1,16,128", false},
    {"machine", 0, "NAME|FILE", "netsparse", "machine with a section \"models\" like netsparse's", false},
    NS_OPTION_SET,
    {"topology", 0, "NAME", "leaf-spine", "leaf-spine, hyperx or dragonfly", false},
    {"batch", 0, "B", "auto", "indices of a RIG command; auto: the best for the busiest node", false},
    {"ablation", 0, NULL, NULL, "what bounds each step: tail node, packets, time, limits", false},
    {"sweep", 0, "WHAT", NULL, "batch, units, delay, cache or topology: the whole NetSparse over that parameter",
     false},
    NS_OPTION_PLOT,
    {"rack", 0, "N", "16", "nodes of a rack; the last may be partial", false},
    {"ranks", 0, "N", "64", "software ranks per node (SAOpt)", false},
    NS_OPTION_PARTITION,
    {"width", 0, "SIZE", "4B", "bytes of one value", false},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL, 0, NULL, NULL, NULL, false},
};

enum {
    NODES_MOST = 1 << 14,
    SHARES_MOST = 1 << 20
}; /* every node's queues to all others: time grows with the square */

static ns_status read_batch(const ns_args *args, int64_t *batch, ns_error *err)
{
    int32_t value;
    *batch = 0;
    if (strcmp(ns_args_get(args, "batch"), "auto") == 0)
        return NS_OK;
    NS_TRY(ns_args_count(args, "batch", 1, INT32_MAX, &value, err));
    *batch = value;
    return NS_OK;
}

static ns_status read_request(const ns_args *args, ns_gather_request *request, ns_error *err)
{
    int topology;
    NS_TRY(ns_args_choice(args, "topology", ns_topology_words, &topology, err));
    request->topology = (ns_topology)topology;
    request->sweep = -1;
    if (ns_args_has(args, "sweep"))
        NS_TRY(ns_args_choice(args, "sweep", ns_sweep_words, &request->sweep, err));
    request->ablation = ns_args_has(args, "ablation");
    request->progress = args->progress;
    return read_batch(args, &request->batch, err);
}

static ns_status open_trace(const ns_args *args, ns_inputs *inputs, ns_trace **trace, ns_error *err)
{
    int32_t nodes = inputs->parts;
    ns_trace_options wanted = {.part = inputs->part, .max_memory = inputs->limits.max_memory};
    if (ns_args_get(args, "nodes") != NULL)
        NS_TRY(ns_args_count(args, "nodes", 1, NODES_MOST, &nodes, err));
    else if (nodes == 0)
        return ns_fail(err, NS_ERR_USAGE, "netsparse wants --nodes N (or a --partition FILE)");
    if (nodes < inputs->parts)
        return ns_fail(err, NS_ERR_DATA, "the partition has %d parts, --nodes says %d", (int)inputs->parts, (int)nodes);
    NS_TRY(ns_args_count(args, "rack", 1, SHARES_MOST, &wanted.rack, err));
    NS_TRY(ns_args_count(args, "ranks", 1, SHARES_MOST, &wanted.ranks, err));
    NS_TRY(ns_trace_open(inputs->matrix, nodes, &wanted, trace, err));
    inputs->nonzeros = (*trace)->view.nonzeros;
    return NS_OK;
}

static ns_status answer(const ns_args *args, ns_inputs *inputs, const ns_gather_request *request, ns_value *result,
                        ns_error *err)
{
    int32_t *k = NULL;
    size_t ks = 0;
    ns_trace *trace = NULL;
    NS_TRY(ns_args_counts(args, "k", 1, 1 << 20, &k, &ks, err));
    ns_status status = open_trace(args, inputs, &trace, err);
    if (status == NS_OK) {
        ns_inputs_describe(inputs, result);
        ns_netsparse_head(trace, inputs, request, result);
        status = ns_netsparse_answer(trace, request, k, ks, result, err);
        if (status == NS_OK && ns_args_get(args, "plot") != NULL)
            status = ns_netsparse_plot(args, result, request, err);
    }
    ns_trace_free(trace);
    ns_free(k);
    return status;
}

/* --width is one more number of the machine. */
static ns_status set_width(const ns_args *args, ns_machine **machine, ns_error *err)
{
    char assignment[128];
    ns_machine *changed;
    int64_t bytes;
    if (!ns_args_has(args, "width"))
        return NS_OK;
    NS_TRY(ns_args_bytes(args, "width", &bytes, err)); /* which names the option */
    snprintf(assignment, sizeof assignment, "models.header-share.value=%.64s", ns_args_get(args, "width"));
    NS_TRY(ns_machine_with(*machine, assignment, &changed, err));
    ns_machine_free(*machine);
    *machine = changed;
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_inputs inputs;
    ns_gather_request request = {0};
    ns_machine **machine = NULL;
    size_t machines = 0;
    (void)context;
    NS_TRY(read_request(args, &request, err));
    NS_TRY(ns_machines_open(args, &machine, &machines, err));
    ns_status status = machines == 1 ? NS_OK : ns_fail(err, NS_ERR_USAGE, "netsparse takes one machine");
    if (status == NS_OK)
        status = set_width(args, &machine[0], err);
    if (status == NS_OK) {
        request.machine = machine[0];
        status = ns_inputs_open(args, &inputs, err);
        if (status == NS_OK)
            status = answer(args, &inputs, &request, result, err);
        ns_inputs_close(&inputs);
    }
    ns_machines_close(machine, machines);
    return status;
}

const ns_command ns_command_netsparse = {
    .name = "netsparse",
    .summary = "what in-network gather, filter, concatenation and caching would do",
    .usage = "MATRIX --nodes N",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel netsparse --matrix NotreDame_www --nodes 32 --ablation",
    .about = "Each node owns a block of rows and gathers the properties that its nonzeros need. The steps are "
             "cumulative: remote gather,\n"
             "filtering, coalescing, concatenation, caching in the switch.",
    .rank = 4,
    .run = run,
};
