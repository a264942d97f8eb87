/* dense.c -- dense exchanges: a few numbers determine what each process sends, and the schedule gives the price */
#include "core/memory.h"
#include "core/work.h"
#include "price/quote.h"
#include "records/statistics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY = 8 /* B */, SEED = 123 };

const char *const ns_dense_columns[] = {
    "machine",          "nodes",   "ppn", "gpus_per_node", "processes", "bytes_per_pair", "doubles_per_pair",
    "random_extra_max", "threads", NULL};

bool ns_records_are_dense(const ns_records *records)
{
    return ns_records_column(records, "bytes_per_pair") >= 0 || ns_records_column(records, "doubles_per_pair") >= 0;
}

bool ns_record_measured(const ns_records *records, size_t row, double *seconds)
{
    double value;
    if (!ns_record_number(records, row, "measured_s", &value) &&
        !(ns_records_are_dense(records) && ns_record_number(records, row, "median_s", &value)))
        return false;
    if (!(value > 0))
        return false;
    *seconds = value;
    return true;
}

/* ---- strategy ---------------------------------------------------------------------------------------------------- */

ns_status ns_dense_way(const ns_records *records, size_t row, const ns_strategy **strategy, ns_transport *transport,
                       ns_error *err)
{
    const char *name = ns_record_text(records, row, "strategy"), *by = ns_record_text(records, row, "transport"),
               *threads = ns_record_text(records, row, "threads"),
               *algorithm = ns_records_column(records, "bytes_per_pair") >= 0
                                ? ns_record_text(records, row, "algorithm")
                                : ""; /* for neighbours, all send the same messages at once */
    const ns_strategy *found;
    ns_transport way = NS_VIA_HOST;
    const bool mpi = strcmp(algorithm, "mpi") == 0, pairwise = strcmp(algorithm, "pairwise") == 0;
    if (ns_strategy_get(strcmp(name, "node-aware") == 0 ? "two-step" : name, &found, NULL) != NS_OK)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.60s: none of our strategies", name);
    if ((mpi || pairwise) && found->forms == NULL && strcmp(found->name, "standard") != 0)
        return ns_record_fail(records, row, NS_ERR_DATA, err,
                              "%.60s: its steps are not those of all messages at once", name);
    if ((mpi || pairwise) && found->forms == NULL)
        NS_TRY(ns_strategy_get(mpi ? "library" : "standard/pairwise", &found, err));
    if (*threads != '\0' && strcmp(threads, "1") != 0)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "threads: not 1; a process of a schedule has one");
    if (*by != '\0' && strcmp(by, "staged-with-copies") != 0 && ns_transport_get(by, &way, NULL) != NS_OK)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "%.60s: none of our transports", by);
    *strategy = found;
    *transport = way;
    return NS_OK;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

typedef struct shape {
    double processes, per_node, bytes, entries, extra; /* bytes or entries of a pair */
    bool on_gpus;                                      /* one process per GPU, which holds its data */
} shape;

struct ns_dense {
    shape of;
    ns_exchange *exchange;
    ns_workspace *workspace;
};

void ns_glibc_seed(ns_glibc_random *random, uint32_t seed)
{
    enum { WARM_UP = 310 };
    int64_t word = seed != 0 ? seed : 1;
    for (int i = 0; i < 31; i++) {
        random->state[i] = (uint32_t)word;
        word = 16807 * word % 2147483647; /* a seed is below 2^31 - 1 */
    }
    random->at = 0;
    for (int i = 0; i < WARM_UP; i++)
        (void)ns_glibc_next(random);
}

int32_t ns_glibc_next(ns_glibc_random *random)
{
    const int at = random->at;
    uint32_t *state = random->state;
    random->at = (at + 1) % 31;
    return (int32_t)((state[(at + 3) % 31] += state[at]) >> 1);
}

/* Build the exchange from the messages that a file would list. */
static ns_status build_random(const shape *s, const ns_limits *limits, ns_exchange **exchange, ns_error *err)
{
    const ns_budget budget = {.limit = limits->max_memory};
    const int32_t parts = (int32_t)s->processes;
    const size_t count = ns_size_mul((size_t)parts, (size_t)parts - 1);
    size_t used = 0;
    NS_TRY(ns_budget_check(&budget, (double)count * sizeof(ns_planned), err));
    ns_planned *message = ns_malloc(ns_size_mul(count, sizeof *message));
    if (message == NULL)
        return ns_no_memory(err);
    for (int32_t from = 0; from < parts; from++) {
        ns_glibc_random random;
        ns_glibc_seed(&random, (uint32_t)(SEED + from));
        for (int32_t to = 0; to < parts; to++) {
            const int64_t entries = (int64_t)s->entries + ns_glibc_next(&random) % (int32_t)s->extra;
            if (from != to)
                message[used++] = (ns_planned){from, to, ENTRY * entries};
        }
    }
    const ns_status status = ns_exchange_from_messages_within(message, used, (ns_layout){parts, (int32_t)s->per_node},
                                                              NULL, limits, exchange, err);
    ns_free(message);
    return status;
}

