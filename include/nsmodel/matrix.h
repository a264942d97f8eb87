/* matrix.h -- sparse matrices as streams of positions; values are never read
 *
 * A matrix is opened by path or name and scanned once or several times.  Entries come expanded: symmetric, skew and
 * Hermitian files give both halves; explicit zeros and repeats count; array files give every entry.
 */
#ifndef NSMODEL_MATRIX_H
#define NSMODEL_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_matrix_source {
    NS_FROM_FILE,
    NS_FROM_CACHE,
    NS_FROM_BINARY,
    NS_GENERATED,
    NS_SURROGATE
} ns_matrix_source;

typedef enum ns_symmetry { NS_GENERAL, NS_SYMMETRIC, NS_SKEW, NS_HERMITIAN } ns_symmetry;

typedef struct ns_matrix_info {
    size_t size;      /* of this struct, set by the library */
    const char *name; /* file name without endings, or the name asked for */
    int64_t rows, cols;
    int64_t stored; /* entries as the file counts them; -1 when only a scan can count them */
    ns_symmetry symmetry;
    ns_matrix_source source;
    const char *note; /* one line: what a surrogate stands for, or that a file
                       * found by name has another size than the catalogue's matrix; or NULL */
    const char *stands_for; /* of a surrogate: the name of the real matrix, else NULL */
} ns_matrix_info;

/* Zero-based position of an entry. */
typedef struct ns_entry {
    int64_t row, col;
} ns_entry;

/* Receives entries in batches, in the order of the file; a non-zero return ends the scan and is passed on. */
typedef ns_status ns_entry_fn(void *context, const ns_entry *entries, size_t count, ns_error *err);

typedef struct ns_matrix ns_matrix;

/* Open a matrix: path (type by content: Matrix Market, gzip of it, a SuiteSparse .tar.gz, our .nsp), stencil
 * ("stencil9:3200x3200", "stencil27:68x68x68x3"), or name ("audikw_1", "GHS_psdef/audikw_1"): one of the small matrices
 * in the library, else a surrogate.  An existing file wins.  Reads the header only.  Free with ns_matrix_free. */
NS_API ns_status ns_matrix_open(const char *spec, ns_matrix **matrix, ns_error *err);

/* A folder in which matrices are searched by name: as NAME.mtx, NAME.mtx.gz, NAME.tar.gz, NAME.nsp or NAME/NAME.mtx,
 * by themselves, below GROUP/ and below MM/GROUP/ (as ssget and ssgetpy keep them). */
typedef struct ns_matrix_place {
    const char *label; /* what the folder is, for people: "ssget cache" */
    const char *directory;
    ns_matrix_source source; /* NS_FROM_CACHE: what is found here says so; NS_FROM_FILE: it says what its format is */
} ns_matrix_place;

/* The same, but a name is first searched in these places, in this order.  The first file found is opened; if it cannot
 * be read, that is the error, and nothing is opened instead.  A name that several matrices of the collection share is
 * NS_ERR_NAME, and the message lists them, unless the first place that has any of them has one file only. */
NS_API ns_status ns_matrix_open_in(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix **matrix,
                                   ns_error *err);

/* One place that was searched. */
typedef struct ns_matrix_step {
    size_t size;            /* of this struct, set by the library */
    const char *place;      /* "file", the label of a ns_matrix_place, "embedded", "surrogate" */
    const char *looked_for; /* path, folder or name */
    const char *found;      /* path or name of what is there, or NULL */
    const char *note;       /* why it is not read, or NULL */
    bool used;              /* ns_matrix_open_in would open this one */
} ns_matrix_step;

typedef void ns_matrix_step_fn(void *context, const ns_matrix_step *step);

/* Where ns_matrix_open_in looks for a file or name, step by step to the last place, without opening anything. */
NS_API ns_status ns_matrix_where(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix_step_fn *tell,
                                 void *context, ns_error *err);

NS_API const ns_matrix_info *ns_matrix_describe(const ns_matrix *matrix);

/* Every entry once, in batches.  May be repeated.  One thread per matrix at a time.  O(1) memory.  Errors carry the
 * line. */
NS_API ns_status ns_matrix_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err);

/* Progress of a scan: entries delivered so far, and how many are expected (-1: unknown; an estimate for symmetric
 * files).  Called by the scanning thread after each batch. */
typedef void ns_watch_fn(void *context, const ns_matrix *matrix, int64_t entries, int64_t expected);

/* Call watch during every later scan; NULL: no longer. */
NS_API void ns_matrix_watch(ns_matrix *matrix, ns_watch_fn *watch, void *context);

/* Limit the work of reading the matrix from now on: entries delivered + rows, each time that it is read, + routes of
 * the exchanges made of it.  0: no limit.  More is NS_ERR_LIMIT, at once if the header shows it. */
NS_API void ns_matrix_limit(ns_matrix *matrix, int64_t max_work);
NS_API void ns_matrix_free(ns_matrix *matrix);

/* Write the structure as an .nsp file: compressed, checksummed, accepted by ns_matrix_open.  The file appears whole or
 * not at all.  One scan and O(1) memory when entries come row by row; else another scan, up to 12 bytes an entry (a few
 * for each run down a column) and 8 a row, at most max_memory bytes (0: no limit). */
NS_API ns_status ns_matrix_save(ns_matrix *matrix, const char *path, int64_t max_memory, ns_error *err);

/* Read a partition: one part number per row, as METIS writes; blank lines are refused, lines starting with % or # are
 * comments.  The file has to have `rows` numbers from 0 to parts-1.  *part is allocated. */
NS_API ns_status ns_partition_read(const char *path, int64_t rows, int32_t **part, int32_t *parts, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
