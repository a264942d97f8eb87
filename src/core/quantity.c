/* quantity.c -- a number with a unit, and lists and ranges of them, read and written; the only table of units, and
 * messages about invalid units with the probable meaning
 *
 * A unit is a product and quotient of at most four base units, each with a suitable prefix.  Every factor is
 * 10^a 2^b (a bit is 2^-3 B, Ki is 2^10), so that reading a quantity rounds once: "1.7 us" reads as the double nearest
 * to 1.7e-6, since the unit's power of ten goes into the decimal text before it is rounded, and its power of two is
 * exact.  For people a value is written with the prefix that leaves 1 to 999 before the point.
 */
#include <nsmodel/quantity.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
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

/* Length of a span as quoted in a message, in bytes: "%.*s". */
static int quote_of(ns_span span)
{
    return (int)ns_utf8_clip(span.begin, (size_t)(span.end - span.begin), 60);
}

static ns_span trim(ns_span span)
{
    while (span.begin < span.end && (*span.begin == ' ' || *span.begin == '\t'))
        span.begin++;
    while (span.begin < span.end && (span.end[-1] == ' ' || span.end[-1] == '\t'))
        span.end--;
    return span;
}

/* Like ns_fail_at, at the span's column. */
static ns_status fail_at(ns_span span, ns_status code, ns_error *err, const char *format, ...) NS_PRINTF(4, 5);
static ns_status fail_at(ns_span span, ns_status code, ns_error *err, const char *format, ...)
{
    char text[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ns_fail_at(err, code, NULL, 0, span.begin - span.origin + 1, "%s", text);
}

static bool equal(ns_span atom, const char *word)
{
    const size_t length = (size_t)(atom.end - atom.begin);
    return strlen(word) == length && memcmp(atom.begin, word, length) == 0;
}

/* unit *= atom^power, where an atom is a base unit with an optional prefix; false when it is not an atom. */
static bool multiply(ns_span atom, int power, ns_unit *unit)
{
    const size_t length = (size_t)(atom.end - atom.begin);
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++) {
        const size_t tail = strlen(base->name);
        if (length < tail || memcmp(atom.end - tail, base->name, tail) != 0)
            continue;
        const ns_prefix *prefix = ns_prefixes;
        while (prefix->name != NULL && ((prefix->kind & base->kinds) == 0 || strlen(prefix->name) != length - tail ||
                                        memcmp(prefix->name, atom.begin, length - tail) != 0))
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

/* ---- error messages ---------------------------------------------------------------------------------------------- */

/* Common spellings of a base unit, and the name used here; case is significant, as in "bps" and "Bps". */
static const struct alias {
    const char *written, *meant;
} aliases[] = {
    {"sec", "s"},        {"secs", "s"},   {"second", "s"},     {"seconds", "s"},    {"byte", "B"},
    {"bytes", "B"},      {"Byte", "B"},   {"Bytes", "B"},      {"bits", "bit"},     {"bps", "bit/s"},
    {"bits/s", "bit/s"}, {"Bps", "B/s"},  {"flops", "flop/s"}, {"FLOPS", "flop/s"}, {"Flops", "flop/s"},
    {"FLOPs", "flop"},   {"hertz", "Hz"}, {"percent", "%"},
};

/* For ASCII letters: strncasecmp depends on the locale. */
static bool equal_ignoring_case(ns_span atom, const char *word)
{
    const char *c = atom.begin;
    for (; c != atom.end && *word != '\0' && ns_lower(*c) == ns_lower(*word); c++)
        word++;
    return c == atom.end && *word == '\0';
}

/* Report why an atom is not a unit, and what was probably meant. */
static ns_status refuse_atom(ns_span unit, ns_span atom, ns_error *err)
{
    const int part = quote_of(atom);
    char word[32], meant[128];
    size_t at = 0;
    if (atom.begin == atom.end)
        return fail_at(atom, NS_ERR_UNIT, err, "unit \"%.*s\" lacks a part", quote_of(unit), unit.begin);
    /* "b", "Kb", "gb": an optional prefix before a bare b */
    for (const ns_prefix *prefix = ns_prefixes; atom.end[-1] == 'b' && prefix->name != NULL; prefix++)
        if (equal_ignoring_case((ns_span){atom.origin, atom.begin, atom.end - 1}, prefix->name))
            return fail_at(atom, NS_ERR_UNIT, err, "b is ambiguous in \"%.*s\": write B for bytes or bit",
                           quote_of(unit), unit.begin);
    /* "K" before a unit that takes both k and Ki; also "mB" and the like */
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++) {
        const size_t tail = strlen(base->name);
        if ((base->kinds & NS_PREFIX_BINARY) == 0 || (size_t)(atom.end - atom.begin) <= tail ||
            memcmp(base->name, atom.end - tail, tail) != 0)
            continue;
        const ns_span head = {atom.origin, atom.begin, atom.end - tail};
        if (equal(head, "K"))
            return fail_at(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", write k%s (1000) or Ki%s (1024)", part,
                           atom.begin, base->name, base->name);
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
            if (prefix->kind == NS_PREFIX_SMALL && equal(head, prefix->name))
                return fail_at(atom, NS_ERR_UNIT, err,
                               "unknown unit \"%.*s\", a fraction of a %s, wants a prefix such as M or Mi", part,
                               atom.begin, base->name);
    }
    for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
        for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
            snprintf(word, sizeof word, "%s%s", prefix->name, aliases[i].written);
            if (equal(atom, word))
                return fail_at(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", write \"%s%s\"", part, atom.begin,
                               prefix->name, aliases[i].meant);
        }
    /* every correct spelling that differs in case only: "MS" gives "ms" */
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++)
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++) {
            snprintf(word, sizeof word, "%s%s", prefix->name, base->name);
            if ((prefix->kind & base->kinds) != 0 && equal_ignoring_case(atom, word) && at < sizeof meant)
                at += (size_t)snprintf(meant + at, sizeof meant - at, "%s\"%s\"", at > 0 ? " or " : "", word);
        }
    return at > 0 ? fail_at(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", write %s", part, atom.begin, meant)
                  : fail_at(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", wants one like \"us\", \"KiB\" or \"GB/s\"",
                            part, atom.begin);
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* unit = atom [ "^" digit ] { ("/" | "*") atom [ "^" digit ] }; also "" and "/s" */
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
            return fail_at(span, NS_ERR_UNIT, err, "unit \"%.*s\" has more than %d parts", quote_of(span), span.begin,
                           ATOMS);
        atom.end = atom.begin;
        while (atom.end < span.end && *atom.end != '/' && *atom.end != '*')
            atom.end++;
        const char *end = atom.end;
        if (end - atom.begin >= 3 && end[-2] == '^' && end[-1] >= '1' && end[-1] <= '9') {
            power *= end[-1] - '0';
            atom.end -= 2;
        }
        if (!multiply(atom, power, &result))
            return refuse_atom(span, atom, err);
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

