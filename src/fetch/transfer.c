/* transfer.c -- one connection: request the missing bytes and append them
 *
 * Range: bytes=HAVE- requests the rest, If-Range: TAG the whole file when its version has changed.
 */
#include "fetch/transfer.h"
#include "bytes/bytes.h"
#include "io/whole_file.h"

#include <errno.h>
#include <nsmodel/version.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* ---- the header lines of an HTTP answer (RFC 9110) --------------------------------------------------------------- */

/* The value of a line "name: value", without blanks around it; NULL for another line. */
static const char *value_of(const char *line, const char *name)
{
    while (*name != '\0' && ns_lower(*line) == *name)
        line++, name++;
    if (*name != '\0' || *line != ':')
        return NULL;
    return line + 1 + strspn(line + 1, " \t");
}

/* A whole number; -1 for anything else. */
static int64_t number(const char *text, const char **end)
{
    int64_t n = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && n < INT64_MAX / 100; c++)
        n = 10 * n + (*c - '0');
    *end = c;
    return c > text ? n : -1;
}

void ns_http_answer_line(ns_http_answer *answer, const char *line, size_t length)
{
    char text[512];
    const char *value, *end;
    while (length > 0 && strchr("\r\n \t", line[length - 1]) != NULL)
        length--;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
    if (strncmp(text, "HTTP/", 5) == 0) {
        const char *code = strchr(text, ' ');
        *answer = (ns_http_answer){.from = -1, .total = -1, .length = -1};
        if (code != NULL) {
            answer->code = (long)number(code + 1, &end);
            snprintf(answer->reason, sizeof answer->reason, "%s", *end == ' ' ? end + 1 : "");
        }
    } else if ((value = value_of(text, "content-range")) != NULL) {
        const char *slash = strchr(value, '/'); /* "bytes 100-199/200", "bytes * /200" (written without the blank) */
        if (strncmp(value, "bytes ", 6) == 0 && slash != NULL) {
            answer->from = number(value + 6, &end);
            answer->total = number(slash + 1, &end);
        }
    } else if ((value = value_of(text, "content-length")) != NULL)
        answer->length = number(value, &end);
    else if ((value = value_of(text, "content-type")) != NULL)
        snprintf(answer->type, sizeof answer->type, "%.*s", (int)strcspn(value, ";"), value);
    else if ((value = value_of(text, "etag")) != NULL && *value == '"' &&
             strlen(value) < NS_TAG) /* a weak tag, W/"...", does not guarantee identical bytes */
        strcpy(answer->tag, value);
    else if ((value = value_of(text, "last-modified")) != NULL && answer->tag[0] == '\0' && strlen(value) < NS_TAG)
        strcpy(answer->tag, value);
}

/* Where the tag cannot be kept, the check of the whole file decides. */
static void write_tag(const char *part, const char *tag)
{
    char path[4200];
    ns_whole_file whole;
    ns_status status = NS_ERR_DATA;
    snprintf(path, sizeof path, "%s.tag", part);
    if (*tag != '\0' && ns_whole_file_begin(path, NS_FOR_OWNER, &whole, NULL) == NS_OK) {
        fputs(tag, whole.file);
        status = ns_whole_file_end(&whole, NS_OK, NULL);
    }
    if (status != NS_OK)
        (void)remove(path);
}

/* The answer's headers are complete: do its bytes continue those present?  If not, the file is started over. */
static ns_status begin(ns_transfer *t)
{
    const ns_http_answer *a = &t->answer;
    struct statvfs facts;
    t->begun = true;
    if (a->code == 206 && a->from != t->have)
        return ns_fail(t->err, NS_ERR_DATA, "%s: asked for bytes from %lld, got bytes from %lld", t->request->url,
                       (long long)t->have, (long long)a->from);
    if (a->code == 200) {
        t->have = t->kept = 0;
        if (ftruncate(t->file, 0) != 0 || lseek(t->file, 0, SEEK_SET) != 0)
            return ns_fail_at(t->err, NS_ERR_FILE, t->request->part, 0, 0, "cannot be written");
    }
    t->total = a->code == 206 ? a->total : a->length;
    t->total = t->total < 0 ? 0 : t->total;
    if (t->have == 0) {
        memcpy(t->tag, a->tag, sizeof t->tag);
        write_tag(t->request->part, t->tag);
    }
    if (t->total == 0 || fstatvfs(t->file, &facts) != 0)
        return NS_OK;
    const double room = (double)facts.f_bavail * (double)facts.f_frsize, wanted = (double)(t->total - t->have);
    return wanted <= room ? NS_OK
                          : ns_fail_at(t->err, NS_ERR_FILE, t->request->part, 0, 0,
                                       "no space left: %.0f B to come, room for %.0f B", wanted, room);
}

/* Append the bytes received. */
static ns_status take(ns_transfer *t, const char *data, size_t size)
{
    /* gzip begins with 1f 8b; an error page with status 200 does not, and must not replace the bytes present */
    static const unsigned char magic[] = {0x1f, 0x8b};
    const int64_t at = !t->begun && t->answer.code == 200 ? 0 : t->have, most = t->request->most;
    for (size_t i = 0; i < size && at + (int64_t)i < 2; i++)
        if ((unsigned char)data[i] != magic[at + (int64_t)i])
            return ns_fail(t->err, NS_ERR_DATA, "%s: wanted a gzip archive, got %s", t->request->url,
                           t->answer.type[0] != '\0' ? t->answer.type : "something else");
    if (!t->begun)
        NS_TRY(begin(t));
    /* never more than the file can have: a body without a length may not end */
    const int64_t comes = t->have + (int64_t)size, whole = comes > t->total ? comes : t->total;
    t->oversize = most != 0 && whole > most;
    if (t->oversize)
        return ns_fail(t->err, NS_ERR_DATA, "%s: at least %lld B, more than the %lld B that this file can have",
                       t->request->url, (long long)whole, (long long)most);
    const size_t wrote = ns_write_all(t->file, data, size);
    t->have += (int64_t)wrote;
    return wrote == size ? NS_OK
                         : ns_fail_at(t->err, NS_ERR_FILE, t->request->part, 0, 0,
                                      "%s after %lld B, which are kept: the same command goes on there",
                                      ns_no_space(errno) ? "no space left" : "cannot be written", (long long)t->have);
}

