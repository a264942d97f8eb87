/* messages.c -- an exchange from a list of planned messages
 *
 * Each message is needed by its receiver alone, so no data is sent twice, and each off-node route is one run of entries
 * of one byte.
 */
#include "core/context.h"
#include "core/memory.h"
#include "core/sized.h"
#include "pattern/build.h"

#include <string.h>

static ns_status check(const ns_planned *message, size_t messages, int32_t parts, const int32_t *place, ns_error *err)
{
    int64_t all = 0;
    for (size_t i = 0; i < messages; i++) {
        const ns_planned *m = &message[i];
        NS_TRY(ns_context_turn((int64_t)i, err));
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
    char *taken = ns_calloc((size_t)parts, 1);
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
    ns_free(taken);
    return status;
}

/* ---- counting sort: `at` has one element more than there are keys ------------------------------------------------ */

enum key { BY_SENDER, BY_RECEIVER, BY_NODE };

static int32_t key_of(const ns_planned *m, enum key key, const int32_t *node_of)
{
    return key == BY_SENDER ? m->from : key == BY_RECEIVER ? m->to : node_of[m->to];
}

/* Stable sort from `from` into `to`; keys are 0 to keys - 1. */
static ns_status sort_by(enum key key, const int32_t *node_of, int32_t keys, const ns_planned *from, ns_planned *to,
                         size_t count, size_t *at, ns_error *err)
{
    memset(at, 0, ((size_t)keys + 1) * sizeof *at);
    for (size_t i = 0; i < count; i++) {
        at[key_of(&from[i], key, node_of) + 1]++;
        NS_TRY(ns_context_turn((int64_t)i, err));
    }
    for (int32_t k = 0; k < keys; k++)
        at[k + 1] += at[k];
    for (size_t i = 0; i < count; i++) {
        to[at[key_of(&from[i], key, node_of)]++] = from[i];
        NS_TRY(ns_context_turn((int64_t)i, err));
    }
    return NS_OK;
}

/* Working data of a build: messages that give parts by their places, node by node. */
typedef struct sorting {
    ns_planned *sorted, *other; /* [messages + 1] */
    size_t *at;                 /* [parts + 1] */
    int32_t *node_of;           /* [parts] by place */
} sorting;

/* Add the routes by receiver, then sender; then, for those between nodes, the lists L(M,N). */
static ns_status sort_and_add(ns_builder *builder, sorting *s, const ns_planned *message, size_t messages,
                              const int32_t *place, ns_error *err)
{
    const ns_site *site = builder->exchange->site;
    const int32_t parts = site->parts;
    const size_t keys = (size_t)(parts > site->nodes ? parts : site->nodes);
    s->sorted = ns_calloc(ns_size_add(messages, 1), sizeof *s->sorted);
    s->other = ns_calloc(ns_size_add(messages, 1), sizeof *s->other);
    s->at = ns_calloc(keys + 1, sizeof *s->at);
    s->node_of = ns_calloc((size_t)parts, sizeof *s->node_of);
    if (s->sorted == NULL || s->other == NULL || s->at == NULL || s->node_of == NULL)
        return ns_no_memory(err);
    ns_planned *sorted = s->sorted;
    for (int32_t i = 0; i < parts; i++)
        s->node_of[i] = site->node_of[site->part[i]];
    for (size_t i = 0; i < messages; i++) {
        NS_TRY(ns_context_turn((int64_t)i, err));
        sorted[i] = message[i];
        if (place != NULL) {
            sorted[i].from = place[message[i].from];
            sorted[i].to = place[message[i].to];
        }
    }
    NS_TRY(sort_by(BY_SENDER, NULL, parts, sorted, s->other, messages, s->at, err));
    NS_TRY(sort_by(BY_RECEIVER, NULL, parts, s->other, sorted, messages, s->at, err));

    size_t routes = 0, off_node = 0; /* repeated messages are adjacent and are summed */
    for (size_t i = 0; i < messages; i++) {
        NS_TRY(ns_context_turn((int64_t)i, err));
        if (routes > 0 && sorted[routes - 1].to == sorted[i].to && sorted[routes - 1].from == sorted[i].from)
            sorted[routes - 1].bytes += sorted[i].bytes;
        else
            sorted[routes++] = sorted[i];
    }
    for (size_t i = 0; i < routes; i++)
        NS_TRY(ns_builder_route(builder, site->part[sorted[i].from], site->part[sorted[i].to], sorted[i].bytes, err));

    /* routes between nodes in the order of L(M,N): by receiving node, then the places of sender and receiver */
    for (size_t i = 0; i < routes; i++) {
        NS_TRY(ns_context_turn((int64_t)i, err));
        if (s->node_of[sorted[i].from] != s->node_of[sorted[i].to])
            sorted[off_node++] = sorted[i];
    }
    NS_TRY(sort_by(BY_SENDER, NULL, parts, sorted, s->other, off_node, s->at, err));
    NS_TRY(sort_by(BY_NODE, s->node_of, site->nodes, s->other, sorted, off_node, s->at, err));
    for (size_t i = 0; i < off_node; i++) {
        const int32_t node = s->node_of[sorted[i].to], local = sorted[i].to - site->first[node];
        NS_TRY(ns_builder_entries(builder, site->part[sorted[i].from], sorted[i].bytes, node, &local, 1, err));
    }
    return ns_builder_finish(builder, err);
}

static ns_status build(const ns_planned *message, size_t messages, ns_layout layout, const ns_site *site,
                       const int32_t *place, const ns_limits *limits, ns_exchange **exchange, ns_error *err)
{
    ns_limits given;
    NS_TRY(ns_limits_take(limits, &given, err));
    ns_budget budget = {.limit = given.max_memory};
    ns_work work = {.limit = given.max_work};
    const double scratch = (double)messages * 3 * sizeof *message;
    NS_TRY(ns_budget_check(&budget, scratch, err)); /* the input, and its sorted copies */
    budget.used = (int64_t)scratch;
    ns_builder builder = {0};
    sorting s = {0};
    ns_status status = ns_builder_open(&builder, layout, site, 1, &budget, err);
    builder.work = &work;
    if (status == NS_OK)
        builder.exchange->planned = true;
    if (status == NS_OK)
        status = sort_and_add(&builder, &s, message, messages, place, err);
    ns_free(s.sorted);
    ns_free(s.other);
    ns_free(s.at);
    ns_free(s.node_of);
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
    ns_error_clear(err);
    NS_TRY(ns_layout_check(layout, err));
    NS_TRY(check(message, messages, layout.parts, place, err));
    return build(message, messages, layout, NULL, place, limits, exchange, err);
}

ns_status ns_exchange_from_messages(const ns_planned *message, size_t messages, ns_layout layout, const int32_t *place,
                                    ns_exchange **exchange, ns_error *err)
{
    ns_error_clear(err);
    const ns_limits none = {0};
    return ns_exchange_from_messages_within(message, messages, layout, place, &none, exchange, err);
}

ns_status ns_exchange_from_messages_on(const ns_planned *message, size_t messages, const ns_site *site,
                                       ns_exchange **exchange, ns_error *err)
{
    ns_error_clear(err);
    const ns_limits none = {0};
    NS_TRY(check(message, messages, site->parts, NULL, err));
    int32_t *place = ns_malloc(ns_size_mul((size_t)site->parts, sizeof *place));
    if (place == NULL)
        return ns_no_memory(err);
    for (int32_t i = 0; i < site->parts; i++)
        place[site->part[i]] = i;
    ns_status status =
        build(message, messages, (ns_layout){site->parts, site->per_node}, site, place, &none, exchange, err);
    ns_free(place);
    return status;
}

ns_status ns_exchange_alltoall(ns_layout layout, int64_t bytes, const ns_limits *limits, ns_exchange **exchange,
                               ns_error *err)
{
    ns_error_clear(err);
    ns_limits given;
    NS_TRY(ns_limits_take(limits, &given, err));
    NS_TRY(ns_layout_check(layout, err));
    const ns_budget budget = {.limit = given.max_memory};
    const size_t parts = (size_t)layout.parts, count = ns_size_mul(parts, parts - 1);
    NS_TRY(ns_budget_check(&budget, (double)count * sizeof(ns_planned), err));
    ns_planned *message = ns_calloc(ns_size_add(count, 1), sizeof *message);
    if (message == NULL)
        return ns_no_memory(err);
    size_t used = 0;
    ns_status status = NS_OK;
    for (int32_t to = 0; status == NS_OK && to < layout.parts; to++, status = ns_context_tick(layout.parts, err))
        for (int32_t from = 0; from < layout.parts; from++)
            if (from != to)
                message[used++] = (ns_planned){from, to, bytes};
    if (status == NS_OK)
        status = ns_exchange_from_messages_within(message, count, layout, NULL, limits, exchange, err);
    ns_free(message);
    return status;
}
