/* answer.c -- the header lines of an HTTP answer (RFC 9110) */
#include "fetch/transfer.h"

#include "bytes/bytes.h"

#include <stdio.h>
#include <string.h>

/* The value of a line "name: value", without blanks around it; NULL for another line. */
static const char *value_of(const char *line, const char *name)
{
    while (*name != '\0' && ns_lower(*line) == *name)
        line++, name++;
    if (*name != '\0' || *line != ':')
        return NULL;
    return line + 1 + strspn(line + 1, " \t");
}

/* A whole number, -1 for anything else. */
static int64_t number(const char *text, const char **end)
{
    int64_t n = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && n < INT64_MAX / 100; c++)
        n = 10 * n + (*c - '0');
    *end = c;
    return c > text ? n : -1;
}

/* "bytes 100-199/200", "bytes * /200" (written without the blank) */
static void read_range(ns_http_answer *a, const char *text)
{
    const char *end, *slash = strchr(text, '/');
    if (strncmp(text, "bytes ", 6) != 0 || slash == NULL)
        return;
    a->from = number(text + 6, &end);
    a->total = number(slash + 1, &end);
}

static void read_status(ns_http_answer *a, const char *line)
{
    const char *code = strchr(line, ' '), *end;
    *a = (ns_http_answer){.from = -1, .total = -1, .length = -1};
    if (code == NULL)
        return;
    a->code = (long)number(code + 1, &end);
    snprintf(a->reason, sizeof a->reason, "%s", *end == ' ' ? end + 1 : "");
}

void ns_http_answer_line(ns_http_answer *answer, const char *line, size_t length)
{
    char text[512];
    const char *value, *end;
    while (length > 0 && strchr("\r\n \t", line[length - 1]) != NULL)
        length--;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
    if (strncmp(text, "HTTP/", 5) == 0)
        read_status(answer, text);
    else if ((value = value_of(text, "content-range")) != NULL)
        read_range(answer, value);
    else if ((value = value_of(text, "content-length")) != NULL)
        answer->length = number(value, &end);
    else if ((value = value_of(text, "content-type")) != NULL)
        snprintf(answer->type, sizeof answer->type, "%.*s", (int)strcspn(value, ";"), value);
    else if ((value = value_of(text, "etag")) != NULL && *value == '"' &&
             strlen(value) < NS_TAG) /* W/"..." says too little */
        strcpy(answer->tag, value);
    else if ((value = value_of(text, "last-modified")) != NULL && answer->tag[0] == '\0' && strlen(value) < NS_TAG)
        strcpy(answer->tag, value);
}
