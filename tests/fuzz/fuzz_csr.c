/* fuzz_csr.c -- bytes as a small matrix, a layout and a partition; every strategy moves the same bytes
 *
 * Byte 0: rows, 1: parts, 2: parts per node, 3: flags; then one byte an entry: its low bits are the column, 255 ends a
 * row.
 *
 * About 200 executions a second of processor time, not 1,000: each builds, checks and prices the schedules of all
 * strategies.
 */
#include "fuzz.h"

enum { CSR_ROWS = 24, CSR_HEAD = 4 };

typedef struct csr_input {
    int64_t rows, row_start[CSR_ROWS + 1], col[512];
    int32_t part[CSR_ROWS];
    ns_layout layout;
    bool partitioned;
} csr_input;

static void csr_read(const uint8_t *data, size_t size, csr_input *in)
{
    in->rows = data[0] % CSR_ROWS + 1;
    in->layout = (ns_layout){.parts = data[1] % 12 + 1, .per_node = data[2] % 5 + 1};
    in->partitioned = data[3] & 1;
    int64_t entries = 0, row = 0;
    for (size_t i = CSR_HEAD; i < size && row < in->rows && entries < 512; i++) {
        if (data[i] == 255)
            in->row_start[++row] = entries;
        else
            in->col[entries++] = data[i] % in->rows;
    }
    while (row < in->rows)
        in->row_start[++row] = entries;
    for (int64_t i = 0; i < in->rows; i++)
        in->part[i] = (int32_t)((i * (data[3] >> 1) + i) % in->layout.parts);
}

/* Off-node bytes of a schedule: a column once per receiving node, but for standard. */
static void csr_check_schedule(const ns_exchange *exchange, const ns_schedule *schedule, const ns_strategy *strategy)
{
    int64_t off_node = 0;
    for (int s = 0; s < schedule->steps; s++)
        for (int64_t m = 0; m < schedule->step[s].messages; m++) {
            const ns_message *message = &schedule->step[s].message[m];
            REQUIRE(message->bytes > 0 && message->from != message->to);
            REQUIRE(message->from >= 0 && message->from < schedule->processes);
            REQUIRE(message->to >= 0 && message->to < schedule->processes);
            if (schedule->site->node_of[message->from] != schedule->site->node_of[message->to])
                off_node += message->bytes;
        }
    REQUIRE(off_node ==
            (!strategy->node_aware ? exchange->pattern.bytes_off_node : exchange->pattern.unique_bytes_off_node));
}

static void csr_price(const ns_exchange *exchange, const ns_strategy *strategy, ns_transport transport)
{
    ns_schedule *schedule;
    ns_price price;
    if (!ns_strategy_runs(strategy, transport, shipped_machine()))
        return;
    REQUIRE(ns_schedule_build(strategy, transport, exchange, shipped_machine(), &schedule, NULL) == NS_OK);
    csr_check_schedule(exchange, schedule, strategy);
    REQUIRE(ns_schedule_price_as(schedule, shipped_machine(), NULL, &price, NULL) == NS_OK);
    REQUIRE(isfinite(price.estimate_s) && price.estimate_s >= 0);
    ns_schedule_free(schedule);
}

FUZZ(csr)
{
    static csr_input in;
    if (size < CSR_HEAD)
        return;
    csr_read(data, size, &in);
    ns_exchange *exchange;
    ns_exchange_options options = {.part = in.partitioned ? in.part : NULL};
    REQUIRE(ns_exchange_from_csr(in.rows, in.rows, in.row_start, in.col, in.layout, &options, &exchange, NULL) ==
            NS_OK);
    for (const ns_strategy *const *strategy = ns_strategies(); *strategy != NULL; strategy++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            csr_price(exchange, *strategy, (ns_transport)t);
    ns_exchange_free(exchange);
}
