/* advice.c -- the fastest strategy of ranks as they stand */
#include "slurm/advice.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

/* A login node is shared by many users, so that a question may not take all of it. */
const ns_limits ns_question_limits = {.max_memory = INT64_C(2) << 30, .max_work = INT64_C(20000000000)};

ns_status ns_question_read(const ns_question *q, ns_read *read, ns_error *err)
{
    *read = (ns_read){.machine = NULL};
    NS_TRY(ns_machine_load(q->machine, &read->machine, err));
    const size_t length = strlen(q->matrix);
    if (length > 4 && strcmp(q->matrix + length - 4, ".csv") == 0) {
        int32_t parts;
        NS_TRY(ns_messages_read_within(q->matrix, &ns_question_limits, &read->message, &read->messages, &parts, err));
        return parts <= q->ranks ? NS_OK
                                 : ns_fail(err, NS_ERR_DATA, "%s names rank %d, the job has %d ranks", q->matrix,
                                           (int)parts - 1, (int)q->ranks);
    }
    NS_TRY(ns_matrix_open(q->matrix, &read->matrix, err));
    ns_matrix_limit(read->matrix, ns_question_limits.max_work);
    return NS_OK;
}

void ns_read_close(ns_read *read)
{
    ns_machine_free(read->machine);
    ns_matrix_free(read->matrix);
    ns_free(read->message);
}

static ns_status advise(const ns_question *q, ns_read *read, ns_rank_advice *advice, ns_error *err)
{
    ns_exchange *exchange;
    NS_TRY(ns_question_read(q, read, err));
    ns_site *site;
    NS_TRY(ns_site_from_map(q->ranks, q->nodes, q->node_of, 0, NULL, &site, err));
    const ns_exchange_options options = {.site = site, .max_memory = ns_question_limits.max_memory};
    const ns_layout layout = {q->ranks, q->ranks};
    const ns_status made = read->matrix != NULL
                               ? ns_exchange_from_matrix(read->matrix, &layout, 1, &options, &exchange, NULL, err)
                               : ns_exchange_from_messages_on(read->message, read->messages, site, &exchange, err);
    ns_site_free(site);
    NS_TRY(made);
    ns_comparison *comparison = ns_calloc(1, sizeof *comparison);
    const ns_status status = comparison != NULL ? ns_compare_into(exchange, read->machine, NULL, comparison, err)
                                                : ns_fail(err, NS_ERR_MEMORY, "no memory");
    if (status == NS_OK) {
        const ns_decided decided = {
            .comparison = comparison, .machine = read->machine, .parts = q->ranks, .one_of_many = true};
        const ns_choice *best = &comparison->choice[comparison->best];
        char sentence[NS_ANSWER_LINE];
        ns_answer_sentence(&decided, sentence);
        const bool surrogate = read->matrix != NULL && ns_matrix_describe(read->matrix)->source == NS_SURROGATE;
        snprintf(advice->text, sizeof advice->text, "%s%s%.100s", sentence, surrogate ? "; of a surrogate of " : "",
                 surrogate ? q->matrix : "");
        snprintf(advice->strategy, sizeof advice->strategy, "%s", best->strategy->name);
        snprintf(advice->transport, sizeof advice->transport, "%s", ns_transport_words[best->transport]);
        advice->seconds = best->price.estimate_s;
        advice->given = true;
    }
    ns_free(comparison);
    ns_exchange_free(exchange);
    return status;
}

void ns_advise(const ns_question *question, ns_rank_advice *advice)
{
    ns_error err = {.code = NS_OK};
    ns_read read;
    if (advise(question, &read, advice, &err) != NS_OK)
        (void)ns_error_format(&err, advice->text, sizeof advice->text);
    ns_read_close(&read);
}
