/* test_every_model.c -- what has to hold for every registered model, whoever wrote it
 *
 * Homogeneity: with all seconds 8 times and all bytes 32 times as large, in the inputs and in the machine, every output
 * has to scale by its own dimension.  Both factors are powers of two, so bit for bit: a constant that hides a second or
 * a byte, or a protocol chosen by anything but the machine's own sizes, shows.
 */

#include "api/library.h"
#include "support/machines.h"
#include "support/needs.h"
#include "support/test.h"

#define NS_MODEL(stem) #stem,
static const char *const stems[] = {
#include "models.def"
};
#undef NS_MODEL

enum { MODELS = sizeof stems / sizeof *stems };

static const ns_field *last_row(const ns_field *rows)
{
    while (rows[1].kind != NS_FIELD_END)
        rows++;
    return rows;
}

static ns_dim dim_of(const ns_field *field)
{
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    ns_error err = {0};
    ck_assert_msg(ns_unit_parse(field->unit, &factor, &dim, &err) == NS_OK, "%s: %s", field->name, err.text);
    return dim;
}

static bool is_number(const ns_field *field)
{
    return field->kind == NS_FIELD_NUMBER || field->kind == NS_FIELD_TERM;
}

/* ---- descriptors ----------------------------------------------------------------------------------------------- */

TEST_EACH(is_named_after_its_file, MODELS)
{
    char name[80];
    snprintf(name, sizeof name, "%s", stems[_i]);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    ck_assert_str_eq(ns_models()[_i]->name, name);
    ck_assert_ptr_eq(ns_model_find(name), ns_models()[_i]);
    ck_assert(_i + 1 < MODELS || ns_models()[_i + 1] == NULL);
}

/* Texts of the library know neither the options nor the commands of a program. */
static void check_text(const ns_model *model, const char *text)
{
    ck_assert_msg(text == NULL || (strstr(text, "nsmodel ") == NULL && strstr(text, "--") == NULL), "%s: %s",
                  model->name, text);
}

static void check_rows(const ns_model *model, const ns_field *rows, size_t size)
{
    int count = 0;
    for (const ns_field *f = rows; f->kind != NS_FIELD_END; f++, count++) {
        const size_t width = f->kind == NS_FIELD_LIST   ? sizeof(ns_numbers)
                             : f->kind == NS_FIELD_WORD ? sizeof(int)
                                                        : sizeof(double);
        ck_assert_msg(f->doc != NULL && f->doc[0] != '\0', "%s: %s has no doc", model->name, f->name);
        check_text(model, f->doc);
        ck_assert_msg(f->offset + width <= size, "%s: %s lies outside its struct", model->name, f->name);
        ck_assert_msg(ns_field_find(rows, f->name) == f, "%s: %s stands twice", model->name, f->name);
        if (f->kind != NS_FIELD_WORD)
            (void)dim_of(f);
        if (f->kind == NS_FIELD_NUMBER && f->has_default)
            ck_assert_msg(f->neutral >= f->least && f->neutral <= f->most, "%s: default of %s", model->name, f->name);
        if (f->from != NULL && f->from[0] == '=')
            ck_assert_msg(ns_field_find(rows, f->from + 1) != NULL, "%s: %s comes from %s", model->name, f->name,
                          f->from);
    }
    ck_assert_msg(count > 0 && count <= 64, "%s has %d rows", model->name, count);
}

TEST_EACH(says_what_it_is, MODELS)
{
    const ns_model *model = ns_models()[_i];
    check_text(model, model->title);
    check_text(model, model->notes);
    ck_assert(model->title != NULL && model->title[0] != '\0');
    ck_assert(model->source != NULL && model->source[0] != '\0');
    ck_assert(model->eval != NULL);
    ck_assert(model->in_size <= NS_MODEL_BYTES && model->out_size <= NS_MODEL_BYTES);
    check_rows(model, model->inputs, model->in_size);
    check_rows(model, model->outputs, model->out_size);
    const ns_field *total = last_row(model->outputs);
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        ck_assert_msg(f->kind != NS_FIELD_TERM || f == total || total->kind == NS_FIELD_NUMBER,
                      "%s: the total has to follow its terms", model->name);
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        ck_assert_msg(f->kind != NS_FIELD_TERM || ns_dim_equal(dim_of(f), dim_of(total)),
                      "%s: term %s has another dimension than the total", model->name, f->name);
}

TEST_EACH(has_its_own_test, MODELS)
{
    char path[120];
    FILE *here = fopen("models/postal.c", "r");
    if (here == NULL) {
        skipped(__func__, "needs the source tree");
        return;
    }
    fclose(here);
    snprintf(path, sizeof path, "tests/models/test_%s.c", stems[_i]);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "model %s has no %s", ns_models()[_i]->name, path);
    fclose(file);
}

/* ---- evaluations ----------------------------------------------------------------------------------------------- */

