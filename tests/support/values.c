/* values.c -- what stands in an answer */
#include "values.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const ns_value *value_at(const ns_value *root, const char *path, ns_value_kind kind, const char *called)
{
    const ns_value *value = ns_value_at(root, path);
    ck_assert_msg(value != NULL && value->kind == kind, "no %s at %s", called, path);
    return value;
}

double number_at(const ns_value *root, const char *path)
{
    return value_at(root, path, NS_NUMBER, "number")->number;
}

const char *text_at(const ns_value *root, const char *path)
{
    return value_at(root, path, NS_TEXT, "text")->text;
}

void near(double got, double wanted, double relative, const char *what)
{
    ck_assert_msg(fabs(got - wanted) <= relative * fabs(wanted), "%s: %.15g, wanted %.15g within %g of it", what, got,
                  wanted, relative);
}

bool warns(const ns_value *root, const char *words)
{
    for (const ns_value *w = ns_value_get(root, "warnings")->first; w != NULL; w = w->next)
        if (strstr(w->text, words) != NULL)
            return true;
    return false;
}
