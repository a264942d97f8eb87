/* calc.c -- a calculator: it evaluates statements to quantities */
#include "calc/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/sized.h"
#include "core/utf8.h"

enum { DIGITS = 10 };

ns_status ns_calc_open(ns_calc **calc, ns_error *err)
{
    ns_error_clear(err);
    ns_calc *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    *calc = made;
    return NS_OK;
}

void ns_calc_free(ns_calc *calc)
{
    if (calc == NULL)
        return;
    for (size_t i = 0; i < calc->variables; i++)
        ns_free(calc->variable[i].name);
    ns_free(calc->variable);
    ns_free(calc);
}

void ns_calc_use_machine(ns_calc *calc, const ns_machine *machine)
{
    calc->machine = machine;
}

/* ---- NAME = ... ------------------------------------------------------------------------------------------------- */

static bool is_assignment(const char *after)
{
    after += strspn(after, " \t");
    return *after == '=' && after[1] != '=';
}

/* *length of the assigned name, 0 for none; p->at is then after the "=". */
static ns_status parse_target(ns_parse *p, size_t *length)
{
    const char *at = ns_skip(p);
    const size_t word = ns_word_length(at), hyphenated = ns_hyphenated_length(at);
    *length = 0;
    if (hyphenated > word && is_assignment(at + hyphenated))
        return ns_parse_fail(p, at + word, NS_ERR_SYNTAX, "a name with a hyphen; letters, digits and _ are wanted");
    if (word == 0 || !is_assignment(at + word))
        return NS_OK;
    if (ns_is_digit(*at))
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "\"%.*s\" cannot be given a value, a name is wanted",
                             ns_quoted_length(at, word), at);
    if (ns_is_word(at, "ans") || ns_is_word(at, "in"))
        return ns_parse_fail(p, at, NS_ERR_NAME, "\"%.*s\" has a meaning of its own", (int)word, at);
    *length = word;
    p->at += word;
    p->at = ns_skip(p) + 1;
    return NS_OK;
}

/* ---- ... in UNIT ------------------------------------------------------------------------------------------------ */

static bool joins(char c)
{
    return c == '/' || c == '*';
}

static ns_status parse_in(ns_parse *p, ns_answer *answer)
{
    char words[128], wanted[128];
    double factor;
    ns_dim dim;
    ns_error inner = {0};
    p->at += 2;
    const char *at = ns_skip(p);
    /* The unit, without blanks around its / and *. */
    size_t used = 0;
    for (const char *last = at; *ns_skip(p) != '\0'; last = p->at) {
        if (p->at > last && !joins(*p->at) && !joins(last[-1]))
            break;
        if (used + 1 >= sizeof answer->unit)
            return ns_parse_fail(p, at, NS_ERR_UNIT, "a unit of more than %zu characters", sizeof answer->unit - 1);
        answer->unit[used++] = *p->at++;
    }
    answer->unit[used] = '\0';
    if (used == 0)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "the text ends where a unit is wanted");
    if (ns_unit_parse(answer->unit, &factor, &dim, &inner) != NS_OK)
        return ns_parse_pass(p, at, &inner);
    if (!ns_dim_equal(dim, answer->quantity.dim))
        return ns_parse_fail(p, at, NS_ERR_UNIT, "cannot show %s in %s, a unit of %s",
                             ns_dim_words(answer->quantity.dim, words, sizeof words), answer->unit,
                             ns_dim_words(dim, wanted, sizeof wanted));
    if (!isfinite(answer->quantity.value / factor))
        return ns_parse_fail(p, at, NS_ERR_RANGE, "the value in %s is not finite", answer->unit);
    return NS_OK;
}

/* ----------------------------------------------------------------------------------------------------------------- */

ns_status ns_calc_eval(ns_calc *calc, const char *text, ns_answer *answer, ns_error *err)
{
    ns_error_clear(err);
    ns_parse p = {.calc = calc, .text = text, .at = text, .err = err};
    ns_answer result = {.unit = ""};
    size_t length;
    const char *name = ns_skip(&p);
    NS_TRY(parse_target(&p, &length));
    NS_TRY(ns_parse_comparison(&p, &result.quantity));
    if (ns_is_word(ns_skip(&p), "in"))
        NS_TRY(parse_in(&p, &result));
    if (*ns_skip(&p) != '\0')
        return ns_refuse_rest(&p, result.unit[0] != '\0' ? "the end" : "an operator");
    if (length > 0)
        NS_TRY(ns_variable_set(calc, name, length, result.quantity, err));
    result.assigned = length > 0;
    calc->last = result.quantity;
    calc->answered = true;
    return ns_sized_give(answer, &result, sizeof result, err);
}

static const char *plain(double value, const char *unit, char *buffer, size_t size)
{
    char digits[40];
    ns_double_short(value == 0 ? 0 : value, DIGITS, digits, sizeof digits);
    snprintf(buffer, size, "%s%s%s", digits, *unit != '\0' ? " " : "", unit);
    return buffer;
}

const char *ns_answer_format(const ns_answer *answer, char *buffer, size_t size)
{
    double factor = 1;
    ns_dim dim = NS_DIMENSIONLESS;
    const ns_quantity quantity = answer->quantity;
    if (answer->unit[0] != '\0' && ns_unit_parse(answer->unit, &factor, &dim, NULL) == NS_OK)
        return plain(quantity.value / factor, strcmp(answer->unit, "1") == 0 ? "" : answer->unit, buffer, size);
    if (ns_dim_equal(quantity.dim, NS_DIMENSIONLESS))
        return plain(quantity.value, "", buffer, size);
    return ns_quantity_format(quantity.value, quantity.dim, DIGITS, buffer, size);
}
