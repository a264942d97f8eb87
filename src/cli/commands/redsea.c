/* redsea.c -- RED-SEA's systems [RS] compared with the ways that do without them */
#include "cli/show/paper_scenario.h"

#include <stddef.h>

static const ns_option options[] = {NS_OPTIONS_SCENARIO("bxi")};

static const ns_paper_scenario scenarios[] = {
    {.name = "rails",
     .title = "one message over several rails",
     .over = "s=256KiB:64MiB:x4",
     .way = {{"one-rail", "multirail", "B=10GB/s", "time", NULL},
             {"two-rails", "multirail", "B=10GB/s,10GB/s", "time", NULL},
             {"four-rails", "multirail", "B=10GB/s,10GB/s,10GB/s,10GB/s", "time", NULL},
             {"rendezvous-each", "multirail", "B=10GB/s,10GB/s,10GB/s,10GB/s design=rendezvous-per-fragment", "time",
              NULL}}},
    {.name = "rendezvous",
     .title = "a message that finds its receive posted late",
     .over = "s=1KiB:1MiB:x4",
     .defaults = "n_c=2",
     .way = {{"eager", "rendezvous", "protocol=eager", "time", NULL},
             {"rendezvous", "rendezvous", "protocol=rendezvous", "time", NULL}}},
    {.name = "rma",
     .title = "a put and its synchronisation by the network interface",
     .over = "s=8B:1KiB:x2",
     .defaults = "alpha=10us beta=1ns/B operations=1",
     .way = {{"two-sided", "rma", "operation=put", "two_sided", NULL}, {"put", "rma", "operation=put", "time", NULL}}},
    {.name = "allreduce",
     .title = "allreduce without the hosts between its rounds",
     .over = "s=8B:64KiB:x4",
     .defaults = "hosts=128",
     .machine = "sharp-switchib2", /* the machine on which the hosts' own allreduce was measured */
     .way = {{"by-hosts", "host-allreduce", NULL, "time", NULL},
             {"triggered", "triggered-allreduce", NULL, "time", "bxi"},
             {"in-handlers", "spin-allreduce", NULL, "time", "fpspin"}}},
    {.name = "handlers",
     .title = "packets that wait for handler units",
     .over = "rate=0.02/us:0.09/us:+0.01/us",
     .defaults = "t_handler=160us",
     .machine = "fpspin",
     .way = {{"two-units", "spin-contention", "H=2", "time", NULL},
             {"locked", "spin-contention", "serial=1", "time", NULL},
             {"all-units", "spin-contention", NULL, "time", NULL}}},
    {.name = "congestion",
     .title = "a message beside senders into one link",
     .over = "senders=1,2,4,8,16,32",
     .defaults = "s=1MiB hot=1MiB",
     .way = {{"unmanaged", "congestion", NULL, "time", NULL},
             {"throttled", "congestion", "management=throttle", "time", NULL}}},
    {.name = "gateway",
     .title = "a message through a gateway",
     .over = "s=64KiB:16MiB:x4",
     .defaults = "f=64KiB",
     .way = {{"store-and-forward", "bridge", "mode=store-and-forward", "time", NULL},
             {"one-buffer", "bridge", "buffers=1", "time", NULL},
             {"two-buffers", "bridge", "buffers=2", "time", NULL},
             {"enough-buffers", "bridge", NULL, "time", NULL},
             /* 14 + 4 B of Ethernet, 20 of IP, 8 of UDP, 10 of SLMP, and a gap of 20 between packets */
             {"to-ethernet", "bridge", "mtu=1538B header=76B", "time", NULL}}},
    {.name = NULL},
};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_scenario_request request;
    NS_TRY(ns_args_read(args, &request, err));
    return ns_paper_scenario_answer(scenarios, args, &request, result, context, err);
}

const ns_command ns_command_redsea = {
    .name = "redsea",
    .summary = "rails, one-sided operations, offloaded collectives, congestion, gateways (RED-SEA)",
    .usage = "[rails|rendezvous|rma|allreduce|handlers|congestion|gateway] [NAME=VALUE...]",
    .options = options,
    .example = "nsmodel redsea rails",
    .about =
        "rails: a long message striped over network interfaces, with one rendezvous or one for each fragment; "
        "rendezvous: against eager copies; rma: a put by the network interface against two-sided messages; allreduce: "
        "by triggered operations and by packet handlers against the hosts; handlers: packets that share handler units; "
        "congestion: many senders into one link; gateway: from one fabric to another. Inputs are those of the models "
        "multirail, rendezvous, rma, triggered-allreduce, spin-allreduce, spin-contention, congestion and bridge "
        "(`nsmodel models NAME`).",
    .most = NS_ARGS_MAX,
    .rank = 4,
    .run = run,
};