/* Samples for models whose inputs have to agree with each other. */
static const struct {
    const char *model, *input, *text;
} chosen[] = {
    {"concat", "mtu", "1500 B"},
    {"concat", "u_cap", "64 B"},
    {"concat", "r", "18 B"},
    {"concat", "value", "4 B"},
    {"filter", "Z", "600"},
    {"filter", "pairs", "300"},
    {"sharp-concurrent", "total", "1e6"},
    {"netcrafter", "fast", "100 GB/s"},
    {"netcrafter", "ideal", "1.5"},
    {"netcrafter", "phi_in", "0.1"},
    {"netcrafter", "walk_time", "0.1"},
    {"netcrafter", "load", "0.9"},
    {"netcrafter", "bound", "0.3"},
    {"stitch", "load", "0.5"},
};

/* Ways to fill a model's inputs, as bits: FULL also where a default or another input would do, FALLING by rows. */
enum { FULL = 1, FALLING = 2, WAYS = 4 };

/* Something of the right size for what neither machine nor default gives; different for every row. */
static double sample(const ns_model *model, const ns_field *field, int index, int way)
{
    double factor, value;
    const double step = (way & FALLING) != 0 ? 64 - index : index;
    ns_dim dim;
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (strcmp(chosen[i].model, model->name) == 0 && strcmp(chosen[i].input, field->name) == 0) {
            ck_assert_int_eq(ns_quantity_parse_as(chosen[i].text, field->name, field->unit, &value, NULL), NS_OK);
            return value;
        }
    ck_assert_int_eq(ns_unit_parse(field->unit, &factor, &dim, NULL), NS_OK);
    if (ns_dim_equal(dim, NS_DIMENSIONLESS))
        value = 4 + step;
    else if (ns_dim_equal(dim, (ns_dim){0, 1, 0}))
        value = 10240 * (1 + step);
    else
        value = factor * 2.5 * (1 + 0.25 * step);
    if (field->most < NS_MOST && value > field->most)
        value = field->least + 0.375 * (field->most - field->least);
    return fmax(value, field->least);
}

static bool machine_gives(const ns_binding *binding, const ns_field *field)
{
    char path[160];
    double value;
    return binding->machine != NULL && ns_bind_path(binding, field, path, sizeof path) != NULL &&
           ns_machine_number(binding->machine, path, &value, NULL, NULL);
}

/* One choice of words, as digits of `choice`; *more is false after the last. */
static ns_status give_words(ns_binding *binding, int choice, bool *more, ns_error *err)
{
    for (const ns_field *f = binding->model->inputs; f->kind != NS_FIELD_END; f++) {
        int count = 0;
        if (f->kind != NS_FIELD_WORD)
            continue;
        while (f->words[count] != NULL)
            count++;
        NS_TRY(ns_bind_word(binding, f->name, f->words[choice % count], err));
        choice /= count;
    }
    *more = choice == 0;
    return NS_OK;
}

/* Bind with samples, each scaled by its dimension. */
static ns_status bind_samples(ns_binding *binding, const ns_model *model, const ns_machine *machine, int choice,
                              int way, bool scaled, bool *more, ns_error *err)
{
    ns_bind_open(binding, model, machine);
    NS_TRY(give_words(binding, choice, more, err));
    for (int i = 0; model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *f = &model->inputs[i];
        const bool optional = f->has_default || (f->from != NULL && f->from[0] == '=');
        if (f->kind == NS_FIELD_WORD || (optional && (way & FULL) == 0) || machine_gives(binding, f))
            continue;
        const ns_dim dim = dim_of(f);
        const double factor = scaled ? ldexp(1, 3 * dim.second + 5 * dim.byte) : 1;
        if (f->kind == NS_FIELD_NUMBER) {
            NS_TRY(ns_bind_number(binding, f->name, sample(model, f, i, way) * factor, err));
            continue;
        }
        ns_numbers *list = (ns_numbers *)(void *)(binding->in.bytes + f->offset);
        for (list->count = 0; list->count < 3; list->count++)
            list->at[list->count] = sample(model, f, i + (int)list->count, way) * factor;
        binding->given[i] = NS_GIVEN_USER;
    }
    return ns_bind_close(binding, err);
}

/* Terms add up to the total, exactly but for the order of the additions. */
static void check_terms(const ns_model *model, const void *out)
{
    double sum = 0, total = ns_field_number(last_row(model->outputs), out);
    bool any = false;
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        if (f->kind == NS_FIELD_TERM) {
            sum += ns_field_number(f, out);
            any = true;
        }
    if (any)
        ck_assert_msg(fabs(sum - total) <= 1e-14 * fabs(total), "%s: terms add up to %.17g, total %.17g", model->name,
                      sum, total);
}

/* What the machine gave scales with it. */
static void check_inputs(const ns_binding *small, const ns_binding *large)
{
    for (int i = 0; small->model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *f = &small->model->inputs[i];
        if (f->kind != NS_FIELD_NUMBER || small->given[i] == NS_GIVEN_DEFAULT)
            continue;
        const double wanted = ldexp(ns_field_number(f, small->in.bytes), 3 * dim_of(f).second + 5 * dim_of(f).byte);
        ck_assert_msg(ns_field_number(f, large->in.bytes) == wanted, "%s: input %s does not scale", small->model->name,
                      f->name);
    }
}

