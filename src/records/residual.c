/* residual.c -- residuals of the full form on measured exchanges, learnt by message count and size and by way
 *
 * r = ln(measured / predicted) of each exchange.  Exchanges of one way within a doubling of messages and of mean size
 * form a point, whose r is their weighted mean.  A weight is 1 / (1 + (e / 2 s)^2), where e is the exchange's residual
 * after the points and s the scale of all e by their median: a t distribution with few degrees of freedom, so that
 * disturbed exchanges count little.  Width and prior minimise the mean of |r - shift| over held-out groups.  They are
 * kept only if that is less than the mean of |r| by GAIN_LEAST, below which measured times scatter, and by its standard
 * error over the groups, and if it is not more for any way.  The narrow width follows a jump between two protocols but
 * also scatter, and the small prior lets ways differ on few rows; they are used together: they need NARROW_ROWS
 * exchanges, and a gain that exceeds that of the others by that standard error.
 */
#include "core/memory.h"
#include "records/calibrate.h"

#include <math.h>
#include <string.h>

#define NARROW 0.75 /* doublings */
static const double widths[] = {1.5, 4, 1000, NARROW},
                    priors[] = {1, 4, 16, 0.25}; /* 1000 doublings: all have the same weight */
static const double SCALE_LEAST = 0.05;          /* of s */
static const double GAIN_LEAST = 0.05, ROWS_LEAST = 0.05;
enum { WIDTHS = 4, PRIORS = 4, ROUNDS = 3, LEAST_ROWS = 3, NARROW_ROWS = 30 };

typedef struct taught {
    const char *way;
    double messages, bytes, r, weight, scratch;
    double left_out; /* the shift learnt from the others */
    int fold;
    size_t scored;
} taught;

typedef struct lesson {
    taught *row;
    size_t rows;
    int folds;
    double *sorted; /* [rows] */
} lesson;

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* Weighted means by cell, of `doublings` in each direction, over the logarithms of messages and size.  False: there
 * are too many cells. */
static bool make_points(const lesson *l, int without, double doublings, ns_residual_found *f)
{
    f->points = 0;
    for (size_t i = 0; i < l->rows; i++) {
        const taught *t = &l->row[i];
        if (t->fold == without)
            continue;
        const double messages = log2(t->messages), size = log2(fmax(1, t->bytes / t->messages));
        const double cell[2] = {floor(messages / doublings), floor(size / doublings)};
        size_t at = 0;
        while (at < f->points && (strcmp(f->point[at].way, t->way) != 0 || f->cell[at][0] != cell[0] ||
                                  f->cell[at][1] != cell[1]))
            at++;
        if (at == NS_RESIDUAL_POINTS)
            return false;
        ns_residual_point *p = &f->point[at];
        if (at == f->points) {
            *p = (ns_residual_point){.way = t->way};
            memcpy(f->cell[f->points++], cell, sizeof cell);
        }
        p->rows += t->weight;
        p->messages += t->weight * messages;
        p->size += t->weight * size;
        p->ln_ratio += t->weight * t->r;
    }
    for (size_t i = 0; i < f->points; i++) {
        ns_residual_point *p = &f->point[i];
        p->messages = exp2(p->messages / p->rows);
        p->size = exp2(p->size / p->rows);
        p->ln_ratio /= p->rows;
    }
    return true;
}

static double shift(const ns_residual_found *f, const char *way, double messages, double bytes)
{
    const ns_residual r = {.width = f->width, .prior = f->prior, .points = f->points, .point = f->point};
    return ns_residual_shift(&r, way, messages, bytes);
}

static double median_of(const lesson *l, int without, const char *way)
{
    size_t n = 0;
    for (size_t i = 0; i < l->rows; i++)
        if (l->row[i].fold != without && (way == NULL || strcmp(l->row[i].way, way) == 0))
            l->sorted[n++] = way == NULL ? fabs(l->row[i].scratch) : l->row[i].r;
    ns_score_sort(l->sorted, n);
    return n > 0 ? ns_score_quantile(l->sorted, n, 0.5) : 0;
}

/* Weights start from the residuals to the median of a way. */
static void learn(const lesson *l, int without, double width, double prior, ns_residual_found *f)
{
    f->width = width;
    f->prior = prior;
    for (int round = 0; round <= ROUNDS; round++) {
        for (size_t i = 0; i < l->rows; i++) {
            taught *t = &l->row[i];
            t->scratch =
                t->r - (round == 0 ? median_of(l, without, t->way) : shift(f, t->way, t->messages, t->bytes));
        }
        const double s = fmax(SCALE_LEAST, median_of(l, without, NULL) / 0.6745);
        for (size_t i = 0; i < l->rows; i++) {
            const double e = l->row[i].scratch / (2 * s);
            l->row[i].weight = 1 / (1 + e * e);
        }
        for (double doublings = 1; !make_points(l, without, doublings, f);)
            doublings *= 2;
    }
}

/* ---- cross-validation -------------------------------------------------------------------------------------------- */

