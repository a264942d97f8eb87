/* parameters.h -- the numbers of the machine that a run needs, and the models by name */
#ifndef NS_NETSPARSE_PARAMETERS_H
#define NS_NETSPARSE_PARAMETERS_H

#include "model/binding.h"
#include "netsparse/netsparse.h"

enum { NS_PATH_SWITCHES = 8 };

typedef struct ns_netsparse_parameters {
    const ns_machine *machine;
    double k, tiles, P; /* of one tile; properties above a cache line are sent in tiles, one pass each */
    int32_t clients;
    double f, rate, u, r, value;
    double delay, waits; /* s: a NIC's queue; all queues of a round trip */
    int64_t most_request, most_response;
    double entries;
    int32_t ways;
    double lone_header;           /* B, a request and a response that are each alone in a packet */
    double rtt[NS_PATH_SWITCHES]; /* s, zero load, by switches on the path */
} ns_netsparse_parameters;

ns_status ns_netsparse_read(const ns_machine *machine, double k, int32_t nodes, ns_netsparse_parameters *parameters,
                            ns_error *err);

/* Evaluate one model with some inputs given by name and the rest from the machine; read its outputs with
 * ns_netsparse_output. */
typedef struct ns_given_input {
    const char *name;
    double value;
} ns_given_input;
typedef struct ns_evaluated {
    const ns_model *model;
    ns_model_buffer out;
} ns_evaluated;
ns_status ns_netsparse_eval(const ns_machine *machine, const char *model, const ns_given_input *input, size_t inputs,
                            ns_evaluated *evaluated, ns_error *err);
double ns_netsparse_output(const ns_evaluated *evaluated, const char *name);

#define NS_NETSPARSE_EVAL(machine, model, evaluated, err, ...)                                                         \
    ns_netsparse_eval(machine, model, (const ns_given_input[]){__VA_ARGS__},                                           \
                      sizeof((const ns_given_input[]){__VA_ARGS__}) / sizeof(ns_given_input), evaluated, err)

#endif
