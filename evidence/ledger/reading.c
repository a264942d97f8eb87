/* reading.c -- what a claim reads from the answers of its commands
 *
 *     reading  = an expression of the calculator (nsmodel/calc.h), or words, with questions in braces
 *     question = "{" [ WORD ] list [ ( "<" | ">" | "=" ) list ] "}"
 *     list     = [ NUMBER ":" ] step { "." step }             of the NUMBER-th command's answer, the first's without it
 *     step     = NAME { "[" "*" | INDEX | test { "," test } "]" }
 *     test     = NAME ( "=" | "<" | ">" ) VALUE
 *
 * A list contains every value that the steps reach: [*] takes all elements, tests take those that pass.  WORD is min,
 * max, sum, gmean (the geometric mean) or count; without it there must be exactly one value.  Count with a sign
 * compares two lists, value by value: {count cases[*].a < cases[*].b}.
 */
#include "ledger/ledger.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 4096, NAME_MOST = 96, TEXT_MOST = 16384 };

typedef struct list {
    size_t count;
    const ns_value *of[LIST_MOST];
} list;

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void add(list *l, const ns_value *value)
{
    if (value != NULL && l->count < LIST_MOST)
        l->of[l->count++] = value;
}

static size_t copy_name(char *name, const char *from, const char *stops)
{
    const size_t length = strcspn(from, stops);
    snprintf(name, NAME_MOST, "%.*s", (int)(length < NAME_MOST ? length : NAME_MOST - 1), from);
    return length;
}

/* "gpus=40", "s<10001", "s=1MiB", "strategy=standard" */
static bool passes_one(const ns_value *value, const char *test)
{
    char name[NAME_MOST];
    const size_t length = copy_name(name, test, "=<>");
    const char sign = test[length];
    const ns_value *field = ns_value_get(value, name);
    ns_quantity wanted;
    if (sign == '\0' || field == NULL)
        return false;
    if (ns_kind_of(field) == NS_TEXT)
        return sign == '=' && strcmp(ns_text_of(field), test + length + 1) == 0;
    if (ns_kind_of(field) != NS_NUMBER || ns_quantity_parse(test + length + 1, &wanted, NULL) != NS_OK)
        return false;
    const double number = field->number;
    return sign == '<'   ? number < wanted.value
           : sign == '>' ? number > wanted.value
                         : fabs(number - wanted.value) <= 1e-9 * fabs(wanted.value);
}

static bool passes(const ns_value *value, char *tests)
{
    bool all = true;
    for (char *test = tests, *end; test != NULL; test = end) {
        end = strchr(test, ',');
        if (end != NULL)
            *end++ = '\0';
        all = all && passes_one(value, test);
    }
    return all;
}

/* Replace values by those elements that a pair of brackets keeps; an object is kept as a whole or dropped. */
static ns_status keep(list *l, const char *inside, size_t length, ns_error *err)
{
    list *kept = ns_calloc(1, sizeof *kept);
    char tests[512], *end;
    if (kept == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < l->count; i++) {
        const ns_value *value = l->of[i];
        const bool is_list = ns_kind_of(value) == NS_LIST;
        long at = 0;
        for (const ns_value *v = is_list ? ns_first_of(value) : value; v != NULL; v = is_list ? v->next : NULL) {
            snprintf(tests, sizeof tests, "%.*s", (int)length, inside);
            const long index = strtol(tests, &end, 10);
            if (strcmp(tests, "*") == 0 || (*end == '\0' ? index == at : passes(v, tests)))
                add(kept, v);
            at++;
        }
    }
    *l = *kept;
    ns_free(kept);
    return NS_OK;
}

