/* export.h -- a machine in the form that another tool reads */
#ifndef NS_CLI_EXPORT_H
#define NS_CLI_EXPORT_H

#include "core/value.h"
#include "machine/machine.h"

#include <stdio.h>

/* How a message's start-up is divided between the two sides. */
typedef struct ns_start_up {
    const char *name;
    double sender, receiver, network;
} ns_start_up;

enum { NS_START_UPS = 4 };
extern const ns_start_up ns_start_ups[NS_START_UPS];
/* Their names, closed by NULL. */
extern const char *const ns_start_up_words[];

/* The numbers of a SimGrid platform. */
typedef struct ns_platform {
    const ns_machine *machine;
    int nodes, per_node, sockets; /* number of sockets over which the processes of a node are distributed */
    const ns_start_up *start_up;
    double
        inverse_R[NS_LOCALITIES];  /* s/B of a node's link, or of its memory, for all bytes of the locality; 0: none */
    double fastest[NS_LOCALITIES]; /* s/B, of the protocols */
    double detached;               /* B, first size whose transfer waits for the receiver */
} ns_platform;

ns_status ns_platform_make(const ns_machine *machine, int nodes, int per_node, const ns_start_up *start_up,
                           ns_platform *platform, ns_error *err);

/* The C++ source of a library that smpirun reads as its platform; and the same in XML, as far as XML can express it. */
void ns_platform_library(const ns_platform *platform, FILE *out);
void ns_platform_xml(const ns_platform *platform, FILE *out);
/* What the two formats lose, one note per line; xml: for the XML. */
void ns_platform_losses(const ns_platform *platform, bool xml, ns_value *result);

/* The algorithm that Open MPI's coll_tuned should use for a collective. */
typedef enum ns_tuned_collective { NS_TUNED_ALLREDUCE, NS_TUNED_ALLTOALL, NS_TUNED_COLLECTIVES } ns_tuned_collective;
typedef struct ns_tuned_rule {
    ns_tuned_collective of;
    int32_t ranks;         /* of communicators of this size or larger */
    int64_t from;          /* B: for an allreduce its operand, for an alltoall all that a rank sends */
    const char *algorithm; /* the model's name */
    int tuned;             /* coll_tuned's number */
} ns_tuned_rule;

typedef struct ns_tuned {
    const ns_machine *machine;
    double gamma;        /* s/B, for an allreduce */
    int per_node;        /* ranks per node, for an alltoall */
    ns_tuned_rule *rule; /* sorted by collective, ranks, then from */
    size_t rules, room;
} ns_tuned;

/* Free with ns_tuned_free. */
ns_status ns_tuned_make(const ns_machine *machine, double gamma, int per_node, const int32_t *ranks, size_t count,
                        ns_tuned *tuned, ns_error *err);
void ns_tuned_free(ns_tuned *tuned);
void ns_tuned_write(const ns_tuned *tuned, FILE *out);
void ns_tuned_value(const ns_tuned *tuned, ns_value *result);

#endif
