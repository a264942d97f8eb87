/* test_netsparse_network.c -- paths and links of the three networks of [NS] Section 9.6 */
#include "netsparse/netsparse.h"
#include "support/test.h"

/* Mean and most inter-switch hops over pairs of different nodes of 128. */
TEST(hops)
{
    static const struct {
        ns_topology topology;
        double mean;
        int most;
    } expected[] = {{NS_LEAF_SPINE, 1.76, 2}, {NS_HYPERX, 2.02, 3}};
    for (int i = 0; i < 2; i++) {
        const ns_network network = {expected[i].topology, 128, 16};
        double sum = 0;
        int most = 0;
        for (int32_t a = 0; a < 128; a++)
            for (int32_t b = 0; b < 128; b++) {
                int32_t h[NS_LINK_CLASSES];
                const int switches = ns_network_path(&network, a, b, h);
                ck_assert_int_eq(switches - 1, h[0] + h[1] + h[2]);
                sum += a != b ? switches - 1 : 0;
                most = switches - 1 > most ? switches - 1 : most;
            }
        ck_assert_msg(fabs(sum / (128 * 127) - expected[i].mean) < 0.005, "mean %g", sum / (128 * 127));
        ck_assert_int_eq(most, expected[i].most);
    }
}

TEST(dragonfly)
{
    const ns_network network = {NS_DRAGONFLY, 128, 16};
    double links[NS_LINK_CLASSES];
    int most = 0;
    for (int32_t a = 0; a < 128; a++)
        for (int32_t b = 0; b < 128; b++) {
            int32_t there[NS_LINK_CLASSES], back[NS_LINK_CLASSES];
            ck_assert_int_eq(ns_network_path(&network, a, b, there), ns_network_path(&network, b, a, back));
            ck_assert_int_eq(there[1], a / 32 != b / 32);
            most = there[0] + there[1] > most ? there[0] + there[1] : most;
        }
    ck_assert_int_eq(most, 3);
    ns_network_links(&network, links);
    ck_assert(links[0] == 32 * 7 && links[1] == 4 * 3 * 4 && links[2] == 0);
}

TEST_TIMEOUT(300)
