/* choices.h -- how many strategies and transports a machine runs, so that tests count what there is */
#ifndef TESTS_SUPPORT_CHOICES_H
#define TESTS_SUPPORT_CHOICES_H

#include "price/choice.h"

/* Of the machine that is loaded by that name. */
int choices_on(const char *machine);

/* Has the strategy of that name a published closed form? */
bool is_published(const char *strategy);

#endif
