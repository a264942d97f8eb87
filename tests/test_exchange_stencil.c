/* test_exchange_stencil.c -- from a matrix to a measured time: level 0 of the measured runs is a stencil known to the
 * byte
 *
 * Counts: what the measured programs printed.  Times: within the 95 % interval's reach and never off by more than a
 * factor of two, and the faster way is the faster one.
 */

#include "records/record.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/shared.h"
#include "support/test.h"

/* A 9-point stencil on 3200 x 3200 in equal blocks of rows, 16 processes a node. */
static const struct {
    int processes;
    double most_messages, bytes, unique, messages, most_of_node; /* as printed or computed with the records */
} aniso[] = {
    {128, 2, 358400, 358400, 254, 51200},        {512, 2, 1587200, 1587200, 1022, 51200},
    {1024, 2, 3225600, 3225600, 2046, 51200},    {4096, 4, 13068256, 13058048, 16378, 51248},
    {8192, 6, 26208192, 26169344, 48886, 51296},
};

static double count(const ns_value *pattern, const char *name)
{
    return ns_value_get(pattern, name)->number;
}

/* Median measured time of A at level 0. */
static double measured(const ns_records *records, int processes, const char *strategy)
{
    double value[64];
    int n = 0;
    for (size_t row = 0; row < records->rows && n < 64; row++) {
        double p, time;
        if (strcmp(ns_record_text(records, row, "set"), "aniso") == 0 &&
            strcmp(ns_record_text(records, row, "operation"), "A") == 0 &&
            strcmp(ns_record_text(records, row, "level"), "0") == 0 &&
            strcmp(ns_record_text(records, row, "strategy"), strategy) == 0 &&
            ns_record_number(records, row, "processes", &p) && p == processes &&
            ns_record_number(records, row, "measured_s", &time))
            value[n++] = time;
    }
    ck_assert_int_gt(n, 0);
    for (int i = 1; i < n; i++) /* few: insertion */
        for (int k = i; k > 0 && value[k] < value[k - 1]; k--) {
            const double swap = value[k];
            value[k] = value[k - 1];
            value[k - 1] = swap;
        }
    return n % 2 != 0 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}

static double estimate(const ns_value *list, const char *strategy)
{
    for (const ns_value *row = list->first; row != NULL; row = row->next)
        if (strcmp(ns_value_get(row, "strategy")->text, strategy) == 0)
            return ns_value_get(row, "estimate_s")->number;
    ck_abort_msg("no %s", strategy);
    return 0;
}

TEST_EACH(aniso_level_0, sizeof aniso / sizeof *aniso)
{
    char line[300], path[600];
    snprintf(line, sizeof line,
             "predict --matrix stencil9:3200x3200 --machine bluewaters --parts %d --strategy standard,three-step",
             aniso[_i].processes);
    ns_value *root = cli_json(line);
    const ns_value *one = ns_value_get(root, "cases")->first, *pattern = ns_value_get(one, "pattern");
    ck_assert_double_eq(count(pattern, "bytes_off_node"), aniso[_i].bytes);
    ck_assert_double_eq(count(pattern, "unique_bytes_off_node"), aniso[_i].unique);
    ck_assert_double_eq(count(pattern, "messages_total"), aniso[_i].messages);
    ck_assert_double_eq(count(pattern, "s_node"), aniso[_i].most_of_node);
    const double standard = estimate(ns_value_get(one, "strategies"), "standard"),
                 three = estimate(ns_value_get(one, "strategies"), "three-step");
    ck_assert(standard < three); /* as measured, at every size */
    if (shared_path("aniso_level_0", "data/end_to_end/records.csv", path, sizeof path)) {
        ns_records *records;
        ck_assert(ns_records_read(path, &records, NULL) == NS_OK);
        const double real[] = {measured(records, aniso[_i].processes, "standard"),
                               measured(records, aniso[_i].processes, "three-step")};
        printf("%d processes: standard %.1f us, measured %.1f; three-step %.1f us, measured %.1f\n",
               aniso[_i].processes, standard * 1e6, real[0] * 1e6, three * 1e6, real[1] * 1e6);
        ck_assert(real[0] < real[1]);
        ck_assert_double_le(fabs(log2(standard / real[0])), 1);
        ck_assert_double_le(fabs(log2(three / real[1])), 1);
        ns_records_free(records);
    }
}

