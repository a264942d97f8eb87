/* test_link_share.c -- what collisions leave of a rack's links, counted out for few streams */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "d64=1 bytes=84.6B", "share", 1 - 0.35607, 1e-4,
     "[NS] Table 4, queen: one destination at a time, 16 nodes and links: 1 - (15/16)^16"},
    {"netsparse", "d64=7.43 bytes=582B", "destinations", 1.57862, 1e-5,
     "[NS] Table 4, europe: (1500/582)^(ln 7.43/ln 64)"},
    {NULL, "d64=64 bytes=500B mtu=1000B nodes=2", "destinations=2 share=0.8125 window=2", 0, 1e-12,
     "4 streams of half a line on 2 links: 0, 1, 2 or more on a link in 1, 4 and 11 of 16 cases: 1 - (2 + 4)/32"},
    {NULL, "d64=64 bytes=400B mtu=1000B nodes=2", "destinations=2.5 share=0.828125 window=2.5", 0, 1e-12,
     "half way from 2 destinations to 3: 6 streams, 1, 6, 15 of 64 cases with 0, 1, 2: 1 - (3 + 12 + 15)/192"},
    {NULL, "d64=64 bytes=3kB mtu=1000B nodes=2", "destinations=1 share=0.75", 0, 1e-12,
     "packets of one response: 2 streams on 2 links, none on a link in 1 of 4 cases"},
    {NULL, "d64=8 bytes=15.625B mtu=1000B nodes=1", "destinations=8 share=1", 0, 1e-12,
     "64 requests: d64 itself; a node alone has its link alone"},
    {"netsparse", "d64=0.5 bytes=64B", NULL, 0, 0, "d64 has to be"},
    {"netsparse", "d64=2 bytes=0B", NULL, 0, 0, "bytes has to be more than 0"},
};

MODEL_ROWS("link-share", rows)
