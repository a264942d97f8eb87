/* library.h -- libcurl, loaded when a file is fetched: starting it costs more than all else that most commands do */
#ifndef NS_FETCH_LIBRARY_H
#define NS_FETCH_LIBRARY_H

#include <curl/curl.h>

#include <nsmodel/status.h>

/* Its functions by libcurl's names.  Options go through a call without a prototype for them: numbers as long, sizes as
 * curl_off_t, as libcurl's manual says. */
typedef struct ns_curl_library {
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *curl);
    const char *(*easy_strerror)(CURLcode code);
    void (*easy_cleanup)(CURL *curl);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
    void (*slist_free_all)(struct curl_slist *list);
} ns_curl_library;

/* Once loaded it stays for the life of the process: libcurl does not like to be unloaded. */
ns_status ns_curl_load(ns_curl_library *library, ns_error *err);

#endif
