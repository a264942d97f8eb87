/* test_calibration_dense.c -- fit --records with dense exchanges: what they were made with is found again */

#include "core/memory.h"
#include "price/choice.h"
#include "price/price.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/events.h"
#include "support/files.h"
#include "support/machines.h"
#include "support/test.h"

static double normal(uint64_t *seed)
{
    return sqrt(-2 * log(event_uniform(seed))) * cos(6.283185307179586 * event_uniform(seed));
}

enum { NODES = 4, SIZES = 12, WAYS = 2 };

static const struct {
    const char *machine, *head, *way[WAYS];
    int per_node;
    const char *floor; /* added to the machine that makes the times */
} sets[] = {
    {"dane", "processes,nodes,ppn,bytes_per_pair,strategy,median_s", {"standard", "node-aware"}, 6, NULL},
    {"lassen-spectrum",
     "processes,nodes,gpus_per_node,doubles_per_pair,random_extra_max,strategy,transport,median_s",
     {"standard,device", "standard,staged-with-copies"},
     4,
     "host.exchange.floor=90us"},
};

/* Rows of a set: 1 s each, or what the machine says with an error of that many doublings. */
static ns_records *rows_of(int set, const double *times, double error, uint64_t *seed)
{
    static char text[NODES * SIZES * WAYS * 120 + 200];
    char *at = text + sprintf(text, "%s\n", sets[set].head);
    ns_records *records;
    ns_error err = {0};
    const double *time = times;
    for (int n = 2; n < 2 + NODES; n++)
        for (int s = 0; s < SIZES; s++)
            for (int w = 0; w < WAYS; w++) {
                const char *extra = sets[set].per_node == 4 ? ",7" : "";
                const double seconds = time != NULL ? *time++ * exp2(error * normal(seed)) : 1;
                at += sprintf(at, "%d,%d,%d,%d%s,%s,%.17g\n", n * sets[set].per_node, n, sets[set].per_node, 4 << s,
                              extra, sets[set].way[w], seconds);
            }
    ck_assert_msg(ns_records_read(cli_file("dense.csv", text), &records, &err) == NS_OK, "%s", err.text);
    return records;
}

static double *times_of(int set, const ns_machine *truth)
{
    uint64_t seed = 1;
    ns_records *records = rows_of(set, NULL, 0, &seed);
    double *times = ns_malloc(records->rows * sizeof *times);
    ns_price_options options = {.confidence = 0.9};
    ns_dense *kept = NULL;
    ns_price price;
    ns_error err = {0};
    ck_assert_ptr_nonnull(times);
    for (size_t i = 0; i < records->rows; i++) {
        ck_assert_msg(ns_row_price(&kept, records, i, truth, &options, NULL, &price, &err) == NS_OK, "%s", err.text);
        times[i] = price.estimate_s;
    }
    ns_dense_free(kept);
    ns_records_free(records);
    return times;
}

static ns_machine *load(int set, const char *assignment)
{
    ns_machine *plain, *changed;
    ns_error err = {0};
    plain = machine_named(sets[set].machine);
    if (assignment == NULL)
        return test_keep(plain);
    ck_assert_msg(ns_machine_with(plain, assignment, &changed, &err) == NS_OK, "%s", err.text);
    return test_keep(changed);
}

TEST_EACH(found_again, sizeof sets / sizeof *sets)
{
    enum { CASES = NODES * SIZES };
    static const double error = 0.2;
    ns_machine *truth = load(_i, sets[_i].floor), *machine = load(_i, NULL);
    double *times = times_of(_i, truth);
    uint64_t seed = 5;
    ns_records *records = rows_of(_i, times, error, &seed);
    ns_calibration c[NS_MEMORIES];
    ns_error err = {0};
    ck_assert_msg(ns_calibrate(records, NULL, NULL, machine, NULL, false, c, &err) == NS_OK, "%s", err.text);
    const bool gpus = machine->gpus > 0;
    ck_assert_uint_eq(c[NS_HOST].count, gpus ? CASES : WAYS * CASES);
    ck_assert_uint_eq(c[NS_DEVICE].count, gpus ? CASES : 0);
    ck_assert_uint_eq(c[NS_HOST].groups, NODES);
    ck_assert(c[NS_HOST].floor_given == gpus);
    if (gpus)
        ck_assert_double_eq_tol(c[NS_HOST].floor_s * 1e6, 90, 9);
    ck_assert_msg(c[NS_HOST].error > 0.85 * error && c[NS_HOST].error < 1.6 * error, "%g", c[NS_HOST].error);
    ck_assert_uint_eq(c[NS_HOST].cases, CASES);
    ck_assert_double_eq_tol(c[NS_HOST].kappa / (1.2825 / (error * log(2))), 0.95, 0.25);
    ns_records_free(records);
    ns_free(times);
}

