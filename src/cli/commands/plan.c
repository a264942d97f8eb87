/* plan.c -- the planner judged on measured exchanges */
#include "cli/front/command.h"
#include "cli/show/draw.h"
#include "core/memory.h"
#include "plan/replay.h"
#include "price/decision.h"

#include <math.h>
#include <string.h>

static const ns_option options[] = {
    {"replay", 0, "FILE", NULL, "measured exchanges with predictions (JSON)", false},
    {"calls", 0, "LIST", "10,30,100,1000,10000", "after how many calls the rules are judged", false},
    {"known", 0, NULL, NULL, "the plan knows the number of calls", false},
    {"flat", 0, NULL, NULL,
     "as if no exchange of this machine had ever been measured: doubtful predictions, and the "
     "incumbent goes first",
     false},
    {"kappa", 0, "K", NULL, "inverse scale of the predictions' error [of the machine that the set is named after; 1.5]",
     false},
    {"agreement", 0, "TIME", "0 s", "what an agreement of two processes costs; of P, log2(P) times that", false},
    {"cold", 0, "FACTOR", "1", "by which a way's first call is slower", false},
    {"wisdom", 0, NULL, NULL, "also: 20 exchanges in random order, each with what those before it showed", false},
    {"repeats", 0, "R", "10", "replays of each exchange, each with other noise", false},
    {"seed", 0, "S", "1", "of the noise: the same seed, the same answer", false},
    NS_OPTION_PLOT,
    {NULL, 0, NULL, NULL, NULL, false},
};

/* A set is named after a machine where one of its words, between _ and -, begins a shipped machine's name:
 * lassen_comm after lassen-spectrum.  The smallest kappa of its memories. */
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
        ns_machine *machine;
        double least = INFINITY;
        NS_TRY(ns_machine_load(*name, &machine, err));
        for (int memory = 0; memory < 2; memory++) {
            double value;
            ns_dim dim;
            if (ns_machine_number(machine, memory == 0 ? "host.choice.kappa" : "device.choice.kappa", &value, &dim,
                                  NULL))
                least = fmin(least, value);
        }
        ns_machine_free(machine);
        if (isfinite(least)) {
            *kappa = least;
            *from = *name;
            return NS_OK;
        }
    }
    return NS_OK;
}

typedef struct request {
    ns_replay_options replay;
    bool wisdom, own_kappa;
} request;

static ns_status read_number(const ns_args *args, const char *name, const char *unit, double least, double *value,
                             ns_error *err)
{
    NS_TRY(ns_quantity_parse_as(ns_args_get(args, name), name, unit, value, err));
    if (*value < least)
        return ns_fail(err, NS_ERR_RANGE, "--%s wants at least %g, got %s", name, least, ns_args_get(args, name));
    return NS_OK;
}

static ns_status read_request(const ns_args *args, request *r, int32_t **calls, ns_error *err)
{
    int32_t seed, repeats;
    size_t count;
    if (ns_args_get(args, "replay") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "plan wants --replay FILE: measured exchanges with predictions");
    *r = (request){.wisdom = ns_args_has(args, "wisdom"), .own_kappa = ns_args_has(args, "kappa")};
    r->replay.foreign = ns_args_has(args, "flat");
    r->replay.known = ns_args_has(args, "known");
    NS_TRY(ns_args_count(args, "seed", 0, INT32_MAX, &seed, err));
    NS_TRY(ns_args_count(args, "repeats", 1, 10000, &repeats, err));
    NS_TRY(read_number(args, "agreement", "s", 0, &r->replay.agreement_s, err));
    NS_TRY(read_number(args, "cold", "1", 1, &r->replay.cold, err));
    if (r->own_kappa)
        NS_TRY(read_number(args, "kappa", "1", 1e-3, &r->replay.kappa, err));
    NS_TRY(ns_args_counts(args, "calls", 1, 1e8, calls, &count, err));
    r->replay.seed = (uint64_t)seed;
    r->replay.repeats = repeats;
    r->replay.calls = *calls;
    r->replay.lengths = (int)count;
    bool ascending = count <= NS_REPLAY_LENGTHS;
    for (size_t i = 1; i < count; i++)
        ascending = ascending && (*calls)[i] > (*calls)[i - 1];
    if (!ascending)
        return ns_fail(err, NS_ERR_RANGE, "--calls wants up to %d ascending numbers, got %s", NS_REPLAY_LENGTHS,
                       ns_args_get(args, "calls"));
    return NS_OK;
}

static void show(const ns_replay_set *set, ns_replay_rule rule, const request *r, const char *from,
                 const ns_replay_cell *cells, ns_value *rows)
{
    for (int i = 0; i < r->replay.lengths; i++) {
        const ns_replay_cell *cell = &cells[i];
        ns_value *row = ns_value_object(rows, NULL);
        ns_value_text(row, "set", set->name);
        ns_value_text(row, "rule", ns_replay_rule_names[rule]);
        ns_value_count(row, "calls", r->replay.calls[i]);
        ns_value_count(row, "mean", cell->mean);
        ns_value_count(row, "q95", cell->q95);
        ns_value_flag(ns_value_count(row, "se", cell->se), NS_V_NO_TABLE);
        ns_value_count(row, "agreements", cell->agreements);
        if (r->replay.agreement_s > 0)
            ns_value_count(row, "with_agreements", cell->agreed);
        ns_value_count(row, "broken", cell->broken);
        ns_value_flag(ns_value_count(row, "kappa", r->replay.kappa), NS_V_WIDE);
        ns_value_flag(ns_value_text(row, "kappa_of", from), NS_V_WIDE);
    }
}

