/* number.c -- decimal text to double and back, the same in every locale
 *
 * Reading is correctly rounded; writing uses the fewest of 15, 16 or 17 significant digits that read back to the same
 * double.  Both use the C library in a "C" locale that is set for the calling thread only and restored afterwards;
 * numbers of common magnitude are written with exact integer arithmetic instead.
 */
#include "core/number.h"

#include <assert.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The "C" locale for the calling thread, between enter and leave. */
typedef struct c_locale {
    locale_t c, before;
} c_locale;

static c_locale enter_c_locale(void)
{
    c_locale guard = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (guard.c != (locale_t)0)
        guard.before = uselocale(guard.c);
    return guard;
}

static void leave_c_locale(c_locale guard)
{
    if (guard.c == (locale_t)0)
        return;
    uselocale(guard.before);
    freelocale(guard.c);
}

/* Decimal numbers only: for "nan", "inf" and hexadecimal, which strtod accepts, *end is the beginning of the text (for
 * "0x1f" it is after the 0).  Overflow gives an infinity, as in strtod. */
double ns_strtod(const char *text, char **end)
{
    const char *p = text;
    while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
        p++;
    bool minus = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    const char first = p[*p == '.'];
    bool number = first >= '0' && first <= '9';
    bool hexadecimal = *p == '0' && (p[1] == 'x' || p[1] == 'X');
    if (!number || hexadecimal) {
        if (end != NULL)
            *end = (char *)(hexadecimal ? p + 1 : text);
        return minus && hexadecimal ? -0.0 : 0.0;
    }
    const c_locale guard = enter_c_locale();
    double value = strtod(text, end);
    leave_c_locale(guard);
    return value;
}

/* ---- the digits of ns_double_format, by exact integer arithmetic ----------------------------------------------------
 *
 * With v = m 2^e (m of 53 bits) and 10^k such that V = v 10^k has 17 digits before the point,
 *
 *     V = P / 2^s,    P = m 5^k,  s = -(e + k),
 *
 * and P has at most 116 bits for k <= 27, that is for 1e-11 <= v < 1e17.  The neighbours of v lie 5^k / 2^s
 * apart from V, so a decimal C reads back as v when 2 |C - V| 2^s < 5^k, or = 5^k and m is even.
 */
#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

enum { POWERS = 28, DIGITS = 17, MANTISSA_BITS = 52, BIAS = 1023 };

static const uint64_t ten_to_17 = UINT64_C(100000000000000000);

static const uint64_t five[POWERS] = {
    UINT64_C(1), UINT64_C(5), UINT64_C(25), UINT64_C(125), UINT64_C(625), UINT64_C(3125), UINT64_C(15625),
    UINT64_C(78125), UINT64_C(390625), UINT64_C(1953125), UINT64_C(9765625), UINT64_C(48828125), UINT64_C(244140625),
    UINT64_C(1220703125), UINT64_C(6103515625), UINT64_C(30517578125), UINT64_C(152587890625), UINT64_C(762939453125),
    UINT64_C(3814697265625), UINT64_C(19073486328125), UINT64_C(95367431640625), UINT64_C(476837158203125),
    UINT64_C(2384185791015625), UINT64_C(11920928955078125), UINT64_C(59604644775390625), UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625), UINT64_C(7450580596923828125),
};

/* V and the largest deviation of a decimal that still reads back as V, times 2^s. */
typedef struct scaled {
    uint64_t whole, part; /* V = whole + part / 2^s */
    int s;
    uint64_t ulp;
    bool even;
} scaled;

/* Round V to the nearest multiple of `unit`, halves to even; does the result read back as V?  `over` is V modulo
 * `unit`. */
static bool round_to(const scaled *v, uint64_t unit, uint64_t over, uint64_t *rounded)
{
    const wide rest = (wide)over << v->s | v->part, all = (wide)unit << v->s;
    const bool up = 2 * rest > all || (2 * rest == all && (v->whole - over) / unit % 2 == 1);
    const wide off = 2 * (up ? all - rest : rest);
    *rounded = v->whole - over + (up ? unit : 0);
    return off < v->ulp || (off == v->ulp && v->even);
}

