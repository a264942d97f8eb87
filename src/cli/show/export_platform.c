/* export_platform.c -- the numbers of a SimGrid platform, from those of a machine
 *
 * A message of s bytes costs alpha + beta s by its locality and protocol.  On the platform
 *
 *     alpha                  is split between sender, receiver and network: ns_start_ups
 *     fastest s              passes over links; fastest is the smallest beta of the locality's protocols
 *     (beta - fastest) s     is the processors' time, half at either end, as it is they who copy such messages
 *
 * so that all bytes of a node share one link at the rate that the form full has for them, whatever their protocol.
 */
#include "cli/show/export.h"

#include "machine/form.h"

#include <math.h>
#include <string.h>

const ns_start_up ns_start_ups[NS_START_UPS] = {
    {"network", 0, 0, 1},
    {"sender", 1, 0, 0},
    {"ends", 0.5, 0.5, 0},
    {"thirds", 1.0 / 3, 1.0 / 3, 1.0 / 3},
};
const char *const ns_start_up_words[] = {"network", "sender", "ends", "thirds", NULL};

/* Off node the rate of bytes out of and into the node; inside it that of its memory, for the longest messages.  A
 * process alone is never slower than its line. */
static void take_rates(ns_platform *platform)
{
    const ns_form *form = NULL;
    ns_form_values values;
    if (ns_form_get("full", &form, NULL) != NS_OK)
        return;
    ns_form_take(form, platform->machine, NS_HOST, 0, &values);
    const double shared = ns_form_number(&values, "<memory>.exchange.inverse_R", NS_OFF_NODE, NS_SHORT);
    platform->inverse_R[NS_OFF_NODE] =
        shared > 0 ? shared : ns_form_number(&values, "<memory>.injection.inverse_R_N", NS_OFF_NODE, NS_SHORT);
    for (int l = 0; l < NS_OFF_NODE; l++)
        platform->inverse_R[l] =
            ns_form_number(&values, "<memory>.exchange.<locality>.<protocol>.inverse_R", (ns_locality)l, NS_RENDEZVOUS);
    for (int l = 0; l < NS_LOCALITIES; l++)
        platform->inverse_R[l] = fmin(platform->inverse_R[l], platform->fastest[l]);
}

ns_status ns_platform_make(const ns_machine *machine, int nodes, int per_node, const ns_start_up *start_up,
                           ns_platform *platform, ns_error *err)
{
    ns_platform made = {.machine = machine, .nodes = nodes, .per_node = per_node, .start_up = start_up};
    made.sockets = machine->sockets > 0 ? machine->sockets : 1;
    made.detached = ns_machine_rendezvous_from(machine);
    for (int l = 0; l < NS_LOCALITIES; l++) {
        double fastest = INFINITY;
        for (int p = 0; p < NS_PROTOCOLS; p++)
            if (machine->line[NS_HOST][l][p].given)
                fastest = fmin(fastest, machine->line[NS_HOST][l][p].beta);
        made.fastest[l] = fastest;
        if (!(made.fastest[l] > 0 && made.fastest[l] < INFINITY))
            return ns_fail(err, NS_ERR_DATA,
                           "%s has no time per byte of messages %s in host memory, which a platform wants",
                           machine->name, ns_locality_words[l]);
    }
    take_rates(&made);
    *platform = made;
    return NS_OK;
}
