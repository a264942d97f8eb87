/* cases_value.c -- what was compared, in an answer */
#include "cli/front/own_machines.h"
#include "cli/inputs/cases.h"
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

static void add_matrix(const ns_cases *p, ns_value *result)
{
    if (p->inputs.matrix == NULL)
        return;
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

void ns_machines_value(ns_machine *const *machine, size_t machines, ns_value *result)
{
    add_machine(machine[0], ns_put_object(result, "machine", NS_IN_JSON));
    ns_value *list = machines > 1 ? ns_put_list(result, "machines", NS_IN_JSON) : NULL;
    for (size_t i = 0; list != NULL && i < machines; i++)
        add_machine(machine[i], ns_value_object(list, NULL));
}

static void add_machines(const ns_cases *p, ns_value *result)
{
    ns_machines_value(p->machine, p->machines, result);
    for (size_t i = 0; i < p->machines; i++)
        ns_note(result, "machine    %s (%d a node): %s", p->machine[i]->name,
                (int)p->layout[i * (p->count / p->machines)].per_node, p->machine[i]->source);
}

void ns_cases_describe(const ns_cases *p, ns_value *result)
{
    ns_inputs_describe(&p->inputs, result);
    add_matrix(p, result);
    add_machines(p, result);
}

static void say_copies(const ns_machine *machine, FILE *err)
{
    char run[120], fit[60];
    (void)ns_benchmark_parts("copy.1.d2h.alpha", machine, run, sizeof run, fit, sizeof fit);
    fprintf(err, "nsmodel: note: %s gives no copy parameters, so ways by the host are left out. Still needed: %s\n",
            machine->name, run);
}

/* Where nobody said how many parts a node has, the machine's own number may be a guess of fit's. */
static void warn_assumed(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines && !ns_args_has(p->args, "per-node"); i++) {
        const ns_machine *m = p->machine[i];
        const char *path = m->gpus > 0 ? "topology.gpus" : "topology.host_processes";
        const ns_parameter *count = ns_machine_parameter(m, path);
        if (count != NULL && ns_machine_parts(m) > 1 && strncmp(count->source, "assumed", 7) == 0)
            fprintf(err, "nsmodel: note: %s is taken to have %d %s a node, %s; --per-node says otherwise\n", m->name,
                    (int)ns_machine_parts(m), m->gpus > 0 ? "GPUs" : "processes", count->source + strlen("assumed: "));
    }
}

static void warn_copies(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        if (p->machine[i]->gpus > 0 && p->machine[i]->copy_levels == 0)
            say_copies(p->machine[i], err);
}

