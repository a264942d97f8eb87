/* test_allocator.c -- a host's allocator and log: all memory of the calls made under a context is the host's, and goes
 * back to it, whoever frees it and when; what is said, and that nothing is said elsewhere
 */
#include "api/library.h"
#include "support/allocations.h"
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* ---- a host with memory of its own ------------------------------------------------------------------------------ */

/* Each block carries its owner and size: what comes back has to be what was given. */
typedef struct block {
    struct host *owner;
    size_t size;
} block;

typedef struct host {
    atomic_long blocks, bytes, calls, most; /* most: calls that find memory; 0: all */
    char said[4000];
    int warnings;
} host;

static void *host_allocate(void *user, size_t size)
{
    host *h = user;
    const long call = atomic_fetch_add(&h->calls, 1) + 1;
    ck_assert_uint_gt(size, 0);
    block *b = h->most > 0 && call > h->most ? NULL : malloc(sizeof *b + size);
    if (b == NULL)
        return NULL;
    *b = (block){h, size};
    memset(b + 1, 0x5a, size); /* nobody relies on zeros */
    atomic_fetch_add(&h->blocks, 1);
    atomic_fetch_add(&h->bytes, (long)size);
    return b + 1;
}

static void host_release(void *user, void *memory, size_t size)
{
    host *h = user;
    block *b = (block *)memory - 1;
    ck_assert_ptr_eq(b->owner, h);
    ck_assert_uint_eq(b->size, size);
    memset(b, 0xa5, sizeof *b + size);
    atomic_fetch_sub(&h->blocks, 1);
    atomic_fetch_sub(&h->bytes, (long)size);
    free(b);
}

static void *host_reallocate(void *user, void *memory, size_t old_size, size_t size)
{
    void *made = host_allocate(user, size);
    if (made == NULL)
        return NULL;
    memcpy(made, memory, old_size < size ? old_size : size);
    host_release(user, memory, old_size);
    return made;
}

static void host_log(void *user, ns_log_level level, const char *text)
{
    host *h = user;
    h->warnings += level == NS_LOG_WARNING;
    strncat(h->said, text, sizeof h->said - strlen(h->said) - 2);
    strcat(h->said, "\n");
}

static ns_context *context_of(host *h, bool grows)
{
    const ns_context_options options = {.size = sizeof options,
                                        .user = h,
                                        .log = host_log,
                                        .allocate = host_allocate,
                                        .reallocate = grows ? host_reallocate : NULL,
                                        .release = host_release};
    ns_context *context;
    ck_assert_int_eq(ns_context_open(&options, &context, NULL), NS_OK);
    return context;
}

/* ---- what a program does ----------------------------------------------------------------------------------------- */

typedef struct made {
    ns_machine *machine;
    ns_matrix *matrix;
    ns_exchange *exchange;
    ns_comparison *comparison;
    ns_schedule *schedule;
    ns_placer *placer;
    ns_graph *graph;
    ns_catalogue *catalogue;
    ns_calc *calc;
    ns_trace *trace;
    char *text;
} made;

static ns_status make_exchange(made *m, ns_error *err)
{
    const ns_layout layout = {32, 4};
    NS_TRY(ns_machine_load("lassen", &m->machine, err));
    NS_TRY(ns_matrix_open("NotreDame_www", &m->matrix, err)); /* packed by zlib */
    NS_TRY(ns_exchange_from_matrix(m->matrix, &layout, 1, NULL, &m->exchange, NULL, err));
    return ns_graph_from_matrix(m->matrix, 32, NULL, &m->graph, NULL, err);
}

static ns_status make_text(made *m, ns_error *err)
{
    ns_value *root;
    size_t size;
    NS_TRY(ns_json_parse("{\"a\": [1, 2, {\"b\": \"text that is long enough to be copied\"}]}", "text", &root, err));
    const ns_status status = ns_json_write(root, &m->text, &size, err);
    ns_value_free(root);
    return status;
}

/* Reading with threads, zlib, JSON, GSL-free numerics, a search of placements, counting in the network. */
static ns_status make(made *m, ns_error *err)
{
    const ns_strategy *strategy;
    const ns_search_options search = {.seed = 1, .tries = 50};
    const ns_trace_options traced = {.threads = 3};
    int32_t node_of[1024];
    NS_TRY(make_exchange(m, err));
    NS_TRY(make_text(m, err));
    NS_TRY(ns_compare(m->exchange, m->machine, NULL, &m->comparison, err));
    NS_TRY(ns_strategy_get("three-step", &strategy, err));
    NS_TRY(ns_schedule_build(strategy, NS_VIA_HOST, m->exchange, m->machine, &m->schedule, err));
    NS_TRY(ns_placer_open(m->graph, 8, m->machine, NULL, NULL, &m->placer, err));
    ns_place_blocks(ns_graph_parts(m->graph), 8, node_of);
    NS_TRY(ns_place_search(m->graph, 8, m->machine, NULL, NULL, &search, node_of, err));
    NS_TRY(ns_catalogue_open(&m->catalogue, err));
    NS_TRY(ns_calc_open(&m->calc, err));
    return ns_trace_open(m->matrix, 12, &traced, &m->trace, err);
}

