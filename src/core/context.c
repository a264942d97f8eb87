/* context.c -- the calling thread's context: all that the library keeps between calls, one for each thread
 *
 * Functions of the public header alone: libnsmodel-fit has the rest of this room inside, and has to find the one
 * variable of libnsmodel.
 */
#include "core/context.h"

#include "core/memory.h"
#include "core/sized.h"

#include <stdlib.h>

static _Thread_local ns_context *current;

ns_status ns_context_open(const ns_context_options *options, ns_context **context, ns_error *err)
{
    ns_error_clear(err);
    ns_context_options given;
    NS_TRY(NS_TAKE_OPTIONS(options, ns_context_options, max_work, &given, err));
    if (given.max_memory < 0 || given.max_work < 0)
        return ns_fail(err, NS_ERR_RANGE, "limits of a context are not negative");
    if ((given.allocate == NULL) != (given.release == NULL) || (given.reallocate != NULL && given.allocate == NULL))
        return ns_fail(err, NS_ERR_RANGE, "an allocator wants allocate and release both");
    ns_context *made = given.allocate != NULL ? given.allocate(given.user, sizeof *made) : malloc(sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    made->options = given;
    atomic_init(&made->holders, 1);
    *context = made;
    return NS_OK;
}

void ns_context_free(ns_context *context)
{
    if (context != NULL)
        ns_context_let_go(context);
}

ns_context *ns_context_use(ns_context *context)
{
    ns_context *before = current;
    current = context;
    ns_context_restart(); /* the same call asks the same number of times */
    return before;
}

/* Out of line: abidw overlooks the type of a function that the compiler may inline in its own file. */
__attribute__((noinline)) ns_context *ns_context_current(void)
{
    return current;
}