/* A set's lines: excess against calls, one a rule. */
typedef struct drawn {
    double calls[NS_REPLAY_LENGTHS], mean[NS_REPLAY_RULES][NS_REPLAY_LENGTHS];
    ns_series line[NS_REPLAY_RULES];
} drawn;

static void draw_line(const request *r, ns_replay_rule rule, const ns_replay_cell *cells, drawn *d)
{
    for (int i = 0; i < r->replay.lengths; i++) {
        d->calls[i] = r->replay.calls[i];
        d->mean[rule][i] = cells[i].mean;
    }
    d->line[rule] = (ns_series){.label = ns_replay_rule_names[rule],
                                .colour = (int)rule,
                                .points = (size_t)r->replay.lengths,
                                .x = d->calls,
                                .y = d->mean[rule]};
}

static ns_status judge(const ns_replay_file *file, request *r, drawn *pictures, ns_value *result, ns_error *err)
{
    ns_value *rows = ns_value_flag(ns_value_list(result, "sets"), NS_V_ROWS);
    for (size_t i = 0; i < file->sets; i++) {
        const char *from = "--kappa";
        if (!r->own_kappa && !r->replay.foreign)
            NS_TRY(kappa_of(file->set[i].name, &r->replay.kappa, &from, err));
        else if (!r->own_kappa) {
            r->replay.kappa = NS_KAPPA_DEFAULT;
            from = "default";
        }
        for (int rule = 0; rule < (r->wisdom ? NS_REPLAY_RULES : NS_REPLAY_WISDOM); rule++) {
            ns_replay_cell cells[NS_REPLAY_LENGTHS];
            NS_TRY(ns_replay(&file->set[i], (ns_replay_rule)rule, &r->replay, cells, err));
            show(&file->set[i], (ns_replay_rule)rule, r, from, cells, rows);
            draw_line(r, (ns_replay_rule)rule, cells, &pictures[i]);
        }
    }
    return NS_OK;
}

static ns_status draw(const ns_args *args, const ns_replay_file *file, const request *r, const drawn *pictures,
                      ns_value *result, ns_error *err)
{
    ns_chart *panel = ns_calloc(file->sets, sizeof *panel);
    if (panel == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < file->sets; i++)
        panel[i] = (ns_chart){.title = file->set[i].name,
                              .x_label = "calls",
                              .y_label = "excess over the fastest way [%]",
                              .log_x = true,
                              .log_y = true,
                              .series = r->wisdom ? NS_REPLAY_RULES : NS_REPLAY_WISDOM,
                              .of = pictures[i].line};
    const ns_status status = ns_draw(args, panel, file->sets, file->sets > 1 ? 2 : 1, result, err);
    ns_free(panel);
    return status;
}

static ns_status answer(const ns_args *args, const ns_replay_file *file, request *r, ns_value *result, ns_error *err)
{
    drawn *pictures = ns_calloc(file->sets, sizeof *pictures);
    if (pictures == NULL)
        return ns_no_memory(err);
    ns_value_flag(ns_value_text(result, "unit",
                                "mean and q95: excess over each exchange's fastest way, per cent, trials included; "
                                "broken: per cent of replays that cost more than promised"),
                  NS_V_NOTE);
    ns_status status = judge(file, r, pictures, result, err);
    if (status == NS_OK)
        status = draw(args, file, r, pictures, result, err);
    ns_free(pictures);
    return status;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    ns_replay_file file;
    int32_t *calls = NULL;
    (void)context;
    ns_status status = read_request(args, &r, &calls, err);
    if (status == NS_OK)
        status = ns_replay_read(ns_args_get(args, "replay"), &file, err);
    if (status == NS_OK) {
        status = answer(args, &file, &r, result, err);
        ns_replay_free(&file);
    }
    ns_free(calls);
    return status;
}

const ns_command ns_command_plan = {
    .name = "plan",
    .summary = "the planner judged on measured exchanges: excess over the fastest way after so many calls",
    .usage = "--replay FILE",
    .options = options,
    .example = "nsmodel plan --replay examples/cases.json --calls 10,100,1000",
    .about =
        "A program that performs an exchange again and again may learn which way is fastest (nsmodel/plan.h). Four "
        "rules "
        "are replayed on exchanges that were measured in several ways: planner; model, always the least predicted way; "
        "incumbent, always the way in use; all-once, every way once and then the fastest.\n"
        "The file is {\"set\": [{\"x\": [log2 of bytes, messages, processes], \"inc\": way, \"t\": {way: seconds}, "
        "\"p\": "
        "{way: predicted seconds}}]}. Times are told with noise: 5, 10 or 20 %, one call in a hundred takes 3 to 10 "
        "times "
        "as long, and all drift together by 10 %.\n",
    .rank = 8,
    .run = run,
};
