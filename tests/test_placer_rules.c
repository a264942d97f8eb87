/* test_placer_rules.c -- what a placer relies on: forms that are rising; and what it refuses */

#include "api/library.h"

#include "oracle/oracle.h"
#include "support/forms.h"
#include "support/machines.h"

#include "additions/strategies/relay.c"
#include "support/test.h"

/* ---- forms ------------------------------------------------------------------------------------------------------- */

static void raise_number(double *x, oracle_random *random)
{
    if (oracle_below(random, 3) == 0)
        *x += (double)oracle_below(random, 1 + (int64_t)*x * 2);
}

/* More of some things, and perhaps fewer partners. */
static ns_load raised(const ns_load *load, oracle_random *random)
{
    ns_load more = *load;
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int c = 0; c < NS_PROTOCOLS; c++) {
            raise_number(&more.out[l][c].messages, random);
            raise_number(&more.out[l][c].bytes, random);
            raise_number(&more.in[l][c].messages, random);
            raise_number(&more.in[l][c].bytes, random);
            raise_number(&more.node_on[l][c], random);
        }
    raise_number(&more.node_out, random);
    raise_number(&more.node_in, random);
    raise_number(&more.out_squares, random);
    raise_number(&more.in_squares, random);
    raise_number(&more.bundled, random);
    raise_number(&more.node_bundled, random);
    if (more.partners > 1)
        more.partners -= (double)oracle_below(random, (int64_t)more.partners);
    return more;
}

/* What a form says of itself, rising, is so; of direct it is not: one message more may make the mean size of those on
 * the node fall below that from which they meet. */
