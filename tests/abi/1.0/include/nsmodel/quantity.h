/* quantity.h -- numbers with dimensions, and the one unit table
 *
 * Inside the library every number is in SI: seconds, bytes, flop.  Units exist only where text is read or written.
 * Prefixes are case-sensitive: k = 1000, Ki = 1024.  B is the byte, bit the bit (1/8 B); a bare b is refused.
 */
#ifndef NSMODEL_QUANTITY_H
#define NSMODEL_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exponents of second, byte and flop: B/s is {-1, 1, 0}. */
typedef struct ns_dim {
    signed char second, byte, flop;
} ns_dim;

typedef struct ns_quantity {
    double value; /* SI */
    ns_dim dim;
} ns_quantity;

#define NS_DIMENSIONLESS    ((ns_dim){0, 0, 0})
#define NS_SECOND           ((ns_dim){1, 0, 0})
#define NS_BYTE             ((ns_dim){0, 1, 0})
#define NS_SECOND_PER_BYTE  ((ns_dim){1, -1, 0})
#define NS_BYTE_PER_SECOND  ((ns_dim){-1, 1, 0})

NS_API bool ns_dim_equal(ns_dim a, ns_dim b);

/* The SI unit of a dimension, as written in JSON: "s", "B", "s/B", "B/s", "1/s", "1".  Writes into buffer; returns
 * it. */
NS_API const char *ns_dim_unit(ns_dim dim, char *buffer, size_t size);

/* Parse a unit such as "us", "GB/s", "ns/B", "Gbit/s", "GHz", "1", "%": its factor to SI and its dimension. */
NS_API ns_status ns_unit_parse(const char *unit, double *factor, ns_dim *dim, ns_error *err);

/* Parse "1.5us", "4 KiB", "100Gbit/s", "0.25", "1e-3 s".  A number alone has no dimension.  Refuses what is not finite.
 * Accepts the point as decimal separator in every locale. */
NS_API ns_status ns_quantity_parse(const char *text, ns_quantity *quantity, ns_error *err);

/* The same, and the dimension has to be that of unit: "alpha wants a time like \"1 us\", got \"12 GB/s\"".
 * what names the value in messages.  A bare number is refused unless unit has no dimension. */
NS_API ns_status ns_quantity_parse_as(const char *text, const char *what, const char *unit, double *value,
                                      ns_error *err);

/* Parse a list of quantities: "8,16,32", a range "1:1MiB:x2" (geometric) or "0:100:+10" (arithmetic), both ends
 * included when hit, or a mixture.  *values is allocated (ns_list_free); at most 100000 values. */
NS_API ns_status ns_list_parse(const char *text, const char *what, const char *unit, double **values, size_t *count,
                               ns_error *err);

/* The same, where a range may also count its values: "1B:1MiB:21" has 21 (equal ratios over two decades or more, else
 * equal steps; "21log", "21lin" say which), "1B:1MiB" has `points` (>= 2).  Errors carry the column in text. */
NS_API ns_status ns_range_parse(const char *text, const char *what, const char *unit, size_t points, double **values,
                                size_t *count, ns_error *err);

NS_API void ns_list_free(double *values);

/* Write value with the best prefix and the given number of significant digits: "3.99 us", "16.4 kB"; bytes that are a
 * whole number of KiB, MiB, ... as such where that takes fewer digits: "16 KiB", but "4 kB".  Returns buffer. */
NS_API const char *ns_quantity_format(double value, ns_dim dim, int digits, char *buffer, size_t size);

/* Locale-independent strtod and shortest round-trip printing ("0.1", "4096", "3.992384e-06"). */
NS_API double ns_strtod(const char *text, char **end);
NS_API const char *ns_double_format(double value, char *buffer, size_t size);

/* The closest of count names to a mistyped one, or NULL when none is near (Damerau-Levenshtein, at most a third of its
 * letters wrong). */
NS_API const char *ns_closest(const char *name, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
