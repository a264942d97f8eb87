/* network.h -- the same exchange on other network hardware
 *
 * A network is the hardware of a paper, identified by name: its numbers are in a shipped machine file.  Combined with a
 * machine, it changes what the messages of the strategies cost there (rails), or gathers on its own what the rows of
 * each node need, which is one more way in addition to the strategies: in-network-gather, by the NIC.
 */
#ifndef NS_NETWORK_NETWORK_H
#define NS_NETWORK_NETWORK_H

#include "netsparse/netsparse.h"
#include "price/quote.h"

typedef enum ns_network_effect {
    NS_NETWORK_CARRIES, /* messages of all strategies use it */
    NS_NETWORK_GATHERS  /* its interfaces gather; messages use the machine's own network */
} ns_network_effect;

/* A number of the hardware, and its source: "paper", "fitted" by us to what a paper prints, "assumed" where no source
 * gives it, or "machine". */
typedef struct ns_network_number {
    const char *path, *of;
} ns_network_number;

typedef struct ns_network_kind {
    const char *name, *title, *source;
    const char *hardware; /* the shipped machine that contains its numbers */
    ns_network_effect effect;
    ns_topology topology;             /* for networks that gather */
    const ns_network_number *numbers; /* its parameters; closed by a path of NULL */
    const char *const *assumed;       /* assumptions without a source, a sentence each; closed by NULL */
} ns_network_kind;

/* All networks; closed by a name of NULL. */
extern const ns_network_kind ns_network_kinds[];
/* By name; an unknown name is an error that offers the closest. */
ns_status ns_network_kind_get(const char *name, const ns_network_kind **kind, ns_error *err);

/* The way of interfaces that gather.  It emits what is left to the processes of a node; its transport is NS_VIA_NIC. */
extern const ns_strategy ns_strategy_in_network_gather;

/* A network combined with a machine. */
typedef struct ns_fabric {
    const ns_network_kind *kind;
    ns_machine *hardware;      /* its numbers; the rate of a node's link is the machine's, where kind gathers */
    const ns_machine *machine; /* what messages cost on it: the machine itself, borrowed, where kind gathers */
    ns_machine *changed;       /* for a kind that carries: a copy of the machine; else NULL */
    const ns_parameter *link;  /* the machine's number that gives the link's rate, or NULL: the network's own */
} ns_fabric;

/* Combine a network with a machine.  hardware: its numbers, or NULL for those of its machine file; own_link: its link
 * has its own rate even where it gathers.  form: as in ns_price_options.  The machine is borrowed.  Free the result
 * with ns_fabric_free (NULL is allowed). */
ns_status ns_fabric_open(const ns_network_kind *kind, const ns_machine *hardware, bool own_link,
                                const ns_machine *machine, const ns_form *form, ns_fabric **fabric, ns_error *err);
void ns_fabric_free(ns_fabric *fabric);
/* Number of cards of a node, and the rate of one, B/s. */
ns_status ns_fabric_rails(const ns_machine *hardware, double *rails, double *rate, ns_error *err);

/* The cost of gathering in one exchange. */
typedef struct ns_gathering {
    int32_t nodes;
    double k;                    /* values per column, of 4 B as in [NS] or as in the hardware's file */
    double rate;                 /* B/s, of a node's link, in each direction */
    double network_s;            /* with commands exposed: this time is priced */
    double network_best_s;       /* with commands hidden */
    double inside_s;             /* left to the processes of a node, copies included */
    ns_transport inside;         /* which of the two transports they use */
    double error;                /* standard deviation of log2(predicted / measured) of network_s */
    const char *error_source;    /* where the error was learnt */
    ns_netsparse_result *result; /* NULL on one node */
} ns_gathering;

/* One exchange on a fabric: its ways, and the data behind those that the machine alone does not explain. */
typedef struct ns_networked {
    const ns_fabric *fabric;
    ns_machine *striped[NS_CHOICES]; /* of each choice: the machine whose long messages are striped, or NULL */
    int gather;                      /* index of the choice that gathers, or -1 */
    ns_gathering gathering;
} ns_networked;

typedef struct ns_network_request {
    const ns_exchange *exchange;
    ns_matrix *matrix;      /* the matrix of the exchange; NULL for planned messages, which nothing gathers */
    const int32_t *part;    /* of each row, or NULL for equal blocks */
    int64_t max_memory;     /* B, 0 for no limit */
    bool messages, gathers; /* which ways are wanted */
    void (*watch)(void *watcher, double counted, double nodes);
    void *watcher;
} ns_network_request;

/* Price every way of an exchange: the selection's strategies on fabric->machine, then what the network gathers.  The
 * belief is the machine's for strategies alone; with a way of the network it is limited to what the error of the
 * network and of the strategies' form allow.  fabric, exchange and matrix are borrowed.  Free the result with
 * ns_networked_free (NULL is allowed). */
ns_status ns_network_compare(const ns_fabric *fabric, const ns_network_request *request,
                                    const ns_selection *selection, ns_workspace *workspace, ns_comparison *comparison,
                                    ns_networked **networked, ns_error *err);
void ns_networked_free(ns_networked *networked);

/* ---- allreduce --------------------------------------------------------------------------------------------------- */

typedef struct ns_allreduce_request {
    const ns_machine *machine;
    double bytes; /* of each process' operand */
    int32_t nodes, per_node;
    const ns_selection *selection; /* only its price and incumbents are used */
} ns_allreduce_request;

enum { NS_ALLREDUCE_NOTE = 240 };
/* A way that cannot be priced, and why. */
typedef struct ns_allreduce_refused {
    const ns_strategy *way;
    ns_transport transport;
    char why[NS_ALLREDUCE_NOTE];
} ns_allreduce_refused;

typedef struct ns_allreduce_answer {
    bool in_network[NS_CHOICES];              /* of each choice */
    char note[NS_CHOICES][NS_ALLREDUCE_NOTE]; /* of each choice: the source of its numbers, and what is out of range */
    int refused;
    ns_allreduce_refused refusal[NS_CHOICES];
} ns_allreduce_answer;

/* Ways of an allreduce by name, for ns_selection.incumbent; an unknown name is an error that offers the closest. */
ns_status ns_allreduce_way_get(const char *name, const ns_strategy **way, ns_error *err);
/* The ways whose models are available: hosts by each algorithm and memory, switches, interfaces.  Hardware that the
 * machine lacks is taken from the paper's file, with a note. */
ns_status ns_allreduce_compare(const ns_allreduce_request *request, ns_comparison *comparison,
                                      ns_allreduce_answer *answer, ns_error *err);

/* The machine that priced a choice. */
const ns_machine *ns_networked_machine(const ns_networked *networked, int choice);

/* ---- alltoall.c -------------------------------------------------------------------------------------------------- */

/* An alltoall of the given bytes per pair, where ranks fill nodes of per_node: seconds by each algorithm, host
 * memory. */
enum { NS_LINEAR, NS_PAIRWISE, NS_MODIFIED_BRUCK, NS_ALLTOALLS };
extern const char *const ns_alltoall_words[];
ns_status ns_alltoall_times(const ns_machine *machine, int32_t ranks, int32_t per_node, double bytes,
                            double seconds[NS_ALLTOALLS], ns_error *err);

#endif
