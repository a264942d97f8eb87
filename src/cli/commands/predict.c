/* predict.c -- the main job: which strategy moves this exchange fastest on this machine, by how much, and why */
#include "cli/show/draw.h"
#include "cli/inputs/exchange.h"
#include "cli/show/decision.h"
#include "cli/show/predict.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    {"exchange", 0, "FILE.csv", NULL, "statistics of whole exchanges instead, one a row, as measured ones have them",
     false},
    NS_OPTION_MACHINE,
    NS_OPTION_GPUS,
    NS_OPTION_PARTS,
    NS_OPTION_PER_NODE,
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_STRATEGY,
    NS_OPTION_TRANSPORT,
    NS_OPTION_INCUMBENT,
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    NS_OPTION_EXPLAIN,
    NS_OPTION_PLOT,
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL, 0, NULL, NULL, NULL, false},
};

enum { CASES_MOST = 4096 };

typedef struct prediction {
    const ns_args *args;
    ns_inputs inputs;
    ns_machine **machine;
    size_t machines;
    const ns_strategy *wanted[NS_CHOICES];
    ns_selection selection;
    ns_layout *layout;       /* [cases] */
    ns_case *cases;
    ns_comparison *comparison;
    size_t count;
} prediction;

/* ---- the command line -------------------------------------------------------------------------------------------- */

/* Call with each comma-separated word of an option. */
static ns_status each_word(const char *list, ns_status (*take)(prediction *, const char *, ns_error *), prediction *p,
                           ns_error *err)
{
    while (list != NULL) {
        char word[64];
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), list);
        NS_TRY(take(p, word, err));
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return NS_OK;
}

static ns_status take_strategy(prediction *p, const char *word, ns_error *err)
{
    if (p->selection.strategies == NS_CHOICES)
        return ns_fail(err, NS_ERR_LIMIT, "too many strategies");
    p->selection.strategy = p->wanted;
    return ns_strategy_get(word, &p->wanted[p->selection.strategies++], err);
}

static ns_status take_transport(prediction *p, const char *word, ns_error *err)
{
    ns_transport transport;
    NS_TRY(ns_transport_get(word, &transport, err));
    p->selection.transports |= 1u << transport;
    return NS_OK;
}

static int32_t own_per_node(const ns_machine *machine)
{
    return machine->gpus > 0 ? machine->gpus : machine->host_processes;
}

/* The numbers of parts asked for; a partition or messages fix them unless more parts are asked for. */
static ns_status choose_parts(const prediction *p, int32_t **parts, size_t *count, ns_error *err)
{
    const char *option = ns_args_has(p->args, "parts") ? "parts" : "gpus";
    if (ns_args_has(p->args, "parts") && ns_args_has(p->args, "gpus"))
        return ns_fail(err, NS_ERR_USAGE, "--gpus and --parts are the same option");
    if (p->inputs.parts > 0 && !ns_args_has(p->args, option)) {
        *parts = malloc(sizeof **parts);
        if (*parts == NULL)
            return ns_no_memory(err);
        (*parts)[0] = p->inputs.parts;
        *count = 1;
        return NS_OK;
    }
    NS_TRY(ns_args_counts(p->args, option, 1, NS_PARTS_MOST, parts, count, err));
    for (size_t i = 0; i < *count; i++)
        if ((*parts)[i] < p->inputs.parts || (p->inputs.part != NULL && (*parts)[i] != p->inputs.parts)) {
            ns_status status = ns_fail(err, NS_ERR_DATA, "the %s has %d parts, --%s says %d",
                                       p->inputs.part != NULL ? "partition" : "exchange", (int)p->inputs.parts, option,
                                       (int)(*parts)[i]);
            free(*parts);
            return status;
        }
    return NS_OK;
}

