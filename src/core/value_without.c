/* value_without.c -- a tree without the nodes that one writer leaves out */
#include "core/value.h"

static ns_value *copy_node(ns_value *parent, const ns_value *node)
{
    switch (node->kind) {
    case NS_OBJECT:
        return ns_value_object(parent, node->name);
    case NS_LIST:
        return ns_value_list(parent, node->name);
    case NS_NUMBER:
        return ns_value_number(parent, node->name, node->number, node->dim);
    case NS_TEXT:
        return ns_value_text(parent, node->name, node->text);
    case NS_BOOL:
        return ns_value_bool(parent, node->name, node->truth);
    default:
        return ns_value_null(parent, node->name);
    }
}

static void copy_children(ns_value *parent, const ns_value *from, unsigned flags)
{
    for (const ns_value *child = from->first; parent != NULL && child != NULL; child = child->next) {
        if ((child->flags & flags) != 0)
            continue;
        ns_value *copy = copy_node(parent, child);
        if (copy != NULL)
            copy->flags = child->flags;
        copy_children(copy, child, flags);
    }
}

ns_value *ns_value_without(const ns_value *root, unsigned flags)
{
    ns_value *copy = ns_value_new();
    copy_children(copy, root, flags);
    return copy;
}
