/* machines.c -- what a machine holds, one by one */
#include "core/sized.h"
#include "machine/machine.h"

ns_status ns_machine_describe(const ns_machine *machine, ns_machine_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_machine_info known = {.name = machine->name,
                                   .title = machine->title,
                                   .source = machine->source,
                                   .file = machine->file,
                                   .sockets = machine->sockets,
                                   .gpus = machine->gpus,
                                   .host_processes = machine->host_processes,
                                   .parameters = machine->parameters};
    return ns_sized_give(info, &known, sizeof known, err);
}

const ns_parameter *ns_machine_parameter_at(const ns_machine *machine, size_t index)
{
    return index < machine->parameters ? &machine->parameter[index] : NULL;
}

ns_status ns_machine_class(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                           ns_class_info *info, ns_error *err)
{
    ns_error_clear(err);
    if ((unsigned)memory >= NS_MEMORIES || (unsigned)locality >= NS_LOCALITIES)
        return ns_fail(err, NS_ERR_RANGE, "no memory %d or no locality %d; there are %d and %d of them", (int)memory,
                       (int)locality, NS_MEMORIES, NS_LOCALITIES);
    ns_class_info known = {0};
    const ns_line *line = ns_machine_line(machine, memory, locality, bytes, &known.protocol);
    if (line == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s has no table for %s messages in %s memory", machine->name,
                       ns_locality_words[locality], ns_memory_words[memory]);
    known.alpha = line->alpha;
    known.beta = line->beta;
    known.alpha_se = line->alpha_se;
    known.beta_se = line->beta_se;
    known.from = line->from;
    known.to = line->to;
    return ns_sized_give(info, &known, sizeof known, err);
}
