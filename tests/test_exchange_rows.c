/* test_exchange_rows.c -- exchange rows: prices worked out by hand for every form, and every way to be refused */

#include "records/record.h"
#include "support/cli.h"
#include "support/forms.h"
#include "support/test.h"

/* Off node 4 us + 4 ns/B, on node 2 us + 2 ns/B, on socket 1 us + 1 ns/B for short and eager, ten times for rendezvous;
 * R_N^-1 = 0.5 ns/B, gamma = 10 ns, delta = 0.1 ns/B; whole exchanges: 3 us off node, R^-1 = 0.25 ns/B, short messages
 * on node 1.5 us + 1 ns/B. */
static const char machine_text[] =
    "{\"schema\":\"nsmodel/machine/1\",\"name\":\"byhand\",\"title\":\"by hand\",\"source\":\"tests\","
    "\"topology\":{\"sockets\":2,\"gpus\":0,\"host_processes\":4},"
    "\"host\":{\"protocols\":{\"short\":\"0 B\",\"eager\":\"500 B\",\"rendezvous\":\"8000 B\"},"
    "\"on-socket\":{\"short\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"},\"eager\":{\"alpha\":\"1 us\",\"beta\":\"1 "
    "ns/B\"},"
    "\"rendezvous\":{\"alpha\":\"10 us\",\"beta\":\"10 ns/B\"}},"
    "\"on-node\":{\"short\":{\"alpha\":\"2 us\",\"beta\":\"2 ns/B\"},\"eager\":{\"alpha\":\"2 us\",\"beta\":\"2 "
    "ns/B\"},"
    "\"rendezvous\":{\"alpha\":\"20 us\",\"beta\":\"20 ns/B\"}},"
    "\"off-node\":{\"short\":{\"alpha\":\"4 us\",\"beta\":\"4 ns/B\"},\"eager\":{\"alpha\":\"4 us\",\"beta\":\"4 "
    "ns/B\"},"
    "\"rendezvous\":{\"alpha\":\"40 us\",\"beta\":\"1 ns/B\",\"to\":\"65536 B\"}},"
    "\"injection\":{\"inverse_R_N\":\"0.5 ns/B\"},\"queue\":{\"gamma\":\"10 ns\"},"
    "\"exchange\":{\"off-node\":{\"alpha\":\"3 us\"},\"inverse_R\":\"0.25 ns/B\","
    "\"on-node\":{\"short\":{\"alpha\":\"1.5 us\",\"beta\":\"1 "
    "ns/B\"}},\"model_error\":{\"time\":0.5,\"ratio\":0.25}}},"
    "\"network\":{\"contention\":{\"delta\":\"0.1 ns/B\"}}}";

static const char header[] = "id,machine,strategy,transport,processes,nodes,ppn,max_num_msgs,max_num_L,max_num_S,max_"
                             "num_G,max_num_R,total_bytes,byte_hops,"
                             "num_short,size_short,num_eager,size_eager,num_rend,size_rend,num_short_node,size_short_"
                             "node,num_eager_node,size_eager_node,"
                             "num_rend_node,size_rend_node,num_short_socket,size_short_socket,num_eager_socket,size_"
                             "eager_socket,num_rend_socket,size_rend_socket\n";

/* standard: off node 3 short of 300 B and 2 rendezvous of 40000 B in all; on node 2 short, 200 B; on socket 1 eager,
 * 1000 B; at most 7 messages.  640000 B leave 4 nodes, mean distance 2. */
static const char standard_row[] =
    "a,byhand,standard,host,16,4,4,7,,,,,640000,1280000,3,300,0,0,2,40000,2,200,0,0,0,0,0,0,1,1000,0,0\n";
/* three-step: steps of at most 3, 1, 2, 2 messages; off node one eager of 1000 B; on node 4 short, 400 B, and on socket
 * 8 short, 0 B */
static const char three_step_row[] =
    "b,byhand,three-step,host,16,4,4,,3,1,2,2,8000,8000,0,0,1,1000,0,0,4,400,0,0,0,0,8,0,0,0,0,0\n";

