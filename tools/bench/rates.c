/* rates.c -- how many answers a second one thread gets from libnsmodel (for make bench) */

#include "api/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const ns_error *err)
{
    char text[1024];
    fprintf(stderr, "rates: %s\n", ns_error_format(err, text, sizeof text));
    exit(EXIT_FAILURE);
}

/* For half a second at least; calls grow, so that the clock is read seldom. */
#define RATE(what, call)                                                                                               \
    do {                                                                                                               \
        double begin = now(), took = 0;                                                                                \
        long calls = 0;                                                                                                \
        for (long more = 1; took < 0.5; more *= 2, took = now() - begin)                                               \
            for (long again = 0; again < more; again++, calls++)                                                       \
                if ((call) != NS_OK)                                                                                   \
                    stop(&err);                                                                                        \
        printf("  %-58s %10.3f us   %12.0f a second\n", what, 1e6 * took / (double)calls, (double)calls / took);       \
        printf("%s\t%.4f\t\tus\n", what, 1e6 * took / (double)calls); /* a row of the page */                          \
    } while (0)

static void price_rates(const ns_exchange *exchange, const ns_machine *machine, int gpus)
{
    ns_error err = {0};
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++) {
        ns_schedule *schedule;
        ns_price price;
        char what[128];
        int64_t messages = 0;
        if (!ns_strategy_runs(*s, NS_VIA_HOST, machine))
            continue;
        if (ns_schedule_build(*s, NS_VIA_HOST, exchange, machine, &schedule, &err) != NS_OK)
            stop(&err);
        for (int i = 0; i < schedule->steps; i++)
            messages += schedule->step[i].messages;
        snprintf(what, sizeof what, "price %s, %d GPUs, %lld messages", (*s)->name, gpus, (long long)messages);
        RATE(what, ns_schedule_price_as(schedule, machine, NULL, &price, &err));
        ns_schedule_free(schedule);
    }
}

static void exchange_rates(const ns_machine *machine, int gpus)
{
    ns_error err = {0};
    ns_matrix *matrix;
    ns_exchange *exchange;
    ns_comparison comparison;
    ns_layout layout = {.parts = gpus, .per_node = machine->gpus};
    char what[128];
    if (ns_matrix_open("stencil27:48x48x48x3", &matrix, &err) != NS_OK ||
        ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, &err) != NS_OK)
        stop(&err);
    price_rates(exchange, machine, gpus);
    snprintf(what, sizeof what, "build and price every strategy, %d GPUs", gpus);
    RATE(what, ns_compare_into(exchange, machine, NULL, &comparison, &err));
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
}

/* ---- placements -------------------------------------------------------------------------------------------------- */

enum { SIDE = 8, PARTS = SIDE * SIDE, NODES = 16, PLACEMENTS = 64 };

/* Each of 8 x 8 parts with its neighbours, corners too. */
static ns_graph *halo(void)
{
    ns_error err = {0};
    ns_planned plan[PARTS * 8];
    ns_graph *graph;
    size_t count = 0;
    for (int32_t p = 0; p < PARTS; p++)
        for (int k = 0; k < 9; k++) {
            const int32_t x = p % SIDE + k % 3 - 1, y = p / SIDE + k / 3 - 1;
            if (k != 4 && x >= 0 && x < SIDE && y >= 0 && y < SIDE)
                plan[count++] = (ns_planned){p, y * SIDE + x, k % 2 == 0 ? 64 : 8192 + 512 * (p % 3)};
        }
    if (ns_graph_from_messages(plan, count, PARTS, NULL, &graph, &err) != NS_OK)
        stop(&err);
    return graph;
}

/* Four parts on each node, at random. */
static void shuffle(int32_t node_of[PARTS], uint32_t *random)
{
    ns_place_blocks(PARTS, NODES, node_of);
    for (int32_t p = PARTS - 1; p > 0; p--) {
        *random = *random * 1664525 + 1013904223;
        const int32_t other = (int32_t)((*random >> 8) % (uint32_t)(p + 1)), node = node_of[p];
        node_of[p] = node_of[other];
        node_of[other] = node;
    }
}

static ns_status swap_two(ns_placer *placer, uint32_t *random, double *seconds, ns_error *err)
{
    *random = *random * 1664525 + 1013904223;
    const ns_status status =
        ns_placer_swap(placer, (int32_t)(*random >> 10) % PARTS, (int32_t)(*random >> 20) % PARTS, err);
    return status == NS_OK ? ns_placer_price(placer, seconds, err) : status;
}

/* A placement without a placer: its site, the exchange on it, quotes. */
static ns_status by_hand(const ns_graph *graph, const int32_t *node_of, const ns_machine *machine,
                         const ns_selection *selection, ns_workspace *workspace, ns_error *err)
{
    int quotes;
    ns_site *site;
    ns_exchange *exchange;
    NS_TRY(ns_site_from_map(PARTS, NODES, node_of, 0, NULL, &site, err));
    ns_status status = ns_graph_exchange(graph, site, &exchange, err);
    ns_site_free(site);
    NS_TRY(status);
    status = ns_quote(exchange, machine, selection, workspace, &quotes, err);
    ns_exchange_free(exchange);
    return status;
}

