/* quantity.c -- a number with a unit, read and written
 *
 * "1.7 us" reads as the double nearest to 1.7e-6: the unit's power of ten goes into the decimal text before it is
 * rounded, its power of two is exact.  For people a value is written with the prefix that leaves 1 to 999 before the
 * point.
 */
#include <nsmodel/quantity.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/span.h"

/* ns_strtod stops at the x of "-0x1f" */
static bool is_hexadecimal(const char *begin, const char *stop)
{
    const char *digits = begin + (*begin == '-' || *begin == '+');
    return stop == digits + 1 && *digits == '0' && (*stop == 'x' || *stop == 'X');
}

/* A hexadecimal number, a word such as nan, a decimal comma: what a number is not. */
static ns_status refuse_number(ns_span span, const char *stop, ns_error *err)
{
    const int quote = ns_span_quote(span);
    if (span.begin == span.end)
        return ns_span_fail(span, NS_ERR_SYNTAX, err, "nothing given, wants a number");
    if (is_hexadecimal(span.begin, stop))
        return ns_span_fail(span, NS_ERR_SYNTAX, err, "\"%.*s\" is hexadecimal, wants a decimal number", quote,
                            span.begin);
    if (stop > span.begin)
        return ns_span_fail(span, NS_ERR_SYNTAX, err, "\"%.*s\" has a decimal comma, wants a point", quote, span.begin);
    return ns_span_fail(span, NS_ERR_SYNTAX, err, "\"%.*s\" does not begin with a finite decimal number", quote,
                        span.begin);
}

static ns_status scale(ns_span number, ns_unit unit, double *value, ns_error *err)
{
    double scaled = ldexp(ns_scaled_decimal(number.begin, ns_span_length(number), unit.ten), unit.two);
    if (!isfinite(scaled))
        return ns_span_fail(number, NS_ERR_RANGE, err, "\"%.*s\" is too large in this unit", ns_span_quote(number),
                            number.begin);
    *value = scaled;
    return NS_OK;
}

/* number [blanks] [unit] */
ns_status ns_span_quantity(ns_span span, ns_quantity *quantity, bool *bare, ns_error *err)
{
    char *stop = NULL;
    double value;
    span = ns_span_trim(span);
    if (span.begin == span.end)
        return refuse_number(span, span.begin, err);
    value = ns_strtod(span.begin, &stop);
    if (stop == span.begin || is_hexadecimal(span.begin, stop) || (*stop == ',' && stop < span.end))
        return refuse_number(span, stop, err);
    const ns_span number = {span.origin, span.begin, stop};
    if (ns_span_length(number) > NS_DECIMAL_MAX)
        return ns_span_fail(span, NS_ERR_SYNTAX, err, "a number of more than %d characters", NS_DECIMAL_MAX);
    if (!isfinite(value))
        return ns_span_fail(span, NS_ERR_RANGE, err, "\"%.*s\" is too large a number", ns_span_quote(number),
                            span.begin);
    const ns_span text = ns_span_trim((ns_span){span.origin, stop, span.end});
    for (const char *p = text.begin; p < text.end; p++)
        if (*p == ' ' || *p == '\t') {
            const ns_span rest = ns_span_trim((ns_span){text.origin, p, text.end});
            return ns_span_fail(rest, NS_ERR_SYNTAX, err, "\"%.*s\" after the unit \"%.*s\", wants nothing there",
                                ns_span_quote(rest), rest.begin, (int)(p - text.begin), text.begin);
        }
    ns_unit unit;
    NS_TRY(ns_span_unit(text, &unit, err));
    NS_TRY(scale(number, unit, &value, err));
    *quantity = (ns_quantity){.value = value, .dim = unit.dim};
    *bare = text.begin == text.end;
    return NS_OK;
}

ns_status ns_quantity_parse(const char *text, ns_quantity *quantity, ns_error *err)
{
    ns_error_clear(err);
    bool bare;
    return ns_span_quantity((ns_span){text, text, text + strlen(text)}, quantity, &bare, err);
}

static const char *dim_noun(ns_dim dim)
{
    static const struct {
        ns_dim dim;
        const char *noun;
    } nouns[] = {
        {{0, 0, 0}, "a pure number"},    {{1, 0, 0}, "a time"},
        {{0, 1, 0}, "a size"},           {{-1, 1, 0}, "a rate"},
        {{1, -1, 0}, "a time per byte"}, {{-1, 0, 0}, "a frequency"},
        {{0, 0, 1}, "a number of flop"}, {{-1, 0, 1}, "a flop rate"},
        {{1, 0, -1}, "a time per flop"}, {{0, -1, 0}, "a number per byte"},
    };
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (ns_dim_equal(nouns[i].dim, dim))
            return nouns[i].noun;
    return "a quantity";
}

static ns_status refuse_dim(ns_span span, const char *what, const char *unit, ns_dim dim, bool bare, ns_error *err)
{
    const bool pure = ns_dim_equal(dim, NS_DIMENSIONLESS);
    return ns_span_fail(span, NS_ERR_UNIT, err, "%s wants %s like \"1%s%s\", got %s\"%.*s\"", what, dim_noun(dim),
                        pure ? "" : " ", pure ? "" : unit, bare ? "the bare number " : "", ns_span_quote(span),
                        span.begin);
}

