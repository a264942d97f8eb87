/* batch.c -- one model at many points that differ in some numbers only
 *
 * Names, paths, units and tables are resolved once: a point then sets its columns, the inputs that copy them, and
 * where the machine's line depends on the message's size, that line.  Whatever a point meets that is not plain (a
 * value out of its range, a protocol without a line, an answer that is not finite) is left to the common way, and so
 * are its errors.
 */

#include "model/bind.h"
#include "model/binding.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 64, LINES = 8, BLOCK = 256 };

/* An input that a point changes: in range from `least` to `most`, both included. */
typedef struct slot {
    size_t offset;
    double least, most;
    const double *value; /* of a column */
    size_t from;         /* of a copy: offset of what it copies */
} slot;

/* An input that comes with the line of the message's size. */
typedef struct line_input {
    size_t offset;
    double value[NS_PROTOCOLS];
} line_input;

typedef struct plan {
    const ns_binding *open;
    const ns_column *column;
    size_t columns, outputs;
    bool dense;        /* the output struct is its outputs, one after another */
    ns_binding closed; /* `in` holds the point under way */
    int slots, copies, lines;
    slot slot[SLOTS], copy[SLOTS];
    line_input line[LINES];
    bool by_size;
    bool has_line[NS_PROTOCOLS];
    double from[NS_PROTOCOLS]; /* bytes */
    double low, high;          /* sizes in [low, high) go by the line that is in `in` */
} plan;

size_t ns_model_outputs(const ns_model *model)
{
    size_t count = 0;
    while (model->outputs[count].kind != NS_FIELD_END)
        count++;
    return count;
}

/* ---- the common way ---------------------------------------------------------------------------------------------- */

static ns_status eval_alone(plan *p, size_t i, double *out, ns_error *err)
{
    ns_model_buffer answer;
    ns_binding *b = &p->closed;
    *b = *p->open;
    for (size_t c = 0; c < p->columns; c++)
        NS_TRY(ns_bind_number(b, p->column[c].name, p->column[c].value[i], err));
    NS_TRY(ns_bind_close(b, err));
    NS_TRY(ns_model_eval(b, &answer, err));
    for (size_t k = 0; k < p->outputs; k++)
        out[k] = ns_field_number(&b->model->outputs[k], &answer);
    return NS_OK;
}

/* ---- the plan, from a closed binding ----------------------------------------------------------------------------- */

/* No number lies between an open bound and its next one. */
static slot slot_of(const ns_field *field)
{
    return (slot){.offset = field->offset,
                  .least = field->open ? nextafter(field->least, INFINITY) : field->least,
                  .most = field->most};
}

static bool add_columns(plan *p)
{
    for (size_t c = 0; c < p->columns; c++) {
        if (p->slots == SLOTS)
            return false;
        p->slot[p->slots] = slot_of(ns_field_find(p->open->model->inputs, p->column[c].name));
        p->slot[p->slots++].value = p->column[c].value;
    }
    return true;
}

static bool add_copies(plan *p)
{
    const ns_field *inputs = p->open->model->inputs;
    for (int i = 0; inputs[i].kind != NS_FIELD_END; i++) {
        if (p->closed.given[i] != NS_GIVEN_SAME)
            continue;
        const ns_field *from = ns_field_find(inputs, inputs[i].from + 1);
        if (inputs[i].kind != NS_FIELD_NUMBER || from->kind != NS_FIELD_NUMBER || p->copies == SLOTS)
            return false;
        p->copy[p->copies] = slot_of(&inputs[i]);
        p->copy[p->copies++].from = from->offset;
    }
    return true;
}

/* Values of one input for every protocol; a protocol that lacks one has no line. */
static void read_lines(plan *p, const ns_field *field, line_input *line)
{
    char path[NS_PATH_MAX];
    ns_binding b = p->closed;
    line->offset = field->offset;
    for (int i = 0; i < NS_PROTOCOLS; i++) {
        b.used_protocol = (ns_protocol)i;
        const bool found = ns_bind_path(&b, field, path, sizeof path) != NULL &&
                           ns_machine_number(b.machine, path, &line->value[i], NULL, NULL);
        if (!found)
            line->value[i] = field->neutral;
        if ((!found && !field->has_default) || !ns_is_in_range(field, line->value[i]))
            p->has_line[i] = false;
    }
}

static bool add_lines(plan *p)
{
    const ns_field *inputs = p->open->model->inputs;
    const ns_selectors *s = &p->closed.selectors;
    if (p->closed.machine == NULL || s->protocol >= 0)
        return true;
    for (int i = 0; i < NS_PROTOCOLS; i++) {
        const ns_line *line = &p->closed.machine->line[s->memory][s->locality][i];
        p->has_line[i] = line->given;
        p->from[i] = line->given ? line->from : INFINITY;
    }
    for (int i = 0; inputs[i].kind != NS_FIELD_END; i++) {
        if (p->closed.given[i] == NS_GIVEN_USER || !ns_wants_protocol(&inputs[i]))
            continue;
        if (inputs[i].kind != NS_FIELD_NUMBER || p->lines == LINES)
            return false;
        read_lines(p, &inputs[i], &p->line[p->lines++]);
        p->by_size = true;
    }
    return true;
}

/* ---- points by the plan ------------------------------------------------------------------------------------------ */

static double *input_at(plan *p, size_t offset)
{
    return (double *)(void *)(p->closed.in.bytes + offset);
}