const char *ns_dim_unit(ns_dim dim, char *buffer, size_t size)
{
    static const char *const name[] = {"flop", "B", "s"};
    const int power[] = {dim.flop, dim.byte, dim.second};
    char text[2000] = "1"; /* three powers of at most 128 */
    size_t at = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < power[i]; k++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at > 0 ? "*" : "", name[i]);
    at += at == 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k > power[i]; k--)
            at += (size_t)snprintf(text + at, sizeof text - at, "/%s", name[i]);
    snprintf(buffer, size, "%s", text);
    return buffer;
}

/* ---- numbers with a unit ----------------------------------------------------------------------------------------- */

/* number [blanks] [unit]; without a unit (*bare) it is in the fallback's unit, or a pure number where that is NULL. */
static ns_status read_quantity(ns_span span, const ns_unit *fallback, ns_quantity *quantity, bool *bare, ns_error *err)
{
    char *stop = NULL;
    span = trim(span);
    const int quote = quote_of(span);
    if (span.begin == span.end)
        return fail_at(span, NS_ERR_SYNTAX, err, "nothing given, wants a number");
    const double plain = ns_strtod(span.begin, &stop);
    const char *digits = span.begin + (*span.begin == '-' || *span.begin == '+');
    if (stop == digits + 1 && *digits == '0' && (*stop == 'x' || *stop == 'X')) /* where ns_strtod stops in "-0x1f" */
        return fail_at(span, NS_ERR_SYNTAX, err, "\"%.*s\" is hexadecimal, wants a decimal number", quote, span.begin);
    if (stop == span.begin)
        return fail_at(span, NS_ERR_SYNTAX, err, "\"%.*s\" does not begin with a finite decimal number", quote,
                       span.begin);
    if (*stop == ',' && stop < span.end)
        return fail_at(span, NS_ERR_SYNTAX, err, "\"%.*s\" has a decimal comma, wants a point", quote, span.begin);
    const ns_span number = {span.origin, span.begin, stop};
    if (stop - number.begin > NS_DECIMAL_MAX)
        return fail_at(span, NS_ERR_SYNTAX, err, "a number of more than %d characters", NS_DECIMAL_MAX);
    if (!isfinite(plain))
        return fail_at(span, NS_ERR_RANGE, err, "\"%.*s\" is too large a number", quote_of(number), span.begin);
    const ns_span text = trim((ns_span){span.origin, stop, span.end});
    for (const char *p = text.begin; p < text.end; p++)
        if (*p == ' ' || *p == '\t') {
            const ns_span rest = trim((ns_span){text.origin, p, text.end});
            return fail_at(rest, NS_ERR_SYNTAX, err, "\"%.*s\" after the unit \"%.*s\", wants nothing there",
                           quote_of(rest), rest.begin, (int)(p - text.begin), text.begin);
        }
    ns_unit unit = {0};
    NS_TRY(ns_span_unit(text, &unit, err));
    *bare = text.begin == text.end;
    if (*bare && fallback != NULL)
        unit = *fallback;
    const double value = ldexp(ns_scaled_decimal(number.begin, (size_t)(stop - number.begin), unit.ten), unit.two);
    if (!isfinite(value))
        return fail_at(number, NS_ERR_RANGE, err, "\"%.*s\" is too large in this unit", quote_of(number), number.begin);
    *quantity = (ns_quantity){.value = value, .dim = unit.dim};
    return NS_OK;
}

