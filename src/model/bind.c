/* bind.c -- inputs of a model: names, units and ranges are checked here, once, and assumed valid below; and its
 * evaluation at one point or at many
 *
 * A value comes from the user, else from the machine, else from another input ("=other"), else it is a neutral default.
 */
#include "model/binding.h"

#include "core/memory.h"
#include "core/refuse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MOST = 160 };

/* Adding one to an exponent of all ones carries into the sign; no other exponent does that. */
static bool all_finite(const double *value, size_t count)
{
    const uint64_t one = UINT64_C(1) << 52, exponent = 0x7ff * one;
    uint64_t carry = 0, bits;
    for (size_t i = 0; i < count; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        carry |= (bits & exponent) + one;
    }
    return carry >> 63 == 0;
}

/* Does the machine's row of this input depend on the protocol? */
static bool wants_protocol(const ns_field *field)
{
    return field->from != NULL && strstr(field->from, "{protocol}") != NULL;
}

static bool wants_selectors(const ns_model *model)
{
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        if (f->from != NULL && strchr(f->from, '{') != NULL)
            return true;
    return false;
}

void ns_bind_open(ns_binding *binding, const ns_model *model, const ns_machine *machine)
{
    assert(model->in_size <= NS_MODEL_BYTES && model->out_size <= NS_MODEL_BYTES);
    *binding = (ns_binding){.model = model, .machine = machine, .selectors = NS_SELECTORS_DEFAULT};
}

/* ---- setting inputs ---------------------------------------------------------------------------------------------- */

enum { NAMES_MAX = 67 };

/* Further inputs of every model whose rows refer to tables of the machine, unless the model has an input with that
 * name. */
static const struct {
    const char *name;
    const char *const *words;
} selectors[] = {
    {"locality", ns_locality_words}, {"memory", ns_memory_words}, {"protocol", ns_protocol_choice_words}};
enum { SELECTORS = sizeof selectors / sizeof *selectors };

static ns_status unknown_input(const ns_model *model, const char *name, ns_error *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        names[count++] = f->name;
    for (int i = 0; wants_selectors(model) && i < SELECTORS; i++)
        names[count++] = selectors[i].name;
    char what[100];
    snprintf(what, sizeof what, "%s has no input", model->name);
    return ns_refuse_name_for(err, what, name, names, count, NS_REMEDY_INPUTS, model->name);
}

/* name: the name that the caller used for the input. */
static ns_status check_range(const ns_field *field, const char *name, double value, ns_error *err)
{
    if (value <= field->most && (field->open ? value > field->least : value >= field->least) && isfinite(value))
        return NS_OK;
    char got[64], least[64], most[64];
    double factor;
    ns_dim dim;
    NS_TRY(ns_unit_parse(field->unit, &factor, &dim, err));
    ns_quantity_format(value, dim, 6, got, sizeof got);
    ns_quantity_format(field->least, dim, 6, least, sizeof least);
    ns_quantity_format(field->most, dim, 6, most, sizeof most);
    const char *relation = field->open ? "more than" : "at least";
    return field->most < NS_MOST
               ? ns_fail(err, NS_ERR_RANGE, "%s has to be %s %s and at most %s, got %s", name, relation, least,
                         most, got)
               : ns_fail(err, NS_ERR_RANGE, "%s has to be %s %s, got %s", name, relation, least, got);
}

