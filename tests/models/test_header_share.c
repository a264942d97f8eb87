/* test_header_share.c -- headers' share: Tables 2, 3 and 7 of [NS], Section 6.1.1 */
#include "../support/model_rows.h"

#define BY_HAND_1                                                                                                      \
    "preset=given u=12B r=3B k=5 value=8B n=4 utilisation=0.5 u_table3=1B u_section6=2B u_section6_alone=7B "          \
    "u_table8=9B"
#define BY_HAND_2 "preset=given r=3B k=5 value=8B u_table3=1B u_section6=2B u_section6_alone=7B u_table8=9B"
static const model_row rows[] = {
    {"netsparse", "preset=table3 k=1", "share", 0.976, 0.00051, "[NS] Table 3, K = 1: 97.6 % to the printed digit"},
    {"netsparse", "preset=table3 k=2", "share", 0.952, 0.00053, "[NS] Table 3, K = 2: 95.2 % to the printed digit"},
    {"netsparse", "preset=table3 k=4", "share", 0.909, 0.00055, "[NS] Table 3, K = 4: 90.9 % to the printed digit"},
    {"netsparse", "preset=table3 k=8", "share", 0.833, 0.0006, "[NS] Table 3, K = 8: 83.3 % to the printed digit"},
    {"netsparse", "preset=table3 k=16", "share", 0.714, 0.0007, "[NS] Table 3, K = 16: 71.4 % to the printed digit"},
    {"netsparse", "preset=table3 k=32", "share", 0.556, 0.0009, "[NS] Table 3, K = 32: 55.6 % to the printed digit"},
    {"netsparse", "preset=table3 k=64", "share", 0.385, 0.0013, "[NS] Table 3, K = 64: 38.5 % to the printed digit"},
    {"netsparse", "preset=table3 k=128", "share", 0.238, 0.0021, "[NS] Table 3, K = 128: 23.8 % to the printed digit"},
    {"netsparse", "preset=table3 k=256", "share", 0.135, 0.0037, "[NS] Table 3, K = 256: 13.5 % to the printed digit"},
    {"netsparse", "preset=section6 k=1", "h", 2 * 78.0, NEAR, "[NS] Section 6.1.1: 50 + 10 + 18 = 78 B alone"},
    {"netsparse", "preset=section6 k=1 n=7", "h", 2 * (64.0 + 18 * 7) / 7, NEAR,
     "[NS] Section 6.1.1: 64 + 18 N together"},
    {"netsparse", "k=16", "h", 140.0, NEAR, "52 + 18 N of Tables 7 and 8, one request a packet"},
    {"netsparse", "k=16 n=5", "h", 2 * (52.0 + 18 * 5) / 5, NEAR, "52 + 18 N of Tables 7 and 8"},
    {"netsparse", "preset=given u=100B k=3 n=4", "h", 2 * (25.0 + 18), NEAR, "u shared by 4"},
    {NULL, "preset=given u=10B k=3 r=1B value=8B u_table3=0B u_section6=0B u_section6_alone=0B u_table8=0B", "share",
     22.0 / 46, NEAR, "h = 22 B beside P = 24 B"},
    {"netsparse", "k=0", NULL, 0, 0, "k has to be more than 0"},
    {"netsparse", "k=1 n=0", NULL, 0, 0, "n has to be at least 1"},
    {NULL, "k=1", NULL, 0, 0, "value [B]"},
    {"netsparse", "preset=table3 k=32 utilisation=0.26%", "goodput", 0.00110, 0.0909,
     "[NS] Table 2, arabic: within 0.01 points"},
    {"netsparse", "preset=table3 k=32 utilisation=0.09%", "goodput", 0.00040, 0.25,
     "[NS] Table 2, europe: within 0.01 points"},
    {"netsparse", "preset=table3 k=32 utilisation=0.36%", "goodput", 0.00160, 0.0625,
     "[NS] Table 2, queen: within 0.01 points"},
    {"netsparse", "preset=table3 k=32 utilisation=0.25%", "goodput", 0.00110, 0.0909,
     "[NS] Table 2, uk: within 0.01 points"},
    {"netsparse", "k=16 n=5.7", "goodput", 0.53846, 0.0186,
     "[NS] Table 7, arabic: Gput/Line Util. within a percentage point"},
    {"netsparse", "k=16 n=4.5", "goodput", 0.52857, 0.0189,
     "[NS] Table 7, europe: Gput/Line Util. within a percentage point"},
    {"netsparse", "k=16 n=19.6", "goodput", 0.60606, 0.0165,
     "[NS] Table 7, queen: Gput/Line Util. within a percentage point"},
    {"netsparse", "k=16 n=12.1", "goodput", 0.59375, 0.0168,
     "[NS] Table 7, stokes: Gput/Line Util. within a percentage point"},
    {"netsparse", "k=16 n=17", "goodput", 0.60000, 0.0167,
     "[NS] Table 7, uk: Gput/Line Util. within a percentage point"},
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, BY_HAND_1, "payload", 40, 1e-12, "5 x 8 B"},
    {NULL, BY_HAND_1, "h", 12, 1e-12, "2 (12/4 + 3)"},
    {NULL, BY_HAND_1, "share", 0.23076923076923078, 1e-12, "12 of 52 B"},
    {NULL, BY_HAND_1, "goodput", 0.38461538461538464, 1e-12, "half the line"},
    {NULL, BY_HAND_2, "h", 6, 1e-12, "u is 0 and n is 1 where not given"},
    {NULL, BY_HAND_2, "goodput", 0.8695652173913043, 1e-12, "a full line where not given"},
    {NULL, "preset=table3 r=3B k=5 value=8B u_table3=1B u_section6=2B u_section6_alone=7B u_table8=9B", "h", 8, 1e-12,
     "its own u"},
    {NULL, "preset=section6 r=3B k=5 value=8B u_table3=1B u_section6=2B u_section6_alone=7B u_table8=9B", "h", 20,
     1e-12, "its own u"},
    {NULL, "preset=table8 r=3B k=5 value=8B u_table3=1B u_section6=2B u_section6_alone=7B u_table8=9B", "h", 24, 1e-12,
     "its own u"},
    {NULL, "preset=section6 n=2 r=3B k=5 value=8B u_table3=1B u_section6=2B u_section6_alone=7B u_table8=9B", "h", 8,
     1e-12, "2 (2/2 + 3): several requests"},
};

MODEL_ROWS("header-share", rows)
