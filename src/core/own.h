/* own.h -- a variable's memory is freed where its block is left, by any return (Jansson's json_auto_t for all types)
 *
 *     NS_FREED_BY(ns_machine_free, ns_machine)              once per type
 *     NS_OWN(ns_machine_free) ns_machine *machine = NULL;
 *     NS_OWN(ns_free) double *x = ns_malloc(size);
 *     NS_CLOSE(ns_inputs_close) ns_inputs inputs = {0};     a struct by its address
 *
 * The variable must be initialised where it is declared.  Set a pointer to NULL when its ownership is passed on.
 */
#ifndef NS_CORE_OWN_H
#define NS_CORE_OWN_H

#include <nsmodel/context.h>

#define NS_CLOSE(close_) __attribute__((cleanup(close_)))
#define NS_OWN(free_)    NS_CLOSE(free_##_at)
#define NS_FREED_BY(free_, type_)                                                                                      \
    static inline void free_##_at(type_ **at)                                                                          \
    {                                                                                                                  \
        free_(*at);                                                                                                    \
    }

typedef void *ns_any_pointer __attribute__((may_alias));

/* For memory of any type. */
static inline void ns_free_at(void *at)
{
    ns_free(*(ns_any_pointer *)at);
}

#endif
