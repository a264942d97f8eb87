/* number.h -- decimal numbers, shared by the readers and writers of quantities */
#ifndef NS_CORE_NUMBER_H
#define NS_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/quantity.h>

enum { NS_DECIMAL_MAX = 100, NS_DIGITS_MAX = 17 };

/* The double nearest to the decimal number text[0..length) times 10^ten; length <= NS_DECIMAL_MAX, and ns_strtod must
 * read the text in full. */
double ns_scaled_decimal(const char *text, size_t length, int ten);

/* The text of ns_double_format, computed faster and in any locale, for finite numbers of common magnitude (about 1e-11
 * to 1e17) that are not whole; returns the length, 0 for other numbers.  text: NS_NUMBER_MAX bytes. */
enum { NS_NUMBER_MAX = 40 };
size_t ns_double_digits(double value, char *text);
/* The text of ns_double_format for any number; returns its length. */
size_t ns_double_write(double value, char *text);

/* At most that many significant digits, without trailing zeros and in any locale, as printf's %g writes them. */
const char *ns_double_short(double value, int digits, char *buffer, size_t size);

/* value rounded to that many significant decimal digits. */
double ns_round_digits(double value, int digits);
/* The same for 15 digits, faster, for numbers of common magnitude; false where ns_round_digits is needed. */
bool ns_round_to_15(double value, double *rounded);

/* The significant decimal digits of |value| (finite), rounded, without trailing zeros: text receives at most
 * NS_DIGITS_MAX and a terminator; value = d.ddd x 10^exponent. */
const char *ns_digits(double value, int digits, char *text, int *exponent);

#endif
