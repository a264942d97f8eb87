/* call.c -- a model as a function: max-rate(m=10, s=1 MiB, ppn=40).startup
 *
 * Inputs that a call leaves out come from the current machine, or from the one named by machine=NAME.
 */
#include "calc/engine.h"
#include "core/own.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 256, LIST_TEXT = 40 * NS_LIST_MAX, SELECTORS = 3 };

NS_FREED_BY(ns_machine_free, ns_machine)

typedef struct call {
    const ns_model *model;
    ns_binding binding;
    ns_machine **machine;       /* of machine=NAME, or NULL */
    bool chosen[SELECTORS + 1]; /* selectors given; the last one means no selector */
} call;

static const char *const selectors[SELECTORS] = {"locality", "memory", "protocol"};

/* "a=, b=", or with an `after` of "" "a, b": the names of fields. */
static const char *field_names(const ns_field *field, const char *after, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (; field->kind != NS_FIELD_END && used < size; field++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", used > 0 ? ", " : "", field->name, after);
    return text;
}

static ns_status parse_choice(ns_parse *p, char *word)
{
    const char *at = ns_skip(p);
    const size_t length = strcspn(at, " \t\r\n,()[]=#"); /* on-node, summit or ./mine.json */
    if (length == 0 || length >= WORD_MAX)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "a word is wanted here");
    snprintf(word, WORD_MAX, "%.*s", (int)length, at);
    p->at += length;
    return NS_OK;
}

static ns_status give_text(ns_parse *p, call *c, const char *name, const char *text, const char *at)
{
    char assignment[LIST_TEXT + 128];
    ns_error inner = {0};
    snprintf(assignment, sizeof assignment, "%s=%s", name, text);
    return ns_bind_text(&c->binding, assignment, &inner) == NS_OK ? NS_OK : ns_parse_pass(p, at, &inner);
}

/* A selector, or an input that is a word. */
static ns_status give_choice(ns_parse *p, call *c, const char *name, int selector)
{
    char word[WORD_MAX];
    const char *at = ns_skip(p);
    NS_TRY(parse_choice(p, word));
    if (c->chosen[selector])
        return ns_parse_fail(p, at, NS_ERR_NAME, "%s is given twice", name);
    c->chosen[selector] = selector < SELECTORS;
    return give_text(p, c, name, word, at);
}

static ns_status parse_input(ns_parse *p, const ns_field *field, ns_quantity *quantity, const char **at)
{
    char text[96];
    double value;
    ns_dim dim;
    ns_error inner = {0};
    *at = ns_skip(p);
    NS_TRY(ns_parse_comparison(p, quantity));
    NS_TRY(ns_unit_parse(field->unit, &value, &dim, p->err));
    if (ns_dim_equal(dim, quantity->dim))
        return NS_OK;
    /* The reader of quantities reports what the input requires. */
    ns_quantity_words(*quantity, text, sizeof text);
    if (ns_quantity_parse_as(text, field->name, field->unit, &value, &inner) == NS_OK)
        return ns_parse_fail(p, *at, NS_ERR_UNIT, "%s wants a value in %s", field->name, field->unit);
    inner.column = 0;
    return ns_parse_pass(p, *at, &inner);
}

/* One value, or several in brackets: written in SI with all digits and bound as a text, which loses nothing. */
static ns_status give_list(ns_parse *p, call *c, const ns_field *field)
{
    char text[LIST_TEXT], digits[32], unit[64];
    size_t used = 0, count = 0;
    const char *begin = ns_skip(p), *at;
    const bool bracket = ns_accept(p, '[');
    do {
        ns_quantity quantity;
        NS_TRY(parse_input(p, field, &quantity, &at));
        if (count++ == NS_LIST_MAX)
            return ns_parse_fail(p, at, NS_ERR_LIMIT, "%s takes at most %d values", field->name, (int)NS_LIST_MAX);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", count > 1 ? "," : "",
                                 ns_double_format(quantity.value, digits, sizeof digits),
                                 ns_dim_unit(quantity.dim, unit, sizeof unit));
    } while (bracket && ns_accept(p, ','));
    if (bracket)
        NS_TRY(ns_parse_close(p, begin, "\",\" or \"]\""));
    return give_text(p, c, field->name, text, begin);
}

