/* model_rows.c -- a model tested row by row */
#include "model_rows.h"

#include "api/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *tested;
static const model_row *all_rows;

static ns_status bind_all(ns_binding *binding, const char *given, ns_error *err)
{
    char assignment[128];
    while (*given != '\0') {
        size_t length = strcspn(given, " ");
        snprintf(assignment, sizeof assignment, "%.*s", (int)length, given);
        NS_TRY(ns_bind_text(binding, assignment, err));
        given += length + strspn(given + length, " ");
    }
    return ns_bind_close(binding, err);
}

static ns_status evaluate(const model_row *row, const ns_machine *machine, const ns_model **model, ns_model_buffer *out,
                          ns_error *err)
{
    ns_binding binding;
    NS_TRY(ns_model_get(tested, model, err));
    ns_bind_open(&binding, *model, machine);
    NS_TRY(bind_all(&binding, row->given, err));
    return ns_model_eval(&binding, out, err);
}

static void check_output(const model_row *row, const ns_model *model, const ns_model_buffer *out, const char *name,
                         double expected)
{
    const ns_field *field = ns_field_find(model->outputs, name);
    const double got = field != NULL ? ns_field_number(field, out) : (double)NAN;
    ck_assert_msg(fabs(got - expected) <= row->tolerance * fabs(expected), "%s %s: %s is %.17g, wanted %.17g (%s)",
                  tested, row->given, name, got, expected, row->from);
}

START_TEST(row_holds)
{
    const model_row *row = &all_rows[_i];
    const ns_model *model;
    ns_model_buffer out;
    ns_machine *machine = NULL;
    ns_error err = {0};
    if (row->machine != NULL)
        ck_assert_msg(ns_machine_load(row->machine, &machine, &err) == NS_OK, "%s", err.text);
    ns_status status = evaluate(row, machine, &model, &out, &err);
    ns_machine_free(machine);
    if (row->output == NULL) {
        ck_assert_msg(status != NS_OK, "%s %s: accepted, wanted a refusal", tested, row->given);
        ck_assert_msg(strstr(err.text, row->from) != NULL, "%s: \"%s\" lacks \"%s\"", row->given, err.text, row->from);
        return;
    }
    ck_assert_msg(status == NS_OK, "%s %s: %s", tested, row->given, err.text);
    if (strchr(row->output, '=') == NULL)
        check_output(row, model, &out, row->output, row->expected);
    else
        for (const char *at = row->output; *at != '\0'; at += strspn(at, " ")) {
            char name[64];
            double expected;
            int read = 0;
            ck_assert_msg(sscanf(at, "%63[^=]=%lf%n", name, &expected, &read) == 2, "%s", at);
            check_output(row, model, &out, name, expected);
            at += read;
        }
}
END_TEST

void model_rows(const char *model, const model_row *rows, size_t count)
{
    tested = model;
    all_rows = rows;
    test_add(row_holds, (int)count);
    test_within(300);
}
