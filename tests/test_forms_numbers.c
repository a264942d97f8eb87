/* test_forms_numbers.c -- every number that a form takes can stand in a machine file and moves a price; errors
 * that were calibrated on whole exchanges move none */

#include "machine/form.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

enum { LOADS = 100 };

/* ---- every number can be given, and counts ----------------------------------------------------------------------- */

/* "<memory>.<locality>.alpha" with words for what stands in brackets. */
static void write_path(const char *pattern, int memory, int locality, int protocol, char *path, size_t size)
{
    path[0] = '\0';
    for (size_t used = 0; *pattern != '\0'; used = strlen(path)) {
        const char *end = *pattern == '<' ? strchr(pattern, '>') + 1 : pattern + 1;
        const char *word = *pattern != '<'     ? NULL
                           : pattern[1] == 'm' ? ns_memory_words[memory]
                           : pattern[1] == 'l' ? ns_locality_words[locality]
                                               : ns_protocol_words[protocol];
        snprintf(path + used, size - used, "%.*s", word != NULL ? (int)strlen(word) : 1, word != NULL ? word : pattern);
        pattern = end;
    }
}

/* Every price of a form on a machine in one number. */
static double all_prices(const ns_form *form, const ns_machine *m)
{
    double sum = 0;
    for (int memory = 0; memory < NS_MEMORIES; memory++) {
        ns_form_values values;
        if (!m->line[memory][NS_OFF_NODE][NS_RENDEZVOUS].given)
            continue;
        ns_form_take(form, m, (ns_memory)memory, 0, &values);
        for (uint64_t seed = 1; seed <= LOADS; seed++) {
            ns_load load = form_load(m, (ns_memory)memory, seed);
            if (seed % 2 == 0) /* all partners in the node are on the same socket */
                for (int p = 0; p < NS_PROTOCOLS; p++)
                    load.out[NS_ON_NODE][p] = load.in[NS_ON_NODE][p] = (ns_class_load){0};
            sum += form_seconds(&values, &load) * (double)seed;
        }
    }
    return sum;
}

/* Does a machine accept the number, and does it move a price?  *accepted stays where it was. */
static bool moves(const ns_form *form, const ns_machine *m, const char *path, const char *unit, bool *accepted)
{
    char assignment[200];
    ns_machine *larger = NULL;
    ns_error err = {0};
    const ns_parameter *old = ns_machine_parameter(m, path);
    /* a thousand of what it is given in; longer than the bytes of any load, behind which a timeout hides */
    const double large = strstr(path, ".timeout") != NULL ? 1e9 : 1e3;
    snprintf(assignment, sizeof assignment, "%s=%.17g %s", path,
             old != NULL ? old->value * 64 * (strcmp(unit, "1") == 0 ? 1 : 1e9) : large,
             strcmp(unit, "1") == 0 ? "" : unit);
    const ns_status status = ns_machine_with(m, assignment, &larger, &err);
    /* a start-up inside the node alone, without its bytes, is refused later: as a line that is not whole */
    *accepted = *accepted || status == NS_OK || strstr(err.text, "wants both alpha and beta") != NULL;
    if (status != NS_OK)
        return false;
    const bool moved = all_prices(form, larger) != all_prices(form, m);
    ns_machine_free(larger);
    return moved;
}

/* Bytes off node have the node's rate for a limit, and none by class; Bruck's combined messages are eager, and how long
 * they may be is for the library's choice of a form. */
static bool is_idle(const ns_form *form, const char *path)
{
    if (strcmp(form->name, "bruck") == 0 && (strstr(path, ".short.") != NULL || strstr(path, ".rendezvous.") != NULL))
        return true;
    if (strstr(path, ".exchange.bruck.to") != NULL)
        return true;
    return strstr(path, "exchange.off-node.") != NULL && strstr(path, ".inverse_R") != NULL;
}