static ns_status give_text(ns_binding *binding, const ns_field *field, const char *name, const char *text,
                           ns_error *err)
{
    if (field->kind == NS_FIELD_WORD) {
        int *word = (int *)(void *)(binding->in.bytes + field->offset);
        NS_TRY(ns_choose_word(name, field->words, text, word, err));
    } else if (field->kind == NS_FIELD_LIST) {
        ns_numbers *list = (ns_numbers *)(void *)(binding->in.bytes + field->offset);
        double *values;
        NS_TRY(ns_list_parse(text, name, field->unit, &values, &list->count, err));
        ns_status status = NS_OK;
        if (list->count > NS_LIST_MAX)
            status = ns_fail(err, NS_ERR_RANGE, "%s takes at most %d values, got %zu", name, (int)NS_LIST_MAX,
                             list->count);
        for (size_t i = 0; i < list->count && status == NS_OK; i++) {
            status = check_range(field, name, values[i], err);
            list->at[i] = values[i];
        }
        ns_list_free(values);
        NS_TRY(status);
    } else {
        double value;
        NS_TRY(ns_quantity_parse_as(text, name, field->unit, &value, err));
        NS_TRY(check_range(field, name, value, err));
        binding->in.number[field->offset / sizeof(double)] = value;
    }
    binding->given[field - binding->model->inputs] = NS_GIVEN_USER;
    return NS_OK;
}

ns_status ns_bind_text(ns_binding *binding, const char *assignment, ns_error *err)
{
    ns_error_clear(err);
    const char *equals = strchr(assignment, '=');
    char name[64];
    if (equals == NULL || equals == assignment || (size_t)(equals - assignment) >= sizeof name)
        return ns_fail(err, NS_ERR_SYNTAX, "\"%s\" is not NAME=VALUE", assignment);
    memcpy(name, assignment, (size_t)(equals - assignment));
    name[equals - assignment] = '\0';
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field != NULL && binding->given[field - binding->model->inputs] == NS_GIVEN_USER)
        return ns_fail(err, NS_ERR_NAME, "%s is given twice", name);
    if (field != NULL)
        return give_text(binding, field, name, equals + 1, err);
    ns_selectors *s = &binding->selectors;
    int chosen[SELECTORS] = {(int)s->locality, (int)s->memory, s->protocol + 1};
    for (int i = 0; wants_selectors(binding->model) && i < SELECTORS; i++)
        if (strcmp(name, selectors[i].name) == 0) {
            NS_TRY(ns_choose_word(name, selectors[i].words, equals + 1, &chosen[i], err));
            *s = (ns_selectors){(ns_locality)chosen[0], (ns_memory)chosen[1], chosen[2] - 1};
            return NS_OK;
        }
    return unknown_input(binding->model, name, err);
}

ns_status ns_bind_number(ns_binding *binding, const char *name, double value, ns_error *err)
{
    ns_error_clear(err);
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field == NULL)
        return unknown_input(binding->model, name, err);
    if (field->kind != NS_FIELD_NUMBER)
        return ns_fail(err, NS_ERR_NAME, "%s of %s is not a number", name, binding->model->name);
    NS_TRY(check_range(field, name, value, err));
    binding->in.number[field->offset / sizeof(double)] = value;
    binding->given[field - binding->model->inputs] = NS_GIVEN_USER;
    return NS_OK;
}

ns_status ns_bind_word(ns_binding *binding, const char *name, const char *word, ns_error *err)
{
    ns_error_clear(err);
    const ns_field *field = ns_field_find(binding->model->inputs, name);
    if (field == NULL)
        return unknown_input(binding->model, name, err);
    if (field->kind != NS_FIELD_WORD)
        return ns_fail(err, NS_ERR_NAME, "%s of %s is not a word", name, binding->model->name);
    return give_text(binding, field, name, word, err);
}

/* ---- closing a binding ------------------------------------------------------------------------------------------- */

const char *ns_bind_path(const ns_binding *binding, const ns_field *input, char *buffer, size_t size)
{
    const ns_selectors *s = &binding->selectors;
    const char *const words[] = {ns_memory_words[s->memory], ns_locality_words[s->locality],
                                 ns_protocol_words[binding->used_protocol]};
    if (input->from == NULL || input->from[0] == '=')
        return NULL;
    size_t used = 0;
    for (const char *c = input->from; *c != '\0';) {
        const size_t length = *c == '{' ? strcspn(c, "}") + 1 : strcspn(c, "{");
        /* {memory}, {locality}, {protocol} */
        const char *text = *c != '{' ? c : words[c[1] == 'm' ? 0 : c[1] == 'l' ? 1 : 2];
        const size_t written = *c != '{' ? length : strlen(text);
        assert(used + written < size);
        (void)size;
        memcpy(buffer + used, text, written);
        used += written;
        c += length;
    }
    buffer[used] = '\0';
    return buffer;
}

