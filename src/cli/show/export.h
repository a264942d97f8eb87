/* export.h -- a machine as another tool takes it */
#ifndef NS_CLI_EXPORT_H
#define NS_CLI_EXPORT_H

#include "core/value.h"
#include "machine/machine.h"

#include <stdio.h>

/* Which share of a message's start-up is whose. */
typedef struct ns_start_up {
    const char *name;
    double sender, receiver, network;
} ns_start_up;

enum { NS_START_UPS = 4 };
extern const ns_start_up ns_start_ups[NS_START_UPS];
/* Their names, closed by NULL. */
extern const char *const ns_start_up_words[];

/* What a platform of SimGrid is made of. */
typedef struct ns_platform {
    const ns_machine *machine;
    int nodes, per_node, sockets; /* sockets over which the processes of a node are spread */
    const ns_start_up *start_up;
    double
        inverse_R[NS_LOCALITIES];  /* s/B of a node's link, or of its memory, for all bytes of the locality; 0: none */
    double fastest[NS_LOCALITIES]; /* s/B, of the protocols' */
    double detached;               /* B, first size whose transfer waits for the receiver */
} ns_platform;

ns_status ns_platform_make(const ns_machine *machine, int nodes, int per_node, const ns_start_up *start_up,
                           ns_platform *platform, ns_error *err);

/* The C++ source of a library that smpirun takes as its platform; and the same in XML, for what XML can say. */
void ns_platform_library(const ns_platform *platform, FILE *out);
void ns_platform_xml(const ns_platform *platform, FILE *out);
/* What the two lose, a note a line; xml: of the XML. */
void ns_platform_losses(const ns_platform *platform, bool xml, ns_value *result);

/* Which algorithm of a collective Open MPI's coll_tuned should take. */
typedef enum ns_tuned_collective { NS_TUNED_ALLREDUCE, NS_TUNED_ALLTOALL, NS_TUNED_COLLECTIVES } ns_tuned_collective;
typedef struct ns_tuned_rule {
    ns_tuned_collective of;
    int32_t ranks;         /* of a communicator, or more */
    int64_t from;          /* B: of an allreduce its operand, of an alltoall all that a rank sends */
    const char *algorithm; /* the model's word */
    int tuned;             /* coll_tuned's number */
} ns_tuned_rule;

typedef struct ns_tuned {
    const ns_machine *machine;
    double gamma;        /* s/B, of an allreduce */
    int per_node;        /* ranks of a node, of an alltoall */
    ns_tuned_rule *rule; /* by collective, ranks, then from */
    size_t rules, room;
} ns_tuned;

/* Free with ns_tuned_free. */
ns_status ns_tuned_make(const ns_machine *machine, double gamma, int per_node, const int32_t *ranks, size_t count,
                        ns_tuned *tuned, ns_error *err);
void ns_tuned_free(ns_tuned *tuned);
void ns_tuned_write(const ns_tuned *tuned, FILE *out);
void ns_tuned_value(const ns_tuned *tuned, ns_value *result);

#endif
