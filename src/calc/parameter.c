/* parameter.c -- numbers of the machine in use, by the paths of its file: 1 / host.injection.R_N */
#include "calc/engine.h"

#include "core/refuse.h"

#include <stdio.h>
#include <string.h>

enum { PATH_MAX_LENGTH = 160 };

/* Words with points and hyphens between them. */
static size_t path_length(const char *at)
{
    size_t length = 0;
    for (size_t word; (word = ns_word_length(at + length)) > 0; length++) {
        length += word;
        if ((at[length] != '.' && at[length] != '-') || ns_word_length(at + length + 1) == 0)
            break;
    }
    return length;
}

static ns_status refuse(const ns_parse *p, const char *at, size_t length)
{
    enum { MOST = 512 };
    const char *names[MOST];
    char path[PATH_MAX_LENGTH];
    size_t count = 0;
    const ns_machine *machine = p->calc->machine;
    if (machine == NULL)
        return ns_parse_fail(p, at, NS_ERR_NAME, "no machine is in use to take \"%.*s\" from",
                             ns_quoted_length(at, length), at);
    for (; count < machine->parameters && count < MOST; count++)
        names[count] = machine->parameter[count].path;
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), at);
    char what[100], quoted[PATH_MAX_LENGTH], text[NS_UNKNOWN_MOST];
    snprintf(what, sizeof what, "machine %.80s gives no", machine->name);
    snprintf(quoted, sizeof quoted, "%.*s", ns_quoted_length(at, length), at);
    if (ns_closest(path, names, count) == NULL)
        count = 0;
    return ns_parse_fail(p, at, NS_ERR_NAME, "%s",
                         ns_unknown_name(text, sizeof text, what, count > 0 ? path : quoted, names, count, ""));
}

/* The longest path that the machine gives: behind its hyphens a difference may begin. */
ns_status ns_parse_path(ns_parse *p, ns_quantity *quantity)
{
    char path[PATH_MAX_LENGTH];
    const size_t length = path_length(p->at);
    if (p->calc->machine == NULL || length >= sizeof path)
        return refuse(p, p->at, length);
    snprintf(path, sizeof path, "%.*s", (int)length, p->at);
    for (char *end = path + length; end != NULL; end = strrchr(path, '-')) {
        *end = '\0';
        if (ns_machine_number(p->calc->machine, path, &quantity->value, &quantity->dim, NULL)) {
            p->at += strlen(path);
            return NS_OK;
        }
    }
    return refuse(p, p->at, length);
}
