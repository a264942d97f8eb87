/* quantity.c -- a number with a unit, read and written; the one table of units, and why a unit is refused and what was
 * probably meant
 *
 * A unit is a product and quotient of at most four base units, each with a prefix that suits it.  Every factor is
 * 10^a 2^b (a bit is 2^-3 B, Ki is 2^10), so that reading a quantity rounds once: "1.7 us" reads as the double nearest
 * to 1.7e-6, since the unit's power of ten goes into the decimal text before it is rounded, and its power of two is
 * exact.  For people a value is written with the prefix that leaves 1 to 999 before the point.
 */
#include <nsmodel/quantity.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/span.h"
#include "core/utf8.h"

const ns_prefix ns_prefixes[] = {
    {"", 0, 0, NS_PREFIX_NONE},
    {"k", 3, 0, NS_PREFIX_LARGE},
    {"M", 6, 0, NS_PREFIX_LARGE},
    {"G", 9, 0, NS_PREFIX_LARGE},
    {"T", 12, 0, NS_PREFIX_LARGE},
    {"P", 15, 0, NS_PREFIX_LARGE},
    {"E", 18, 0, NS_PREFIX_LARGE},
    {"Ki", 0, 10, NS_PREFIX_BINARY},
    {"Mi", 0, 20, NS_PREFIX_BINARY},
    {"Gi", 0, 30, NS_PREFIX_BINARY},
    {"Ti", 0, 40, NS_PREFIX_BINARY},
    {"Pi", 0, 50, NS_PREFIX_BINARY},
    {"Ei", 0, 60, NS_PREFIX_BINARY},
    {"m", -3, 0, NS_PREFIX_SMALL},
    {"u", -6, 0, NS_PREFIX_SMALL},
    {"n", -9, 0, NS_PREFIX_SMALL},
    {"p", -12, 0, NS_PREFIX_SMALL},
    {"f", -15, 0, NS_PREFIX_SMALL},
    {"\xc2\xb5", -6, 0, NS_PREFIX_SMALL}, /* micro sign, U+00B5 */
    {"\xce\xbc", -6, 0, NS_PREFIX_SMALL}, /* Greek mu, U+03BC */
    {NULL, 0, 0, 0},
};

const ns_base_unit ns_base_units[] = {
    {"s", 0, 0, {1, 0, 0}, NS_PREFIX_NONE | NS_PREFIX_SMALL},
    {"B", 0, 0, {0, 1, 0}, NS_PREFIX_NONE | NS_PREFIX_LARGE | NS_PREFIX_BINARY},
    {"bit", 0, -3, {0, 1, 0}, NS_PREFIX_NONE | NS_PREFIX_LARGE | NS_PREFIX_BINARY},
    {"flop", 0, 0, {0, 0, 1}, NS_PREFIX_NONE | NS_PREFIX_LARGE},
    {"Hz", 0, 0, {-1, 0, 0}, NS_PREFIX_NONE | NS_PREFIX_LARGE},
    {"1", 0, 0, {0, 0, 0}, NS_PREFIX_NONE},
    {"%", -2, 0, {0, 0, 0}, NS_PREFIX_NONE},
    {NULL, 0, 0, {0, 0, 0}, 0},
};

size_t ns_span_length(ns_span span)
{
    return (size_t)(span.end - span.begin);
}

int ns_span_quote(ns_span span)
{
    return (int)ns_utf8_clip(span.begin, ns_span_length(span), 60);
}

ns_span ns_span_trim(ns_span span)
{
    while (span.begin < span.end && (*span.begin == ' ' || *span.begin == '\t'))
        span.begin++;
    while (span.begin < span.end && (span.end[-1] == ' ' || span.end[-1] == '\t'))
        span.end--;
    return span;
}

