/* names.c -- the shipped machines, listed by make from params/ */

#include "machine/machine.h"

#include <stddef.h>

#define NS_MACHINE(stem) #stem,
static const char *const names[] = {
#include "machines.def"
    NULL};

const char *const *ns_machine_names(void)
{
    return names;
}
