/* test_planned.c -- exchanges made of planned messages: any order of them, placements that are none, all to all */
#include <nsmodel/exchange.h>

#include <check.h>
#include <string.h>

enum { PARTS = 5 };
static const ns_layout layout = {PARTS, 2};

/* By receiver, then sender; what a pair sends twice is added up. */
START_TEST(any_order)
{
    static const ns_planned message[] = {{4, 0, 3},  {1, 3, 7},  {0, 3, 5}, {2, 0, 11},
                                         {4, 3, 13}, {1, 0, 17}, {0, 3, 19}};
    static const ns_route expected[] = {{1, 0, 17}, {2, 0, 11}, {4, 0, 3}, {0, 3, 24}, {1, 3, 7}, {4, 3, 13}};
    enum { MESSAGES = sizeof message / sizeof *message, ROUTES = sizeof expected / sizeof *expected };
    for (int turn = 0; turn < MESSAGES; turn++) {
        ns_planned turned[MESSAGES];
        ns_exchange *exchange;
        for (int i = 0; i < MESSAGES; i++)
            turned[i] = message[turn % 2 == 0 ? (i + turn) % MESSAGES : (MESSAGES - 1 - i + turn) % MESSAGES];
        ck_assert_int_eq(ns_exchange_from_messages(turned, MESSAGES, layout, NULL, &exchange, NULL), NS_OK);
        ck_assert_int_eq(exchange->routes, ROUTES);
        for (int i = 0; i < ROUTES; i++) {
            ck_assert_int_eq(exchange->route[i].from, expected[i].from);
            ck_assert_int_eq(exchange->route[i].to, expected[i].to);
            ck_assert_int_eq(exchange->route[i].entries, expected[i].entries);
        }
        ns_exchange_free(exchange);
    }
}
END_TEST

static const struct {
    int32_t place[PARTS];
    const char *words;
} misplaced[] = {
    {{0, 1, 2, 3, PARTS}, "place[4] = 5"},
    {{0, 1, 2, -1, 4}, "place[3] = -1"},
    {{0, 1, 2, 1, 4}, "place[3] = 1"},
};

START_TEST(no_permutation)
{
    static const ns_planned message[] = {{0, 1, 8}};
    ns_exchange *exchange;
    ns_error err = {0};
    ck_assert_int_eq(ns_exchange_from_messages(message, 1, layout, misplaced[_i].place, &exchange, &err), NS_ERR_RANGE);
    ck_assert_msg(strstr(err.text, misplaced[_i].words) != NULL, "%s", err.text);
}
END_TEST

/* Part p stands at place[p]: the route is between the places. */
START_TEST(placed)
{
    static const ns_planned message[] = {{0, 1, 8}};
    static const int32_t place[PARTS] = {3, 0, 1, 2, 4};
    ns_exchange *exchange;
    ck_assert_int_eq(ns_exchange_from_messages(message, 1, layout, place, &exchange, NULL), NS_OK);
    ck_assert_int_eq(exchange->routes, 1);
    ck_assert_int_eq(exchange->route[0].from, 3);
    ck_assert_int_eq(exchange->route[0].to, 0);
    ck_assert_int_eq(exchange->pattern.messages_off_node, 1);
    ns_exchange_free(exchange);
}
END_TEST

START_TEST(all_to_all)
{
    ns_exchange *exchange;
    int64_t i = 0;
    ck_assert_int_eq(ns_exchange_alltoall(layout, 100, NULL, &exchange, NULL), NS_OK);
    ck_assert_int_eq(exchange->routes, PARTS * (PARTS - 1));
    for (int32_t to = 0; to < PARTS; to++)
        for (int32_t from = 0; from < PARTS; from++)
            if (from != to) {
                ck_assert_int_eq(exchange->route[i].from, from);
                ck_assert_int_eq(exchange->route[i].to, to);
                ck_assert_int_eq(exchange->route[i++].entries, 100);
            }
    ck_assert_int_eq(exchange->pattern.bytes_total, 100 * PARTS * (PARTS - 1));
    ck_assert_int_eq(exchange->pattern.messages_off_node, 2 * 3 + 2 * 3 + 4);
    ns_exchange_free(exchange);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("planned");
    TCase *t = tcase_create("messages");
    tcase_add_test(t, any_order);
    tcase_add_loop_test(t, no_permutation, 0, sizeof misplaced / sizeof *misplaced);
    tcase_add_test(t, placed);
    tcase_add_test(t, all_to_all);
    suite_add_tcase(s, t);
    return s;
}
