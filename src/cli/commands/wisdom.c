/* wisdom.c -- what earlier exchanges showed: wisdom files shown, merged and pruned */
#include "cli/front/command.h"

#include <string.h>
#include <unistd.h>

static const ns_option options[] = {
    {"before", 0, "DATE", NULL, "leave out rows that are older: 2026-01-31", false},
    {"least", 0, "N", "1", "leave out rows of fewer calls", false},
    {"machine", 0, "NAME", NULL, "refuse files without rows of this machine; with --mpi", false},
    {"mpi", 0, "TEXT", NULL, "and of this MPI with its version: \"Open MPI 4.1.6\"", false},
    {NULL, 0, NULL, NULL, NULL, false},
};

static bool owns_output(const char *path)
{
    const size_t length = strlen(path);
    return length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
}

static ns_status add_file(ns_wisdom *all, const char *path, const ns_args *args, ns_error *err)
{
    ns_wisdom *one;
    const char *machine = ns_args_get(args, "machine"), *mpi = ns_args_get(args, "mpi");
    if (access(path, R_OK) != 0)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
    NS_TRY(ns_wisdom_open(path, &one, err));
    ns_status status = machine != NULL ? ns_wisdom_check(one, machine, mpi, err) : NS_OK;
    if (status == NS_OK)
        status = ns_wisdom_merge(all, one, err);
    ns_wisdom_free(one);
    return status;
}

static ns_status show(const ns_wisdom *all, ns_value *result, ns_error *err)
{
    ns_value *rows = ns_value_flag(ns_value_list(result, "rows"), NS_V_ROWS);
    for (size_t i = 0; i < ns_wisdom_rows(all); i++) {
        ns_wisdom_row r = {.size = sizeof r};
        NS_TRY(ns_wisdom_row_at(all, i, &r, err));
        ns_value *row = ns_value_object(rows, NULL);
        ns_value_text(row, "machine", r.machine);
        ns_value_text(row, "mpi", r.mpi);
        ns_value_number(row, "bytes", r.bytes, (ns_dim){.byte = 1});
        ns_value_count(row, "messages", r.messages);
        ns_value_count(row, "processes", (double)r.processes);
        ns_value_count(row, "per_node", (double)r.per_node);
        ns_value_text(row, "way", r.way);
        ns_value_number(row, "median_s", r.median_s, (ns_dim){.second = 1});
        ns_value_count(row, "spread", r.spread);
        ns_value_count(row, "count", (double)r.count);
        ns_value_flag(ns_value_number(row, "base_s", r.base_s, (ns_dim){.second = 1}), NS_V_WIDE);
        ns_value_flag(ns_value_bool(row, "predicted", r.predicted), NS_V_WIDE);
        ns_value_text(row, "date", r.date);
    }
    return NS_OK;
}

static ns_status answer(const ns_args *args, ns_wisdom *all, ns_value *result, ns_error *err)
{
    int32_t least;
    size_t gone;
    const char *output = ns_args_get(args, "output");
    NS_TRY(ns_args_count(args, "least", 1, INT32_MAX, &least, err));
    for (int i = 0; i < args->words; i++)
        NS_TRY(add_file(all, args->word[i], args, err));
    NS_TRY(ns_wisdom_prune(all, ns_args_get(args, "before"), least, &gone, err));
    ns_value_flag(ns_value_count(result, "left_out", (double)gone), NS_V_JSON_ONLY);
    if (output != NULL && owns_output(output))
        NS_TRY(ns_wisdom_write(all, output, err));
    return show(all, result, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_wisdom *all;
    (void)context;
    if (ns_args_has(args, "machine") != ns_args_has(args, "mpi"))
        return ns_fail(err, NS_ERR_USAGE, "--machine and --mpi go together: both have to be those of the rows");
    NS_TRY(ns_wisdom_open(NULL, &all, err));
    const ns_status status = answer(args, all, result, err);
    ns_wisdom_free(all);
    return status;
}

const ns_command ns_command_wisdom = {
    .name = "wisdom",
    .summary = "what programs learnt of their exchanges: wisdom files shown, merged and pruned",
    .usage = "FILE...",
    .options = options,
    .example = "nsmodel wisdom examples/wisdom.jsonl --least 2",
    .about =
        "A wisdom file has a JSON object a line: one way of one exchange, with the median and the spread (standard "
        "deviation of ln) of its calls. Rows of the same exchange, machine, MPI and way are merged, weighted by "
        "their counts.\n"
        "-o FILE.jsonl writes the rows that are left as a wisdom file, whole or not at all.\n",
    .least = 1,
    .most = 4096,
    .needs = "at least one wisdom file",
    .rank = 8,
    .owns_output = owns_output,
    .run = run,
};
