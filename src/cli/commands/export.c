/* export.c -- a machine as other tools take it: a platform of a simulator, rules of an MPI */
#include "cli/show/export.h"
#include "cli/inputs/inputs.h"
#include "core/memory.h"
#include "io/whole_file.h"

#include <string.h>

static const ns_option options[] = {
    {"to", 0, "simgrid|simgrid-xml|ompi-tuned", NULL,
     "source of a platform library in C++, or the platform in XML; rules for Open MPI's allreduce and alltoall",
     false},
    {"machine", 0, "NAME|FILE", NS_MACHINE_DEFAULT, "machine or machine file", false},
    {"nodes", 0, "N", "2", "nodes of the platform", false},
    {"per-node", 0, "G", NULL,
     "processes of a node of the platform [the machine's host processes]; of ompi-tuned, ranks of a node in its alltoall "
     "[1]",
     false},
    {"start-up", 0, "network|sender|ends|thirds", "network",
     "whose a message's start-up is: the network's, the sender's, half of either end, or a third of each", false},
    {"ranks", 0, "LIST", "2,3,4,5,8,9,16,17,32,33,64,65,128,129,256,257,512,513,1024",
     "of ompi-tuned: sizes of communicators; each holds up to the next", false},
    {"gamma", 0, "TIME/B", "0ns/B", "of ompi-tuned: time per byte of combining two operands", false},
    NS_OPTION_SET,
    {NULL, 0, NULL, NULL, NULL, false},
};

enum { NODES_MOST = 1 << 16, ROUTES_MOST = 1 << 22, RANKS_MOST = 1 << 24 };

/* ---- SimGrid ----------------------------------------------------------------------------------------------------- */

static ns_status read_platform(const ns_args *args, const ns_machine *machine, bool xml, ns_platform *platform,
                               ns_error *err)
{
    int32_t nodes, per_node = machine->host_processes;
    int split;
    NS_TRY(ns_args_choice(args, "start-up", ns_start_up_words, &split, err));
    NS_TRY(ns_args_count(args, "nodes", 1, NODES_MOST, &nodes, err));
    if (ns_args_has(args, "per-node") || per_node < 1)
        NS_TRY(ns_args_count(args, "per-node", 1, NODES_MOST, &per_node, err));
    if ((int64_t)nodes * per_node * per_node + (xml ? (int64_t)nodes * nodes : 0) > ROUTES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%d nodes of %d processes have more than %d routes", (int)nodes,
                       (int)per_node, (int)ROUTES_MOST);
    return ns_platform_make(machine, nodes, per_node, &ns_start_ups[split], platform, err);
}

