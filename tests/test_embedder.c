/* test_embedder.c -- what a program that links the library may get wrong, or add: refused with a message, or served */
#include "api/library.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/shell.h"
#include "support/test.h"

#include <time.h>

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

static ns_machine *machine;
static ns_exchange *exchange;
static const ns_strategy *standard;

static void open_all(void)
{
    static const ns_planned plan[] = {{0, 1, 64}, {0, 2, 4096}, {3, 0, 64}};
    machine = machine_named("lassen");
    ck_assert_int_eq(ns_exchange_from_messages(plan, COUNT(plan), (ns_layout){4, 2}, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(ns_strategy_get("standard", &standard, NULL), NS_OK);
}

static void close_all(void)
{
    ns_exchange_free(exchange);
    ns_machine_free(machine);
}

/* ---- options of a price
 * ---------------------------------------------------------------------------------------------- */

static const struct {
    ns_price_options options;
    const char *words; /* NULL: priced */
} options[] = {
    {{0}, NULL},
    {{.form = &ns_form_postal, .confidence = 0.5}, NULL},
    {{.form = &ns_form_postal, .confidence = 0.5, .without = ~0u}, NULL}, /* it has no parts that could be left out */
    {{.confidence = NAN}, "confidence wants a number between 0 and 1, got nan"},
    {{.confidence = -1}, "confidence wants a number between 0 and 1, got -1"},
    {{.confidence = 1}, "confidence wants a number between 0 and 1, got 1"},
    {{.confidence = INFINITY}, "confidence wants a number between 0 and 1, got inf"},
};

static void check_answer(ns_status status, const ns_error *err, const char *words)
{
    ck_assert_int_eq(status, words == NULL ? NS_OK : NS_ERR_RANGE);
    ck_assert_int_eq(status, err->code);
    ck_assert_msg(words == NULL || strstr(err->text, words) != NULL, "%s", err->text);
}

TEST_EACH(options_of_a_price, COUNT(options))
{
    const ns_selection selection = {.price = options[_i].options};
    ns_schedule *schedule;
    ns_price price;
    ns_comparison comparison;
    ns_error err = {0};
    ck_assert_int_eq(ns_schedule_build(standard, NS_VIA_HOST, exchange, machine, &schedule, NULL), NS_OK);
    check_answer(ns_schedule_price_as(schedule, machine, &options[_i].options, &price, &err), &err, options[_i].words);
    err = (ns_error){0};
    check_answer(ns_compare_into(exchange, machine, &selection, &comparison, &err), &err, options[_i].words);
    ns_schedule_free(schedule);
}

TEST_EACH(options_of_a_row, COUNT(options))
{
    static const char rows[] = "strategy,transport,nodes,processes,max_num_msgs,total_bytes,num_short,size_short\n"
                               "standard,host,2,4,1,32,1,8\n";
    ns_records *records;
    ns_price price;
    ns_error err = {0};
    ck_assert_int_eq(ns_records_read(cli_file("embedder.csv", rows), &records, &err), NS_OK);
    const ns_status usual = ns_record_price(records, 0, machine, &options[0].options, &price, NULL);
    const ns_status status = ns_record_price(records, 0, machine, &options[_i].options, &price, &err);
    if (options[_i].words != NULL)
        check_answer(status, &err, options[_i].words);
    else
        ck_assert_int_eq(status, usual);
    ns_records_free(records);
}

/* ---- transports
 * ------------------------------------------------------------------------------------------------------ */

static const int transports[] = {NS_TRANSPORTS, 7, 31, 32, 64, -1};

TEST_EACH(no_such_transport, COUNT(transports))
{
    const ns_transport transport = (ns_transport)transports[_i];
    ns_strategy every = *standard;
    every.transports = ~0u;
    ns_schedule *const was = (ns_schedule *)(uintptr_t)0x5a5a, *schedule = was;
    double seconds = -5;
    ns_error err = {0};
    ck_assert(!ns_strategy_runs(&every, transport, machine));
    ck_assert_int_eq(ns_schedule_build(standard, transport, exchange, machine, &schedule, &err), NS_ERR_RANGE);
    ck_assert_msg(strstr(err.text, "; there are 0 (host) and 1 (device)") != NULL, "%s", err.text);
    ck_assert_ptr_eq(schedule, was);
    err = (ns_error){0};
    ck_assert_int_eq(ns_strategy_published(standard, transport, exchange, machine, &seconds, &err), NS_ERR_RANGE);
    ck_assert_double_eq(seconds, -5);
}

/* ---- a strategy without a published model
 * ---------------------------------------------------------------------------- */

TEST(no_published_model)
{
    ns_strategy mine = *standard;
    mine.name = "mine";
    mine.model = NULL;
    double seconds = 5;
    ns_error err = {0};
    const ns_count count[] = {{"m_proc", 1}};
    ck_assert_int_eq(ns_strategy_published(&mine, NS_VIA_HOST, exchange, machine, &seconds, &err), NS_OK);
    ck_assert_double_lt(seconds, 0);
    ck_assert_int_eq(ns_strategy_closed(&mine, NS_VIA_HOST, machine, count, 1, &seconds, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "mine has no published closed form");
}

static const struct {
    const char *line, *words; /* in what it says, on either stream */
    int code;
} commands[] = {
    {"predict --matrix stencil9:40x40 --gpus 8", "mine/host ", 0},
    {"predict --matrix stencil9:40x40 --gpus 8,16 --strategy mine --wide", "mine ", 0},
    {"predict --matrix stencil9:40x40 --gpus 8 --strategy mine --explain", "mine/host", 0},
    {"predict --matrix stencil9:40x40 --gpus 8 --strategy mine --format json", "\"published_s\": null", 0},
    {"predict --matrix stencil9:40x40 --gpus 8 --strategy mine --format csv", ",mine,host,", 0},
    {"report --matrix stencil9:40x40 --gpus 8,16 -o page.html && grep -o -w mine page.html", "mine", 0},
    {"sensitivity --matrix stencil9:40x40 --gpus 8 --strategy mine/host", "mine", 0},
    {"sweep --over strategy --machine lassen", "best strategy by its schedule", 0},
    {"cross strategies --machine lassen --over s=1KiB:2KiB", "standard/host", 0},
    {"cross mine standard --machine lassen --over s=1KiB:2KiB", "mine has no published closed form", 1},
};

/* The program anew, with one strategy more: standard's, under another name and without a model. */
TEST(program_with_one_more)
{
    const char *work = scratch_open(), *build = getenv("NSMODEL_BUILD");
    static char said[1 << 20];
    char source[1024];
    ck_assert_ptr_nonnull(build);
    ck_assert_ptr_nonnull(getcwd(source, sizeof source));
    shell_ok(
        "cd '%s' && sed -e 's/ns_strategy_standard/ns_strategy_mine/; s/\\.name = .*/.name = \"mine\",/; /\\.model =/d'"
        " '%s/strategies/standard.c' > mine.c && { cat '%s/strategies.def'; echo 'NS_STRATEGY(mine)'; } > "
        "strategies.def",
        work, source, build);
    shell_ok("cd '%s' && ${NSMODEL_CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O1 ${NSMODEL_EXTRA-} -I. -I'%s/include' "
             "-I'%s/src' -o more mine.c '%s/src/strategy/strategies.c' '%s'/src/cli/program/main.c -Wl,--start-group "
             "'%s/libcli.a' '%s/libnsmodel-fit.a' '%s/libnsmodel.a' -Wl,--end-group $NSMODEL_LIBS",
             work, source, source, source, source, build, build, build);
    for (int i = 0; i < COUNT(commands); i++) {
        const int code = shell(said, sizeof said, "cd '%s' && ./more %s", work, commands[i].line);
        ck_assert_msg(code == commands[i].code, "%s: exit %d: %.1000s", commands[i].line, code, said);
        ck_assert_msg(strstr(said, commands[i].words) != NULL, "%s: %.1000s", commands[i].line, said);
    }
    scratch_close();
}

/* ---- nodes of millions of parts ---------------------------------------------------------------------------------- */

/* Work and memory follow the parts that there are, not the places on a node. */
TEST(large_nodes)
{
    const ns_strategy *const *s = ns_strategies();
    ns_exchange *wide;
    static const ns_planned plan[] = {{0, 1, 64}, {1, 63, 4096}};
    const clock_t begin = clock();
    ck_assert_int_eq(ns_exchange_from_messages(plan, 2, (ns_layout){64, 1 << 24}, NULL, &wide, NULL), NS_OK);
    for (; *s != NULL; s++) {
        ns_schedule *schedule;
        ck_assert_int_eq(ns_schedule_build(*s, NS_VIA_HOST, wide, machine, &schedule, NULL), NS_OK);
        ck_assert_int_le(schedule->processes, 64);
        ns_schedule_free(schedule);
    }
    ns_exchange_free(wide);
    cli_result r = cli("predict --matrix stencil9:40x40 --gpus 64 --per-node 16777216 --explain");
    ck_assert_int_eq(r.code, 0);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 20, "%.1f s", seconds);
}

TEST_FIXTURE(open_all, close_all)
TEST_TIMEOUT(120)
