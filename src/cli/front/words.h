/* words.h -- texts for people, cut and wrapped to a width */
#ifndef NS_CLI_WORDS_H
#define NS_CLI_WORDS_H

#include <stdio.h>

#include <nsmodel/status.h>

enum { NS_SCREEN_COLUMNS = 80, NS_SCREEN_LINES = 24 };

/* Write words from this column on, going on at `indent` on the next line where one would pass `width`; ends the line.
 * `joint` ends a line that goes on: "" or " \\". */
void ns_wrap(FILE *out, const char *text, int column, int indent, int width, const char *joint);

/* At most `room` letters of a text, ending where a clause of it ends, and then "..."; the whole text when it fits, or
 * when no clause does. */
const char *ns_first_clause(const char *text, int room, char *cut, size_t size);

/* A failure of the library passed on; of an unknown name for which it offers no close one, with the place that has the
 * names. */
ns_status ns_pass_on(const ns_error *inner, ns_error *err, const char *format, ...) NS_PRINTF(3, 4);

#endif
