/* fuzz_calc.c -- any text as statements of one session: answers are finite and can be typed again, refusals point into
 * the text
 */
#include "fuzz.h"

#include <math.h>

/* line:column lies inside the text, or right behind its end. */
static void calc_check_place(const char *text, const ns_error *err)
{
    REQUIRE(err->line >= 1 && err->column >= 1);
    for (long line = 1; line < err->line; line++) {
        REQUIRE(strchr(text, '\n') != NULL);
        text = strchr(text, '\n') + 1;
    }
    REQUIRE((size_t)err->column <= strcspn(text, "\n") + 1);
}

static void calc_check_answer(ns_calc *calc, const ns_answer *answer)
{
    char shown[160];
    ns_answer again = {.size = sizeof again};
    REQUIRE(isfinite(answer->quantity.value));
    ns_answer_format(answer, shown, sizeof shown);
    REQUIRE(strlen(shown) > 0 && strlen(shown) < sizeof shown - 1);
    if (answer->unit[0] != '\0' || fabs(answer->quantity.value) > 1e290 || fabs(answer->quantity.value) < 1e-290)
        return; /* rounding to ten digits may pass the largest number */
    REQUIRE(ns_calc_eval(calc, shown, &again, NULL) == NS_OK);
    REQUIRE(ns_dim_equal(again.quantity.dim, answer->quantity.dim));
    REQUIRE(fabs(again.quantity.value - answer->quantity.value) <= 5.1e-10 * fabs(answer->quantity.value));
}

static void calc_line(ns_calc *calc, const char *text)
{
    ns_answer answer = {.size = sizeof answer};
    ns_error err = {0};
    ns_status status = ns_calc_eval(calc, text, &answer, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK)
        calc_check_answer(calc, &answer);
    else
        calc_check_place(text, &err);
}

/* Statements end with ";", so that some have several lines. */
FUZZ(calc)
{
    ns_calc *calc;
    char *text = fuzz_text(data, size);
    const bool file = strstr(text, "machine") != NULL && (strchr(text, '/') != NULL || strchr(text, '.') != NULL);
    REQUIRE(ns_calc_open(&calc, NULL) == NS_OK);
    ns_calc_use_machine(calc, shipped_machine());
    for (char *line = text, *end; line != NULL && !file; line = end) { /* files are another target's */
        end = strchr(line, ';');
        if (end != NULL)
            *end++ = '\0';
        calc_line(calc, line);
    }
    ns_calc_free(calc);
    ns_free(text);
}
