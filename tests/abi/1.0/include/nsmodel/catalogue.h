/* catalogue.h of the first 1.0: its declarations */
#ifndef NSMODEL_CATALOGUE_H
#define NSMODEL_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/matrix.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_catalogue ns_catalogue;

typedef struct ns_catalogue_entry {
    size_t size;
    const char *group, *name;
    int64_t id;
    int64_t rows, cols;
    int64_t nonzeros;
    int64_t stored;
    const char *field;
    const char *structure;
    bool positive_definite;
    bool grid;
    const char *kind;
    const char *date, *author, *title;
    int64_t diagonal;
    int64_t lower_bandwidth, upper_bandwidth;
    int64_t components;
} ns_catalogue_entry;

typedef struct ns_spread {
    double min, q1, median, q3, max, mean, variance, skewness;
} ns_spread;

typedef struct ns_catalogue_detail {
    size_t size;
    double pattern_symmetry, numeric_symmetry;
    int64_t counted;
    ns_spread row, col;
} ns_catalogue_detail;

typedef struct ns_catalogue_fact {
    size_t size;
    const char *group, *name;
    const char *what;
    double value;
    const char *unit;
    const char *where;
    const char *source;
} ns_catalogue_fact;

typedef struct ns_catalogue_range {
    int64_t from, to;
} ns_catalogue_range;

typedef struct ns_catalogue_filter {
    size_t size;
    const char *group;
    const char *name;
    const char *kind;
    const char *field, *structure;
    ns_catalogue_range rows, cols, nonzeros;
    bool positive_definite, grid, square, measured;
} ns_catalogue_filter;

NS_API ns_status ns_catalogue_open(ns_catalogue **catalogue, ns_error *err);
NS_API void ns_catalogue_free(ns_catalogue *catalogue);

NS_API const ns_catalogue_entry *ns_catalogue_at(const ns_catalogue *catalogue, size_t index);

NS_API ns_status ns_catalogue_find(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry,
                                   ns_error *err);

NS_API bool ns_catalogue_closest(const ns_catalogue *catalogue, const char *name, char *closest, size_t size);

NS_API bool ns_catalogue_fits(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                              const ns_catalogue_filter *filter);

NS_API ns_status ns_catalogue_details(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                                      ns_catalogue_detail *detail, ns_error *err);

NS_API const ns_catalogue_fact *ns_catalogue_fact_at(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                                                     size_t index);

NS_API ns_status ns_matrix_lengths(ns_matrix *matrix, int64_t max_memory, ns_spread *row, ns_spread *col,
                                   int64_t *entries, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