static ns_status follow(const char *path, const ns_value *const *answer, size_t answers, list *l, ns_error *err)
{
    char name[NAME_MOST], *colon;
    const unsigned long which = strtoul(path, &colon, 10);
    const bool numbered = colon > path && *colon == ':';
    if (numbered && (which < 1 || which > answers))
        return ns_fail(err, NS_ERR_DATA, "\"%s\": there are %zu commands", path, answers);
    l->count = 0;
    add(l, answer[numbered ? which - 1 : 0]);
    for (const char *at = numbered ? colon + 1 : path; *at != '\0'; at += *at == '.') {
        size_t to = 0;
        at += copy_name(name, at, ".[");
        for (size_t i = 0; *name != '\0' && i < l->count; i++) {
            const ns_value *field = ns_value_get(l->of[i], name);
            if (field != NULL)
                l->of[to++] = field;
        }
        l->count = *name != '\0' ? to : l->count;
        while (*at == '[') {
            const size_t length = strcspn(at, "]");
            if (at[length] == '\0')
                return ns_fail(err, NS_ERR_DATA, "\"%s\" lacks a ]", path);
            NS_TRY(keep(l, at + 1, length - 1, err));
            at += length + 1;
        }
        if (*at != '.' && *at != '\0')
            return ns_fail(err, NS_ERR_DATA, "\"%s\": after a name comes \".\" or \"[\", not \"%s\"", path, at);
    }
    return NS_OK;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static ns_status count_pairs(const char *question, const list *a, const list *b, char sign, double *number,
                             ns_error *err)
{
    if (a->count != b->count)
        return ns_fail(err, NS_ERR_DATA, "\"%s\": %zu values beside %zu", question, a->count, b->count);
    *number = 0;
    for (size_t i = 0; i < a->count; i++) {
        const double x = a->of[i]->number, y = b->of[i]->number;
        if (ns_kind_of(a->of[i]) == NS_TEXT)
            *number += sign == '=' && strcmp(ns_text_of(a->of[i]), ns_text_of(b->of[i])) == 0;
        else
            *number += sign == '<' ? x < y : sign == '>' ? x > y : x == y;
    }
    return NS_OK;
}

static ns_status fold(const char *question, const char *word, const list *l, double *number, ns_error *err)
{
    const bool mean = strcmp(word, "gmean") == 0;
    if (strcmp(word, "count") == 0) {
        *number = (double)l->count;
        return NS_OK;
    }
    for (size_t i = 0; i < l->count; i++) {
        const ns_value_kind kind = ns_kind_of(l->of[i]);
        const double value = kind == NS_BOOL ? l->of[i]->truth : l->of[i]->number;
        if (kind != NS_NUMBER && kind != NS_BOOL)
            return ns_fail(err, NS_ERR_DATA, "\"%s\" is no number", question);
        const double term = mean ? log(value) : value;
        *number = i == 0                     ? term
                  : strcmp(word, "min") == 0 ? fmin(*number, term)
                  : strcmp(word, "max") == 0 ? fmax(*number, term)
                                             : *number + term;
    }
    if (l->count == 0 || (*word == '\0' && l->count > 1))
        return ns_fail(err, NS_ERR_DATA, "\"%s\" reads %zu values", question, l->count);
    if (mean)
        *number = exp(*number / (double)l->count);
    return isfinite(*number) ? NS_OK : ns_fail(err, NS_ERR_DATA, "\"%s\" is not finite", question);
}

typedef struct question {
    char word[8];
    const char *whole;
    char *left, *right; /* right: NULL without a sign */
    char sign;
} question;

/* "count 1:a.b < 2:a.b", split in place. */
static void cut(char *text, const char *whole, question *q)
{
    static const char *const words[] = {"min", "max", "sum", "gmean", "count"};
    *q = (question){.whole = whole, .left = text};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) == 0 && text[length] == ' ') {
            snprintf(q->word, sizeof q->word, "%s", words[i]);
            q->left = text + length + 1;
        }
    }
    for (char *c = strchr(q->left, ' '); c != NULL && q->right == NULL; c = strchr(c + 1, ' '))
        if (strchr("<>=", c[1]) != NULL && c[1] != '\0' && c[2] == ' ') {
            *c = '\0';
            q->sign = c[1];
            q->right = c + 3;
        }
}

/* The value of one question: a text in words, else a number. */
static ns_status ask(const char *whole, const ns_value *const *answer, size_t answers, bool words, char *text,
                     size_t size, ns_error *err)
{
    char copy[1024];
    question q;
    double number = 0;
    list *lists = ns_calloc(2, sizeof *lists);
    if (lists == NULL)
        return ns_no_memory(err);
    snprintf(copy, sizeof copy, "%s", whole);
    cut(copy, whole, &q);
    ns_status status = follow(q.left, answer, answers, &lists[0], err);
    if (status == NS_OK && q.right != NULL)
        status = follow(q.right, answer, answers, &lists[1], err);
    const ns_value *one = lists[0].count == 1 ? lists[0].of[0] : NULL;
    if (status == NS_OK && words && ns_kind_of(one) == NS_TEXT) {
        snprintf(text, size, "%s", ns_text_of(one));
    } else if (status == NS_OK && words && one != NULL && ns_kind_of(one) == NS_NULL) {
        snprintf(text, size, "none");
    } else if (status == NS_OK) {
        status = q.right != NULL ? count_pairs(whole, &lists[0], &lists[1], q.sign, &number, err)
                                 : fold(whole, q.word, &lists[0], &number, err);
        snprintf(text, size, words ? "%.6g" : "(%.17g)", number);
    }
    ns_free(lists);
    return status;
}

static ns_status replace(const char *reading, const ns_value *const *answer, size_t answers, bool words, char *text,
                         size_t size, ns_error *err)
{
    size_t used = 0;
    while (*reading != '\0') {
        char one[1024], value[NS_CLAIM_WORD];
        const char *end = *reading == '{' ? strchr(reading, '}') : NULL;
        if (end != NULL) {
            snprintf(one, sizeof one, "%.*s", (int)(end - reading - 1), reading + 1);
            NS_TRY(ask(one, answer, answers, words, value, sizeof value, err));
            reading = end + 1;
        } else {
            value[0] = *reading++;
            value[1] = '\0';
        }
        const size_t length = strlen(value);
        if (used + length >= size)
            return ns_fail(err, NS_ERR_LIMIT, "a reading of more than %zu bytes", size);
        memcpy(text + used, value, length);
        used += length;
    }
    text[used] = '\0';
    return NS_OK;
}

ns_status ns_reading_word(const char *reading, const ns_value *const *answer, size_t answers, char *word, size_t size,
                          ns_error *err)
{
    return replace(reading, answer, answers, true, word, size, err);
}

ns_status ns_reading_number(const char *reading, const ns_value *const *answer, size_t answers, double *number,
                            ns_error *err)
{
    char text[TEXT_MOST];
    ns_calc *calc;
    ns_answer value = {.size = sizeof value};
    NS_TRY(replace(reading, answer, answers, false, text, sizeof text, err));
    NS_TRY(ns_calc_open(&calc, err));
    const ns_status status = ns_calc_eval(calc, text, &value, err);
    ns_calc_free(calc);
    *number = value.quantity.value;
    return status;
}
