/* shim.h -- preloaded into the program under test: counts its calls for memory and for input and output, fails chosen
 * ones, and says what was left open
 *
 * NS_FAULT=KIND:INDEX:MODE with KIND memory or io, INDEX from 1, MODE once or after (this one and all that follow).
 * NS_FAULT_REPORT=FILE gets "fault CALL ADDRESS..." when it happens and "end MEMORY IO BLOCKS HANDLES" when main
 * returns: calls counted, and what the program itself took and did not give back.  Counting begins with main and leaves
 * out children and standard error.  Calls that clean up, such as remove, never fail: what is left would tell nothing.
 */
#ifndef TESTS_FAULTS_SHIM_H
#define TESTS_FAULTS_SHIM_H

#include <dlfcn.h>
#include <stdbool.h>

/* The program sees the C library's names alone. */
#pragma GCC visibility push(hidden)

enum { SHIM_MEMORY, SHIM_IO, SHIM_KINDS };

/* ---- choose.c ---------------------------------------------------------------------------------------------------- */

/* Is this call one that has to fail?  Then errno is code. */
bool shim_fails(int kind, const char *call, int code);
/* Does the program itself call from there, while calls are counted? */
bool shim_is_own(const void *caller);
/* What a child does is its own affair. */
void shim_stop(void);

/* ---- held.c ------------------------------------------------------------------------------------------------------ */

void shim_hold(void *block);
/* Whether the block was held. */
bool shim_let_go(const void *block);
void shim_hold_if_own(void *block, const void *caller);
void shim_hold_handle(int file, const void *caller);
void shim_let_handle_go(int file);
/* How much the program took and did not give back. */
void shim_held(long *blocks, long *handles);

#pragma GCC visibility pop

/* NAME(...) that answers WRONG with errno CODE when it has to fail. */
#define WRAP(type, name, parameters, arguments, exempt, wrong, code)                                                   \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        if (!(exempt) && shim_fails(SHIM_IO, #name, code))                                                             \
            return wrong;                                                                                              \
        return real arguments;                                                                                         \
    }

/* The same where something is opened that has to be closed: HELD(result). */
#define WRAP_OPEN(type, name, parameters, arguments, wrong, code, held_how)                                            \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        if (shim_fails(SHIM_IO, #name, code))                                                                          \
            return wrong;                                                                                              \
        type result = real arguments;                                                                                  \
        held_how(result, __builtin_return_address(0));                                                                 \
        return result;                                                                                                 \
    }

#endif