static void let_go(made *m)
{
    ns_trace_free(m->trace);
    ns_calc_free(m->calc);
    ns_catalogue_free(m->catalogue);
    ns_placer_free(m->placer);
    ns_schedule_free(m->schedule);
    ns_comparison_free(m->comparison);
    ns_free(m->text);
    ns_graph_free(m->graph);
    ns_exchange_free(m->exchange);
    ns_matrix_free(m->matrix);
    ns_machine_free(m->machine);
}

static void make_under(ns_context *context, made *m)
{
    ns_error err = {0};
    ns_context_use(context);
    ck_assert_msg(make(m, &err) == NS_OK, "%s", err.text);
    ns_context_use(NULL);
}

/* ---- allocator --------------------------------------------------------------------------------------------------- */

/* The C library's own part is what zlib, threads and sorts take: none of it stays. */
TEST_EACH(all_memory_is_the_hosts, 2)
{
    host h = {0};
    made m = {0}, none = {0};
    make_under(NULL, &none);
    let_go(&none);
    ns_context *context = context_of(&h, _i != 0);
    const long before = allocations_live() - h.blocks;
    make_under(context, &m);
    ck_assert_int_gt(h.blocks, 100);
    /* each block of the host is one of malloc's here; streams and threads may keep a few */
    ck_assert_int_le(allocations_live() - h.blocks - before, 4);
    let_go(&m);
    ck_assert_int_eq(h.blocks, 1); /* the context */
    ns_context_free(context);
    ck_assert_int_eq(h.blocks, 0);
    ck_assert_int_eq(h.bytes, 0);
}

static void *free_elsewhere(void *m)
{
    let_go(m);
    return NULL;
}

/* After the context, under another one, by another thread. */
TEST(handles_outlive_their_context)
{
    host h = {0}, other = {0};
    made m[3] = {{0}};
    pthread_t thread;
    ns_context *context = context_of(&h, true), *another = context_of(&other, false);
    for (int i = 0; i < 3; i++)
        make_under(context, &m[i]);
    ns_context_free(context);
    let_go(&m[0]);
    ns_context_use(another);
    let_go(&m[1]);
    ck_assert_ptr_eq(ns_context_use(NULL), another);
    ck_assert_int_eq(other.blocks, 1);
    ck_assert_int_gt(h.blocks, 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, free_elsewhere, &m[2]), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(h.blocks, 0);
    ns_context_free(another);
    ck_assert_int_eq(other.blocks, 0);
}

/* A handle that grows under another context takes new blocks from that, and keeps its own. */
TEST(handles_grow_under_another_context)
{
    host h = {0}, other = {0};
    ns_context *context = context_of(&h, true), *another = context_of(&other, true);
    ns_calc *calc;
    ns_answer answer = {.size = sizeof answer};
    char line[40];
    ns_context_use(context);
    ck_assert_int_eq(ns_calc_open(&calc, NULL), NS_OK);
    for (int i = 0; i < 200; i++) {
        ns_context_use(i % 2 == 0 ? another : context);
        snprintf(line, sizeof line, "v%d = %d B", i, i);
        ck_assert_int_eq(ns_calc_eval(calc, line, &answer, NULL), NS_OK);
    }
    ns_context_use(NULL);
    ns_calc_free(calc);
    ck_assert_int_eq(h.blocks, 1);
    ck_assert_int_eq(other.blocks, 1);
    ns_context_free(context);
    ns_context_free(another);
}

/* Every call for memory fails in turn, some hundred of them: NS_ERR_MEMORY, nothing kept, and the host goes on. */
TEST(no_memory)
{
    host all = {0};
    made whole = {0};
    ns_context *context = context_of(&all, false);
    make_under(context, &whole);
    let_go(&whole);
    ns_context_free(context);
    for (long most = 1; most < all.calls; most += 1 + all.calls / 150) {
        host h = {.most = most};
        made m = {0};
        ns_error err = {0};
        ns_context_use(context = context_of(&h, false));
        const ns_status status = make(&m, &err);
        ns_context_use(NULL);
        ck_assert_msg(status == NS_ERR_MEMORY || (status == NS_OK && h.calls <= most), "call %ld of %ld: %s", most,
                      (long)all.calls, err.text);
        let_go(&m);
        ns_context_free(context);
        ck_assert_msg(h.blocks == 0, "call %ld of %ld: %ld blocks are lost", most, (long)all.calls, (long)h.blocks);
    }
}

