/* advice.c -- the fastest strategy for the given placement of ranks, and a faster placement on the nodes that Slurm
 * gave */
#include "slurm/advice.h"

#include "core/memory.h"
#include "schedule/strategy.h"

#include <stdio.h>
#include <string.h>

/* Limits of reading and building: a login node is shared by many users, so that one question may not use all of it. */
static const ns_limits limits = {.max_memory = INT64_C(2) << 30, .max_work = INT64_C(20000000000)};

/* The matrix and machine of a question. */
typedef struct inputs {
    ns_machine *machine;
    ns_matrix *matrix;   /* one of these two: */
    ns_planned *message; /* messages */
    size_t messages;
} inputs;

static ns_status read_inputs(const ns_question *q, inputs *in, ns_error *err)
{
    NS_TRY(ns_machine_load(q->machine, &in->machine, err));
    const size_t length = strlen(q->matrix);
    if (length > 4 && strcmp(q->matrix + length - 4, ".csv") == 0) {
        int32_t parts;
        NS_TRY(ns_messages_read_within(q->matrix, &limits, &in->message, &in->messages, &parts, err));
        return parts <= q->ranks ? NS_OK
                                 : ns_fail(err, NS_ERR_DATA, "%s names rank %d, the job has %d ranks", q->matrix,
                                           (int)parts - 1, (int)q->ranks);
    }
    NS_TRY(ns_matrix_open(q->matrix, &in->matrix, err));
    ns_matrix_limit(in->matrix, limits.max_work);
    return NS_OK;
}

static void close_inputs(inputs *in)
{
    ns_machine_free(in->machine);
    ns_matrix_free(in->matrix);
    ns_free(in->message);
}

/* ---- advice ------------------------------------------------------------------------------------------------------ */

static ns_status advise(const ns_question *q, inputs *in, ns_rank_advice *advice, ns_error *err)
{
    ns_exchange *exchange;
    NS_TRY(read_inputs(q, in, err));
    ns_site *site;
    NS_TRY(ns_site_from_map(q->ranks, q->nodes, q->node_of, 0, NULL, &site, err));
    const ns_exchange_options options = {.site = site, .max_memory = limits.max_memory};
    const ns_layout layout = {q->ranks, q->ranks};
    const ns_status made = in->matrix != NULL
                               ? ns_exchange_from_matrix(in->matrix, &layout, 1, &options, &exchange, NULL, err)
                               : ns_exchange_from_messages_on(in->message, in->messages, site, &exchange, err);
    ns_site_free(site);
    NS_TRY(made);
    ns_comparison *comparison = ns_calloc(1, sizeof *comparison);
    const ns_status status = comparison != NULL ? ns_compare_into(exchange, in->machine, NULL, comparison, err)
                                                : ns_fail(err, NS_ERR_MEMORY, "no memory");
    if (status == NS_OK) {
        const ns_decided decided = {
            .comparison = comparison, .machine = in->machine, .parts = q->ranks, .one_of_many = true};
        const ns_choice *best = &comparison->choice[comparison->best];
        char sentence[NS_ANSWER_LINE];
        ns_answer_sentence(&decided, sentence);
        const bool surrogate = in->matrix != NULL && ns_matrix_describe(in->matrix)->source == NS_SURROGATE;
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

void ns_advise(void *question)
{
    const ns_question *q = question;
    ns_rank_advice *advice = q->answer;
    ns_error err = {.code = NS_OK};
    inputs in = {.machine = NULL};
    if (advise(q, &in, advice, &err) != NS_OK)
        (void)ns_error_format(&err, advice->text, sizeof advice->text);
    close_inputs(&in);
}

/* ---- a placement ------------------------------------------------------------------------------------------------- */

/* The fastest of all strategies for one placement, s. */
static ns_status price(ns_placer *placer, const int32_t *node_of, double *least, ns_error *err)
{
    double seconds[NS_CHOICES];
    NS_TRY(ns_placer_batch(placer, node_of, 1, seconds, err));
    *least = seconds[0];
    for (int i = 1; i < ns_placer_choices(placer); i++)
        *least = seconds[i] < *least ? seconds[i] : *least;
    return NS_OK;
}

/* room: [nodes] ranks of each node; found: [ranks], initially the present nodes. */
static ns_status search(const ns_question *q, inputs *in, const int32_t *room, int32_t *found, ns_graph **graph,
                        double *before, double *now, ns_error *err)
{
    const ns_exchange_options how = {.max_memory = limits.max_memory};
    const ns_search_options options = {.seed = 1, .room = room};
    ns_placer *placer;
    NS_TRY(read_inputs(q, in, err));
    NS_TRY(in->matrix != NULL ? ns_graph_from_matrix(in->matrix, q->ranks, &how, graph, NULL, err)
                              : ns_graph_from_messages(in->message, in->messages, q->ranks, &limits, graph, err));
    NS_TRY(ns_place_search(*graph, q->nodes, in->machine, NULL, &limits, &options, found, err));
    NS_TRY(ns_placer_open(*graph, q->nodes, in->machine, NULL, &limits, &placer, err));
    ns_status status = price(placer, q->node_of, before, err);
    if (status == NS_OK)
        status = price(placer, found, now, err);
    ns_placer_free(placer);
    return status;
}

void ns_place_ranks(void *question)
{
    const ns_question *q = question;
    ns_placing_answer *answer = q->answer;
    ns_error err = {.code = NS_OK};
    inputs in = {.machine = NULL};
    ns_graph *graph = NULL;
    double before = 0, now = 0;
    int32_t *room = ns_calloc((size_t)q->nodes + (size_t)q->ranks, sizeof *room);
    if (room == NULL) {
        snprintf(answer->text, sizeof answer->text, "no memory");
        return;
    }
    int32_t *found = room + q->nodes;
    for (int32_t r = 0; r < q->ranks; r++)
        room[found[r] = q->node_of[r]]++;
    if (search(q, &in, room, found, &graph, &before, &now, &err) == NS_OK) {
        answer->given = true;
        answer->before_s = before;
        answer->now_s = now < before ? now : before;
        memcpy(answer->node_of, now < before ? found : q->node_of, (size_t)q->ranks * sizeof *answer->node_of);
    } else {
        (void)ns_error_format(&err, answer->text, sizeof answer->text);
    }
    ns_free(room);
    ns_graph_free(graph);
    close_inputs(&in);
}
