/* test_rig_batch.c -- bounds, batches and units of remote indexed gathers against Tables 5, 7 and 8 of [NS] */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "Z=1438631 Q=43159 k=16 h=54.2456B b=32768 rtt_eff=8.1us", "b_low", 31000, 0.016,
     "[NS] Table 7, arabic: b* = 31000"},
    {"netsparse", "Z=1438631 Q=43159 k=16 h=54.2456B b=32768 rtt_eff=6.1us share=0.7247", "utilisation_exposed",
     0.6465955465, 1e-9, "[NS] Table 7, arabic: commands exposed; .65 is printed"},
    {"netsparse", "Z=1438631 Q=43159 k=16 h=54.2456B b=32768 rtt_eff=6.1us share=0.7247", "utilisation", 0.7247, 1e-9,
     "[NS] Table 7, arabic: commands hidden; .65 is printed"},
    {"netsparse", "Z=151828 Q=139682 k=16 h=59.1111B b=8192 rtt_eff=8.1us", "b_low", 1800, 0.028,
     "[NS] Table 7, europe: b* = 1800"},
    {"netsparse", "Z=151828 Q=139682 k=16 h=59.1111B b=8192 rtt_eff=8.1us", "b_high", 9500, 0.0053,
     "[NS] Table 7, europe: Z/Uc"},
    {"netsparse", "Z=151828 Q=139682 k=16 h=59.1111B b=8192 rtt_eff=6.1us share=0.8056", "utilisation_exposed",
     0.6193281918, 1e-9, "[NS] Table 7, europe: commands exposed; .70 is printed"},
    {"netsparse", "Z=151828 Q=139682 k=16 h=59.1111B b=8192 rtt_eff=6.1us share=0.8056", "utilisation", 0.6274426754,
     1e-9, "[NS] Table 7, europe: commands hidden; .70 is printed"},
    {"netsparse", "Z=1190821 Q=59541 k=16 h=41.3061B b=32768 rtt_eff=8.1us", "b_low", 23000, 0.022,
     "[NS] Table 7, queen: b* = 23000"},
    {"netsparse", "Z=1190821 Q=59541 k=16 h=41.3061B b=32768 rtt_eff=6.1us share=0.6439", "utilisation_exposed",
     0.5583026366, 1e-9, "[NS] Table 7, queen: commands exposed; .66 is printed"},
    {"netsparse", "Z=1190821 Q=59541 k=16 h=41.3061B b=32768 rtt_eff=6.1us share=0.6439", "utilisation", 0.5956472005,
     1e-9, "[NS] Table 7, queen: commands hidden; .66 is printed"},
    {"netsparse", "Z=3938244 Q=393824 k=16 h=44.5950B b=32768 rtt_eff=8.1us", "b_low", 30000, 0.017,
     "[NS] Table 7, stokes: b* = 30000"},
    {"netsparse", "Z=3938244 Q=393824 k=16 h=44.5950B b=32768 rtt_eff=6.1us share=0.6934", "utilisation_exposed",
     0.6681735855, 1e-9, "[NS] Table 7, stokes: commands exposed; .64 is printed"},
    {"netsparse", "Z=3938244 Q=393824 k=16 h=44.5950B b=32768 rtt_eff=6.1us share=0.6934", "utilisation", 0.6934, 1e-9,
     "[NS] Table 7, stokes: commands hidden; .64 is printed"},
    {"netsparse", "Z=104859 Q=40895 k=16 h=42.1176B b=8192 rtt_eff=8.1us", "b_low", 2500, 0.020,
     "[NS] Table 7, uk: b* = 2500"},
    {"netsparse", "Z=104859 Q=40895 k=16 h=42.1176B b=8192 rtt_eff=8.1us", "b_high", 6600, 0.0076,
     "[NS] Table 7, uk: Z/Uc"},
    {"netsparse", "Z=104859 Q=40895 k=16 h=42.1176B b=8192 rtt_eff=6.1us share=0.7911", "utilisation_exposed",
     0.7487851626, 1e-9, "[NS] Table 7, uk: commands exposed; .50 is printed"},
    {"netsparse", "Z=104859 Q=40895 k=16 h=42.1176B b=8192 rtt_eff=6.1us share=0.7911", "utilisation", 0.7911, 1e-9,
     "[NS] Table 7, uk: commands hidden; .50 is printed"},
    {"netsparse", "Z=5.0e6 Q=1 k=1 h=0B b=32768 t_pcie=0ns rtt=1ps", "generate", 142e-6, 0.001,
     "5.0 M nonzeros a node through 16 clients: 142 us, more than arabic's whole 132 us at K = 1, so Z counts remote "
     "entries"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=59.1B b=8192 rtt_eff=8.1us", "rate_cap", 16 * 256 / 8.1e-6, NEAR,
     "Little's law: 505.7 M requests/s"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=59.1B b=8192", "command", 6.2e-6, NEAR, "4 x 200 ns + 5.4 us"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=59.1B b=8192 rtt=2.4us", "command", 3.2e-6, NEAR, "inside a rack"},
    {"netsparse", "Z=5e6 Q=1 k=1 h=0B b=32768", "generate", 5e6 / 16 / 2.2e9 + 5e6 / 16 * 6.2e-6 / 32768, NEAR,
     "5.0 M indices through 16 clients"},
    {"netsparse", "Z=5e6 Q=1 k=1 h=0B b=1e9 t_pcie=0ns rtt=1ps", "generate", 5e6 / 2.2e9, 1e-6,
     "one batch feeds one unit alone"},
    {"netsparse", "Z=0 Q=0 k=1 h=0B b=8192", "hidden", 0, 0, "nothing to do"},
    {"netsparse", "Z=4 Q=4 k=16 h=60B b=1", "b_high", 1, 0, "4 indices for 16 clients: no command has less than one"},
    {"netsparse", "Z=4 Q=4 k=1e6 h=60B b=1", "b_low", 1, 0, "the same, where the line takes longer than commands"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=60B b=2200 failure=0.25 watchdog=30us", "retried", 7.2e-6 + (30e-6 + 7.2e-6) / 3,
     1e-12, "[NS] Section 7: E = t + p/(1 - p) (t_w + t), t = 6.2 us + 2200/2.2 GHz"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=60B b=2200", "retried", 7.2e-6, 1e-12, "no loss, no retry"},
    {"netsparse", "Z=10 Q=11 k=1 h=0B", NULL, 0, 0, "11 requests of 10 indices: filtering adds none"},
    {"netsparse", "Z=1 Q=1 k=1 h=0B b=0", NULL, 0, 0, "b has to be at least 1"},
    {"netsparse", "Z=1 Q=1 k=1 h=0B rate=0GB/s", NULL, 0, 0, "rate has to be more than"},
    {"netsparse", "Z=1 Q=1 k=1 h=0B failure=1", NULL, 0, 0, "failure has to be"},
    {"netsparse", "Z=1 Q=1 k=0 h=0B", NULL, 0, 0, "k has to be more than 0"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=59.1111B b=8192 rtt_eff=6.1us", "saturating_units", 19.4, 0.0103,
     "europe: 9.7 clients fill the line at RTT_eff 6.1 us; [NS] Figure 16 stops gaining at 32 units"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=41.3061B b=32768 rtt_eff=6.1us", "saturating_units", 22.6, 0.0088,
     "queen: 11.3 clients fill the line at RTT_eff 6.1 us; [NS] Figure 16 stops gaining at 32 units"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=59.1111B b=8192 rtt_eff=8.1us", "saturating_units", 25.8, 0.0078,
     "europe: 12.9 clients fill the line at RTT_eff 8.1 us; [NS] Figure 16 stops gaining at 32 units"},
    {"netsparse", "Z=1e6 Q=1e5 k=16 h=41.3061B b=32768 rtt_eff=8.1us", "saturating_units", 30.0, 0.0067,
     "queen: 15.0 clients fill the line at RTT_eff 8.1 us; [NS] Figure 16 stops gaining at 32 units"},
    /* By hand, each from its term. command: t_host + 4 t_pcie + RTT; line: Q (P + h)/B; generate: Z/(Ua
     * f) and commands; pending: Q RTT_eff/(Ua E); tail: the last round beyond the pace of all units; hidden: the
     * largest, and the tail; exposed: commands beside it; utilisation: T_line over it; utilisation_exposed: T_line
     * over it; active: min(Uc, ceil(Z/b));
     * b_low: Z/Uc sqrt(2 c/T_line); b_high: Z/Uc; saturating_units: 2 Q RTT_eff/(T_line E); rate_cap: Uc
     * E/RTT_eff; retried: p/(1 - p) times more. */
    {NULL,
     "Z=10000 Q=4000 k=3 h=40B b=300 units=9 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us "
     "value=8B failure=0.25 watchdog=50us",
     "command=4.8e-06 line=5.12e-05 generate=4.1250000000000007e-05 pending=0.00024999999999999995 "
     "tail=1.9999999999999944e-05 hidden=0.0002699999999999999 exposed=0.0003099999999999999 "
     "utilisation=0.1896296296296297 utilisation_exposed=0.1651612903225807 active=4 b_low=1082.5317547305483 "
     "b_high=2500 saturating_units=39.06249999999999 rate_cap=16000000.000000002 retried=2.3266666666666665e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "Z=500 Q=500 k=3000 h=40B b=300 units=9 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us "
     "value=8B failure=0.25 watchdog=50us",
     "command=4.8e-06 line=0.002404 generate=4.9249999999999994e-06 pending=6.249999999999999e-05 tail=0 "
     "hidden=0.002404 exposed=0.0024088 utilisation=1.0 utilisation_exposed=0.9980073065426768 active=2 "
     "b_low=7.899114295639356 b_high=125 saturating_units=0.10399334442595673 rate_cap=16000000.000000002 "
     "retried=2.3266666666666665e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "Z=10000 Q=0 k=3 h=40B b=300 units=9 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us value=8B "
     "failure=0.25 watchdog=50us",
     "command=4.8e-06 line=0 generate=4.1250000000000007e-05 pending=0 tail=1.000000000000001e-07 "
     "hidden=4.135000000000001e-05 exposed=4.135000000000001e-05 utilisation=0 utilisation_exposed=0 active=4 "
     "b_low=2500 b_high=2500 saturating_units=0 rate_cap=16000000.000000002 retried=2.3266666666666665e-05",
     0, 1e-12, "by hand"},
    {NULL, "Z=700 Q=30 k=3 h=40B b=300 units=9 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us value=8B",
     "command=4.8e-06 line=3.84e-07 generate=4.9166666666666665e-06 pending=1.5e-06 tail=4.2857142857142846e-07 "
     "hidden=5.345238095238095e-06 exposed=6.728571428571428e-06 utilisation=0.07183964365256125 "
     "utilisation_exposed=0.057070063694267516 active=3 b_low=175 b_high=175 saturating_units=23.437500000000004 "
     "rate_cap=26666666.666666664 retried=4.95e-06",
     0, 1e-12, "by hand"},
    {NULL,
     "Z=0 Q=0 k=3 h=40B b=300 units=9 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us value=8B "
     "failure=0.25 watchdog=50us",
     "command=4.8e-06 line=0 generate=0 pending=0 tail=0 hidden=0 exposed=0 utilisation=0 utilisation_exposed=0 "
     "active=0 b_low=1 b_high=1 saturating_units=0 rate_cap=16000000.000000002 retried=2.3266666666666665e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "Z=100000 Q=60000 k=3 h=40B b=5000 units=9 E=1 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us "
     "value=8B failure=0.25 watchdog=50us",
     "command=4.8e-06 line=0.000768 generate=3.65e-05 pending=0.075 tail=0 hidden=0.075 exposed=0.075024 "
     "utilisation=0.01024 utilisation_exposed=0.010236724248240564 active=4 b_low=2795.084971874737 b_high=25000 "
     "saturating_units=781.25 rate_cap=800000.0000000001 retried=2.6399999999999998e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "Z=10000 Q=4000 k=3 h=40B b=300 units=2 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us "
     "value=8B",
     "rate_cap", 4e6, 1e-12, "one client unit: 20 requests in 5 us"},
    {NULL,
     "Z=10000 Q=4000 k=3 h=40B b=300 units=1.9 E=20 f=2GHz rate=5GB/s t_host=1us t_pcie=200ns rtt=3us rtt_eff=5us "
     "value=8B",
     NULL, 0, 0, "units has to be at least 2, got 1.9"},
};

MODEL_ROWS("rig-batch", rows)
