/* test_calibration.c -- numbers learnt from whole exchanges: what they change, and what they must not */

#include "core/memory.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/events.h"
#include "support/machines.h"
#include "support/test.h"

/* ---- an error or a kappa is no parameter ------------------------------------------------------------------------- */

static const struct {
    const char *machine, *count, *set;
} unchanged[] = {
    {"lassen", "--gpus 16", "host.exchange.model_error.time=1.24"},
    {"lassen", "--gpus 16", "device.exchange.model_error.ratio=0.3"},
    {"lassen", "--gpus 16", "host.choice.kappa=4"},
    {"summit", "--gpus 12", "host.exchange.model_error.time=0.2"},
    {"bluewaters", "--gpus 64", "host.exchange.model_error.time=2"},
    {"bluewaters", "--gpus 64", "host.choice.lambda=0.5"},
    {"lcc3", "--gpus 24", "host.exchange.model_error.time=0.3"},
};

TEST_EACH(no_estimate_moves, sizeof unchanged / sizeof *unchanged)
{
    ns_value *before =
        cli_json_with("predict --matrix stencil9:300x200 %s --machine %s", unchanged[_i].count, unchanged[_i].machine);
    ns_value *after = cli_json_with("predict --matrix stencil9:300x200 %s --machine %s --set %s", unchanged[_i].count,
                                    unchanged[_i].machine, unchanged[_i].set);
    const ns_value *a = ns_value_get(ns_value_get(before, "cases")->first, "strategies")->first,
                   *b = ns_value_get(ns_value_get(after, "cases")->first, "strategies")->first;
    ck_assert_ptr_nonnull(a);
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        ck_assert_str_eq(ns_value_get(a, "strategy")->text, ns_value_get(b, "strategy")->text);
        ck_assert_double_eq(ns_value_get(a, "estimate_s")->number, ns_value_get(b, "estimate_s")->number);
    }
    ck_assert(a == NULL && b == NULL);
}

/* ---- what rows were made with is found again --------------------------------------------------------------------- */

/* Four GPUs and eight processes a node; everything but what is to be found. */
static const char changed_machine[] =
    "{\"schema\":\"nsmodel/machine/1\",\"name\":\"made\",\"title\":\"made\",\"source\":\"tests\","
    "\"topology\":{\"sockets\":2,\"gpus\":%d,\"host_processes\":8},"
    "\"host\":{\"protocols\":{\"short\":\"0 B\"},"
    "\"on-socket\":{\"short\":{\"alpha\":\"0.5 us\",\"beta\":\"0.1 ns/B\"}},"
    "\"on-node\":{\"short\":{\"alpha\":\"1 us\",\"beta\":\"0.2 ns/B\"}},"
    "\"off-node\":{\"short\":{\"alpha\":\"2 us\",\"beta\":\"0.4 ns/B\"}},"
    "\"injection\":{\"inverse_R_N\":\"0.05 ns/B\"},"
    "\"exchange\":{\"off-node\":{\"overhead\":\"0.3 us\",\"short\":{\"alpha\":\"0.3 us\",\"beta\":\"0.4 ns/B\"}}}},"
    "\"device\":{\"protocols\":{\"short\":\"0 B\"},"
    "\"on-socket\":{\"short\":{\"alpha\":\"5 us\",\"beta\":\"0.1 ns/B\"}},"
    "\"on-node\":{\"short\":{\"alpha\":\"8 us\",\"beta\":\"0.2 ns/B\"}},"
    "\"off-node\":{\"short\":{\"alpha\":\"9 us\",\"beta\":\"0.3 ns/B\"}}}}";

static ns_machine *machine_of(int gpus)
{
    char text[2400];
    ns_machine *machine;
    ns_error err = {0};
    snprintf(text, sizeof text, changed_machine, gpus);
    ck_assert_msg(ns_machine_parse(text, "made", &machine, &err) == NS_OK, "%s", err.text);
    return test_keep(machine);
}

/* A machine with one number more, the other one freed. */
static ns_machine *with(ns_machine *machine, const char *assignment)
{
    ns_machine *changed;
    ns_error err = {0};
    ck_assert_msg(ns_machine_with(machine, assignment, &changed, &err) == NS_OK, "%s", err.text);
    ns_machine_free(machine);
    return test_keep(changed);
}

static double normal(uint64_t *seed)
{
    return sqrt(-2 * log(event_uniform(seed))) * cos(6.283185307179586 * event_uniform(seed));
}

enum { LEVELS = 12, CASES = 8, WAYS = 4 };
static const char *const ways[WAYS] = {"standard,device", "standard,host", "three-step,host", "split-dd,host"};
static const char head[] =
    "group,file,level,run,strategy,transport,processes,nodes,ppn,gpus,max_n,max_s,max_tap_n,measured_s\n";

/* Rows as the machine has them, times 2^(shared + own): the two standard ways share an error. */
static ns_records *rows_of(const double *times, double shared, double own, uint64_t *seed)
{
    char *text = ns_malloc(LEVELS * CASES * WAYS * 160 + sizeof head), *at = text;
    ns_records *records;
    ns_error err = {0};
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "%s", head);
    for (int i = 0; i < LEVELS * CASES; i++) {
        const double nest = shared * normal(seed);
        for (int w = 0; w < WAYS; w++) {
            const int n = 5 + (7 * i) % 23, s = 200 << (i % 12);
            const double error = (w < 2 ? nest : shared * normal(seed)) + own * normal(seed);
            at += sprintf(at, "g%d-%d,made,%d,%d,%s,256,32,8,128,%d,%d,%d,%.17g\n", i, w, i % LEVELS, i, ways[w], n,
                          n + s, (n + 1) / 2, times != NULL ? times[WAYS * i + w] * exp2(error) : 1);
        }
    }
    ck_assert_msg(ns_records_read(cli_file("made.csv", text), &records, &err) == NS_OK, "%s", err.text);
    ns_free(text);
    return records;
}

