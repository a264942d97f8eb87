/* sensitivity.c -- every knob turned by itself: elasticity, tornado, what to measure next */
#include "cli/front/progress.h"
#include "cli/show/sensitivity.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct turn {
    const ns_subject *subject;
    const ns_knob *knob;
    const char **winner; /* of the last answer, or NULL */
} turn;

static double turned(const ns_knob *knob, double factor)
{
    if (!knob->count)
        return knob->value * factor;
    return factor > 1 ? knob->value + 1 : factor < 1 ? knob->value - 1 : knob->value;
}

static ns_status answer(const void *context, double factor, double *value, ns_error *err)
{
    const turn *t = context;
    const ns_subject *s = t->subject;
    char assignment[300], number[40], unit[24];
    ns_machine *changed;
    if (factor == 1)
        return s->answer(s->context, s->machine, NULL, value, t->winner, err);
    const double x = turned(t->knob, factor);
    if (t->knob->parameter == NULL) {
        const ns_setting setting = {.name = t->knob->name, .number = x};
        return s->answer(s->context, s->machine, &setting, value, t->winner, err);
    }
    ns_double_format(x, number, sizeof number);
    ns_dim_unit(t->knob->dim, unit, sizeof unit);
    snprintf(assignment, sizeof assignment, "%s=%s %s", t->knob->name, number, strcmp(unit, "1") == 0 ? "" : unit);
    NS_TRY(ns_machine_with(s->machine, assignment, &changed, err));
    ns_status status = s->answer(s->context, changed, NULL, value, t->winner, err);
    ns_machine_free(changed);
    return status;
}

/* How far the answer moves. */
static double swing(const ns_elasticity *e)
{
    return fmax(e->has_low ? fabs(e->low - e->base) : 0, e->has_high ? fabs(e->high - e->base) : 0);
}

static int widest_first(const void *a, const void *b)
{
    const ns_move *x = a, *y = b;
    const double left = swing(&x->e), right = swing(&y->e);
    return left != right ? (left > right ? -1 : 1) : strcmp(x->knob.name, y->knob.name);
}

/* Who wins at this end, "" when it is still the same. */
static ns_status winner_at(turn *t, double factor, const char *usual, const char **winner, ns_error *err)
{
    double value;
    const char *now = "";
    ns_error inner = {0};
    t->winner = &now;
    const ns_status status = answer(t, factor, &value, &inner);
    t->winner = NULL;
    *winner = status == NS_OK && strcmp(now, usual) != 0 ? now : "";
    return status == NS_ERR_MEMORY ? ns_fail(err, status, "%s", inner.text) : NS_OK;
}

static ns_status turn_one(const ns_subject *subject, const ns_knob *knob, double by, const char *usual, ns_move *move,
                          bool *moves, ns_error *err)
{
    turn t = {subject, knob, NULL};
    *move = (ns_move){.knob = *knob, .low_winner = "", .high_winner = ""};
    NS_TRY(ns_elasticity_find(answer, &t, by, &move->e, err));
    if (knob->count)
        move->e.sloped = move->e.kink = move->e.jump = false;
    NS_TRY(winner_at(&t, 1 - by, usual, &move->low_winner, err));
    NS_TRY(winner_at(&t, 1 + by, usual, &move->high_winner, err));
    *moves = swing(&move->e) > 0 || (move->e.sloped && move->e.slope != 0) || *move->low_winner != '\0' ||
             *move->high_winner != '\0';
    return NS_OK;
}

ns_status ns_sensitivity_run(const ns_subject *subject, const ns_knob *knob, size_t knobs, double by, ns_move **move,
                             size_t *moves, ns_error *err)
{
    double base;
    const char *usual = "";
    NS_TRY(subject->answer(subject->context, subject->machine, NULL, &base, &usual, err));
    ns_move *list = malloc(ns_size_mul(ns_size_add(knobs, 1), sizeof *list));
    if (list == NULL)
        return ns_no_memory(err);
    *moves = 0;
    ns_status status = NS_OK;
    for (size_t i = 0; i < knobs && status == NS_OK; i++) {
        bool moved = false;
        ns_progress_show(subject->progress, "turning", "parameters", (double)i, (double)knobs);
        if (knob[i].value == 0)
            continue; /* no factor turns it */
        status = turn_one(subject, &knob[i], by, usual, &list[*moves], &moved, err);
        *moves += moved;
    }
    if (status != NS_OK) {
        free(list);
        return status;
    }
    if (*moves > 1)
        qsort(list, *moves, sizeof *list, widest_first);
    *move = list;
    return NS_OK;
}

size_t ns_machine_knobs(const ns_machine *machine, ns_knob *knob)
{
    size_t count = 0;
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        const char *last = strrchr(p->path, '.');
        if (last != NULL && strcmp(last, ".correlation") == 0)
            continue; /* of errors: no answer moves */
        knob[count] = (ns_knob){.name = p->path,
                                .parameter = p,
                                .value = p->value,
                                .se = p->se,
                                .dim = p->dim,
                                .count = strncmp(p->path, "topology.", 9) == 0,
                                .source = p->source};
        count++;
    }
    return count;
}
