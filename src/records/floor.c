/* floor.c -- minimum time of an exchange, from whole measured exchanges
 *
 *     T = S + n a + max(0, F + f k - B)
 *
 * for one exchange: S is the time by the machine's measured numbers, n a the off-node start-ups of device memory, B the
 * time of everything that moves bytes, k the number of steps after the first.  F, f (if there are such steps) and a
 * (if no benchmark gives it) minimise the sum of |log2(T / measured)|, with the same weight for every strategy.
 */
#include "core/memory.h"
#include "records/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longer than any exchange, s, so that the floor dominates; and a value that makes a start-up visible. */
static const double LONG = 1000, SHORT = 1e-6;
enum { FIRST = 21, NEXT = 9, ROUNDS = 5 };

typedef struct priced {
    double rest, starts, bytes, later; /* s, 1, s, 1 */
    double measured, weight;
    bool leaves; /* any data leaves a node */
    int group;
    size_t scored;
} priced;

typedef struct guess {
    double floor, step, start; /* s */
} guess;

typedef struct problem {
    const priced *row;
    size_t rows;
    int left_out; /* group; -1: none */
    guess most;   /* 0: do not fit it */
} problem;

/* ---- rows at chosen floors --------------------------------------------------------------------------------------- */

/* A machine with a floor, its increment per step and, if not negative, a start-up; s. */
static ns_status machine_at(const ns_machine *machine, ns_memory memory, const double value[3], ns_machine **made,
                            ns_error *err)
{
    static const char *const path[] = {"floor", "floor_step", "off-node.alpha"};
    ns_machine *at = NULL, *next;
    for (int i = 0; i < 3 && value[i] >= 0; i++) {
        char text[120];
        snprintf(text, sizeof text, "%s.exchange.%s=%.9g s", ns_memory_words[memory], path[i], value[i]);
        const ns_status status = ns_machine_with(at != NULL ? at : machine, text, &next, err);
        ns_machine_free(at);
        NS_TRY(status);
        at = next;
    }
    *made = at;
    return NS_OK;
}

enum { PLAIN, FLOORED, STEPPED, STARTED, MACHINES };

/* ---- minimisation ------------------------------------------------------------------------------------------------ */

static double time_of(const priced *r, const guess *g)
{
    return r->rest + r->starts * g->start + (r->leaves ? fmax(0, g->floor + r->later * g->step - r->bytes) : 0);
}

/* Refine grids for one number; the numbers after it are fitted for each of its values. */
typedef double (*inner)(const problem *p, guess *g);

static double search(const problem *p, guess *g, double *number, double most, inner next)
{
    double lo = 0, hi = most, least = INFINITY, at = 0;
    guess best = *g;
    for (int round = 0; round < ROUNDS && hi > lo; round++) {
        const int points = round == 0 ? FIRST : NEXT;
        const double from = lo, width = (hi - lo) / (points - 1);
        for (int i = 0; i < points; i++) {
            *number = from + i * width;
            const double c = next(p, g);
            if (c < least) {
                least = c;
                at = from + i * width;
                best = *g;
            }
        }
        lo = fmax(0, at - width);
        hi = fmin(most, at + width);
    }
    if (!(most > 0)) {
        *number = 0;
        return next(p, g);
    }
    *g = best;
    return least;
}

static double cost(const problem *p, guess *g)
{
    double sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        if (p->row[i].group != p->left_out)
            sum += p->row[i].weight * fabs(log2(time_of(&p->row[i], g) / p->row[i].measured));
    return sum;
}

static double best_floor(const problem *p, guess *g)
{
    return search(p, g, &g->floor, p->most.floor, cost);
}

static double best_step(const problem *p, guess *g)
{
    return search(p, g, &g->step, p->most.step, best_floor);
}

static guess solve(const problem *p)
{
    guess g = {0, 0, 0};
    (void)search(p, &g, &g.start, p->most.start, best_step);
    return g;
}

/* ---- rows of a memory -------------------------------------------------------------------------------------------- */

