/* sharp.c -- collectives in the switches [SH] compared with the hosts' own */
#include "cli/show/paper_scenario.h"

#include <stddef.h>

static const ns_option options[] = {NS_OPTIONS_SCENARIO("sharp-switchib2")};

#define SWITCHES "sharp-switchib2" /* the machine from which missing constants are borrowed */
/* [SH] Section 3 measured HPC-X, which is Open MPI with Mellanox's collectives in addition to its own. */
#define MEASURED "algorithm=open-mpi"
static const ns_paper_scenario scenarios[] = {
    {.name = "allreduce",
     .title = "allreduce",
     .over = "s=8B:4KiB:x2",
     .defaults = "hosts=128",
     .way = {{"by-hosts", "host-allreduce", NULL, "time", SWITCHES, MEASURED},
             {"in-switches", "sharp", NULL, "time", SWITCHES},
             {"triggered", "triggered-allreduce", NULL, "time", "bxi"},
             {"in-handlers", "spin-allreduce", NULL, "time", "fpspin"}}},
    {.name = "large",
     .title = "allreduce of large messages (fitted up to 4 KiB; beyond it hosts send at the rate of their port)",
     .over = "s=4KiB:64MiB:x4",
     .defaults = "hosts=128",
     .way = {{"by-hosts", "host-allreduce", NULL, "time", SWITCHES},
             {"in-switches", "sharp", NULL, "time", SWITCHES},
             {"streaming", "sharp-streaming", NULL, "time", SWITCHES},
             {"triggered", "triggered-allreduce", NULL, "time", "bxi"}}},
    {.name = "barrier",
     .title = "barrier",
     .over = "hosts=2:1024:x2",
     .way = {{"by-hosts", "barrier", NULL, "by_hosts", SWITCHES}, {"in-switches", "barrier", NULL, "time", SWITCHES}}},
    {.name = "reduce",
     .title = "reduce (in the switches: an upper bound)",
     .over = "s=8B:4KiB:x2",
     .defaults = "hosts=128",
     .way = {{"by-hosts", "reduce", NULL, "by_hosts", SWITCHES}, {"in-switches", "reduce", NULL, "time", SWITCHES}}},
    {.name = "busy",
     .title = "allreduce while others use the same switches",
     .over = "communicators=1:16:x2",
     .defaults = "hosts=8 s=2KiB outstanding=8",
     .way = {{"by-hosts", "host-allreduce", NULL, "time", SWITCHES, MEASURED},
             {"in-switches", "sharp-concurrent", NULL, "time", SWITCHES}}},
    {.name = "application",
     .title = "a whole program, by the share of its time that an allreduce takes by the hosts",
     .over = "share=1%,2%,5%,10%,20%,50%",
     .defaults = "hosts=128 s=8B",
     .more = true,
     .way = {{"by-hosts", "sharp-crossover", "share=0", "application", SWITCHES},
             {"in-switches", "sharp-crossover", NULL, "application", SWITCHES}}},
    {.name = NULL},
};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_scenario_request request;
    NS_TRY(ns_args_read(args, &request, err));
    return ns_paper_scenario_answer(scenarios, args, &request, result, context, err);
}

const ns_command ns_command_sharp = {
    .name = "sharp",
    .summary = "collectives in the switches (SHARP) beside the hosts' own",
    .usage = "[allreduce|large|barrier|reduce|busy|application] [NAME=VALUE...]",
    .options = options,
    .example = "nsmodel sharp allreduce hosts=64 --over s=8B:4KiB:x8",
    .about =
        "allreduce, barrier and reduce by aggregation in the switches against the hosts, along sizes or hosts: "
        "allreduce and busy against what Open MPI takes unasked, as [SH] measured (algorithm=best: the best); large: "
        "with a streaming tree beside the segments of 256 B; busy: an operation among those of other communicators; "
        "application: how much faster a program gets that spends share of its time in allreduces of s bytes (the other "
        "way round, from a speedup observed to the share: `nsmodel eval sharp-crossover --machine sharp-switchib2 "
        "hosts=128 s=8B observed=1.018`). On a machine without SHARP its numbers come from sharp-switchib2. Inputs are "
        "those of the models sharp, host-allreduce, barrier, reduce and sharp-concurrent (`nsmodel models NAME`).",
    .most = NS_ARGS_MAX,
    .rank = 4,
    .run = run,
};
