/* test_calc_errors.c -- expressions that are refused: the exact words, and the place that a caret points at */
#include "api/library.h"
#include "support/machines.h"
#include "support/test.h"

static const char unit_hint[] = ", wants one like \"us\", \"KiB\" or \"GB/s\"";

/* caret: a line of blanks and one ^ below the text.  says: the whole message; with more it is their sum. */
static const struct row {
    const char *text, *caret, *says, *more;
} rows[] = {
    /* dimensions */
    {"4 KiB + 2 us", "      ^", "cannot add seconds to bytes: 4 KiB + 2 us", ""},
    {"4 KiB / 23.9 GB/s + 2.44", "                  ^", "cannot add a pure number to seconds: 171.3807531 ns + 2.44",
     ""},
    {"2 us - 4 KiB", "     ^", "cannot subtract bytes from seconds: 2 us - 4 KiB", ""},
    {"1 GB/s + 1 s", "       ^", "cannot add seconds to bytes per second: 1 GB/s + 1 s", ""},
    {"1 Hz + 1 flop", "     ^", "cannot add flop to a number per second: 1 Hz + 1 flop", ""},
    {"1 us < 2 B", "     ^", "cannot compare seconds with bytes: 1 us < 2 B", ""},
    {"4 KiB == 4096", "      ^", "cannot compare bytes with a pure number: 4 KiB == 4096", ""},
    {"min(1 us, 2 B)", "          ^", "min of different kinds: seconds and bytes", ""},
    {"log2(8 KiB)", "     ^", "log2 wants a pure number, got bytes: 8 KiB; divide by a unit", ""},
    {"round(1 us)", "      ^", "round wants a pure number, got seconds: 1 us; divide by a unit", ""},
    {"sqrt(2 s)", "     ^", "the square root of seconds has no unit", ""},
    {"2^3 us", " ^", "an exponent is a pure number, got seconds: 3 us", ""},
    {"(2 s)^0.5", "     ^", "seconds to the power 0.5 has no unit", ""},
    {"s^3 * s^4", "    ^", "the result has a unit to a power above 6", ""},
    {"2 s^7", "  ^", "a unit to a power above 6", ""},
    {"4 KiB in us", "         ^", "cannot show bytes in us, a unit of seconds", ""},
    {"2 in GB/s", "     ^", "cannot show a pure number in GB/s, a unit of bytes per second", ""},
    /* not finite */
    {"1 us / 0", "     ^", "division by zero", ""},
    {"0^-1", " ^", "division by zero", ""},
    {"mod(3, 0)", "       ^", "mod by zero", ""},
    {"1e308 * 10", "      ^", "the product is not finite", ""},
    {"1e308 + 1e308", "      ^", "the sum is not finite", ""},
    {"1 B / 1e-320", "    ^", "the quotient is not finite", ""},
    {"10^400", "  ^", "the power is not finite", ""},
    {"(-8)^(1/3)", "    ^", "the power is no real number", ""},
    {"sqrt(-4)", "^", "sqrt of -4 is no real number", ""},
    {"log2(0)", "^", "log2 of 0 is not finite", ""},
    {"1 + exp(1000)", "    ^", "exp of 1000 is not finite", ""},
    {"1e400", "^", "\"1e400\" is too large a number", ""},
    {"1e300 s in fs", "           ^", "the value in fs is not finite", ""},
    /* units */
    {"4 Kb", "  ^", "b is ambiguous in \"Kb\": write B for bytes or bit", ""},
    {"4 KB", "  ^", "unknown unit \"KB\", write kB (1000) or KiB (1024)", ""},
    {"4 MS", "  ^", "unknown unit \"MS\", write \"ms\"", ""},
    {"4 GB/sec", "     ^", "unknown unit \"sec\", write \"s\"", ""},
    {"4 bananas", "  ^", "unknown unit \"bananas\"", unit_hint},
    {"4 max(1, 2)", "  ^", "\"max\" is no unit; a product is written with *", ""},
    {"4 KiB in foo", "         ^", "unknown unit \"foo\"", unit_hint},
    {"4 KiB in", "        ^", "the text ends where a unit is wanted", ""},
    {"4 KiB in KiB + 3", "             ^", "\"+\" where the end is wanted", ""},
    {"4 KiB to B", "      ^", "\"to\" where an operator is wanted; `in UNIT` chooses the unit", ""},
    /* grammar */
    {"", "^", "the text ends where a value is wanted", ""},
    {"1 +", "   ^", "the text ends where a value is wanted", ""},
    {"* 3", "^", "\"*\" where a value is wanted", ""},
    {"(1 + 2", "^", "this \"(\" is not closed", ""},
    {"1 + 2)", "     ^", "a \")\" that nothing opened", ""},
    {"2 (3)", "  ^", "\"(\" where an operator is wanted", ""},
    {"1,000", " ^", "a comma outside of a call; numbers have a decimal point and no grouping", ""},
    {"1.5.2", "   ^", "a second decimal point in a number", ""},
    {"0x1f + 1", "^", "\"0x1f\" is hexadecimal, wants a decimal number", ""},
    {"1 < 2 < 3", "      ^", "comparisons do not chain; wants parentheses", ""},
    {"1 @ 2", "  ^", "\"@\" where an operator is wanted", ""},
    {"$3", "^", "\"$\" has no meaning here, a value is wanted", ""},
    {"4 \xc3\x97 3", "  ^", "\"\xc3\x97\" is typed as *", ""},
    {"min(1; 2)", "     ^", "\";\" where an operator, \",\" or \")\" is wanted", ""},
    {"sqrt(1, 2)", "^", "sqrt is called as sqrt(x), not with 2 arguments", ""},
    {"max()", "^", "max is called as max(x, ...), not with 0 arguments", ""},
    /* names */
    {"foo + 1", "^", "nothing is called \"foo\"", ""},
    {"3 * b", "    ^", "nothing is called \"b\"", ""},
    {"3 * Kb", "    ^", "b is ambiguous in \"Kb\": write B for bytes or bit", ""},
    {"2 * sqr(4)", "    ^", "nothing is called \"sqr\"; did you mean \"sqrt\"?", ""},
    {"log(8)", "^", "log is ambiguous: write ln, log2 or log10", ""},
    {"min + 1", "^", "min is a function, wants its arguments in parentheses", ""},
    {"ans", "^", "there is no answer yet", ""},
    {"4 = 3", "^", "\"4\" cannot be given a value, a name is wanted", ""},
    {"my-x = 3", "  ^", "a name with a hyphen; letters, digits and _ are wanted", ""},
    {"in = 3", "^", "\"in\" has a meaning of its own", ""},
    {"1 + x = 3", "    ^", "nothing is called \"x\"", ""},
    {"1 = 1 = 1", "^", "\"1\" cannot be given a value, a name is wanted", ""},
    {"x = 1 = 1", "      ^", "= gives a name its value at the beginning; == compares", ""},
    {"1 + host.off-node.eager.alfa", "    ^",
     "machine lassen gives no \"host.off-node.eager.alfa\"; did you mean \"host.off-node.eager.alpha\"?", ""},
    {"foo.bar-3", "^", "machine lassen gives no \"foo.bar-3\"", ""},
    /* models */
    {"max-rate", "^", "max-rate is a model: its inputs are wanted, as in max-rate(alpha=...)", ""},
    {"1 us + max-rat(m=1)", "       ^", "no model \"max-rat\"; did you mean \"max-rate\"?", ""},
    {"postal(4 KiB)", "       ^", "inputs of postal are given by name: alpha=, beta=, s=", ""},
    {"postal(s=4096)", "         ^", "s wants a size like \"1 B\", got the bare number \"4096\"", ""},
    {"postal(s=2 us)", "         ^", "s wants a size like \"1 B\", got \"2 us\"", ""},
    {"postal(z=1)", "       ^", "postal has no input \"z\"", ""},
    {"postal(s=1 B, s=2 B)", "              ^", "s is given twice", ""},
    {"postal(s=1 B, memory=host, memory=host)", "                                  ^", "memory is given twice", ""},
    {"postal(s=1 B, alpha=-1 us)", "                    ^", "alpha has to be at least 0 s, got -1 us", ""},
    {"postal()", "^", "postal lacks s [B], which the machine does not give either", ""},
    {"postal(s=1 B, locality=onnode)", "                       ^",
     "locality has no choice \"onnode\"; it is one of on-socket, on-node, off-node", ""},
    {"postal(s=1 B, machine=lasen)", "                      ^",
     "no machine or file \"lasen\"; did you mean \"lassen\"?", ""},
    {"postal(s=1 B,)", "             ^", "\")\" where an input is wanted", ""},
    {"postal(s=1 B", "      ^", "this \"(\" is not closed", ""},
    {"postal(s=1 B).tim", "              ^", "postal has no output \"tim\"; it has startup, transfer, time", ""},
    {"multirail(B=[1 GB/s, 2 s])", "                     ^", "B wants a rate like \"1 GB/s\", got \"2 s\"", ""},
    {"multirail(B=[1 GB/s", "            ^", "this \"[\" is not closed", ""},
};
enum { ROWS = sizeof rows / sizeof *rows };

