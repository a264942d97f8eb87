/* node_aware.h -- the sub-models (4.1) to (4.5) of [NA] on a machine's tables, once for every model that uses them
 *
 * All pure.  Times in seconds, sizes in bytes.  A step without messages costs nothing and reads no table.
 */
#ifndef NS_MACHINE_NODE_AWARE_H
#define NS_MACHINE_NODE_AWARE_H

#include "machine/model.h"

/* Which tables a formula reads. */
typedef struct ns_tables {
    const ns_machine *machine;
    int memory;   /* an ns_memory */
    int protocol; /* an ns_protocol, or -1: that of each message's size */
} ns_tables;

typedef struct ns_on_time {
    double on_socket, on_node;
} ns_on_time;

typedef struct ns_off_time {
    double startup, transfer;
} ns_off_time;

typedef struct ns_copy_time {
    double d2h, h2d;
} ns_copy_time;

/* (4.1): one of `parts` GPUs exchanges s bytes with each other GPU of its node. */
ns_status ns_node_aware_on(const ns_tables *tables, double parts, double sockets, double s, ns_on_time *time,
                           ns_error *err);

/* Who takes part when a node's data is spread over its processes. */
typedef struct ns_spread {
    double processes, sockets; /* of the node */
    double used;               /* processes that send off node, u */
    double parts;              /* GPUs of the node, G; needed by even data only */
    double ppg;                /* host processes per GPU */
    bool even;                 /* every GPU holds its share; else one GPU holds all */
} ns_spread;

/* (4.2) with u processes, messages of s bytes each.  Worst case: u/ppg - 1 messages, the nearest first, so that u = all
 * processes is the printed form.  Even data: ceil(u/(G ppg)) - 1 messages, none leaves its socket. */
ns_status ns_node_aware_spread(const ns_tables *tables, const ns_spread *spread, double s, ns_on_time *time,
                               ns_error *err);

/* (4.3): m messages, s bytes of one process over all of them, s_node bytes of its node; (4.4) where the machine gives
 * this memory no injection limit. */
ns_status ns_node_aware_off(const ns_tables *tables, double m, double s, double s_node, ns_off_time *time,
                            ns_error *err);

/* (4.5): what is sent is copied device to host, what is received host to device. */
ns_status ns_node_aware_copy(const ns_machine *machine, double processes, double s_send, double s_recv,
                             ns_copy_time *time, ns_error *err);

/* The copies of a staged strategy as one number: nothing on a machine without GPUs.  printed: (4.5) to the letter, H2D
 * for what is sent. */
ns_status ns_node_aware_staging(const ns_machine *machine, double processes, double s_send, double s_recv, bool printed,
                                double *time, ns_error *err);

/* Form of a published formula: a word input over these. */
enum { NS_FORM_CORRECTED, NS_FORM_PRINTED };
extern const char *const ns_form_words[];

#endif
