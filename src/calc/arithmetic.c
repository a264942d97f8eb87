/* arithmetic.c -- operators on quantities: dimensions are checked or combined, and results must be finite */
#include "calc/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------------------------------ */

const char *ns_dim_words(ns_dim dim, char *buffer, size_t size)
{
    static const char *const many[] = {"flop", "bytes", "seconds"}, *const one[] = {"flop", "byte", "second"};
    static const char *const powers[] = {"", "", " squared", " cubed", " to the 4th", " to the 5th", " to the 6th"};
    const int power[] = {dim.flop, dim.byte, dim.second};
    size_t at = 0;
    if (ns_dim_equal(dim, NS_DIMENSIONLESS))
        snprintf(buffer, size, "a pure number");
    for (int sign = 1; sign >= -1; sign -= 2) /* the factors, then the divisors */
        for (int i = 0; i < 3; i++) {
            const int times = sign * power[i];
            const char *joint = sign < 0 ? (at > 0 ? " per " : "a number per ") : at > 0 ? " x " : "";
            if (times > 0 && at < size)
                at += (size_t)snprintf(buffer + at, size - at, "%s%s%s", joint, sign > 0 ? many[i] : one[i],
                                       powers[times <= NS_EXPONENT_MAX ? times : 0]);
        }
    return buffer;
}

const char *ns_quantity_words(ns_quantity quantity, char *buffer, size_t size)
{
    return ns_answer_format(&(ns_answer){.quantity = quantity}, buffer, size);
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

static ns_status finish(const ns_parse *p, const char *at, const char *what, double value, ns_dim dim,
                        ns_quantity *result)
{
    if (isnan(value))
        return ns_parse_fail(p, at, NS_ERR_RANGE, "the %s is no real number", what);
    if (!isfinite(value))
        return ns_parse_fail(p, at, NS_ERR_RANGE, "the %s is not finite", what);
    *result = (ns_quantity){value, dim};
    return NS_OK;
}

ns_status ns_add(const ns_parse *p, const char *at, bool minus, ns_quantity *left, ns_quantity right)
{
    if (!ns_dim_equal(left->dim, right.dim)) {
        char a[128], b[128], a_text[96], b_text[96];
        ns_dim_words(left->dim, a, sizeof a);
        ns_dim_words(right.dim, b, sizeof b);
        ns_quantity_words(*left, a_text, sizeof a_text);
        ns_quantity_words(right, b_text, sizeof b_text);
        return minus ? ns_parse_fail(p, at, NS_ERR_UNIT, "cannot subtract %s from %s: %s - %s", b, a, a_text, b_text)
                     : ns_parse_fail(p, at, NS_ERR_UNIT, "cannot add %s to %s: %s + %s", b, a, a_text, b_text);
    }
    return finish(p, at, minus ? "difference" : "sum", minus ? left->value - right.value : left->value + right.value,
                  left->dim, left);
}

static bool is_handled(int exponent)
{
    return exponent <= NS_EXPONENT_MAX && exponent >= -NS_EXPONENT_MAX;
}

bool ns_dim_is_handled(ns_dim dim)
{
    return is_handled(dim.second) && is_handled(dim.byte) && is_handled(dim.flop);
}

ns_status ns_multiply(const ns_parse *p, const char *at, bool divide, ns_quantity *left, ns_quantity right)
{
    /* Dimensions were checked before, so that no sum exceeds the range of a signed char. */
    const int sign = divide ? -1 : 1;
    const ns_dim dim = {(signed char)(left->dim.second + sign * right.dim.second),
                        (signed char)(left->dim.byte + sign * right.dim.byte),
                        (signed char)(left->dim.flop + sign * right.dim.flop)};
    if (!ns_dim_is_handled(dim))
        return ns_parse_fail(p, at, NS_ERR_UNIT, "the result has a unit to a power above %d", (int)NS_EXPONENT_MAX);
    if (divide && right.value == 0)
        return ns_parse_fail(p, at, NS_ERR_RANGE, "division by zero");
    return finish(p, at, divide ? "quotient" : "product",
                  divide ? left->value / right.value : left->value * right.value, dim, left);
}

/* (s^a)^e = s^(a e): a e must be whole. */
static bool raise(signed char power, double exponent, signed char *raised)
{
    const double product = power * exponent;
    if (product != trunc(product) || fabs(product) > NS_EXPONENT_MAX)
        return false;
    *raised = (signed char)product;
    return true;
}

ns_status ns_power(const ns_parse *p, const char *at, ns_quantity *base, ns_quantity exponent)
{
    char text[96], words[128];
    ns_dim dim;
    if (!ns_dim_equal(exponent.dim, NS_DIMENSIONLESS))
        return ns_parse_fail(p, at, NS_ERR_UNIT, "an exponent is a pure number, got %s: %s",
                             ns_dim_words(exponent.dim, words, sizeof words),
                             ns_quantity_words(exponent, text, sizeof text));
    if (!raise(base->dim.second, exponent.value, &dim.second) || !raise(base->dim.byte, exponent.value, &dim.byte) ||
        !raise(base->dim.flop, exponent.value, &dim.flop))
        return ns_parse_fail(p, at, NS_ERR_UNIT, "%s to the power %s has no unit",
                             ns_dim_words(base->dim, words, sizeof words),
                             ns_quantity_words(exponent, text, sizeof text));
    if (base->value == 0 && exponent.value < 0)
        return ns_parse_fail(p, at, NS_ERR_RANGE, "division by zero");
    return finish(p, at, "power", pow(base->value, exponent.value), dim, base);
}

ns_status ns_compare_quantities(const ns_parse *p, const char *at, const char *operation, ns_quantity *left,
                                ns_quantity right)
{
    char a[128], b[128], a_text[96], b_text[96];
    if (!ns_dim_equal(left->dim, right.dim))
        return ns_parse_fail(p, at, NS_ERR_UNIT, "cannot compare %s with %s: %s %s %s",
                             ns_dim_words(left->dim, a, sizeof a), ns_dim_words(right.dim, b, sizeof b),
                             ns_quantity_words(*left, a_text, sizeof a_text), operation,
                             ns_quantity_words(right, b_text, sizeof b_text));
    const double x = left->value, y = right.value;
    const bool equal = x == y, or_equal = operation[1] == '=' && equal;
    const bool holds = operation[0] == '<'   ? x < y || or_equal
                       : operation[0] == '>' ? x > y || or_equal
                       : operation[0] == '=' ? equal
                                             : !equal;
    *left = (ns_quantity){holds, NS_DIMENSIONLESS};
    return NS_OK;
}
