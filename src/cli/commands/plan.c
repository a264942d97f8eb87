/* plan.c -- the planner evaluated on measured exchanges */
#include "cli/front/command.h"
#include "cli/front/own.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "plan/replay.h"
#include "price/decision.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

typedef struct request {
    const char *file, *plot;
    ns_whole_numbers calls;
    int32_t repeats, seed;
    double kappa; /* NAN: the value of the set's machine */
    bool wisdom;
    ns_replay_options replay;
} request;

static const ns_option options[] = {
    {"replay", 0, "FILE", NULL, "measured exchanges with predictions (JSON)", NS_OPT(request, file)},
    {"calls", 0, "LIST", "10,30,100,1000,10000", "after how many calls the rules are judged", NS_OPT(request, calls),
     .least = 1, .most = 1e8},
    {"known", 0, NULL, NULL, "the plan knows the number of calls", NS_OPT(request, replay.known)},
    {"flat", 0, NULL, NULL,
     "as if no exchange of this machine had ever been measured: doubtful predictions, and the incumbent goes first",
     NS_OPT(request, replay.foreign)},
    {"kappa", 0, "K", NULL, "inverse scale of the predictions' error [of the machine that the set is named after; 1.5]",
     NS_OPT(request, kappa), .least = 1e-3},
    {"agreement", 0, "TIME", "0 s", "what an agreement of two processes costs; of P, log2(P) times that",
     NS_OPT(request, replay.agreement_s), .unit = "s", .most = INFINITY},
    {"cold", 0, "FACTOR", "1", "by which a way's first call is slower", NS_OPT(request, replay.cold), .least = 1},
    {"wisdom", 0, NULL, NULL, "also: 20 exchanges in random order, each with what those before it showed",
     NS_OPT(request, wisdom)},
    {"repeats", 0, "R", "10", "replays of each exchange, each with other noise", NS_OPT(request, repeats), .least = 1,
     .most = 10000},
    {"seed", 0, "S", "1", "of the noise: the same seed, the same answer", NS_OPT(request, seed), .most = INT32_MAX},
    NS_OPTION_PLOT_OF(request),
    {NULL},
};

/* A set belongs to a machine when one of the words of its name, between _ and -, is the beginning of a shipped
 * machine's name: lassen_comm belongs to lassen-spectrum.  The smallest kappa of its memories. */
static ns_status kappa_of(const char *set, double *kappa, const char **from, ns_error *err)
{
    *kappa = NS_KAPPA_DEFAULT;
    *from = "default";
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        const size_t length = strcspn(*name, "-");
        const char *word = set;
        while (strcspn(word, "_-") != length || strncmp(word, *name, length) != 0) {
            word += strcspn(word, "_-");
            if (*word == '\0')
                break;
            word++;
        }
        if (*word == '\0')
            continue;
        NS_OWN(ns_machine_free) ns_machine *machine = NULL;
        double least = INFINITY;
        NS_TRY(ns_machine_load(*name, &machine, err));
        for (int memory = 0; memory < 2; memory++) {
            double value;
            ns_dim dim;
            if (ns_machine_number(machine, memory == 0 ? "host.choice.kappa" : "device.choice.kappa", &value, &dim,
                                  NULL))
                least = fmin(least, value);
        }
        if (isfinite(least)) {
            *kappa = least;
            *from = *name;
            return NS_OK;
        }
    }
    return NS_OK;
}

/* One row of the result: a set by a rule after some calls. */
typedef struct judged {
    const char *set, *rule, *kappa_of;
    int32_t calls;
    double kappa, agreed; /* agreed: NAN where agreements cost nothing */
    ns_replay_cell cell;
} judged;

static const ns_table_column columns[] = {{"set", NS_COL(judged, set)},
                                          {"rule", NS_COL(judged, rule)},
                                          {"calls", NS_COL(judged, calls)},
                                          {"mean", NS_COL(judged, cell.mean)},
                                          {"q95", NS_COL(judged, cell.q95)},
                                          {"se", NS_COL(judged, cell.se), .shows = NS_IN_DATA},
                                          {"agreements", NS_COL(judged, cell.agreements)},
                                          {"with_agreements", NS_COL(judged, agreed), .shows = NS_OPTIONAL},
                                          {"broken", NS_COL(judged, cell.broken)},
                                          {"kappa", NS_COL(judged, kappa), .shows = NS_IN_WIDE},
                                          {"kappa_of", NS_COL(judged, kappa_of), .shows = NS_IN_WIDE},
                                          {NULL}};

/* A set's lines: excess against calls, one line per rule. */
typedef struct drawn {
    double calls[NS_REPLAY_LENGTHS], mean[NS_REPLAY_RULES][NS_REPLAY_LENGTHS];
    ns_series line[NS_REPLAY_RULES];
} drawn;

