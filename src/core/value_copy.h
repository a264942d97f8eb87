/* value_copy.h -- a text that lives as long as a node's tree, for readers that fill nodes in place */
#ifndef NS_CORE_VALUE_COPY_H
#define NS_CORE_VALUE_COPY_H

#include "core/value.h"

/* NULL when memory is out. */
const char *ns_value_copy(ns_value *node, const char *text);

#endif
