/* transfer.h -- one connection: request the missing bytes and append them */
#ifndef NS_FETCH_TRANSFER_H
#define NS_FETCH_TRANSFER_H

#include <curl/curl.h>
#include <stdbool.h>

#include "fetch/fetch.h"

/* ---- libcurl, loaded when a file is fetched: its start-up takes longer than most commands ------------------------ */

/* Functions under libcurl's names.  Options are passed through a call without a prototype for them: numbers as long,
 * sizes as curl_off_t, as libcurl's manual requires. */
typedef struct ns_curl_library {
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *curl);
    const char *(*easy_strerror)(CURLcode code);
    void (*easy_cleanup)(CURL *curl);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
    void (*slist_free_all)(struct curl_slist *list);
} ns_curl_library;

/* Once loaded, it is kept until the process ends: libcurl is not safe to unload. */
ns_status ns_curl_load(ns_curl_library *library, ns_error *err);

/* ---- one connection ---------------------------------------------------------------------------------------------- */

enum { NS_TAG = 256 };

/* The headers of an answer. */
typedef struct ns_http_answer {
    long code;              /* 206: the rest, 200: the whole file */
    int64_t from, total;    /* Content-Range; -1: not given */
    int64_t length;         /* Content-Length; -1: not given */
    char tag[NS_TAG];       /* ETag, when it is a strong one, else Last-Modified, else "" */
    char type[64];          /* Content-Type */
    char reason[64];        /* "Not Found" */
} ns_http_answer;

/* A header line from libcurl; one that begins with HTTP/ starts a new answer. */
void ns_http_answer_line(ns_http_answer *answer, const char *line, size_t length);

typedef struct ns_transfer {
    const ns_fetch_request *request;
    ns_curl_library library;
    CURL *curl;
    int file;               /* open and locked */
    int64_t have;           /* bytes in it */
    int64_t kept;           /* of these, from before this call */
    int64_t total;          /* 0: unknown */
    char tag[NS_TAG];       /* of the version of these bytes, or "" */
    bool begun;             /* this connection's answer has been checked */
    ns_http_answer answer;
    ns_error *err;          /* a failure that ends the transfer */
    bool stopped;
    bool oversize;          /* stopped, since the file cannot be the requested one */
    bool slow, poor;        /* this connection was ended for being too slow; it transferred too little */
    double since;           /* s, the start of the observed window */
    int64_t since_have;     /* bytes present at that time */
} ns_transfer;

/* Request bytes have.. of the file; returns libcurl's result; the answer is then in t->answer. */
CURLcode ns_transfer_run(ns_transfer *t);

#endif
