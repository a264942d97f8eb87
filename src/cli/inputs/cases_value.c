/* cases_value.c -- what was compared, in an answer, and what has to be said of it */
#include "cli/front/places.h"
#include "cli/inputs/cases.h"
#include "core/memory.h"
#include "price/choice.h"
#include "report/columns.h"

#include <string.h>

static void add_machine(const ns_machine *machine, ns_value *object)
{
    ns_value_text(object, "name", machine->name);
    ns_value_text(object, "source", machine->source);
    ns_value *list = ns_value_list(object, "warnings");
    for (size_t i = 0; ns_machine_warning(machine, i) != NULL; i++)
        ns_value_text(list, NULL, ns_machine_warning(machine, i));
}

void ns_machines_value(ns_machine *const *machine, size_t machines, ns_value *result)
{
    add_machine(machine[0], ns_put_object(result, "machine", NS_IN_JSON));
    ns_value *list = machines > 1 ? ns_put_list(result, "machines", NS_IN_JSON) : NULL;
    for (size_t i = 0; list != NULL && i < machines; i++)
        add_machine(machine[i], ns_value_object(list, NULL));
}

void ns_cases_describe(const ns_cases *p, ns_value *result)
{
    ns_inputs_describe(&p->inputs, result);
    if (p->inputs.matrix != NULL) {
        const ns_matrix_info *info = ns_matrix_describe(p->inputs.matrix);
        ns_value *object = ns_put_object(result, "matrix", NS_IN_JSON);
        ns_value_text(object, "name", info->name);
        ns_value_count(object, "rows", (double)info->rows);
        ns_value_count(object, "cols", (double)info->cols);
        ns_value_count(object, "nonzeros", (double)p->inputs.nonzeros);
        ns_value_text(object, "source", ns_matrix_source_words[info->source]);
        ns_put_text(result, "matrix_name", NS_IN_CSV, info->name);
        ns_put_text(result, "source", NS_IN_CSV, ns_matrix_source_words[info->source]);
    }
    ns_machines_value(p->machine, p->machines, result);
    for (size_t i = 0; i < p->machines; i++)
        ns_note(result, "machine    %s (%d a node): %s", p->machine[i]->name,
                (int)p->layout[i * (p->count / p->machines)].per_node, p->machine[i]->source);
}

/* ---- what has to be said of it ----------------------------------------------------------------------------------- */

/* Is anything priced in this memory? */
static bool is_used(const ns_machine *machine, int memory)
{
    return memory == NS_DEVICE ? machine->gpus > 0 : machine->gpus == 0 || machine->copy_levels > 0;
}

static bool lacks_inside(const ns_machine *machine, int memory)
{
    return machine->stands_for[memory][NS_ON_NODE] == NS_OFF_NODE;
}

/* What measures messages of a memory and locality; inside a node of one socket all are on it. */
static const char *run_for(const ns_machine *machine, int memory, ns_locality locality, char *text, size_t size)
{
    char path[60];
    const char *tool;
    const ns_locality where = locality == NS_ON_NODE && machine->sockets == 1 ? NS_ON_SOCKET : locality;
    snprintf(path, sizeof path, "%s.%s.eager.alpha", ns_memory_words[memory], ns_locality_words[where]);
    return ns_benchmark_command(path, machine, &tool, text, size);
}

void ns_warn_inside(const ns_machine *machine, const char *dearer, FILE *err)
{
    char run[300];
    for (int m = 0; m < NS_MEMORIES; m++)
        if (is_used(machine, m) && lacks_inside(machine, m))
            fprintf(err,
                    "nsmodel: note: %s has no table of messages inside a node for %s memory; its off-node table stands "
                    "for it, so %s look dearer than they are. Still needed: %s\n",
                    machine->name, ns_memory_words[m], dearer, run_for(machine, m, NS_ON_NODE, run, sizeof run));
}

/* Does a case of a machine have several parts on a node, or several nodes? */
static bool has_shared_node(const ns_cases *p, size_t machine)
{
    const size_t each = p->count / p->machines;
    for (size_t i = machine * each; i < (machine + 1) * each; i++)
        if (p->of[i].exchange->per_node > 1 && p->of[i].exchange->parts > 1)
            return true;
    return false;
}

