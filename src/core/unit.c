/* unit.c -- the one table of units, and reading "GB/s" by it
 *
 * A unit is a product and quotient of at most four base units, each with a prefix that suits it.  Every factor is
 * 10^a 2^b (a bit is 2^-3 B, Ki is 2^10), so that reading a quantity rounds once.
 */
#include "core/span.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
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
        if (!multiply(atom, power, &result))
            return ns_unit_refuse(span, atom, err);
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