static ns_status evaluate(const char *text, ns_error *err)
{
    ns_calc *calc;
    ns_answer answer = {.size = sizeof answer};
    ck_assert_int_eq(ns_calc_open(&calc, NULL), NS_OK);
    ns_machine *lassen = machine_named("lassen");
    ns_calc_use_machine(calc, lassen);
    ns_status status = ns_calc_eval(calc, text, &answer, err);
    ns_calc_free(calc);
    return status;
}

TEST_EACH(test_row, ROWS)
{
    const struct row *row = &rows[_i];
    ns_error err = {0};
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s%s", row->says, row->more);
    ck_assert_msg(evaluate(row->text, &err) != NS_OK, "%s is accepted", row->text);
    ck_assert_msg(strcmp(err.text, wanted) == 0, "%s: says\n  %s\nwanted\n  %s", row->text, err.text, wanted);
    ck_assert_msg(err.line == 1 && err.column == (long)strlen(row->caret), "%s: points at %ld:%ld, wanted 1:%zu",
                  row->text, err.line, err.column, strlen(row->caret));
}

TEST(test_there_are_sixty)
{
    ck_assert_int_ge(ROWS, 60);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++)
            ck_assert_msg(strcmp(rows[i].text, rows[j].text) != 0, "%s stands twice", rows[i].text);
}

