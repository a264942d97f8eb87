/* server.c -- an HTTP server on loopback that answers by a script */
#include "server.h"

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 16 };

static pid_t server;
static int asked[2]; /* a pipe: request lines from the server */

static void send_all(int peer, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = send(peer, text, size, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        text += n;
        size -= (size_t)n;
    }
}

/* The value of a header of the request, cut at the end of its line; "" when it is not there. */
static void header(const char *request, const char *name, char value[256])
{
    const char *at = strstr(request, name);
    value[0] = '\0';
    if (at != NULL)
        snprintf(value, 256, "%.*s", (int)strcspn(at + strlen(name), "\r\n"), at + strlen(name));
}

static void send_body(int peer, const server_answer *a, size_t from)
{
    const char *body = a->bytes;
    size_t end = a->cut > 0 && from + a->cut < a->size ? from + a->cut : a->size;
    if (a->hang > 0 && from + a->hang < end)
        end = from + a->hang;
    for (size_t at = from; at < end;) {
        size_t most = a->piece > 0 ? a->piece : 1024, piece = end - at < most ? end - at : most;
        send_all(peer, body + at, piece);
        at += piece;
        if (a->pause_ms > 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)a->pause_ms * 1000000}, NULL);
    }
    while (a->hang > 0)
        pause();
}

static void answer_request(int peer, const char *request, const server_answer *a)
{
    char range[256], if_range[256], head[1024];
    header(request, "\r\nRange: bytes=", range);
    header(request, "\r\nIf-Range: ", if_range);
    bool same = if_range[0] == '\0' || (a->tag != NULL && strcmp(if_range, a->tag) == 0);
    size_t from = a->code == 0 && !a->no_ranges && same && range[0] != '\0' ? (size_t)strtoull(range, NULL, 10) : 0;
    bool partial = from > 0, beyond = from >= a->size && partial;
    int code = a->code != 0 ? a->code : beyond ? 416 : partial ? 206 : 200;
    int used = snprintf(head, sizeof head, "HTTP/1.1 %d Scripted\r\nConnection: close\r\nContent-Type: %s\r\n", code,
                        a->type != NULL ? a->type : "application/gzip");
    if (beyond)
        used += snprintf(head + used, sizeof head - (size_t)used, "Content-Range: bytes */%zu\r\n", a->size);
    else if (partial)
        used += snprintf(head + used, sizeof head - (size_t)used, "Content-Range: bytes %zu-%zu/%zu\r\n",
                         from + a->wrong_range, a->size - 1, a->size);
    if (!a->no_length)
        used +=
            snprintf(head + used, sizeof head - (size_t)used, "Content-Length: %zu\r\n", beyond ? 0 : a->size - from);
    if (a->tag != NULL)
        used += snprintf(head + used, sizeof head - (size_t)used, "ETag: %s\r\n", a->tag);
    if (a->location != NULL)
        used += snprintf(head + used, sizeof head - (size_t)used, "Location: %s\r\n", a->location);
    used += snprintf(head + used, sizeof head - (size_t)used, "\r\n");
    send_all(peer, head, (size_t)used);
    if (!beyond)
        send_body(peer, a, from);
}

static void tell_request(const char *request)
{
    char range[256], if_range[256], line[1024];
    header(request, "\r\nRange: bytes=", range);
    header(request, "\r\nIf-Range: ", if_range);
    int used =
        snprintf(line, sizeof line, "%.*s%s%s%s%s\n", (int)(strcspn(request, "\r\n") - strlen(" HTTP/1.1")), request,
                 *range != '\0' ? " range=" : "", range, *if_range != '\0' ? " if-range=" : "", if_range);
    if (write(asked[1], line, (size_t)used) != used)
        _exit(1);
}

static void serve_one(int peer, const server_answer *a)
{
    char request[ROOM];
    size_t used = 0;
    while (used + 1 < sizeof request) {
        ssize_t n = recv(peer, request + used, sizeof request - 1 - used, 0);
        if (n <= 0)
            return;
        used += (size_t)n;
        request[used] = '\0';
        if (strstr(request, "\r\n\r\n") != NULL)
            break;
    }
    if (!a->untold)
        tell_request(request);
    answer_request(peer, request, a);
}

static void serve(int listening, const server_answer *answer, size_t answers)
{
    for (size_t i = 0;; i += i + 1 < answers) {
        int peer = accept(listening, NULL, NULL);
        if (peer < 0)
            _exit(0);
        serve_one(peer, &answer[i]);
        shutdown(peer, SHUT_WR);
        close(peer);
    }
}

const char *server_start(const server_answer *answer, size_t answers)
{
    static char base[64];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert(listening >= 0 && bind(listening, (struct sockaddr *)&at, size) == 0 && listen(listening, 16) == 0);
    ck_assert(getsockname(listening, (struct sockaddr *)&at, &size) == 0 && pipe(asked) == 0);
    server = fork();
    ck_assert_int_ge(server, 0);
    if (server == 0) {
        close(asked[0]);
        serve(listening, answer, answers);
    }
    close(listening);
    close(asked[1]);
    snprintf(base, sizeof base, "http://127.0.0.1:%d", ntohs(at.sin_port));
    return base;
}

/* A request is told of before it is answered, so what the program has had an answer to stands in the pipe. */
const char *server_requests(void)
{
    static char text[ROOM];
    size_t used = 0;
    server_stop();
    for (ssize_t n; used + 1 < sizeof text && (n = read(asked[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    text[used] = '\0';
    return text;
}

void server_stop(void)
{
    if (server <= 0)
        return;
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    server = 0;
}
