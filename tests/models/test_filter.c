/* test_filter.c -- filtering: limits, the uniform form, Table 8's identity */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "Z=1000 unique=100 rtt_eff=0us T=100us", "issued", 100.0, NEAR,
     "a short round trip leaves the unique columns"},
    {"netsparse", "Z=1000 unique=100 rtt_eff=1s T=100us", "issued", 1000.0, NEAR, "a long one leaves every touch"},
    {"netsparse", "Z=400 unique=100 rtt_eff=10us T=100us", "issued", 100 * (1 + 4 * 0.1 - 1e-4), 1e-12,
     "1 + r x - x^r, r = 4, x = 0.1"},
    {"netsparse", "Z=100 unique=100 rtt_eff=10us T=100us", "issued", 100.0, 1e-12, "one touch a column"},
    {"netsparse", "Z=400 unique=100 rtt_eff=10us T=100us", "removed_most", 0.75, NEAR, "1 - unique/Z"},
    {"netsparse", "Z=400 unique=100 pairs=150 rtt_eff=10us T=100us", "most", 150.0, 0, "(unit, column) pairs"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us columns=1.28e11", "filter_bytes", 16e9, NEAR,
     "[NS] Section 5.2: 16 GB hold 1.3e11 columns"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=3.1 after=34.6", "removed_measured", 0.9100, 0.00056,
     "[NS] Table 8, arabic RIG to Coalesce, K = 1: 91.0 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=5.3 after=118.5", "removed_measured", 0.9550, 0.00053,
     "[NS] Table 8, arabic RIG to Coalesce, K = 16: 95.5 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=8.5 after=279.9", "removed_measured", 0.9700, 0.00053,
     "[NS] Table 8, arabic RIG to Coalesce, K = 128: 97.0 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=8.8 after=9.6", "removed_measured", 0.0830, 0.0061,
     "[NS] Table 8, europe RIG to Coalesce, K = 1: 8.3 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=99.1 after=108.7", "removed_measured", 0.0880, 0.0058,
     "[NS] Table 8, europe RIG to Coalesce, K = 16: 8.8 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=248.0 after=272.1", "removed_measured", 0.0890, 0.0057,
     "[NS] Table 8, europe RIG to Coalesce, K = 128: 8.9 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=3.1 after=17.4", "removed_measured", 0.8220, 0.00062,
     "[NS] Table 8, arabic RIG to Filter, K = 1: 82.2 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=5.3 after=63.2", "removed_measured", 0.9160, 0.00056,
     "[NS] Table 8, arabic RIG to Filter, K = 16: 91.6 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=8.5 after=109.0", "removed_measured", 0.9220, 0.00055,
     "[NS] Table 8, arabic RIG to Filter, K = 128: 92.2 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=8.8 after=8.9", "removed_measured", 0.0110, 0.046,
     "[NS] Table 8, europe RIG to Filter, K = 1: 1.1 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=99.1 after=100.8", "removed_measured", 0.0170, 0.03,
     "[NS] Table 8, europe RIG to Filter, K = 16: 1.7 %"},
    {"netsparse", "Z=1 unique=1 rtt_eff=0us T=1us before=248.0 after=252.2", "removed_measured", 0.0170, 0.03,
     "[NS] Table 8, europe RIG to Filter, K = 128: 1.7 %"},
    {"netsparse", "Z=100 unique=0 rtt_eff=0us T=1us", NULL, 0, 0, "no unique column among 100 indices"},
    {"netsparse", "Z=1 unique=0 rtt_eff=0us T=1us", NULL, 0, 0, "no unique column among 1 indices"},
    {"netsparse", "Z=10 unique=20 rtt_eff=0us T=1us", NULL, 0, 0, "each is at most the next"},
    {"netsparse", "Z=10 unique=2 rtt_eff=0us T=0us", NULL, 0, 0, "T has to be more than"},
    /* By hand, each from its term. touches: Z/unique or nobody touches anything; x: RTT_eff/T or at most 1;
     * issued: 100 (1 + 0.4 - 1e-4) or nothing asked; least: unique; most: pairs; removed: 1 - issued/Z or nothing
     * to remove; removed_most: 1 - unique/Z or nothing to remove; filter_bytes: 24 x 2 bit or no columns given;
     * removed_measured: 1 - 3/4 or nothing given: 1 - 0/1. */
    {NULL, "Z=400 unique=100 pairs=150 rtt_eff=10us T=100us columns=24 bit=2bit before=3 after=4",
     "touches=4 x=0.1 issued=139.99 least=100 most=150 removed=0.650025 removed_most=0.75 filter_bytes=6 "
     "removed_measured=0.25",
     0, 1e-12, "by hand"},
    {NULL, "Z=0 unique=0 rtt_eff=300us T=100us bit=1bit",
     "touches=0 x=1 removed=0 removed_most=0 issued=0 filter_bytes=0 removed_measured=1", 0, 1e-12, "by hand"},
};

MODEL_ROWS("filter", rows)
