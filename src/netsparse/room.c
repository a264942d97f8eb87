/* room.c -- scratch of the racks' caches, thread by thread */
#include "netsparse/trace.h"

static ns_status take_columns(const ns_trace *t, ns_trace_scratch *s, ns_error *err)
{
    void *memory;
    ns_trace_store *store = t->store;
    for (int32_t k = 0; s->chance == NULL && k < t->racks; k++)
        s->columns = store->rack[k].count > s->columns ? store->rack[k].count : s->columns;
    if (s->column == NULL) {
        NS_TRY(ns_take(&memory, s->columns, sizeof *s->column, &store->scan.budget, err));
        s->column = memory;
    }
    if (s->chance == NULL) {
        NS_TRY(ns_take(&memory, s->columns, sizeof *s->chance, &store->scan.budget, err));
        s->chance = memory;
    }
    return NS_OK;
}

static ns_status take_requests(const ns_trace *t, ns_trace_scratch *s, int64_t requests, ns_error *err)
{
    void *memory;
    ns_budget *budget = &t->store->scan.budget;
    const int64_t words = requests / 64 + 1, had = s->positions / 64 + 1;
    if (s->tree != NULL && s->positions >= requests)
        return NS_OK;
    ns_give_back(s->request, s->positions, sizeof *s->request, budget);
    ns_give_back(s->marks, had, sizeof *s->marks, budget);
    ns_give_back(s->tree, had, sizeof *s->tree, budget);
    s->request = NULL;
    s->marks = NULL;
    s->tree = NULL;
    s->positions = requests;
    NS_TRY(ns_take(&memory, requests, sizeof *s->request, budget, err));
    s->request = memory;
    NS_TRY(ns_take(&memory, words, sizeof *s->marks, budget, err));
    s->marks = memory;
    NS_TRY(ns_take(&memory, words, sizeof *s->tree, budget, err));
    s->tree = memory;
    return NS_OK;
}

static ns_status take_room(const ns_trace *t, int worker, int64_t requests, ns_error *err)
{
    NS_TRY(take_columns(t, &t->store->scratch[worker], err));
    return take_requests(t, &t->store->scratch[worker], requests, err);
}

ns_status ns_trace_cache_room(ns_trace *trace, int32_t first, int32_t count, int *threads, ns_error *err)
{
    int64_t most = 0;
    const int wanted = count < trace->store->threads ? (int)count : trace->store->threads;
    for (int32_t k = first; k < first + count; k++) {
        int64_t requests = 0;
        for (int32_t i = 0; i < ns_trace_nodes_of_rack(trace, k); i++)
            requests += trace->store->stream[ns_trace_first_of_rack(trace, k) + i].counts.issued;
        most = requests > most ? requests : most;
    }
    NS_TRY(take_room(trace, 0, most, err));
    for (*threads = 1; *threads < wanted; ++*threads)
        if (take_room(trace, *threads, most, NULL) != NS_OK)
            break;
    return NS_OK;
}
