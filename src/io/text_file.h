/* text_file.h -- a whole file as text */
#ifndef NS_IO_TEXT_FILE_H
#define NS_IO_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include <nsmodel/status.h>

/* The rest of an open file, closed by '\0'.  More than `most` bytes are "too large for WHAT", zero bytes "not WHAT".
 * *text: free it. */
ns_status ns_text_read(FILE *file, const char *path, size_t most, const char *what, char **text, ns_error *err);

#endif