TEST(test_line_and_column)
{
    ns_error err = {0};
    ck_assert_int_eq(evaluate("max(1 us,\n    2 us, # two\n  3 B)", &err), NS_ERR_UNIT);
    ck_assert_int_eq(err.line, 3);
    ck_assert_int_eq(err.column, 3);
}

/* What would help is known behind the calculator too. */
TEST(test_remedy)
{
    ns_error err = {0};
    ck_assert_int_eq(evaluate("1 us + postal(z=1)", &err), NS_ERR_NAME);
    ck_assert_int_eq(err.remedy, NS_REMEDY_INPUTS);
    ck_assert_str_eq(err.subject, "postal");
    err = (ns_error){0};
    ck_assert_int_eq(evaluate("1 us + 2 B", &err), NS_ERR_UNIT);
    ck_assert(err.remedy == NS_NO_REMEDY && *err.subject == '\0');
}

/* Text of any depth and length is refused or answered, never more. */
TEST(test_deep_and_long)
{
    enum { DEEP = 100000 };
    static const char *const pieces[] = {"(", "-", "2^", "max(", "1+", "postal(s=", "[", "4 KiB/s/", "x", "1"};
    char *text = ns_malloc(DEEP * 10 + 1);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const size_t length = strlen(pieces[i]);
        ns_error err = {0};
        for (size_t k = 0; k < DEEP; k++)
            memcpy(text + k * length, pieces[i], length + 1);
        ck_assert_int_ne(evaluate(text, &err), NS_OK);
        ck_assert_uint_gt(strlen(err.text), 0);
    }
    ns_free(text);
}
