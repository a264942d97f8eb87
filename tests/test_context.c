/* test_context.c -- a host's context: long calls end when it wants, at any point, with all their memory given back;
 * limits hold for calls that set none; words, version */
#include "api/library.h"
#include "support/allocations.h"
#include "support/long_calls.h"
#include "support/machines.h"
#include "support/test.h"

#include <stdint.h>

static ns_machine *machine;
static ns_exchange *exchange; /* for what begins behind the matrix */
static ns_graph *graph;

/* ---- long calls -------------------------------------------------------------------------------------------------- */

static ns_status read_matrix(ns_error *err)
{
    ns_matrix *matrix = NULL;
    ns_exchange *made = NULL;
    const ns_layout layout = {32, 4};
    NS_TRY(ns_matrix_open("xenon1", &matrix, err));
    const ns_status status = ns_exchange_from_matrix(matrix, &layout, 1, NULL, &made, NULL, err);
    ns_matrix_free(matrix);
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_exchange_free(made);
    return status;
}

static ns_status messages(ns_error *err)
{
    ns_exchange *made = NULL;
    const ns_status status = ns_exchange_alltoall((ns_layout){96, 4}, 8, NULL, &made, err);
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_exchange_free(made);
    return status;
}

static ns_status schedules(ns_error *err)
{
    ns_status status = NS_OK;
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL && status == NS_OK; s++) {
        ns_schedule *made = NULL;
        status = ns_schedule_build(*s, NS_VIA_HOST, exchange, machine, &made, err);
        ck_assert_int_eq(status == NS_OK, made != NULL);
        ns_schedule_free(made);
    }
    return status;
}

static ns_status compare(ns_error *err)
{
    ns_comparison *made = NULL;
    const ns_status status = ns_compare(exchange, machine, NULL, &made, err);
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_comparison_free(made);
    return status;
}

static ns_status search(ns_error *err)
{
    const ns_search_options options = {.seed = 1, .tries = 400};
    int32_t node_of[2048];
    ns_place_blocks(ns_graph_parts(graph), 8, node_of);
    return ns_place_search(graph, 8, machine, NULL, NULL, &options, node_of, err);
}

static ns_status sweep(ns_error *err)
{
    ns_curves *curves;
    ns_axis *axis = NULL;
    ns_sweep *made = NULL;
    NS_TRY(ns_curves_open(machine, NULL, &curves, err));
    ns_status status = ns_curves_add(curves, "postal", err);
    status = status == NS_OK ? ns_curves_close(curves, err) : status;
    status = status == NS_OK ? ns_axis_open(curves, "s=1B:1MiB:9000", &axis, err) : status;
    status = status == NS_OK ? ns_sweep_run(curves, (const ns_axis *const[]){axis}, 1, NULL, &made, err) : status;
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_sweep_free(made);
    ns_axis_free(axis);
    ns_free(curves);
    return status;
}

static ns_status sensitivity(ns_error *err)
{
    ns_sensitivity *made = NULL;
    const ns_status status =
        ns_sensitivity_of_exchange(exchange, machine, NULL, &(ns_price_options){0}, NULL, &made, err);
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_sensitivity_free(made);
    return status;
}

static ns_status netsparse(ns_error *err)
{
    return long_netsparse("stencil9:48x48", 12, 4, err);
}

static const struct {
    const char *name;
    ns_status (*run)(ns_error *err);
} calls[] = {{"reading a matrix", read_matrix}, {"messages", messages},       {"schedules", schedules},
             {"comparison", compare},           {"placement search", search}, {"sweep", sweep},
             {"sensitivity", sensitivity},      {"netsparse", netsparse}};
enum { CALLS = sizeof calls / sizeof *calls };

static void open_all(void)
{
    ns_matrix *matrix;
    const ns_layout layout = {32, 4};
    machine = machine_named("lassen");
    ck_assert_int_eq(ns_matrix_open("stencil27:24x24x24", &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, NULL), NS_OK);
    ck_assert_int_eq(ns_graph_from_matrix(matrix, 32, NULL, &graph, NULL, NULL), NS_OK);
    ns_matrix_free(matrix);
}

static void close_all(void)
{
    ns_context_use(NULL);
    ns_graph_free(graph);
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}

/* ---- stop -------------------------------------------------------------------------------------------------------- */

typedef struct asking {
    int asked, stop_at; /* 0: never */
} asking;