/* Dane with few messages in flight, and a time after which lost ones are sent again. */
static ns_machine *stalling(const char *timeout)
{
    return machine_with(machine_with(load(0, NULL), "host.exchange.in_flight=4"), timeout);
}

/* All messages at once, 6 to 24 of a process, wait for it; two-step, of 1 to 4, does not.  Bytes hide the wait of the
 * longest. */
TEST_EACH(stalls_are_found_again, 2)
{
    static const char *const timeouts[] = {"host.exchange.timeout=5ms", "host.exchange.timeout=0ms"};
    ns_machine *truth = stalling(timeouts[_i]), *machine = stalling(timeouts[1]);
    double *times = times_of(0, truth);
    uint64_t seed = 5;
    ns_records *records = rows_of(0, times, 0.1, &seed);
    ns_calibration c[NS_MEMORIES];
    ns_error err = {0};
    ck_assert_msg(ns_calibrate(records, NULL, NULL, machine, NULL, false, c, &err) == NS_OK, "%s", err.text);
    ck_assert_double_eq_tol(c[NS_HOST].timeout_s, _i == 0 ? 5e-3 : 0, 0.5e-3);
    ck_assert(_i == 0 ? c[NS_HOST].stalled > NODES * SIZES / 2 : c[NS_HOST].stalled == 0);
    ck_assert_double_le(c[NS_HOST].timeout_se, 1e-3);
    ck_assert_msg(c[NS_HOST].error < 0.25, "%g", c[NS_HOST].error); /* those that stall say nothing of others */
    ns_records_free(records);
    ns_free(times);
    ns_machine_free(truth);
    ns_machine_free(machine);
}

static double queue_s(const char *timeout, int64_t bytes)
{
    ns_machine *machine = stalling(timeout);
    ns_exchange *exchange;
    ns_comparison c;
    const ns_strategy *standard;
    ck_assert_int_eq(ns_strategy_get("standard", &standard, NULL), NS_OK);
    const ns_selection selection = {.strategy = &standard, .strategies = 1, .transports = 1u << NS_VIA_HOST};
    ck_assert_int_eq(ns_exchange_alltoall((ns_layout){16, 8}, bytes, &(ns_limits){0}, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(exchange, machine, &selection, &c, NULL), NS_OK);
    const double seconds = ns_price_term(&c.choice[0].price, "queue");
    ns_exchange_free(exchange);
    ns_machine_free(machine);
    return seconds;
}

/* Of 8 messages with 4 in flight half wait: a step in two has the timeout, which bytes hide. */
TEST(half_of_the_messages_wait)
{
    const double none = queue_s("host.exchange.timeout=0ms", 8);
    ck_assert_double_eq_tol(queue_s("host.exchange.timeout=10ms", 8) - none, 5e-3, 0.01e-3);
    ck_assert_double_eq(queue_s("host.exchange.timeout=0.01ms", 30000), none);
}

/* What is too much work is left out, not an end. */
TEST(within_limits)
{
    const ns_limits limits = {.max_work = 12 * 11};
    ns_machine *machine = load(0, NULL);
    uint64_t seed = 5;
    ns_records *records = rows_of(0, NULL, 0, &seed);
    ns_calibration c[NS_MEMORIES];
    ck_assert(ns_calibrate(records, NULL, NULL, machine, &limits, false, c, NULL) == NS_OK);
    ck_assert_uint_eq(c[NS_HOST].count, SIZES * WAYS);
    ck_assert_uint_eq(c[NS_HOST].groups, 1);
    ns_records_free(records);
}

/* The whole way: a log and a file of exchanges in, a machine with a kappa out. */
TEST(by_command)
{
    ns_machine *truth = load(0, NULL);
    double *times = times_of(0, truth);
    uint64_t seed = 5;
    ns_records *records = rows_of(0, times, 0.2, &seed); /* writes dense.csv */
    static const char *const locality[] = {"on-socket", "on-node", "off-node"};
    char line[2000] = "fit --gpus 0 --sockets 2", path[300], *log = read_whole("examples/osu_latency.log");
    for (int i = 0; i < 3; i++) {
        char name[60];
        snprintf(name, sizeof name, "dense_%s.log", locality[i]);
        const char *copy = cli_file(name, log);
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, " %s --locality %s=%s", copy, name, locality[i]);
    }
    snprintf(path, sizeof path, "%s", cli_file("calibrated.json", ""));
    const size_t used = strlen(line);
    snprintf(line + used, sizeof line - used, " --records %s -o %s", records->file, path);
    cli_result said = cli(line);
    ck_assert_msg(said.code == 0, "%s", said.err);
    ns_machine *made = machine_named(path);
    const ns_parameter *kappa = ns_machine_parameter(made, "host.choice.kappa");
    ck_assert_ptr_nonnull(kappa);
    ns_records_free(records);
    ns_free(times);
}

TEST_TIMEOUT(120)
