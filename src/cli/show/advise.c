/* advise.c -- a decision with what would settle it, as values and as words */
#include "cli/show/advise.h"

#include "cli/front/command.h"
#include "cli/show/answer.h"
#include "report/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* "13 %": how much slower e^l is than 1; beyond ten times a factor. */
static const char *slower(double l, char *text, size_t size)
{
    const double p = expm1(l);
    if (p >= 9.995)
        snprintf(text, size, "a factor of %.3g", p + 1);
    else
        snprintf(text, size, p >= 0.0995 ? "%.0f %%" : "%.2g %%", 100 * p);
    return text;
}

static const ns_table_column of_unknown[] = {{"parameter", NS_COL(ns_unknown, parameter)},
                                             {"basis", NS_COL(ns_unknown, basis), .words = ns_basis_words},
                                             {"sigma", NS_COL(ns_unknown, sigma)},
                                             {"loss_removed", NS_COL(ns_unknown, loss_removed)},
                                             {NULL}};

void ns_advice_value(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *object)
{
    char next[NS_COMMAND_LINE];
    const ns_comparison *c = decided->comparison;
    ns_answer_next(args, decided, next);
    ns_decision_value(decided, next, object);
    /* Expected ln loss of what is in use: the errors of all ways have one mean. */
    const double in_use = c->incumbent >= 0
                              ? c->decision.expected_ln_loss +
                                    log(c->choice[c->incumbent].price.estimate_s / c->choice[c->best].price.estimate_s)
                              : 0;
    ns_put_count(object, "expected_loss", NS_IN_JSON, plan != NULL ? expm1(plan->left) : (double)NAN);
    ns_put_count(object, "incumbent_expected_loss", NS_IN_JSON,
                 plan != NULL && c->incumbent >= 0 ? expm1(in_use) : (double)NAN);
    ns_value *list = ns_put_rows(object, "measure", NS_EVERYWHERE);
    for (size_t i = 0; plan != NULL && i < plan->measurements; i++) {
        /* For the eye: the first parameter, and how many more its benchmark tells. */
        char text[40];
        const ns_measurement *m = &plan->measurement[i];
        const ns_unknown *first = m->unknown[0];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "parameter", first->parameter);
        if (m->unknowns > 1)
            ns_put_textf(row, "and", NS_IN_TABLE, "%zu more", m->unknowns - 1);
        else
            ns_put_text(row, "and", NS_IN_TABLE, "");
        ns_put_count(row, "loss_removed", NS_IN_DATA, m->loss_removed);
        ns_put_text(row, "removes", NS_IN_TABLE, slower(m->loss_removed, text, sizeof text));
        ns_put_text(row, "known", NS_IN_TABLE, ns_basis_words[first->basis]);
        ns_put_text(row, "tool", NS_IN_DATA, m->tool);
        const bool runs = strncmp(m->command, "mpirun ", 7) == 0 || strncmp(m->command, "aprun ", 6) == 0;
        ns_put_text(row, "command", NS_BELOW | (runs ? NS_COMMAND : 0), m->command);
        ns_value *parameters = ns_put_list(row, "parameters", NS_IN_JSON);
        for (size_t k = 0; k < m->unknowns; k++)
            ns_put_row(parameters, of_unknown, m->unknown[k]);
    }
    if (plan == NULL) {
        ns_put_text(object, "measure_shortlist", NS_IN_JSON, NULL);
        return;
    }
    ns_value *one = ns_put_object(object, "measure_shortlist", NS_IN_JSON);
    ns_value_count(one, "loss_removed", plan->shortlist_removed);
    ns_value_count(one, "loss_left", plan->left - plan->shortlist_removed);
    ns_value_text(one, "command", plan->shortlist_command);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* What a number of the machine, or the ways themselves, would tell; nothing that is not worth its run. */
void ns_advice_lines(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *result)
{
    static const double worth = .05; /* of the loss */
    char text[900], own[40], to[40];
    const ns_comparison *c = decided->comparison;
    const ns_measurement *m = plan != NULL && plan->measurements > 0 ? &plan->measurement[0] : NULL;
    ns_change change;
    if (plan == NULL || ns_change_advise(c, &decided->thresholds, &change, NULL) != NS_OK ||
        (change.action != NS_DO_MEASURE && ns_args_at(args, "all", 0) == NULL))
        return;
    size_t used =
        (size_t)snprintf(text, sizeof text, "At %d%s%.60s: the loss of %s is expected", (int)decided->parts,
                         decided->one_of_many ? " on " : "", decided->one_of_many ? decided->machine->name : "",
                         slower(plan->left, own, sizeof own));
    if (c->decision.shortlisted > 1)
        used += (size_t)snprintf(text + used, sizeof text - used, "; measuring the %d likeliest ways makes it %s",
                                 c->decision.shortlisted, slower(plan->left - plan->shortlist_removed, to, sizeof to));
    if (m != NULL && m->loss_removed >= worth * plan->left)
        snprintf(text + used, sizeof text - used, ", %s%s %s", m->unknown[0]->parameter,
                 m->unknowns > 1 ? " and what its benchmark tells besides" : "",
                 slower(plan->left - m->loss_removed, to, sizeof to));
    ns_answer_wrapped(result, text);
}

void ns_measure_steps(const char *matrix, const char *last, ns_value *result)
{
    char run[NS_COMMAND_LINE] = "";
    ns_shell_line of_run = {run, sizeof run, 0};
    ns_shell_put(&of_run, "mpirun -n 4 nsmodel-mpi run --matrix ");
    ns_shell_word(&of_run, matrix);
    ns_shell_put(&of_run, " --per-node 2 --machine ./mine.json --records mine.csv");
    const char *const steps[] = {"mpirun -n 4 nsmodel-mpi measure -o mine.log --per-node 2",
                                 "nsmodel fit mine.log -o mine.json", run,
                                 "nsmodel fit mine.log --records mine.csv -o mine.json", last};
    ns_value *list = ns_put_list(result, "steps", NS_IN_JSON);
    ns_note(result, "To measure on your cluster (-n and --per-node as its nodes are):");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ns_value_text(list, NULL, steps[i]);
        ns_note_command(result, "  %s", steps[i]);
    }
}

void ns_advice_steps(const ns_args *args, ns_value *result)
{
    static const char *const of_memory[] = {"incumbent", "strategy", "transport"};
    const char *without[12] = {"matrix", "messages", "machine", "set", "network", "all"};
    size_t left_out = 6;
    for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory; i++) { /* a log of nsmodel-mpi is of host memory */
        const char *said = ns_args_get(args, of_memory[i]);
        if (said != NULL && strstr(said, "device") != NULL)
            without[left_out++] = of_memory[i];
    }
    char predict[NS_COMMAND_LINE] = "";
    ns_shell_line of_predict = {predict, sizeof predict, 0};
    const char *matrix = args->matrix;
    ns_shell_put(&of_predict, "nsmodel predict");
    ns_shell_subject(&of_predict, args);
    ns_shell_put(&of_predict, " --machine ./mine.json");
    ns_shell_options(&of_predict, args, without);
    ns_measure_steps(matrix != NULL ? matrix : "rajat01", predict, result);
}
