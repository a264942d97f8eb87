/* test_number.c -- decimal text and doubles, lists and ranges, closest names
 *
 * Oracles: strtod and printf with 17 digits for numbers; for names, distances counted by hand.
 */
#include <nsmodel/quantity.h>

#include <float.h>
#include <locale.h>
#include <stdint.h>

#include "core/memory.h"
#include "core/number.h"

#include "support/needs.h"
#include "support/test.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    /* splitmix64: an additive sequence, mixed */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t digits_in(const char *text)
{
    size_t digits = 0;
    for (; *text != '\0' && *text != 'e'; text++)
        digits += *text >= '0' && *text <= '9';
    return digits;
}

static void check_round_trip(double value)
{
    char text[64], fewer[64], *end;
    ns_double_format(value, text, sizeof text);
    double back = ns_strtod(text, &end);
    ck_assert_msg(memcmp(&back, &value, sizeof value) == 0 && *end == '\0', "%.17g: %s", value, text);
    /* one digit less would not do */
    for (int digits = 15; digits < 17; digits++) {
        snprintf(fewer, sizeof fewer, "%.*g", digits, value);
        if (strtod(fewer, NULL) == value && fabs(value) >= 9007199254740992.)
            ck_assert_uint_le(digits_in(text), (size_t)digits);
    }
}

TEST(random_doubles_round_trip)
{
    uint64_t state = 2385;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_random(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_round_trip(value);
        if (i % 4 == 0) {
            check_round_trip((double)(int64_t)next_random(&state));                    /* around 2^63 */
            check_round_trip((double)(next_random(&state) % 2000000) / 1000.0 * 1e-6); /* times as people write them */
        }
    }
}

TEST(digits_are_few)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.1, "0.1"},
        {4096, "4096"},
        {3.992384e-6, "3.992384e-06"},
        {1.7e-6, "1.7e-06"},
        {0, "0"},
        {-0.0, "-0"},
        {-3, "-3"},
        {1e15, "1000000000000000"},
        {9007199254740991., "9007199254740991"},
        {9007199254740992., "9007199254740992"},
        {1e22, "1e+22"},
        {0.30000000000000004, "0.30000000000000004"},
        {5e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {(double)NAN, "null"},
        {-(double)INFINITY, "null"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[64];
        ck_assert_str_eq(ns_double_format(rows[i].value, buffer, sizeof buffer), rows[i].text);
    }
    char tiny[3];
    ck_assert_str_eq(ns_double_format(12345, tiny, sizeof tiny), "12");
}

/* The definition: the fewest of 15, 16 and 17 digits that read back, by the C library. */
static const char *by_definition(double value, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* 0 where the quick way passes. */
static size_t check_quick(double value)
{
    char quick[NS_NUMBER_MAX], defined[64];
    const size_t length = ns_double_digits(value, quick);
    if (length == 0)
        return 0;
    ck_assert_msg(strcmp(quick, by_definition(value, defined, sizeof defined)) == 0 && strlen(quick) == length,
                  "%a: \"%s\", defined is \"%s\"", value, quick, defined);
    return 1;
}

static size_t check_rounded(double value)
{
    char text[64];
    double rounded = -1;
    if (!ns_round_to_15(value, &rounded))
        return 0;
    snprintf(text, sizeof text, "%.14e", value);
    ck_assert_msg(rounded == strtod(text, NULL), "%a: %a, defined is %s", value, rounded, text);
    return 1;
}

/* Numbers of every kind that is near a decision: few digits and their neighbours, halves, powers of two and of ten. */
TEST_EACH(quick_digits_are_the_defined_ones, 3)
{
    uint64_t state = 2385 + (uint64_t)_i;
    size_t quick = 0, round = 0, tried = 0;
    for (int i = 0; i < 60000; i++) {
        const double power = pow(10, (int)(next_random(&state) % 30) - 12);
        const double few = (double)(next_random(&state) % 100000) * power / 1000;
        const double any = ldexp((double)(next_random(&state) >> 11), (int)(next_random(&state) % 100) - 100);
        const double half = (double)(next_random(&state) >> 14) / 8;
        const double values[] = {few,
                                 nextafter(few, 0),
                                 nextafter(few, 1e300),
                                 any,
                                 -few,
                                 nextafter(power, 2e300),
                                 nextafter(power, 0),
                                 half,
                                 -any,
                                 ldexp(1, -(i % 60)) * few,
                                 power};
        for (size_t v = 0; v < COUNT(values); v++, tried++) {
            quick += check_quick(values[v]);
            round += check_rounded(values[v]);
        }
    }
    ck_assert_msg(quick > tried / 2, "only %zu of %zu numbers went the quick way", quick, tried);
    ck_assert_msg(round > tried / 2, "only %zu of %zu numbers were rounded the quick way", round, tried);
    ck_assert_int_eq((int)check_quick(5e-324) + (int)check_quick(1e300) + (int)check_quick(0.25), 0);
}

TEST(whole_digits)
{
    static const int64_t rows[] = {0, 1, -1, 9, 10, -10, 4096, 9007199254740991, -9007199254740991};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[NS_NUMBER_MAX], defined[32];
        snprintf(defined, sizeof defined, "%lld", (long long)rows[i]);
        ck_assert_uint_eq(ns_double_write((double)rows[i], text), strlen(defined));
        ck_assert_str_eq(text, defined);
    }
}