static void describe(const ns_platform *p, bool xml, ns_value *result)
{
    const ns_start_up *s = p->start_up;
    ns_value_text(result, "machine", p->machine->name);
    ns_value_count(result, "nodes", p->nodes);
    ns_value_count(result, "per_node", p->per_node);
    ns_value_count(result, "sockets", p->sockets);
    ns_value *start_up = ns_value_flag(ns_value_object(result, "start_up"), NS_V_JSON_ONLY);
    ns_value_text(start_up, "split", s->name);
    ns_value_count(start_up, "sender", s->sender);
    ns_value_count(start_up, "receiver", s->receiver);
    ns_value_count(start_up, "network", s->network);
    ns_value_flag(ns_value_textf(result, "start_up_line",
                                 "start-up   %s: %.3g of it the sender's, %.3g the receiver's, %.3g the network's",
                                 s->name, s->sender, s->receiver, s->network),
                  NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
    ns_platform_losses(p, xml, result);
}

static ns_status export_platform(const ns_args *args, const ns_machine *machine, bool xml, FILE *out, ns_value *result,
                                 ns_error *err)
{
    ns_platform platform;
    NS_TRY(read_platform(args, machine, xml, &platform, err));
    (xml ? ns_platform_xml : ns_platform_library)(&platform, out);
    describe(&platform, xml, result);
    return NS_OK;
}

static ns_status export_library(const ns_args *args, const ns_machine *machine, FILE *out, ns_value *result,
                                ns_error *err)
{
    return export_platform(args, machine, false, out, result, err);
}

static ns_status export_xml(const ns_args *args, const ns_machine *machine, FILE *out, ns_value *result, ns_error *err)
{
    return export_platform(args, machine, true, out, result, err);
}

/* ---- Open MPI ---------------------------------------------------------------------------------------------------- */

static ns_status export_tuned(const ns_args *args, const ns_machine *machine, FILE *out, ns_value *result,
                              ns_error *err)
{
    ns_tuned tuned;
    int32_t *ranks, per_node = 1;
    size_t count;
    double gamma;
    NS_TRY(ns_quantity_parse_as(ns_args_get(args, "gamma"), "--gamma", "s/B", &gamma, err));
    if (!(gamma >= 0 && gamma < 1))
        return ns_fail(err, NS_ERR_RANGE, "--gamma wants a time per byte from 0 up, like 0.1ns/B");
    if (ns_args_has(args, "per-node"))
        NS_TRY(ns_args_count(args, "per-node", 1, NODES_MOST, &per_node, err));
    NS_TRY(ns_args_counts(args, "ranks", 2, RANKS_MOST, &ranks, &count, err));
    const ns_status status = ns_tuned_make(machine, gamma, per_node, ranks, count, &tuned, err);
    ns_free(ranks);
    if (status != NS_OK)
        return status;
    ns_tuned_write(&tuned, out);
    ns_tuned_value(&tuned, result);
    ns_tuned_free(&tuned);
    return NS_OK;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* A row a target: its word, which of the options are its own, closed by NULL, and what it writes. */
static const struct target {
    const char *name, *own[4];
    ns_status (*write)(const ns_args *args, const ns_machine *machine, FILE *out, ns_value *result, ns_error *err);
} targets[] = {
    {"simgrid", {"nodes", "per-node", "start-up", NULL}, export_library},
    {"simgrid-xml", {"nodes", "per-node", "start-up", NULL}, export_xml},
    {"ompi-tuned", {"ranks", "gamma", "per-node", NULL}, export_tuned},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static bool owns(const struct target *target, const char *option)
{
    for (const char *const *own = target->own; *own != NULL; own++)
        if (strcmp(*own, option) == 0)
            return true;
    return false;
}

/* An option of another target would be passed over in silence. */
static ns_status choose_target(const ns_args *args, const struct target **target, ns_error *err)
{
    const char *words[TARGETS + 1] = {NULL};
    int index;
    for (int i = 0; i < TARGETS; i++)
        words[i] = targets[i].name;
    if (ns_args_get(args, "to") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "export wants --to %s", options[0].argument);
    NS_TRY(ns_args_choice(args, "to", words, &index, err));
    for (int i = 0; i < TARGETS; i++)
        for (const char *const *other = targets[i].own; *other != NULL; other++)
            if (ns_args_has(args, *other) && !owns(&targets[index], *other))
                return ns_fail(err, NS_ERR_USAGE, "--%s is for --to %s, not for %s", *other, words[i], words[index]);
    *target = &targets[index];
    return NS_OK;
}

static bool owns_output(const char *path)
{
    (void)path;
    return true;
}

static ns_status save(const ns_args *args, const struct target *target, const ns_machine *machine, ns_value *result,
                      ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(ns_args_get(args, "output"), NS_FOR_ALL, &whole, err));
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/export/1"), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(result, "to", target->name), NS_V_NO_TABLE);
    return ns_whole_file_end(&whole, target->write(args, machine, whole.file, result, err), err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    const struct target *target = NULL;
    ns_machine *machine;
    (void)context;
    if (!ns_args_has(args, "output"))
        return ns_fail(err, NS_ERR_USAGE, "export wants -o FILE, the file to write");
    NS_TRY(choose_target(args, &target, err));
    NS_TRY(ns_machine_open(args, ns_args_get(args, "machine"), &machine, err));
    const ns_status status = save(args, target, machine, result, err);
    ns_machine_free(machine);
    return status;
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
        "MPI "
        "says nothing when there\n"
        "is no such file, and takes its own rules. Those of the allreduce are of one process a node: "
        "docs/decision-files.md.\n",
    .rank = 6,
    .owns_output = owns_output,
    .run = run,
};
