/* cases.c -- from a command line to the cases that predict prices: every machine with every number of parts */
#include "cli/inputs/cases.h"
#include "cli/front/progress.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* ---- the cases of predict on other network hardware: --network --------------------------------------------------- */

/* ---- what is wanted ---------------------------------------------------------------------------------------------- */

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* --set of a number that the network's file has changes it there. */
static ns_status open_hardware(const ns_cases *p, ns_machine **hardware, bool *own_link, ns_error *err)
{
    static const char rate[] = "models.rig-batch.rate=";
    const char *assignment;
    NS_TRY(ns_machine_load(p->network->hardware, hardware, err));
    *own_link = false;
    for (int i = 0; (assignment = ns_args_at(p->args, "set", i)) != NULL; i++) {
        ns_machine *changed;
        if (!ns_machine_has(*hardware, assignment))
            continue;
        NS_TRY(ns_machine_with(*hardware, assignment, &changed, err));
        ns_machine_free(*hardware);
        *hardware = changed;
        *own_link = *own_link || strncmp(assignment, rate, sizeof rate - 1) == 0;
    }
    return NS_OK;
}

static ns_status put_under(ns_cases *p, const ns_machine *hardware, bool own_link, ns_error *err)
{
    const size_t each = p->count / p->machines;
    for (size_t i = 0; i < p->machines; i++) {
        NS_TRY(
            ns_fabric_open(p->network, hardware, own_link, p->machine[i], p->selection.price.form, &p->fabric[i], err));
        for (size_t k = i * each; k < (i + 1) * each; k++)
            p->of[k].machine = p->fabric[i]->machine;
    }
    return NS_OK;
}

/* Put it under every machine: of[] changes to what is priced. */
static ns_status ns_cases_network(ns_cases *p, ns_error *err)
{
    ns_machine *hardware = NULL;
    bool own_link;
    /* Strategies stay in order; what is no strategy of messages is left out of them. */
    const unsigned every = (1u << NS_TRANSPORTS) - 1, nic = 1u << NS_VIA_NIC;
    size_t kept = 0;
    bool gather = p->selection.strategies == 0;
    for (size_t i = 0; i < p->selection.strategies; i++)
        if (p->wanted[i] == &ns_strategy_in_network_gather)
            gather = true;
        else
            p->wanted[kept++] = p->wanted[i];
    p->messages = p->selection;
    p->messages.strategies = kept;
    p->messages.transports &= every;
    p->wants_messages = (kept > 0 || p->selection.strategies == 0) &&
                        (p->selection.transports == 0 || (p->selection.transports & every) != 0);
    p->wants_gather = gather && (p->selection.transports == 0 || (p->selection.transports & nic) != 0);
    p->fabric = ns_calloc(p->machines, sizeof *p->fabric);
    if (p->fabric == NULL)
        return ns_no_memory(err);
    ns_status status = open_hardware(p, &hardware, &own_link, err);
    if (status == NS_OK)
        status = put_under(p, hardware, own_link, err);
    ns_machine_free(hardware);
    return status;
}

/* Price one case on it. */
static ns_status ns_case_on_network(ns_cases *p, size_t i, ns_error *err)
{
    ns_progress_job job = {.progress = p->args->progress, .what = "gathering", .unit = " nodes"};
    ns_selection selection = p->messages;
    const ns_network_request request = {.exchange = p->of[i].exchange,
                                        .matrix = p->inputs.matrix,
                                        .part = p->inputs.part,
                                        .max_memory = p->inputs.limits.max_memory,
                                        .messages = p->wants_messages,
                                        .gathers = p->wants_gather,
                                        .watch = ns_progress_tell,
                                        .watcher = &job};
    const ns_status status = ns_network_compare(p->fabric[i / (p->count / p->machines)], &request, &selection,
                                                p->workspace, &p->comparison[i], &p->of[i].network, err);
    ns_progress_clear(p->args->progress);
    return status;
}

enum { CASES_MOST = 4096 };

typedef struct selecting {
    bool network; /* what networks do by themselves may be named */
    ns_selection *selection;
    const ns_strategy **wanted;
    ns_made_ways *made; /* NULL: none with groups or a grid */
    unsigned *by;       /* transports that strategies were named with: two-step:8/host */
} selecting;

/* Call with each comma-separated word of an option. */
static ns_status each_word(const char *list, ns_status (*take)(const selecting *, const char *, ns_error *),
                           const selecting *to, ns_error *err)
{
    while (list != NULL) {
        char word[64];
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), list);
        NS_TRY(take(to, word, err));
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return NS_OK;
}