TEST(strtod_is_decimal_only)
{
    static const struct {
        const char *text;
        double value;
        size_t used;
    } rows[] = {
        {"1.5x", 1.5, 3},  {" \t-2e3,", -2000, 6}, {"nan", 0, 0}, {"inf", 0, 0},
        {"0x1f", 0, 1},    {"-0x1f", 0, 2},        {"", 0, 0},    {"+", 0, 0},
        {".", 0, 0},       {".5", 0.5, 2},         {"5.", 5, 2},  {"1e+", 1, 1},
        {"1e5e5", 1e5, 3}, {"  ", 0, 0},           {"1_0", 1, 1}, {"1,5", 1, 1},
        {"00012", 12, 5},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *end;
        ck_assert_double_eq(ns_strtod(rows[i].text, &end), rows[i].value);
        ck_assert_msg(end == rows[i].text + rows[i].used, "\"%s\": used %td", rows[i].text, end - rows[i].text);
    }
    ck_assert_double_eq(ns_strtod("2.385", NULL), 2.385);
    ck_assert_double_eq(ns_strtod("nan", NULL), 0);
    ck_assert(isinf(ns_strtod("1e999", NULL)));
}

/* A locale with a decimal comma: an installed one, or one made on the spot. */
static const char *set_comma_locale(char *directory)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR", "nl_NL.UTF-8"};
    char command[600];
    for (size_t i = 0; i < COUNT(names); i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            return names[i];
    if (mkdtemp(directory) == NULL)
        return NULL;
    snprintf(command, sizeof command, "localedef -c -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >'%s/log' 2>&1", directory,
             directory);
    if (system(command) == 0 && setenv("LOCPATH", directory, 1) == 0)
        return setlocale(LC_ALL, "de_DE.UTF-8");
    return NULL;
}

