/* scan.c -- words, numbers and units in the text of an expression */
#include "calc/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/span.h"
#include "core/utf8.h"

/* ---- errors with a position -------------------------------------------------------------------------------------- */

static ns_status fail_at(const ns_parse *p, const char *place, ns_status code, const char *text)
{
    long line = 1;
    const char *begin = p->text;
    for (const char *c = p->text; c < place; c++)
        if (*c == '\n') {
            line++;
            begin = c + 1;
        }
    return ns_fail_at(p->err, code, NULL, line, place - begin + 1, "%s", text);
}

ns_status ns_parse_fail(const ns_parse *p, const char *place, ns_status code, const char *format, ...)
{
    char text[sizeof p->err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_at(p, place, code, text);
}

ns_status ns_parse_pass(const ns_parse *p, const char *place, const ns_error *inner)
{
    char text[sizeof inner->file + sizeof inner->text + 64];
    const bool first = p->err != NULL && p->err->code == NS_OK;
    fail_at(p, place, inner->code, ns_error_format(inner, text, sizeof text));
    if (first) {
        p->err->remedy = inner->remedy;
        memcpy(p->err->subject, inner->subject, sizeof p->err->subject);
    }
    return inner->code;
}

/* ---- blanks and words ------------------------------------------------------------------------------------------- */

/* A blank within a line, or the no-break space that web pages put between a number and its unit. */
static size_t blank_length(const char *at)
{
    if (*at == ' ' || *at == '\t')
        return 1;
    return strncmp(at, "\xc2\xa0", 2) == 0 ? 2 : 0;
}

static const char *skip_blanks(const char *at)
{
    for (size_t length; (length = blank_length(at)) > 0;)
        at += length;
    return at;
}

const char *ns_skip(ns_parse *p)
{
    for (;;) {
        p->at = skip_blanks(p->at);
        if (*p->at == '#')
            p->at += strcspn(p->at, "\n");
        if (*p->at != '\n' && *p->at != '\r')
            return p->at;
        p->at++;
    }
}

bool ns_accept(ns_parse *p, char c)
{
    if (*ns_skip(p) != c)
        return false;
    p->at++;
    return true;
}

static bool ns_is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ns_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Signs that papers and web pages use for an operator, and the ASCII form. */
static const struct sign {
    const char *written, *typed;
} signs[] = {
    {"\xc3\x97", "*"},     /* multiplication sign */
    {"\xc2\xb7", "*"},     /* middle dot */
    {"\xe2\x8b\x85", "*"}, /* dot operator */
    {"\xc3\xb7", "/"},     /* division sign */
    {"\xe2\x88\x92", "-"}, /* minus sign */
    {"\xe2\x80\x93", "-"}, /* en dash */
    {"\xe2\x89\xa4", "<="}, {"\xe2\x89\xa5", ">="}, {"\xe2\x89\xa0", "!="},
};

static const struct sign *sign_at(const char *at)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i].written, strlen(signs[i].written)) == 0)
            return &signs[i];
    return NULL;
}

size_t ns_word_length(const char *at)
{
    size_t length = 0;
    while (ns_is_word_byte(at[length]) && blank_length(at + length) == 0 && sign_at(at + length) == NULL)
        length++;
    return length;
}

size_t ns_hyphenated_length(const char *at)
{
    size_t length = ns_word_length(at);
    while (length > 0 && at[length] == '-' && ns_word_length(at + length + 1) > 0)
        length += 1 + ns_word_length(at + length + 1);
    return length;
}

bool ns_is_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    return ns_word_length(at) == length && memcmp(at, word, length) == 0;
}

int ns_quoted_length(const char *at, size_t length)
{
    return (int)ns_utf8_clip(at, length, 60);
}

/* ---- units ------------------------------------------------------------------------------------------------------ */

static bool is_unit(const char *at, size_t length)
{
    ns_unit unit;
    return length > 0 && ns_span_unit((ns_span){at, at, at + length}, &unit, NULL) == NS_OK;
}