static bool knows(const ns_machine *machine, ns_memory memory, ns_locality locality)
{
    return ns_machine_line(machine, memory, locality, 0, NULL) != NULL;
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

/* Is anything priced in this memory? */
static bool is_used(const ns_machine *machine, int memory)
{
    return memory == NS_DEVICE ? machine->gpus > 0 : machine->gpus == 0 || machine->copy_levels > 0;
}

static bool lacks_inside(const ns_machine *machine, int memory)
{
    return machine->stands_for[memory][NS_ON_NODE] == NS_OFF_NODE;
}

static void warn_stand_ins(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        for (int m = 0; m < NS_MEMORIES; m++)
            for (int l = 0; l < NS_OFF_NODE && is_used(p->machine[i], m) && !lacks_inside(p->machine[i], m); l++)
                if (p->machine[i]->stands_for[m][l] != (ns_locality)l &&
                    (l == NS_ON_SOCKET || p->machine[i]->sockets > 1))
                    fprintf(err, "nsmodel: note: %s has no %s table for %s memory; its %s table stands for it\n",
                            p->machine[i]->name, ns_locality_words[l], ns_memory_words[m],
                            ns_locality_words[p->machine[i]->stands_for[m][l]]);
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

static void say_inside(const ns_machine *machine, int memory, const char *dearer, FILE *err)
{
    char run[300];
    fprintf(err,
            "nsmodel: note: %s has no table of messages inside a node for %s memory; its off-node table stands for it, "
            "so %s look dearer than they are. Still needed: %s\n",
            machine->name, ns_memory_words[memory], dearer, run_for(machine, memory, NS_ON_NODE, run, sizeof run));
}

void ns_warn_inside(const ns_machine *machine, const char *dearer, FILE *err)
{
    for (int m = 0; m < NS_MEMORIES; m++)
        if (is_used(machine, m) && lacks_inside(machine, m))
            say_inside(machine, m, dearer, err);
}

/* Messages between nodes are dearer than those inside: strategies that save the former by the latter look worse. */
static void warn_inside(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        if (has_shared_node(p, i))
            ns_warn_inside(p->machine[i], "node-aware strategies", err);
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

/* One part a node has nobody to share its messages with. */
static void warn_alone(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        if (!has_shared_node(p, i) && all_alike(p, i))
            fprintf(err, "nsmodel: note: one part a node, so strategies cannot differ\n");
}

/* Of two memories one may lack what is needed between nodes: ns_compare leaves its ways out. */
static void warn_left_out(const ns_cases *p, FILE *err)
{
    char run[300];
    static const ns_memory other[] = {[NS_HOST] = NS_DEVICE, [NS_DEVICE] = NS_HOST};
    for (size_t i = 0; i < p->machines; i++)
        for (int m = 0; m < NS_MEMORIES; m++) {
            const ns_machine *of = p->machine[i];
            if (of->gpus > 0 && is_used(of, m) && !knows(of, (ns_memory)m, NS_OFF_NODE) &&
                knows(of, other[m], NS_OFF_NODE) && has_several_nodes(p, i))
                fprintf(err,
                        "nsmodel: note: %s has no off-node table for %s memory, so ways by the %s are left out beyond "
                        "one node. Still needed: %s\n",
                        of->name, ns_memory_words[m], ns_memory_words[m], run_for(of, m, NS_OFF_NODE, run, sizeof run));
        }
}

static void say_crowded(const ns_machine *machine, int32_t per_node, FILE *err)
{
    const int has = (int)ns_machine_parts(machine);
    fprintf(err, "nsmodel: note: %d parts a node, but %s has %d %s%s a node\n", (int)per_node, machine->name, has,
            machine->gpus > 0 ? "GPU" : "host process",
            has == 1            ? ""
            : machine->gpus > 0 ? "s"
                                : "es");
}

static void warn_crowded(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++) {
        int32_t per_node = p->layout[i * (p->count / p->machines)].per_node;
        if (per_node > ns_machine_parts(p->machine[i]))
            say_crowded(p->machine[i], per_node, err);
    }
}

/* The numbers that stand where none is given may all fit in one node, where there is nothing to choose. */
static void warn_one_node(const ns_cases *p, FILE *err)
{
    const char *option;
    ns_error ignored;
    if (p->inputs.parts > 0 || ns_parts_option(p->args, &option, &ignored) != NS_OK || option != NULL)
        return;
    for (size_t i = 0; i < p->count; i++)
        if (p->layout[i].parts <= p->layout[i].per_node && p->layout[i].parts > 1) {
            const ns_machine *m = p->of[i].machine;
            fprintf(err, "nsmodel: note: %d %s fit in one node of %s; --nodes 2,4,8 asks for several nodes\n",
                    (int)p->layout[i].parts, m->gpus > 0 ? "GPUs" : "processes", m->name);
            return;
        }
}

/* A line for each machine of the user's; of shipped ones `machines --check` and JSON tell. */
static void warn_fitted(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++) {
        const ns_machine *m = p->machine[i];
        size_t warnings = 0;
        while (ns_machine_warning(m, warnings) != NULL)
            warnings++;
        if (warnings == 0 || ns_machine_is_shipped(ns_machine_handle(m)))
            continue;
        fprintf(err, "nsmodel: warning: fit warned of %s: %s", m->name, ns_machine_warning(m, 0));
        if (warnings > 1)
            fprintf(err, "; %zu more: `nsmodel machines %s --check`", warnings - 1, ns_machine_handle(m));
        fputc('\n', err);
    }
}

static void warn_left_out_cases(const ns_cases *p, FILE *err)
{
    if (p->left_out > 0)
        fprintf(err, "nsmodel: note: cases of %d parts and more are left out: %s has %lld rows\n", (int)p->left_out,
                ns_matrix_describe(p->inputs.matrix)->name, (long long)ns_matrix_describe(p->inputs.matrix)->rows);
}

void ns_cases_warn(const ns_cases *p, FILE *err)
{
    warn_fitted(p, err);
    warn_left_out_cases(p, err);
    warn_crowded(p, err);
    warn_assumed(p, err);
    warn_stand_ins(p, err);
    warn_inside(p, err);
    warn_alone(p, err);
    warn_left_out(p, err);
    warn_copies(p, err);
    warn_one_node(p, err);
    ns_cases_warn_sets(p, err);
}
