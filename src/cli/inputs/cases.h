/* cases.h -- what predict and related commands compare: machines, layouts, the exchanges they make, prices */
#ifndef NS_CLI_CASES_H
#define NS_CLI_CASES_H

#include "cli/inputs/inputs.h"
#include "core/own.h"
#include "network/network.h"
#include "price/quote.h"
#include "strategy/ways.h"

/* Ways by groups of ranks that were tried in addition to a comparison's; ways is 0 where none was. */
enum { NS_SEARCHED = 16 };
typedef struct ns_searched {
    size_t ways;
    const ns_strategy *way[NS_SEARCHED], *fastest;
    ns_transport transport; /* of the fastest */
    double seconds;
} ns_searched;

/* One machine with its layouts and the exchanges they make. */
typedef struct ns_case {
    const ns_machine *machine;
    ns_exchange *exchange;
    ns_searched searched;  /* by ns_cases_search */
    ns_networked *network; /* its ways on a network; NULL: no network is requested */
} ns_case;

typedef struct ns_cases {
    const ns_args *args;
    bool all, named;  /* --all is given; --strategy or --transport is given */
    int32_t per_node;   /* 0: as many as the machine has */
    const char *option; /* the one of gpus, parts and nodes that is given, or NULL */
    int32_t *number;    /* its values */
    ns_inputs inputs;
    ns_machine **machine;
    size_t machines;
    const ns_strategy *wanted[NS_CHOICES], *in_use[NS_CHOICES];
    ns_made_ways made;
    ns_selection selection;
    ns_layout *layout;         /* [count], those of the first machine first */
    ns_case *of;               /* [count] */
    ns_comparison *comparison; /* [count] */
    ns_workspace *workspace;    /* of all comparisons */
    size_t count;
    int32_t left_out; /* the first of the default numbers for which there are parts without a row; 0: none */
    const ns_network_kind *network; /* --network, or NULL */
    ns_fabric **fabric;             /* [machines], or NULL */
    ns_selection messages;          /* with a network: the selection without ways that send no messages */
    bool wants_messages, wants_gather;
} ns_cases;

/* Options of every command that opens cases, in the order of its help. */
#define NS_OPTIONS_CASES                                                                                               \
    NS_OPTION_MACHINE, NS_OPTION_GPUS, NS_OPTION_PARTS, NS_OPTION_NODES,                                               \
    NS_OPTION_PER_NODE, NS_OPTION_PARTITION, NS_OPTION_WIDTH,                                                          \
        NS_OPTION_STRATEGY, NS_OPTION_TRANSPORT, NS_OPTION_INCUMBENT, NS_OPTION_MODEL, NS_OPTION_CONFIDENCE,           \
        NS_OPTION_CAP, NS_OPTION_SET
#define NS_OPTION_CAP {"cap", 0, "SIZE", NULL, "message cap of split [the first size that travels by rendezvous]"}
#define NS_OPTION_INCUMBENT                                                                                            \
    {"incumbent", 0, "STRATEGY/TRANSPORT", NULL, "what is in use today: how likely is a gain, and how large"}

/* --strategy and --transport into a selection that borrows wanted[NS_CHOICES] and made; made is NULL where ways with
 * groups or a grid are not supported. */
ns_status ns_selection_read(const ns_args *args, const ns_strategy **wanted, ns_made_ways *made,
                            ns_selection *selection, ns_error *err);

/* --incumbent, where it is given, into a selection that borrows list[NS_CHOICES]; by host where no transport is
 * given. */
ns_status ns_incumbent_read(const ns_args *args, const ns_strategy **list, ns_made_ways *made, ns_selection *selection,
                            ns_error *err);

/* *cases is allocated; free it with ns_cases_close (NULL is allowed). */
ns_status ns_cases_open(const ns_args *args, ns_cases **cases, ns_error *err);
/* Where no strategy is named: try ways by groups of ranks, and compare the fastest with the strategies where it gains
 * enough. */
ns_status ns_cases_search(ns_cases *cases, ns_error *err);
void ns_cases_close(ns_cases *cases);
NS_FREED_BY(ns_cases_close, ns_cases)

#define NS_OPTION_NETWORK                                                                                              \
    {"network", 0, "NAME", NULL, "other hardware: {networks}; rails carry the messages, or interfaces gather"}

/* Add "matrix" and "machine" to the result, and a line for each machine. */
void ns_cases_describe(const ns_cases *cases, ns_value *result);
/* "machine", and for several also "machines". */
void ns_machines_value(ns_machine *const *machine, size_t machines, ns_value *result);
/* Print to err notes on what the answer leaves out or depends on, and one for each --set that does not change it. */
void ns_cases_warn(const ns_cases *cases, FILE *err);

/* Print to err a note for each memory whose off-node table replaces the one inside a node: what looks more expensive as
 * a result. */
void ns_warn_inside(const ns_machine *machine, const char *dearer, FILE *err);

/* Parts of a node where no number is given: its GPUs, else its host processes. */
int32_t ns_machine_parts(const ns_machine *machine);

#endif
