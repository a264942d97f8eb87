/* quantity.h of the first 1.0: its declarations */
#ifndef NSMODEL_QUANTITY_H
#define NSMODEL_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_dim {
    signed char second, byte, flop;
} ns_dim;

typedef struct ns_quantity {
    double value;
    ns_dim dim;
} ns_quantity;

#define NS_DIMENSIONLESS    ((ns_dim){0, 0, 0})
#define NS_SECOND           ((ns_dim){1, 0, 0})
#define NS_BYTE             ((ns_dim){0, 1, 0})
#define NS_SECOND_PER_BYTE  ((ns_dim){1, -1, 0})
#define NS_BYTE_PER_SECOND  ((ns_dim){-1, 1, 0})

NS_API bool ns_dim_equal(ns_dim a, ns_dim b);

NS_API const char *ns_dim_unit(ns_dim dim, char *buffer, size_t size);

NS_API ns_status ns_unit_parse(const char *unit, double *factor, ns_dim *dim, ns_error *err);

NS_API ns_status ns_quantity_parse(const char *text, ns_quantity *quantity, ns_error *err);

NS_API ns_status ns_quantity_parse_as(const char *text, const char *what, const char *unit, double *value,
                                      ns_error *err);

NS_API ns_status ns_list_parse(const char *text, const char *what, const char *unit, double **values, size_t *count,
                               ns_error *err);

NS_API ns_status ns_range_parse(const char *text, const char *what, const char *unit, size_t points, double **values,
                                size_t *count, ns_error *err);

NS_API void ns_list_free(double *values);

NS_API const char *ns_quantity_format(double value, ns_dim dim, int digits, char *buffer, size_t size);

NS_API double ns_strtod(const char *text, char **end);
NS_API const char *ns_double_format(double value, char *buffer, size_t size);

NS_API const char *ns_closest(const char *name, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