ns_status ns_quantity_parse(const char *text, ns_quantity *quantity, ns_error *err)
{
    ns_error_clear(err);
    bool bare;
    return read_quantity((ns_span){text, text, text + strlen(text)}, NULL, quantity, &bare, err);
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

/* The value of a quantity in the dimension of unit; fallback, when not NULL, is the unit of a bare number. */
static ns_status read_value(ns_span span, const char *what, const char *unit, const ns_unit *fallback, double *value,
                            ns_error *err)
{
    ns_error inner = {0};
    ns_unit wanted;
    ns_quantity quantity = {0};
    bool bare = false;
    span = trim(span);
    NS_TRY(ns_span_unit((ns_span){unit, unit, unit + strlen(unit)}, &wanted, err));
    const ns_status status = read_quantity(span, fallback, &quantity, &bare, &inner);
    if (status != NS_OK)
        return ns_fail_at(err, status, NULL, 0, inner.column, "%s: %s", what, inner.text);
    if (!ns_dim_equal(quantity.dim, wanted.dim)) {
        const bool pure = ns_dim_equal(wanted.dim, NS_DIMENSIONLESS);
        return fail_at(span, NS_ERR_UNIT, err, "%s wants %s like \"1%s%s\", got %s\"%.*s\"", what, dim_noun(wanted.dim),
                       pure ? "" : " ", pure ? "" : unit, bare ? "the bare number " : "", quote_of(span), span.begin);
    }
    *value = quantity.value;
    return NS_OK;
}

ns_status ns_quantity_parse_as(const char *text, const char *what, const char *unit, double *value, ns_error *err)
{
    ns_error_clear(err);
    return read_value((ns_span){text, text, text + strlen(text)}, what, unit, NULL, value, err);
}

/* Units that take a prefix, with the powers of ten of the smallest and largest one. */
static const struct prefixed {
    ns_dim dim;
    const char *unit;
    int least, most;
} scales[] = {
    {{1, 0, 0}, "s", -15, 0},      {{0, 1, 0}, "B", 0, 18},        {{-1, 1, 0}, "B/s", 0, 18},
    {{1, -1, 0}, "s/B", -15, 0},   {{-1, 0, 0}, "Hz", 0, 18},      {{0, 0, 1}, "flop", 0, 18},
    {{-1, 0, 1}, "flop/s", 0, 18}, {{1, 0, -1}, "s/flop", -15, 0},
};

/* Sizes are written in powers of two: "4 KiB", "1.5 MiB", where the exact value has fewer digits than with a decimal
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
    char unit[64] = "", digit[NS_DIGITS_MAX + 1], number[64];
    const struct prefixed *scale = NULL;
    int exponent, ten = 0;
    if (!isfinite(value)) { /* not a quantity */
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
        /* times per byte are written in ns down to 0.01 ns, since they are compared with one another */
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
    if (scale == NULL)
        ns_dim_unit(dim, unit, sizeof unit);
    const bool pure = ns_dim_equal(dim, NS_DIMENSIONLESS);
    snprintf(buffer, size, "%s%s%s%s%s", value < 0 ? "-" : "", number, pure ? "" : " ",
             scale != NULL ? prefix[(ten + 15) / 3] : "",
             pure            ? ""
             : scale != NULL ? scale->unit
                             : unit);
    return buffer;
}

