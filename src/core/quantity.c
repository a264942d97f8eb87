/* quantity.c -- a number with a unit, read and written
 *
 * "1.7 us" reads as the double nearest to 1.7e-6: the unit's power of ten goes into the decimal text before it is
 * rounded, its power of two is exact.
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

static ns_status refuse_blank(ns_span unit, const char *blank, ns_error *err)
{
    ns_span rest = ns_span_trim((ns_span){unit.origin, blank, unit.end});
    return ns_span_fail(rest, NS_ERR_SYNTAX, err, "\"%.*s\" after the unit \"%.*s\", wants nothing there",
                        ns_span_quote(rest), rest.begin, (int)(blank - unit.begin), unit.begin);
}

/* number [blanks] [unit] */
static ns_status split(ns_span span, ns_span *number, ns_span *unit, ns_error *err)
{
    char *stop = NULL;
    double value = 0;
    if (span.begin < span.end)
        value = ns_strtod(span.begin, &stop);
    else
        return refuse_number(span, span.begin, err);
    *number = (ns_span){span.origin, span.begin, stop};
    if (stop == span.begin || is_hexadecimal(span.begin, stop) || (*stop == ',' && stop < span.end))
        return refuse_number(span, stop, err);
    if (ns_span_length(*number) > NS_DECIMAL_MAX)
        return ns_span_fail(span, NS_ERR_SYNTAX, err, "a number of more than %d characters", NS_DECIMAL_MAX);
    if (!isfinite(value))
        return ns_span_fail(span, NS_ERR_RANGE, err, "\"%.*s\" is too large a number", ns_span_quote(*number),
                            span.begin);
    *unit = ns_span_trim((ns_span){span.origin, stop, span.end});
    for (const char *p = unit->begin; p < unit->end; p++)
        if (*p == ' ' || *p == '\t')
            return refuse_blank(*unit, p, err);
    return NS_OK;
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

ns_status ns_span_quantity(ns_span span, ns_quantity *quantity, bool *bare, ns_error *err)
{
    ns_span number = span, text = span;
    ns_unit unit;
    double value;
    NS_TRY(split(ns_span_trim(span), &number, &text, err));
    NS_TRY(ns_span_unit(text, &unit, err));
    NS_TRY(scale(number, unit, &value, err));
    *quantity = (ns_quantity){.value = value, .dim = unit.dim};
    *bare = text.begin == text.end;
    return NS_OK;
}

ns_status ns_quantity_parse(const char *text, ns_quantity *quantity, ns_error *err)
{
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
    ns_quantity quantity;
    bool bare;
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
    return ns_span_value((ns_span){text, text, text + strlen(text)}, what, unit, NULL, value, err);
}
