/* network.c -- predict --network: what the hardware is, and which of its numbers are whose */
#include "cli/show/predict.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

static const char *const effects[] = {[NS_NETWORK_CARRIES] = "carries", [NS_NETWORK_GATHERS] = "gathers"};

/* Where a number is from: one that --set changed says so itself. */
static const char *of(const ns_fabric *fabric, const ns_network_number *number, const ns_parameter *p)
{
    if (strncmp(p->source, "set: ", 5) == 0)
        return "set";
    return strcmp(number->of, "machine") == 0 && fabric->link == NULL ? "paper" : number->of;
}

/* "paper      units 32, E 256, f 2.2 GHz" */
static void say_numbers(const ns_fabric *fabric, const char *whose, ns_value *result)
{
    char text[700], value[48];
    size_t used = (size_t)snprintf(text, sizeof text, "%-10s", whose), first = used;
    for (const ns_network_number *n = fabric->kind->numbers; n->path != NULL; n++) {
        const ns_parameter *p = ns_machine_parameter(fabric->hardware, n->path);
        if (p == NULL || strcmp(of(fabric, n, p), whose) != 0 || used + 100 > sizeof text)
            continue;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s %s %s", used > first ? "," : "",
                             strrchr(p->path, '.') + 1, ns_quantity_format(p->value, p->dim, 4, value, sizeof value));
    }
    if (used > first)
        ns_note(result, "%s", text);
}

static void say_link(const ns_fabric *fabric, ns_value *result)
{
    char rate[48];
    const ns_parameter *link = ns_machine_parameter(fabric->hardware, "models.rig-batch.rate");
    if (fabric->kind->effect != NS_NETWORK_GATHERS || fabric->link == NULL || link == NULL)
        return;
    ns_note(result, "link       %s each way, both at once: of %s, %s",
            ns_quantity_format(link->value, link->dim, 4, rate, sizeof rate), fabric->machine->name,
            fabric->link->path);
}

static void add_fabric(const ns_fabric *fabric, ns_value *object)
{
    const ns_network_kind *kind = fabric->kind;
    ns_value_text(object, "name", kind->name);
    ns_value_text(object, "title", kind->title);
    ns_value_text(object, "source", kind->source);
    ns_value_text(object, "effect", effects[kind->effect]);
    ns_value_text(object, "hardware", fabric->hardware->name);
    ns_value *list = ns_value_list(object, "numbers");
    for (const ns_network_number *n = fabric->kind->numbers; n->path != NULL; n++) {
        const ns_parameter *p = ns_machine_parameter(fabric->hardware, n->path);
        if (p == NULL)
            continue;
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "parameter", p->path);
        ns_value_number(row, "value", p->value, p->dim);
        ns_value_text(row, "of", of(fabric, n, p));
        ns_value_text(row, "source", p->source);
    }
    ns_value *assumed = ns_value_list(object, "assumed");
    for (const char *const *line = kind->assumed; *line != NULL; line++)
        ns_value_text(assumed, NULL, *line);
}

void ns_network_describe(const ns_cases *p, ns_value *result)
{
    if (p->network == NULL)
        return;
    add_fabric(p->fabric[0], ns_put_object(result, "network", NS_IN_JSON));
    static const char *const whose[] = {"paper", "fitted", "assumed", "set"};
    const ns_network_kind *kind = p->network;
    ns_note(result, "network    %s: %s; %s", kind->name, kind->title, kind->source);
    for (size_t i = 0; i < p->machines; i++)
        say_link(p->fabric[i], result);
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++)
        say_numbers(p->fabric[0], whose[i], result);
    /* "error      2^0.61 = 1.5 times up or down: nine speedups ..." */
    const ns_fabric *fabric = p->fabric[0];
    const ns_parameter *error = ns_machine_parameter(fabric->hardware, "host.exchange.model_error.time");
    if (fabric->kind->effect == NS_NETWORK_GATHERS && error != NULL)
        ns_note(result, "error      between nodes, a standard deviation of 2^%.2g = %.2g times: %.400s", error->value,
                exp2(error->value), error->source);
    for (const char *const *line = kind->assumed; *line != NULL; line++)
        ns_note(result, "assumed    %s", *line);
}

ns_status ns_network_list(ns_value *result)
{
    ns_value *list = ns_put_rows(result, "networks", NS_EVERYWHERE);
    for (const ns_network_kind *const *kind = ns_network_kinds(); *kind != NULL; kind++) {
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "name", (*kind)->name);
        ns_value_text(row, "effect", effects[(*kind)->effect]);
        ns_value_text(row, "title", (*kind)->title);
        ns_put_text(row, "source", NS_IN_WIDE, (*kind)->source);
    }
    return NS_OK;
}

const char *ns_case_kind(const ns_case *c, int choice)
{
    return c->network == NULL ? NULL : choice == c->network->gather ? "in-network" : "messages";
}

static const ns_table_column of_gathering[] = {{"nodes", NS_COL(ns_gathering, nodes)},
                                               {"k", NS_COL(ns_gathering, k)},
                                               {"link", NS_COL(ns_gathering, rate), .unit = "B/s"},
                                               {"network_s", NS_COL(ns_gathering, network_s), .unit = "s"},
                                               {"network_best_s", NS_COL(ns_gathering, network_best_s), .unit = "s"},
                                               {"inside_s", NS_COL(ns_gathering, inside_s), .unit = "s"},
                                               {"inside", NS_COL(ns_gathering, inside), .words = ns_transport_words},
                                               {"model_error", NS_COL(ns_gathering, error)},
                                               {"model_error_source", NS_COL(ns_gathering, error_source)},
                                               {NULL}};

void ns_gathering_value(const ns_case *c, ns_value *object)
{
    if (c->network == NULL || c->network->gather < 0)
        return;
    const ns_gathering *g = &c->network->gathering;
    ns_value *gathering = ns_put_object(object, "gathering", NS_IN_JSON);
    ns_put_columns(gathering, of_gathering, g);
    if (g->result == NULL)
        return;
    ns_value_count(gathering, "batch", (double)g->result->batch);
    ns_value_text(gathering, "limit", ns_limit_words[g->result->step[NS_SWITCH].limit]);
    ns_value *steps = ns_value_list(gathering, "steps");
    for (int i = 0; i < NS_MECHANISMS; i++) {
        ns_value *step = ns_value_object(steps, NULL);
        ns_value_text(step, "step", ns_mechanism_words[i]);
        ns_value_number(step, "time_s", g->result->step[i].time, NS_SECOND);
    }
}