/* ---- lists and ranges: "8,16,32", "1:1MiB:x2", "0:100us:+10us", "1B:1MiB:21" --------------------
 *
 * A range contains from f^i or from + i d, and its last value if it is reached within 1e-9 of it.  Values that are not
 * whole are rounded to 15 digits, so that "1us:1ms:x10" contains 1e-5 and not 9.999999999999999e-6.
 */
enum { VALUES_MAX = 100000 };

typedef struct value_list {
    const char *what, *unit;
    double *values;
    size_t count;
    int64_t room;
    size_t points; /* of a range without a step; 0 where a step is required */
} value_list;

static ns_status push(value_list *list, double value, ns_span item, ns_error *err)
{
    if (list->count == VALUES_MAX)
        return fail_at(item, NS_ERR_RANGE, err, "%s: \"%.*s\" makes more than %d values", list->what, quote_of(item),
                       item.begin, VALUES_MAX);
    NS_TRY(ns_grow(&list->values, &list->room, (int64_t)list->count + 1, sizeof *list->values, NULL, err));
    list->values[list->count++] = value;
    return NS_OK;
}

/* A value; first:last:x2 or first:last:+10; and, where a range may give its number of values, first:last or
 * first:last:n, both ends included: equal ratios over two decades or more, else equal steps.  n may select the spacing:
 * "21", "21log", "21lin". */
