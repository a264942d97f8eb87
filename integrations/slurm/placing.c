/* placing.c -- a faster placement of ranks in the places that Slurm gave */
#include "core/memory.h"
#include "schedule/strategy.h"
#include "slurm/advice.h"

#include <stdio.h>
#include <string.h>

typedef struct work {
    const ns_question *question;
    ns_read read;
    ns_graph *graph;
    int32_t *room;      /* [nodes] ranks of each node */
    int32_t *found;     /* [ranks] */
    double before, now; /* s, by all strategies */
} work;

/* The fastest of all strategies on one placement. */
static ns_status price(ns_placer *placer, const int32_t *node_of, double *least, ns_error *err)
{
    double seconds[NS_CHOICES];
    NS_TRY(ns_placer_batch(placer, node_of, 1, seconds, err));
    *least = seconds[0];
    for (int i = 1; i < ns_placer_choices(placer); i++)
        *least = seconds[i] < *least ? seconds[i] : *least;
    return NS_OK;
}

static ns_status run(work *w, ns_error *err)
{
    NS_TRY(ns_question_read(w->question, &w->read, err));
    const ns_question *q = w->question;
    const ns_exchange_options how = {.max_memory = ns_question_limits.max_memory};
    NS_TRY(w->read.matrix != NULL ? ns_graph_from_matrix(w->read.matrix, q->ranks, &how, &w->graph, NULL, err)
                                  : ns_graph_from_messages(w->read.message, w->read.messages, q->ranks,
                                                           &ns_question_limits, &w->graph, err));
    const ns_search_options options = {.seed = 1, .room = w->room};
    memcpy(w->found, q->node_of, (size_t)q->ranks * sizeof *w->found);
    NS_TRY(ns_place_search(w->graph, q->nodes, w->read.machine, NULL, &ns_question_limits, &options, w->found, err));
    ns_placer *placer;
    NS_TRY(ns_placer_open(w->graph, w->question->nodes, w->read.machine, NULL, &ns_question_limits, &placer, err));
    ns_status status = price(placer, w->question->node_of, &w->before, err);
    if (status == NS_OK)
        status = price(placer, w->found, &w->now, err);
    ns_placer_free(placer);
    return status;
}

void ns_place_ranks(const ns_question *question, ns_placing_answer *answer)
{
    ns_error err = {.code = NS_OK};
    work w = {.question = question,
              .room = ns_calloc((size_t)question->nodes + (size_t)question->ranks, sizeof *w.room)};
    if (w.room == NULL) {
        snprintf(answer->text, sizeof answer->text, "no memory");
        return;
    }
    w.found = w.room + question->nodes;
    for (int32_t r = 0; r < question->ranks; r++)
        w.room[question->node_of[r]]++;
    if (run(&w, &err) == NS_OK) {
        answer->given = true;
        answer->before_s = w.before;
        answer->now_s = w.now < w.before ? w.now : w.before;
        memcpy(answer->node_of, w.now < w.before ? w.found : question->node_of,
               (size_t)question->ranks * sizeof *answer->node_of);
    } else {
        (void)ns_error_format(&err, answer->text, sizeof answer->text);
    }
    ns_free(w.room);
    ns_graph_free(w.graph);
    ns_read_close(&w.read);
}
