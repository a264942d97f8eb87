/* route.h -- streams of a part's entries, and routes as slices
 *
 * What goes over all routes is compiled for each sink: a call for each slice would take longer than adding it up.  So
 * the function is inline, and what puts a slice is a constant.
 */
#ifndef NS_SCHEDULE_ROUTE_H
#define NS_SCHEDULE_ROUTE_H

#include "core/context.h"
#include "schedule/schedule.h"

#define NS_COMPILED static inline __attribute__((always_inline))

/* What takes a slice, from != to and bytes > 0, between processes that there are; and what is told of one to come. */
typedef ns_status ns_put_slice(ns_sink *sink, int step, int32_t from, int32_t to, int64_t bytes, const ns_slice *slice,
                               ns_error *err);
typedef void ns_expect_slice(const ns_sink *sink, int step, int32_t from, int32_t to);

/* What a part sends or receives, while it is dealt to the part's holders. */
typedef struct ns_stream {
    int64_t total, at, end; /* its length, how much is dealt, where the share of the holder ends */
    int32_t holder;
} ns_stream;

/* Where the share of holder t of a stream ends. */
static inline int64_t ns_share_end(int64_t total, int32_t holders, int32_t t)
{
    return total / holders * (t + 1) + total % holders * (t + 1) / holders;
}

/* How much holder t has of it. */
static inline int64_t ns_share(int64_t total, int32_t holders, int32_t t)
{
    return holders == 1 ? total : ns_share_end(total, holders, t) - (t > 0 ? ns_share_end(total, holders, t - 1) : 0);
}

/* The next entries of a stream, at most `most`, that fall to one holder. */
NS_COMPILED int64_t ns_stream_deal(int32_t holders, ns_stream *s, int64_t most, int32_t *holder)
{
    if (holders == 1) {
        *holder = 0;
        return most;
    }
    while (s->end <= s->at)
        s->end = ns_share_end(s->total, holders, ++s->holder);
    *holder = s->holder;
    return most < s->end - s->at ? most : s->end - s->at;
}

/* How many chunks or routes go by between two looks at the context. */
enum { NS_ASKED = 256 };

/* Every route as one slice of a step, from the home of the one part to that of the other. */
NS_COMPILED ns_status ns_route_all(ns_sink *sink, const ns_task *task, int step, ns_put_slice *put,
                                   ns_expect_slice *expect, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const int32_t *home = task->home;
    for (int64_t i = 0; i < x->routes; i++) {
        if (i % NS_ASKED == 0)
            NS_TRY(ns_context_tick(NS_ASKED, err));
        const ns_route *route = &x->route[i], *soon = &x->route[i + NS_AHEAD < x->routes ? i + NS_AHEAD : i];
        const int32_t from = home[route->from], to = home[route->to];
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        if (expect != NULL && home[soon->from] != home[soon->to])
            expect(sink, step, home[soon->from], home[soon->to]);
        if (from != to)
            NS_TRY(put(sink, step, from, to, route->entries * x->width, &slice, err));
    }
    return NS_OK;
}

#endif
