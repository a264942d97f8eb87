/* catalogue.h -- what is known of the 2,904 matrices of the SuiteSparse Matrix Collection, without any of their files
 *
 * The tables are inside the library, compressed; an open catalogue is an object of the caller's (about 2 MB).  Data:
 * SuiteSparse Matrix Collection, CC-BY 4.0; row lengths: ginkgo-project/ginkgo-data, CC-BY 4.0.
 */
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

/* Texts belong to the catalogue and are "" where nothing is known; numbers are -1. */
typedef struct ns_catalogue_entry {
    size_t size; /* of this struct, set by the library */
    const char *group, *name;
    int64_t id; /* in the collection's index */
    int64_t rows, cols;
    int64_t nonzeros;      /* explicit zeros left out, both halves counted */
    int64_t stored;        /* with explicit zeros, both halves: what a scan of the file delivers */
    const char *field;     /* "real", "complex", "integer", "pattern" */
    const char *structure; /* "symmetric", "unsymmetric", "hermitian", "skew-symmetric", "rectangular" */
    bool positive_definite;
    bool grid;        /* from a discretisation in two or three dimensions */
    const char *kind; /* "structural problem" */
    const char *date, *author, *title;
    int64_t diagonal; /* nonzeros on it */
    int64_t lower_bandwidth, upper_bandwidth;
    int64_t components; /* connected components of the graph */
} ns_catalogue_entry;

/* Lengths of rows or columns, in entries. */
typedef struct ns_spread {
    double min, q1, median, q3, max, mean, variance, skewness;
} ns_spread;

typedef struct ns_catalogue_detail {
    size_t size;                               /* of this struct, set by the caller */
    double pattern_symmetry, numeric_symmetry; /* share of the entries off the diagonal that have their mirror image */
    int64_t counted; /* entries counted in the lengths, explicit zeros included; -1: lengths unknown */
    ns_spread row, col;
} ns_catalogue_detail;

/* A published or measured number that concerns one matrix. */
typedef struct ns_catalogue_fact {
    size_t size; /* of this struct, set by the library */
    const char *group, *name;
    const char *what;
    double value;      /* in unit */
    const char *unit;  /* "s", or "" */
    const char *where; /* machine, number of parts */
    const char *source;
} ns_catalogue_fact;

/* A number of rows, columns or entries; `to` 0 means no limit. */
typedef struct ns_catalogue_range {
    int64_t from, to;
} ns_catalogue_range;

/* All 0: everything.  Texts are compared without regard to case. */
typedef struct ns_catalogue_filter {
    size_t size;                   /* of this struct; 0 means the fields of version 1.0 */
    const char *group;             /* whole, or NULL */
    const char *name;              /* a part of it, or NULL */
    const char *kind;              /* words of it, the last one perhaps cut short, or NULL */
    const char *field, *structure; /* whole, or NULL */
    ns_catalogue_range rows, cols, nonzeros;
    bool positive_definite, grid, square, measured; /* only matrices that are so */
} ns_catalogue_filter;

NS_API ns_status ns_catalogue_open(ns_catalogue **catalogue, ns_error *err);
NS_API void ns_catalogue_free(ns_catalogue *catalogue);

/* The index-th entry, by name, those of the same name by group; NULL past the last. */
NS_API const ns_catalogue_entry *ns_catalogue_at(const ns_catalogue *catalogue, size_t index);

/* The matrix of that name.  NS_ERR_NAME when there is none (the message has the closest name) or several (it lists
 * them). */
NS_API ns_status ns_catalogue_find(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry,
                                   ns_error *err);

/* The name closest to a mistyped one, as "NAME", or "GROUP/NAME" when a group was given; false when none is near. */
NS_API bool ns_catalogue_closest(const ns_catalogue *catalogue, const char *name, char *closest, size_t size);

NS_API bool ns_catalogue_fits(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                              const ns_catalogue_filter *filter);

/* Symmetry and lengths of one entry of this catalogue. */
NS_API ns_status ns_catalogue_details(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                                      ns_catalogue_detail *detail, ns_error *err);

/* The index-th fact about one entry; NULL past the last. */
NS_API const ns_catalogue_fact *ns_catalogue_fact_at(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                                                     size_t index);

/* Count the lengths of the rows and columns of a matrix in one scan, explicit zeros included.  It takes 8 bytes a row
 * and a column, at most max_memory bytes (0: no limit).  Quartiles are the medians of the two halves; of an odd number
 * of lengths the middle one belongs to both halves with weight 1/2.  Variance and skewness are those of the whole
 * population; the skewness is 0 when all lengths are equal.  NS_ERR_DATA: the matrix has no rows or no columns. */
NS_API ns_status ns_matrix_lengths(ns_matrix *matrix, int64_t max_memory, ns_spread *row, ns_spread *col,
                                   int64_t *entries, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
