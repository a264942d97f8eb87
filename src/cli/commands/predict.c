/* predict.c -- the main job: which strategy moves this exchange fastest on this machine, by how much, and why */
#include "cli/show/predict.h"
#include "cli/inputs/exchange.h"
#include "cli/show/answer.h"
#include "cli/show/decision.h"
#include "cli/show/draw.h"
#include "cli/show/ways.h"
#include "core/memory.h"
#include "report/columns.h"

#include <string.h>

static const ns_option options[] = {
    NS_OPTIONS_PREDICT,
    {NULL},
};

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void add_case(const ns_cases *p, size_t i, const ns_decided *decided, ns_value *list, ns_value *result)
{
    char next[NS_COMMAND_LINE];
    const ns_exchange *x = p->of[i].exchange;
    const ns_comparison *c = &p->comparison[i];
    ns_value *object = ns_value_object(list, NULL);
    ns_put_text(object, "machine", p->machines == 1 ? NS_IN_DATA : NS_IN_WIDE, p->of[i].machine->name);
    ns_put_count(object, "gpus", NS_IN_WIDE, x->parts);
    ns_put_count(object, "nodes", NS_IN_WIDE, x->nodes);
    ns_put_count(object, "per_node", NS_IN_DATA, x->per_node);
    ns_pattern_value(&x->pattern, ns_put_object(object, "pattern", NS_IN_JSON));
    ns_best_value(c, object);
    ns_decision_sentence(decided, object);
    ns_answer_next(p->args, decided, next);
    ns_decision_value(decided, next, object);
    ns_gathering_value(&p->of[i], object);
    ns_value *rows = ns_put_rows(object, "strategies", NS_EVERYWHERE);
    for (int k = 0; k < c->choices; k++)
        ns_way_value(
            c, k, &(ns_way_words){.kind = ns_case_kind(&p->of[i], k), .machine = ns_case_machine(&p->of[i], k)}, rows);
    ns_searched_value(&p->of[i].searched, object);
    ns_drops_say(ns_case_machine(&p->of[i], c->best), c, result);
}

/* For the eye, the best of each case, what a network does by itself, or what was asked for by name. */
static bool is_shown(const ns_cases *p, size_t i, int k)
{
    const bool own = p->of[i].network != NULL && k == p->of[i].network->gather;
    return own || k == p->comparison[i].best || ns_args_has(p->args, "strategy") || ns_args_has(p->args, "transport");
}

static ns_status explain_case(const ns_cases *p, size_t i, ns_value *rows, ns_explanation *shown, ns_error *err)
{
    const ns_case *c = &p->of[i];
    const ns_comparison *comparison = &p->comparison[i];
    for (int k = 0; k < comparison->choices; k++) {
        NS_TRY(ns_explain_rows(c, comparison, k, rows, err));
        if (is_shown(p, i, k))
            NS_TRY(ns_explain_way(shown, c, comparison, k, err));
    }
    return NS_OK;
}

static ns_status explain_all(const ns_cases *p, ns_explanation *shown, ns_value *result, ns_error *err)
{
    ns_value *rows = ns_put_rows(result, "explain", NS_IN_DATA | NS_NOT_IN_CSV);
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(explain_case(p, i, rows, shown, err));
    ns_terms_show(shown, result);
    ns_value *parameters = ns_put_rows(result, "parameters", NS_NOT_IN_CSV);
    for (size_t i = 0; i < p->machines; i++)
        NS_TRY(ns_explain_parameters(p->of[i * (p->count / p->machines)].machine, p->of, p->comparison, p->count,
                                     p->network != NULL ? &p->messages : &p->selection, parameters, err));
    return NS_OK;
}

static ns_status add_explanation(const ns_cases *p, ns_value *result, ns_error *err)
{
    ns_explanation *shown;
    NS_TRY(ns_explanation_open(&shown, err));
    ns_status status = explain_all(p, shown, result, err);
    ns_explanation_free(shown);
    return status;
}

