/* place.c -- where ranks ran: the placement that a log prints, or --per-node and --sockets
 *
 * jsrun ends a log with "rank: 3: { host: 1; cpu: {12-15}, {0-11,16-159} ; gpu: ...": host and first cpu of each rank.
 * It does not print sockets: with S of them, cpu c of a host whose cpus run to c_max is on socket floor(c S / (c_max +
 * 1)).
 */
#include "core/memory.h"
#include "log.h"

#include <string.h>

/* A file names each rank once per job: more work than this is no placement. */
enum { RANKS_MAX = 1 << 20, WORK_MAX = 1 << 24 };

void ns_placement_free(ns_placement *place)
{
    ns_free(place->host);
    ns_free(place->cpu);
    *place = (ns_placement){.ranks = 0};
}

static bool make_room(ns_placement *place, int ranks)
{
    int *host = ns_realloc(place->host, ns_size_mul((size_t)ranks, sizeof *host));
    if (host != NULL)
        place->host = host;
    int *cpu = ns_realloc(place->cpu, ns_size_mul((size_t)ranks, sizeof *cpu));
    if (cpu != NULL)
        place->cpu = cpu;
    if (host == NULL || cpu == NULL)
        return false;
    for (int i = place->ranks; i < ranks; i++)
        host[i] = cpu[i] = -1;
    place->ranks = ranks;
    return true;
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
    if (ranks > place->ranks && !make_room(place, ranks))
        return ns_no_memory(err);
    place->host[rank] = host;
    place->cpu[rank] = cpu;
    return NS_OK;
}

/* The largest number in "{0-3}, {4-7,80-87} ;", plus one. */
static int cpus_named(const char *text)
{
    int most = 0, number;
    while (*text != '\0' && *text != ';') {
        if (!ns_scan_integer(&text, &number))
            text++;
        else if (number >= most && number < 2147483647)
            most = number + 1;
    }
    return most;
}

/* "Host 0 [lassen9] ranks 0, 2, 4" or "ranks 0 - 39" */
static ns_status host_line(ns_log_parser *p, int host, const char *text, ns_error *err)
{
    int rank, last;
    while (ns_scan_integer(&text, &rank)) {
        const char *range = ns_scan_match(text, " - %", &last);
        last = range == NULL ? rank : last;
        text = range == NULL ? text : range;
        for (int i = rank; i <= last; i++)
            NS_TRY(put(p, i, host, -1, err));
        if (*text == ',')
            text = ns_scan_blanks(text + 1);
    }
    return NS_OK;
}

ns_status ns_place_line(ns_log_parser *p, bool *taken, ns_error *err)
{
    int number[3];
    const char *after = ns_scan_match(p->text, "rank: %: { host: %; cpu: {%", number);
    if (after != NULL) {
        const char *cpus = strstr(p->text, "cpu:");
        int most = cpus_named(cpus);
        if (most > p->place.cpus)
            p->place.cpus = most;
        NS_TRY(put(p, number[0], number[1], number[2], err));
        *taken = true;
        return NS_OK;
    }
    after = ns_scan_match(p->text, "Host % [", number);
    const char *ranks = after == NULL ? NULL : strstr(after, "] ranks ");
    if (ranks != NULL)
        NS_TRY(host_line(p, number[0], ranks + strlen("] ranks "), err));
    *taken = ranks != NULL;
    return NS_OK;
}

/* The locality of one sample from --per-node and --sockets, or -1. */
static int locality_of_ranks(const ns_log_options *options, int ranks, int rank0, int rank1)
{
    int per_node = options->per_node, sockets = options->sockets > 0 ? options->sockets : 2;
    if (per_node <= 0)
        return -1;
    int nodes = options->cyclic && ranks > per_node ? (ranks + per_node - 1) / per_node : 0;
    int node0 = nodes > 0 ? rank0 % nodes : rank0 / per_node, node1 = nodes > 0 ? rank1 % nodes : rank1 / per_node;
    int local0 = nodes > 0 ? rank0 / nodes : rank0 % per_node, local1 = nodes > 0 ? rank1 / nodes : rank1 % per_node;
    int per_socket = per_node % sockets == 0 ? per_node / sockets : per_node / sockets + 1;
    if (node0 != node1)
        return NS_OFF_NODE;
    return local0 / per_socket == local1 / per_socket ? NS_ON_SOCKET : NS_ON_NODE;
}

