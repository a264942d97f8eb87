/* cases_value.c -- what was compared, in an answer */
#include "cli/inputs/cases.h"

static void add_machine(const ns_machine *machine, ns_value *object)
{
    ns_value_flag(object, NS_V_JSON_ONLY);
    ns_value_text(object, "name", machine->name);
    ns_value_text(object, "source", machine->source);
}

static void add_matrix(const ns_cases *p, ns_value *result)
{
    if (p->inputs.matrix == NULL)
        return;
    const ns_matrix_info *info = ns_matrix_describe(p->inputs.matrix);
    ns_value *object = ns_value_flag(ns_value_object(result, "matrix"), NS_V_JSON_ONLY);
    ns_value_text(object, "name", info->name);
    ns_value_count(object, "rows", (double)info->rows);
    ns_value_count(object, "cols", (double)info->cols);
    ns_value_count(object, "nonzeros", (double)p->inputs.nonzeros);
    ns_value_text(object, "source", ns_matrix_source_words[info->source]);
    ns_value_flag(ns_value_text(result, "matrix_name", info->name), NS_V_NO_TABLE | NS_V_NO_JSON);
    ns_value_flag(ns_value_text(result, "source", ns_matrix_source_words[info->source]), NS_V_NO_TABLE | NS_V_NO_JSON);
}

static void add_machines(const ns_cases *p, ns_value *result)
{
    add_machine(p->machine[0], ns_value_object(result, "machine"));
    ns_value *list = p->machines > 1 ? ns_value_flag(ns_value_list(result, "machines"), NS_V_JSON_ONLY) : NULL;
    for (size_t i = 0; list != NULL && i < p->machines; i++)
        add_machine(p->machine[i], ns_value_object(list, NULL));
    for (size_t i = 0; i < p->machines; i++)
        ns_value_flag(ns_value_textf(result, "machine_line", "machine    %s (%d a node): %s", p->machine[i]->name,
                               (int)p->layout[i * (p->count / p->machines)].per_node, p->machine[i]->source),
                NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

void ns_cases_describe(const ns_cases *p, ns_value *result)
{
    ns_inputs_describe(&p->inputs, result);
    add_matrix(p, result);
    add_machines(p, result);
}

static void warn_copies(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        if (p->machine[i]->gpus > 0 && p->machine[i]->copy_levels == 0)
            fprintf(err, "nsmodel: note: %s gives no copy parameters, so ways by the host are left out\n",
                    p->machine[i]->name);
}

static void warn_stand_ins(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        for (int m = 0; m < NS_MEMORIES; m++)
            for (int l = 0; l < NS_OFF_NODE; l++)
                if (p->machine[i]->stands_for[m][l] != (ns_locality)l &&
                    (l == NS_ON_SOCKET || p->machine[i]->sockets > 1))
                    fprintf(err, "nsmodel: note: %s has no %s table for %s memory; its %s table stands for it\n",
                            p->machine[i]->name, ns_locality_words[l], ns_memory_words[m],
                            ns_locality_words[p->machine[i]->stands_for[m][l]]);
}

static void warn_crowded(const ns_cases *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++) {
        int32_t per_node = p->layout[i * (p->count / p->machines)].per_node;
        if (per_node > ns_machine_parts(p->machine[i]))
            fprintf(err, "nsmodel: note: %d parts a node, but %s has %d %s a node\n", (int)per_node,
                    p->machine[i]->name, (int)ns_machine_parts(p->machine[i]),
                    p->machine[i]->gpus > 0 ? "GPUs" : "host processes");
    }
}

void ns_cases_warn(const ns_cases *p, FILE *err)
{
    warn_crowded(p, err);
    warn_stand_ins(p, err);
    warn_copies(p, err);
}
