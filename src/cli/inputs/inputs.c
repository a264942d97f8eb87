/* inputs.c -- the exchange that a command line describes */
#include "cli/inputs/inputs.h"
#include "cli/front/places.h"
#include "cli/front/progress.h"
#include "cli/inputs/memory_limit.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ns_status ns_limits_read(const ns_args *args, ns_limits *limits, ns_error *err)
{
    double work;
    ns_limits read = {.max_memory = 0};
    NS_TRY(ns_args_bytes(args, "max-memory", &read.max_memory, err));
    if (read.max_memory == 0)
        read.max_memory = ns_memory_limit("") / 2;
    NS_TRY(ns_quantity_parse_as(ns_args_get(args, "max-work"), "--max-work", "1", &work, err));
    if (!(work >= 1 && work <= 9007199254740992.0))
        return ns_fail(err, NS_ERR_RANGE, "--max-work wants a number from 1 to 2^53");
    read.max_work = (int64_t)work;
    *limits = read;
    return NS_OK;
}

ns_status ns_inputs_open(const ns_args *args, ns_inputs *inputs, ns_error *err)
{
    static const char all_to_all[] = "alltoall:";
    const char *messages = args->messages;
    *inputs = (ns_inputs){.progress = args->progress, .maker = args->maker};
    if ((messages != NULL) == (args->matrix != NULL))
        return ns_fail(err, NS_ERR_USAGE, "%s wants --matrix M%s%s", args->command->name,
                       ns_option_of_word(args->command, "--messages") != NULL ? " or --messages FILE.csv" : "",
                       messages != NULL ? ", not both" : "");
    NS_TRY(ns_args_bytes(args, "width", &inputs->width, err));
    NS_TRY(ns_limits_read(args, &inputs->limits, err));
    if (messages == NULL) {
        NS_TRY(ns_places_matrix(args->matrix, &inputs->matrix, err));
        ns_progress_watch(args->progress, inputs->matrix);
        ns_matrix_limit(inputs->matrix, inputs->limits.max_work);
        return args->partition == NULL ? NS_OK
                                       : ns_partition_read(args->partition, ns_matrix_describe(inputs->matrix)->rows,
                                                           &inputs->part, &inputs->parts, err);
    }
    if (args->partition != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--partition cuts a matrix; messages name their parts themselves");
    if (ns_args_at(args, "width", 0) != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--width is of a matrix' entries; messages name their bytes themselves");
    if (strncmp(messages, all_to_all, sizeof all_to_all - 1) == 0) { /* "alltoall:64KiB" */
        const char *text = messages + sizeof all_to_all - 1;
        ns_quantity size;
        NS_TRY(ns_quantity_parse(text, &size, err));
        if (!ns_dim_equal(size.dim, NS_BYTE) || !(size.value >= 1 && size.value <= 0x1p53) ||
            size.value != floor(size.value))
            return ns_fail(err, NS_ERR_RANGE, "--messages %s wants whole bytes like 64KiB, got \"%s\"", all_to_all,
                           text);
        inputs->to_all = (int64_t)size.value;
        return NS_OK;
    }
    NS_TRY(
        ns_messages_read_within(messages, &inputs->limits, &inputs->message, &inputs->messages, &inputs->parts, err));
    return inputs->parts <= NS_PARTS_MOST
               ? NS_OK
               : ns_fail_at(err, NS_ERR_RANGE, messages, 0, 0, "names part %d, wanted parts from 0 to %d",
                            (int)inputs->parts - 1, NS_PARTS_MOST - 1);
}

ns_status ns_inputs_check_rows(const ns_inputs *inputs, const char *option, int32_t number, int32_t parts,
                               ns_error *err)
{
    const ns_matrix_info *info = inputs->matrix != NULL ? ns_matrix_describe(inputs->matrix) : NULL;
    return info == NULL || inputs->part != NULL || parts <= info->rows
               ? NS_OK
               : ns_fail(err, NS_ERR_DATA,
                         "--%s %d makes %d parts of the %lld rows of %s; wanted at most as many parts", option,
                         (int)number, (int)parts, (long long)info->rows, info->name);
}

ns_status ns_inputs_exchanges(ns_inputs *inputs, const ns_layout *layout, size_t layouts, ns_netsparse_view *view,
                              int32_t rack, ns_exchange **exchange, ns_error *err)
{
    if (inputs->matrix == NULL) {
        ns_exchange **made = ns_calloc(layouts, sizeof *made);
        ns_status status = made != NULL ? NS_OK : ns_no_memory(err);
        for (size_t i = 0; status == NS_OK && i < layouts && inputs->to_all > 0; i++)
            status = ns_exchange_alltoall(layout[i], inputs->to_all, &inputs->limits, &made[i], err);
        for (size_t i = 0; status == NS_OK && i < layouts && inputs->to_all == 0; i++)
            status = ns_exchange_from_messages_within(inputs->message, inputs->messages, layout[i], NULL,
                                                      &inputs->limits, &made[i], err);
        for (size_t i = 0; made != NULL && i < layouts; i++)
            if (status == NS_OK)
                exchange[i] = made[i];
            else
                ns_exchange_free(made[i]);
        ns_free(made);
        return status;
    }
    ns_exchange_options options = {.size = sizeof options,
                                   .width = inputs->width,
                                   .part = inputs->part,
                                   .max_memory = inputs->limits.max_memory,
                                   .view = view,
                                   .rack = rack,
                                   .groups = inputs->groups};
    const ns_exchange_maker *maker = inputs->maker;
    ns_status status =
        maker != NULL
            ? maker->make(maker->context, inputs->matrix, layout, layouts, &options, exchange, &inputs->nonzeros, err)
            : ns_exchange_from_matrix(inputs->matrix, layout, layouts, &options, exchange, &inputs->nonzeros, err);
    ns_progress_clear(inputs->progress);
    return status;
}

ns_status ns_inputs_graph(ns_inputs *inputs, int32_t parts, ns_graph **graph, ns_error *err)
{
    if (inputs->to_all > 0)
        return ns_fail(err, NS_ERR_USAGE,
                       "all parts of an exchange of all with all are alike: only how many stand on "
                       "a node matters, which predict --per-node tells");
    if (inputs->matrix == NULL)
        return ns_graph_from_messages(inputs->message, inputs->messages, parts, &inputs->limits, graph, err);
    const ns_exchange_options options = {
        .width = inputs->width, .part = inputs->part, .max_memory = inputs->limits.max_memory};
    const ns_status status = ns_graph_from_matrix(inputs->matrix, parts, &options, graph, &inputs->nonzeros, err);
    ns_progress_clear(inputs->progress);
    return status;
}

void ns_inputs_close(ns_inputs *inputs)
{
    ns_matrix_free(inputs->matrix);
    ns_free(inputs->part);
    ns_free(inputs->message);
    *inputs = (ns_inputs){0};
}

const char *ns_matrix_note(const ns_matrix_info *info, char *text, size_t size)
{
    const bool other = info->stands_for != NULL;
    snprintf(text, size, "%s%s%s", info->note, other ? "; the real matrix: nsmodel matrix get " : "",
             other ? info->stands_for : "");
    return text;
}

void ns_inputs_describe(const ns_inputs *inputs, ns_value *result)
{
    if (inputs->to_all > 0) {
        ns_sentence(result, "input_line", NS_IN_TABLE, "exchange   %lld B from every part to every other",
                    (long long)inputs->to_all);
        return;
    }
    if (inputs->matrix == NULL) {
        ns_sentence(result, "input_line", NS_IN_TABLE, "exchange   %zu planned messages of %d parts", inputs->messages,
                    (int)inputs->parts);
        return;
    }
    const ns_matrix_info *info = ns_matrix_describe(inputs->matrix);
    char about[NS_MATRIX_NOTE];
    if (info->note != NULL)
        ns_sentence(result, "matrix_line", NS_IN_TABLE, "%s", ns_matrix_note(info, about, sizeof about));
    ns_note(result, "matrix     %s: %lld x %lld, %lld nonzeros (%s)", info->name, (long long)info->rows,
            (long long)info->cols, (long long)inputs->nonzeros, ns_matrix_source_words[info->source]);
    ns_note(result, "partition  %s; %lld B per entry",
            inputs->part != NULL ? "as given, one part number a row" : "equal contiguous blocks of rows and columns",
            (long long)inputs->width);
}

void ns_pattern_value(const ns_pattern *pattern, ns_value *object)
{
    static const ns_table_column columns[] = {
        {"messages_total", NS_COL(ns_pattern, messages_total)},
        {"messages_off_node", NS_COL(ns_pattern, messages_off_node)},
        {"bytes_total", NS_COL(ns_pattern, bytes_total), .unit = "B"},
        {"bytes_off_node", NS_COL(ns_pattern, bytes_off_node), .unit = "B"},
        {"s_proc", NS_COL(ns_pattern, s_proc), .unit = "B"},
        {"s_node", NS_COL(ns_pattern, s_node), .unit = "B"},
        {"s_node_node", NS_COL(ns_pattern, s_node_node), .unit = "B"},
        {"s_recv", NS_COL(ns_pattern, s_recv), .unit = "B"},
        {"m_proc", NS_COL(ns_pattern, m_proc)},
        {"m_proc_node", NS_COL(ns_pattern, m_proc_node)},
        {"m_node_node", NS_COL(ns_pattern, m_node_node)},
        {"recv_nodes", NS_COL(ns_pattern, recv_nodes)},
        {"send_nodes", NS_COL(ns_pattern, send_nodes)},
        {"unique_bytes_off_node", NS_COL(ns_pattern, unique_bytes_off_node), .unit = "B"},
        {"unique_s_proc", NS_COL(ns_pattern, unique_s_proc), .unit = "B"},
        {"unique_s_node", NS_COL(ns_pattern, unique_s_node), .unit = "B"},
        {"unique_s_node_node", NS_COL(ns_pattern, unique_s_node_node), .unit = "B"},
        {"duplicate_fraction", NS_COL(ns_pattern, duplicate_fraction)},
        {NULL}};
    ns_put_columns(object, columns, pattern);
}

void ns_view_value(const ns_netsparse_view *view, bool spread, ns_value *object)
{
    static const ns_table_column counted[] = {{"nonzeros", NS_COL(ns_netsparse_view, nonzeros)},
                                              {"requests", NS_COL(ns_netsparse_view, requests)},
                                              {"unique", NS_COL(ns_netsparse_view, unique)},
                                              {NULL}};
    static const ns_table_column of_nodes[] = {{"unique_max", NS_COL(ns_netsparse_view, unique_max)},
                                               {"unique_mean", NS_COL(ns_netsparse_view, unique_mean)},
                                               {NULL}};
    static const ns_table_column shares[] = {
        {"su_transfers", NS_COL(ns_netsparse_view, su_transfers)},
        {"su_redundant_per_useful", NS_COL(ns_netsparse_view, su_redundant_per_useful), .shows = NS_NEGATIVE_NULL},
        {"sa_redundant_per_useful", NS_COL(ns_netsparse_view, sa_redundant_per_useful), .shows = NS_NEGATIVE_NULL},
        {"destinations_per_window", NS_COL(ns_netsparse_view, destinations_per_window), .shows = NS_NEGATIVE_NULL},
        {"rack_shared_fraction", NS_COL(ns_netsparse_view, rack_shared_fraction), .shows = NS_NEGATIVE_NULL},
        {NULL}};
    ns_put_columns(object, counted, view);
    if (spread)
        ns_put_columns(object, of_nodes, view);
    ns_put_columns(object, shares, view);
}

ns_status ns_part_read(const ns_args *args, const char *name, double *part, ns_error *err)
{
    const char *text = ns_args_get(args, name);
    char what[40];
    snprintf(what, sizeof what, "--%.30s", name);
    if (strcmp(name, "worth") != 0 && strchr(text, '%') != NULL && /* 0.95% for 0.95 or 95% */
        ns_quantity_parse_as(text, what, "1", part, NULL) == NS_OK && *part > 0 && *part < .01)
        return ns_fail(err, NS_ERR_RANGE, "%s %.40s is less than 1 %%; wanted %.10g or %.10g%%", what, text,
                       100 * *part, 1e4 * *part);
    return ns_quantity_parse_as(text, what, "1", part, NULL) == NS_OK && *part > 0 && *part < 1
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "%s wants a number between 0 and 1, as 0.9 or 90%%, got \"%.40s\"", what,
                         text);
}

ns_status ns_price_options_read(const ns_args *args, ns_price_options *options, ns_error *err)
{
    ns_price_options read = {.form = NULL};
    NS_TRY(ns_form_get(ns_args_get(args, "model"), &read.form, err));
    NS_TRY(ns_part_read(args, "confidence", &read.confidence, err));
    *options = read;
    return NS_OK;
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

bool ns_machine_has(const ns_machine *machine, const char *assignment)
{
    char path[160];
    double value;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(assignment, "="), assignment);
    return ns_machine_number(machine, path, &value, NULL, NULL);
}

ns_status ns_machine_set(ns_machine **machine, const char *assignment, ns_error *err)
{
    ns_machine *changed;
    NS_TRY(ns_machine_with(*machine, assignment, &changed, err));
    ns_machine_free(*machine);
    *machine = changed;
    return NS_OK;
}

/* Every --set changes the machine except the one of index `but`; --cap, which acts like a --set, is applied last. */
static ns_status apply_sets(const ns_args *args, int but, ns_machine **machine, ns_error *err)
{
    const char *assignment, *cap = ns_args_at(args, "cap", 0);
    for (int i = 0; (assignment = ns_args_at(args, "set", i)) != NULL; i++) {
        bool elsewhere = i == but;
        if (!elsewhere && args->network != NULL && !ns_machine_has(*machine, assignment)) {
            /* Numbers that only the network's file has, and the machine does not, belong to the network. */
            const ns_network_kind *kind;
            ns_machine *hardware;
            NS_TRY(ns_network_kind_get(args->network, &kind, err));
            NS_TRY(ns_machine_load(kind->hardware, &hardware, err));
            elsewhere = ns_machine_has(hardware, assignment);
            ns_machine_free(hardware);
        }
        if (!elsewhere)
            NS_TRY(ns_machine_set(machine, assignment, err));
    }
    if (cap == NULL)
        return NS_OK;
    char split[96];
    double bytes;
    NS_TRY(ns_quantity_parse_as(cap, "--cap", "B", &bytes, err));
    if (!(bytes >= 1))
        return ns_fail(err, NS_ERR_RANGE, "--cap has to be at least 1 B");
    snprintf(split, sizeof split, "models.split.cap=%.17gB", bytes);
    return ns_machine_set(machine, split, err);
}

ns_status ns_machine_open(const ns_args *args, const char *name, ns_machine **machine, ns_error *err)
{
    ns_machine *opened;
    NS_TRY(ns_machine_find(name, &opened, err));
    ns_status status = apply_sets(args, NS_EVERY_SET, &opened, err);
    if (status == NS_OK)
        *machine = opened;
    else
        ns_machine_free(opened);
    return status;
}

ns_status ns_machines_open(const ns_args *args, int but, ns_machine ***machine, size_t *machines, ns_error *err)
{
    /* The value of --machine, else the default machine where the option has a default. */
    const bool usual =
        args->usual_machine && (args->machine == NULL || strcmp(args->machine, NS_MACHINE_DEFAULT) == 0);
    const char *given = usual ? ns_machine_usual() : args->machine;
    const size_t size = strlen(given) + 1;
    size_t most = 1, count = 0;
    for (const char *c = given; *c != '\0'; c++)
        most += *c == ',';
    char *names = ns_malloc(size);
    ns_machine **opened = ns_calloc(most, sizeof *opened);
    ns_status status = names != NULL && opened != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK)
        memcpy(names, given, size);
    for (char *name = names, *end; status == NS_OK && name != NULL; name = end) {
        end = strchr(name, ',');
        if (end != NULL)
            *end++ = '\0';
        status = *name != '\0' ? ns_machine_find(name, &opened[count], err)
                               : ns_fail(err, NS_ERR_NAME, "--machine \"%s\" holds an empty name", given);
        if (status == NS_OK)
            status = apply_sets(args, but, &opened[count++], err);
    }
    ns_free(names);
    if (status != NS_OK && status != NS_ERR_MEMORY && given == getenv("NSMODEL_MACHINE") && err != NULL) {
        const ns_error inner = *err;
        *err = (ns_error){.code = NS_OK};
        (void)ns_fail(err, status, "NSMODEL_MACHINE: %s", inner.text);
    }
    if (status == NS_OK) {
        *machine = opened;
        *machines = count;
    } else {
        ns_machines_close(opened, count);
    }
    return status;
}