TEST(half_an_allocator)
{
    ns_context *context = NULL;
    ns_error err = {0};
    ns_context_options options = {.size = sizeof options, .allocate = host_allocate};
    ck_assert_int_eq(ns_context_open(&options, &context, &err), NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "an allocator wants allocate and release both");
    options = (ns_context_options){.size = sizeof options, .release = host_release};
    ck_assert_int_eq(ns_context_open(&options, &context, NULL), NS_ERR_RANGE);
    options = (ns_context_options){.size = sizeof options, .reallocate = host_reallocate};
    ck_assert_int_eq(ns_context_open(&options, &context, NULL), NS_ERR_RANGE);
    ck_assert_ptr_null(context);
}

/* ---- log --------------------------------------------------------------------------------------------------------- */

static void listen(host *h, ns_context **context)
{
    *context = context_of(h, true);
    ns_context_use(*context);
}

static void stop_listening(ns_context *context)
{
    ns_context_use(NULL);
    ns_context_free(context);
}

TEST(a_surrogate_is_said)
{
    host h = {0};
    ns_context *context;
    ns_matrix *matrix;
    listen(&h, &context);
    ck_assert_int_eq(ns_matrix_open("audikw_1", &matrix, NULL), NS_OK);
    ns_matrix_free(matrix);
    ck_assert_str_eq(h.said, "no file of audikw_1 is found: a surrogate is generated, not the real matrix\n");
    ck_assert_int_eq(h.warnings, 0);
    *h.said = '\0';
    ck_assert_int_eq(ns_matrix_open("stencil5:8x8", &matrix, NULL), NS_OK);
    ns_matrix_free(matrix);
    ck_assert_str_eq(h.said, "");
    stop_listening(context);
}

TEST(a_file_that_is_not_the_matrix_is_said)
{
    host h = {0};
    ns_context *context;
    ns_matrix *matrix;
    const char *folder = getenv("NSMODEL_TEST_TMP");
    const ns_matrix_place place = {.directory = folder, .label = "mine", .source = NS_FROM_CACHE};
    char path[1000];
    snprintf(path, sizeof path, "%s/audikw_1.mtx", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n", file);
    fclose(file);
    listen(&h, &context);
    ck_assert_int_eq(ns_matrix_open_in("audikw_1", &place, 1, &matrix, NULL), NS_OK);
    ns_matrix_free(matrix);
    ck_assert_msg(strstr(h.said, "file: 2 x 2, not GHS_psdef/audikw_1 of the collection") != NULL, "%s", h.said);
    ck_assert_int_eq(h.warnings, 1);
    stop_listening(context);
}

TEST(a_limit_that_is_near_is_said_once)
{
    host h = {0};
    ns_context *context;
    ns_exchange *exchange;
    int64_t enough = 0;
    for (int64_t most = 1000; enough == 0; most += most / 32) /* the first that is enough is near */
        if (ns_exchange_alltoall((ns_layout){64, 4}, 8, &(ns_limits){.max_memory = most}, &exchange, NULL) == NS_OK) {
            ns_exchange_free(exchange);
            enough = most;
        }
    listen(&h, &context);
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){64, 4}, 8, &(ns_limits){.max_memory = enough}, &exchange, NULL),
                     NS_OK);
    ns_exchange_free(exchange);
    ck_assert_msg(strncmp(h.said, "memory is near its limit: ", 26) == 0, "%s", h.said);
    ck_assert_int_eq(h.warnings, 1);
    *h.said = '\0';
    ck_assert_int_eq(
        ns_exchange_alltoall((ns_layout){64, 4}, 8, &(ns_limits){.max_memory = 4 * enough}, &exchange, NULL), NS_OK);
    ns_exchange_free(exchange);
    ck_assert_str_eq(h.said, "");
    stop_listening(context);
}

static const char *one_table(void)
{
    static char path[1000];
    snprintf(path, sizeof path, "%s/one-table.json", getenv("NSMODEL_TEST_TMP"));
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(
        "{\"schema\": \"nsmodel/machine/1\", \"name\": \"one-table\", \"title\": \"a test\", \"source\": \"a test\", "
        "\"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 4, \"source\": \"a test\"}, \"host\": "
        "{\"off-node\": {\"protocols\": {\"rendezvous\": \"0 B\", \"source\": \"a test\"}, \"rendezvous\": {\"alpha\": "
        "\"1 us\", \"beta\": \"1 ns/B\"}, \"source\": \"a test\"}}}",
        file);
    fclose(file);
    return path;
}

TEST(stand_ins_are_said)
{
    host h = {0};
    ns_context *context;
    ns_machine *machine;
    listen(&h, &context);
    ck_assert_int_eq(ns_machine_load("lassen", &machine, NULL), NS_OK);
    ns_machine_free(machine);
    ck_assert_msg(strstr(h.said, "stands for it") == NULL, "%s", h.said);
    ck_assert_int_eq(ns_machine_load(one_table(), &machine, NULL), NS_OK);
    ns_machine_free(machine);
    ck_assert_msg(strstr(h.said, "machine one-table has no host table on-socket: that off-node stands for it\n") !=
                      NULL,
                  "%s", h.said);
    ck_assert_int_eq(h.warnings, 0);
    stop_listening(context);
}

TEST_TIMEOUT(240)
