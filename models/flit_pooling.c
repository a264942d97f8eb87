/* flit_pooling.c -- parents and candidates that wait for each other: double-ended queue with patience
 *
 *     unmatched parents u = d/(lc exp(d (w_p + w_c)) - lp),  d = lc - lp;   1/(1 + lp (w_p + w_c)) for lc = lp
 *     flits saved = lp (1 - u) <= min(lp, lc),   wait of a parent p0 (I0 + lp I1)
 *     p0 = d/(lc e^(d w_c) - lp e^(-d w_p)),  I0 = (1 - e^(-d w_p))/d,  I1 = (1 - e^(-d w_p)(1 + d w_p))/d^2   [NC] 4.2
 *
 * Exact for Poisson arrivals, first come first served, one candidate a parent.  A share of the candidates may be less
 * patient than the others (page-table flits under selective pooling): exact as well.
 */
#include "model/parts/pooling.h"

struct in {
    double parents, candidates, w_p, w_c, short_share, w_short;
};
struct out {
    double unmatched, matched, saved, bound, wait;
};

static const ns_field inputs[] = {
    NS_IN(parents, "1", "flits with room per flit time, lp"),
    NS_IN(candidates, "1", "flits that fit into them per flit time, lc"),
    NS_IN(w_p, "1", "longest wait of a parent, flit times"),
    NS_IN(w_c, "1", "longest wait of a candidate, flit times"),
    NS_INPUT(short_share, "1", "share of the candidates that wait less", .most = 1, .has_default = true),
    NS_IN_FROM(w_short, "1", "longest wait of these, at most w_c; w_c where not given", "=w_c"),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(unmatched, "%", "parents that leave alone, u"),
    NS_OUT(matched, "%", "parents that find a candidate"),
    NS_OUT(saved, "1", "flits saved per flit time"),
    NS_OUT(bound, "1", "most that any window can save, min(lp, lc)"),
    NS_OUT(wait, "1", "mean wait of a parent, flit times"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_patience patience = {in->parents, in->candidates, in->w_p, in->w_c, in->short_share, in->w_short};
    const ns_matching m = ns_pool(&patience, 0);
    out->unmatched = m.unmatched;
    out->matched = 1 - m.unmatched;
    out->saved = in->parents * out->matched;
    out->bound = in->parents < in->candidates ? in->parents : in->candidates;
    out->wait = m.wait;
    return NS_OK;
}

const ns_model ns_model_flit_pooling = {
    .name = "flit-pooling",
    .title = "flits that wait for a partner",
    .source = "[NC] Sections 4.2, 5.4; double-ended queue with patience",
    .notes = "Poisson arrivals, one candidate a parent, first come first served.",
    NS_ROWS_AND_EVAL,
};