ns_status ns_machine_only(const ns_args *args, ns_machine **machine, ns_error *err)
{
    ns_machine **all;
    size_t machines;
    NS_TRY(ns_machines_open(args, NS_EVERY_SET, &all, &machines, err));
    *machine = NULL;
    if (machines == 1) {
        *machine = all[0];
        all[0] = NULL;
    }
    ns_machines_close(all, machines);
    return *machine != NULL ? NS_OK : ns_fail(err, NS_ERR_USAGE, "%s takes one machine", args->command->name);
}

ns_status ns_machine_if_named(const ns_args *args, bool usual, ns_machine **machine, ns_error *err)
{
    *machine = NULL;
    if (args->machine != NULL)
        return ns_machine_only(args, machine, err);
    if (ns_args_at(args, "set", 0) != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--set changes a machine: give --machine as well");
    return usual ? ns_machine_find(ns_machine_usual(), machine, err) : NS_OK;
}

void ns_machines_close(ns_machine **machine, size_t machines)
{
    for (size_t i = 0; machine != NULL && i < machines; i++)
        ns_machine_free(machine[i]);
    ns_free(machine);
}

/* ---- the number of parts: by --gpus, --parts or --nodes, three options for the same number ----------------------- */

ns_status ns_parts_option(const ns_args *args, const char **option, ns_error *err)
{
    static const char *const names[] = {"gpus", "parts", "nodes"};
    enum { NODES = 2 };
    *option = NULL;
    for (int i = 0; i <= NODES; i++) {
        /* in some commands `nodes` means something else */
        if (!ns_args_has(args, names[i]) ||
            (i == NODES && strstr(ns_option_of_word(args->command, "--nodes")->doc, "--per-node") == NULL))
            continue;
        if (*option != NULL)
            return ns_fail(err, NS_ERR_USAGE,
                           i == NODES ? "--%s and --%s both say how many parts there are"
                                      : "--%s and --%s are the same option",
                           *option, names[i]);
        *option = names[i];
    }
    return NS_OK;
}

ns_status ns_parts_of(const char *option, int32_t number, int32_t per_node, int32_t *parts, ns_error *err)
{
    const int64_t all = (int64_t)number * (option != NULL && strcmp(option, "nodes") == 0 ? per_node : 1);
    if (all > NS_PARTS_MOST)
        return ns_fail(err, NS_ERR_RANGE, "--%s: %d nodes of %d parts are more than %d parts", option, (int)number,
                       (int)per_node, (int)NS_PARTS_MOST);
    *parts = (int32_t)all;
    return NS_OK;
}
