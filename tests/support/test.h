/* test.h -- TEST(name) { ... } is a test: it hands itself to tests/main.c, which runs a file's tests in their order
 *
 * TEST_EACH runs its body for _i = 0, 1, ... below `count`.  TEST_FIXTURE, TEST_TIMEOUT and TEST_NEEDS hold for all
 * tests of the file.  A file whose tests have different ones defines Suite *suite(void) instead, with START_TEST.
 * The headers that nearly every test wants are included here. */
#ifndef NS_SUPPORT_TEST_H
#define NS_SUPPORT_TEST_H

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEST(name) TEST_EACH(name, 1)

#define TEST_EACH(name, count)                                                                                         \
    static const TTest *name;                                                                                          \
    __attribute__((constructor)) static void name##_is_a_test(void)                                                    \
    {                                                                                                                  \
        test_add(name, (int)(count));                                                                                  \
    }                                                                                                                  \
    START_TEST(name)

/* Calls around each test, in its process. */
#define TEST_FIXTURE(setup, teardown)                                                                                  \
    __attribute__((constructor)) static void test_has_fixture(void)                                                    \
    {                                                                                                                  \
        test_around(setup, teardown);                                                                                  \
    }

/* Calls before the first and after the last test, in the process that starts them all. */
#define TEST_FIXTURE_ONCE(setup, teardown)                                                                             \
    __attribute__((constructor)) static void test_has_fixture_once(void)                                               \
    {                                                                                                                  \
        test_around_all(setup, teardown);                                                                              \
    }

/* Seconds for each test, where the 60 that every test has do not do. */
#define TEST_TIMEOUT(seconds)                                                                                          \
    __attribute__((constructor)) static void test_has_timeout(void)                                                    \
    {                                                                                                                  \
        test_within(seconds);                                                                                          \
    }

/* No test runs unless this is true; it says why not (support/needs.h). */
#define TEST_NEEDS(condition)                                                                                          \
    static bool test_can_run(void)                                                                                     \
    {                                                                                                                  \
        return condition;                                                                                              \
    }                                                                                                                  \
    __attribute__((constructor)) static void test_has_needs(void)                                                      \
    {                                                                                                                  \
        test_if(test_can_run);                                                                                         \
    }

void test_add(const TTest *test, int count);
void test_around(SFun setup, SFun teardown);
void test_around_all(SFun setup, SFun teardown);
void test_within(double seconds);
void test_if(bool (*can_run)(void));

#endif
