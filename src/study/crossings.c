/* crossings.c -- who wins where among curves along one input: reigns, and every place where two curves meet */
#include "core/memory.h"
#include "model/cross.h"
#include "study/curves.h"
#include "study/meetings.h"

#include <math.h>
#include <stdio.h>

typedef struct store {
    ns_crossings seen; /* first: what callers have */
    const char *over;
    ns_reign found[NS_REIGNS];
    ns_reign_info reign[NS_REIGNS];
    ns_crossing crossing[NS_MEETINGS];
} store;

static ns_status value_at(const void *context, int curve, double x, double *value, ns_error *err)
{
    const store *s = context;
    const ns_setting setting = {.name = s->over, .number = x};
    return ns_curves_value(s->seen.curves, curve, &setting, 1, value, err);
}

/* Equal to what just ended, to the left of a border: from the side of the reign that ends there. */
static ns_status close_reigns(store *s, ns_error *err)
{
    for (int i = 0; i < s->seen.reigns; i++) {
        const ns_reign *r = &s->found[i];
        ns_reign_info *own = &s->reign[i];
        const double before = i + 1 < s->seen.reigns ? r->to - 2e-12 * fabs(r->to) : r->to;
        *own = (ns_reign_info){
            .size = sizeof *own, .from = r->from, .to = r->to, .winner = r->winner, .at_from = r->value};
        NS_TRY(value_at(s, r->winner, before > r->from ? before : r->from, &own->at_to, err));
    }
    return NS_OK;
}

static bool is_border(const store *s, const ns_crossing *x)
{
    for (int i = 1; i < s->seen.reigns; i++) {
        const int old = s->reign[i - 1].winner, new = s->reign[i].winner;
        if (fabs(s->reign[i].from - x->x) <= 1e-9 * fabs(x->x) && (x->a == old || x->b == old) &&
            (x->a == new || x->b == new))
            return true;
    }
    return false;
}

static ns_status find(store *s, ns_error *err)
{
    const int curves = s->seen.curves->count;
    const double lo = s->seen.lo, hi = s->seen.hi;
    NS_TRY(ns_cross_values(value_at, s, curves, lo, hi, s->found, &s->seen.reigns, err));
    NS_TRY(ns_meetings_find(value_at, s, curves, lo, hi, s->crossing, &s->seen.crossings, err));
    NS_TRY(close_reigns(s, err));
    for (int i = 0; i < s->seen.crossings; i++)
        s->crossing[i].changes_winner = is_border(s, &s->crossing[i]);
    return NS_OK;
}

ns_status ns_crossings_find(const ns_curves *curves, const char *over, double lo, double hi, ns_crossings **crossings,
                            ns_error *err)
{
    ns_error_clear(err);
    NS_TRY(ns_curves_check(curves, 0, err));
    store *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->seen = (ns_crossings){.size = sizeof s->seen, .curves = curves, .lo = lo, .hi = hi};
    s->over = over;
    ns_status status = find(s, err);
    if (status == NS_OK)
        *crossings = &s->seen;
    else
        ns_crossings_free(&s->seen);
    return status;
}

void ns_crossings_free(ns_crossings *crossings)
{
    ns_free(crossings);
}

const ns_reign_info *ns_crossings_reign(const ns_crossings *crossings, int index)
{
    const store *s = (const store *)(const void *)crossings;
    return index >= 0 && index < crossings->reigns ? &s->reign[index] : NULL;
}

const ns_crossing *ns_crossings_at(const ns_crossings *crossings, int index)
{
    const store *s = (const store *)(const void *)crossings;
    return index >= 0 && index < crossings->crossings ? &s->crossing[index] : NULL;
}