static size_t receive(char *data, size_t one, size_t size, void *transfer)
{
    ns_transfer *t = transfer;
    size *= one;
    if (t->answer.code != 200 && t->answer.code != 206)
        return size; /* the body of an error page */
    t->stopped = take(t, data, size) != NS_OK;
    return t->stopped ? 0 : size;
}

static size_t receive_header(char *line, size_t one, size_t size, void *transfer)
{
    ns_http_answer_line(&((ns_transfer *)transfer)->answer, line, one * size);
    return one * size;
}

enum { GRACE = 2 }; /* s, to connect and receive an answer */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int patience(const ns_transfer *t)
{
    return t->request->patience > 0 ? t->request->patience : 60;
}

static void start_window(ns_transfer *t)
{
    t->since = seconds_now();
    t->since_have = t->have;
}

/* libcurl calls this about once a second, whether data arrives or not.  An occasional byte does not count as a
 * transfer. */
static int tell(void *transfer, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up)
{
    ns_transfer *t = transfer;
    (void)total, (void)now, (void)up_total, (void)up;
    if (t->begun && t->request->tell != NULL)
        t->request->tell(t->request->context, t->have, t->total);
    const double passed = seconds_now() - t->since;
    if (passed < patience(t))
        return 0;
    t->slow = (double)(t->have - t->since_have) < NS_FETCH_SLOW * passed;
    start_window(t);
    return t->slow;
}

/* Texts are copied, which may fail; then no request is sent, since without its range or its If-Range it would be a
 * different request.  The handle is not reset between connections: libcurl does not report running out of memory there,
 * and omits half of its defaults. */
static CURLcode set_options(ns_transfer *t, const char *range, struct curl_slist *headers)
{
    CURLcode (*const set)(CURL * curl, CURLoption option, ...) = t->library.easy_setopt;
    CURL *c = t->curl;
    /* Applies to redirections, too: http may lead to https, but never https to http.  Older versions of libcurl are not
     * relied on for this. */
    const char *protocols = strncasecmp(t->request->url, "https:", 6) == 0 ? "https" : "http,https";
    const CURLcode limited = set(c, CURLOPT_PROTOCOLS_STR, protocols);
    if (limited != CURLE_OK)
        return limited;
    const CURLcode codes[] = {
        set(c, CURLOPT_URL, t->request->url),
        set(c, CURLOPT_RANGE, range),
        set(c, CURLOPT_HTTPHEADER, headers),
        set(c, CURLOPT_FOLLOWLOCATION, 1L),
        set(c, CURLOPT_MAXREDIRS, 10L),
        set(c, CURLOPT_NOSIGNAL, 1L),
        set(c, CURLOPT_CONNECTTIMEOUT, 30L),
        set(c, CURLOPT_LOW_SPEED_LIMIT, 1L),
        set(c, CURLOPT_LOW_SPEED_TIME, (long)patience(t)),
        set(c, CURLOPT_USERAGENT, "nsmodel/" NS_VERSION),
        set(c, CURLOPT_WRITEFUNCTION, receive),
        set(c, CURLOPT_WRITEDATA, (void *)t),
        set(c, CURLOPT_HEADERFUNCTION, receive_header),
        set(c, CURLOPT_HEADERDATA, (void *)t),
        set(c, CURLOPT_NOPROGRESS, 0L),
        set(c, CURLOPT_XFERINFOFUNCTION, tell),
        set(c, CURLOPT_XFERINFODATA, (void *)t),
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == CURLE_OUT_OF_MEMORY)
            return codes[i];
    return CURLE_OK; /* an old libcurl may lack an option */
}

/* Request the rest of the version already present. */
static CURLcode ask(ns_transfer *t, struct curl_slist **headers)
{
    char range[32], if_range[NS_TAG + 16];
    snprintf(range, sizeof range, "%lld-", (long long)t->have);
    snprintf(if_range, sizeof if_range, "If-Range: %s", t->tag);
    if (t->have > 0 && t->tag[0] != '\0' && (*headers = t->library.slist_append(NULL, if_range)) == NULL)
        return CURLE_OUT_OF_MEMORY;
    const CURLcode code = set_options(t, t->have > 0 ? range : NULL, *headers);
    return code == CURLE_OK ? t->library.easy_perform(t->curl) : code;
}

CURLcode ns_transfer_run(ns_transfer *t)
{
    struct curl_slist *headers = NULL;
    t->begun = false;
    t->slow = false;
    t->answer = (ns_http_answer){.from = -1, .total = -1, .length = -1};
    start_window(t);
    const double began = t->since;
    const int64_t had = t->have;
    const CURLcode code = ask(t, &headers);
    const double passed = seconds_now() - began;
    t->poor = t->slow || (passed > GRACE && (double)(t->have - had) < NS_FETCH_SLOW * passed);
    t->library.slist_free_all(headers);
    return code;
}
