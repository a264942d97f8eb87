/* machine.h -- a machine: what its file says, and the typed tables that models and prices read
 *
 * A machine is read once and is then read-only; any number of threads may share it.  Every number in it has a unit and
 * a source.  Paths name parameters as the file nests them: "host.off-node.rendezvous.alpha", "copy.4.d2h.beta",
 * "topology.sockets", "host.injection.inverse_R_N", "models.loggp.L".
 */
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

/* A number of a machine; valid until the machine is freed. */
typedef struct ns_parameter {
    size_t size;      /* of this struct, set by the library */
    const char *path; /* "host.off-node.eager.alpha" */
    double value;     /* SI */
    double se;        /* standard error, SI; 0 where unknown */
    ns_dim dim;
    const char *source;  /* where the number comes from */
    bool calibrated;     /* on whole exchanges, not measured by a benchmark of its own */
    const char *doc;     /* what it is */
    const char *inverse; /* last segment under which its reciprocal is known, "R_b"; NULL: none */
} ns_parameter;

/* Load a shipped machine by name ("lassen"), or a file; for a file with the name of a shipped machine give its folder
 * too ("./lassen").  *machine is allocated; free it with ns_machine_free.  Errors point at file, line and column: wrong
 * unit, unknown or duplicate key (the closest one is offered), missing protocol, a negative or non-finite number. */
NS_API ns_status ns_machine_load(const char *name_or_file, ns_machine **machine, ns_error *err);

/* The same from text; messages have origin in place of the file's name. */
NS_API ns_status ns_machine_parse(const char *text, const char *origin, ns_machine **machine, ns_error *err);
NS_API void ns_machine_free(ns_machine *machine);

/* What-if: a copy of the machine with "PATH=VALUE" changed; its source says so. */
NS_API ns_status ns_machine_with(const ns_machine *machine, const char *assignment, ns_machine **changed,
                                 ns_error *err);

/* A copy of the machine with the constants of models that it lacks and the fallback has (network interfaces, switches);
 * their sources say where they come from. */
NS_API ns_status ns_machine_lend(const ns_machine *machine, const ns_machine *fallback, ns_machine **both,
                                 ns_error *err);

/* True if the parameter is an assumption: the first word of its source is "assumed". */
NS_API bool ns_parameter_assumed(const ns_parameter *parameter);

/* The shipped machine that is used where none is named: Lassen with Spectrum MPI, fitted to its benchmarks. */
#define NS_MACHINE_DEFAULT "lassen-spectrum"

/* What a machine is.  Texts are valid until it is freed. */
typedef struct ns_machine_info {
    size_t size; /* of this struct, set by the caller */
    const char *name, *title, *source;
    const char *file;                  /* where it was read, or "embedded" */
    int sockets, gpus, host_processes; /* of a node; gpus may be 0 */
    size_t parameters;                 /* numbers of its file */
} ns_machine_info;
NS_API ns_status ns_machine_describe(const ns_machine *machine, ns_machine_info *info, ns_error *err);

/* What ns_machine_load accepts to load it again: its file, or the name of a shipped machine. */
NS_API const char *ns_machine_handle(const ns_machine *machine);

/* Names of the shipped machines, closed by NULL. */
NS_API const char *const *ns_machine_names(void);

/* A parameter by path, or NULL. */
NS_API const ns_parameter *ns_machine_parameter(const ns_machine *machine, const char *path);

/* The index-th number of the file, in its order; NULL past the last. */
NS_API const ns_parameter *ns_machine_parameter_at(const ns_machine *machine, size_t index);

/* The value at a path: a parameter, or one of the reciprocals that formulas use: "...R_b" = 1/beta of its class and
 * "...R_N" = 1/inverse_R_N.  Both paths of a first size give the same number: "host.off-node.protocols.eager" is
 * "host.protocols.eager" where that locality has no sizes of its own, and "host.protocols.eager" is the size off node
 * where the memory has none for all localities.  *parameter (may be NULL) is what it was taken from.  False when the
 * machine lacks it. */
NS_API bool ns_machine_number(const ns_machine *machine, const char *path, double *value, ns_dim *dim,
                              const ns_parameter **parameter);

/* One class of messages: T = alpha + beta s for s from `from` bytes up to the next protocol. */
typedef struct ns_class_info {
    size_t size; /* of this struct, set by the caller */
    ns_protocol protocol;
    double alpha, beta;       /* s, s/B */
    double alpha_se, beta_se; /* standard errors, 0 where unknown */
    double from;              /* B, first size of the protocol */
    double to;                /* B, largest size it was fitted to; 0 where unknown */
} ns_class_info;
/* The class that a message of `bytes` bytes uses, by the first sizes of the protocols; NS_ERR_DATA when the machine has
 * no table for this memory and locality. */
NS_API ns_status ns_machine_class(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                                  ns_class_info *info, ns_error *err);

/* First size that travels by rendezvous off node in host memory, B; 0 when the machine has no such protocol. */
NS_API double ns_machine_rendezvous_from(const ns_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
