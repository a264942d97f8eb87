/* fit.h -- from benchmark logs to a machine
 *
 * The library is libnsmodel-fit, which links GSL: a program that links it is distributed under GPL-3.0-or-later.
 * libnsmodel itself stays BSD-3-Clause, so nsmodel.h does not include this header.
 */
#ifndef NSMODEL_FIT_H
#define NSMODEL_FIT_H

#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/value.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NS_FIT_API __attribute__((visibility("default")))
#else
#define NS_FIT_API
#endif

/* What the caller knows of the logs and of the machine.  Start from NS_FIT_SETTINGS_DEFAULT and change fields. */
typedef struct ns_fit_settings {
    size_t size;           /* of this struct as the caller knows it */
    const char *tool;      /* the benchmark that wrote the logs: "osu", "imb", ...; NULL: recognised by content */
    const char *kind;      /* of measurements, where logs do not say it; or NULL */
    const char *statistic; /* of repeated measurements: "median", "min" or "all"; NULL: median */
    int memory, locality;  /* ns_memory, ns_locality of all logs; -1: as the logs say */
    int per_node, sockets; /* rank r is on node r / per_node; 0: unknown */
    int gpus;              /* of a node; -1: as the logs have it */
    const char *name, *title, *cite; /* of the machine and where its logs come from; or NULL */
} ns_fit_settings;
#define NS_FIT_SETTINGS_DEFAULT {sizeof(ns_fit_settings), NULL, NULL, NULL, -1, -1, 0, 0, -1, NULL, NULL, NULL}

/* Logs and what was fitted to them.  Read-only once made; any number of threads may share it. */
typedef struct ns_fitted ns_fitted;

/* Read log files and fit.  settings may be NULL.  A file that cannot be used is an error that says why; a part that
 * cannot is a warning.  *fitted is allocated; free it with ns_fitted_free. */
NS_FIT_API ns_status ns_fit_files(const char *const *path, size_t paths, const ns_fit_settings *settings,
                                  ns_fitted **fitted, ns_error *err);
NS_FIT_API void ns_fitted_free(ns_fitted *fitted);

/* The fitted machine, ready to be priced with, its numbers rounded to the six digits that its file has; free it with
 * ns_machine_free. */
NS_FIT_API ns_status ns_fitted_machine(const ns_fitted *fitted, ns_machine **machine, ns_error *err);

/* Its machine file as a tree, for ns_json_write; free it with ns_value_free. */
NS_FIT_API ns_status ns_fitted_file(const ns_fitted *fitted, ns_value **root, ns_error *err);

/* How many measurements were read. */
NS_FIT_API size_t ns_fitted_samples(const ns_fitted *fitted);

/* The index-th warning: what was left out, or what to be careful about, one line; NULL past the last. */
NS_FIT_API const char *ns_fitted_warning(const ns_fitted *fitted, size_t index);

/* One class of messages: T = alpha + beta s. */
typedef struct ns_fitted_class {
    size_t size; /* of this struct as the caller knows it: set it before the call */
    ns_memory memory;
    ns_locality locality;
    ns_protocol protocol;
    double from;              /* B: first size of the protocol */
    double least, most;       /* B: smallest and largest size measured */
    double alpha, beta;       /* s, s/B */
    double alpha_se, beta_se; /* standard errors; 0: unknown */
    double median_error;      /* held out, relative; NaN where there are too few sizes */
    size_t samples;
} ns_fitted_class;

/* The index-th class of the machine file; false past the last, with *line unchanged. */
NS_FIT_API bool ns_fitted_class_at(const ns_fitted *fitted, size_t index, ns_fitted_class *line);

#ifdef __cplusplus
}
#endif
#endif