static void request_free(request *r)
{
    ns_free(r->calls.at);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_CLOSE(request_free) request r = {.wisdom = false};
    (void)context;
    NS_TRY(ns_args_read(args, &r, err));
    if (r.file == NULL)
        return ns_fail(err, NS_ERR_USAGE, "plan wants --replay FILE: measured exchanges with predictions");
    bool ascending = r.calls.count <= NS_REPLAY_LENGTHS;
    for (size_t i = 1; i < r.calls.count; i++)
        ascending = ascending && r.calls.at[i] > r.calls.at[i - 1];
    if (!ascending)
        return ns_fail(err, NS_ERR_RANGE, "--calls wants up to %d ascending numbers, got %s", NS_REPLAY_LENGTHS,
                       ns_args_get(args, "calls"));
    r.replay.seed = (uint64_t)r.seed;
    r.replay.repeats = r.repeats;
    r.replay.calls = r.calls.at;
    r.replay.lengths = (int)r.calls.count;
    NS_CLOSE(ns_replay_free) ns_replay_file file = {0};
    NS_TRY(ns_replay_read(r.file, &file, err));
    NS_OWN(ns_free) drawn *pictures = ns_calloc(file.sets, sizeof *pictures);
    NS_OWN(ns_free) ns_chart *panel = ns_calloc(file.sets, sizeof *panel);
    if (pictures == NULL || panel == NULL)
        return ns_no_memory(err);
    ns_sentence(result, "unit", NS_EVERYWHERE,
                "mean and q95: excess over each exchange's fastest way, per cent, trials included; "
                "broken: per cent of replays that cost more than promised");
    ns_value *rows = ns_put_rows(result, "sets", NS_EVERYWHERE);
    const bool own_kappa = !isnan(r.kappa);
    const int rules = r.wisdom ? NS_REPLAY_RULES : NS_REPLAY_WISDOM;
    for (size_t i = 0; i < file.sets; i++) {
        const char *from = own_kappa ? "--kappa" : "default";
        drawn *d = &pictures[i];
        r.replay.kappa = own_kappa ? r.kappa : NS_KAPPA_DEFAULT;
        if (!own_kappa && !r.replay.foreign)
            NS_TRY(kappa_of(file.set[i].name, &r.replay.kappa, &from, err));
        for (int rule = 0; rule < rules; rule++) {
            ns_replay_cell cells[NS_REPLAY_LENGTHS];
            NS_TRY(ns_replay(&file.set[i], (ns_replay_rule)rule, &r.replay, cells, err));
            for (int n = 0; n < r.replay.lengths; n++) {
                const judged row = {.set = file.set[i].name,
                                    .rule = ns_replay_rule_names[rule],
                                    .calls = r.replay.calls[n],
                                    .kappa = r.replay.kappa,
                                    .kappa_of = from,
                                    .agreed = r.replay.agreement_s > 0 ? cells[n].agreed : (double)NAN,
                                    .cell = cells[n]};
                ns_put_row(rows, columns, &row);
                d->calls[n] = row.calls;
                d->mean[rule][n] = cells[n].mean;
            }
            d->line[rule] = (ns_series){.label = ns_replay_rule_names[rule],
                                        .colour = rule,
                                        .points = (size_t)r.replay.lengths,
                                        .x = d->calls,
                                        .y = d->mean[rule]};
        }
        panel[i] = (ns_chart){.title = file.set[i].name,
                              .x_label = "calls",
                              .y_label = "excess over the fastest way [%]",
                              .log_x = true,
                              .log_y = true,
                              .series = (size_t)rules,
                              .of = d->line};
    }
    return ns_draw(r.plot, panel, file.sets, file.sets > 1 ? 2 : 1, result, err);
}

const ns_command ns_command_plan = {
    .name = "plan",
    .summary = "the planner judged on measured exchanges: excess over the fastest way after so many calls",
    .usage = "--replay FILE",
    .options = options,
    .example = "nsmodel plan --replay examples/cases.json --calls 10,100,1000",
    .about =
        "A program that performs an exchange again and again may learn which way is fastest (nsmodel/plan.h). Four "
        "rules are replayed on exchanges that were measured in several ways: planner; model, always the least "
        "predicted way; incumbent, always the way in use; all-once, every way once and then the fastest.\n"
        "The file is {\"set\": [{\"x\": [log2 of bytes, messages, processes], \"inc\": way, \"t\": {way: seconds}, "
        "\"p\": {way: predicted seconds}}]}. Times are told with noise: 5, 10 or 20 %, one call in a hundred takes 3 "
        "to 10 times as long, and all drift together by 10 %.\n",
    .rank = 8,
    .run = run,
};
