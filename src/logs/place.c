/* place.c -- where ranks ran: the placement that a log prints, or --per-node and --sockets; otherwise words and file
 * names
 *
 * jsrun ends a log with "rank: 3: { host: 1; cpu: {12-15}, {0-11,16-159} ; gpu: ...": host and first cpu of each rank.
 * It does not print sockets: with S of them, cpu c of a host whose cpus run to c_max is on socket floor(c S / (c_max +
 * 1)).
 */
#include "core/memory.h"
#include "log.h"

#include <string.h>

/* A file names each rank once per job: text that needs more work than this is not a placement. */
enum { RANKS_MAX = 1 << 20, WORK_MAX = 1 << 24 };

void ns_placement_free(ns_placement *place)
{
    ns_free(place->host);
    ns_free(place->cpu);
    *place = (ns_placement){.ranks = 0};
}

static ns_status put(ns_log_parser *p, int rank, int host, int cpu, ns_error *err)
{
    ns_placement *place = &p->place;
    int ranks = place->ranks;
    if (rank >= ranks && rank < RANKS_MAX)
        ranks = rank + 1 > 2 * ranks ? rank + 1 : 2 * ranks;
    p->placed += 1 + ranks - place->ranks;
    if (rank >= RANKS_MAX || p->placed > WORK_MAX)
        return ns_fail_at(err, NS_ERR_DATA, p->path, p->line, 0,
                          "rank %d of placement lines without end; wanted below %d", rank, RANKS_MAX);
    if (ranks > place->ranks) {
        int *hosts = ns_realloc(place->host, ns_size_mul((size_t)ranks, sizeof *hosts));
        place->host = hosts != NULL ? hosts : place->host;
        int *cpus = ns_realloc(place->cpu, ns_size_mul((size_t)ranks, sizeof *cpus));
        place->cpu = cpus != NULL ? cpus : place->cpu;
        if (hosts == NULL || cpus == NULL)
            return ns_no_memory(err);
        for (; place->ranks < ranks; place->ranks++)
            hosts[place->ranks] = cpus[place->ranks] = -1;
    }
    place->host[rank] = host;
    place->cpu[rank] = cpu;
    return NS_OK;
}

ns_status ns_place_line(ns_log_parser *p, bool *taken, ns_error *err)
{
    int number[3], rank, last;
    const char *text = ns_scan_match(p->text, "rank: %: { host: %; cpu: {%", number);
    *taken = text != NULL;
    if (*taken) { /* the largest number in "cpu: {0-3}, {4-7,80-87} ;" gives the number of cpus */
        for (text = strstr(p->text, "cpu:"); *text != '\0' && *text != ';';) {
            int cpu;
            if (!ns_scan_integer(&text, &cpu))
                text++;
            else if (cpu >= p->place.cpus && cpu < 2147483647)
                p->place.cpus = cpu + 1;
        }
        return put(p, number[0], number[1], number[2], err);
    }
    text = ns_scan_match(p->text, "Host % [", number);
    text = text == NULL ? NULL : strstr(text, "] ranks ");
    *taken = text != NULL;
    if (!*taken)
        return NS_OK;
    for (text += strlen("] ranks "); ns_scan_integer(&text, &rank);) { /* "0, 2, 4" or "0 - 39" */
        const char *range = ns_scan_match(text, " - %", &last);
        last = range == NULL ? rank : last;
        text = range == NULL ? text : range;
        for (int i = rank; i <= last; i++)
            NS_TRY(put(p, i, number[0], -1, err));
        if (*text == ',')
            text = ns_scan_blanks(text + 1);
    }
    return NS_OK;
}

/* Locality by --per-node and --sockets, where rank r is on node r / per_node, or in cyclic order on node r mod nodes;
 * or -1. */
static int said_locality(const ns_log_options *options, int ranks, const int rank[2])
{
    const int per_node = options->per_node, sockets = options->sockets > 0 ? options->sockets : 2;
    if (per_node <= 0)
        return -1;
    const int nodes = options->cyclic && ranks > per_node ? (ranks + per_node - 1) / per_node : 0,
              per_socket = per_node % sockets == 0 ? per_node / sockets : per_node / sockets + 1;
    int node[2], socket[2];
    for (int i = 0; i < 2; i++) {
        node[i] = nodes > 0 ? rank[i] % nodes : rank[i] / per_node;
        socket[i] = (nodes > 0 ? rank[i] / nodes : rank[i] % per_node) / per_socket;
    }
    return node[0] != node[1] ? NS_OFF_NODE : socket[0] == socket[1] ? NS_ON_SOCKET : NS_ON_NODE;
}

/* Locality by the placement lines, or -1. */
static int printed_locality(const ns_placement *place, int sockets, const int rank[2])
{
    int host[2], cpu[2];
    for (int i = 0; i < 2; i++) {
        host[i] = rank[i] < place->ranks ? place->host[rank[i]] : -1;
        cpu[i] = rank[i] < place->ranks ? place->cpu[rank[i]] : -1;
    }
    if (host[0] < 0 || host[1] < 0)
        return -1;
    if (host[0] != host[1])
        return NS_OFF_NODE;
    return cpu[0] >= 0 && cpu[1] >= 0 &&
                   (long long)cpu[0] * sockets / place->cpus == (long long)cpu[1] * sockets / place->cpus
               ? NS_ON_SOCKET
               : NS_ON_NODE;
}

