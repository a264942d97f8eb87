/* test_quote_large.c -- quotes of many nodes, of many processes and of real patterns are to the bit the prices of their
 * schedules; from the second of a size on without allocating */

#include <nsmodel/matrix.h>

#include "machine/machine.h"
#include "pattern/exchange.h"
#include "support/allocations.h"
#include "support/machines.h"
#include "support/quotes.h"
#include "support/test.h"

/* More chunks a node than are sorted by insertion, more messages than the first table of joined ones holds. */
TEST_EACH(many_nodes, 3)
{
    oracle_random random = {(uint64_t)_i + 77};
    const ns_layout layout = {600, _i == 0 ? 4 : 6};
    ns_workspace *w = quotes_workspace();
    ns_site *site = _i == 2 ? quotes_site(&random, layout.parts, 150) : NULL;
    ns_exchange *x = quotes_messages(&random, site, layout, 20000);
    ns_machine *machine = machine_named("lassen-spectrum");
    ck_assert_int_gt(quotes_check(x, machine, NULL, 0, w), 30);
    ns_exchange_free(x);
    ns_site_free(site);
    ns_workspace_free(w);
}

static void check_messages(uint64_t seed, ns_layout layout, size_t count)
{
    oracle_random random = {seed};
    ns_workspace *w = quotes_workspace();
    ns_exchange *x = quotes_messages(&random, NULL, layout, count);
    ns_machine *machine = machine_named("lassen");
    ck_assert_int_gt(quotes_check(x, machine, NULL, 0, w), 15);
    ns_exchange_free(x);
    ns_workspace_free(w);
}

/* So many processes that senders' sums are reached node by node; slices of a node in short links, and in long ones. */
TEST_EACH(many_processes, 2)
{
    check_messages((uint64_t)_i + 91, (ns_layout){3600, 4}, _i == 0 ? 9000 : 32000);
}

/* Nodes of so many processes, which send so little, that a node is no matrix of cells. */
TEST_EACH(large_nodes, 2)
{
    check_messages((uint64_t)_i + 101, (ns_layout){700, 350}, _i == 0 ? 900 : 5000);
}

/* Real patterns: columns that several parts of a node need. */
TEST_EACH(real_patterns, 6)
{
    static const char *const name[] = {"bone010", "stencil27:24x24x24x3", "thermal2"};
    static const ns_layout layout[] = {{64, 4}, {45, 6}};
    ns_matrix *matrix = NULL;
    ns_exchange *x[2] = {NULL, NULL};
    ns_workspace *w = quotes_workspace();
    ns_machine *machine = machine_named(_i % 2 == 0 ? "lassen" : "dane");
    ck_assert(ns_matrix_open(name[_i / 2], &matrix, NULL) == NS_OK);
    ck_assert(ns_exchange_from_matrix(matrix, layout, 2, NULL, x, NULL, NULL) == NS_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_gt(quotes_check(x[i], machine, NULL, 0, w), 15);
        ns_exchange_free(x[i]);
    }
    ns_matrix_free(matrix);
    ns_workspace_free(w);
}

/* Large, small, large: prices are those of a fresh workspace; and no more memory is asked for. */
TEST(workspace_again)
{
    oracle_random random = {5};
    ns_workspace *w = quotes_workspace();
    ns_exchange *large = quotes_messages(&random, NULL, (ns_layout){500, 4}, 9000), *small = quotes_exchange(63);
    int quotes = 0;
    ns_machine *machine = machine_named("lassen");
    for (int again = 0; again < 2; again++) {
        quotes_check(large, machine, NULL, 0, w);
        quotes_check(small, machine, NULL, 0, w);
    }
    for (int again = 0; again < 3; again++) {
        const long before = allocations();
        const ns_status status = ns_quote(again % 2 == 0 ? large : small, machine, NULL, w, &quotes, NULL);
        const long after = allocations();
        ck_assert(status == NS_OK);
        ck_assert_int_eq(after, before);
    }
    ns_exchange_free(large);
    ns_exchange_free(small);
    ns_workspace_free(w);
}

TEST_TIMEOUT(300)
