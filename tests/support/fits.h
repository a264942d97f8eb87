/* fits.h -- logs made for nsmodel fit, and what it answers */
#ifndef TESTS_SUPPORT_FITS_H
#define TESTS_SUPPORT_FITS_H

#include "api/library.h"

/* A plain CSV of two protocols: 1 us + 1 ns/B up to 4 KiB, 5 us + 0.1 ns/B from there; times are multiplied by
 * factor. */
const char *fits_log(const char *name, const char *kind, double factor, int sizes);

/* The JSON answer to a command line with %s for the file; free with ns_value_free. */
ns_value *fits_json(const char *format, const char *file);

/* `fit LINE -o FILE`, which has to succeed, and the machine in that file; what is said on stderr goes to said, or
 * nowhere if that is NULL. */
ns_machine *fits_machine(char *said, size_t size, const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));

#endif