static ns_status keep(ns_dense *kept, const shape *s, const ns_limits *limits, ns_error *err)
{
    const shape *old = &kept->of;
    if (kept->workspace == NULL)
        NS_TRY(ns_workspace_open(&kept->workspace, err));
    if (kept->exchange != NULL && old->processes == s->processes && old->per_node == s->per_node &&
        old->bytes == s->bytes && old->entries == s->entries && old->extra == s->extra)
        return NS_OK;
    ns_exchange_free(kept->exchange);
    kept->exchange = NULL;
    kept->of = *s;
    const ns_layout layout = {(int32_t)s->processes, (int32_t)s->per_node};
    const ns_work work = {.routes = s->processes * (s->processes - 1), .limit = limits->max_work};
    NS_TRY(ns_work_check(&work, err)); /* before anything is built */
    if (s->extra > 0)
        return build_random(s, limits, &kept->exchange, err);
    return ns_exchange_alltoall(layout, (int64_t)(s->bytes + ENTRY * s->entries), limits, &kept->exchange, err);
}

void ns_dense_free(ns_dense *kept)
{
    if (kept == NULL)
        return;
    ns_exchange_free(kept->exchange);
    ns_workspace_free(kept->workspace);
    ns_free(kept);
}

/* ---- prices ------------------------------------------------------------------------------------------------------ */

ns_status ns_row_price(ns_dense **kept, const ns_records *records, size_t row, const ns_machine *machine,
                       const ns_price_options *options, const ns_limits *limits, ns_price *price, ns_error *err)
{
    if (!ns_records_are_dense(records))
        return ns_record_price(records, row, machine, options, price, err);
    shape s = {0};
    const ns_strategy *strategy = NULL;
    ns_transport transport = NS_VIA_HOST;
    ns_error inner = {0};
    const ns_limits none = {0};
    NS_TRY(ns_dense_way(records, row, &strategy, &transport, err));
    assert(strategy != NULL);
    bool given, is_bytes, is_entries;
    double nodes, per_gpu_node;
    NS_TRY(ns_record_amount(records, row, "processes", true, &given, &s.processes, err));
    NS_TRY(ns_record_amount(records, row, "nodes", true, &given, &nodes, err));
    NS_TRY(ns_record_amount(records, row, "ppn", true, &given, &s.per_node, err));
    NS_TRY(ns_record_amount(records, row, "gpus_per_node", true, &s.on_gpus, &per_gpu_node, err));
    NS_TRY(ns_record_amount(records, row, "bytes_per_pair", true, &is_bytes, &s.bytes, err));
    NS_TRY(ns_record_amount(records, row, "doubles_per_pair", true, &is_entries, &s.entries, err));
    NS_TRY(ns_record_amount(records, row, "random_extra_max", true, &given, &s.extra, err));
    if (s.on_gpus)
        s.per_node = per_gpu_node;
    if (is_bytes == is_entries)
        return ns_record_fail(records, row, NS_ERR_DATA, err, "wants bytes_per_pair or doubles_per_pair, %s",
                              is_bytes ? "not both" : "one of them");
    if (s.processes < 2 || s.processes > INT32_MAX || s.per_node < 1 || s.per_node > s.processes || nodes < 1 ||
        (nodes - 1) * s.per_node >= s.processes || nodes * s.per_node < s.processes)
        return ns_record_fail(records, row, NS_ERR_DATA, err,
                              "%.0f processes do not stand on %.0f nodes of %.0f; wanted two at least", s.processes,
                              nodes, s.per_node);
    if (s.extra > INT32_MAX || s.bytes + s.entries < 1)
        return ns_record_fail(records, row, NS_ERR_RANGE, err,
                              "a pair exchanges 1 B at least, got %.0f B and %.0f of %.0f", s.bytes + ENTRY * s.entries,
                              s.extra, (double)INT32_MAX);
    ns_machine uncopied = *machine; /* host processes beside its GPUs */
    if (!s.on_gpus && transport == NS_VIA_HOST && machine->gpus > 0) {
        uncopied.copy_levels = 1;
        uncopied.copy[0] = (ns_copy_line){.processes = 1};
        machine = &uncopied;
    }
    if (!ns_strategy_runs(strategy, transport, machine))
        return ns_record_fail(records, row, NS_ERR_DATA, err, "machine %s does not run %s by %s", machine->name,
                              strategy->name, ns_transport_words[transport]);
    if (*kept == NULL)
        *kept = ns_calloc(1, sizeof **kept);
    ns_status status =
        *kept != NULL ? keep(*kept, &s, limits != NULL ? limits : &none, &inner) : ns_no_memory(&inner);
    if (status == NS_OK) {
        const ns_selection way = {
            .strategy = &strategy, .strategies = 1, .transports = 1u << transport, .price = *options};
        int quotes;
        status = ns_quote((*kept)->exchange, machine, &way, (*kept)->workspace, &quotes, &inner);
    }
    if (status == NS_OK) {
        *price = ns_quote_at((*kept)->workspace, 0)->price;
        return NS_OK;
    }
    (void)ns_record_fail(records, row, status, err, "%s", inner.text);
    if (err != NULL)
        err->limit = inner.limit;
    return status;
}
