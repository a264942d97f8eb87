/* test_concat.c -- requests per packet against Tables 4, 5, 7 and 8 of [NS] */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128", "most_request", 79.0, 0, "(1500 - 64)/18"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 u_cap=52B", "most_request", 80.0, 0, "(1500 - 52)/18"},
    {"netsparse", "lambda=275MHz d64=7.43 k=1 nodes=128", "most_response", 65.0, 0, "(1500 - 64)/22"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128", "most_response", 17.0, 0, "(1500 - 64)/82"},
    {"netsparse", "lambda=275MHz d64=7.43 k=128 nodes=128", "most_response", 2.0, 0, "(1500 - 64)/530"},
    {"netsparse", "lambda=55.75MHz d64=7.43 k=128 nodes=128 mtu=1GB", "n_apart", 1.79, 0.005,
     "europe NIC K = 128: 1.79 (Table 8 implies 1.81), cap aside"},
    {"netsparse", "lambda=275.3MHz d64=7.43 k=16 nodes=128 mtu=1GB", "n_apart", 3.03, 0.005,
     "europe NIC K = 16: 3.03 (2.66)"},
    {"netsparse", "lambda=509MHz d64=7.43 k=1 nodes=128 mtu=1GB", "n_apart", 3.78, 0.005,
     "europe NIC K = 1: 3.78 (3.25)"},
    {"netsparse", "lambda=267MHz d64=2.51 k=16 nodes=128 mtu=1GB", "n_apart", 3.81, 0.005,
     "arabic NIC K = 16: 3.81 (3.84)"},
    {"netsparse", "lambda=0Hz d64=2 k=16 nodes=128", "n_apart", 1.0, 0, "nothing to wait for"},
    {"netsparse", "lambda=1GHz d64=2 k=16 nodes=128 cycles=0", "n_apart", 1.0, 0, "no delay"},
    {"netsparse", "lambda=1THz d64=1 k=16 nodes=2", "n_beside", 2 / (1 / 79.0 + 1 / 17.0), 1e-9,
     "full packets both ways"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128", "rtt_eff", 5.4e-6 + 1000 / 2.2e9 + 4 * 125 / 2e9 + 2e-6, 1e-12,
     "two NICs, four ToR passes, queueing: 8.1 us"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 queueing=0us", "rtt_eff", 6.1e-6, 0.002,
     "zero load and delays"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 queueing=0us n=4.5", "best_cycles", 3300.0, 0.01,
     "best delay at K = 16, n = 4.5: RTT_eff 10.1 us"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 queueing=0us", "worst_cycles", 8000.0, 0.01,
     "worse than no concatenation past RTT 16.7 us"},
    {"netsparse", "lambda=500MHz d64=7.43 k=1 nodes=128 n=4.5 queueing=3us", "best_cycles", 0, 0,
     "at K = 1 the pending tables bind at any delay"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 rack_share=0.88", "switch_gain", 0.88 * 16 * 275e6 * 125 / 2e9 / 112, 1e-12,
     "lam_rack D_s/(N - 16)"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=16 rack_share=1", "switch_gain", 0, 0,
     "one rack: nothing leaves it"},
    {"netsparse", "lambda=1GHz d64=2 k=16 nodes=128 mtu=81B", NULL, 0, 0, "mtu is 81 B"},
    {"netsparse", "lambda=1GHz d64=2 k=16 nodes=128 mtu=100B", NULL, 0, 0, "for one response"},
    {"netsparse", "lambda=1GHz d64=2 k=1024 nodes=128", NULL, 0, 0, "for one response"},
    {"netsparse", "lambda=1GHz d64=65 k=16 nodes=128", NULL, 0, 0, "d64 has to be"},
    {"netsparse", "lambda=1GHz d64=2 k=16 nodes=0", NULL, 0, 0, "nodes has to be"},
    {"netsparse", "lambda=1GHz d64=2 k=16 nodes=8 rate=0GB/s", NULL, 0, 0, "rate has to be more than"},
    {"netsparse", "lambda=275.1MHz d64=2.51 k=16 nodes=128 mtu=1GB rack_share=1", "n_apart", 6.3, 0.05,
     "arabic with switches: 6.3 (Table 7: 5.7)"},
    {"netsparse", "lambda=285.4MHz d64=7.43 k=16 nodes=128 mtu=1GB rack_share=1", "n_apart", 5.6, 0.05,
     "europe with switches: 5.6 (Table 7: 4.5)"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("concat", rows);
}
