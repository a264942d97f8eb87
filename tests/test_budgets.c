/* test_budgets.c -- instructions of the inner loops, counted by callgrind: a figure that does not depend on the load
 *
 * A row names a loop, two numbers of units and the instructions that a unit may take.  The test program runs itself
 * under callgrind with either number; the difference has neither start-up nor set-up in it.  A budget is about 1.3
 * times what gcc 12 -O2 takes, for other compilers; raise one only for something that is worth it.  x86-64 and plain
 * builds only.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nsmodel/placer.h>

#include "cli/program/program.h"
#include "matrix/market/market.h"
#include "netsparse/netsparse.h"
#include "study/study.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/shell.h"

static void must(ns_status status, const ns_error *err)
{
    if (status != NS_OK) {
        fprintf(stderr, "%s\n", err->text);
        exit(3);
    }
}

static ns_machine *machine(const char *name)
{
    ns_machine *made;
    ns_error err = {0};
    must(ns_machine_load(name, &made, &err), &err);
    return made;
}

/* ---- loops: n units of work -------------------------------------------------------------------------------------- */

static void bind_max_rate(ns_binding *b, const ns_machine *lassen, double s)
{
    ns_error err = {0};
    ns_bind_open(b, ns_model_find("max-rate"), lassen);
    must(ns_bind_number(b, "s", s, &err), &err);
    must(ns_bind_close(b, &err), &err);
}

static void run_eval(int64_t n)
{
    ns_machine *lassen = machine("lassen");
    ns_error err = {0};
    ns_binding b;
    ns_model_buffer out;
    bind_max_rate(&b, lassen, 1000);
    for (int64_t i = 0; i < n; i++)
        must(ns_model_eval(&b, &out, &err), &err);
    ns_machine_free(lassen);
}

static void run_bind(int64_t n)
{
    ns_machine *lassen = machine("lassen");
    ns_error err = {0};
    ns_binding b;
    ns_model_buffer out;
    for (int64_t i = 0; i < n; i++) {
        bind_max_rate(&b, lassen, (double)i);
        must(ns_model_eval(&b, &out, &err), &err);
    }
    ns_machine_free(lassen);
}

static void run_batch(int64_t n)
{
    ns_machine *lassen = machine("lassen");
    ns_error err = {0};
    ns_binding b;
    size_t done;
    double *s = ns_malloc((size_t)n * sizeof *s), *out = ns_malloc((size_t)n * 3 * sizeof *out);
    for (int64_t i = 0; i < n; i++)
        s[i] = 1 + (double)i * 8;
    const ns_column column = {"s", s};
    ns_bind_open(&b, ns_model_find("max-rate"), lassen);
    must(ns_eval_batch(&b, &column, 1, (size_t)n, out, &done, &err), &err);
    ns_free(s);
    ns_free(out);
    ns_machine_free(lassen);
}

/* Two axes: the first is as long as it is in all runs. */
static void run_sweep(int64_t n)
{
    char over[100];
    char words[][20] = {"nsmodel",  "sweep", "max-rate", "--machine",       "lassen",
                        "--format", "csv",   "--over",   "s=1B:1MB:100lin", "--over"};
    char *argv[] = {words[0], words[1], words[2], words[3], words[4], words[5],
                    words[6], words[7], words[8], words[9], over,     NULL};
    snprintf(over, sizeof over, "ppn=1:40:%lldlin", (long long)n / 100);
    FILE *out = fopen("/dev/null", "w");
    if (out == NULL || ns_cli_run(11, argv, out, stderr) != 0)
        exit(3);
    fclose(out);
}

static void run_number(int64_t n)
{
    char text[64];
    for (int64_t i = 0; i < n; i++)
        (void)ns_double_format(1e-6 * (double)i / 7, text, sizeof text);
}

