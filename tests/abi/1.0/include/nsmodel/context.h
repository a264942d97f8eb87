/* context.h of the first 1.0: its declarations */
#ifndef NSMODEL_CONTEXT_H
#define NSMODEL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_context ns_context;

typedef struct ns_context_options {
    size_t size;
    void *user;

    int (*stop)(void *user);

    int64_t max_memory, max_work;
} ns_context_options;

NS_API ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err);
NS_API void ns_context_free(ns_context *context);

NS_API ns_context *ns_context_use(ns_context *context);

NS_API void ns_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