ns_status ns_span_fail(ns_span span, ns_status code, ns_error *err, const char *format, ...)
{
    char text[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ns_fail_at(err, code, NULL, 0, span.begin - span.origin + 1, "%s", text);
}

/* unit *= atom^power, an atom being a base unit behind one of its prefixes; false when it is none. */
static bool multiply(ns_span atom, int power, ns_unit *unit)
{
    const size_t length = ns_span_length(atom);
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++) {
        const size_t tail = strlen(base->name), head = length - tail;
        if (length < tail || memcmp(atom.end - tail, base->name, tail) != 0)
            continue;
        const ns_prefix *prefix = ns_prefixes;
        while (prefix->name != NULL && ((prefix->kind & base->kinds) == 0 || strlen(prefix->name) != head ||
                                        memcmp(prefix->name, atom.begin, head) != 0))
            prefix++;
        if (prefix->name == NULL)
            continue;
        unit->ten += power * (prefix->ten + base->ten);
        unit->two += power * (prefix->two + base->two);
        unit->dim.second = (signed char)(unit->dim.second + power * base->dim.second);
        unit->dim.byte = (signed char)(unit->dim.byte + power * base->dim.byte);
        unit->dim.flop = (signed char)(unit->dim.flop + power * base->dim.flop);
        return true;
    }
    return false;
}

/* ---- refusing ---------------------------------------------------------------------------------------------------- */

/* What people write for a base unit, and what it is here; upper and lower case count, as in "bps" and "Bps". */
static const struct alias {
    const char *written, *meant;
} aliases[] = {
    {"sec", "s"},        {"secs", "s"},   {"second", "s"},     {"seconds", "s"},    {"byte", "B"},
    {"bytes", "B"},      {"Byte", "B"},   {"Bytes", "B"},      {"bits", "bit"},     {"bps", "bit/s"},
    {"bits/s", "bit/s"}, {"Bps", "B/s"},  {"flops", "flop/s"}, {"FLOPS", "flop/s"}, {"Flops", "flop/s"},
    {"FLOPs", "flop"},   {"hertz", "Hz"}, {"percent", "%"},
};

static bool equal(ns_span atom, const char *word)
{
    return strlen(word) == ns_span_length(atom) && memcmp(atom.begin, word, strlen(word)) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Of ASCII letters: strncasecmp would ask the locale. */
static bool equal_ignoring_case(ns_span atom, const char *word)
{
    const char *c = atom.begin;
    for (; c != atom.end && *word != '\0' && lower(*c) == lower(*word); c++)
        word++;
    return c == atom.end && *word == '\0';
}

/* "b", "Kb", "gb": a prefix, or nothing, before a bare b */
static bool is_bare_b(ns_span atom)
{
    if (atom.begin == atom.end || atom.end[-1] != 'b')
        return false;
    atom.end--;
    for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
        if (equal_ignoring_case(atom, prefix->name))
            return true;
    return false;
}

static bool find_alias(ns_span atom, char *meant, size_t size)
{
    for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
        for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
            char word[32];
            snprintf(word, sizeof word, "%s%s", prefix->name, aliases[i].written);
            if (equal(atom, word)) {
                snprintf(meant, size, "\"%s%s\"", prefix->name, aliases[i].meant);
                return true;
            }
        }
    return false;
}

/* Every right spelling that differs in case only: "MS" gives "ms". */
static bool find_case(ns_span atom, char *meant, size_t size)
{
    size_t at = 0;
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++)
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++) {
            char word[32];
            snprintf(word, sizeof word, "%s%s", prefix->name, base->name);
            if ((prefix->kind & base->kinds) != 0 && equal_ignoring_case(atom, word) && at < size)
                at += (size_t)snprintf(meant + at, size - at, "%s\"%s\"", at > 0 ? " or " : "", word);
        }
    return at > 0;
}

/* "K" before a unit that takes both k and Ki; "mB" and the like. */
static bool find_prefix_fault(ns_span atom, char *text, size_t size)
{
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++) {
        size_t tail = strlen(base->name);
        if ((base->kinds & NS_PREFIX_BINARY) == 0 || ns_span_length(atom) <= tail ||
            memcmp(base->name, atom.end - tail, tail) != 0)
            continue;
        ns_span head = {atom.origin, atom.begin, atom.end - tail};
        if (equal(head, "K")) {
            snprintf(text, size, "write k%s (1000) or Ki%s (1024)", base->name, base->name);
            return true;
        }
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
            if (prefix->kind == NS_PREFIX_SMALL && equal(head, prefix->name)) {
                snprintf(text, size, "a fraction of a %s, wants a prefix such as M or Mi", base->name);
                return true;
            }
    }
    return false;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* unit = atom [ "^" digit ] { ("/" | "*") atom [ "^" digit ] }, also "" and "/s" */
