/* values.c -- what a node of a value tree holds, one by one */
#include "core/value.h"

ns_value_kind ns_value_kind_of(const ns_value *value)
{
    return value->kind;
}

const char *ns_value_name(const ns_value *value)
{
    return value->name;
}

bool ns_value_as_bool(const ns_value *value)
{
    return value->kind == NS_BOOL && value->truth;
}

double ns_value_as_number(const ns_value *value)
{
    return value->kind == NS_NUMBER ? value->number : 0;
}

ns_dim ns_value_dim(const ns_value *value)
{
    return value->kind == NS_NUMBER ? value->dim : (ns_dim){0};
}

const char *ns_value_as_text(const ns_value *value)
{
    return value->kind == NS_TEXT ? value->text : "";
}

const ns_value *ns_value_first(const ns_value *value)
{
    return value->first;
}

const ns_value *ns_value_next(const ns_value *value)
{
    return value->next;
}
