/* test_no_room.c -- reading, saving and cutting matrices, and messages, with too little memory or work: each call for
 * memory fails, with all after it, and every limit is too small, until one is enough.  What fails says so, and sets
 * nothing; what succeeds has the answer that it has without a limit. */
#include "core/memory.h"
#include "support/allocations.h"
#include "support/needs.h"
#include "support/shell.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collection/catalogue.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "price/choice.h"

/* ---- what is done ------------------------------------------------------------------------------------------------ */

/* Numbers of an answer, in *sum when it succeeds. */
typedef ns_status job_fn(const ns_limits *limits, int64_t *sum, ns_error *err);

/* Assertions take memory, so a job keeps what it has found until there is some again. */
static bool holds = true;
static void expect(bool what)
{
    holds = holds && what;
}

static int64_t sum_of(const ns_exchange *x)
{
    const ns_pattern *n = &x->pattern;
    int64_t sum =
        n->bytes_total + 3 * n->unique_bytes_off_node + 5 * n->messages_off_node + 7 * x->runs + 11 * x->pairs;
    for (int64_t r = 0; r < x->routes; r++)
        sum = 31 * sum % 1000003 + x->route[r].from + 5 * x->route[r].to + x->route[r].entries;
    return sum;
}

static ns_status cut(const char *spec, const ns_limits *limits, const ns_layout *layout, size_t layouts,
                     ns_exchange_options options, int64_t *sum, ns_error *err)
{
    ns_matrix *matrix;
    ns_exchange *exchange[2] = {NULL, NULL};
    int64_t nonzeros = -1;
    NS_TRY(ns_matrix_open(spec, &matrix, err));
    ns_matrix_limit(matrix, limits->max_work);
    options.max_memory = limits->max_memory;
    const ns_status status = ns_exchange_from_matrix(matrix, layout, layouts, &options, exchange, &nonzeros, err);
    expect((exchange[0] != NULL) == (status == NS_OK) && (nonzeros >= 0) == (status == NS_OK));
    if (status == NS_OK)
        *sum = nonzeros;
    for (size_t i = 0; i < layouts; i++) {
        *sum = exchange[i] != NULL ? 31 * *sum + sum_of(exchange[i]) : *sum;
        ns_exchange_free(exchange[i]);
    }
    ns_matrix_free(matrix);
    return status;
}

static const ns_layout two[] = {{3, 2}, {2, 1}}, many = {1000, 4};
static int32_t part_of_8[] = {0, 2, 1, 0, 2, 2, 0, 1}, *part_of_all;

/* Parts that do not ascend with the nodes that they are on. */
static ns_status placed(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    static const int32_t node_of[] = {1, 0, 1};
    ns_site *site;
    NS_TRY(ns_site_from_map(3, 2, node_of, 0, NULL, &site, err));
    const ns_status status = cut("m.mtx", limits, two, 1, (ns_exchange_options){.site = site}, sum, err);
    ns_site_free(site);
    return status;
}

static ns_status saved(const char *spec, const ns_limits *limits, int64_t *sum, ns_error *err)
{
    ns_matrix *matrix;
    NS_TRY(ns_matrix_open(spec, &matrix, err));
    ns_matrix_limit(matrix, limits->max_work);
    const ns_status status = ns_matrix_save(matrix, "out.nsp", limits->max_memory, err);
    ns_matrix_free(matrix);
    if (status != NS_OK)
        return status;
    const ns_limits none = {0};
    allocations_limit(-1);
    return cut("out.nsp", &none, two, 2, (ns_exchange_options){0}, sum, err);
}

static ns_status saved_in_order(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    return saved("rows.mtx", limits, sum, err);
}

static ns_status saved_by_panels(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    return saved("m.mtx", limits, sum, err);
}

static ns_status saved_by_sorting(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    return saved("sparse.mtx", limits, sum, err);
}