/* One unit and its power: "KiB", "s^2", "%". */
static size_t atom_length(const char *at)
{
    size_t length = *at == '%' ? 1 : ns_word_length(at);
    if (!is_unit(at, length) || ns_is_digit(*at))
        return 0;
    if (at[length] == '^' && ns_is_digit(at[length + 1]) && is_unit(at, length + 2) && !ns_is_word_byte(at[length + 2]))
        length += 2;
    return length;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

bool ns_begins_number(const char *at)
{
    return ns_is_digit(*at) || (*at == '.' && ns_is_digit(at[1]));
}

/* p->at is at a digit or at a point before one. */
ns_status ns_parse_number(ns_parse *p, ns_quantity *quantity)
{
    char *stop;
    const char *number = p->at;
    ns_strtod(number, &stop);
    if (*number == '0' && (number[1] == 'x' || number[1] == 'X'))
        return ns_parse_fail(p, number, NS_ERR_SYNTAX, "\"%.*s\" is hexadecimal, wants a decimal number",
                             ns_quoted_length(number, ns_word_length(number)), number);
    if (*stop == '.')
        return ns_parse_fail(p, stop, NS_ERR_SYNTAX, "a second decimal point in a number");
    const char *unit = skip_blanks(stop);
    size_t length = *unit == '1' && unit[1] == '/' && atom_length(unit + 2) > 0 ? 1 : atom_length(unit);
    while (length > 0 && unit[length] == '/' && atom_length(unit + length + 1) > 0)
        length += 1 + atom_length(unit + length + 1);
    const bool in = ns_is_word(unit, "in");
    const size_t word = ns_word_length(unit), digits = (size_t)(stop - number);
    ns_error inner = {0};
    if (!in && length == 0 && word > 0 && !ns_is_digit(*unit)) { /* a word directly after a number that is not a unit */
        ns_unit none;
        if (ns_variable_find(p->calc, unit, word) != NULL || ns_function_find(unit, word) != NULL ||
            ns_calc_model(unit, ns_hyphenated_length(unit)) != NULL)
            return ns_parse_fail(p, unit, NS_ERR_UNIT, "\"%.*s\" is no unit; a product is written with *",
                                 ns_quoted_length(unit, word), unit);
        (void)ns_span_unit((ns_span){unit, unit, unit + word}, &none, &inner);
        return ns_parse_pass(p, unit, &inner);
    }
    /* "number unit" as one text, so that the reader of quantities rounds only once */
    char text[NS_DECIMAL_MAX + 160];
    length = in ? 0 : length;
    if (digits > NS_DECIMAL_MAX || length > 128)
        return ns_parse_fail(p, number, NS_ERR_SYNTAX, "a number of more than %d characters", NS_DECIMAL_MAX);
    snprintf(text, sizeof text, "%.*s %.*s", (int)digits, number, (int)length, unit);
    if (ns_quantity_parse(text, quantity, &inner) != NS_OK)
        return ns_parse_pass(p, inner.code == NS_ERR_UNIT ? unit : number, &inner);
    if (!ns_dim_is_handled(quantity->dim))
        return ns_parse_fail(p, unit, NS_ERR_UNIT, "a unit to a power above %d", (int)NS_EXPONENT_MAX);
    p->at = length == 0 ? stop : unit + length;
    return NS_OK;
}

/* ---- unexpected text --------------------------------------------------------------------------------------------- */

ns_status ns_parse_close(ns_parse *p, const char *open, const char *wanted)
{
    if (ns_accept(p, *open == '(' ? ')' : ']'))
        return NS_OK;
    return *p->at == '\0' ? ns_parse_fail(p, open, NS_ERR_SYNTAX, "this \"%c\" is not closed", *open)
                          : ns_refuse_rest(p, wanted);
}

ns_status ns_refuse_rest(const ns_parse *p, const char *wanted)
{
    const char *at = p->at;
    size_t length = ns_word_length(at);
    if ((*at == ')' || *at == ',') && strcmp(wanted, "an input") == 0)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "\"%c\" where %s is wanted", *at, wanted);
    if (*at == '\0')
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "the text ends where %s is wanted", wanted);
    if (*at == ')' || *at == ']')
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "a \"%c\" that nothing opened", *at);
    if (*at == ',')
        return ns_parse_fail(p, at, NS_ERR_SYNTAX,
                             "a comma outside of a call; numbers have a decimal point and no grouping");
    if (*at == '=')
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "= gives a name its value at the beginning; == compares");
    if (ns_is_word(at, "to") || ns_is_word(at, "as") || strncmp(at, "->", 2) == 0)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "\"%.2s\" where %s is wanted; `in UNIT` chooses the unit", at,
                             wanted);
    if (sign_at(at) != NULL)
        return ns_parse_fail(p, at, NS_ERR_SYNTAX, "\"%s\" is typed as %s", sign_at(at)->written, sign_at(at)->typed);
    if (length == 0)
        length = ns_utf8_length(at) > 0 ? ns_utf8_length(at) : 1;
    return ns_parse_fail(p, at, NS_ERR_SYNTAX, "\"%.*s\" where %s is wanted", ns_quoted_length(at, length), at, wanted);
}
