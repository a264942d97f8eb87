/* names.c -- the meaning of a word: a variable, the last answer or a unit; and the message for an unknown one */
#include "calc/engine.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/refuse.h"
#include "core/span.h"
#include "core/utf8.h"

static bool same(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* ---- variables -------------------------------------------------------------------------------------------------- */

const ns_quantity *ns_variable_find(const ns_calc *calc, const char *name, size_t length)
{
    if (calc->answered && same("ans", name, length))
        return &calc->last;
    for (size_t i = 0; i < calc->variables; i++)
        if (same(calc->variable[i].name, name, length))
            return &calc->variable[i].value;
    return NULL;
}

ns_status ns_variable_set(ns_calc *calc, const char *name, size_t length, ns_quantity value, ns_error *err)
{
    for (size_t i = 0; i < calc->variables; i++)
        if (same(calc->variable[i].name, name, length)) {
            calc->variable[i].value = value;
            return NS_OK;
        }
    NS_TRY(ns_grow(&calc->variable, &calc->room, (int64_t)calc->variables + 1, sizeof *calc->variable, NULL, err));
    char *copy = ns_malloc(length + 1);
    if (copy == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory for a variable");
    memcpy(copy, name, length);
    copy[length] = '\0';
    calc->variable[calc->variables++] = (ns_variable){copy, value};
    return NS_OK;
}

const char *ns_calc_variable(const ns_calc *calc, size_t index, ns_quantity *value)
{
    if (index >= calc->variables)
        return NULL;
    if (value != NULL)
        *value = calc->variable[index].value;
    return calc->variable[index].name;
}

/* ---- units ------------------------------------------------------------------------------------------------------ */

const char *ns_calc_unit(size_t index, char *buffer, size_t size)
{
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++)
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
            if ((prefix->kind & base->kinds) != 0 && !ns_is_digit(*base->name) && index-- == 0) {
                snprintf(buffer, size, "%s%s", prefix->name, base->name);
                return buffer;
            }
    return NULL;
}

/* ---- models ----------------------------------------------------------------------------------------------------- */

const ns_model *ns_calc_model(const char *word, size_t length)
{
    char name[64];
    if (length >= sizeof name)
        return NULL;
    for (size_t i = 0; i < length; i++)
        name[i] = word[i] == '_' ? '-' : word[i];
    name[length] = '\0';
    return ns_model_find(name);
}

const ns_field *ns_calc_output(const ns_model *model)
{
    const ns_field *last = NULL;
    for (const ns_field *f = model->outputs; f->kind != NS_FIELD_END; f++)
        last = f->kind == NS_FIELD_NUMBER || f->kind == NS_FIELD_TERM ? f : last;
    return last;
}

/* ---- undefined words --------------------------------------------------------------------------------------------- */

static ns_status refuse(const ns_parse *p, const char *at, size_t length)
{
    char word[64];
    if (length == 3 && memcmp(at, "ans", 3) == 0)
        return ns_parse_fail(p, at, NS_ERR_NAME, "there is no answer yet");
    if (length == 2 && memcmp(at, "in", 2) == 0)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "\"in\" where a value is wanted");
    /* "max-rate" without a parenthesis, or misspelt before one. */
    const size_t hyphenated = ns_hyphenated_length(at);
    const ns_model *model = ns_calc_model(at, hyphenated);
    if (model != NULL)
        return ns_parse_fail(p, at, NS_ERR_NAME, "%s is a model: its inputs are wanted, as in %s(%s=...)", model->name,
                             model->name, model->inputs[0].name);
    if (hyphenated < sizeof word && at[hyphenated + strspn(at + hyphenated, " \t")] == '(') {
        ns_error unknown = {0};
        snprintf(word, sizeof word, "%.*s", (int)hyphenated, at);
        for (char *c = word; *c != '\0'; c++)
            *c = *c == '_' ? '-' : *c;
        (void)ns_model_get(word, &model, &unknown);
        if (strstr(unknown.text, "did you mean") != NULL)
            return ns_parse_pass(p, at, &unknown);
    }
    if (ns_function_find(at, length) != NULL)
        return ns_parse_fail(p, at, NS_ERR_NAME, "%.*s is a function, wants its arguments in parentheses", (int)length,
                             at);
    if (length == 3 && memcmp(at, "log", 3) == 0)
        return ns_parse_fail(p, at, NS_ERR_NAME, "log is ambiguous: write ln, log2 or log10");
    /* A unit spelt differently: "sec", "Kb". */
    ns_error inner = {0};
    ns_unit unit;
    if (length != 1) {
        (void)ns_span_unit((ns_span){at, at, at + length}, &unit, &inner);
        NS_TRY(strstr(inner.text, "write ") != NULL ? ns_parse_pass(p, at, &inner) : NS_OK);
    }
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    enum { MOST = 512 };
    const char *names[MOST];
    char text[NS_UNKNOWN_MOST];
    size_t count = 0;
    if (length < sizeof word) {
        for (size_t i = 0; i < p->calc->variables && count < MOST / 2; i++)
            names[count++] = p->calc->variable[i].name;
        for (size_t i = 0; ns_calc_function(i) != NULL && count < MOST; i++)
            names[count++] = ns_calc_function(i)->name;
        for (const ns_model *const *m = ns_models(); *m != NULL && count < MOST; m++)
            names[count++] = (*m)->name;
    }
    if (ns_closest(word, names, count) == NULL)
        return ns_parse_fail(p, at, NS_ERR_NAME, "nothing is called \"%.*s\"", ns_quoted_length(at, length), at);
    return ns_parse_fail(p, at, NS_ERR_NAME, "%s",
                         ns_unknown_name(text, sizeof text, "nothing is called", word, names, count, ""));
}

ns_status ns_parse_name(ns_parse *p, ns_quantity *quantity)
{
    const char *at = p->at;
    const size_t word = ns_word_length(at);
    const ns_quantity *variable = ns_variable_find(p->calc, at, word);
    const bool call = at[word + strspn(at + word, " \t")] == '(';
    if (variable != NULL && !call) {
        *quantity = *variable;
        p->at += word;
        return NS_OK;
    }
    ns_unit unit;
    if (call || ns_is_word(at, "in") || ns_span_unit((ns_span){at, at, at + word}, &unit, NULL) != NS_OK)
        return refuse(p, at, word);
    double factor;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)word, at);
    NS_TRY(ns_unit_parse(name, &factor, &quantity->dim, p->err));
    quantity->value = factor;
    p->at += word;
    return NS_OK;
}