static ns_status lengths(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    ns_matrix *matrix;
    ns_spread row = {0}, col = {0};
    NS_TRY(ns_matrix_open("m.mtx", &matrix, err));
    ns_matrix_limit(matrix, limits->max_work);
    const ns_status status = ns_matrix_lengths(matrix, limits->max_memory, &row, &col, sum, err);
    ns_matrix_free(matrix);
    expect((row.max > 0) == (status == NS_OK));
    *sum += (int64_t)(1000 * row.max + 100000 * col.max);
    return status;
}

/* A schedule, on a machine and of an exchange that are there already. */
static ns_machine *machine;
static ns_exchange *planned;

static ns_status scheduled(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    const ns_strategy *strategy;
    ns_schedule *schedule = NULL;
    (void)limits;
    NS_TRY(ns_strategy_get("split-md", &strategy, err));
    const ns_status status = ns_schedule_build(strategy, NS_VIA_HOST, planned, machine, &schedule, err);
    expect((schedule != NULL) == (status == NS_OK));
    *sum = status == NS_OK ? schedule->slices + 7 * schedule->step[0].messages + 31 * schedule->copies[0] : 0;
    ns_schedule_free(schedule);
    return status;
}

static ns_status partition(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    int32_t *part = NULL, parts = -7;
    (void)limits;
    const ns_status status = ns_partition_read("part", 8, &part, &parts, err);
    expect((part != NULL) == (status == NS_OK) && (parts > 0) == (status == NS_OK));
    *sum = parts;
    ns_free(part);
    return status;
}

static ns_status messages(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    static const int32_t place[] = {3, 0, 2, 1};
    ns_planned *message = NULL;
    ns_exchange *exchange = NULL;
    size_t count = 0;
    int32_t parts = -7;
    ns_status status = ns_messages_read_within("plan.csv", limits, &message, &count, &parts, err);
    expect((message != NULL) == (status == NS_OK) && (parts == 4) == (status == NS_OK));
    if (status == NS_OK)
        status = ns_exchange_from_messages_within(message, count, (ns_layout){4, 2}, place, limits, &exchange, err);
    expect((exchange != NULL) == (status == NS_OK));
    *sum = status == NS_OK ? sum_of(exchange) : 0;
    ns_exchange_free(exchange);
    ns_free(message);
    return status;
}

static ns_status all_to_all(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    ns_exchange *exchange = NULL;
    const ns_status status = ns_exchange_alltoall((ns_layout){5, 2}, 100, limits, &exchange, err);
    expect((exchange != NULL) == (status == NS_OK));
    *sum = status == NS_OK ? sum_of(exchange) : 0;
    ns_exchange_free(exchange);
    return status;
}

static ns_status messages_on_a_site(const ns_limits *limits, int64_t *sum, ns_error *err)
{
    static const ns_planned message[] = {{0, 1, 8}, {2, 0, 5}, {1, 2, 7}};
    static const int32_t node_of[] = {1, 0, 1}, socket_of[] = {0, 1, 1};
    ns_site *site = NULL, *other = NULL;
    ns_exchange *exchange = NULL;
    (void)limits;
    ns_status status = ns_site_from_map(3, 2, node_of, 2, socket_of, &site, err);
    if (status == NS_OK)
        status = ns_site_with_sockets(site, 3, &other, err);
    if (status == NS_OK)
        status = ns_exchange_from_messages_on(message, 3, other, &exchange, err);
    expect((exchange != NULL) == (status == NS_OK));
    *sum = status == NS_OK ? sum_of(exchange) : 0;
    ns_exchange_free(exchange);
    ns_site_free(other);
    ns_site_free(site);
    return status;
}

/* A matrix that is cut, or something else.  Of the large ones, of 90,000 entries and 300,000 rows on 1,000 parts, the
 * set of what is needed is a hash that grows. */