/* Threads of the library may ask at once: counts are only roughly right then, which does here. */
static int stop(void *user)
{
    asking *a = user;
    const int now = __atomic_add_fetch(&a->asked, 1, __ATOMIC_RELAXED);
    return a->stop_at > 0 && now >= a->stop_at;
}

static ns_status run_stopping_at(int call, int stop_at, int *asked)
{
    asking a = {.stop_at = stop_at};
    const ns_context_options options = {.size = sizeof options, .stop = stop, .user = &a};
    ns_context *context;
    ns_error err = {0};
    ck_assert_int_eq(ns_context_open(&options, &context, NULL), NS_OK);
    ck_assert_ptr_null(ns_context_use(context));
    const ns_status status = calls[call].run(&err);
    ck_assert_ptr_eq(ns_context_use(NULL), context);
    ns_context_free(context);
    ck_assert_int_eq(status, err.code);
    *asked = a.asked;
    return status;
}

/* Every ask of a short call, a hundred of a long one. */
TEST_EACH(stopped_at_many_points, CALLS)
{
    int all, asked;
    ck_assert_int_eq(run_stopping_at(_i, 0, &all), NS_OK);
    ck_assert_msg(all >= 3, "%s asked %d times only", calls[_i].name, all);
    for (int at = 1; at <= all; at += 1 + all / 100) {
        run_stopping_at(_i, at, &asked); /* what the C library keeps for a thread is there then */
        const long before = allocations_live();
        const ns_status status = run_stopping_at(_i, at, &asked);
        ck_assert_msg(status == NS_ERR_CANCELLED, "%s, stopped at %d of %d: %s", calls[_i].name, at, all,
                      ns_status_name(status));
        ck_assert_msg(allocations_live() <= before, "%s, stopped at %d of %d: %ld blocks, then %ld", calls[_i].name, at,
                      all, before, allocations_live());
    }
    ck_assert_int_eq(run_stopping_at(_i, 0, &asked), NS_OK); /* the host goes on */
}

/* Asked at least once every some ten thousand entries of a matrix that is passed over: about a millisecond. */
TEST(asked_often_enough)
{
    asking a = {0};
    const ns_context_options options = {.stop = stop, .user = &a};
    ns_context *context;
    ns_matrix *matrix;
    ns_exchange *made;
    int64_t nonzeros;
    const ns_layout layout = {16, 4};
    ck_assert_int_eq(ns_context_open(&options, &context, NULL), NS_OK);
    ck_assert_int_eq(ns_matrix_open("NotreDame_www", &matrix, NULL), NS_OK);
    ns_context_use(context);
    ck_assert_int_eq(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &made, &nonzeros, NULL), NS_OK);
    ck_assert_msg(a.asked >= nonzeros / 20000, "%d asks for %lld entries", a.asked, (long long)nonzeros);
    ns_exchange_free(made);
    ns_matrix_free(matrix);
    ns_context_use(NULL);
    ns_context_free(context);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static ns_status within(const ns_context_options *options, ns_error *err)
{
    ns_context *context;
    ns_exchange *made = NULL;
    ck_assert_int_eq(ns_context_open(options, &context, NULL), NS_OK);
    ns_context_use(context);
    const ns_status status = ns_exchange_alltoall((ns_layout){64, 4}, 8, NULL, &made, err);
    ns_context_use(NULL);
    ns_context_free(context);
    ck_assert_int_eq(status == NS_OK, made != NULL);
    ns_exchange_free(made);
    return status;
}

