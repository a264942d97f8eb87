/* messages.c -- an exchange from a list of planned messages
 *
 * Each message is needed by its receiver alone, so nothing is sent twice and each off-node route is one run of one byte
 * wide entries.
 */
#include "core/memory.h"
#include "pattern/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_receiver(const void *a, const void *b)
{
    const ns_planned *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* By receiving node, then the places of sender and receiver: the order of L(M,N). */
typedef struct routed {
    int32_t node, from, to;
    int64_t bytes;
} routed;

static int by_list(const void *a, const void *b)
{
    const routed *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static ns_status check(const ns_planned *message, size_t messages, int32_t parts, const int32_t *place, ns_error *err)
{
    int64_t all = 0;
    for (size_t i = 0; i < messages; i++) {
        const ns_planned *m = &message[i];
        if (m->from < 0 || m->from >= parts || m->to < 0 || m->to >= parts)
            return ns_fail(err, NS_ERR_RANGE, "message %zu goes from %d to %d, but there are %d parts", i + 1,
                           (int)m->from, (int)m->to, (int)parts);
        if (m->from == m->to)
            return ns_fail(err, NS_ERR_RANGE, "message %zu goes from part %d to itself", i + 1, (int)m->from);
        if (m->bytes < 1 || m->bytes > INT64_C(1) << 53)
            return ns_fail(err, NS_ERR_RANGE, "message %zu wants 1 B to 2^53 B, got %lld", i + 1, (long long)m->bytes);
        all += m->bytes;
        if (all > INT64_C(1) << 53)
            return ns_fail(err, NS_ERR_RANGE, "messages 1 to %zu carry more than 2^53 B together", i + 1);
    }
    if (place == NULL)
        return NS_OK;
    char *taken = calloc((size_t)parts, 1);
    if (taken == NULL)
        return ns_no_memory(err);
    ns_status status = NS_OK;
    for (int32_t p = 0; status == NS_OK && p < parts; p++) {
        if (place[p] < 0 || place[p] >= parts || taken[place[p]])
            status = ns_fail(err, NS_ERR_RANGE, "place[%d] = %d: places have to be a permutation of 0 to %d", (int)p,
                             (int)place[p], (int)parts - 1);
        else
            taken[place[p]] = 1;
    }
    free(taken);
    return status;
}

/* Renumber, sort by receiver and sender, add up repeats; returns how many remain. */
static size_t merge_repeats(ns_planned *sorted, size_t count, const int32_t *place)
{
    for (size_t i = 0; place != NULL && i < count; i++) {
        sorted[i].from = place[sorted[i].from];
        sorted[i].to = place[sorted[i].to];
    }
    qsort(sorted, count, sizeof *sorted, by_receiver);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && by_receiver(&sorted[kept - 1], &sorted[i]) == 0)
            sorted[kept - 1].bytes += sorted[i].bytes;
        else
            sorted[kept++] = sorted[i];
    return kept;
}

/* Routes and runs; sorted names parts by their places, node by node. */
static ns_status add_all(ns_builder *builder, const ns_planned *sorted, size_t count, routed *list, ns_error *err)
{
    const ns_site *site = builder->exchange->site;
    size_t off_node = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t from = site->part[sorted[i].from], to = site->part[sorted[i].to];
        NS_TRY(ns_builder_route(builder, from, to, sorted[i].bytes, err));
        if (site->node_of[from] != site->node_of[to])
            list[off_node++] = (routed){site->node_of[to], sorted[i].from, sorted[i].to, sorted[i].bytes};
    }
    qsort(list, off_node, sizeof *list, by_list);
    for (size_t i = 0; i < off_node; i++) {
        const int32_t local = list[i].to - site->first[list[i].node];
        NS_TRY(ns_builder_entries(builder, site->part[list[i].from], list[i].bytes, list[i].node, &local, 1, err));
    }
    return ns_builder_finish(builder, err);
}

