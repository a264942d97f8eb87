/* test_netsparse_threads.c -- a trace answers the same for any number of threads and in any order of questions
 *
 * Answers are compared as text in which every double stands in full ("%a").
 */

#include "core/memory.h"
#include "core/parallel.h"
#include "netsparse/netsparse.h"
#include "netsparse/trace.h"
#include "oracle/oracle.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/machines.h"
#include "support/test.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static void print_node(FILE *out, const ns_node_time *t)
{
    fprintf(out, "%a %a %a %a %a %a %a %a %a %a %a %a %a %d\n", t->issued, t->served, t->per_packet, t->hits, t->rtt,
            t->received, t->sent, t->line, t->generate, t->pending, t->tail, t->hidden, t->exposed, (int)t->limit);
}

static void print_result(FILE *out, const ns_netsparse_result *r)
{
    fprintf(out, "%lld %a %a %a %a %a\n", (long long)r->batch, r->su_time, r->sa_time, r->sa_traffic, r->filter_most,
            r->speedup_most);
    for (int i = 0; i < NS_MECHANISMS; i++) {
        const ns_step_result *s = &r->step[i];
        fprintf(out, "%d %a %a %a %a %d %a %a %a %a %a %a\n", (int)s->node, s->time, s->best, s->mean, s->network,
                (int)s->limit, s->issued, s->traffic, s->hits, s->cache_requests, s->windows, s->owners);
        print_node(out, &s->tail);
    }
    for (int32_t p = 0; p < r->nodes; p++)
        print_node(out, &r->node[p]);
    for (int i = 0; i < NS_PROFILE; i++)
        fprintf(out, "%d ", (int)r->active[i]);
}

