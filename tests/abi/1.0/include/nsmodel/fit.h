/* fit.h of the first 1.0: its declarations */
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

typedef struct ns_fit_settings {
    size_t size;
    const char *tool;
    const char *kind;
    const char *statistic;
    int memory, locality;
    int per_node, sockets;
    int gpus;
    const char *name, *title, *cite;
} ns_fit_settings;
#define NS_FIT_SETTINGS_DEFAULT {sizeof(ns_fit_settings), NULL, NULL, NULL, -1, -1, 0, 0, -1, NULL, NULL, NULL}

typedef struct ns_fitted ns_fitted;

NS_FIT_API ns_status ns_fit_files(const char *const *path, size_t paths, const ns_fit_settings *settings,
                                  ns_fitted **fitted, ns_error *err);
NS_FIT_API void ns_fitted_free(ns_fitted *fitted);

NS_FIT_API ns_status ns_fitted_machine(const ns_fitted *fitted, ns_machine **machine, ns_error *err);

NS_FIT_API ns_status ns_fitted_file(const ns_fitted *fitted, ns_value **root, ns_error *err);

NS_FIT_API size_t ns_fitted_samples(const ns_fitted *fitted);

NS_FIT_API const char *ns_fitted_warning(const ns_fitted *fitted, size_t index);

typedef struct ns_fitted_class {
    size_t size;
    ns_memory memory;
    ns_locality locality;
    ns_protocol protocol;
    double from;
    double least, most;
    double alpha, beta;
    double alpha_se, beta_se;
    double median_error;
    size_t samples;
} ns_fitted_class;

NS_FIT_API bool ns_fitted_class_at(const ns_fitted *fitted, size_t index, ns_fitted_class *line);

#ifdef __cplusplus
}
#endif
#endif
