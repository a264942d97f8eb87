/* test_netsparse_sweeps.c -- the shapes of nsmodel netsparse --sweep on real matrices of five kinds: [NS] Figures 15 to
 * 18, 22 */
#include "support/cli.h"

#include "support/shared.h"
#include "support/test.h"
#include "support/values.h"

/* What each is, on 128 nodes.  The road network's nodes have so few requests (90 or so) that the smallest batch is its
 * best and waiting gains it nothing; the crawl's have few batches, so that twice the units may save a whole round. */
static const struct {
    const char *file;
    bool small_batch; /* the best batch is the smallest */
    double waiting;   /* least gain of the best delay over none */
    double units;     /* most that more than 32 units gain */
} kinds[] = {
    {"brack2.mtx.gz", false, 1.2, 1.1},      /* 3-D mesh */
    {"bcsstk29.mtx.gz", false, 1.1, 1.1},    /* structure, banded */
    {"xenon1.mtx.gz", false, 1.15, 1.1},     /* unsymmetric, three-dimensional */
    {"cnr-2000.mtx.gz", false, 1.05, 1.45},  /* web crawl */
    {"luxembourg_osm.mtx.gz", true, 1, 1.1}, /* roads */
};

enum { MOST = 16 };
typedef struct curve {
    int points, best;
    double time[MOST];
} curve;

static bool sweep(int kind, const char *what, curve *c)
{
    char path[4096], line[4200];
    snprintf(line, sizeof line, "data/matrices/%s", kinds[kind].file);
    if (!shared_path(what, line, path, sizeof path))
        return false;
    ns_value *v = cli_json_with("netsparse --matrix %s --nodes 128 --sweep %s", path, what);
    *c = (curve){0};
    for (const ns_value *p = ns_value_get(v, "points")->first; p != NULL && c->points < MOST; p = p->next) {
        c->time[c->points] = number_at(p, "time_s");
        c->best = c->time[c->points] < c->time[c->best] ? c->points : c->best;
        c->points++;
    }
    return true;
}

/* Too small exposes the commands, too large leaves units idle. */
TEST_EACH(batches, sizeof kinds / sizeof *kinds)
{
    curve c;
    if (!sweep(_i, "batch", &c))
        return;
    ck_assert_int_eq(c.points, 10);
    ck_assert_msg(c.time[9] > 1.15 * c.time[c.best], "the largest batch is no worse than the best");
    if (kinds[_i].small_batch)
        ck_assert_int_eq(c.best, 0);
    else
        ck_assert_msg(c.best > 0 && c.time[0] > 1.2 * c.time[c.best], "best at point %d", c.best);
}

/* Point 4 is the default, 32 units. */
TEST_EACH(units, sizeof kinds / sizeof *kinds)
{
    curve c;
    if (!sweep(_i, "units", &c))
        return;
    ck_assert_int_eq(c.points, 7);
    ck_assert_msg(c.time[0] > 1.2 * c.time[4], "2 units are nearly as good as 32");
    ck_assert_msg(c.time[4] < kinds[_i].units * c.time[c.best], "%d units gain %g over 32", 2 << c.best,
                  c.time[4] / c.time[c.best]);
}

/* Rises from none to a best delay, and far behind it waiting is worse than no concatenation. */
TEST_EACH(delays, sizeof kinds / sizeof *kinds)
{
    curve c;
    if (!sweep(_i, "delay", &c))
        return;
    ck_assert_int_eq(c.points, 11);
    ck_assert_msg(c.best > 0 && c.best < 7, "best at point %d", c.best);
    ck_assert_msg(c.time[0] >= kinds[_i].waiting * c.time[c.best], "waiting gains %g", c.time[0] / c.time[c.best]);
    ck_assert(c.time[10] > 2 * c.time[0]);
    for (int i = 7; i < 11; i++)
        ck_assert(c.time[i] > c.time[i - 1]);
}

/* Point 6 is the default, 32 MiB. */
TEST_EACH(caches, sizeof kinds / sizeof *kinds)
{
    curve c;
    if (!sweep(_i, "cache", &c))
        return;
    ck_assert_int_eq(c.points, 9);
    for (int i = 1; i < c.points; i++)
        ck_assert_msg(c.time[i] <= 1.01 * c.time[i - 1], "a larger cache is slower at point %d", i);
    ck_assert(fabs(c.time[6] / c.time[8] - 1) < 1e-3);
}

/* [NS] Section 9.6: performance remains high. */
TEST_EACH(topologies, sizeof kinds / sizeof *kinds)
{
    curve c;
    if (!sweep(_i, "topology", &c))
        return;
    ck_assert_int_eq(c.points, 3);
    ck_assert(c.time[1] < 1.2 * c.time[0] && c.time[2] < 1.2 * c.time[0]);
}

TEST_TIMEOUT(300)
