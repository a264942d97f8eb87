/* forms.h -- the registered forms by name, bits of their parts, their numbers, random loads */
#ifndef TESTS_FORMS_H
#define TESTS_FORMS_H

#include "machine/form.h"

#include <stdint.h>

extern const ns_form ns_form_postal, ns_form_max_rate, ns_form_queue, ns_form_contention, ns_form_full;

/* The bit of a part; fails the test when the form has none of that name.  "" is no part. */
unsigned form_part(const ns_form *form, const char *name);

/* The slot of the row that has this path, "<memory>.exchange.gamma"; of classes, that class'. */
int form_slot(const ns_form_values *values, const char *path, int locality, int protocol);

/* Any work for a process on a machine that has these lines: whole messages, bytes of the node no less than its own. */
ns_load form_load(const ns_machine *machine, ns_memory memory, uint64_t seed);

/* A machine whose numbers are not round: plain lines alone, or with all that a form takes; with a rate on shared
 * links or without. */
ns_machine *form_machine(int gpus, bool with_all, bool shared);

/* Machines to try a form on: all that are shipped and six of the above. */
enum { FORM_MACHINES = 24 };
int form_machines(ns_machine *list[FORM_MACHINES]);

/* One step priced with its amounts, and what stands beside the steps. */
ns_step_price form_price(const ns_form_values *values, const ns_load *load);
double form_seconds(const ns_form_values *values, const ns_load *load);

#endif
