/* test_netsparse_speedup.c -- traffic, utilisation and the identities of Tables 1, 7 and 8 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "given=traffic reduction=283 k=16 n=5.7 utilisation=65%", "speedup", 184.1, 0.01,
     "[NS] Table 7 traffic x utilisation = Table 8 Switch, arabic"},
    {"netsparse", "given=traffic reduction=188 k=16 n=4.5 utilisation=70%", "speedup", 132.1, 0.01,
     "[NS] Table 7 traffic x utilisation = Table 8 Switch, europe"},
    {"netsparse", "given=traffic reduction=8.8 k=1 speedup_measured=7.4 goodput_measured=2.3%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe RIG K = 1: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=99.1 k=16 speedup_measured=82.8 goodput_measured=26.2%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe RIG K = 16: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=248.0 k=128 speedup_measured=176.0 goodput_measured=55.7%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe RIG K = 128: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=8.9 k=1 speedup_measured=7.5 goodput_measured=2.4%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe Filter K = 1: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=100.8 k=16 speedup_measured=84.8 goodput_measured=26.4%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe Filter K = 16: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=252.2 k=128 speedup_measured=175.5 goodput_measured=54.7%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe Filter K = 128: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=9.6 k=1 speedup_measured=8.1 goodput_measured=2.3%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe Coalesce K = 1: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=108.7 k=16 speedup_measured=91.3 goodput_measured=26.4%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe Coalesce K = 16: within 4 B of 140"},
    {"netsparse", "given=traffic reduction=272.1 k=128 speedup_measured=190.3 goodput_measured=54.9%", "h_implied", 140.0, 0.0286,
     "[NS] Table 8, europe Coalesce K = 128: within 4 B of 140"},
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
    {"netsparse", "R=316.8 k=1", "reduction", 316.8 * 4 / 144, NEAR, "[NS] Table 8, europe RIG K = 1: 8.8"},
    {"netsparse", "R=10 k=16 utilisation=50%", "goodput", 0.5 * 64 / 204, NEAR, "utilisation P/(P + h)"},
    {"netsparse", "k=16 R=0", "speedup", 0, 0, "no transfers"},
    {"netsparse", "k=0", NULL, 0, 0, "k has to be more than 0"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("netsparse-speedup", rows);
}
