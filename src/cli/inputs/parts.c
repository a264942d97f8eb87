/* parts.c -- how many parts are asked for: by --gpus, --parts or --nodes, which are one thing said three ways */
#include "cli/inputs/inputs.h"

#include "core/memory.h"

#include <string.h>

/* An option of the command that counts parts: `nodes` of some commands are something else. */
static bool is_asked(const ns_args *args, const char *name)
{
    for (const ns_option *o = args->command->options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0)
            return ns_args_has(args, name) && (strcmp(name, "nodes") != 0 || strstr(o->doc, "--per-node") != NULL);
    return false;
}

ns_status ns_parts_option(const ns_args *args, const char **option, ns_error *err)
{
    static const char *const names[] = {"gpus", "parts", "nodes"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_asked(args, names[i]))
            continue;
        if (found != NULL)
            return ns_fail(err, NS_ERR_USAGE,
                           strcmp(names[i], "nodes") == 0 ? "--%s and --%s both say how many parts there are"
                                                          : "--%s and --%s are the same option",
                           found, names[i]);
        found = names[i];
    }
    *option = found;
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