/* A default with a dimension is a number like any other. */
static void scale_defaults(ns_binding *large)
{
    for (int i = 0; large->model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *f = &large->model->inputs[i];
        if (f->kind != NS_FIELD_NUMBER || large->given[i] != NS_GIVEN_DEFAULT)
            continue;
        const double value = ldexp(ns_field_number(f, large->in.bytes), 3 * dim_of(f).second + 5 * dim_of(f).byte);
        memcpy(large->in.bytes + f->offset, &value, sizeof value);
    }
}

static void check_scaling(const ns_model *model, const void *small, const void *large)
{
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        if (!is_number(f))
            continue;
        const double wanted = ldexp(ns_field_number(f, small), 3 * dim_of(f).second + 5 * dim_of(f).byte);
        const double got = ns_field_number(f, large);
        ck_assert_msg(got == wanted, "%s: %s is %.17g, not %.17g, when seconds are 8 and bytes 32 times as large",
                      model->name, f->name, got, wanted);
    }
}

/* Every choice of words on one machine (or none); returns how many evaluations there were. */
static int sweep(const ns_model *model, const ns_machine *machine, const ns_machine *large_machine, int way)
{
    int evaluated = 0;
    bool more = true;
    for (int choice = 0; more; choice++) {
        ns_binding small, large;
        ns_model_buffer small_out, large_out;
        ns_error err = {0};
        ns_status status = bind_samples(&small, model, machine, choice, way, false, &more, &err);
        if (!more || status != NS_OK || ns_model_eval(&small, &small_out, &err) != NS_OK)
            continue;
        check_terms(model, &small_out);
        ck_assert_msg(bind_samples(&large, model, large_machine, choice, way, true, &more, &err) == NS_OK, "%s",
                      err.text);
        check_inputs(&small, &large);
        scale_defaults(&large);
        ck_assert_msg(ns_model_eval(&large, &large_out, &err) == NS_OK, "%s", err.text);
        check_scaling(model, &small_out, &large_out);
        evaluated++;
    }
    return evaluated;
}

static int sweep_machine(const ns_model *model, const char *name)
{
    ns_machine *machine = machine_named(name);
    ns_machine *large = machine_rescaled(machine);
    int evaluated = 0;
    for (int way = 0; way < WAYS; way++)
        evaluated += sweep(model, machine, large, way);
    return evaluated;
}

TEST_EACH(runs_somewhere_and_scales, MODELS)
{
    const ns_model *model = ns_models()[_i];
    int on_machines = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++)
        on_machines += sweep_machine(model, *name);
    ck_assert_msg(on_machines > 0, "no shipped machine runs %s", model->name);
    if (!model->wants_machine)
        ck_assert_msg(sweep(model, NULL, NULL, FULL) + sweep(model, NULL, NULL, FULL | FALLING) > 0,
                      "%s does not run on numbers alone", model->name);
}

/* Numbers at the edge of what bind lets through give a number or an error, never a NaN or an infinity; true: a number.
 * One input, or all of them where it is negative. */
static bool check_edge(const ns_model *model, const ns_machine *machine, int input, double bytes, double count)
{
    ns_binding binding;
    ns_model_buffer out;
    bool more;
    ns_error err = {0};
    if (bind_samples(&binding, model, machine, 0, FULL, false, &more, &err) != NS_OK)
        return false;
    for (int i = 0; model->inputs[i].kind != NS_FIELD_END; i++) {
        const ns_field *f = &model->inputs[i];
        const double value = ns_dim_equal(dim_of(f), NS_DIMENSIONLESS) ? count : bytes;
        if ((input < 0 || input == i) && f->kind == NS_FIELD_NUMBER && value >= f->least && value <= f->most &&
            !(f->open && value <= f->least))
            ck_assert_int_eq(ns_bind_number(&binding, f->name, value, &err), NS_OK);
    }
    if (ns_model_eval(&binding, &out, &err) != NS_OK)
        return false;
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        ck_assert_msg(!is_number(f) || isfinite(ns_field_number(f, &out)), "%s: %s", model->name, f->name);
    return true;
}

TEST_EACH(stays_finite, MODELS)
{
    static const double edges[] = {0, 1, 1e9, 1e18, 1e300};
    const ns_model *model = ns_models()[_i];
    int numbers = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        const ns_machine *machine = machine_named(*name);
        for (size_t i = 0; i < 5; i++) {
            for (size_t j = 0; j < 5; j++)
                check_edge(model, machine, -1, edges[i], edges[j]);
            for (int input = 0; model->inputs[input].kind != NS_FIELD_END; input++)
                numbers += check_edge(model, machine, input, edges[i], edges[i]);
        }
    }
    ck_assert_int_gt(numbers, 0);
}

TEST_TIMEOUT(300)
