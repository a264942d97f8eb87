/* machines.c -- the shipped machines, or every number of one machine with its source */
#include "cli/front/own.h"
#include "cli/front/places.h"
#include "cli/inputs/inputs.h"
#include "cli/show/answer.h"
#include "core/memory.h"
#include "report/columns.h"

#include <stdio.h>
#include <string.h>

/* ---- the numbers that a machine has: measured, calibrated, assumed or missing, and what measures them ------------ */

/* The options of fit for a log, which is called FILE. */
static void put_fit(char *text, size_t size, const char *fit, const char *log)
{
    size_t used = strlen(text);
    while (*fit != '\0' && used + 1 < size) {
        const char *file = strstr(fit, "FILE");
        const int before = file != NULL ? (int)(file - fit) : (int)strlen(fit);
        used += (size_t)snprintf(text + used, size - used, "%.*s%s", before, fit, file != NULL ? log : "");
        fit += before + (file != NULL ? 4 : 0);
    }
}

/* Other programs' benchmarks, each once: they measure what nsmodel-mpi does not. */
static void add_others(const ns_machine_check *check, ns_value *result)
{
    bool any = false;
    for (size_t i = 0; i < check->items; i++) {
        char text[900], log[40];
        const ns_machine_item *item = &check->item[i];
        bool listed = item->tool == NULL || strcmp(item->tool, "nsmodel") == 0;
        for (size_t k = 0; k < i && !listed; k++) {
            const ns_machine_item *other = &check->item[k];
            listed = other->tool != NULL && strcmp(other->run, item->run) == 0 && strcmp(other->fit, item->fit) == 0;
        }
        if (listed)
            continue;
        const char *run = strstr(item->run, "mpirun ") != NULL ? strstr(item->run, "mpirun ") : item->run;
        if (!any)
            ns_note(result, "What nsmodel-mpi does not measure, by benchmarks whose log joins its own:");
        any = true;
        snprintf(log, sizeof log, "%s.log", item->tool);
        snprintf(text, sizeof text, "  %s > %s && nsmodel fit mine.log %s%s", run, log, log,
                 *item->fit != '\0' ? " " : "");
        put_fit(text, sizeof text, item->fit, log);
        put_fit(text, sizeof text,
                strstr(item->fit, "--records") != NULL ? " -o mine.json" : " --records mine.csv -o mine.json", log);
        ns_note_command(result, "%s", text);
    }
}

static const ns_table_column of_item[] = {{"what", NS_COL(ns_machine_item, what)},
                                          {"known", NS_COL(ns_machine_item, standing), .words = ns_standing_words},
                                          {"basis", NS_COL(ns_machine_item, basis)},
                                          {"tool", NS_COL(ns_machine_item, tool), .shows = NS_IN_DATA},
                                          {"run", NS_COL(ns_machine_item, run), .shows = NS_IN_DATA},
                                          {"fit", NS_COL(ns_machine_item, fit), .shows = NS_IN_DATA},
                                          {NULL}};

/* The numbers that it has, item by item, and the benchmarks for the rest. */
static ns_status ns_machine_check_show(const ns_machine *machine, ns_value *result, ns_error *err)
{
    NS_OWN(ns_free) ns_machine_check *check = NULL;
    NS_TRY(ns_machine_check_make(machine, &check, err));
    ns_put_schema(result, "nsmodel/machine-check/1");
    ns_put_text(result, "machine", NS_IN_DATA, machine->name);
    ns_value *counts = ns_put_object(result, "counts", NS_IN_JSON);
    for (int s = 0; s < NS_STANDINGS; s++)
        ns_value_count(counts, ns_standing_words[s], (double)check->count[s]);
    ns_value *list = ns_put_rows(result, "items", NS_EVERYWHERE);
    for (size_t i = 0; i < check->items; i++)
        ns_put_row(list, of_item, &check->item[i]);
    /* The consequences, for people. */
    char text[300];
    const bool gpus = machine->gpus > 0;
    ns_note(result, "%s: %zu measured, %zu calibrated, %zu assumed, %zu missing", machine->name,
            check->count[NS_STANDING_MEASURED], check->count[NS_STANDING_CALIBRATED], check->count[NS_STANDING_ASSUMED],
            check->count[NS_STANDING_MISSING]);
    if ((gpus ? machine->gpus : machine->host_processes) == 1) {
        snprintf(text, sizeof text,
                 "%s describes one %s a node, so strategies cannot differ: fit takes another number as --%s",
                 machine->name, gpus ? "GPU" : "process", gpus ? "gpus" : "processes");
        ns_answer_wrapped(result, text);
    }
    for (size_t i = 0; i < check->items; i++) {
        const ns_machine_item *item = &check->item[i];
        if (*item->run == '\0' || item->tool != NULL || strncmp(item->fit, "--", 2) != 0)
            continue;
        snprintf(text, sizeof text, "%s: %s tells them, and fit takes them as %.*s", item->what, item->run,
                 (int)strcspn(item->fit, " "), item->fit);
        ns_answer_wrapped(result, text);
    }
    if (check->count[NS_STANDING_ASSUMED] + check->count[NS_STANDING_MISSING] > 0) {
        ns_measure_steps("rajat01", "nsmodel machines ./mine.json --check", result);
        add_others(check, result);
    }
    ns_value *warnings = ns_put_list(result, "warnings", NS_IN_JSON);
    for (size_t i = 0; ns_machine_warning(machine, i) != NULL; i++) {
        ns_value_text(warnings, NULL, ns_machine_warning(machine, i));
        ns_note(result, "fit warned: %s", ns_machine_warning(machine, i));
    }
    return NS_OK;
}

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

static ns_status list_all(ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_value *list = ns_put_rows(result, "machines", NS_EVERYWHERE);
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        NS_OWN(ns_machine_free) ns_machine *machine = NULL;
        NS_TRY(ns_machine_load(*name, &machine, err));
        add_row(machine, machine->name, list);
    }
    ns_note(result, "predicts: has messages between nodes; exchanges: whole ones that judged its advice. "
                    "Of the two Lassens take lassen-spectrum, measured with exchanges; lassen has the "
                    "numbers that the paper prints.");
    /* A machine that does not open, or not by its name, is reported, and the others are listed. */
    char **own;
    size_t count;
    ns_status status = NS_OK;
    NS_TRY(ns_own_machines_list(&own, &count, err));
    for (size_t i = 0; i < count && status == NS_OK; i++) {
        NS_OWN(ns_machine_free) ns_machine *machine = NULL;
        ns_error problem = {.code = NS_OK};
        char text[900];
        if (ns_machine_is_shipped(own[i])) {
            ns_machine_say_hidden(own[i], context->err);
            continue;
        }
        const ns_status opened = ns_machine_find(own[i], &machine, &problem);
        if (opened == NS_OK) {
            add_row(machine, own[i], list);
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

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_TRY(ns_args_read(args, &r, err));
    if (args->words == 0)
        return r.check ? ns_fail(err, NS_ERR_USAGE, "--check wants a machine or a machine file")
                       : list_all(result, context, err);
    NS_TRY(ns_machine_open(args, args->word[0], &machine, err));
    if (r.check)
        return ns_machine_check_show(machine, result, err);
    ns_machine_show(machine, result);
    return NS_OK;
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