static ns_status named(bool network, const char *word, ns_made_ways *made, const ns_strategy **list, size_t most,
                       size_t *count, ns_error *err)
{
    if (!network || strcmp(word, ns_strategy_in_network_gather.name) != 0 || most == 0)
        return made != NULL ? ns_ways_named(made, word, list, most, count, err)
                            : ns_strategies_named(word, list, most, count, err);
    list[0] = &ns_strategy_in_network_gather;
    *count = 1;
    return NS_OK;
}

static ns_status transport_of(bool network, const char *word, ns_transport *transport, ns_error *err)
{
    if (!network || strcmp(word, ns_transport_words[NS_VIA_NIC]) != 0)
        return ns_transport_get(word, transport, err);
    *transport = NS_VIA_NIC;
    return NS_OK;
}

static ns_status take_strategy(const selecting *to, const char *word, ns_error *err)
{
    size_t more;
    const size_t have = to->selection->strategies, length = ns_way_name_length(word);
    char name[64];
    ns_transport transport;
    unsigned by = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    NS_TRY(named(to->network, name, to->made, to->wanted + have, NS_CHOICES - have, &more, err));
    if (word[length] == '/') {
        NS_TRY(transport_of(to->network, word + length + 1, &transport, err));
        by = 1u << transport;
    }
    if (have > 0 && by != *to->by)
        return ns_fail(
            err, NS_ERR_USAGE,
            "--strategy names transports of some strategies only, or different ones; wanted the same for all, "
            "or --transport");
    *to->by = by;
    to->selection->strategy = to->wanted;
    to->selection->strategies += more;
    return NS_OK;
}

static ns_status take_transport(const selecting *to, const char *word, ns_error *err)
{
    ns_transport transport;
    NS_TRY(transport_of(to->network, word, &transport, err));
    to->selection->transports |= 1u << transport;
    return NS_OK;
}

