/* own.h -- what a variable holds is freed where its block is left, by whichever return: json_auto_t of Jansson for all
 * types
 *
 *     NS_FREED_BY(ns_machine_free, ns_machine)              once for a type
 *     NS_OWN(ns_machine_free) ns_machine *machine = NULL;
 *     NS_OWN(ns_free) double *x = ns_malloc(size);
 *     NS_CLOSE(ns_inputs_close) ns_inputs inputs = {0};     a struct by its address
 *
 * The variable has a value from its first line on.  A pointer that is passed on is set to NULL.
 */
#ifndef NS_CORE_OWN_H
#define NS_CORE_OWN_H

#include <string.h>

#include <nsmodel/context.h>

#define NS_CLOSE(close_) __attribute__((cleanup(close_)))
#define NS_OWN(free_)    NS_CLOSE(free_##_at)
#define NS_FREED_BY(free_, type_)                                                                                      \
    static inline void free_##_at(type_ **at)                                                                          \
    {                                                                                                                  \
        free_(*at);                                                                                                    \
    }

/* Of memory of any type. */
static inline void ns_free_at(void *at)
{
    void *memory;
    memcpy(&memory, at, sizeof memory);
    ns_free(memory);
}

#endif
