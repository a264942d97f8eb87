/* quantity_format.c -- SI values for people: the prefix that leaves 1 to 999 before the point */
#include <nsmodel/quantity.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"

/* Units that take a prefix; powers of ten of the smallest and largest one. */
static const struct scale {
    ns_dim dim;
    const char *unit;
    int least, most;
} scales[] = {
    {{1, 0, 0}, "s", -15, 0},      {{0, 1, 0}, "B", 0, 18},        {{-1, 1, 0}, "B/s", 0, 18},
    {{1, -1, 0}, "s/B", -15, 0},   {{-1, 0, 0}, "Hz", 0, 18},      {{0, 0, 1}, "flop", 0, 18},
    {{-1, 0, 1}, "flop/s", 0, 18}, {{1, 0, -1}, "s/flop", -15, 0},
};

static const char *prefix_of(int ten)
{
    static const char *const name[] = {"f", "p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    return name[(ten + 15) / 3];
}

/* The power of ten, a multiple of three, of the prefix for d.ddd x 10^exponent. */
static int choose_ten(const struct scale *scale, int exponent)
{
    int ten = (exponent - (exponent < 0 ? 2 : 0)) / 3 * 3;
    /* times per byte are compared with one another: in ns down to 0.01 ns */
    if (scale->dim.second == 1 && scale->dim.byte == -1 && exponent >= -11 && ten < -9)
        ten = -9;
    return ten < scale->least ? scale->least : ten > scale->most ? scale->most : ten;
}

/* digits with the point after the first `whole` of them; whole may be negative or past the end */
static void place_point(const char *digits, int whole, char *text, size_t size)
{
    int n = (int)strlen(digits);
    if (whole <= 0)
        snprintf(text, size, "0.%.*s%s", -whole, "0000000000", digits);
    else if (whole >= n)
        snprintf(text, size, "%s%.*s", digits, whole - n, "00000000000000000000");
    else
        snprintf(text, size, "%.*s.%s", whole, digits, digits + whole);
}

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
    char unit[64], digit[NS_DIGITS_MAX + 1], number[64];
    const struct scale *scale = NULL;
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
    if (scale != NULL && value != 0)
        ten = choose_ten(scale, exponent);
    if (value == 0)
        snprintf(number, sizeof number, "0");
    else if (exponent - ten < -5 || exponent - ten > 15) {
        ten = 0;
        snprintf(number, sizeof number, "%c%s%se%+03d", digit[0], digit[1] != '\0' ? "." : "", digit + 1, exponent);
    } else
        place_point(digit, exponent - ten + 1, number, sizeof number);
    ns_dim_unit(dim, unit, sizeof unit);
    const bool pure = ns_dim_equal(dim, NS_DIMENSIONLESS);
    snprintf(buffer, size, "%s%s%s%s%s", value < 0 ? "-" : "", number, pure ? "" : " ",
             scale != NULL ? prefix_of(ten) : "",
             pure            ? ""
             : scale != NULL ? scale->unit
                             : unit);
    return buffer;
}
