/* test_protocol_limits.c -- rows of protocol-limits with where they come from */
#include "../support/model_rows.h"

/* By hand: short and eager cross at 1000, 1500 and, off node, 3200 B; eager and rendezvous at 20000, 16000 and 9000 B.
 * */
#define SHORT                                                                                                          \
    "alpha_short_socket=1us beta_short_socket=3ns/B alpha_short_node=2us beta_short_node=3ns/B "                       \
    "alpha_short_off=3us beta_short_off=2ns/B "
#define EAGER(beta_socket, alpha_off)                                                                                  \
    "alpha_eager_socket=3us beta_eager_socket=" beta_socket " alpha_eager_node=5us beta_eager_node=1ns/B "             \
    "alpha_eager_off=" alpha_off " beta_eager_off=1ns/B "
#define LONG(beta)                                                                                                     \
    "alpha_rendezvous_socket=13us beta_rendezvous_socket=" beta " alpha_rendezvous_node=13us "                         \
    "beta_rendezvous_node=" beta " alpha_rendezvous_off=10.7us beta_rendezvous_off=" beta
#define ALL SHORT EAGER("1ns/B", "6.2us") LONG("0.5ns/B")
static const model_row rows[] = {
    {"lassen", "", "eager", 252.1, 0.001, "[NA] Table 2: on node, (1.17 - .925) us / (1.19 - .218) ns/B"},
    {"lassen", "", "rendezvous", 17770, 0.0005, "[NA] Table 2: off node, (7.76 - 2.44) us / (.379 - .0797) ns/B"},
    {NULL, ALL, "eager", 1000, 1e-12, "2 us / 2 ns/B on a socket, 3 us / 2 ns/B on a node"},
    {NULL, ALL, "rendezvous", 9000, 1e-12, "4.5 us / .5 ns/B off node"},
    {NULL, SHORT EAGER("4ns/B", "6.2us") LONG("0.5ns/B"), "eager", 1500, 1e-12, "no gain on a socket: the node's"},
    {NULL, SHORT EAGER("1ns/B", "2us") LONG("0.5ns/B"), "eager", 0, 0, "faster at every size off node"},
    {NULL, SHORT EAGER("1ns/B", "6.2us") LONG("1ns/B"), NULL, 0, 0, "a later protocol has to take less time per byte"},
};

MODEL_ROWS("protocol-limits", rows)
