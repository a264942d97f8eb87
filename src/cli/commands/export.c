/* export.c -- a machine in the form that other tools read: a platform for a simulator, rules for an MPI */
#include "cli/show/export.h"
#include "cli/front/own.h"
#include "cli/inputs/inputs.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "report/columns.h"

#include <string.h>

enum { NODES_MOST = 1 << 16, ROUTES_MOST = 1 << 22, RANKS_MOST = 1 << 24 };

enum { SIMGRID, SIMGRID_XML, OMPI_TUNED };
static const char *const targets[] = {"simgrid", "simgrid-xml", "ompi-tuned", NULL};

typedef struct request {
    int to;
    const char *machine;
    int32_t nodes, per_node;
    int start_up;
    ns_whole_numbers ranks;
    double gamma;
} request;

static const ns_option options[] = {
    {"to", 0, "simgrid|simgrid-xml|ompi-tuned", NULL,
     "source of a platform library in C++, or the platform in XML; rules for Open MPI's allreduce and alltoall",
     NS_OPT(request, to), .words = targets},
    {"machine", 0, "NAME|FILE", NS_MACHINE_DEFAULT, "machine or machine file", NS_OPT(request, machine)},
    {"nodes", 0, "N", "2", "nodes of the platform", NS_OPT(request, nodes), .least = 1, .most = NODES_MOST},
    {"per-node", 0, "G", NULL,
     "processes of a node of the platform [the machine's host processes]; of ompi-tuned, ranks of a node in its "
     "alltoall [1]",
     NS_OPT(request, per_node), .least = 1, .most = NODES_MOST},
    {"start-up", 0, "network|sender|ends|thirds", "network",
     "whose a message's start-up is: the network's, the sender's, half of either end, or a third of each",
     NS_OPT(request, start_up), .words = ns_start_up_words},
    {"ranks", 0, "LIST", "2,3,4,5,8,9,16,17,32,33,64,65,128,129,256,257,512,513,1024",
     "of ompi-tuned: sizes of communicators; each holds up to the next", NS_OPT(request, ranks), .least = 2,
     .most = RANKS_MOST},
    {"gamma", 0, "TIME/B", "0ns/B", "of ompi-tuned: time per byte of combining two operands", NS_OPT(request, gamma),
     .unit = "s/B"},
    NS_OPTION_SET,
    {NULL},
};

/* ---- SimGrid ----------------------------------------------------------------------------------------------------- */

static ns_status export_platform(const request *r, const ns_machine *machine, FILE *out, ns_value *result,
                                 ns_error *err)
{
    const bool xml = r->to == SIMGRID_XML;
    ns_platform platform;
    const int32_t per_node = r->per_node > 0 ? r->per_node : machine->host_processes;
    if (per_node < 1)
        return ns_fail(err, NS_ERR_USAGE, "%s does not say how many processes a node has: --per-node does",
                       machine->name);
    if ((int64_t)r->nodes * per_node * per_node + (xml ? (int64_t)r->nodes * r->nodes : 0) > ROUTES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%d nodes of %d processes have more than %d routes", (int)r->nodes,
                       (int)per_node, (int)ROUTES_MOST);
    NS_TRY(ns_platform_make(machine, r->nodes, per_node, &ns_start_ups[r->start_up], &platform, err));
    (xml ? ns_platform_xml : ns_platform_library)(&platform, out);
    const ns_start_up *s = platform.start_up;
    ns_value_text(result, "machine", platform.machine->name);
    ns_value_count(result, "nodes", platform.nodes);
    ns_value_count(result, "per_node", platform.per_node);
    ns_value_count(result, "sockets", platform.sockets);
    ns_value *start_up = ns_put_object(result, "start_up", NS_IN_JSON);
    ns_value_text(start_up, "split", s->name);
    ns_value_count(start_up, "sender", s->sender);
    ns_value_count(start_up, "receiver", s->receiver);
    ns_value_count(start_up, "network", s->network);
    ns_note(result, "start-up   %s: %.3g of it the sender's, %.3g the receiver's, %.3g the network's", s->name,
            s->sender, s->receiver, s->network);
    ns_platform_losses(&platform, xml, result);
    return NS_OK;
}

