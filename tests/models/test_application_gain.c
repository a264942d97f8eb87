/* test_application_gain.c -- AMG's figures of merit, [SH] Table 3 */
#include "../support/model_rows.h"

#define AMG "before=2.10e9,1.64e9,2.84e9,2.45e9,3.82e9 after=2.21e9,1.68e9,2.86e9,2.40e9,3.92e9"
static const model_row rows[] = {
    {NULL, AMG, "mean", 0.018, 0.01, "[SH] 3.2: 1.8 % on average"},
    {NULL, AMG, "most", 0.052, 0.01, "Laplace"},
    {NULL, AMG, "least", -0.020, 0.03, "Pooldist_1"},
    {NULL, AMG " operation=2", "share", 0.0352, 0.01, "2 (1 - 1/1.0179)"},
    {NULL, "before=1 after=1.25 operation=2", "share", 0.4, 1e-13, "0.6 + 0.4/2 = 0.8 of the time"},
    {NULL, "before=1 after=1.25", "share", 0, 0, "nothing said about the operation"},
    {NULL, "before=1,2 after=1", NULL, 0, 0, "2 figures before and 1 after"},
    {NULL, "before=0 after=1", NULL, 0, 0, "more than 0"},
    {NULL, "before=1 after=0", NULL, 0, 0, "more than 0"},
    {NULL, "before=2,4,5 after=3,5,10 operation=4", "least", 0.25, 1e-12, "5/4"},
    {NULL, "before=2,4,5 after=3,5,10 operation=4", "most", 1, 1e-12, "10/5"},
    {NULL, "before=2,4,5 after=3,5,10 operation=4", "mean", 0.5833333333333334, 1e-12, "by hand"},
    {NULL, "before=2,4,5 after=3,5,10 operation=4", "share", 0.4912280701754386, 1e-12, "(1 - 1/1.5833)/(1 - 1/4)"},
    {NULL, "before=4,2 after=5,3 operation=1", "share", 0, 0, "an operation that gains nothing explains nothing"},
    {NULL, "before=4,2 after=5,3 operation=1", "least", 0.25, 1e-12, "the first is the least"},
    {NULL, "before=4,2 after=5,3 operation=1", "most", 0.5, 1e-12, "the second is the most"},
    {NULL, "before=4 after=2 operation=2", "mean", -0.5, 1e-12, "half as good: a loss is a gain below 0"},
    {NULL, "before=4 after=2 operation=2", "share", -2, 1e-12, "(1 - 2)/(1 - 1/2)"},
};

MODEL_ROWS("application-gain", rows)