static bool has_several_nodes(const ns_cases *p, size_t machine)
{
    const size_t each = p->count / p->machines;
    for (size_t i = machine * each; i < (machine + 1) * each; i++)
        if (p->of[i].exchange->nodes > 1)
            return true;
    return false;
}

/* Every strategy takes as long as the first of its transport, in every case. */
static bool all_alike(const ns_cases *p, size_t machine)
{
    const size_t each = p->count / p->machines;
    bool several = false;
    for (size_t i = machine * each; i < (machine + 1) * each; i++)
        for (int k = 0; k < p->comparison[i].choices; k++)
            for (int first = 0; first < k; first++) {
                const ns_choice *a = &p->comparison[i].choice[first], *b = &p->comparison[i].choice[k];
                if (a->transport != b->transport)
                    continue;
                several = true;
                if (a->price.estimate_s != b->price.estimate_s)
                    return false;
            }
    return several;
}

/* ---- a --set that does not move the answer: a what-if without effect is no answer -------------------------------- */

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

/* The cases are priced once more on the machines as they would be without it. */
static void warn_sets(const ns_cases *p, FILE *err)
{
    const char *assignment;
    ns_comparison *scratch = ns_malloc(sizeof *scratch);
    for (int i = 0; scratch != NULL && p->network == NULL && (assignment = ns_args_at(p->args, "set", i)) != NULL;
         i++) {
        ns_machine **machine;
        size_t machines;
        ns_error ignored = {0};
        /* Counts of a node say where parts stand and who sends, in schedules too that cost the same. */
        if ((strncmp(assignment, "topology.", strlen("topology.")) == 0) ||
            ns_machines_without(p->args, i, &machine, &machines, &ignored) != NS_OK)
            continue;
        if (is_idle(p, machine, scratch)) {
            char path[160];
            snprintf(path, sizeof path, "%.*s", (int)strcspn(assignment, "="), assignment);
            /* What is taken in place of a number. */
            const ns_choice *first = &p->comparison[0].choice[0];
            const ns_parameter *other = NULL;
            ns_form_values v;
            for (int m = 0; other == NULL && m < NS_MEMORIES; m++) {
                ns_form_take(first->price.form, p->machine[0], (ns_memory)m, p->selection.price.without, &v);
                other = ns_form_instead(&v, path);
            }
            if (other != NULL)
                fprintf(err, "nsmodel: note: --set %s does not move the answer: %s counts in its place\n", assignment,
                        other->path);
            else
                fprintf(err, "nsmodel: note: --set %s does not move the answer\n", assignment);
        }
        ns_machines_close(machine, machines);
    }
    ns_free(scratch);
}

