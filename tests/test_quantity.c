/* test_quantity.c -- numbers and units: read, refused with the exact words, written
 *
 * Provenance of the rows: the unit definitions of the SI brochure (k, M, ... u, n) and IEC 80000-13 (Ki, Mi, ...);
 * expected values are the decimal literals that the compiler reads.
 */
#include <nsmodel/quantity.h>

#include "support/test.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static const struct good {
    const char *text;
    double value;
    ns_dim dim;
} good[] = {
    {"1.7us", 1.7e-6, {1, 0, 0}},
    {"1.7 us", 1.7e-6, {1, 0, 0}},
    {"  1.7\tus ", 1.7e-6, {1, 0, 0}},
    {"1.7 \xc2\xb5s", 1.7e-6, {1, 0, 0}},
    {"1.7 \xce\xbcs", 1.7e-6, {1, 0, 0}},
    {"2.385ms", 2.385e-3, {1, 0, 0}},
    {"2.385ns", 2.385e-9, {1, 0, 0}},
    {"2.385ps", 2.385e-12, {1, 0, 0}},
    {"2.385fs", 2.385e-15, {1, 0, 0}},
    {"1e-3 s", 1e-3, {1, 0, 0}},
    {"-2.5e+1us", -25e-6, {1, 0, 0}},
    {"+.5s", 0.5, {1, 0, 0}},
    {"5.s", 5, {1, 0, 0}},
    {"1E3us", 1e-3, {1, 0, 0}},
    {"7B", 7, {0, 1, 0}},
    {"7kB", 7e3, {0, 1, 0}},
    {"7KiB", 7 * 1024., {0, 1, 0}},
    {"7MB", 7e6, {0, 1, 0}},
    {"7MiB", 7 * 1048576., {0, 1, 0}},
    {"7GB", 7e9, {0, 1, 0}},
    {"7GiB", 7 * 1073741824., {0, 1, 0}},
    {"7TB", 7e12, {0, 1, 0}},
    {"7TiB", 7 * 1099511627776., {0, 1, 0}},
    {"7PB", 7e15, {0, 1, 0}},
    {"7PiB", 7 * 1125899906842624., {0, 1, 0}},
    {"7EB", 7e18, {0, 1, 0}},
    {"7EiB", 7 * 1152921504606846976., {0, 1, 0}},
    {"12bit", 1.5, {0, 1, 0}},
    {"1Kibit", 128, {0, 1, 0}},
    {"100Gbit/s", 12.5e9, {-1, 1, 0}},
    {"23.9GB/s", 23.9e9, {-1, 1, 0}},
    {"3.79e-10 s/B", 3.79e-10, {1, -1, 0}},
    {"0.379ns/B", 0.379e-9, {1, -1, 0}},
    {"0.379 ns/bit", 0.379e-9 * 8, {1, -1, 0}},
    {"2.2GHz", 2.2e9, {-1, 0, 0}},
    {"2.2e9 1/s", 2.2e9, {-1, 0, 0}},
    {"2.2e9/s", 2.2e9, {-1, 0, 0}},
    {"4 1/ms", 4e3, {-1, 0, 0}},
    {"3flop", 3, {0, 0, 1}},
    {"7.8 Tflop/s", 7.8e12, {-1, 0, 1}},
    {"2 flop/B", 2, {0, -1, 1}},
    {"6 s*B", 6, {1, 1, 0}},
    {"6 B/s/s", 6, {-2, 1, 0}},
    {"8 B/B", 8, {0, 0, 0}},
    {"0.25", 0.25, {0, 0, 0}},
    {"0", 0, {0, 0, 0}},
    {"3 1", 3, {0, 0, 0}},
    {"58 %", 0.58, {0, 0, 0}},
    {"1e308", 1e308, {0, 0, 0}},
    {"1e-400", 0, {0, 0, 0}}, /* below the smallest double */
    {"1e-320 us", 0, {1, 0, 0}},
    {"9007199254740993", 9007199254740992., {0, 0, 0}}, /* ties to even */
};

