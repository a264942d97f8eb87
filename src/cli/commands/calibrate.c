/* calibrate.c -- the job script that measures and calibrates a machine file for a cluster, by nsmodel-mpi tune
 *
 * tune continues where it stopped, so a job that was interrupted continues when it is submitted again.
 */
#include "cli/front/command.h"
#include "core/refuse.h"
#include "io/whole_file.h"
#include "report/columns.h"

#include <string.h>

enum { SCRIPT = 8000, SLURM = 0, PBS, FLUX, LSF, PLAIN };
static const char *const kinds[] = {"slurm", "pbs", "flux", "lsf", "plain", NULL};

typedef struct request {
    int kind;
    int32_t nodes, per_node, sockets; /* sockets 0: not given */
    const char *name;
} request;

static const ns_option options[] = {
    {"script", 0, "slurm|pbs|flux|lsf|plain", NULL, "for which batch system; plain: for a shell on the nodes",
     NS_OPT(request, kind), .words = kinds},
    {"nodes", 0, "N", "2", "nodes of the job: two are measured", NS_OPT(request, nodes), .least = 1, .most = 1 << 20},
    {"per-node", 0, "G", NULL, "ranks of a node: as many as it has cores", NS_OPT(request, per_node), .least = 1,
     .most = 1 << 20},
    {"sockets", 0, "S", NULL, "sockets of a node [as its system says]", NS_OPT(request, sockets), .least = 1,
     .most = 1 << 10},
    {"name", 0, "NAME", "mine", "of the machine; NAME.log, NAME.csv, NAME-first.json and NAME.json are written",
     NS_OPT(request, name)},
    {"matrix", 0, "M", NULL, "exchanged and learnt from, in place of three stencils and two stand-ins; may be repeated",
     .repeats = true},
    {NULL},
};

/* The batch system's directives, and how it starts the ranks, each on a core of its own: {P} ranks on {N} nodes, {G} on
 * each. */
static const char *const heads[] = {
    [SLURM] = "#!/bin/sh\n#SBATCH --job-name=nsmodel\n#SBATCH --nodes={N}\n#SBATCH --ntasks-per-node={G}\n"
              "#SBATCH --exclusive\n#SBATCH --time=00:30:00\nset -eu\nlaunch='srun --cpu-bind=cores'\n",
    [PBS] = "#!/bin/sh\n#PBS -N nsmodel\n#PBS -l select={N}:ncpus={G}:mpiprocs={G}\n#PBS -l place=scatter:excl\n"
            "#PBS -l walltime=00:30:00\nset -eu\ncd \"$PBS_O_WORKDIR\"\n"
            "launch='mpirun -n {P} --map-by core --bind-to core'\n",
    [FLUX] = "#!/bin/sh\n#FLUX: --job-name=nsmodel\n#FLUX: --nodes={N}\n#FLUX: --exclusive\n"
             "#FLUX: --time-limit=30m\nset -eu\n"
             "launch='flux run --nodes={N} --ntasks={P} --cores-per-task=1 -o cpu-affinity=per-task'\n",
    [LSF] =
        "#!/bin/sh\n#BSUB -J nsmodel\n#BSUB -n {P}\n#BSUB -R \"span[ptile={G}]\"\n#BSUB -x\n#BSUB -W 0:30\nset -eu\n"
        "launch='mpirun -n {P} --map-by core --bind-to core'\n",
    [PLAIN] = "#!/bin/sh\n# on the nodes of the launcher's host file, {G} ranks on each\nset -eu\n"
              "launch='mpirun -n {P} --map-by core --bind-to core'\n"};

static size_t write_head(const request *r, char *text)
{
    size_t used = 0;
    for (const char *at = heads[r->kind]; *at != '\0';) {
        const size_t plain = strcspn(at, "{");
        used += (size_t)snprintf(text + used, SCRIPT - used, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '\0')
            break;
        used += (size_t)snprintf(text + used, SCRIPT - used, "%lld",
                                 at[1] == 'N'   ? (long long)r->nodes
                                 : at[1] == 'G' ? (long long)r->per_node
                                                : (long long)r->nodes * r->per_node);
        at += strlen("{N}");
    }
    return used;
}

/* Quoted for the shell in single quotes; a quote inside closes them, is escaped and opens them again. */
static size_t quote(const char *text, char *to, size_t room)
{
    size_t used = 0;
    for (to[used++] = '\''; *text != '\0' && used + 6 < room; text++) {
        if (*text == '\'') {
            to[used++] = '\'';
            to[used++] = '\\';
            to[used++] = '\'';
        }
        to[used++] = *text;
    }
    to[used++] = '\'';
    return used;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    char text[SCRIPT];
    (void)context;
    NS_TRY(ns_args_read(args, &r, err));
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (r.kind < 0 || r.per_node == 0)
        return ns_fail(err, NS_ERR_USAGE, "calibrate wants --script slurm|pbs|flux|lsf|plain and --per-node G");
    if (*r.name == '\0' || *r.name == '-' || *r.name == '.' || r.name[strspn(r.name, allowed)] != '\0' ||
        strlen(r.name) > 60)
        return ns_fail(
            err, NS_ERR_NAME,
            "--name wants up to 60 letters, digits, dots, _ and -, of which no dot or - is the first, got \"%.60s\"",
            r.name);
    const char *given;
    size_t used = write_head(&r, text);
    used += (size_t)snprintf(text + used, SCRIPT - used, "$launch nsmodel-mpi tune -o %s.json --per-node %d", r.name,
                             (int)r.per_node);
    if (r.sockets > 0)
        used += (size_t)snprintf(text + used, SCRIPT - used, " --sockets %d", (int)r.sockets);
    for (int i = 0; (given = ns_args_at(args, "matrix", i)) != NULL && used + 16 < SCRIPT; i++) {
        text[used++] = ' ';
        used += quote(given, text + used, SCRIPT - used - 2);
    }
    snprintf(text + used, SCRIPT - used, "\n");
    if (args->output != NULL) {
        const char *path = args->output;
        ns_whole_file whole;
        NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
        fputs(text, whole.file);
        NS_TRY(ns_whole_file_end(&whole, NS_OK, err));
    }
    /* line by line, so that standard output is the script itself */
    ns_put_text(result, "script", NS_IN_JSON, text);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        ns_note(result, "%s", line);
    }
    return NS_OK;
}

const ns_command ns_command_calibrate = {
    .name = "calibrate",
    .summary = "a job script that measures a cluster and fits a machine file",
    .usage = "--script slurm|pbs|flux|lsf|plain --per-node G",
    .options = options,
    .example = "nsmodel calibrate --script slurm --per-node 32 --name mycluster",
    .about = "From a bare cluster to a machine file in one job: nsmodel-mpi tune measures, fits, exchanges some "
             "matrices by the likeliest\n"
             "ways, learns from what these took, and says how far off it was before and after. A job that was stopped "
             "goes on where it\n"
             "was when it is started again.\n"
             "What a site asks for beside it (an account, a partition, modules) is added by hand.\n",
    .rank = 6,
    .owns_output = ns_owns_output,
    .run = run,
};
