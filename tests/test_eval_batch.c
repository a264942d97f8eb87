/* test_eval_batch.c -- many points at once are, bit by bit and error by error, what they are one by one */

#include "api/library.h"
#include "oracle/oracle.h"
#include "support/machines.h"
#include "support/test.h"

enum { POINTS = 40, COLUMNS = 3, OUTPUTS = 64, TRIES = 12 };

/* From 1e-12 to 1e12, some of them whole. */
static double draw(oracle_random *random)
{
    const double value = pow(10, (double)oracle_below(random, 24000) / 1000 - 12);
    return oracle_below(random, 3) > 0 ? ceil(value) : value;
}

static int draw_columns(const ns_model *model, oracle_random *random, ns_column *column, double values[][POINTS])
{
    int count = 0;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END && count < COLUMNS; f++) {
        if (f->kind != NS_FIELD_NUMBER || oracle_below(random, 2) == 0)
            continue;
        for (int i = 0; i < POINTS; i++)
            values[count][i] = f->most <= 1 ? fmin(1, draw(random)) : draw(random);
        column[count] = (ns_column){f->name, values[count]};
        count++;
    }
    return count;
}

/* Numbers for what neither machine nor default gives. */
static void give_rest(ns_binding *binding, const ns_machine *machine, oracle_random *random)
{
    for (const ns_field *f = binding->model->inputs; f->kind != NS_FIELD_END; f++)
        if (f->kind == NS_FIELD_NUMBER && !f->has_default && (machine == NULL || f->from == NULL))
            (void)ns_bind_number(binding, f->name, draw(random), NULL);
}

static ns_status alone(const ns_binding *open, const ns_column *column, int columns, int i, double *out, ns_error *err)
{
    ns_binding b = *open;
    ns_model_buffer answer;
    for (int c = 0; c < columns; c++)
        NS_TRY(ns_bind_number(&b, column[c].name, column[c].value[i], err));
    NS_TRY(ns_bind_close(&b, err));
    NS_TRY(ns_model_eval(&b, &answer, err));
    for (size_t k = 0; k < ns_model_outputs(b.model); k++)
        out[k] = ns_field_number(&b.model->outputs[k], &answer);
    return NS_OK;
}

/* Points that answer; all POINTS when none fails. */
static size_t compare(const ns_binding *open, const ns_column *column, int columns)
{
    static double out[POINTS * OUTPUTS];
    double expected[OUTPUTS];
    const size_t outputs = ns_model_outputs(open->model);
    ns_error got = {0}, wanted = {0};
    size_t done = 9999;
    const ns_status status = ns_eval_batch(open, column, (size_t)columns, POINTS, out, &done, &got);
    ck_assert(outputs <= OUTPUTS && done <= POINTS && (status == NS_OK) == (done == POINTS));
    for (int i = 0; i < (int)done; i++) {
        ck_assert_msg(alone(open, column, columns, i, expected, &wanted) == NS_OK, "%s", wanted.text);
        ck_assert_msg(memcmp(expected, out + (size_t)i * outputs, outputs * sizeof *out) == 0, "%s, point %d",
                      open->model->name, i);
    }
    if (done < POINTS) {
        ck_assert_int_eq(alone(open, column, columns, (int)done, expected, &wanted), status);
        ck_assert_str_eq(got.text, wanted.text);
    }
    return done;
}

/* The value of one point spoiled: that point is the first to fail, and with the same words. */
static void spoil(const ns_binding *open, const ns_column *column, int columns, double *first, oracle_random *random)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -1, 1e301};
    const int at = (int)oracle_below(random, POINTS);
    const double kept = first[at];
    first[at] = bad[oracle_below(random, 4)];
    ck_assert_uint_eq(compare(open, column, columns), (size_t)at);
    first[at] = kept;
}

static int check_model(const ns_model *model, const ns_machine *machine, oracle_random *random)
{
    double values[COLUMNS][POINTS];
    ns_column column[COLUMNS];
    int whole = 0;
    for (int t = 0; t < TRIES; t++) {
        ns_binding open;
        ns_bind_open(&open, model, machine);
        if (t % 3 == 1) /* refused where the model has no such selector */
            (void)ns_bind_text(&open, "locality=on-node", NULL);
        if (t % 4 == 2)
            (void)ns_bind_text(&open, "protocol=eager", NULL);
        give_rest(&open, machine, random);
        const int columns = draw_columns(model, random, column, values);
        if (compare(&open, column, columns) < POINTS)
            continue;
        whole++;
        if (columns > 0)
            spoil(&open, column, columns, values[0], random);
    }
    return whole;
}

TEST(as_one_by_one)
{
    oracle_random random = {4711};
    int models = 0, answered = 0;
    for (const ns_model *const *m = ns_models(); *m != NULL; m++, models++) {
        int whole = check_model(*m, NULL, &random);
        for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
            ns_machine *machine = machine_named(*name);
            whole += check_model(*m, machine, &random);
        }
        answered += whole > 0;
    }
    ck_assert_msg(3 * answered > 2 * models, "only %d of %d models answered a whole batch", answered, models);
}

/* The protocol changes with the size, point by point and back. */
TEST(protocols)
{
    ns_binding open;
    double size[POINTS];
    const ns_column column = {"s", size};
    ns_machine *machine = machine_named("lassen");
    for (int i = 0; i < POINTS; i++)
        size[i] = ldexp(1, i % 2 == 0 ? i / 2 : 20 - i / 2);
    ns_bind_open(&open, ns_model_find("max-rate"), machine);
    ck_assert_uint_eq(compare(&open, &column, 1), POINTS);
    machine->line[NS_HOST][NS_OFF_NODE][NS_SHORT].given = false; /* small messages have no line */
    machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER].given = false;
    ck_assert_uint_lt(compare(&open, &column, 1), POINTS);
}

TEST(nothing_to_do)
{
    ns_binding open;
    size_t done = 7;
    ns_error err = {0};
    const double value = 1;
    const ns_column unknown = {"nonsense", &value};
    ns_bind_open(&open, ns_model_find("postal"), NULL);
    ck_assert_int_eq(ns_eval_batch(&open, NULL, 0, 0, NULL, &done, NULL), NS_OK);
    ck_assert_uint_eq(done, 0);
    double out[8];
    ck_assert_int_eq(ns_eval_batch(&open, &unknown, 1, 1, out, &done, &err), NS_ERR_NAME);
    ck_assert_ptr_nonnull(strstr(err.text, "nonsense"));
}

TEST_TIMEOUT(300)