/* Compute V and the exponent of its first digit; false where the number is outside the supported range. */
static bool scale(double value, scaled *v, int *first)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int field = (int)(bits >> MANTISSA_BITS & 0x7ff), e = field - BIAS - MANTISSA_BITS;
    const uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1), m = fraction | UINT64_C(1) << MANTISSA_BITS;
    if (field == 0 || fraction == 0) /* subnormal, or the next smaller neighbour is closer */
        return false;
    int exponent = (field - BIAS + 4096) * 1233 / 4096 - 1233; /* of the power of two below v; v's may be one more */
    for (int attempt = 0; attempt < 2; attempt++, exponent++) {
        const int k = DIGITS - 1 - exponent, s = -(e + k);
        if (k < 0 || k >= POWERS || s < 1 || s > 63)
            return false;
        const wide P = (wide)m * five[k];
        if ((P >> s) >= ten_to_17)
            continue;
        *v = (scaled){.whole = (uint64_t)(P >> s),
                      .part = (uint64_t)P & ((UINT64_C(1) << s) - 1),
                      .s = s,
                      .ulp = five[k],
                      .even = m % 2 == 0};
        *first = exponent;
        return true;
    }
    return false;
}

/* 15 digits and a power of ten up to 22 are both exact doubles: their product or quotient is rounded once, like
 * strtod's result. */
bool ns_round_to_15(double value, double *rounded)
{
    enum { EXACT = 22 };
    static const double power[EXACT + 1] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    scaled v;
    int exponent;
    uint64_t digits;
    if (!scale(value, &v, &exponent))
        return false;
    const int ten = exponent - (DIGITS - 3);
    if (ten < -EXACT || ten > EXACT)
        return false;
    (void)round_to(&v, 100, v.whole % 100, &digits);
    const double all = (double)(digits / 100), size = ten < 0 ? all / power[-ten] : all * power[ten];
    *rounded = value < 0 ? -size : size;
    return true;
}

static char *append(char *at, const char *text, int count)
{
    memcpy(at, text, (size_t)count);
    return at + count;
}

/* In the format of printf's %g: no trailing zeros, an exponent below -4 and from the precision on. */
size_t ns_double_digits(double value, char *text)
{
    static const char zeros[] = "0.000";
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char digit[DIGITS], *at = text;
    int exponent, precision = DIGITS - 2, count = DIGITS;
    uint64_t digits;
    scaled v;
    if (!scale(value, &v, &exponent))
        return 0;
    /* with the fewest of 15, 16 and 17 digits */
    if (!round_to(&v, 100, v.whole % 100, &digits) && (precision++, !round_to(&v, 10, v.whole % 10, &digits))) {
        precision++;
        (void)round_to(&v, 1, 0, &digits);
    }
    if (digits == ten_to_17) {
        digits /= 10;
        exponent++;
    }
    if (value < 0)
        *at++ = '-';
    for (int i = DIGITS - 2; i > 0; i -= 2, digits /= 100) /* all of them, two at a time */
        memcpy(digit + i, pairs + 2 * (digits % 100), 2);
    digit[0] = (char)('0' + digits);
    while (count > 1 && digit[count - 1] == '0')
        count--;
    const bool scientific = exponent < -4 || exponent >= precision;
    const int before = scientific ? 1 : exponent + 1; /* digits before the point; 0 or less: zeros after it */
    if (before <= 0)
        at = append(at, zeros, 2 - before);
    else
        at = append(at, digit, before < count ? before : count);
    for (int i = count; i < before; i++)
        *at++ = '0';
    if (before > 0 && count > before)
        *at++ = '.';
    if (count > before)
        at = append(at, digit + (before > 0 ? before : 0), count - (before > 0 ? before : 0));
    if (scientific) {
        const int e = exponent < 0 ? -exponent : exponent; /* two digits: at most 17 */
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        *at++ = (char)('0' + e / 10);
        *at++ = (char)('0' + e % 10);
    }
    *at = '\0';
    return (size_t)(at - text);
}