/* Times of the rows on the machine, in their order. */
static double *times_of(const ns_machine *truth)
{
    uint64_t seed = 1;
    ns_records *records = rows_of(NULL, 0, 0, &seed);
    double *times = ns_malloc(records->rows * sizeof *times);
    ns_price_options options = {.confidence = 0.9};
    ns_price price;
    ns_error err = {0};
    ck_assert_ptr_nonnull(times);
    for (size_t i = 0; i < records->rows; i++) {
        ck_assert_msg(ns_record_price(records, i, truth, &options, &price, &err) == NS_OK, "%s", err.text);
        times[i] = price.estimate_s;
    }
    ns_records_free(records);
    return times;
}

static const struct {
    const char *host, *step, *device, *start;
    double host_us, step_us, device_us, start_us;
} floors[] = {
    {"host.exchange.floor=40us", "host.exchange.floor_step=12us", "device.exchange.floor=80us",
     "device.exchange.off-node.alpha=3us", 40, 12, 80, 3},
    {"host.exchange.floor=9us", "host.exchange.floor_step=0us", "device.exchange.floor=46us",
     "device.exchange.off-node.alpha=2us", 9, 0, 46, 2},
};

TEST_EACH(floors_are_found, sizeof floors / sizeof *floors)
{
    ns_machine *truth = machine_of(4), *blank = machine_of(4);
    truth = with(with(with(with(truth, floors[_i].host), floors[_i].step), floors[_i].device), floors[_i].start);
    double *times = times_of(truth);
    uint64_t seed = 7;
    ns_records *records = rows_of(times, 0, 0.1, &seed);
    ns_calibration c[NS_MEMORIES];
    ns_error err = {0};
    ck_assert_msg(ns_calibrate(records, NULL, NULL, blank, NULL, false, c, &err) == NS_OK, "%s", err.text);
    ck_assert(c[NS_HOST].floor_given && c[NS_HOST].floor_step_given && !c[NS_HOST].start_up_given);
    ck_assert(c[NS_DEVICE].floor_given && !c[NS_DEVICE].floor_step_given && c[NS_DEVICE].start_up_given);
    ck_assert(c[NS_HOST].by_level && c[NS_HOST].groups == LEVELS);
    ck_assert_double_eq_tol(c[NS_HOST].floor_s * 1e6, floors[_i].host_us, 1.5);
    ck_assert_double_eq_tol(c[NS_HOST].floor_step_s * 1e6, floors[_i].step_us, 1);
    ck_assert_double_eq_tol(c[NS_DEVICE].floor_s * 1e6, floors[_i].device_us, 4);
    ck_assert_double_eq_tol(c[NS_DEVICE].start_up_s * 1e6, floors[_i].start_us, 0.25);
    /* what is left is what was added */
    for (int m = 0; m < NS_MEMORIES; m++)
        ck_assert_msg(c[m].error > 0.085 && c[m].error < 0.14, "%g", c[m].error);
    ck_assert(c[NS_HOST].choice_given && c[NS_DEVICE].choice_given);
    ck_assert_uint_eq(c[NS_HOST].cases, LEVELS * CASES);
    ck_assert_double_eq_tol(c[NS_HOST].kappa / (1.2825 / (0.1 * log(2))), 1, 0.1);
    ck_assert_double_eq(c[NS_HOST].lambda, 1);
    ns_records_free(records);
    ns_free(times);
}

/* Without GPUs nothing stands for what ping-pongs do not show. */
TEST(no_gpus)
{
    ns_machine *truth = machine_of(4);
    truth = with(with(truth, floors[0].host), floors[0].device);
    double *times = times_of(truth);
    uint64_t seed = 7;
    ns_records *records = rows_of(times, 0, 0.1, &seed);
    ns_calibration c[NS_MEMORIES];
    ns_machine *bluewaters = machine_named("bluewaters");
    ck_assert(ns_calibrate(records, NULL, NULL, bluewaters, NULL, false, c, NULL) == NS_OK);
    ck_assert(c[NS_HOST].count > 0 && !c[NS_HOST].floor_given && !c[NS_DEVICE].floor_given);
    ns_records_free(records);
    ns_free(times);
}

/* Errors that the ways of a nest share make lambda small, and only these. */
TEST(nests)
{
    ns_machine *truth = machine_of(4), *blank = machine_of(4);
    truth =
        with(with(with(truth, floors[0].host), "device.exchange.floor=40us"), "device.exchange.off-node.alpha=0.5us");
    double *times = times_of(truth);
    uint64_t seed = 11;
    ns_records *records = rows_of(times, 0.4, 0.1, &seed);
    ns_calibration c[NS_MEMORIES];
    ck_assert(ns_calibrate(records, NULL, NULL, blank, NULL, false, c, NULL) == NS_OK);
    const double b = sqrt(0.4 * 0.4 + 0.1 * 0.1) * log(2);
    ck_assert_double_eq_tol(c[NS_HOST].kappa / (1.2825 / b), 1, 0.15);
    ck_assert_double_eq_tol(c[NS_HOST].lambda, 0.1 * log(2) / b, 0.1);
    ns_records_free(records);
    ns_free(times);
}

TEST_TIMEOUT(120)