static ns_status add_item(value_list *list, ns_span item, ns_error *err)
{
    const int quote = quote_of(item);
    if (item.begin == item.end)
        return fail_at(item, NS_ERR_SYNTAX, err, "%s: an empty place in the list, wants a value", list->what);
    const char *colon = memchr(item.begin, ':', (size_t)(item.end - item.begin));
    if (colon == NULL) {
        double value = 0;
        NS_TRY(read_value(item, list->what, list->unit, NULL, &value, err));
        return push(list, value, item, err);
    }
    const char *second = memchr(colon + 1, ':', (size_t)(item.end - colon - 1));
    const char *behind = second != NULL ? second : item.end;
    const ns_span first = trim((ns_span){item.origin, item.begin, colon});
    const ns_span last = trim((ns_span){item.origin, colon + 1, behind});
    ns_span step = trim((ns_span){item.origin, second != NULL ? second + 1 : item.end, item.end});
    const bool stepped = step.begin < step.end && (*step.begin == 'x' || *step.begin == '+');
    const bool counted = list->points > 0 && !stepped;
    if (!counted && (second == NULL || memchr(second + 1, ':', (size_t)(item.end - second - 1)) != NULL))
        return fail_at(item, NS_ERR_SYNTAX, err, "%s: range \"%.*s\" wants three parts, as in \"1:8:x2\"", list->what,
                       quote, item.begin);

    double from = 0, to = 0;
    char *stop;
    NS_TRY(read_value(last, list->what, list->unit, NULL, &to, err));
    ns_strtod(last.begin, &stop); /* the unit of the last value */
    ns_unit unit = {0};
    NS_TRY(ns_span_unit(trim((ns_span){last.origin, stop < last.end ? stop : last.end, last.end}), &unit, err));
    /* A first value without a unit is in bytes or bits in a range of sizes ("1:1MiB:x2" begins at 1 B), else in the
     * last value's unit ("0:100us:+10us"). */
    ns_unit first_unit = unit;
    if (ns_dim_equal(unit.dim, NS_BYTE)) {
        const bool bits = (unit.two - 7) % 10 == 0; /* a bit is 2^-3 B, a binary prefix 2^10 k */
        first_unit = (ns_unit){.two = bits ? -3 : 0, .dim = unit.dim};
    }
    NS_TRY(read_value(first, list->what, list->unit, &first_unit, &from, err));

    if (!counted) {
        const bool factor = stepped && *step.begin == 'x';
        /* "0:1MiB:+64" could mean bytes or MiB: such a step needs its own unit */
        const ns_unit *step_unit = first_unit.ten == unit.ten && first_unit.two == unit.two ? &unit : NULL;
        double by = 0;
        if (!stepped)
            return fail_at(step, NS_ERR_SYNTAX, err, "%s: range \"%.*s\" wants a step like \"x2\" or \"+10\"",
                           list->what, quote, item.begin);
        step.begin++;
        NS_TRY(read_value(step, list->what, factor ? "1" : list->unit, factor ? NULL : step_unit, &by, err));
        const char *fault = from > to               ? "runs down, wants first:last with first <= last"
                            : factor && !(from > 0) ? "multiplies, wants a first value above 0"
                            : factor && !(by > 1)   ? "wants a factor above 1"
                            : !factor && !(by > 0)  ? "wants a step above 0"
                                                    : NULL;
        if (fault != NULL)
            return fail_at(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" %s", list->what, quote, item.begin, fault);
        const double slack = 1e-9 * fabs(to);
        for (size_t i = 0;; i++) {
            double value = factor ? from * pow(by, (double)i) : from + (double)i * by;
            if (i > 0 && value != trunc(value))
                value = ns_round_digits(value, 15);
            if (value > to + slack)
                return NS_OK;
            const bool end = value >= to - slack;
            NS_TRY(push(list, end && i > 0 ? to : value, item, err));
            if (end)
                return NS_OK;
        }
    }

    if (!(from < to))
        return fail_at(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" does not rise, wants first:last with first < last",
                       list->what, quote, item.begin);
    if (!isfinite(to - from) || (from > 0 && !isfinite(to / from)))
        return fail_at(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" is too wide", list->what, quote, item.begin);
    size_t points = list->points;
    bool ratios = from > 0 && to / from >= 100;
    if (second != NULL) {
        const char *c = step.begin;
        points = 0;
        for (; c < step.end && *c >= '0' && *c <= '9'; c++)
            points = points > VALUES_MAX ? points : 10 * points + (size_t)(*c - '0');
        const size_t rest = (size_t)(step.end - c);
        if (rest == 3 && memcmp(c, "log", 3) == 0)
            ratios = true;
        else if (rest == 3 && memcmp(c, "lin", 3) == 0)
            ratios = false;
        else if (rest != 0 || c == step.begin)
            return fail_at(step, NS_ERR_SYNTAX, err,
                           "%s: \"%.*s\" is no step: wants x2, +10, or a number of values (21, 21log, 21lin)",
                           list->what, quote_of(step), step.begin);
        if (points < 2 || points > VALUES_MAX)
            return fail_at(step, NS_ERR_RANGE, err, "%s: a range wants 2 to %d values, got \"%.*s\"", list->what,
                           VALUES_MAX, quote_of(step), step.begin);
    }
    if (ratios && !(from > 0))
        return fail_at(item, NS_ERR_RANGE, err, "%s: equal ratios want a first value above 0", list->what);
    for (size_t i = 0; i < points; i++) {
        const double t = (double)i / (double)(points - 1);
        const double value = ratios ? from * pow(to / from, t) : from + (to - from) * t;
        NS_TRY(push(list, i == 0 ? from : i + 1 == points ? to : ns_round_digits(value, 15), item, err));
    }
    return NS_OK;
}

ns_status ns_range_parse(const char *text, const char *what, const char *unit, size_t points, double **values,
                         size_t *count, ns_error *err)
{
    ns_error_clear(err);
    value_list list = {.what = what, .unit = unit, .points = points};
    for (const char *begin = text, *end; begin != NULL; begin = *end != '\0' ? end + 1 : NULL) {
        end = begin + strcspn(begin, ",");
        const ns_status status = add_item(&list, trim((ns_span){text, begin, end}), err);
        if (status != NS_OK) {
            ns_free(list.values);
            return status;
        }
    }
    *values = list.values;
    *count = list.count;
    return NS_OK;
}

ns_status ns_list_parse(const char *text, const char *what, const char *unit, double **values, size_t *count,
                        ns_error *err)
{
    ns_error_clear(err);
    return ns_range_parse(text, what, unit, 0, values, count, err);
}

void ns_list_free(double *values)
{
    ns_free(values);
}