TEST(limits_of_a_context)
{
    ns_error err = {0};
    ck_assert_int_eq(within(&(ns_context_options){.max_work = 64 * 63 - 1}, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_WORK);
    err = (ns_error){0};
    ck_assert_int_eq(within(&(ns_context_options){.max_memory = 100000}, &err), NS_ERR_LIMIT);
    ck_assert_int_eq(err.limit, NS_LIMIT_MEMORY);
    ck_assert_int_eq(within(&(ns_context_options){.max_work = 64 * 63, .max_memory = 1 << 24}, NULL), NS_OK);
    ck_assert_int_eq(within(NULL, NULL), NS_OK);
}

TEST(options_are_checked)
{
    ns_context *context = NULL;
    ns_error err = {0};
    struct {
        ns_context_options options;
        char more[8];
    } newer = {.options = {.size = sizeof newer}};
    ck_assert_int_eq(ns_context_open(&(ns_context_options){.size = 24}, &context, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_context_open(&(ns_context_options){.max_work = -1}, &context, NULL), NS_ERR_RANGE);
    ck_assert_int_eq(ns_context_open(&newer.options, &context, NULL), NS_OK); /* asks for nothing new */
    ns_context_free(context);
    newer.more[0] = 1;
    ck_assert_int_eq(ns_context_open(&newer.options, &context, &err), NS_ERR_RANGE);
    ck_assert_msg(strstr(err.text, "came after this library") != NULL, "%s", err.text);
}

/* ---- words, version, structs by size ----------------------------------------------------------------------------- */

TEST(words)
{
    ck_assert_str_eq(ns_word(NS_WORDS_LOCALITY, NS_OFF_NODE), "off-node");
    ck_assert_str_eq(ns_word(NS_WORDS_MECHANISM, NS_SWITCH), "switch");
    ck_assert_ptr_null(ns_word(NS_WORDS_TRANSPORT, NS_VIA_NIC + 1));
    ck_assert_ptr_null(ns_word(NS_WORDS_TRANSPORT, 1000));
    ck_assert_ptr_null(ns_word(NS_WORDS_TRANSPORT, -1));
    ck_assert_ptr_null(ns_word(NS_WORDS, 0));
    for (int kind = 0; kind < NS_WORDS; kind++)
        ck_assert_ptr_nonnull(ns_word((ns_word_kind)kind, 0));
}

TEST(version)
{
    int part[3];
    ck_assert_str_eq(ns_version(), NS_VERSION);
    ck_assert_int_eq(sscanf(NS_VERSION, "%d.%d.%d", &part[0], &part[1], &part[2]), 3);
    ck_assert_int_eq(ns_version_number(), 10000 * part[0] + 100 * part[1] + part[2]);
}

/* A caller that was compiled with a shorter struct gets no byte behind it. */
TEST(results_fill_no_more_than_asked)
{
    ns_machine_info info;
    memset(&info, 0x5a, sizeof info);
    info.size = offsetof(ns_machine_info, title);
    ck_assert_int_eq(ns_machine_describe(machine, &info, NULL), NS_OK);
    ck_assert_str_eq(info.name, "lassen");
    ck_assert_uint_eq(info.size, offsetof(ns_machine_info, title));
    for (size_t i = info.size; i < sizeof info; i++)
        ck_assert_int_eq(((const unsigned char *)&info)[i], 0x5a);
    info.size = 0;
    ck_assert_int_eq(ns_machine_describe(machine, &info, NULL), NS_ERR_RANGE);
}

/* E ln(incumbent / fastest) by its definition, from the probabilities that each way is the fastest. */
TEST(gain_over_an_incumbent)
{
    ns_selection *selection;
    ns_comparison *made;
    ns_gain_info gain = {.size = sizeof gain};
    ns_choice_info kept = {.size = sizeof kept}, best = {.size = sizeof best};
    ns_decision_info decision = {.size = sizeof decision};
    ck_assert_int_eq(ns_selection_open(&selection, NULL), NS_OK);
    ck_assert_int_eq(ns_compare(exchange, machine, selection, &made, NULL), NS_OK);
    ck_assert_int_eq(ns_comparison_gain(made, &gain, NULL), NS_ERR_DATA);
    ns_comparison_free(made);
    ck_assert_int_eq(ns_selection_incumbent(selection, "standard", NS_VIA_DEVICE, NULL), NS_OK);
    ck_assert_int_eq(ns_compare(exchange, machine, selection, &made, NULL), NS_OK);
    ck_assert_int_eq(ns_comparison_gain(made, &gain, NULL), NS_OK);
    ck_assert_int_eq(ns_comparison_choice(made, gain.incumbent, &kept, NULL), NS_OK);
    ck_assert_int_eq(ns_comparison_choice(made, ns_comparison_best(made), &best, NULL), NS_OK);
    ck_assert_int_eq(ns_comparison_decision(made, &decision, NULL), NS_OK);
    ck_assert(kept.incumbent && best.best);
    ck_assert_str_eq(kept.name, "standard");
    ck_assert_double_eq_tol(gain.regret, log(kept.estimate_s / best.estimate_s) + decision.expected_ln_loss, 1e-12);
    ck_assert_double_eq_tol(gain.q50, kept.estimate_s / best.estimate_s, 1e-9 * gain.q50);
    double sum = best.copy_s;
    for (int i = 0; i < NS_TERMS; i++)
        sum += best.term_s[i];
    ck_assert_double_eq_tol(sum, best.estimate_s, 1e-12 * sum);
    ns_comparison_free(made);
    ns_selection_free(selection);
}

TEST_FIXTURE(open_all, close_all)
TEST_TIMEOUT(240)
