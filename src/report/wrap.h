/* wrap.h -- words wrapped to a width */
#ifndef NS_REPORT_WRAP_H
#define NS_REPORT_WRAP_H

#include <stdio.h>

enum { NS_SCREEN_COLUMNS = 80, NS_SCREEN_LINES = 24 };

/* Write words from this column on, going on at `indent` on the next line where one would pass `width`; ends the line.
 * `joint` ends a line that goes on: "", or " \\" in a command, whose quoted words are not broken. */
void ns_wrap(FILE *out, const char *text, int column, int indent, int width, const char *joint);

#endif
