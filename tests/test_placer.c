/* test_placer.c -- placements priced: to the bit as quotes of the same site, whatever moves and swaps led there; graphs
 * and their exchanges */

#include <nsmodel/placer.h>

#include "core/memory.h"
#include "oracle/oracle.h"
#include "support/forms.h"
#include "support/machines.h"

#include "additions/strategies/relay.c"
#include "price/quote.h"
#include "support/test.h"

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

enum { ROWS = 300 };

/* A pattern of so many parts, by one of two ways, and its exchange on a site by the library's other call. */
typedef struct pattern {
    int32_t parts;
    int64_t width;
    oracle_matrix matrix; /* of no rows: messages */
    ns_planned *message;
    size_t messages;
    ns_graph *graph;
} pattern;

static void make_messages(pattern *p, oracle_random *random)
{
    p->messages = 8 * (size_t)p->parts;
    p->message = ns_malloc(p->messages * sizeof *p->message);
    for (size_t i = 0; i < p->messages; i++) {
        const int32_t from = (int32_t)oracle_below(random, p->parts),
                      to = (from + 1 + (int32_t)oracle_below(random, p->parts - 1)) % p->parts;
        p->message[i] = (ns_planned){from, to, 1 + oracle_below(random, INT64_C(1) << oracle_below(random, 24))};
    }
    ck_assert(ns_graph_from_messages(p->message, p->messages, p->parts, NULL, &p->graph, NULL) == NS_OK);
}

static pattern random_pattern(oracle_random *random)
{
    pattern p = {.parts = 2 + (int32_t)oracle_below(random, 60), .width = 1 + oracle_below(random, 3000)};
    if (oracle_below(random, 2) == 0) {
        make_messages(&p, random);
        return p;
    }
    const ns_exchange_options options = {.width = p.width};
    oracle_random_matrix(random, ROWS, ROWS, oracle_below(random, 4000), (int)oracle_below(random, 3), &p.matrix);
    ck_assert(ns_graph_from_csr(ROWS, ROWS, p.matrix.row_start, p.matrix.col_of, p.parts, &options, &p.graph, NULL) ==
              NS_OK);
    return p;
}

static void free_pattern(pattern *p)
{
    ns_graph_free(p->graph);
    if (p->message == NULL)
        oracle_matrix_free(&p->matrix);
    ns_free(p->message);
}

static ns_exchange *exchange_of(const pattern *p, const ns_site *site)
{
    ns_exchange *x = NULL;
    const ns_exchange_options options = {.width = p->width, .site = site};
    ck_assert((p->message != NULL
                   ? ns_exchange_from_messages_on(p->message, p->messages, site, &x, NULL)
                   : ns_exchange_from_csr(ROWS, ROWS, p->matrix.row_start, p->matrix.col_of,
                                          (ns_layout){p->parts, site->per_node}, &options, &x, NULL)) == NS_OK);
    return x;
}

static int32_t *random_map(oracle_random *random, int32_t parts, int32_t nodes)
{
    int32_t *node_of = ns_malloc((size_t)parts * sizeof *node_of);
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = (int32_t)oracle_below(random, nodes);
    return node_of;
}

static ns_site *site_of(const int32_t *node_of, int32_t parts, int32_t nodes)
{
    ns_site *site = NULL;
    ck_assert(ns_site_from_map(parts, nodes, node_of, 0, NULL, &site, NULL) == NS_OK);
    return site;
}

#define SAME(a, b, count, size) ck_assert((count) == 0 || memcmp((a), (b), (size_t)(count) * (size)) == 0)

static void check_same(const ns_exchange *a, const ns_exchange *b)
{
    ck_assert_int_eq(a->parts, b->parts);
    ck_assert_int_eq(a->nodes, b->nodes);
    ck_assert_int_eq(a->per_node, b->per_node);
    ck_assert_int_eq(a->width, b->width);
    ck_assert_int_eq(a->routes, b->routes);
    ck_assert_int_eq(a->pairs, b->pairs);
    ck_assert_int_eq(a->runs, b->runs);
    ck_assert_int_eq(a->needers, b->needers);
    ck_assert_int_eq(memcmp(&a->pattern, &b->pattern, sizeof a->pattern), 0);
    for (int64_t i = 0; i < a->routes; i++) {
        ck_assert_int_eq(a->route[i].from, b->route[i].from);
        ck_assert_int_eq(a->route[i].to, b->route[i].to);
        ck_assert_int_eq(a->route[i].entries, b->route[i].entries);
    }
    SAME(a->pair, b->pair, a->pairs, sizeof *a->pair);
    SAME(a->run, b->run, a->runs, sizeof *a->run);
    SAME(a->needer, b->needer, a->needers, sizeof *a->needer);
    SAME(a->need, b->need, a->parts, sizeof *a->need);
}

