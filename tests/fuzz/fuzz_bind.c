/* fuzz_bind.c -- the first byte chooses a model, every line after it is an assignment; what binds is evaluated */
#include "fuzz.h"

#include <math.h>

/* Every output is finite; terms add up to the last row. */
static void bind_check_outputs(const ns_model *model, const void *out)
{
    double sum = 0, total = 0;
    int terms = 0;
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++) {
        total = ns_field_number(f, out);
        REQUIRE(isfinite(total));
        if (f->kind == NS_FIELD_TERM) {
            sum += total;
            terms++;
        }
    }
    REQUIRE(terms == 0 || fabs(sum - total) <= 1e-9 * fabs(total));
}

FUZZ(bind)
{
    if (size == 0)
        return;
    size_t models = 0;
    while (ns_models()[models] != NULL)
        models++;
    const ns_model *model = ns_models()[data[0] / 2 % models];
    char *text = fuzz_text(data + 1, size - 1);
    ns_binding binding;
    ns_model_buffer out;
    ns_error err = {0};
    ns_status status = NS_OK;
    ns_bind_open(&binding, model, data[0] % 2 == 0 ? NULL : shipped_machine());
    for (char *line = text, *end; status == NS_OK && line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (line[0] != '\0')
            status = ns_bind_text(&binding, line, &err);
    }
    if (status == NS_OK)
        status = ns_bind_close(&binding, &err);
    if (status == NS_OK)
        status = ns_model_eval(&binding, &out, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK)
        bind_check_outputs(model, &out);
    ns_free(text);
}
