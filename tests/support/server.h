/* server.h -- an HTTP server on loopback that answers by a script, good and bad, in a process of its own */
#ifndef NS_TESTS_SERVER_H
#define NS_TESTS_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* One answer. */
typedef struct server_answer {
    int code;              /* 0: 200, or 206 when a range of the same version is asked for */
    const char *type;      /* NULL: application/gzip */
    const char *tag;       /* ETag with its quotes, or NULL */
    const char *location;  /* of a redirection */
    const void *bytes;
    size_t size;
    size_t cut;            /* close after so many bytes of the body; 0: send all */
    size_t hang;           /* stop sending after so many, and keep the connection; 0: do not */
    unsigned pause_ms;     /* between pieces */
    size_t piece;          /* bytes sent at a time; 0: 1 KiB */
    bool no_ranges;        /* always the whole */
    bool no_length;        /* no Content-Length: the end of the connection ends the body */
    bool wrong_range;      /* 206 from another byte than asked for */
    bool untold;           /* server_requests leaves it out: for more requests than fit into a pipe, some 1,000 */
} server_answer;

/* The n-th request gets the n-th answer, later ones the last; returns the base, "http://127.0.0.1:PORT" (static). */
const char *server_start(const server_answer *answer, size_t answers);

/* End the server; what it was asked, a line a request: "GET /path", then " range=..." and " if-range=..." where given;
 * "" for nothing.  Static. */
const char *server_requests(void);

/* End the server that this test started. */
void server_stop(void);

#endif
