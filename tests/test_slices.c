/* test_slices.c -- which entries of L a slice names, against a list of them one by one */
#include "core/memory.h"
#include "schedule/pieces.h"
#include "support/quotes.h"
#include "support/test.h"

/* The entries of the pair from..to's L, in order, that come from a part (-1: any) and that a part needs. */
static int64_t list_entries(const ns_exchange *x, const ns_pair *pair, int32_t origin, int32_t needs, int64_t *list)
{
    int64_t count = 0;
    for (int64_t r = pair->run; r < pair->run + pair->runs; r++)
        for (int64_t e = 0; e < x->run[r].entries; e++)
            for (int32_t k = 0; k < x->run[r].needers; k++)
                if ((origin < 0 || x->run[r].origin == origin) && x->needer[x->run[r].needer + k] == needs)
                    list[count++] = x->run[r].first + e;
    return count;
}

/* The pieces of a slice name these entries of the pair, in this order. */
static void check_slice(const ns_exchange *x, const ns_slice *slice, int64_t key, const int64_t *list, int64_t count)
{
    ns_pieces pieces = {NULL, 0, 0};
    int64_t at = 0;
    bool good = true;
    ck_assert_int_eq(ns_slice_pieces(x, slice, &pieces, NULL), NS_OK);
    for (int64_t i = 0; i < pieces.count; i++) {
        const ns_piece *p = &pieces.piece[i];
        good = good && p->key == key && p->entries > 0;
        for (int64_t e = 0; e < p->entries; e++, at++)
            good = good && at < count && list[at] == p->first + e;
    }
    ck_assert_msg(good && at == count, "entries %lld and %lld more of %d -> %d", (long long)slice->first,
                  (long long)slice->entries, (int)slice->from, (int)slice->to);
    ns_pieces_free(&pieces);
}

static int64_t pair_of(const ns_exchange *x, const ns_route *route)
{
    const int32_t from = x->site->node_of[route->from], to = x->site->node_of[route->to];
    for (int64_t i = 0; i < x->pairs; i++)
        if (from != to && x->pair[i].from == from && x->pair[i].to == to)
            return i;
    return -1;
}

/* Part of a route between nodes, as entries of L; part of L, of which one part needs some. */
static void check_route(oracle_random *random, const ns_exchange *x, const ns_route *route, int64_t *list)
{
    const int64_t key = pair_of(x, route);
    if (key < 0)
        return;
    const int64_t count = list_entries(x, &x->pair[key], route->from, route->to, list);
    const int64_t first = oracle_below(random, count + 1), entries = oracle_below(random, count - first + 1);
    ck_assert_int_eq(count, route->entries);
    const ns_slice crossing = {
        .pair = -1, .first = first, .entries = entries, .from = route->from, .to = route->to, .only = -1};
    check_slice(x, &crossing, key, list + first, entries);

    const int64_t all = x->pair[key].entries, begin = oracle_below(random, all + 1),
                  wide = oracle_below(random, all - begin + 1);
    const ns_slice needed = {.pair = key, .first = begin, .entries = wide, .from = -1, .to = -1, .only = route->to};
    const int64_t needs = list_entries(x, &x->pair[key], -1, route->to, list);
    int64_t low = 0, high = 0;
    for (int64_t i = 0; i < needs; i++) {
        low += list[i] < begin;
        high += list[i] < begin + wide;
    }
    check_slice(x, &needed, key, list + low, high - low);
}

TEST_EACH(entries, 30)
{
    oracle_random random = {(uint64_t)_i + 11};
    const ns_layout layout = {12, 4};
    const ns_exchange_options options = {.width = 8};
    oracle_matrix matrix;
    ns_exchange *x = NULL;
    oracle_random_matrix(&random, 200, 200, 1500, _i % 3, &matrix);
    ck_assert(ns_exchange_from_csr(200, 200, matrix.row_start, matrix.col_of, layout, &options, &x, NULL) == NS_OK);
    int64_t most = 0;
    for (int64_t i = 0; i < x->pairs; i++)
        most = x->pair[i].entries > most ? x->pair[i].entries : most;
    int64_t *list = ns_malloc((size_t)(most + 1) * sizeof *list);
    for (int64_t i = 0; i < x->routes; i++)
        check_route(&random, x, &x->route[i], list);
    ck_assert_int_gt(x->pairs, 0);
    ns_free(list);
    ns_exchange_free(x);
    oracle_matrix_free(&matrix);
}
