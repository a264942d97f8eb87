/* test_postal.c -- the postal model
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL, "alpha=1.7us beta=0.25ns/B s=2385B", "time", 1.7e-6 + 0.25e-9 * 2385, NEAR, "[NA] (2.1)"},
    {NULL, "alpha=1.7us beta=0.25ns/B s=2385B", "startup", 1.7e-6, 0, "[NA] (2.1)"},
    {NULL, "alpha=1.7us beta=0.25ns/B s=2385B", "transfer", 0.25e-9 * 2385, NEAR, "[NA] (2.1)"},
    {NULL, "alpha=1.7us beta=0.25ns/B s=0B", "time", 1.7e-6, 0, "an empty message costs its start-up"},
    {"lassen", "s=4096B", "time", 3.992384e-6, NEAR, "[NA] Table 2: host, eager, off-node"},
    {"lassen", "s=255B", "time", 1.89e-6 + 6.88e-10 * 255, NEAR, "[NA] Table 2: the last short size"},
    {"lassen", "s=256B", "time", 2.44e-6 + 3.79e-10 * 256, NEAR, "[NA] Table 2: the first eager size"},
    {"lassen", "s=16383B", "time", 2.44e-6 + 3.79e-10 * 16383, NEAR, "[NA] Table 2: the last eager size"},
    {"lassen", "s=16KiB", "time", 7.76e-6 + 7.97e-11 * 16384, NEAR, "[NA] Table 2: the first rendezvous size"},
    {"lassen", "s=16KiB protocol=short", "time", 1.89e-6 + 6.88e-10 * 16384, NEAR, "[NA] Table 2: protocol forced"},
    {"lassen", "s=100B locality=on-socket protocol=rendezvous", "time", 3.15e-6 + 3.40e-11 * 100, NEAR, "[NA] Table 2"},
    {"lassen", "s=1MiB memory=device locality=on-node", "time", 1.93e-5 + 2.39e-11 * 1048576, NEAR, "[NA] Table 2"},
    {"lassen", "s=16B memory=device", "time", 8.95e-6 + 1.72e-10 * 16, NEAR,
     "[NA] Table 2: device memory has no short protocol"},
    {"lassen", "s=4096B alpha=1us", "time", 1e-6 + 3.79e-10 * 4096, NEAR, "a given input wins over the machine"},
    {"bluewaters", "s=7999B", "time", 6.95e-6 + 1.33e-9 * 7999, REFITTED, "the authors' fit, eager up to 8000 B"},
    {"bluewaters", "s=8000B", "time", 6.20e-6 + 3.24e-10 * 8000, REFITTED, "the authors' fit, rendezvous from 8000 B"},
    {NULL, "alpha=1us s=1B", NULL, 0, 0, "postal lacks beta"},
    {NULL, "alpha=1us beta=1ns/B s=-1B", NULL, 0, 0, "s has to be at least 0"},
    {NULL, "alpha=1us beta=1ns/B s=1", NULL, 0, 0, "bare number"},
    {NULL, "alpha=1us beta=1us s=1B", NULL, 0, 0, "time per byte"},
    {"lassen", "s=16B memory=device protocol=short", NULL, 0, 0, "has no protocol \"short\""},
    {"bluewaters", "s=16B memory=device", NULL, 0, 0, "no off-node table for device memory"},
};

MODEL_ROWS("postal", rows)
