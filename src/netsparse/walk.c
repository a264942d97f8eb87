/* walk.c -- the steps of a node's units, one after the other */
#include "netsparse/trace.h"

ns_walk ns_walk_open(const ns_stream *s)
{
    return (ns_walk){.clients = s->clients, .batch = s->batch, .requests = s->requests, .step = -1};
}

/* In the last, `whole` units have a full batch, and one more may have a part. */
ns_walk ns_walk_round(ns_walk w)
{
    const int64_t rest = w.requests - w.at, whole = rest / w.batch;
    w.place = 0;
    w.whole = whole >= w.clients ? (int32_t)w.clients : (int32_t)whole;
    w.part = whole >= w.clients ? 0 : rest - whole * w.batch;
    w.steps = whole > 0 ? w.batch : rest;
    return w;
}
