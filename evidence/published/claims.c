/* claims.c -- exchanges of several matrices on several numbers of GPUs, and how often a claim about them holds */
#include "published/claims.h"

#include "core/memory.h"
#include "price/choice.h"

#include <math.h>
#include <string.h>

typedef struct way {
    const ns_strategy *strategy;
    ns_transport transport;
    double seconds;
} way;

typedef struct a_case {
    const char *matrix; /* of the table's text */
    int32_t gpus;
    double messages;
    int ways;
    way of[NS_CHOICES];
} a_case;

struct ns_claims {
    size_t cases;
    a_case *of;
};

static size_t length_of(const ns_value *list)
{
    size_t count = 0;
    for (const ns_value *v = list != NULL ? list->first : NULL; v != NULL; v = v->next)
        count++;
    return count;
}

/* A list that holds at least one of a kind, and nothing else. */
static ns_status check_list(const ns_value *object, const char *name, ns_value_kind kind, ns_error *err)
{
    const ns_value *list = ns_value_get(object, name);
    bool good = list != NULL && list->kind == NS_LIST && list->first != NULL;
    for (const ns_value *v = good ? list->first : NULL; v != NULL; v = v->next)
        good = good && v->kind == kind &&
               (kind != NS_NUMBER || (v->number >= 1 && v->number <= 1e6 && v->number == floor(v->number)));
    return good ? NS_OK
                : ns_fail(err, NS_ERR_DATA, "\"%s\" wants a list of %s", name,
                          kind == NS_NUMBER ? "whole numbers from 1 to 1000000" : "texts");
}

/* ---- pricing ----------------------------------------------------------------------------------------------------- */

/* All numbers of GPUs in one pass over the matrix. */
static ns_status price_matrix(const char *name, const ns_value *gpus, const ns_machine *machine, a_case *c,
                              ns_error *err)
{
    const ns_exchange_options options = {.width = 0};
    const size_t layouts = length_of(gpus);
    size_t at = 0;
    ns_matrix *matrix;
    ns_layout *layout = ns_malloc(ns_size_mul(layouts, sizeof *layout));
    ns_exchange **exchange = ns_calloc(layouts, sizeof *exchange);
    ns_status status = layout != NULL && exchange != NULL ? ns_matrix_open(name, &matrix, err) : ns_no_memory(err);
    if (status == NS_OK) {
        for (const ns_value *v = gpus->first; v != NULL; v = v->next)
            layout[at++] = (ns_layout){(int32_t)v->number, machine->gpus};
        status = ns_exchange_from_matrix(matrix, layout, layouts, &options, exchange, NULL, err);
        ns_matrix_free(matrix);
    }
    ns_comparison *comparison = ns_malloc(sizeof *comparison);
    if (status == NS_OK && comparison == NULL)
        status = ns_no_memory(err);
    for (size_t i = 0; status == NS_OK && i < layouts; i++) {
        status = ns_compare_into(exchange[i], machine, NULL, comparison, err);
        c[i].matrix = name;
        c[i].messages = (double)exchange[i]->pattern.m_proc;
        c[i].gpus = exchange[i]->parts;
        c[i].ways = status == NS_OK ? comparison->choices : 0;
        for (int k = 0; k < c[i].ways; k++) {
            const ns_choice *choice = &comparison->choice[k];
            c[i].of[k] = (way){choice->strategy, choice->transport, choice->price.estimate_s};
        }
    }
    ns_free(comparison);
    for (size_t i = 0; exchange != NULL && i < layouts; i++)
        ns_exchange_free(exchange[i]);
    ns_free(exchange);
    ns_free(layout);
    return status;
}

ns_status ns_claims_price(const ns_value *exchanges, const ns_machine *machine, ns_claims **made, ns_error *err)
{
    NS_TRY(check_list(exchanges, "matrices", NS_TEXT, err));
    NS_TRY(check_list(exchanges, "gpus", NS_NUMBER, err));
    if (machine->gpus < 1)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no GPUs", machine->name);
    const ns_value *matrices = ns_value_get(exchanges, "matrices"), *gpus = ns_value_get(exchanges, "gpus");
    const size_t cases = ns_size_mul(length_of(matrices), length_of(gpus));
    ns_claims *claims = ns_calloc(1, sizeof *claims);
    if (claims == NULL)
        return ns_no_memory(err);
    claims->of = ns_calloc(cases, sizeof *claims->of);
    ns_status status = claims->of != NULL ? NS_OK : ns_no_memory(err);
    for (const ns_value *v = matrices->first; status == NS_OK && v != NULL; v = v->next) {
        status = price_matrix(v->text, gpus, machine, &claims->of[claims->cases], err);
        claims->cases += length_of(gpus);
    }
    if (status == NS_OK)
        *made = claims;
    else
        ns_claims_free(claims);
    return status;
}