#else

bool ns_round_to_15(double value, double *rounded)
{
    (void)value, (void)rounded;
    return false;
}

size_t ns_double_digits(double value, char *text)
{
    (void)value, (void)text;
    return 0;
}

#endif

/* Whole numbers below 2^53 are written without point and exponent.  A number that is not finite has no decimal digits:
 * "null". */
size_t ns_double_write(double value, char *text)
{
    if (fabs(value) < 9007199254740992.0 && value == (double)(int64_t)value) {
        char digit[20];
        size_t count = 0, at = 0;
        uint64_t rest = (uint64_t)fabs(value);
        do
            digit[count++] = (char)('0' + rest % 10);
        while ((rest /= 10) != 0);
        if (signbit(value))
            text[at++] = '-';
        while (count > 0)
            text[at++] = digit[--count];
        text[at] = '\0';
        return at;
    }
    if (!isfinite(value)) {
        memcpy(text, "null", 5);
        return 4;
    }
    const size_t length = ns_double_digits(value, text);
    if (length > 0)
        return length;
    const c_locale guard = enter_c_locale();
    /* subnormal numbers have fewer digits */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, NS_NUMBER_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    leave_c_locale(guard);
    return strlen(text);
}

const char *ns_double_format(double value, char *buffer, size_t size)
{
    char text[NS_NUMBER_MAX];
    const size_t length = ns_double_write(value, text);
    if (length < size)
        memcpy(buffer, text, length + 1);
    else
        snprintf(buffer, size, "%s", text);
    return buffer;
}

const char *ns_double_short(double value, int digits, char *buffer, size_t size)
{
    const c_locale guard = enter_c_locale();
    snprintf(buffer, size, "%.*g", digits, value);
    leave_c_locale(guard);
    return buffer;
}

double ns_round_digits(double value, int digits)
{
    char text[64];
    double rounded;
    if (!isfinite(value))
        return value;
    if (digits == 15 && ns_round_to_15(value, &rounded))
        return rounded;
    const c_locale guard = enter_c_locale();
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    rounded = strtod(text, NULL);
    leave_c_locale(guard);
    return rounded;
}

/* 10^ten is applied to the text, not to the double, so that "1.7 us" equals "1.7e-6" exactly. */
double ns_scaled_decimal(const char *text, size_t length, int ten)
{
    char copy[NS_DECIMAL_MAX + 32];
    assert(length <= NS_DECIMAL_MAX);
    size_t mantissa = 0;
    while (mantissa < length && text[mantissa] != 'e' && text[mantissa] != 'E')
        mantissa++;
    long exponent = 0;
    if (mantissa < length)
        exponent = strtol(text + mantissa + 1, NULL, 10);
    if (exponent > 100000)
        exponent = 100000;
    if (exponent < -100000)
        exponent = -100000;
    snprintf(copy, sizeof copy, "%.*se%ld", (int)mantissa, text, exponent + ten);
    return ns_strtod(copy, NULL);
}

const char *ns_digits(double value, int digits, char *text, int *exponent)
{
    char scientific[64];
    if (digits < 1)
        digits = 1;
    if (digits > NS_DIGITS_MAX)
        digits = NS_DIGITS_MAX;
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, fabs(value));
    const char *p = scientific;
    int n = 0;
    for (; *p != 'e'; p++) /* skip the decimal point, whatever the locale uses */
        if (*p >= '0' && *p <= '9')
            text[n++] = *p;
    while (n > 1 && text[n - 1] == '0')
        n--;
    text[n] = '\0';
    *exponent = (int)strtol(p + 1, NULL, 10);
    return text;
}
