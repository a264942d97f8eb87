/* host.c -- a host of the library: it calls what hosts use, with and without sizes of its structs
 *
 * Results are given with the size that they have and nothing behind them may change; what stands behind options of that
 * size, or of size 0, is noise that nobody may read.  Prints a line for each call, in the order of its checks.
 */
#include <nsmodel/nsmodel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEHIND = 256, NOISE = 0xa5 };

static int failures;

static void check(int good, const char *what)
{
    printf("%s %s\n", good ? "ok  " : "FAIL", what);
    failures += !good;
}

static void must(ns_status status, const ns_error *err, const char *what)
{
    check(status == NS_OK, what);
    if (status == NS_OK)
        return;
    printf("     %s\n", err->text);
    exit(1);
}

/* A struct of then with noise behind it; of options all that is not set is 0. */
#define OPTIONS(type, name)                                                                                            \
    struct {                                                                                                           \
        type is;                                                                                                       \
        unsigned char behind[BEHIND];                                                                                  \
    } name;                                                                                                            \
    memset(&(name), NOISE, sizeof(name));                                                                              \
    memset(&(name).is, 0, sizeof(name).is)
#define RESULT(type, name)                                                                                             \
    struct {                                                                                                           \
        type is;                                                                                                       \
        unsigned char behind[BEHIND];                                                                                  \
    } name;                                                                                                            \
    memset(&(name), NOISE, sizeof(name));                                                                              \
    (name).is.size = sizeof(name).is

static void untouched(const unsigned char *behind, size_t size, size_t wanted, const char *what)
{
    int good = size == wanted;
    for (int i = 0; i < BEHIND; i++)
        good &= behind[i] == NOISE;
    check(good, what);
}
#define UNTOUCHED(name) untouched((name).behind, (name).is.size, sizeof(name).is, #name)

static int asked;

static int stop(void *user)
{
    return ++asked > *(int *)user;
}

/* with_size: options say sizeof, else 0 for the fields of 1.0. */
static void under_a_context(int with_size)
{
    OPTIONS(ns_context_options, context_options);
    ns_context *context;
    ns_exchange *exchange;
    ns_error err = {0};
    int most = 0;
    context_options.is.size = with_size ? sizeof context_options.is : 0;
    context_options.is.stop = stop;
    context_options.is.user = &most;
    asked = 0;
    must(ns_context_open(&context_options.is, &context, &err), &err, "ns_context_open");
    ns_context_use(context);
    check(ns_exchange_alltoall((ns_layout){256, 4}, 8, NULL, &exchange, NULL) == NS_ERR_CANCELLED, "cancelled");
    ns_context_use(NULL);
    ns_context_free(context);
}

static ns_exchange *make_exchange(int with_size)
{
    OPTIONS(ns_exchange_options, exchange_options);
    RESULT(ns_pattern, pattern);
    ns_matrix *matrix;
    ns_exchange *exchange;
    ns_error err = {0};
    int64_t nonzeros = 0;
    const ns_layout layout = {32, 4};
    exchange_options.is.size = with_size ? sizeof exchange_options.is : 0;
    exchange_options.is.width = 16;
    must(ns_matrix_open("stencil27:24x24x24", &matrix, &err), &err, "ns_matrix_open");
    must(ns_exchange_from_matrix(matrix, &layout, 1, &exchange_options.is, &exchange, &nonzeros, &err), &err,
         "ns_exchange_from_matrix");
    ns_matrix_free(matrix);
    must(ns_exchange_counts(exchange, &pattern.is, &err), &err, "ns_exchange_counts");
    UNTOUCHED(pattern);
    return exchange;
}

static void compare(const ns_exchange *exchange, const ns_machine *machine, int with_size)
{
    OPTIONS(ns_price_options, price_options);
    RESULT(ns_choice_info, choice);
    RESULT(ns_decision_info, decision);
    ns_selection *selection;
    ns_comparison *comparison;
    ns_error err = {0};
    price_options.is.size = with_size ? sizeof price_options.is : 0;
    price_options.is.confidence = 0.5;
    must(ns_selection_open(&selection, &err), &err, "ns_selection_open");
    must(ns_selection_price(selection, &price_options.is, &err), &err, "ns_selection_price");
    must(ns_compare(exchange, machine, selection, &comparison, &err), &err, "ns_compare");
    must(ns_comparison_choice(comparison, 0, &choice.is, &err), &err, "ns_comparison_choice");
    UNTOUCHED(choice);
    check(choice.is.estimate_s > 0 && choice.is.lo_s < choice.is.estimate_s, "an estimate in its interval");
    must(ns_comparison_decision(comparison, &decision.is, &err), &err, "ns_comparison_decision");
    UNTOUCHED(decision);
    ns_comparison_free(comparison);
    ns_selection_free(selection);
}

