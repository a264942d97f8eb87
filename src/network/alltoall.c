/* alltoall.c -- one alltoall by the algorithms of libraries: the load of one process, which is the same for all */
#include "core/refuse.h"
#include "network/network.h"
#include "price/price.h"

#include <string.h>

const char *const ns_alltoall_words[] = {"linear", "pairwise", "modified-bruck", NULL};

/* Ranks fill nodes, and within a node its sockets. */
static ns_status load_of(const ns_machine *machine, int32_t ranks, int32_t per_node, double bytes, ns_load *load,
                         ns_error *err)
{
    const int32_t here = per_node < ranks ? per_node : ranks, sockets = machine->sockets > 0 ? machine->sockets : 1,
                  socket = (here + sockets - 1) / sockets, off = ranks - here;
    const double messages[NS_LOCALITIES] = {
        [NS_ON_SOCKET] = socket - 1, [NS_ON_NODE] = here - socket, [NS_OFF_NODE] = off};
    memset(load, 0, sizeof *load);
    for (int l = 0; l < NS_LOCALITIES; l++) {
        ns_protocol p = NS_SHORT;
        if (messages[l] <= 0)
            continue;
        if (ns_machine_line(machine, NS_HOST, (ns_locality)l, bytes, &p) == NULL)
            return ns_refuse_no_table(machine, NS_HOST, (ns_locality)l, err);
        load->out[l][p] = load->in[l][p] = (ns_class_load){messages[l], messages[l] * bytes};
        if (l != NS_OFF_NODE)
            load->node_on[l][p] = here * load->out[l][p].bytes;
    }
    load->node_out = load->node_in = (double)here * off * bytes;
    load->out_squares = load->in_squares = (double)(ranks - 1) * (ranks - 1);
    load->partners = (ranks + here - 1) / here - 1;
    load->alone = here == 1;
    load->first = 1;
    ns_load_complete(false, load);
    return NS_OK;
}

ns_status ns_alltoall_times(const ns_machine *machine, int32_t ranks, int32_t per_node, double bytes,
                            double seconds[NS_ALLTOALLS], ns_error *err)
{
    const bool shared = per_node > 1 && ranks > per_node; /* as for any dense exchange */
    const ns_form *linear = shared ? ns_form_of_dense(machine) : ns_form_of(machine, NULL),
                  *form[NS_ALLTOALLS] = {linear, linear, NULL};
    ns_load load;
    NS_TRY(load_of(machine, ranks, per_node, bytes, &load, err));
    if (strcmp(linear->name, "direct") == 0)
        NS_TRY(ns_form_get("pairwise", &form[NS_PAIRWISE], err));
    NS_TRY(ns_form_get("bruck", &form[NS_MODIFIED_BRUCK], err));
    for (int i = 0; i < NS_ALLTOALLS; i++) {
        ns_form_values values;
        ns_step_price step = {.process = 0};
        unsigned without = 0;
        /* rounds of pairs have one message in flight; a cost model without its own form for rounds prices them as
         * such */
        for (int p = 0; i != NS_LINEAR && form[i]->parts != NULL && form[i]->parts[p].name != NULL; p++)
            without |= (unsigned)(strcmp(form[i]->parts[p].name, "stall") == 0) << p;
        ns_form_take(form[i], machine, NS_HOST, without, &values);
        form[i]->price(&values, &load, true, &step);
        if (form[i]->finish != NULL)
            form[i]->finish(&values, &step, 1, 0);
        seconds[i] = ns_step_price_seconds(&step);
    }
    return NS_OK;
}
