/* trouble.h -- calls of libc and of libraries that a test defines in front of the real ones, and lets fail by a
 * script */
#ifndef TESTS_SUPPORT_TROUBLE_H
#define TESTS_SUPPORT_TROUBLE_H

#include <dlfcn.h>
#include <stdbool.h>

/* The call of this name passes `skip` times, then fails `times` times with errno; no other call fails. */
void trouble_set(const char *call, int skip, int times, int error);
void trouble_end(void);
/* Asked by the call itself: has it to fail now?  Sets errno then. */
bool trouble_hits(const char *call);
/* Is the script about this call? */
bool trouble_is(const char *call);
/* How often it has still to fail; below 0 where the call came on after its last failure. */
int trouble_left(void);

/* In a function of that name: the one that it stands in front of, as `real`. */
#define TROUBLE_REAL(type, name, ...)                                                                                  \
    type (*real)(__VA_ARGS__);                                                                                         \
    *(void **)&real = dlsym(RTLD_NEXT, name)

#endif
