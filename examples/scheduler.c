/* scheduler.c -- what a scheduler or a sparse solver asks of nsmodel, from a program of its own
 *
 *     cc scheduler.c $(pkg-config --cflags --libs nsmodel) -lpthread -o scheduler && ./scheduler
 *
 * The machine is loaded once and shared.  An exchange is given as a sparse matrix in memory, or as messages; every
 * strategy that the machine runs is built and priced; two placements of one job are compared; two threads price at
 * once.
 */
#include <nsmodel/nsmodel.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 96, GPUS = 16, PER_NODE = 4 };

static const char *const transport_words[NS_TRANSPORTS] = {"host", "device"};

static void stop(const ns_error *err)
{
    char text[1024];
    fprintf(stderr, "scheduler: %s\n", ns_error_format(err, text, sizeof text));
    exit(EXIT_FAILURE);
}

/* ---- an exchange from CSR arrays: the five-point stencil on a SIDE x SIDE grid, rows dealt in blocks ---- */

static ns_exchange *from_matrix(void)
{
    static int64_t row_start[SIDE * SIDE + 1], col[5 * SIDE * SIDE];
    static const int step[5][2] = {{-1, 0}, {0, -1}, {0, 0}, {0, 1}, {1, 0}};
    int64_t entries = 0;
    for (int row = 0; row < SIDE * SIDE; row++) {
        for (int i = 0; i < 5; i++) {
            int y = row / SIDE + step[i][0], x = row % SIDE + step[i][1];
            if (y >= 0 && y < SIDE && x >= 0 && x < SIDE)
                col[entries++] = y * SIDE + x;
        }
        row_start[row + 1] = entries;
    }
    ns_error err = {0};
    ns_exchange *exchange;
    ns_exchange_options options = {.width = 8}; /* bytes of a vector entry */
    if (ns_exchange_from_csr(SIDE * SIDE, SIDE * SIDE, row_start, col, (ns_layout){GPUS, PER_NODE}, &options, &exchange,
                             &err) != NS_OK)
        stop(&err);
    return exchange;
}

/* ---- an exchange from messages: a 4 x 4 grid of parts; each sends 256 KiB to its neighbours ---- */

