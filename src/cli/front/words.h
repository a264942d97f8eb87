/* words.h -- texts for people, cut to a width */
#ifndef NS_CLI_WORDS_H
#define NS_CLI_WORDS_H

#include "report/cell.h"

#include <nsmodel/status.h>

/* At most `room` letters of a text, ending where a clause of it ends, and then "..."; the whole text when it fits, or
 * when no clause does. */
const char *ns_first_clause(const char *text, int room, char *cut, size_t size);

/* A failure of the library passed on; of an unknown name for which it offers no close one, with the place that has the
 * names. */
ns_status ns_pass_on(const ns_error *inner, ns_error *err, const char *format, ...) NS_PRINTF(3, 4);

#endif
