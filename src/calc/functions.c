/* functions.c -- the functions of expressions: one row each, used for calls, help and completion */
#include "calc/engine.h"

#include <math.h>
#include <string.h>

typedef struct arguments arguments;

typedef struct ns_function_row {
    ns_function row;
    size_t least, most;     /* arguments */
    double (*pure)(double); /* of a pure number, or NULL */
    ns_status (*apply)(const ns_parse *p, const arguments *of, ns_quantity *result);
} ns_function_row;

struct arguments {
    const ns_function_row *function;
    const char *at; /* the function's name */
    size_t count;
    ns_quantity value[NS_ARGUMENTS_MAX];
    const char *place[NS_ARGUMENTS_MAX];
};

static ns_status finish(const ns_parse *p, const arguments *of, double value, ns_dim dim, ns_quantity *result)
{
    char text[96];
    ns_quantity_words(of->value[0], text, sizeof text);
    if (isnan(value))
        return ns_parse_fail(p, of->at, NS_ERR_RANGE, "%s of %s is no real number", of->function->row.name, text);
    if (!isfinite(value))
        return ns_parse_fail(p, of->at, NS_ERR_RANGE, "%s of %s is not finite", of->function->row.name, text);
    *result = (ns_quantity){value, dim};
    return NS_OK;
}

static ns_status apply_pure(const ns_parse *p, const arguments *of, ns_quantity *result)
{
    char text[96], words[128];
    const ns_quantity x = of->value[0];
    if (!ns_dim_equal(x.dim, NS_DIMENSIONLESS))
        return ns_parse_fail(p, of->place[0], NS_ERR_UNIT, "%s wants a pure number, got %s: %s; divide by a unit",
                             of->function->row.name, ns_dim_words(x.dim, words, sizeof words),
                             ns_quantity_words(x, text, sizeof text));
    return finish(p, of, of->function->pure(x.value), NS_DIMENSIONLESS, result);
}

/* sqrt(16 s^2) = 4 s */
static ns_status apply_root(const ns_parse *p, const arguments *of, ns_quantity *result)
{
    char words[128];
    const ns_quantity x = of->value[0];
    if (x.dim.second % 2 != 0 || x.dim.byte % 2 != 0 || x.dim.flop % 2 != 0)
        return ns_parse_fail(p, of->place[0], NS_ERR_UNIT, "the square root of %s has no unit",
                             ns_dim_words(x.dim, words, sizeof words));
    const ns_dim half = {(signed char)(x.dim.second / 2), (signed char)(x.dim.byte / 2), (signed char)(x.dim.flop / 2)};
    return finish(p, of, sqrt(x.value), half, result);
}

static ns_status apply_abs(const ns_parse *p, const arguments *of, ns_quantity *result)
{
    (void)p;
    *result = (ns_quantity){fabs(of->value[0].value), of->value[0].dim};
    return NS_OK;
}

static ns_status check_same(const ns_parse *p, const arguments *of)
{
    char first[128], other[128];
    for (size_t i = 1; i < of->count; i++)
        if (!ns_dim_equal(of->value[i].dim, of->value[0].dim))
            return ns_parse_fail(p, of->place[i], NS_ERR_UNIT, "%s of different kinds: %s and %s",
                                 of->function->row.name, ns_dim_words(of->value[0].dim, first, sizeof first),
                                 ns_dim_words(of->value[i].dim, other, sizeof other));
    return NS_OK;
}

static ns_status apply_extreme(const ns_parse *p, const arguments *of, ns_quantity *result)
{
    const double sign = strcmp(of->function->row.name, "max") == 0 ? 1 : -1;
    NS_TRY(check_same(p, of));
    *result = of->value[0];
    for (size_t i = 1; i < of->count; i++)
        if (sign * of->value[i].value > sign * result->value)
            *result = of->value[i];
    return NS_OK;
}

