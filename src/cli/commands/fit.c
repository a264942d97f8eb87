/* fit.c -- measured logs in, a machine file out: every number with its error, its range and where it comes from */
#include "cli/inputs/fit.h"
#include "cli/front/places.h"
#include "cli/show/result.h"
#include "core/memory.h"

#include <string.h>

/* What is done with the logs; how they are read and fitted is in ns_fit_request. */
typedef struct request {
    const char *records, *check, *plot, *output;
    bool each;
    ns_fit_request logs;
} request;

static const ns_option options[] = {
    {"tool", 0, "TOOL", "auto", "the benchmark that printed the logs; auto finds it from the content"},
    {"kind", 0, "K", NULL,
     "for logs that do not tell: node-pong, maxrate, 3step, device-aware, in-order, reversed, contention...; "
     "FILE=K or FOLDER/=K speaks of a part",
     .repeats = true},
    {"per-node", 0, "G", NULL, "ranks per node: rank r is on node r / G"},
    {"sockets", 0, "S", "2",
     "sockets of a node, which its ranks fill in order; unsaid, the machine's file has 2 where messages were measured "
     "on "
     "a socket and between sockets, else 1"},
    {"rank-order", 0, "block|cyclic", "block", "whether ranks fill a node first, or take the nodes in turn"},
    {"round-trip", 0, "full|half", NULL, "times are of a round trip, or of half one: for logs that do not tell"},
    {"locality", 0, "L", NULL,
     "on-socket, on-node or off-node: what the logs measured; FILE=L or FOLDER/=L speaks of a part", .repeats = true},
    {"memory", 0, "M", NULL, "host or device: what the logs measured; FILE=M or FOLDER/=M of a part", .repeats = true},
    {"statistic", 0, "median|min|all", "median", "of the repeats of a size: one statistic, or every sample"},
    {"weights", 0, "relative|none", "relative", "relative residuals, robust; or plain least squares in seconds"},
    {"switch", 0, "LIST", NULL,
     "first sizes of the second and third protocol, as 500,8000; 0 for none [found in the data]"},
    {"name", 0, "NAME", NULL, "name of the machine [that of -o's file]"},
    {"title", 0, "TEXT", NULL, "what the machine is, for its file"},
    {"cite", 0, "TEXT", NULL, "where the logs come from, for its file"},
    {"gpus", 0, "N", NULL, "GPUs of a node, for the machine's file [--per-node where there is device data]"},
    {"processes", 0, "N", NULL, "host processes of a node, for the machine's file [the most that were active]"},
    {"records", 0, "FILE", NULL,
     "measured exchanges, rows of CSV or wisdom, that calibrate the error, the choice and, with GPUs, the floor",
     NS_OPT(request, records)},
    {"no-residual", 0, NULL, NULL, "--records gives widths and floors only, and moves no prediction beyond them"},
    {"where", 0, "COLUMN=VALUE", NULL, "of --records, only these rows; may be repeated", .repeats = true},
    {"max-memory", 0, "SIZE", NULL,
     "leave out dense exchanges of --records that need more memory [half of what the machine, cgroups and ulimit -v "
     "allow]"},
    {"max-work", 0, "N", "4e6", "leave out dense exchanges of --records of more than N messages"},
    {"check", 0, "MACHINE", NULL, "fit nothing: score this machine against the logs and say whether it is stale",
     NS_OPT(request, check)},
    {"each", 0, NULL, NULL, "every log by itself: a row with its held-out errors, or why it is refused",
     NS_OPT(request, each)},
    {"keep-going", 0, NULL, NULL, "a log that is refused is a warning, as long as another one is good"},
    {"plot", 0, "[FILE]", NULL,
     "data, fitted segments, switch points and residuals as .svg, .png, .pdf or .gp; without FILE as text",
     NS_OPT(request, plot)},
    {NULL},
};

/* -o writes the machine; only a table's endings stand for the answer. */
static bool is_machine_file(const char *path)
{
    static const char *const tables[] = {".csv", ".txt", ".md", ".nsp"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof tables / sizeof *tables; i++)
        if (strcmp(ending, tables[i]) == 0)
            return false;
    return true;
}

/* The file has to be one that every other command accepts; what it lacks is said. */
static ns_status prove(const ns_value *root, const char *path, FILE *words, ns_error *err)
{
    ns_machine *machine;
    ns_machine_check *check;
    NS_TRY(ns_fit_machine_of(root, &machine, err));
    const ns_status status = ns_machine_check_make(machine, &check, err);
    if (status == NS_OK) {
        const size_t assumed = check->count[NS_STANDING_ASSUMED], missing = check->count[NS_STANDING_MISSING];
        if (assumed + missing > 0)
            fprintf(
                words,
                "nsmodel: note: of what predictions use, %s has %zu measured, %zu assumed and %zu missing: `nsmodel "
                "machines %s --check` says what measures them\n",
                path, check->count[NS_STANDING_MEASURED] + check->count[NS_STANDING_CALIBRATED], assumed, missing,
                path);
        ns_machine_check_free(check);
    }
    ns_machine_free(machine);
    return status;
}

