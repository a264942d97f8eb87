/* netcrafter.c -- NetCrafter [NC] on the slow link between GPU clusters, mechanism by mechanism */
#include "cli/show/netcrafter_reads.h"
#include "cli/show/paper_scenario.h"
#include "core/value.h"
#include "report/columns.h"

#include <stddef.h>

static const ns_option options[] = {NS_OPTIONS_READS, NS_OPTIONS_SCENARIO("netcrafter")};

static const ns_paper_scenario scenarios[] = {
    {.name = "speedup",
     .title = "speedup between GPU clusters",
     .over = "load=0.3:0.9:+0.1",
     .defaults = "trimmed=0.5",
     .more = true,
     .way = {{"plain", "netcrafter", "matching=none walk_time=0 trimmed=0", "speedup", NULL},
             {"stitch", "netcrafter", "walk_time=0 trimmed=0", "speedup", NULL},
             {"+trim", "netcrafter", "walk_time=0", "speedup", NULL},
             {"+sequence", "netcrafter", NULL, "speedup", NULL}}},
    {.name = NULL},
};

/* Say why the last mechanism gains nothing, where it gains nothing anywhere. */
static void tell_of_sequencing(ns_value *result)
{
    const ns_value *rows = ns_value_get(result, "rows");
    for (const ns_value *row = rows != NULL ? rows->first : NULL; row != NULL; row = row->next) {
        const ns_value *trim = ns_value_get(row, "+trim"), *sequence = ns_value_get(row, "+sequence");
        if (trim == NULL || sequence == NULL || sequence->number > trim->number)
            return;
    }
    ns_sentence(result, "sequencing", NS_EVERYWHERE,
                "sequencing gains nothing here: it shortens page walks, which take walk_time of the "
                "time (0 where it is not given) and pass the link accesses times (1)");
}

static ns_status answer(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_TRY(ns_paper_scenario_answer(scenarios, args, result, context, err));
    tell_of_sequencing(result);
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_args with;
    ns_reads_text text;
    if (ns_args_get(args, "matrix") == NULL)
        return answer(args, result, context, err);
    NS_TRY(ns_netcrafter_reads(args, &with, &text, result, err));
    return answer(&with, result, context, err);
}

const ns_command ns_command_netcrafter = {
    .name = "netcrafter",
    .summary = "what NetCrafter gains on the slow link between GPU clusters",
    .usage = "[speedup] [NAME=VALUE...]",
    .options = options,
    .example = "nsmodel netcrafter trimmed=0.5",
    .about =
        "Stitching, trimming and sequencing one after the other, against the plain link. trimmed is the share of "
        "the reads that need no "
        "more than a sector: given, or with --matrix counted over the reads of a sparse matrix-vector product, a "
        "wavefront to a row, whose rows the clusters share. load what the link is offered, walk_time the share of "
        "the time in page walks, which "
        "sequencing shortens, and the gain is at most what the link, busy for load of the time, can bound; counts of "
        "packets (read_req, write_req, pt_req) stand for the mix; other inputs are those of the model netcrafter "
        "(`nsmodel models netcrafter`).",
    .most = NS_ARGS_MAX,
    .rank = 4,
    .run = run,
};