/* standard inside nodes: one rendezvous message of 10000 B to the other socket */
static const char inside_row[] = "c,byhand,standard,host,16,4,4,1,,,,,0,0,0,0,0,0,0,0,0,0,0,0,1,10000,0,0,0,0,0,0\n";

static ns_machine *machine_of(void)
{
    ns_machine *machine;
    ns_error err = {0};
    ck_assert_msg(ns_machine_parse(machine_text, "by hand", &machine, &err) == NS_OK, "%s", err.text);
    return test_keep(machine);
}

static ns_records *read_rows(const char *head, const char *body)
{
    char text[8000];
    ns_records *records;
    ns_error err = {0};
    snprintf(text, sizeof text, "%s%s", head, body);
    ck_assert_msg(ns_records_read(cli_file("rows.csv", text), &records, &err) == NS_OK, "%s", err.text);
    return records;
}

/* standard
 *
 *   postal      all 8 by off-node lines: short 3 + 2, 300 + 200 B: 22; eager 1, 1000 B: 8; rendezvous 80 + 40: 150 us
 *
 *   max-rate    on node 4 + 0.4, on socket 1 + 1: 6.4; off node 12 + 1.2 + 80 + max(40, 4 x 40000 x 0.5 = 80): 173.2
 *
 *   queue       + 49 x 10 ns = 0.49 us; contention + 2^3 x 640000 / 2 x 0.1 ns = 256 us
 *
 *   full        capped at 7, off node first: 5 off, 2 on node, none on socket.  Of a node 640000 / 4 = 160000 B, out
 *               and in: off node 5 x 3 + max(2 x 160000 x 0.25 = 80, own 300 x 4 + 40000 x 1 = 41.2) = 95; on node
 *               2 x 2 x 1.5 + 0.2 = 6.2, on socket 1000 B x 1 ns = 1; queue: 10 ns are more than the default of 7,
 *               5^2 x 10 ns = 0.25; a handshake of 40, the rendezvous start-up; nothing is packed
 *               - one way: 40 us of the node, so own lines.  - single start-ups: short's for all, 5 x 4.
 *               - R_N: 2 x 160000 x 0.5 = 160, crowded by 5 messages to 3 nodes, 1 + 0.05 log2(5/3)
 *
 * three-step
 *
 *   max-rate    off node 4 + 4; on node 8 + 0.8 + 8; queue + (9 + 1 + 4 + 4) x 10 ns
 *
 *   full        2 between nodes: 6 + max(2 x 2000 x 0.25 = 1, own 1000 x 4 = 4) = 10; 6 on node over 4 : 8, so 2 short
 *               on node and 4 on socket, half of 1 us at either end there: 4 x 1.5 + 0.4 + 8 x 0.5 = 10.4; queue
 *               4 x 10 ns; packed 1000 B out and as many in, at half of the socket's eager line: 2000 x 0.5 = 1
 *               - steps: 1 off node, 4 on node and 8 on socket: 3 + 4; 8 x 1.5 + 0.4 + 8; queue 1 x 10 ns
 *
 * inside a node
 *
 *   full        2 x 20 / 2, and 4 processes move 40000 B at 2 / 4 of 20 ns/B = 400 (own line: 200); a handshake of
 *               40 */
