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

static size_t append_name(char *text, size_t size, size_t at, const char *joint, size_t index, const char *name)
{
    at = append(text, size, at, joint, index > 0 ? strlen(joint) : 0);
    return append(text, size, at, name, strlen(name));
}

static size_t append_strategies(char *text, size_t size, size_t at)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0; i < count; i++)
        at = append_name(text, size, at, ",", i, list[i]->name);
    return at;
}

static size_t append_transports(char *text, size_t size, size_t at)
{
    for (size_t i = 0; i < NS_TRANSPORTS; i++)
        at = append_name(text, size, at, ",", i, ns_transport_words[i]);
    return at;
}

static size_t append_forms(char *text, size_t size, size_t at)
{
    const ns_form *list[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(list, NS_FORMS_MAX);
    for (size_t i = 0; i < count; i++)
        at = append_name(text, size, at, ", ", i, list[i]->name);
    return at;
}

static size_t append_networks(char *text, size_t size, size_t at)
{
    for (size_t i = 0; ns_network_kinds()[i] != NULL; i++)
        at = append_name(text, size, at, ", ", i, ns_network_kinds()[i]->name);
    return at;
}

static const struct {
    const char *said;
    size_t (*append)(char *text, size_t size, size_t at);
} registries[] = {{"{strategies}", append_strategies},
                  {"{transports}", append_transports},
                  {"{forms}", append_forms},
                  {"{networks}", append_networks}};
enum { REGISTRIES = sizeof registries / sizeof *registries };

const char *ns_option_doc(const ns_option *option, char *text, size_t size)
{
    size_t at = append(text, size, 0, "", 0);
    for (const char *c = option->doc; *c != '\0';) {
        int r = 0;
        while (r < REGISTRIES && strncmp(c, registries[r].said, strlen(registries[r].said)) != 0)
            r++;
        at = r < REGISTRIES ? registries[r].append(text, size, at) : append(text, size, at, c, 1);
        c += r < REGISTRIES ? strlen(registries[r].said) : 1;
    }
    return text;
}