/* Fill in the values from the machine, another input or a default; "{protocol}" rows only on request. */
static ns_status fill(ns_binding *binding, bool protocol_rows, ns_error *err)
{
    char path[PATH_MOST];
    for (const ns_field *field = binding->model->inputs; field->kind != NS_FIELD_END; field++) {
        unsigned char *by = &binding->given[field - binding->model->inputs];
        if (*by != NS_GIVEN_NONE || wants_protocol(field) != protocol_rows)
            continue;
        double value = 0;
        if (field->from != NULL && field->from[0] == '=') {
            const ns_field *other = ns_field_find(binding->model->inputs, field->from + 1);
            if (other == NULL)
                return unknown_input(binding->model, field->from + 1, err);
            if (binding->given[other - binding->model->inputs] == NS_GIVEN_NONE)
                continue;
            value = binding->in.number[other->offset / sizeof(double)];
            *by = NS_GIVEN_SAME;
        } else if (binding->machine != NULL && ns_bind_path(binding, field, path, sizeof path) != NULL &&
                   ns_machine_number(binding->machine, path, &value, NULL, NULL)) {
            *by = NS_GIVEN_MACHINE;
            binding->used_machine = true;
        } else if (field->has_default) {
            *by = NS_GIVEN_DEFAULT;
            value = field->neutral;
        } else {
            continue;
        }
        if (field->kind == NS_FIELD_WORD)
            *(int *)(void *)(binding->in.bytes + field->offset) = (int)value;
        else if (field->kind == NS_FIELD_LIST)
            ((ns_numbers *)(void *)(binding->in.bytes + field->offset))->count = 0; /* an optional list is empty */
        else if (field->kind == NS_FIELD_NUMBER) {
            NS_TRY(check_range(field, field->name, value, err));
            binding->in.number[field->offset / sizeof(double)] = value;
        }
    }
    return NS_OK;
}

static ns_status no_table(const ns_binding *binding, ns_error *err)
{
    const ns_selectors *s = &binding->selectors;
    return ns_fail(err, NS_ERR_DATA, "machine %s has no %s table for %s memory", binding->machine->name,
                   ns_locality_words[s->locality], ns_memory_words[s->memory]);
}

ns_status ns_bind_close(ns_binding *binding, ns_error *err)
{
    ns_error_clear(err);
    const ns_model *model = binding->model;
    if (model->wants_machine && binding->machine == NULL)
        return ns_fail_for(err, NS_ERR_NAME, NS_REMEDY_TABLES, "", "%s reads a machine's tables", model->name);
    NS_TRY(fill(binding, false, err));
    NS_TRY(fill(binding, false, err)); /* "=other" may come before the input that it copies */

    /* resolve "{protocol}": the requested one, or that of the message's size; a table for which another one stands in
     * has no path */
    const ns_machine *machine = binding->machine;
    const ns_selectors *s = &binding->selectors;
    bool open_rows = false;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        open_rows = open_rows || (binding->given[f - model->inputs] == NS_GIVEN_NONE && wants_protocol(f));
    if (open_rows && machine != NULL && machine->stands_for[s->memory][s->locality] != s->locality)
        return no_table(binding, err);
    if (open_rows && machine != NULL && s->protocol >= 0) {
        const ns_line *line;
        binding->used_protocol = (ns_protocol)s->protocol;
        NS_TRY(ns_model_line(machine, (int)s->memory, (int)s->locality, s->protocol, 0, &line, err));
    } else if (open_rows && machine != NULL) {
        const double bytes = model->message != NULL ? model->message(binding->in.bytes) : 0;
        if (ns_machine_line(machine, s->memory, s->locality, isfinite(bytes) ? bytes : 0, /* m = 0: no message at all */
                            &binding->used_protocol) == NULL)
            return no_table(binding, err);
    }
    NS_TRY(fill(binding, true, err));

    char missing[400] = "";
    bool machine_would_help = false;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++) {
        if (binding->given[f - binding->model->inputs] != NS_GIVEN_NONE)
            continue;
        size_t used = strlen(missing);
        snprintf(missing + used, sizeof missing - used, "%s%s [%s]", used > 0 ? ", " : "", f->name, f->unit);
        machine_would_help = machine_would_help || (f->from != NULL && binding->machine == NULL);
    }
    if (missing[0] == '\0')
        return NS_OK;
    return ns_fail_for(err, NS_ERR_NAME, machine_would_help ? NS_REMEDY_NUMBERS : NS_NO_REMEDY, "", "%s lacks %s%s",
                       model->name, missing,
                       binding->machine != NULL ? ", which the machine does not give either" : "");
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