/* A ring in which everybody sends to their next eight. */
static void run_price(int64_t n)
{
    enum { PARTS = 64, NEXT = 8 };
    static ns_planned plan[PARTS * NEXT];
    static ns_comparison comparison;
    ns_machine *lassen = machine("lassen");
    ns_error err = {0};
    ns_exchange *exchange;
    for (int32_t i = 0; i < PARTS * NEXT; i++)
        plan[i] = (ns_planned){i / NEXT, (i / NEXT + 1 + i % NEXT) % PARTS, 1000 + 8 * i};
    must(ns_exchange_from_messages(plan, PARTS * NEXT, (ns_layout){PARTS, 4}, NULL, &exchange, &err), &err);
    for (int64_t routes = 0; routes < n; routes += PARTS * NEXT)
        must(ns_compare_into(exchange, lassen, NULL, &comparison, &err), &err);
    ns_exchange_free(exchange);
    ns_machine_free(lassen);
}

enum { QUOTE_PARTS = 1024 };

/* A quote of the messages of many parts; they are freed. */
static void quote_plan(ns_planned *plan, int64_t n)
{
    ns_machine *lassen = machine("lassen");
    ns_error err = {0};
    ns_exchange *exchange;
    ns_workspace *workspace;
    int quotes;
    must(ns_exchange_from_messages(plan, (size_t)n, (ns_layout){QUOTE_PARTS, 4}, NULL, &exchange, &err), &err);
    must(ns_workspace_open(&workspace, &err), &err);
    must(ns_quote(exchange, lassen, NULL, workspace, &quotes, &err), &err);
    ns_workspace_free(workspace);
    ns_exchange_free(exchange);
    ns_machine_free(lassen);
    ns_free(plan);
}

/* Routes between any of many parts, by all strategies. */
static void run_quote(int64_t n)
{
    ns_planned *plan = ns_malloc((size_t)n * sizeof *plan);
    for (int64_t i = 0; i < n; i++) {
        const int64_t from = i % QUOTE_PARTS, to = (from + 1 + i / QUOTE_PARTS * 37 % (QUOTE_PARTS - 1)) % QUOTE_PARTS;
        plan[i] = (ns_planned){(int32_t)from, (int32_t)to, 1 + i * 7919 % 100000};
    }
    quote_plan(plan, n);
}

/* Each part sends the same to those after it: of nodes that are alike one is priced. */
static void run_regular(int64_t n)
{
    ns_planned *plan = ns_malloc((size_t)n * sizeof *plan);
    for (int64_t i = 0; i < n; i++) {
        const int32_t from = (int32_t)(i % QUOTE_PARTS), away = (int32_t)(i / QUOTE_PARTS) + 1;
        plan[i] = (ns_planned){from, (from + away) % QUOTE_PARTS, 1 + away * INT64_C(7919) % 100000};
    }
    quote_plan(plan, n);
}

/* Values of a range, which are rounded to 15 digits. */
static void run_range(int64_t n)
{
    char text[60];
    double *values;
    size_t count;
    ns_error err = {0};
    snprintf(text, sizeof text, "1us:7ms:%lldlin", (long long)n);
    must(ns_range_parse(text, "t", "us", 2, &values, &count, &err), &err);
    ns_list_free(values);
}

/* A halo exchange: each of 8 x 8 parts with its neighbours, corners too, on 16 nodes. */
static ns_placer *halo_placer(const char *const *strategy, size_t strategies, ns_graph **graph, ns_machine **lassen)
{
    enum { SIDE = 8 };
    static ns_planned plan[SIDE * SIDE * 8];
    const ns_strategy *list[NS_CHOICES];
    size_t count = 0;
    ns_error err = {0};
    ns_placer *placer;
    for (int32_t p = 0; p < SIDE * SIDE; p++)
        for (int k = 0; k < 9; k++) {
            const int32_t x = p % SIDE + k % 3 - 1, y = p / SIDE + k / 3 - 1;
            if (k != 4 && x >= 0 && x < SIDE && y >= 0 && y < SIDE)
                plan[count++] = (ns_planned){p, y * SIDE + x, k % 2 == 0 ? 64 : 8192 + 512 * (p % 3)};
        }
    for (size_t i = 0; i < strategies; i++)
        must(ns_strategy_get(strategy[i], &list[i], &err), &err);
    const ns_selection selection = {.strategy = list, .strategies = strategies};
    *lassen = machine("lassen");
    must(ns_graph_from_messages(plan, count, SIDE * SIDE, NULL, graph, &err), &err);
    must(ns_placer_open(*graph, 16, *lassen, &selection, NULL, &placer, &err), &err);
    return placer;
}