static const struct {
    const char *name, *spec;
    job_fn *run;
    bool viewed, parted;
    bool in_memory, in_work; /* has a limit on it */
} jobs[] = {
    {"plain", "m.mtx", NULL, false, false, true, true},
    {"packed", "m.nsp", NULL, false, false, true, true},
    {"viewed", "m.mtx", NULL, true, false, true, true},
    {"parted", "m.mtx", NULL, true, true, true, true},
    {"packed, parted", "m.nsp", NULL, false, true, true, true},
    {"stencil", "stencil9:5x5", NULL, false, false, true, true},
    {"stencil, viewed", "stencil9:5x5", NULL, true, false, true, true},
    {"placed", NULL, placed, false, false, true, true},
    {"saved in order", NULL, saved_in_order, false, false, true, true},
    {"saved by panels", NULL, saved_by_panels, false, false, true, true},
    {"saved by sorting", NULL, saved_by_sorting, false, false, true, true},
    {"lengths", NULL, lengths, false, false, true, true},
    {"scheduled", NULL, scheduled, false, false, false, false},
    {"partition", NULL, partition, false, false, false, false},
    {"messages", NULL, messages, false, false, true, true},
    {"all to all", NULL, all_to_all, false, false, true, true},
    {"on a site", NULL, messages_on_a_site, false, false, false, false},
    {"large", "large.mtx", NULL, false, false, true, false},
    {"large, viewed", "large.mtx", NULL, true, false, true, false},
    {"large, parted", "large.mtx", NULL, false, true, true, false},
    {"large, packed, parted", "large.nsp", NULL, false, true, true, false},
    {"large stencil, parted", "stencil5:600x500", NULL, false, true, true, false},
};
enum { JOBS = sizeof jobs / sizeof *jobs, SMALL = 17 };

static ns_status run(int job, const ns_limits *limits, int64_t *sum, ns_error *err)
{
    ns_netsparse_view view = {.size = sizeof view, .requests = 0};
    const bool is_large = job >= SMALL;
    const ns_exchange_options options = {.view = jobs[job].viewed ? &view : NULL,
                                         .rack = 2,
                                         .part = !jobs[job].parted ? NULL
                                                 : is_large        ? part_of_all
                                                                   : part_of_8};
    if (jobs[job].run != NULL)
        return jobs[job].run(limits, sum, err);
    const size_t layouts = is_large || jobs[job].viewed || jobs[job].parted ? 1 : 2;
    NS_TRY(cut(jobs[job].spec, limits, is_large ? &many : two, layouts, options, sum, err));
    *sum += 1000 * view.requests + view.unique_max;
    return NS_OK;
}

/* ---- what it is done to ------------------------------------------------------------------------------------------ */

enum { SIDE = 300000, ENTRIES = 90000 };

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void write_large(void)
{
    oracle_random random = {11};
    FILE *file = fopen("large.mtx", "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", (int)SIDE, (int)SIDE, (int)ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
        const int row = (int)oracle_below(&random, SIDE) + 1;
        fprintf(file, "%d %d\n", row, (int)oracle_below(&random, SIDE) + 1);
    }
    ck_assert_int_eq(fclose(file), 0);
    part_of_all = ns_malloc(SIDE * sizeof *part_of_all);
    ck_assert_ptr_nonnull(part_of_all);
    for (int i = 0; i < SIDE; i++)
        part_of_all[i] = (int32_t)oracle_below(&random, many.parts);
}

static void pack(const char *from, const char *to)
{
    ns_matrix *matrix;
    ck_assert_int_eq(ns_matrix_open(from, &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_matrix_save(matrix, to, 0, NULL), NS_OK);
    ns_matrix_free(matrix);
}

static void setup(void)
{
    ck_assert_int_eq(chdir(scratch_open()), 0);
    write_text("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n8 8 15\n8 1\n1 8\n2 2\n2 5\n3 3\n4 4\n4 1\n"
                        "5 5\n5 2\n6 6\n7 7\n7 3\n8 8\n8 4\n1 3\n");
    write_text("rows.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n8 8 6\n1 1\n3 1\n3 2\n5 4\n8 1\n8 8\n");
    write_text("sparse.mtx", "%%MatrixMarket matrix coordinate pattern general\n9000 9 3\n9000 1\n1 8\n20 2\n");
    write_text("part", "0\n2\n1\n0\n2\n2\n0\n1\n");
    write_text("plan.csv", "src,dst,bytes\n0,1,8\n2,3,9\n1,0,7\n0,1,5\n3,1,4KiB\n");
    pack("m.mtx", "m.nsp");
    part_of_all = NULL;
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){9, 4}, 3000, NULL, &planned, NULL), NS_OK);
}