/* ---- every count of the measured rows, by class ------------------------------------------------------------------ */

typedef struct tally {
    double messages, bytes; /* most of one process */
} tally;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void exchanges_of(const char *stencil, const ns_layout *layout, size_t layouts, ns_exchange **exchange)
{
    ns_matrix *matrix;
    ck_assert(ns_matrix_open(stencil, &matrix, NULL) == NS_OK);
    ck_assert(ns_exchange_from_matrix(matrix, layout, layouts, NULL, exchange, NULL, NULL) == NS_OK);
    ns_matrix_free(matrix);
}

/* The most that one process sends: in all, and by class. */
static tally most_sent(const ns_exchange *exchange, ns_transport transport, const ns_machine *machine,
                       tally most[NS_LOCALITIES][NS_PROTOCOLS])
{
    ns_schedule *s;
    const ns_strategy *standard;
    const ns_memory memory = transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    tally all = {0, 0};
    ck_assert(ns_strategy_get("standard", &standard, NULL) == NS_OK);
    ck_assert(ns_schedule_build(standard, transport, exchange, machine, &s, NULL) == NS_OK && s->steps == 1);
    const ns_step *step = &s->step[0];
    for (int32_t process = 0; process < s->processes; process++) {
        tally own[NS_LOCALITIES][NS_PROTOCOLS] = {{{0, 0}}}, sum = {0, 0};
        for (int64_t i = step->sent[process]; i < step->sent[process + 1]; i++) {
            const ns_message *m = &step->message[i];
            const ns_locality l = ns_schedule_locality(s, m->from, m->to);
            ns_protocol p;
            ck_assert_ptr_nonnull(ns_machine_line(machine, memory, l, (double)m->bytes, &p));
            own[l][p].messages++, own[l][p].bytes += (double)m->bytes;
            sum.messages++, sum.bytes += (double)m->bytes;
        }
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_PROTOCOLS; p++) {
                most[l][p].messages = larger(most[l][p].messages, own[l][p].messages);
                most[l][p].bytes = larger(most[l][p].bytes, own[l][p].bytes);
            }
        all.messages = larger(all.messages, sum.messages), all.bytes = larger(all.bytes, sum.bytes);
    }
    ns_schedule_free(s);
    return all;
}

static double cell(const ns_records *records, size_t row, const char *what, int l, int p)
{
    static const char *const of_locality[] = {"_socket", "_node", ""};
    static const char *const of_protocol[] = {"short", "eager", "rend"};
    char name[60];
    double value;
    snprintf(name, sizeof name, "%s_%s%s", what, of_protocol[p], of_locality[l]);
    ck_assert_msg(ns_record_number(records, row, name, &value), "row %zu lacks %s", row, name);
    return value;
}

static bool is_level_0(const ns_records *records, size_t row, int processes)
{
    double p;
    return strcmp(ns_record_text(records, row, "class"), "bw_vec") == 0 &&
           strcmp(ns_record_text(records, row, "set"), "aniso") == 0 &&
           strcmp(ns_record_text(records, row, "operation"), "A") == 0 &&
           strcmp(ns_record_text(records, row, "level"), "0") == 0 && ns_record_number(records, row, "processes", &p) &&
           p == processes;
}

/* A row as measured against the exchange; a size of 0 beside messages of the class was not printed. */
static void compare_row(const ns_records *records, size_t row, size_t which, tally most[NS_LOCALITIES][NS_PROTOCOLS])
{
    double value;
    ck_assert(ns_record_number(records, row, "max_num_msgs", &value) && value == aniso[which].most_messages);
    ck_assert(ns_record_number(records, row, "total_bytes", &value) && value == aniso[which].bytes);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            const double bytes = cell(records, row, "size", l, p);
            ck_assert_double_eq(cell(records, row, "num", l, p), most[l][p].messages);
            ck_assert_msg(bytes == 0 || bytes == most[l][p].bytes, "class %d %d: printed %g B, counted %g", l, p, bytes,
                          most[l][p].bytes);
        }
}

