/* redsea.c -- RED-SEA's systems [RS] beside the ways that do without them */
#include "cli/show/door.h"

#include <stddef.h>

static const ns_option options[] = {NS_OPTIONS_DOOR("bxi")};

static const ns_scene scenes[] = {
    {.name = "rails",
     .title = "one message over several rails",
     .over = "s=256KiB:64MiB:x4",
     .way = {{"one-rail", "multirail", "B=10GB/s", "time"},
             {"two-rails", "multirail", "B=10GB/s,10GB/s", "time"},
             {"four-rails", "multirail", "B=10GB/s,10GB/s,10GB/s,10GB/s", "time"}}},
    {.name = "rendezvous",
     .title = "a message that finds its receive posted late",
     .over = "s=1KiB:1MiB:x4",
     .defaults = "n_c=2",
     .way = {{"eager", "rendezvous", "protocol=eager", "time"},
             {"rendezvous", "rendezvous", "protocol=rendezvous", "time"}}},
    {.name = "rma",
     .title = "a put and its synchronisation by the network interface",
     .over = "s=8B:1KiB:x2",
     .defaults = "alpha=10us beta=1ns/B operations=1",
     .way = {{"two-sided", "rma", "operation=put", "two_sided"}, {"put", "rma", "operation=put", "time"}}},
    {.name = NULL},
};
static const ns_door door = {scenes};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    return ns_door_answer(&door, args, result, context, err);
}

const ns_command ns_command_redsea = {
    .name = "redsea",
    .summary = "rails, rendezvous and one-sided operations (RED-SEA) beside plain messages",
    .usage = "[rails|rendezvous|rma] [NAME=VALUE...]",
    .options = options,
    .example = "nsmodel redsea rails",
    .about =
        "rails: a long message striped over network interfaces; rendezvous: against eager copies; rma: a put by the "
        "network interface against "
        "two-sided messages. Inputs are those of the models multirail, rendezvous and rma (`nsmodel models NAME`).",
    .most = NS_ARGS_MAX,
    .rank = 4,
    .run = run,
};