ns_status ns_span_value(ns_span span, const char *what, const char *unit, const ns_unit *fallback, double *value,
                        ns_error *err)
{
    ns_error inner = {0};
    ns_unit wanted;
    ns_quantity quantity = {0};
    bool bare = false;
    span = ns_span_trim(span);
    NS_TRY(ns_span_unit((ns_span){unit, unit, unit + strlen(unit)}, &wanted, err));
    ns_status status = ns_span_quantity(span, &quantity, &bare, &inner);
    if (status != NS_OK)
        return ns_fail_at(err, status, NULL, 0, inner.column, "%s: %s", what, inner.text);
    if (bare && fallback != NULL) {
        ns_span number = span;
        NS_TRY(scale(number, *fallback, &quantity.value, err));
        quantity.dim = fallback->dim;
    }
    if (!ns_dim_equal(quantity.dim, wanted.dim))
        return refuse_dim(span, what, unit, wanted.dim, bare, err);
    *value = quantity.value;
    return NS_OK;
}

ns_status ns_quantity_parse_as(const char *text, const char *what, const char *unit, double *value, ns_error *err)
{
    ns_error_clear(err);
    return ns_span_value((ns_span){text, text, text + strlen(text)}, what, unit, NULL, value, err);
}

/* Units that take a prefix; powers of ten of the smallest and largest one. */
static const struct prefixed {
    ns_dim dim;
    const char *unit;
    int least, most;
} scales[] = {
    {{1, 0, 0}, "s", -15, 0},      {{0, 1, 0}, "B", 0, 18},        {{-1, 1, 0}, "B/s", 0, 18},
    {{1, -1, 0}, "s/B", -15, 0},   {{-1, 0, 0}, "Hz", 0, 18},      {{0, 0, 1}, "flop", 0, 18},
    {{-1, 0, 1}, "flop/s", 0, 18}, {{1, 0, -1}, "s/flop", -15, 0},
};

/* Sizes come in powers of two: "4 KiB", "1.5 MiB", where that is the whole value in fewer digits than with a decimal
 * prefix. */
static bool is_binary(double bytes, char *text, size_t size)
{
    static const char *const unit[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    char decimal[NS_DIGITS_MAX + 1], binary[NS_DIGITS_MAX + 1];
    int exponent, i = -1;
    ns_digits(bytes, NS_DIGITS_MAX, decimal, &exponent);
    for (; fabs(bytes) >= 1024 && i < 4; i++)
        bytes /= 1024;
    ns_digits(bytes, NS_DIGITS_MAX, binary, &exponent);
    if (i < 0 || 2 * bytes != floor(2 * bytes) || fabs(bytes) >= 1024 || strlen(binary) >= strlen(decimal))
        return false;
    snprintf(text, size, "%.*f %s", bytes == floor(bytes) ? 0 : 1, bytes, unit[i]);
    return true;
}

const char *ns_quantity_format(double value, ns_dim dim, int digits, char *buffer, size_t size)
{
    static const char *const prefix[] = {"f", "p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    char unit[64], digit[NS_DIGITS_MAX + 1], number[64];
    const struct prefixed *scale = NULL;
    int exponent, ten = 0;
    if (!isfinite(value)) { /* no such quantity */
        snprintf(buffer, size, "-");
        return buffer;
    }
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (ns_dim_equal(scales[i].dim, dim))
            scale = &scales[i];
    ns_digits(value, digits, digit, &exponent);
    if (ns_dim_equal(dim, NS_BYTE) && is_binary(value, buffer, size))
        return buffer;
    if (scale != NULL && value != 0) { /* the prefix's power, a multiple of three, for d.ddd x 10^exponent */
        ten = (exponent - (exponent < 0 ? 2 : 0)) / 3 * 3;
        /* times per byte are compared with one another: in ns down to 0.01 ns */
        if (scale->dim.second == 1 && scale->dim.byte == -1 && exponent >= -11 && ten < -9)
            ten = -9;
        ten = ten < scale->least ? scale->least : ten > scale->most ? scale->most : ten;
    }
    const int whole = exponent - ten + 1, count = (int)strlen(digit); /* digits before the point, digits in all */
    if (value == 0)
        snprintf(number, sizeof number, "0");
    else if (exponent - ten < -5 || exponent - ten > 15) {
        ten = 0;
        snprintf(number, sizeof number, "%c%s%se%+03d", digit[0], digit[1] != '\0' ? "." : "", digit + 1, exponent);
    } else if (whole <= 0)
        snprintf(number, sizeof number, "0.%.*s%s", -whole, "0000000000", digit);
    else if (whole >= count)
        snprintf(number, sizeof number, "%s%.*s", digit, whole - count, "00000000000000000000");
    else
        snprintf(number, sizeof number, "%.*s.%s", whole, digit, digit + whole);
    ns_dim_unit(dim, unit, sizeof unit);
    const bool pure = ns_dim_equal(dim, NS_DIMENSIONLESS);
    snprintf(buffer, size, "%s%s%s%s%s", value < 0 ? "-" : "", number, pure ? "" : " ",
             scale != NULL ? prefix[(ten + 15) / 3] : "",
             pure            ? ""
             : scale != NULL ? scale->unit
                             : unit);
    return buffer;
}
