/* studies.c -- questions about opaque answers, and what counts in the network hold */
#include "core/sized.h"
#include "netsparse/netsparse.h"
#include "study/study.h"

ns_status ns_explain_comparison(ns_explanation *explanation, const ns_machine *machine, const ns_exchange *exchange,
                                const ns_comparison *comparison, int i, ns_error *err)
{
    ns_error_clear(err);
    if (i < 0 || i >= comparison->choices)
        return ns_fail(err, NS_ERR_RANGE, "no way %d among %d of a comparison", i, comparison->choices);
    return ns_explain_choice(explanation, machine, exchange, &comparison->choice[i], err);
}

ns_status ns_trace_view(const ns_trace *trace, ns_netsparse_view *view, ns_error *err)
{
    ns_error_clear(err);
    return ns_sized_give(view, &trace->view, sizeof trace->view, err);
}

ns_status ns_netsparse_describe(const ns_netsparse_result *result, ns_netsparse_info *info, ns_error *err)
{
    ns_error_clear(err);
    const ns_netsparse_info known = {.nodes = result->nodes,
                                     .batch = result->batch,
                                     .su_time = result->su_time,
                                     .su_traffic = result->su_traffic,
                                     .sa_time = result->sa_time,
                                     .sa_traffic = result->sa_traffic,
                                     .computation = result->computation[0],
                                     .ideal = result->ideal};
    return ns_sized_give(info, &known, sizeof known, err);
}

ns_status ns_netsparse_step(const ns_netsparse_result *result, ns_mechanism mechanism, ns_mechanism_info *info,
                            ns_error *err)
{
    ns_error_clear(err);
    if ((unsigned)mechanism >= NS_MECHANISMS)
        return ns_fail(err, NS_ERR_RANGE, "no mechanism %d; there are %d", (int)mechanism, NS_MECHANISMS);
    const ns_step_result *step = &result->step[mechanism];
    const ns_mechanism_info known = {.time = step->time,
                                     .best = step->best,
                                     .mean = step->mean,
                                     .limit = step->limit,
                                     .issued = step->issued,
                                     .traffic = step->traffic,
                                     .speedup = step->speedup,
                                     .speedup_best = step->speedup_best};
    return ns_sized_give(info, &known, sizeof known, err);
}