static const struct {
    const char *row;
    const ns_form *form;
    const char *without[3];
    double off_us, on_us, queue_us, contention_us, handshake_us, packing_us;
} priced[] = {
    {standard_row, &ns_form_postal, {""}, 12 + 1.2 + 80 + 40, 8 + 0.8 + 4 + 4, 0, 0, 0, 0},
    {standard_row, &ns_form_max_rate, {""}, 173.2, 6.4, 0, 0, 0, 0},
    {standard_row, &ns_form_queue, {""}, 173.2, 6.4, 0.49, 0, 0, 0},
    {standard_row, &ns_form_contention, {""}, 173.2, 6.4, 0.49, 256, 0, 0},
    {standard_row, &ns_form_full, {""}, 95, 7.2, 0.25, 0, 40, 0},
    {standard_row, NULL, {""}, 95, 7.2, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"queue"}, 95, 7.2, 0, 0, 40, 0},
    {standard_row, &ns_form_full, {"both-ends"}, 95, 4.2, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"both-ways"}, 15 + 41.2, 7.2, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"start-up"}, 20 + 80, 7.2, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"in-flight"}, 95, 2 * 2 * 1 + 0.4 + 1, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"steps"}, 95, 7.2 + 1, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"shared-rate"}, 15 + 165.8957247533, 7.2, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"shared-rate", "crowding"}, 15 + 160, 7.2, 0.25, 0, 40, 0},
    {standard_row, &ns_form_full, {"handshakes"}, 95, 7.2, 0.25, 0, 0, 0},
    {standard_row, &ns_form_full, {"floor"}, 95, 7.2, 0.25, 0, 40, 0}, /* there is none without GPUs */
    {three_step_row, &ns_form_max_rate, {""}, 8, 16.8, 0, 0, 0, 0},
    {three_step_row, &ns_form_queue, {""}, 8, 16.8, 0.18, 0, 0, 0},
    {three_step_row, &ns_form_full, {""}, 10, 10.4, 0.04, 0, 0, 1},
    {three_step_row, &ns_form_full, {"packing"}, 10, 10.4, 0.04, 0, 0, 0},
    {three_step_row, &ns_form_full, {"steps"}, 7, 20.4, 0.01, 0, 0, 1},
    {inside_row, &ns_form_full, {""}, 0, 420, 0, 0, 40, 0},
    {inside_row, &ns_form_full, {"memory"}, 0, 220, 0, 0, 40, 0},
};

TEST_EACH(by_hand, sizeof priced / sizeof *priced)
{
    ns_machine *machine = machine_of();
    ns_records *records = read_rows(header, priced[_i].row);
    ns_price_options options = {.form = priced[_i].form, .confidence = 0.9};
    for (int i = 0; i < 3 && priced[_i].without[i] != NULL; i++)
        options.without |= form_part(priced[_i].form, priced[_i].without[i]);
    ns_price price;
    ns_error err = {0};
    ck_assert_msg(ns_record_price(records, 0, machine, &options, &price, &err) == NS_OK, "%s", err.text);
    const struct {
        const char *name;
        double us;
    } term[] = {{"off_node", priced[_i].off_us},        {"on_node", priced[_i].on_us},
                {"queue", priced[_i].queue_us},         {"contention", priced[_i].contention_us},
                {"handshake", priced[_i].handshake_us}, {"packing", priced[_i].packing_us}};
    double sum = 0;
    for (size_t t = 0; t < sizeof term / sizeof *term; t++) {
        const double us = ns_price_term(&price, term[t].name) * 1e6;
        ck_assert_msg(fabs(us - term[t].us) <= 1e-9, "%s %.12g us, not %.12g", term[t].name, us, term[t].us);
        sum += term[t].us;
    }
    ck_assert_double_eq_tol(price.estimate_s * 1e6, sum, 1e-9);
    const double error = price.form == &ns_form_full ? 0.5 : NS_ERROR_UNCALIBRATED;
    ck_assert_double_eq_tol(log2(price.hi_s / price.estimate_s), 1.6448536 * error, 1e-6);
    ck_assert(!price.extrapolated);
    ns_records_free(records);
}

/* One GPU's process with 6 messages of 100 entries in all, 4 GPUs a node on 2 sockets: 1 on socket, 2 on node, 3 off
 * node, 800 / 6 B each: short. */
