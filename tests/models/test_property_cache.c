/* test_property_cache.c -- entries, tiles, hit rates and bounds of the Property Cache */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "k=1", "entries", 2097152.0, 0, "32 MiB of 16 B"},
    {"netsparse", "k=16", "entries", 524288.0, 0, "32 MiB of 64 B"},
    {"netsparse", "k=128", "entries", 65536.0, 0, "32 MiB of 512 B"},
    {"netsparse", "k=17", "line", 128.0, 0, "68 B to the next power of two"},
    {"netsparse", "k=129", "tiles", 2.0, 0, "above 512 B: tiles"},
    {"netsparse", "k=1024", "tiles", 8.0, 0, "4 KiB in 8 passes"},
    {"netsparse", "k=1024", "line", 512.0, 0, "the largest line"},
    {"netsparse", "k=16", "sets", 32768.0, 0, "16 ways"},
    {"netsparse", "k=16 distance=0", "hit_at_distance", 1.0, 0, "nothing in between"},
    {"netsparse", "k=16 distance=524288", "hit_at_distance", 0.4667446, 1e-5,
     "P(Poisson(16) <= 15), tables of the Poisson distribution"},
    {"netsparse", "k=16 ways=0 distance=524287", "hit_at_distance", 1.0, 0, "fully associative: d < C"},
    {"netsparse", "k=16 ways=0 distance=524288", "hit_at_distance", 0, 0, "fully associative: d >= C"},
    {"netsparse", "k=16 distance=1e9", "hit_at_distance", 0, 0, "far away"},
    {"netsparse", "k=16 hit=26%", "gain", 1.3514, 1e-4,
     "[NS] Table 7 arabic: 1/(1 - 0.26) = 1.35, Figure 18 up to 40 %"},
    {"netsparse", "k=16 shared_columns=30 shared_requests=100", "hit_max", 0.7, 1e-12, "1 - columns/requests"},
    {"netsparse", "k=16 columns=1000 requests=4", "che_hit", 0.75, 1e-12, "all fit: three of four repeat"},
    {"netsparse", "k=16 capacity=64000B ways=1 columns=2000 requests=1e6", "che_hit", 0.5, 1e-5,
     "half of 2000 equally popular columns fit: half of the requests hit"},
    {"netsparse", "k=16 shared=85%", "shared_least", 0.425, 1e-9, "[NS] Section 3: 85 % shared, by two nodes each"},
    {"netsparse", "k=16 shared=85%", "shared_most", 0.797, 0.0005, "85 % shared, by all 16 nodes"},
    {"netsparse", "k=16 Q=43159 hit=26%", "distinct", 511e3, 0.001,
     "[NS] Table 7, arabic: 511k distinct properties a rack; 524,288 fit"},
    {"netsparse", "k=16 Q=59541 hit=50%", "distinct", 476e3, 0.001,
     "[NS] Table 7, queen: 476k distinct properties a rack; 524,288 fit"},
    {"netsparse", "k=16 Q=40895 hit=30%", "distinct", 458e3, 0.0011,
     "[NS] Table 7, uk: 458k distinct properties a rack; 524,288 fit"},
    {"netsparse", "k=16 Q=139682 hit=5%", "distinct", 2100e3, 0.02,
     "[NS] Table 7, europe: 2100k distinct properties a rack; 524,288 fit"},
    {"netsparse", "k=16 Q=393824 hit=6%", "distinct", 5900e3, 0.01,
     "[NS] Table 7, stokes: 5900k distinct properties a rack; 524,288 fit"},
    {"netsparse", "k=16 columns=1,2 requests=4", NULL, 0, 0, "columns lists 2 classes"},
    {"netsparse", "k=0", NULL, 0, 0, "k has to be more than 0"},
    {"netsparse", "k=1 ways=1.5", NULL, 0, 0, "whole number"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("property-cache", rows);
}
