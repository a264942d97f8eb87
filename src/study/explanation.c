/* explanation.c -- trees of terms in depth-first order, and the texts they hold */
#include "study/explanation.h"
#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
    struct text *next;
    char letters[];
} text;

typedef struct store {
    ns_explanation seen; /* first: what callers have */
    ns_term *term;
    size_t room;
    text *texts;
    bool failed;   /* memory was out: an error once, at the end */
    ns_term spare; /* then written, never shown */
} store;

ns_status ns_explanation_open(ns_explanation **explanation, ns_error *err)
{
    ns_error_clear(err);
    store *s = ns_calloc(1, sizeof *s);
    if (s == NULL)
        return ns_no_memory(err);
    s->seen.size = sizeof s->seen;
    *explanation = &s->seen;
    return NS_OK;
}

void ns_explanation_free(ns_explanation *explanation)
{
    store *s = (store *)(void *)explanation;
    if (s == NULL)
        return;
    for (text *t = s->texts, *next; t != NULL; t = next) {
        next = t->next;
        ns_free(t);
    }
    ns_free(s->term);
    ns_free(s);
}

static const char *keep(store *s, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text *t = length >= 0 ? ns_malloc(sizeof *t + (size_t)length + 1) : NULL;
    if (t == NULL) {
        s->failed = true;
        return "";
    }
    vsnprintf(t->letters, (size_t)length + 1, format, arguments);
    t->next = s->texts;
    s->texts = t;
    return t->letters;
}

const char *ns_explanation_text(ns_explanation *explanation, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *kept = keep((store *)(void *)explanation, format, arguments);
    va_end(arguments);
    return kept;
}

static bool make_room(store *s)
{
    if (s->seen.terms < s->room)
        return true;
    const size_t room = 2 * s->room + 32;
    ns_term *grown = ns_realloc(s->term, ns_size_mul(room, sizeof *grown));
    if (grown == NULL)
        return false;
    s->term = grown;
    s->room = room;
    return true;
}

ns_term *ns_explanation_add(ns_explanation *explanation, int depth, const char *format, ...)
{
    store *s = (store *)(void *)explanation;
    const bool room = make_room(s);
    ns_term *term = room ? &s->term[s->seen.terms++] : &s->spare;
    s->failed = s->failed || !room;
    va_list arguments;
    va_start(arguments, format);
    *term = (ns_term){.size = sizeof *term,
                      .depth = depth,
                      .name = keep(s, format, arguments),
                      .formula = "",
                      .path = "",
                      .source = "",
                      .warning = ""};
    va_end(arguments);
    return term;
}

ns_status ns_explanation_check(const ns_explanation *explanation, ns_error *err)
{
    const store *s = (const store *)(const void *)explanation;
    return s->failed ? ns_no_memory(err) : NS_OK;
}

void ns_term_set_value(ns_term *term, double value, ns_dim dim, bool counts)
{
    term->has_value = true;
    term->value = value;
    term->dim = dim;
    term->counts = counts;
}

bool ns_term_set_parameter(ns_explanation *explanation, ns_term *term, const ns_machine *machine, const char *path)
{
    const ns_parameter *source;
    term->path = ns_explanation_text(explanation, "%s", path);
    if (!ns_machine_number(machine, path, &term->parameter, &term->parameter_dim, &source))
        return false;
    term->has_parameter = true;
    term->source = source->source;
    return true;
}

const ns_term *ns_explanation_term(const ns_explanation *explanation, size_t index)
{
    const store *s = (const store *)(const void *)explanation;
    return index < s->seen.terms ? &s->term[index] : NULL;
}

double ns_explanation_share(const ns_explanation *explanation, size_t index)
{
    const store *s = (const store *)(const void *)explanation;
    size_t whole = index;
    if (index >= s->seen.terms)
        return -1;
    while (whole > 0 && s->term[whole].depth > 0)
        whole--;
    const ns_term *top = &s->term[whole];
    if (!s->term[index].counts || !top->counts || !(top->value > 0))
        return -1;
    return s->term[index].value / top->value;
}