/* By the placement lines, or -1. */
static int printed_locality(const ns_log_parser *p, int rank0, int rank1)
{
    const ns_placement *place = &p->place;
    int sockets = p->options->sockets > 0 ? p->options->sockets : 2;
    if (rank0 >= place->ranks || rank1 >= place->ranks || place->host[rank0] < 0 || place->host[rank1] < 0)
        return -1;
    if (place->host[rank0] != place->host[rank1])
        return NS_OFF_NODE;
    if (place->cpu[rank0] < 0 || place->cpu[rank1] < 0)
        return NS_ON_NODE;
    long long socket0 = (long long)place->cpu[rank0] * sockets / place->cpus;
    long long socket1 = (long long)place->cpu[rank1] * sockets / place->cpus;
    return socket0 == socket1 ? NS_ON_SOCKET : NS_ON_NODE;
}

static int most_ranks(const ns_log_parser *p)
{
    int ranks = 0;
    for (size_t i = p->unplaced; i < p->log->samples; i++)
        for (int side = 0; side < 2; side++)
            if (p->log->sample[i].rank[side] >= ranks)
                ranks = p->log->sample[i].rank[side] + 1;
    for (int i = 0; i < p->place.ranks; i++)
        if (p->place.host[i] >= 0 && i >= ranks)
            ranks = i + 1;
    return ranks;
}

ns_status ns_place_settle(ns_log_parser *p, ns_error *err)
{
    bool split = false;
    long disagree = 0;
    int ranks = most_ranks(p);
    for (size_t i = p->unplaced; i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        int rank0 = sample->rank[0], rank1 = sample->rank[1];
        if (rank0 == rank1 || sample->locality_stated)
            continue;
        int locality = locality_of_ranks(p->options, ranks, rank0, rank1);
        bool printed = locality < 0;
        int seen = printed_locality(p, rank0, rank1);
        if (!printed && seen >= 0 && (seen == NS_OFF_NODE) != (locality == NS_OFF_NODE) && disagree == 0)
            disagree = sample->line;
        if (printed)
            locality = seen;
        if (locality < 0)
            continue;
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
        split = split || (printed && locality != NS_OFF_NODE);
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

/* A word at the start of text, in letters of any case, up to its end. */
static bool begins_with(const char *text, const char *word)
{
    for (; *word != '\0'; text++, word++)
        if (*text != *word && !(*text >= 'A' && *text <= 'Z' && *text + 'a' - 'A' == *word))
            return false;
    return strchr(" \t,:;.)]\"'", *text) != NULL; /* strchr finds the terminator too */
}

/* Only words by themselves: no parts of a path or of another word. */
int ns_words_locality(const char *text)
{
    static const struct {
        const char *word;
        int locality;
    } words[] = {
        /* the more special ones first */
        {"intra-socket", NS_ON_SOCKET}, {"intra socket", NS_ON_SOCKET}, {"on-socket", NS_ON_SOCKET},
        {"intra-node", NS_ON_NODE},     {"intra node", NS_ON_NODE},     {"intranode", NS_ON_NODE},
        {"on-node", NS_ON_NODE},        {"intra", NS_ON_NODE},          {"inter-node", NS_OFF_NODE},
        {"inter node", NS_OFF_NODE},    {"internode", NS_OFF_NODE},     {"off-node", NS_OFF_NODE},
        {"inter", NS_OFF_NODE},
    };
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("iIoOsS", *at) == NULL || (at != text && strchr(" \t([\"'", at[-1]) == NULL))
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (begins_with(at, words[i].word))
                return words[i].locality;
    }
    return -1;
}