TEST(nearest_neighbours)
{
    ns_machine *machine = machine_of();
    ns_records *records = read_rows("strategy,transport,processes,nodes,ppn,gpus,max_n,max_s,max_tap_n\n",
                                    "standard,host,16,4,4,16,6,100,\n"
                                    "three-step,host,16,4,4,16,6,100,2\n"
                                    "split-dd,host,32,4,8,16,6,100,2\n");
    const ns_price_options options = {.form = &ns_form_max_rate, .confidence = 0.9};
    ns_price price;
    ck_assert(ns_record_price(records, 0, machine, &options, &price, NULL) == NS_OK);
    ck_assert_double_eq_tol(ns_price_term(&price, "off_node") * 1e6, 3 * 4 + 400 * 4e-3, 1e-9);
    ck_assert_double_eq_tol(ns_price_term(&price, "on_node") * 1e6, 2 * 2 + 800.0 / 3 * 2e-3 + 1 + 800.0 / 6 * 1e-3,
                            1e-9);
    ck_assert(ns_record_price(records, 1, machine, &options, &price, NULL) == NS_OK); /* gathered and scattered */
    ck_assert_double_eq_tol(ns_price_term(&price, "off_node") * 1e6, 2 * 4 + 800 * 4e-3, 1e-9);
    ck_assert_double_eq_tol(ns_price_term(&price, "on_node") * 1e6, 4 * 2 + 1600 * 2e-3, 1e-9);
    ck_assert(ns_record_price(records, 2, machine, &options, &price, NULL) == NS_OK); /* two helpers a GPU */
    ck_assert_double_eq_tol(ns_price_term(&price, "off_node") * 1e6, 2 * 4 + 400 * 4e-3, 1e-9);
    ck_assert(ns_price_term(&price, "on_node") == 0);
    ns_records_free(records);
}