static ns_status build(const ns_planned *message, size_t messages, ns_layout layout, const ns_site *site,
                       const int32_t *place, const ns_limits *limits, ns_exchange **exchange, ns_error *err)
{
    ns_budget budget = {.limit = limits != NULL ? limits->max_memory : 0};
    ns_work work = {.limit = limits != NULL ? limits->max_work : 0};
    const double scratch = (double)messages * (sizeof *message + sizeof(ns_planned) + sizeof(routed));
    NS_TRY(ns_budget_check(&budget, scratch, err)); /* what is given, its sorted copy and its list */
    budget.used = (int64_t)scratch;
    ns_builder builder = {0};
    ns_planned *sorted = malloc(ns_size_mul(ns_size_add(messages, 1), sizeof *sorted));
    routed *list = malloc(ns_size_mul(ns_size_add(messages, 1), sizeof *list));
    ns_status status = sorted != NULL && list != NULL ? ns_builder_open(&builder, layout, site, 1, &budget, err)
                                                      : ns_no_memory(err);
    if (status == NS_OK) {
        builder.work = &work;
        if (messages > 0)
            memcpy(sorted, message, messages * sizeof *sorted);
        status = add_all(&builder, sorted, merge_repeats(sorted, messages, place), list, err);
    }
    free(sorted);
    free(list);
    if (status != NS_OK) {
        ns_exchange_free(builder.exchange);
        return status;
    }
    *exchange = builder.exchange;
    return NS_OK;
}

ns_status ns_exchange_from_messages_within(const ns_planned *message, size_t messages, ns_layout layout,
                                           const int32_t *place, const ns_limits *limits, ns_exchange **exchange,
                                           ns_error *err)
{
    NS_TRY(ns_layout_check(layout, err));
    NS_TRY(check(message, messages, layout.parts, place, err));
    return build(message, messages, layout, NULL, place, limits, exchange, err);
}

ns_status ns_exchange_from_messages(const ns_planned *message, size_t messages, ns_layout layout, const int32_t *place,
                                    ns_exchange **exchange, ns_error *err)
{
    const ns_limits none = {0};
    return ns_exchange_from_messages_within(message, messages, layout, place, &none, exchange, err);
}

ns_status ns_exchange_from_messages_on(const ns_planned *message, size_t messages, const ns_site *site,
                                       ns_exchange **exchange, ns_error *err)
{
    const ns_limits none = {0};
    NS_TRY(check(message, messages, site->parts, NULL, err));
    int32_t *place = malloc(ns_size_mul((size_t)site->parts, sizeof *place));
    if (place == NULL)
        return ns_no_memory(err);
    for (int32_t i = 0; i < site->parts; i++)
        place[site->part[i]] = i;
    ns_status status =
        build(message, messages, (ns_layout){site->parts, site->per_node}, site, place, &none, exchange, err);
    free(place);
    return status;
}

ns_status ns_exchange_alltoall(ns_layout layout, int64_t bytes, const ns_limits *limits, ns_exchange **exchange,
                               ns_error *err)
{
    NS_TRY(ns_layout_check(layout, err));
    const ns_budget budget = {.limit = limits != NULL ? limits->max_memory : 0};
    const size_t parts = (size_t)layout.parts, count = ns_size_mul(parts, parts - 1);
    NS_TRY(ns_budget_check(&budget, (double)count * sizeof(ns_planned), err));
    ns_planned *message = calloc(ns_size_add(count, 1), sizeof *message);
    if (message == NULL)
        return ns_no_memory(err);
    size_t used = 0;
    for (int32_t to = 0; to < layout.parts; to++)
        for (int32_t from = 0; from < layout.parts; from++)
            if (from != to)
                message[used++] = (ns_planned){from, to, bytes};
    const ns_status status = ns_exchange_from_messages_within(message, count, layout, NULL, limits, exchange, err);
    free(message);
    return status;
}
