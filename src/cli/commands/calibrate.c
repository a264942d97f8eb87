/* calibrate.c -- the job script that makes a machine file of a cluster: nsmodel-mpi measure, then nsmodel fit */
#include "cli/front/command.h"
#include "core/refuse.h"
#include "io/whole_file.h"

#include <string.h>

static const ns_option options[] = {
    {"script", 0, "slurm|pbs|plain", NULL, "for which batch system; plain: for a shell on the nodes", false},
    {"nodes", 0, "N", "2", "nodes of the job: two are measured", false},
    {"per-node", 0, "G", NULL, "ranks of a node: as many as it has cores", false},
    {"sockets", 0, "S", NULL, "sockets of a node [as its system says]", false},
    {"name", 0, "NAME", "mine", "of the machine; NAME.log and NAME.json are written", false},
    {NULL, 0, NULL, NULL, NULL, false},
};

enum { SCRIPT = 2000, SLURM = 0, PBS };
static const char *const kinds[] = {"slurm", "pbs", "plain", NULL};

typedef struct request {
    int kind;
    int32_t nodes, per_node, sockets; /* sockets 0: not said */
    const char *name;
} request;

static ns_status read_request(const ns_args *args, request *r, ns_error *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (ns_args_get(args, "script") == NULL || ns_args_get(args, "per-node") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "calibrate wants --script slurm|pbs|plain and --per-node G");
    *r = (request){.name = ns_args_get(args, "name")};
    NS_TRY(ns_args_choice(args, "script", kinds, &r->kind, err));
    NS_TRY(ns_args_count(args, "nodes", 1, 1 << 20, &r->nodes, err));
    NS_TRY(ns_args_count(args, "per-node", 1, 1 << 20, &r->per_node, err));
    if (ns_args_has(args, "sockets"))
        NS_TRY(ns_args_count(args, "sockets", 1, 1 << 10, &r->sockets, err));
    if (*r->name == '\0' || *r->name == '-' || *r->name == '.' || r->name[strspn(r->name, allowed)] != '\0' ||
        strlen(r->name) > 60)
        return ns_fail(
            err, NS_ERR_NAME,
            "--name wants up to 60 letters, digits, dots, _ and -, of which no dot or - is the first, got \"%.60s\"",
            r->name);
    return NS_OK;
}

/* What the batch system reads, and how it starts the ranks, each on a core of its own. */
static size_t write_head(const request *r, char *text)
{
    const int nodes = (int)r->nodes, per_node = (int)r->per_node;
    if (r->kind == SLURM)
        return (size_t)snprintf(text, SCRIPT,
                                "#!/bin/sh\n#SBATCH --job-name=nsmodel\n#SBATCH --nodes=%d\n"
                                "#SBATCH --ntasks-per-node=%d\n#SBATCH --exclusive\n#SBATCH --time=00:30:00\nset -eu\n"
                                "srun --cpu-bind=cores ",
                                nodes, per_node);
    if (r->kind == PBS)
        return (size_t)snprintf(text, SCRIPT,
                                "#!/bin/sh\n#PBS -N nsmodel\n#PBS -l select=%d:ncpus=%d:mpiprocs=%d\n"
                                "#PBS -l place=scatter:excl\n#PBS -l walltime=00:30:00\nset -eu\n"
                                "cd \"$PBS_O_WORKDIR\"\nmpirun -n %lld --map-by core --bind-to core ",
                                nodes, per_node, per_node, (long long)nodes * per_node);
    return (size_t)snprintf(text, SCRIPT,
                            "#!/bin/sh\n# on the nodes of the launcher's host file, %d ranks on each\nset -eu\n"
                            "mpirun -n %lld --map-by core --bind-to core ",
                            per_node, (long long)nodes * per_node);
}

/* Both commands know the sockets where they were said. */
static void write_script(const request *r, char *text)
{
    char sockets[40] = "";
    if (r->sockets > 0)
        snprintf(sockets, sizeof sockets, " --sockets %d", (int)r->sockets);
    const size_t used = write_head(r, text);
    snprintf(text + used, SCRIPT - used,
             "nsmodel-mpi measure%s -o %s.log\nnsmodel fit %s.log --per-node %d%s --name %s -o %s.json\n", sockets,
             r->name, r->name, (int)r->per_node, sockets, r->name, r->name);
}

static bool owns_output(const char *path)
{
    (void)path;
    return true;
}

static ns_status save(const char *text, const char *path, ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    fputs(text, whole.file);
    return ns_whole_file_end(&whole, NS_OK, err);
}

/* Line by line, so that standard output is the script. */
static void show(char *text, ns_value *result)
{
    ns_value_flag(ns_value_text(result, "script", text), NS_V_JSON_ONLY);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        ns_value_flag(ns_value_text(result, "line", line), NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
    }
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    char text[SCRIPT];
    (void)context;
    NS_TRY(read_request(args, &r, err));
    write_script(&r, text);
    if (ns_args_get(args, "output") != NULL)
        NS_TRY(save(text, ns_args_get(args, "output"), err));
    show(text, result);
    return NS_OK;
}

const ns_command ns_command_calibrate = {
    .name = "calibrate",
    .summary = "a job script that measures a cluster and fits a machine file",
    .usage = "--script slurm|pbs|plain --per-node G",
    .options = options,
    .example = "nsmodel calibrate --script slurm --per-node 32 --name mycluster",
    .about = "Two commands from a bare cluster to a machine file: nsmodel-mpi measure, which `make mpi` builds, and "
             "nsmodel fit.\n"
             "What a site asks for beside it (an account, a partition, modules) is added by hand.\n",
    .rank = 6,
    .owns_output = owns_output,
    .run = run,
};
