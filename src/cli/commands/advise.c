/* advise.c -- which strategy to take, the loss to expect from it, and the cheapest measurement that would decide it */
#include "cli/front/own.h"
#include "cli/show/answer.h"
#include "cli/show/predict.h"
#include "core/memory.h"
#include "report/columns.h"

#include <string.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX, NS_OPTION_MESSAGES, NS_OPTIONS_CASES, NS_OPTION_ALL,  NS_OPTION_SURE,
    NS_OPTION_WORTH,  NS_OPTION_NETWORK,  NS_OPTION_MEMORY, NS_OPTION_WORK, {NULL},
};


static ns_status add_case(const ns_cases *p, size_t i, const ns_decided *decided, ns_value *list, ns_value *result,
                          ns_error *err)
{
    const ns_comparison *c = &p->comparison[i];
    const ns_exchange *x = p->of[i].exchange;
    NS_OWN(ns_free) ns_measure_plan *plan = NULL;
    if (c->decision.best >= 0)
        NS_TRY(ns_measure_plan_make(c, p->of[i].machine, p->of[i].network, &p->selection, &plan, err));
    ns_value *object = ns_value_object(list, NULL);
    ns_put_text(object, "machine", p->machines == 1 ? NS_IN_DATA : NS_EVERYWHERE, p->of[i].machine->name);
    ns_value_count(object, "gpus", x->parts);
    ns_value_count(object, "nodes", x->nodes);
    ns_put_count(object, "per_node", NS_IN_DATA, x->per_node);
    ns_advice_lines(p->args, decided, plan, result);
    ns_advice_value(p->args, decided, plan, object);
    if (p->of[i].network != NULL)
        ns_gathering_value(p->of[i].network, object);
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_OWN(ns_cases_close) ns_cases *p = NULL;
    NS_OWN(ns_free) ns_decided *decided = NULL;
    if (args->network != NULL && strcmp(args->network, "help") == 0)
        return ns_network_list(result);
    NS_TRY(ns_cases_open(args, &p, err));
    NS_TRY(ns_cases_search(p, err));
    ns_put_schema(result, "nsmodel/advise/1");
    ns_cases_describe(p, result);
    NS_TRY(ns_cases_decided(p, &decided, err));
    NS_TRY(ns_answer_show(p, decided, result, err));
    ns_value *list = ns_put_rows(result, "cases", p->all ? NS_EVERYWHERE : NS_IN_WIDE);
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(add_case(p, i, &decided[i], list, result, err));
    ns_advice_steps(args, result);
    if (p->machines > 1 && !p->all) /* one screen for all machines */
        ns_notes_to_wide(list);
    /* a benchmark measures the network cards that it runs on */
    if (p->network != NULL && p->network->effect == NS_NETWORK_CARRIES)
        ns_note(result, "  benchmarks off node: on nodes with the cards of %s", p->network->name);
    ns_cases_warn(p, context->err);
    return NS_OK;
}

const ns_command ns_command_advise = {
    .name = "advise",
    .summary = "which strategy to take, what that may lose, and the cheapest measurement that would settle it",
    .usage = "MATRIX | FILE.csv",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel advise --matrix audikw_1 --gpus 64 --incumbent standard/host",
    .about =
        "Decides as predict does, and ranks benchmarks by the loss that knowing their numbers would remove on "
        "average.\n"
        "Stated numbers err by their standard error, published ones without it by 25 %, and those that the cost model "
        "or the machine's file\n"
        "assumes or derives, or that stand in for another table, by a factor of 2. What the cost model itself gets "
        "wrong only measured\n"
        "exchanges tell: the strategies of the shortlist.\n"
        "The steps measure this cluster with nsmodel-mpi (`make mpi`), one process a GPU or core, and ask again with "
        "what it found.\n"
        "--all lists every number with the benchmark that tells it.\n"
        "--network puts hardware of the papers under the machine, as in predict: what its interfaces take is one "
        "more number, which\n"
        "errs by the error of their model and which no cluster tells.\n" NS_ABOUT_MESSAGES,
    .rank = 2,
    .run = run,
};
