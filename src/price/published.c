/* published.c -- the paper's closed form of a strategy, as printed and corrected, evaluated on a pattern's maxima by
 * the names of its inputs */
#include "model/binding.h"
#include "price/price.h"

ns_status ns_strategy_form(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                           const char *form, const ns_count *count, size_t given, double *seconds, ns_error *err)
{
    ns_binding binding;
    ns_model_buffer out;
    const ns_model *model;
    NS_TRY(ns_transport_check(transport, err));
    if (strategy->model == NULL)
        return ns_fail(err, NS_ERR_DATA, "%s has no published closed form", strategy->name);
    NS_TRY(ns_model_get(strategy->model, &model, err));
    ns_bind_open(&binding, model, machine);
    for (size_t i = 0; i < given; i++)
        if (ns_field_find(model->inputs, count[i].name) != NULL)
            NS_TRY(ns_bind_number(&binding, count[i].name, count[i].value, err));
    if (ns_field_find(model->inputs, "transport") != NULL)
        NS_TRY(ns_bind_word(&binding, "transport", ns_transport_words[transport], err));
    if (ns_field_find(model->inputs, "form") != NULL)
        NS_TRY(ns_bind_word(&binding, "form", form, err));
    for (const char *const *word = strategy->words; word != NULL && *word != NULL; word++)
        NS_TRY(ns_bind_text(&binding, *word, err));
    NS_TRY(ns_bind_close(&binding, err));
    NS_TRY(ns_model_eval(&binding, &out, err));
    const ns_field *time = ns_field_find(model->outputs, "time");
    if (time == NULL)
        return ns_fail(err, NS_ERR_DATA, "model %s has no output \"time\"", model->name);
    *seconds = ns_field_number(time, &out);
    return NS_OK;
}

ns_status ns_strategy_closed(const ns_strategy *strategy, ns_transport transport, const ns_machine *machine,
                             const ns_count *count, size_t given, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    return ns_strategy_form(strategy, transport, machine, "corrected", count, given, seconds, err);
}

#define COUNT(key) ((ns_count){#key, (double)p->key})

/* The same for the maxima of an exchange; negative: it is on one node, or the strategy has no closed form. */
static ns_status form_of(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                         const ns_machine *machine, const char *form, double *seconds, ns_error *err)
{
    const ns_pattern *p = &exchange->pattern;
    const ns_count count[] = {COUNT(messages_total),
                              COUNT(messages_off_node),
                              COUNT(bytes_total),
                              COUNT(bytes_off_node),
                              COUNT(s_proc),
                              COUNT(s_node),
                              COUNT(s_node_node),
                              COUNT(s_recv),
                              COUNT(m_proc),
                              COUNT(m_proc_node),
                              COUNT(m_node_node),
                              COUNT(recv_nodes),
                              COUNT(send_nodes),
                              {"ppn", exchange->per_node},
                              {"per_node", exchange->per_node}};
    if (exchange->nodes == 1 || strategy->model == NULL) {
        *seconds = -1;
        return NS_OK;
    }
    return ns_strategy_form(strategy, transport, machine, form, count, sizeof count / sizeof *count, seconds, err);
}

ns_status ns_strategy_published(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                const ns_machine *machine, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    return form_of(strategy, transport, exchange, machine, "printed", seconds, err);
}

ns_status ns_strategy_corrected(const ns_strategy *strategy, ns_transport transport, const ns_exchange *exchange,
                                const ns_machine *machine, double *seconds, ns_error *err)
{
    ns_error_clear(err);
    return form_of(strategy, transport, exchange, machine, "corrected", seconds, err);
}