static void estimate(const ns_exchange *exchange, const ns_machine *machine, int with_size)
{
    OPTIONS(ns_price_options, price_options);
    RESULT(ns_strategy_info, strategy_info);
    RESULT(ns_schedule_info, schedule_info);
    RESULT(ns_step_info, step_info);
    RESULT(ns_estimate, price);
    const ns_strategy *strategy;
    ns_schedule *schedule;
    ns_error err = {0};
    double sum = 0;
    price_options.is.size = with_size ? sizeof price_options.is : 0;
    must(ns_strategy_get("two-step", &strategy, &err), &err, "ns_strategy_get");
    must(ns_strategy_describe(strategy, &strategy_info.is, &err), &err, "ns_strategy_describe");
    UNTOUCHED(strategy_info);
    must(ns_schedule_build(strategy, NS_VIA_HOST, exchange, machine, &schedule, &err), &err, "ns_schedule_build");
    must(ns_schedule_describe(schedule, &schedule_info.is, &err), &err, "ns_schedule_describe");
    UNTOUCHED(schedule_info);
    must(ns_schedule_step(schedule, 0, &step_info.is, &err), &err, "ns_schedule_step");
    UNTOUCHED(step_info);
    must(ns_schedule_estimate(schedule, machine, &price_options.is, &price.is, &err), &err, "ns_schedule_estimate");
    UNTOUCHED(price);
    for (int i = 0; i < NS_TERMS; i++)
        sum += price.is.term_s[i];
    check(fabs(sum + price.is.copy_s - price.is.estimate_s) <= 1e-12 * price.is.estimate_s, "terms add up");
    ns_schedule_free(schedule);
}

static void place(const ns_machine *machine, int with_size)
{
    OPTIONS(ns_exchange_options, graph_options);
    OPTIONS(ns_limits, limits);
    OPTIONS(ns_search_options, search_options);
    int32_t node_of[16];
    ns_matrix *matrix;
    ns_graph *graph;
    ns_placer *placer;
    ns_error err = {0};
    double seconds[64];
    graph_options.is.size = with_size ? sizeof graph_options.is : 0;
    limits.is.size = with_size ? sizeof limits.is : 0;
    limits.is.max_memory = 1 << 28;
    search_options.is.size = with_size ? sizeof search_options.is : 0;
    search_options.is.tries = 20;
    must(ns_matrix_open("stencil27:16x16x16", &matrix, &err), &err, "ns_matrix_open");
    must(ns_graph_from_matrix(matrix, 16, &graph_options.is, &graph, NULL, &err), &err, "ns_graph_from_matrix");
    must(ns_placer_open(graph, 4, machine, NULL, &limits.is, &placer, &err), &err, "ns_placer_open");
    ns_place_blocks(16, 4, node_of);
    must(ns_placer_batch(placer, node_of, 1, seconds, &err), &err, "ns_placer_batch");
    must(ns_place_search(graph, 4, machine, NULL, &limits.is, &search_options.is, node_of, &err), &err,
         "ns_place_search");
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_matrix_free(matrix);
}

static void gather(int with_size)
{
    OPTIONS(ns_trace_options, trace_options);
    OPTIONS(ns_netsparse_options, netsparse_options);
    RESULT(ns_netsparse_info, netsparse_info);
    ns_machine *network;
    ns_matrix *matrix;
    ns_trace *trace;
    ns_netsparse_result *result;
    ns_error err = {0};
    must(ns_machine_load("netsparse", &network, &err), &err, "ns_machine_load");
    must(ns_matrix_open("stencil9:48x48", &matrix, &err), &err, "ns_matrix_open");
    trace_options.is.size = with_size ? sizeof trace_options.is : 0;
    trace_options.is.ranks = 4;
    netsparse_options.is.size = with_size ? sizeof netsparse_options.is : 0;
    netsparse_options.is.machine = network;
    netsparse_options.is.k = 1;
    must(ns_trace_open(matrix, 12, &trace_options.is, &trace, &err), &err, "ns_trace_open");
    must(ns_netsparse_run(trace, &netsparse_options.is, &result, &err), &err, "ns_netsparse_run");
    must(ns_netsparse_describe(result, &netsparse_info.is, &err), &err, "ns_netsparse_describe");
    UNTOUCHED(netsparse_info);
    ns_netsparse_free(result);
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    ns_machine_free(network);
}

static void calculate(void)
{
    RESULT(ns_answer, answer);
    RESULT(ns_model_info, model_info);
    RESULT(ns_field_info, field_info);
    ns_calc *calc;
    ns_error err = {0};
    const ns_model *model;
    must(ns_calc_open(&calc, &err), &err, "ns_calc_open");
    must(ns_calc_eval(calc, "3 us + 1 us", &answer.is, &err), &err, "ns_calc_eval");
    UNTOUCHED(answer);
    check(fabs(answer.is.quantity.value - 4e-6) < 1e-18, "3 us + 1 us");
    ns_calc_free(calc);
    must(ns_model_get("postal", &model, &err), &err, "ns_model_get");
    must(ns_model_describe(model, &model_info.is, &err), &err, "ns_model_describe");
    UNTOUCHED(model_info);
    must(ns_model_input(model, 0, &field_info.is, &err), &err, "ns_model_input");
    UNTOUCHED(field_info);
}

int main(void)
{
    RESULT(ns_machine_info, machine_info);
    ns_machine *machine;
    ns_error err = {0};
    must(ns_machine_load("lassen", &machine, &err), &err, "ns_machine_load");
    must(ns_machine_describe(machine, &machine_info.is, &err), &err, "ns_machine_describe");
    UNTOUCHED(machine_info);
    for (int with_size = 0; with_size < 2; with_size++) {
        ns_exchange *exchange = make_exchange(with_size);
        under_a_context(with_size);
        compare(exchange, machine, with_size);
        estimate(exchange, machine, with_size);
        place(machine, with_size);
        gather(with_size);
        ns_exchange_free(exchange);
    }
    calculate();
    ns_machine_free(machine);
    check(ns_version_number() >= 10000, "a library that is not older than its header");
    return failures != 0;
}
