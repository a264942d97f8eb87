/* number.c -- decimal text to double and back, the same in every locale
 *
 * Reading is correctly rounded; writing uses the fewest of 15, 16 or 17 significant digits that read back to the same
 * double.  Both lean on the C library inside a "C" locale that is set for the calling thread only and put back.
 */
#include "core/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ns_c_locale ns_c_locale_enter(void)
{
    ns_c_locale guard = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (guard.c != (locale_t)0)
        guard.before = uselocale(guard.c);
    return guard;
}

void ns_c_locale_leave(ns_c_locale guard)
{
    if (guard.c == (locale_t)0)
        return;
    uselocale(guard.before);
    freelocale(guard.c);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Decimal numbers only: "nan", "inf" and hexadecimal, which strtod would take, leave *end at the text ("0x1f" reads as
 * the 0 before the x).  Overflow gives an infinity, as in strtod. */
double ns_strtod(const char *text, char **end)
{
    const char *p = text;
    while (is_blank(*p))
        p++;
    bool minus = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    bool number = is_digit(*p) || (*p == '.' && is_digit(p[1]));
    bool hexadecimal = *p == '0' && (p[1] == 'x' || p[1] == 'X');
    if (!number || hexadecimal) {
        if (end != NULL)
            *end = (char *)(hexadecimal ? p + 1 : text);
        return minus && hexadecimal ? -0.0 : 0.0;
    }
    ns_c_locale guard = ns_c_locale_enter();
    double value = strtod(text, end);
    ns_c_locale_leave(guard);
    return value;
}

static size_t write_slowly(double value, char *text, size_t size)
{
    ns_c_locale guard = ns_c_locale_enter();
    /* subnormal numbers hold fewer digits */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    ns_c_locale_leave(guard);
    return strlen(text);
}

/* Whole numbers below 2^53 have neither point nor exponent.  What is not finite has no decimal digits: "null". */
size_t ns_double_write(double value, char *text)
{
    if (fabs(value) < 9007199254740992.0 && value == (double)(int64_t)value) {
        const bool minus_zero = value == 0 && signbit(value);
        *text = '-';
        return minus_zero + ns_whole_digits((int64_t)value, text + minus_zero);
    }
    if (!isfinite(value)) {
        memcpy(text, "null", 5);
        return 4;
    }
    const size_t length = ns_double_digits(value, text);
    return length > 0 ? length : write_slowly(value, text, NS_NUMBER_MAX);
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
    ns_c_locale guard = ns_c_locale_enter();
    snprintf(buffer, size, "%.*g", digits, value);
    ns_c_locale_leave(guard);
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
    ns_c_locale guard = ns_c_locale_enter();
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    rounded = strtod(text, NULL);
    ns_c_locale_leave(guard);
    return rounded;
}

/* x 10^ten is applied to the text, not to the double, so that "1.7 us" is exactly what "1.7e-6" is. */
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
    for (; *p != 'e'; p++) /* step over the point, whatever the locale writes */
        if (is_digit(*p))
            text[n++] = *p;
    while (n > 1 && text[n - 1] == '0')
        n--;
    text[n] = '\0';
    *exponent = (int)strtol(p + 1, NULL, 10);
    return text;
}
