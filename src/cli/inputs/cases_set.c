/* cases_set.c -- a note for each --set that does not move the answer: a what-if without effect is no answer
 *
 * The cases are priced once more on the machines as they would be without it.
 */
#include "cli/inputs/cases.h"
#include "core/memory.h"
#include "price/choice.h"

#include <string.h>

/* As fast, as sure, and as likely the best. */
static bool is_same(const ns_comparison *a, const ns_comparison *b)
{
    bool same = a->choices == b->choices;
    for (int i = 0; same && i < a->choices; i++) {
        const ns_price *x = &a->choice[i].price, *y = &b->choice[i].price;
        same = x->estimate_s == y->estimate_s && x->lo_s == y->lo_s && x->hi_s == y->hi_s &&
               a->decision.p_best[i] == b->decision.p_best[i];
    }
    return same;
}

/* Are the answers the same on other machines? */
static bool is_idle(const ns_cases *p, ns_machine *const *machine, ns_comparison *scratch)
{
    for (size_t i = 0; i < p->count; i++) {
        const ns_machine *other = machine[i * p->machines / p->count];
        ns_error ignored = {0};
        if (ns_compare_again(p->of[i].exchange, other, &p->selection, p->workspace, scratch, &ignored) != NS_OK ||
            !is_same(&p->comparison[i], scratch))
            return false;
    }
    return true;
}

/* What is taken in place of a number. */
static const ns_parameter *instead_of(const ns_cases *p, const char *path)
{
    const ns_choice *first = &p->comparison[0].choice[0];
    const ns_parameter *found = NULL;
    ns_form_values v;
    for (int m = 0; found == NULL && m < NS_MEMORIES; m++) {
        ns_form_take(first->price.form, p->machine[0], (ns_memory)m, p->selection.price.without, &v);
        found = ns_form_instead(&v, path);
    }
    return found;
}

static void say_idle(const ns_cases *p, const char *assignment, FILE *err)
{
    char path[160];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(assignment, "="), assignment);
    const ns_parameter *other = instead_of(p, path);
    if (other != NULL)
        fprintf(err, "nsmodel: note: --set %s does not move the answer: %s counts in its place\n", assignment,
                other->path);
    else
        fprintf(err, "nsmodel: note: --set %s does not move the answer\n", assignment);
}

/* Counts of a node say where parts stand and who sends, in schedules too that cost the same. */
static bool is_layout(const char *assignment)
{
    return strncmp(assignment, "topology.", strlen("topology.")) == 0;
}

void ns_cases_warn_sets(const ns_cases *p, FILE *err)
{
    const char *assignment;
    ns_comparison *scratch = ns_malloc(sizeof *scratch);
    for (int i = 0; scratch != NULL && p->network == NULL && (assignment = ns_args_at(p->args, "set", i)) != NULL;
         i++) {
        ns_machine **machine;
        size_t machines;
        ns_error ignored = {0};
        if (is_layout(assignment) || ns_machines_without(p->args, i, &machine, &machines, &ignored) != NS_OK)
            continue;
        if (is_idle(p, machine, scratch))
            say_idle(p, assignment, err);
        ns_machines_close(machine, machines);
    }
    ns_free(scratch);
}
