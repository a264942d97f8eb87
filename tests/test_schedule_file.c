/* test_schedule_file.c -- predict --schedule: the rows are read back and carried out with real items
 *
 * A schedule whose every message is taken from the file, not from the library, has to bring every item where it is
 * needed, and to cost what predict said.
 */

#include <nsmodel/matrix.h>

#include "machine/machine.h"
#include "oracle/oracle.h"
#include "pattern/exchange.h"
#include "price/choice.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/shared.h"
#include "support/test.h"
#include "support/values.h"

enum { ROWS = 60, ENTRIES = 400, PARTS = 12, PER_NODE = 4 };
static const char machine_name[] = "lassen";

/* A random matrix as a file; its path. */
static const char *matrix_file(void)
{
    static char text[ENTRIES * 16 + 100];
    oracle_random random = {2385};
    size_t used = (size_t)sprintf(text, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", (int)ROWS,
                                  (int)ROWS, (int)ENTRIES);
    for (int i = 0; i < ENTRIES; i++)
        used += (size_t)sprintf(text + used, "%d %d\n", 1 + (int)oracle_below(&random, ROWS),
                                1 + (int)oracle_below(&random, ROWS));
    return cli_file("schedule.mtx", text);
}

/* Take every message of the schedule from the file, whose rows are by step, sender and receiver. */
static void take_rows(const char *path, ns_schedule *schedule)
{
    char header[40];
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_ptr_nonnull(fgets(header, sizeof header, in));
    ck_assert_str_eq(header, "step,from,to,bytes\n");
    for (int s = 0; s < schedule->steps; s++)
        for (int64_t i = 0; i < schedule->step[s].messages; i++) {
            int step, from, to;
            long long bytes;
            ns_message *m = &schedule->step[s].message[i];
            ck_assert_int_eq(fscanf(in, "%d,%d,%d,%lld\n", &step, &from, &to, &bytes), 4);
            ck_assert_int_eq(step, s);
            m->from = from;
            m->to = to;
            m->bytes = bytes;
        }
    ck_assert_int_eq(fgetc(in), EOF);
    fclose(in);
}

static double predict(const char *matrix, const ns_strategy *strategy, ns_transport transport, const char *path)
{
    ns_value *root =
        cli_json_with("predict --matrix %s --machine %s --gpus %d --strategy %s --transport %s --schedule %s", matrix,
                      machine_name, (int)PARTS, strategy->name, ns_transport_words[transport], path);
    const ns_value *row = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
    const double estimate = number_at(row, "estimate_s");
    return estimate;
}

static void replay(const char *matrix, const oracle_need *need, const ns_exchange *exchange, const ns_machine *machine,
                   const ns_strategy *strategy, ns_transport transport)
{
    char path[600], why[256] = "";
    ns_schedule *schedule = NULL;
    oracle_traffic traffic;
    ns_price price;
    snprintf(path, sizeof path, "%s", cli_file("schedule.csv", ""));
    const double estimate = predict(matrix, strategy, transport, path);
    ck_assert(ns_schedule_build(strategy, transport, exchange, machine, &schedule, NULL) == NS_OK);
    take_rows(path, schedule);
    ck_assert_msg(oracle_replay(need, exchange, schedule, &traffic, why), "%s: %s", strategy->name, why);
    ck_assert(ns_schedule_price_as(schedule, machine, NULL, &price, NULL) == NS_OK);
    ck_assert_double_eq(price.estimate_s, estimate);
    oracle_traffic_free(&traffic);
    ns_schedule_free(schedule);
}

TEST(every_strategy)
{
    char path[600];
    const ns_layout layout = {PARTS, PER_NODE};
    ns_matrix *matrix = NULL;
    ns_exchange *exchange = NULL;
    oracle_matrix read;
    oracle_need need;
    int replayed = 0;
    snprintf(path, sizeof path, "%s", matrix_file()); /* its own text is overwritten by later files */
    ck_assert(oracle_read(path, &read));
    oracle_need_of(&read, PARTS, NULL, &need);
    ns_machine *machine = machine_named(machine_name);
    ck_assert(ns_matrix_open(path, &matrix, NULL) == NS_OK);
    ck_assert(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, NULL) == NS_OK);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++)
            /* A way that is priced in forms of its own has the price of these, not of its schedule. */
            if ((*s)->forms == NULL && ns_strategy_runs(*s, (ns_transport)t, machine)) {
                replay(path, &need, exchange, machine, *s, (ns_transport)t);
                replayed++;
            }
    ck_assert_int_ge(replayed, 8);
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
    oracle_need_free(&need);
    oracle_matrix_free(&read);
}

static const struct {
    const char *line, *words;
} refusals[] = {
    {"--gpus 4,8 --strategy standard --transport host", "choose one number of parts, as --gpus 4"},
    {"--gpus 8 --machine lassen,summit --strategy standard --transport host", "choose one of the 2 machines"},
    {"--gpus 8 --strategy standard", "there are 2: choose one, as --strategy standard --transport "},
    {"--gpus 8 --strategy split --transport host", "there are 2: choose one, as --strategy split-"},
};

/* A usage error, and no file. */
TEST_EACH(refused, sizeof refusals / sizeof *refusals)
{
    char path[600];
    snprintf(path, sizeof path, "%s.none", cli_file("refused", ""));
    cli_result r = cli_with("predict --matrix stencil9:8x8 %s --schedule %s", refusals[_i].line, path);
    ck_assert_int_eq(r.code, 2);
    ck_assert_msg(strstr(r.err, refusals[_i].words) != NULL, "%s", r.err);
    ck_assert_ptr_null(fopen(path, "r"));
}

TEST(not_with_rows)
{
    cli_result r = cli("predict --exchange rows.csv --schedule out.csv");
    ck_assert_int_eq(r.code, 2);
    ck_assert_msg(strstr(r.err, "--schedule has no use beside --exchange") != NULL, "%s", r.err);
}
