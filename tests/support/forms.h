/* forms.h -- the registered forms by name, and bits of their parts */
#ifndef TESTS_FORMS_H
#define TESTS_FORMS_H

#include <nsmodel/form.h>

extern const ns_form ns_form_postal, ns_form_max_rate, ns_form_queue, ns_form_contention, ns_form_full;

/* The bit of a part; fails the test when the form has none of that name.  "" is no part. */
unsigned form_part(const ns_form *form, const char *name);

#endif
