/* names.c -- the locality that a log's name tells: osu_latency_intra-node.log, on_socket/lat.out, lat_2nodes.txt
 *
 * The last resort, used where the log itself and the command line say nothing.  The file's own name comes before its
 * folder's and that of the folder above.
 */
#include "log.h"

#include <string.h>

enum { FOLDERS = 2 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_gap(char c)
{
    return c == '-' || c == '_' || c == ' ' || c == '.';
}

/* Past a word at the start of text, in letters of any case; '-' in the word stands for a gap or nothing. */
static const char *past_word(const char *text, const char *word)
{
    for (; *word != '\0'; word++) {
        if (*word == '-') {
            text += is_gap(*text);
            continue;
        }
        if (*text != *word && *text != *word - 'a' + 'A')
            return NULL;
        text++;
    }
    return text;
}

/* "1node", "2-nodes": the number decides. */
static int by_nodes(const char *text)
{
    int count;
    const char *at = text, *end;
    if (!ns_scan_integer(&at, &count) || count < 1)
        return -1;
    end = past_word(at, "-node");
    if (end == NULL)
        return -1;
    end += *end == 's' || *end == 'S';
    return is_letter(*end) ? -1 : count == 1 ? NS_ON_NODE : NS_OFF_NODE;
}

static int by_word(const char *text)
{
    static const struct {
        const char *word;
        int locality;
    } words[] = {
        /* the more special ones first */
        {"intra-socket", NS_ON_SOCKET}, {"on-socket", NS_ON_SOCKET},  {"same-socket", NS_ON_SOCKET},
        {"inter-socket", NS_ON_NODE},   {"cross-socket", NS_ON_NODE}, {"intra-node", NS_ON_NODE},
        {"on-node", NS_ON_NODE},        {"same-node", NS_ON_NODE},    {"single-node", NS_ON_NODE},
        {"intra", NS_ON_NODE},          {"loopback", NS_ON_NODE},     {"inter-node", NS_OFF_NODE},
        {"off-node", NS_OFF_NODE},      {"cross-node", NS_OFF_NODE},  {"multi-node", NS_OFF_NODE},
        {"inter", NS_OFF_NODE},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *end = past_word(text, words[i].word);
        if (end != NULL && !is_letter(*end))
            return words[i].locality;
    }
    return -1;
}

static int of_component(const char *text, size_t length)
{
    char name[256];
    if (length >= sizeof name)
        return -1;
    memcpy(name, text, length);
    name[length] = '\0';
    for (const char *at = name; *at != '\0'; at++) {
        const bool digit = *at >= '0' && *at <= '9', inside = at != name && is_letter(at[-1]);
        const bool number = at != name && at[-1] >= '0' && at[-1] <= '9';
        const int found = digit ? (number ? -1 : by_nodes(at)) : inside ? -1 : by_word(at);
        if (found >= 0)
            return found;
    }
    return -1;
}

int ns_path_locality(const char *path)
{
    const char *end = path + strlen(path);
    for (int folder = 0; folder <= FOLDERS && end > path; folder++) {
        const char *start = end;
        while (start > path && start[-1] != '/')
            start--;
        const int found = of_component(start, (size_t)(end - start));
        if (found >= 0)
            return found;
        end = start > path ? start - 1 : path;
    }
    return -1;
}