ns_status ns_selection_read(const ns_args *args, const ns_strategy **wanted, ns_made_ways *made,
                            ns_selection *selection, ns_error *err)
{
    unsigned by = 0;
    const selecting to = {ns_args_get(args, "network") != NULL, selection, wanted, made, &by};
    NS_TRY(each_word(ns_args_get(args, "strategy"), take_strategy, &to, err));
    if (by != 0 && ns_args_get(args, "transport") != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--strategy names a transport already; wanted no --transport with it");
    selection->transports |= by;
    return each_word(ns_args_get(args, "transport"), take_transport, &to, err);
}

int32_t ns_machine_parts(const ns_machine *machine)
{
    return machine->gpus > 0 ? machine->gpus : machine->host_processes;
}

/* The numbers asked for, of parts or of nodes; a partition or messages fix them where nothing is. */
static ns_status choose_numbers(ns_cases *p, const char *option, int32_t **numbers, size_t *count, ns_error *err)
{
    if (option != NULL)
        return ns_args_counts(p->args, option, 1, NS_PARTS_MOST, numbers, count, err);
    if (p->inputs.parts == 0) {
        /* Of the usual numbers, rising, those of which each part has a row. */
        int32_t *usual;
        size_t all, kept = 0;
        NS_TRY(ns_args_counts(p->args, "gpus", 1, NS_PARTS_MOST, &usual, &all, err));
        while (kept < all && ns_inputs_check_rows(&p->inputs, "gpus", usual[kept], usual[kept], NULL) == NS_OK)
            kept++;
        if (kept == 0) {
            const int least = (int)usual[0];
            ns_free(usual);
            return ns_fail(err, NS_ERR_DATA,
                           "%s has %lld rows, fewer than the %d parts of the first usual case; wanted "
                           "--gpus with fewer",
                           ns_matrix_describe(p->inputs.matrix)->name,
                           (long long)ns_matrix_describe(p->inputs.matrix)->rows, least);
        }
        p->left_out = kept < all ? usual[kept] : 0;
        *numbers = usual;
        *count = kept;
        return NS_OK;
    }
    *numbers = ns_malloc(sizeof **numbers);
    if (*numbers == NULL)
        return ns_no_memory(err);
    (*numbers)[0] = p->inputs.parts;
    *count = 1;
    return NS_OK;
}

static ns_status make_layouts(ns_cases *p, const char *option, const int32_t *numbers, size_t count, ns_error *err)
{
    int32_t per_node = 0;
    if (ns_args_get(p->args, "per-node") != NULL)
        NS_TRY(ns_args_count(p->args, "per-node", 1, NS_PARTS_MOST, &per_node, err));
    p->count = p->machines * count;
    if (p->count > CASES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu cases are too many", p->count);
    p->layout = ns_calloc(p->count, sizeof *p->layout);
    p->of = ns_calloc(p->count, sizeof *p->of);
    p->comparison = ns_calloc(p->count, sizeof *p->comparison);
    if (p->layout == NULL || p->of == NULL || p->comparison == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < p->count; i++) {
        ns_layout *layout = &p->layout[i];
        p->of[i].machine = p->machine[i / count];
        layout->per_node = per_node > 0 ? per_node : ns_machine_parts(p->of[i].machine);
        NS_TRY(ns_parts_of(option, numbers[i % count], layout->per_node, &layout->parts, err));
        /* what a partition or messages have, unless more is asked for */
        if (layout->parts < p->inputs.parts || (p->inputs.part != NULL && layout->parts != p->inputs.parts))
            return ns_fail(err, NS_ERR_DATA, "the %s has %d parts, --%s says %d",
                           p->inputs.part != NULL ? "partition" : "exchange", (int)p->inputs.parts,
                           option != NULL ? option : "gpus", (int)layout->parts);
        NS_TRY(ns_inputs_check_rows(&p->inputs, option, numbers[i % count], layout->parts, err));
    }
    return NS_OK;
}

/* One process a node that nobody said or measured: every way would send the same messages. */
static ns_status check_alone(const ns_cases *p, ns_error *err)
{
    for (size_t i = 0; i < p->machines && !ns_args_has(p->args, "per-node"); i++) {
        const ns_machine *m = p->machine[i];
        const bool gpus = m->gpus > 0;
        const ns_parameter *count = ns_machine_parameter(m, gpus ? "topology.gpus" : "topology.host_processes");
        if (ns_machine_parts(m) == 1 && count != NULL && ns_parameter_assumed(count))
            return ns_fail(
                err, NS_ERR_DATA,
                "%s has one %s a node as far as its logs show, so strategies cannot differ; wanted "
                "--per-node N here, or --%s N of fit, and what `nsmodel machines %s --check` lists as missing "
                "or assumed",
                m->name, gpus ? "GPU" : "process", gpus ? "gpus" : "processes", ns_machine_handle(m));
    }
    return NS_OK;
}

static bool is_wanted(const ns_selection *selection, const ns_strategy *strategy, const ns_machine *machine)
{
    bool runs = false, named = selection->strategies == 0;
    for (int t = 0; t < NS_TRANSPORTS; t++)
        runs = runs || ((selection->transports == 0 || (selection->transports & 1u << t) != 0) &&
                        ns_strategy_runs(strategy, (ns_transport)t, machine));
    for (size_t i = 0; i < selection->strategies; i++)
        named = named || selection->strategy[i] == strategy;
    return runs && named;
}

/* What is sent and received is added up, in each step, for every process: at least two numbers, the largest of the
 * wanted strategies'. */
static ns_status check_memory(const ns_cases *p, size_t i, ns_error *err)
{
    const ns_exchange *x = p->of[i].exchange;
    const ns_machine *machine = p->of[i].machine;
    const ns_budget budget = {.limit = p->inputs.limits.max_memory};
    double most = 0;
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        if (is_wanted(&p->selection, *s, machine))
            most = fmax(most, (double)ns_strategy_steps(*s) * x->nodes *
                                  ((*s)->all_processes ? fmax(machine->host_processes, x->per_node) : x->per_node));
    return ns_budget_check(&budget, most * 2 * sizeof(int64_t), err);
}

ns_status ns_incumbent_read(const ns_args *args, const ns_strategy **list, ns_made_ways *made, ns_selection *selection,
                            ns_error *err)
{
    const char *text = ns_args_get(args, "incumbent");
    char name[60];
    if (text == NULL)
        return NS_OK;
    const size_t length = ns_way_name_length(text);
    const bool network = ns_args_get(args, "network") != NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    NS_TRY(named(network, name, made, list, NS_CHOICES, &selection->incumbents, err));
    selection->incumbent = list;
    const bool gathers = list[0] == &ns_strategy_in_network_gather;
    return transport_of(
        network, text[length] == '/' ? text + length + 1 : ns_transport_words[gathers ? NS_VIA_NIC : NS_VIA_HOST],
        &selection->incumbent_transport, err);
}

/* How many parts of all cases have been compared: cases that are done, and a share of the one under way. */
typedef struct comparing {
    ns_progress *progress;
    double done, parts, total;
} comparing;

static void show_comparing(void *context, double done, double total)
{
    const comparing *c = context;
    ns_progress_show(c->progress, "comparing ways", "parts", c->done + c->parts * done / total, c->total);
}

static ns_status prepare(ns_cases *p, ns_error *err)
{
    const char *option;
    int32_t *numbers;
    size_t count;
    NS_TRY(ns_price_options_read(p->args, &p->selection.price, err));
    if (ns_args_get(p->args, "network") != NULL)
        NS_TRY(ns_network_kind_get(ns_args_get(p->args, "network"), &p->network, err));
    NS_TRY(ns_inputs_open(p->args, &p->inputs, err));
    NS_TRY(ns_selection_read(p->args, p->wanted, &p->made, &p->selection, err));
    NS_TRY(ns_incumbent_read(p->args, p->in_use, &p->made, &p->selection, err));
    /* what is in use stands beside all strategies, where it is none of these and none are named */
    ns_selection *selection = &p->selection;
    if (selection->strategies == 0 && selection->incumbents == 1 && strchr(p->in_use[0]->name, ':') != NULL) {
        selection->strategies = ns_strategies_by_rank(p->wanted, NS_CHOICES - 1);
        p->wanted[selection->strategies++] = p->in_use[0];
        selection->strategy = p->wanted;
    }
    NS_TRY(ns_machines_open(p->args, &p->machine, &p->machines, err));
    NS_TRY(check_alone(p, err));
    NS_TRY(ns_parts_option(p->args, &option, err));
    NS_TRY(choose_numbers(p, option, &numbers, &count, err));
    ns_status status = make_layouts(p, option, numbers, count, err);
    ns_free(numbers);
    NS_TRY(status);
    p->inputs.groups = true;
    ns_exchange **exchange = ns_calloc(p->count, sizeof *exchange);
    if (exchange == NULL)
        return ns_no_memory(err);
    status = ns_inputs_exchanges(&p->inputs, p->layout, p->count, NULL, 0, exchange, err);
    for (size_t i = 0; status == NS_OK && i < p->count; i++)
        p->of[i].exchange = exchange[i];
    ns_free(exchange);
    ns_free(p->inputs.message); /* the exchanges hold all of it */
    p->inputs.message = NULL;
    NS_TRY(status);
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(check_memory(p, i, err));
    NS_TRY(ns_workspace_open(&p->workspace, err));
    if (p->network != NULL)
        NS_TRY(ns_cases_network(p, err));
    comparing watched = {.progress = p->args->progress};
    for (size_t i = 0; i < p->count; i++)
        watched.total += p->of[i].exchange->parts;
    ns_workspace_watch(p->workspace, &(ns_watcher){show_comparing, &watched});
    if (p->network == NULL) /* which tells by itself */
        show_comparing(&watched, 0, 1);
    for (size_t i = 0; i < p->count; i++) {
        watched.parts = p->of[i].exchange->parts;
        NS_TRY(p->network != NULL ? ns_case_on_network(p, i, err)
                                  : ns_compare_again(p->of[i].exchange, p->of[i].machine, &p->selection, p->workspace,
                                                     &p->comparison[i], err));
        watched.done += watched.parts;
    }
    ns_workspace_watch(p->workspace, &(ns_watcher){NULL, NULL});
    ns_progress_clear(p->args->progress);
    return NS_OK;
}

void ns_cases_close(ns_cases *p)
{
    for (size_t i = 0; p->of != NULL && i < p->count; i++) {
        ns_networked_free(p->of[i].network);
        ns_exchange_free(p->of[i].exchange);
    }
    for (size_t i = 0; p->fabric != NULL && i < p->machines; i++)
        ns_fabric_free(p->fabric[i]);
    ns_free(p->fabric);
    ns_free(p->layout);
    ns_free(p->of);
    ns_free(p->comparison);
    ns_workspace_free(p->workspace);
    ns_machines_close(p->machine, p->machines);
    ns_inputs_close(&p->inputs);
    ns_free(p);
}

ns_status ns_cases_open(const ns_args *args, ns_cases **cases, ns_error *err)
{
    ns_cases *p = ns_calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->args = args;
    const ns_status status = prepare(p, err);
    if (status == NS_OK)
        *cases = p;
    else
        ns_cases_close(p);
    return status;
}

const ns_machine *ns_case_machine(const ns_case *of, int choice)
{
    return of->network != NULL ? ns_networked_machine(of->network, choice) : of->machine;
}

/* ---- ways by groups of ranks ------------------------------------------------------------------------------------- *
 *
 * Which of all that there are deserve a row beside the strategies.  Groups of the ranks of a socket, and of each power
 * of two that divides those of a node, on nodes of many host processes, by strategies of which such ways were measured
 * somewhere: so far two-step.  The fastest is compared with the strategies where it gains 5 % or more over the best of
 * them; less is within what no price can tell apart, and one more way that is as good as the others takes from the
 * P(best) of each.  Where every process sends to nearly every other, the library's own exchange and that of rounds are
 * tried as well.
 */

/* Routes that are looked at for all groups together: about a second.  Larger exchanges have fewer sizes tried, those of
 * more than ROUTES_MOST none. */
#define ROUTES_TRIED (INT64_C(1) << 22)
#define ROUTES_MOST  (INT64_C(1) << 23)
enum { SIZES = 8, MANY = 32 };
static const double GAIN = 0.95; /* of the best strategy's time */

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
            *ways += ns_scored_on((ns_way_of){list[*ways], NS_VIA_HOST}, 0) != NULL; /* the others only by name */
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
    if (p->of[i].machine->gpus > 0 || x->nodes == 1 || x->routes == 0)
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