static ns_status make_layouts(prediction *p, const int32_t *parts, size_t count, ns_error *err)
{
    int32_t per_node = 0;
    if (ns_args_get(p->args, "per-node") != NULL)
        NS_TRY(ns_args_count(p->args, "per-node", 1, NS_PARTS_MOST, &per_node, err));
    p->count = p->machines * count;
    if (p->count > CASES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu cases are too many", p->count);
    p->layout = calloc(p->count, sizeof *p->layout);
    p->cases = calloc(p->count, sizeof *p->cases);
    p->comparison = calloc(p->count, sizeof *p->comparison);
    if (p->layout == NULL || p->cases == NULL || p->comparison == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < p->count; i++) {
        p->cases[i].machine = p->machine[i / count];
        p->layout[i] = (ns_layout){parts[i % count], per_node > 0 ? per_node : own_per_node(p->cases[i].machine)};
    }
    return NS_OK;
}

static ns_status make_exchanges(prediction *p, ns_error *err)
{
    ns_exchange **exchange = calloc(p->count, sizeof *exchange);
    if (exchange == NULL)
        return ns_no_memory(err);
    ns_status status = ns_inputs_exchanges(&p->inputs, p->layout, p->count, NULL, 0, exchange, err);
    for (size_t i = 0; status == NS_OK && i < p->count; i++)
        p->cases[i].exchange = exchange[i];
    free(exchange);
    return status;
}

static bool is_wanted(const ns_selection *selection, const ns_strategy *strategy, const ns_machine *machine)
{
    bool runs = false, named = selection->strategies == 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        runs = runs || ((selection->transports == 0 || (selection->transports & 1u << t) != 0) &&
                        ns_strategy_runs(strategy, (ns_transport)t, machine));
    for (size_t i = 0; i < selection->strategies; i++)
        named = named || selection->strategy[i] == strategy;
    return runs && named;
}

/* A schedule keeps, in each step, where every process' sent and received messages begin: the largest of the wanted
 * strategies'. */
static ns_status check_memory(const prediction *p, size_t i, ns_error *err)
{
    const ns_exchange *x = p->cases[i].exchange;
    const ns_machine *machine = p->cases[i].machine;
    const ns_budget budget = {.limit = p->inputs.limits.max_memory};
    double most = 0;
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        if (is_wanted(&p->selection, *s, machine))
            most = fmax(most, (double)ns_strategy_steps(*s) * x->nodes *
                                  ((*s)->all_processes ? machine->host_processes : x->per_node));
    return ns_budget_check(&budget, most * 2 * sizeof(int64_t), err);
}

static ns_status prepare(prediction *p, ns_error *err)
{
    int32_t *parts;
    size_t count;
    NS_TRY(ns_price_options_read(p->args, &p->selection.price, err));
    NS_TRY(ns_inputs_open(p->args, &p->inputs, err));
    NS_TRY(each_word(ns_args_get(p->args, "strategy"), take_strategy, p, err));
    NS_TRY(each_word(ns_args_get(p->args, "transport"), take_transport, p, err));
    NS_TRY(ns_incumbent_read(p->args, &p->selection, err));
    NS_TRY(ns_machines_open(p->args, &p->machine, &p->machines, err));
    NS_TRY(choose_parts(p, &parts, &count, err));
    ns_status status = make_layouts(p, parts, count, err);
    free(parts);
    NS_TRY(status);
    NS_TRY(make_exchanges(p, err));
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(check_memory(p, i, err));
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(ns_compare(p->cases[i].exchange, p->cases[i].machine, &p->selection, &p->comparison[i], err));
    return NS_OK;
}

static void dispose(prediction *p)
{
    for (size_t i = 0; p->cases != NULL && i < p->count; i++)
        ns_exchange_free(p->cases[i].exchange);
    free(p->layout);
    free(p->cases);
    free(p->comparison);
    ns_machines_close(p->machine, p->machines);
    ns_inputs_close(&p->inputs);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static const ns_dim SECOND = {1, 0, 0};

static ns_value *flagged(ns_value *value, unsigned flags)
{
    if (value != NULL)
        value->flags |= flags;
    return value;
}

static void add_choice(const ns_comparison *comparison, int i, ns_value *list)
{
    const ns_choice *choice = &comparison->choice[i];
    double best = comparison->choice[comparison->best].price.estimate_s;
    ns_value *row = flagged(ns_value_object(list, NULL), i == comparison->best ? NS_V_MARK : 0);
    ns_value_text(row, "strategy", choice->strategy->name);
    ns_value_text(row, "transport", ns_transport_words[choice->transport]);
    ns_value_number(row, "estimate_s", choice->price.estimate_s, SECOND);
    ns_value_count(row, "ratio", best > 0 ? choice->price.estimate_s / best : 1);
    if (comparison->decision.best >= 0)
        ns_value_count(row, "p_best", comparison->decision.p_best[i]);
    else
        ns_value_null(row, "p_best");
    ns_value *interval = ns_value_list(row, "interval_s");
    ns_value_number(interval, NULL, choice->price.lo_s, SECOND);
    ns_value_number(interval, NULL, choice->price.hi_s, SECOND);
    if (choice->published_s < 0)
        ns_value_null(row, "published_s");
    else
        ns_value_number(row, "published_s", choice->published_s, SECOND);
    ns_price_terms(&choice->price, NS_V_NO_TABLE, ns_value_object(row, "terms"));
    ns_value_count(row, "messages_off_node_max", (double)choice->messages_off_node_max);
    const bool judged = i == comparison->best && comparison->verdict != NS_UNDECIDED;
    flagged(ns_value_text(row, "verdict", judged ? ns_verdict_words[comparison->verdict] : ""),
            NS_V_NO_JSON | NS_V_NO_CSV);
}

static void add_case(const prediction *p, size_t i, ns_value *list)
{
    const ns_exchange *x = p->cases[i].exchange;
    const ns_comparison *c = &p->comparison[i];
    ns_value *object = ns_value_object(list, NULL);
    flagged(ns_value_text(object, "machine", p->cases[i].machine->name), p->machines == 1 ? NS_V_NO_TABLE : 0);
    ns_value_count(object, "gpus", x->parts);
    ns_value_count(object, "nodes", x->nodes);
    flagged(ns_value_count(object, "per_node", x->per_node), NS_V_NO_TABLE);
    ns_pattern_value(&x->pattern, flagged(ns_value_object(object, "pattern"), NS_V_JSON_ONLY));
    ns_value *best = flagged(ns_value_object(object, "best"), NS_V_JSON_ONLY);
    ns_value_text(best, "strategy", c->choice[c->best].strategy->name);
    ns_value_text(best, "transport", ns_transport_words[c->choice[c->best].transport]);
    if (c->verdict != NS_UNDECIDED)
        ns_value_text(best, "verdict", ns_verdict_words[c->verdict]);
    else
        ns_value_null(best, "verdict");
    ns_decision_value(c, object);
    ns_value *rows = flagged(ns_value_list(object, "strategies"), NS_V_ROWS);
    for (int k = 0; k < c->choices; k++)
        add_choice(c, k, rows);
}

static void add_machine(const ns_machine *machine, ns_value *object)
{
    flagged(object, NS_V_JSON_ONLY);
    ns_value_text(object, "name", machine->name);
    ns_value_text(object, "source", machine->source);
}

static void add_matrix(const prediction *p, ns_value *result)
{
    if (p->inputs.matrix == NULL)
        return;
    const ns_matrix_info *info = ns_matrix_describe(p->inputs.matrix);
    ns_value *object = flagged(ns_value_object(result, "matrix"), NS_V_JSON_ONLY);
    ns_value_text(object, "name", info->name);
    ns_value_count(object, "rows", (double)info->rows);
    ns_value_count(object, "cols", (double)info->cols);
    ns_value_count(object, "nonzeros", (double)p->inputs.nonzeros);
    ns_value_text(object, "source", ns_matrix_source_words[info->source]);
    flagged(ns_value_text(result, "matrix_name", info->name), NS_V_NO_TABLE | NS_V_NO_JSON);
    flagged(ns_value_text(result, "source", ns_matrix_source_words[info->source]), NS_V_NO_TABLE | NS_V_NO_JSON);
}

static void add_machines(const prediction *p, ns_value *result)
{
    add_machine(p->machine[0], ns_value_object(result, "machine"));
    ns_value *list = p->machines > 1 ? flagged(ns_value_list(result, "machines"), NS_V_JSON_ONLY) : NULL;
    for (size_t i = 0; list != NULL && i < p->machines; i++)
        add_machine(p->machine[i], ns_value_object(list, NULL));
    for (size_t i = 0; i < p->machines; i++)
        flagged(ns_value_textf(result, "machine_line", "machine    %s (%d a node): %s", p->machine[i]->name,
                               (int)p->layout[i * (p->count / p->machines)].per_node, p->machine[i]->source),
                NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

/* For the eye, the best of each case, or what was asked for by name. */
static bool is_shown(const prediction *p, size_t i, int k)
{
    return k == p->comparison[i].best || ns_args_has(p->args, "strategy") || ns_args_has(p->args, "transport");
}

static ns_status explain_case(const prediction *p, size_t i, ns_value *rows, ns_explanation *shown, ns_error *err)
{
    const ns_case *c = &p->cases[i];
    const ns_choice *choice = p->comparison[i].choice;
    for (int k = 0; k < p->comparison[i].choices; k++) {
        NS_TRY(ns_explain_rows(c, &choice[k], rows, err));
        if (is_shown(p, i, k))
            NS_TRY(ns_explain_choice(shown, c->machine, c->exchange, &choice[k], err));
    }
    return NS_OK;
}

static ns_status explain_all(const prediction *p, ns_explanation *shown, ns_value *result, ns_error *err)
{
    char title[200];
    const ns_explain_style style = ns_explain_style_of(ns_args_get(p->args, "explain"));
    ns_value *rows = flagged(ns_value_list(result, "explain"), NS_V_ROWS | NS_V_NO_CSV | NS_V_NO_TABLE);
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(explain_case(p, i, rows, shown, err));
    snprintf(title, sizeof title, "one exchange of %.120s",
             p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix)->name : "the planned messages");
    if (style == NS_EXPLAIN_TREE)
        NS_TRY(ns_terms_show(shown, style, title, result, err));
    ns_value *parameters = flagged(ns_value_list(result, "parameters"), NS_V_ROWS | NS_V_NO_CSV);
    for (size_t i = 0; i < p->machines; i++)
        NS_TRY(ns_explain_parameters(p->machine[i], p->cases, p->comparison, p->count, &p->selection, parameters, err));
    return style != NS_EXPLAIN_TREE ? ns_terms_show(shown, style, title, result, err) : NS_OK;
}

static ns_status add_explanation(const prediction *p, ns_value *result, ns_error *err)
{
    ns_explanation *shown;
    NS_TRY(ns_explanation_open(&shown, err));
    ns_status status = explain_all(p, shown, result, err);
    ns_explanation_free(shown);
    return status;
}

static void warn_copies(const prediction *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        if (p->machine[i]->gpus > 0 && p->machine[i]->copy_levels == 0)
            fprintf(err, "nsmodel: note: %s gives no copy parameters, so ways by the host are left out\n",
                    p->machine[i]->name);
}

static void warn_stand_ins(const prediction *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++)
        for (int m = 0; m < NS_MEMORIES; m++)
            for (int l = 0; l < NS_OFF_NODE; l++)
                if (p->machine[i]->stands_for[m][l] != (ns_locality)l && (l == NS_ON_SOCKET || p->machine[i]->sockets > 1))
                    fprintf(err, "nsmodel: note: %s has no %s table for %s memory; its %s table stands for it\n",
                            p->machine[i]->name, ns_locality_words[l], ns_memory_words[m],
                            ns_locality_words[p->machine[i]->stands_for[m][l]]);
}

static void warn_crowded(const prediction *p, FILE *err)
{
    for (size_t i = 0; i < p->machines; i++) {
        int32_t per_node = p->layout[i * (p->count / p->machines)].per_node;
        if (per_node > own_per_node(p->machine[i]))
            fprintf(err, "nsmodel: note: %d parts a node, but %s has %d %s a node\n", (int)per_node,
                    p->machine[i]->name, (int)own_per_node(p->machine[i]),
                    p->machine[i]->gpus > 0 ? "GPUs" : "host processes");
    }
}

static ns_status answer(const prediction *p, ns_value *result, FILE *words, ns_error *err)
{
    flagged(ns_value_text(result, "schema", "nsmodel/predict/1"), NS_V_JSON_ONLY);
    ns_inputs_describe(&p->inputs, result);
    add_matrix(p, result);
    add_machines(p, result);
    for (size_t i = 0; i < p->count; i++)
        ns_decision_sentence(&(ns_decided){&p->comparison[i], p->cases[i].machine, p->cases[i].exchange->parts}, result);
    ns_value *cases = flagged(ns_value_list(result, "cases"), NS_V_ROWS);
    for (size_t i = 0; i < p->count; i++)
        add_case(p, i, cases);
    warn_crowded(p, words);
    warn_stand_ins(p, words);
    warn_copies(p, words);
    return ns_args_has(p->args, "explain") ? add_explanation(p, result, err) : NS_OK;
}

static ns_status plot(const prediction *p, ns_value *result, ns_error *err)
{
    if (p->machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "--plot draws one machine at a time");
    const char *what = p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix)->name : "exchange";
    char title[120];
    snprintf(title, sizeof title, "%.80s%s", what,
             p->inputs.matrix != NULL && ns_matrix_describe(p->inputs.matrix)->source == NS_SURROGATE ? " (surrogate)"
                                                                                                      : "");
    return ns_predict_plot(p->args, title, p->cases, p->comparison, p->count, result, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_context *context, ns_error *err)
{
    if (ns_args_get(args, "exchange") != NULL)
        return ns_predict_exchange(args, result, context, err);
    prediction *p = calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->args = args;
    ns_status status = prepare(p, err);
    if (status == NS_OK)
        status = answer(p, result, context->err, err);
    if (status == NS_OK && ns_args_get(args, "plot") != NULL)
        status = plot(p, result, err);
    dispose(p);
    free(p);
    return status;
}

const ns_command ns_command_predict = {
    .name = "predict",
    .summary = "which exchange strategy wins for a matrix on a machine, by how much, and why",
    .usage = "--matrix M | --messages FILE.csv | --exchange FILE.csv",
    .options = options,
    .example = "nsmodel predict --matrix audikw_1 --gpus 16,64,256",
    .about = "Counts exactly who needs what from whom, builds for each strategy the schedule of messages and copies "
             "that it would really\n"
             "perform, prices it on the machine, and marks the fastest.\n"
             "A verdict is clear, tie (the intervals of the two best do not tell them apart), or extrapolated (sizes "
             "beyond those measured).\n"
             "Published is the paper's closed form, fed with the maxima of the pattern.",
    .rank = 1,
    .run = run,
};
