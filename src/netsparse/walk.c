/* walk.c -- the steps of a node's units, one after the other */
#include "netsparse/trace.h"

ns_walk ns_walk_open(const ns_stream *s)
{
    return (ns_walk){.clients = s->clients, .batch = s->batch, .requests = s->requests, .step = -1};
}

/* A round gives every unit a batch; in the last, `whole` units have a full one, and one more may have a part. */
static void begin_round(ns_walk *w)
{
    const int64_t rest = w->requests - w->at, whole = rest / w->batch;
    w->place = 0;
    w->whole = whole >= w->clients ? (int32_t)w->clients : (int32_t)whole;
    w->part = whole >= w->clients ? 0 : rest - whole * w->batch;
    w->steps = whole > 0 ? w->batch : rest;
}

bool ns_walk_next(ns_walk *w)
{
    w->step++;
    w->place++;
    w->at += w->active;
    if (w->place >= w->steps) {
        if (w->at >= w->requests)
            return false;
        begin_round(w);
    }
    w->active = w->whole + (w->place < w->part);
    return true;
}
