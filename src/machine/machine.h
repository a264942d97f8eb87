/* machine.h -- a machine as models and prices read it: typed tables, and every number of its file */
#ifndef NS_MACHINE_MACHINE_H
#define NS_MACHINE_MACHINE_H

#include <nsmodel/machine.h>

/* Words for the above, in the order of the enums, closed by NULL: "on-socket", ...; "host", ...; "short", ...;
 * "d2h". */
extern const char *const ns_locality_words[];
extern const char *const ns_memory_words[];
extern const char *const ns_protocol_words[];
extern const char *const ns_direction_words[];

/* One class of messages: T = alpha + beta s for s from `from` bytes up to the next given protocol. */
typedef struct ns_line {
    bool given;
    double alpha, beta;       /* s, s/B */
    double alpha_se, beta_se; /* standard errors, 0 where unknown */
    double from;              /* B, first size of the protocol */
    double to;                /* B, largest size it was fitted to; 0 where unknown */
} ns_line;

/* What whole exchanges of this machine took beside what it predicts: measured / predicted = ratio for messages and
 * their mean size near these, done in a way. */
typedef struct ns_residual_point {
    const char *way; /* a strategy's name */
    double messages; /* of the process that decides, over all steps */
    double size;     /* B, their mean */
    double ln_ratio;
    double rows; /* measured exchanges that it stands for, each as far as it agrees with the others: at most 1 */
} ns_residual_point;
/* The time of a way / what is predicted that makes published rankings probable, whose exchanges send so many bytes. */
typedef struct ns_way_ratio {
    const char *way;
    double ln_ratio;
    double from, to; /* B, of the process that decides, over all steps */
} ns_way_ratio;
/* What is left of ln_ratio for an exchange: all of it from `from` to `to`, and less with each doubling beyond. */
double ns_way_ratio_shift(const ns_way_ratio *ratio, double bytes);
typedef struct ns_residual {
    double width; /* doublings of messages and of size over which a point counts for others */
    double prior; /* rows that stand against it, saying that the prediction is right */
    size_t points, ratios;
    const ns_residual_point *point;
    const ns_way_ratio *ratio;
} ns_residual;
/* ln(time / predicted) that points and ratios tell of an exchange; 0 without any.  core/smooth.h */
double ns_residual_shift(const ns_residual *residual, const char *way, double messages, double bytes);

/* Copies between host and device when `processes` processes share one GPU. */
enum { NS_COPY_LEVELS = 4 };
typedef struct ns_copy_line {
    int processes;
    double alpha[NS_DIRECTIONS], beta[NS_DIRECTIONS];
    double alpha_se[NS_DIRECTIONS], beta_se[NS_DIRECTIONS];
    double correlation[NS_DIRECTIONS]; /* of the errors of alpha and beta */
    /* A copy below wait_below[] waits until the other processes had their turn: it takes wait[] at least. */
    double wait[NS_DIRECTIONS], wait_below[NS_DIRECTIONS]; /* s, B; 0 where no copy waits */
} ns_copy_line;

struct ns_machine {
    const char *name, *title, *source;
    const char *file;                  /* where it was read, or "embedded" */
    int sockets, gpus, host_processes; /* per node; gpus may be 0 */
    ns_line line[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS];
    /* The same of a whole exchange, many messages in flight at once and both ways; not given: line stands for it. */
    ns_line in_flight[NS_MEMORIES][NS_LOCALITIES][NS_PROTOCOLS];
    ns_locality stands_for[NS_MEMORIES][NS_LOCALITIES]; /* whose table line[] holds: on socket and on node, the one that
                                             was measured stands for the other too, and off node for both */
    double inverse_R_N[NS_MEMORIES];                    /* s/B; 0 where the machine gives none: no injection limit */
    int copy_levels;
    ns_copy_line copy[NS_COPY_LEVELS]; /* by rising number of processes */
    bool copy_total;                   /* a line's bytes are all that the processes copy together, not each one's */
    const char *rule[NS_MEMORIES]; /* "standard/host": what choice.rule_loss is of; NULL: nothing */
    const char *ways[NS_MEMORIES]; /* "standard three-step": what choice.kappa was learnt of; NULL: not said */
    ns_residual residual[NS_MEMORIES];
    double contention_delta; /* s/B; 0 where unknown */
    const ns_parameter *parameter; /* every number of the file, in its order */
    size_t parameters;
    struct ns_machine_store *store; /* owns the strings and the parameters */
    struct ns_form_values *taken;   /* [NS_MEMORIES] what the form that is taken unasked has of it (form.h); or NULL */
};

/* The class that a message of `bytes` bytes uses, by the first sizes of the protocols; NULL when the machine has no
 * table for this memory and locality.  *protocol (may be NULL) tells which. */
const ns_line *ns_machine_line(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                               ns_protocol *protocol);

/* What nsmodel fit warned of when it made the file, by index; NULL past the last. */
const char *ns_machine_warning(const ns_machine *machine, size_t index);

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
bool ns_machine_drop_at(const ns_machine *machine, size_t index, ns_machine_drop *drop);

/* The copy parameters for `processes` processes a GPU: the largest level not above it, or NULL without copies. */
const ns_copy_line *ns_machine_copy(const ns_machine *machine, int processes);

/* B, the message cap of split: models.split.cap where the machine has it, else the first size that travels by
 * rendezvous; 0: there is none. */
double ns_machine_message_cap(const ns_machine *machine);

#endif