TEST_EACH(reads, COUNT(good))
{
    const struct good *row = &good[_i];
    ns_quantity quantity = {.value = -77};
    ns_error err = {0};
    ck_assert_msg(ns_quantity_parse(row->text, &quantity, &err) == NS_OK, "\"%s\": %s", row->text, err.text);
    ck_assert_msg(quantity.value == row->value, "\"%s\": %.17g, not %.17g", row->text, quantity.value, row->value);
    ck_assert_msg(ns_dim_equal(quantity.dim, row->dim), "\"%s\": wrong dimension", row->text);
    ck_assert_int_eq(err.code, NS_OK);
}

static const struct bad {
    const char *text;
    ns_status code;
    long column;
    const char *words;
} bad[] = {
    /* not a number */
    {"", NS_ERR_SYNTAX, 1, "nothing given, wants a number"},
    {"  ", NS_ERR_SYNTAX, 3, "nothing given, wants a number"},
    {"us", NS_ERR_SYNTAX, 1, "\"us\" does not begin with a finite decimal number"},
    {"nan", NS_ERR_SYNTAX, 1, "\"nan\" does not begin with a finite decimal number"},
    {"-NaN s", NS_ERR_SYNTAX, 1, "\"-NaN s\" does not begin with a finite decimal number"},
    {"inf", NS_ERR_SYNTAX, 1, "\"inf\" does not begin with a finite decimal number"},
    {"-infinity us", NS_ERR_SYNTAX, 1, "\"-infinity us\" does not begin with a finite decimal number"},
    {".", NS_ERR_SYNTAX, 1, "\".\" does not begin with a finite decimal number"},
    {"-", NS_ERR_SYNTAX, 1, "\"-\" does not begin with a finite decimal number"},
    {"--1us", NS_ERR_SYNTAX, 1, "\"--1us\" does not begin with a finite decimal number"},
    {"e5", NS_ERR_SYNTAX, 1, "\"e5\" does not begin with a finite decimal number"},
    {"$3", NS_ERR_SYNTAX, 1, "\"$3\" does not begin with a finite decimal number"},
    {"0x10", NS_ERR_SYNTAX, 1, "\"0x10\" is hexadecimal, wants a decimal number"},
    {"-0X1p3 us", NS_ERR_SYNTAX, 1, "\"-0X1p3 us\" is hexadecimal, wants a decimal number"},
    {"1,5us", NS_ERR_SYNTAX, 1, "\"1,5us\" has a decimal comma, wants a point"},
    {" 1,5 us", NS_ERR_SYNTAX, 2, "\"1,5 us\" has a decimal comma, wants a point"},
    {"1e999", NS_ERR_RANGE, 1, "\"1e999\" is too large a number"},
    {"-1e999 us", NS_ERR_RANGE, 1, "\"-1e999\" is too large a number"},
    {"1e300EB", NS_ERR_RANGE, 1, "\"1e300\" is too large in this unit"},
    {"1e308 YB", NS_ERR_UNIT, 7, "unknown unit \"YB\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    /* something after the unit */
    {"3 us us", NS_ERR_SYNTAX, 6, "\"us\" after the unit \"us\", wants nothing there"},
    {"3 us, please", NS_ERR_SYNTAX, 7, "\"please\" after the unit \"us,\", wants nothing there"},
    {"3 GB / s", NS_ERR_SYNTAX, 6, "\"/ s\" after the unit \"GB\", wants nothing there"},
    {"1.2.3 us", NS_ERR_SYNTAX, 7, "\"us\" after the unit \".3\", wants nothing there"},
    {"1 000 us", NS_ERR_SYNTAX, 7, "\"us\" after the unit \"000\", wants nothing there"},
    {"1 000", NS_ERR_UNIT, 3, "unknown unit \"000\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"1.2.3", NS_ERR_UNIT, 4, "unknown unit \".3\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"1-2us", NS_ERR_UNIT, 2, "unknown unit \"-2us\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"1e", NS_ERR_UNIT, 2, "unknown unit \"e\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"1x", NS_ERR_UNIT, 2, "unknown unit \"x\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"1us\n", NS_ERR_UNIT, 2, "unknown unit \"us?\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    /* b alone */
    {"3b", NS_ERR_UNIT, 2, "b is ambiguous in \"b\": write B for bytes or bit"},
    {"3 Kb", NS_ERR_UNIT, 3, "b is ambiguous in \"Kb\": write B for bytes or bit"},
    {"3 kb", NS_ERR_UNIT, 3, "b is ambiguous in \"kb\": write B for bytes or bit"},
    {"3gb", NS_ERR_UNIT, 2, "b is ambiguous in \"gb\": write B for bytes or bit"},
    {"3Gb/s", NS_ERR_UNIT, 2, "b is ambiguous in \"Gb/s\": write B for bytes or bit"},
    {"3gb/s", NS_ERR_UNIT, 2, "b is ambiguous in \"gb/s\": write B for bytes or bit"},
    {"3Mib", NS_ERR_UNIT, 2, "b is ambiguous in \"Mib\": write B for bytes or bit"},
    {"3 ns/b", NS_ERR_UNIT, 6, "b is ambiguous in \"ns/b\": write B for bytes or bit"},
    /* case */
    {"3KB", NS_ERR_UNIT, 2, "unknown unit \"KB\", write kB (1000) or KiB (1024)"},
    {"3 KB/s", NS_ERR_UNIT, 3, "unknown unit \"KB\", write kB (1000) or KiB (1024)"},
    {"3Kbit", NS_ERR_UNIT, 2, "unknown unit \"Kbit\", write kbit (1000) or Kibit (1024)"},
    {"3US", NS_ERR_UNIT, 2, "unknown unit \"US\", write \"us\""},
    {"3Us", NS_ERR_UNIT, 2, "unknown unit \"Us\", write \"us\""},
    {"3Ms", NS_ERR_UNIT, 2, "unknown unit \"Ms\", write \"ms\""},
    {"3S", NS_ERR_UNIT, 2, "unknown unit \"S\", write \"s\""},
    {"3 gB", NS_ERR_UNIT, 3, "unknown unit \"gB\", write \"GB\""},
    {"3 kiB", NS_ERR_UNIT, 3, "unknown unit \"kiB\", write \"KiB\""},
    {"3 GIB", NS_ERR_UNIT, 3, "unknown unit \"GIB\", write \"GiB\""},
    {"3 GBit/s", NS_ERR_UNIT, 3, "unknown unit \"GBit\", write \"Gbit\""},
    {"3 ghz", NS_ERR_UNIT, 3, "unknown unit \"ghz\", write \"GHz\""},
    {"3 mhz", NS_ERR_UNIT, 3, "unknown unit \"mhz\", write \"MHz\""},
    {"3 FLOP", NS_ERR_UNIT, 3, "unknown unit \"FLOP\", write \"flop\""},
    /* what people write elsewhere */
    {"3 sec", NS_ERR_UNIT, 3, "unknown unit \"sec\", write \"s\""},
    {"3 usec", NS_ERR_UNIT, 3, "unknown unit \"usec\", write \"us\""},
    {"3 bytes", NS_ERR_UNIT, 3, "unknown unit \"bytes\", write \"B\""},
    {"3 Gbps", NS_ERR_UNIT, 3, "unknown unit \"Gbps\", write \"Gbit/s\""},
    {"3 MBps", NS_ERR_UNIT, 3, "unknown unit \"MBps\", write \"MB/s\""},
    {"3 GFLOPS", NS_ERR_UNIT, 3, "unknown unit \"GFLOPS\", write \"Gflop/s\""},
    {"3 percent", NS_ERR_UNIT, 3, "unknown unit \"percent\", write \"%\""},
    /* fractions of a byte */
    {"3mB", NS_ERR_UNIT, 2, "unknown unit \"mB\", a fraction of a B, wants a prefix such as M or Mi"},
    {"3uB", NS_ERR_UNIT, 2, "unknown unit \"uB\", a fraction of a B, wants a prefix such as M or Mi"},
    {"3 nbit/s", NS_ERR_UNIT, 3, "unknown unit \"nbit\", a fraction of a bit, wants a prefix such as M or Mi"},
    /* no such unit */
    {"3 parsec", NS_ERR_UNIT, 3, "unknown unit \"parsec\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 h", NS_ERR_UNIT, 3, "unknown unit \"h\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 min", NS_ERR_UNIT, 3, "unknown unit \"min\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 us/message", NS_ERR_UNIT, 6, "unknown unit \"message\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 k", NS_ERR_UNIT, 3, "unknown unit \"k\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 Kis", NS_ERR_UNIT, 3, "unknown unit \"Kis\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 k%", NS_ERR_UNIT, 3, "unknown unit \"k%\", wants one like \"us\", \"KiB\" or \"GB/s\""},
    {"3 GB/", NS_ERR_UNIT, 6, "unit \"GB/\" lacks a part"},
    {"3 /", NS_ERR_UNIT, 4, "unit \"/\" lacks a part"},
    {"3 GB//s", NS_ERR_UNIT, 6, "unit \"GB//s\" lacks a part"},
    {"3 *s", NS_ERR_UNIT, 3, "unit \"*s\" lacks a part"},
    {"3 B/s/s/s/s", NS_ERR_UNIT, 3, "unit \"B/s/s/s/s\" has more than 4 parts"},
};

TEST_EACH(refuses, COUNT(bad))
{
    const struct bad *row = &bad[_i];
    ns_quantity quantity = {.value = 2.385, .dim = {9, 9, 9}};
    ns_error err = {0};
    ck_assert_msg(ns_quantity_parse(row->text, &quantity, &err) == row->code, "\"%s\": %s", row->text,
                  ns_status_name(err.code));
    ck_assert_msg(strcmp(err.text, row->words) == 0, "\"%s\":\n  got    %s\n  wanted %s", row->text, err.text,
                  row->words);
    ck_assert_msg(err.column == row->column && err.line == 0, "\"%s\": column %ld", row->text, err.column);
    ck_assert_double_eq(quantity.value, 2.385); /* set only on success */
    ck_assert_int_eq(ns_quantity_parse(row->text, &quantity, NULL), row->code);
}

static const struct as {
    const char *text, *unit;
    double value;
    const char *words; /* NULL: good */
} as[] = {
    {"3us", "us", 3e-6, NULL},
    {"3ms", "us", 3e-3, NULL},
    {"50%", "1", 0.5, NULL},
    {"7", "", 7, NULL},
    {"1 GHz", "1/s", 1e9, NULL},
    {"3", "us", 0, "alpha wants a time like \"1 us\", got the bare number \"3\""},
    {"0", "us", 0, "alpha wants a time like \"1 us\", got the bare number \"0\""},
    {"12 GB/s", "us", 0, "alpha wants a time like \"1 us\", got \"12 GB/s\""},
    {" 12 GB/s ", "us", 0, "alpha wants a time like \"1 us\", got \"12 GB/s\""},
    {"50 %", "us", 0, "alpha wants a time like \"1 us\", got \"50 %\""},
    {"3us", "KiB", 0, "alpha wants a size like \"1 KiB\", got \"3us\""},
    {"3us", "GB/s", 0, "alpha wants a rate like \"1 GB/s\", got \"3us\""},
    {"3 GB/s", "ns/B", 0, "alpha wants a time per byte like \"1 ns/B\", got \"3 GB/s\""},
    {"3us", "GHz", 0, "alpha wants a frequency like \"1 GHz\", got \"3us\""},
    {"3us", "1", 0, "alpha wants a pure number like \"1\", got \"3us\""},
    {"3us", "Gflop/s", 0, "alpha wants a flop rate like \"1 Gflop/s\", got \"3us\""},
    {"3us", "B*s", 0, "alpha wants a quantity like \"1 B*s\", got \"3us\""},
    {"3KB", "KiB", 0, "alpha: unknown unit \"KB\", write kB (1000) or KiB (1024)"},
    {"", "us", 0, "alpha: nothing given, wants a number"},
};

TEST_EACH(wants_a_dimension, COUNT(as))
{
    const struct as *row = &as[_i];
    double value = 2.385;
    ns_error err = {0};
    ns_status status = ns_quantity_parse_as(row->text, "alpha", row->unit, &value, &err);
    ck_assert_msg(strcmp(err.text, row->words != NULL ? row->words : "") == 0, "\"%s\" as %s: %s", row->text, row->unit,
                  err.text);
    ck_assert(row->words != NULL ? status != NS_OK : status == NS_OK);
    ck_assert_double_eq(value, row->words != NULL ? 2.385 : row->value);
}

TEST(long_input_is_quoted_in_part)
{
    char text[2000], number[301];
    ns_quantity quantity;
    ns_error err = {0};
    memset(text, 'q', sizeof text);
    text[0] = '1';
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(ns_quantity_parse(text, &quantity, &err), NS_ERR_UNIT);
    ck_assert_uint_lt(strlen(err.text), 200);
    memset(number, '1', sizeof number);
    number[300] = '\0';
    err = (ns_error){0};
    ck_assert_int_eq(ns_quantity_parse(number, &quantity, &err), NS_ERR_SYNTAX);
    ck_assert_str_eq(err.text, "a number of more than 100 characters");
}

/* ---- units and dimensions ---------------------------------------------------------------------------------------- */

TEST(units_have_factors)
{
    static const struct {
        const char *unit;
        double factor;
        const char *si;
    } rows[] = {
        {"us", 1e-6, "s"},          {"GB/s", 1e9, "B/s"},
        {"ns/B", 1e-9, "s/B"},      {"Gbit/s", 1e9 / 8, "B/s"},
        {"GHz", 1e9, "1/s"},        {"1", 1, "1"},
        {"%", 0.01, "1"},           {"", 1, "1"},
        {"KiB", 1024, "B"},         {"flop", 1, "flop"},
        {"Gflop/s", 1e9, "flop/s"}, {"1/s", 1, "1/s"},
        {"s/flop", 1, "s/flop"},    {"B*B/s/s", 1, "B*B/s/s"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double factor;
        ns_dim dim, back;
        char buffer[64];
        ck_assert_int_eq(ns_unit_parse(rows[i].unit, &factor, &dim, NULL), NS_OK);
        ck_assert_msg(factor == rows[i].factor, "%s: %.17g", rows[i].unit, factor);
        ck_assert_str_eq(ns_dim_unit(dim, buffer, sizeof buffer), rows[i].si);
        ck_assert_int_eq(ns_unit_parse(buffer, &factor, &back, NULL), NS_OK);
        ck_assert(factor == 1 && ns_dim_equal(dim, back));
    }
    char tiny[3];
    ck_assert_str_eq(ns_dim_unit((ns_dim){-128, 127, 127}, tiny, sizeof tiny), "fl");
}

TEST(writes)
{
    static const struct {
        double value;
        ns_dim dim;
        int digits;
        const char *text;
    } rows[] = {
        {3.992384e-6, {1, 0, 0}, 3, "3.99 us"},
        {0, {1, 0, 0}, 4, "0 s"},
        {-0.0, {0, 1, 0}, 4, "0 B"},
        {9.9996e-4, {1, 0, 0}, 4, "1 ms"},
        {9.9994e-4, {1, 0, 0}, 4, "999.9 us"},
        {1.2345, {1, 0, 0}, 3, "1.23 s"},
        {7200, {1, 0, 0}, 4, "7200 s"},
        {-1.5e-6, {1, 0, 0}, 4, "-1.5 us"},
        {1e-18, {1, 0, 0}, 4, "0.001 fs"},
        {1e-25, {1, 0, 0}, 4, "1e-25 s"},
        {16384, {0, 1, 0}, 3, "16 KiB"},
        {16404.48, {0, 1, 0}, 3, "16.4 kB"},
        {131072, {0, 1, 0}, 3, "128 KiB"},
        {4000, {0, 1, 0}, 3, "4 kB"},
        {1572864, {0, 1, 0}, 3, "1.5 MiB"},
        {-2048, {0, 1, 0}, 3, "-2 KiB"},
        {1023, {0, 1, 0}, 4, "1.023 kB"},
        {1073741824, {0, 1, 0}, 4, "1 GiB"},
        {1024, {-1, 1, 0}, 4, "1.024 kB/s"},
        {512, {0, 1, 0}, 4, "512 B"},
        {0.5, {0, 1, 0}, 4, "0.5 B"},
        {123456, {0, 1, 0}, 2, "120 kB"},
        {3e22, {0, 1, 0}, 4, "30000 EB"},
        {3.79e-10, {1, -1, 0}, 4, "0.379 ns/B"},
        {4.184e-11, {1, -1, 0}, 3, "0.0418 ns/B"},
        {1.23e-12, {1, -1, 0}, 3, "1.23 ps/B"},
        {2e-6, {1, -1, 0}, 3, "2 us/B"},
        {23.9e9, {-1, 1, 0}, 4, "23.9 GB/s"},
        {2.2e9, {-1, 0, 0}, 4, "2.2 GHz"},
        {7.8e12, {-1, 0, 1}, 4, "7.8 Tflop/s"},
        {0.123456, {0, 0, 0}, 4, "0.1235"},
        {1234567, {0, 0, 0}, 4, "1235000"},
        {4096, {0, 0, 0}, 4, "4096"},
        {1.5e-7, {0, 0, 0}, 4, "1.5e-07"},
        {6e20, {0, 0, 0}, 4, "6e+20"},
        {2.5, {1, 1, 0}, 4, "2.5 B*s"},
        {(double)NAN, {1, 0, 0}, 4, "-"},
        {(double)INFINITY, {0, 0, 0}, 4, "-"},
        {1e-6, {1, 0, 0}, 0, "1 us"},
        {1.5e-6, {1, 0, 0}, 99, "1.5 us"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buffer[64];
        ns_quantity_format(rows[i].value, rows[i].dim, rows[i].digits, buffer, sizeof buffer);
        ck_assert_msg(strcmp(buffer, rows[i].text) == 0, "%g: \"%s\", not \"%s\"", rows[i].value, buffer, rows[i].text);
    }
}

/* What is written with all digits reads back, in every prefix. */
TEST(written_quantities_read_back)
{
    static const ns_dim dims[] = {{1, 0, 0},  {0, 1, 0}, {-1, 1, 0}, {1, -1, 0},
                                  {-1, 0, 0}, {0, 0, 1}, {0, 0, 0},  {1, 1, 0}};
    for (size_t d = 0; d < COUNT(dims); d++)
        for (int e = -30; e <= 30; e++) {
            char buffer[64];
            ns_quantity quantity;
            double value = 2.385 * pow(10, e);
            ns_quantity_format(value, dims[d], 17, buffer, sizeof buffer);
            ck_assert_msg(ns_quantity_parse(buffer, &quantity, NULL) == NS_OK, "%s", buffer);
            ck_assert_msg(quantity.value == value && ns_dim_equal(quantity.dim, dims[d]), "%s", buffer);
        }
}

TEST_TIMEOUT(300)
