/* words.h -- texts for people, cut to a width */
#ifndef NS_CLI_WORDS_H
#define NS_CLI_WORDS_H

#include "report/cell.h"

#include <nsmodel/status.h>

/* At most `room` characters of a text, cut after a clause and followed by "..."; the whole text when it fits, or when
 * no clause does. */
const char *ns_first_clause(const char *text, int room, char *cut, size_t size);

/* Pass on a failure of the library; for an unknown name without a close match, add the place that lists the names. */
ns_status ns_pass_on(const ns_error *inner, ns_error *err, const char *format, ...) NS_PRINTF(3, 4);

#endif
