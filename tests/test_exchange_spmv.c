/* test_exchange_spmv.c -- rows that know one GPU's process only: its helpers, by hand */

#include "machine/form.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/test.h"

/* On socket 1 us + 1 ns/B, on node 2 us + 2 ns/B, off node 4 us + 4 ns/B; gamma = 10 ns. */
static const char machine_text[] =
    "{\"schema\":\"nsmodel/machine/1\",\"name\":\"byhand\",\"title\":\"by hand\",\"source\":\"tests\","
    "\"topology\":{\"sockets\":2,\"gpus\":0,\"host_processes\":4},"
    "\"host\":{\"protocols\":{\"short\":\"0 B\"},"
    "\"on-socket\":{\"short\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"}},"
    "\"on-node\":{\"short\":{\"alpha\":\"2 us\",\"beta\":\"2 ns/B\"}},"
    "\"off-node\":{\"short\":{\"alpha\":\"4 us\",\"beta\":\"4 ns/B\"}},\"queue\":{\"gamma\":\"10 ns\"}}}";

/* 4 GPUs a node on 2 sockets, 6 messages of 800 / 6 B each: 1 on the socket, 2 on the node, 3 off it.  Two helpers
 * share them, 3 each; three-step hands 400 B to the other on the socket, first and last.  Without helpers a process has
 * all 6. 2 messages for each of two helpers are 4 of 200 B, merged and gathered. */
#define MEAN     (800.0 / 6)
#define HALF_OFF (1.5 * (4 + MEAN * 4e-3))
#define HALF_ON  (1 * (2 + MEAN * 2e-3) + 0.5 * (1 + MEAN * 1e-3))
static const struct {
    const char *row;
    double off_us, on_us, squares;
} priced[] = {
    {"split-dd,host,32,4,8,16,6,100,3", HALF_OFF, HALF_ON, 9},
    {"three-step,host,32,4,8,16,6,100,3", HALF_OFF, HALF_ON + 2 * (1 + 0.4), 9 + 1 + 1},
    {"three-step,host,16,4,4,16,6,100,6", 2 * HALF_OFF, 2 * HALF_ON, 36},
    {"standard,host,16,4,4,16,6,100,", 2 * HALF_OFF, 2 * HALF_ON, 36},
    {"split-dd,host,32,4,8,16,6,100,2", 2 * (4 + 200 * 4e-3), 0, 4},
    {"three-step,host,32,4,8,16,6,100,2", 2 * (4 + 200 * 4e-3), 4 * (2 + 200 * 2e-3), 4},
};

static const char header[] = "strategy,transport,processes,nodes,ppn,gpus,max_n,max_s,max_tap_n\n";

static ns_status price_row(const char *row, ns_price *price, ns_error *err)
{
    char text[400];
    ns_machine *machine;
    ns_records *records;
    ns_price_options options = {.confidence = 0.9};
    snprintf(text, sizeof text, "%s%s\n", header, row);
    ck_assert(ns_form_get("queue", &options.form, err) == NS_OK);
    ck_assert_msg(ns_machine_parse(machine_text, "by hand", &machine, err) == NS_OK, "%s", err->text);
    ck_assert_msg(ns_records_read(cli_file("rows.csv", text), &records, err) == NS_OK, "%s", err->text);
    const ns_status status = ns_record_price(records, 0, machine, &options, price, err);
    ns_records_free(records);
    ns_machine_free(machine);
    return status;
}

TEST_EACH(by_hand, sizeof priced / sizeof *priced)
{
    ns_price price;
    ns_error err = {0};
    ck_assert_msg(price_row(priced[_i].row, &price, &err) == NS_OK, "%s", err.text);
    ck_assert_double_eq_tol(ns_price_term(&price, "off_node") * 1e6, priced[_i].off_us, 1e-9);
    ck_assert_double_eq_tol(ns_price_term(&price, "on_node") * 1e6, priced[_i].on_us, 1e-9);
    ck_assert_double_eq_tol(ns_price_term(&price, "queue") * 1e6, priced[_i].squares * 10e-3, 1e-9);
}

TEST(contradicting)
{
    ns_price price;
    ns_error err = {0};
    ck_assert(price_row("three-step,host,32,4,8,16,6,100,7", &price, &err) != NS_OK);
    ck_assert_msg(strstr(err.text, "max_tap_n is 7, but there are 6 messages") != NULL, "%s", err.text);
    ck_assert(price_row("split-dd,host,32,4,8,16,6,100,", &price, &err) != NS_OK);
}