void ns_claims_free(ns_claims *claims)
{
    if (claims == NULL)
        return;
    ns_free(claims->of);
    ns_free(claims);
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static bool matches(const char *word, size_t length, const char *name)
{
    return (length == 1 && *word == '*') || (strlen(name) == length && strncmp(word, name, length) == 0);
}

/* Of the ways that a pattern "STRATEGY/TRANSPORT" is of. */
static double fastest_of(const a_case *c, const char *pattern)
{
    const size_t length = strcspn(pattern, "/");
    const char *transport = pattern[length] == '/' ? pattern + length + 1 : "*";
    double least = INFINITY;
    for (int i = 0; i < c->ways; i++)
        if (matches(pattern, length, c->of[i].strategy->name) &&
            matches(transport, strlen(transport), ns_transport_words[c->of[i].transport]))
            least = fmin(least, c->of[i].seconds);
    return least;
}

static bool is_listed(const ns_value *list, const char *text, double number)
{
    for (const ns_value *v = list != NULL ? list->first : NULL; v != NULL; v = v->next)
        if (v->kind == NS_TEXT ? strcmp(v->text, text) == 0 : v->number == number)
            return true;
    return list == NULL;
}

/* A pattern that no way is of says nothing. */
static ns_status check_pattern(const ns_claims *claims, const ns_value *pattern, ns_error *err)
{
    return pattern->kind == NS_TEXT && isfinite(fastest_of(&claims->of[0], pattern->text))
               ? NS_OK
               : ns_fail(err, NS_ERR_NAME, "no strategy and transport \"%.60s\"",
                         pattern->kind == NS_TEXT ? pattern->text : "");
}

static ns_status check_claim(const ns_claims *claims, const ns_value *claim, ns_error *err)
{
    static const char *const known[] = {"fastest", "before",        "after",         "matrices",
                                        "gpus",    "messages_from", "messages_below"};
    const ns_value *before = ns_value_get(claim, "before"), *after = ns_value_get(claim, "after");
    for (const ns_value *v = claim->first; v != NULL; v = v->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(v->name, known[k]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            return ns_fail(err, NS_ERR_NAME, "a claim has no \"%.60s\"", v->name);
        if (strncmp(v->name, "messages_", 9) == 0 && v->kind != NS_NUMBER)
            return ns_fail(err, NS_ERR_SYNTAX, "\"%s\" wants a number", v->name);
    }
    if ((before != NULL) != (after != NULL) || (before != NULL) == (ns_value_get(claim, "fastest") != NULL))
        return ns_fail(err, NS_ERR_DATA, "a claim wants \"fastest\", or \"before\" and \"after\"");
    if (ns_value_get(claim, "matrices") != NULL)
        NS_TRY(check_list(claim, "matrices", NS_TEXT, err));
    if (ns_value_get(claim, "gpus") != NULL)
        NS_TRY(check_list(claim, "gpus", NS_NUMBER, err));
    if (before != NULL) {
        NS_TRY(check_pattern(claims, before, err));
        return check_pattern(claims, after, err);
    }
    NS_TRY(check_list(claim, "fastest", NS_TEXT, err));
    for (const ns_value *v = ns_value_get(claim, "fastest")->first; v != NULL; v = v->next)
        NS_TRY(check_pattern(claims, v, err));
    return NS_OK;
}

ns_status ns_claims_share(const ns_claims *claims, const ns_value *claim, double *share, size_t *cases, ns_error *err)
{
    size_t among = 0, held = 0;
    NS_TRY(check_claim(claims, claim, err));
    const ns_value *from = ns_value_get(claim, "messages_from"), *below = ns_value_get(claim, "messages_below"),
                   *fastest = ns_value_get(claim, "fastest");
    for (const a_case *c = claims->of; c < claims->of + claims->cases; c++) {
        if (!is_listed(ns_value_get(claim, "matrices"), c->matrix, 0) ||
            !is_listed(ns_value_get(claim, "gpus"), "", (double)c->gpus) ||
            (from != NULL && c->messages < from->number) || (below != NULL && c->messages >= below->number))
            continue;
        bool holds = fastest == NULL && fastest_of(c, ns_value_get(claim, "before")->text) <
                                            fastest_of(c, ns_value_get(claim, "after")->text);
        for (const ns_value *v = fastest != NULL ? fastest->first : NULL; v != NULL; v = v->next)
            holds = holds || fastest_of(c, v->text) <= fastest_of(c, "*");
        among++;
        held += holds;
    }
    if (among == 0)
        return ns_fail(err, NS_ERR_DATA, "no case is among those of the claim");
    *share = (double)held / (double)among;
    *cases = among;
    return NS_OK;
}
