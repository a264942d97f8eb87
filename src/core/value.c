/* value.c -- the value tree; one arena, owned by the root, holds every node and text
 *
 * Builders return NULL for a NULL parent, so that calls can be chained; the arena records the first allocation failure.
 */

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/value.h"

struct ns_value_arena {
    ns_arena memory; /* its first block contains this struct, followed by the root */
    bool failed;
};

void *ns_value_take(ns_value *node, size_t size)
{
    void *taken = NULL;
    node->arena->failed |= ns_arena_take(&node->arena->memory, 1, size, &taken, NULL) != NS_OK;
    return taken;
}

static const char *copy_text(ns_value *node, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = ns_value_take(node, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

ns_value *ns_value_new(void)
{
    struct first {
        struct ns_value_arena arena;
        ns_value root;
    } * first;
    ns_arena memory = {0};
    void *taken;
    if (ns_arena_take(&memory, 1, sizeof *first, &taken, NULL) != NS_OK)
        return NULL;
    first = taken;
    first->arena = (struct ns_value_arena){.memory = memory};
    first->root = (ns_value){.name = "", .kind = NS_OBJECT, .text = "", .arena = &first->arena};
    return &first->root;
}

void ns_value_free(ns_value *root)
{
    if (root == NULL)
        return;
    ns_arena memory = root->arena->memory; /* a copy, since the original is in the memory being freed */
    ns_arena_free(&memory);
}

static ns_value *append(ns_value *parent, const char *name, ns_value_kind kind)
{
    if (parent == NULL)
        return NULL;
    if (parent->kind != NS_OBJECT && parent->kind != NS_LIST) { /* a leaf has no children */
        parent->arena->failed = true;
        return NULL;
    }
    ns_value *node = ns_value_take(parent, sizeof *node);
    const char *copy = parent->kind == NS_LIST || name == NULL ? "" : copy_text(parent, name);
    if (node == NULL || copy == NULL)
        return NULL;
    *node = (ns_value){.name = copy, .kind = kind, .text = "", .arena = parent->arena};
    if (parent->last != NULL)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    return node;
}

ns_value *ns_value_object(ns_value *parent, const char *name)
{
    return append(parent, name, NS_OBJECT);
}

ns_value *ns_value_list(ns_value *parent, const char *name)
{
    return append(parent, name, NS_LIST);
}

ns_value *ns_value_null(ns_value *parent, const char *name)
{
    return append(parent, name, NS_NULL);
}

ns_value *ns_value_number(ns_value *parent, const char *name, double number, ns_dim dim)
{
    ns_value *node = append(parent, name, NS_NUMBER);
    if (node != NULL) {
        node->number = number;
        node->dim = dim;
    }
    return node;
}

ns_value *ns_value_count(ns_value *parent, const char *name, double number)
{
    return ns_value_number(parent, name, number, NS_DIMENSIONLESS);
}

ns_value *ns_value_bool(ns_value *parent, const char *name, bool truth)
{
    ns_value *node = append(parent, name, NS_BOOL);
    if (node != NULL)
        node->truth = truth;
    return node;
}

ns_value *ns_value_text(ns_value *parent, const char *name, const char *text)
{
    if (text == NULL)
        return ns_value_null(parent, name);
    const char *copy = parent != NULL ? copy_text(parent, text) : NULL;
    ns_value *node = copy != NULL ? append(parent, name, NS_TEXT) : NULL;
    if (node != NULL)
        node->text = copy;
    return node;
}

ns_value *ns_value_textv(ns_value *parent, const char *name, const char *format, va_list arguments)
{
    if (parent == NULL)
        return NULL;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? ns_value_take(parent, (size_t)length + 1) : NULL;
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    else
        parent->arena->failed = true;
    va_end(again);
    ns_value *node = text != NULL ? append(parent, name, NS_TEXT) : NULL;
    if (node != NULL)
        node->text = text;
    return node;
}

ns_value *ns_value_textf(ns_value *parent, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ns_value *node = ns_value_textv(parent, name, format, arguments);
    va_end(arguments);
    return node;
}

ns_value *ns_value_flag(ns_value *value, unsigned flags)
{
    if (value != NULL)
        value->flags |= flags;
    return value;
}

bool ns_value_complete(const ns_value *root)
{
    return root != NULL && !root->arena->failed;
}

/* A list's elements are named by their index, from 0. */
static const ns_value *get(const ns_value *object, const char *name, size_t length)
{
    if (object != NULL && object->kind == NS_LIST) {
        size_t index = 0;
        for (size_t i = 0; i < length; i++) {
            if (name[i] < '0' || name[i] > '9' || index > SIZE_MAX / 10 - 1)
                return NULL;
            index = 10 * index + (size_t)(name[i] - '0');
        }
        const ns_value *child = length > 0 ? object->first : NULL;
        while (child != NULL && index-- > 0)
            child = child->next;
        return child;
    }
    if (object == NULL || object->kind != NS_OBJECT)
        return NULL;
    for (const ns_value *child = object->first; child != NULL; child = child->next)
        if (strncmp(child->name, name, length) == 0 && child->name[length] == '\0')
            return child;
    return NULL;
}

const ns_value *ns_value_get(const ns_value *object, const char *name)
{
    return get(object, name, strlen(name));
}

/* A key may itself contain a dot: the shortest key that leads to a match is used. */
const ns_value *ns_value_at(const ns_value *object, const char *path)
{
    for (size_t length = strcspn(path, ".");; length += 1 + strcspn(path + length + 1, ".")) {
        const ns_value *child = get(object, path, length);
        if (path[length] == '\0')
            return child;
        const ns_value *found = child != NULL ? ns_value_at(child, path + length + 1) : NULL;
        if (found != NULL)
            return found;
    }
}

static void copy_children(ns_value *parent, const ns_value *from, unsigned flags)
{
    for (const ns_value *child = from->first; parent != NULL && child != NULL; child = child->next) {
        if ((child->flags & flags) != 0)
            continue;
        ns_value *copy = append(parent, child->name, child->kind);
        if (copy == NULL)
            continue;
        copy->flags = child->flags;
        copy->truth = child->truth;
        copy->number = child->number;
        copy->dim = child->dim;
        if (child->kind == NS_TEXT && (copy->text = copy_text(copy, child->text)) == NULL)
            copy->text = ""; /* the arena has recorded the failure */
        copy_children(copy, child, flags);
    }
}

ns_value *ns_value_without(const ns_value *root, unsigned flags)
{
    ns_value *copy = ns_value_new();
    copy_children(copy, root, flags);
    return copy;
}
