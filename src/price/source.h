/* source.h -- where the loads of processes come from: messages of a schedule, or sums that were made without one */
#ifndef NS_PRICE_SOURCE_H
#define NS_PRICE_SOURCE_H

#include "price/choice.h"

typedef struct ns_load_source ns_load_source;
struct ns_load_source {
    const ns_strategy *strategy;
    const ns_machine *machine;
    const ns_form *form;
    ns_memory memory;
    const ns_site *site; /* of the processes */
    int steps;
    int32_t holders;
    bool staged;                       /* the copies below are paid */
    int64_t copies[NS_DIRECTIONS];     /* how many */
    int64_t copy_bytes[NS_DIRECTIONS]; /* the most of one */
    /* What a node has in a step: node_out, node_in, alone and, of a whole form, node_on. */
    ns_status (*node)(const ns_load_source *source, int step, int32_t node, ns_load *load, ns_error *err);
    /* What a process has in a step, over what another had in it, or over nothing; *idle: nothing, and the rest is not
     * filled. */
    ns_status (*process)(const ns_load_source *source, int step, int32_t process, ns_load *load, bool *idle,
                         ns_error *err);
    /* Bytes that cross the busiest link. */
    double (*link_bytes)(const ns_load_source *source, int step);
};

/* The price of all that a source has.  values: what its form takes from its machine for its memory. */
ns_status ns_price_source(const ns_load_source *source, const ns_form_values *values, double confidence,
                          ns_price *price, ns_error *err);

/* Which process decides a step: the one that takes longest; and, where a floor hides what moves bytes, also the one that
 * takes longest without them.  The slower set of these decides the exchange. */
enum { NS_ALL_TOLD, NS_BUT_BYTES, NS_RACES };

static inline int ns_races_of(const ns_form_values *values)
{
    return values->hides ? NS_RACES : 1;
}

/* Of a load, the sum of whose terms is `seconds`, what counts in a race. */
static inline double ns_race_seconds(int race, double seconds, const ns_step_price *step)
{
    return race == NS_BUT_BYTES ? step->waits_s : seconds;
}

/* The same where the steps of the price are priced already; all else of it is 0.  waiting: the steps by the processes
 * that take longest but for their bytes, or NULL. */
ns_status ns_price_finish(const ns_load_source *source, const ns_form_values *values, double confidence,
                          ns_step_price *waiting, ns_price *price, ns_error *err);

/* How many terms a form has. */
int ns_form_terms(const ns_form *form);

/* Only its estimate_s, where the steps are priced: their processes, terms and bytes_s.  All else of it is 0. */
ns_status ns_price_add_up(const ns_load_source *source, const ns_form_values *values, ns_step_price *waiting,
                          ns_price *price, ns_error *err);

ns_status ns_refuse_no_table(const ns_machine *machine, ns_memory memory, ns_locality line, ns_error *err);

/* Sums by class, whole numbers: the same in any order of the messages. */
typedef struct ns_class_sum {
    int64_t messages, bytes;
} ns_class_sum;

static inline double ns_load_rendezvous(ns_class_load side[NS_LOCALITIES][NS_PROTOCOLS])
{
    double messages = 0;
    for (int l = 0; l < NS_LOCALITIES; l++)
        messages += side[l][NS_RENDEZVOUS].messages;
    return messages;
}

static inline double ns_load_off_node(ns_class_load side[NS_LOCALITIES][NS_PROTOCOLS])
{
    double bytes = 0;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        bytes += side[NS_OFF_NODE][p].bytes;
    return bytes;
}

/* What of a process' load follows from its messages by class and its node's bytes.  Both sides are filled. */
static inline void ns_load_complete(const ns_strategy *strategy, ns_load *load)
{
    load->handshakes = ns_load_rendezvous(load->out) + ns_load_rendezvous(load->in) > 0;
    if (strategy->node_aware) {
        load->bundled = load->alone ? 0 : ns_load_off_node(load->out) + ns_load_off_node(load->in);
        load->node_bundled = load->alone ? 0 : load->node_out + load->node_in;
    }
}

/* Bytes of a step that leave their node, and the same times their hops, in two parts so that it is exact. */
typedef struct ns_far {
    int64_t bytes, high, low;
} ns_far;

/* Side of the cube that nodes are numbered along. */
int32_t ns_cube_side(int32_t nodes);
void ns_far_add(ns_far *far, int32_t side, int32_t from_node, int32_t to_node, int64_t bytes);
double ns_far_link_bytes(const ns_far *far, int32_t nodes);

#endif