TEST(rising_forms)
{
    ns_machine *machine[FORM_MACHINES];
    const int machines = form_machines(machine);
    const ns_form *forms[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(forms, NS_FORMS_MAX);
    oracle_random random = {12};
    for (int m = 0; m < machines; m++) {
        for (size_t f = 0; f < count; f++)
            for (int memory = 0; memory < NS_MEMORIES; memory++) {
                ns_form_values values;
                ck_assert(forms[f]->rising == (forms[f]->rank < 6)); /* those of dense exchanges stand behind */
                if (!forms[f]->rising)
                    continue;
                ns_form_take(forms[f], machine[m], (ns_memory)memory, 0, &values);
                for (uint64_t i = 0; i < 60; i++) {
                    const ns_load load = form_load(machine[m], (ns_memory)memory, i + 60 * (uint64_t)m),
                                  more = raised(&load, &random);
                    ck_assert_double_le(form_seconds(&values, &load), form_seconds(&values, &more) * (1 + 1e-14));
                }
            }
        ns_machine_free(machine[m]);
    }
}

/* ---- dense exchanges --------------------------------------------------------------------------------------------- */

/* All to all, where quotes may take other cost models: a placer's prices are those of quotes, also of ways that have
 * cost models of their own. */
TEST(dense)
{
    enum { PARTS = 16, NODES = 4, WAYS = 4 };
    static const char *const named[WAYS] = {"standard", "three-step", "standard/pairwise", "library"};
    ns_machine *machine[FORM_MACHINES + 1];
    int machines = form_machines(machine), priced = 0;
    const ns_strategy *strategy[WAYS];
    ns_planned message[PARTS * (PARTS - 1)];
    ns_graph *graph = NULL;
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    int32_t node_of[PARTS];
    size_t count = 0;
    machine[machines++] =
        machine_with(machine_named("hpc6a"), "host.injection.eager.slowdown=1.5"); /* start-ups overlap */
    for (int32_t p = 0; p < PARTS; p++) {
        node_of[p] = p % NODES;
        for (int32_t q = 0; q < PARTS; q++)
            if (p != q)
                message[count++] = (ns_planned){p, q, 64};
    }
    for (int i = 0; i < WAYS; i++)
        ck_assert(ns_strategy_get(named[i], &strategy[i], NULL) == NS_OK);
    ck_assert(ns_graph_from_messages(message, count, PARTS, NULL, &graph, NULL) == NS_OK);
    ck_assert(ns_site_from_map(PARTS, NODES, node_of, 0, NULL, &site, NULL) == NS_OK);
    ck_assert(ns_graph_exchange(graph, site, &x, NULL) == NS_OK);
    for (int k = 0; k < 2 * machines; k++) { /* with the ways that have their own cost models, and without */
        const ns_selection selection = {
            .strategy = strategy, .strategies = k % 2 == 0 ? WAYS : 2, .transports = 1u << NS_VIA_HOST};
        ns_placer *placer;
        ns_workspace *workspace;
        double seconds[NS_CHOICES];
        int quotes = 0;
        ck_assert(ns_workspace_open(&workspace, NULL) == NS_OK);
        if (ns_quote(x, machine[k / 2], &selection, workspace, &quotes, NULL) == NS_OK) { /* it has tables */
            ck_assert(ns_placer_open(graph, NODES, machine[k / 2], &selection, NULL, &placer, NULL) == NS_OK);
            ck_assert(ns_placer_batch(placer, node_of, 1, seconds, NULL) == NS_OK);
            ck_assert_int_eq(ns_placer_choices(placer), quotes);
            for (int i = 0; i < quotes; i++, priced++)
                ck_assert_msg(seconds[i] == ns_quote_at(workspace, i)->price.estimate_s,
                              "%s on %s: placed %.17g s, quoted %.17g s", ns_quote_at(workspace, i)->strategy->name,
                              machine[k / 2]->name, seconds[i], ns_quote_at(workspace, i)->price.estimate_s);
            ns_placer_free(placer);
        }
        ns_workspace_free(workspace);
    }
    ck_assert_int_gt(priced, 6 * 12);
    for (int m = 0; m < machines; m++)
        ns_machine_free(machine[m]);
    ns_exchange_free(x);
    ns_site_free(site);
    ns_graph_free(graph);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static ns_graph *ring(int32_t parts, int64_t bytes)
{
    ns_planned *message = ns_malloc(2 * (size_t)parts * sizeof *message);
    ns_graph *graph = NULL;
    for (int32_t p = 0; p < parts; p++) {
        message[2 * p] = (ns_planned){p, (p + 1) % parts, bytes};
        message[2 * p + 1] = (ns_planned){(p + 1) % parts, p, bytes};
    }
    ck_assert(ns_graph_from_messages(message, 2 * (size_t)parts, parts, NULL, &graph, NULL) == NS_OK);
    ns_free(message);
    return graph;
}

#define REFUSED(call, status, words)                                                                                   \
    do {                                                                                                               \
        ns_error failed = {0};                                                                                         \
        ns_error *const err = &failed;                                                                                 \
        ck_assert_int_eq((call), (status));                                                                            \
        ck_assert_msg(strstr(failed.text, (words)) != NULL, "%s", failed.text);                                        \
    } while (0)

TEST(refused)
{
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(6, 1000), *none = NULL;
    ns_placer *placer = NULL;
    ns_exchange *x = NULL;
    ns_site *site = NULL;
    const int32_t bad[6] = {0, 1, 2, 3, 0, 0};
    const ns_limits little = {.max_memory = 500}, few = {.max_work = 3};
    const ns_planned message[] = {{0, 1, 5}, {1, 2, 5}, {2, 0, 5}, {0, 2, 5}};
    REFUSED(ns_placer_open(graph, 0, machine, NULL, NULL, &placer, err), NS_ERR_RANGE, "number of nodes");
    REFUSED(ns_placer_open(graph, 3, machine, NULL, &little, &placer, err), NS_ERR_LIMIT, "");
    REFUSED(ns_graph_from_messages(message, 4, 3, &few, &none, err), NS_ERR_LIMIT, "routes");
    REFUSED(ns_graph_from_messages(message, 4, 2, NULL, &none, err), NS_ERR_RANGE, "there are 2 parts");
    ck_assert_ptr_null(placer);
    ck_assert_ptr_null(none);
    ck_assert(ns_site_blocks(5, 2, 0, &site, NULL) == NS_OK);
    REFUSED(ns_graph_exchange(graph, site, &x, err), NS_ERR_RANGE, "a site of 5 parts is not for a graph of 6");
    ck_assert(ns_placer_open(graph, 3, machine, NULL, NULL, &placer, NULL) == NS_OK);
    REFUSED(ns_placer_put(placer, bad, err), NS_ERR_RANGE, "part 3 is on node 3, but nodes go from 0 to 2");
    REFUSED(ns_placer_move(placer, 6, 0, err), NS_ERR_RANGE, "no part 6; parts go from 0 to 5");
    REFUSED(ns_placer_move(placer, 1, -1, err), NS_ERR_RANGE, "part 1 is on node -1");
    REFUSED(ns_placer_swap(placer, 1, -1, err), NS_ERR_RANGE, "no part -1");
    for (int32_t p = 0; p < 6; p++) /* nothing of it was done */
        ck_assert_int_eq(ns_placer_node_of(placer)[p], p / 2);
    ck_assert_int_eq(ns_placer_size(placer, 2), 2);
    ck_assert_int_eq(ns_placer_size(placer, 3), 0);
    ns_placer_free(placer);
    ns_placer_free(NULL);
    ns_graph_free(graph);
    ns_graph_free(NULL);
    ns_site_free(site);
}

TEST(wrong_steps)
{
    const ns_strategy *two_step = NULL;
    ns_strategy wrong = ns_strategy_relay;
    const ns_strategy *const list[] = {&wrong};
    ck_assert(ns_strategy_get("two-step", &two_step, NULL) == NS_OK);
    wrong.rule = two_step->rule;
    const ns_selection selection = {.strategy = list, .strategies = 1};
    ns_machine *machine = machine_named("lassen");
    ns_graph *graph = ring(6, 1000);
    ns_placer *placer = NULL;
    REFUSED(ns_placer_open(graph, 3, machine, &selection, NULL, &placer, err), NS_ERR_DATA,
            "relay has 4 steps; its rule has 2");
    ns_graph_free(graph);
}

TEST_TIMEOUT(100)
