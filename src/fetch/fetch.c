/* fetch.c -- a whole file, over as many connections as necessary */
#define _XOPEN_SOURCE 700 /* mkdir's mode */
#include "fetch/fetch.h"
#include "bytes/bytes.h"
#include "core/memory.h"
#include "core/without.h"
#include "fetch/transfer.h"
#include "io/whole_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- is a gzip file whole?  Reading it compares CRC-32 and length of every member with what was unpacked --------- */

ns_status ns_fetch_check(const char *path, ns_fetch_fn *tell, void *context, ns_error *err)
{
    enum { PIECE = 1 << 18 };
    ns_bytes *bytes = NULL;
    char *piece = ns_malloc(PIECE);
    size_t got = PIECE;
    ns_status status = piece != NULL ? ns_bytes_open(path, &bytes, err) : ns_no_memory(err);
    for (int64_t done = 0; status == NS_OK && got == PIECE; done += (int64_t)got) {
        status = ns_bytes_read(bytes, piece, PIECE, &got, err);
        if (tell != NULL)
            tell(context, done, 0);
    }
    ns_bytes_close(bytes);
    ns_free(piece);
    return status;
}

/* ---- libcurl, loaded when a file is fetched ---------------------------------------------------------------------- */

static const char file_name[] = "libcurl.so.4";

#define ROW(function)                                                                                                  \
    {                                                                                                                  \
        "curl_" #function, offsetof(ns_curl_library, function)                                                         \
    }
static const struct {
    const char *name;
    size_t offset;
} functions[] = {ROW(easy_init),    ROW(easy_setopt),  ROW(easy_perform),  ROW(easy_strerror),
                 ROW(easy_cleanup), ROW(slist_append), ROW(slist_free_all)};
#undef ROW

_Static_assert(sizeof(ns_curl_library) == sizeof functions / sizeof *functions * sizeof(void *),
               "every function has its row, and a pointer to one is as large as one to data, as POSIX has it");

ns_status ns_curl_load(ns_curl_library *library, ns_error *err)
{
    ns_curl_library loaded;
    const bool hidden = ns_without(getenv(NS_WITHOUT), "curl");
    void *handle = hidden ? NULL : dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle != NULL ? NULL : hidden ? "hidden by " NS_WITHOUT : dlerror();
    if (ns_lacked_memory(why))
        return ns_no_memory(err);
    if (handle == NULL)
        return ns_fail(err, NS_ERR_FILE, "fetching wants libcurl (Debian's libcurl4), which cannot be loaded: %s",
                       why != NULL ? why : "no reason given");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const void *found = dlsym(handle, functions[i].name);
        if (found == NULL)
            return ns_fail(err, NS_ERR_FILE, "%s has no %s", file_name, functions[i].name);
        memcpy((char *)&loaded + functions[i].offset, &found, sizeof found);
    }
    *library = loaded;
    return NS_OK;
}

enum { TRIES = 3, CUTS_MOST = 1000 }; /* connections in a row that transfer nothing; connections in all */

ns_status ns_fetch_folder(const char *path, bool shared, ns_error *err)
{
    char above[4096];
    struct stat facts;
    size_t length = strlen(path);
    if (length >= sizeof above)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the name is too long");
    for (size_t i = 1; i <= length; i++)
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(above, path, i);
            above[i] = '\0';
            if (mkdir(above, shared ? 0777 : 0700) != 0 && errno != EEXIST)
                return ns_fail_at(err, NS_ERR_FILE, above, 0, 0, "this folder cannot be made");
        }
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "not a folder");
    return NS_OK;
}

void ns_fetch_forget(const char *part)
{
    char path[4200];
    snprintf(path, sizeof path, "%s.tag", part);
    (void)remove(path);
    (void)remove(part);
}

