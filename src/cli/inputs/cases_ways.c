/* cases_ways.c -- which ways by groups of ranks, of all that there are, deserve a row beside the strategies
 *
 * Groups of the ranks of a socket, and of each power of two that divides those of a node, on nodes of many host
 * processes, by strategies of which such ways were measured somewhere: so far two-step.  The fastest is compared with
 * the strategies where it gains 5 % or more over the best of them; less is within what no price can tell apart, and
 * one more way that is as good as the others takes from the P(best) of each.  Where every process sends to nearly every
 * other, the library's own exchange and that of rounds are tried as well.
 */
#include "cli/inputs/cases.h"

#include <string.h>

/* Routes that are looked at for all groups together: about a second.  Larger exchanges have fewer sizes tried, those of
 * more than ROUTES_MOST none. */
#define ROUTES_TRIED (INT64_C(1) << 22)
#define ROUTES_MOST  (INT64_C(1) << 23)
enum { SIZES = 8, MANY = 32 };
static const double GAIN = 0.95; /* of the best strategy's time */

static bool is_searched(const ns_exchange *x, const ns_machine *machine)
{
    return machine->gpus == 0 && x->nodes > 1 && x->routes > 0;
}

/* Sizes of groups, the largest first, as many as may be tried. */
static int sizes_of(const ns_exchange *x, const ns_machine *machine, int32_t sizes[SIZES])
{
    const int32_t sockets = x->site->sockets > 0 ? x->site->sockets : machine->sockets;
    if (x->per_node < MANY)
        return 0;
    const int64_t tried = ROUTES_TRIED / x->routes / 2, most = tried == 0 && x->routes <= ROUTES_MOST ? 1 : tried;
    int count = 0;
    if (sockets > 1 && sockets < x->per_node)
        sizes[count++] = NS_GROUP_SOCKET;
    for (int32_t power = 1 << 30; power > 1; power /= 2)
        if (power < x->per_node && x->per_node % power == 0 && count < SIZES &&
            (count == 0 || (int64_t)power * sockets != x->per_node))
            sizes[count++] = power;
    return most < count ? (int)most : count;
}

static ns_status list_ways(ns_made_ways *made, const ns_exchange *x, const int32_t *sizes, int count,
                           const ns_strategy **list, size_t *ways, ns_error *err)
{
    const ns_strategy *all[NS_CHOICES];
    const size_t strategies = ns_strategies_by_rank(all, NS_CHOICES);
    *ways = 0;
    for (size_t s = 0; s < strategies; s++)
        for (int i = 0; i < count && ns_strategy_has_groups(all[s]); i++) {
            NS_TRY(ns_way_of_groups(made, all[s], sizes[i], &list[*ways], err));
            *ways += list[*ways]->scored_on[0] != NULL; /* the others only by name */
        }
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL && ns_exchange_is_dense(x); s++)
        if ((*s)->forms != NULL)
            list[(*ways)++] = *s;
    return NS_OK;
}

/* The fastest of some ways; its quote is in the workspace until the next. */
static ns_status find_fastest(ns_cases *p, size_t i, const ns_strategy *const *list, size_t ways,
                              const ns_quoted **fastest, ns_error *err)
{
    ns_selection selection = p->selection;
    int quotes;
    selection.strategy = list;
    selection.strategies = ways;
    NS_TRY(ns_quote(p->of[i].exchange, p->of[i].machine, &selection, p->workspace, &quotes, err));
    *fastest = NULL;
    for (int k = 0; k < quotes; k++) {
        const ns_quoted *one = ns_quote_at(p->workspace, k);
        if (*fastest == NULL || one->price.estimate_s < (*fastest)->price.estimate_s)
            *fastest = one;
    }
    return NS_OK;
}

static ns_status compare_with(ns_cases *p, size_t i, const ns_strategy *more, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    ns_selection selection = p->selection;
    size_t count = ns_strategies_by_rank(list, NS_CHOICES - 1);
    list[count++] = more;
    selection.strategy = list;
    selection.strategies = count;
    return ns_compare_again(p->of[i].exchange, p->of[i].machine, &selection, p->workspace, &p->comparison[i], err);
}

static ns_status search(ns_cases *p, size_t i, ns_error *err)
{
    const ns_exchange *x = p->of[i].exchange;
    const ns_comparison *c = &p->comparison[i];
    ns_searched *searched = &p->of[i].searched;
    const ns_strategy *list[NS_SEARCHED];
    const ns_quoted *fastest;
    int32_t sizes[SIZES];
    size_t ways;
    if (!is_searched(x, p->of[i].machine))
        return NS_OK;
    NS_TRY(list_ways(&p->made, x, sizes, sizes_of(x, p->of[i].machine, sizes), list, &ways, err));
    if (ways == 0)
        return NS_OK;
    NS_TRY(find_fastest(p, i, list, ways, &fastest, err));
    if (fastest == NULL)
        return NS_OK;
    searched->ways = ways;
    searched->fastest = fastest->strategy;
    searched->transport = fastest->transport;
    searched->seconds = fastest->price.estimate_s;
    for (size_t k = 0; k < ways; k++)
        searched->way[k] = list[k];
    return searched->seconds < GAIN * c->choice[c->best].price.estimate_s ? compare_with(p, i, fastest->strategy, err)
                                                                          : NS_OK;
}

ns_status ns_cases_search(ns_cases *p, ns_error *err)
{
    for (size_t i = 0; i < p->count && p->selection.strategies == 0 && p->network == NULL; i++)
        NS_TRY(search(p, i, err));
    return NS_OK;
}
