/* lookup.c -- asking a machine: by path, by class of message, by copy level */

#include "machine/model.h"
#include "machine/store.h"

#include <stdio.h>
#include <string.h>

const ns_parameter *ns_machine_parameter(const ns_machine *machine, const char *path)
{
    const ns_parameter *found = machine->store != NULL ? ns_machine_look_up(machine->store, path) : NULL;
    return found != NULL && (size_t)(found - machine->store->parameter) < machine->parameters ? found : NULL;
}

const char *ns_machine_handle(const ns_machine *machine)
{
    char shipped[120];
    snprintf(shipped, sizeof shipped, "params/%.100s.json", machine->name);
    return strcmp(machine->file, shipped) == 0 ? machine->name : machine->file;
}

/* The parameter whose reciprocal goes by this path: "...R_b" is 1 / "...beta". */
static const ns_parameter *find_reciprocal(const ns_machine *machine, const char *path)
{
    const char *last = strrchr(path, '.');
    if (last == NULL)
        return NULL;
    const size_t stem = (size_t)(last + 1 - path);
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        if (p->inverse != NULL && strcmp(p->inverse, last + 1) == 0 && strncmp(p->path, path, stem) == 0 &&
            strchr(p->path + stem, '.') == NULL)
            return p;
    }
    return NULL;
}

/* A first size by the other path: "host.off-node.protocols.eager" where the memory's sizes hold for every locality,
 * "host.protocols.eager" where each locality has its own, and then it is the size off node. */
static const ns_parameter *find_first_size(const ns_machine *machine, const char *path)
{
    static const char key[] = ".protocols.";
    char other[120], own[120];
    const char *protocol = strstr(path, key), *locality = strchr(path, '.');
    if (protocol == NULL)
        return NULL;
    const int memory = (int)(locality - path);
    if (locality == protocol) {
        snprintf(other, sizeof other, "%.*s.%s%s", memory, path, ns_locality_words[NS_OFF_NODE], protocol);
        return ns_machine_parameter(machine, other);
    }
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        snprintf(own, sizeof own, "%.*s%s%s", (int)(protocol - path), path, key, ns_protocol_words[p]);
        if (ns_machine_parameter(machine, own) != NULL)
            return NULL; /* sizes of its own, and this protocol is not among them */
    }
    snprintf(other, sizeof other, "%.*s%s", memory, path, protocol);
    return ns_machine_parameter(machine, other);
}

bool ns_machine_number(const ns_machine *machine, const char *path, double *value, ns_dim *dim,
                       const ns_parameter **parameter)
{
    const ns_parameter *found = ns_machine_parameter(machine, path);
    if (found == NULL)
        found = find_first_size(machine, path);
    const bool inverted = found == NULL;
    if (inverted)
        found = find_reciprocal(machine, path);
    if (found == NULL || (inverted && found->value == 0))
        return false;
    *value = inverted ? 1 / found->value : found->value;
    if (dim != NULL)
        *dim = inverted ? (ns_dim){(signed char)-found->dim.second, (signed char)-found->dim.byte,
                                   (signed char)-found->dim.flop}
                        : found->dim;
    if (parameter != NULL)
        *parameter = found;
    return true;
}

const ns_line *ns_machine_line(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                               ns_protocol *protocol)
{
    const ns_line *lines = machine->line[memory][locality], *found = NULL;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (lines[p].given && bytes >= lines[p].from) {
            found = &lines[p];
            if (protocol != NULL)
                *protocol = (ns_protocol)p;
        }
    return found;
}

const ns_copy_line *ns_machine_copy(const ns_machine *machine, int processes)
{
    const ns_copy_line *found = NULL;
    for (int i = 0; i < machine->copy_levels && machine->copy[i].processes <= processes; i++)
        found = &machine->copy[i];
    return found;
}

double ns_machine_rendezvous_from(const ns_machine *machine)
{
    const ns_line *line = &machine->line[NS_HOST][NS_OFF_NODE][NS_RENDEZVOUS];
    return line->given ? line->from : 0;
}

double ns_machine_message_cap(const ns_machine *machine)
{
    double cap;
    return ns_machine_number(machine, "models.split.cap", &cap, NULL, NULL) && cap > 0
               ? cap
               : ns_machine_rendezvous_from(machine);
}

ns_status ns_model_line(const ns_machine *machine, int memory, int locality, int protocol_or_auto, double bytes,
                        const ns_line **line, ns_error *err)
{
    const char *const where[] = {ns_memory_words[memory], ns_locality_words[locality]};
    const ns_line *found = protocol_or_auto < 0
                               ? ns_machine_line(machine, (ns_memory)memory, (ns_locality)locality, bytes, NULL)
                               : &machine->line[memory][locality][protocol_or_auto];
    if (found == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no %s table for %s memory", machine->name, where[1], where[0]);
    if (protocol_or_auto >= 0 && !found->given)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no protocol \"%s\" for %s messages in %s memory",
                       machine->name, ns_protocol_words[protocol_or_auto], where[1], where[0]);
    *line = found;
    return NS_OK;
}

ns_status ns_model_copy_line(const ns_machine *machine, int processes, const ns_copy_line **copy, ns_error *err)
{
    const ns_copy_line *found = ns_machine_copy(machine, processes);
    if (found == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no copy parameters", machine->name);
    *copy = found;
    return NS_OK;
}

/* ---- protocols that get faster ----------------------------------------------------------------------------------- */

/* The drop of a table at the first size of protocol `to`, if there is one. */
static bool drop_of(const ns_line line[NS_PROTOCOLS], int to, double size, ns_machine_drop *drop)
{
    int from = to - 1;
    while (from >= 0 && !line[from].given)
        from--;
    if (from < 0 || !line[to].given)
        return false;
    drop->from = (ns_protocol)from;
    drop->to = (ns_protocol)to;
    drop->size = size;
    drop->before_s = line[from].alpha + line[from].beta * size;
    drop->after_s = line[to].alpha + line[to].beta * size;
    return drop->after_s < drop->before_s;
}

bool ns_machine_drop_at(const ns_machine *machine, size_t index, ns_machine_drop *drop)
{
    for (int memory = 0; memory < NS_MEMORIES; memory++)
        for (int locality = 0; locality < NS_LOCALITIES; locality++)
            for (int flight = 0; flight < 2; flight++)
                for (int to = 1; to < NS_PROTOCOLS; to++) {
                    ns_machine_drop found = {
                        .memory = (ns_memory)memory, .locality = (ns_locality)locality, .in_flight = flight == 1};
                    if (drop_of(flight ? machine->exchange[memory].on[locality] : machine->line[memory][locality], to,
                                machine->line[memory][locality][to].from, &found) &&
                        index-- == 0) {
                        *drop = found;
                        return true;
                    }
                }
    return false;
}

bool ns_parameter_assumed(const ns_parameter *parameter)
{
    return strncmp(parameter->source, "assumed", strlen("assumed")) == 0;
}
