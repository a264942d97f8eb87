/* machine.h -- a machine as used by models and prices: typed tables, and every number of its file */
#ifndef NS_MACHINE_MACHINE_H
#define NS_MACHINE_MACHINE_H

#include <nsmodel/machine.h>

/* Words for the enums above, in their order, closed by NULL: "on-socket", ...; "host", ...; "short", ...; "d2h". */
extern const char *const ns_locality_words[];
extern const char *const ns_memory_words[];
extern const char *const ns_protocol_words[];
extern const char *const ns_direction_words[];

/* One class of messages: T = alpha + beta s for s from `from` bytes up to the next given protocol. */
typedef struct ns_line {
    bool given;
    double alpha, beta;       /* s, s/B */
    double alpha_se, beta_se; /* standard errors, 0 if unknown */
    double from;              /* B, first size of the protocol */
    double to;                /* B, largest size it was fitted to; 0 if unknown */
} ns_line;

/* Measured whole exchanges against this machine's predictions: measured / predicted = ratio for a strategy, near this
 * number of messages and mean size. */
typedef struct ns_residual_point {
    const char *way; /* a strategy's name */
    double messages; /* of the slowest process, over all steps */
    double size;     /* B, their mean */
    double ln_ratio;
    double rows; /* measured exchanges that it represents, each weighted by its agreement with the others: at most 1 */
} ns_residual_point;
/* Correction of a strategy's predicted time that makes published rankings probable, for exchanges that send this many
 * bytes. */
typedef struct ns_way_ratio {
    const char *way;
    double ln_ratio;
    double from, to; /* B, of the slowest process, over all steps */
} ns_way_ratio;
/* The part of ln_ratio that applies to an exchange: all of it from `from` to `to`, and less with each doubling
 * outside. */
double ns_way_ratio_shift(const ns_way_ratio *ratio, double bytes);
typedef struct ns_residual {
    double width; /* doublings of messages and of size over which a point influences others */
    double prior; /* weight, in rows, of the prior that the prediction is right */
    size_t points, ratios;
    const ns_residual_point *point;
    const ns_way_ratio *ratio;
} ns_residual;
/* ln(time / predicted) of an exchange, by the points and ratios; 0 without any.  core/smooth.h */
double ns_residual_shift(const ns_residual *residual, const char *way, double messages, double bytes);

/* Copies between host and device when `processes` processes share one GPU. */
enum { NS_COPY_LEVELS = 4 };
typedef struct ns_copy_line {
    int processes;
    double alpha[NS_DIRECTIONS], beta[NS_DIRECTIONS];
    double alpha_se[NS_DIRECTIONS], beta_se[NS_DIRECTIONS];
    double correlation[NS_DIRECTIONS]; /* of the errors of alpha and beta */
    /* A copy below wait_below[] waits for the other processes: it takes at least wait[]. */
    double wait[NS_DIRECTIONS], wait_below[NS_DIRECTIONS]; /* s, B; 0 where no copy waits */
} ns_copy_line;

struct ns_machine {
    const char *name, *title, *source;
    const char *file;                  /* where it was read, or "embedded" */
    int sockets, gpus, host_processes; /* per node; gpus may be 0 */
    ns_line line[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS];
    /* The same for a whole exchange, with many messages in flight and in both directions; if not given, `line` is
     * used. */
    ns_line in_flight[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS];
    ns_locality stands_for[NS_MEMORIES][NS_LOCALITIES]; /* the locality whose table line[] holds: for on socket and on
                                                           node, the measured one stands in for the other, and off node
                                                           for both */
    double inverse_R_N[NS_MEMORIES];                    /* s/B; 0 where the machine gives none: no injection limit */
    int copy_levels;
    ns_copy_line copy[NS_COPY_LEVELS]; /* by rising number of processes */
    bool copy_total;                   /* a line's bytes are the total over the processes, not those of each */
    const char *rule[NS_MEMORIES]; /* "standard/host": the rule of choice.rule_loss; NULL: none */
    const char *ways[NS_MEMORIES]; /* "standard three-step": strategies that choice.kappa is from; NULL: unknown */
    ns_residual residual[NS_MEMORIES];
    double contention_delta; /* s/B; 0 if unknown */
    const ns_parameter *parameter; /* every number of the file, in its order */
    size_t parameters;
    struct ns_machine_store *store; /* owns the strings and the parameters */
    struct ns_form_values *taken;   /* [NS_MEMORIES] parameters of the form taken by default (form.h); or NULL */
};

/* The class for a message of `bytes` bytes, by the first sizes of the protocols; NULL when the machine has no table for
 * this memory and locality.  *protocol (may be NULL) is set to its protocol. */
const ns_line *ns_machine_line(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                               ns_protocol *protocol);

/* Warnings recorded by nsmodel fit when it made the file, by index; NULL past the last. */
const char *ns_machine_warning(const ns_machine *machine, size_t index);

/* A drop in the times: at `size` a later protocol begins that is faster there, as fitted. */
typedef struct ns_machine_drop {
    ns_memory memory;
    ns_locality locality;
    ns_protocol from, to;
    bool in_flight; /* of messages in a whole exchange, not of a ping-pong */
    double size;    /* B */
    double before_s, after_s;
} ns_machine_drop;
/* The index-th drop; false past the last. */
bool ns_machine_drop_at(const ns_machine *machine, size_t index, ns_machine_drop *drop);

/* The copy parameters for `processes` processes per GPU: the largest level not above it, or NULL without copies. */
const ns_copy_line *ns_machine_copy(const ns_machine *machine, int processes);

/* B, the message cap of split: models.split.cap if the machine has it, else the first size sent by rendezvous; 0:
 * none. */
double ns_machine_message_cap(const ns_machine *machine);

#endif