static ns_status answer(const ns_cases *p, ns_value *result, FILE *words, ns_error *err)
{
    char title[400];
    ns_put_schema(result, "nsmodel/predict/1");
    ns_cases_describe(p, result);
    ns_decided *decided;
    NS_TRY(ns_cases_decided(p, &decided, err));
    ns_value *cases =
        ns_put_rows(result, "cases", p->count > 1 && !ns_args_has(p->args, "all") ? NS_IN_WIDE : NS_EVERYWHERE);
    for (size_t i = 0; i < p->count; i++)
        add_case(p, i, &decided[i], cases, result);
    ns_answer_fold(p->args, result);
    ns_network_describe(p, result);
    ns_answer_title(p, title, sizeof title);
    const ns_status status = ns_answer_show(p->args, title, decided, p->count, result, err);
    ns_free(decided);
    NS_TRY(status);
    ns_cases_warn(p, words);
    return ns_args_has(p->args, "explain") ? add_explanation(p, result, err) : NS_OK;
}

static ns_status plot(const ns_cases *p, const char *path, ns_value *result, ns_error *err)
{
    if (p->machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "--plot draws one machine at a time");
    const char *what = p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix)->name : "exchange";
    char title[120];
    snprintf(title, sizeof title, "%.80s%s", what,
             p->inputs.matrix != NULL && ns_matrix_describe(p->inputs.matrix)->source == NS_SURROGATE ? " (surrogate)"
                                                                                                      : "");
    return ns_predict_plot(path, title, p->of, p->comparison, p->count, result, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_predict_request r;
    ns_cases *p;
    NS_TRY(ns_args_read(args, &r, err));
    if (r.collective != NULL)
        return ns_predict_collective(args, r.collective, result, err);
    if (ns_args_get(args, "network") != NULL && strcmp(ns_args_get(args, "network"), "help") == 0)
        return ns_network_list(result);
    if (r.exchange != NULL)
        return ns_predict_exchange(args, r.exchange, result, context, err);
    NS_TRY(ns_cases_open(args, &p, err));
    ns_status status = r.plot == NULL ? ns_cases_search(p, err) : NS_OK; /* a curve for each way */
    if (status == NS_OK)
        status = answer(p, result, context->err, err);
    if (status == NS_OK && r.plot != NULL)
        status = plot(p, r.plot, result, err);
    if (status == NS_OK && r.schedule != NULL)
        status = ns_predict_schedule(p, r.schedule, err);
    ns_cases_close(p);
    return status;
}

const ns_command ns_command_predict = {
    .name = "predict",
    .summary = "which exchange strategy wins for a matrix on a machine, by how much, and why",
    .usage = "MATRIX | FILE.csv | --exchange FILE.csv",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel predict --matrix audikw_1 --gpus 16,64,256",
    .about =
        "Counts exactly who needs what from whom, builds for each strategy the schedule of messages and copies "
        "that it would really\n"
        "perform, prices it on the machine, and marks the fastest.\n"
        "P(best) is how sure it is that a way is the fastest of them; extrapolated: it sends messages beyond the sizes "
        "that were measured.\n"
        "JSON lists the likeliest ways, of 90 % together (decision.shortlist), and those that beat the fastest with "
        "less than 5 %.\n"
        "Where no message leaves its node all strategies send the same, and the first stands for them.\n"
        "--strategy also takes two-step:8 and three-step:socket, whose nodes are groups of 8 ranks or of a socket's, "
        "staged:4x4x4 and\n"
        "staged:router, which store and forward along a grid of processes, and a transport with each: two-step:8/host. "
        "On nodes of 32 host\n"
        "processes and more groups are tried unasked, and the fastest is shown where it gains 5 % or more; JSON has "
        "what was searched.\n"
        "--wide and JSON add what each time is made of, the verdict (clear, tie or extrapolated), and the paper's "
        "closed form,\n"
        "published, as printed and fed with the maxima of the pattern.\n"
        "--network puts hardware of the papers under the machine: rails carry the messages of every strategy; "
        "interfaces that gather are\n"
        "one more way beside them, in-network-gather by the nic. --network help lists what there is; --set changes "
        "the network's numbers too.\n"
        "--collective allreduce:SIZE sets the hosts' algorithms beside what switches and interfaces do by "
        "themselves.\n" NS_ABOUT_MESSAGES,
    .rank = 1,
    .run = run,
};