static ns_status apply_sum(const ns_parse *p, const arguments *of, ns_quantity *result)
{
    double sum = 0;
    NS_TRY(check_same(p, of));
    for (size_t i = 0; i < of->count; i++)
        sum += of->value[i].value;
    if (strcmp(of->function->row.name, "mean") == 0)
        sum /= (double)of->count;
    return finish(p, of, sum, of->value[0].dim, result);
}

/* x - y floor(x / y) */
static ns_status apply_mod(const ns_parse *p, const arguments *of, ns_quantity *result)
{
    const double x = of->value[0].value, y = of->value[1].value;
    NS_TRY(check_same(p, of));
    if (y == 0)
        return ns_parse_fail(p, of->place[1], NS_ERR_RANGE, "mod by zero");
    const double rest = fmod(x, y);
    return finish(p, of, rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest, of->value[0].dim, result);
}

static const ns_function_row functions[] = {
    {{"abs", "abs(x)", "x without its sign"}, 1, 1, NULL, apply_abs},
    {{"ceil", "ceil(x)", "the next whole number, upwards"}, 1, 1, ceil, apply_pure},
    {{"exp", "exp(x)", "e to the power x"}, 1, 1, exp, apply_pure},
    {{"floor", "floor(x)", "the next whole number, downwards"}, 1, 1, floor, apply_pure},
    {{"ln", "ln(x)", "natural logarithm"}, 1, 1, log, apply_pure},
    {{"log10", "log10(x)", "logarithm to base 10"}, 1, 1, log10, apply_pure},
    {{"log2", "log2(x)", "logarithm to base 2"}, 1, 1, log2, apply_pure},
    {{"max", "max(x, ...)", "the largest"}, 1, NS_ARGUMENTS_MAX, NULL, apply_extreme},
    {{"mean", "mean(x, ...)", "arithmetic mean"}, 1, NS_ARGUMENTS_MAX, NULL, apply_sum},
    {{"min", "min(x, ...)", "the smallest"}, 1, NS_ARGUMENTS_MAX, NULL, apply_extreme},
    {{"mod", "mod(x, y)", "x less the largest whole multiple of y not above it"}, 2, 2, NULL, apply_mod},
    {{"round", "round(x)", "the nearest whole number, halves away from zero"}, 1, 1, round, apply_pure},
    {{"sqrt", "sqrt(x)", "square root; of 16 s^2 it is 4 s"}, 1, 1, NULL, apply_root},
    {{"sum", "sum(x, ...)", "all together"}, 1, NS_ARGUMENTS_MAX, NULL, apply_sum},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

const ns_function *ns_calc_function(size_t index)
{
    return index < FUNCTIONS ? &functions[index].row : NULL;
}

const ns_function_row *ns_function_find(const char *name, size_t length)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strlen(functions[i].row.name) == length && memcmp(functions[i].row.name, name, length) == 0)
            return &functions[i];
    return NULL;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

ns_status ns_function_call(ns_parse *p, const ns_function_row *function, ns_quantity *result)
{
    arguments of = {.function = function, .at = p->at};
    p->at += strlen(function->row.name);
    ns_skip(p);
    const char *open = p->at++;
    if (!ns_accept(p, ')')) {
        do {
            if (of.count == NS_ARGUMENTS_MAX)
                return ns_parse_fail(p, ns_skip(p), NS_ERR_LIMIT, "more than %d arguments", (int)NS_ARGUMENTS_MAX);
            of.place[of.count] = ns_skip(p);
            NS_TRY(ns_parse_comparison(p, &of.value[of.count]));
            of.count++;
        } while (ns_accept(p, ','));
        NS_TRY(ns_parse_close(p, open, "an operator, \",\" or \")\""));
    }
    if (of.count < function->least || of.count > function->most)
        return ns_parse_fail(p, of.at, NS_ERR_SYNTAX, "%s is called as %s, not with %zu argument%s",
                             function->row.name, function->row.usage, of.count, of.count == 1 ? "" : "s");
    return function->apply(p, &of, result);
}