/* Numbers of one path in all words that it has room for, each tried on machines with GPUs, with everything and
 * without. */
static void check_path(const ns_form *form, const ns_form_row *row, const char *pattern)
{
    ns_machine *const on[] = {form_machine(4, false, false), form_machine(4, true, false), form_machine(4, true, true),
                              form_machine(0, false, false)};
    for (int m = 0; m < (strstr(pattern, "<memory>") != NULL ? NS_MEMORIES : 1); m++)
        for (int l = 0; l < (strstr(pattern, "<locality>") != NULL ? NS_LOCALITIES : 1); l++)
            for (int p = 0; p < (strstr(pattern, "<protocol>") != NULL ? NS_PROTOCOLS : 1); p++) {
                char path[120];
                bool accepted = false, moved = false;
                write_path(pattern, m, l, p, path, sizeof path);
                for (size_t i = 0; i < sizeof on / sizeof *on; i++)
                    if ((on[i]->gpus > 0 || m == NS_HOST) && moves(form, on[i], path, row->unit, &accepted))
                        moved = true;
                ck_assert_msg(accepted, "%s: no machine file may have %s", form->name, path);
                ck_assert_msg(moved == !is_idle(form, path), "%s: %s moves %s", form->name, path,
                              moved ? "a price" : "nothing");
            }
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        ns_machine_free(on[i]);
}

TEST(every_number_counts)
{
    const ns_form *form[NS_FORMS_MAX];
    const size_t forms = ns_forms_by_rank(form, NS_FORMS_MAX);
    for (size_t f = 0; f < forms; f++)
        for (const ns_form_row *row = form[f]->rows; row->doc != NULL; row++)
            for (int i = 0; i < NS_FORM_PATHS && row->path[i].at != NULL; i++)
                check_path(form[f], row, row->path[i].at);
}

/* ---- what was calibrated on whole exchanges widens, and changes no estimate -------------------------------------- */

TEST(errors_move_no_estimate)
{
    ns_machine *machine[FORM_MACHINES];
    const int machines = form_machines(machine);
    static const char *const calibrated[] = {"host.exchange.model_error.time=1.24",
                                             "host.exchange.model_error.ratio=2",
                                             "device.exchange.model_error.time=0.5",
                                             "device.exchange.model_error.ratio=1.24",
                                             "host.choice.kappa=4",
                                             "host.choice.lambda=0.5",
                                             "device.choice.kappa=4"};
    const ns_form *form[NS_FORMS_MAX];
    const size_t forms = ns_forms_by_rank(form, NS_FORMS_MAX);
    for (int i = 0; i < machines; i++)
        for (size_t c = 0; c < sizeof calibrated / sizeof *calibrated; c++) {
            ns_machine *with = NULL;
            const int memory = strncmp(calibrated[c], "device", 6) == 0 ? NS_DEVICE : NS_HOST;
            if (!machine[i]->line[memory][NS_OFF_NODE][NS_RENDEZVOUS].given)
                continue;
            ck_assert(ns_machine_with(machine[i], calibrated[c], &with, NULL) == NS_OK);
            ck_assert_ptr_eq(ns_form_of(with, NULL), ns_form_of(machine[i], NULL));
            for (size_t f = 0; f < forms; f++)
                ck_assert_msg(all_prices(form[f], with) == all_prices(form[f], machine[i]),
                              "%s on %s: %s moves a price", form[f]->name, machine[i]->name, calibrated[c]);
            ns_form_values values;
            ns_form_take(&ns_form_full, with, (ns_memory)memory, 0, &values);
            if (strstr(calibrated[c], "model_error.time") != NULL)
                ck_assert_double_eq(values.error, strtod(strchr(calibrated[c], '=') + 1, NULL));
            ns_machine_free(with);
        }
    for (int i = 0; i < machines; i++)
        ns_machine_free(machine[i]);
}

TEST_TIMEOUT(120)
