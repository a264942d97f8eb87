/* machine.h of the first 1.0: its declarations */
#ifndef NSMODEL_MACHINE_H
#define NSMODEL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_locality { NS_ON_SOCKET, NS_ON_NODE, NS_OFF_NODE, NS_LOCALITIES } ns_locality;
typedef enum ns_memory { NS_HOST, NS_DEVICE, NS_MEMORIES } ns_memory;
typedef enum ns_protocol { NS_SHORT, NS_EAGER, NS_RENDEZVOUS, NS_PROTOCOLS } ns_protocol;
typedef enum ns_direction { NS_D2H, NS_H2D, NS_DIRECTIONS } ns_direction;

typedef struct ns_machine ns_machine;

typedef struct ns_parameter {
    size_t size;
    const char *path;
    double value;
    double se;
    ns_dim dim;
    const char *source;
    bool calibrated;
    const char *doc;
    const char *inverse;
} ns_parameter;

NS_API ns_status ns_machine_load(const char *name_or_file, ns_machine **machine, ns_error *err);

NS_API ns_status ns_machine_parse(const char *text, const char *origin, ns_machine **machine, ns_error *err);
NS_API void ns_machine_free(ns_machine *machine);

NS_API ns_status ns_machine_with(const ns_machine *machine, const char *assignment, ns_machine **changed,
                                 ns_error *err);

NS_API ns_status ns_machine_lend(const ns_machine *machine, const ns_machine *lender, ns_machine **lent, ns_error *err);

NS_API bool ns_parameter_assumed(const ns_parameter *parameter);

#define NS_MACHINE_DEFAULT "lassen-spectrum"

typedef struct ns_machine_info {
    size_t size;
    const char *name, *title, *source;
    const char *file;
    int sockets, gpus, host_processes;
    size_t parameters;
} ns_machine_info;
NS_API ns_status ns_machine_describe(const ns_machine *machine, ns_machine_info *info, ns_error *err);

NS_API const char *ns_machine_handle(const ns_machine *machine);

NS_API const char *const *ns_machine_names(void);

NS_API const ns_parameter *ns_machine_parameter(const ns_machine *machine, const char *path);

NS_API const ns_parameter *ns_machine_parameter_at(const ns_machine *machine, size_t index);

NS_API bool ns_machine_number(const ns_machine *machine, const char *path, double *value, ns_dim *dim,
                              const ns_parameter **parameter);

typedef struct ns_class_info {
    size_t size;
    ns_protocol protocol;
    double alpha, beta;
    double alpha_se, beta_se;
    double from;
    double to;
} ns_class_info;

NS_API ns_status ns_machine_class(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                                  ns_class_info *info, ns_error *err);

NS_API double ns_machine_rendezvous_from(const ns_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