static void print_counts(FILE *out, const ns_trace *t)
{
    fprintf(out, "%lld %lld %a\n", (long long)t->view.requests, (long long)t->view.unique,
            t->view.destinations_per_window);
    for (int32_t p = 0; p < t->nodes; p++)
        fprintf(out, "%lld %lld %lld\n", (long long)t->node[p].requests, (long long)t->node[p].unique,
                (long long)t->node[p].rank_unique);
    for (int32_t k = 0; k < t->racks; k++)
        fprintf(out, "%lld %lld\n", (long long)t->rack_counts[k].columns, (long long)t->rack_counts[k].pairs);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static const struct question {
    double k;
    int64_t batch;
    ns_topology topology;
    bool last_only;
} questions[] = {{16, 0, NS_LEAF_SPINE, false},
                 {1, 7, NS_HYPERX, true},
                 {128, 0, NS_DRAGONFLY, false},
                 {16, 0, NS_LEAF_SPINE, true},
                 {16, 100, NS_LEAF_SPINE, true}};

static const struct subject {
    const char *matrix;
    int32_t nodes, rack;
    bool dealt; /* rows dealt out to the nodes one by one */
} subjects[] = {{"NotreDame_www", 48, 10, false},
                {"xenon1", 33, 4, false},
                {"rajat01", 20, 3, true},
                {"stencil9:40x40", 5, 64, false},
                {"stencil7:9x9x9", 1, 16, false}};

static void must(ns_status status, const ns_error *err)
{
    ck_assert_msg(status == NS_OK, "%s", err->text);
}

/* The asked of the questions (bits). */
static ns_status ask(ns_trace *trace, unsigned asked, FILE *out, ns_error *err)
{
    ns_status status = NS_OK;
    ns_machine *machine = machine_named("netsparse");
    for (int i = 0; status == NS_OK && i < COUNT(questions); i++) {
        const struct question *q = &questions[i];
        ns_netsparse_result *result;
        const ns_netsparse_options options = {
            .machine = machine, .k = q->k, .batch = q->batch, .topology = q->topology, .last_only = q->last_only};
        if ((asked >> i & 1) == 0)
            continue;
        status = ns_netsparse_run(trace, &options, &result, err);
        if (status != NS_OK)
            continue;
        print_result(out, result);
        ns_netsparse_free(result);
    }
    return status;
}

/* The answers of a trace of their own, freed by the caller; NULL when the memory is too little. */
static char *answer(const struct subject *s, int32_t threads, int64_t max_memory, unsigned asked)
{
    ns_error err = {0};
    ns_matrix *matrix;
    ns_trace *trace = NULL;
    char *text = NULL;
    size_t size;
    must(ns_matrix_open(s->matrix, &matrix, &err), &err);
    const int64_t rows = ns_matrix_describe(matrix)->rows;
    int32_t *part = ns_calloc((size_t)rows, sizeof *part);
    for (int64_t i = 0; i < rows; i++)
        part[i] = (int32_t)(i % s->nodes);
    const ns_trace_options wanted = {
        .part = s->dealt ? part : NULL, .rack = s->rack, .threads = threads, .max_memory = max_memory};
    ns_status status = ns_trace_open(matrix, s->nodes, &wanted, &trace, &err);
    FILE *out = open_memstream(&text, &size);
    if (status == NS_OK) {
        ck_assert(max_memory == 0 || trace->store->threads < threads);
        print_counts(out, trace);
        status = ask(trace, asked, out, &err);
    }
    fclose(out);
    text = library_text(text);
    ck_assert_msg(status == NS_OK || (status == NS_ERR_LIMIT && max_memory > 0), "%s", err.text);
    if (status != NS_OK) {
        ns_free(text);
        text = NULL;
    }
    ns_trace_free(trace);
    ns_matrix_free(matrix);
    ns_free(part);
    return test_keep(text);
}

static const unsigned all = (1U << COUNT(questions)) - 1;

TEST_EACH(threads_change_nothing, COUNT(subjects))
{
    static const int32_t threads[] = {2, 3, 8, 0};
    char *alone = answer(&subjects[_i], 1, 0, all);
    ck_assert(strlen(alone) > 1000);
    for (int i = 0; i < COUNT(threads); i++) {
        char *together = answer(&subjects[_i], threads[i], 0, all);
        ck_assert_msg(strcmp(alone, together) == 0, "%s: %d threads answer otherwise", subjects[_i].matrix,
                      (int)threads[i]);
    }
}

/* What a trace remembers of one question (order, split, schedules) does not show in the next answer. */
TEST_EACH(order_changes_nothing, COUNT(subjects))
{
    const struct subject *s = &subjects[_i];
    char *together = answer(s, 2, 0, all), *counts = answer(s, 2, 0, 0);
    size_t at = strlen(counts);
    for (int i = 0; i < COUNT(questions); i++) {
        char *one = answer(s, 2, 0, 1U << i);
        const char *own = one + strlen(counts);
        ck_assert_msg(strncmp(together + at, own, strlen(own)) == 0, "%s, question %d", s->matrix, i);
        at += strlen(own);
    }
    ck_assert_int_eq(together[at], '\0');
}

/* A limit that the scratch of a thread for each node does not fit is kept with fewer. */
TEST(less_memory_fewer_threads)
{
    const struct subject *s = &subjects[0];
    char *wide = answer(s, 1, 0, 1), *narrow = NULL;
    for (int64_t limit = 1 << 20; narrow == NULL; limit += limit / 16) /* the first that is enough */
        narrow = answer(s, s->nodes, limit, 1);
    ck_assert_str_eq(wide, narrow);
    ns_free(narrow);
}

/* ---- the order of the entries ------------------------------------------------------------------------------------ */

/* The same entries row by row or column by column. */
static const char *write_entries(const oracle_matrix *m, bool by_rows)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const int64_t *start = by_rows ? m->row_start : m->col_start, *of = by_rows ? m->col_of : m->row_of;
    fprintf(out, "%%%%MatrixMarket matrix coordinate pattern general\n%lld %lld %lld\n", (long long)m->rows,
            (long long)m->cols, (long long)m->entries);
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++)
            fprintf(out, "%lld %lld\n", (long long)(by_rows ? i : of[e]) + 1, (long long)(by_rows ? of[e] : i) + 1);
    fclose(out);
    const char *path = cli_file(by_rows ? "rows.mtx" : "columns.mtx", text);
    free(text);
    return path;
}