/* Open the growing file for exclusive use, at its end. */
static ns_status open_part(ns_transfer *t, ns_error *err)
{
    const char *part = t->request->part;
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    do
        t->file = open(part, flags, t->request->shared ? NS_FOR_ALL : NS_FOR_OWNER);
    while (t->file < 0 && errno == EINTR);
    if (t->file < 0)
        return ns_fail_at(err, NS_ERR_FILE, part, 0, 0, "cannot be created");
    /* Its name is predictable, so that it is found again: a file that another user may have created is not written
     * to. */
    struct stat facts;
    if (!(fstat(t->file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && facts.st_nlink == 1) ||
        (!t->request->shared && fchmod(t->file, NS_FOR_OWNER) != 0))
        return ns_fail_at(err, NS_ERR_FILE, part, 0, 0, "is not a file of this user alone; remove it to go on");
    if (fcntl(t->file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN))
        return ns_fail_at(err, NS_ERR_FILE, part, 0, 0, "another process is fetching this file");
    off_t end = lseek(t->file, 0, SEEK_END);
    if (end < 0)
        return ns_fail_at(err, NS_ERR_FILE, part, 0, 0, "cannot be written");
    t->have = t->kept = end;
    if (end > 0) {
        char path[4200];
        snprintf(path, sizeof path, "%s.tag", part);
        FILE *file = fopen(path, "rb");
        size_t got = file != NULL ? fread(t->tag, 1, NS_TAG - 1, file) : 0;
        t->tag[got] = '\0';
        t->tag[strcspn(t->tag, "\r\n")] = '\0';
        if (file != NULL)
            fclose(file);
    }
    return NS_OK;
}

/* An answer that is not a file. */
static ns_status fail_answer(const ns_transfer *t)
{
    const ns_http_answer *a = &t->answer;
    return ns_fail(t->err, NS_ERR_FILE, "%s: the server says %ld%s%s", t->request->url, a->code,
                   *a->reason != '\0' ? " " : "", a->reason);
}

static bool busy(long code)
{
    return code == 429 || code == 500 || code == 502 || code == 503 || code == 504;
}

/* After one connection: is the file complete (*done), may another connection help (NS_OK), or is it a final failure? */
static ns_status judge(ns_transfer *t, CURLcode code, bool *done)
{
    const ns_http_answer *a = &t->answer;
    *done = false;
    if (t->stopped)
        return t->err->code; /* its message has the reason */
    if (t->slow)
        return NS_OK;
    if (code != CURLE_OK)
        return (code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
                code == CURLE_GOT_NOTHING || code == CURLE_OPERATION_TIMEDOUT || code == CURLE_HTTP2_STREAM)
                   ? NS_OK
                   : ns_fail(t->err, NS_ERR_FILE, "%s: %s", t->request->url, t->library.easy_strerror(code));
    if (a->code == 416) { /* no bytes after those present: the file is complete, or another one */
        *done = a->total == t->have;
        if (!*done && (ftruncate(t->file, 0) != 0 || lseek(t->file, 0, SEEK_SET) != 0))
            return ns_fail_at(t->err, NS_ERR_FILE, t->request->part, 0, 0, "cannot be written");
        t->have = *done ? t->have : 0;
        t->kept = *done ? t->kept : 0;
        return NS_OK;
    }
    if (a->code != 200 && a->code != 206)
        return busy(a->code) ? NS_OK : fail_answer(t);
    *done = t->begun && (t->total == 0 || t->have == t->total);
    return *done || t->begun ? NS_OK : ns_fail(t->err, NS_ERR_DATA, "%s: an empty file", t->request->url);
}

static ns_status give_up(const ns_transfer *t)
{
    char of[40] = "";
    if (busy(t->answer.code))
        return fail_answer(t);
    if (t->total > 0)
        snprintf(of, sizeof of, " of %lld", (long long)t->total);
    return ns_fail(t->err, NS_ERR_FILE,
                   "%s: the connection was cut after %lld%s B, which are kept: the same command goes on there",
                   t->request->url, (long long)t->have, of);
}

static ns_status connect_until_whole(ns_transfer *t, ns_fetch_result *result)
{
    const int tries = t->request->tries > 0 ? t->request->tries : TRIES;
    bool done = false;
    for (int fruitless = 0; !done && result->cuts <= CUTS_MOST;) {
        const int64_t had = t->have;
        CURLcode code = ns_transfer_run(t);
        NS_TRY(judge(t, code, &done));
        if (done)
            break;
        result->cuts++;
        fruitless = t->have > had && !t->poor ? 0 : fruitless + 1;
        if (fruitless == tries)
            return give_up(t);
        if (fruitless > 0)
            nanosleep(&(struct timespec){.tv_sec = fruitless}, NULL);
    }
    return done ? NS_OK : give_up(t);
}

ns_status ns_fetch_file(const ns_fetch_request *request, ns_fetch_result *result, ns_error *err)
{
    ns_error own = {0};
    ns_transfer t = {.request = request, .file = -1, .err = err != NULL ? err : &own};
    *result = (ns_fetch_result){0};
    ns_status status = ns_curl_load(&t.library, t.err);
    if (status == NS_OK)
        status = open_part(&t, t.err);
    t.curl = status == NS_OK ? t.library.easy_init() : NULL;
    if (status == NS_OK && t.curl == NULL)
        status = ns_fail(err, NS_ERR_MEMORY, "libcurl cannot be started");
    if (status == NS_OK)
        status = connect_until_whole(&t, result);
    if (status == NS_OK && !ns_sync_to_disk(t.file))
        status = ns_fail_at(err, NS_ERR_FILE, request->part, 0, 0, "cannot be written");
    result->bytes = t.have;
    result->resumed = t.kept;
    if (t.curl != NULL)
        t.library.easy_cleanup(t.curl);
    if (status != NS_OK && t.curl != NULL && (t.have == 0 || t.oversize))
        ns_fetch_forget(request->part);
    if (t.file >= 0)
        close(t.file);
    return status;
}
