/* fuzz_words.c -- any word as a quantity, a list, a unit, a stencil, a name and a change of a machine */
#include "fuzz.h"

#include <math.h>

static void words_number(double value)
{
    char text[64], *end;
    ns_double_format(value, text, sizeof text);
    double again = ns_strtod(text, &end);
    REQUIRE(*end == '\0' && again == value);
}

static void words_quantity(const char *text)
{
    ns_quantity quantity;
    ns_error err = {0};
    ns_status status = ns_quantity_parse(text, &quantity, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK) {
        char shown[64];
        REQUIRE(isfinite(quantity.value));
        words_number(quantity.value);
        ns_quantity_format(quantity.value, quantity.dim, 3, shown, sizeof shown);
    }
    double value, factor;
    ns_dim dim;
    err = (ns_error){0};
    fuzz_check_error(ns_quantity_parse_as(text, "alpha", "us", &value, &err), &err);
    err = (ns_error){0};
    status = ns_unit_parse(text, &factor, &dim, &err);
    fuzz_check_error(status, &err);
    REQUIRE(status != NS_OK || (isfinite(factor) && factor > 0));
}

static void words_list(const char *text)
{
    static const char *const unit[] = {"B", "1", "s"};
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++) {
        double *values;
        size_t count;
        ns_error err = {0};
        const bool ranges = u % 2 == 0 || text[0] == '1'; /* with ranges by number of values, and without */
        ns_status status = ranges ? ns_range_parse(text, "sizes", unit[u], 25, &values, &count, &err)
                                  : ns_list_parse(text, "sizes", unit[u], &values, &count, &err);
        fuzz_check_error(status, &err);
        if (status != NS_OK)
            continue;
        REQUIRE(count > 0 && count <= 100000);
        for (size_t i = 0; i < count; i++)
            REQUIRE(isfinite(values[i]));
        ns_free(values);
    }
}

static void words_names(const char *text)
{
    ns_matrix *matrix;
    const ns_model *model;
    const ns_strategy *strategy;
    ns_machine *changed;
    char stencil[128];
    ns_error err = {0};
    snprintf(stencil, sizeof stencil, "stencil%s", text);
    const size_t digits = strspn(text, "0123456789");
    if (digits > 0 && text[digits] == ':') /* other names search the whole catalogue, which takes long */
        if (ns_matrix_open(stencil, &matrix, &err) == NS_OK)
            ns_matrix_free(matrix);
    err = (ns_error){0};
    fuzz_check_error(ns_model_get(text, &model, &err), &err);
    err = (ns_error){0};
    fuzz_check_error(ns_strategy_get(text, &strategy, &err), &err);
    if (strchr(text, '=') == NULL)
        return;
    err = (ns_error){0};
    ns_status status = ns_machine_with(shipped_machine(), text, &changed, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK)
        ns_machine_free(changed);
}

FUZZ(words)
{
    char *text = fuzz_text(data, size);
    words_quantity(text);
    words_list(text);
    words_names(text);
    ns_free(text);
}
