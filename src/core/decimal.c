/* decimal.c -- a double in the digits of ns_double_format, by exact whole numbers
 *
 * With v = m 2^e (m of 53 bits) and 10^k such that V = v 10^k has 17 digits before the point,
 *
 *     V = P / 2^s,    P = m 5^k,  s = -(e + k),
 *
 * and P has at most 116 bits for k <= 27, that is for 1e-11 <= v < 1e17.  The neighbours of v lie 5^k / 2^s apart from V,
 * so a decimal C reads back as v when 2 |C - V| 2^s < 5^k, or = 5^k and m is even.
 */
#include "core/number.h"

#include <string.h>

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

enum { POWERS = 28, DIGITS = 17, MANTISSA_BITS = 52, BIAS = 1023 };

static const uint64_t ten_to_17 = UINT64_C(100000000000000000);

static const uint64_t five[POWERS] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

typedef struct decimal {
    uint64_t digits; /* DIGITS of them */
    int exponent;    /* of the first */
    int precision;   /* digits that were asked for */
} decimal;

/* The multiple of `unit` nearest to V, halves to even; does it read back? */
static bool round_to(wide P, int s, uint64_t unit, uint64_t ulp, bool even, uint64_t *rounded)
{
    const uint64_t whole = (uint64_t)(P >> s), quotient = whole / unit;
    const wide rest = P - ((wide)(quotient * unit) << s), half = (wide)unit << (s - 1);
    const bool up = rest > half || (rest == half && quotient % 2 == 1);
    const wide off = 2 * (up ? ((wide)unit << s) - rest : rest);
    *rounded = (quotient + up) * unit;
    return off < ulp || (off == ulp && even);
}

static bool find_digits(uint64_t bits, decimal *d)
{
    const int field = (int)(bits >> MANTISSA_BITS & 0x7ff), e = field - BIAS - MANTISSA_BITS;
    const uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1), m = fraction | UINT64_C(1) << MANTISSA_BITS;
    if (field == 0 || fraction == 0) /* subnormal; or the next smaller neighbour is nearer */
        return false;
    int exponent = (field - BIAS + 4096) * 1233 / 4096 - 1233; /* of the power of two below v; v's may be one more */
    for (int attempt = 0; attempt < 2; attempt++, exponent++) {
        const int k = DIGITS - 1 - exponent, s = -(e + k);
        if (k < 0 || k >= POWERS || s < 1 || s > 63)
            return false;
        const wide P = (wide)m * five[k];
        if ((P >> s) >= ten_to_17)
            continue;
        d->exponent = exponent;
        d->precision = DIGITS - 2;
        for (uint64_t unit = 100; !round_to(P, s, unit, five[k], m % 2 == 0, &d->digits) && unit > 1; unit /= 10)
            d->precision++;
        if (d->digits == ten_to_17) {
            d->digits /= 10;
            d->exponent++;
        }
        return true;
    }
    return false;
}

/* As printf's %g writes them: no trailing zeros, an exponent below -4 and from the precision on. */
static size_t put_digits(const decimal *d, char *text)
{
    char digit[DIGITS];
    uint64_t rest = d->digits;
    int count = DIGITS;
    char *at = text;
    for (int i = DIGITS - 1; i >= 0; i--, rest /= 10)
        digit[i] = (char)('0' + rest % 10);
    while (count > 1 && digit[count - 1] == '0')
        count--;
    const bool scientific = d->exponent < -4 || d->exponent >= d->precision;
    const int before = scientific ? 1 : d->exponent + 1; /* digits before the point; 0 or less: zeros behind it */
    if (before <= 0) {
        *at++ = '0';
        *at++ = '.';
        for (int i = before; i < 0; i++)
            *at++ = '0';
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && i > 0)
            *at++ = '.';
        *at++ = i < count ? digit[i] : '0';
    }
    if (scientific) {
        const int e = d->exponent < 0 ? -d->exponent : d->exponent; /* two digits: at most 17 */
        *at++ = 'e';
        *at++ = d->exponent < 0 ? '-' : '+';
        *at++ = (char)('0' + e / 10);
        *at++ = (char)('0' + e % 10);
    }
    *at = '\0';
    return (size_t)(at - text);
}

size_t ns_double_digits(double value, char *text)
{
    uint64_t bits;
    decimal d;
    memcpy(&bits, &value, sizeof bits);
    const size_t sign = bits >> 63 != 0;
    if (!find_digits(bits, &d))
        return 0;
    if (sign)
        *text = '-';
    return sign + put_digits(&d, text + sign);
}

#else

size_t ns_double_digits(double value, char *text)
{
    (void)value, (void)text;
    return 0;
}

#endif

size_t ns_whole_digits(int64_t value, char *text)
{
    char digit[20];
    size_t count = 0, at = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digit[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (value < 0)
        text[at++] = '-';
    while (count > 0)
        text[at++] = digit[--count];
    text[at] = '\0';
    return at;
}
