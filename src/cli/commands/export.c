/* export.c -- a machine as a platform of a simulator */
#include "cli/show/export.h"
#include "cli/inputs/inputs.h"
#include "io/whole_file.h"

#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    {"to", 0, "simgrid|simgrid-xml", NULL, "source of a platform library in C++, or the platform in XML", false},
    {"machine", 0, "NAME|FILE", NS_MACHINE_DEFAULT, "machine or machine file", false},
    {"nodes", 0, "N", "2", "nodes of the platform", false},
    {"per-node", 0, "G", NULL, "processes of a node [the machine's host processes]", false},
    {"start-up", 0, "network|sender|ends|thirds", "network",
     "whose a message's start-up is: the network's, the sender's, half of either end, or a third of each", false},
    NS_OPTION_SET,
    {NULL, 0, NULL, NULL, NULL, false},
};

enum { LIBRARY, XML };
static const char *const kinds[] = {"simgrid", "simgrid-xml", NULL};
enum { NODES_MOST = 1 << 16, ROUTES_MOST = 1 << 22 };

static ns_status read_platform(const ns_args *args, const ns_machine *machine, int *kind, ns_platform *platform,
                               ns_error *err)
{
    int32_t nodes, per_node = machine->host_processes;
    int split;
    if (ns_args_get(args, "to") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "export wants --to simgrid|simgrid-xml");
    NS_TRY(ns_args_choice(args, "to", kinds, kind, err));
    NS_TRY(ns_args_choice(args, "start-up", ns_start_up_words, &split, err));
    NS_TRY(ns_args_count(args, "nodes", 1, NODES_MOST, &nodes, err));
    if (ns_args_has(args, "per-node") || per_node < 1)
        NS_TRY(ns_args_count(args, "per-node", 1, NODES_MOST, &per_node, err));
    if ((int64_t)nodes * per_node * per_node + (*kind == XML ? (int64_t)nodes * nodes : 0) > ROUTES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%d nodes of %d processes have more than %d routes", (int)nodes,
                       (int)per_node, (int)ROUTES_MOST);
    return ns_platform_make(machine, nodes, per_node, &ns_start_ups[split], platform, err);
}

static ns_status save(const ns_platform *platform, int kind, const char *path, ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    (kind == XML ? ns_platform_xml : ns_platform_library)(platform, whole.file);
    return ns_whole_file_end(&whole, NS_OK, err);
}

static void describe(const ns_platform *p, int kind, ns_value *result)
{
    const ns_start_up *s = p->start_up;
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/export/1"), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(result, "to", kinds[kind]), NS_V_NO_TABLE);
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
    ns_platform_losses(p, kind == XML, result);
}

static bool owns_output(const char *path)
{
    (void)path;
    return true;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_machine *machine;
    ns_platform platform;
    int kind;
    const char *path = ns_args_get(args, "output");
    (void)context;
    if (path == NULL)
        return ns_fail(err, NS_ERR_USAGE, "export wants -o PLATFORM, the file to write");
    NS_TRY(ns_machine_open(args, ns_args_get(args, "machine"), &machine, err));
    ns_status status = read_platform(args, machine, &kind, &platform, err);
    if (status == NS_OK)
        status = save(&platform, kind, path, err);
    if (status == NS_OK)
        describe(&platform, kind, result);
    ns_machine_free(machine);
    return status;
}

const ns_command ns_command_export = {
    .name = "export",
    .summary = "a machine as a platform of the simulator SimGrid, and what is lost on the way",
    .usage = "--to simgrid|simgrid-xml -o PLATFORM",
    .options = options,
    .example = "nsmodel export --to simgrid --machine lassen --nodes 4 --per-node 8 --start-up ends -o platform.cpp",
    .about =
        "The library has the segments of each locality as callbacks; XML has one list for all localities. The file "
        "says how it is built and used.\n"
        "A machine's alpha does not say whose time it is, so --start-up does: docs/validation.md shows what that "
        "changes.\n",
    .rank = 6,
    .owns_output = owns_output,
    .run = run,
};
