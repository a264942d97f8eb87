/* option_doc.c -- what an option means: its row, with the names of a registry where the row says {strategies} and the
 * like, so that no list of them is typed by hand */
#include "cli/front/command.h"

#include <string.h>

static size_t append(char *text, size_t size, size_t at, const char *from, size_t length)
{
    for (size_t i = 0; i < length && at + 1 < size; i++)
        text[at++] = from[i];
    text[at] = '\0';
    return at;
}

static size_t append_strategies(char *text, size_t size, size_t at)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0; i < count; i++) {
        at = append(text, size, at, ",", i > 0);
        at = append(text, size, at, list[i]->name, strlen(list[i]->name));
    }
    return at;
}

static size_t append_words(char *text, size_t size, size_t at, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        at = append(text, size, at, ",", i > 0);
        at = append(text, size, at, words[i], strlen(words[i]));
    }
    return at;
}

const char *ns_option_doc(const ns_option *option, char *text, size_t size)
{
    static const char strategies[] = "{strategies}", transports[] = "{transports}";
    size_t at = append(text, size, 0, "", 0);
    for (const char *c = option->doc; *c != '\0';) {
        if (strncmp(c, strategies, sizeof strategies - 1) == 0) {
            at = append_strategies(text, size, at);
            c += sizeof strategies - 1;
        } else if (strncmp(c, transports, sizeof transports - 1) == 0) {
            at = append_words(text, size, at, ns_transport_words);
            c += sizeof transports - 1;
        } else {
            at = append(text, size, at, c++, 1);
        }
    }
    return text;
}