static bool in_range(const slot *s, double value)
{
    return value >= s->least && value <= s->most;
}

/* The line for messages of so many bytes: of the last protocol that begins below. */
static bool set_line(plan *p, double bytes)
{
    int found = -1;
    if (!isfinite(bytes)) /* no message at all */
        bytes = 0;
    for (int i = 0; i < NS_PROTOCOLS; i++)
        found = bytes >= p->from[i] ? i : found;
    if (found < 0 || !p->has_line[found])
        return false;
    for (int i = 0; i < p->lines; i++)
        *input_at(p, p->line[i].offset) = p->line[i].value[found];
    p->low = p->from[found];
    p->high = INFINITY;
    for (int i = found + 1; i < NS_PROTOCOLS; i++)
        p->high = fmin(p->high, p->from[i]);
    return true;
}

static bool set_copies(plan *p)
{
    for (int c = 0; c < 2 * p->copies; c++) { /* twice: a copy of a copy */
        const slot *s = &p->copy[c % p->copies];
        *input_at(p, s->offset) = *input_at(p, s->from);
    }
    for (int c = 0; c < p->copies; c++)
        if (!in_range(&p->copy[c], *input_at(p, p->copy[c].offset)))
            return false;
    return true;
}

static bool eval_into(plan *p, double *out)
{
    const ns_model *model = p->closed.model;
    ns_model_buffer buffer;
    if (p->dense)
        return model->eval(p->closed.machine, p->closed.in.bytes, out, NULL) == NS_OK;
    if (model->eval(p->closed.machine, p->closed.in.bytes, &buffer, NULL) != NS_OK)
        return false;
    for (size_t k = 0; k < p->outputs; k++)
        out[k] = ns_field_number(&model->outputs[k], &buffer);
    return true;
}

/* Points from `begin` on whose columns are in range. */
static size_t check_columns(const plan *p, size_t begin, size_t end)
{
    for (int s = 0; s < p->slots; s++)
        for (size_t i = begin; i < end; i++)
            if (!in_range(&p->slot[s], p->slot[s].value[i]))
                end = i;
    return end;
}

/* One column, no copies, outputs as they stand: what does not change from point to point is kept at hand. */
static size_t eval_column(plan *p, size_t begin, size_t end, double *out)
{
    const ns_model *model = p->closed.model;
    const ns_machine *machine = p->closed.machine;
    const char *in = p->closed.in.bytes;
    const double *value = p->slot->value;
    double *input = input_at(p, p->slot->offset), low = p->low, high = p->high;
    const bool by_size = p->by_size;
    const size_t outputs = p->outputs;
    size_t i = begin;
    for (out += begin * outputs; i < end; i++, out += outputs) {
        *input = value[i];
        const double bytes = by_size ? model->message(in) : 0;
        if (by_size && !(bytes >= low && bytes < high)) {
            if (!set_line(p, bytes))
                break;
            low = p->low;
            high = p->high;
        }
        if (model->eval(machine, in, out, NULL) != NS_OK)
            break;
    }
    return i;
}

static size_t eval_columns(plan *p, size_t begin, size_t end, double *out)
{
    const ns_model *model = p->closed.model;
    size_t i = begin;
    for (; i < end; i++) {
        for (int s = 0; s < p->slots; s++)
            *input_at(p, p->slot[s].offset) = p->slot[s].value[i];
        if (p->copies > 0 && !set_copies(p))
            break;
        const double bytes = p->by_size && model->message != NULL ? model->message(p->closed.in.bytes) : 0;
        if (p->by_size && !(bytes >= p->low && bytes < p->high) && !set_line(p, bytes))
            break;
        if (!eval_into(p, out + i * p->outputs))
            break;
    }
    return i;
}

/* The first point from `begin` on, at most `end`, that the common way has to answer. */
static size_t eval_planned(plan *p, size_t begin, size_t end, double *out)
{
    const bool plain = p->slots == 1 && p->copies == 0 && p->dense && (!p->by_size || p->closed.model->message != NULL);
    end = check_columns(p, begin, end);
    size_t i = plain ? eval_column(p, begin, end, out) : eval_columns(p, begin, end, out);
    if (ns_all_finite(out + begin * p->outputs, (i - begin) * p->outputs))
        return i;
    for (i = begin; ns_all_finite(out + i * p->outputs, p->outputs);)
        i++;
    return i;
}

ns_status ns_eval_batch(const ns_binding *binding, const ns_column *column, size_t columns, size_t n, double *out,
                        size_t *done, ns_error *err)
{
    ns_error_clear(err);
    plan p = {.open = binding, .column = column, .columns = columns, .outputs = ns_model_outputs(binding->model)};
    ns_status status = NS_OK;
    bool planned = false;
    size_t i = 0;
    p.dense = binding->model->out_size == p.outputs * sizeof(double);
    for (size_t k = 0; k < p.outputs; k++)
        p.dense &= binding->model->outputs[k].offset == k * sizeof(double);
    while (i < n) {
        const size_t before = i;
        if (planned)
            i = eval_planned(&p, i, n - i < BLOCK ? n : i + BLOCK, out);
        if (i > before)
            continue;
        p.high = -INFINITY; /* no line yet */
        status = eval_alone(&p, i, out + i * p.outputs, err);
        if (status != NS_OK)
            break;
        if (i++ == 0)
            planned = add_columns(&p) && add_copies(&p) && add_lines(&p);
    }
    *done = i;
    return status;
}