/* n placements at random, each unlike the one before; or n swaps. */
static void run_placer(const char *const *strategy, size_t strategies, bool swaps, int64_t n)
{
    ns_graph *graph;
    ns_machine *lassen;
    ns_error err = {0};
    ns_placer *placer = halo_placer(strategy, strategies, &graph, &lassen);
    int32_t node_of[64];
    double seconds[NS_CHOICES];
    uint32_t random = 1;
    ns_place_blocks(64, 16, node_of);
    for (int64_t i = 0; i < n; i++) {
        for (int32_t p = swaps ? 1 : 63; p > 0; p--) {
            random = random * 1664525 + 1013904223;
            const int32_t a = swaps ? (int32_t)(random >> 8) % 64 : p,
                          b = (int32_t)(random >> 16) % (swaps ? 64 : p + 1), node = node_of[a];
            node_of[a] = node_of[b];
            node_of[b] = node;
            if (swaps)
                must(ns_placer_swap(placer, a, b, &err), &err);
        }
        must(swaps ? ns_placer_price(placer, seconds, &err) : ns_placer_batch(placer, node_of, 1, seconds, &err), &err);
    }
    ns_placer_free(placer);
    ns_graph_free(graph);
    ns_machine_free(lassen);
}

static const char *const by_difference[] = {"standard", "two-step", "three-step"};

static void run_placements(int64_t n)
{
    run_placer(by_difference, 1, false, n);
}

static void run_all_placements(int64_t n)
{
    run_placer(by_difference, 3, false, n);
}

static void run_swaps(int64_t n)
{
    run_placer(by_difference, 1, true, n);
}

static void run_all_swaps(int64_t n)
{
    run_placer(by_difference, 3, true, n);
}

static ns_status ignore(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)entries, (void)err;
    *(int64_t *)context += (int64_t)count;
    return NS_OK;
}

/* A file that the parent wrote, on one thread. */
static void read_by(int64_t n, bool portable)
{
    char path[100];
    int64_t count = 0;
    long member = -1;
    ns_error err = {0};
    const ns_market market = {
        .indices = 2, .values = 1, .field = "real", .rows = n, .cols = n, .stored = n, .portable = portable};
    snprintf(path, sizeof path, "%sbudget_%lld.mtx", cli_path(""), (long long)n);
    must(ns_market_scan(path, &member, &market, 0, ignore, &count, &err), &err);
    if (count != n)
        exit(3);
}

static void run_read(int64_t n)
{
    read_by(n, false);
}

static void run_read_portable(int64_t n)
{
    read_by(n, true);
}

/* All steps of NetSparse for a grid with so many entries. */
static void run_gather(int64_t n)
{
    char spec[100];
    ns_machine *netsparse = machine("netsparse");
    ns_error err = {0};
    ns_matrix *matrix;
    ns_trace *trace;
    ns_netsparse_result *result;
    const ns_trace_options options = {.rack = 4, .threads = 1};
    const ns_netsparse_options run = {.machine = netsparse, .k = 16, .batch = 64};
    snprintf(spec, sizeof spec, "stencil27:%lldx12x12", (long long)n / (27 * 144));
    must(ns_matrix_open(spec, &matrix, &err), &err);
    must(ns_trace_open(matrix, 16, &options, &trace, &err), &err);
    must(ns_netsparse_run(trace, &run, &result, &err), &err);
    ns_netsparse_free(result);
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    ns_machine_free(netsparse);
}

/* ---- budgets ----------------------------------------------------------------------------------------------------- */