static ns_status save_machine(const ns_args *args, const request *r, const ns_fit *fit, const ns_log *log, FILE *words,
                              ns_error *err)
{
    if (r->output == NULL)
        return r->records == NULL
                   ? NS_OK
                   : ns_fail(err, NS_ERR_USAGE, "--records calibrates a machine's file: it wants -o FILE.json");
    /* a file without a number of the machine's would only look like one */
    bool any = fit->copies > 0 || fit->gamma.given || fit->delta.given || fit->loggp[NS_LOGGP_L].given;
    for (size_t g = 0; g < fit->groups; g++)
        any = any || fit->group[g].in_machine;
    for (int m = 0; m < NS_MEMORIES; m++)
        any = any || fit->injection[m].given;
    if (!any)
        return ns_fail(err, NS_ERR_DATA,
                       "the logs hold %s: nothing that a machine file could say; wanted a ping-pong, such as: mpirun "
                       "-np 2 --map-by ppr:1:node osu_latency > off-node.log",
                       fit->collectives > 0 ? "collectives only" : "no two sizes of any kind of message");
    ns_value *root = ns_value_new();
    ns_status status = root != NULL ? ns_fit_machine(fit, log, root, err) : ns_no_memory(err);
    if (status == NS_OK && r->records != NULL)
        status = ns_fit_calibrate(args, fit->options.floor, root, err);
    if (status == NS_OK)
        status = prove(root, r->output, words, err);
    if (status == NS_OK)
        status = ns_save_json(root, r->output, err);
    ns_value_free(root);
    return status;
}

static ns_status fit_logs(const ns_args *args, const request *r, const ns_log *log, ns_value *result,
                          ns_command_context *context, ns_error *err)
{
    ns_fit *fit;
    ns_fit_options fitting = r->logs.fitting;
    NS_TRY(ns_fit_floors(args, fitting.floor, err));
    NS_TRY(ns_fit_log(log, &fitting, &fit, err));
    ns_status status = ns_fit_report(fit, log, result, err);
    if (status == NS_OK)
        status = save_machine(args, r, fit, log, context->err, err);
    if (status == NS_OK && r->plot != NULL)
        status = ns_fit_plot(fit, r->plot, result, err);
    if (status == NS_OK)
        ns_fit_say_warnings(fit, log, context->err);
    ns_fit_free(fit);
    return status;
}

static ns_status check_machine(const ns_args *args, const request *r, const ns_log *log, ns_value *result,
                               ns_command_context *context, ns_error *err)
{
    ns_machine *machine;
    ns_fit_score *score;
    size_t scores;
    /* what only a fit has a use for */
    static const char *const fitting[] = {"output", "plot",  "switch",    "weights", "name",       "title",    "cite",
                                          "gpus",   "where", "processes", "records", "max-memory", "max-work", NULL};
    for (int i = 0; fitting[i] != NULL; i++)
        if (ns_args_has(args, fitting[i]))
            return ns_fail(err, NS_ERR_USAGE, "--check fits no machine: there is nothing for --%s", fitting[i]);
    NS_TRY(ns_machine_find(r->check, &machine, err));
    ns_status status = ns_fit_check(machine, log, r->logs.fitting.statistic, &score, &scores, err);
    if (status == NS_OK) {
        ns_fit_report_check(machine, log, score, scores, result);
        ns_fit_say_warnings(NULL, log, context->err);
        ns_free(score);
    }
    ns_machine_free(machine);
    return status;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    ns_log *log;
    NS_TRY(ns_args_read(args, &r, err));
    NS_TRY(ns_fit_request_parse(args, &r.logs, err));
    r.output = ns_args_get(args, "output");
    if (r.each && (r.check != NULL || r.plot != NULL || (r.output != NULL && is_machine_file(r.output))))
        return ns_fail(err, NS_ERR_USAGE,
                       "--each makes no machine: there is nothing for --check, --plot or -o but a .csv, .txt or .md");
    if (r.each)
        return ns_fit_each(args, &r.logs, result, context, err);
    NS_TRY(ns_fit_read(args, &r.logs, &log, err));
    const ns_status status = r.check != NULL ? check_machine(args, &r, log, result, context, err)
                                             : fit_logs(args, &r, log, result, context, err);
    ns_log_free(log);
    return status;
}

const ns_command ns_command_fit = {
    .name = "fit",
    .summary = "a machine file from ping-pong logs",
    .usage = "LOG... [-o machine.json]",
    .options = options,
    .example = "nsmodel fit osu_latency.log --locality off-node -o mycluster.json",
    .about = "Reads what ping-pong, node-pong and injection benchmarks print, finds the protocol switches, fits "
             "start-up time and time per\n"
             "byte with their errors, and writes a machine file that every other command takes. Errors are held-out.",
    .least = 1,
    .needs = "at least one log file",
    .most = NS_ARGS_MAX,
    .rank = 6,
    .owns_output = is_machine_file,
    .run = run,
};