ns_status ns_span_unit(ns_span span, ns_unit *unit, ns_error *err)
{
    enum { ATOMS = 4 };
    ns_unit result = {0, 0, {0, 0, 0}};
    ns_span atom = span;
    int power = 1;
    if (span.begin < span.end && *span.begin == '/') {
        power = -1;
        atom.begin++;
    }
    for (int atoms = 0; span.begin < span.end; atoms++) {
        if (atoms == ATOMS)
            return ns_span_fail(span, NS_ERR_UNIT, err, "unit \"%.*s\" has more than %d parts", ns_span_quote(span),
                                span.begin, ATOMS);
        atom.end = atom.begin;
        while (atom.end < span.end && *atom.end != '/' && *atom.end != '*')
            atom.end++;
        const char *end = atom.end;
        if (ns_span_length(atom) >= 3 && end[-2] == '^' && end[-1] >= '1' && end[-1] <= '9') {
            power *= end[-1] - '0';
            atom.end -= 2;
        }
        if (!multiply(atom, power, &result)) {
            /* Say why the atom of a unit is none. */
            const int quote = ns_span_quote(span), part = ns_span_quote(atom);
            char meant[128];
            if (atom.begin == atom.end)
                return ns_span_fail(atom, NS_ERR_UNIT, err, "unit \"%.*s\" lacks a part", quote, span.begin);
            if (is_bare_b(atom))
                return ns_span_fail(atom, NS_ERR_UNIT, err, "b is ambiguous in \"%.*s\": write B for bytes or bit",
                                    quote, span.begin);
            if (find_prefix_fault(atom, meant, sizeof meant))
                return ns_span_fail(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", %s", part, atom.begin, meant);
            if (find_alias(atom, meant, sizeof meant) || find_case(atom, meant, sizeof meant))
                return ns_span_fail(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", write %s", part, atom.begin, meant);
            return ns_span_fail(atom, NS_ERR_UNIT, err,
                                "unknown unit \"%.*s\", wants one like \"us\", \"KiB\" or \"GB/s\"", part, atom.begin);
        }
        if (end == span.end)
            break;
        power = *end == '/' ? -1 : 1;
        atom.begin = end + 1;
    }
    *unit = result;
    return NS_OK;
}

ns_status ns_unit_parse(const char *unit, double *factor, ns_dim *dim, ns_error *err)
{
    ns_error_clear(err);
    ns_unit parsed = {0, 0, {0, 0, 0}};
    NS_TRY(ns_span_unit((ns_span){unit, unit, unit + strlen(unit)}, &parsed, err));
    *factor = ldexp(ns_scaled_decimal("1", 1, parsed.ten), parsed.two);
    *dim = parsed.dim;
    return NS_OK;
}

bool ns_dim_equal(ns_dim a, ns_dim b)
{
    return a.second == b.second && a.byte == b.byte && a.flop == b.flop;
}

static size_t append(char *text, size_t at, size_t size, const char *more)
{
    size_t length = strlen(more);
    if (at + length < size)
        memcpy(text + at, more, length + 1);
    return at + length;
}

const char *ns_dim_unit(ns_dim dim, char *buffer, size_t size)
{
    const char *const name[] = {"flop", "B", "s"};
    const int power[] = {dim.flop, dim.byte, dim.second};
    char text[1600] = "";
    size_t at = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < power[i]; k++) {
            at = append(text, at, sizeof text, at > 0 ? "*" : "");
            at = append(text, at, sizeof text, name[i]);
        }
    if (at == 0)
        at = append(text, at, sizeof text, "1");
    for (int i = 0; i < 3; i++)
        for (int k = 0; k > power[i]; k--) {
            at = append(text, at, sizeof text, "/");
            at = append(text, at, sizeof text, name[i]);
        }
    snprintf(buffer, size, "%s", text);
    return buffer;
}

/* ---- numbers with a unit ----------------------------------------------------------------------------------------- */

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
static ns_status ns_span_quantity(ns_span span, ns_quantity *quantity, bool *bare, ns_error *err)
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
    if (!ns_dim_equal(quantity.dim, wanted.dim)) {
        const bool pure = ns_dim_equal(wanted.dim, NS_DIMENSIONLESS);
        return ns_span_fail(span, NS_ERR_UNIT, err, "%s wants %s like \"1%s%s\", got %s\"%.*s\"", what,
                            dim_noun(wanted.dim), pure ? "" : " ", pure ? "" : unit, bare ? "the bare number " : "",
                            ns_span_quote(span), span.begin);
    }
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
