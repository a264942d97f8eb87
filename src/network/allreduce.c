/* allreduce.c -- one allreduce by hosts, switches and interfaces side by side
 *
 * Each way is a model: host-allreduce by each of its algorithms, and what hardware does on its own.  A machine without
 * that hardware gets the constants of the paper's machine.  Between GPUs the operand is copied out of the device and
 * back.
 */
#include "core/context.h"
#include "core/refuse.h"
#include "netsparse/parameters.h"
#include "price/choice.h"

#include "network/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the ways ---------------------------------------------------------------------------------------------------- */

typedef struct way {
    ns_strategy strategy;
    const char *model, *given; /* given: the value of `algorithm`, or NULL */
    const char *hardware;      /* the shipped machine that has it, or NULL: the hosts */
} way;

#define NS_BY_HOSTS(rank_, name_, title_)                                                                              \
    {                                                                                                                  \
        {.name = name_,                                                                                                \
         .title = title_,                                                                                              \
         .source = "model host-allreduce",                                                                             \
         .rank = rank_,                                                                                                \
         .nest = "by-hosts",                                                                                           \
         .transports = 1u << NS_VIA_HOST | 1u << NS_VIA_DEVICE},                                                       \
            "host-allreduce", name_, NULL                                                                              \
    }
#define NS_BY_HARDWARE(rank_, name_, title_, model_, hardware_)                                                        \
    {                                                                                                                  \
        {.name = name_, .title = title_, .source = "model " model_, .rank = rank_}, model_, NULL, hardware_            \
    }
static const way ways[] = {
    NS_BY_HOSTS(0, "recursive-doubling", "the hosts exchange all of it, distances doubling"),
    NS_BY_HOSTS(1, "rabenseifner", "the hosts reduce and scatter by halving, and gather by doubling"),
    NS_BY_HOSTS(2, "ring", "the hosts reduce and scatter, and gather, along a ring"),
    NS_BY_HOSTS(3, "reduce-broadcast", "the hosts reduce to one and broadcast"),
    NS_BY_HARDWARE(4, "in-switches", "the switches aggregate (SHARP)", "sharp", "sharp-switchib2"),
    NS_BY_HARDWARE(5, "triggered", "the interfaces combine, by triggered operations", "triggered-allreduce", "bxi"),
    NS_BY_HARDWARE(6, "in-handlers", "handlers on the interfaces combine (sPIN)", "spin-allreduce", "fpspin"),
};
enum { WAYS = sizeof ways / sizeof *ways };

ns_status ns_allreduce_way_get(const char *name, const ns_strategy **found, ns_error *err)
{
    const char *names[WAYS];
    for (size_t i = 0; i < WAYS; i++) {
        names[i] = ways[i].strategy.name;
        if (strcmp(name, names[i]) == 0) {
            *found = &ways[i].strategy;
            return NS_OK;
        }
    }
    return ns_refuse_name(err, "no way of an allreduce", name, names, WAYS);
}

/* ---- one way ----------------------------------------------------------------------------------------------------- */

typedef struct asking {
    const ns_allreduce_request *request;
    const ns_form *form; /* whose terms and name are in the answer */
    ns_comparison *comparison;
    ns_allreduce_answer *answer;
} asking;

