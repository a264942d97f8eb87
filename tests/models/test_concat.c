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
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128", "rtt_eff", 5.4e-6 + 1000 / 2.2e9 + 4 * 125 / 2e9, 1e-12,
     "two NICs, four ToR passes: 6.1 us"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128", "rtt_eff", 6.1e-6, 0.002, "zero load and delays"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 n=4.5", "best_cycles", 3300.0, 0.01,
     "best delay at K = 16, n = 4.5: RTT_eff 10.1 us"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128", "worst_cycles", 8000.0, 0.01,
     "worse than no concatenation past RTT 16.7 us"},
    {"netsparse", "lambda=500MHz d64=7.43 k=1 nodes=128 n=4.5 rtt=8.4us", "best_cycles", 0, 0,
     "at K = 1 the pending tables bind at any delay"},
    {"netsparse", "lambda=275MHz d64=7.43 k=16 nodes=128 rack_share=0.88", "switch_gain",
     0.88 * 16 * 275e6 * 125 / 2e9 / 112, 1e-12, "lam_rack D_s/(N - 16)"},
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
    {"netsparse", "lambda=313.4MHz d64=1 k=16 nodes=128 rack_share=1", "n_apart", 8.3, 0.02,
     "queen with switches, units far apart: 8.3 (Table 7: 19.6)"},
    {"netsparse", "lambda=313.4MHz d64=1 k=16 nodes=128 rack_share=1", "n_beside", 28.0, 0.1,
     "queen with switches, units side by side: 28 (Table 7: 19.6)"},
    {"netsparse", "lambda=295.1MHz d64=1.85 k=16 nodes=128 rack_share=1", "n_apart", 7.0, 0.02,
     "stokes with switches, units far apart: 7.0 (Table 7: 12.1)"},
    {"netsparse", "lambda=295.1MHz d64=1.85 k=16 nodes=128 rack_share=1", "n_beside", 26.0, 0.1,
     "stokes with switches, units side by side: 26 (Table 7: 12.1)"},
    {"netsparse", "lambda=235.6MHz d64=5.61 k=16 nodes=128 rack_share=1", "n_apart", 5.1, 0.02,
     "uk with switches, units far apart: 5.1 (Table 7: 17)"},
    {"netsparse", "lambda=235.6MHz d64=5.61 k=16 nodes=128 rack_share=1", "n_beside", 13.0, 0.1,
     "uk with switches, units side by side: 13 (Table 7: 17)"},
    /* By hand, each from its term. most_request: (MTU - u_cap)/r; most_response: (MTU - u_cap)/(r + P); window:
     * lam D; n_apart: 2/(1/n_req + 1/n_rsp); n_beside: 2/(1/n_req + 1/n_rsp); h_apart: 2 (r + u/n); h_beside: 2 (r
     * + u/n); switch_gain: lam_rack D_s/(N - rack); rtt_eff: RTT + 2 D + 4 D_s; best_cycles: RTT_eff =
     * Uc E (P + h)/B; worst_cycles: one request a packet. */
    {NULL,
     "lambda=50MHz d64=8 k=3 nodes=40 rack=8 rack_share=0.5 units=6 cycles=900 f=3GHz switch_cycles=200 f_switch=2GHz "
     "E=100 rate=2GB/s rtt=3us mtu=500B u_cap=60B u=50B r=18B value=8B",
     "most_request=24 most_response=10 window=15 n_apart=3.8605526019251832 n_beside=5.484328406805394 "
     "h_apart=61.903027444861635 h_beside=54.233773140921315 switch_gain=0.625 rtt_eff=4e-06 "
     "best_cycles=8473.246385767923 worst_cycles=17999.999999999996",
     0, 1e-12, "by hand"},
    {NULL,
     "lambda=5MHz d64=8 k=3 nodes=40 rack=8 units=7 cycles=900 f=3GHz switch_cycles=200 f_switch=2GHz E=100 rate=2GB/s "
     "rtt=3us mtu=500B u_cap=60B u=50B r=18B value=8B n=4",
     "most_request=24 most_response=10 window=1.5 n_apart=1.4999999999104792 n_beside=2.2247444835309564 "
     "h_apart=102.66666667064537 h_beside=80.9489821146953 switch_gain=0 rtt_eff=4e-06 best_cycles=8357.142857142857 "
     "worst_cycles=17999.999999999996",
     0, 1e-12, "by hand"},
    {NULL,
     "lambda=500MHz d64=40 k=3 nodes=4 rack=1 rack_share=1 units=4 cycles=900 f=3GHz switch_cycles=200 f_switch=2GHz "
     "E=100 rate=2GB/s rtt=3us mtu=500B u_cap=60B u=50B r=18B value=8B n=1",
     "most_request=24 most_response=10 window=150 n_apart=14.117647058773983 n_beside=14.117647058773983 "
     "h_apart=43.08333333335819 h_beside=43.08333333335819 switch_gain=16.666666666666668 rtt_eff=4e-06 "
     "best_cycles=11142.857142857141 worst_cycles=11142.857142857141",
     0, 1e-12, "by hand"},
};

MODEL_ROWS("concat", rows)