/* INPUT=value */
static ns_status parse_assignment(ns_parse *p, call *c)
{
    char name[64];
    const char *at = ns_skip(p);
    const size_t length = ns_word_length(at);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
    p->at += length;
    if (*ns_skip(p) == '\0' || (length == 0 && (*p->at == ')' || *p->at == ',')))
        return ns_refuse_rest(p, length == 0 ? "an input" : "\"=\"");
    if (length == 0 || length >= sizeof name || *p->at != '=' || p->at[1] == '=') {
        char inputs[200];
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "inputs of %s are given by name: %s", c->model->name,
                             field_names(c->model->inputs, "=", inputs, sizeof inputs));
    }
    p->at++;
    const ns_field *field = ns_field_find(c->model->inputs, name);
    ns_error inner = {0};
    if (field == NULL && strcmp(name, "machine") == 0) {
        char word[WORD_MAX];
        at = ns_skip(p);
        NS_TRY(parse_choice(p, word));
        if (*c->machine != NULL)
            return ns_parse_fail(p, at, NS_ERR_NAME, "machine is given twice");
        if (ns_machine_load(word, c->machine, &inner) != NS_OK)
            return ns_parse_pass(p, at, &inner);
        c->binding.machine = *c->machine;
        return NS_OK;
    }
    if (field != NULL && c->binding.given[field - c->model->inputs] == NS_GIVEN_USER)
        return ns_parse_fail(p, at, NS_ERR_NAME, "%s is given twice", name);
    int selector = 0;
    while (selector < SELECTORS && strcmp(selectors[selector], name) != 0)
        selector++;
    if (field == NULL && selector == SELECTORS) /* the error is in the name */
        return give_text(p, c, name, "", at);
    if (field == NULL || field->kind == NS_FIELD_WORD)
        return give_choice(p, c, name, selector);
    if (field->kind == NS_FIELD_LIST)
        return give_list(p, c, field);
    ns_quantity quantity;
    NS_TRY(parse_input(p, field, &quantity, &at));
    return ns_bind_number(&c->binding, field->name, quantity.value, &inner) == NS_OK ? NS_OK
                                                                                     : ns_parse_pass(p, at, &inner);
}

ns_status ns_model_call(ns_parse *p, const ns_model *model, ns_quantity *result)
{
    NS_OWN(ns_machine_free) ns_machine *chosen = NULL;
    call c = {.model = model, .machine = &chosen};
    const char *name = p->at;
    ns_model_buffer out;
    ns_error inner = {0};
    double factor;
    p->at += strlen(model->name); /* the same number of bytes with _ for - */
    ns_bind_open(&c.binding, model, p->calc->machine);
    ns_skip(p);
    const char *open = p->at++;
    if (!ns_accept(p, ')')) {
        do
            NS_TRY(parse_assignment(p, &c));
        while (ns_accept(p, ','));
        NS_TRY(ns_parse_close(p, open, "an operator, \",\" or \")\""));
    }
    const ns_field *output = ns_calc_output(model);
    if (*p->at == '.') {
        char word[64], outputs[300];
        const char *at = p->at + 1;
        const size_t length = ns_word_length(at);
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), at);
        output = ns_field_find(model->outputs, word);
        if (output == NULL)
            return ns_parse_fail(p, at, NS_ERR_NAME, "%s has no output \"%.*s\"; it has %s", model->name,
                                 ns_quoted_length(at, length), at,
                                 field_names(model->outputs, "", outputs, sizeof outputs));
        p->at = at + length;
    }
    if (ns_bind_close(&c.binding, &inner) != NS_OK || ns_model_eval(&c.binding, &out, &inner) != NS_OK)
        return ns_parse_pass(p, name, &inner);
    NS_TRY(ns_unit_parse(output->unit, &factor, &result->dim, p->err));
    result->value = ns_field_number(output, &out);
    return NS_OK;
}