void ns_cases_warn(const ns_cases *p, FILE *err)
{
    const size_t each = p->count / p->machines;
    const ns_machine *m;
    char run[300], fit[60];
    /* a line for each machine of the user's; of shipped ones `machines --check` and JSON tell */
    for (size_t i = 0; i < p->machines; i++) {
        size_t warnings = 0;
        for (m = p->machine[i]; ns_machine_warning(m, warnings) != NULL;)
            warnings++;
        if (warnings == 0 || ns_machine_is_shipped(ns_machine_handle(m)))
            continue;
        fprintf(err, "nsmodel: warning: fit warned of %s: %s", m->name, ns_machine_warning(m, 0));
        if (warnings > 1)
            fprintf(err, "; %zu more: `nsmodel machines %s --check`", warnings - 1, ns_machine_handle(m));
        fputc('\n', err);
    }
    if (p->left_out > 0)
        fprintf(err, "nsmodel: note: cases of %d parts and more are left out: %s has %lld rows\n", (int)p->left_out,
                ns_matrix_describe(p->inputs.matrix)->name, (long long)ns_matrix_describe(p->inputs.matrix)->rows);
    for (size_t i = 0; i < p->machines; i++) {
        m = p->machine[i];
        const int has = (int)ns_machine_parts(m), per_node = (int)p->layout[i * each].per_node;
        if (per_node > has)
            fprintf(err, "nsmodel: note: %d parts a node, but %s has %d %s%s a node\n", per_node, m->name, has,
                    m->gpus > 0 ? "GPU" : "host process",
                    has == 1      ? ""
                    : m->gpus > 0 ? "s"
                                  : "es");
    }
    /* where nobody said how many parts a node has, the machine's own number may be a guess of fit's */
    for (size_t i = 0; i < p->machines && !ns_args_has(p->args, "per-node"); i++) {
        m = p->machine[i];
        const ns_parameter *count = ns_machine_parameter(m, m->gpus > 0 ? "topology.gpus" : "topology.host_processes");
        if (count != NULL && ns_machine_parts(m) > 1 && strncmp(count->source, "assumed", 7) == 0)
            fprintf(err, "nsmodel: note: %s is taken to have %d %s a node, %s; --per-node says otherwise\n", m->name,
                    (int)ns_machine_parts(m), m->gpus > 0 ? "GPUs" : "processes", count->source + strlen("assumed: "));
    }
    for (size_t i = 0; i < p->machines; i++)
        for (int k = 0; k < NS_MEMORIES; k++)
            for (int l = 0; m = p->machine[i], l < NS_OFF_NODE && is_used(m, k) && !lacks_inside(m, k); l++)
                if (m->stands_for[k][l] != (ns_locality)l && (l == NS_ON_SOCKET || m->sockets > 1))
                    fprintf(err, "nsmodel: note: %s has no %s table for %s memory; its %s table stands for it\n",
                            m->name, ns_locality_words[l], ns_memory_words[k], ns_locality_words[m->stands_for[k][l]]);
    /* messages between nodes are dearer than those inside: strategies that save the former by the latter look worse */
    for (size_t i = 0; i < p->machines; i++)
        if (has_shared_node(p, i))
            ns_warn_inside(p->machine[i], "node-aware strategies", err);
    /* one part a node has nobody to share its messages with */
    for (size_t i = 0; i < p->machines; i++)
        if (!has_shared_node(p, i) && all_alike(p, i))
            fprintf(err, "nsmodel: note: one part a node, so strategies cannot differ\n");
    /* of two memories one may lack what is needed between nodes: ns_compare leaves its ways out */
    for (size_t i = 0; i < p->machines; i++)
        for (int k = 0; k < NS_MEMORIES; k++) {
            const ns_memory memory = (ns_memory)k, other = memory == NS_HOST ? NS_DEVICE : NS_HOST;
            m = p->machine[i];
            if (m->gpus > 0 && is_used(m, k) && ns_machine_line(m, memory, NS_OFF_NODE, 0, NULL) == NULL &&
                ns_machine_line(m, other, NS_OFF_NODE, 0, NULL) != NULL && has_several_nodes(p, i))
                fprintf(err,
                        "nsmodel: note: %s has no off-node table for %s memory, so ways by the %s are left out beyond "
                        "one node. Still needed: %s\n",
                        m->name, ns_memory_words[k], ns_memory_words[k], run_for(m, k, NS_OFF_NODE, run, sizeof run));
        }
    for (size_t i = 0; i < p->machines; i++) {
        m = p->machine[i];
        if (m->gpus == 0 || m->copy_levels > 0)
            continue;
        (void)ns_benchmark_parts("copy.1.d2h.alpha", m, run, 120, fit, sizeof fit);
        fprintf(err, "nsmodel: note: %s gives no copy parameters, so ways by the host are left out. Still needed: %s\n",
                m->name, run);
    }
    /* the numbers that stand where none is given may all fit in one node, where there is nothing to choose */
    const char *option;
    ns_error ignored;
    const bool usual = p->inputs.parts == 0 && ns_parts_option(p->args, &option, &ignored) == NS_OK && option == NULL;
    for (size_t i = 0; usual && i < p->count; i++)
        if (p->layout[i].parts <= p->layout[i].per_node && p->layout[i].parts > 1) {
            m = p->of[i].machine;
            fprintf(err, "nsmodel: note: %d %s fit in one node of %s; --nodes 2,4,8 asks for several nodes\n",
                    (int)p->layout[i].parts, m->gpus > 0 ? "GPUs" : "processes", m->name);
            break;
        }
    warn_sets(p, err);
}
