/* netcrafter.c -- NetCrafter [NC] on the slow link between GPU clusters, mechanism by mechanism */
#include "cli/front/own.h"
#include "cli/show/paper_scenario.h"
#include "core/value.h"
#include "pattern/lines.h"
#include "report/columns.h"

#include <stddef.h>
#include <string.h>

static const char *const reuse_words[] = {"none", "all", NULL};

typedef struct request {
    ns_scenario_request scenario; /* has to be the first member */
    int32_t clusters, lanes;
    int reuse; /* index into reuse_words */
} request;

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"clusters", 0, "N", "2", "clusters of GPUs that share the rows of the matrix", NS_OPT(request, clusters),
     .least = 1, .most = NS_PARTS_MOST},
    {"lanes", 0, "N", "64", "lanes of a wavefront: entries of a row that are read together", NS_OPT(request, lanes),
     .least = 1, .most = 1 << 20},
    {"width", 0, "SIZE", "4B", "bytes of one value"},
    {"reuse", 0, "WHAT", "none", "what stays of a line from wavefront to wavefront: none, or all",
     NS_OPT(request, reuse), .words = reuse_words},
    NS_OPTION_PARTITION,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    NS_OPTIONS_SCENARIO("netcrafter"),
};

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

static ns_status answer(const ns_args *args, const request *r, ns_value *result, ns_command_context *context,
                        ns_error *err)
{
    NS_TRY(ns_paper_scenario_answer(scenarios, args, &r->scenario, result, context, err));
    /* explain why the last mechanism gains nothing, where it gains nothing anywhere */
    const ns_value *rows = ns_value_get(result, "rows");
    for (const ns_value *row = rows != NULL ? rows->first : NULL; row != NULL; row = row->next) {
        const ns_value *trim = ns_value_get(row, "+trim"), *sequence = ns_value_get(row, "+sequence");
        if (trim == NULL || sequence == NULL || sequence->number > trim->number)
            return NS_OK;
    }
    ns_sentence(
        result, "sequencing", NS_EVERYWHERE,
        "sequencing gains nothing here: it shortens page walks, which take walk_time of the time (0 where it is "
        "not given) and pass the link accesses times (1)");
    return NS_OK;
}

/* ---- --matrix: the share of the reads for which one sector would suffice ----------------------------------------- */

/* Add a word unless another word gives its input. */
static void give(ns_args *args, const char *word)
{
    for (int i = 0; i < args->words; i++)
        if (strncmp(args->word[i], word, strcspn(word, "=") + 1) == 0)
            return;
    args->word[args->words++] = word;
}

static const ns_table_column of_reads[] = {{"nonzeros", NS_COL(ns_line_counts, nonzeros)},
                                           {"remote", NS_COL(ns_line_counts, reads)},
                                           {"requests", NS_COL(ns_line_counts, requests)},
                                           {"one_sector", NS_COL(ns_line_counts, narrow)},
                                           {"lines", NS_COL(ns_line_counts, lines)},
                                           {"one_sector_lines", NS_COL(ns_line_counts, narrow_lines)},
                                           {"sectors_of_these", NS_COL(ns_line_counts, sectors)},
                                           {NULL}};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    NS_CLOSE(ns_inputs_close) ns_inputs inputs = {0};
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    ns_line_counts c;
    NS_TRY(ns_args_read(args, &r, err));
    if (args->matrix == NULL)
        return answer(args, &r, result, context, err);
    NS_TRY(ns_inputs_open(args, &inputs, err));
    if (inputs.parts > r.clusters)
        return ns_fail(err, NS_ERR_DATA, "the partition has %d parts, --clusters says %d", (int)inputs.parts,
                       (int)r.clusters);
    NS_TRY(ns_machine_only(args, &machine, err));
    ns_line_rule rule = {.value = inputs.width,
                         .part = inputs.part,
                         .max_memory = inputs.limits.max_memory,
                         .clusters = r.clusters,
                         .lanes = r.lanes};
    const struct {
        const char *path;
        int64_t *bytes;
    } number[] = {{"models.flits.line", &rule.line}, {"models.trim.sector", &rule.sector}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        double value;
        if (!ns_machine_number(machine, number[i].path, &value, NULL, NULL))
            return ns_fail(err, NS_ERR_DATA, "machine %s has no %s", machine->name, number[i].path);
        *number[i].bytes = (int64_t)value;
    }
    NS_TRY(ns_lines_count(inputs.matrix, &rule, &c, err));
    inputs.nonzeros = c.nonzeros;
    ns_inputs_describe(&inputs, result);
    /* The share of the requests for which one sector would suffice, and the sectors of their lines that are eventually
     * needed. */
    const bool none = r.reuse == 0;
    const double requests = (double)(none ? c.requests : c.lines), narrow = (double)(none ? c.narrow : c.narrow_lines);
    char trimmed[64], sigma[64], text[64];
    ns_args with = *args;
    ns_value *object = ns_put_object(result, "reads", NS_IN_JSON);
    ns_put_columns(object, of_reads, &c);
    ns_value *by = ns_value_list(object, "requests_by_sectors");
    for (int64_t s = 0; s < rule.line / rule.sector; s++)
        ns_value_count(by, NULL, (double)c.by_sectors[s]);
    if (requests == 0)
        return ns_fail(err, NS_ERR_DATA, "no cluster reads a value of another one: there is nothing to trim");
    ns_sentence(result, "read", NS_NOT_IN_JSON,
                "%.0f of %.0f reads of lines of other clusters need one sector (%.3g %%)%s", narrow, requests,
                100 * narrow / requests, none ? ", when no line stays" : ", when every line stays");
    if (with.words + 2 > NS_ARGS_MAX)
        return ns_fail(err, NS_ERR_USAGE, "too many words");
    snprintf(trimmed, sizeof trimmed, "trimmed=%s", ns_double_format(narrow / requests, text, sizeof text));
    give(&with, trimmed);
    snprintf(sigma, sizeof sigma, "sigma=%s",
             ns_double_format(none || narrow == 0 ? 1 : (double)c.sectors / narrow, text, sizeof text));
    give(&with, sigma);
    return answer(&with, &r, result, context, err);
}

const ns_command ns_command_netcrafter = {
    .name = "netcrafter",
    .summary = "what NetCrafter gains on the slow link between GPU clusters",
    .usage = "[speedup] [NAME=VALUE...]",
    .options = options,
    .example = "nsmodel netcrafter trimmed=0.5",
    .about =
        "Stitching, trimming and sequencing one after the other, against the plain link. trimmed is the share of the "
        "reads that need no more than a sector: given, or with --matrix counted over the reads of a sparse "
        "matrix-vector product, a wavefront to a row, whose rows the clusters share. load what the link is offered, "
        "walk_time the share of the time in page walks, which sequencing shortens, and the gain is at most what the "
        "link, busy for load of the time, can bound; counts of packets (read_req, write_req, pt_req) stand for the "
        "mix; other inputs are those of the model netcrafter (`nsmodel models netcrafter`).",
    .most = NS_ARGS_MAX,
    .rank = 4,
    .run = run,
};
