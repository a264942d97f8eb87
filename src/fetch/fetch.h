/* fetch.h -- a file from an HTTP server, resumable, and the check of its contents; the only user of libcurl
 *
 * The bytes are appended to PART, and PART.tag keeps the server's version tag for them (ETag or Last-Modified), so that
 * a later call requests only the rest, and starts over when the server's file has changed.
 */
#ifndef NS_FETCH_FETCH_H
#define NS_FETCH_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include <nsmodel/status.h>

/* This many bytes are present, of total (0: unknown). */
typedef void ns_fetch_fn(void *context, int64_t done, int64_t total);

enum { NS_FETCH_SLOW = 1024 };

typedef struct ns_fetch_request {
    const char *url;     /* http or https */
    const char *part;    /* the growing file; its folder exists */
    bool shared;         /* others may read it, as far as the umask allows; otherwise only this user */
    int patience;        /* seconds over which less than NS_FETCH_SLOW B/s counts as interrupted; 0: 60 */
    int64_t most;        /* largest size of the file, whatever the server reports; 0: any */
    int tries;           /* connections in a row that may transfer nothing, or too little; 0: 3 */
    ns_fetch_fn *tell;   /* or NULL */
    void *context;
} ns_fetch_request;

typedef struct ns_fetch_result {
    int64_t bytes;       /* in total */
    int64_t resumed;     /* of these, present before this call and kept */
    int cuts;            /* connections that ended early and were resumed */
} ns_fetch_result;

/* Download a whole gzip file to PART.  An interrupted connection is resumed as long as each one transfers something.
 * On failure PART is kept, with the bytes received, when another call may succeed.  A second process with the same PART
 * is refused. */
ns_status ns_fetch_file(const ns_fetch_request *request, ns_fetch_result *result, ns_error *err);

/* Unpack all of a gzip file, which checks its CRC-32 and lengths. */
ns_status ns_fetch_check(const char *path, ns_fetch_fn *tell, void *context, ns_error *err);

/* Create the folder and its parents; they are accessible to this user only, unless shared. */
ns_status ns_fetch_folder(const char *path, bool shared, ns_error *err);

/* Remove PART and its tag. */
void ns_fetch_forget(const char *part);

#endif
