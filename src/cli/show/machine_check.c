/* machine_check.c -- what a machine knows: measured, calibrated, assumed or missing, and what measures the rest */
#include "cli/show/machine.h"

#include <stdio.h>

static void add_item(const ns_machine_item *item, ns_value *list)
{
    ns_value *row = ns_value_object(list, NULL);
    ns_value_text(row, "what", item->what);
    ns_value_text(row, "standing", ns_standing_words[item->standing]);
    ns_value_text(row, "basis", item->basis);
    ns_value_flag(item->tool != NULL ? ns_value_text(row, "tool", item->tool) : ns_value_null(row, "tool"),
                  NS_V_NO_TABLE);
    ns_value_text(row, "run", item->run);
    ns_value_text(row, "fit", item->fit);
}

static void note(ns_value *result, const char *name, const char *text)
{
    ns_value_flag(ns_value_text(result, name, text), NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

/* What follows from it, for the eye. */
static void add_notes(const ns_machine *machine, const ns_machine_check *check, ns_value *result)
{
    char text[300];
    const bool gpus = machine->gpus > 0;
    snprintf(text, sizeof text, "%s: %zu measured, %zu calibrated, %zu assumed, %zu missing", machine->name,
             check->count[NS_STANDING_MEASURED], check->count[NS_STANDING_CALIBRATED],
             check->count[NS_STANDING_ASSUMED], check->count[NS_STANDING_MISSING]);
    note(result, "counts_line", text);
    if ((gpus ? machine->gpus : machine->host_processes) == 1) {
        snprintf(text, sizeof text, "%s describes one %s a node, so strategies cannot differ: fit LOG... --%s N",
                 machine->name, gpus ? "GPU" : "process", gpus ? "gpus" : "processes");
        note(result, "alone_line", text);
    }
    if (check->count[NS_STANDING_ASSUMED] + check->count[NS_STANDING_MISSING] > 0)
        note(result, "fit_line",
             "run what is listed into a log each, then: nsmodel fit LOG... with the first logs and these, each with "
             "what its row says, FILE being its log");
}

ns_status ns_machine_check_show(const ns_machine *machine, ns_value *result, ns_error *err)
{
    ns_machine_check *check;
    NS_TRY(ns_machine_check_make(machine, &check, err));
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/machine-check/1"), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(result, "machine", machine->name), NS_V_NO_TABLE);
    ns_value *counts = ns_value_flag(ns_value_object(result, "counts"), NS_V_JSON_ONLY);
    for (int s = 0; s < NS_STANDINGS; s++)
        ns_value_count(counts, ns_standing_words[s], (double)check->count[s]);
    ns_value *list = ns_value_flag(ns_value_list(result, "items"), NS_V_ROWS);
    for (size_t i = 0; i < check->items; i++)
        add_item(ns_machine_check_at(check, i), list);
    add_notes(machine, check, result);
    ns_value *warnings = ns_value_flag(ns_value_list(result, "warnings"), NS_V_JSON_ONLY);
    for (size_t i = 0; ns_machine_warning(machine, i) != NULL; i++) {
        char name[40], text[1200];
        ns_value_text(warnings, NULL, ns_machine_warning(machine, i));
        snprintf(name, sizeof name, "warning_line_%zu", i);
        snprintf(text, sizeof text, "fit warned: %s", ns_machine_warning(machine, i));
        note(result, name, text);
    }
    ns_machine_check_free(check);
    return NS_OK;
}
