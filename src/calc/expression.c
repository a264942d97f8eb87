/* expression.c -- recursive descent over the grammar of calc.h, evaluating while parsing */
#include "calc/engine.h"
#include "core/refuse.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers of the current machine, by the paths in its file: 1 / host.injection.R_N ---------------------------- */

enum { PATH_MAX_LENGTH = 160 };

static ns_status refuse(const ns_parse *p, const char *at, size_t length)
{
    enum { MOST = 512 };
    const char *names[MOST];
    char path[PATH_MAX_LENGTH];
    size_t count = 0;
    const ns_machine *machine = p->calc->machine;
    if (machine == NULL)
        return ns_parse_fail(p, at, NS_ERR_NAME, "no machine is in use to take \"%.*s\" from",
                             ns_quoted_length(at, length), at);
    for (; count < machine->parameters && count < MOST; count++)
        names[count] = machine->parameter[count].path;
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), at);
    char what[100], quoted[PATH_MAX_LENGTH], text[NS_UNKNOWN_MOST];
    snprintf(what, sizeof what, "machine %.80s gives no", machine->name);
    snprintf(quoted, sizeof quoted, "%.*s", ns_quoted_length(at, length), at);
    if (ns_closest(path, names, count) == NULL)
        count = 0;
    return ns_parse_fail(p, at, NS_ERR_NAME, "%s",
                         ns_unknown_name(text, sizeof text, what, count > 0 ? path : quoted, names, count, ""));
}

/* Parse the longest path that the machine has: one of its hyphens may be a minus sign instead. */
static ns_status ns_parse_path(ns_parse *p, ns_quantity *quantity)
{
    char path[PATH_MAX_LENGTH];
    /* Words with points and hyphens between them. */
    size_t length = 0;
    for (size_t word; (word = ns_word_length(p->at + length)) > 0; length++) {
        length += word;
        if ((p->at[length] != '.' && p->at[length] != '-') || ns_word_length(p->at + length + 1) == 0)
            break;
    }
    if (p->calc->machine == NULL || length >= sizeof path)
        return refuse(p, p->at, length);
    snprintf(path, sizeof path, "%.*s", (int)length, p->at);
    for (char *end = path + length; end != NULL; end = strrchr(path, '-')) {
        *end = '\0';
        if (ns_machine_number(p->calc->machine, path, &quantity->value, &quantity->dim, NULL)) {
            p->at += strlen(path);
            return NS_OK;
        }
    }
    return refuse(p, p->at, length);
}

static ns_status parse_sign(ns_parse *p, ns_quantity *quantity);

/* The opening parenthesis of a call may follow blanks. */
static bool is_call(const char *after)
{
    return after[strspn(after, " \t")] == '(';
}

static ns_status parse_operand(ns_parse *p, ns_quantity *quantity)
{
    const char *at = ns_skip(p);
    if (ns_begins_number(at))
        return ns_parse_number(p, quantity);
    if (*at == '(') {
        const char *open = p->at++;
        NS_TRY(ns_parse_comparison(p, quantity));
        return ns_parse_close(p, open, "an operator or \")\"");
    }
    const size_t length = ns_word_length(at);
    if (length == 0 && *at == '\0')
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "the text ends where a value is wanted");
    if (length == 0 && (unsigned char)*at >= 0x80)
        return ns_refuse_rest(p, "a value");
    if (length == 0)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX,
                             strchr("*/^<>=!),]", *at) != NULL ? "\"%c\" where a value is wanted"
                                                               : "\"%c\" has no meaning here, a value is wanted",
                             *at);
    /* A model's name keeps its hyphens before "(": take the longest valid one. */
    const size_t hyphenated = ns_hyphenated_length(at);
    const ns_model *model = is_call(at + hyphenated) ? ns_calc_model(at, hyphenated) : NULL;
    if (model == NULL && is_call(at + length))
        model = ns_calc_model(at, length);
    if (model != NULL)
        return ns_model_call(p, model, quantity);
    const struct ns_function_row *function = ns_function_find(at, length);
    if (function != NULL && is_call(at + length))
        return ns_function_call(p, function, quantity);
    return at[length] == '.' ? ns_parse_path(p, quantity) : ns_parse_name(p, quantity);
}

static ns_status parse_sign(ns_parse *p, ns_quantity *quantity)
{
    if (p->depth == NS_DEPTH_MAX)
        return ns_parse_fail(p, p->at, NS_ERR_LIMIT, "nested deeper than %d", (int)NS_DEPTH_MAX);
    p->depth++;
    const bool minus = ns_accept(p, '-');
    if (minus || ns_accept(p, '+')) {
        NS_TRY(parse_sign(p, quantity));
        quantity->value = minus ? -quantity->value : quantity->value;
    } else {
        /* operand [ "^" sign ]: -2^2 is -4, 2^-1 is 0.5, 2^3^2 is 2^9 */
        NS_TRY(parse_operand(p, quantity));
        if (ns_accept(p, '^')) {
            const char *at = p->at - 1;
            ns_quantity exponent;
            NS_TRY(parse_sign(p, &exponent));
            NS_TRY(ns_power(p, at, quantity, exponent));
        }
    }
    p->depth--;
    return NS_OK;
}

static ns_status parse_product(ns_parse *p, ns_quantity *quantity)
{
    NS_TRY(parse_sign(p, quantity));
    while (*ns_skip(p) == '*' || *p->at == '/') {
        const char *at = p->at++;
        ns_quantity right = {0};
        NS_TRY(parse_sign(p, &right));
        NS_TRY(ns_multiply(p, at, *at == '/', quantity, right));
    }
    return NS_OK;
}

static ns_status parse_sum(ns_parse *p, ns_quantity *quantity)
{
    NS_TRY(parse_product(p, quantity));
    while (*ns_skip(p) == '+' || (*p->at == '-' && p->at[1] != '>')) {
        const char *at = p->at++;
        ns_quantity right = {0};
        NS_TRY(parse_product(p, &right));
        NS_TRY(ns_add(p, at, *at == '-', quantity, right));
    }
    return NS_OK;
}

/* The comparison operator at the next position, or NULL. */
static const char *comparison_at(ns_parse *p)
{
    static const char *const operations[] = {"<=", ">=", "==", "!=", "<", ">"};
    const char *at = ns_skip(p);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strncmp(at, operations[i], strlen(operations[i])) == 0)
            return operations[i];
    return NULL;
}

ns_status ns_parse_comparison(ns_parse *p, ns_quantity *quantity)
{
    NS_TRY(parse_sum(p, quantity));
    const char *operation = comparison_at(p), *at = p->at;
    if (operation == NULL)
        return NS_OK;
    ns_quantity right = {0};
    p->at += strlen(operation);
    NS_TRY(parse_sum(p, &right));
    if (comparison_at(p) != NULL)
        return ns_parse_fail(p, p->at, NS_ERR_SYNTAX, "comparisons do not chain; wants parentheses");
    return ns_compare_quantities(p, at, operation, quantity, right);
}
