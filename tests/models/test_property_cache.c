/* test_property_cache.c -- entries, tiles, hit rates and bounds of the Property Cache */
#include "../support/model_rows.h"

#define BY_HAND_6 "k=20 value=8B capacity=100B least_line=16B largest_line=64B ways=5 distance=6 rack=4"
#define BY_HAND_7 "k=2 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 rack=4 columns=50,30 requests=0,3"
static const model_row rows[] = {
    {NULL, "k=2 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 rack=4 columns=100,20 requests=1,5",
     "che_hit", 80 * 0.9407961 / 200, 1e-6,
     "62 entries: 100 (1 - e^-t) + 20 (1 - e^-5t) = 62 at t = 0.5653536; 1 - e^-5t of 80"},
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
    {"netsparse", "k=16 capacity=1024B ways=8", "hit_at_distance", 1.0, 0, "no distance given: nothing in between"},
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
    /* By hand, each from its term. line: 24 B to the next power of two or at most the largest line or exactly the
     * smallest; entries: 1000/32 or 1000/64 or 1000/16; tiles: 24 B in one or 160 B in 64; sets: one set or 15/5;
     * hit_at_distance: 30 < 31 or 31 is not < 31 or at once or P(Poisson(2) <= 4); che_hit: no classes or all fit:
     * every repeat hits, 20 of 50; hit_max: 1 - 30/40 or nobody shares or never below 0; gain: 1/(1 - 1/2) or no
     * hits given; distinct: 4 x 100/2 or no requests given; shared_least: half or a rack of one shares nothing;
     * shared_most: 3/4 or the same or half of two. */
    {NULL,
     "k=3 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 distance=30 shared_columns=30 "
     "shared_requests=40 hit=0.5 shared=0.6 Q=100 rack=4",
     "line=32 entries=31 tiles=1 sets=1 hit_at_distance=1 che_hit=0 hit_max=0.25 gain=2 distinct=200 shared_least=0.3 "
     "shared_most=0.45",
     0, 1e-12, "by hand"},
    {NULL, "k=3 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 distance=31 rack=1 shared=0.6",
     "hit_at_distance=0 hit_max=0 gain=1 distinct=0 shared_least=0 shared_most=0", 0, 1e-12, "by hand"},
    {NULL,
     "k=3 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 rack=2 shared=0.6 shared_columns=50 "
     "shared_requests=40",
     "hit_max=0 shared_least=0.3 shared_most=0.3 hit_at_distance=1", 0, 1e-12, "by hand"},
    {NULL, "k=20 value=8B capacity=1000B least_line=16B largest_line=64B ways=5 distance=6 rack=4",
     "line=64 tiles=3 entries=15 sets=3 hit_at_distance=0.9473469826562889", 0, 1e-12, "by hand"},
    {NULL, "k=2 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 rack=4 columns=10,20 requests=3,1",
     "line=16 entries=62 che_hit=0.4", 0, 1e-12, "by hand"},
    {NULL, "k=2 value=8B capacity=1000B least_line=16B largest_line=64B ways=0 rack=4 columns=40,200,5 requests=6,2,0",
     "che_hit", 0.2231406914508997, 1e-12, "Che's time by bisection, apart"},
    {NULL, BY_HAND_6, "sets", 0, 0, "one entry is no set of five"},
    {NULL, BY_HAND_6, "hit_at_distance", 0, 0, "nowhere to hit"},
    {NULL, BY_HAND_7, "entries", 62, 0, "floor(1000/16)"},
    {NULL, BY_HAND_7, "che_hit", 2.0 / 3, 1e-12,
     "columns that nobody asks for take no room: 30 of 62, two of three repeat"},
    {NULL, "k=2 value=8B capacity=1000B least_line=16B largest_line=64B ways=62 distance=50 rack=4", "hit_at_distance",
     0.9443192235848382, 1e-12, "one set: P(Poisson(50) <= 61)"},
    {NULL, "k=2 value=8B capacity=1000B least_line=16B largest_line=64B ways=1 distance=31 rack=4", "hit_at_distance",
     0.6065306597126334, 1e-12, "62 sets of one: P(Poisson(0.5) = 0)"},
};

MODEL_ROWS("property-cache", rows)