static ns_status evaluate(const asking *a, const way *w, ns_transport transport, const ns_machine *machine,
                          ns_error *err)
{
    const ns_allreduce_request *r = a->request;
    const bool hosts = w->hardware == NULL;
    ns_evaluated evaluated;
    ns_binding by;
    NS_TRY(ns_model_get(w->model, &evaluated.model, err));
    ns_bind_open(&by, evaluated.model, machine);
    NS_TRY(ns_bind_number(&by, "hosts", r->nodes, err));
    NS_TRY(ns_bind_number(&by, "processes", r->per_node, err));
    NS_TRY(ns_bind_number(&by, "s", r->bytes, err));
    if (w->given != NULL)
        NS_TRY(ns_bind_word(&by, "algorithm", w->given, err));
    if (transport == NS_VIA_DEVICE)
        NS_TRY(ns_bind_word(&by, "memory", ns_memory_words[NS_DEVICE], err));
    NS_TRY(ns_bind_close(&by, err));
    NS_TRY(ns_model_eval(&by, &evaluated.out, err));

    char past[200], assumed[NS_ALLREDUCE_NOTE];
    ns_comparison *c = a->comparison;
    const double time = ns_netsparse_output(&evaluated, "time"), on_node = ns_netsparse_output(&evaluated, "on_node");
    const char *beyond = ns_bind_beyond(&by, past, sizeof past);
    ns_choice *choice = &c->choice[c->choices];
    *choice = (ns_choice){
        .strategy = &w->strategy, .transport = hosts ? transport : NS_VIA_NIC, .published_s = -1, .corrected_s = -1};
    ns_price *price = &choice->price;
    price->form = a->form;
    const ns_machine *m = r->machine; /* seconds to copy the operand out of a GPU and back into it */
    const ns_copy_line *line = m->gpus > 0 && transport != NS_VIA_DEVICE ? ns_machine_copy(m, 1) : NULL;
    for (int d = 0; line != NULL && d < NS_DIRECTIONS; d++)
        price->copy_s += line->alpha[d] + line->beta[d] * r->bytes;
    price->estimate_s = time + price->copy_s;
    price->term_s[ns_form_term(a->form, "on_node")] = on_node;
    price->term_s[ns_form_term(a->form, "off_node")] = time - on_node;
    price->extrapolated = *beyond != '\0';
    ns_price_widen(price, NS_ERROR_UNCALIBRATED, ns_price_width(r->selection->price.confidence));
    a->answer->in_network[c->choices] = !hosts;
    char *note = a->answer->note[c->choices];
    *note = '\0';
    c->choices++;
    if (hosts)
        return NS_OK;
    /* the hardware's machine, inputs whose number the machine or the paper's file assumes, and inputs beyond the range
     * of the data */
    if (strcmp(m->name, w->hardware) != 0)
        snprintf(note, NS_ALLREDUCE_NOTE, "hardware of %s", w->hardware);
    const char *const more[] = {ns_bind_assumed(&by, assumed, sizeof assumed), beyond};
    for (int i = 0; i < 2; i++) {
        const size_t used = strlen(note);
        if (*more[i] != '\0')
            snprintf(note + used, NS_ALLREDUCE_NOTE - used, "%s%s", used > 0 ? "; " : "", more[i]);
    }
    return NS_OK;
}

/* A way that its model refuses is listed with the others, with the reason. */
static ns_status try_way(const asking *a, const way *w, ns_transport transport, const ns_machine *machine,
                         ns_error *err)
{
    ns_error why = {0};
    const ns_status status = evaluate(a, w, transport, machine, &why);
    if (ns_ends_call(status))
        return ns_end_call(&why, err);
    if (status != NS_OK) {
        ns_allreduce_refused *refused = &a->answer->refusal[a->answer->refused++];
        refused->way = &w->strategy;
        refused->transport = w->hardware != NULL ? NS_VIA_NIC : transport;
        snprintf(refused->why, sizeof refused->why, "%.230s", why.text);
    }
    return NS_OK;
}

static bool has_table(const ns_machine *machine, ns_memory memory)
{
    return ns_machine_line(machine, memory, NS_OFF_NODE, 0, NULL) != NULL;
}

ns_status ns_allreduce_compare(const ns_allreduce_request *request, ns_comparison *comparison,
                               ns_allreduce_answer *answer, ns_error *err)
{
    const ns_machine *m = request->machine;
    asking a = {.request = request, .comparison = comparison, .answer = answer};
    if (!has_table(m, NS_HOST) && !has_table(m, NS_DEVICE))
        return ns_fail_for(err, NS_ERR_DATA, NS_REMEDY_CHECK, ns_machine_handle(m),
                           "machine %s has no off-node table of messages, host or device, which an allreduce by hosts "
                           "wants",
                           m->name);
    if (!(request->bytes >= 1) || request->nodes < 1 || request->per_node < 1)
        return ns_fail(err, NS_ERR_RANGE, "an allreduce wants at least a byte, a node and a process");
    NS_TRY(ns_form_get("postal", &a.form, err));
    *comparison = (ns_comparison){.choices = 0};
    *answer = (ns_allreduce_answer){.refused = 0};
    for (const way *w = ways; w < ways + WAYS; w++) {
        if (w->hardware == NULL) {
            if (has_table(m, NS_HOST) && (m->gpus == 0 || m->copy_levels > 0))
                NS_TRY(try_way(&a, w, NS_VIA_HOST, m, err));
            if (has_table(m, NS_DEVICE) && m->gpus > 0)
                NS_TRY(try_way(&a, w, NS_VIA_DEVICE, m, err));
            continue;
        }
        /* the paper's machine supplies the constants of models that the machine lacks */
        ns_machine *fallback, *both;
        if (ns_model_find(w->model) == NULL) /* not in this build */
            continue;
        NS_TRY(ns_machine_load(w->hardware, &fallback, err));
        ns_status status = ns_machine_lend(m, fallback, &both, err);
        ns_machine_free(fallback);
        NS_TRY(status);
        status = try_way(&a, w, NS_VIA_HOST, both, err);
        ns_machine_free(both);
        NS_TRY(status);
    }
    if (comparison->choices == 0)
        return ns_fail(err, NS_ERR_DATA, "no way of the allreduce can be priced on machine %s; %s: %s", m->name,
                       answer->refusal[0].way->name, answer->refusal[0].why);
    return ns_comparison_choose(m, NULL, request->selection, comparison, err);
}