/* ---- Open MPI ---------------------------------------------------------------------------------------------------- */

static ns_status export_tuned(const request *r, const ns_machine *machine, FILE *out, ns_value *result, ns_error *err)
{
    NS_CLOSE(ns_tuned_free) ns_tuned tuned = {0};
    if (!(r->gamma >= 0 && r->gamma < 1))
        return ns_fail(err, NS_ERR_RANGE, "--gamma wants a time per byte from 0 up, like 0.1ns/B");
    NS_TRY(
        ns_tuned_make(machine, r->gamma, r->per_node > 0 ? r->per_node : 1, r->ranks.at, r->ranks.count, &tuned, err));
    ns_tuned_write(&tuned, out);
    ns_tuned_value(&tuned, result);
    return NS_OK;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* One row per target: the options that belong to it, closed by NULL, and its writer. */
static const struct {
    const char *option[4];
    ns_status (*write)(const request *r, const ns_machine *machine, FILE *out, ns_value *result, ns_error *err);
} own[] = {
    [SIMGRID] = {{"nodes", "per-node", "start-up", NULL}, export_platform},
    [SIMGRID_XML] = {{"nodes", "per-node", "start-up", NULL}, export_platform},
    [OMPI_TUNED] = {{"ranks", "gamma", "per-node", NULL}, export_tuned},
};

/* Refuse an option of another target, which would have no effect. */
static ns_status check_options(const ns_args *args, const request *r, ns_error *err)
{
    if (r->to < 0)
        return ns_fail(err, NS_ERR_USAGE, "export wants --to %s", options[0].argument);
    for (int i = 0; targets[i] != NULL; i++)
        for (const char *const *other = own[i].option; *other != NULL; other++) {
            bool is_own = false;
            for (const char *const *of = own[r->to].option; *of != NULL; of++)
                is_own = is_own || strcmp(*of, *other) == 0;
            if (ns_args_has(args, *other) && !is_own)
                return ns_fail(err, NS_ERR_USAGE, "--%s is for --to %s, not for %s", *other, targets[i],
                               targets[r->to]);
        }
    return NS_OK;
}

static void request_free(request *r)
{
    ns_free(r->ranks.at);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_CLOSE(request_free) request r = {.nodes = 0};
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    ns_whole_file whole;
    (void)context;
    if (args->output == NULL)
        return ns_fail(err, NS_ERR_USAGE, "export wants -o FILE, the file to write");
    NS_TRY(ns_args_read(args, &r, err));
    NS_TRY(check_options(args, &r, err));
    NS_TRY(ns_machine_open(args, r.machine, &machine, err));
    NS_TRY(ns_whole_file_begin(args->output, NS_FOR_ALL, &whole, err));
    ns_put_schema(result, "nsmodel/export/1");
    ns_put_text(result, "to", NS_IN_DATA, targets[r.to]);
    return ns_whole_file_end(&whole, own[r.to].write(&r, machine, whole.file, result, err), err);
}

const ns_command ns_command_export = {
    .name = "export",
    .summary = "a machine as a platform of the simulator SimGrid, or as rules for Open MPI's allreduce and alltoall",
    .usage = "--to simgrid|simgrid-xml|ompi-tuned -o FILE",
    .options = options,
    .example = "nsmodel export --to simgrid --machine lassen --nodes 4 --per-node 8 --start-up ends -o platform.cpp",
    .about =
        "The library has the segments of each locality as callbacks; XML has one list for all localities. The file "
        "says how it is built and used.\n"
        "A machine's alpha does not say whose time it is, so --start-up does: docs/evidence/validation.md shows what "
        "that changes.\n"
        "ompi-tuned: mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE. Open "
        "MPI says nothing when there\n"
        "is no such file, and takes its own rules. Those of the allreduce are of one process a node: "
        "docs/decision-files.md.\n",
    .rank = 6,
    .owns_output = ns_owns_output,
    .run = run,
};