/* Columns are kept as they come while rows ascend and are little of the memory; else they are read again. */
TEST_EACH(order_of_entries_changes_nothing, 2)
{
    oracle_random random = {11};
    oracle_matrix matrix;
    oracle_random_matrix(&random, 3000, 3000, 60000, 1, &matrix);
    struct subject s = {"", 24, 5, _i != 0};
    s.matrix = write_entries(&matrix, true);
    char *kept = answer(&s, 2, 0, all), *again = NULL;
    for (int64_t limit = 1 << 18; again == NULL; limit += limit / 16)
        again = answer(&s, s.nodes, limit, all);
    ck_assert_str_eq(kept, again);
    ns_free(again);
    s.matrix = write_entries(&matrix, false);
    again = answer(&s, 2, 0, all);
    ck_assert_str_eq(kept, again);
    ns_free(again);
    oracle_matrix_free(&matrix);
}

/* ---- the crew ---------------------------------------------------------------------------------------------------- */

enum { ITEMS = 1000 };

typedef struct tally {
    int done[ITEMS], worker[ITEMS];
    int64_t fails_from;
} tally;

static ns_status count_item(void *context, int64_t item, int worker, ns_error *err)
{
    tally *t = context;
    t->done[item]++;
    t->worker[item] = worker;
    return item < t->fails_from ? NS_OK : ns_fail(err, NS_ERR_DATA, "item %lld", (long long)item);
}

TEST(every_item_once)
{
    for (int threads = 1; threads <= 100; threads += 33)
        for (int64_t count = 0; count <= ITEMS; count += 250) {
            tally t = {.fails_from = ITEMS};
            ck_assert_int_eq(ns_parallel(count, threads, count_item, &t, NULL), NS_OK);
            for (int i = 0; i < ITEMS; i++) {
                ck_assert_int_eq(t.done[i], i < count);
                ck_assert(t.worker[i] >= 0 && t.worker[i] < threads && t.worker[i] < NS_THREADS_MOST);
            }
        }
}

/* The lowest of several failures, whoever comes first. */
TEST(lowest_failure)
{
    for (int threads = 1; threads <= 8; threads++) {
        tally t = {.fails_from = 700};
        ns_error err = {0};
        ck_assert_int_eq(ns_parallel(ITEMS, threads, count_item, &t, &err), NS_ERR_DATA);
        ck_assert_str_eq(err.text, "item 700");
        for (int i = 0; i <= 700; i++)
            ck_assert_int_eq(t.done[i], 1);
        ck_assert_int_eq(t.done[ITEMS - 1], 0);
        ns_error kept = {.code = NS_ERR_FILE, .text = "earlier"};
        ck_assert_int_eq(ns_parallel(ITEMS, threads, count_item, &t, &kept), NS_ERR_DATA);
        ck_assert_str_eq(kept.text, "earlier");
    }
}

TEST(how_many)
{
    ck_assert_int_ge(ns_threads(0), 1);
    ck_assert_int_le(ns_threads(0), NS_THREADS_AUTO_MOST);
    ck_assert_int_eq(ns_threads(5), 5);
    ck_assert_int_eq(ns_threads(1 << 20), NS_THREADS_MOST);
    ns_matrix *matrix;
    ns_trace *trace;
    const ns_trace_options wanted = {.threads = -1};
    ck_assert_int_eq(ns_matrix_open("rajat01", &matrix, NULL), NS_OK);
    ck_assert_int_eq(ns_trace_open(matrix, 4, &wanted, &trace, NULL), NS_ERR_RANGE);
    ns_matrix_free(matrix);
}

TEST_TIMEOUT(300)
