/* node_aware.h -- the sub-models (4.1) to (4.5) of [NA] on a machine's tables, shared by the models
 *
 * All pure.  Times in seconds, sizes in bytes.  A step without messages costs nothing and reads no table.
 */
#ifndef NS_MACHINE_NODE_AWARE_H
#define NS_MACHINE_NODE_AWARE_H

#include "machine/model.h"

/* The tables that a formula reads. */
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

/* The participants when a node's data is spread over its processes. */
typedef struct ns_spread {
    double processes, sockets; /* per node */
    double used;               /* processes that send off node, u */
    double parts;              /* GPUs per node, G; needed for even data only */
    double ppg;                /* host processes per GPU */
    bool even;                 /* every GPU holds its share; else one GPU holds everything */
} ns_spread;

/* (4.2) with u processes, messages of s bytes each.  Worst case: u/ppg - 1 messages, the nearest first, so that u =
 * all processes is the printed form.  Even data: ceil(u/(G ppg)) - 1 messages, none of which leaves its socket. */
ns_status ns_node_aware_spread(const ns_tables *tables, const ns_spread *spread, double s, ns_on_time *time,
                               ns_error *err);

/* (4.3): m messages, s bytes of one process over all of them, s_node bytes of its node; (4.4) if the machine has no
 * injection limit for this memory. */
ns_status ns_node_aware_off(const ns_tables *tables, double m, double s, double s_node, ns_off_time *time,
                            ns_error *err);

/* (4.5): sent data is copied device to host, received data host to device. */
ns_status ns_node_aware_copy(const ns_machine *machine, double processes, double s_send, double s_recv,
                             ns_copy_time *time, ns_error *err);

/* The time of the copies of a staged strategy; 0 on a machine without GPUs.  printed: (4.5) literally, with H2D for
 * sent data. */
ns_status ns_node_aware_staging(const ns_machine *machine, double processes, double s_send, double s_recv, bool printed,
                                double *time, ns_error *err);

/* Form of a published formula, for a word input. */
enum { NS_FORM_CORRECTED, NS_FORM_PRINTED };
extern const char *const ns_form_words[];

#endif
