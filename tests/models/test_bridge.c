/* test_bridge.c -- rows of bridge with where they come from */
#include "../support/model_rows.h"

#define BY_HAND_1 "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=25kB f=10kB"
#define BY_HAND_3                                                                                                      \
    "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=25kB f=10kB mode=store-and-forward"
static const model_row rows[] = {
    {NULL,
     "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us "
     "s=100kB f=10kB mode=store-and-forward",
     "time", 3.600000000000001e-05, 1e-12, "both fabrics in a row, by hand"},
    {NULL, "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=100kB f=10kB", "time", 3.6e-05, 1e-12,
     "ten pieces at the pace of the slower fabric, by hand"},
    {NULL, "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=5kB f=10kB", "time",
     7.499999999999999e-06, 1e-12, "shorter than a piece: one piece"},
    {NULL, "alpha_1=0us beta_1=0ns/B alpha_2=0us beta_2=0ns/B s=1kB f=1kB", NULL, 0, 0, "takes no time"},
    {NULL, "alpha_1=2us beta_1=0.1ns/B alpha_2=3us beta_2=0.2ns/B gateway=1us s=1kB f=0B", NULL, 0, 0,
     "f has to be more than 0"},
    /* By hand, each from its term. first_fabric: a_1 + b_1 f or whole; gateway: g or a gateway that is not given
     * takes no time; second_fabric: the last piece is half a piece or whole; pipeline: 2 (b_2 f + g) or the first
     * fabric is the slower one or one piece; time: the sum; bandwidth: s/T. */
    {NULL, BY_HAND_1,
     "first_fabric=3e-06 gateway=1e-06 second_fabric=4e-06 pipeline=6e-06 time=1.4e-05 bandwidth=1785714285.7142859", 0,
     1e-12, "by hand"},
    {NULL, "alpha_1=2us beta_1=0.3ns/B alpha_2=3us beta_2=0.2ns/B s=25kB f=10kB",
     "gateway=0 pipeline=6e-06 time=1.4999999999999999e-05", 0, 1e-12, "by hand"},
    {NULL, BY_HAND_1 " buffers=1", "pace", 7e-6, 1e-12, "1 + 1 + 3 + 2 us: a piece leaves before the next comes"},
    {NULL, BY_HAND_1 " buffers=1", "time", 2.2e-05, 1e-12, "two more pieces at that pace"},
    {NULL, BY_HAND_1 " buffers=2", "pace", 3.5e-6, 1e-12, "two on the way at a time"},
    {NULL, BY_HAND_1 " buffers=3", "time", 1.4e-05, 1e-12, "enough: the pace of the slower fabric"},
    {NULL, BY_HAND_1, "buffers_wanted", 3, 0, "7 us over 3 us"},
    {NULL, BY_HAND_1 " mtu=1500B header=500B", "headers", 12500, 0, "25 packets of 1000 B"},
    {NULL, BY_HAND_1 " mtu=1500B header=500B", "time", 1.65e-05, 1e-12, "b_2 for half as many bytes again"},
    {NULL, BY_HAND_1 " mtu=1500B header=300B", "headers", 23 * 300, 0,
     "9, 9 and 5 packets: the last of a piece is not full"},
    {NULL, BY_HAND_1 " mtu=1500B", "headers", 0, 0, "headers that are not given are none"},
    {NULL, BY_HAND_1 " mtu=500B header=500B", NULL, 0, 0, "header has to be less than mtu"},
    {NULL, BY_HAND_3 " buffers=1", "time", 1.35e-05, 1e-12, "whole: buffers of pieces are not used"},
    {NULL, BY_HAND_3, "first_fabric=4.5e-06 second_fabric=8e-06 pipeline=0", 0, 1e-12, "by hand"},
    {NULL, BY_HAND_3, "buffers_wanted", 1, 0, "the one that the message is in"},
};

MODEL_ROWS("bridge", rows)
