/* machines.c -- the machines that are shipped, or every number of one with its source */
#include "cli/front/places.h"
#include "cli/inputs/inputs.h"
#include "cli/show/machine.h"
#include "core/memory.h"
#include "report/columns.h"

typedef struct request {
    bool check;
} request;

static const ns_option options[] = {
    {"check", 0, NULL, NULL, "what is measured, calibrated, assumed or missing, and the benchmark that gives it",
     NS_OPT(request, check)},
    NS_OPTION_SET,
    {NULL},
};

static void add_row(const ns_machine *machine, const char *name, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "name", name);
    bool predicts = false;
    for (int m = 0; m < NS_MEMORIES; m++)
        predicts = predicts || ns_machine_line(machine, (ns_memory)m, NS_OFF_NODE, 0, NULL) != NULL;
    double cases = 0;
    for (int m = 0; m < NS_MEMORIES; m++) {
        char path[40];
        snprintf(path, sizeof path, "%s.choice.apart", ns_memory_words[m]);
        const ns_parameter *apart = ns_machine_parameter(machine, path);
        cases = apart != NULL && apart->value > cases ? apart->value : cases;
    }
    ns_value_text(row, "predicts", predicts ? "yes" : "no");
    ns_value_count(row, "exchanges", cases);
    ns_value_text(row, "title", machine->title);
    ns_value_count(row, "gpus", machine->gpus);
    ns_value_count(row, "host_processes", machine->host_processes);
    ns_value_text(row, "source", machine->source);
}

/* One that does not open, or not by its name, is said, and the rest is listed. */
static ns_status list_own(ns_value *list, ns_command_context *context, ns_error *err)
{
    char **own;
    size_t count;
    ns_status status = NS_OK;
    NS_TRY(ns_own_machines_list(&own, &count, err));
    for (size_t i = 0; i < count && status == NS_OK; i++) {
        ns_machine *machine;
        ns_error problem = {.code = NS_OK};
        char text[900];
        if (ns_machine_is_shipped(own[i])) {
            ns_machine_say_hidden(own[i], context->err);
            continue;
        }
        const ns_status opened = ns_machine_find(own[i], &machine, &problem);
        if (opened == NS_OK) {
            add_row(machine, own[i], list);
            ns_machine_free(machine);
        } else if (opened == NS_ERR_MEMORY) {
            status = ns_no_memory(err);
        } else {
            fprintf(context->err, "nsmodel: left out: %s\n", ns_error_line(&problem, text, sizeof text));
            context->exit = 1;
        }
    }
    ns_own_machines_free(own, count);
    return status;
}

static ns_status list_all(ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_value *list = ns_put_rows(result, "machines", NS_EVERYWHERE);
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_machine *machine;
        NS_TRY(ns_machine_load(*name, &machine, err));
        add_row(machine, machine->name, list);
        ns_machine_free(machine);
    }
    ns_note(result, "predicts: has messages between nodes; exchanges: whole ones that judged its advice. "
                    "Of the two Lassens take lassen-spectrum, measured with exchanges; lassen has the "
                    "numbers that the paper prints.");
    return list_own(list, context, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    ns_status status = NS_OK;
    NS_TRY(ns_args_read(args, &r, err));
    if (args->words == 0)
        return r.check ? ns_fail(err, NS_ERR_USAGE, "--check wants a machine or a machine file")
                       : list_all(result, context, err);
    ns_machine *machine;
    NS_TRY(ns_machine_open(args, args->word[0], &machine, err));
    if (r.check)
        status = ns_machine_check_show(machine, result, err);
    else
        ns_machine_show(machine, result);
    ns_machine_free(machine);
    return status;
}

const ns_command ns_command_machines = {
    .name = "machines",
    .summary = "the machines that are there, or every number of one with its source",
    .usage = "[MACHINE|FILE]",
    .options = options,
    .example = "nsmodel machines bxi --check",
    .about = "A machine is one JSON file in which every number has its unit and its source. A path opens its file; a "
             "name is a shipped\n"
             "machine's, else that of NAME.json in the folder of own machines, which nsmodel doctor names. An own one "
             "that a shipped\n"
             "machine's name hides is opened by its path. --check lists what predictions use:\n"
             "measured, calibrated on whole exchanges, assumed because something else stands for it, or missing.",
    .most = 1,
    .rank = 5,
    .run = run,
};
