/* test_flit_pooling.c -- parents and candidates that wait for each other, against a small event simulation */
#include "../support/model_rows.h"

#include "model/parts/pooling.h"
#include "support/events.h"

static const model_row rows[] = {
    {NULL, "parents=0.0725 candidates=0.1375 w_p=0.5 w_c=0.5", "unmatched",
     0.065 / (0.1375 * 1.0671590243841926 - 0.0725), 1e-12, "u = d/(lc exp(d (w_p + w_c)) - lp), exp(0.065) by hand"},
    {NULL, "parents=0.1 candidates=0.1 w_p=20 w_c=10", "unmatched", 0.25, 1e-13, "1/(1 + lp (w_p + w_c))"},
    {NULL, "parents=0.1 candidates=0.1 w_p=20 w_c=10", "wait", 0.25 * (20 + 0.1 * 200), 1e-12,
     "p0 (w + lp w^2/2) for d = 0"},
    {NULL, "parents=0.1 candidates=0.3 w_p=5 w_c=0", "unmatched", 0.2 / (0.3 * 2.718281828459045 - 0.1), 1e-12,
     "only parents wait"},
    {NULL, "parents=0.2 candidates=0.1 w_p=1e6 w_c=1e6", "saved", 0.1, 1e-12, "min(lp, lc) for long windows"},
    {NULL, "parents=0.1 candidates=0.2 w_p=1e9 w_c=1e9", "unmatched", 0, 0, "all matched, nothing overflows"},
    {NULL, "parents=0.1 candidates=0 w_p=7 w_c=7", "unmatched", 1, 1e-13, "nobody to meet"},
    {NULL, "parents=0.1 candidates=0 w_p=7 w_c=7", "wait", 7, 1e-13, "in vain"},
    {NULL, "parents=0.1 candidates=0.2 w_p=3 w_c=3 short_share=1.5", NULL, 0, 0, "short_share has to be at least 0"},
    {NULL, "parents=0.1 candidates=0.2 w_p=-3 w_c=3", NULL, 0, 0, "w_p has to be at least 0"},
    /* By hand, each from its term. unmatched: quadrature of the queue's two sides; matched: the others; saved: lp
     * (1 - u); bound: min(lp, lc); wait: quadrature. */
    {NULL, "parents=0.2 candidates=0.5 w_p=3 w_c=4 short_share=0.25 w_short=1",
     "unmatched=0.1022583129464988 matched=0.8977416870535012 saved=0.17954833741070025 bound=0.2 "
     "wait=0.6246864392090619",
     0, 1e-9, "by hand"},
    {NULL, "parents=0.5 candidates=0.2 w_p=3 w_c=4 short_share=0.25 w_short=1",
     "unmatched=0.6452517659317504 matched=0.3547482340682496 saved=0.1773741170341248 bound=0.2 "
     "wait=2.3753433296368454",
     0, 1e-9, "by hand"},
    {NULL, "parents=0.3 candidates=0.4 w_p=2 w_c=6 short_share=1 w_short=9",
     "unmatched=0.16942939038324067 matched=0.8305706096167593 saved=0.2491711828850278 bound=0.3 "
     "wait=0.4839090314703817",
     0, 1e-9, "by hand"},
    {NULL, "parents=0.1 candidates=0.4 w_p=2 w_c=6", "unmatched", 0.06961735086298966, 1e-9,
     "quadrature of the queue's two sides"},
    {NULL, "parents=0.1 candidates=0.4 w_p=2 w_c=6", "matched", 0.9303826491370103, 1e-9, "the others"},
    {NULL, "parents=0.1 candidates=0.4 w_p=2 w_c=6", "saved", 0.09303826491370104, 1e-9, "lp (1 - u)"},
    {NULL, "parents=0.1 candidates=0.4 w_p=2 w_c=6", "bound", 0.1, 1e-9, "min(lp, lc)"},
    {NULL, "parents=0.1 candidates=0.4 w_p=2 w_c=6", "wait", 0.20796057932621229, 1e-9, "quadrature"},
};

/* ---- event simulation -------------------------------------------------------------------------------------------- */

enum { ARRIVALS = 1200000, ROOM = 4096 };

/* One side's queue: arrival and departure if nobody comes, oldest first. */
typedef struct side {
    double from[ROOM], until[ROOM];
    int first, count;
} side;

static void join(side *s, double now, double patience)
{
    const int at = (s->first + s->count) % ROOM;
    if (s->count == ROOM) /* a check on every arrival would take longer than the simulation */
        ck_abort_msg("more than %d wait", (int)ROOM);
    s->from[at] = now;
    s->until[at] = now + patience;
    s->count++;
}

