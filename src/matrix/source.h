/* source.h -- the source of an ns_matrix: a file, a generator, a surrogate */
#ifndef NS_MATRIX_SOURCE_H
#define NS_MATRIX_SOURCE_H

#include "core/work.h"

#include <nsmodel/matrix.h>

/* Entries in every column of [col, col + cols) of every row of [row, row + rows). */
typedef struct ns_patch {
    int64_t row, rows, col, cols;
} ns_patch;

typedef ns_status ns_patch_fn(void *context, const ns_patch *patch, size_t count, ns_error *err);

/* A generated stand-in for a matrix of the papers.  The build collects them from src/surrogate/named/<stem>.c, each of
 * which defines `const ns_surrogate ns_surrogate_<stem>`. */
typedef struct ns_surrogate {
    const char *group, *name; /* "GHS_psdef", "audikw_1" */
    int64_t rows; /* and as many columns */
    int64_t catalogue_entries; /* the real matrix' stored entries after expansion */
    ns_symmetry symmetry;
    /* Deterministic; one of the two: entry by entry with rows ascending, or in patches.  Patches of the same rows are
     * passed in one call, columns ascending, followed by those of the next rows. */
    ns_status (*scan)(const void *shape, ns_entry_fn *receive, void *context, ns_error *err);
    ns_status (*patches)(const void *shape, ns_patch_fn *receive, void *context, ns_error *err);
    const void *shape; /* parameter of the functions */
} ns_surrogate;

/* Closed by NULL. */
extern const ns_surrogate *const ns_surrogates[];

/* Columns [first, first + count). */
typedef struct ns_column_span {
    int64_t first, count;
} ns_column_span;

enum { NS_SPANS = 9 }; /* maximum, for neighbouring rows */

typedef ns_status ns_scan_fn(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err);

struct ns_matrix {
    ns_matrix_info info;
    char *strings; /* owns info.name and info.note */
    ns_scan_fn *scan;
    /* Passes only one of two entries that mirror each other, either of them.  NULL if both are stored or generated. */
    ns_scan_fn *scan_half;
    /* Every entry once, in patches.  NULL if entries are passed one by one. */
    ns_status (*scan_patches)(ns_matrix *matrix, ns_patch_fn *receive, void *context, ns_error *err);
    /* The columns in which any of rows [row, row + rows) has an entry, as spans in any order that may overlap; returns
     * their number.  NULL if the columns are only known by reading.  info.stored is then exact. */
    int (*columns)(const ns_matrix *matrix, int64_t row, int64_t rows, ns_column_span span[NS_SPANS]);
    void (*close)(ns_matrix *matrix); /* frees state; may be NULL */
    void *state;
    ns_watch_fn *watch; /* or NULL */
    void *watcher;
    ns_work work; /* of all scans, and of everything built from them */
};

/* Like ns_matrix_scan, using scan_half and scan_patches. */
ns_status ns_matrix_scan_half(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err);
ns_status ns_matrix_scan_patches(ns_matrix *matrix, ns_patch_fn *receive, void *context, ns_error *err);

/* Count the use of entries that are known without a scan as work, like a scan. */
ns_status ns_matrix_count_work(ns_matrix *matrix, ns_error *err);

/* Run a matrix' scan on a thread of its own; `receive` is called on the caller's thread, with the same entries in the
 * same order.  If no thread can be created, the caller's does both. */
ns_status ns_pipeline_scan(ns_matrix *matrix, ns_scan_fn *scan, ns_entry_fn *receive, void *context, ns_error *err);

/* In the order of ns_matrix_source: "file", "cache", "binary", "generated", "surrogate"; closed by NULL. */
extern const char *const ns_matrix_source_words[];

#endif