double ns_field_number(const ns_field *field, const void *record)
{
    double value;
    memcpy(&value, (const char *)record + field->offset, sizeof value);
    return value;
}

const char *ns_bind_beyond(const ns_binding *binding, char *text, size_t size)
{
    char value[48], end[48];
    double factor;
    ns_dim dim;
    *text = '\0';
    for (const ns_field *f = binding->model->inputs; f->kind != NS_FIELD_END; f++) {
        if (f->fitted <= 0 || ns_field_number(f, binding->in.bytes) <= f->fitted ||
            ns_unit_parse(f->unit, &factor, &dim, NULL) != NS_OK)
            continue;
        snprintf(text, size, "%s = %s is beyond %s, where the data behind %s end", f->name,
                 ns_quantity_format(ns_field_number(f, binding->in.bytes), dim, 4, value, sizeof value),
                 ns_quantity_format(f->fitted, dim, 4, end, sizeof end), binding->model->name);
        return text;
    }
    return text;
}

const char *ns_bind_assumed(const ns_binding *binding, char *text, size_t size)
{
    const char *name[NS_LIST_MAX] = {NULL};
    const ns_model *model = binding->model;
    size_t count = 0;
    for (size_t i = 0; model->inputs[i].kind != NS_FIELD_END; i++) {
        char path[PATH_MOST];
        const ns_parameter *parameter = NULL;
        double value;
        if (binding->given[i] == NS_GIVEN_MACHINE &&
            ns_bind_path(binding, &model->inputs[i], path, sizeof path) != NULL &&
            ns_machine_number(binding->machine, path, &value, NULL, &parameter) && ns_parameter_assumed(parameter))
            name[count++] = model->inputs[i].name;
    }
    ns_name_list(text, size, name, count);
    const size_t used = strlen(text);
    if (count > 0)
        snprintf(text + used, size - used, " of %s %s assumed on %s: no source gives %s", model->name,
                 count > 1 ? "are" : "is", binding->machine->name, count > 1 ? "them" : "it");
    return text;
}

const ns_field *ns_field_find(const ns_field *fields, const char *name)
{
    for (; fields->kind != NS_FIELD_END; fields++)
        if (strcmp(fields->name, name) == 0 || (fields->also != NULL && strcmp(fields->also, name) == 0))
            return fields;
    return NULL;
}

/* An output struct consists of doubles, so its finiteness can usually be checked without its rows. */
ns_status ns_model_eval(const ns_binding *binding, void *out, ns_error *err)
{
    const ns_model *model = binding->model;
    NS_TRY(model->eval(binding->machine, binding->in.bytes, out, err));
    const ns_field *f = model->outputs;
    if (all_finite(out, model->out_size / sizeof(double)))
        return NS_OK;
    for (; f->kind != NS_FIELD_END; f++)
        if ((f->kind == NS_FIELD_NUMBER || f->kind == NS_FIELD_TERM) && !isfinite(ns_field_number(f, out)))
            return ns_fail(err, NS_ERR_RANGE, "%s: %s is not finite for these inputs", model->name, f->name);
    return NS_OK;
}

/* ---- allocated bindings ------------------------------------------------------------------------------------------ */