TEST(aniso_counts)
{
    enum { RUNS = sizeof aniso / sizeof *aniso };
    char path[600];
    ns_records *records;
    ns_machine *machine;
    ns_layout layout[RUNS];
    ns_exchange *exchange[RUNS];
    if (!shared_path("aniso_counts", "data/end_to_end/records.csv", path, sizeof path))
        return;
    ck_assert(ns_records_read(path, &records, NULL) == NS_OK && ns_machine_load("bluewaters", &machine, NULL) == NS_OK);
    for (size_t i = 0; i < RUNS; i++)
        layout[i] = (ns_layout){aniso[i].processes, 16};
    exchanges_of("stencil9:3200x3200", layout, RUNS, exchange);
    for (size_t i = 0; i < RUNS; i++) {
        tally most[NS_LOCALITIES][NS_PROTOCOLS] = {{{0, 0}}};
        int rows = 0;
        ck_assert_double_eq(most_sent(exchange[i], NS_VIA_HOST, machine, most).messages, aniso[i].most_messages);
        for (size_t row = 0; row < records->rows; row++)
            if (is_level_0(records, row, aniso[i].processes)) {
                compare_row(records, row, i, most);
                rows++;
            }
        ck_assert_int_gt(rows, 0);
        ns_exchange_free(exchange[i]);
    }
    ns_machine_free(machine);
    ns_records_free(records);
}

/* One GPU sends at most 2 messages and 4002 entries, as printed (max_n, max_s). */
TEST(comm_only_counts)
{
    ns_exchange *exchange;
    tally most[NS_LOCALITIES][NS_PROTOCOLS] = {{{0, 0}}};
    ns_machine *machine = machine_named("lassen-spectrum");
    exchanges_of("stencil9:2000x2000", &(ns_layout){128, 4}, 1, &exchange);
    const tally all = most_sent(exchange, NS_VIA_DEVICE, machine, most);
    ck_assert_double_eq(all.messages, 2);
    ck_assert_double_eq(all.bytes, 8 * 4002);
    ns_exchange_free(exchange);
}

/* 2000 x 2000 on 128 GPUs, 4 a node: 254 messages, 4002 entries from one process, 992256 B off node; device buffers
 * took 74.5 to 137.3 us, median of the runs 104.3 us. */
TEST(comm_only_level_0)
{
    ns_value *root = cli_json("predict --matrix stencil9:2000x2000 --machine lassen-spectrum --gpus 128 --strategy "
                              "standard --transport device");
    const ns_value *one = ns_value_get(root, "cases")->first, *pattern = ns_value_get(one, "pattern");
    ck_assert_double_eq(ns_value_get(ns_value_get(root, "matrix"), "nonzeros")->number, 35976004);
    ck_assert_double_eq(count(pattern, "messages_total"), 254);
    ck_assert_double_eq(count(pattern, "bytes_off_node"), 992256);
    const double time = estimate(ns_value_get(one, "strategies"), "standard");
    ck_assert_msg(fabs(log2(time / 104.3e-6)) <= 1, "%.1f us", time * 1e6);
}

/* The row of the exchange and its matrix speak of the same exchange: the row's mean over nodes and maxima by class
 * against exact counts. */
TEST(row_and_matrix_agree)
{
    static const char row[] = "strategy,transport,processes,nodes,ppn,max_num_msgs,total_bytes,num_rend,size_rend,num_"
                              "rend_node,size_rend_node,num_rend_socket,"
                              "size_rend_socket\nstandard,host,512,32,16,2,1587200,1,25608,1,0,0,0\n";
    ns_value *exchange = cli_json_with("predict --exchange %s --machine bluewaters", cli_file("aniso.csv", row));
    ns_value *matrix =
        cli_json("predict --matrix stencil9:3200x3200 --machine bluewaters --parts 512 --strategy standard");
    const double by_row = ns_value_get(ns_value_get(exchange, "exchanges")->first, "off_node_s")->number;
    const ns_value *terms =
        ns_value_get(ns_value_get(ns_value_get(matrix, "cases")->first, "strategies")->first, "terms");
    const double by_matrix = ns_value_get(terms, "off_node_s")->number;
    ck_assert_double_eq_tol(by_row / by_matrix, 1, 0.04); /* 31 of 32 nodes' worth of bytes each way */
    ns_value_free(matrix);
}

TEST_TIMEOUT(120)
