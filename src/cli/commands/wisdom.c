/* wisdom.c -- results of earlier exchanges: wisdom files shown, merged and pruned */
#include "cli/front/command.h"
#include "cli/front/own.h"
#include "report/columns.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    const char *before, *machine, *mpi;
    int32_t least;
} request;

static const ns_option options[] = {
    {"before", 0, "DATE", NULL, "leave out rows that are older: 2026-01-31", NS_OPT(request, before)},
    {"least", 0, "N", "1", "leave out rows of fewer calls", NS_OPT(request, least), .least = 1, .most = INT32_MAX},
    {"machine", 0, "NAME", NULL, "refuse files without rows of this machine; with --mpi", NS_OPT(request, machine)},
    {"mpi", 0, "TEXT", NULL, "and of this MPI with its version: \"Open MPI 4.1.6\"", NS_OPT(request, mpi)},
    {NULL},
};

NS_FREED_BY(ns_wisdom_free, ns_wisdom)

static bool owns_output(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending != NULL && ending > path && strcmp(ending, ".jsonl") == 0;
}

static const ns_table_column columns[] = {{"machine", NS_COL(ns_wisdom_row, machine)},
                                          {"mpi", NS_COL(ns_wisdom_row, mpi)},
                                          {"bytes", NS_COL(ns_wisdom_row, bytes), .unit = "B"},
                                          {"messages", NS_COL(ns_wisdom_row, messages)},
                                          {"processes", NS_COL(ns_wisdom_row, processes)},
                                          {"per_node", NS_COL(ns_wisdom_row, per_node)},
                                          {"way", NS_COL(ns_wisdom_row, way)},
                                          {"median_s", NS_COL(ns_wisdom_row, median_s), .unit = "s"},
                                          {"spread", NS_COL(ns_wisdom_row, spread)},
                                          {"count", NS_COL(ns_wisdom_row, count)},
                                          {"base_s", NS_COL(ns_wisdom_row, base_s), .unit = "s", .shows = NS_IN_WIDE},
                                          {"predicted", NS_COL(ns_wisdom_row, predicted), .shows = NS_IN_WIDE},
                                          {"date", NS_COL(ns_wisdom_row, date)},
                                          {NULL}};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_OWN(ns_wisdom_free) ns_wisdom *all = NULL;
    request r;
    size_t gone;
    NS_TRY(ns_args_read(args, &r, err));
    if ((r.machine == NULL) != (r.mpi == NULL))
        return ns_fail(err, NS_ERR_USAGE, "--machine and --mpi go together: both have to be those of the rows");
    NS_TRY(ns_wisdom_open(NULL, &all, err));
    for (int i = 0; i < args->words; i++) {
        NS_OWN(ns_wisdom_free) ns_wisdom *one = NULL;
        const char *path = args->word[i];
        if (access(path, R_OK) != 0)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
        NS_TRY(ns_wisdom_open(path, &one, err));
        if (ns_wisdom_cut(one) > 0)
            fprintf(context->err,
                    "nsmodel: note: %s:%ld: the last row is cut off and left out; %zu whole ones are kept\n", path,
                    ns_wisdom_cut(one), ns_wisdom_rows(one));
        if (r.machine != NULL)
            NS_TRY(ns_wisdom_check(one, r.machine, r.mpi, err));
        NS_TRY(ns_wisdom_merge(all, one, err));
    }
    NS_TRY(ns_wisdom_prune(all, r.before, r.least, &gone, err));
    ns_put_count(result, "left_out", NS_IN_JSON, (double)gone);
    if (args->output != NULL && owns_output(args->output))
        NS_TRY(ns_wisdom_write(all, args->output, err));
    ns_value *rows = ns_put_rows(result, "rows", NS_EVERYWHERE);
    for (size_t i = 0; i < ns_wisdom_rows(all); i++) {
        ns_wisdom_row row = {.size = sizeof row};
        NS_TRY(ns_wisdom_row_at(all, i, &row, err));
        ns_put_row(rows, columns, &row);
    }
    return NS_OK;
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
