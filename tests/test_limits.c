/* test_limits.c -- whatever memory is allowed, and whichever pass fails: an answer or a message, and out-parameters
 * that were not touched
 *
 * A failed call that left something in an out-parameter shows twice: here by the value, and in a caller that frees it
 * again.
 */
#include "matrix/source.h"
#include "netsparse/netsparse.h"
#include "netsparse/trace.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/test.h"

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

/* ---- a matrix whose nth pass fails in the middle ----------------------------------------------------------------- */

enum { ROWS = 96 };

typedef struct failing {
    int passes, fails_at;
} failing;

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    failing *f = matrix->state;
    f->passes++;
    for (int64_t i = 0; i < ROWS; i++) {
        const ns_entry entries[] = {{i, i}, {i, (i + 7) % ROWS}, {i, (5 * i + 1) % ROWS}};
        if (i == ROWS / 2 && f->passes == f->fails_at)
            return ns_fail(err, NS_ERR_FILE, "input/output error");
        NS_TRY(receive(context, entries, 3, err));
    }
    return NS_OK;
}

static ns_matrix made(failing *f)
{
    return (ns_matrix){
        .info = {.name = "failing", .rows = ROWS, .cols = ROWS, .stored = 3 * ROWS}, .scan = scan, .state = f};
}

/* ---- out-parameters ---------------------------------------------------------------------------------------------- */

static ns_exchange *const untouched = (ns_exchange *)(uintptr_t)0x5a5a5a5a;

static void check_untouched(const void *memory, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ck_assert_uint_eq(((const unsigned char *)memory)[i], 0x5a);
}

/* Three layouts, or one with the view; what fails leaves everything as it was. */
static ns_status exchanges(failing *f, int64_t limit, bool viewed, const int32_t *part)
{
    ns_matrix matrix = made(f);
    const ns_layout layout[] = {{8, 2}, {16, 4}, {24, 4}};
    const size_t layouts = viewed || part != NULL ? 1 : 3;
    ns_netsparse_view view = {.size = sizeof view};
    ns_exchange *exchange[3] = {untouched, untouched, untouched};
    int64_t nonzeros = -5;
    memset(&view, 0x5a, sizeof view);
    ns_error err = {0};
    const ns_exchange_options options = {.max_memory = limit, .view = viewed ? &view : NULL, .part = part};
    ns_status status = ns_exchange_from_matrix(&matrix, layout, layouts, &options, exchange, &nonzeros, &err);
    ck_assert_int_eq(status, err.code);
    for (size_t i = 0; i < layouts; i++)
        if (status == NS_OK)
            ns_exchange_free(exchange[i]);
        else
            ck_assert_ptr_eq(exchange[i], untouched);
    if (status != NS_OK) {
        check_untouched(&view, sizeof view);
        ck_assert_int_eq(nonzeros, -5);
    }
    return status;
}

/* Every limit from nothing up to what is enough. */
TEST_EACH(every_limit_of_exchanges, 4)
{
    int32_t part[ROWS];
    int failed = 0, passed = 0;
    for (int i = 0; i < ROWS; i++)
        part[i] = i % 8;
    for (int64_t limit = 1; passed < 100; limit += 8) {
        const ns_status status = exchanges(&(failing){0}, limit, _i % 2 != 0, _i / 2 != 0 ? part : NULL);
        ck_assert(status == NS_OK || status == NS_ERR_LIMIT);
        failed += status != NS_OK;
        passed += status == NS_OK;
    }
    ck_assert_int_gt(failed, 100);
}

/* One pass, and with a partition a second one for the view's windows. */
TEST(every_pass_of_exchanges)
{
    int32_t part[ROWS];
    for (int i = 0; i < ROWS; i++)
        part[i] = i % 8;
    for (int parted = 0; parted < 2; parted++) {
        const int32_t *const partition = parted ? part : NULL;
        failing all = {0};
        ck_assert_int_eq(exchanges(&all, 0, true, partition), NS_OK);
        ck_assert_int_eq(all.passes, 1 + parted);
        for (int pass = 1; pass <= all.passes; pass++)
            ck_assert_int_eq(exchanges(&(failing){.fails_at = pass}, 0, true, partition), NS_ERR_FILE);
    }
}

static ns_status traced(failing *f, int64_t limit, const int32_t *part)
{
    ns_matrix matrix = made(f);
    ns_trace *const was = (ns_trace *)(uintptr_t)0x5a5a5a5a, *trace = was;
    const ns_trace_options options = {.part = part, .max_memory = limit};
    ns_error err = {0};
    const ns_status status = ns_trace_open(&matrix, 12, &options, &trace, &err);
    ck_assert_int_eq(status, err.code);
    if (status == NS_OK)
        ns_trace_free(trace);
    else
        ck_assert_ptr_eq(trace, was);
    return status;
}

