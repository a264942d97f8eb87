/* test_quote_limit.c -- what a node's memory moves decides a step: quotes add up the node's bytes as schedules do
 *
 * Limits so low that every step inside a node waits for them, another one for each locality and protocol.
 */
#include "oracle/oracle.h"

#include "api/library.h"
#include "support/machines.h"
#include "support/test.h"

enum { SIDE = 400, SITES = 6 };
static const ns_layout layouts[SITES] = {{8, 4}, {13, 4}, {40, 8}, {40, 3}, {64, 16}, {6, 6}};

static ns_machine *limited(void)
{
    ns_machine *machine, *more;
    ns_error err = {0};
    machine = machine_named("lassen");
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int l = 0; l < NS_OFF_NODE; l++)
            for (int p = 0; p < NS_PROTOCOLS; p++) {
                char set[120];
                if (!machine->line[m][l][p].given)
                    continue;
                snprintf(set, sizeof set, "%s.exchange.%s.%s.inverse_R=%d ns/B", ns_memory_words[m],
                         ns_locality_words[l], ns_protocol_words[p], 100 * (1 + p + 4 * l));
                ck_assert_msg(ns_machine_with(machine, set, &more, &err) == NS_OK, "%s: %s", set, err.text);
                ns_machine_free(machine);
                machine = more;
            }
    return test_keep(machine);
}

static void check_quotes(const ns_exchange *x, const ns_machine *machine, ns_workspace *w)
{
    ns_selection selection = {.price = {.confidence = 0.8}};
    ns_error err = {0};
    int quotes = 0;
    ck_assert_int_eq(ns_form_get("full", &selection.price.form, NULL), NS_OK);
    ck_assert_msg(ns_quote(x, machine, &selection, w, &quotes, &err) == NS_OK, "%s", err.text);
    ck_assert_int_gt(quotes, 4);
    for (int i = 0; i < quotes; i++) {
        static ns_price price;
        const ns_choice *quoted = ns_quote_at(w, i);
        ns_schedule *schedule = NULL;
        ck_assert_int_eq(ns_schedule_build(quoted->strategy, quoted->transport, x, machine, &schedule, NULL), NS_OK);
        memset(&price, 0, sizeof price);
        ck_assert_int_eq(ns_schedule_price_as(schedule, machine, &selection.price, &price, NULL), NS_OK);
        ck_assert_msg(memcmp(&price, &quoted->price, ns_price_size(price.steps)) == 0,
                      "%s/%s: quoted %.17g s, takes %.17g s", quoted->strategy->name,
                      ns_transport_words[quoted->transport], quoted->price.estimate_s, price.estimate_s);
        ns_schedule_free(schedule);
    }
}

TEST_EACH(same_as_schedules, SITES)
{
    static const int64_t widths[] = {8, 64, 4096};
    oracle_random random = {(uint64_t)_i + 11};
    oracle_matrix matrix;
    ns_workspace *w;
    ns_machine *machine = limited();
    ck_assert_int_eq(ns_workspace_open(&w, NULL), NS_OK);
    oracle_random_matrix(&random, SIDE, SIDE, 3000, 1, &matrix);
    for (int i = 0; i < 3; i++) {
        const ns_exchange_options options = {.width = widths[i]};
        ns_exchange *x = NULL;
        ck_assert_int_eq(
            ns_exchange_from_csr(SIDE, SIDE, matrix.row_start, matrix.col_of, layouts[_i], &options, &x, NULL), NS_OK);
        check_quotes(x, machine, w);
        ns_exchange_free(x);
    }
    oracle_matrix_free(&matrix);
    ns_workspace_free(w);
}