static const struct budget {
    const char *name, *unit;
    void (*run)(int64_t n);
    int64_t few, many;
    double most; /* instructions a unit */
} budgets[] = {
    {"eval", "call of max-rate", run_eval, 1000, 21000, 110},
    {"bind", "binding of max-rate by a machine, with its call", run_bind, 100, 1100, 9400},
    {"batch", "point of ns_eval_batch, max-rate", run_batch, 1000, 21000, 102},
    {"sweep", "row of sweep as CSV, max-rate", run_sweep, 10000, 50000, 3000},
    {"number", "number of 16 or 17 digits written", run_number, 1000, 11000, 800},
    {"price", "route of ns_compare, all choices", run_price, 512, 4096, 8200},
    {"quote", "route of an exchange, by all choices, with its making", run_quote, 20480, 81920, 2450},
    {"regular", "route of a regular exchange, by all choices, with its making", run_regular, 20480, 81920, 1500},
    {"range", "value of a range", run_range, 1000, 21000, 400},
    {"placements", "placement of 64 parts, 2 choices", run_placements, 100, 600, 245000},
    {"all_placements", "placement of 64 parts, 6 choices", run_all_placements, 100, 600, 1300000},
    {"swaps", "swap of 2 of 64 parts, 2 choices", run_swaps, 100, 600, 110000},
    {"all_swaps", "swap of 2 of 64 parts, 6 choices", run_all_swaps, 100, 600, 850000},
    {"read", "entry of a .mtx file", run_read, 10000, 60000, 150},
    {"read_portable", "entry of a .mtx file, without AVX2", run_read_portable, 10000, 60000, 260},
    {"gather", "entry of a matrix, all steps of NetSparse", run_gather, 27 * 144 * 20, 27 * 144 * 60, 85},
};
enum { BUDGETS = sizeof budgets / sizeof *budgets };

/* Why there is nothing to measure, or NULL. */
static const char *missing(void)
{
#ifndef __x86_64__
    return "x86-64";
#else
    const char *extra = getenv("NSMODEL_EXTRA"), *opt = getenv("NSMODEL_OPT");
    if ((extra != NULL && *extra != '\0') || opt == NULL || strstr(opt, "-O2") == NULL)
        return "a plain build with -O2";
    return has_part("valgrind") ? NULL : "valgrind";
#endif
}

static void write_matrix(int64_t entries)
{
    char path[100];
    snprintf(path, sizeof path, "%sbudget_%lld.mtx", cli_path(""), (long long)entries);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n", (long long)entries,
            (long long)entries, (long long)entries);
    for (int64_t i = 1; i <= entries; i++)
        fprintf(file, "%lld %lld %.12e\n", (long long)i, (long long)(i * 7919 % entries + 1), 1.0 / (double)i);
    ck_assert_int_eq(fclose(file), 0);
}

static double count_instructions(const struct budget *b, int64_t n)
{
    char said[20000];
    const char *program = getenv("NSMODEL_BUILD");
    const int code = shell(said, sizeof said,
                           "NS_BUDGET=%s NS_BUDGET_UNITS=%lld valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                           "'%s/tests/bin/test_budgets' 2>&1 >/dev/null",
                           b->name, (long long)n, program != NULL ? program : "build");
    const char *collected = strstr(said, "Collected : ");
    ck_assert_msg(code == 0 && collected != NULL, "%s: %s", b->name, said);
    return strtod(collected + strlen("Collected : "), NULL);
}

START_TEST(within_budget)
{
    const struct budget *b = &budgets[_i];
    const bool reads = b->run == run_read || b->run == run_read_portable;
    const char *why = missing();
    if (why == NULL && b->run == run_read && !ns_market_has_plain())
        why = "avx2";
    if (why != NULL) {
        skipped(b->name, "needs %s", why);
        return;
    }
    if (reads) {
        write_matrix(b->few);
        write_matrix(b->many);
    }
    const double each = (count_instructions(b, b->many) - count_instructions(b, b->few)) / (double)(b->many - b->few);
    if (reads)
        shell_ok("rm -f '%s'budget_*.mtx", cli_path(""));
    printf("%s: %.1f instructions a %s, of %g\n", b->name, each, b->unit, b->most);
    ck_assert_msg(each > b->most / 4, "%s: %.1f instructions a %s: is it still done?", b->name, each, b->unit);
    ck_assert_msg(each <= b->most, "%s: %.1f instructions a %s, the budget is %g", b->name, each, b->unit, b->most);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    const char *name = getenv("NS_BUDGET"), *units = getenv("NS_BUDGET_UNITS");
    for (int i = 0; name != NULL && units != NULL && i < BUDGETS; i++)
        if (strcmp(budgets[i].name, name) == 0) {
            budgets[i].run(strtoll(units, NULL, 10));
            exit(0);
        }
    Suite *s = suite_create("instruction budgets");
    TCase *tc = tcase_create("callgrind");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, within_budget, 0, BUDGETS);
    suite_add_tcase(s, tc);
    return s;
}
