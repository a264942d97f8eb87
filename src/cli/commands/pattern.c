/* pattern.c -- who needs what from whom: the exact counts of a matrix cut into parts */
#include "cli/inputs/inputs.h"
#include "cli/show/result.h"
#include "report/columns.h"

#include <math.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"parts", 'p', "P", NULL, "number of parts (GPUs or processes)"},
    {"gpus", 'n', "P", NULL, "the same"},
    {"nodes", 0, "N", NULL, "nodes, each full: --per-node parts on it"},
    {"per-node", 0, "G", "1", "parts per node"},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    {"rack", 0, "N", "16", "nodes of a rack (NetSparse's view)"},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

static void fraction(ns_value *object, const char *name, double value)
{
    ns_put_count(object, name, NS_EVERYWHERE, value < 0 ? (double)NAN : value);
}

static ns_status choose_layout(const ns_args *args, const ns_inputs *inputs, ns_layout *layout, ns_error *err)
{
    NS_TRY(ns_args_count(args, "per-node", 1, 1 << 24, &layout->per_node, err));
    layout->parts = inputs->parts;
    const char *option;
    int32_t number;
    NS_TRY(ns_parts_option(args, &option, err));
    if (option == NULL)
        return inputs->parts > 0 ? NS_OK
                                 : ns_fail(err, NS_ERR_USAGE, "pattern wants --parts P (or a --partition FILE)");
    NS_TRY(ns_args_count(args, option, 1, 1 << 24, &number, err));
    NS_TRY(ns_parts_of(option, number, layout->per_node, &layout->parts, err));
    return inputs->parts <= layout->parts ? NS_OK
                                          : ns_fail(err, NS_ERR_DATA, "the partition has %d parts, --%s says %d",
                                                    (int)inputs->parts, option, (int)layout->parts);
}

static ns_status fill(const ns_args *args, ns_inputs *inputs, ns_value *result, ns_error *err)
{
    ns_layout layout;
    ns_exchange *exchange;
    ns_netsparse_view view = {.size = sizeof view};
    int32_t rack;
    NS_TRY(choose_layout(args, inputs, &layout, err));
    NS_TRY(ns_args_count(args, "rack", 1, 1 << 24, &rack, err));
    NS_TRY(ns_inputs_exchanges(inputs, &layout, 1, &view, rack, &exchange, err));
    const ns_matrix_info *info = ns_matrix_describe(inputs->matrix);
    ns_inputs_describe(inputs, result);
    ns_put_schema(result, "nsmodel/pattern/1");
    ns_put_text(result, "source", NS_IN_DATA, ns_matrix_source_words[info->source]);
    ns_value_count(result, "rows", (double)info->rows);
    ns_value_count(result, "cols", (double)info->cols);
    ns_value_count(result, "nonzeros", (double)inputs->nonzeros);
    ns_value_count(result, "parts", exchange->parts);
    ns_value_count(result, "per_node", exchange->per_node);
    ns_value_count(result, "nodes", exchange->nodes);
    ns_pattern_value(&exchange->pattern, result);
    ns_value *object = ns_value_object(result, "netsparse");
    ns_value_count(object, "nonzeros", (double)view.nonzeros);
    ns_value_count(object, "requests", (double)view.requests);
    ns_value_count(object, "unique", (double)view.unique);
    ns_value_count(object, "unique_max", (double)view.unique_max);
    ns_value_count(object, "unique_mean", view.unique_mean);
    ns_value_count(object, "su_transfers", view.su_transfers);
    fraction(object, "su_redundant_per_useful", view.su_redundant_per_useful);
    fraction(object, "sa_redundant_per_useful", view.sa_redundant_per_useful);
    fraction(object, "destinations_per_window", view.destinations_per_window);
    fraction(object, "rack_shared_fraction", view.rack_shared_fraction);
    ns_exchange_free(exchange);
    return NS_OK;
}

/* -o FILE.nsp keeps the matrix' structure; any other -o the counts. */
static ns_status save(const ns_args *args, const ns_inputs *inputs, ns_error *err)
{
    const char *path = args->output;
    if (path == NULL || !ns_is_structure_file(path))
        return NS_OK;
    return ns_matrix_save(inputs->matrix, path, inputs->limits.max_memory, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_inputs inputs;
    (void)context;
    ns_status status = ns_inputs_open(args, &inputs, err);
    if (status == NS_OK)
        status = fill(args, &inputs, result, err);
    if (status == NS_OK)
        status = save(args, &inputs, err);
    ns_inputs_close(&inputs);
    return status;
}

const ns_command ns_command_pattern = {
    .name = "pattern",
    .summary = "exact counts of who needs what from whom",
    .usage = "MATRIX --parts P",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel pattern --matrix stencil9:3200x3200 --parts 1024 --per-node 16",
    .about = "Parts own equal blocks of rows and columns, or what a partition file says; a part needs the columns of "
             "its rows that others own.\n"
             "-o FILE.nsp keeps the structure of the matrix, compressed and checksummed, for later.",
    .rank = 2,
    .owns_output = ns_is_structure_file,
    .run = run,
};