/* More bytes in a message than any that was measured. */
TEST(extrapolated)
{
    ns_machine *machine = machine_of();
    ns_records *records = read_rows(
        header, "a,byhand,standard,host,16,4,4,2,,,,,1000000,1000000,0,0,0,0,2,131073,0,0,0,0,0,0,0,0,0,0,0,0\n"
                "a,byhand,standard,host,16,4,4,2,,,,,1000000,1000000,0,0,0,0,2,131072,0,0,0,0,0,0,0,0,0,0,0,0\n");
    const ns_price_options options = {.form = &ns_form_full, .confidence = 0.9};
    for (size_t row = 0; row < 2; row++) {
        ns_price price;
        ck_assert(ns_record_price(records, row, machine, &options, &price, NULL) == NS_OK);
        ck_assert(price.extrapolated == (row == 0));
    }
    ns_records_free(records);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

#define REST  ",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"
#define ZEROS ",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"
static const struct {
    const char *row, *says;
} refused[] = {
    {"a,byhand,standard,host,16,4,4,7,,,,,160000", "has fewer fields than the header"},
    {"a,byhand,standard,host,16,4,4,1,,,,,8,8" ZEROS ",9", "has more fields than the header"},
    {"a,byhand,,host,16,4,4,1,,,,,8,8" ZEROS, "lacks strategy"},
    {"a,byhand,treestep,host,16,4,4,1,,,,,8,8" ZEROS, "no strategy \"treestep\""},
    {"a,byhand,standard,phone,16,4,4,1,,,,,8,8" ZEROS, "no transport \"phone\"; there are host and device"},
    {"a,byhand,standard,host,,4,4,1,,,,,8,8" ZEROS, "lacks processes"},
    {"a,byhand,standard,host,0,4,4,1,,,,,8,8" ZEROS, "have to be at least 1"},
    {"a,byhand,standard,host,16,0,4,1,,,,,8,8" ZEROS, "have to be at least 1"},
    {"a,byhand,standard,host,16,4,0,1,,,,,8,8" ZEROS, "have to be at least 1"},
    {"a,byhand,standard,host,17,4,4,1,,,,,8,8" ZEROS, "17 processes do not stand on 4 nodes of 4"},
    {"a,byhand,standard,host,3,4,4,1,,,,,8,8" ZEROS, "3 processes do not stand on 4 nodes of 4"},
    {"a,byhand,standard,host,many,4,4,1,,,,,8,8" ZEROS, "processes wants a number, got \"many\""},
    {"a,byhand,standard,host,16,4,4,-1,,,,,8,8" ZEROS, "max_num_msgs wants a whole number from 0 to 2^53, got -1"},
    {"a,byhand,standard,host,16,4,4,1.5,,,,,8,8" ZEROS, "max_num_msgs wants a whole number"},
    {"a,byhand,standard,host,16,4,4,nan,,,,,8,8" ZEROS, "max_num_msgs wants a number, got \"nan\""},
    {"a,byhand,standard,host,16,4,4,1e999,,,,,8,8" ZEROS, "max_num_msgs wants a number"},
    {"a,byhand,standard,host,16,4,4,16,,,,,8,8" ZEROS, "max_num_msgs is 16, but there are 15 other processes"},
    {"a,byhand,standard,host,16,4,4,,,,,,8,8" ZEROS, "lacks max_num_msgs, which the full model needs"},
    {"a,byhand,three-step,host,16,4,4,,1,1,,1,8,8" ZEROS, "lacks max_num_L, _S, _G or _R, which the full model needs"},
    {"a,byhand,standard,host,16,4,4,1,,,,,,8" ZEROS, "lacks total_bytes, which the full model needs"},
    {"a,byhand,standard,host,16,4,4,1,,,,,8,8,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "lacks num_short"},
    {"a,byhand,standard,host,16,4,4,1,,,,,8,8,1,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "lacks size_short"},
    {"a,byhand,standard,host,16,4,4,1,,,,,8,8,1,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
     "one process sends 16 B off node, all together 8"},
    {"a,byhand,standard,host,4,1,4,1,,,,,8,8" ZEROS, "8 B leave the only node"},
    {"a,byhand,standard,host,16,4,4,1,,,,,0,8" ZEROS, "byte_hops without bytes"},
    {"a,byhand,standard,host,16,4,4,0,,,,,8,8,1,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
     "messages by class, but none at most"},
    {"a,byhand,standard,host,16,4,4,3,,,,,80,80,9,80" REST, "num_short is 9, but a process has at most 3 off-node"},
    {"a,byhand,standard,host,16,4,4,9,,,,,0,0,0,0,0,0,0,0,4,8,0,0,0,0,0,0,0,0,0,0",
     "num_short_node is 4, but a process has at most 3 on-node"},
    {"a,byhand,standard,host,4,1,4,3,,,,,,,1,8" REST, "num_short is 1, but a process has at most 0 off-node"},
    {"a,byhand,three-step,host,16,4,4,,1,2,2,1,80,80,7,80" REST,
     "num_short is 7, but a process has at most 6 off-node"},
    {"a,byhand,three-step,host,16,4,4,,1,1,1,1,0,0,0,0,0,0,0,0,0,0,5,40,0,0,0,0,0,0,0,0",
     "num_eager_node is 5, but a process has at most 4 on-node"},
    {"a,byhand,standard,device,16,4,4,1,,,,,8,8,1,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
     "has no off-node short line for device memory"},
};

TEST_EACH(refusal, sizeof refused / sizeof *refused)
{
    char body[2000];
    snprintf(body, sizeof body, "%s%s\n", standard_row, refused[_i].row);
    ns_machine *machine = machine_of();
    ns_records *records = read_rows(header, body);
    const ns_price_options options = {.confidence = 0.9};
    ns_price price;
    ns_error err = {0};
    ck_assert(ns_record_price(records, 0, machine, &options, &price, &err) == NS_OK);
    ck_assert(ns_record_price(records, 1, machine, &options, &price, &err) != NS_OK);
    ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s", err.text);
    ck_assert_int_eq(err.line, 3);
    ns_records_free(records);
}

/* Files that are none. */
static const struct {
    const char *text, *says;
} bad_file[] = {
    {"", "holds no exchanges"},
    {"strategy,processes\n", "holds no exchanges"},
    {"src,dst,bytes\n0,1,8\n", "lacks the column \"strategy\""},
    {"strategy,nodes,nodes\nstandard,1,1\n", "column \"nodes\" stands twice"},
};

TEST_EACH(no_rows, sizeof bad_file / sizeof *bad_file)
{
    ns_records *records;
    ns_error err = {0};
    ck_assert(ns_records_read(cli_file("bad.csv", bad_file[_i].text), &records, &err) != NS_OK);
    ck_assert_msg(strstr(err.text, bad_file[_i].says) != NULL, "%s", err.text);
}

TEST(quoted_fields)
{
    ns_records *records =
        read_rows("id,strategy,note\r\n", "\"a, \"\"b\"\"\",standard, x \r\n# a comment\n\n\"c\",standard,\n");
    ck_assert_uint_eq(records->rows, 2);
    ck_assert_str_eq(ns_record_text(records, 0, "id"), "a, \"b\"");
    ck_assert_str_eq(ns_record_text(records, 0, "note"), "x");
    ck_assert_str_eq(ns_record_text(records, 1, "note"), "");
    ck_assert_int_eq(records->row[1].line, 5);
    ck_assert_str_eq(ns_record_text(records, 0, "elsewhere"), "");
    ns_records_free(records);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

TEST(command)
{
    char body[4000], line[1000], file[300], machine[300];
    snprintf(body, sizeof body,
             "%s%sx,byhand,standard,host,0,4,4,1,,,,,8,8" ZEROS "\n%sy,nowhere,standard,host,16,4,4,1,,,,,8,8" ZEROS
             "\n",
             header, standard_row, three_step_row);
    snprintf(file, sizeof file, "%s", cli_file("command.csv", body));
    snprintf(machine, sizeof machine, "%s", cli_file("byhand.json", machine_text));
    cli_result r = cli_with("predict --exchange %s --machine byhand=%s --format csv", file, machine);
    ck_assert_msg(r.code == 0, "%s", r.err);
    static const char head[] = "id,predicted_s,lo_s,hi_s,off_node_s,on_node_s,queue_s,contention_s,handshake_s,"
                               "packing_s,fixed_s,copy_s\n";
    ck_assert(strncmp(r.out, head, sizeof head - 1) == 0);
    const char *first = strstr(r.out, "\na,");
    ck_assert_ptr_nonnull(first);
    ck_assert_double_eq_tol(strtod(first + 3, NULL), 142.45e-6, 1e-15);
    ck_assert_ptr_nonnull(strstr(r.out, "\nb,"));
    ck_assert_ptr_nonnull(strstr(r.err, "left out: "));
    ck_assert_ptr_nonnull(strstr(r.err, "command.csv:3: processes, nodes and ppn have to be at least 1"));
    ck_assert_ptr_nonnull(strstr(r.err, "command.csv:5: "));
    ck_assert_ptr_nonnull(strstr(r.err, "nowhere"));
    snprintf(line, sizeof line, "predict --exchange %s --machine %s --model max-rate", file,
             machine); /* for every row */
    ns_value *root = cli_json(line);
    ck_assert_double_eq_tol(ns_value_get(ns_value_get(root, "exchanges")->first, "predicted_s")->number, 179.6e-6,
                            1e-12);
    ck_assert_double_eq(ns_value_get(ns_value_get(root, "left_out")->first, "line")->number, 3);
    r = cli_with("predict --exchange %s", file);
    ck_assert_int_eq(r.code, 1); /* no machine "byhand" is shipped: none of the rows */
    ck_assert_ptr_nonnull(strstr(r.err, "none of 4 rows can be priced"));
}

static const struct {
    const char *options, *says;
    int code;
} misuse[] = {
    {"--model fancy", "no model \"fancy\"", 1},
    {"--confidence 1", "--confidence wants a number between 0 and 1", 1},
    {"--confidence 0.9x", "--confidence wants a number between 0 and 1", 1},
    {"--machine lassen,bluewaters", "--machine wants one machine for every row", 2},
    {"--machine lassen=", "--machine holds an empty name", 2},
    {"--machine nosuch", "nsmodel: no machine or file \"nosuch\"", 1},
    {"--machine lassen --set host.queue.gamma=-1ns", "nsmodel: host.queue.gamma has to be finite and not negative", 1},
    {"--matrix stencil9:8x8", "--matrix has no use beside --exchange", 2},
    {"--gpus 8", "--gpus has no use beside --exchange", 2},
};

TEST_EACH(misused, sizeof misuse / sizeof *misuse)
{
    cli_result r =
        cli_with("predict --exchange %s %s", cli_file("misuse.csv", "strategy\nstandard\n"), misuse[_i].options);
    ck_assert_int_eq(r.code, misuse[_i].code);
    ck_assert_msg(strstr(r.err, misuse[_i].says) != NULL, "%s", r.err);
}
