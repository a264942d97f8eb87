/* machines.c -- the machines that are shipped, or every number of one with its source */
#include "cli/inputs/inputs.h"

static const ns_option options[] = {
    NS_OPTION_SET,
    {NULL, 0, NULL, NULL, NULL, false},
};

static ns_status list_all(ns_value *result, ns_error *err)
{
    ns_value *list = ns_value_list(result, "machines");
    if (list != NULL)
        list->flags |= NS_V_ROWS;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_machine *machine;
        NS_TRY(ns_machine_load(*name, &machine, err));
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "name", machine->name);
        ns_value_text(row, "title", machine->title);
        ns_value_count(row, "gpus", machine->gpus);
        ns_value_count(row, "host_processes", machine->host_processes);
        ns_value_text(row, "source", machine->source);
        ns_machine_free(machine);
    }
    return NS_OK;
}

static void show(const ns_machine *machine, ns_value *result)
{
    ns_value_text(result, "name", machine->name);
    ns_value_text(result, "title", machine->title);
    ns_value_text(result, "source", machine->source);
    ns_value_text(result, "file", machine->file);
    if (machine->copy_levels > 0)
        ns_value_text(result, "copy_bytes", machine->copy_total ? "total" : "share");
    ns_value *list = ns_value_list(result, "parameters");
    if (list != NULL)
        list->flags |= NS_V_ROWS;
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        char unit[24];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "path", p->path);
        ns_value_number(row, "value", p->value, p->dim);
        ns_value *si = ns_value_text(row, "unit", ns_dim_unit(p->dim, unit, sizeof unit));
        if (si != NULL)
            si->flags |= NS_V_NO_TABLE;
        if (p->se > 0)
            ns_value_number(row, "standard_error", p->se, p->dim);
        else
            ns_value_null(row, "standard_error");
        ns_value_textf(row, "source", "%s%s", p->calibrated ? "calibrated: " : "", p->source);
        ns_value_text(row, "doc", p->doc);
    }
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    (void)context;
    if (args->words == 0)
        return list_all(result, err);
    ns_machine *machine;
    NS_TRY(ns_machine_load(args->word[0], &machine, err));
    const char *assignment;
    ns_status status = NS_OK;
    for (int i = 0; status == NS_OK && (assignment = ns_args_at(args, "set", i)) != NULL; i++) {
        ns_machine *changed;
        status = ns_machine_with(machine, assignment, &changed, err);
        if (status != NS_OK)
            break;
        ns_machine_free(machine);
        machine = changed;
    }
    if (status == NS_OK)
        show(machine, result);
    ns_machine_free(machine);
    return status;
}

const ns_command ns_command_machines = {
    .name = "machines",
    .summary = "the machines that are shipped, or every number of one with its source",
    .usage = "[MACHINE|FILE]",
    .options = options,
    .example = "nsmodel machines lassen",
    .about = "A machine is one JSON file in which every number has its unit and its source.",
    .most = 1,
    .rank = 5,
    .run = run,
};
