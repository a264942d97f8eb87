/* machines.h -- shipped machines, and machines written number by number for tests that need one that nobody ships */
#ifndef TESTS_MACHINES_H
#define TESTS_MACHINES_H

#include "machine/machine.h"

/* One that is shipped, kept to the end of the process, as are all machines from here. */
ns_machine *machine_named(const char *name);

/* The same with what measured exchanges of several ways and both memories would have told of it. */
ns_machine *machine_taught(const char *name);

typedef struct machine_text machine_text;

machine_text *machine_start(int sockets, int gpus, int host_processes);
/* A number in SI: unit "s", "s/B", "B" or "" for none; the path as printf makes it. */
void machine_put(machine_text *text, double value, const char *unit, const char *path, ...) NS_PRINTF(4, 5);
/* The machine; text is gone.  Fails the test when it is none. */
ns_machine *machine_made(machine_text *text);

/* The machine with "PATH=VALUE"; the machine given is gone. */
ns_machine *machine_with(ns_machine *machine, const char *assignment);

/* A copy with all its seconds 8, all its bytes 32 times as large. */
ns_machine *machine_rescaled(const ns_machine *machine);

#endif