TEST(every_limit_of_traces)
{
    int failed = 0, passed = 0;
    for (int64_t limit = 1; passed < 100; limit += 8) {
        const ns_status status = traced(&(failing){0}, limit, NULL);
        failed += status != NS_OK;
        passed += status == NS_OK;
    }
    ck_assert_int_gt(failed, 100);
}

/* One pass where rows come in order, else a second one that files them. */
TEST(every_pass_of_traces)
{
    int32_t part[ROWS];
    for (int i = 0; i < ROWS; i++)
        part[i] = i % 12;
    for (int parted = 0; parted < 2; parted++) {
        const int32_t *const partition = parted ? part : NULL;
        failing all = {0};
        ck_assert_int_eq(traced(&all, 0, partition), NS_OK);
        ck_assert_int_eq(all.passes, 1 + parted);
        for (int pass = 1; pass <= all.passes; pass++)
            ck_assert_int_eq(traced(&(failing){.fails_at = pass}, 0, partition), NS_ERR_FILE);
    }
}

/* Limits beyond what the trace itself holds. */
TEST(every_limit_of_caches)
{
    int failed = 0, passed = 0;
    ns_gather_rule rule[12];
    const ns_cache_rule cache = {.entries = 8, .ways = 0, .fill = 0};
    for (int i = 0; i < COUNT(rule); i++)
        rule[i] = (ns_gather_rule){.clients = 1, .batch = 1, .most_request = 1, .most_response = 1};
    for (int64_t more = 0; passed < 100; more += 8) {
        failing f = {0};
        ns_matrix matrix = made(&f);
        ns_trace *trace;
        ck_assert_int_eq(ns_trace_open(&matrix, COUNT(rule), NULL, &trace, NULL), NS_OK);
        trace->store->scan.budget.limit = trace->store->scan.budget.used + more;
        ns_cache_counts counts;
        memset(&counts, 0x5a, sizeof counts);
        const ns_status status = ns_trace_cache(trace, 0, rule, &cache, &counts, NULL, NULL, NULL);
        if (status != NS_OK)
            check_untouched(&counts, sizeof counts);
        failed += status != NS_OK;
        passed += status == NS_OK;
        ns_trace_free(trace);
    }
    ck_assert_int_gt(failed, 10);
}

/* A machine that runs standard by way of the host, but has no line inside the node. */
TEST(comparisons)
{
    ns_exchange *exchange;
    ns_comparison comparison;
    const ns_planned plan[] = {{0, 1, 64}, {0, 2, 64}};
    ns_machine *machine = machine_named("lassen");
    ck_assert_int_eq(ns_exchange_from_messages(plan, 2, (ns_layout){4, 2}, NULL, &exchange, NULL), NS_OK);
    for (int p = 0; p < NS_PROTOCOLS; p++)
        machine->line[NS_HOST][NS_ON_SOCKET][p].given = machine->line[NS_HOST][NS_ON_NODE][p].given = false;
    memset(&comparison, 0x5a, sizeof comparison);
    ck_assert_int_ne(ns_compare_into(exchange, machine, NULL, &comparison, NULL), NS_OK);
    check_untouched(&comparison, sizeof comparison);
    const ns_line *line = (const ns_line *)(const void *)&plan;
    machine->copy_levels = 0;
    ck_assert_int_ne(ns_model_line(machine, NS_HOST, NS_ON_NODE, -1, 8, &line, NULL), NS_OK);
    ck_assert_int_ne(ns_model_line(machine, NS_HOST, NS_ON_NODE, NS_EAGER, 8, &line, NULL), NS_OK);
    ck_assert_ptr_eq(line, plan);
    ns_exchange_free(exchange);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static const char *const commands[] = {
    "netsparse --matrix stencil9:24x24 --nodes 12 --k 1 --max-memory %dB",
    "netsparse --matrix stencil9:24x24 --nodes 12 --k 1,16 --ablation --max-memory %dB",
    "report --matrix stencil9:24x24 --gpus 8,16 -o TMP/limits.html --max-memory %dB",
    "predict --matrix stencil9:24x24 --gpus 8,16,24 --max-memory %dB",
    "pattern --matrix stencil9:24x24 --parts 12 --per-node 3 --max-memory %dB",
};

TEST_EACH(every_limit_of_commands, COUNT(commands))
{
    char line[200];
    int passed = 0, failed = 0;
    for (int limit = 2000; passed < 3; limit += limit / 20) {
        snprintf(line, sizeof line, commands[_i], limit);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 0 || r.code == 1, "%s: exit %d", line, r.code);
        ck_assert_msg(r.code == 0 || strstr(r.err, "more than the limit of") != NULL, "%s: %s", line, r.err);
        passed += r.code == 0;
        failed += r.code != 0;
    }
    ck_assert_int_gt(failed, 3);
}

TEST_TIMEOUT(120)
