/* published.h of the first 1.0: its declarations */
#ifndef NSMODEL_PUBLISHED_H
#define NSMODEL_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include <nsmodel/machine.h>
#include <nsmodel/model.h>
#include <nsmodel/quantity.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_published_kind {
    NS_PREDICTION,
    NS_IN_SAMPLE,
    NS_IDENTITY,
    NS_INPUT,
    NS_PUBLISHED_KINDS
} ns_published_kind;

typedef struct ns_reproduced {
    size_t size;
    const char *id, *title, *source;
    const char *note;
    double tolerance;
    double worst;
    bool ok;
    size_t rows;
    bool claims;
} ns_reproduced;

typedef struct ns_reproduced_row {
    size_t size;
    const char *label;
    bool has_published, has_computed;
    double published, computed;
    ns_dim dim;
    double error;
    bool ok;
    ns_published_kind kind;

    size_t cases;
    bool above;
    const char *quote, *known_miss;
    double error_most;
} ns_reproduced_row;

typedef struct ns_reproduced_total {
    size_t size;
    size_t cells, ok;
    size_t known_miss;
    double worst;
    char where[200];
} ns_reproduced_total;

NS_API ns_status ns_reproduce_text(const char *text, const char *origin, ns_reproduced **table, ns_error *err);

NS_API ns_status ns_reproduce_shipped(const char *id, ns_reproduced **table, ns_error *err);

NS_API const char *ns_reproduce_id(size_t index, char *buffer, size_t size);

NS_API bool ns_reproduce_is_long(const char *id);

NS_API void ns_reproduced_add(const ns_reproduced *table, ns_reproduced_total total[NS_PUBLISHED_KINDS]);
NS_API const ns_reproduced_row *ns_reproduced_at(const ns_reproduced *table, size_t index);
NS_API void ns_reproduced_free(ns_reproduced *table);

#ifdef __cplusplus
}
#endif
#endif