/* What independent placements take of a placer, over what they take by hand: the median of rounds of both in turn. */
static double over_by_hand(ns_placer *placer, const ns_graph *graph, int32_t node_of[][PARTS],
                           const ns_machine *machine, const ns_selection *selection)
{
    enum { ROUNDS = 15 };
    double ratio[ROUNDS], seconds[PLACEMENTS * NS_CHOICES];
    ns_error err = {0};
    ns_workspace *workspace;
    if (ns_workspace_open(&workspace, &err) != NS_OK)
        stop(&err);
    for (int r = 0; r < ROUNDS; r++) {
        const double begin = now();
        if (ns_placer_batch(placer, node_of[0], PLACEMENTS, seconds, &err) != NS_OK)
            stop(&err);
        const double middle = now();
        for (int i = 0; i < PLACEMENTS; i++)
            if (by_hand(graph, node_of[i], machine, selection, workspace, &err) != NS_OK)
                stop(&err);
        ratio[r] = (middle - begin) / (now() - middle);
        for (int k = r; k > 0 && ratio[k] < ratio[k - 1]; k--) {
            const double swap = ratio[k];
            ratio[k] = ratio[k - 1];
            ratio[k - 1] = swap;
        }
    }
    ns_workspace_free(workspace);
    return ratio[ROUNDS / 2];
}

static void placement_rates(const ns_machine *machine, const char *what, const char *const *strategy, size_t strategies,
                            unsigned transports)
{
    static int32_t node_of[PLACEMENTS][PARTS];
    const ns_strategy *list[NS_CHOICES];
    double seconds[NS_CHOICES];
    char text[128];
    uint32_t random = 1;
    size_t i = 0;
    ns_error err = {0};
    ns_placer *placer;
    ns_graph *graph = halo();
    for (size_t k = 0; k < strategies; k++)
        if (ns_strategy_get(strategy[k], &list[k], &err) != NS_OK)
            stop(&err);
    const ns_selection selection = {
        .strategy = strategies > 0 ? list : NULL, .strategies = strategies, .transports = transports};
    if (ns_placer_open(graph, NODES, machine, &selection, NULL, &placer, &err) != NS_OK)
        stop(&err);
    for (int k = 0; k < PLACEMENTS; k++)
        shuffle(node_of[k], &random);
    snprintf(text, sizeof text, "placement of %d parts, %lld routes, %s", PARTS, (long long)graph->routes, what);
    RATE(text, ns_placer_batch(placer, node_of[i++ % PLACEMENTS], 1, seconds, &err));
    const double ratio = over_by_hand(placer, graph, node_of, machine, &selection);
    printf("  %-58s %10.3f x\n", "the same, over site, exchange and quotes by hand", ratio);
    printf("the same, over site, exchange and quotes by hand\t%.3f\t1.1\tx\n", ratio);
    snprintf(text, sizeof text, "swap of two of %d parts, %s", PARTS, what);
    RATE(text, swap_two(placer, &random, seconds, &err));
    ns_placer_free(placer);
    ns_graph_free(graph);
}

static void model_rates(const ns_machine *machine)
{
    static const char *const name[] = {"postal", "max-rate", "three-step"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        ns_error err = {0};
        const ns_model *model;
        ns_binding binding;
        ns_model_buffer out;
        char what[64];
        if (ns_model_get(name[i], &model, &err) != NS_OK)
            stop(&err);
        ns_bind_open(&binding, model, machine);
        for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
            if (f->kind == NS_FIELD_NUMBER && f->from == NULL && !f->has_default)
                if (ns_bind_number(&binding, f->name, 4, &err) != NS_OK)
                    stop(&err);
        if (ns_bind_close(&binding, &err) != NS_OK)
            stop(&err);
        snprintf(what, sizeof what, "evaluate model %s", name[i]);
        RATE(what, ns_model_eval(&binding, &out, &err));
    }
}

int main(void)
{
    ns_error err = {0};
    ns_machine *machine;
    if (ns_machine_load("lassen", &machine, &err) != NS_OK)
        stop(&err);
    model_rates(machine);
    exchange_rates(machine, 32);
    exchange_rates(machine, 256);
    static const char *const by_difference[] = {"standard", "two-step", "three-step"};
    placement_rates(machine, "standard/host", by_difference, 1, 1u << NS_VIA_HOST);
    placement_rates(machine, "3 strategies, host", by_difference, 3, 1u << NS_VIA_HOST);
    placement_rates(machine, "6 choices", by_difference, 3, 0);
    placement_rates(machine, "all 8 choices", NULL, 0, 0);
    ns_machine_free(machine);
    return 0;
}