/* The first in line who still waits is taken; those who have left are not there.  -1: nobody, else since when. */
static double take(side *s, double now, double *patience)
{
    for (int i = 0; i < s->count; i++) {
        const int at = (s->first + i) % ROOM;
        if (s->until[at] < now)
            continue;
        const double since = s->from[at];
        *patience = s->until[at] - since;
        for (int j = i; j > 0; j--) {
            s->from[(s->first + j) % ROOM] = s->from[(s->first + j - 1) % ROOM];
            s->until[(s->first + j) % ROOM] = s->until[(s->first + j - 1) % ROOM];
        }
        s->first = (s->first + 1) % ROOM;
        s->count--;
        return since;
    }
    return -1;
}

static void forget(side *s, double now)
{
    while (s->count > 0 && s->until[s->first] < now) {
        s->first = (s->first + 1) % ROOM;
        s->count--;
    }
}

static const ns_patience cases[] = {
    {0.0725, 0.1375, 8.4, 8.4, 0, 8.4},
    {0.2, 0.1, 10, 3, 0, 3},
    {0.1, 0.1, 5, 12, 0, 12},
    {0.0725, 0.1375, 32.4, 32.4, 0.47, 0.4}, /* selective pooling */
};

static const double FROM = 2; /* flit times that a parent would have waited anyway */

TEST_EACH(agrees_with_events, sizeof cases / sizeof *cases)
{
    const ns_patience *q = &cases[_i];
    uint64_t seed = 88172645463325252u + (unsigned)_i;
    static side parents, candidates;
    double now = 0, matched = 0, wait = 0, beyond = 0, patience = 0;
    double patient = 0, met = 0, candidate = 0; /* candidates with the longer patience, those matched, their waits */
    long arrived = 0;
    parents.count = candidates.count = 0;
    for (long i = 0; i < ARRIVALS; i++) {
        now += event_exponential(&seed) / (q->parents + q->candidates);
        forget(&parents, now);
        forget(&candidates, now);
        if (event_uniform(&seed) * (q->parents + q->candidates) < q->parents) {
            arrived++;
            const double since = take(&candidates, now, &patience);
            if (since >= 0) {
                matched++;
                met += q->share_short == 0 || patience > 2 * q->w_short;
                candidate += fmax(0, now - since - FROM);
            } else
                join(&parents, now, q->w_p);
        } else {
            const double longest = event_uniform(&seed) < q->share_short ? q->w_short : q->w_c;
            const double since = take(&parents, now, &patience);
            patient += longest == q->w_c;
            met += since >= 0 && longest == q->w_c;
            matched += since >= 0;
            wait += since >= 0 ? now - since : 0;
            beyond += since >= 0 ? fmax(0, now - since - FROM) : 0;
            if (since < 0)
                join(&candidates, now, longest);
        }
    }
    const ns_matching m = ns_pool(q, FROM);
    const double unmatched = 1 - matched / (double)arrived;
    wait = wait / (double)arrived + unmatched * q->w_p; /* those in vain wait to the end */
    beyond = beyond / (double)arrived + unmatched * (q->w_p - FROM);
    candidate = (candidate + (patient - met) * (q->w_c - FROM)) / patient;
    ck_assert_msg(fabs(m.unmatched - unmatched) < 0.02 * unmatched + 0.001, "unmatched %g, events %g", m.unmatched,
                  unmatched);
    ck_assert_msg(fabs(m.wait - wait) < 0.02 * wait, "wait %g, events %g", m.wait, wait);
    ck_assert_msg(fabs(m.beyond - beyond) < 0.02 * beyond, "beyond %g, events %g", m.beyond, beyond);
    ck_assert_msg(fabs(m.beyond_candidate - candidate) < 0.02 * candidate, "beyond, of a candidate, %g, events %g",
                  m.beyond_candidate, candidate);
}

/* Who is the parent is a matter of names. */
TEST(is_symmetric)
{
    const ns_patience q = {0.07, 0.14, 8, 11, 0, 11}, exchanged = {0.14, 0.07, 11, 8, 0, 8};
    const ns_matching a = ns_pool(&q, 3), b = ns_pool(&exchanged, 3);
    ck_assert_double_eq_tol(a.beyond, b.beyond_candidate, 1e-12);
    ck_assert_double_eq_tol(a.beyond_candidate, b.beyond, 1e-12);
    ck_assert_double_eq_tol(0.07 * (1 - a.unmatched), 0.14 * (1 - b.unmatched), 1e-12);
}

MODEL_ROWS("flit-pooling", rows)