ns_status ns_binding_open(const ns_model *model, const ns_machine *machine, ns_binding **binding, ns_error *err)
{
    ns_error_clear(err);
    ns_binding *made = ns_malloc(sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    ns_bind_open(made, model, machine);
    *binding = made;
    return NS_OK;
}

void ns_binding_free(ns_binding *binding)
{
    ns_free(binding);
}

ns_status ns_binding_eval(const ns_binding *binding, double *output, ns_error *err)
{
    ns_error_clear(err);
    ns_model_buffer out;
    NS_TRY(ns_model_eval(binding, &out, err));
    const size_t outputs = ns_model_outputs(binding->model);
    for (size_t i = 0; i < outputs; i++)
        output[i] = ns_field_number(&binding->model->outputs[i], &out);
    return NS_OK;
}

/* ---- one model at many points that differ in some numbers only ---------------------------------------------------
 *
 * Names, paths, units and tables are resolved once: a point then sets its columns, the inputs that copy them, and
 * where the machine's line depends on the message's size, that line.  Whatever a point meets that is not plain (a
 * value out of its range, a protocol without a line, an answer that is not finite) is left to the common way, and so
 * are its errors.
 */

enum { SLOTS = 64, LINES = 8, BLOCK = 256 };

/* An input that varies between points: in range from `least` to `most`, both included. */
typedef struct slot {
    size_t at; /* its place in in.number */
    double least, most;
    const double *value; /* of a column */
    size_t from;         /* of a copy: the index of its source */
} slot;

/* An input that depends on the line for the message's size. */
typedef struct line_input {
    size_t at;
    double value[NS_PROTOCOLS];
} line_input;

typedef struct plan {
    const ns_binding *open;
    const ns_column *column;
    size_t columns, outputs;
    bool dense;        /* the output struct has only its outputs, contiguously */
    ns_binding closed; /* `in` holds the current point */
    int slots, copies, lines;
    slot slot[SLOTS], copy[SLOTS];
    line_input line[LINES];
    bool by_size;
    bool has_line[NS_PROTOCOLS];
    double from[NS_PROTOCOLS]; /* bytes */
    double low, high;          /* sizes in [low, high) use the line that is in `in` */
} plan;

size_t ns_model_outputs(const ns_model *model)
{
    size_t count = 0;
    while (model->outputs[count].kind != NS_FIELD_END)
        count++;
    return count;
}

/* Evaluate a point by the general path. */
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

/* An open bound excludes the bound itself: use the next representable number. */
static slot slot_of(const ns_field *field)
{
    return (slot){.at = field->offset / sizeof(double),
                  .least = field->open ? nextafter(field->least, INFINITY) : field->least,
                  .most = field->most};
}

static bool in_range(const slot *s, double value)
{
    return value >= s->least && value <= s->most;
}

/* Values of one input for every protocol; a protocol without it has no line. */
static void read_lines(plan *p, const ns_field *field, line_input *line)
{
    char path[PATH_MOST];
    ns_binding b = p->closed;
    const slot range = slot_of(field);
    line->at = range.at;
    for (int i = 0; i < NS_PROTOCOLS; i++) {
        b.used_protocol = (ns_protocol)i;
        const bool found = ns_bind_path(&b, field, path, sizeof path) != NULL &&
                           ns_machine_number(b.machine, path, &line->value[i], NULL, NULL);
        if (!found)
            line->value[i] = field->neutral;
        if ((!found && !field->has_default) || !in_range(&range, line->value[i]))
            p->has_line[i] = false;
    }
}

/* Make the plan from a closed binding; false: the points differ too much for a common plan. */
static bool make_plan(plan *p)
{
    const ns_field *inputs = p->open->model->inputs;
    const ns_selectors *s = &p->closed.selectors;
    const bool by_line = p->closed.machine != NULL && s->protocol < 0;
    if (p->columns > SLOTS)
        return false;
    for (size_t c = 0; c < p->columns; c++) {
        p->slot[p->slots] = slot_of(ns_field_find(inputs, p->column[c].name));
        p->slot[p->slots++].value = p->column[c].value;
    }
    for (int i = 0; by_line && i < NS_PROTOCOLS; i++) {
        const ns_line *line = &p->closed.machine->line[s->memory][s->locality][i];
        p->has_line[i] = line->given;
        p->from[i] = line->given ? line->from : INFINITY;
    }
    for (int i = 0; inputs[i].kind != NS_FIELD_END; i++) {
        if (p->closed.given[i] == NS_GIVEN_SAME) {
            const ns_field *from = ns_field_find(inputs, inputs[i].from + 1);
            if (inputs[i].kind != NS_FIELD_NUMBER || from->kind != NS_FIELD_NUMBER || p->copies == SLOTS)
                return false;
            p->copy[p->copies] = slot_of(&inputs[i]);
            p->copy[p->copies++].from = from->offset / sizeof(double);
        }
        if (by_line && p->closed.given[i] != NS_GIVEN_USER && wants_protocol(&inputs[i])) {
            if (inputs[i].kind != NS_FIELD_NUMBER || p->lines == LINES)
                return false;
            read_lines(p, &inputs[i], &p->line[p->lines++]);
            p->by_size = true;
        }
    }
    return true;
}

/* Set the line for messages of this size: that of the last protocol that begins below. */
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
        p->closed.in.number[p->line[i].at] = p->line[i].value[found];
    p->low = p->from[found];
    p->high = INFINITY;
    for (int i = found + 1; i < NS_PROTOCOLS; i++)
        p->high = fmin(p->high, p->from[i]);
    return true;
}

