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

static ns_status evaluate(const model_row *row, const ns_machine *machine, double *value, ns_error *err)
{
    const ns_model *model;
    ns_binding binding;
    ns_model_buffer out;
    NS_TRY(ns_model_get(tested, &model, err));
    ns_bind_open(&binding, model, machine);
    NS_TRY(bind_all(&binding, row->given, err));
    NS_TRY(ns_model_eval(&binding, &out, err));
    const ns_field *field = row->output != NULL ? ns_field_find(model->outputs, row->output) : NULL;
    *value = field != NULL ? ns_field_number(field, &out) : (double)NAN;
    return NS_OK;
}

START_TEST(row_holds)
{
    const model_row *row = &all_rows[_i];
    ns_machine *machine = NULL;
    ns_error err = {0};
    double got = 0;
    if (row->machine != NULL)
        ck_assert_msg(ns_machine_load(row->machine, &machine, &err) == NS_OK, "%s", err.text);
    ns_status status = evaluate(row, machine, &got, &err);
    ns_machine_free(machine);
    if (row->output == NULL) {
        ck_assert_msg(status != NS_OK, "%s %s: accepted, wanted a refusal", tested, row->given);
        ck_assert_msg(strstr(err.text, row->from) != NULL, "%s: \"%s\" lacks \"%s\"", row->given, err.text, row->from);
        return;
    }
    ck_assert_msg(status == NS_OK, "%s %s: %s", tested, row->given, err.text);
    ck_assert_msg(fabs(got - row->expected) <= row->tolerance * fabs(row->expected),
                  "%s %s: %s is %.17g, wanted %.17g (%s)", tested, row->given, row->output, got, row->expected,
                  row->from);
}
END_TEST

void model_rows(const char *model, const model_row *rows, size_t count)
{
    tested = model;
    all_rows = rows;
    test_add(row_holds, (int)count);
    test_within(300);
}
