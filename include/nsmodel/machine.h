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

/* Words for the above, in the order of the enums, closed by NULL: "on-socket", ...; "host", ...; "short", ...;
 * "d2h". */
NS_API extern const char *const ns_locality_words[];
NS_API extern const char *const ns_memory_words[];
NS_API extern const char *const ns_protocol_words[];
NS_API extern const char *const ns_direction_words[];

/* One class of messages: T = alpha + beta s for s from `from` bytes up to the next given protocol. */
typedef struct ns_line {
    bool given;
    double alpha, beta;       /* s, s/B */
    double alpha_se, beta_se; /* standard errors, 0 where unknown */
    double from;              /* B, first size of the protocol */
    double to;                /* B, largest size it was fitted to; 0 where unknown */
    double correlation;       /* of the errors of alpha and beta, -1 to 1; 0 where unknown */
} ns_line;

/* What messages of a whole exchange cost, many of them in flight at once and both ways: see the full form in
 * strategy.h. Not given: the ping-pong lines stand for it. */
typedef struct ns_exchange_line {
    bool given;                     /* any of the numbers below, but for the errors */
    double off_alpha, off_alpha_se; /* s, per message off node; 0 where not given */
    double inverse_R, inverse_R_se; /* s/B, of a node's off-node bytes out and in; 0 where not given */
    ns_line on[NS_LOCALITIES][NS_PROTOCOLS];
    double error, error_between; /* standard deviations of log2(predicted / measured); 0 where not calibrated */
} ns_exchange_line;

/* Copies between host and device when `processes` processes share one GPU. */
enum { NS_COPY_LEVELS = 4 };
typedef struct ns_copy_line {
    int processes;
    double alpha[NS_DIRECTIONS], beta[NS_DIRECTIONS];
    double alpha_se[NS_DIRECTIONS], beta_se[NS_DIRECTIONS];
    double correlation[NS_DIRECTIONS]; /* of the errors of alpha and beta */
} ns_copy_line;

typedef struct ns_parameter {
    const char *path; /* "host.off-node.eager.alpha" */
    double value;     /* SI */
    double se;        /* standard error, SI; 0 where unknown */
    ns_dim dim;
    const char *source;  /* where the number comes from */
    bool calibrated;     /* on whole exchanges, not measured by a benchmark of its own */
    const char *doc;     /* what it is */
    const char *inverse; /* last segment under which its reciprocal is known, "R_b"; NULL: none */
} ns_parameter;

typedef struct ns_machine {
    const char *name, *title, *source;
    const char *file;                  /* where it was read, or "embedded" */
    int sockets, gpus, host_processes; /* per node; gpus may be 0 */
    ns_line line[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS];
    ns_locality stands_for[NS_MEMORIES][NS_LOCALITIES]; /* whose table line[] holds: on socket and on node, the one that
                                             was measured stands for the other too, and off node for both */
    double inverse_R_N[NS_MEMORIES];                    /* s/B; 0 where the machine gives none: no injection limit */
    double inverse_R_N_se[NS_MEMORIES];
    int copy_levels;
    ns_copy_line copy[NS_COPY_LEVELS]; /* by rising number of processes */
    bool copy_total;                   /* a line's bytes are all that the processes copy together, not each one's */
    ns_exchange_line exchange[NS_MEMORIES];
    double queue_gamma;      /* s, queue search: gamma n^2; 0 where unknown */
    double contention_delta; /* s/B; 0 where unknown */
    double queue_gamma_se, contention_delta_se;
    const ns_parameter *parameter; /* every number of the file, in its order */
    size_t parameters;
    struct ns_machine_store *store; /* owns the strings and the parameters */
} ns_machine;

/* Load by name of a shipped machine ("lassen") or from a file, which wins.  *machine is allocated; free it with
 * ns_machine_free.  Errors point at file, line and column: wrong unit, unknown or duplicate key (the closest one is
 * offered), missing protocol, a negative or non-finite number. */
NS_API ns_status ns_machine_load(const char *name_or_file, ns_machine **machine, ns_error *err);

/* The same from text; origin stands for the file's name in messages. */
NS_API ns_status ns_machine_parse(const char *text, const char *origin, ns_machine **machine, ns_error *err);
NS_API void ns_machine_free(ns_machine *machine);

/* What-if: a copy of the machine with "PATH=VALUE" changed; its source says so. */
NS_API ns_status ns_machine_with(const ns_machine *machine, const char *assignment, ns_machine **changed,
                                 ns_error *err);

/* A copy of the machine with the constants of models that it lacks and the lender has (network interfaces, switches);
 * their sources say who lent them. */
NS_API ns_status ns_machine_lend(const ns_machine *machine, const ns_machine *lender, ns_machine **lent, ns_error *err);

/* Is a parameter assumed: does its source say so, by its first word? */
NS_API bool ns_parameter_assumed(const ns_parameter *parameter);

/* The shipped machine that is meant where none is named: Lassen with Spectrum MPI, fitted to its benchmarks. */
#define NS_MACHINE_DEFAULT "lassen-spectrum"

/* What ns_machine_load takes for it: its file, or the name of a shipped one. */
NS_API const char *ns_machine_handle(const ns_machine *machine);

/* Names of the shipped machines, closed by NULL. */
NS_API const char *const *ns_machine_names(void);

/* A parameter by path, or NULL. */
NS_API const ns_parameter *ns_machine_parameter(const ns_machine *machine, const char *path);

/* The value at a path: a parameter, or one of the reciprocals that formulas use: "...R_b" = 1/beta of its class and
 * "...R_N" = 1/inverse_R_N.  A first size has one meaning by either of its paths: "host.off-node.protocols.eager" is
 * "host.protocols.eager" where that locality has no sizes of its own, and "host.protocols.eager" is the size off node
 * where the memory has none for all localities.  *parameter (may be NULL) is what it was taken from.  False when the
 * machine lacks it. */
NS_API bool ns_machine_number(const ns_machine *machine, const char *path, double *value, ns_dim *dim,
                              const ns_parameter **parameter);

/* The class that a message of `bytes` bytes uses, by the first sizes of the protocols; NULL when the machine has no
 * table for this memory and locality.  *protocol (may be NULL) tells which. */
NS_API const ns_line *ns_machine_line(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                                      ns_protocol *protocol);

/* Where longer messages take less time: at `size` a later protocol takes over that is faster there, as fitted. */
typedef struct ns_machine_drop {
    ns_memory memory;
    ns_locality locality;
    ns_protocol from, to;
    bool in_flight; /* of messages of a whole exchange, not of a ping-pong */
    double size;    /* B */
    double before_s, after_s;
} ns_machine_drop;
/* The index-th of them; false past the last. */
NS_API bool ns_machine_drop_at(const ns_machine *machine, size_t index, ns_machine_drop *drop);

/* The copy parameters for `processes` processes a GPU: the largest level not above it, or NULL without copies. */
NS_API const ns_copy_line *ns_machine_copy(const ns_machine *machine, int processes);

/* First size that travels by rendezvous off node in host memory, B; 0 when the machine has no such protocol. */
NS_API double ns_machine_rendezvous_from(const ns_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
