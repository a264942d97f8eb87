/* test_netsparse_speedup.c -- traffic, utilisation and the identities of Tables 1, 7 and 8 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "given=traffic reduction=283 k=16 n=5.7 utilisation=65%", "speedup", 184.1, 0.01,
     "[NS] Table 7 traffic x utilisation = Table 8 Switch, arabic"},
    {"netsparse", "given=traffic reduction=188 k=16 n=4.5 utilisation=70%", "speedup", 132.1, 0.01,
     "[NS] Table 7 traffic x utilisation = Table 8 Switch, europe"},
    {"netsparse", "given=traffic reduction=8.8 k=1 speedup_measured=7.4 goodput_measured=2.3%", "h_implied", 140.0,
     0.0286, "[NS] Table 8, europe RIG K = 1: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=99.1 k=16 speedup_measured=82.8 goodput_measured=26.2%", "h_implied", 140.0,
     0.0286, "[NS] Table 8, europe RIG K = 16: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=248.0 k=128 speedup_measured=176.0 goodput_measured=55.7%", "h_implied",
     140.0, 0.0286, "[NS] Table 8, europe RIG K = 128: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=8.9 k=1 speedup_measured=7.5 goodput_measured=2.4%", "h_implied", 140.0,
     0.0286, "[NS] Table 8, europe Filter K = 1: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=100.8 k=16 speedup_measured=84.8 goodput_measured=26.4%", "h_implied", 140.0,
     0.0286, "[NS] Table 8, europe Filter K = 16: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=252.2 k=128 speedup_measured=175.5 goodput_measured=54.7%", "h_implied",
     140.0, 0.0286, "[NS] Table 8, europe Filter K = 128: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=9.6 k=1 speedup_measured=8.1 goodput_measured=2.3%", "h_implied", 140.0,
     0.0286, "[NS] Table 8, europe Coalesce K = 1: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=108.7 k=16 speedup_measured=91.3 goodput_measured=26.4%", "h_implied", 140.0,
     0.0286, "[NS] Table 8, europe Coalesce K = 16: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=272.1 k=128 speedup_measured=190.3 goodput_measured=54.9%", "h_implied",
     140.0, 0.0286, "[NS] Table 8, europe Coalesce K = 128: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=8.8 k=1", "R", 316.8, 2e-4,
     "[NS] Table 8, europe RIG K = 1: R independent of K"},
    {"netsparse", "given=traffic reduction=8.8 k=1", "R", 316.2, 0.005, "the same, all three within 0.5 %"},
    {"netsparse", "given=traffic reduction=99.1 k=16", "R", 315.9, 2e-4,
     "[NS] Table 8, europe RIG K = 16: R independent of K"},
    {"netsparse", "given=traffic reduction=99.1 k=16", "R", 316.2, 0.005, "the same, all three within 0.5 %"},
    {"netsparse", "given=traffic reduction=248.0 k=128", "R", 315.8, 2e-4,
     "[NS] Table 8, europe RIG K = 128: R independent of K"},
    {"netsparse", "given=traffic reduction=248.0 k=128", "R", 316.2, 0.005, "the same, all three within 0.5 %"},
    {"netsparse", "given=traffic reduction=283 k=16 n=5.7 su_redundancy=1947", "imbalance", 3.7, 0.014,
     "[NS] (Table 1 SU + 1)/R of Table 7, arabic, to one decimal"},
    {"netsparse", "given=traffic reduction=188 k=16 n=4.5 su_redundancy=582", "imbalance", 1.6, 0.031,
     "[NS] (Table 1 SU + 1)/R of Table 7, europe, to one decimal"},
    {"netsparse", "given=traffic reduction=42 k=16 n=19.6 su_redundancy=74", "imbalance", 1.1, 0.045,
     "[NS] (Table 1 SU + 1)/R of Table 7, queen, to one decimal"},
    {"netsparse", "given=traffic reduction=17 k=16 n=12.1 su_redundancy=32", "imbalance", 1.1, 0.045,
     "[NS] (Table 1 SU + 1)/R of Table 7, stokes, to one decimal"},
    {"netsparse", "given=traffic reduction=271 k=16 n=17 su_redundancy=966", "imbalance", 2.2, 0.023,
     "[NS] (Table 1 SU + 1)/R of Table 7, uk, to one decimal"},
    {"netsparse", "k=16 goodput_measured=35% sa_goodput=1% sa_prs=3.8", "over_sa", 133.0, 0.0038,
     "[NS] Table 7, arabic: goodput ratio x #PR ratio; gmean of the five 13.6 (printed 15 over all K)"},
    {"netsparse", "k=16 goodput_measured=37% sa_goodput=10% sa_prs=1.3", "over_sa", 4.8, 0.0106,
     "[NS] Table 7, europe: goodput ratio x #PR ratio; gmean of the five 13.6 (printed 15 over all K)"},
    {"netsparse", "k=16 goodput_measured=40% sa_goodput=11% sa_prs=1.1", "over_sa", 4.0, 0.0127,
     "[NS] Table 7, queen: goodput ratio x #PR ratio; gmean of the five 13.6 (printed 15 over all K)"},
    {"netsparse", "k=16 goodput_measured=38% sa_goodput=8% sa_prs=4.4", "over_sa", 20.9, 0.0024,
     "[NS] Table 7, stokes: goodput ratio x #PR ratio; gmean of the five 13.6 (printed 15 over all K)"},
    {"netsparse", "k=16 goodput_measured=30% sa_goodput=9% sa_prs=2.6", "over_sa", 8.7, 0.0059,
     "[NS] Table 7, uk: goodput ratio x #PR ratio; gmean of the five 13.6 (printed 15 over all K)"},
    {"netsparse", "R=316.8 k=1", "reduction", 316.8 * 4 / 144, NEAR, "[NS] Table 8, europe RIG K = 1: 8.8"},
    {"netsparse", "R=10 k=16 utilisation=50%", "goodput", 0.5 * 64 / 204, NEAR, "utilisation P/(P + h)"},
    {"netsparse", "k=16 R=0", "speedup", 0, 0, "no transfers"},
    {"netsparse", "k=0", NULL, 0, 0, "k has to be more than 0"},
    /* inputs of no special value, by hand from the formulas at the head of the model */
    /* By hand, each from its term. h: 2 (12/4 + 3) or n is 1 where not given; payload_share: 40 of 52 B; R: as
     * given or reduction (P + h)/P; reduction: R P/(P + h) or as given; speedup: half the line or the whole line
     * where not given; goodput: half the line or the same; imbalance: 10/50 or no redundancy given; h_implied: P
     * (speedup/(reduction goodput) - 1) or measured ones are 1 where not given; over_sa: 0.25/0.1 x 3 or 1/1 x 1. */
    {NULL,
     "R=50 k=5 value=8B r=3B u=12B n=4 utilisation=0.5 su_redundancy=9 speedup_measured=20 goodput_measured=0.25 "
     "sa_goodput=0.1 sa_prs=3",
     "h=12 payload_share=0.7692307692307693 R=50 reduction=38.46153846153846 speedup=19.23076923076923 "
     "goodput=0.38461538461538464 imbalance=0.2 h_implied=43.2 over_sa=7.5",
     0, 1e-12, "by hand"},
    {NULL, "given=traffic reduction=40 k=5 value=8B r=3B u=12B",
     "h=30 R=70 reduction=40 speedup=40 goodput=0.5714285714285714 imbalance=0.014285714285714285 h_implied=-39 "
     "over_sa=1",
     0, 1e-12, "by hand"},
    {NULL, "k=5 value=8B r=3B u=12B", "R", 1, 1e-12, "R is 1 where not given"},
    {NULL, "k=5 value=8B r=3B u=12B", "reduction", 0.5714285714285714, 1e-12, "P/(P + h)"},
    {NULL, "R=0 k=5 value=8B r=3B u=12B", "imbalance", 0, 0, "no requests: none"},
    {NULL, "R=0 k=5 value=8B r=3B u=12B", "h_implied", -40, 1e-12, "no reduction: none"},
    {NULL, "given=traffic k=5 value=8B r=3B u=12B", "reduction", 1, 1e-12, "1 where not given"},
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, "n=0.5 k=5 value=8B r=3B u=12B", NULL, 0, 0, "n has to be at least 1"},
};

MODEL_ROWS("netsparse-speedup", rows)
