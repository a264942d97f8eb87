/* inputs.h -- the exchange that a command line describes: a matrix, perhaps partitioned, or planned messages */
#ifndef NS_CLI_INPUTS_H
#define NS_CLI_INPUTS_H

#include "cli/front/command.h"

/* Option rows that several commands share. */
#define NS_OPTION_MATRIX                                                                                               \
    {"matrix", 0, "M", NULL,                                                                                           \
     "a .mtx, .mtx.gz, .nsp or SuiteSparse .tar.gz file, a stencil (stencil9:3200x3200) or a name"}
#define NS_OPTION_MACHINE                                                                                              \
    {"machine", 0, "NAME|FILE,...", NS_MACHINE_DEFAULT, "machine or machine file; several with commas"}
#define NS_OPTION_MESSAGES {"messages", 0, "FILE.csv|alltoall:BYTES", NULL, "planned messages instead of a matrix"}
/* The description of its value, for the manual. */
#define NS_ABOUT_MESSAGES                                                                                              \
    "Planned messages are rows of src,dst,bytes; alltoall:BYTES is that many bytes from every part to every other."
#define NS_OPTION_GPUS {"gpus", 'n', "LIST", "8,16,32,64,128,256", "numbers of GPUs (parts): 8,16,32 or 8:256:x2"}
#define NS_OPTION_PARTS {"parts", 'p', "LIST", NULL, "the same, for machines without GPUs"}
#define NS_OPTION_NODES {"nodes", 0, "LIST", NULL, "numbers of nodes, each full: --per-node parts on it"}
#define NS_OPTION_PER_NODE {"per-node", 0, "G", NULL, "parts per node [the machine's GPUs, or host processes]"}
#define NS_OPTION_STRATEGY {"strategy", 0, "LIST", NULL, "{strategies} [all]"}
#define NS_OPTION_TRANSPORT {"transport", 0, "LIST", NULL, "of {transports} [all that the machine has]"}
#define NS_OPTION_PARTITION {"partition", 0, "FILE", NULL, "part number of each row, as METIS writes"}
#define NS_OPTION_WIDTH {"width", 0, "SIZE", "8B", "bytes per vector entry"}
#define NS_OPTION_MEMORY                                                                                               \
    {"max-memory", 0, "SIZE", NULL,                                                                                    \
     "refuse to use more memory than this [half of what the machine, cgroups and ulimit -v allow]"}
#define NS_OPTION_WORK {"max-work", 0, "N", "2e11", "refuse to pass more than N entries, rows and routes together"}
#define NS_OPTION_MODEL                                                                                                \
    {"model", 0, "FORM", "auto",                                                                                       \
     "cost function: {forms}; auto is full, or direct for dense exchanges where many pairs slow nobody"}
#define NS_OPTION_CONFIDENCE {"confidence", 0, "P", "0.9", "of the intervals, between 0 and 1"}
#define NS_OPTION_SET                                                                                                  \
    {"set", 0, "PATH=VALUE", NULL, "what-if: change a machine parameter; may be repeated", .repeats = true}

enum { NS_PARTS_MOST = 1 << 24 }; /* the most parts that a command line may request */

/* Makes the exchanges of a matrix as ns_exchange_from_matrix does, with several processes. */
typedef struct ns_exchange_maker {
    ns_status (*make)(void *context, ns_matrix *matrix, const ns_layout *layout, size_t layouts,
                      const ns_exchange_options *options, ns_exchange **exchange, int64_t *nonzeros, ns_error *err);
    void *context;
} ns_exchange_maker;

typedef struct ns_inputs {
    ns_matrix *matrix;      /* or NULL, then messages */
    int32_t *part;          /* or NULL */
    int32_t parts;          /* of the partition or the messages; 0 when not fixed */
    ns_planned *message;
    size_t messages;
    int64_t to_all;         /* B, instead of messages: from every part to every other; 0: not used */
    int64_t width;
    ns_limits limits;
    bool groups;            /* exchanges keep what ways by groups of ranks need */
    int64_t nonzeros;       /* after ns_inputs_exchanges */
    struct ns_progress *progress; /* or NULL */
    const ns_exchange_maker *maker; /* or NULL */
} ns_inputs;

/* --max-memory and --max-work. */
ns_status ns_limits_read(const ns_args *args, ns_limits *limits, ns_error *err);

/* Refuse more equal parts than a matrix has rows, as requested by --OPTION NUMBER: some parts would be empty. */
ns_status ns_inputs_check_rows(const ns_inputs *inputs, const char *option, int32_t number, int32_t parts,
                               ns_error *err);

ns_status ns_inputs_open(const ns_args *args, ns_inputs *inputs, ns_error *err);
ns_status ns_inputs_exchanges(ns_inputs *inputs, const ns_layout *layout, size_t layouts, ns_netsparse_view *view,
                              int32_t rack, ns_exchange **exchange, ns_error *err);
/* The graph of this many parts, of a matrix or of individual messages. */
ns_status ns_inputs_graph(ns_inputs *inputs, int32_t parts, ns_graph **graph, ns_error *err);
void ns_inputs_close(ns_inputs *inputs);

/* A share of 1, above 0 and below 1: "0.9" or "90%". */
ns_status ns_part_read(const ns_args *args, const char *name, double *part, ns_error *err);

/* --model and --confidence. */
ns_status ns_price_options_read(const ns_args *args, ns_price_options *options, ns_error *err);

/* Lines above a table: what was read and how it was partitioned. */
/* A matrix's note, and how to get the real one; returns text. */
enum { NS_MATRIX_NOTE = 1024 };
const char *ns_matrix_note(const ns_matrix_info *info, char *text, size_t size);

void ns_inputs_describe(const ns_inputs *inputs, ns_value *result);
/* Add the pattern's counts as members of an object. */
void ns_pattern_value(const ns_pattern *pattern, ns_value *object);

/* Add the view that gathering uses and, where wanted, its distribution over nodes. */
void ns_view_value(const ns_netsparse_view *view, bool spread, ns_value *object);

/* Does the machine have the parameter of a PATH=VALUE? */
bool ns_machine_has(const ns_machine *machine, const char *assignment);
/* Replace *machine by one with a PATH=VALUE changed; on failure it is unchanged. */
ns_status ns_machine_set(ns_machine **machine, const char *assignment, ns_error *err);
/* One machine by name or file, with --set applied. */
ns_status ns_machine_open(const ns_args *args, const char *name, ns_machine **machine, ns_error *err);
/* --machine with every --set applied, or all except the one of index `but`; free with ns_machines_close. */
enum { NS_EVERY_SET = -1 };
ns_status ns_machines_open(const ns_args *args, int but, ns_machine ***machine, size_t *machines, ns_error *err);
/* The only machine of --machine with --set applied, for a command that takes one. */
ns_status ns_machine_only(const ns_args *args, ns_machine **machine, ns_error *err);
/* The machine of a command for which it is optional: NULL, or the default machine, where none is named. */
ns_status ns_machine_if_named(const ns_args *args, bool usual, ns_machine **machine, ns_error *err);
void ns_machines_close(ns_machine **machine, size_t machines);

/* Which of gpus, parts and nodes is given, or NULL; more than one is an error. */
ns_status ns_parts_option(const ns_args *args, const char **option, ns_error *err);
/* The number that it gives, converted to parts with per_node on each node. */
ns_status ns_parts_of(const char *option, int32_t number, int32_t per_node, int32_t *parts, ns_error *err);

#endif
