/* parameters.c -- the numbers of the machine that a run needs, and the models by name */
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

ns_status ns_netsparse_read(const ns_machine *machine, double k, int32_t nodes, ns_netsparse_parameters *parameters,
                            ns_error *err)
{
    ns_netsparse_parameters read = {.machine = machine}, *const s = &read;
    double units = 0, ways = 0, cycles = 0, capacity = 0;
    const struct {
        const char *path;
        double *number;
    } wanted[] = {{"models.rig-batch.units", &units},           {"models.rig-batch.f", &s->f},
                  {"models.rig-batch.rate", &s->rate},          {"models.header-share.u_table8", &s->u},
                  {"models.header-share.r", &s->r},             {"models.header-share.value", &s->value},
                  {"models.concat.cycles", &cycles},            {"models.property-cache.ways", &ways},
                  {"models.property-cache.capacity", &capacity}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!ns_machine_number(machine, wanted[i].path, wanted[i].number, NULL, NULL))
            return ns_fail(err, NS_ERR_DATA,
                           "machine %s has no \"%s\", which NetSparse's models want; the machine netsparse has",
                           machine->name, wanted[i].path);
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
    /* Properties above the largest cache line are sent in tiles; this also keeps a response below the MTU. */
    ns_evaluated cache, concat, header;
    if (!(capacity > 0)) { /* no cache: the model still gives the tiles */
        NS_TRY(NS_NETSPARSE_EVAL(machine, "property-cache", &cache, err, {"k", k}, {"capacity", 1}));
    } else {
        NS_TRY(NS_NETSPARSE_EVAL(machine, "property-cache", &cache, err, {"k", k}));
        s->entries = ns_netsparse_output(&cache, "entries");
    }
    s->tiles = ns_netsparse_output(&cache, "tiles");
    s->k = k / s->tiles;
    s->P = s->k * s->value;
    NS_TRY(NS_NETSPARSE_EVAL(machine, "concat", &concat, err, {"lambda", 0}, {"d64", 1}, {"k", s->k},
                             {"nodes", nodes > 2 ? nodes : 2}, {"rtt", 1e-6}));
    s->most_request = (int64_t)fmin(ns_netsparse_output(&concat, "most_request"), 1e9);
    s->most_response = (int64_t)fmin(ns_netsparse_output(&concat, "most_response"), 1e9);
    s->waits = ns_netsparse_output(&concat, "rtt_eff") - 1e-6;
    NS_TRY(NS_NETSPARSE_EVAL(machine, "header-share", &header, err, {"k", s->k}));
    s->lone_header = ns_netsparse_output(&header, "h");
    for (int i = 0; i < NS_PATH_SWITCHES; i++) {
        ns_evaluated hops;
        NS_TRY(NS_NETSPARSE_EVAL(machine, "netsparse-hops", &hops, err, {"switches", i}));
        s->rtt[i] = ns_netsparse_output(&hops, "rtt");
    }
    *parameters = read;
    return NS_OK;
}
