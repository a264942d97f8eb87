/* matrix.h of the first 1.0: its declarations */
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
    size_t size;
    const char *name;
    int64_t rows, cols;
    int64_t stored;
    ns_symmetry symmetry;
    ns_matrix_source source;
    const char *note;
    const char *stands_for;
} ns_matrix_info;

typedef struct ns_entry {
    int64_t row, col;
} ns_entry;

typedef ns_status ns_entry_fn(void *context, const ns_entry *entries, size_t count, ns_error *err);

typedef struct ns_matrix ns_matrix;

NS_API ns_status ns_matrix_open(const char *spec, ns_matrix **matrix, ns_error *err);

typedef struct ns_matrix_place {
    const char *label;
    const char *directory;
    ns_matrix_source source;
} ns_matrix_place;

NS_API ns_status ns_matrix_open_in(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix **matrix,
                                   ns_error *err);

typedef struct ns_matrix_step {
    size_t size;
    const char *place;
    const char *looked_for;
    const char *found;
    const char *note;
    bool used;
} ns_matrix_step;

typedef void ns_matrix_step_fn(void *context, const ns_matrix_step *step);

NS_API ns_status ns_matrix_where(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix_step_fn *tell,
                                 void *context, ns_error *err);

NS_API const ns_matrix_info *ns_matrix_describe(const ns_matrix *matrix);

NS_API ns_status ns_matrix_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err);

typedef void ns_watch_fn(void *context, const ns_matrix *matrix, int64_t entries, int64_t expected);

NS_API void ns_matrix_watch(ns_matrix *matrix, ns_watch_fn *watch, void *context);

NS_API void ns_matrix_limit(ns_matrix *matrix, int64_t max_work);
NS_API void ns_matrix_free(ns_matrix *matrix);

NS_API ns_status ns_matrix_save(ns_matrix *matrix, const char *path, int64_t max_memory, ns_error *err);

NS_API ns_status ns_partition_read(const char *path, int64_t rows, int32_t **part, int32_t *parts, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
