/* parameters.c -- what a run needs of the machine, and the models by name */
#include "netsparse/parameters.h"

#include <assert.h>
#include <math.h>

ns_status ns_netsparse_eval(const ns_machine *machine, const char *model, const ns_given_input *input, size_t inputs,
                            ns_evaluated *evaluated, ns_error *err)
{
    ns_binding binding;
    NS_TRY(ns_model_get(model, &evaluated->model, err));
    ns_bind_open(&binding, evaluated->model, machine);
    for (size_t i = 0; i < inputs; i++)
        NS_TRY(ns_bind_number(&binding, input[i].name, input[i].value, err));
    NS_TRY(ns_bind_close(&binding, err));
    return ns_model_eval(&binding, &evaluated->out, err);
}

double ns_netsparse_output(const ns_evaluated *evaluated, const char *name)
{
    const ns_field *field = ns_field_find(evaluated->model->outputs, name);
    assert(field != NULL);
    return ns_field_number(field, &evaluated->out);
}

static ns_status number(const ns_machine *machine, const char *path, double *value, ns_error *err)
{
    if (ns_machine_number(machine, path, value, NULL, NULL))
        return NS_OK;
    return ns_fail(err, NS_ERR_DATA,
                   "machine %s has no \"%s\", which NetSparse's models want; the machine netsparse has", machine->name,
                   path);
}

static ns_status read_numbers(ns_netsparse_parameters *s, ns_error *err)
{
    double units, ways, cycles;
    const ns_machine *m = s->machine;
    NS_TRY(number(m, "models.rig-batch.units", &units, err));
    NS_TRY(number(m, "models.rig-batch.f", &s->f, err));
    NS_TRY(number(m, "models.rig-batch.rate", &s->rate, err));
    NS_TRY(number(m, "models.header-share.u_table8", &s->u, err));
    NS_TRY(number(m, "models.header-share.r", &s->r, err));
    NS_TRY(number(m, "models.header-share.value", &s->value, err));
    NS_TRY(number(m, "models.concat.cycles", &cycles, err));
    NS_TRY(number(m, "models.property-cache.ways", &ways, err));
    if (!(units >= 2 && floor(units / 2) <= NS_CLIENTS_MOST))
        return ns_fail(err, NS_ERR_RANGE, "models.rig-batch.units has to be 2 to %d, got %g",
                       2 * (int)NS_CLIENTS_MOST + 1, units);
    if (!(s->f > 0 && s->rate > 0))
        return ns_fail(err, NS_ERR_RANGE, "models.rig-batch.%s has to be more than 0", s->f > 0 ? "rate" : "f");
    if (!(ways >= 0 && ways <= 4096))
        return ns_fail(err, NS_ERR_RANGE, "models.property-cache.ways has to be 0 to 4096, got %g", ways);
    s->clients = (int32_t)floor(units / 2);
    s->ways = (int32_t)ways;
    s->delay = cycles / s->f;
    return NS_OK;
}

/* Properties above the largest cache line travel in tiles; this also keeps a response below the MTU. */
static ns_status read_cache(ns_netsparse_parameters *s, double k, ns_error *err)
{
    ns_evaluated cache;
    double capacity;
    NS_TRY(number(s->machine, "models.property-cache.capacity", &capacity, err));
    if (!(capacity > 0)) { /* no cache: the model still tells the tiles */
        NS_TRY(NS_NETSPARSE_EVAL(s->machine, "property-cache", &cache, err, {"k", k}, {"capacity", 1}));
        s->entries = 0;
    } else {
        NS_TRY(NS_NETSPARSE_EVAL(s->machine, "property-cache", &cache, err, {"k", k}));
        s->entries = ns_netsparse_output(&cache, "entries");
    }
    s->tiles = ns_netsparse_output(&cache, "tiles");
    s->k = k / s->tiles;
    s->P = s->k * s->value;
    return NS_OK;
}

static ns_status read_parameters(double k, int32_t nodes, ns_netsparse_parameters *parameters, ns_error *err)
{
    ns_evaluated concat, header;
    const ns_machine *machine = parameters->machine;
    NS_TRY(read_numbers(parameters, err));
    NS_TRY(read_cache(parameters, k, err));
    NS_TRY(NS_NETSPARSE_EVAL(machine, "concat", &concat, err, {"lambda", 0}, {"d64", 1}, {"k", parameters->k},
                             {"nodes", nodes > 2 ? nodes : 2}, {"rtt", 1e-6}));
    parameters->most_request = (int64_t)fmin(ns_netsparse_output(&concat, "most_request"), 1e9);
    parameters->most_response = (int64_t)fmin(ns_netsparse_output(&concat, "most_response"), 1e9);
    parameters->waits = ns_netsparse_output(&concat, "rtt_eff") - 1e-6;
    NS_TRY(NS_NETSPARSE_EVAL(machine, "header-share", &header, err, {"k", parameters->k}));
    parameters->lone_header = ns_netsparse_output(&header, "h");
    for (int s = 0; s < NS_PATH_SWITCHES; s++) {
        ns_evaluated hops;
        NS_TRY(NS_NETSPARSE_EVAL(machine, "netsparse-hops", &hops, err, {"switches", s}));
        parameters->rtt[s] = ns_netsparse_output(&hops, "rtt");
    }
    return NS_OK;
}

ns_status ns_netsparse_read(const ns_machine *machine, double k, int32_t nodes, ns_netsparse_parameters *parameters,
                            ns_error *err)
{
    ns_netsparse_parameters read = {.machine = machine};
    NS_TRY(read_parameters(k, nodes, &read, err));
    *parameters = read;
    return NS_OK;
}
