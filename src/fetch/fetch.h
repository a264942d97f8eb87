/* fetch.h -- a file from an HTTP server, resumable, and the check of what came; the only user of libcurl
 *
 * The bytes grow in PART, and PART.tag keeps the server's mark of the version they are of (ETag or Last-Modified), so
 * that a later call asks for the rest only, and begins anew when the server's file has changed.
 */
#ifndef NS_FETCH_FETCH_H
#define NS_FETCH_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include <nsmodel/status.h>

/* So many bytes are there, of total (0: unknown). */
typedef void ns_fetch_fn(void *context, int64_t done, int64_t total);

enum { NS_FETCH_SLOW = 1024 };

typedef struct ns_fetch_request {
    const char *url;     /* http or https */
    const char *part;    /* the growing file; its folder exists */
    bool shared;         /* others may read it, as far as the umask lets them; else it is this user's alone */
    int patience;        /* seconds over which less than NS_FETCH_SLOW B/s counts as a cut; 0: 60 */
    int64_t most;        /* bytes that the file can have, whatever the server says; 0: any */
    int tries;           /* connections in a row that may bring nothing, or too slowly; 0: 3 */
    ns_fetch_fn *tell;   /* or NULL */
    void *context;
} ns_fetch_request;

typedef struct ns_fetch_result {
    int64_t bytes;       /* in all */
    int64_t resumed;     /* of them, there before this call and kept */
    int cuts;            /* connections that ended too early, and were taken up again */
} ns_fetch_result;

/* Get a gzip file whole into PART.  A cut connection is taken up again as long as each brings something.  On failure
 * PART stays, with what came, when asking again may help.  A second process at the same PART is refused. */
ns_status ns_fetch_file(const ns_fetch_request *request, ns_fetch_result *result, ns_error *err);

/* Unpack all of a gzip file, which checks its CRC-32 and lengths. */
ns_status ns_fetch_check(const char *path, ns_fetch_fn *tell, void *context, ns_error *err);

/* Make the folder and those above it; what is made is open to this user alone unless it is shared. */
ns_status ns_fetch_folder(const char *path, bool shared, ns_error *err);

/* Remove PART and its tag. */
void ns_fetch_forget(const char *part);

#endif
