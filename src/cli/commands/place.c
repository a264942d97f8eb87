/* place.c -- on which node each part should stand: placements side by side, and the fastest as launchers read it */
#include "cli/show/place.h"
#include "cli/inputs/cases.h"
#include "cli/show/result.h"
#include "core/memory.h"

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"messages", 0, "FILE.csv", NULL, "planned messages instead of a matrix", false},
    {"machine", 0, "NAME|FILE", NS_MACHINE_DEFAULT, "machine or machine file", false},
    {"nodes", 'n', "K", NULL, "number of nodes", false},
    {"per-node", 0, "G", NULL, "room for parts on a node [the machine's GPUs, or host processes]", false},
    {"parts", 'p', "P", NULL, "number of parts [those of the partition or the messages, or as many as fit]", false},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_STRATEGY,
    NS_OPTION_TRANSPORT,
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    {"seed", 0, "S", "1", "of the search and of Scotch: the same seed gives the same answer", false},
    {"tries", 0, "N", NULL, "moves and swaps that the search prices [by the number of parts]", false},
    {"no-scotch", 0, NULL, NULL, "leave Scotch's placement out", false},
    {"write", 0, "ompi|slurm|json", NULL, "what -o FILE gets: the fastest placement for a launcher, or all of them",
     false},
    {"hosts", 0, "LIST|FILE", NULL, "names of the nodes, for --write ompi and slurm", false},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL, 0, NULL, NULL, NULL, false},
};

enum { OMPI, SLURM, JSON, NOTHING };
static const char *const writes[] = {"ompi", "slurm", "json", NULL};

static ns_status choose_write(const ns_args *args, int *write, ns_error *err)
{
    *write = NOTHING;
    if (!ns_args_has(args, "write"))
        return ns_args_has(args, "hosts") ? ns_fail(err, NS_ERR_USAGE, "--hosts is for --write ompi or slurm") : NS_OK;
    NS_TRY(ns_args_choice(args, "write", writes, write, err));
    if (!ns_args_has(args, "output"))
        return ns_fail(err, NS_ERR_USAGE, "--write %s wants -o FILE", writes[*write]);
    if (*write == JSON)
        return NS_OK;
    return ns_args_has(args, "hosts")
               ? NS_OK
               : ns_fail(err, NS_ERR_USAGE, "--write %s wants --hosts, the names of the nodes: LIST or FILE",
                         writes[*write]);
}

static ns_status save_hosts(const ns_args *args, const ns_placing *p, ns_error *err)
{
    ns_hosts hosts;
    NS_TRY(ns_hosts_read(ns_args_get(args, "hosts"), p->nodes, &hosts, err));
    const ns_status status = ns_placement_save_hosts(p, &hosts, ns_args_get(args, "output"), err);
    ns_hosts_free(&hosts);
    return status;
}

static ns_status save(const ns_args *args, const ns_placing *p, int write, const ns_value *result, ns_error *err)
{
    const char *path = ns_args_get(args, "output");
    if (path == NULL)
        return NS_OK;
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    if (write == NOTHING)
        return ns_result_save(result, path, err);
    return write == JSON ? ns_save_json(result, path, err) : save_hosts(args, p, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_placing *p;
    int write;
    NS_TRY(choose_write(args, &write, err));
    if (!ns_args_has(args, "nodes"))
        return ns_fail(err, NS_ERR_USAGE, "place wants --nodes K");
    NS_TRY(ns_placing_open(args, &p, err));
    ns_placing_value(p, result);
    ns_warn_inside(p->machine, "placements that keep messages inside nodes", context->err);
    const ns_status status = save(args, p, write, result, err);
    ns_placing_close(p);
    return status;
}

static bool owns_output(const char *path)
{
    (void)path;
    return true;
}

const ns_command ns_command_place = {
    .name = "place",
    .summary = "on which node each part should stand, and what that gains",
    .usage = "MATRIX | FILE.csv --nodes K",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel place --matrix rajat01 --machine dane --nodes 4 --per-node 8 --no-scotch",
    .about =
        "Prices four placements by every strategy: block (neighbours together, as even as can be), cyclic (round the "
        "nodes), that of\n"
        "Scotch, which keeps bytes inside nodes, where libscotch is installed, and the one that a search finds. It "
        "starts from the others\n"
        "and from bisections of its own, and is never slower; the gain is the time of block over the placement's own.\n"
        "--write ompi: mpirun --hostfile FILE --map-by seq -n P. --write slurm: SLURM_HOSTFILE=FILE srun "
        "--distribution=arbitrary -n P.\n"
        "Planned messages are rows of src,dst,bytes.",
    .rank = 3,
    .owns_output = owns_output,
    .run = run,
};
