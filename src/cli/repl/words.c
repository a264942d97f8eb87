/* words.c -- a command line cut into words, as a shell would */
#define _DEFAULT_SOURCE /* GLOB_TILDE */
#include "cli/repl/repl.h"
#include "core/memory.h"

#include <glob.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void ns_words_free(ns_words *words)
{
    for (int i = 0; i < words->count; i++)
        ns_free(words->word[i]);
    words->count = 0;
}

static ns_status add(ns_words *words, const char *text, size_t length, const char *at, ns_error *err)
{
    if (words->count == NS_REPL_WORDS)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d words", (int)NS_REPL_WORDS);
    char *copy = ns_malloc(length + 1);
    if (copy == NULL)
        return ns_no_memory(err);
    memcpy(copy, text, length);
    copy[length] = '\0';
    words->at[words->count] = at;
    words->word[words->count++] = copy;
    words->word[words->count] = NULL;
    return NS_OK;
}

/* The files that a pattern matches, else the pattern itself. */
static ns_status add_files(ns_words *words, const char *pattern, const char *at, ns_error *err)
{
    glob_t files;
    ns_status status = NS_OK;
    if (glob(pattern, GLOB_TILDE | GLOB_NOCHECK, NULL, &files) != 0)
        return add(words, pattern, strlen(pattern), at, err);
    for (size_t i = 0; i < files.gl_pathc && status == NS_OK; i++)
        status = add(words, files.gl_pathv[i], strlen(files.gl_pathv[i]), at, err);
    globfree(&files);
    return status;
}

/* One word from *at on into room, which is as large as the text; *plain when nothing in it was quoted. */
static ns_status cut(const char *text, const char **at, char *room, bool *plain, ns_error *err)
{
    const char *c = *at;
    char quote = '\0';
    *plain = true;
    for (; *c != '\0' && (quote != '\0' || !is_blank(*c)); c++) {
        if (*c == quote && quote != '\0') {
            quote = '\0';
        } else if (quote == '\0' && (*c == '\'' || *c == '"')) {
            quote = *c;
            *at = c;
            *plain = false;
        } else {
            if (*c == '\\' && quote != '\'' && c[1] != '\0') {
                c++;
                *plain = false;
            }
            *room++ = *c;
        }
    }
    if (quote != '\0')
        return ns_fail_at(err, NS_ERR_SYNTAX, NULL, 0, *at - text + 1, "this %c is not closed", quote);
    *room = '\0';
    *at = c;
    return NS_OK;
}

ns_status ns_words_cut(const char *text, ns_words *words, ns_error *err)
{
    ns_status status = NS_OK;
    bool plain;
    char *room = ns_malloc(strlen(text) + 1);
    words->count = 0;
    words->word[0] = NULL;
    if (room == NULL)
        return ns_no_memory(err);
    for (const char *c = text; status == NS_OK;) {
        while (is_blank(*c))
            c++;
        if (*c == '\0' || *c == '#')
            break;
        const char *begin = c;
        status = cut(text, &c, room, &plain, err);
        if (status != NS_OK)
            break;
        const bool pattern = plain && (strchr(room, '*') != NULL || strncmp(room, "~/", 2) == 0);
        status = pattern ? add_files(words, room, begin, err) : add(words, room, strlen(room), begin, err);
    }
    ns_free(room);
    if (status != NS_OK)
        ns_words_free(words);
    return status;
}

/* Is the word, or its part behind "=", in the message with nothing of a word around it? */
static bool quotes(const char *message, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = message; length > 0 && (at = strstr(at, word)) != NULL; at++) {
        const char before = at == message ? ' ' : at[-1], after = at[length];
        if (strchr(" \"'(=", before) != NULL && (after == '\0' || strchr(" \"',;:).=", after) != NULL))
            return true;
    }
    return false;
}

int ns_words_blame(const ns_words *words, const char *message)
{
    for (int i = words->count - 1; i > 0; i--) {
        const char *equals = strchr(words->word[i], '=');
        char name[64] = "";
        if (equals != NULL)
            snprintf(name, sizeof name, "%.*s", (int)(equals - words->word[i]), words->word[i]);
        if (quotes(message, words->word[i]) ||
            (equals != NULL && (quotes(message, equals + 1) || quotes(message, name))))
            return i;
    }
    return 0;
}
