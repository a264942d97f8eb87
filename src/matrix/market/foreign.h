/* foreign.h -- what a file is when it is not Matrix Market */
#ifndef NS_MATRIX_FOREIGN_H
#define NS_MATRIX_FOREIGN_H

#include <stddef.h>

/* A sentence about text that does not begin with the banner, for the error message; NULL when nothing is recognised.
 * The first kilobyte or so is enough. */
const char *ns_foreign(const unsigned char *text, size_t length);

/* The same from the file's first bytes alone: formats that are no text. */
const char *ns_foreign_binary(const unsigned char *head, size_t length);

#endif