static void setup_large(void)
{
    setup();
    write_large();
    pack("large.mtx", "large.nsp");
}

static void teardown(void)
{
    ns_free(part_of_all);
    ns_exchange_free(planned);
    ns_machine_free(machine);
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static int64_t answer_of(int job)
{
    const ns_limits none = {0};
    int64_t sum = 0;
    ns_error err = {0};
    ck_assert_msg(run(job, &none, &sum, &err) == NS_OK, "%s: %s", jobs[job].name, err.text);
    return sum;
}

START_TEST(failing_calls)
{
    const ns_limits none = {0};
    const int64_t wanted = answer_of(_i);
    const long before = allocations();
    answer_of(_i);
    if (allocations() == before) {
        skipped(__func__, "needs glibc and a build without sanitizers"); /* which have their own memory */
        return;
    }
    for (long call = 1;; call++) {
        int64_t sum = 0;
        ns_error err = {0};
        allocations_limit(call);
        const ns_status status = run(_i, &none, &sum, &err);
        allocations_limit(-1);
        ck_assert_msg(holds, "%s, call %ld", jobs[_i].name, call);
        if (status == NS_OK) {
            ck_assert_int_eq(sum, wanted);
            break;
        }
        ck_assert_msg(status == NS_ERR_MEMORY || status == NS_ERR_FILE, "%s, call %ld: %s", jobs[_i].name, call,
                      err.text);
        ck_assert_msg(err.code == status && err.text[0] != '\0', "%s, call %ld: no words", jobs[_i].name, call);
        ck_assert_int_lt(call, 2000);
    }
}
END_TEST

/* Limits rise by one part in `steps` until one is enough. */
static void raise_limit(int job, bool work, int64_t steps)
{
    const int64_t wanted = answer_of(job);
    bool refused = false;
    for (int64_t limit = 1;; limit += 1 + limit / steps) {
        int64_t sum = 0;
        ns_error err = {0};
        const ns_limits limits = {.max_memory = work ? 0 : limit, .max_work = work ? limit : 0};
        const ns_status status = run(job, &limits, &sum, &err);
        ck_assert_msg(holds, "%s, limit %lld", jobs[job].name, (long long)limit);
        if (status == NS_OK) {
            ck_assert_int_eq(sum, wanted);
            break;
        }
        ck_assert_msg(status == NS_ERR_LIMIT && err.limit == (work ? NS_LIMIT_WORK : NS_LIMIT_MEMORY), "%s: %s (%d)",
                      jobs[job].name, err.text, (int)err.limit);
        refused = true;
        ck_assert_int_lt(limit, INT64_C(1) << 32);
    }
    ck_assert(refused);
}

START_TEST(too_little_memory)
{
    if (jobs[_i].in_memory)
        raise_limit(_i, false, _i < SMALL ? 200 : 12);
}
END_TEST

START_TEST(too_little_work)
{
    if (jobs[_i].in_work)
        raise_limit(_i, true, 1000);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("no room");
    TCase *small = tcase_create("small"), *hashed = tcase_create("large");
    tcase_set_timeout(small, 120);
    tcase_set_timeout(hashed, 300);
    tcase_add_checked_fixture(small, setup, teardown);
    tcase_add_checked_fixture(hashed, setup_large, teardown);
    tcase_add_loop_test(small, failing_calls, 0, SMALL);
    tcase_add_loop_test(small, too_little_memory, 0, SMALL);
    tcase_add_loop_test(small, too_little_work, 0, SMALL);
    tcase_add_loop_test(hashed, too_little_memory, SMALL, JOBS);
    suite_add_tcase(s, small);
    suite_add_tcase(s, hashed);
    return s;
}