static void leave_out(const lesson *l, double width, double prior, ns_residual_found *f)
{
    for (int fold = 0; fold < l->folds; fold++) {
        learn(l, fold, width, prior, f);
        for (size_t i = 0; i < l->rows; i++)
            if (l->row[i].fold == fold)
                l->row[i].left_out = shift(f, l->row[i].way, l->row[i].messages, l->row[i].bytes);
    }
}

/* Mean gain over the rows of a way, or over all. */
static double gain_of(const lesson *l, const char *way)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < l->rows; i++) {
        const taught *t = &l->row[i];
        if (way != NULL && strcmp(t->way, way) != 0)
            continue;
        sum += fabs(t->r) - fabs(t->r - t->left_out);
        n++;
    }
    return sum / n;
}

/* Standard error of the mean gain, from the contribution of each fold. */
static double gain_error(const lesson *l, double mean)
{
    double squares = 0;
    for (int fold = 0; fold < l->folds; fold++) {
        double sum = 0;
        for (size_t i = 0; i < l->rows; i++)
            if (l->row[i].fold == fold)
                sum += fabs(l->row[i].r) - fabs(l->row[i].r - l->row[i].left_out) - mean;
        squares += sum * sum;
    }
    return sqrt(squares * l->folds / (l->folds - 1)) / (double)l->rows;
}

static void choose(const lesson *l, ns_residual_found *f)
{
    double best = 0, width = 0, prior = 0;
    for (int w = 0; w < WIDTHS; w++)
        for (int p = 0; p < PRIORS; p++) {
            if (priors[p] < 1 && widths[w] != NARROW)
                continue;
            leave_out(l, widths[w], priors[p], f);
            const double gain = gain_of(l, NULL);
            const double more = widths[w] != NARROW ? 0 : l->rows < NARROW_ROWS ? INFINITY : gain_error(l, gain);
            bool good = gain > best + more && gain > GAIN_LEAST && gain > gain_error(l, gain);
            for (size_t i = 0; i < l->rows && good; i++)
                good = !(gain_of(l, l->row[i].way) < 0);
            if (good) {
                best = gain;
                width = widths[w];
                prior = priors[p];
            }
        }
    f->points = 0;
    if (!(best > 0))
        return;
    leave_out(l, width, prior, f);
    learn(l, -1, width, prior, f);
    f->gain = best;
    size_t kept = 0;
    for (size_t i = 0; i < f->points; i++)
        if (f->point[i].rows > ROWS_LEAST) /* otherwise all of its exchanges were disturbed */
            f->point[kept++] = f->point[i];
    f->points = kept;
}

/* ---- learning ---------------------------------------------------------------------------------------------------- */

static void sum_up(const ns_price *price, double *messages, double *bytes)
{
    *messages = *bytes = 0;
    for (int i = 0; i < price->steps; i++) {
        *messages += price->step[i].messages;
        *bytes += price->step[i].bytes;
    }
}

ns_status ns_residual_calibrate(const ns_records *records, ns_scored *list, size_t count, const ns_grouping *grouping,
                                ns_memory memory, ns_residual_found *found, ns_error *err)
{
    lesson l = {.row = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *l.row)),
                .sorted = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *l.sorted))};
    found->points = 0;
    if (l.row == NULL || l.sorted == NULL) {
        ns_free(l.row);
        ns_free(l.sorted);
        return ns_no_memory(err);
    }
    /* Groups if there are at least three, else single exchanges. */
    const bool by_group = grouping->of_memory[memory] >= NS_CALIBRATION_GROUPS;
    for (size_t i = 0; i < count; i++) {
        const ns_strategy *way = ns_scored_strategy(records, &list[i]);
        taught t = {.scored = i};
        sum_up(&list[i].price, &t.messages, &t.bytes);
        if (way == NULL || ns_scored_memory(records, &list[i]) != memory || !(t.messages > 0))
            continue;
        t.way = way->name;
        t.r = log(list[i].measured_s / list[i].price.estimate_s);
        t.fold = by_group ? grouping->of[i] : (int)(l.rows % NS_FOLDS);
        l.row[l.rows++] = t;
    }
    l.folds = by_group ? grouping->folds : l.rows < NS_FOLDS ? (int)l.rows : NS_FOLDS;
    if (l.rows >= LEAST_ROWS && l.folds > 1)
        choose(&l, found);
    for (size_t i = 0; i < l.rows && found->points > 0; i++)
        list[l.row[i].scored].price.estimate_s *= exp(l.row[i].left_out);
    ns_free(l.row);
    ns_free(l.sorted);
    return NS_OK;
}

ns_status ns_residual_learn(const ns_records *records, ns_scored *list, size_t count,
                            ns_residual_found found[NS_MEMORIES], ns_error *err)
{
    ns_grouping grouping;
    NS_TRY(ns_grouping_make(records, list, count, &grouping, err));
    ns_status status = NS_OK;
    for (int m = 0; m < NS_MEMORIES && status == NS_OK; m++)
        status = ns_residual_calibrate(records, list, count, &grouping, (ns_memory)m, &found[m], err);
    ns_free(grouping.of);
    return status;
}

double ns_residual_found_shift(const ns_residual_found *found, const ns_strategy *way, const ns_price *price)
{
    double messages, bytes;
    sum_up(price, &messages, &bytes);
    return shift(found, way->name, messages, bytes);
}