TEST(a_comma_locale_changes_nothing)
{
    char directory[256], command[300], text[64];
    const char *base = getenv("NSMODEL_TEST_TMP");
    snprintf(directory, sizeof directory, "%s/locale-XXXXXX", base != NULL ? base : ".");
    const char *name = set_comma_locale(directory);
    if (name == NULL) {
        skipped(__func__, "needs a locale with a decimal comma");
    } else {
        ns_quantity quantity;
        snprintf(text, sizeof text, "%.1f", 1.5);
        ck_assert_str_eq(text, "1,5"); /* the locale is what it should be */
        ck_assert_double_eq(ns_strtod("1.5", NULL), 1.5);
        ck_assert_str_eq(ns_double_format(2.385e-6, text, sizeof text), "2.385e-06");
        ck_assert_str_eq(ns_quantity_format(2.385e-6, (ns_dim){1, 0, 0}, 4, text, sizeof text), "2.385 us");
        ck_assert_int_eq(ns_quantity_parse("2.385 us", &quantity, NULL), NS_OK);
        ck_assert_double_eq(quantity.value, 2.385e-6);
        ck_assert_int_eq(ns_quantity_parse("2,385 us", &quantity, NULL), NS_ERR_SYNTAX);
        snprintf(text, sizeof text, "%.1f", 1.5);
        ck_assert_str_eq(text, "1,5"); /* and it is still there */
    }
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (strstr(directory, "XXXXXX") == NULL && system(command) != 0)
        printf("%s is left behind\n", directory);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

enum { SHOWN = 12 };
static const struct list {
    const char *text, *unit;
    size_t count;
    double values[SHOWN];
    const char *words; /* NULL: good */
    long column;
} lists[] = {
    {"8,16,32", "1", 3, {8, 16, 32}, NULL, 0},
    {" 8 , 16 ", "1", 2, {8, 16}, NULL, 0},
    {"4KiB,1.5 MB", "B", 2, {4096, 1.5e6}, NULL, 0},
    {"3us", "us", 1, {3e-6}, NULL, 0},
    {"1:8:x2", "1", 4, {1, 2, 4, 8}, NULL, 0},
    {"1:9:x2", "1", 4, {1, 2, 4, 8}, NULL, 0},
    {"1B:1KiB:x4", "B", 6, {1, 4, 16, 64, 256, 1024}, NULL, 0},
    {"1:8B:x2", "B", 4, {1, 2, 4, 8}, NULL, 0},
    {"1:2KiB:x16", "KiB", 3, {1, 16, 256}, NULL, 0},
    {"8:1kbit:x5", "KiB", 4, {1, 5, 25, 125}, NULL, 0},
    {"8:1Kibit:x8", "KiB", 3, {1, 8, 64}, NULL, 0},
    {"0:1KiB:+512B", "B", 3, {0, 512, 1024}, NULL, 0},
    {"0:100B:+50", "B", 3, {0, 50, 100}, NULL, 0},
    {"1:100GB/s:x10", "B/s", 3, {1e9, 1e10, 1e11}, NULL, 0},
    {"1us:1ms:x10", "us", 4, {1e-6, 1e-5, 1e-4, 1e-3}, NULL, 0},
    {"0:50us:+10us", "us", 6, {0, 1e-5, 2e-5, 3e-5, 4e-5, 5e-5}, NULL, 0},
    {"0:50us:+10", "us", 6, {0, 1e-5, 2e-5, 3e-5, 4e-5, 5e-5}, NULL, 0},
    {"0:0.3:+0.1", "1", 4, {0, 0.1, 0.2, 0.3}, NULL, 0},
    {"0:0.35:+0.1", "1", 4, {0, 0.1, 0.2, 0.3}, NULL, 0},
    {"0:1:+0.3333333333", "1", 4, {0, 0.3333333333, 0.6666666666, 1}, NULL, 0},
    {"0:1:+0.333333333", "1", 4, {0, 0.333333333, 0.666666666, 1}, NULL, 0},
    {"0:1:+0.33333333", "1", 4, {0, 0.33333333, 0.66666666, 0.99999999}, NULL, 0},
    {"-10:0:+5", "1", 3, {-10, -5, 0}, NULL, 0},
    {"0:1e-12:+1", "1", 1, {0}, NULL, 0},
    {"5:5:x2", "1", 1, {5}, NULL, 0},
    {"1:1.5:x1.5,7,0:2:+1", "1", 6, {1, 1.5, 7, 0, 1, 2}, NULL, 0},
    {"1:10%:x10", "1", 2, {0.01, 0.1}, NULL, 0},
    {"1:1e308:x1e200", "1", 2, {1, 1e200}, NULL, 0},
    {"", "us", 0, {0}, "alpha: an empty place in the list, wants a value", 1},
    {"1us,", "us", 0, {0}, "alpha: an empty place in the list, wants a value", 5},
    {"1us,,2us", "us", 0, {0}, "alpha: an empty place in the list, wants a value", 5},
    {"1us,2", "us", 0, {0}, "alpha wants a time like \"1 us\", got the bare number \"2\"", 5},
    {"0:1KiB:+512", "B", 0, {0}, "alpha wants a size like \"1 B\", got the bare number \"512\"", 9},
    {"1us,2b", "us", 0, {0}, "alpha: b is ambiguous in \"b\": write B for bytes or bit", 6},
    {"1:8:x2", "us", 0, {0}, "alpha wants a time like \"1 us\", got the bare number \"8\"", 3},
    {"1:8", "1", 0, {0}, "alpha: range \"1:8\" wants three parts, as in \"1:8:x2\"", 1},
    {"1:8:x2:", "1", 0, {0}, "alpha: range \"1:8:x2:\" wants three parts, as in \"1:8:x2\"", 1},
    {"1:8:2", "1", 0, {0}, "alpha: range \"1:8:2\" wants a step like \"x2\" or \"+10\"", 5},
    {"1:8:", "1", 0, {0}, "alpha: range \"1:8:\" wants a step like \"x2\" or \"+10\"", 5},
    {"1:8:x", "1", 0, {0}, "alpha: nothing given, wants a number", 6},
    {"1:8:x1", "1", 0, {0}, "alpha: range \"1:8:x1\" wants a factor above 1", 1},
    {"1:8:x0.5", "1", 0, {0}, "alpha: range \"1:8:x0.5\" wants a factor above 1", 1},
    {"1:8:x2us", "1", 0, {0}, "alpha wants a pure number like \"1\", got \"2us\"", 6},
    {"0:8:x2", "1", 0, {0}, "alpha: range \"0:8:x2\" multiplies, wants a first value above 0", 1},
    {"-1:8:x2", "1", 0, {0}, "alpha: range \"-1:8:x2\" multiplies, wants a first value above 0", 1},
    {"1:8:+0", "1", 0, {0}, "alpha: range \"1:8:+0\" wants a step above 0", 1},
    {"1:8:+-1", "1", 0, {0}, "alpha: range \"1:8:+-1\" wants a step above 0", 1},
    {"3,8:1:x2", "1", 0, {0}, "alpha: range \"8:1:x2\" runs down, wants first:last with first <= last", 3},
    {":8:x2", "1", 0, {0}, "alpha: nothing given, wants a number", 1},
    {"1::x2", "1", 0, {0}, "alpha: nothing given, wants a number", 3},
    {"0:100000:+1", "1", 0, {0}, "alpha: \"0:100000:+1\" makes more than 100000 values", 1},
    {"1:1e300:+1e-300", "1", 0, {0}, "alpha: \"1:1e300:+1e-300\" makes more than 100000 values", 1},
    {"1:2:x1.0000000001", "1", 0, {0}, "alpha: \"1:2:x1.0000000001\" makes more than 100000 values", 1},
};

TEST_EACH(lists_and_ranges, COUNT(lists))
{
    const struct list *row = &lists[_i];
    double *values = NULL;
    size_t count = 77;
    ns_error err = {0};
    ns_status status = ns_list_parse(row->text, "alpha", row->unit, &values, &count, &err);
    ck_assert_msg(strcmp(err.text, row->words != NULL ? row->words : "") == 0, "\"%s\": %s", row->text, err.text);
    ck_assert_int_eq(err.column, row->column);
    if (row->words != NULL) {
        ck_assert_int_ne(status, NS_OK);
        ck_assert(values == NULL && count == 77);
        return;
    }
    ck_assert_int_eq(status, NS_OK);
    ck_assert_uint_eq(count, row->count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == row->values[i], "\"%s\": value %zu is %.17g", row->text, i, values[i]);
    ns_free(values);
}

TEST(the_longest_list)
{
    double *values;
    size_t count;
    ck_assert_int_eq(ns_list_parse("1:100000:+1", "n", "1", &values, &count, NULL), NS_OK);
    ck_assert_uint_eq(count, 100000);
    ck_assert_double_eq(values[99999], 100000);
    ns_free(values);
    ck_assert_int_eq(ns_list_parse("1:1EiB:x2", "n", "B", &values, &count, NULL), NS_OK);
    ck_assert_uint_eq(count, 61);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(values[i], ldexp(1, (int)i));
    ns_free(values);
}

/* ---- closest ----------------------------------------------------------------------------------------------------- */

TEST(closest_names)
{
    static const char *const names[] = {"standard", "three-step", "two-step", "split-md",
                                        "split-dd", "lassen",     "eager",    "x"};
    static const struct {
        const char *name, *closest;
    } rows[] = {
        {"standart", "standard"},
        {"Standard", "standard"},
        {"SPLIT-DD", "split-dd"},
        {"splitmd", "split-md"},
        {"three_step", "three-step"},
        {"lasesn", "lassen"},
        {"lasse", "lassen"},
        {"tow-step", "two-step"},
        {"step", NULL},
        {"hypre", NULL},
        {"", NULL},
        {"y", NULL},
        {"X", "x"},
        {"aeger", "eager"},
        {"aegre", NULL},
        {"split-", "split-md"},
        {"dradnats", NULL},
    };
    char large[200];
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *found = ns_closest(rows[i].name, names, COUNT(names));
        ck_assert_msg(found == rows[i].closest || (found && rows[i].closest && strcmp(found, rows[i].closest) == 0),
                      "\"%s\": %s", rows[i].name, found != NULL ? found : "none");
    }
    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = '\0';
    ck_assert_ptr_null(ns_closest(large, names, COUNT(names)));
    ck_assert_ptr_null(ns_closest("x", names, 0));
}

TEST_TIMEOUT(300)