ns_status ns_floor_calibrate(ns_pricing *pricing, ns_scored *list, size_t count, const ns_grouping *grouping,
                             const ns_machine *machine, ns_memory memory, ns_calibration *calibration, ns_error *err)
{
    ns_machine *at[MACHINES] = {NULL};
    if (machine->gpus == 0 || grouping->of_memory[memory] < NS_CALIBRATION_GROUPS)
        return NS_OK;
    priced *row = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *row));
    if (row == NULL)
        return ns_no_memory(err);
    /* Every strategy has the same weight. */
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        if (ns_scored_memory(pricing->records, &list[i]) == memory)
            row[rows++] = (priced){.group = grouping->of[i], .scored = i};
    for (size_t i = 0; i < rows; i++) {
        size_t alike = 0;
        for (size_t k = 0; k < rows; k++)
            alike += ns_scored_strategy(pricing->records, &list[row[i].scored]) ==
                     ns_scored_strategy(pricing->records, &list[row[k].scored]);
        row[i].weight = 1.0 / (double)alike;
    }
    /* Fit it if no benchmark with messages in flight gives the start-up of device memory. */
    const bool start = memory == NS_DEVICE &&
                       ns_machine_parameter(machine, "device.exchange.off-node.alpha") == NULL &&
                       ns_machine_parameter(machine, "device.exchange.off-node.overhead") == NULL;
    const double none = start ? 0 : -1;
    const double value[MACHINES][3] = {
        [PLAIN] = {0, 0, none}, [FLOORED] = {LONG, 0, none}, [STEPPED] = {LONG, 1, none}, [STARTED] = {0, 0, SHORT}};
    ns_status status = NS_OK;
    for (int k = 0; k < MACHINES - !start && status == NS_OK; k++)
        status = machine_at(machine, memory, value[k], &at[k], err);
    for (size_t i = 0; i < rows && status == NS_OK; i++) {
        double t[MACHINES] = {0};
        for (int k = 0; k < MACHINES && status == NS_OK; k++) {
            ns_price price = {.estimate_s = 0};
            if (at[k] != NULL)
                status = ns_pricing_full(pricing, &list[row[i].scored], at[k], &price, err);
            t[k] = price.estimate_s;
        }
        row[i].rest = t[PLAIN];
        row[i].leaves = t[FLOORED] > t[PLAIN];
        row[i].bytes = fmax(0, t[PLAIN] + LONG - t[FLOORED]);
        row[i].later = row[i].leaves ? t[STEPPED] - t[FLOORED] : 0;
        row[i].starts = at[STARTED] != NULL ? (t[STARTED] - t[PLAIN]) / SHORT : 0;
        row[i].measured = list[row[i].scored].measured_s;
    }
    if (status == NS_OK) {
        guess most = {0, 0, 0};
        bool steps = false;
        for (size_t i = 0; i < rows; i++) {
            most.floor = fmax(most.floor, row[i].leaves ? row[i].measured - row[i].rest + row[i].bytes : 0);
            steps = steps || row[i].later > 0;
        }
        most.step = steps ? most.floor / 2 : 0;
        for (int p = 0; p < NS_PROTOCOLS && start; p++)
            most.start = fmax(most.start, machine->line[memory][NS_OFF_NODE][p].alpha);
        /* Estimates of each group from the others, then from all groups. */
        problem p = {row, rows, -1, most};
        for (int g = 0; g < grouping->folds; g++) {
            p.left_out = g;
            const guess other = solve(&p);
            for (size_t i = 0; i < rows; i++)
                if (row[i].group == g)
                    list[row[i].scored].price.estimate_s = time_of(&row[i], &other);
        }
        p.left_out = -1;
        const guess all = solve(&p);
        calibration->floor_given = true;
        calibration->floor_s = all.floor;
        calibration->floor_step_given = most.step > 0;
        calibration->floor_step_s = all.step;
        calibration->start_up_given = most.start > 0;
        calibration->start_up_s = all.start;
    }
    for (int k = 0; k < MACHINES; k++)
        ns_machine_free(at[k]);
    ns_free(row);
    return status;
}