/* A graph has the exchange of any site. */
TEST_EACH(exchanges_of_a_graph, 40)
{
    oracle_random random = {(uint64_t)_i + 100};
    pattern p = random_pattern(&random);
    for (int i = 0; i < 5; i++) {
        const int32_t nodes = 1 + (int32_t)oracle_below(&random, 20);
        int32_t *node_of = random_map(&random, p.parts, nodes);
        ns_site *site = site_of(node_of, p.parts, nodes);
        ns_exchange *x = exchange_of(&p, site), *y = NULL;
        ck_assert(ns_graph_exchange(p.graph, site, &y, NULL) == NS_OK);
        check_same(x, y);
        ns_exchange_free(x);
        ns_exchange_free(y);
        ns_site_free(site);
        ns_free(node_of);
    }
    free_pattern(&p);
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

/* Every choice of the placer is quoted for the site; returns how many, or -1 where both are refused. */
static int check_price(ns_placer *placer, const pattern *p, const int32_t *node_of, int32_t nodes,
                       const ns_machine *machine, const ns_selection *selection, ns_workspace *w)
{
    double seconds[NS_CHOICES];
    ns_error err = {0}, quote_err = {0};
    int quotes = 0;
    ns_site *site = site_of(node_of, p->parts, nodes);
    ns_exchange *x = exchange_of(p, site);
    const ns_status status = ns_placer_price(placer, seconds, &err),
                    quoted = ns_quote(x, machine, selection, w, &quotes, &quote_err);
    ck_assert_msg(status == quoted, "%s: placer: %s; quote: %s", machine->name, err.text, quote_err.text);
    if (status == NS_OK)
        ck_assert_int_eq(quotes, ns_placer_choices(placer));
    for (int i = 0; status == NS_OK && i < quotes; i++) {
        const ns_choice *of = ns_quote_at(w, i);
        ck_assert_ptr_eq(of->strategy, ns_placer_choice(placer, i)->strategy);
        ck_assert_int_eq(of->transport, ns_placer_choice(placer, i)->transport);
        ck_assert_msg(memcmp(&of->price.estimate_s, &seconds[i], sizeof(double)) == 0,
                      "%s/%s on %s, %s: %.17g s, quoted %.17g s", of->strategy->name, ns_transport_words[of->transport],
                      machine->name, of->price.form->name, seconds[i], of->price.estimate_s);
    }
    ns_exchange_free(x);
    ns_site_free(site);
    return status == NS_OK ? quotes : -1;
}

static ns_placer *placer_of(const ns_graph *graph, int32_t nodes, const ns_machine *machine,
                            const ns_selection *selection)
{
    ns_placer *placer = NULL;
    ns_error err = {0};
    const ns_status status = ns_placer_open(graph, nodes, machine, selection, NULL, &placer, &err);
    ck_assert_msg(status == NS_OK || err.code == NS_ERR_DATA, "%s", err.text);
    return placer; /* NULL: the machine runs nothing */
}

static ns_workspace *workspace(void)
{
    ns_workspace *w = NULL;
    ck_assert(ns_workspace_open(&w, NULL) == NS_OK);
    return w;
}

/* A move, a swap, or several of them; then all of it, or nothing. */
static void change(ns_placer *placer, oracle_random *random, int32_t parts, int32_t nodes)
{
    const int64_t kind = oracle_below(random, 10);
    if (kind == 0) {
        int32_t *node_of = random_map(random, parts, nodes);
        ck_assert(ns_placer_put(placer, node_of, NULL) == NS_OK);
        ns_free(node_of);
    }
    for (int64_t i = 0; i < (kind < 8 ? 1 : 3); i++) {
        const int32_t a = (int32_t)oracle_below(random, parts), b = (int32_t)oracle_below(random, parts),
                      node = (int32_t)oracle_below(random, nodes);
        ck_assert((oracle_below(random, 2) == 0 ? ns_placer_move(placer, a, node, NULL)
                                                : ns_placer_swap(placer, a, b, NULL)) == NS_OK);
    }
}

static int check_changes(ns_placer *placer, const pattern *p, int32_t nodes, const ns_machine *machine,
                         const ns_selection *selection, ns_workspace *w, oracle_random *random, int changes)
{
    int checked = 0;
    for (int i = 0; i < changes; i++) {
        const int quotes = check_price(placer, p, ns_placer_node_of(placer), nodes, machine, selection, w);
        checked += quotes > 0 ? quotes : 0;
        change(placer, random, p->parts, nodes);
    }
    return checked;
}

/* Every machine, form and strategy. */
TEST_EACH(same_as_quotes, 4)
{
    ns_machine *machine[FORM_MACHINES];
    const int machines = form_machines(machine);
    const ns_form *forms[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(forms, NS_FORMS_MAX);
    oracle_random random = {(uint64_t)_i + 4000};
    ns_workspace *w = workspace();
    int checked = 0;
    for (int m = 0; m < machines; m++) {
        pattern p = random_pattern(&random);
        const int32_t nodes = 1 + (int32_t)oracle_below(&random, 12);
        for (size_t f = 0; f < count; f++) {
            const ns_selection selection = {.price = {.form = forms[f], .confidence = 0.8}};
            ns_placer *placer = placer_of(p.graph, nodes, machine[m], &selection);
            if (placer == NULL)
                continue;
            checked += check_changes(placer, &p, nodes, machine[m], &selection, w, &random, 6);
            ns_placer_free(placer);
        }
        free_pattern(&p);
        ns_machine_free(machine[m]);
    }
    ck_assert_int_gt(checked, 1500);
    ns_workspace_free(w);
}

/* Long walks of one placer, by difference alone: what is left behind by one change would show in a later one. */
TEST_EACH(long_walks, 8)
{
    static const char *const machine_name[] = {"lassen", "lassen-spectrum", "bluewaters", "dane"};
    const ns_strategy *list[3];
    oracle_random random = {(uint64_t)_i + 900};
    ns_workspace *w = workspace();
    ns_machine *machine = _i / 4 % 2 == 0 ? machine_named(machine_name[_i % 4]) : machine_taught(machine_name[_i % 4]);
    pattern p = random_pattern(&random);
    for (int i = 0; i < 3; i++)
        ck_assert(ns_strategy_get(((const char *[]){"standard", "two-step", "three-step"})[i], &list[i], NULL) ==
                  NS_OK);
    const ns_selection selection = {.strategy = list, .strategies = 3};
    ns_placer *placer = placer_of(p.graph, 9, machine, &selection);
    for (int i = 0; i < ns_placer_choices(placer); i++)
        ck_assert(ns_placer_choice(placer, i)->by_difference);
    ck_assert_int_gt(check_changes(placer, &p, 9, machine, &selection, w, &random, 400), 1199);
    ns_placer_free(placer);
    free_pattern(&p);
    ns_machine_free(machine);
    ns_workspace_free(w);
}

/* By standard alone a node is visited only where a part came or went, or one of its parts has messages for more nodes,
 * or fewer, than before: here that decides, as all parts send and receive as much. */
TEST_EACH(only_partners_change, 2)
{
    enum { PARTS = 9, NEAR = 2, NODES = 5 };
    const ns_strategy *standard = NULL;
    oracle_random random = {(uint64_t)_i + 77};
    ns_workspace *w = workspace();
    ns_machine *machine = machine_named(_i == 0 ? "lassen" : "dane");
    pattern p = {.parts = PARTS, .messages = 2 * NEAR * PARTS};
    p.message = ns_malloc(p.messages * sizeof *p.message);
    for (int32_t i = 0; i < (int32_t)p.messages; i++) {
        const int32_t part = i / (2 * NEAR), away = i % (2 * NEAR) < NEAR ? i % NEAR + 1 : PARTS - 1 - i % NEAR;
        p.message[i] = (ns_planned){part, (part + away) % PARTS, 100000};
    }
    ck_assert(ns_graph_from_messages(p.message, p.messages, PARTS, NULL, &p.graph, NULL) == NS_OK);
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    const ns_selection selection = {.strategy = &standard, .strategies = 1};
    ns_placer *placer = placer_of(p.graph, NODES, machine, &selection);
    ck_assert_int_gt(check_changes(placer, &p, NODES, machine, &selection, w, &random, 300), 299);
    ns_placer_free(placer);
    free_pattern(&p);
    ns_workspace_free(w);
}

/* Real patterns, by one batch. */
TEST_EACH(real_patterns, 4)
{
    static const char *const name[] = {"bone010", "stencil27:24x24x24x3", "thermal2", "stencil9:640x640"};
    enum { PARTS = 64, NODES = 16, PLACEMENTS = 12 };
    ns_machine *machine = machine_named(_i % 2 == 0 ? "lassen" : "dane");
    ns_matrix *matrix = NULL;
    ns_graph *graph = NULL;
    ns_placer *placer = NULL;
    ns_workspace *w = workspace();
    oracle_random random = {(uint64_t)_i};
    static int32_t node_of[PLACEMENTS][PARTS];
    static double seconds[PLACEMENTS * NS_CHOICES];
    ck_assert(ns_matrix_open(name[_i], &matrix, NULL) == NS_OK);
    ck_assert(ns_graph_from_matrix(matrix, PARTS, NULL, &graph, NULL, NULL) == NS_OK);
    ck_assert(ns_placer_open(graph, NODES, machine, NULL, NULL, &placer, NULL) == NS_OK);
    ns_place_blocks(PARTS, NODES, node_of[0]);
    ns_place_cyclic(PARTS, NODES, node_of[1]);
    for (int i = 2; i < PLACEMENTS; i++) /* a few parts elsewhere, or all of them */
        for (int p = 0; p < PARTS; p++)
            node_of[i][p] = oracle_below(&random, i % 2 == 0 ? 12 : 1) == 0 ? (int32_t)oracle_below(&random, NODES)
                                                                            : node_of[i - 1][p];
    ck_assert(ns_placer_batch(placer, node_of[0], PLACEMENTS, seconds, NULL) == NS_OK);
    for (int i = 0; i < PLACEMENTS; i++) {
        const ns_exchange_options options = {.site = site_of(node_of[i], PARTS, NODES)};
        ns_exchange *x = NULL;
        int quotes = 0;
        ck_assert(ns_exchange_from_matrix(matrix, &(ns_layout){PARTS, options.site->per_node}, 1, &options, &x, NULL,
                                          NULL) == NS_OK);
        ck_assert(ns_quote(x, machine, NULL, w, &quotes, NULL) == NS_OK);
        ck_assert_int_eq(quotes, ns_placer_choices(placer));
        for (int c = 0; c < quotes; c++)
            ck_assert_msg(ns_quote_at(w, c)->price.estimate_s == seconds[i * quotes + c],
                          "placement %d, %s: %.17g, quoted %.17g", i, ns_quote_at(w, c)->strategy->name,
                          seconds[i * quotes + c], ns_quote_at(w, c)->price.estimate_s);
        ns_exchange_free(x);
        ns_site_free((ns_site *)options.site);
    }
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_matrix_free(matrix);
    ns_workspace_free(w);
}

/* A strategy of one's own tells no shape: it is quoted. */
TEST(own_strategy)
{
    const ns_strategy *const list[] = {&ns_strategy_relay};
    const ns_selection selection = {.strategy = list, .strategies = 1};
    oracle_random random = {5};
    ns_machine *machine = machine_named("lassen");
    ns_workspace *w = workspace();
    pattern p = random_pattern(&random);
    ns_placer *placer = placer_of(p.graph, 5, machine, &selection);
    ck_assert(!ns_placer_choice(placer, 0)->by_difference);
    ck_assert_ptr_null(ns_placer_choice(placer, ns_placer_choices(placer)));
    ck_assert_int_gt(check_changes(placer, &p, 5, machine, &selection, w, &random, 20), 19);
    ns_placer_free(placer);
    free_pattern(&p);
    ns_workspace_free(w);
}

/* A form that does not say that it is rising has every process priced. */
TEST_EACH(no_bounds, 3)
{
    ns_form plain = ns_form_full;
    plain.rising = false;
    const ns_selection selection = {.price = {.form = &plain, .confidence = 0.9}};
    oracle_random random = {(uint64_t)_i + 60};
    ns_machine *machine = machine_named("lassen");
    ns_workspace *w = workspace();
    pattern p = random_pattern(&random);
    ns_placer *placer = placer_of(p.graph, 6, machine, &selection);
    ck_assert_int_gt(check_changes(placer, &p, 6, machine, &selection, w, &random, 30), 200);
    ns_placer_free(placer);
    free_pattern(&p);
    ns_workspace_free(w);
}

/* A machine that predicts within one node refuses messages between two, and prices those inside one before and
 * after. */
TEST(no_table)
{
    enum { PARTS = 12 };
    const ns_strategy *list[3];
    const int32_t together[PARTS] = {0};
    oracle_random random = {77};
    double seconds[NS_CHOICES];
    ns_error err = {0};
    ns_machine *machine = machine_named("dane");
    ns_workspace *w = workspace();
    pattern p = {.parts = PARTS, .width = 1};
    make_messages(&p, &random);
    for (int c = 0; c < NS_PROTOCOLS; c++)
        machine->line[NS_HOST][NS_OFF_NODE][c].given = false;
    for (int i = 0; i < 3; i++)
        ck_assert(ns_strategy_get(((const char *[]){"standard", "two-step", "three-step"})[i], &list[i], NULL) ==
                  NS_OK);
    const ns_selection selection = {.strategy = list, .strategies = 3};
    ns_placer *placer = placer_of(p.graph, 2, machine, &selection);
    ck_assert(ns_placer_choice(placer, 0)->by_difference && ns_placer_put(placer, together, NULL) == NS_OK);
    for (int again = 0; again < 3; again++) {
        ck_assert_int_eq(check_price(placer, &p, together, 2, machine, &selection, w), 3);
        ck_assert(ns_placer_move(placer, 1 + again, 1, NULL) == NS_OK);
        ck_assert_int_eq(check_price(placer, &p, ns_placer_node_of(placer), 2, machine, &selection, w), -1);
        ck_assert_int_eq(ns_placer_price(placer, seconds, &err), NS_ERR_DATA);
        ck_assert_str_eq(err.text, "machine dane has no off-node table for host memory: it predicts within one node");
        ck_assert(ns_placer_move(placer, 1 + again, 0, NULL) == NS_OK);
    }
    ns_placer_free(placer);
    free_pattern(&p);
    ns_workspace_free(w);
}

static int stops(void *user)
{
    return --*(int *)user == 0;
}

/* A price that the host stops, at any point of it, is computed the next time. */
TEST_EACH(cancelled, 3)
{
    const ns_strategy *list[2];
    oracle_random random = {12};
    double seconds[NS_CHOICES];
    int left = 0;
    ns_machine *machine = machine_named("lassen");
    ns_workspace *w = workspace();
    ns_context *host = NULL;
    pattern p = {.parts = 12, .width = 1};
    make_messages(&p, &random);
    for (int i = 0; i < 2; i++)
        ck_assert(ns_strategy_get(((const char *[]){"two-step", "three-step"})[i], &list[i], NULL) == NS_OK);
    ck_assert(ns_context_open(&(ns_context_options){.user = &left, .stop = stops}, &host, NULL) == NS_OK);
    const ns_selection selection = {.strategy = list, .strategies = 2};
    ns_placer *placer = placer_of(p.graph, 4, machine, &selection);
    for (int again = 0; again < 2; again++) { /* at first, and when the fullest node has more parts than ever */
        left = 1 + _i;
        ns_context_use(host);
        const ns_status status = ns_placer_price(placer, seconds, NULL);
        ns_context_use(NULL);
        ck_assert(status == (left > 0 ? NS_OK : NS_ERR_CANCELLED));
        ck_assert_int_eq(check_price(placer, &p, ns_placer_node_of(placer), 4, machine, &selection, w), 4);
        ck_assert(ns_placer_move(placer, 0, 3, NULL) == NS_OK);
    }
    ns_placer_free(placer);
    free_pattern(&p);
    ns_context_free(host);
    ns_machine_free(machine);
    ns_workspace_free(w);
}

TEST_TIMEOUT(300)