ns_status ns_place_settle(ns_log_parser *p, ns_error *err)
{
    const int sockets = p->options->sockets > 0 ? p->options->sockets : 2;
    bool split = false;
    long disagree = 0;
    int ranks = 0;
    for (size_t i = p->unplaced; i < p->log->samples; i++)
        for (int side = 0; side < 2; side++)
            if (p->log->sample[i].rank[side] >= ranks)
                ranks = p->log->sample[i].rank[side] + 1;
    for (int i = ranks; i < p->place.ranks; i++)
        if (p->place.host[i] >= 0)
            ranks = i + 1;
    for (size_t i = p->unplaced; i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        if (sample->rank[0] == sample->rank[1] || sample->locality_stated)
            continue;
        const int said = said_locality(p->options, ranks, sample->rank),
                  seen = printed_locality(&p->place, sockets, sample->rank), locality = said >= 0 ? said : seen;
        if (said >= 0 && seen >= 0 && (seen == NS_OFF_NODE) != (said == NS_OFF_NODE) && disagree == 0)
            disagree = sample->line;
        if (locality < 0)
            continue;
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
        split = split || (said < 0 && locality != NS_OFF_NODE);
    }
    if (split && p->options->sockets == 0 && p->place.cpus > 0)
        NS_TRY(ns_log_warn(p, 0, err, "sockets taken from the cpu numbers of its placement lines, two to a node"));
    if (disagree > 0)
        NS_TRY(ns_log_warn(p, disagree, err,
                           "ranks are placed by --per-node; the placement lines of the log say otherwise"));
    p->unplaced = p->log->samples;
    ns_placement_free(&p->place);
    return NS_OK;
}

/* ---- locality words ---------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Skip a word at the start of text, in any case; '-' in the word matches any of the gap characters, or nothing. */
static const char *past_word(const char *text, const char *word, const char *gaps)
{
    for (; *word != '\0'; word++) {
        if (*word == '-' && *gaps != '\0') {
            text += *text != '\0' && strchr(gaps, *text) != NULL;
            continue;
        }
        if (*text != *word && !(is_letter(*word) && *text == *word - 'a' + 'A'))
            return NULL;
        text++;
    }
    return text;
}

/* Match only whole words, not parts of a path or of another word. */
int ns_words_locality(const char *text)
{
    static const struct {
        const char *word;
        int locality;
    } words[] = {
        /* more specific ones first */
        {"intra-socket", NS_ON_SOCKET}, {"intra socket", NS_ON_SOCKET}, {"on-socket", NS_ON_SOCKET},
        {"intra-node", NS_ON_NODE},     {"intra node", NS_ON_NODE},     {"intranode", NS_ON_NODE},
        {"on-node", NS_ON_NODE},        {"intra", NS_ON_NODE},          {"inter-node", NS_OFF_NODE},
        {"inter node", NS_OFF_NODE},    {"internode", NS_OFF_NODE},     {"off-node", NS_OFF_NODE},
        {"inter", NS_OFF_NODE},
    };
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("iIoOsS", *at) == NULL || (at != text && strchr(" \t([\"'", at[-1]) == NULL))
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const char *end = past_word(at, words[i].word, "");
            if (end != NULL && strchr(" \t,:;.)]\"'", *end) != NULL) /* strchr matches the terminator, too */
                return words[i].locality;
        }
    }
    return -1;
}

/* "osu_latency_intra-node.log", "on_socket/lat.out", "lat_2nodes.txt": the file's own name takes precedence over its
 * folder's and that of the folder above. */
int ns_path_locality(const char *path)
{
    static const struct {
        const char *word;
        int locality;
    } words[] = {
        /* more specific ones first */
        {"intra-socket", NS_ON_SOCKET}, {"on-socket", NS_ON_SOCKET},  {"same-socket", NS_ON_SOCKET},
        {"inter-socket", NS_ON_NODE},   {"cross-socket", NS_ON_NODE}, {"intra-node", NS_ON_NODE},
        {"on-node", NS_ON_NODE},        {"same-node", NS_ON_NODE},    {"single-node", NS_ON_NODE},
        {"intra", NS_ON_NODE},          {"loopback", NS_ON_NODE},     {"inter-node", NS_OFF_NODE},
        {"off-node", NS_OFF_NODE},      {"cross-node", NS_OFF_NODE},  {"multi-node", NS_OFF_NODE},
        {"inter", NS_OFF_NODE},
    };
    static const char gaps[] = "-_ .";
    enum { NAMES = 3, NAME_MAX_B = 255 };
    const char *end = path + strlen(path);
    for (int name = 0; name < NAMES && end > path; name++) {
        const char *start = end;
        while (start > path && start[-1] != '/')
            start--;
        for (const char *at = start; at < end && end - start <= NAME_MAX_B; at++) {
            const char before = at > start ? at[-1] : '\0', *after = at;
            int count;
            if (*at >= '0' && *at <= '9') { /* "1node", "2-nodes": the number decides */
                if ((before >= '0' && before <= '9') || !ns_scan_integer(&after, &count) || count < 1 ||
                    (after = past_word(after, "-node", gaps)) == NULL)
                    continue;
                after += *after == 's' || *after == 'S';
                if (!is_letter(*after))
                    return count == 1 ? NS_ON_NODE : NS_OFF_NODE;
                continue;
            }
            for (size_t i = 0; i < sizeof words / sizeof *words && !is_letter(before); i++)
                if ((after = past_word(at, words[i].word, gaps)) != NULL && !is_letter(*after))
                    return words[i].locality;
        }
        end = start > path ? start - 1 : path;
    }
    return -1;
}