static ns_exchange *from_messages(const int32_t *place)
{
    static const int32_t step[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    ns_planned message[4 * GPUS];
    size_t messages = 0;
    for (int32_t p = 0; p < GPUS; p++)
        for (int i = 0; i < 4; i++) {
            int32_t y = p / 4 + step[i][0], x = p % 4 + step[i][1];
            if (y >= 0 && y < 4 && x >= 0 && x < 4)
                message[messages++] = (ns_planned){.from = p, .to = 4 * y + x, .bytes = 256 * 1024};
        }
    ns_error err = {0};
    ns_exchange *exchange;
    if (ns_exchange_from_messages(message, messages, (ns_layout){GPUS, PER_NODE}, place, &exchange, &err) != NS_OK)
        stop(&err);
    return exchange;
}

/* ---- build, price, choose ---- */

/* The best price of all strategies and transports that the machine runs; says what each costs. */
static double best_price(const char *what, const ns_exchange *exchange, const ns_machine *machine)
{
    double best = -1;
    ns_error err = {0};
    ns_pattern counts = {.size = sizeof counts};
    if (ns_exchange_counts(exchange, &counts, &err) != NS_OK)
        stop(&err);
    printf("%s: %" PRId64 " messages off node, %" PRId64 " bytes\n", what, counts.messages_off_node,
           counts.bytes_off_node);
    for (const ns_strategy *const *strategy = ns_strategies(); *strategy != NULL; strategy++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            ns_schedule *schedule;
            ns_strategy_info about = {.size = sizeof about};
            ns_estimate price = {.size = sizeof price};
            if (!ns_strategy_runs(*strategy, (ns_transport)t, machine))
                continue;
            if (ns_schedule_build(*strategy, (ns_transport)t, exchange, machine, &schedule, &err) != NS_OK ||
                ns_schedule_estimate(schedule, machine, NULL, &price, &err) != NS_OK ||
                ns_strategy_describe(*strategy, &about, &err) != NS_OK)
                stop(&err);
            printf("  %-10s via %-6s  %8.2f us\n", about.name, transport_words[t], 1e6 * price.estimate_s);
            if (best < 0 || price.estimate_s < best)
                best = price.estimate_s;
            ns_schedule_free(schedule);
        }
    return best;
}

/* The term that makes most of a choice, and where its number is from. */
static void say_why(const ns_exchange *exchange, const ns_machine *machine, const ns_comparison *comparison)
{
    ns_error err = {0};
    ns_explanation *why;
    size_t most = 0;
    if (ns_explanation_open(&why, &err) != NS_OK ||
        ns_explain_comparison(why, machine, exchange, comparison, ns_comparison_best(comparison), &err) != NS_OK)
        stop(&err);
    for (size_t i = 0; i < why->terms; i++)
        if (*ns_explanation_term(why, i)->path != '\0' &&
            ns_explanation_share(why, i) > (most > 0 ? ns_explanation_share(why, most) : 0))
            most = i;
    const ns_term *term = ns_explanation_term(why, most);
    printf("most of it: %s, %s = %.2f us (%.0f %%): %s\n", term->name, term->formula, 1e6 * term->value,
           100 * ns_explanation_share(why, most), term->path);
    ns_explanation_free(why);
}

/* The same with a verdict, in one call. */
static void recommend(const ns_exchange *exchange, const ns_machine *machine)
{
    ns_error err = {0};
    ns_comparison *comparison;
    ns_choice_info best = {.size = sizeof best};
    ns_decision_info decision = {.size = sizeof decision};
    if (ns_compare(exchange, machine, NULL, &comparison, &err) != NS_OK ||
        ns_comparison_choice(comparison, ns_comparison_best(comparison), &best, &err) != NS_OK ||
        ns_comparison_decision(comparison, &decision, &err) != NS_OK)
        stop(&err);
    printf("recommended: %s via %s, %.2f us, the fastest with %.0f %%\n", best.name, transport_words[best.transport],
           1e6 * best.estimate_s, 100 * decision.p_best);
    say_why(exchange, machine, comparison);
    ns_comparison_free(comparison);
}

/* ---- two threads, one machine, one schedule ---- */

typedef struct work {
    const ns_schedule *schedule;
    const ns_machine *machine;
    double estimate_s;
    int disagreed;
} work;

static void *price_often(void *context)
{
    work *w = context;
    for (int i = 0; i < 1000; i++) {
        ns_estimate price = {.size = sizeof price};
        if (ns_schedule_estimate(w->schedule, w->machine, NULL, &price, NULL) != NS_OK ||
            price.estimate_s != w->estimate_s)
            w->disagreed++;
    }
    return NULL;
}

static void price_from_threads(const ns_exchange *exchange, const ns_machine *machine)
{
    ns_error err = {0};
    const ns_strategy *strategy;
    ns_schedule *schedule;
    ns_estimate price = {.size = sizeof price};
    if (ns_strategy_get("three-step", &strategy, &err) != NS_OK ||
        ns_schedule_build(strategy, NS_VIA_HOST, exchange, machine, &schedule, &err) != NS_OK ||
        ns_schedule_estimate(schedule, machine, NULL, &price, &err) != NS_OK)
        stop(&err);
    work half[2];
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) {
        half[i] = (work){.schedule = schedule, .machine = machine, .estimate_s = price.estimate_s};
        if (pthread_create(&thread[i], NULL, price_often, &half[i]) != 0)
            abort();
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    printf("two threads, 2000 prices: %d disagreed\n", half[0].disagreed + half[1].disagreed);
    ns_schedule_free(schedule);
}

int main(void)
{
    ns_error err = {0};
    ns_machine *machine;
    if (ns_machine_load("lassen", &machine, &err) != NS_OK)
        stop(&err);
    ns_machine_info about = {.size = sizeof about};
    if (ns_machine_describe(machine, &about, &err) != NS_OK)
        stop(&err);
    printf("nsmodel %s on %s\n", NS_VERSION, about.name);

    ns_exchange *halo = from_matrix();
    best_price("stencil", halo, machine);
    recommend(halo, machine);
    price_from_threads(halo, machine);

    /* Part p stands at place[p], four to a node: squares of 2 x 2 together, or the free slots as they come. */
    static const int32_t squares[GPUS] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
    static const int32_t slots[GPUS] = {0, 4, 8, 12, 5, 9, 13, 1, 10, 14, 2, 6, 15, 3, 7, 11};
    ns_exchange *by_squares = from_messages(squares), *by_slots = from_messages(slots);
    double together = best_price("placed by squares", by_squares, machine);
    double apart = best_price("placed by free slots", by_slots, machine);
    printf("choose: %s (%.2f us against %.2f us)\n", together < apart ? "squares" : "free slots",
           1e6 * (together < apart ? together : apart), 1e6 * (together < apart ? apart : together));

    ns_exchange_free(by_slots);
    ns_exchange_free(by_squares);
    ns_exchange_free(halo);
    ns_machine_free(machine);
    return EXIT_SUCCESS;
}