/* One column, no copies, outputs in the order of the struct: loop invariants are in local variables. */
static size_t eval_column(plan *p, size_t begin, size_t end, double *out)
{
    const ns_model *model = p->closed.model;
    const ns_machine *machine = p->closed.machine;
    const char *in = p->closed.in.bytes;
    const double *value = p->slot->value;
    double *input = &p->closed.in.number[p->slot->at], low = p->low, high = p->high;
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
    ns_model_buffer buffer;
    for (size_t i = begin; i < end; i++) {
        double *point = out + i * p->outputs;
        for (int s = 0; s < p->slots; s++)
            p->closed.in.number[p->slot[s].at] = p->slot[s].value[i];
        for (int c = 0; c < 2 * p->copies; c++) { /* twice: a copy of a copy */
            const slot *s = &p->copy[c % p->copies];
            p->closed.in.number[s->at] = p->closed.in.number[s->from];
        }
        for (int c = 0; c < p->copies; c++)
            if (!in_range(&p->copy[c], p->closed.in.number[p->copy[c].at]))
                return i;
        const double bytes = p->by_size && model->message != NULL ? model->message(p->closed.in.bytes) : 0;
        if (p->by_size && !(bytes >= p->low && bytes < p->high) && !set_line(p, bytes))
            return i;
        if (model->eval(p->closed.machine, p->closed.in.bytes, p->dense ? (void *)point : &buffer, NULL) != NS_OK)
            return i;
        for (size_t k = 0; !p->dense && k < p->outputs; k++)
            point[k] = ns_field_number(&model->outputs[k], &buffer);
    }
    return end;
}

/* The first point in [begin, end] that needs the general path. */
static size_t eval_planned(plan *p, size_t begin, size_t end, double *out)
{
    const bool plain = p->slots == 1 && p->copies == 0 && p->dense && (!p->by_size || p->closed.model->message != NULL);
    for (int s = 0; s < p->slots; s++)
        for (size_t i = begin; i < end; i++)
            if (!in_range(&p->slot[s], p->slot[s].value[i]))
                end = i;
    size_t i = plain ? eval_column(p, begin, end, out) : eval_columns(p, begin, end, out);
    if (all_finite(out + begin * p->outputs, (i - begin) * p->outputs))
        return i;
    for (i = begin; all_finite(out + i * p->outputs, p->outputs);)
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
            planned = make_plan(&p);
    }
    *done = i;
    return status;
}
