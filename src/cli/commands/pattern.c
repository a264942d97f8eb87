/* pattern.c -- who needs what from whom: the exact counts of a matrix cut into parts */
#include "cli/front/own.h"
#include "cli/inputs/inputs.h"
#include "cli/show/result.h"
#include "report/columns.h"

typedef struct request {
    int32_t per_node, rack;
} request;

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"parts", 'p', "P", NULL, "number of parts (GPUs or processes)"},
    {"gpus", 'n', "P", NULL, "the same"},
    {"nodes", 0, "N", NULL, "nodes, each full: --per-node parts on it"},
    {"per-node", 0, "G", "1", "parts per node", NS_OPT(request, per_node), .least = 1, .most = NS_PARTS_MOST},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    {"rack", 0, "N", "16", "nodes of a rack (NetSparse's view)", NS_OPT(request, rack), .least = 1, .most = 1 << 24},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_CLOSE(ns_inputs_close) ns_inputs inputs = {0};
    NS_OWN(ns_exchange_free) ns_exchange *exchange = NULL;
    ns_netsparse_view view = {.size = sizeof view};
    request r;
    const char *option;
    int32_t number;
    (void)context;
    NS_TRY(ns_args_read(args, &r, err));
    NS_TRY(ns_inputs_open(args, &inputs, err));
    ns_layout layout = {inputs.parts, r.per_node};
    NS_TRY(ns_parts_option(args, &option, err));
    if (option == NULL && inputs.parts == 0)
        return ns_fail(err, NS_ERR_USAGE, "pattern wants --parts P (or a --partition FILE)");
    if (option != NULL) {
        NS_TRY(ns_args_count(args, option, 1, NS_PARTS_MOST, &number, err));
        NS_TRY(ns_parts_of(option, number, layout.per_node, &layout.parts, err));
        if (inputs.parts > layout.parts)
            return ns_fail(err, NS_ERR_DATA, "the partition has %d parts, --%s says %d", (int)inputs.parts, option,
                           (int)layout.parts);
    }
    NS_TRY(ns_inputs_exchanges(&inputs, &layout, 1, &view, r.rack, &exchange, err));
    const ns_matrix_info *info = ns_matrix_describe(inputs.matrix);
    ns_inputs_describe(&inputs, result);
    ns_put_schema(result, "nsmodel/pattern/1");
    ns_put_text(result, "source", NS_IN_DATA, ns_matrix_source_words[info->source]);
    ns_value_count(result, "rows", (double)info->rows);
    ns_value_count(result, "cols", (double)info->cols);
    ns_value_count(result, "nonzeros", (double)inputs.nonzeros);
    ns_value_count(result, "parts", exchange->parts);
    ns_value_count(result, "per_node", exchange->per_node);
    ns_value_count(result, "nodes", exchange->nodes);
    ns_pattern_value(&exchange->pattern, result);
    ns_view_value(&view, true, ns_value_object(result, "netsparse"));
    /* -o FILE.nsp saves the matrix's structure; any other -o the counts. */
    return args->output != NULL && ns_is_structure_file(args->output)
               ? ns_matrix_save(inputs.matrix, args->output, inputs.limits.max_memory, err)
               : NS_OK;
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
