/* reproduce_gain.c -- how much faster NetSparse is on a whole matrix than with something of it changed */
#include "study/reproduce.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/refuse.h"
#include "netsparse/netsparse.h"

typedef struct variant {
    const char *set; /* "PATH=VALUE" of the machine, or NULL */
    int topology;
} variant;

static ns_status read_variant(const ns_value *object, variant *v, ns_error *err)
{
    const char *topology = ns_published_text(object, "topology");
    v->set = ns_published_text(object, "set");
    v->topology = NS_LEAF_SPINE;
    return topology != NULL ? ns_choose_word("topology", ns_topology_words, topology, &v->topology, err) : NS_OK;
}

static ns_status read_whole(const ns_value *object, const char *name, int32_t *number, ns_error *err)
{
    const ns_value *v = ns_value_get(object, name);
    if (v == NULL || v->kind != NS_NUMBER || v->number < 1 || v->number > 16384 || v->number != floor(v->number))
        return ns_fail(err, NS_ERR_DATA, "\"netsparse\" wants \"%s\", a whole number from 1 to 16384", name);
    *number = (int32_t)v->number;
    return NS_OK;
}

/* Speedup over SUOpt after the last step; -1 where nothing is sent. */
static ns_status speedup_of(ns_trace *trace, const variant *v, int32_t k, const ns_machine *machine, double *speedup,
                            ns_error *err)
{
    ns_machine *changed = NULL;
    ns_netsparse_result *result;
    if (v->set != NULL)
        NS_TRY(ns_machine_with(machine, v->set, &changed, err));
    const ns_netsparse_options options = {.machine = changed != NULL ? changed : machine,
                                          .k = k,
                                          .topology = (ns_topology)v->topology,
                                          .last_only = true};
    const ns_status status = ns_netsparse_run(trace, &options, &result, err);
    if (status == NS_OK) {
        *speedup = result->step[NS_SWITCH].speedup;
        ns_netsparse_free(result);
    }
    ns_machine_free(changed);
    return status;
}

static ns_status open_trace(const char *name, int32_t nodes, ns_trace **trace, ns_error *err)
{
    ns_matrix *matrix;
    const ns_trace_options options = {.rack = 0};
    NS_TRY(ns_matrix_open(name, &matrix, err));
    const ns_status status = ns_trace_open(matrix, nodes, &options, trace, err);
    ns_matrix_free(matrix);
    return status;
}

ns_status ns_published_gain(const ns_value *netsparse, const ns_machine *machine, double *gain, ns_error *err)
{
    const char *name = ns_published_text(netsparse, "matrix");
    const ns_value *other = ns_value_get(netsparse, "without");
    variant with, without;
    int32_t nodes, k;
    double fast = 0, slow = 0;
    ns_trace *trace;
    if (name == NULL || other == NULL)
        return ns_fail(err, NS_ERR_DATA, "\"netsparse\" wants a \"matrix\" and what it is \"without\"");
    NS_TRY(read_whole(netsparse, "nodes", &nodes, err));
    NS_TRY(read_whole(netsparse, "k", &k, err));
    NS_TRY(read_variant(netsparse, &with, err));
    NS_TRY(read_variant(other, &without, err));
    NS_TRY(open_trace(name, nodes, &trace, err));
    ns_status status = speedup_of(trace, &with, k, machine, &fast, err);
    if (status == NS_OK)
        status = speedup_of(trace, &without, k, machine, &slow, err);
    ns_trace_free(trace);
    if (status == NS_OK && !(fast > 0 && slow > 0))
        status = ns_fail(err, NS_ERR_DATA, "%s sends nothing on %d nodes", name, (int)nodes);
    if (status == NS_OK)
        *gain = fast / slow - 1;
    return status;
}
